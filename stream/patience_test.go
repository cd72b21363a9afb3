package stream_test

import (
	"testing"
	"time"

	"github.com/lockstep-sim/lockstep/stream"
)

// copying is a copy that ends when it is advanced, and notes that it was.
type copying struct{ advanced chan struct{} }

func (c copying) Advance(int) (bool, error) {
	close(c.advanced)
	return true, nil
}

// begun submits a copy and returns when it has begun.
func begun(t *testing.T) (*stream.Engine, stream.Ticket, copying) {
	t.Helper()
	e := newEngine()
	c, started := copying{make(chan struct{})}, make(chan struct{})
	ticket, err := e.Legacy().Submit(stream.Copy(func() (stream.Grid, error) {
		close(started)
		return c, nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	<-started
	return e, ticket, c
}

func TestTimePassesForACopyWhenTheHostWantsIt(t *testing.T) {
	const soon = 20 * time.Millisecond
	for name, want := range map[string]func(e *stream.Engine, t stream.Ticket){
		"waits":             func(_ *stream.Engine, t stream.Ticket) { _ = t.Wait() },
		"looks":             func(_ *stream.Engine, t stream.Ticket) { t.Done() },
		"looks at a stream": func(e *stream.Engine, _ stream.Ticket) { _, _ = e.Legacy().Query() },
		"synchronises":      func(e *stream.Engine, _ stream.Ticket) { _ = e.Synchronize() },
		"does nothing":      func(*stream.Engine, stream.Ticket) {},
	} {
		t.Run(name, func(t *testing.T) {
			e, ticket, c := begun(t)
			select {
			case <-c.advanced:
				t.Error("it passed at once")
			case <-time.After(soon):
			}
			want(e, ticket)
			<-c.advanced
		})
	}
}

func TestACopyTakesNoGridsPlace(t *testing.T) {
	e := newEngine()
	e.SetGrids(1)
	kernel, copied := make(chan struct{}), make(chan struct{})
	gate := gated(kernel)
	if _, err := e.NewStream(stream.NonBlocking, 0).Submit(stream.Kernel(func() (stream.Grid, error) { return gate, nil })); err != nil {
		t.Fatal(err)
	}
	if _, err := e.NewStream(stream.NonBlocking, 0).Submit(stream.Copy(func() (stream.Grid, error) { return copying{copied}, nil })); err != nil {
		t.Fatal(err)
	}
	<-copied
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
