package rt

// Pool is a memory pool. Its memory is the device's: pools only carry settings.
type Pool struct {
	context    *Context
	attributes [poolAttributes]uint64
}

// Attributes of pools are numbered from 1: three kinds of reuse, the release
// threshold, and the reserved and used bytes with their high marks.
const (
	poolReuseFirst = 1
	poolReuseLast  = 3
	poolThreshold  = 4
	poolReserved   = 5
	poolUsedHigh   = 8
	poolAttributes = 9
)

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

// DeviceGetDefaultMemPool is cudaDeviceGetDefaultMemPool and cudaDeviceGetMemPool.
func (t *Thread) DeviceGetDefaultMemPool(ordinal int) (uint64, error) {
	d, err := t.runtime.device(ordinal)
	if err != nil {
		return 0, err
	}
	c, err := d.context()
	if err != nil {
		return 0, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pool == 0 {
		c.pool = t.newPool(c)
	}
	return c.pool, c.check()
}

// MemPoolCreate is cudaMemPoolCreate for memory of a device.
func (t *Thread) MemPoolCreate(ordinal int) (uint64, error) {
	d, err := t.runtime.device(ordinal)
	if err != nil {
		return 0, err
	}
	c, err := d.context()
	if err != nil {
		return 0, err
	}
	return t.newPool(c), c.check()
}

// MemPoolDestroy is cudaMemPoolDestroy. Memory taken from the pool stays.
func (t *Thread) MemPoolDestroy(handle uint64) error {
	p, err := t.pool(handle)
	if err != nil {
		return err
	}
	if p.context.pool == handle {
		return fail(ErrInvalidValue, "the default memory pool cannot be destroyed")
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
	resettable := (attribute == 6 || attribute == poolUsedHigh) && value == 0
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
