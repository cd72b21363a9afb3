package exec

import (
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/mem"
)

func newHeap(t *testing.T, size uint64) *heap {
	t.Helper()
	space, err := mem.New(mem.Config{DeviceBytes: 1 << 28})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { space.Close() })
	return &heap{memory: space, size: size}
}

func TestHeapGivesWhatWasFreedAgain(t *testing.T) {
	h := newHeap(t, 4096)
	var blocks []uint64
	for {
		a := h.alloc(100)
		if a == 0 {
			break
		}
		if a%heapAlign != 0 {
			t.Fatalf("block at %#x is not aligned", a)
		}
		blocks = append(blocks, a)
	}
	if len(blocks) != 4096/112 {
		t.Fatalf("%d blocks of 112 bytes fit, want %d", len(blocks), 4096/112)
	}
	for i := range blocks {
		if !h.release(blocks[(i*7)%len(blocks)]) {
			t.Fatal("a block is unknown")
		}
	}
	if h.alloc(4096) == 0 {
		t.Error("freed blocks did not join")
	}
}

func TestHeapRefusesForeignPointers(t *testing.T) {
	h := newHeap(t, 4096)
	a := h.alloc(64)
	for _, p := range []uint64{a + 16, a - 16, 1234} {
		if h.release(p) {
			t.Errorf("%#x was freed", p)
		}
	}
	if !h.release(a) || h.release(a) {
		t.Error("a block is freed once, not twice")
	}
}

func TestMallocOfNothingIsAPointer(t *testing.T) {
	if newHeap(t, 4096).alloc(0) == 0 {
		t.Error("malloc(0) is null")
	}
}

func TestHeapKeepsItsSizeOnceUsed(t *testing.T) {
	h := newHeap(t, 4096)
	if h.resize(8192) || h.alloc(8000) == 0 {
		t.Error("the size before first use does not hold")
	}
	if !h.resize(4096) {
		t.Error("a heap in use was resized")
	}
}
