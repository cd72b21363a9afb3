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
//cuda:support full "no memory of other devices (cudaHostRegisterIoMemory) is beside the simulated one"
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
//cuda:support full "all pinned memory is mapped, as on a card"
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
		if err == nil && free != nil {
			*free = C.size_t(f)
		}
		if err == nil && total != nil {
			*total = C.size_t(n)
		}
		return err
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

// location is a device number, or from CUDA 13 on a cudaMemLocation.
func location(word C.uint64_t, structured bool) rt.Location {
	if !structured {
		return rt.DeviceLocation(int32(word))
	}
	return rt.Location{Type: int32(word), ID: int32(word >> 32)}
}

// cudaMemAdvise says how managed memory will be used.
//
//cuda:support full
//export ls_cudaMemAdvise
func ls_cudaMemAdvise(addr C.uint64_t, size C.size_t, advice C.int, where C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		return t.MemAdvise(uint64(addr), uint64(size), int(advice), location(where, t.Runtime().Major() >= 13))
	})
}

// cudaMemAdvise_v2 is cudaMemAdvise as in CUDA 13.
//
//cuda:support full
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
//cuda:support full
//export ls_cudaMemPrefetchAsync
func ls_cudaMemPrefetchAsync(addr C.uint64_t, size C.size_t, where, fourth C.uint64_t, fifth C.cudaStream_t) C.cudaError_t {
	structured := theRuntime().Major() >= 13
	stream, flags := fifth, uint32(fourth)
	if !structured {
		stream, flags = *(*C.cudaStream_t)(unsafe.Pointer(&fourth)), 0
	}
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.MemPrefetch(uint64(addr), uint64(size), location(where, structured), flags, s)
	})
}

// cudaMemPrefetchAsync_v2 is cudaMemPrefetchAsync as in CUDA 13.
//
//cuda:support full
//export ls_cudaMemPrefetchAsync_v2
func ls_cudaMemPrefetchAsync_v2(addr C.uint64_t, size C.size_t, where C.uint64_t, flags C.uint, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.MemPrefetch(uint64(addr), uint64(size), location(where, true), uint32(flags), s)
	})
}

// ranges reads lists of addresses and sizes.
func ranges(addrs, sizes *C.uint64_t, count C.size_t) ([]rt.Range, error) {
	if addrs == nil || sizes == nil {
		return nil, rt.ErrInvalidValue
	}
	list := make([]rt.Range, int(count))
	for i := range list {
		list[i] = rt.Range{Addr: uint64(unsafe.Slice(addrs, int(count))[i]), Size: uint64(unsafe.Slice(sizes, int(count))[i])}
	}
	return list, nil
}

// targets reads lists of locations and of the first range that each is for.
func targets(places, starts *C.uint64_t, count C.size_t) ([]rt.Target, error) {
	if places == nil || starts == nil {
		return nil, rt.ErrInvalidValue
	}
	list := make([]rt.Target, int(count))
	for i := range list {
		list[i] = rt.Target{Location: location(unsafe.Slice(places, int(count))[i], true), First: uint64(unsafe.Slice(starts, int(count))[i])}
	}
	return list, nil
}

// cudaMemPrefetchBatchAsync moves ranges of managed memory.
//
//cuda:support full
//export ls_cudaMemPrefetchBatchAsync
func ls_cudaMemPrefetchBatchAsync(addrs, sizes *C.uint64_t, count C.size_t, places, starts *C.uint64_t, kinds C.size_t, flags C.ulonglong, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		list, err := ranges(addrs, sizes, count)
		if err != nil {
			return err
		}
		to, err := targets(places, starts, kinds)
		if err != nil {
			return err
		}
		return t.MemPrefetchBatch(list, to, uint64(flags), s)
	})
}

// cudaMemDiscardBatchAsync says that the content of managed memory is not needed.
//
//cuda:support full
//export ls_cudaMemDiscardBatchAsync
func ls_cudaMemDiscardBatchAsync(addrs, sizes *C.uint64_t, count C.size_t, flags C.ulonglong, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		list, err := ranges(addrs, sizes, count)
		if err != nil {
			return err
		}
		return t.MemDiscardBatch(list, uint64(flags), s)
	})
}

// cudaMemDiscardAndPrefetchBatchAsync moves ranges of managed memory whose content
// is not needed.
//
//cuda:support full
//export ls_cudaMemDiscardAndPrefetchBatchAsync
func ls_cudaMemDiscardAndPrefetchBatchAsync(addrs, sizes *C.uint64_t, count C.size_t, places, starts *C.uint64_t, kinds C.size_t, flags C.ulonglong, stream C.cudaStream_t) C.cudaError_t {
	return ls_cudaMemPrefetchBatchAsync(addrs, sizes, count, places, starts, kinds, flags, stream)
}

// cudaMemRangeGetAttribute tells what was said about managed memory.
//
//cuda:support full
//export ls_cudaMemRangeGetAttribute
func ls_cudaMemRangeGetAttribute(to unsafe.Pointer, size C.size_t, attribute C.int, addr C.uint64_t, count C.size_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		return rangeAttribute(t, to, size, attribute, addr, count)
	})
}

func rangeAttribute(t *rt.Thread, to unsafe.Pointer, size C.size_t, attribute C.int, addr C.uint64_t, count C.size_t) error {
	const word = 4
	if to == nil || size%word != 0 {
		return rt.ErrInvalidValue
	}
	words, err := t.MemRangeGetAttribute(int(attribute), int(size/word), uint64(addr), uint64(count))
	copy(unsafe.Slice((*int32)(to), int(size/word)), words)
	return err
}

// cudaMemRangeGetAttributes tells several things that were said about managed
// memory.
//
//cuda:support full
//export ls_cudaMemRangeGetAttributes
func ls_cudaMemRangeGetAttributes(to *unsafe.Pointer, sizes *C.size_t, attributes *C.int, n C.size_t, addr C.uint64_t, count C.size_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if to == nil || sizes == nil || attributes == nil || n == 0 {
			return rt.ErrInvalidValue
		}
		for i := range int(n) {
			err := rangeAttribute(t, unsafe.Slice(to, int(n))[i], unsafe.Slice(sizes, int(n))[i], unsafe.Slice(attributes, int(n))[i], addr, count)
			if err != nil {
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
