package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// cudaMallocAsync allocates device memory in the order of a stream.
//
//cuda:support full
//export ls_cudaMallocAsync
func ls_cudaMallocAsync(to *C.uint64_t, size C.size_t, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		addr, err := t.MallocAsync(uint64(size), s)
		return putInt(to, addr, err)
	})
}

// cudaFreeAsync gives device memory back in the order of a stream.
//
//cuda:support full
//export ls_cudaFreeAsync
func ls_cudaFreeAsync(addr C.uint64_t, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error { return t.FreeAsync(uint64(addr), s) })
}

// cudaMallocFromPoolAsync allocates from a memory pool in the order of a stream.
//
//cuda:support full
//export ls_cudaMallocFromPoolAsync
func ls_cudaMallocFromPoolAsync(to *C.uint64_t, size C.size_t, pool C.uint64_t, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		addr, err := t.MallocFromPool(uint64(size), uint64(pool), s)
		return putInt(to, addr, err)
	})
}

// cudaDeviceGetDefaultMemPool returns the pool that a device starts with.
//
//cuda:support full
//export ls_cudaDeviceGetDefaultMemPool
func ls_cudaDeviceGetDefaultMemPool(pool *C.uint64_t, device C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		h, err := t.DeviceGetDefaultMemPool(int(device))
		return putInt(pool, h, err)
	})
}

// cudaDeviceGetMemPool returns the pool that a device allocates from.
//
//cuda:support full
//export ls_cudaDeviceGetMemPool
func ls_cudaDeviceGetMemPool(pool *C.uint64_t, device C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		h, err := t.DeviceGetMemPool(int(device))
		return putInt(pool, h, err)
	})
}

// cudaDeviceSetMemPool makes a pool the one that a device allocates from.
//
//cuda:support full
//export ls_cudaDeviceSetMemPool
func ls_cudaDeviceSetMemPool(device C.int, pool C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.DeviceSetMemPool(int(device), uint64(pool)) })
}

// cudaMemPoolDestroy gives up a pool.
//
//cuda:support full
//export ls_cudaMemPoolDestroy
func ls_cudaMemPoolDestroy(pool C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.MemPoolDestroy(uint64(pool)) })
}

// poolProperties is cudaMemPoolProps. Its last part, from the size on, is of CUDA
// 12; before it was reserved and zero.
type poolProperties struct {
	allocation, handles, where, device int32
	security                           uintptr
	most                               uint64
	usage                              uint16
}

// cudaMemPoolCreate makes a pool.
//
//cuda:support full
//export ls_cudaMemPoolCreate
func ls_cudaMemPoolCreate(pool *C.uint64_t, properties unsafe.Pointer) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if properties == nil || pool == nil {
			return rt.ErrInvalidValue
		}
		p := (*poolProperties)(properties)
		h, err := t.MemPoolCreate(rt.PoolProperties{
			Allocation: p.allocation, Handles: p.handles, Location: rt.Location{Type: p.where, ID: p.device}, Most: p.most,
		})
		return putInt(pool, h, err)
	})
}

// cudaMemPoolTrimTo gives unused memory of a pool back.
//
//cuda:support full
//export ls_cudaMemPoolTrimTo
func ls_cudaMemPoolTrimTo(pool C.uint64_t, keep C.size_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.MemPoolTrim(uint64(pool), uint64(keep)) })
}

// cudaMemPoolGetAttribute returns a property of a pool: an int for the kinds of
// reuse, 64 bits for sizes.
//
//cuda:support full
//export ls_cudaMemPoolGetAttribute
func ls_cudaMemPoolGetAttribute(pool C.uint64_t, attribute C.int, value unsafe.Pointer) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		v, err := t.MemPoolGetAttribute(uint64(pool), int(attribute))
		if rt.IsWidePoolAttribute(int(attribute)) {
			return put((*uint64)(value), v, err)
		}
		return put((*uint32)(value), uint32(v), err)
	})
}

// cudaMemPoolSetAttribute changes a property of a pool.
//
//cuda:support full
//export ls_cudaMemPoolSetAttribute
func ls_cudaMemPoolSetAttribute(pool C.uint64_t, attribute C.int, value unsafe.Pointer) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if value == nil {
			return rt.ErrInvalidValue
		}
		v := uint64(*(*uint32)(value))
		if rt.IsWidePoolAttribute(int(attribute)) {
			v = *(*uint64)(value)
		}
		return t.MemPoolSetAttribute(uint64(pool), int(attribute), v)
	})
}

// poolAccess is cudaMemAccessDesc.
type poolAccess struct {
	where  rt.Location
	access int32
}

// cudaMemPoolSetAccess lets devices use a pool.
//
//cuda:support partial "a device that may access a pool may access all memory of that device"
//export ls_cudaMemPoolSetAccess
func ls_cudaMemPoolSetAccess(pool C.uint64_t, list unsafe.Pointer, count C.size_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if list == nil && count > 0 {
			return rt.ErrInvalidValue
		}
		for _, a := range unsafe.Slice((*poolAccess)(list), count) {
			if err := t.MemPoolSetAccess(uint64(pool), a.where, a.access); err != nil {
				return err
			}
		}
		return nil
	})
}

// cudaMemPoolGetAccess tells whether a location may use a pool.
//
//cuda:support full
//export ls_cudaMemPoolGetAccess
func ls_cudaMemPoolGetAccess(access *C.int, pool C.uint64_t, where unsafe.Pointer) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if where == nil {
			return rt.ErrInvalidValue
		}
		a, err := t.MemPoolGetAccess(uint64(pool), *(*rt.Location)(where))
		return putInt(access, a, err)
	})
}

// cudaMemGetDefaultMemPool returns the pool that a location starts with.
//
//cuda:support full
//export ls_cudaMemGetDefaultMemPool
func ls_cudaMemGetDefaultMemPool(pool *C.uint64_t, where unsafe.Pointer, kind C.int) C.cudaError_t {
	return memPool(pool, where, kind, true)
}

// cudaMemGetMemPool returns the pool that a location allocates from.
//
//cuda:support full
//export ls_cudaMemGetMemPool
func ls_cudaMemGetMemPool(pool *C.uint64_t, where unsafe.Pointer, kind C.int) C.cudaError_t {
	return memPool(pool, where, kind, false)
}

func memPool(pool *C.uint64_t, where unsafe.Pointer, kind C.int, standard bool) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if where == nil {
			return rt.ErrInvalidValue
		}
		h, err := t.MemGetMemPool(*(*rt.Location)(where), int32(kind), standard)
		return putInt(pool, h, err)
	})
}

// cudaMemSetMemPool makes a pool the one that a location allocates from.
//
//cuda:support full
//export ls_cudaMemSetMemPool
func ls_cudaMemSetMemPool(where unsafe.Pointer, kind C.int, pool C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if where == nil {
			return rt.ErrInvalidValue
		}
		return t.MemSetMemPool(*(*rt.Location)(where), int32(kind), uint64(pool))
	})
}
