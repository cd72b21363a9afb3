package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// cudaMalloc allocates device memory.
//
//cuda:support full
//export ls_cudaMalloc
func ls_cudaMalloc(to *C.uint64_t, size C.size_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		addr, err := t.Malloc(uint64(size))
		return putInt(to, addr, err)
	})
}

// cudaFree gives device or managed memory back.
//
//cuda:support full
//export ls_cudaFree
func ls_cudaFree(addr C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.Free(uint64(addr)) })
}

// cudaMallocPitch allocates device memory for rows.
//
//cuda:support full
//export ls_cudaMallocPitch
func ls_cudaMallocPitch(to *C.uint64_t, pitch *C.size_t, width, height C.size_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		addr, p, err := t.MallocPitch(uint64(width), uint64(height), 1)
		if err := putInt(pitch, p, err); err != nil {
			return err
		}
		return putInt(to, addr, nil)
	})
}

// cudaMalloc3D allocates device memory for slices of rows.
//
//cuda:support full
//export ls_cudaMalloc3D
func ls_cudaMalloc3D(to *C.cudaPitchedPtr, size C.cudaExtent) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		addr, p, err := t.MallocPitch(uint64(size.width), uint64(size.height), uint64(size.depth))
		if err != nil || to == nil {
			return put(to, C.cudaPitchedPtr{}, err)
		}
		*(*uint64)(unsafe.Pointer(&to.ptr)) = addr
		to.pitch, to.xsize, to.ysize = C.size_t(p), size.width, size.height
		return nil
	})
}

// cudaMallocManaged allocates memory that host and devices share.
//
//cuda:support full
//export ls_cudaMallocManaged
func ls_cudaMallocManaged(to *C.uint64_t, size C.size_t, flags C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		addr, err := t.MallocManaged(uint64(size), uint32(flags))
		return putInt(to, addr, err)
	})
}

// cudaMallocHost allocates pinned host memory.
//
//cuda:support full
//export ls_cudaMallocHost
func ls_cudaMallocHost(to *C.uint64_t, size C.size_t) C.cudaError_t {
	return ls_cudaHostAlloc(to, size, 0)
}

// cudaHostAlloc allocates pinned host memory.
//
//cuda:support full
//export ls_cudaHostAlloc
func ls_cudaHostAlloc(to *C.uint64_t, size C.size_t, flags C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		addr, err := t.HostAlloc(uint64(size), uint32(flags))
		return putInt(to, addr, err)
	})
}

// cudaFreeHost gives pinned host memory back.
//
//cuda:support full
//export ls_cudaFreeHost
func ls_cudaFreeHost(addr C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.FreeHost(uint64(addr)) })
}

// cudaHostRegister pins memory of the program.
//
//cuda:support partial "memory of other devices is refused"
//export ls_cudaHostRegister
func ls_cudaHostRegister(addr C.uint64_t, size C.size_t, flags C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.HostRegister(uint64(addr), uint64(size), uint32(flags)) })
}

// cudaHostUnregister ends what cudaHostRegister did.
//
//cuda:support full
//export ls_cudaHostUnregister
func ls_cudaHostUnregister(addr C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.HostUnregister(uint64(addr)) })
}

// cudaHostGetDevicePointer returns where devices see pinned memory.
//
//cuda:support full
//export ls_cudaHostGetDevicePointer
func ls_cudaHostGetDevicePointer(to *C.uint64_t, host C.uint64_t, flags C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		addr, err := t.HostGetDevicePointer(uint64(host), uint32(flags))
		return putInt(to, addr, err)
	})
}

// cudaHostGetFlags returns the flags that pinned memory was allocated with.
//
//cuda:support partial "all pinned memory is mapped"
//export ls_cudaHostGetFlags
func ls_cudaHostGetFlags(flags *C.uint, host C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		f, err := t.HostGetFlags(uint64(host))
		return putInt(flags, f, err)
	})
}

// cudaMemGetInfo returns the free and the total bytes of device memory.
//
//cuda:support full
//export ls_cudaMemGetInfo
func ls_cudaMemGetInfo(free, total *C.size_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		f, n, err := t.MemGetInfo()
		if err := putInt(free, f, err); err != nil {
			return err
		}
		return putInt(total, n, nil)
	})
}

// cudaPointerGetAttributes tells what an address is.
//
//cuda:support full
//export ls_cudaPointerGetAttributes
func ls_cudaPointerGetAttributes(attributes unsafe.Pointer, addr C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		a, err := t.PointerGetAttributes(uint64(addr))
		return putStructure(attributes, a, major(), err)
	})
}

// location is a device number, which from CUDA 13 on stands in the second word
// of a cudaMemLocation. The host is -1.
func location(word C.uint64_t, structured bool) int {
	if !structured {
		return int(int32(word))
	}
	const deviceType = 1
	if int32(word) != deviceType {
		return -1
	}
	return int(int32(word >> 32))
}

// cudaMemAdvise says how managed memory will be used.
//
//cuda:support partial "a hint without effect"
//export ls_cudaMemAdvise
func ls_cudaMemAdvise(addr C.uint64_t, size C.size_t, advice C.int, where C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		return t.MemAdvise(uint64(addr), uint64(size), int(advice), location(where, t.Runtime().Major() >= 13))
	})
}

// cudaMemAdvise_v2 is cudaMemAdvise as in CUDA 13.
//
//cuda:support partial "a hint without effect"
//export ls_cudaMemAdvise_v2
func ls_cudaMemAdvise_v2(addr C.uint64_t, size C.size_t, advice C.int, where C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		return t.MemAdvise(uint64(addr), uint64(size), int(advice), location(where, true))
	})
}

// cudaMemPrefetchAsync moves managed memory to where it will be used. Up to CUDA
// 12 the fourth argument is the stream, from CUDA 13 on flags, and the stream
// follows.
//
//cuda:support partial "a hint without effect"
//export ls_cudaMemPrefetchAsync
func ls_cudaMemPrefetchAsync(addr C.uint64_t, size C.size_t, where C.uint64_t, fourth C.cudaStream_t, fifth C.cudaStream_t) C.cudaError_t {
	structured := theRuntime().Major() >= 13
	stream := fourth
	if structured {
		stream = fifth
	}
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.MemPrefetch(uint64(addr), uint64(size), location(where, structured), s)
	})
}

// cudaMemPrefetchAsync_v2 is cudaMemPrefetchAsync as in CUDA 13.
//
//cuda:support partial "a hint without effect"
//export ls_cudaMemPrefetchAsync_v2
func ls_cudaMemPrefetchAsync_v2(addr C.uint64_t, size C.size_t, where C.uint64_t, flags C.uint, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.MemPrefetch(uint64(addr), uint64(size), location(where, true), s)
	})
}

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
//cuda:support partial "all pools share the device's memory"
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

// poolProperties is the beginning of cudaMemPoolProps.
type poolProperties struct{ allocation, handles, where, device int32 }

// cudaMemPoolCreate makes a pool.
//
//cuda:support partial "pools of device memory that are not shared between processes"
//export ls_cudaMemPoolCreate
func ls_cudaMemPoolCreate(pool *C.uint64_t, properties unsafe.Pointer) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if properties == nil {
			return rt.ErrInvalidValue
		}
		p := (*poolProperties)(properties)
		h, err := t.MemPoolCreate(rt.PoolProperties{Allocation: p.allocation, Handles: p.handles, Location: p.where, Device: int(p.device)})
		return putInt(pool, h, err)
	})
}

// cudaMemPoolTrimTo gives unused memory of a pool back.
//
//cuda:support full
//export ls_cudaMemPoolTrimTo
func ls_cudaMemPoolTrimTo(pool C.uint64_t, keep C.size_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.MemPoolTrim(uint64(pool)) })
}

// cudaMemPoolGetAttribute returns a property of a pool: an int for the kinds of
// reuse, 64 bits for sizes.
//
//cuda:support partial "used and reserved are those of the device"
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
//cuda:support partial "kept and without effect"
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
type poolAccess struct{ where, device, access int32 }

// cudaMemPoolSetAccess lets devices use a pool.
//
//cuda:support full
//export ls_cudaMemPoolSetAccess
func ls_cudaMemPoolSetAccess(pool C.uint64_t, list unsafe.Pointer, count C.size_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if list == nil {
			return rt.ErrInvalidValue
		}
		for _, a := range unsafe.Slice((*poolAccess)(list), count) {
			if err := t.MemPoolSetAccess(uint64(pool), a.where, int(a.device), a.access); err != nil {
				return err
			}
		}
		return nil
	})
}

// cudaGetSymbolAddress returns a device variable's address.
//
//cuda:support full
//export ls_cudaGetSymbolAddress
func ls_cudaGetSymbolAddress(to *C.uint64_t, symbol C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		addr, err := t.GetSymbolAddress(uint64(symbol))
		return putInt(to, addr, err)
	})
}

// cudaGetSymbolSize returns a device variable's size in bytes.
//
//cuda:support full
//export ls_cudaGetSymbolSize
func ls_cudaGetSymbolSize(size *C.size_t, symbol C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		n, err := t.GetSymbolSize(uint64(symbol))
		return putInt(size, n, err)
	})
}
