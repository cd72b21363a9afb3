package rt

// What the driver alone does with green contexts: as handles of their own, and as
// contexts that are current.

// green finds a green context by its handle.
func (t *Thread) green(handle uint64) (*ExecutionContext, error) {
	x, ok := t.runtime.executions.get(handle)
	if !ok || !x.green {
		return nil, fail(ErrInvalidContext, "no green context has handle %#x", handle)
	}
	return x, x.context.check()
}

// CheckGreen reports whether a green context exists.
func (t *Thread) CheckGreen(handle uint64) error {
	_, err := t.green(handle)
	return err
}

// WholeDevice describes all multiprocessors of a device for a green context that says
// nothing of them.
func (t *Thread) WholeDevice(device int) (desc uint64, err error) {
	d, err := t.runtime.device(device)
	if err != nil {
		return 0, err
	}
	return t.GenerateDesc([]SMResource{d.wholeDevice()})
}

// CtxFromGreen is cuCtxFromGreenCtx.
func (t *Thread) CtxFromGreen(handle uint64) (uint64, error) {
	x, err := t.green(handle)
	if err != nil {
		return 0, err
	}
	return t.ctxOfGreen(x), nil
}

// ctxOfGreen is the handle of a green context as one that may be current.
func (t *Thread) ctxOfGreen(x *ExecutionContext) uint64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.current == nil {
		x.current = &ctx{device: x.context.device, green: x}
		x.current.handle = t.runtime.ctxs.add(x.current)
	}
	return x.current.handle
}

// StreamGreen is cuStreamGetGreenCtx: 0 for a stream of none.
func (t *Thread) StreamGreen(h StreamHandle) (uint64, error) {
	if _, _, err := t.stream(h); err != nil {
		return 0, err
	}
	if x := t.greenOf(h); x != nil {
		return x.handle, nil
	}
	return 0, nil
}

// ctxNamed is a context that a call names, where 0 names none.
func (t *Thread) ctxNamed(handle uint64) (*ctx, *Context, error) {
	if handle == 0 {
		return nil, nil, fail(ErrInvalidContext, "no context has handle 0")
	}
	b, err := t.ctx(handle)
	if err != nil {
		return nil, nil, err
	}
	c, err := b.context()
	return b, c, err
}

// CtxGetDevResource is cuCtxGetDevResource.
func (t *Thread) CtxGetDevResource(handle uint64, kind int32) (SMResource, error) {
	b, _, err := t.ctxNamed(handle)
	if err != nil {
		return SMResource{}, err
	}
	if b.green != nil {
		return t.ExecutionCtxGetDevResource(b.green.handle, kind)
	}
	return t.DeviceGetDevResource(b.device.ordinal, kind)
}

// CtxRecordEvent is cuCtxRecordEvent: the event marks the work of all streams of a
// context.
func (t *Thread) CtxRecordEvent(handle, event uint64) error {
	b, c, err := t.ctxNamed(handle)
	if err != nil {
		return err
	}
	if b.green != nil {
		return t.recordAll(c, t.members(b.green), event)
	}
	return t.recordAll(c, c.engine.Streams(), event)
}

// CtxWaitEvent is cuCtxWaitEvent: later work of all streams of a context waits for
// the event.
func (t *Thread) CtxWaitEvent(handle, event uint64) error {
	b, c, err := t.ctxNamed(handle)
	if err != nil {
		return err
	}
	if b.green != nil {
		return t.ExecutionCtxWaitEvent(b.green.handle, event)
	}
	e, err := t.event(event)
	if err != nil {
		return err
	}
	for _, s := range c.engine.Streams() {
		if err := s.Wait(&e.event); err != nil {
			return err
		}
	}
	return nil
}
