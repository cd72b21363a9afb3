package alu_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	. "github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// Every integer function is compared with the same formula on big.Int: the
// operands are read as numbers of the type, the result keeps its low bits.

type intOp struct {
	name string
	t    Int
	got  func(a, b, c uint64) uint64
	want func(a, b, c *big.Int) *big.Int
	bits int // of the result
}

func w16(f func(a, b uint16) uint16) func(a, b, c uint64) uint64 {
	return func(a, b, _ uint64) uint64 { return uint64(f(uint16(a), uint16(b))) }
}

func w32(f func(a, b uint32) uint32) func(a, b, c uint64) uint64 {
	return func(a, b, _ uint64) uint64 { return uint64(f(uint32(a), uint32(b))) }
}

func w64(f func(a, b uint64) uint64) func(a, b, c uint64) uint64 {
	return func(a, b, _ uint64) uint64 { return f(a, b) }
}

func w32x3(f func(a, b, c uint32) uint32) func(a, b, c uint64) uint64 {
	return func(a, b, c uint64) uint64 { return uint64(f(uint32(a), uint32(b), uint32(c))) }
}

func bigMulHi(bits uint) func(a, b, c *big.Int) *big.Int {
	return func(a, b, _ *big.Int) *big.Int { return new(big.Int).Rsh(bigMul(a, b, nil), bits) }
}

func bigMul(a, b, _ *big.Int) *big.Int { return new(big.Int).Mul(a, b) }

func bigDiv(a, b, _ *big.Int) *big.Int {
	if b.Sign() == 0 {
		return big.NewInt(-1)
	}
	return new(big.Int).Quo(a, b)
}

func bigRem(a, b, _ *big.Int) *big.Int {
	if b.Sign() == 0 {
		return big.NewInt(-1)
	}
	return new(big.Int).Rem(a, b)
}

func bigSad(a, b, c *big.Int) *big.Int {
	d := new(big.Int).Sub(a, b)
	return d.Add(d.Abs(d), c)
}

func bigAbs(a, _, _ *big.Int) *big.Int { return new(big.Int).Abs(a) }

func bigMin(a, b, _ *big.Int) *big.Int {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

func bigMax(a, b, _ *big.Int) *big.Int {
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}

func bigRelu(a, _, _ *big.Int) *big.Int { return bigMax(a, big.NewInt(0), nil) }

func saturated(t Int, f func(a, b, c *big.Int) *big.Int) func(a, b, c *big.Int) *big.Int {
	return func(a, b, c *big.Int) *big.Int {
		lo, hi := bounds(t)
		return bigMax(lo, bigMin(hi, f(a, b, c), nil), nil)
	}
}

func bigAdd(a, b, _ *big.Int) *big.Int { return new(big.Int).Add(a, b) }
func bigSub(a, b, _ *big.Int) *big.Int { return new(big.Int).Sub(a, b) }

func low24(t Int, x *big.Int) *big.Int {
	v := new(big.Int).And(x, big.NewInt(0xffffff))
	if t.Signed() && v.Bit(23) == 1 {
		v.Sub(v, big.NewInt(1<<24))
	}
	return v
}

func bigMul24(t Int, shift uint) func(a, b, c *big.Int) *big.Int {
	return func(a, b, _ *big.Int) *big.Int {
		return new(big.Int).Rsh(bigMul(low24(t, a), low24(t, b), nil), shift)
	}
}

// plusC is the saturating sum of f and c.
func plusC(f func(a, b, c *big.Int) *big.Int) func(a, b, c *big.Int) *big.Int {
	return saturated(S32, func(a, b, c *big.Int) *big.Int { return bigAdd(f(a, b, c), c, nil) })
}

var intOps = []intOp{
	{"MulHiU16", U16, w16(MulHiU16), bigMulHi(16), 16},
	{"MulHiS16", S16, w16(MulHiS16), bigMulHi(16), 16},
	{"MulHiU32", U32, w32(MulHiU32), bigMulHi(32), 32},
	{"MulHiS32", S32, w32(MulHiS32), bigMulHi(32), 32},
	{"MulHiU64", U64, w64(MulHiU64), bigMulHi(64), 64},
	{"MulHiS64", S64, w64(MulHiS64), bigMulHi(64), 64},
	{"MulWideU16", U16, func(a, b, _ uint64) uint64 { return uint64(MulWideU16(uint16(a), uint16(b))) }, bigMul, 32},
	{"MulWideS16", S16, func(a, b, _ uint64) uint64 { return uint64(MulWideS16(uint16(a), uint16(b))) }, bigMul, 32},
	{"MulWideU32", U32, func(a, b, _ uint64) uint64 { return MulWideU32(uint32(a), uint32(b)) }, bigMul, 64},
	{"MulWideS32", S32, func(a, b, _ uint64) uint64 { return MulWideS32(uint32(a), uint32(b)) }, bigMul, 64},
	{"MadHiSatS32", S32, w32x3(MadHiSatS32), plusC(bigMulHi(32)), 32},
	{"Mul24LoU32", U32, w32(Mul24LoU32), bigMul24(U32, 0), 32},
	{"Mul24LoS32", S32, w32(Mul24LoS32), bigMul24(S32, 0), 32},
	{"Mul24HiU32", U32, w32(Mul24HiU32), bigMul24(U32, 16), 32},
	{"Mul24HiS32", S32, w32(Mul24HiS32), bigMul24(S32, 16), 32},
	{"Mad24HiSatS32", S32, w32x3(Mad24HiSatS32), plusC(bigMul24(S32, 16)), 32},
	{"AddSatS32", S32, w32(AddSatS32), saturated(S32, bigAdd), 32},
	{"SubSatS32", S32, w32(SubSatS32), saturated(S32, bigSub), 32},
	{"AddSatU32", U32, w32(AddSatU32), saturated(U32, bigAdd), 32},
	{"SubSatU32", U32, w32(SubSatU32), saturated(U32, bigSub), 32},
	{"DivU16", U16, w16(DivU16), bigDiv, 16}, {"DivS16", S16, w16(DivS16), bigDiv, 16},
	{"DivU32", U32, w32(DivU32), bigDiv, 32}, {"DivS32", S32, w32(DivS32), bigDiv, 32},
	{"DivU64", U64, w64(DivU64), bigDiv, 64}, {"DivS64", S64, w64(DivS64), bigDiv, 64},
	{"RemU16", U16, w16(RemU16), bigRem, 16}, {"RemS16", S16, w16(RemS16), bigRem, 16},
	{"RemU32", U32, w32(RemU32), bigRem, 32}, {"RemS32", S32, w32(RemS32), bigRem, 32},
	{"RemU64", U64, w64(RemU64), bigRem, 64}, {"RemS64", S64, w64(RemS64), bigRem, 64},
	{"AbsS16", S16, func(a, _, _ uint64) uint64 { return uint64(AbsS16(uint16(a))) }, bigAbs, 16},
	{"AbsS32", S32, func(a, _, _ uint64) uint64 { return uint64(AbsS32(uint32(a))) }, bigAbs, 32},
	{"AbsS64", S64, func(a, _, _ uint64) uint64 { return AbsS64(a) }, bigAbs, 64},
	{"MinS16", S16, w16(MinS16), bigMin, 16}, {"MaxS16", S16, w16(MaxS16), bigMax, 16},
	{"MinS32", S32, w32(MinS32), bigMin, 32}, {"MaxS32", S32, w32(MaxS32), bigMax, 32},
	{"MinS64", S64, w64(MinS64), bigMin, 64}, {"MaxS64", S64, w64(MaxS64), bigMax, 64},
	{"ReluS16", S16, func(a, _, _ uint64) uint64 { return uint64(ReluS16(uint16(a))) }, bigRelu, 16},
	{"ReluS32", S32, func(a, _, _ uint64) uint64 { return uint64(ReluS32(uint32(a))) }, bigRelu, 32},
	{"SadU16", U16, func(a, b, c uint64) uint64 { return uint64(SadU16(uint16(a), uint16(b), uint16(c))) }, bigSad, 16},
	{"SadS16", S16, func(a, b, c uint64) uint64 { return uint64(SadS16(uint16(a), uint16(b), uint16(c))) }, bigSad, 16},
	{"SadU32", U32, w32x3(SadU32), bigSad, 32}, {"SadS32", S32, w32x3(SadS32), bigSad, 32},
	{"SadU64", U64, SadU64, bigSad, 64}, {"SadS64", S64, SadS64, bigSad, 64},
}

func TestIntegerOpsMatchTheirFormulas(t *testing.T) {
	for _, op := range intOps {
		t.Run(op.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 2))
			mask := ^uint64(0) >> (64 - op.bits)
			check := func(a, b, c uint64) {
				x, y, z := intValue(op.t, a), intValue(op.t, b), intValue(op.t, c)
				if got, want := op.got(a, b, c), lowBits(op.want(x, y, z))&mask; got != want {
					t.Fatalf("%v, %v, %v = %#x, want %#x", x, y, z, got, want)
				}
			}
			for _, a := range intEdges {
				for _, b := range intEdges {
					check(a, b, intEdges[rng.IntN(len(intEdges))])
				}
			}
			for range 500 {
				check(rng.Uint64()>>rng.IntN(64), rng.Uint64()>>rng.IntN(64), rng.Uint64())
			}
		})
	}
}

func TestCarryChainsAreWideAdditions(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	word := func() uint64 { return intEdges[rng.IntN(len(intEdges))] + uint64(rng.IntN(2)) }
	for range 5000 {
		a, b := Join32(uint32(word()), uint32(word())), Join32(uint32(word()), uint32(word()))
		lo, carry := AddCarry32(Lo32(a), Lo32(b), 0)
		hi, carry := AddCarry32(Hi32(a), Hi32(b), carry)
		if Join32(lo, hi) != a+b || (carry != 0) != (a+b < a) {
			t.Fatalf("%#x + %#x = %#x carry %d", a, b, Join32(lo, hi), carry)
		}
		lo, borrow := SubBorrow32(Lo32(a), Lo32(b), 0)
		hi, borrow = SubBorrow32(Hi32(a), Hi32(b), borrow)
		if Join32(lo, hi) != a-b || (borrow != 0) != (a < b) {
			t.Fatalf("%#x - %#x = %#x borrow %d", a, b, Join32(lo, hi), borrow)
		}
		wide := new(big.Int).Add(intValue(U64, a), intValue(U64, b))
		sum, out := AddCarry64(a, b, 1)
		wide.Add(wide, big.NewInt(1))
		if sum != lowBits(wide) || uint64(out) != new(big.Int).Rsh(wide, 64).Uint64() {
			t.Fatalf("%#x + %#x + 1 = %#x carry %d", a, b, sum, out)
		}
		diff, out := SubBorrow64(a, b, 1)
		if diff != a-b-1 || (out != 0) != (a <= b) {
			t.Fatalf("%#x - %#x - 1 = %#x borrow %d", a, b, diff, out)
		}
	}
}

// The 128-bit multiply-add that compilers build from madc.
func TestMultiplyAddWithCarryIsAWideMultiplyAdd(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 5000 {
		a, b := intEdges[rng.IntN(len(intEdges))], rng.Uint64()>>rng.IntN(64)
		c, d := rng.Uint64(), rng.Uint64()
		for _, typ := range []Int{U64, S64} {
			lo, carry := MadLoCarry64(a, b, c, 0)
			hi, _ := MadHiCarryU64(a, b, d, carry)
			if typ == S64 {
				hi, _ = MadHiCarryS64(a, b, d, carry)
			}
			want := bigMul(intValue(typ, a), intValue(typ, b), nil)
			want.Add(want, intValue(U64, c)).Add(want, new(big.Int).Lsh(intValue(U64, d), 64))
			if lo != lowBits(want) || hi != lowBits(new(big.Int).Rsh(want, 64)) {
				t.Fatalf("type %d: %#x * %#x + %#x:%#x = %#x:%#x", typ, a, b, d, c, hi, lo)
			}
		}
		x, y, z := uint32(a), uint32(b), uint32(c)
		lo, carry := MadLoCarry32(x, y, z, 0)
		hi, _ := MadHiCarryU32(x, y, uint32(d), carry)
		if want := uint64(x)*uint64(y) + uint64(z) + d<<32; Join32(lo, hi) != want {
			t.Fatalf("%#x * %#x + ... = %#x, want %#x", x, y, Join32(lo, hi), want)
		}
		hi, _ = MadHiCarryS32(x, y, uint32(d), carry)
		if want := uint64(int64(int32(x))*int64(int32(y))) + uint64(z) + d<<32; Join32(lo, hi) != want {
			t.Fatalf("signed %#x * %#x + ... = %#x, want %#x", x, y, Join32(lo, hi), want)
		}
	}
}

func TestCarryCase(t *testing.T) {
	ones := ^uint32(0)
	lo, carry := MadLoCarry32(ones, ones, ones, 0)
	hi, _ := MadHiCarryU32(ones, ones, 0, carry)
	if lo != 0 || hi != ones {
		t.Errorf("mad chain = %#x, %#x", lo, hi)
	}
	_, carry = AddCarry32(ones, 1, 0)
	sum, carry := AddCarry32(ones, 0, carry)
	last, _ := AddCarry32(0, 0, carry)
	if sum != 0 || last != 1 {
		t.Errorf("add chain = %#x, %#x", sum, last)
	}
}

func TestAtomicIncAndDecWrapAtTheLimit(t *testing.T) {
	for _, c := range []struct{ old, limit, inc, dec uint32 }{
		{0, 3, 1, 3}, {2, 3, 3, 1}, {3, 3, 0, 2}, {4, 3, 0, 3}, {0, 0, 0, 0}, {^uint32(0), ^uint32(0), 0, ^uint32(0) - 1},
	} {
		if got := Inc(c.old, c.limit); got != c.inc {
			t.Errorf("Inc(%d, %d) = %d, want %d", c.old, c.limit, got, c.inc)
		}
		if got := Dec(c.old, c.limit); got != c.dec {
			t.Errorf("Dec(%d, %d) = %d, want %d", c.old, c.limit, got, c.dec)
		}
	}
}

// lanes splits x into fields of the type, lowest first.
func lanes(t Int, x uint32) (values []*big.Int) {
	for shift := 0; shift < 32; shift += t.Bits() {
		values = append(values, intValue(t, uint64(x)>>shift))
	}
	return values
}

func TestPackedIntegersAreIndependent(t *testing.T) {
	ops := []struct {
		name string
		t    Int
		got  func(a, b uint32) uint32
		want func(a, b, c *big.Int) *big.Int
	}{
		{"Add16x2", U16, Add16x2, bigAdd}, {"Sub16x2", U16, Sub16x2, bigSub},
		{"MinU16x2", U16, MinU16x2, bigMin}, {"MaxU16x2", U16, MaxU16x2, bigMax},
		{"MinS16x2", S16, MinS16x2, bigMin}, {"MaxS16x2", S16, MaxS16x2, bigMax},
		{"ReluS16x2", S16, func(a, _ uint32) uint32 { return ReluS16x2(a) }, bigRelu},
		{"Neg16x2", S16, func(_, b uint32) uint32 { return Neg16x2(b) }, func(_, b, _ *big.Int) *big.Int { return new(big.Int).Neg(b) }},
		{"AddSatU16x2", U16, AddSatU16x2, saturated(U16, bigAdd)}, {"AddSatS16x2", S16, AddSatS16x2, saturated(S16, bigAdd)},
		{"SubSatU16x2", U16, SubSatU16x2, saturated(U16, bigSub)}, {"SubSatS16x2", S16, SubSatS16x2, saturated(S16, bigSub)},
		{"Add8x4", U8, Add8x4, bigAdd}, {"Sub8x4", U8, Sub8x4, bigSub},
		{"MinU8x4", U8, MinU8x4, bigMin}, {"MaxU8x4", U8, MaxU8x4, bigMax},
		{"MinS8x4", S8, MinS8x4, bigMin}, {"MaxS8x4", S8, MaxS8x4, bigMax},
		{"Neg8x4", S8, func(_, b uint32) uint32 { return Neg8x4(b) }, func(_, b, _ *big.Int) *big.Int { return new(big.Int).Neg(b) }},
		{"AddSatU8x4", U8, AddSatU8x4, saturated(U8, bigAdd)}, {"AddSatS8x4", S8, AddSatS8x4, saturated(S8, bigAdd)},
		{"SubSatU8x4", U8, SubSatU8x4, saturated(U8, bigSub)}, {"SubSatS8x4", S8, SubSatS8x4, saturated(S8, bigSub)},
	}
	rng := rand.New(rand.NewPCG(7, 8))
	special := []uint32{0, 1, 0x7f, 0x80, 0x81, 0xff, 0x7fff, 0x8000, 0x80008000, 0x7fff7fff, 0xffffffff, 0x80808080, 0x7f7f7f7f}
	for _, op := range ops {
		for i := range 500 {
			a, b := rng.Uint32(), rng.Uint32()
			if i < len(special)*len(special) {
				a, b = special[i%len(special)], special[i/len(special)]
			}
			var want uint32
			y := lanes(op.t, b)
			for j, x := range lanes(op.t, a) {
				field := uint32(lowBits(op.want(x, y[j], nil))) & (1<<op.t.Bits() - 1)
				want |= field << (j * op.t.Bits())
			}
			if got := op.got(a, b); got != want {
				t.Fatalf("%s(%#x, %#x) = %#x, want %#x", op.name, a, b, got, want)
			}
		}
	}
}

func TestDotProducts(t *testing.T) {
	ops := []struct {
		name   string
		ta, tb Int
		got    func(a, b, c uint32) uint32
		from   int // first byte of b
	}{
		{"Dp4aUU", U8, U8, Dp4aUU, 0}, {"Dp4aUS", U8, S8, Dp4aUS, 0},
		{"Dp4aSU", S8, U8, Dp4aSU, 0}, {"Dp4aSS", S8, S8, Dp4aSS, 0},
		{"Dp2aLoUU", U16, U8, Dp2aLoUU, 0}, {"Dp2aLoUS", U16, S8, Dp2aLoUS, 0},
		{"Dp2aLoSU", S16, U8, Dp2aLoSU, 0}, {"Dp2aLoSS", S16, S8, Dp2aLoSS, 0},
		{"Dp2aHiUU", U16, U8, Dp2aHiUU, 2}, {"Dp2aHiUS", U16, S8, Dp2aHiUS, 2},
		{"Dp2aHiSU", S16, U8, Dp2aHiSU, 2}, {"Dp2aHiSS", S16, S8, Dp2aHiSS, 2},
	}
	rng := rand.New(rand.NewPCG(9, 10))
	for _, op := range ops {
		for range 500 {
			a, b, c := rng.Uint32(), rng.Uint32(), rng.Uint32()
			want := intValue(U32, uint64(c))
			y := lanes(op.tb, b)[op.from:]
			for i, x := range lanes(op.ta, a) {
				want.Add(want, bigMul(x, y[i], nil))
			}
			if got := op.got(a, b, c); got != uint32(lowBits(want)) {
				t.Fatalf("%s(%#x, %#x, %#x) = %#x, want %#x", op.name, a, b, c, got, uint32(lowBits(want)))
			}
		}
	}
}
