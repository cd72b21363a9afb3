package ops

import (
	"math"
	"slices"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// atomically runs an operation of all lanes of a mask on one location and
// returns what the location and the lanes' results are then.
func atomically(t *testing.T, text string, bytes int, m isa.Mask, start uint64, b, c func(l int) uint64) (end uint64, results [isa.WarpSize]uint64) {
	t.Helper()
	w := newBench(t)
	w.Mask = m
	for i := range bytes {
		w.a[64+i] = byte(start >> (8 * i))
	}
	w.set64(rBase, func(int) uint64 { return heapA + 64 })
	w.set64(rVal, b)
	w.set64(rVal+2, c)
	w.run(text, 8*bytes, isa.Inst{D: rVec, A: rBase, B: rVal, C: rVal + 2})
	w.trapped(text, isa.NoTrap, 0)
	for i := range bytes {
		end |= uint64(w.a[64+i]) << (8 * i)
	}
	for l := range results {
		results[l] = w.Get64(rVec, l) & (1<<(8*bytes-1)<<1 - 1)
	}
	return end, results
}

func f32(x float32) uint64 { return uint64(math.Float32bits(x)) }

func TestAtomicsFollowLaneOrder(t *testing.T) {
	sum := func(old, b, _ uint64) uint64 { return old + b }
	signed := func(least bool, bits uint) func(old, b, c uint64) uint64 {
		return func(old, b, _ uint64) uint64 {
			x, y := int64(old<<(64-bits))>>(64-bits), int64(b<<(64-bits))>>(64-bits)
			if x < y == least {
				return old
			}
			return b
		}
	}
	for _, c := range []struct {
		text  string
		bytes int
		start uint64
		step  func(old, b, c uint64) uint64
	}{
		{"atom.add.u32", 4, 0xffff_fff0, sum}, {"atom.global.add.s32", 4, 7, sum}, {"atom.add.u64", 8, math.MaxUint64 - 9, sum}, {"atom.add.u64", 8, 1, sum},
		{"atom.relaxed.gpu.global.and.b32", 4, 0xffff_ffff, func(old, b, _ uint64) uint64 { return old & b }},
		{"atom.or.b64", 8, 1 << 63, func(old, b, _ uint64) uint64 { return old | b }},
		{"atom.xor.b32", 4, 0x55, func(old, b, _ uint64) uint64 { return old ^ b }},
		{"atom.exch.b64", 8, 3, func(_, b, _ uint64) uint64 { return b }},
		{"atom.min.u32", 4, 100, func(old, b, _ uint64) uint64 { return min(old, b) }},
		{"atom.max.u64", 8, 100, func(old, b, _ uint64) uint64 { return max(old, b) }},
		{"atom.min.s32", 4, 5, signed(true, 32)}, {"atom.max.s32", 4, 0x8000_0000, signed(false, 32)},
		{"atom.min.s64", 8, 5, signed(true, 64)}, {"atom.max.s64", 8, 1 << 63, signed(false, 64)},
		{"atom.sys.exch.b32", 4, 3, func(_, b, _ uint64) uint64 { return b }},
		{"atom.sys.cas.b32", 4, 0, func(old, b, c uint64) uint64 { return swapped(old, b, c) }},
		{"atom.cas.b32", 4, 0, func(old, b, c uint64) uint64 { return swapped(old, b, c) }},
		{"atom.acq_rel.sys.cas.b64", 8, 0, func(old, b, c uint64) uint64 { return swapped(old, b, c) }},
		{"atom.cas.b16", 2, 0, func(old, b, c uint64) uint64 { return swapped(old, b, c) }},
		{"atom.inc.u32", 4, 3, func(old, b, _ uint64) uint64 {
			if old >= b {
				return 0
			}
			return old + 1
		}},
		{"atom.dec.u32", 4, 3, func(old, b, _ uint64) uint64 {
			if old == 0 || old > b {
				return b
			}
			return old - 1
		}},
	} {
		width := uint64(1)<<(8*c.bytes-1)<<1 - 1
		for _, m := range masks {
			b := func(l int) uint64 { return uint64(l) * 0x8000_0001_8000_0003 & width }
			if c.text[len(c.text)-7:] == "cas.b32" || c.text[len(c.text)-7:] == "cas.b64" || c.text[len(c.text)-7:] == "cas.b16" {
				b = func(l int) uint64 { return uint64(l) & 3 } // some succeed
			}
			swap := func(l int) uint64 { return uint64(l+1) & 3 }
			end, results := atomically(t, c.text, c.bytes, m, c.start, b, swap)
			value := c.start
			for l := range m.All {
				if results[l] != value {
					t.Errorf("%s mask %08x: lane %d got %#x, want %#x", c.text, uint32(m), l, results[l], value)
				}
				value = c.step(value, b(l), swap(l)) & width
			}
			if end != value {
				t.Errorf("%s mask %08x left %#x, want %#x", c.text, uint32(m), end, value)
			}
		}
	}
}

func swapped(old, b, c uint64) uint64 {
	if old == b {
		return c
	}
	return old
}

func TestFloatAddsRoundInLaneOrder(t *testing.T) {
	third := func(l int) uint64 { return f32(1 / float32(l+3)) }
	sum := float32(0.5)
	for l := range isa.WarpSize {
		sum += math.Float32frombits(uint32(third(l)))
	}
	if end, _ := atomically(t, "atom.add.f32", 4, isa.Full, f32(0.5), third, third); end != f32(sum) {
		t.Errorf("atom.add.f32 left %#x, want %#x", end, f32(sum))
	}
	double := 0.5
	wide := func(l int) uint64 { return math.Float64bits(1 / float64(l+3)) }
	for l := range isa.WarpSize {
		double += math.Float64frombits(wide(l))
	}
	if end, _ := atomically(t, "red.add.f64", 8, isa.Full, math.Float64bits(0.5), wide, wide); end != math.Float64bits(double) {
		t.Errorf("red.add.f64 left %#x", end)
	}
	one := func(int) uint64 { return 0x3c00 } // 1 in f16
	if end, _ := atomically(t, "atom.add.noftz.f16", 2, 0xff, 0x4000, one, one); end != 0x4900 {
		t.Errorf("atom.add.noftz.f16 of 2 and eight ones left %#x, want 10 (0x4900)", end)
	}
	pair := func(int) uint64 { return 0x3f80_4000 } // 1 and 2 in bf16
	if end, _ := atomically(t, "red.add.noftz.bf16x2", 4, 0xf, 0, pair, pair); end != 0x4080_4100 {
		t.Errorf("red.add.noftz.bf16x2 left %#x, want 4 and 8", end)
	}
}

func TestSubnormalsSurviveInSharedMemoryOnly(t *testing.T) {
	for _, c := range []struct {
		name  string
		space isa.Space
		base  uint64
		want  uint32
	}{
		{"atom.shared.add.f32", isa.Shared, 0, 3},
		{"atom.add.f32", isa.Generic, isa.SharedWindow, 3},
		{"atom.add.f32", isa.Generic, heapA, 0},
		{"atom.global.add.f32", isa.Global, heapA, 0},
	} {
		b := newBench(t)
		b.Mask = 1
		le32(b.a, 1)
		le32(b.CTA.Shared, 1)
		b.set64(rBase, func(int) uint64 { return c.base })
		b.set(rVal, func(int) uint32 { return 2 })
		b.run(c.name, 32, isa.Inst{D: rVec, A: rBase, B: rVal, Space: c.space})
		got := extension(b.a[:4], false, 32)[0]
		if c.want != 0 {
			got = extension(b.CTA.Shared[:4], false, 32)[0]
		}
		if got != c.want {
			t.Errorf("%s in %s: 1 + 2 subnormal units is %d, want %d", c.name, c.space, got, c.want)
		}
	}
}

func TestVectorAtomicsMayShareRegisters(t *testing.T) {
	b := newBench(t)
	b.Mask = 0x11
	b.set64(rBase, func(int) uint64 { return heapA })
	for i := range 4 {
		b.set(rVal+isa.Reg(i), func(int) uint32 { return uint32(f32(float32(i + 1))) })
	}
	v := []isa.Reg{rVal + 3, rVal + 2, rVal + 1, rVal, rVal, rVal + 1, rVal + 2, rVal + 3}
	b.run("atom.global.add.v4.f32", 32, isa.Inst{Vec: v, A: rBase, Space: isa.Global})
	b.trapped("atom", isa.NoTrap, 0)
	for i := range 4 {
		if got := extension(b.a[4*i:4*i+4], false, 32)[0]; uint64(got) != f32(float32(2*(i+1))) {
			t.Errorf("element %d is %#x", i, got)
		}
		if got := b.Regs[v[i]][4]; uint64(got) != f32(float32(i+1)) {
			t.Errorf("result %d of the second lane is %#x", i, got)
		}
	}
	b.run("red.global.max.noftz.v2.f16x2", 32, isa.Inst{Vec: []isa.Reg{rVec, rVec + 1}, A: rBase, Space: isa.Global})
	b.trapped("red", isa.NoTrap, 0)
}

func TestQuadAtomics(t *testing.T) {
	b := newBench(t)
	b.Mask = 3
	pattern(b.a)
	first := slices.Clone(b.a[:16])
	b.set64(rBase, func(int) uint64 { return heapA })
	for i := range 4 {
		b.set(rVal+isa.Reg(i), func(l int) uint32 { return uint32(100*l + i) })
	}
	b.run("atom.exch.b128", 128, isa.Inst{D: rVec, A: rBase, B: rVal})
	for i := range 4 {
		want := extension(first, false, 128)[i]
		b.want("exch.b128", rVec+isa.Reg(i), func(l int) uint32 { return []uint32{want, uint32(i)}[l] })
	}
	b.run("atom.cas.b128", 128, isa.Inst{D: rVec, A: rBase, B: rVal, C: rVec})
	// Lane 0 compares with its own value, which is not there; lane 1 matches.
	for i := range 4 {
		b.want("cas.b128", rVec+isa.Reg(i), func(int) uint32 { return uint32(100 + i) })
		if got := extension(b.a[4*i:4*i+4], false, 32)[0]; got != uint32(i) {
			t.Errorf("cas.b128 left word %d = %d", i, got)
		}
	}
}

func TestAtomicsOnLocalMemoryTrap(t *testing.T) {
	b := newBench(t)
	b.Mask = 0x30
	b.set64(rBase, func(int) uint64 { return isa.LocalWindow })
	b.run("atom.add.u32", 32, isa.Inst{D: rVec, A: rBase, B: rVal})
	b.trapped("atom", isa.InvalidSpace, 4)
	b.set64(rBase, func(int) uint64 { return heapA + 2 })
	b.run("red.add.u32", 32, isa.Inst{A: rBase, B: rVal})
	b.trapped("red", isa.Misaligned, 4)
}

func TestSystemScopeIsAtomicForTheHost(t *testing.T) {
	const rounds = 20_000
	for _, text := range []string{"red.sys.add.u32", "atom.acq_rel.sys.add.u32"} {
		w := newBench(t)
		w.set64(rBase, func(int) uint64 { return heapA })
		w.set(rVal, func(int) uint32 { return 1 })
		handler, in := w.bind(text, isa.Global, 32), &isa.Inst{D: rVec, A: rBase, B: rVal, Space: isa.Global}
		word := (*atomic.Uint32)(unsafe.Pointer(&w.a[0]))
		done := make(chan bool)
		go func() {
			for range rounds {
				word.Add(1)
			}
			close(done)
		}()
		for range rounds {
			handler(w.Warp, in)
		}
		<-done
		if n := word.Load(); n != rounds*(1+isa.WarpSize) {
			t.Errorf("%s: %d, want %d", text, n, rounds*(1+isa.WarpSize))
		}
	}
}
