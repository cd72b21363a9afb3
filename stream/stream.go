package stream

import "slices"

// Mode says how a stream relates to the legacy default stream.
type Mode uint8

// The modes.
const (
	Blocking    Mode = iota // ordered with the legacy default stream
	NonBlocking             // independent of it
)

// Stream is a sequence of commands that execute in order.
type Stream struct {
	engine    *Engine
	id        uint64
	mode      Mode
	priority  int
	tail      *node // the last command, nil when all are complete
	pending   int   // commands that are not complete
	full      bool  // somebody waits for room
	destroyed bool
}

// NewStream makes a stream. A lower priority number is served first.
func (e *Engine) NewStream(mode Mode, priority int) *Stream {
	e.system.mu.Lock()
	defer e.system.mu.Unlock()
	e.ids++
	s := &Stream{engine: e, id: e.ids, mode: mode, priority: priority}
	e.streams = append(e.streams, s)
	return s
}

// Engine is the device that the stream belongs to.
func (s *Stream) Engine() *Engine { return s.engine }

// ID tells the streams of a device apart; it is never used twice.
func (s *Stream) ID() uint64 { return s.id }

// Mode is the mode that the stream was made with.
func (s *Stream) Mode() Mode { return s.mode }

// Priority is the priority of the stream's work.
func (s *Stream) Priority() int {
	s.engine.system.mu.Lock()
	defer s.engine.system.mu.Unlock()
	return s.priority
}

// SetPriority changes the priority of later work.
func (s *Stream) SetPriority(priority int) {
	s.engine.system.mu.Lock()
	defer s.engine.system.mu.Unlock()
	s.priority = priority
}

// Submit adds a command behind those of the stream. It waits only while the
// stream holds MaxPending commands, and returns the error that stopped the
// device, if one did.
func (s *Stream) Submit(c Command) (Ticket, error) {
	mu := &s.engine.system.mu
	mu.Lock()
	defer mu.Unlock()
	n, err := s.submit(c)
	return Ticket{n}, err
}

func (s *Stream) submit(c Command, after ...*node) (*node, error) {
	e := s.engine
	for s.pending >= MaxPending && e.err == nil {
		if !s.full {
			s.full = true
			e.want()
		}
		e.wake()
		e.room.Wait()
	}
	if e.err != nil {
		return &node{stream: s, done: true, err: e.err}, e.err
	}
	e.system.seq++
	n := &node{command: c, stream: s, seq: e.system.seq, urgency: s.priority}
	for _, p := range s.predecessors() {
		n.after(p)
	}
	for _, p := range after {
		n.after(p)
	}
	s.tail = n
	s.pending++
	if e.pending++; e.pending == 1 {
		e.busied()
	}
	if n.waits == 0 {
		e.push(n)
	}
	return n, nil
}

// predecessors are the commands that the next command of s has to wait for by
// the rules of streams.
func (s *Stream) predecessors() []*node {
	e := s.engine
	switch {
	case s == e.legacy:
		return e.blockingTails()
	case s.mode == Blocking:
		return []*node{s.tail, e.legacy.tail}
	}
	return []*node{s.tail}
}

func (e *Engine) blockingTails() []*node {
	var tails []*node
	for _, s := range e.streams {
		if s.mode == Blocking && s.tail != nil {
			tails = append(tails, s.tail)
		}
	}
	return tails
}

// retire forgets a completed command, and a destroyed stream with its last.
func (s *Stream) retire(n *node) {
	if n.inner {
		return
	}
	s.pending--
	if s.full && s.pending < MaxPending {
		s.full = false
		s.engine.system.waiting--
	}
	if s.tail == n {
		s.tail = nil
		s.release()
	}
}

// release takes a destroyed stream without work out of its device.
func (s *Stream) release() {
	if s.destroyed && s.tail == nil {
		e := s.engine
		e.streams = slices.DeleteFunc(e.streams, func(t *Stream) bool { return t == s })
	}
}

// Destroy gives the stream up. Work that it holds is still done.
func (s *Stream) Destroy() {
	s.engine.system.mu.Lock()
	defer s.engine.system.mu.Unlock()
	s.destroyed = true
	s.release()
}

// outstanding are the commands that Query and Synchronize look at: those of the
// legacy default stream include those of the blocking streams, which it would
// wait for.
func (s *Stream) outstanding() []*node {
	if s == s.engine.legacy {
		return s.engine.blockingTails()
	}
	if s.tail == nil {
		return nil
	}
	return []*node{s.tail}
}

// Query reports whether all work of the stream is complete, and the error that
// stopped the device, if one did.
func (s *Stream) Query() (done bool, err error) {
	s.engine.system.mu.Lock()
	defer s.engine.system.mu.Unlock()
	for _, n := range s.outstanding() {
		n.ask()
	}
	return len(s.outstanding()) == 0, s.engine.err
}

// Synchronize waits until all work of the stream is complete.
func (s *Stream) Synchronize() error {
	mu := &s.engine.system.mu
	mu.Lock()
	defer mu.Unlock()
	for _, n := range s.outstanding() {
		n.wait(mu)
	}
	return s.engine.err
}
