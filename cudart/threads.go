package main

import (
	"sync"
	"sync/atomic"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// threadTable maps the small numbers that thread.c gives host threads to their runtime state. Reading takes no lock.
type threadTable struct {
	mu      sync.Mutex // held to change entries
	entries atomic.Pointer[[]atomic.Pointer[rt.Thread]]
}

var threads threadTable

// get returns the state of host thread n, made on its first call.
func (tt *threadTable) get(n uint32) *rt.Thread {
	if e := tt.entries.Load(); e != nil && int(n) < len(*e) {
		if t := (*e)[n].Load(); t != nil {
			return t
		}
	}
	return tt.add(n)
}

func (tt *threadTable) add(n uint32) *rt.Thread {
	tt.mu.Lock()
	defer tt.mu.Unlock()
	e := tt.entries.Load()
	if e == nil || int(n) >= len(*e) {
		e = grown(e, int(n)+1)
		tt.entries.Store(e)
	}
	t := newThread()
	(*e)[n].Store(t)
	return t
}

// grown copies old into a table with room for at least n entries.
func grown(old *[]atomic.Pointer[rt.Thread], n int) *[]atomic.Pointer[rt.Thread] {
	table := make([]atomic.Pointer[rt.Thread], max(2*n, 16))
	if old != nil {
		for i := range *old {
			table[i].Store((*old)[i].Load())
		}
	}
	return &table
}

// remove forgets host thread n, which has ended.
func (tt *threadTable) remove(n uint32) {
	tt.mu.Lock()
	defer tt.mu.Unlock()
	if e := tt.entries.Load(); e != nil && int(n) < len(*e) {
		if t := (*e)[n].Swap(nil); t != nil {
			t.Close()
		}
	}
}
