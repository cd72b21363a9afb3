package stream_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lockstep-sim/lockstep/stream"
)

// grid is a fake kernel: it needs turns slices, waits for gate if it has one,
// and then calls end.
type grid struct {
	turns int
	gate  func() bool
	end   func() error
}

func (g *grid) Advance(int) (bool, error) {
	if g.gate != nil && !g.gate() {
		return false, nil
	}
	g.turns--
	if g.turns > 0 {
		return false, nil
	}
	if g.end != nil {
		return true, g.end()
	}
	return true, nil
}

func (g *grid) command() stream.Command {
	return stream.Kernel(func() (stream.Grid, error) { return g, nil })
}

// trace collects names in the order in which commands ran.
type trace struct {
	mu    sync.Mutex
	names []string
}

func (t *trace) add(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.names = append(t.names, name)
}

func (t *trace) do(name string) stream.Command {
	return stream.Do(func() error { t.add(name); return nil })
}

func (t *trace) kernel(name string, turns int, gate func() bool) stream.Command {
	g := &grid{turns: turns, gate: gate, end: func() error { t.add(name); return nil }}
	return g.command()
}

func (t *trace) expect(tb testing.TB, names ...string) {
	tb.Helper()
	t.mu.Lock()
	defer t.mu.Unlock()
	if !slices.Equal(t.names, names) {
		tb.Errorf("ran %v, want %v", t.names, names)
	}
}

func submit(tb testing.TB, s *stream.Stream, c stream.Command) stream.Ticket {
	tb.Helper()
	ticket, err := s.Submit(c)
	if err != nil {
		tb.Fatalf("submit: %v", err)
	}
	return ticket
}

func newEngine() *stream.Engine { return stream.NewSystem(nil).NewEngine() }

func TestCommandsOfAStreamRunInOrder(t *testing.T) {
	e, tr := newEngine(), new(trace)
	s := e.NewStream(stream.Blocking, 0)
	submit(t, s, tr.kernel("slow", 50, nil))
	submit(t, s, tr.do("copy"))
	submit(t, s, stream.HostFunc(func() { time.Sleep(time.Millisecond); tr.add("host") }))
	submit(t, s, tr.do("last"))
	if err := s.Synchronize(); err != nil {
		t.Fatal(err)
	}
	tr.expect(t, "slow", "copy", "host", "last")
}

func TestLegacyStreamWaitsForBlockingStreamsOnly(t *testing.T) {
	for _, c := range []struct {
		mode  stream.Mode
		waits bool
	}{{stream.Blocking, true}, {stream.NonBlocking, false}} {
		e := newEngine()
		var open atomic.Bool
		s := e.NewStream(c.mode, 0)
		submit(t, s, (&grid{turns: 1, gate: open.Load}).command())
		legacy := make(chan struct{})
		submit(t, e.Legacy(), stream.Do(func() error { close(legacy); return nil }))
		if c.waits {
			select {
			case <-legacy:
				t.Error("the legacy stream did not wait for a blocking stream")
			case <-time.After(5 * time.Millisecond):
			}
		} else {
			<-legacy
		}
		open.Store(true)
		if err := e.Synchronize(); err != nil {
			t.Fatal(err)
		}
		<-legacy
	}
}

func TestBlockingStreamsWaitForLegacyStream(t *testing.T) {
	e, tr := newEngine(), new(trace)
	var open atomic.Bool
	blocking, free := e.NewStream(stream.Blocking, 0), e.NewStream(stream.NonBlocking, 0)
	submit(t, e.Legacy(), tr.kernel("legacy", 1, open.Load))
	submit(t, blocking, tr.do("blocking"))
	submit(t, free, tr.do("free")).Wait()
	tr.expect(t, "free")
	open.Store(true)
	e.Synchronize()
	tr.expect(t, "free", "legacy", "blocking")
}

func TestKernelThatSpinsDoesNotStopOtherStreams(t *testing.T) {
	e, tr := newEngine(), new(trace)
	var open atomic.Bool
	a, b := e.NewStream(stream.NonBlocking, 0), e.NewStream(stream.NonBlocking, 0)
	submit(t, a, tr.kernel("spins", 1, open.Load))
	submit(t, b, tr.kernel("other", 3, nil))
	submit(t, b, stream.Do(func() error { open.Store(true); return nil }))
	e.Synchronize()
	tr.expect(t, "other", "spins")
}

func TestHigherPriorityStartsFirst(t *testing.T) {
	e, tr := newEngine(), new(trace)
	low, high := e.NewStream(stream.Blocking, 0), e.NewStream(stream.Blocking, -5)
	var open atomic.Bool
	submit(t, e.Legacy(), tr.kernel("legacy", 1, open.Load))
	submit(t, low, tr.do("low"))
	submit(t, high, tr.do("high"))
	open.Store(true)
	e.Synchronize()
	tr.expect(t, "legacy", "high", "low")
}

func TestDestroyedStreamFinishesItsWork(t *testing.T) { // C24
	e, tr := newEngine(), new(trace)
	s := e.NewStream(stream.Blocking, 0)
	submit(t, s, tr.kernel("one", 100, nil))
	submit(t, s, tr.kernel("two", 100, nil))
	s.Destroy()
	submit(t, e.Legacy(), tr.do("legacy"))
	if err := e.Synchronize(); err != nil {
		t.Fatal(err)
	}
	tr.expect(t, "one", "two", "legacy")
}

func TestWaitUsesTheLatestRecordAtTheTimeOfTheCall(t *testing.T) { // C25
	y := stream.NewSystem(nil)
	e, tr := y.NewEngine(), new(trace)
	a, b := e.NewStream(stream.Blocking, 0), e.NewStream(stream.Blocking, 0)
	var never, ev stream.Event
	if err := b.Wait(&never); err != nil {
		t.Fatal(err)
	}
	if done, err := y.Query(&never); !done || err != nil {
		t.Errorf("query of an event never recorded: %v, %v", done, err)
	}
	var open, late atomic.Bool
	submit(t, a, tr.kernel("1", 1, open.Load))
	a.Record(&ev)
	submit(t, a, tr.kernel("2", 1, open.Load))
	a.Record(&ev)
	b.Wait(&ev)
	submit(t, b, tr.do("3"))
	submit(t, a, tr.kernel("4", 1, late.Load))
	a.Record(&ev) // does not concern b
	open.Store(true)
	b.Synchronize()
	tr.expect(t, "1", "2", "3")
	late.Store(true)
	if err := y.Synchronize(&ev); err != nil {
		t.Fatal(err)
	}
	tr.expect(t, "1", "2", "3", "4")
}

func TestElapsedTimeIsPositiveAndNeedsTwoCompleteMarks(t *testing.T) {
	y := stream.NewSystem(func() time.Duration { return 0 }) // a clock that stands still
	e := y.NewEngine()
	s := e.Legacy()
	var from, to, never stream.Event
	s.Record(&from)
	var open atomic.Bool
	submit(t, s, (&grid{turns: 1, gate: open.Load}).command())
	s.Record(&to)
	if _, err := y.Elapsed(&never, &from); !errors.Is(err, stream.ErrNotRecorded) {
		t.Errorf("never recorded: %v", err)
	}
	y.Synchronize(&from)
	if _, err := y.Elapsed(&from, &to); !errors.Is(err, stream.ErrNotReady) {
		t.Errorf("not complete: %v", err)
	}
	open.Store(true)
	y.Synchronize(&to)
	if d, err := y.Elapsed(&from, &to); err != nil || d <= 0 {
		t.Errorf("elapsed %v, %v", d, err)
	}
	if d, err := y.Elapsed(&to, &from); err != nil || d >= 0 {
		t.Errorf("elapsed backwards %v, %v", d, err)
	}
}

func TestFaultDropsWorkAndWakesEverybody(t *testing.T) {
	y := stream.NewSystem(nil)
	e, tr := y.NewEngine(), new(trace)
	fault := errors.New("illegal address")
	a, b := e.NewStream(stream.Blocking, 0), e.NewStream(stream.NonBlocking, 0)
	var open atomic.Bool
	submit(t, a, (&grid{turns: 1, gate: open.Load, end: func() error { return fault }}).command())
	submit(t, a, tr.do("dropped"))
	submit(t, a, stream.HostFunc(func() { tr.add("host function") }))
	var status error
	submit(t, a, stream.Callback(func(err error) { status = err }))
	submit(t, b, tr.kernel("spins", 1, func() bool { return false }))
	var ev stream.Event
	b.Record(&ev)

	var waiting sync.WaitGroup
	for _, wait := range []func() error{a.Synchronize, b.Synchronize, e.Synchronize, func() error { return y.Synchronize(&ev) }} {
		waiting.Go(func() {
			if err := wait(); !errors.Is(err, fault) {
				t.Errorf("waiting gave %v", err)
			}
		})
	}
	open.Store(true)
	waiting.Wait()
	tr.expect(t)
	if !errors.Is(status, fault) {
		t.Errorf("callback got %v", status)
	}
	if _, err := b.Submit(tr.do("later")); !errors.Is(err, fault) {
		t.Errorf("submit after a fault: %v", err)
	}
	e.Recover()
	submit(t, b, tr.do("recovered")).Wait()
	tr.expect(t, "recovered")
}

func TestWaitOrdersStreamsOfTwoDevices(t *testing.T) {
	y, tr := stream.NewSystem(nil), new(trace)
	first, second := y.NewEngine(), y.NewEngine()
	var open atomic.Bool
	var ev stream.Event
	submit(t, first.Legacy(), tr.kernel("first", 1, open.Load))
	first.Legacy().Record(&ev)
	second.Legacy().Wait(&ev)
	submit(t, second.Legacy(), tr.do("second"))
	open.Store(true)
	second.Synchronize()
	tr.expect(t, "first", "second")
}

func TestSubmitWaitsWhenTheStreamIsFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine()
		open := make(chan struct{})
		s := e.NewStream(stream.Blocking, 0)
		submit(t, s, stream.HostFunc(func() { <-open }))
		for range stream.MaxPending - 1 {
			submit(t, s, stream.Command{})
		}
		submitted := false
		go func() {
			submit(t, s, stream.Command{})
			submitted = true
		}()
		synctest.Wait()
		if submitted {
			t.Error("a full stream took another command")
		}
		close(open)
		synctest.Wait()
		if !submitted {
			t.Error("a stream with room did not take a command")
		}
	})
}

func TestIdleEngineHasNoGoroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // fails when goroutines remain
		e := newEngine()
		submit(t, e.Legacy(), (&grid{turns: 3}).command())
		submit(t, e.Legacy(), stream.HostFunc(func() {}))
		e.Synchronize()
	})
}

func TestManyHostThreadsOnTheirOwnStreams(t *testing.T) {
	e := newEngine()
	var ran atomic.Int64
	var threads sync.WaitGroup
	for range 64 {
		threads.Go(func() {
			s := e.NewStream(stream.Blocking, 0)
			for range 50 {
				submit(t, s, (&grid{turns: 2, end: func() error { ran.Add(1); return nil }}).command())
			}
			if err := s.Synchronize(); err != nil {
				t.Error(err)
			}
			s.Destroy()
		})
	}
	threads.Wait()
	if ran.Load() != 64*50 {
		t.Errorf("%d grids ran", ran.Load())
	}
}

func TestMoreGridsThanTheDeviceHoldsAllRun(t *testing.T) {
	e := newEngine()
	var alive, most int
	for range 2 * stream.MaxGrids {
		s := e.NewStream(stream.NonBlocking, 0)
		submit(t, s, stream.Kernel(func() (stream.Grid, error) {
			alive++
			most = max(most, alive)
			return &grid{turns: 5, end: func() error { alive--; return nil }}, nil
		}))
	}
	if err := e.Synchronize(); err != nil {
		t.Fatal(err)
	}
	if alive != 0 || most > stream.MaxGrids {
		t.Errorf("%d grids left, at most %d at once", alive, most)
	}
}

func TestPanicOfACommandStopsTheDeviceAndNotTheProcess(t *testing.T) {
	for name, c := range map[string]stream.Command{
		"copy":   stream.Do(func() error { panic("broken") }),
		"start":  stream.Kernel(func() (stream.Grid, error) { panic("broken") }),
		"kernel": (&grid{turns: 1, end: func() error { panic("broken") }}).command(),
	} {
		e := newEngine()
		submit(t, e.Legacy(), c)
		if err := e.Synchronize(); err == nil || !strings.Contains(err.Error(), "bug in the work of a stream: broken") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestErrorOfACopyOrOfAStartWakesItsWaiters(t *testing.T) {
	broken := errors.New("broken")
	for name, c := range map[string]stream.Command{
		"copy":  stream.Do(func() error { return broken }),
		"start": stream.Kernel(func() (stream.Grid, error) { return nil, broken }),
	} {
		e, tr := newEngine(), new(trace)
		s := e.NewStream(stream.Blocking, 0)
		ticket := submit(t, s, c)
		_, _ = s.Submit(tr.do("later")) // refused if the device has stopped already
		if err := ticket.Wait(); !errors.Is(err, broken) {
			t.Errorf("%s: waiting gave %v", name, err)
		}
		if err := e.Synchronize(); !errors.Is(err, broken) {
			t.Errorf("%s: synchronising gave %v", name, err)
		}
		tr.expect(t)
	}
}

func TestAwaitHoldsOnlyItsStream(t *testing.T) {
	e, tr := newEngine(), new(trace)
	a, b := e.NewStream(stream.NonBlocking, 0), e.NewStream(stream.NonBlocking, 0)
	arrived := make(chan struct{})
	submit(t, a, stream.Await(func(<-chan struct{}) error { <-arrived; return nil }))
	late := submit(t, a, tr.do("late"))
	submit(t, b, tr.do("early")).Wait()
	tr.expect(t, "early")
	close(arrived)
	late.Wait()
	tr.expect(t, "early", "late")
}

func TestAwaitEndsWhenTheDeviceStops(t *testing.T) {
	e := newEngine()
	fault := errors.New("fault")
	a, b := e.NewStream(stream.NonBlocking, 0), e.NewStream(stream.NonBlocking, 0)
	submit(t, a, stream.Await(func(stop <-chan struct{}) error { <-stop; return nil }))
	submit(t, b, stream.Do(func() error { return fault }))
	if err := e.Synchronize(); !errors.Is(err, fault) {
		t.Errorf("synchronising gave %v", err)
	}
}
