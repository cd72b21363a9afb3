package rt

import (
	"sync"
	"sync/atomic"

	"github.com/lockstep-sim/lockstep/stream"
)

// ExecutionContext is a set of streams that may be waited for together: those of
// a device, or those of a green context, which has some of its multiprocessors.
type ExecutionContext struct {
	context *Context
	id      uint64
	handle  uint64
	green   bool
	sms     SMResource

	mu      sync.Mutex
	streams []*stream.Stream // of a green context
	own     *stream.Stream   // a green context's default stream
	gate    *stream.Stream   // waits for what all later streams have to wait for
	opened  stream.Event     // the gate's latest mark
	current *ctx             // a green context as one that is current, nil until somebody asks
	gone    atomic.Bool
}

// check refuses a green context that was destroyed; no context is fine.
func (x *ExecutionContext) check() error {
	if x != nil && x.gone.Load() {
		return fail(ErrContextDestroyed, "the green context was destroyed")
	}
	return nil
}

// Types of resources.
const (
	ResourceSM          = 1
	ResourceQueueConfig = 1000
	ResourceQueue       = 10000
)

// GreenCtxCreate is cudaGreenCtxCreate.
func (t *Thread) GreenCtxCreate(desc uint64, device int, flags uint32) (uint64, error) {
	c, err := t.contextOf(device)
	if err != nil {
		return 0, err
	}
	r, ok := t.runtime.resources.get(desc)
	if !ok || flags != 0 || int(r.Device) != device {
		return 0, fail(ErrInvalidValue, "a green context of description %#x on device %d with flags %#x", desc, device, flags)
	}
	x := &ExecutionContext{
		context: c, id: t.runtime.contextIDs.Add(1), green: true, sms: r,
		own: c.engine.NewStream(stream.NonBlocking, 0), gate: c.engine.NewStream(stream.NonBlocking, 0),
	}
	x.sms.Least, x.sms.Align = together, together
	x.handle = t.runtime.executions.add(x)
	return x.handle, nil
}

// DeviceGetExecutionCtx is cudaDeviceGetExecutionCtx.
func (t *Thread) DeviceGetExecutionCtx(device int) (uint64, error) {
	c, err := t.contextOf(device)
	if err != nil {
		return 0, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.execution == 0 {
		r, err := t.DeviceGetDevResource(device, ResourceSM)
		if err != nil {
			return 0, err
		}
		c.execution = t.runtime.executions.add(&ExecutionContext{context: c, id: t.runtime.contextIDs.Add(1), sms: r})
	}
	return c.execution, nil
}

func (t *Thread) execution(handle uint64) (*ExecutionContext, error) {
	x, ok := t.runtime.executions.get(handle)
	if !ok {
		return nil, fail(ErrInvalidValue, "no execution context has handle %#x", handle)
	}
	return x, x.context.check()
}

// ExecutionCtxDestroy is cudaExecutionCtxDestroy. Its streams are gone with it, when
// their work is done.
func (t *Thread) ExecutionCtxDestroy(handle uint64) error {
	x, err := t.execution(handle)
	if err != nil {
		return err
	}
	if !x.green {
		return fail(ErrInvalidValue, "the execution context of a device stays")
	}
	t.runtime.executions.take(handle)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.gone.Store(true)
	x.gate.Destroy()
	x.own.Destroy()
	for _, s := range x.streams {
		s.Destroy()
	}
	return nil
}

// ExecutionCtxGetDevice is cudaExecutionCtxGetDevice.
func (t *Thread) ExecutionCtxGetDevice(handle uint64) (int, error) {
	x, err := t.execution(handle)
	if err != nil {
		return 0, err
	}
	return x.context.device.ordinal, nil
}

// ExecutionCtxGetID is cudaExecutionCtxGetId.
func (t *Thread) ExecutionCtxGetID(handle uint64) (uint64, error) {
	x, err := t.execution(handle)
	if err != nil {
		return 0, err
	}
	return x.id, nil
}

// ExecutionCtxGetDevResource is cudaExecutionCtxGetDevResource.
func (t *Thread) ExecutionCtxGetDevResource(handle uint64, kind int32) (SMResource, error) {
	x, err := t.execution(handle)
	if err != nil {
		return SMResource{}, err
	}
	if kind != ResourceSM && kind != ResourceQueueConfig {
		return SMResource{}, fail(ErrInvalidResourceType, "resource of type %d", kind)
	}
	r := x.sms
	r.Split = 0 // it may be split again
	return r, nil
}

// StreamGetDevResource is cudaStreamGetDevResource.
func (t *Thread) StreamGetDevResource(h StreamHandle, kind int32) (SMResource, error) {
	c, _, err := t.stream(h)
	if err != nil {
		return SMResource{}, err
	}
	if kind != ResourceSM {
		return SMResource{}, fail(ErrInvalidResourceType, "resource of type %d of a stream", kind)
	}
	if s, ok := t.runtime.streams.get(uint64(h)); ok && s.execution != nil {
		return s.execution.sms, nil
	}
	return t.DeviceGetDevResource(c.device.ordinal, kind)
}

// ExecutionCtxStreamCreate is cudaExecutionCtxStreamCreate. Streams of green
// contexts never wait for the legacy default stream.
func (t *Thread) ExecutionCtxStreamCreate(handle uint64, flags uint32, priority int) (StreamHandle, error) {
	x, err := t.execution(handle)
	if err != nil {
		return 0, err
	}
	if flags > streamNonBlocking {
		return 0, fail(ErrInvalidValue, "stream flags %#x", flags)
	}
	if x.green {
		return t.greenStream(x, priority)
	}
	mode := stream.NonBlocking
	if flags == 0 {
		mode = stream.Blocking
	}
	s := x.context.engine.NewStream(mode, min(max(priority, greatestPriority), leastPriority))
	return StreamHandle(t.runtime.streams.add(&Stream{context: x.context, stream: s})), nil
}

// greenStream makes a stream of a green context.
func (t *Thread) greenStream(x *ExecutionContext, priority int) (StreamHandle, error) {
	s := x.context.engine.NewStream(stream.NonBlocking, min(max(priority, greatestPriority), leastPriority))
	x.mu.Lock()
	defer x.mu.Unlock()
	x.streams = append(x.streams, s)
	if err := s.Wait(&x.opened); err != nil {
		return 0, err
	}
	return StreamHandle(t.runtime.streams.add(&Stream{context: x.context, stream: s, execution: x})), nil
}

// greenOf is the green context that a stream belongs to, the current one for the
// default stream; nil for none.
func (t *Thread) greenOf(h StreamHandle) *ExecutionContext {
	if h > PerThreadStream {
		if s, ok := t.runtime.streams.get(uint64(h)); ok {
			return s.execution
		}
		return nil
	}
	if b := t.top(); b != nil {
		return b.green
	}
	return nil
}

// members are the streams of an execution context.
func (t *Thread) members(x *ExecutionContext) []*stream.Stream {
	if x.green {
		x.mu.Lock()
		defer x.mu.Unlock()
		return append([]*stream.Stream{x.gate, x.own}, x.streams...)
	}
	return x.context.engine.Streams()
}

// ExecutionCtxSynchronize is cudaExecutionCtxSynchronize.
func (t *Thread) ExecutionCtxSynchronize(handle uint64) error {
	x, err := t.execution(handle)
	if err != nil {
		return err
	}
	defer x.context.waited()
	for _, s := range t.members(x) {
		if err := s.Synchronize(); err != nil {
			return err
		}
	}
	return nil
}

// ExecutionCtxRecordEvent is cudaExecutionCtxRecordEvent: the event marks the work
// of all streams.
func (t *Thread) ExecutionCtxRecordEvent(handle, event uint64) error {
	x, err := t.execution(handle)
	if err != nil {
		return err
	}
	return t.recordAll(x.context, t.members(x), event)
}

// recordAll has an event mark the work of many streams.
func (t *Thread) recordAll(c *Context, streams []*stream.Stream, event uint64) error {
	e, err := t.event(event)
	if err != nil {
		return err
	}
	if e.context != c {
		return fail(ErrInvalidResourceHandle, "the event and the streams belong to different contexts")
	}
	all := c.engine.NewStream(stream.NonBlocking, 0)
	defer all.Destroy()
	for _, s := range streams {
		var mark stream.Event
		if err := s.Record(&mark); err != nil {
			return err
		}
		if err := all.Wait(&mark); err != nil {
			return err
		}
	}
	return all.Record(&e.event)
}

// ExecutionCtxWaitEvent is cudaExecutionCtxWaitEvent: later work of all streams,
// those made later included, waits for the event.
func (t *Thread) ExecutionCtxWaitEvent(handle, event uint64) error {
	x, err := t.execution(handle)
	if err != nil {
		return err
	}
	e, err := t.event(event)
	if err != nil {
		return err
	}
	for _, s := range t.members(x) {
		if err := s.Wait(&e.event); err != nil {
			return err
		}
	}
	if !x.green {
		return nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.gate.Record(&x.opened)
}
