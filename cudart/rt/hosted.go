package rt

import (
	"maps"
	"slices"
	"sync"

	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// hosting is what is known of host memory that devices reach: the context that it
// goes with, and the flags that it was made with.
type hosting struct {
	context *Context
	flags   uint32
}

// hosted is the pinned, managed and registered memory of all contexts, by first
// address. An entry may outlive its memory, until the address is used again.
type hosted struct {
	mu sync.Mutex
	by map[uint64]hosting
}

func (h *hosted) of(base uint64) hosting {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.by[base]
}

func (h *hosted) set(base uint64, v hosting) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.by == nil {
		h.by = map[uint64]hosting{}
	}
	h.by[base] = v
}

func (h *hosted) drop(base uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.by, base)
}

// takeAll forgets the memory of a context and returns where it begins, in order.
func (h *hosted) takeAll(c *Context) []uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []uint64
	for _, base := range slices.Sorted(maps.Keys(h.by)) {
		if h.by[base].context == c {
			all = append(all, base)
			delete(h.by, base)
		}
	}
	return all
}

// allocHost makes pinned or managed memory that goes with the context.
func (c *Context) allocHost(size uint64, kind mem.Kind, flags uint32) (uint64, error) {
	addr, err := c.memory.AllocHost(size, kind)
	if err == nil {
		c.device.runtime.hosted.set(addr, hosting{c, flags})
	}
	return addr, err
}

// releaseHost gives back what the program holds of the host through this context:
// pinned and managed allocations, registrations. Managed variables stay.
func (c *Context) releaseHost() {
	free := map[mem.Kind]func(uint64) error{
		mem.Pinned: c.memory.FreeHost, mem.Managed: c.memory.Free, mem.Registered: c.memory.Unregister,
	}
	for _, base := range c.device.runtime.hosted.takeAll(c) {
		if b, ok := c.memory.Lookup(base); ok && b.Base == base && free[b.Kind] != nil {
			_ = free[b.Kind](base) // nobody is left who could be told
		}
	}
}
