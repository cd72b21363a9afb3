package stream

import (
	"cmp"
	"sync"
	"time"
)

// Grid is a kernel in execution. Advance runs about budget warp instructions
// and reports whether the grid has ended. After an error it is not called again.
type Grid interface {
	Advance(budget int) (done bool, err error)
}

// Command is a piece of work for a stream. The zero Command does nothing, in order.
type Command struct {
	start   func() (Grid, error)
	do      func() error
	host    func(status error)
	await   func(stop <-chan struct{}) error
	expand  func() ([]Step, error)
	copies  bool // start begins a copy, which takes no grid's place
	always  bool // call host even when the device has stopped
	stamped bool // the time of completion is wanted
}

// Kernel starts a grid and runs it to its end.
func Kernel(start func() (Grid, error)) Command { return Command{start: start} }

// Copy begins a copy that takes time, as Kernel begins a grid.
func Copy(start func() (Grid, error)) Command { return Command{start: start, copies: true} }

// Do runs f on the simulation goroutine: a copy, a set, a deallocation. An
// error stops the device.
func Do(f func() error) Command { return Command{do: f} }

// HostFunc runs f on the goroutine of the host's functions; the stream waits
// for it. It is not called once the device has stopped (cudaLaunchHostFunc).
func HostFunc(f func()) Command { return Command{host: func(error) { f() }} }

// Callback is like HostFunc, but f is always called, with the error that
// stopped the device or nil (cudaStreamAddCallback).
func Callback(f func(status error)) Command { return Command{host: f, always: true} }

// Await holds its stream until f, on a goroutine of its own, returns: for what
// happens outside the device. stop is closed when the device stops; an error of
// f stops it.
func Await(f func(stop <-chan struct{}) error) Command { return Command{await: f} }

// node is a submitted command with its place in the order.
type node struct {
	command Command
	stream  *Stream
	inner   bool // a step of a graph, which the stream does not count
	urgency int  // its priority
	seq     uint64
	turn    uint64  // order among those of one seq: steps of bodies
	waits   int     // predecessors that are not complete
	next    []*node // commands that wait for this one
	done    bool
	err     error
	at      time.Duration // completion, when stamped
	waiters chan struct{} // closed at completion; nil while nobody waits
	waiting int           // threads of the host that wait for it
}

// compare orders ready commands: higher priority (the lower number) first, then
// in order of submission.
func (n *node) compare(m *node) int {
	return cmp.Or(cmp.Compare(n.urgency, m.urgency), cmp.Compare(n.seq, m.seq), cmp.Compare(n.turn, m.turn))
}

// after makes n wait for p.
func (n *node) after(p *node) {
	if p != nil && !p.done {
		p.next = append(p.next, n)
		n.waits++
	}
}

// wait blocks the caller, who holds mu, until n is complete.
func (n *node) wait(mu *sync.Mutex) {
	if n.done {
		return
	}
	e := n.stream.engine
	n.waiting++
	e.want()
	if !e.serving {
		e.serve(n)
	}
	if n.done {
		return
	}
	if n.waiters == nil {
		n.waiters = make(chan struct{})
	}
	waiters := n.waiters
	mu.Unlock()
	<-waiters
	mu.Lock()
}

// Ticket stands for a submitted command.
type Ticket struct{ n *node }

// Done reports whether the command is complete.
func (t Ticket) Done() bool {
	mu := &t.n.stream.engine.system.mu
	mu.Lock()
	defer mu.Unlock()
	t.n.ask()
	return t.n.done
}

// Wait blocks until the command is complete and returns the error that stopped
// the device before it was, if one did.
func (t Ticket) Wait() error {
	mu := &t.n.stream.engine.system.mu
	mu.Lock()
	defer mu.Unlock()
	t.n.wait(mu)
	return t.n.err
}

// Query reports whether the command is complete, and the error that stopped the
// device before it was. The zero Ticket is complete.
func (t Ticket) Query() (done bool, err error) {
	if t.n == nil {
		return true, nil
	}
	mu := &t.n.stream.engine.system.mu
	mu.Lock()
	defer mu.Unlock()
	t.n.ask()
	return t.n.done, t.n.err
}
