package kit

// Queue is a first-in first-out queue of bounded length.
type Queue[T any] struct {
	ring    []T
	head, n int
}

// NewQueue returns an empty queue for at most capacity elements.
func NewQueue[T any](capacity int) *Queue[T] {
	return &Queue[T]{ring: make([]T, capacity)}
}

// Len is the number of elements.
func (q *Queue[T]) Len() int { return q.n }

// Full reports that Push would refuse.
func (q *Queue[T]) Full() bool { return q.n == len(q.ring) }

// Push appends v; false if the queue is full.
func (q *Queue[T]) Push(v T) bool {
	if q.n == len(q.ring) {
		return false
	}
	q.ring[q.wrap(q.head+q.n)] = v
	q.n++
	return true
}

// Front is the oldest element, to be read or changed in place; nil if there is
// none.
func (q *Queue[T]) Front() *T {
	if q.n == 0 {
		return nil
	}
	return &q.ring[q.head]
}

// At is the i-th oldest element.
func (q *Queue[T]) At(i int) *T { return &q.ring[q.wrap(q.head+i)] }

// Pop removes the oldest element; false if there is none.
func (q *Queue[T]) Pop() (v T, ok bool) {
	if q.n == 0 {
		return v, false
	}
	v = q.ring[q.head]
	q.head = q.wrap(q.head + 1)
	q.n--
	return v, true
}

// Clear removes all elements.
func (q *Queue[T]) Clear() { q.head, q.n = 0, 0 }

func (q *Queue[T]) wrap(i int) int {
	if i >= len(q.ring) {
		return i - len(q.ring)
	}
	return i
}
