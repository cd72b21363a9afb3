package exec

import (
	"sync"

	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// heap is the device heap behind malloc and free in kernels: one allocation of
// device memory, made at first use, cut into blocks. It lives until the device
// is reset and is shared by all kernels.
type heap struct {
	memory *mem.Space
	size   uint64

	lock sync.Mutex
	base uint64
	free []extent          // by address, no two adjacent
	used map[uint64]uint64 // start to size
}

type extent struct{ lo, hi uint64 }

// heapAlign is the alignment of a block; the hardware's is 16 as well.
const heapAlign = 16

func (h *heap) resize(bytes uint64) (used bool) {
	h.lock.Lock()
	defer h.lock.Unlock()
	if h.base != 0 {
		return true
	}
	h.size = bytes
	return false
}

// alloc returns the address of n bytes, 0 when there is no room.
func (h *heap) alloc(n uint64) uint64 {
	h.lock.Lock()
	defer h.lock.Unlock()
	if h.base == 0 && !h.open() {
		return 0
	}
	if n > h.size {
		return 0
	}
	n = (max(n, 1) + heapAlign - 1) &^ (heapAlign - 1)
	for i := range h.free {
		e := &h.free[i]
		if e.hi-e.lo < n {
			continue
		}
		addr := e.lo
		if e.lo += n; e.lo == e.hi {
			h.free = append(h.free[:i], h.free[i+1:]...)
		}
		h.used[addr] = n
		return addr
	}
	return 0
}

func (h *heap) open() bool {
	base, err := h.memory.Alloc(h.size, heapAlign)
	if err != nil {
		return false
	}
	h.base = base
	h.free = []extent{{base, base + h.size}}
	h.used = make(map[uint64]uint64)
	return true
}

// release frees a block. It reports false when addr is not one.
func (h *heap) release(addr uint64) bool {
	h.lock.Lock()
	defer h.lock.Unlock()
	n, ok := h.used[addr]
	if !ok {
		return false
	}
	delete(h.used, addr)
	i := 0
	for i < len(h.free) && h.free[i].lo < addr {
		i++
	}
	h.free = append(h.free, extent{})
	copy(h.free[i+1:], h.free[i:])
	h.free[i] = extent{addr, addr + n}
	h.join(i)
	h.join(i - 1)
	return true
}

// join merges free extents i and i+1 when they touch.
func (h *heap) join(i int) {
	if i >= 0 && i+1 < len(h.free) && h.free[i].hi == h.free[i+1].lo {
		h.free[i].hi = h.free[i+1].hi
		h.free = append(h.free[:i+1], h.free[i+2:]...)
	}
}
