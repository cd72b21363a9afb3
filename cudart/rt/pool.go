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
	return roundUp64(total+p.taken, poolChunk)
}

func roundUp64(n, granule uint64) uint64 { return (n + granule - 1) / granule * granule }

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

// MallocAsync is cudaMallocAsync.
func (t *Thread) MallocAsync(size uint64, h StreamHandle) (uint64, error) {
	c, s, m, err := t.work(h)
	if err != nil {
		return 0, err
	}
	c.pools.mu.Lock()
	t.defaultPool(c)
	handle := c.pools.current
	c.pools.mu.Unlock()
	p, err := t.pool(handle)
	if err != nil {
		return 0, err
	}
	if m != nil {
		return t.captureAlloc(m, p, size)
	}
	if err := t.unsafe(); err != nil {
		return 0, err
	}
	return p.take(size, s)
}

// MallocFromPool is cudaMallocFromPoolAsync.
func (t *Thread) MallocFromPool(size, handle uint64, h StreamHandle) (uint64, error) {
	p, err := t.pool(handle)
	if err != nil {
		return 0, err
	}
	_, s, m, err := t.work(h)
	if err != nil {
		return 0, err
	}
	if m != nil {
		return t.captureAlloc(m, p, size)
	}
	if err := t.unsafe(); err != nil {
		return 0, err
	}
	if p.imported {
		return 0, fail(ErrInvalidValue, "the memory pool belongs to another process")
	}
	return p.take(size, s)
}

// take finds memory for work in a stream. Memory that is there is there at once;
// if there is none, what earlier work of the stream holds is waited for.
func (p *Pool) take(size uint64, s *stream.Stream) (uint64, error) {
	if size == 0 {
		return 0, nil
	}
	c := p.context
	addr, err := p.tryTake(size, s)
	if !errors.Is(err, mem.ErrOutOfMemory) {
		return addr, err
	}
	if err := s.Synchronize(); err != nil {
		return 0, err
	}
	c.pools.mu.Lock()
	for _, q := range c.pools.list {
		err = errors.Join(err, q.release(0))
	}
	c.pools.mu.Unlock()
	return p.tryTake(size, s)
}

func (p *Pool) tryTake(size uint64, s *stream.Stream) (uint64, error) {
	if size > p.context.device.model.TotalMemory {
		return 0, fail(ErrMemoryAllocation, "%d bytes of a memory pool", size)
	}
	room := roundUp64(size, poolGranule)
	x := &p.context.pools
	x.mu.Lock()
	defer x.mu.Unlock()
	if p.most != 0 && (size > p.most || p.used > p.most-size) {
		return 0, fail(ErrMemoryAllocation, "%d bytes of a memory pool of %d", size, p.most)
	}
	b := p.again(room, s)
	if b == nil {
		addr, err := p.fresh(room)
		if err != nil {
			return 0, err
		}
		b = &pooled{pool: p, addr: addr, room: room}
	}
	b.size = size
	if x.blocks == nil {
		x.blocks = map[uint64]*pooled{}
	}
	x.blocks[b.addr] = b
	p.used += size
	p.usedHigh = max(p.usedHigh, p.used)
	p.taken += room
	p.reserved = max(p.reserved, p.need())
	p.reservedHigh = max(p.reservedHigh, p.reserved)
	return b.addr, nil
}

func (p *Pool) fresh(size uint64) (uint64, error) {
	if p.kind == mem.Device {
		return p.context.memory.Alloc(size, 0)
	}
	return p.context.allocHost(size, p.kind, 0)
}

// again takes a held block of the size that was freed in the same stream: later
// work of that stream may have it at once, on every run. Blocks of other streams
// are not taken, since whether their work has ended depends on the run.
func (p *Pool) again(room uint64, s *stream.Stream) *pooled {
	for i := len(p.held) - 1; i >= 0; i-- {
		if b := p.held[i]; b.room == room && b.freedIn == s {
			p.held = slices.Delete(p.held, i, i+1)
			b.freedIn = nil
			return b
		}
	}
	return nil
}

// FreeAsync is cudaFreeAsync.
func (t *Thread) FreeAsync(addr uint64, h StreamHandle) error {
	c, s, m, err := t.work(h)
	if err != nil || addr == 0 {
		return err
	}
	if m != nil {
		if c, err = t.owner(addr); err != nil {
			return err
		}
		return t.captureFree(m, c, addr)
	}
	if err := t.unsafe(); err != nil {
		return err
	}
	if graphs, err := t.freeGraphBlock(addr); graphs {
		return err
	}
	c, err = t.owner(addr)
	if err != nil {
		return err
	}
	x := &c.pools
	x.mu.Lock()
	b := x.blocks[addr]
	again := b != nil && b.freedIn != nil
	if b != nil {
		b.freedIn = s
	}
	x.mu.Unlock()
	if again {
		return fail(ErrInvalidValue, "%#x is freed already", addr)
	}
	if b == nil {
		if err := c.checkFree(addr); err != nil {
			return err
		}
		return c.submit(s, false, transfer{move: func() error { return c.memory.Free(addr) }})
	}
	return c.giveBack(b, s)
}

// giveBack lets a pool hold a block that work of a stream may still use.
func (c *Context) giveBack(b *pooled, s *stream.Stream) (err error) {
	if b.freed, err = s.Submit(stream.Do(func() error { return c.ended(b) })); err != nil {
		return err
	}
	c.pools.mu.Lock()
	defer c.pools.mu.Unlock()
	b.pool.used, b.pool.taken = b.pool.used-b.size, b.pool.taken-b.room
	if c.device.runtime.config.ExactBounds || b.pool.imported {
		delete(c.pools.blocks, b.addr)
		return nil
	}
	b.pool.held = append(b.pool.held, b)
	return nil
}

// ended is the moment from which on no work uses a block. Where bounds are exact
// it ceases to be memory.
func (c *Context) ended(b *pooled) error {
	if !c.device.runtime.config.ExactBounds && !b.pool.imported {
		return nil
	}
	return c.memory.Free(b.addr)
}

// freePooled is cudaFree of a pool's memory, whose device has been waited for;
// pooled is false if it is not a pool's.
func (c *Context) freePooled(addr uint64) (pooled bool, err error) {
	x := &c.pools
	x.mu.Lock()
	defer x.mu.Unlock()
	b := x.blocks[addr]
	if b == nil {
		return false, nil
	}
	if b.freedIn != nil {
		return true, fail(ErrInvalidValue, "%#x is freed already", addr)
	}
	delete(x.blocks, addr)
	b.pool.used, b.pool.taken = b.pool.used-b.size, b.pool.taken-b.room
	err = c.memory.Free(addr)
	return true, errors.Join(err, b.pool.release(b.pool.threshold))
}

// readWrite is the access that the own device has to a pool.
const readWrite = 3

// MemPoolSetAccess is cudaMemPoolSetAccess for one device.
func (t *Thread) MemPoolSetAccess(handle uint64, where Location, access int32) error {
	p, err := t.pool(handle)
	if err != nil {
		return err
	}
	if where.Type != locationDevice {
		return fail(ErrInvalidValue, "access at location type %d", where.Type)
	}
	d, err := t.runtime.device(int(where.ID))
	if err != nil {
		return err
	}
	if access != 0 && access != 1 && access != readWrite {
		return fail(ErrInvalidValue, "access %d", access)
	}
	if d == p.context.device {
		return ownAccess(access)
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
	p.context.pools.mu.Lock()
	defer p.context.pools.mu.Unlock()
	p.access[d.ordinal] = access
	return nil
}

// ownAccess checks an access of the pool's own device, which stays what it is.
func ownAccess(access int32) error {
	switch access {
	case 0:
		return fail(ErrInvalidDevice, "the pool's own device needs access to it")
	case readWrite:
		return nil
	}
	return fail(ErrNotSupported, "access %d of the pool's own device", access)
}

// MemPoolGetAccess is cudaMemPoolGetAccess.
func (t *Thread) MemPoolGetAccess(handle uint64, where Location) (int32, error) {
	p, err := t.pool(handle)
	if err != nil {
		return 0, err
	}
	if where.Type != locationDevice {
		return 0, fail(ErrInvalidValue, "access at location type %d", where.Type)
	}
	d, err := t.runtime.device(int(where.ID))
	if err != nil {
		return 0, fail(ErrInvalidValue, "%v", err)
	}
	if d == p.context.device || p.kind != mem.Device {
		return readWrite, nil
	}
	p.context.pools.mu.Lock()
	defer p.context.pools.mu.Unlock()
	return p.access[d.ordinal], nil
}

// place names the pools that a location has for a kind of allocation.
type place struct {
	Location
	allocation int32
}

// otherPool are the pools, handles, of a place that is not device memory.
type otherPool struct{ standard, current uint64 }

// other finds the pools of a place, and makes the one that it starts with.
func (t *Thread) other(where Location, allocation int32) (*Context, *otherPool, error) {
	switch {
	case where.Type > locationNUMA:
		return nil, nil, fail(ErrNotSupported, "memory pools at location type %d", where.Type)
	case allocation == allocationManaged: // anywhere
	case allocation == allocationPinned && (where.Type == locationHost || where.Type == locationNUMA):
	default:
		return nil, nil, fail(ErrInvalidValue, "memory pools of allocation type %d at location type %d", allocation, where.Type)
	}
	p, err := t.poolOf(PoolProperties{Allocation: allocation, Location: where})
	if err != nil {
		return nil, nil, err
	}
	c := p.context
	c.pools.mu.Lock()
	defer c.pools.mu.Unlock()
	at := place{where, allocation}
	o := c.pools.others[at]
	if o == nil {
		h := t.newPool(p)
		o = &otherPool{h, h}
		if c.pools.others == nil {
			c.pools.others = map[place]*otherPool{}
		}
		c.pools.others[at] = o
	}
	return c, o, nil
}

// MemGetMemPool is cudaMemGetMemPool, and cudaMemGetDefaultMemPool with standard.
func (t *Thread) MemGetMemPool(where Location, allocation int32, standard bool) (uint64, error) {
	if where.Type == locationDevice && allocation == allocationPinned {
		if standard {
			return t.DeviceGetDefaultMemPool(int(where.ID))
		}
		return t.DeviceGetMemPool(int(where.ID))
	}
	c, o, err := t.other(where, allocation)
	if err != nil {
		return 0, err
	}
	c.pools.mu.Lock()
	defer c.pools.mu.Unlock()
	if standard {
		return o.standard, nil
	}
	return o.current, nil
}

// MemSetMemPool is cudaMemSetMemPool.
func (t *Thread) MemSetMemPool(where Location, allocation int32, handle uint64) error {
	if where.Type == locationDevice && allocation == allocationPinned {
		return t.DeviceSetMemPool(int(where.ID), handle)
	}
	c, o, err := t.other(where, allocation)
	if err != nil {
		return err
	}
	p, err := t.pool(handle)
	if err != nil {
		return err
	}
	c.pools.mu.Lock()
	defer c.pools.mu.Unlock()
	if start, _ := t.runtime.pools.get(o.standard); start == nil || p.kind != start.kind {
		return fail(ErrInvalidValue, "the memory pool is not one of allocation type %d", allocation)
	}
	o.current = handle
	return nil
}
