package rt

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/lockstep-sim/lockstep/stream"
)

// Thread is a host thread. Its methods are API calls; one at a time is called.
type Thread struct {
	runtime *Runtime
	device  int
	last    Error
	driver  bool         // a driver call is under way
	stack   []*ctx       // contexts that were pushed, the current one last
	capture int32        // mode of stream capture
	streams []*perThread // the thread's default streams
}

// perThread is a default stream of a thread, valid while its context lives.
type perThread struct {
	context *Context
	stream  *stream.Stream
}

// NewThread makes the state of a host thread that calls for the first time.
func (r *Runtime) NewThread() *Thread { return &Thread{runtime: r} }

// Runtime is the thread's process.
func (t *Thread) Runtime() *Runtime { return t.runtime }

// Close gives up the default streams of a thread that has ended.
func (t *Thread) Close() {
	for _, p := range t.streams {
		p.stream.Destroy()
	}
	t.streams = nil
}

// Done ends a call: it returns the code of err and makes it the last error.
// cudaErrorNotReady is an answer and not an error.
func (t *Thread) Done(call string, err error) Error {
	code := CodeOf(err)
	if code == Success {
		return Success
	}
	if code == ErrNotReady {
		return code
	}
	t.last = code
	t.runtime.note(call, code, err)
	return code
}

// note tells the user about a call that failed: where calls are logged, and once
// where the reason is that lockstep does not honour an argument or has a bug.
func (r *Runtime) note(call string, code Error, err error) {
	reason := oneLine(err)
	r.logs.add(fmt.Sprintf("%s\nReturning %d (%s) from %s", reason, code, Name(code, 13), call))
	line := call + " returns " + Name(code, 13) + ": " + reason
	if r.config.Log != nil {
		r.config.Log(line)
		return
	}
	var f *Failure
	if code != ErrUnknown && (code != ErrNotSupported || !errors.As(err, &f)) {
		return
	}
	r.sayOnce(line)
}

// notes are the lines that were written. There are so many at most: a program that
// goes on making new mistakes is not told of all, and does not grow.
type notes struct {
	lines sync.Map
	count atomic.Int32
}

const mostNotes = 1000

func (n *notes) fresh(line string) bool {
	if n.count.Load() >= mostNotes {
		return false
	}
	_, again := n.lines.LoadOrStore(line, true)
	if !again {
		n.count.Add(1)
	}
	return !again
}

// sayOnce writes a line for the user, the first time.
func (r *Runtime) sayOnce(line string) {
	if r.noted.fresh(line) {
		r.config.Stderr([]byte("lockstep: " + line + "\n"))
	}
}

// SetLastError records an error that was returned without this package.
func (t *Thread) SetLastError(e Error) { t.last = e }

// GetLastError returns and clears the last error (cudaGetLastError).
func (t *Thread) GetLastError() Error {
	e := t.last
	t.last = Success
	return e
}

// PeekAtLastError returns the last error (cudaPeekAtLastError).
func (t *Thread) PeekAtLastError() Error { return t.last }

// current is the thread's device: that of its current context, if it has one.
func (t *Thread) current() (*Device, error) {
	if b := t.top(); b != nil {
		return b.device, nil
	}
	return t.runtime.device(t.device)
}

// context is the thread's current context. The runtime makes one if there is
// none: the primary context of the thread's device. The error that stopped the
// device is returned by every call that needs it.
func (t *Thread) context() (*Context, error) {
	b := t.top()
	if b == nil {
		if t.driver {
			return nil, fail(ErrInvalidContext, "no context is current")
		}
		d, err := t.runtime.device(t.device)
		if err != nil {
			return nil, err
		}
		b = d.primary()
		t.stack = append(t.stack, b)
	}
	if b.own != nil || b.green != nil || t.driver {
		c, err := b.context()
		if err != nil {
			return nil, err
		}
		return c, c.check()
	}
	c, err := b.device.use()
	if err != nil {
		return nil, err
	}
	return c, c.check()
}

// StreamHandle is a stream as programs name it.
type StreamHandle uint64

// Default streams as programs may name them.
const (
	LegacyStream    StreamHandle = 1
	PerThreadStream StreamHandle = 2
)

// stream finds a stream; 0 is the legacy default stream of the thread's device.
func (t *Thread) stream(h StreamHandle) (*Context, *stream.Stream, error) {
	if h > PerThreadStream {
		s, ok := t.runtime.streams.get(uint64(h))
		if !ok {
			return nil, nil, fail(ErrInvalidResourceHandle, "no stream has handle %#x", uint64(h))
		}
		if err := s.execution.check(); err != nil {
			return nil, nil, err
		}
		return s.context, s.stream, s.context.check()
	}
	c, err := t.context()
	if err != nil {
		return nil, nil, err
	}
	if x := t.greenOf(h); x != nil {
		return c, x.own, nil
	}
	if h == PerThreadStream {
		return c, t.ownStream(c), nil
	}
	return c, c.engine.Legacy(), nil
}

// ownStream is the thread's default stream in a context.
func (t *Thread) ownStream(c *Context) *stream.Stream {
	t.streams = slices.DeleteFunc(t.streams, func(p *perThread) bool { return p.context.closed.Load() })
	for _, p := range t.streams {
		if p.context == c {
			return p.stream
		}
	}
	p := &perThread{c, c.engine.NewStream(stream.Blocking, 0)}
	t.streams = append(t.streams, p)
	return p.stream
}
