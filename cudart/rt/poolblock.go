package rt

import (
	"errors"
	"slices"

	"github.com/lockstep-sim/lockstep/gpu/mem"
	"github.com/lockstep-sim/lockstep/stream"
)

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
	room := roundUp(size, poolGranule)
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
	_, s, m, err := t.work(h)
	if err != nil || addr == 0 {
		return err
	}
	if m != nil {
		c, err := t.owner(addr)
		if err != nil {
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
	c, err := t.owner(addr)
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
