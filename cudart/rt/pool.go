package rt

import (
	"errors"
	"slices"
	"sync"

	"github.com/lockstep-sim/lockstep/gpu/mem"
	"github.com/lockstep-sim/lockstep/stream"
)

// Pool is a memory pool: allocations in stream order, and memory that was freed
// and is kept for the next.
type Pool struct {
	context   *Context
	kind      mem.Kind // of its memory
	where     Location
	most      uint64 // bytes it may have in use, 0 for no limit
	shares    bool   // other processes may have it
	identity  identity
	imported  bool          // it belongs to another process
	access    map[int]int32 // of devices, where it is not the standard one
	reuse     [poolReuseLast + 1]uint64
	threshold uint64

	held                   []*pooled // freed, in that order
	used, usedHigh         uint64    // bytes that the program asked for
	taken                  uint64    // bytes of these, whole granules
	reserved, reservedHigh uint64    // bytes, whole chunks
	destroyed              bool
}

// pooled is an allocation of a pool.
type pooled struct {
	pool    *Pool
	addr    uint64
	size    uint64         // bytes that the program asked for
	room    uint64         // bytes it has, whole granules
	freedIn *stream.Stream // nil while in use
	freed   stream.Ticket
}

// pools are the pools of a context.
type pools struct {
	mu                sync.Mutex
	standard, current uint64 // handles, 0 until one is asked for
	list              []*Pool
	others            map[place]*otherPool
	blocks            map[uint64]*pooled // in use or held, by address
}

// Attributes of pools are numbered from 1: three kinds of reuse, the release
// threshold, and the reserved and used bytes, each with its high mark.
const (
	poolReuseFirst   = 1
	poolReuseLast    = 3
	poolThreshold    = 4
	poolReserved     = 5
	poolReservedHigh = 6
	poolUsed         = 7
	poolUsedHigh     = 8
)

const (
	// poolChunk is the unit in bytes in which a pool takes memory of the device
	// (measured).
	poolChunk = 32 << 20
	// poolGranule is the unit in bytes in which it hands it out (measured).
	poolGranule = 512
)

// IsWidePoolAttribute reports the attributes that are 64 bits wide; others are
// ints.
func IsWidePoolAttribute(attribute int) bool { return attribute >= poolThreshold }

// PoolProperties is cudaMemPoolProps.
type PoolProperties struct {
	Allocation, Handles int32
	Location
	Most uint64 // bytes, 0 for no limit
}

func (t *Thread) pool(handle uint64) (*Pool, error) {
	p, ok := t.runtime.pools.get(handle)
	if !ok {
		return nil, fail(ErrInvalidValue, "no memory pool has handle %#x", handle)
	}
	return p, p.context.check()
}

func (t *Thread) newPool(p *Pool) uint64 {
	p.access = map[int]int32{}
	for i := poolReuseFirst; i <= poolReuseLast; i++ {
		p.reuse[i] = 1
	}
	p.context.pools.list = append(p.context.pools.list, p)
	return t.runtime.pools.add(p)
}

// DeviceGetDefaultMemPool is cudaDeviceGetDefaultMemPool.
func (t *Thread) DeviceGetDefaultMemPool(ordinal int) (uint64, error) {
	c, err := t.contextOf(ordinal)
	if err != nil {
		return 0, err
	}
	c.pools.mu.Lock()
	defer c.pools.mu.Unlock()
	return t.defaultPool(c), nil
}

// defaultPool is the pool that a device starts with. The lock is held.
func (t *Thread) defaultPool(c *Context) uint64 {
	if c.pools.standard == 0 {
		c.pools.standard = t.newPool(&Pool{context: c, where: Location{locationDevice, int32(c.device.ordinal)}})
		c.pools.current = c.pools.standard
	}
	return c.pools.standard
}

// DeviceGetMemPool is cudaDeviceGetMemPool.
func (t *Thread) DeviceGetMemPool(ordinal int) (uint64, error) {
	c, err := t.contextOf(ordinal)
	if errors.Is(err, ErrInvalidDevice) {
		err = fail(ErrInvalidValue, "%v", err)
	}
	if err != nil {
		return 0, err
	}
	c.pools.mu.Lock()
	defer c.pools.mu.Unlock()
	t.defaultPool(c)
	return c.pools.current, nil
}

// DeviceSetMemPool is cudaDeviceSetMemPool.
func (t *Thread) DeviceSetMemPool(ordinal int, handle uint64) error {
	if err := t.unsafe(); err != nil {
		return err
	}
	c, err := t.contextOf(ordinal)
	if errors.Is(err, ErrInvalidDevice) {
		err = fail(ErrInvalidValue, "%v", err)
	}
	if err != nil {
		return err
	}
	p, err := t.pool(handle)
	if err != nil {
		return err
	}
	if p.context != c || p.kind != mem.Device {
		return fail(ErrInvalidValue, "the memory pool is not one of device memory of device %d", ordinal)
	}
	c.pools.mu.Lock()
	defer c.pools.mu.Unlock()
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

// What pools may be made of, and how they may be shared.
const (
	allocationPinned  = 1
	allocationManaged = 2
	handleDescriptor  = 1 // a file descriptor
	handleFabric      = 8 // between machines; a pool may be made for it and cannot be exported
)

// MemPoolCreate is cudaMemPoolCreate.
func (t *Thread) MemPoolCreate(q PoolProperties) (uint64, error) {
	if err := t.unsafe(); err != nil {
		return 0, err
	}
	p, err := t.poolOf(q)
	if err != nil {
		return 0, err
	}
	if q.Handles&^(handleDescriptor|handleFabric) != 0 {
		return 0, fail(ErrInvalidValue, "handle types %#x", q.Handles)
	}
	p.most = q.Most
	if p.shares = q.Handles&handleDescriptor != 0; p.shares {
		if p.identity, err = newIdentity(p.context.device.ordinal); err != nil {
			return 0, err
		}
	}
	p.context.pools.mu.Lock()
	defer p.context.pools.mu.Unlock()
	return t.newPool(p), nil
}

// poolOf is a pool of the kind of memory that is asked for.
func (t *Thread) poolOf(q PoolProperties) (p *Pool, err error) {
	p = &Pool{where: q.Location}
	device := t.device
	switch {
	case q.Allocation == allocationPinned && q.Type == locationDevice:
		device = int(q.ID)
	case q.Allocation == allocationPinned && (q.Type == locationHost || q.Type == locationNUMA):
		p.kind = mem.Pinned
	case q.Allocation == allocationManaged:
		p.kind = mem.Managed
	default:
		return nil, fail(ErrInvalidValue, "a memory pool of allocation type %d at location type %d", q.Allocation, q.Type)
	}
	if p.context, err = t.contextOf(device); errors.Is(err, ErrInvalidDevice) {
		err = fail(ErrInvalidValue, "%v", err)
	}
	return p, err
}

// starts reports a pool that a place starts with. The lock is held.
func (s *pools) starts(handle uint64) bool {
	for _, o := range s.others {
		if o.standard == handle {
			return true
		}
	}
	return s.standard == handle
}

// MemPoolDestroy is cudaMemPoolDestroy. Memory taken from the pool stays.
func (t *Thread) MemPoolDestroy(handle uint64) error {
	p, err := t.pool(handle)
	if err != nil {
		return err
	}
	s := &p.context.pools
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.starts(handle) {
		return fail(ErrInvalidValue, "the default memory pool cannot be destroyed")
	}
	for _, o := range s.others {
		if o.current == handle {
			o.current = o.standard
		}
	}
	if s.current == handle {
		s.current = s.standard
	}
	if p.imported && p.used > 0 {
		return fail(ErrInvalidValue, "memory of the pool is still mapped")
	}
	if _, ok := t.runtime.pools.take(handle); !ok {
		return nil
	}
	p.destroyed = true
	p.identity.close()
	return p.release(0)
}

// MemPoolGetAttribute is cudaMemPoolGetAttribute.
func (t *Thread) MemPoolGetAttribute(handle uint64, attribute int) (uint64, error) {
	if err := t.unsafe(); err != nil {
		return 0, err
	}
	p, err := t.pool(handle)
	if err != nil {
		return 0, err
	}
	p.context.pools.mu.Lock()
	defer p.context.pools.mu.Unlock()
	switch attribute {
	case poolReuseFirst, poolReuseFirst + 1, poolReuseLast:
		return p.reuse[attribute], nil
	case poolThreshold:
		return p.threshold, nil
	case poolReserved:
		return p.reserved, nil
	case poolReservedHigh:
		return p.reservedHigh, nil
	case poolUsed:
		return p.used, nil
	case poolUsedHigh:
		return p.usedHigh, nil
	}
	return 0, fail(ErrInvalidValue, "memory pool attribute %d", attribute)
}

// MemPoolSetAttribute is cudaMemPoolSetAttribute. The high marks can only be
// reset.
func (t *Thread) MemPoolSetAttribute(handle uint64, attribute int, value uint64) error {
	if err := t.unsafe(); err != nil {
		return err
	}
	p, err := t.pool(handle)
	if err != nil {
		return err
	}
	p.context.pools.mu.Lock()
	defer p.context.pools.mu.Unlock()
	switch {
	case attribute >= poolReuseFirst && attribute <= poolReuseLast:
		p.reuse[attribute] = value
	case attribute == poolThreshold:
		p.threshold = value
	case attribute == poolReservedHigh && value == 0:
		p.reservedHigh = p.reserved
	case attribute == poolUsedHigh && value == 0:
		p.usedHigh = p.used
	default:
		return fail(ErrInvalidValue, "memory pool attribute %d to %d", attribute, value)
	}
	return nil
}

// MemPoolTrim is cudaMemPoolTrimTo: memory that is not in use goes back to the
// device until no more than keep bytes are reserved.
func (t *Thread) MemPoolTrim(handle, keep uint64) error {
	if err := t.unsafe(); err != nil {
		return err
	}
	p, err := t.pool(handle)
	if err != nil {
		return err
	}
	p.context.pools.mu.Lock()
	defer p.context.pools.mu.Unlock()
	return p.release(keep)
}

// release gives held memory back until no more than keep bytes are reserved. What
// work may still use stays.
func (p *Pool) release(keep uint64) error {
	var err error
	p.held = slices.DeleteFunc(p.held, func(b *pooled) bool {
		if p.reserved <= keep || !b.freed.Done() || err != nil {
			return false
		}
		delete(p.context.pools.blocks, b.addr)
		err = p.context.memory.Free(b.addr)
		return true
	})
	p.reserved = min(p.reserved, p.need())
	return err
}

// need is what the pool has to reserve: whole chunks for what is in use or held.
func (p *Pool) need() uint64 {
	total := uint64(0)
	for _, b := range p.held {
		total += b.room
	}
	return roundUp(total+p.taken, poolChunk)
}

// settle gives back what pools hold beyond their threshold, as the runtime does
// when the program has waited for its work.
func (s *pools) settle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.list {
		if p.threshold < p.reserved && len(p.held) > 0 {
			_ = p.release(p.threshold) // an error of a free shows at the next allocation
		}
	}
	s.list = slices.DeleteFunc(s.list, func(p *Pool) bool { return p.destroyed && p.used == 0 && len(p.held) == 0 })
}
