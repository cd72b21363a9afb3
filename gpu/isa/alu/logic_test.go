package alu_test

import (
	"math/rand/v2"
	"testing"

	. "github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// bit is bit i of x, zero outside the word.
func bit(x uint64, i, n int) uint64 {
	if i < 0 || i >= n {
		return 0
	}
	return x >> i & 1
}

// build makes a word of n bits from a rule for each.
func build(n int, rule func(i int) uint64) (d uint64) {
	for i := range n {
		d |= rule(i) << i
	}
	return d
}

func TestLop3FollowsItsTable(t *testing.T) {
	if got := Lop3(0xf0, 0xcc, 0xaa, 0x96) & 0xff; got != 0x96 {
		t.Errorf("table of a^b^c gives %#x", got)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for lut := range 256 {
		a, b, c := rng.Uint32(), rng.Uint32(), rng.Uint32()
		want := build(32, func(i int) uint64 {
			index := a>>i&1<<2 | b>>i&1<<1 | c>>i&1
			return uint64(lut) >> index & 1
		})
		if got := Lop3(a, b, c, uint8(lut)); uint64(got) != want {
			t.Fatalf("table %#x of %#x, %#x, %#x = %#x, want %#x", lut, a, b, c, got, want)
		}
	}
}

func TestShiftsClampTheirAmount(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	amounts := []uint32{0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 256, 0x80000000, 0xffffffff}
	for range 200 {
		x := rng.Uint64()
		for _, n := range amounts {
			k := int(min(n, 100))
			left := func(bits int) uint64 { return build(bits, func(i int) uint64 { return bit(x, i-k, bits) }) }
			right := func(bits int) uint64 { return build(bits, func(i int) uint64 { return bit(x, i+k, bits) }) }
			arith := func(bits int) uint64 {
				return build(bits, func(i int) uint64 { return bit(x, min(i+k, bits-1), bits) })
			}
			got := [9]uint64{
				uint64(ShlB16(uint16(x), n)), uint64(ShlB32(uint32(x), n)), ShlB64(x, n),
				uint64(ShrU16(uint16(x), n)), uint64(ShrU32(uint32(x), n)), ShrU64(x, n),
				uint64(ShrS16(uint16(x), n)), uint64(ShrS32(uint32(x), n)), ShrS64(x, n),
			}
			want := [9]uint64{left(16), left(32), left(64), right(16), right(32), right(64), arith(16), arith(32), arith(64)}
			if got != want {
				t.Fatalf("%#x by %d: %#x, want %#x", x, n, got, want)
			}
		}
	}
}

func TestFunnelShifts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 2000 {
		a, b, n := rng.Uint32(), rng.Uint32(), rng.Uint32()>>rng.IntN(32)
		v := Join32(a, b)
		l := func(k int) uint32 { return uint32(build(32, func(i int) uint64 { return bit(v, i+32-k, 64) })) }
		r := func(k int) uint32 { return uint32(build(32, func(i int) uint64 { return bit(v, i+k, 64) })) }
		clamp, wrap := int(min(n, 32)), int(n%32)
		got := [4]uint32{ShfLClamp(a, b, n), ShfLWrap(a, b, n), ShfRClamp(a, b, n), ShfRWrap(a, b, n)}
		if want := [4]uint32{l(clamp), l(wrap), r(clamp), r(wrap)}; got != want {
			t.Fatalf("%#x:%#x by %d: %#x, want %#x", b, a, n, got, want)
		}
	}
	a, b := uint32(0x80000001), uint32(2)
	got := [6]uint32{ShfLWrap(a, b, 40), ShfLClamp(a, b, 40), ShfRWrap(a, b, 40), ShfRClamp(a, b, 40), ShlB32(b, 40), ShrS32(a, 40)}
	if want := [6]uint32{0x280, 0x80000001, 0x02800000, 2, 0, 0xffffffff}; got != want {
		t.Errorf("amount 40: %#x, want %#x", got, want)
	}
}

func TestBitFieldExtractAndInsert(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	lengths := []uint32{0, 1, 5, 31, 32, 33, 63, 64, 65, 255, 256, 300}
	for range 40 {
		x, y := rng.Uint64(), rng.Uint64()
		for _, p := range lengths {
			for _, n := range lengths {
				field := func(bits int) (pos, size int) {
					if bits == 64 {
						return int(p), int(n)
					}
					return int(p & 0xff), int(n & 0xff)
				}
				extract := func(bits int, signed bool) uint64 {
					pos, size := field(bits)
					fill := uint64(0)
					if signed && size > 0 {
						fill = bit(x, min(pos+size-1, bits-1), bits)
					}
					return build(bits, func(i int) uint64 {
						if i < size && pos+i < bits {
							return bit(x, pos+i, bits)
						}
						return fill
					})
				}
				insert := func(bits int) uint64 {
					pos, size := field(bits)
					return build(bits, func(i int) uint64 {
						if i >= pos && i < pos+size {
							return bit(x, i-pos, bits)
						}
						return bit(y, i, bits)
					})
				}
				got := [6]uint64{
					uint64(BfeU32(uint32(x), p, n)), uint64(BfeS32(uint32(x), p, n)), BfeU64(x, p, n), BfeS64(x, p, n),
					uint64(BfiB32(uint32(x), uint32(y), p, n)), BfiB64(x, y, p, n),
				}
				want := [6]uint64{extract(32, false), extract(32, true), extract(64, false), extract(64, true), insert(32), insert(64)}
				if got != want {
					t.Fatalf("%#x, %#x at %d for %d: %#x, want %#x", x, y, p, n, got, want)
				}
			}
		}
	}
}

func TestSzextAndBmsk(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for range 500 {
		x := rng.Uint32()
		for _, n := range []uint32{0, 1, 7, 31, 32, 33, 64, 0xffffffff} {
			extend := func(size uint32, signed bool) uint32 {
				return uint32(build(32, func(i int) uint64 {
					switch {
					case uint32(i) < size:
						return uint64(x) >> i & 1
					case signed && size > 0:
						return uint64(x) >> (size - 1) & 1
					}
					return 0
				}))
			}
			got := [4]uint32{SzextClampU32(x, n), SzextClampS32(x, n), SzextWrapU32(x, n), SzextWrapS32(x, n)}
			want := [4]uint32{extend(n, false), extend(n, true), extend(n%32, false), extend(n%32, true)}
			if got != want {
				t.Fatalf("szext %#x, %d: %#x, want %#x", x, n, got, want)
			}
			for _, pos := range []uint32{0, 1, 30, 31, 32, 40} {
				mask := func(pos, size uint32) uint32 {
					return uint32(build(32, func(i int) uint64 {
						if uint64(i) >= uint64(pos) && uint64(i) < uint64(pos)+uint64(size) {
							return 1
						}
						return 0
					}))
				}
				if got, want := BmskClamp(pos, n), mask(pos, n); got != want {
					t.Fatalf("bmsk.clamp %d, %d = %#x, want %#x", pos, n, got, want)
				}
				if got, want := BmskWrap(pos, n), mask(pos%32, n%32); got != want {
					t.Fatalf("bmsk.wrap %d, %d = %#x, want %#x", pos, n, got, want)
				}
			}
		}
	}
}

func TestCounting(t *testing.T) {
	const none = 0xffffffff
	for _, c := range []struct {
		name      string
		got, want uint64
	}{
		{"popc.b64", uint64(PopcB64(^uint64(0))), 64}, {"popc.b32", uint64(PopcB32(0xf0f0)), 8},
		{"clz.b64", uint64(ClzB64(1)), 63}, {"clz.b32 of 0", uint64(ClzB32(0)), 32}, {"clz.b64 of 0", uint64(ClzB64(0)), 64},
		{"brev.b32", uint64(BrevB32(1)), 1 << 31}, {"brev.b64", BrevB64(3), 3 << 62},
		{"bfind.u32 of 0", uint64(BfindU32(0)), none}, {"bfind.u32", uint64(BfindU32(0x10000000)), 28},
		{"bfind.s32 of -1", uint64(BfindS32(none)), none}, {"bfind.s32 of -2", uint64(BfindS32(0xfffffffe)), 0},
		{"bfind.s32 of min", uint64(BfindS32(0x80000000)), 30}, {"bfind.u64", uint64(BfindU64(^uint64(0))), 63},
		{"bfind.s64 of -1", uint64(BfindS64(^uint64(0))), none}, {"bfind.u64 of 0", uint64(BfindU64(0)), none},
		{"bfind.shiftamt.u32", uint64(BfindShiftU32(0x10000000)), 3}, {"bfind.shiftamt.u32 of 0", uint64(BfindShiftU32(0)), none},
		{"bfind.shiftamt.s32", uint64(BfindShiftS32(0xfffffffe)), 31}, {"bfind.shiftamt.u64", uint64(BfindShiftU64(1)), 63},
		{"bfind.shiftamt.s64", uint64(BfindShiftS64(1 << 63)), 1}, {"bfind.shiftamt.s64 of 0", uint64(BfindShiftS64(0)), none},
		{"cnot.b16 of 0", uint64(CnotB16(0)), 1}, {"cnot.b32", uint64(CnotB32(5)), 0}, {"cnot.b64 of 0", CnotB64(0), 1},
		{"fns 0 hit", uint64(Fns(0x8, 3, 0)), 3}, {"fns 0 miss", uint64(Fns(0x8, 2, 0)), none},
		{"fns 1", uint64(Fns(0xaaaaaaaa, 3, 1)), 3}, {"fns 2", uint64(Fns(0xaaaaaaaa, 3, 2)), 5},
		{"fns -1", uint64(Fns(0xaaaaaaaa, 4, none)), 3}, {"fns -2", uint64(Fns(0xaaaaaaaa, 4, none-1)), 1},
		{"fns -3", uint64(Fns(0xaaaaaaaa, 4, none-2)), none}, {"fns far", uint64(Fns(none, 0, 33)), none},
		{"fns last", uint64(Fns(none, 0, 32)), 31}, {"fns most negative", uint64(Fns(none, 31, 0x80000000)), 0},
		{"fns base", uint64(Fns(none, 32, 1)), none}, {"fns base 0", uint64(Fns(none, 32, 0)), none},
	} {
		if c.got != c.want {
			t.Errorf("%s = %#x, want %#x", c.name, c.got, c.want)
		}
	}
}

func TestPrmtPicksBytes(t *testing.T) {
	const a, b = 0x83828180, 0x07060504 // byte i holds i, the low ones with a sign
	for _, c := range []struct {
		name string
		f    func(a, b, c uint32) uint32
		c    uint32
		want uint32
	}{
		{"default", Prmt, 0x7531, 0x07058381}, {"default high bits unused", Prmt, 0xabcd7531, 0x07058381},
		{"sign", Prmt, 0xb8fc, 0xffff0000},
		{"f4e 0", PrmtF4e, 0, 0x83828180}, {"f4e 1", PrmtF4e, 1, 0x04838281}, {"f4e 3", PrmtF4e, 7, 0x06050483},
		{"b4e 0", PrmtB4e, 0, 0x05060780}, {"b4e 1", PrmtB4e, 1, 0x06078081}, {"b4e 3", PrmtB4e, 3, 0x80818283},
		{"rc8", PrmtRc8, 2, 0x82828282}, {"rc16 0", PrmtRc16, 0, 0x81808180}, {"rc16 1", PrmtRc16, 1, 0x83828382},
		{"ecl 2", PrmtEcl, 2, 0x83828282}, {"ecl 0", PrmtEcl, 0, 0x83828180},
		{"ecr 2", PrmtEcr, 2, 0x82828180}, {"ecr 0", PrmtEcr, 0, 0x80808080}, {"ecr 3", PrmtEcr, 3, 0x83828180},
	} {
		if got := c.f(a, b, c.c); got != c.want {
			t.Errorf("%s = %#x, want %#x", c.name, got, c.want)
		}
	}
}

func TestCarrylessProduct(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for range 200 {
		a, b, c := rng.Uint64(), rng.Uint64(), rng.Uint64()
		var product [128]uint64
		for i := range 64 {
			for j := range 64 {
				product[i+j] ^= (a >> i) & (b >> j) & 1
			}
		}
		lo := build(64, func(i int) uint64 { return product[i] })
		hi := build(64, func(i int) uint64 { return product[64+i] })
		if gotLo, gotHi := ClmadLoU64(a, b, c), ClmadHiU64(a, b, c); gotLo != lo^c || gotHi != hi^c {
			t.Fatalf("%#x * %#x = %#x:%#x, want %#x:%#x", a, b, gotHi^c, gotLo^c, hi, lo)
		}
	}
}

func TestSelectBySign(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want bool
	}{
		{"s32 0", SlctS32(0), true}, {"s32 -1", SlctS32(0xffffffff), false},
		{"f32 -0", SlctF32(0x80000000), true}, {"f32 NaN", SlctF32(0x7fc00000), false},
		{"f32 -1", SlctF32(0xbf800000), false}, {"f32 +inf", SlctF32(0x7f800000), true},
	} {
		if c.got != c.want {
			t.Errorf("%s = %v", c.name, c.got)
		}
	}
}
