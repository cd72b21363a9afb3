package rt

import (
	"github.com/lockstep-sim/lockstep/gpu/mem"
	"github.com/lockstep-sim/lockstep/stream"
)

// Stream is a stream that a program made.
type Stream struct {
	context   *Context
	stream    *stream.Stream
	execution *ExecutionContext // a green context that it belongs to, or nil
}

// Flags of streams.
const (
	streamNonBlocking = 1
)

// Priorities of streams, as devices from sm_70 on report them (measured).
const (
	leastPriority    = 0
	greatestPriority = -5
)

// StreamCreate is cudaStreamCreate and its relatives. A priority out of range
// becomes the nearest.
func (t *Thread) StreamCreate(flags uint32, priority int) (StreamHandle, error) {
	c, err := t.context()
	if err != nil {
		return 0, err
	}
	if flags > streamNonBlocking {
		return 0, fail(ErrInvalidValue, "stream flags %#x", flags)
	}
	if x := t.greenOf(LegacyStream); x != nil {
		return t.greenStream(x, priority)
	}
	mode := stream.Blocking
	if flags == streamNonBlocking {
		mode = stream.NonBlocking
	}
	priority = min(max(priority, greatestPriority), leastPriority)
	return StreamHandle(t.runtime.streams.add(&Stream{context: c, stream: c.engine.NewStream(mode, priority)})), nil
}

// StreamDestroy is cudaStreamDestroy. Work in the stream is still done.
func (t *Thread) StreamDestroy(h StreamHandle) error {
	s, ok := t.runtime.streams.take(uint64(h))
	if !ok {
		return fail(ErrInvalidResourceHandle, "no stream has handle %#x", uint64(h))
	}
	if err := s.execution.check(); err != nil {
		return err
	}
	t.runtime.leave(s.stream)
	s.stream.Destroy()
	c := s.context
	c.mu.Lock()
	delete(c.hints, s.stream)
	c.mu.Unlock()
	return c.check()
}

// StreamSynchronize is cudaStreamSynchronize.
func (t *Thread) StreamSynchronize(h StreamHandle) error {
	c, s, err := t.observed(h)
	if err != nil {
		return err
	}
	defer c.waited()
	return s.Synchronize()
}

// StreamQuery is cudaStreamQuery.
func (t *Thread) StreamQuery(h StreamHandle) error {
	c, s, err := t.observed(h)
	if err != nil {
		return err
	}
	done, err := s.Query()
	if err == nil && !done {
		return ErrNotReady
	}
	c.flush()
	return err
}

// StreamGetFlags is cudaStreamGetFlags.
func (t *Thread) StreamGetFlags(h StreamHandle) (uint32, error) {
	_, s, err := t.uncapturable(h)
	if err != nil {
		return 0, err
	}
	if s.Mode() == stream.NonBlocking {
		return streamNonBlocking, nil
	}
	return 0, nil
}

// StreamGetPriority is cudaStreamGetPriority.
func (t *Thread) StreamGetPriority(h StreamHandle) (int, error) {
	_, s, _, err := t.work(h)
	if err != nil {
		return 0, err
	}
	return s.Priority(), nil
}

// StreamGetID is cudaStreamGetId.
func (t *Thread) StreamGetID(h StreamHandle) (uint64, error) {
	_, s, err := t.uncapturable(h)
	if err != nil {
		return 0, err
	}
	return s.ID(), nil
}

// StreamGetDevice is cudaStreamGetDevice.
func (t *Thread) StreamGetDevice(h StreamHandle) (int, error) {
	c, _, err := t.uncapturable(h)
	if err != nil {
		return 0, err
	}
	return c.device.ordinal, nil
}

// LaunchHostFunc is cudaLaunchHostFunc.
func (t *Thread) LaunchHostFunc(h StreamHandle, f HostCall) error {
	c, s, m, err := t.work(h)
	if err != nil {
		return err
	}
	if m != nil {
		return t.add(m, &hostTask{c, f})
	}
	_, err = s.Submit(stream.HostFunc(func() { c.flush(); f.Run() }))
	return err
}

// StreamAddCallback is cudaStreamAddCallback.
func (t *Thread) StreamAddCallback(h StreamHandle, f func(status Error)) error {
	c, s, m, err := t.work(h)
	if err != nil {
		return err
	}
	if m != nil {
		return t.refuse(m)
	}
	_, err = s.Submit(stream.Callback(func(err error) { c.flush(); f(CodeOf(err)) }))
	return err
}

// Flags of cudaStreamAttachMemAsync.
const (
	attachGlobal = 1
	attachHost   = 2
	attachSingle = 4
)

// StreamAttachMem is cudaStreamAttachMemAsync. Host and device may always both
// touch managed memory here, so there is nothing to do.
func (t *Thread) StreamAttachMem(h StreamHandle, addr, size uint64, flags uint32) error {
	c, _, err := t.uncapturable(h)
	if err != nil {
		return err
	}
	if flags != attachGlobal && flags != attachHost && flags != attachSingle {
		return fail(ErrInvalidValue, "attach flags %#x", flags)
	}
	if flags == attachSingle && h == LegacyStream {
		return fail(ErrInvalidValue, "memory attached to the legacy default stream alone")
	}
	b, ok := c.memory.Lookup(addr)
	if !ok || b.Kind != mem.Managed || b.Base != addr || size != 0 && size != b.Size {
		return fail(ErrInvalidValue, "%d bytes at %#x are not an allocation of managed memory", size, addr)
	}
	return nil
}

// submit executes x in stream order. wait makes the host wait for it.
func (c *Context) submit(s *stream.Stream, wait bool, x transfer) error {
	ticket, err := s.Submit(x.command())
	if err != nil || !wait {
		return err
	}
	defer c.flush()
	return ticket.Wait()
}
