package kit

// Pipe delays elements by a fixed number of cycles and keeps their order. It
// holds as many as are under way; who must bound them counts credits.
type Pipe[T any] struct {
	latency Cycle
	ring    []timed[T]
	head, n int
}

type timed[T any] struct {
	at Cycle
	v  T
}

// NewPipe returns an empty pipe of the given latency.
func NewPipe[T any](latency Cycle) *Pipe[T] {
	return &Pipe[T]{latency: latency, ring: make([]timed[T], 8)}
}

// Len is the number of elements under way.
func (p *Pipe[T]) Len() int { return p.n }

// Push enters v at cycle now. Calls must not go back in time.
func (p *Pipe[T]) Push(now Cycle, v T) {
	p.put(timed[T]{now + p.latency, v})
}

func (p *Pipe[T]) put(t timed[T]) {
	if p.n == len(p.ring) {
		p.grow()
	}
	p.ring[(p.head+p.n)&(len(p.ring)-1)] = t
	p.n++
}

// Pop removes the oldest element if it has come out by cycle now.
func (p *Pipe[T]) Pop(now Cycle) (v T, ok bool) {
	if p.n == 0 || p.ring[p.head].at > now {
		return v, false
	}
	v = p.ring[p.head].v
	p.head = (p.head + 1) & (len(p.ring) - 1)
	p.n--
	return v, true
}

// Pour moves all elements to another pipe, where they come out at the same cycles.
func (p *Pipe[T]) Pour(to *Pipe[T]) {
	for ; p.n > 0; p.n-- {
		to.put(p.ring[p.head])
		p.head = (p.head + 1) & (len(p.ring) - 1)
	}
}

// Next is the cycle at which the oldest element comes out, Never if the pipe is
// empty.
func (p *Pipe[T]) Next() Cycle {
	if p.n == 0 {
		return Never
	}
	return p.ring[p.head].at
}

func (p *Pipe[T]) grow() {
	ring := make([]timed[T], 2*len(p.ring))
	for i := range p.n {
		ring[i] = p.ring[(p.head+i)&(len(p.ring)-1)]
	}
	p.ring, p.head = ring, 0
}
