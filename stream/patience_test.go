package stream_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/lockstep-sim/lockstep/stream"
)

// counted is a grid that takes so many turns, and counts them.
type counted struct {
	left  int
	turns atomic.Int32
	first chan struct{} // closed at the first turn
}

func count(turns int) *counted { return &counted{left: turns, first: make(chan struct{})} }

func (c *counted) Advance(int) (bool, error) {
	if c.turns.Add(1) == 1 {
		close(c.first)
	}
	c.left--
	return c.left == 0, nil
}

func (c *counted) kernel() stream.Command {
	return stream.Kernel(func() (stream.Grid, error) { return c, nil })
}

func newTimedEngine() *stream.Engine {
	e := newEngine()
	e.SetTimed()
	return e
}

// soon is long enough for work to begin that need not wait.
const soon = 20 * time.Millisecond

func TestTimePassesWhenTheHostWantsIt(t *testing.T) {
	for name, want := range map[string]func(e *stream.Engine, t stream.Ticket){
		"waits":             func(_ *stream.Engine, t stream.Ticket) { _ = t.Wait() },
		"looks":             func(_ *stream.Engine, t stream.Ticket) { t.Done() },
		"looks at a stream": func(e *stream.Engine, _ stream.Ticket) { _, _ = e.Legacy().Query() },
		"synchronises":      func(e *stream.Engine, _ stream.Ticket) { _ = e.Synchronize() },
		"does nothing":      func(*stream.Engine, stream.Ticket) {},
	} {
		t.Run(name, func(t *testing.T) {
			e, k := newTimedEngine(), count(1)
			ticket, err := e.Legacy().Submit(k.kernel())
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(soon)
			if k.turns.Load() > 0 {
				t.Error("it passed at once")
			}
			want(e, ticket)
			<-k.first
		})
	}
}

func TestWhenTheHostSubmitsDoesNotMatter(t *testing.T) {
	for _, gap := range []time.Duration{0, soon} {
		e, tr := newTimedEngine(), new(trace)
		low, high := e.NewStream(stream.NonBlocking, 0), e.NewStream(stream.NonBlocking, -1)
		submit(t, low, tr.kernel("low", 1, nil))
		time.Sleep(gap)
		submit(t, high, tr.kernel("high", 1, nil))
		if err := e.Synchronize(); err != nil {
			t.Fatal(err)
		}
		tr.expect(t, "high", "low")
	}
}

func TestTimeStopsWhenTheHostGoesOn(t *testing.T) {
	e, long, short := newTimedEngine(), count(1000), count(5)
	if _, err := e.NewStream(stream.NonBlocking, 0).Submit(long.kernel()); err != nil {
		t.Fatal(err)
	}
	ticket, err := e.NewStream(stream.NonBlocking, 0).Submit(short.kernel())
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if ticket.Done() {
			t.Error("five turns are over after three looks")
		}
	}
	if err := ticket.Wait(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(soon)
	if a, b := long.turns.Load(), short.turns.Load(); a != 5 || b != 5 {
		t.Errorf("the grids had %d and %d turns, want 5 each", a, b)
	}
	if err := e.Synchronize(); err != nil {
		t.Error(err)
	}
}

func TestFunctionsOfTheHostTakeNoTime(t *testing.T) {
	e, k := newTimedEngine(), count(1000)
	var before, after int32
	s := e.NewStream(stream.NonBlocking, 0)
	first := count(3)
	submit(t, s, first.kernel())
	submit(t, s, stream.HostFunc(func() {
		before = k.turns.Load()
		time.Sleep(soon)
		after = k.turns.Load()
	}))
	submit(t, e.NewStream(stream.NonBlocking, 0), k.kernel())
	if err := s.Synchronize(); err != nil {
		t.Fatal(err)
	}
	if before != after || after < 2 || after > 3 {
		t.Errorf("a grid had %d turns before a function of the host and %d after it", before, after)
	}
	if err := e.Synchronize(); err != nil {
		t.Error(err)
	}
}

func TestAFullStreamLetsTimePassUntilThereIsRoom(t *testing.T) {
	e, tr := newTimedEngine(), new(trace)
	s := e.NewStream(stream.NonBlocking, 0)
	const more = 10
	for range stream.MaxPending + more {
		submit(t, s, tr.kernel("k", 1, nil))
	}
	time.Sleep(soon)
	tr.mu.Lock()
	n := len(tr.names)
	tr.mu.Unlock()
	if n != more {
		t.Errorf("%d grids have run, want %d", n, more)
	}
	if err := e.Synchronize(); err != nil {
		t.Error(err)
	}
}

func TestACopyTakesNoGridsPlace(t *testing.T) {
	e := newEngine()
	e.SetGrids(1)
	kernel, copied := make(chan struct{}), count(1)
	gate := gated(kernel)
	if _, err := e.NewStream(stream.NonBlocking, 0).Submit(stream.Kernel(func() (stream.Grid, error) { return gate, nil })); err != nil {
		t.Fatal(err)
	}
	if _, err := e.NewStream(stream.NonBlocking, 0).Submit(stream.Copy(func() (stream.Grid, error) { return copied, nil })); err != nil {
		t.Fatal(err)
	}
	<-copied.first
	close(kernel)
	if err := e.Synchronize(); err != nil {
		t.Error(err)
	}
}

// gated is a grid that ends when its channel is closed.
type gated chan struct{}

func (g gated) Advance(int) (bool, error) {
	select {
	case <-g:
		return true, nil
	default:
		return false, nil
	}
}

func TestAProgramThatEndsHasItsGridsExecutedAndNoFunctionCalled(t *testing.T) {
	y := stream.NewSystem(nil)
	e, other := y.NewEngine(), y.NewEngine()
	e.SetTimed()
	other.SetTimed()
	first, last, beside := count(3), count(1000), count(2)
	called := false
	s := e.Legacy()
	submit(t, s, first.kernel())
	submit(t, s, stream.HostFunc(func() { called = true }))
	submit(t, s, stream.Await(func(stop <-chan struct{}) error { <-stop; return nil }))
	ticket := submit(t, s, last.kernel())
	submit(t, other.Legacy(), beside.kernel())
	y.Finish()
	if first.left != 0 || last.left != 0 || beside.left != 0 || !ticket.Done() {
		t.Errorf("%d, %d and %d turns are left", first.left, last.left, beside.left)
	}
	if called {
		t.Error("a function of the host was called")
	}
}

func TestAProgramThatEndsInAFunctionLeavesItsWork(t *testing.T) {
	y := stream.NewSystem(nil)
	e := y.NewEngine()
	e.SetTimed()
	k, left := count(3), 0
	submit(t, e.Legacy(), stream.HostFunc(func() { y.Finish(); left = k.left }))
	submit(t, e.Legacy(), k.kernel())
	if err := e.Synchronize(); err != nil || left != 3 {
		t.Errorf("%d turns were left, %v", left, err)
	}
}
