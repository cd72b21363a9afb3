package rt

import (
	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// MemAlloc is cuMemAlloc: unlike cudaMalloc it refuses no bytes.
func (t *Thread) MemAlloc(size uint64) (uint64, error) {
	if _, err := t.context(); err != nil {
		return 0, err
	}
	if size == 0 {
		return 0, fail(ErrInvalidValue, "an allocation of no bytes")
	}
	return t.Malloc(size)
}

// MemAllocPitch is cuMemAllocPitch for accesses of 4, 8 or 16 bytes.
func (t *Thread) MemAllocPitch(width, height uint64, access uint32) (addr, pitch uint64, err error) {
	if _, err := t.context(); err != nil {
		return 0, 0, err
	}
	if access != 4 && access != 8 && access != 16 || width == 0 || height == 0 {
		return 0, 0, fail(ErrInvalidValue, "%d rows of %d bytes for accesses of %d", height, width, access)
	}
	return t.MallocPitch(width, height, 1)
}

// MemFree is cuMemFree, which needs no current context.
func (t *Thread) MemFree(addr uint64) error {
	if addr == 0 {
		return nil
	}
	if _, err := t.anyContext(); err != nil {
		return err
	}
	return t.Free(addr)
}

// anyContext is the current context or else one that exists: addresses are of one
// space.
func (t *Thread) anyContext() (*Context, error) {
	if t.top() != nil {
		return t.context()
	}
	if all := t.runtime.contexts(); len(all) > 0 {
		return all[0], nil
	}
	return nil, fail(ErrInvalidValue, "no context exists")
}

// MemGetAddressRange is cuMemGetAddressRange: the allocation that holds an
// address, its size in bytes.
func (t *Thread) MemGetAddressRange(addr uint64) (base, size uint64, err error) {
	c, err := t.context()
	if err != nil {
		return 0, 0, err
	}
	b, ok := c.memory.Lookup(addr)
	if !ok {
		return 0, 0, fail(ErrSymbolNotFound, "%#x is in no allocation", addr)
	}
	return b.Base, b.Size, nil
}

// Fill is the memsets of the driver: elements of 1, 2 or 4 bytes, rows a pitch
// apart; the width in elements.
func (t *Thread) Fill(m Memset, o Order) error {
	if _, err := t.context(); err != nil {
		return err
	}
	size := uint64(m.Size)
	m.depth = 1
	if m.Dst%size != 0 || m.Height > 1 && (m.Pitch%size != 0 || m.Pitch < m.Width*size) {
		return fail(ErrInvalidValue, "elements of %d bytes at %#x with a pitch of %d", size, m.Dst, m.Pitch)
	}
	return t.fill(m, o)
}

// Memory types of the driver's copies.
const (
	memoryHost    = 1
	memoryDevice  = 2
	memoryArray   = 3
	memoryUnified = 4
)

// CopyEnd is one end of the driver's copies in two and three dimensions. Pitch
// and Height describe memory; X is in bytes.
type CopyEnd struct {
	Type                int32
	Host, Device, Array uint64
	X, Y, Z, Level      uint64
	Pitch, Height       uint64
}

// CopyBox is cuMemcpy2D and cuMemcpy3D; the width is in bytes.
func (t *Thread) CopyBox(dst, src CopyEnd, e Extent, o Order) error {
	c, err := t.context()
	if err != nil {
		return err
	}
	b := box{e.Width, e.Height, e.Depth}
	if b.empty() {
		return nil
	}
	to, err := t.place(c, dst, b)
	if err != nil {
		return err
	}
	from, err := t.place(c, src, b)
	if err != nil {
		return err
	}
	return t.copyBox(to, from, b, anyDirection, o)
}

// place finds one end of a copy.
func (t *Thread) place(c *Context, e CopyEnd, b box) (region, error) {
	addr := e.Device
	switch e.Type {
	case memoryArray:
		if e.Array == 0 || e.Level != 0 {
			return region{}, fail(ErrInvalidValue, "level %d of array %#x", e.Level, e.Array)
		}
		a, err := t.array(e.Array)
		if err != nil {
			return region{}, err
		}
		return a.at(e.X, e.Y, e.Z), a.holds(e.X, e.Y, e.Z, b)
	case memoryHost:
		addr = e.Host
	case memoryDevice, memoryUnified:
	default:
		return region{}, fail(ErrInvalidValue, "memory type %d", e.Type)
	}
	if addr == 0 || e.Type == memoryDevice && c.side(addr) == plain || e.Type == memoryHost && c.side(addr) == device {
		return region{}, fail(ErrInvalidValue, "%#x is not memory of type %d", addr, e.Type)
	}
	pitch, rows := e.Pitch, e.Height
	if pitch == 0 {
		pitch = e.X + b.width
	}
	if rows == 0 {
		rows = e.Y + b.height
	}
	if b.height > 1 && pitch < e.X+b.width || b.depth > 1 && rows < e.Y+b.height {
		return region{}, fail(ErrInvalidValue, "rows of %d bytes at a pitch of %d, %d of %d", b.width, pitch, b.height, rows)
	}
	r := region{addr: addr, pitch: pitch, slice: pitch * rows}
	r.addr += e.Z*r.slice + e.Y*r.pitch + e.X
	return r, nil
}

// CopyArray is the copies between memory and a one-dimensional array, or the
// first row of another (cuMemcpyHtoA and its relatives): n bytes at an offset in
// bytes.
func (t *Thread) CopyArray(array, offset, addr, n uint64, toArray bool, o Order) error {
	a, err := t.array(array)
	if err != nil {
		return err
	}
	if row := a.extent.Width * a.format.bytes(); n > row || offset > row-n {
		return fail(ErrInvalidValue, "%d bytes at %d of a row of %d", n, offset, row)
	}
	if toArray {
		return t.MemcpyToArray(Spot{Array: array, X: offset}, addr, n, anyDirection, o)
	}
	return t.MemcpyFromArray(addr, Spot{Array: array, X: offset}, n, anyDirection, o)
}

// CopyArrays is cuMemcpyAtoA: n bytes between one-dimensional arrays.
func (t *Thread) CopyArrays(dst, dstOffset, src, srcOffset, n uint64, o Order) error {
	return t.MemcpyArrayToArray(Spot{Array: dst, X: dstOffset}, Spot{Array: src, X: srcOffset}, n, anyDirection, o)
}

// CopyUnified is cuMemcpy and its relatives. kind says which ends have to be
// memory of a device.
func (t *Thread) CopyUnified(dst, src, n uint64, kind int, o Order) error {
	c, err := t.context()
	if err != nil {
		return err
	}
	if n == 0 {
		return nil
	}
	if dst == 0 || src == 0 {
		return fail(ErrInvalidValue, "a copy from %#x to %#x", src, dst)
	}
	if c.side(dst) == plain && (kind == hostToDevice || kind == deviceToDevice) ||
		c.side(src) == plain && (kind == deviceToHost || kind == deviceToDevice) {
		return fail(ErrInvalidValue, "a copy from %#x to %#x, one of which is not memory of a device", src, dst)
	}
	return t.Memcpy(dst, src, n, anyDirection, o)
}

// CopyContexts is cuMemcpyPeer: addresses say themselves whose they are.
func (t *Thread) CopyContexts(dst, dstContext, src, srcContext, n uint64, o Order) error {
	for _, h := range []uint64{dstContext, srcContext} {
		if _, err := t.ctx(h); err != nil {
			return err
		}
	}
	return t.CopyUnified(dst, src, n, deviceToDevice, o)
}

// Attributes of pointers (CUpointer_attribute).
const (
	pointerContext     = 1
	pointerType        = 2
	pointerDeviceAddr  = 3
	pointerHostAddr    = 4
	pointerTokens      = 5
	pointerSyncMemops  = 6
	pointerBuffer      = 7
	pointerIsManaged   = 8
	pointerOrdinal     = 9
	pointerLegacyIPC   = 10
	pointerRangeStart  = 11
	pointerRangeSize   = 12
	pointerMapped      = 13
	pointerHandleTypes = 14
	pointerRDMA        = 15
	pointerAccess      = 16
	pointerPool        = 17
	pointerMapSize     = 18
	pointerMapBase     = 19
	pointerBlock       = 20
	pointerHWDecode    = 21
)

// pointerWide are the attributes of 64 bits; the others have 32, those of pointerFlag 8.
var (
	pointerWide = map[int]bool{
		pointerContext: true, pointerDeviceAddr: true, pointerHostAddr: true, pointerBuffer: true, pointerRangeStart: true,
		pointerRangeSize: true, pointerHandleTypes: true, pointerPool: true, pointerMapSize: true, pointerMapBase: true, pointerBlock: true,
	}
	pointerFlag = map[int]bool{pointerMapped: true, pointerLegacyIPC: true}
)

// PointerAttributeBytes is the size of an attribute's value.
func PointerAttributeBytes(attribute int) int {
	switch {
	case pointerWide[attribute]:
		return 8
	case pointerFlag[attribute]:
		return 1
	}
	return 4
}

// PointerAttribute is cuPointerGetAttribute.
func (t *Thread) PointerAttribute(attribute int, addr uint64) (uint64, error) {
	c, err := t.anyContext()
	if err != nil {
		return 0, err
	}
	if attribute < pointerContext || attribute > pointerHWDecode {
		return 0, fail(ErrInvalidValue, "pointer attribute %d", attribute)
	}
	b, ok := c.memory.Lookup(addr)
	if !ok || addr == 0 {
		return 0, fail(ErrInvalidValue, "%#x is in no allocation", addr)
	}
	if attribute == pointerHostAddr && (b.Kind == mem.Device || b.Mapped) {
		return 0, fail(ErrInvalidValue, "%#x is not memory of the host", addr)
	}
	if attribute == pointerTokens && b.Kind != mem.Device && b.Kind != mem.Managed {
		return 0, fail(ErrInvalidValue, "%#x is not memory of a device", addr)
	}
	return t.pointerValue(c, attribute, addr, b), nil
}

// PointerTokens is cuPointerGetAttribute of the tokens that another driver would know memory of a context by: one for the
// context, one for its addresses.
func (t *Thread) PointerTokens(addr uint64) (context uint64, space uint32, err error) {
	context, err = t.PointerAttribute(pointerTokens, addr)
	return context, 1, err
}

// IsPointerTokens reports the attribute of PointerTokens, which is no number and cannot be asked together with others.
func IsPointerTokens(attribute int) bool { return attribute == pointerTokens }

func (t *Thread) pointerValue(c *Context, attribute int, addr uint64, b mem.Block) uint64 {
	const typeHost, typeDevice = 1, 2
	kind := uint64(typeDevice)
	if b.Kind == mem.Pinned || b.Kind == mem.Registered {
		kind = typeHost
	}
	yes := func(is bool) uint64 {
		if is {
			return 1
		}
		return 0
	}
	values := map[int]uint64{
		pointerContext: t.ownerOf(b), pointerTokens: t.ownerOf(b), pointerType: kind, pointerDeviceAddr: addr, pointerHostAddr: addr,
		pointerSyncMemops: yes(t.runtime.syncMemops(b.Base)), pointerBuffer: b.Base/512 + 1, pointerIsManaged: yes(b.Kind == mem.Managed),
		pointerOrdinal: uint64(b.Device), pointerLegacyIPC: yes(b.Kind == mem.Device), pointerRangeStart: b.Base,
		pointerRangeSize: b.Size, pointerMapped: 1, pointerMapSize: b.Size, pointerMapBase: b.Base, pointerBlock: b.Base/512 + 1,
		pointerAccess: 3, pointerRDMA: yes(b.Kind == mem.Device),
	}
	return values[attribute]
}

// ownerOf is the handle of the context that made an allocation.
func (t *Thread) ownerOf(b mem.Block) uint64 {
	c, err := t.owner(b.Base)
	if err != nil {
		return 0
	}
	return t.ctxOf(c)
}

// syncMemops reports that copies of an allocation are synchronous, as they are
// until a program says that they need not be.
func (r *Runtime) syncMemops(base uint64) bool {
	_, off := r.loose.Load(base)
	return !off
}

// SetPointerAttribute is cuPointerSetAttribute: the one that can be set is kept
// and has no effect, since copies are ordered as if it were set.
func (t *Thread) SetPointerAttribute(attribute int, value uint32, addr uint64) error {
	c, err := t.context()
	if err != nil {
		return err
	}
	b, ok := c.memory.Lookup(addr)
	if attribute != pointerSyncMemops || !ok {
		return fail(ErrInvalidValue, "pointer attribute %d of %#x", attribute, addr)
	}
	if value != 0 {
		t.runtime.loose.Delete(b.Base)
	} else {
		t.runtime.loose.Store(b.Base, true)
	}
	return nil
}

// MemAllocAsync is cuMemAllocAsync, and with a pool cuMemAllocFromPoolAsync.
func (t *Thread) MemAllocAsync(size, pool uint64, h StreamHandle) (uint64, error) {
	if _, _, err := t.stream(h); err != nil {
		return 0, err
	}
	if pool != 0 {
		return t.MallocFromPool(size, pool, h)
	}
	return t.MallocAsync(size, h)
}

// Directions of CopyUnified: which ends have to be memory of a device.
const (
	HostToDevice   = hostToDevice
	DeviceToHost   = deviceToHost
	DeviceToDevice = deviceToDevice
	AnyDirection   = anyDirection
)
