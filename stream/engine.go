package stream

import (
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

const (
	// MaxGrids is how many grids of a device run at the same time at most, as on
	// devices of compute capability 9.0 (Programming Guide, technical
	// specifications).
	MaxGrids = 128
	// MaxPending is how many commands a stream holds before Submit waits
	// (measured on an H200: about a thousand launches).
	MaxPending = 1024
	// slice is the budget in warp instructions of one turn of a grid of
	// priority 0: a millisecond or so.
	slice = 1 << 16
)

// System holds what the engines of a process share: the order of submission
// and the clock.
type System struct {
	mu   sync.Mutex
	seq  uint64
	now  func() time.Duration
	last time.Duration

	waiting int       // what threads of the host wait for: commands, and room in streams
	busy    []*Engine // that simulate time and have work
	leaving bool      // the host ends
}

// NewSystem makes a system whose clock is now, which must not run backwards;
// nil is the time since the call.
func NewSystem(now func() time.Duration) *System {
	if now == nil {
		start := time.Now()
		now = func() time.Duration { return time.Since(start) }
	}
	return &System{now: now}
}

// stamp is the time of a completion, different from all earlier ones.
func (y *System) stamp() time.Duration {
	y.last = max(y.now(), y.last+1)
	return y.last
}

// Engine runs the commands of one device.
type Engine struct {
	system  *System
	streams []*Stream // in order of creation, Legacy first; all that are alive or have work
	legacy  *Stream
	ids     uint64

	ready   []*node // by priority, then order of submission
	grids   []*running
	kernels int // among them
	patience
	calls   []*node // functions of the host, in the order they became ready
	serving bool    // somebody executes commands
	called  bool    // a goroutine that will is on its way
	calling bool    // the goroutine of the host's functions exists
	pending int     // commands submitted and not complete
	err     error
	stopped chan struct{} // closed while err is set
	room    *sync.Cond
	most    int // grids at the same time
}

// running is a grid that has started.
type running struct {
	node *node
	grid Grid
}

// NewEngine adds a device to the system. It has a legacy default stream.
func (y *System) NewEngine() *Engine {
	e := &Engine{system: y, room: sync.NewCond(&y.mu), stopped: make(chan struct{}), most: MaxGrids}
	e.legacy = e.NewStream(Blocking, 0)
	return e
}

// SetGrids sets how many grids run at the same time, at least one; it is called
// before the first command.
func (e *Engine) SetGrids(most int) { e.most = min(max(most, 1), MaxGrids) }

// Streams are the streams that are alive or have work.
func (e *Engine) Streams() []*Stream {
	e.system.mu.Lock()
	defer e.system.mu.Unlock()
	return slices.Clone(e.streams)
}

// Legacy is the legacy default stream.
func (e *Engine) Legacy() *Stream { return e.legacy }

// Err is the error that stopped the device, nil while it is well.
func (e *Engine) Err() error {
	e.system.mu.Lock()
	defer e.system.mu.Unlock()
	return e.err
}

// Stopped is closed while an error has stopped the device.
func (e *Engine) Stopped() <-chan struct{} {
	e.system.mu.Lock()
	defer e.system.mu.Unlock()
	return e.stopped
}

// Recover makes a stopped device take commands again.
func (e *Engine) Recover() {
	e.system.mu.Lock()
	defer e.system.mu.Unlock()
	if e.err != nil {
		e.err, e.stopped = nil, make(chan struct{})
	}
}

// Synchronize waits until everything submitted so far is complete, and returns
// the error that stopped the device, if one did.
func (e *Engine) Synchronize() error {
	e.system.mu.Lock()
	defer e.system.mu.Unlock()
	for _, n := range e.tails() {
		n.wait(&e.system.mu)
	}
	return e.err
}

// tails are the last commands of all streams that have work.
func (e *Engine) tails() []*node {
	var tails []*node
	for _, s := range e.streams {
		if s.tail != nil {
			tails = append(tails, s.tail)
		}
	}
	return tails
}

// wake makes sure that somebody looks at the ready commands. The lock is held.
func (e *Engine) wake() {
	if !e.serving && !e.called {
		e.called = true
		go e.simulate()
	}
}

// simulate is the simulation goroutine. It ends when nothing is left that it
// could do, or somebody does it already; wake starts it again.
func (e *Engine) simulate() {
	mu := &e.system.mu
	mu.Lock()
	defer mu.Unlock()
	if e.called = false; !e.serving {
		e.serve(nil)
	}
}

// serve executes commands while there are any, until one is complete if that is
// named. Who waits for a command serves, unless somebody does: waking another
// thread takes longer than a small kernel. The lock is held.
func (e *Engine) serve(until *node) {
	e.serving = true
	for (until == nil || !until.done) && !e.held() {
		e.admit()
		if len(e.grids) == 0 && len(e.ready) == 0 {
			break
		}
		e.turn()
	}
	if e.serving = false; len(e.ready)+len(e.grids) > 0 {
		e.rouse()
	}
}

// admit starts ready commands, the best first; kernels only while there is room
// for a grid.
func (e *Engine) admit() {
	for {
		at := slices.IndexFunc(e.ready, func(n *node) bool {
			return n.command.start == nil || n.command.copies || e.kernels < e.most
		})
		if at < 0 {
			return
		}
		n := e.ready[at]
		e.ready = slices.Delete(e.ready, at, at+1)
		e.begin(n)
	}
}

// begin starts one command; all but grids and functions of the host are
// complete when it returns.
func (e *Engine) begin(n *node) {
	switch c := &n.command; {
	case e.system.leaving && (c.host != nil || c.await != nil):
		e.complete(n, nil)
	case c.host != nil:
		e.calls = append(e.calls, n)
		if !e.calling {
			e.calling = true
			go e.call()
		}
	case c.await != nil:
		go e.await(n, c.await, e.stopped)
	case c.expand != nil:
		var steps []Step
		if e.outside(n, func() (err error) { steps, err = c.expand(); return err }) {
			n.enter(steps)
		}
	case c.start != nil:
		var grid Grid
		if e.outside(n, func() (err error) { grid, err = c.start(); return err }) {
			e.grids = append(e.grids, &running{n, grid})
			if !c.copies {
				e.kernels++
			}
		}
	case c.do != nil:
		if e.outside(n, c.do) {
			e.complete(n, nil)
		}
	default:
		e.complete(n, nil)
	}
}

// outside runs f for n without the lock. It reports whether n may go on: f
// succeeded and n was not dropped meanwhile.
func (e *Engine) outside(n *node, f func() error) bool {
	e.system.mu.Unlock()
	err := guarded(f)
	e.system.mu.Lock()
	if err != nil && !n.done {
		e.stop(err)
		e.complete(n, e.err)
	}
	return !n.done
}

// guarded runs f and makes an error of a panic, which would otherwise end the
// process.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("lockstep: bug in the work of a stream: %v\n%s", p, debug.Stack())
		}
	}()
	return f()
}

// await runs what n waits for.
func (e *Engine) await(n *node, f func(stop <-chan struct{}) error, stop <-chan struct{}) {
	err := guarded(func() error { return f(stop) })
	e.system.mu.Lock()
	defer e.system.mu.Unlock()
	if err != nil && !n.done {
		e.stop(err)
	}
	e.complete(n, e.err)
}

// turn gives every running grid its slice, as long as anybody wants time to pass. A step
// of priority doubles it.
func (e *Engine) turn() {
	for _, r := range slices.Clone(e.grids) {
		if e.held() {
			return
		}
		if r.node.done {
			continue
		}
		var done bool
		budget := slice << max(0, -r.node.urgency)
		alive := e.outside(r.node, func() (err error) { done, err = r.grid.Advance(budget); return err })
		if alive && done {
			e.grids = slices.DeleteFunc(e.grids, func(g *running) bool { return g == r })
			if !r.node.command.copies {
				e.kernels--
			}
			e.complete(r.node, nil)
		}
	}
}

// call is the goroutine that runs functions of the host, one after another.
func (e *Engine) call() {
	mu := &e.system.mu
	mu.Lock()
	defer mu.Unlock()
	for len(e.calls) > 0 {
		n := e.calls[0]
		e.calls = e.calls[1:]
		status := n.err
		mu.Unlock()
		n.command.host(status)
		mu.Lock()
		e.complete(n, status)
	}
	e.calling = false
	if len(e.ready)+len(e.grids) > 0 {
		e.rouse()
	}
}

// complete marks n done and lets go what waited for it.
func (e *Engine) complete(n *node, err error) {
	if n.done {
		return
	}
	n.done, n.err = true, err
	if n.command.stamped {
		n.at = e.system.stamp()
	}
	for _, next := range n.next {
		next.release()
	}
	n.next, n.command = nil, Command{}
	if n.waiters != nil {
		close(n.waiters)
	}
	e.system.waiting -= n.waiting
	n.waiting = 0
	if e.pending--; e.pending == 0 {
		e.idled()
	}
	n.stream.retire(n)
	e.room.Broadcast()
}

// push makes a command ready, on its own device.
func (e *Engine) push(n *node) {
	if e.err != nil {
		e.drop(n)
		return
	}
	at, _ := slices.BinarySearchFunc(e.ready, n, func(a, b *node) int { return a.compare(b) })
	e.ready = slices.Insert(e.ready, at, n)
	e.rouse()
}

// stop makes err the device's state and drops its work. Commands that are not
// ready yet follow as those before them complete.
func (e *Engine) stop(err error) {
	if e.err != nil {
		return
	}
	e.err = err
	close(e.stopped)
	dropped := e.ready
	e.ready = nil
	for _, r := range e.grids {
		dropped = append(dropped, r.node)
	}
	e.grids, e.kernels = nil, 0
	slices.SortFunc(dropped, func(a, b *node) int { return int(a.seq) - int(b.seq) })
	for _, n := range dropped {
		e.drop(n)
	}
}

// drop completes a command without executing it; a callback that wants to know
// is still called.
func (e *Engine) drop(n *node) {
	if n.command.host != nil && n.command.always {
		n.err = e.err
		e.begin(n)
		return
	}
	e.complete(n, e.err)
}
