package ops

import (
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// bulking runs a bulk operation of lane 3 from offset 256 of the source to 512
// of the destination, with a barrier at shared offset 0 that expects the bytes.
func bulking(t *testing.T, text string, size uint32, space isa.Space) *bench {
	t.Helper()
	b := newBench(t)
	pattern(b.a)
	pattern(b.CTA.Shared[16:])
	b.Mask = 8
	put(b.CTA.Shared, uint64(newBarrier(1).expect(size).arrive(1, false)))
	b.set64(0, func(int) uint64 { return 512 }) // destination
	b.set64(2, func(int) uint64 { return heapA + 256 })
	b.set64(4, func(int) uint64 { return 0 }) // barrier
	b.set(6, func(int) uint32 { return size })
	if space == isa.Global {
		b.set64(0, func(int) uint64 { return heapA + 512 })
		b.set64(2, func(int) uint64 { return 256 })
	}
	words := splitDots(text)
	form, _, err := Lookup(words[0], words[1:])
	if err != nil {
		t.Fatal(err)
	}
	form.Op.Bind(form)(b.Warp, &isa.Inst{A: 0, B: 2, C: 6, M: 4, Space: space})
	return b
}

func (b *bench) phaseOver() bool { return mbarrier(get[uint64](b.CTA.Shared)).phase() == 1 }

func TestBulkCopiesCountTheirBytes(t *testing.T) {
	for _, size := range []uint32{16, 128, 272, 0} {
		b := bulking(t, "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes", size, isa.Shared)
		b.trapped("cp.async.bulk", isa.NoTrap, 0)
		if string(b.CTA.Shared[512:512+size]) != string(b.a[256:256+size]) {
			t.Errorf("%d bytes: wrong copy", size)
		}
		if !b.phaseOver() {
			t.Errorf("%d bytes: the phase is not over", size)
		}
		b = bulking(t, "cp.async.bulk.global.shared::cta.bulk_group", size, isa.Global)
		if string(b.a[512:512+size]) != string(b.CTA.Shared[256:256+size]) {
			t.Errorf("%d bytes: wrong copy out", size)
		}
	}
	b := bulking(t, "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes", 4096, isa.Shared)
	b.trapped("a copy past the allocation", isa.IllegalAddress, 3)
	b = bulking(t, "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes", 24, isa.Shared)
	b.trapped("a copy of 24 bytes", isa.IllegalInstruction, 3)
}

func TestBulkReductions(t *testing.T) {
	before := newBench(t)
	pattern(before.a)
	b := bulking(t, "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u64", 160, isa.Global)
	for i := 0; i < 160; i += 8 {
		want := get[uint64](before.a[512+i:]) + get[uint64](b.CTA.Shared[256+i:])
		if got := get[uint64](b.a[512+i:]); got != want {
			t.Fatalf("sum at %d is %#x, want %#x", i, got, want)
		}
	}
	for _, text := range []string{"and.f32", "inc.s32", "min.f64", "add.f16", "max.b32"} {
		words := splitDots("cp.reduce.async.bulk.global.shared::cta.bulk_group." + text)
		if form, _, err := Lookup(words[0], words[1:]); err == nil && form.Op.Bind(form) != nil {
			t.Errorf("a reduction by %s is honoured", text)
		}
	}
}

func TestAsynchronousStoresAndReductionsCount(t *testing.T) {
	b := newBench(t)
	b.Mask = 0xff
	put(b.CTA.Shared, uint64(newBarrier(1).expect(8*16+8*4).arrive(1, false)))
	b.set64(0, func(l int) uint64 { return uint64(512 + 16*l) })
	b.set64(2, func(int) uint64 { return 0 })
	b.run("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32", 0, isa.Inst{A: 0, M: 2, Vec: rangeOf(8, 4), Space: isa.Shared})
	if get[uint32](b.CTA.Shared[512+16*5+8:]) != b.Regs[10][5] {
		t.Error("st.async stored elsewhere")
	}
	b.set64(0, func(int) uint64 { return 1024 })
	b.set(4, func(l int) uint32 { return uint32(l) })
	b.run("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32", 0, isa.Inst{A: 0, B: 4, M: 2, Space: isa.Shared})
	if got := get[uint32](b.CTA.Shared[1024:]); got != 28 {
		t.Errorf("red.async left %d, want 28", got)
	}
	if !b.phaseOver() {
		t.Error("the phase is not over")
	}
}
