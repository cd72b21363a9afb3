package main

// #include "lockstep.h"
import "C"

import (
	"encoding/binary"
	"slices"
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// cuMemGetInfo_v2 returns free and total memory of the device in bytes.
//
//cuda:support full
//export ls_cuMemGetInfo_v2
func ls_cuMemGetInfo_v2(free, total *C.size_t) C.CUresult {
	return call(func(t *rt.Thread) error {
		f, n, err := t.MemGetInfo()
		if err == nil && free != nil {
			*free = C.size_t(f)
		}
		if err == nil && total != nil {
			*total = C.size_t(n)
		}
		return err
	})
}

// cuMemAlloc_v2 allocates device memory.
//
//cuda:support full
//export ls_cuMemAlloc_v2
func ls_cuMemAlloc_v2(addr *C.CUdeviceptr, size C.size_t) C.CUresult {
	return call(func(t *rt.Thread) error {
		if addr == nil {
			return rt.ErrInvalidValue
		}
		if t.CheckNarrow() == nil {
			return rt.ErrInvalidContext
		}
		v, err := t.MemAlloc(uint64(size))
		return putInt(addr, v, err)
	})
}

// cuMemAllocPitch_v2 allocates rows of device memory.
//
//cuda:support full
//export ls_cuMemAllocPitch_v2
func ls_cuMemAllocPitch_v2(addr *C.CUdeviceptr, pitch *C.size_t, width, height C.size_t, access C.uint) C.CUresult {
	return call(func(t *rt.Thread) error {
		if addr == nil || pitch == nil {
			return rt.ErrInvalidValue
		}
		a, p, err := t.MemAllocPitch(uint64(width), uint64(height), uint32(access))
		if err == nil {
			*addr, *pitch = C.CUdeviceptr(a), C.size_t(p)
		}
		return err
	})
}

// cuMemFree_v2 frees device or managed memory.
//
//cuda:support full
//export ls_cuMemFree_v2
func ls_cuMemFree_v2(addr C.CUdeviceptr) C.CUresult {
	return call(func(t *rt.Thread) error { return t.MemFree(uint64(addr)) })
}

// cuMemGetAddressRange_v2 returns the allocation that holds an address.
//
//cuda:support full
//export ls_cuMemGetAddressRange_v2
func ls_cuMemGetAddressRange_v2(base, size *C.uint64_t, addr C.CUdeviceptr) C.CUresult {
	return call(func(t *rt.Thread) error {
		b, n, err := t.MemGetAddressRange(uint64(addr))
		return putGlobal(base, size, b, n, err)
	})
}

// cuMemHostAlloc allocates pinned host memory.
//
//cuda:support full
//export ls_cuMemHostAlloc
func ls_cuMemHostAlloc(to *C.uint64_t, size C.size_t, flags C.uint) C.CUresult {
	return call(func(t *rt.Thread) error {
		if to == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.HostAlloc(uint64(size), uint32(flags))
		return putInt(to, v, err)
	})
}

// cuMemAllocHost_v2 allocates pinned host memory.
//
//cuda:support full
//export ls_cuMemAllocHost_v2
func ls_cuMemAllocHost_v2(to *C.uint64_t, size C.size_t) C.CUresult {
	return ls_cuMemHostAlloc(to, size, 0)
}

// cuMemFreeHost frees pinned host memory.
//
//cuda:support full
//export ls_cuMemFreeHost
func ls_cuMemFreeHost(addr C.uint64_t) C.CUresult {
	return call(func(t *rt.Thread) error { return t.FreeHost(uint64(addr)) })
}

// cuMemHostGetDevicePointer_v2 returns the address that devices use for pinned memory.
//
//cuda:support full
//export ls_cuMemHostGetDevicePointer_v2
func ls_cuMemHostGetDevicePointer_v2(to *C.CUdeviceptr, host C.uint64_t, flags C.uint) C.CUresult {
	return ls_cudaHostGetDevicePointer(to, host, flags)
}

// cuMemHostGetFlags returns the flags of pinned memory.
//
//cuda:support full
//export ls_cuMemHostGetFlags
func ls_cuMemHostGetFlags(flags *C.uint, host C.uint64_t) C.CUresult {
	return ls_cudaHostGetFlags(flags, host)
}

// cuMemHostRegister_v2 pins memory of the program.
//
//cuda:support full
//export ls_cuMemHostRegister_v2
func ls_cuMemHostRegister_v2(host C.uint64_t, size C.size_t, flags C.uint) C.CUresult {
	return ls_cudaHostRegister(host, size, flags)
}

// cuMemHostRegister is cuMemHostRegister_v2.
//
//cuda:support full
//export ls_cuMemHostRegister
func ls_cuMemHostRegister(host C.uint64_t, size C.size_t, flags C.uint) C.CUresult {
	return ls_cudaHostRegister(host, size, flags)
}

// cuMemHostUnregister ends that.
//
//cuda:support full
//export ls_cuMemHostUnregister
func ls_cuMemHostUnregister(host C.uint64_t) C.CUresult {
	return ls_cudaHostUnregister(host)
}

// cuMemAllocManaged allocates memory that host and devices share.
//
//cuda:support full
//export ls_cuMemAllocManaged
func ls_cuMemAllocManaged(addr *C.CUdeviceptr, size C.size_t, flags C.uint) C.CUresult {
	return call(func(t *rt.Thread) error {
		if addr == nil || size == 0 {
			return rt.ErrInvalidValue
		}
		v, err := t.MallocManaged(uint64(size), uint32(flags))
		return putInt(addr, v, err)
	})
}

// cuMemAllocAsync allocates device memory in stream order.
//
//cuda:support full
//export ls_cuMemAllocAsync
func ls_cuMemAllocAsync(addr *C.CUdeviceptr, size C.size_t, stream C.cudaStream_t) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		if addr == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.MemAllocAsync(uint64(size), 0, s)
		return putInt(addr, v, err)
	})
}

// cuMemAllocFromPoolAsync allocates memory of a pool in stream order.
//
//cuda:support full
//export ls_cuMemAllocFromPoolAsync
func ls_cuMemAllocFromPoolAsync(addr *C.CUdeviceptr, size C.size_t, pool C.CUhandle, stream C.cudaStream_t) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		if addr == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.MemAllocAsync(uint64(size), uint64(pool), s)
		return putInt(addr, v, err)
	})
}

// cuMemFreeAsync frees memory in stream order.
//
//cuda:support full
//export ls_cuMemFreeAsync
func ls_cuMemFreeAsync(addr C.CUdeviceptr, stream C.cudaStream_t) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		if addr == 0 {
			return nil
		}
		return t.FreeAsync(uint64(addr), s)
	})
}

// cuMemPoolCreate makes a pool.
//
//cuda:support full
//export ls_cuMemPoolCreate
func ls_cuMemPoolCreate(pool *C.CUhandle, properties unsafe.Pointer) C.CUresult {
	return ls_cudaMemPoolCreate(pool, properties)
}

// cuMemPoolDestroy destroys a pool.
//
//cuda:support full
//export ls_cuMemPoolDestroy
func ls_cuMemPoolDestroy(pool C.CUhandle) C.CUresult {
	return ls_cudaMemPoolDestroy(pool)
}

// cuMemPoolTrimTo gives memory of a pool back to the device.
//
//cuda:support full
//export ls_cuMemPoolTrimTo
func ls_cuMemPoolTrimTo(pool C.CUhandle, keep C.size_t) C.CUresult {
	return ls_cudaMemPoolTrimTo(pool, keep)
}

// cuMemPoolGetAttribute returns an attribute of a pool.
//
//cuda:support full
//export ls_cuMemPoolGetAttribute
func ls_cuMemPoolGetAttribute(pool C.CUhandle, attribute C.int, value unsafe.Pointer) C.CUresult {
	return ls_cudaMemPoolGetAttribute(pool, attribute, value)
}

// cuMemPoolSetAttribute sets an attribute of a pool.
//
//cuda:support full
//export ls_cuMemPoolSetAttribute
func ls_cuMemPoolSetAttribute(pool C.CUhandle, attribute C.int, value unsafe.Pointer) C.CUresult {
	return ls_cudaMemPoolSetAttribute(pool, attribute, value)
}

// cuMemPoolSetAccess says which devices may access a pool.
//
//cuda:support full
//export ls_cuMemPoolSetAccess
func ls_cuMemPoolSetAccess(pool C.CUhandle, list unsafe.Pointer, count C.size_t) C.CUresult {
	return ls_cudaMemPoolSetAccess(pool, list, count)
}

// cuMemPoolGetAccess tells whether a device may access a pool.
//
//cuda:support full
//export ls_cuMemPoolGetAccess
func ls_cuMemPoolGetAccess(access *C.int, pool C.CUhandle, where unsafe.Pointer) C.CUresult {
	return ls_cudaMemPoolGetAccess(access, pool, where)
}

// cuMemPoolExportToShareableHandle names a pool for other processes.
//
//cuda:support full
//export ls_cuMemPoolExportToShareableHandle
func ls_cuMemPoolExportToShareableHandle(handle *C.int, pool C.CUhandle, kind C.int, flags C.ulonglong) C.CUresult {
	return ls_cudaMemPoolExportToShareableHandle(handle, pool, kind, C.uint(flags))
}

// cuMemPoolImportFromShareableHandle opens a pool of another process.
//
//cuda:support full
//export ls_cuMemPoolImportFromShareableHandle
func ls_cuMemPoolImportFromShareableHandle(pool *C.CUhandle, handle C.uint64_t, kind C.int, flags C.ulonglong) C.CUresult {
	return ls_cudaMemPoolImportFromShareableHandle(pool, handle, kind, C.uint(flags))
}

// cuMemPoolExportPointer names an allocation of a pool for other processes.
//
//cuda:support full
//export ls_cuMemPoolExportPointer
func ls_cuMemPoolExportPointer(data unsafe.Pointer, addr C.CUdeviceptr) C.CUresult {
	return ls_cudaMemPoolExportPointer(data, addr)
}

// cuMemPoolImportPointer maps an allocation of a pool of another process.
//
//cuda:support full
//export ls_cuMemPoolImportPointer
func ls_cuMemPoolImportPointer(addr *C.CUdeviceptr, pool C.CUhandle, data unsafe.Pointer) C.CUresult {
	return ls_cudaMemPoolImportPointer(addr, pool, data)
}

// cuIpcGetMemHandle names device memory for other processes.
//
//cuda:support full
//export ls_cuIpcGetMemHandle
func ls_cuIpcGetMemHandle(handle unsafe.Pointer, addr C.CUdeviceptr) C.CUresult {
	return ls_cudaIpcGetMemHandle(handle, addr)
}

// cuIpcOpenMemHandle_v2 maps device memory of another process.
//
//cuda:support full
//export ls_cuIpcOpenMemHandle_v2
func ls_cuIpcOpenMemHandle_v2(addr *C.CUdeviceptr, handle C.cudaIpcMemHandle_t, flags C.uint) C.CUresult {
	return ls_cudaIpcOpenMemHandle(addr, handle, flags)
}

// cuIpcOpenMemHandle is cuIpcOpenMemHandle_v2.
//
//cuda:support full
//export ls_cuIpcOpenMemHandle
func ls_cuIpcOpenMemHandle(addr *C.CUdeviceptr, handle C.cudaIpcMemHandle_t, flags C.uint) C.CUresult {
	return ls_cudaIpcOpenMemHandle(addr, handle, flags)
}

// cuIpcCloseMemHandle gives up device memory of another process.
//
//cuda:support full
//export ls_cuIpcCloseMemHandle
func ls_cuIpcCloseMemHandle(addr C.CUdeviceptr) C.CUresult {
	return ls_cudaIpcCloseMemHandle(addr)
}

// cuIpcGetEventHandle names an event for other processes.
//
//cuda:support full
//export ls_cuIpcGetEventHandle
func ls_cuIpcGetEventHandle(handle unsafe.Pointer, event C.CUhandle) C.CUresult {
	return ls_cudaIpcGetEventHandle(handle, event)
}

// cuIpcOpenEventHandle opens an event of another process.
//
//cuda:support full
//export ls_cuIpcOpenEventHandle
func ls_cuIpcOpenEventHandle(event *C.CUhandle, handle C.cudaIpcEventHandle_t) C.CUresult {
	return ls_cudaIpcOpenEventHandle(event, handle)
}

// cuMemAdvise says how managed memory will be used.
//
//cuda:support full
//export ls_cuMemAdvise
func ls_cuMemAdvise(addr C.CUdeviceptr, size C.size_t, advice, device C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		return t.MemAdvise(uint64(addr), uint64(size), int(advice), rt.DeviceLocation(int32(device)))
	})
}

// cuMemAdvise_v2 says how managed memory will be used.
//
//cuda:support full
//export ls_cuMemAdvise_v2
func ls_cuMemAdvise_v2(addr C.CUdeviceptr, size C.size_t, advice C.int, where C.cudaMemLocation) C.CUresult {
	return call(func(t *rt.Thread) error {
		return t.MemAdvise(uint64(addr), uint64(size), int(advice), rt.Location{Type: int32(where._type), ID: int32(where.id)})
	})
}

// cuMemPrefetchAsync moves managed memory to where it will be used.
//
//cuda:support full
//export ls_cuMemPrefetchAsync
func ls_cuMemPrefetchAsync(addr C.CUdeviceptr, size C.size_t, device C.int, stream C.cudaStream_t) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.MemPrefetch(uint64(addr), uint64(size), rt.DeviceLocation(int32(device)), 0, s)
	})
}

// cuMemPrefetchAsync_v2 moves managed memory to where it will be used.
//
//cuda:support full
//export ls_cuMemPrefetchAsync_v2
func ls_cuMemPrefetchAsync_v2(addr C.CUdeviceptr, size C.size_t, where C.cudaMemLocation, flags C.uint, stream C.cudaStream_t) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.MemPrefetch(uint64(addr), uint64(size), rt.Location{Type: int32(where._type), ID: int32(where.id)}, uint32(flags), s)
	})
}

// cuMemPrefetchBatchAsync moves managed memory to where it will be used.
//
//cuda:support full
//export ls_cuMemPrefetchBatchAsync
func ls_cuMemPrefetchBatchAsync(addrs *C.uint64_t, sizes *C.uint64_t, count C.size_t, places, starts *C.uint64_t, kinds C.size_t, flags C.ulonglong, stream C.cudaStream_t) C.CUresult {
	return ls_cudaMemPrefetchBatchAsync(addrs, sizes, count, places, starts, kinds, flags, stream)
}

// cuMemDiscardBatchAsync says that the content of managed memory is not needed.
//
//cuda:support full
//export ls_cuMemDiscardBatchAsync
func ls_cuMemDiscardBatchAsync(addrs *C.uint64_t, sizes *C.uint64_t, count C.size_t, flags C.ulonglong, stream C.cudaStream_t) C.CUresult {
	return ls_cudaMemDiscardBatchAsync(addrs, sizes, count, flags, stream)
}

// cuMemRangeGetAttribute tells what was said about managed memory.
//
//cuda:support full
//export ls_cuMemRangeGetAttribute
func ls_cuMemRangeGetAttribute(to unsafe.Pointer, size C.size_t, attribute C.int, addr C.CUdeviceptr, count C.size_t) C.CUresult {
	return ls_cudaMemRangeGetAttribute(to, size, attribute, addr, count)
}

// cuMemRangeGetAttributes tells several things that were said about managed memory.
//
//cuda:support full
//export ls_cuMemRangeGetAttributes
func ls_cuMemRangeGetAttributes(to *unsafe.Pointer, sizes *C.size_t, attributes *C.int, n C.size_t, addr C.CUdeviceptr, count C.size_t) C.CUresult {
	return ls_cudaMemRangeGetAttributes(to, sizes, attributes, n, addr, count)
}

// cuPointerGetAttribute returns an attribute of an address.
//
//cuda:support full
//export ls_cuPointerGetAttribute
func ls_cuPointerGetAttribute(to unsafe.Pointer, attribute C.int, addr C.CUdeviceptr) C.CUresult {
	return call(func(t *rt.Thread) error {
		if to == nil {
			return rt.ErrInvalidValue
		}
		if rt.IsPointerTokens(int(attribute)) {
			context, space, err := t.PointerTokens(uint64(addr))
			return put((*C.CUDA_POINTER_ATTRIBUTE_P2P_TOKENS)(to), C.CUDA_POINTER_ATTRIBUTE_P2P_TOKENS{p2pToken: C.ulonglong(context), vaSpaceToken: C.uint(space)}, err)
		}
		v, err := t.PointerAttribute(int(attribute), uint64(addr))
		if err == nil {
			putNumber(to, rt.PointerAttributeBytes(int(attribute)), v)
		}
		return err
	})
}

// cuPointerGetAttributes returns several attributes of an address. Those that it does not have are 0.
//
//cuda:support full
//export ls_cuPointerGetAttributes
func ls_cuPointerGetAttributes(count C.uint, attributes *C.int, to *unsafe.Pointer, addr C.CUdeviceptr) C.CUresult {
	return call(func(t *rt.Thread) error {
		if attributes == nil || to == nil || count == 0 {
			return rt.ErrInvalidValue
		}
		list := unsafe.Slice(attributes, int(count))
		if slices.ContainsFunc(list, func(a C.int) bool { return rt.IsPointerTokens(int(a)) }) {
			return rt.ErrInvalidValue
		}
		for i, a := range list {
			v, err := t.PointerAttribute(int(a), uint64(addr))
			if err != nil && rt.CodeOf(err) != rt.ErrInvalidValue {
				return err
			}
			if slot := unsafe.Slice(to, int(count))[i]; slot != nil {
				putNumber(slot, rt.PointerAttributeBytes(int(a)), v)
			}
		}
		return nil
	})
}

// cuPointerSetAttribute sets an attribute of an allocation.
//
//cuda:support full
//export ls_cuPointerSetAttribute
func ls_cuPointerSetAttribute(value *C.uint, attribute C.int, addr C.CUdeviceptr) C.CUresult {
	return call(func(t *rt.Thread) error {
		if value == nil {
			return rt.ErrInvalidValue
		}
		return t.SetPointerAttribute(int(attribute), uint32(*value), uint64(addr))
	})
}

// putNumber stores a number of so many bytes.
func putNumber(to unsafe.Pointer, size int, v uint64) {
	b := binary.LittleEndian.AppendUint64(nil, v)
	copy(unsafe.Slice((*byte)(to), size), b)
}

// cuMemDiscardAndPrefetchBatchAsync moves managed memory whose content is not needed.
//
//cuda:support full
//export ls_cuMemDiscardAndPrefetchBatchAsync
func ls_cuMemDiscardAndPrefetchBatchAsync(addrs, sizes *C.uint64_t, count C.size_t, places, starts *C.uint64_t, kinds C.size_t, flags C.ulonglong, stream C.cudaStream_t) C.CUresult {
	return ls_cudaMemDiscardAndPrefetchBatchAsync(addrs, sizes, count, places, starts, kinds, flags, stream)
}
