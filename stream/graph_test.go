package stream_test

import (
	"errors"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/lockstep-sim/lockstep/stream"
)

// launch launches steps that must be taken.
func launch(t *testing.T, s *stream.Stream, before stream.Ticket, steps ...stream.Step) stream.Ticket {
	t.Helper()
	ticket, err := s.Launch(steps, before)
	if err != nil {
		t.Fatal(err)
	}
	return ticket
}

func TestStepsFollowTheirEdges(t *testing.T) {
	e, tr := newEngine(), new(trace)
	s := e.NewStream(stream.Blocking, 0)
	var open atomic.Bool
	submit(t, s, tr.kernel("first", 1, open.Load))
	launch(t, s, stream.Ticket{},
		stream.Step{Command: tr.do("a")},
		stream.Step{Command: tr.kernel("b", 3, nil), After: []int{0}},
		stream.Step{Command: tr.do("c"), After: []int{0}},
		stream.Step{Command: tr.do("d"), After: []int{1, 2}})
	submit(t, s, tr.do("last"))
	open.Store(true)
	s.Synchronize()
	tr.expect(t, "first", "a", "c", "b", "d", "last")
}

func TestBranchesOfAGraphRunAtTheSameTime(t *testing.T) {
	e, tr := newEngine(), new(trace)
	var here, there atomic.Bool
	meet := func(mine, other *atomic.Bool) func() bool {
		return func() bool { mine.Store(true); return other.Load() }
	}
	launch(t, e.Legacy(), stream.Ticket{},
		stream.Step{Command: tr.kernel("a", 1, meet(&here, &there))},
		stream.Step{Command: tr.kernel("b", 1, meet(&there, &here))})
	if err := e.Synchronize(); err != nil {
		t.Fatal(err)
	}
}

func TestALaunchWaitsForTheOneBefore(t *testing.T) {
	e, tr := newEngine(), new(trace)
	a, b := e.NewStream(stream.NonBlocking, 0), e.NewStream(stream.NonBlocking, 0)
	var open atomic.Bool
	first := launch(t, a, stream.Ticket{}, stream.Step{Command: tr.kernel("one", 1, open.Load)})
	launch(t, b, first, stream.Step{Command: tr.do("two")})
	if done, _ := b.Query(); done {
		t.Error("the second launch did not wait")
	}
	open.Store(true)
	e.Synchronize()
	tr.expect(t, "one", "two")
}

func TestABodyIsRepeatedUntilItHasNoSteps(t *testing.T) {
	e, tr := newEngine(), new(trace)
	turns := 0
	body := stream.Repeat(func() ([]stream.Step, error) {
		if turns++; turns > 3 {
			return nil, nil
		}
		name := strconv.Itoa(turns)
		return []stream.Step{{Command: tr.kernel(name, 2, nil)}, {Command: tr.do(name + "'"), After: []int{0}}}, nil
	})
	launch(t, e.Legacy(), stream.Ticket{}, stream.Step{Command: body}, stream.Step{Command: tr.do("end"), After: []int{0}})
	e.Synchronize()
	tr.expect(t, "1", "1'", "2", "2'", "3", "3'", "end")
}

func TestAFaultInABodyEndsTheGraph(t *testing.T) {
	e, tr := newEngine(), new(trace)
	broken := errors.New("broken")
	body := stream.Repeat(func() ([]stream.Step, error) {
		return []stream.Step{{Command: stream.Do(func() error { return broken })}, {Command: tr.do("dropped"), After: []int{0}}}, nil
	})
	ticket := launch(t, e.Legacy(), stream.Ticket{}, stream.Step{Command: body})
	if err := ticket.Wait(); !errors.Is(err, broken) {
		t.Errorf("waiting gave %v", err)
	}
	tr.expect(t)
}

func TestEventsAreMarkedAndAwaitedInsideAGraph(t *testing.T) {
	y, tr := stream.NewSystem(nil), new(trace)
	e := y.NewEngine()
	a, b := e.NewStream(stream.NonBlocking, 0), e.NewStream(stream.NonBlocking, 0)
	var outside, inside stream.Event
	var open atomic.Bool
	submit(t, a, tr.kernel("outside", 1, open.Load))
	a.Record(&outside)
	launch(t, b, stream.Ticket{},
		stream.Step{Wait: &outside},
		stream.Step{Command: tr.do("step"), After: []int{0}},
		stream.Step{Record: &inside, After: []int{1}})
	if done, _ := y.Query(&inside); done {
		t.Error("the event was passed too early")
	}
	open.Store(true)
	if err := y.Synchronize(&inside); err != nil {
		t.Fatal(err)
	}
	tr.expect(t, "outside", "step")
}

func BenchmarkGraphOfGrids(b *testing.B) {
	e := newEngine()
	s := e.NewStream(stream.Blocking, 0)
	steps := make([]stream.Step, 100)
	for i := range steps {
		steps[i].Command = stream.Kernel(func() (stream.Grid, error) { return &grid{turns: 1}, nil })
		if i > 0 {
			steps[i].After = []int{i - 1}
		}
	}
	for b.Loop() {
		if _, err := s.Launch(steps, stream.Ticket{}); err != nil {
			b.Fatal(err)
		}
		s.Synchronize()
	}
}
