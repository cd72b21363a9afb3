package rt

import (
	"slices"

	"github.com/lockstep-sim/lockstep/cudart/layout"
	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// Malloc is cudaMalloc. No bytes are address 0.
func (t *Thread) Malloc(size uint64) (uint64, error) {
	if size == 0 {
		_, err := t.context()
		return 0, err
	}
	c, err := t.uncaptured()
	if err != nil {
		return 0, err
	}
	return c.memory.Alloc(size, 0)
}

// pitchGranule is the unit of pitches in bytes (measured).
const pitchGranule = 512

// pitchOf rounds a row's width in bytes up to a pitch; ok is false for absurd
// widths.
func pitchOf(width uint64) (pitch uint64, ok bool) {
	return (width + pitchGranule - 1) / pitchGranule * pitchGranule, width < 1<<40
}

// MallocPitch is cudaMallocPitch and, with a depth, cudaMalloc3D; width is in
// bytes.
func (t *Thread) MallocPitch(width, height, depth uint64) (addr, pitch uint64, err error) {
	c, err := t.uncaptured()
	if err != nil {
		return 0, 0, err
	}
	pitch, ok := pitchOf(width)
	if pitch < width {
		return 0, 0, fail(ErrInvalidValue, "rows of %d bytes", width)
	}
	if !ok || height >= 1<<40 || depth >= 1<<20 {
		return 0, 0, fail(ErrMemoryAllocation, "%d x %d x %d bytes", width, height, depth)
	}
	if width == 0 || height == 0 || depth == 0 {
		return 0, 0, nil
	}
	if height*depth > t.runtime.model.TotalMemory/pitch {
		return 0, 0, fail(ErrMemoryAllocation, "%d x %d x %d bytes", pitch, height, depth)
	}
	addr, err = c.memory.Alloc(pitch*height*depth, 0)
	return addr, pitch, err
}

// Free is cudaFree. It waits for the device, since its work may still use the
// memory.
func (t *Thread) Free(addr uint64) error {
	_, err := t.uncaptured()
	if err != nil || addr == 0 {
		return err
	}
	c, err := t.owner(addr)
	if err != nil {
		return err
	}
	addr = t.runtime.externals.views.take(addr)
	if err := c.checkFree(addr); err != nil {
		return err
	}
	if err := c.engine.Synchronize(); err != nil {
		return err
	}
	if graphs, err := t.freeGraphBlock(addr); graphs {
		return err
	}
	if pooled, err := c.freePooled(addr); pooled {
		return err
	}
	t.runtime.managed.forget(addr)
	t.runtime.hosted.drop(addr)
	return c.memory.Free(addr)
}

// owner is the context whose allocation holds an address.
func (t *Thread) owner(addr uint64) (*Context, error) {
	c, err := t.context()
	if err != nil {
		return nil, err
	}
	b, ok := c.memory.Lookup(addr)
	if !ok {
		return c, fail(ErrInvalidValue, "%#x is not an allocation", addr)
	}
	if b.Kind != mem.Device {
		if h := t.runtime.hosted.of(b.Base); h.context != nil {
			return h.context, nil
		}
		return c, nil
	}
	for _, x := range t.runtime.contexts() {
		if x.memory.Owns(addr) {
			return x, nil
		}
	}
	return c, nil
}

// checkFree refuses addresses that are not the program's to free.
func (c *Context) checkFree(addr uint64) error {
	if b, ok := c.memory.Lookup(addr); !ok || b.Base != addr || b.Kind == mem.Pinned || b.Kind == mem.Registered ||
		c.isVariable(addr) || c.isForeign(addr) || c.isArray(addr) {
		return fail(ErrInvalidValue, "%#x is not an allocation", addr)
	}
	return nil
}

// isArray reports that the memory of an array starts at addr.
func (c *Context) isArray(addr uint64) bool {
	r := c.device.runtime
	return r.arrays.any(func(a *Array) bool { return a.context == c && a.place.addr == addr })
}

// isVariable reports that a device variable starts at addr.
func (c *Context) isVariable(addr uint64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.modules {
		if slices.Contains(m.placed, addr) {
			return true
		}
	}
	return false
}

// Flags of cudaHostAlloc.
const (
	hostAllocPortable      = 1
	hostAllocMapped        = 2
	hostAllocWriteCombined = 4
	hostAllocMask          = hostAllocPortable | hostAllocMapped | hostAllocWriteCombined
)

// HostAlloc is cudaHostAlloc, and without flags cudaMallocHost. All pinned memory
// is portable and mapped.
func (t *Thread) HostAlloc(size uint64, flags uint32) (uint64, error) {
	c, err := t.uncaptured()
	if err != nil {
		return 0, err
	}
	if flags&^hostAllocMask != 0 {
		return 0, fail(ErrInvalidValue, "host allocation flags %#x", flags)
	}
	if size == 0 {
		return 0, nil
	}
	return c.allocHost(size, mem.Pinned, flags)
}

// FreeHost is cudaFreeHost. It waits for the device.
func (t *Thread) FreeHost(addr uint64) error {
	c, err := t.uncaptured()
	if err != nil || addr == 0 {
		return err
	}
	if err := c.engine.Synchronize(); err != nil {
		return err
	}
	if err := c.memory.FreeHost(addr); err != nil {
		return err
	}
	t.runtime.hosted.drop(addr)
	return nil
}

// Flags of cudaHostRegister.
const (
	hostRegisterMask = 0xf // portable, mapped, input/output memory, read-only
	hostRegisterIO   = 4
)

// HostRegister is cudaHostRegister.
func (t *Thread) HostRegister(addr, size uint64, flags uint32) error {
	c, err := t.uncaptured()
	if err != nil {
		return err
	}
	if addr == 0 || size == 0 || flags&^hostRegisterMask != 0 {
		return fail(ErrInvalidValue, "register %d bytes at %#x with flags %#x", size, addr, flags)
	}
	if flags&hostRegisterIO != 0 {
		return unsupported("registering memory of devices")
	}
	if b, ok := c.memory.Lookup(addr); ok && b.Kind != mem.Registered {
		return fail(ErrInvalidValue, "%v cannot be registered", b)
	}
	if err := c.memory.Register(addr, size); err != nil {
		return err
	}
	t.runtime.hosted.set(addr, hosting{c, flags & (hostAllocPortable | hostAllocMapped)})
	return nil
}

// HostUnregister is cudaHostUnregister. It waits for the device.
func (t *Thread) HostUnregister(addr uint64) error {
	c, err := t.uncaptured()
	if err != nil {
		return err
	}
	if err := c.engine.Synchronize(); err != nil {
		return err
	}
	if b, ok := c.memory.Lookup(addr); addr == 0 || ok && (b.Kind != mem.Registered || b.Base != addr) {
		return fail(ErrInvalidValue, "%#x is not where a registered range begins", addr)
	}
	if err := c.memory.Unregister(addr); err != nil {
		return err
	}
	t.runtime.hosted.drop(addr)
	return nil
}

// pinned finds the pinned or registered block that holds an address.
func (t *Thread) pinned(addr uint64) (mem.Block, error) {
	c, err := t.context()
	if err != nil {
		return mem.Block{}, err
	}
	b, ok := c.memory.Lookup(addr)
	if !ok || b.Kind != mem.Pinned && b.Kind != mem.Registered {
		return b, fail(ErrInvalidValue, "%#x is not pinned host memory", addr)
	}
	return b, nil
}

// HostGetDevicePointer is cudaHostGetDevicePointer: devices use the same address.
func (t *Thread) HostGetDevicePointer(addr uint64, flags uint32) (uint64, error) {
	if flags != 0 {
		return 0, fail(ErrInvalidValue, "flags %#x", flags)
	}
	_, err := t.pinned(addr)
	return addr, err
}

// HostGetFlags is cudaHostGetFlags.
func (t *Thread) HostGetFlags(addr uint64) (uint32, error) {
	b, err := t.pinned(addr)
	if err != nil {
		return 0, err
	}
	return t.runtime.hosted.of(b.Base).flags | hostAllocMapped, nil
}

// MallocManaged is cudaMallocManaged.
func (t *Thread) MallocManaged(size uint64, flags uint32) (uint64, error) {
	c, err := t.uncaptured()
	if err != nil {
		return 0, err
	}
	if flags != attachGlobal && flags != attachHost {
		return 0, fail(ErrInvalidValue, "managed allocation with flags %#x", flags)
	}
	if size == 0 {
		return 0, nil
	}
	if size > t.runtime.model.TotalMemory {
		return 0, fail(ErrMemoryAllocation, "managed allocation of %d bytes", size)
	}
	return c.allocHost(size, mem.Managed, 0)
}

// MemGetInfo is cudaMemGetInfo.
func (t *Thread) MemGetInfo() (free, total uint64, err error) {
	c, err := t.context()
	if err != nil {
		return 0, 0, err
	}
	free, total = c.memory.Info()
	return free, total, nil
}

// Kinds of memory in cudaPointerAttributes.
const (
	pointerUnregistered = 0
	pointerHost         = 1
	pointerDevice       = 2
	pointerManaged      = 3
	noDevice            = -2 // device of memory that belongs to none (measured)
)

// PointerGetAttributes is cudaPointerGetAttributes.
func (t *Thread) PointerGetAttributes(addr uint64) (*layout.PointerAttributes, error) {
	d, err := t.current()
	if err != nil {
		return nil, err
	}
	c, err := d.context() // it need not be well (measured)
	if err != nil {
		return nil, err
	}
	b, ok := c.memory.Lookup(addr)
	a := &layout.PointerAttributes{Type: pointerHost, Device: int32(b.Device), DevicePointer: addr, HostPointer: addr}
	switch {
	case !ok:
		a.Type, a.Device, a.DevicePointer = pointerUnregistered, noDevice, 0
	case b.Kind == mem.Device:
		a.Type, a.HostPointer = pointerDevice, 0
	case b.Kind == mem.Managed:
		a.Type = pointerManaged
	}
	return a, nil
}
