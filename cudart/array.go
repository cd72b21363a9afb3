package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

func handle(array C.cudaArray_t) uint64 { return address(unsafe.Pointer(array)) }

// cudaMallocArray makes an array of one or two dimensions.
//
//cuda:support full
//export ls_cudaMallocArray
func ls_cudaMallocArray(array *C.uint64_t, desc *C.cudaChannelFormatDesc, width, height C.size_t, flags C.uint) C.cudaError_t {
	return ls_cudaMalloc3DArray(array, desc, C.cudaExtent{width: width, height: height}, flags)
}

// cudaMalloc3DArray makes an array.
//
//cuda:support full
//export ls_cudaMalloc3DArray
func ls_cudaMalloc3DArray(array *C.uint64_t, desc *C.cudaChannelFormatDesc, size C.cudaExtent, flags C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if desc == nil || array == nil {
			return rt.ErrInvalidValue
		}
		h, err := t.MallocArray(channel(desc), extent(size), uint32(flags))
		return putInt(array, h, err)
	})
}

// cudaFreeArray gives up an array.
//
//cuda:support full
//export ls_cudaFreeArray
func ls_cudaFreeArray(array C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.FreeArray(uint64(array)) })
}

// cudaArrayGetInfo describes an array.
//
//cuda:support full
//export ls_cudaArrayGetInfo
func ls_cudaArrayGetInfo(desc *C.cudaChannelFormatDesc, size *C.cudaExtent, flags *C.uint, array C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		d, e, f, err := t.ArrayGetInfo(uint64(array))
		if err != nil {
			return err
		}
		if desc != nil {
			*desc = cChannel(d)
		}
		if size != nil {
			*size = C.cudaExtent{width: C.size_t(e.Width), height: C.size_t(e.Height), depth: C.size_t(e.Depth)}
		}
		if flags != nil {
			*flags = C.uint(f)
		}
		return nil
	})
}

// cudaGetChannelDesc describes an array's elements.
//
//cuda:support full
//export ls_cudaGetChannelDesc
func ls_cudaGetChannelDesc(desc *C.cudaChannelFormatDesc, array C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		d, _, _, err := t.ArrayGetInfo(uint64(array))
		return put(desc, cChannel(d), err)
	})
}

// cudaMemcpyToArray copies bytes to an array.
//
//cuda:support full
//export ls_cudaMemcpyToArray
func ls_cudaMemcpyToArray(dst C.uint64_t, x, y C.size_t, src C.uint64_t, n C.size_t, kind C.int) C.cudaError_t {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.MemcpyToArray(spot(dst, x, y), uint64(src), uint64(n), int(kind), inOrder(s))
	})
}

// cudaMemcpyToArrayAsync copies bytes to an array in the order of a stream.
//
//cuda:support full
//export ls_cudaMemcpyToArrayAsync
func ls_cudaMemcpyToArrayAsync(dst C.uint64_t, x, y C.size_t, src C.uint64_t, n C.size_t, kind C.int, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.MemcpyToArray(spot(dst, x, y), uint64(src), uint64(n), int(kind), async(s))
	})
}

// cudaMemcpyFromArray copies bytes from an array.
//
//cuda:support full
//export ls_cudaMemcpyFromArray
func ls_cudaMemcpyFromArray(dst, src C.uint64_t, x, y, n C.size_t, kind C.int) C.cudaError_t {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.MemcpyFromArray(uint64(dst), spot(src, x, y), uint64(n), int(kind), inOrder(s))
	})
}

// cudaMemcpyFromArrayAsync copies bytes from an array in the order of a stream.
//
//cuda:support full
//export ls_cudaMemcpyFromArrayAsync
func ls_cudaMemcpyFromArrayAsync(dst, src C.uint64_t, x, y, n C.size_t, kind C.int, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.MemcpyFromArray(uint64(dst), spot(src, x, y), uint64(n), int(kind), async(s))
	})
}

// cudaMemcpyArrayToArray copies bytes between arrays.
//
//cuda:support full
//export ls_cudaMemcpyArrayToArray
func ls_cudaMemcpyArrayToArray(dst C.uint64_t, dx, dy C.size_t, src C.uint64_t, sx, sy, n C.size_t, kind C.int) C.cudaError_t {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.MemcpyArrayToArray(spot(dst, dx, dy), spot(src, sx, sy), uint64(n), int(kind), inOrder(s))
	})
}

// cudaMemcpy2DToArray copies rows to an array.
//
//cuda:support full
//export ls_cudaMemcpy2DToArray
func ls_cudaMemcpy2DToArray(dst C.uint64_t, x, y C.size_t, src C.uint64_t, pitch, width, height C.size_t, kind C.int) C.cudaError_t {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.Memcpy2DToArray(spot(dst, x, y), pitched(src, pitch), uint64(width), uint64(height), int(kind), inOrder(s))
	})
}

// cudaMemcpy2DToArrayAsync copies rows to an array in the order of a stream.
//
//cuda:support full
//export ls_cudaMemcpy2DToArrayAsync
func ls_cudaMemcpy2DToArrayAsync(dst C.uint64_t, x, y C.size_t, src C.uint64_t, pitch, width, height C.size_t, kind C.int, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.Memcpy2DToArray(spot(dst, x, y), pitched(src, pitch), uint64(width), uint64(height), int(kind), async(s))
	})
}

// cudaMemcpy2DFromArray copies rows from an array.
//
//cuda:support full
//export ls_cudaMemcpy2DFromArray
func ls_cudaMemcpy2DFromArray(dst C.uint64_t, pitch C.size_t, src C.uint64_t, x, y, width, height C.size_t, kind C.int) C.cudaError_t {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.Memcpy2DFromArray(pitched(dst, pitch), spot(src, x, y), uint64(width), uint64(height), int(kind), inOrder(s))
	})
}

// cudaMemcpy2DFromArrayAsync copies rows from an array in the order of a stream.
//
//cuda:support full
//export ls_cudaMemcpy2DFromArrayAsync
func ls_cudaMemcpy2DFromArrayAsync(dst C.uint64_t, pitch C.size_t, src C.uint64_t, x, y, width, height C.size_t, kind C.int, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.Memcpy2DFromArray(pitched(dst, pitch), spot(src, x, y), uint64(width), uint64(height), int(kind), async(s))
	})
}

// cudaMemcpy2DArrayToArray copies rows between arrays.
//
//cuda:support full
//export ls_cudaMemcpy2DArrayToArray
func ls_cudaMemcpy2DArrayToArray(dst C.uint64_t, dx, dy C.size_t, src C.uint64_t, sx, sy, width, height C.size_t, kind C.int) C.cudaError_t {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.Memcpy2DArrayToArray(spot(dst, dx, dy), spot(src, sx, sy), uint64(width), uint64(height), int(kind), inOrder(s))
	})
}
