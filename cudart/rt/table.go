package rt

import (
	"maps"
	"slices"
	"sync"
)

// table maps the handles that programs hold to objects. A handle is never used
// twice, so a stale one is found out.
type table[T any] struct {
	mu    sync.RWMutex
	last  uint64
	items map[uint64]T
}

// Handles look like pointers, far from the small numbers that have a meaning.
const (
	firstHandle = 0x5_0000_0000
	handleStep  = 16
)

func (t *table[T]) add(x T) uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.items == nil {
		t.items = map[uint64]T{}
		t.last = firstHandle
	}
	t.last += handleStep
	t.items[t.last] = x
	return t.last
}

func (t *table[T]) get(handle uint64) (T, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	x, ok := t.items[handle]
	return x, ok
}

func (t *table[T]) take(handle uint64) (T, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	x, ok := t.items[handle]
	delete(t.items, handle)
	return x, ok
}

// each visits all objects, in no order.
func (t *table[T]) each(visit func(T)) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for _, x := range t.items {
		visit(x)
	}
}

// drop removes the objects that belong to something that is gone.
func (t *table[T]) drop(belongs func(T) bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for handle, x := range t.items {
		if belongs(x) {
			delete(t.items, handle)
		}
	}
}

// any reports whether an object is wanted.
func (t *table[T]) any(wanted func(T) bool) bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for _, x := range t.items {
		if wanted(x) {
			return true
		}
	}
	return false
}

// find is the handle of the first object that suits, 0 where there is none.
func (t *table[T]) find(suits func(T) bool) uint64 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	best := uint64(0)
	for handle, x := range t.items {
		if suits(x) && (best == 0 || handle < best) {
			best = handle
		}
	}
	return best
}

// all are the objects in the order in which they were made.
func (t *table[T]) all() []T {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if len(t.items) == 0 {
		return nil
	}
	list := make([]T, 0, len(t.items))
	for _, handle := range slices.Sorted(maps.Keys(t.items)) {
		list = append(list, t.items[handle])
	}
	return list
}
