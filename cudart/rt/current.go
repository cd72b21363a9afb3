package rt

import "slices"

// ctx is a context as the driver API names it: one that cuCtxCreate made, or
// a device's primary context, which the runtime uses. The handle of a primary
// context stays the same when the context is made anew.
type ctx struct {
	device *Device
	own    *Context          // of cuCtxCreate; nil for the primary one
	green  *ExecutionContext // of cuCtxFromGreenCtx, in the primary one
	handle uint64
	flags  uint32
	narrow bool // of CUDA 3.1: addresses have 32 bits
	uses   int  // cuCtxAttach
	gone   bool // destroyed
}

// Flags of contexts: those of devices and two that have no effect here, core
// dumps.
const contextFlagsMask = deviceFlagsMask | 0x60

// context is what the handle stands for now.
func (b *ctx) context() (*Context, error) {
	if b.green != nil {
		return b.green.context, b.green.check()
	}
	if b.own != nil {
		if b.gone {
			return nil, fail(ErrContextDestroyed, "the context was destroyed")
		}
		return b.own, nil
	}
	if c := b.device.existing(); c != nil {
		return c, nil
	}
	return nil, fail(ErrContextDestroyed, "the primary context of device %d is not in use", b.device.ordinal)
}

// primary stands for the device's primary context.
func (d *Device) primary() *ctx {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.handle == nil {
		d.handle = &ctx{device: d}
		d.handle.handle = d.runtime.ctxs.add(d.handle)
	}
	return d.handle
}

// top is the thread's current context, nil if there is none.
func (t *Thread) top() *ctx {
	if len(t.stack) == 0 {
		return nil
	}
	return t.stack[len(t.stack)-1]
}

// replaceTop makes a context current in place of the one that is; nil leaves none.
func (t *Thread) replaceTop(b *ctx) {
	t.stack = t.stack[:max(len(t.stack)-1, 0)]
	if b != nil {
		t.stack = append(t.stack, b)
	}
}

// ctx finds a context by its handle.
func (t *Thread) ctx(handle uint64) (*ctx, error) {
	if handle == 0 {
		return nil, fail(ErrInvalidValue, "no context has handle 0")
	}
	b, ok := t.runtime.ctxs.get(handle)
	if !ok {
		return nil, fail(ErrInvalidContext, "no context has handle %#x", handle)
	}
	return b, nil
}

// CtxCreate is cuCtxCreate: it makes a context and pushes it.
func (t *Thread) CtxCreate(flags uint32, ordinal int) (uint64, error) {
	return t.createCtx(flags, ordinal, false)
}

// CtxCreateNarrow is cuCtxCreate of CUDA 3.1, whose addresses have 32 bits.
func (t *Thread) CtxCreateNarrow(flags uint32, ordinal int) (uint64, error) {
	return t.createCtx(flags, ordinal, true)
}

func (t *Thread) createCtx(flags uint32, ordinal int, narrow bool) (uint64, error) {
	d, err := t.runtime.device(ordinal)
	if err != nil {
		return 0, err
	}
	if !validContextFlags(flags) {
		return 0, fail(ErrInvalidValue, "context flags %#x", flags)
	}
	c, err := newContext(d, narrow)
	if err != nil {
		return 0, err
	}
	b := &ctx{device: d, own: c, flags: flags, narrow: narrow, uses: 1}
	b.handle = t.runtime.ctxs.add(b)
	d.mu.Lock()
	d.others = append(d.others, c)
	d.mu.Unlock()
	t.stack = append(t.stack, b)
	return b.handle, nil
}

func validContextFlags(flags uint32) bool {
	schedule := flags & deviceScheduleMask
	return flags&^contextFlagsMask == 0 && schedule&(schedule-1) == 0
}

// CtxDestroy is cuCtxDestroy. A context that is current to the caller is popped.
func (t *Thread) CtxDestroy(handle uint64) error {
	b, err := t.ctx(handle)
	if err != nil {
		return err
	}
	if b.own == nil {
		return fail(ErrInvalidContext, "a primary context is released, not destroyed, and a green one by itself")
	}
	if _, ok := t.runtime.ctxs.take(handle); !ok {
		return fail(ErrInvalidContext, "no context has handle %#x", handle)
	}
	b.gone = true
	if t.top() == b {
		t.stack = t.stack[:len(t.stack)-1]
	}
	d := b.device
	d.mu.Lock()
	d.others = slices.DeleteFunc(d.others, func(c *Context) bool { return c == b.own })
	d.mu.Unlock()
	return b.own.close()
}

// CtxAttach is cuCtxAttach: one more use of the current context.
func (t *Thread) CtxAttach(flags uint32) (uint64, error) {
	b := t.top()
	if b == nil {
		return 0, fail(ErrInvalidContext, "no context is current")
	}
	if flags != 0 {
		return 0, fail(ErrInvalidValue, "flags %#x", flags)
	}
	b.device.mu.Lock()
	defer b.device.mu.Unlock()
	b.uses++
	return b.handle, nil
}

// CtxDetach is cuCtxDetach: the last use destroys the context.
func (t *Thread) CtxDetach(handle uint64) error {
	b, err := t.ctx(handle)
	if err != nil {
		return err
	}
	b.device.mu.Lock()
	b.uses--
	last := b.uses <= 0
	b.device.mu.Unlock()
	if last {
		return t.CtxDestroy(handle)
	}
	return nil
}

// CtxPush is cuCtxPushCurrent.
func (t *Thread) CtxPush(handle uint64) error {
	b, err := t.ctx(handle)
	if err == nil {
		t.stack = append(t.stack, b)
	}
	return err
}

// CtxPop is cuCtxPopCurrent.
func (t *Thread) CtxPop() (uint64, error) {
	b := t.top()
	if b == nil {
		return 0, fail(ErrInvalidContext, "no context is current")
	}
	t.replaceTop(nil)
	return b.handle, nil
}

// CtxSet is cuCtxSetCurrent; handle 0 leaves none.
func (t *Thread) CtxSet(handle uint64) error {
	if handle == 0 {
		t.replaceTop(nil)
		return nil
	}
	b, err := t.ctx(handle)
	if err == nil {
		t.replaceTop(b)
	}
	return err
}

// CtxGet is cuCtxGetCurrent: 0 where there is none.
func (t *Thread) CtxGet() uint64 {
	if b := t.top(); b != nil {
		return b.handle
	}
	return 0
}

// CtxGetDevice is cuCtxGetDevice of a context, 0 for the current one.
func (t *Thread) CtxGetDevice(handle uint64) (int, error) {
	b, err := t.ctxOrTop(handle)
	if err != nil {
		return 0, err
	}
	return b.device.ordinal, nil
}

// ctxOrTop is a context by its handle, 0 for the current one.
func (t *Thread) ctxOrTop(handle uint64) (*ctx, error) {
	if handle != 0 {
		return t.ctx(handle)
	}
	if b := t.top(); b != nil {
		return b, nil
	}
	return nil, fail(ErrInvalidContext, "no context is current")
}

// CtxGetFlags is cuCtxGetFlags.
func (t *Thread) CtxGetFlags() (uint32, error) {
	b, err := t.ctxOrTop(0)
	if err != nil {
		return 0, err
	}
	if b.own != nil {
		return b.flags, nil
	}
	b.device.mu.Lock()
	defer b.device.mu.Unlock()
	return b.device.flags | deviceMapHost, nil
}

// CtxSetFlags is cuCtxSetFlags.
func (t *Thread) CtxSetFlags(flags uint32) error {
	b, err := t.ctxOrTop(0)
	if err != nil {
		return err
	}
	if !validContextFlags(flags) {
		return fail(ErrInvalidValue, "context flags %#x", flags)
	}
	b.device.mu.Lock()
	defer b.device.mu.Unlock()
	if b.own != nil {
		b.flags = flags
	} else {
		b.device.flags = flags
	}
	return nil
}

// CtxGetID is cuCtxGetId.
func (t *Thread) CtxGetID(handle uint64) (uint64, error) {
	b, err := t.ctxOrTop(handle)
	if err != nil {
		return 0, err
	}
	return (b.handle - firstHandle) / handleStep, nil
}

// What cuCtxGetApiVersion reports of contexts and of narrow ones.
const (
	contextVersion = 3020
	narrowVersion  = 3010
)

// CtxGetAPIVersion is cuCtxGetApiVersion.
func (t *Thread) CtxGetAPIVersion(handle uint64) (uint32, error) {
	b, err := t.ctxOrTop(handle)
	if err == nil && b.narrow {
		return narrowVersion, nil
	}
	return contextVersion, err
}

// CheckNarrow refuses calls with addresses of 32 bits in contexts that have others.
func (t *Thread) CheckNarrow() error {
	if b := t.top(); b == nil || !b.narrow {
		return fail(ErrInvalidContext, "the current context was not made by cuCtxCreate of CUDA 3.1")
	}
	return nil
}

// CheckNoContext refuses threads that have a context.
func (t *Thread) CheckNoContext() error {
	if t.top() != nil {
		return fail(ErrInvalidContext, "a context is current")
	}
	return nil
}

// CtxSynchronize is cuCtxSynchronize of a context, 0 for the current one.
func (t *Thread) CtxSynchronize(handle uint64) error {
	if handle == 0 {
		return t.DeviceSynchronize()
	}
	b, err := t.ctx(handle)
	if err != nil {
		return err
	}
	c, err := b.context()
	if err != nil {
		return err
	}
	defer c.flush()
	return c.engine.Synchronize()
}

// CtxPeer makes another context's memory accessible to the current one, or ends
// that (cuCtxEnablePeerAccess, cuCtxDisablePeerAccess).
func (t *Thread) CtxPeer(handle uint64, flags uint32, on bool) error {
	c, err := t.context()
	if err != nil {
		return err
	}
	b, err := t.ctx(handle)
	if err != nil {
		return err
	}
	p, err := b.context()
	switch {
	case err != nil:
		return err
	case flags != 0:
		return fail(ErrInvalidValue, "peer access flags %#x", flags)
	}
	if p.device == c.device {
		if on {
			return fail(ErrPeerAccessUnsupported, "the contexts belong to one device")
		}
		return fail(ErrPeerAccessNotEnabled, "the contexts belong to one device")
	}
	if on {
		return t.DeviceEnablePeerAccess(p.device.ordinal, 0)
	}
	return t.DeviceDisablePeerAccess(p.device.ordinal)
}

// PrimaryRetain is cuDevicePrimaryCtxRetain.
func (t *Thread) PrimaryRetain(ordinal int) (uint64, error) {
	d, err := t.runtime.device(ordinal)
	if err != nil {
		return 0, err
	}
	if _, err := d.context(); err != nil {
		return 0, err
	}
	b := d.primary()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.retained++
	return b.handle, nil
}

// PrimaryRelease is cuDevicePrimaryCtxRelease; the last one resets the context,
// unless the runtime uses it.
func (t *Thread) PrimaryRelease(ordinal int) error {
	d, err := t.runtime.device(ordinal)
	if err != nil {
		return err
	}
	d.mu.Lock()
	if d.retained == 0 {
		d.mu.Unlock()
		return fail(ErrInvalidContext, "the primary context is not retained")
	}
	d.retained--
	last := d.retained == 0 && !d.used
	d.mu.Unlock()
	if last {
		return d.reset()
	}
	return nil
}

// PrimaryReset is cuDevicePrimaryCtxReset.
func (t *Thread) PrimaryReset(ordinal int) error {
	d, err := t.runtime.device(ordinal)
	if err != nil {
		return err
	}
	return d.reset()
}

// PrimarySetFlags is cuDevicePrimaryCtxSetFlags.
func (t *Thread) PrimarySetFlags(ordinal int, flags uint32) error {
	d, err := t.runtime.device(ordinal)
	if err != nil {
		return err
	}
	if !validContextFlags(flags) {
		return fail(ErrInvalidValue, "context flags %#x", flags)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.flags = flags
	return nil
}

// PrimaryState is cuDevicePrimaryCtxGetState.
func (t *Thread) PrimaryState(ordinal int) (flags uint32, active bool, err error) {
	d, err := t.runtime.device(ordinal)
	if err != nil {
		return 0, false, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.flags, d.current != nil, nil
}

// Multiprocessors is the number of multiprocessors of the current context.
func (t *Thread) Multiprocessors() (int, error) {
	c, err := t.context()
	if err != nil {
		return 0, err
	}
	return int(c.device.model.SM.Count), nil
}

// SharedMemConfig is cuCtxGetSharedMemConfig: banks have four bytes.
func (t *Thread) SharedMemConfig() (int, error) {
	const fourBytes = 1
	_, err := t.context()
	return fourBytes, err
}
