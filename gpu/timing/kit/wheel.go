package kit

import (
	"container/heap"
	"math/bits"
)

// span is the number of cycles that a wheel's buckets cover: longer than latencies
// within a part of a GPU, so that little lies beyond, and so few that the buckets of
// all SMs together stay in the host's caches.
const span = 256

// Wheel hands out events in the order of their cycles, and those of one cycle
// in the order in which they were scheduled.
type Wheel[T any] struct {
	now   Cycle // nothing lies before
	next  Cycle // the earliest event
	n     int   // events in buckets
	ends  [span]ends
	used  [span / 64]uint64 // buckets that hold events
	nodes []node[T]
	free  int32
	far   farHeap[T]
	seq   uint64
}

// ends are the first and the last event of a bucket.
type ends struct{ first, last int32 }

type node[T any] struct {
	v    T
	next int32
}

// NewWheel returns an empty wheel at cycle 0.
func NewWheel[T any]() *Wheel[T] {
	return &Wheel[T]{free: -1, next: Never}
}

// Len is the number of events.
func (w *Wheel[T]) Len() int { return w.n + len(w.far) }

// At schedules v for cycle at, or for the present one if that has passed.
func (w *Wheel[T]) At(at Cycle, v T) {
	at = max(at, w.now)
	w.next = min(w.next, at)
	if len(w.far) > 0 {
		w.near()
	}
	if at-w.now >= span {
		w.seq++
		heap.Push(&w.far, distant[T]{at, w.seq, v})
		return
	}
	w.insert(at, v)
}

func (w *Wheel[T]) insert(at Cycle, v T) {
	i := w.free
	if i >= 0 {
		w.free = w.nodes[i].next
	} else {
		i = int32(len(w.nodes))
		w.nodes = append(w.nodes, node[T]{})
	}
	w.nodes[i] = node[T]{v, -1}
	b := at % span
	if bit := uint64(1) << (b % 64); w.used[b/64]&bit == 0 {
		w.used[b/64] |= bit
		w.ends[b].first = i
	} else {
		w.nodes[w.ends[b].last].next = i
	}
	w.ends[b].last = i
	w.n++
}

// Pop removes the earliest event if it is due by cycle now. A caller drains the
// wheel at every cycle at which it looks.
func (w *Wheel[T]) Pop(now Cycle) (v T, ok bool) {
	if w.next > now {
		w.now = max(w.now, now)
		return v, false
	}
	return w.pop(), true
}

func (w *Wheel[T]) pop() T {
	w.now = w.next
	w.near()
	b := w.now % span
	i := w.ends[b].first
	nd := &w.nodes[i]
	w.ends[b].first = nd.next
	if nd.next < 0 {
		w.used[b/64] &^= 1 << (b % 64)
		w.next = w.search()
	}
	nd.next, w.free = w.free, i
	w.n--
	return nd.v
}

// Next is the cycle of the earliest event, Never if there is none.
func (w *Wheel[T]) Next() Cycle { return w.next }

// search finds the earliest event. The bucket of the present cycle is empty.
func (w *Wheel[T]) search() Cycle {
	at := Never
	if len(w.far) > 0 {
		at = w.far[0].at
	}
	if w.n == 1 { // the one being removed
		return at
	}
	from := w.now % span
	if word := w.used[from/64] >> (from % 64); word != 0 {
		return min(at, w.now+Cycle(bits.TrailingZeros64(word)))
	}
	d := 64 - from%64
	for i := from/64 + 1; ; i++ {
		if word := w.used[i%(span/64)]; word != 0 {
			return min(at, w.now+d+Cycle(bits.TrailingZeros64(word)))
		}
		d += 64
	}
}

// near takes in what has come within reach of the buckets.
func (w *Wheel[T]) near() {
	for len(w.far) > 0 && w.far[0].at-w.now < span {
		d := heap.Pop(&w.far).(distant[T])
		w.insert(d.at, d.v)
	}
}

// distant is an event beyond the buckets.
type distant[T any] struct {
	at  Cycle
	seq uint64
	v   T
}

type farHeap[T any] []distant[T]

func (h farHeap[T]) Len() int { return len(h) }
func (h farHeap[T]) Less(i, j int) bool {
	if h[i].at != h[j].at {
		return h[i].at < h[j].at
	}
	return h[i].seq < h[j].seq
}
func (h farHeap[T]) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *farHeap[T]) Push(x any)   { *h = append(*h, x.(distant[T])) }
func (h *farHeap[T]) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}
