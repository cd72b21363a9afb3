package rt

import (
	"sync"

	"github.com/lockstep-sim/lockstep/stream"
)

// ExecutionContext is a set of streams that may be waited for together: those of
// a device, or those of a green context, which has some of its multiprocessors.
type ExecutionContext struct {
	context *Context
	id      uint64
	green   bool
	sms     SMResource

	mu      sync.Mutex
	streams []*stream.Stream // of a green context
	gate    *stream.Stream   // waits for what all later streams have to wait for
	opened  stream.Event     // the gate's latest mark
	gone    bool
}

// SMResource is a set of multiprocessors of a device.
type SMResource struct {
	Device, Count, Least, Align, Flags uint32
	Split                              uint64 // call that made it, 0 for the whole device
}

// Types of resources.
const (
	ResourceSM          = 1
	ResourceQueueConfig = 1000
	ResourceQueue       = 10000
)

// Flags of a split.
const (
	splitApart   = 1 // ignore which multiprocessors are scheduled together
	splitCluster = 2 // groups for the largest clusters
)

// Multiprocessors that are scheduled together, by what a split asks for (CUDA
// runtime API, execution context management; compute capability 9.0).
const (
	togetherApart   = 2
	together        = 8
	togetherCluster = 16
)

// DeviceGetDevResource is cudaDeviceGetDevResource for multiprocessors.
func (t *Thread) DeviceGetDevResource(device int, kind int32) (SMResource, error) {
	d, err := t.runtime.device(device)
	if err != nil {
		return SMResource{}, err
	}
	if kind != ResourceSM && kind != ResourceQueueConfig {
		return SMResource{}, fail(ErrInvalidResourceType, "resource of type %d of a device", kind)
	}
	return SMResource{Device: uint32(device), Count: uint32(d.model.SM.Count), Least: together, Align: together}, nil
}

// SplitByCount is cudaDevSmResourceSplitByCount: equal groups of at least that
// many multiprocessors, at most most of them, and what is left.
func (t *Thread) SplitByCount(r SMResource, most, count, flags uint32) (groups []SMResource, rest SMResource, err error) {
	if flags&^(splitApart|splitCluster) != 0 || count > r.Count {
		return nil, rest, fail(ErrInvalidValue, "groups of %d of %d multiprocessors with flags %#x", count, r.Count, flags)
	}
	align := uint32(together)
	switch {
	case flags&splitApart != 0:
		align = togetherApart
	case flags&splitCluster != 0:
		align = togetherCluster
	}
	each := max(count+align-1, align) / align * align
	n := min(r.Count/each, most)
	if n == 0 {
		return nil, rest, fail(ErrInvalidResourceConfiguration, "groups of %d of %d multiprocessors", each, r.Count)
	}
	split := t.runtime.splits.Add(1)
	for range n {
		groups = append(groups, SMResource{Device: r.Device, Count: each, Least: align, Align: align, Split: split})
	}
	if left := r.Count - n*each; left > 0 {
		rest = SMResource{Device: r.Device, Count: left, Least: togetherApart, Align: togetherApart, Split: split}
	}
	return groups, rest, nil
}

// SplitGroup asks for a group of a structured split. Count 0 is as many as are
// left.
type SplitGroup struct{ Count, Together, Preferred, Flags uint32 }

// groupBackfill takes multiprocessors that are not scheduled together, too.
const groupBackfill = 1

// Split is cudaDevSmResourceSplit. The groups come back with the counts that they
// got.
func (t *Thread) Split(r SMResource, flags uint32, groups []SplitGroup) (got []SMResource, rest SMResource, err error) {
	if flags != 0 || len(groups) == 0 {
		return nil, rest, fail(ErrInvalidValue, "%d groups with flags %#x", len(groups), flags)
	}
	split, left := t.runtime.splits.Add(1), r.Count
	for i := range groups {
		g := &groups[i]
		if g.Together == 0 {
			g.Together = together
		}
		if g.Together > 4*together || g.Together%2 != 0 || g.Flags&^groupBackfill != 0 || g.Count%2 != 0 || g.Count > r.Count {
			return nil, rest, fail(ErrInvalidResourceConfiguration, "a group of %d multiprocessors, %d together, flags %#x", g.Count, g.Together, g.Flags)
		}
		if g.Preferred == 0 {
			g.Preferred = g.Together
		}
		if g.Count == 0 {
			g.Count = left / g.Together * g.Together
			if g.Flags&groupBackfill != 0 {
				g.Count = left
			}
		}
		if g.Count > left || g.Count < g.Together || g.Flags&groupBackfill == 0 && g.Count%g.Together != 0 {
			return nil, rest, fail(ErrInvalidResourceConfiguration, "a group of %d multiprocessors of %d that are left", g.Count, left)
		}
		left -= g.Count
		got = append(got, SMResource{Device: r.Device, Count: g.Count, Least: togetherApart, Align: g.Together, Flags: g.Flags, Split: split})
	}
	if left > 0 {
		rest = SMResource{Device: r.Device, Count: left, Least: togetherApart, Align: togetherApart, Split: split}
	}
	return got, rest, nil
}

// GenerateDesc is cudaDevResourceGenerateDesc: resources of one split, or one.
func (t *Thread) GenerateDesc(list []SMResource) (uint64, error) {
	if len(list) == 0 {
		return 0, fail(ErrInvalidValue, "no resources")
	}
	whole := list[0]
	for _, r := range list[1:] {
		if r.Device != whole.Device || r.Split != whole.Split || r.Align != whole.Align {
			return 0, fail(ErrInvalidResourceConfiguration, "resources of different splits")
		}
		whole.Count += r.Count
	}
	return t.runtime.resources.add(whole), nil
}

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
	x := &ExecutionContext{context: c, id: t.runtime.contextIDs.Add(1), green: true, sms: r, gate: c.engine.NewStream(stream.NonBlocking, 0)}
	return t.runtime.executions.add(x), nil
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

// ExecutionCtxDestroy is cudaExecutionCtxDestroy. Its streams only can be
// destroyed from then on.
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
	x.gone = true
	x.gate.Destroy()
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
	mode := stream.NonBlocking
	if !x.green && flags == 0 {
		mode = stream.Blocking
	}
	s := x.context.engine.NewStream(mode, min(max(priority, greatestPriority), leastPriority))
	made := &Stream{context: x.context, stream: s}
	if x.green {
		x.mu.Lock()
		defer x.mu.Unlock()
		made.execution = x
		x.streams = append(x.streams, s)
		if err := s.Wait(&x.opened); err != nil {
			return 0, err
		}
	}
	return StreamHandle(t.runtime.streams.add(made)), nil
}

// members are the streams of an execution context.
func (t *Thread) members(x *ExecutionContext) []*stream.Stream {
	if x.green {
		x.mu.Lock()
		defer x.mu.Unlock()
		return append([]*stream.Stream{x.gate}, x.streams...)
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
	e, err := t.event(event)
	if err != nil {
		return err
	}
	if e.context != x.context {
		return fail(ErrInvalidResourceHandle, "the event and the execution context belong to different devices")
	}
	all := x.context.engine.NewStream(stream.NonBlocking, 0)
	defer all.Destroy()
	for _, s := range t.members(x) {
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
