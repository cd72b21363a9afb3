package ops

import (
	"slices"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// copying runs an asynchronous copy of lanes m from heapA+16l to shared 16l,
// which holds 0xff. f sets what else the instruction needs.
func copying(t *testing.T, text string, n int, m isa.Mask, f func(b *bench, in *isa.Inst)) *bench {
	b := newBench(t)
	pattern(b.a)
	for i := range b.CTA.Shared {
		b.CTA.Shared[i] = 0xff
	}
	b.Mask = m
	b.set(rBase, func(l int) uint32 { return uint32(16 * l) })
	b.set64(rVal, func(l int) uint64 { return uint64(heapA + 16*l) })
	b.set(rVal+2, func(int) uint32 { return uint32(n) })
	in := isa.Inst{A: rBase, B: rVal, C: rVal + 2, Space: isa.Shared}
	shapes := make([]Shape, 3, 4)
	if f != nil {
		f(b, &in)
		shapes = append(shapes, Plain)
		if in.M == 0 {
			shapes[3] = Predicate
		}
	}
	words := splitDots(text)
	form, _, err := Lookup(words[0], words[1:], shapes...)
	if err != nil {
		t.Fatal(err)
	}
	form.Op.Bind(form)(b.Warp, &in)
	return b
}

// copied checks that lane l's chunk of n bytes holds the first k(l) bytes of
// its source and then zeros, and that nothing else changed.
func copied(t *testing.T, what string, b *bench, n int, k func(l int) int) {
	t.Helper()
	for l := range isa.WarpSize {
		want := slices.Repeat([]byte{0xff}, 16)
		if b.Mask.Has(l) {
			clear(want[:n])
			copy(want, b.a[16*l:16*l+k(l)])
		}
		if got := b.CTA.Shared[16*l : 16*l+16]; !slices.Equal(got, want) {
			t.Errorf("%s lane %d: % x, want % x", what, l, got, want)
		}
	}
}

func TestAsynchronousCopies(t *testing.T) {
	for _, m := range masks {
		for _, n := range []int{4, 8, 16} {
			b := copying(t, "cp.async.ca.shared.global", n, m, nil)
			copied(t, "cp.async", b, n, func(int) int { return n })
			part := func(l int) int { return l % 20 }
			b = copying(t, "cp.async.ca.shared::cta.global.L2::128B", n, m, func(b *bench, in *isa.Inst) {
				in.M = rVal + 3
				b.set(in.M, func(l int) uint32 { return uint32(part(l)) })
			})
			copied(t, "cp.async with a source size", b, n, func(l int) int { return min(part(l), n) })
			b = copying(t, "cp.async.ca.shared.global", n, m, func(b *bench, in *isa.Inst) { in.S, b.Preds[2] = 2, 0x0f0f0f0f })
			copied(t, "cp.async with ignore-src", b, n, func(l int) int {
				if 0x0f0f0f0f>>l&1 != 0 {
					return 0
				}
				return n
			})
		}
	}
}

func TestAnIgnoredSourceIsNotRead(t *testing.T) {
	b := copying(t, "cp.async.cg.shared.global", 16, isa.Full, func(b *bench, in *isa.Inst) {
		in.S, b.Preds[2] = 2, isa.Full
		b.set64(in.B, func(int) uint64 { return 0 })
	})
	b.trapped("a wild ignored source", isa.NoTrap, 0)
	b = copying(t, "cp.async.cg.shared.global", 16, isa.Full, func(b *bench, in *isa.Inst) {
		in.M = rVal + 3
		b.set(in.M, func(l int) uint32 { return uint32(l) / 31 * 4 })
		b.set64(in.B, func(l int) uint64 { return uint64(l/31) * (heapA + 4096 - 16) })
	})
	b.trapped("a source cut short", isa.NoTrap, 0)
	b = copying(t, "cp.async.cg.shared.global", 16, 0xff00, func(b *bench, in *isa.Inst) {
		in.M = rVal + 3
		b.set(in.M, func(int) uint32 { return 16 })
		b.set64(in.B, func(int) uint64 { return 64 })
	})
	b.trapped("a wild source", isa.IllegalAddress, 8)
}

// phases drives one mbarrier object at shared offset 64.
type phases struct{ *bench }

func newPhases(t *testing.T, expected uint32) phases {
	p := phases{newBench(t)}
	p.Mask = 1
	p.do("init", expected)
	return p
}

// do executes one mbarrier instruction in lane 0 with operand B.
func (p phases) do(text string, b uint32) {
	p.t.Helper()
	p.Regs[rBase][0], p.Regs[rVal][0] = 64, b
	words := splitDots("mbarrier." + text + ".shared.b64")
	operands := 3
	if len(words) > 1 && (words[1] == "init" || words[1] == "expect_tx" || words[1] == "complete_tx") {
		operands = 2
	}
	form, _, err := Lookup(words[0], words[1:], make([]Shape, operands)...)
	if err != nil {
		p.t.Fatal(err)
	}
	in := isa.Inst{D: rVec, A: rBase, B: rVal, Space: isa.Shared, P: 2}
	form.Op.Bind(form)(p.Warp, &in)
	p.trapped(text, isa.NoTrap, 0)
}

// over reports whether the phase of a parity is over.
func (p phases) over(parity uint32) bool {
	p.t.Helper()
	p.do("try_wait.parity", parity)
	return p.Preds[2]&1 != 0
}

func (p phases) check(what string, even, odd bool) {
	p.t.Helper()
	if got := p.over(0); got != even {
		p.t.Errorf("%s: the even phase is over: %v", what, got)
	}
	if got := p.over(1); got != odd {
		p.t.Errorf("%s: the odd phase is over: %v", what, got)
	}
}

func TestBarrierPhases(t *testing.T) {
	p := newPhases(t, 3)
	p.check("fresh", false, true)
	p.do("arrive", 1)
	p.do("arrive", 1)
	p.check("two of three", false, true)
	p.do("arrive", 1)
	p.check("first phase", true, false)
	p.do("arrive", 3)
	p.check("second phase", false, true)
	p.do("arrive_drop", 1)
	p.do("arrive", 2)
	p.check("third phase", true, false)
	p.do("arrive", 2)
	p.check("after a drop two suffice", false, true)
}

func TestBarrierAwaitsTransactions(t *testing.T) {
	p := newPhases(t, 1)
	p.do("arrive.expect_tx", 256)
	p.check("bytes outstanding", false, true)
	p.do("complete_tx", 128)
	p.check("half of them", false, true)
	p.do("complete_tx", 128)
	p.check("all", true, false)
	p.do("complete_tx", 64) // bytes may come before they are expected
	p.do("arrive.expect_tx", 64)
	p.check("early bytes", false, true)
	p.do("expect_tx", 16)
	p.do("arrive", 1)
	p.check("expected before the arrival", false, true)
	p.do("complete_tx", 16)
	p.check("third", true, false)
}

func TestBarrierStatesNameTheirPhase(t *testing.T) {
	p := newPhases(t, 2)
	p.do("arrive", 1)
	state := p.Get64(rVec, 0)
	p.Set64(rVal+4, 0, state)
	p.run("mbarrier.pending_count.b64", 32, isa.Inst{D: 20, A: rVal + 4})
	if p.Regs[20][0] != 2 {
		t.Errorf("the state counts %d pending arrivals, want 2", p.Regs[20][0])
	}
	wait := func() bool {
		p.Regs[rBase][0] = 64
		p.run("mbarrier.test_wait.acquire.cta.shared::cta.b64", 0, isa.Inst{P: 2, A: rBase, B: rVal + 4, Space: isa.Shared})
		return p.Preds[2]&1 != 0
	}
	if wait() {
		t.Error("the phase is over after one arrival of two")
	}
	p.do("arrive", 1)
	if !wait() {
		t.Error("the phase is not over")
	}
}

func TestLanesArriveInOrder(t *testing.T) {
	b := newBench(t)
	b.Mask = 0xff
	b.set64(rBase, func(int) uint64 { return isa.SharedWindow + 64 })
	b.set(rVal, func(int) uint32 { return 8 })
	b.run("mbarrier.init.b64", 0, isa.Inst{A: rBase, B: rVal})
	b.run("mbarrier.arrive.b64", 64, isa.Inst{D: rVec, A: rBase})
	for l := range 8 {
		if got := mbarrier(b.Get64(rVec, l)).pending(); got != uint32(8-l) {
			t.Errorf("lane %d saw %d pending arrivals", l, got)
		}
	}
	if !mbarrier(get[uint64](b.CTA.Shared[64:])).done(mbarrier(b.Get64(rVec, 0))) {
		t.Error("eight arrivals did not complete the phase")
	}
	b.set64(rBase, func(int) uint64 { return heapA })
	b.run("mbarrier.arrive.b64", 64, isa.Inst{D: rVec, A: rBase})
	b.trapped("a barrier in global memory", isa.InvalidSpace, 0)
}

func TestCopiesArriveOnABarrier(t *testing.T) {
	p := newPhases(t, 1)
	p.run("cp.async.mbarrier.arrive.shared.b64", 0, isa.Inst{A: rBase, Space: isa.Shared})
	p.check("an arrival that is made up for", false, true)
	p.Regs[rBase][0] = 64
	p.run("cp.async.mbarrier.arrive.noinc.shared.b64", 0, isa.Inst{A: rBase, Space: isa.Shared})
	p.check("noinc", true, false)
}

// TestWaitingBeforeArriving is case C21 of the failing cases.
func TestWaitingBeforeArriving(t *testing.T) {
	p := newPhases(t, 1)
	if p.over(0) {
		t.Error("try_wait is true before the arrival")
	}
	p.do("arrive", 1)
	if !p.over(0) {
		t.Error("try_wait is false after the arrival")
	}
}

func TestHandlersDoNotAllocate(t *testing.T) {
	b := newBench(t)
	b.set64(rBase, func(l int) uint64 { return isa.SharedWindow + uint64(8*l) })
	b.set64(20, func(l int) uint64 { return uint64(heapA + 16*l) })
	b.set(22, func(int) uint32 { return 16 })
	b.set(23, func(int) uint32 { return 0xffffffff })
	for _, text := range []string{
		"ld.u32", "st.u64", "ld.u8", "atom.add.f32", "atom.cas.b64", "atom.exch.b32", "mbarrier.arrive.b64", "mbarrier.try_wait.parity.b64",
		"shfl.sync.idx.b32", "vote.sync.ballot.b32", "match.sync.any.b64", "redux.sync.add.u32", "elect.sync",
	} {
		h := b.bind(text, isa.Generic, 64)
		in := isa.Inst{D: rVec, A: rBase, B: rVal, C: rVal + 2, M: 23, P: 2}
		if n := testing.AllocsPerRun(10, func() { h(b.Warp, &in) }); n != 0 {
			t.Errorf("%s allocates %v times", text, n)
		}
	}
	h := b.bind("cp.async.ca.shared.global", isa.Shared, 0)
	in := isa.Inst{A: rVal + 4, B: 20, C: 22, Space: isa.Shared}
	b.set(rVal+4, func(l int) uint32 { return uint32(16 * l) })
	if n := testing.AllocsPerRun(10, func() { h(b.Warp, &in) }); n != 0 {
		t.Errorf("cp.async allocates %v times", n)
	}
}
