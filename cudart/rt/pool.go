package rt

// Pool is a memory pool. Its memory is the device's: pools only carry settings.
type Pool struct {
	context    *Context
	attributes [poolUsedHigh + 1]uint64
}

// Attributes of pools are numbered from 1: three kinds of reuse, the release
// threshold, and the reserved and used bytes, each with its high mark.
const (
	poolReuseFirst   = 1
	poolReuseLast    = 3
	poolThreshold    = 4
	poolReserved     = 5
	poolReservedHigh = 6
	poolUsedHigh     = 8
)

// IsWidePoolAttribute reports the attributes that are 64 bits wide; others are
// ints.
func IsWidePoolAttribute(attribute int) bool { return attribute >= poolThreshold }

// PoolProperties is the beginning of cudaMemPoolProps.
type PoolProperties struct {
	Allocation, Handles, Location int32
	Device                        int
}

func (t *Thread) pool(handle uint64) (*Pool, error) {
	p, ok := t.runtime.pools.get(handle)
	if !ok {
		return nil, fail(ErrInvalidValue, "no memory pool has handle %#x", handle)
	}
	return p, p.context.check()
}

func (t *Thread) newPool(c *Context) uint64 {
	p := &Pool{context: c}
	for i := poolReuseFirst; i <= poolReuseLast; i++ {
		p.attributes[i] = 1
	}
	return t.runtime.pools.add(p)
}

// DeviceGetDefaultMemPool is cudaDeviceGetDefaultMemPool.
func (t *Thread) DeviceGetDefaultMemPool(ordinal int) (uint64, error) {
	c, err := t.contextOf(ordinal)
	if err != nil {
		return 0, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return t.defaultPool(c), nil
}

// defaultPool is the pool that a device starts with. The context is locked.
func (t *Thread) defaultPool(c *Context) uint64 {
	if c.pools.standard == 0 {
		c.pools.standard = t.newPool(c)
		c.pools.current = c.pools.standard
	}
	return c.pools.standard
}

// DeviceGetMemPool is cudaDeviceGetMemPool.
func (t *Thread) DeviceGetMemPool(ordinal int) (uint64, error) {
	c, err := t.contextOf(ordinal)
	if err != nil {
		return 0, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	t.defaultPool(c)
	return c.pools.current, nil
}

// DeviceSetMemPool is cudaDeviceSetMemPool.
func (t *Thread) DeviceSetMemPool(ordinal int, handle uint64) error {
	c, err := t.contextOf(ordinal)
	if err != nil {
		return err
	}
	p, err := t.pool(handle)
	if err != nil {
		return err
	}
	if p.context != c {
		return fail(ErrInvalidValue, "the memory pool belongs to another device")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	t.defaultPool(c)
	c.pools.current = handle
	return nil
}

// contextOf is the context of a device.
func (t *Thread) contextOf(ordinal int) (*Context, error) {
	d, err := t.runtime.device(ordinal)
	if err != nil {
		return nil, err
	}
	c, err := d.context()
	if err != nil {
		return nil, err
	}
	return c, c.check()
}

// What pools may be made of: pinned device memory that stays in the process.
const (
	allocationPinned = 1
	locationDevice   = 1
)

// MemPoolCreate is cudaMemPoolCreate.
func (t *Thread) MemPoolCreate(p PoolProperties) (uint64, error) {
	if p.Allocation != allocationPinned {
		return 0, fail(ErrInvalidValue, "memory pool of allocation type %d", p.Allocation)
	}
	if p.Handles != 0 || p.Location != locationDevice {
		return 0, unsupported("a memory pool with handle types %#x at location type %d", p.Handles, p.Location)
	}
	c, err := t.contextOf(p.Device)
	if err != nil {
		return 0, err
	}
	return t.newPool(c), nil
}

// MemPoolDestroy is cudaMemPoolDestroy. Memory taken from the pool stays.
func (t *Thread) MemPoolDestroy(handle uint64) error {
	p, err := t.pool(handle)
	if err != nil {
		return err
	}
	c := p.context
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pools.standard == handle {
		return fail(ErrInvalidValue, "the default memory pool cannot be destroyed")
	}
	if c.pools.current == handle {
		c.pools.current = c.pools.standard
	}
	t.runtime.pools.take(handle)
	return nil
}

// MemPoolGetAttribute is cudaMemPoolGetAttribute. What is used is what the device
// has in use.
func (t *Thread) MemPoolGetAttribute(handle uint64, attribute int) (uint64, error) {
	p, err := t.pool(handle)
	if err != nil {
		return 0, err
	}
	if attribute < poolReuseFirst || attribute > poolUsedHigh {
		return 0, fail(ErrInvalidValue, "memory pool attribute %d", attribute)
	}
	if attribute >= poolReserved {
		free, total := p.context.memory.Info()
		return total - free, nil
	}
	p.context.mu.Lock()
	defer p.context.mu.Unlock()
	return p.attributes[attribute], nil
}

// MemPoolSetAttribute is cudaMemPoolSetAttribute. The high marks can only be
// reset.
func (t *Thread) MemPoolSetAttribute(handle uint64, attribute int, value uint64) error {
	p, err := t.pool(handle)
	if err != nil {
		return err
	}
	settable := attribute >= poolReuseFirst && attribute <= poolThreshold
	resettable := (attribute == poolReservedHigh || attribute == poolUsedHigh) && value == 0
	if !settable && !resettable {
		return fail(ErrInvalidValue, "memory pool attribute %d to %d", attribute, value)
	}
	p.context.mu.Lock()
	defer p.context.mu.Unlock()
	p.attributes[attribute] = value
	return nil
}

// MemPoolTrim is cudaMemPoolTrimTo: nothing is kept that could be given back.
func (t *Thread) MemPoolTrim(handle uint64) error {
	_, err := t.pool(handle)
	return err
}

// MallocFromPool is cudaMallocFromPoolAsync.
func (t *Thread) MallocFromPool(size, handle uint64, h StreamHandle) (uint64, error) {
	if _, err := t.pool(handle); err != nil {
		return 0, err
	}
	return t.MallocAsync(size, h)
}

// readWrite is the access that all devices have to all pools.
const readWrite = 3

// MemPoolSetAccess is cudaMemPoolSetAccess for one device.
func (t *Thread) MemPoolSetAccess(handle uint64, location int32, device int, access int32) error {
	p, err := t.pool(handle)
	if err != nil {
		return err
	}
	d, err := t.runtime.device(device)
	if err != nil {
		return err
	}
	if location != locationDevice || access != 0 && access != 1 && access != readWrite {
		return fail(ErrInvalidValue, "access %d at location type %d", access, location)
	}
	if d == p.context.device {
		return nil
	}
	c, err := d.context()
	if err != nil {
		return err
	}
	if access == 0 {
		c.memory.DisablePeer(p.context.memory)
	} else {
		c.memory.EnablePeer(p.context.memory)
	}
	return nil
}
