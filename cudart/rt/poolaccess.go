package rt

import (
	"github.com/lockstep-sim/lockstep/gpu/mem"
)

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
