package main

// #include "lockstep.h"
import "C"

import "github.com/lockstep-sim/lockstep/cudart/rt"

// cudaMemcpy copies bytes.
//
//cuda:support full
//export ls_cudaMemcpy
func ls_cudaMemcpy(dst, src C.uint64_t, n C.size_t, kind C.int) C.cudaError_t {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.Memcpy(uint64(dst), uint64(src), uint64(n), int(kind), inOrder(s))
	})
}

// cudaMemcpyAsync copies bytes in the order of a stream.
//
//cuda:support full
//export ls_cudaMemcpyAsync
func ls_cudaMemcpyAsync(dst, src C.uint64_t, n C.size_t, kind C.int, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.Memcpy(uint64(dst), uint64(src), uint64(n), int(kind), async(s))
	})
}

// cudaMemcpy2D copies rows.
//
//cuda:support full
//export ls_cudaMemcpy2D
func ls_cudaMemcpy2D(dst C.uint64_t, dpitch C.size_t, src C.uint64_t, spitch, width, height C.size_t, kind C.int) C.cudaError_t {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.Memcpy2D(pitched(dst, dpitch), pitched(src, spitch), uint64(width), uint64(height), int(kind), inOrder(s))
	})
}

// cudaMemcpy2DAsync copies rows in the order of a stream.
//
//cuda:support full
//export ls_cudaMemcpy2DAsync
func ls_cudaMemcpy2DAsync(dst C.uint64_t, dpitch C.size_t, src C.uint64_t, spitch, width, height C.size_t, kind C.int, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.Memcpy2D(pitched(dst, dpitch), pitched(src, spitch), uint64(width), uint64(height), int(kind), async(s))
	})
}

// copyEnd is one end of a three-dimensional copy.
func copyEnd(array C.cudaArray_t, at C.cudaPos, memory C.cudaPitchedPtr) rt.End {
	return rt.End{Array: uint64(handle(array)), Memory: volume(memory), X: uint64(at.x), Y: uint64(at.y), Z: uint64(at.z)}
}

func memcpy3D(t *rt.Thread, p *C.cudaMemcpy3DParms, o rt.Order) error {
	if p == nil {
		return rt.ErrInvalidValue
	}
	return t.Memcpy3D(copyEnd(p.dstArray, p.dstPos, p.dstPtr), copyEnd(p.srcArray, p.srcPos, p.srcPtr), extent(p.extent), int(p.kind), o)
}

// cudaMemcpy3D copies slices of rows.
//
//cuda:support full
//export ls_cudaMemcpy3D
func ls_cudaMemcpy3D(p *C.cudaMemcpy3DParms) C.cudaError_t {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error { return memcpy3D(t, p, inOrder(s)) })
}

// cudaMemcpy3DAsync copies slices of rows in the order of a stream.
//
//cuda:support full
//export ls_cudaMemcpy3DAsync
func ls_cudaMemcpy3DAsync(p *C.cudaMemcpy3DParms, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error { return memcpy3D(t, p, async(s)) })
}

func memcpy3DPeer(t *rt.Thread, p *C.cudaMemcpy3DPeerParms, o rt.Order) error {
	if p == nil {
		return rt.ErrInvalidValue
	}
	return t.Memcpy3DPeer(copyEnd(p.dstArray, p.dstPos, p.dstPtr), int(p.dstDevice),
		copyEnd(p.srcArray, p.srcPos, p.srcPtr), int(p.srcDevice), extent(p.extent), o)
}

// cudaMemcpy3DPeer copies slices of rows between devices.
//
//cuda:support full
//export ls_cudaMemcpy3DPeer
func ls_cudaMemcpy3DPeer(p *C.cudaMemcpy3DPeerParms) C.cudaError_t {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error { return memcpy3DPeer(t, p, inOrder(s)) })
}

// cudaMemcpy3DPeerAsync copies slices of rows between devices in the order of a
// stream.
//
//cuda:support full
//export ls_cudaMemcpy3DPeerAsync
func ls_cudaMemcpy3DPeerAsync(p *C.cudaMemcpy3DPeerParms, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error { return memcpy3DPeer(t, p, async(s)) })
}

// cudaMemcpyPeer copies bytes between devices.
//
//cuda:support full
//export ls_cudaMemcpyPeer
func ls_cudaMemcpyPeer(dst C.uint64_t, dstDevice C.int, src C.uint64_t, srcDevice C.int, n C.size_t) C.cudaError_t {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.MemcpyPeer(uint64(dst), int(dstDevice), uint64(src), int(srcDevice), uint64(n), inOrder(s))
	})
}

// cudaMemcpyPeerAsync copies bytes between devices in the order of a stream.
//
//cuda:support full
//export ls_cudaMemcpyPeerAsync
func ls_cudaMemcpyPeerAsync(dst C.uint64_t, dstDevice C.int, src C.uint64_t, srcDevice C.int, n C.size_t, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.MemcpyPeer(uint64(dst), int(dstDevice), uint64(src), int(srcDevice), uint64(n), async(s))
	})
}

// cudaMemcpyToSymbol copies bytes to a device variable.
//
//cuda:support full
//export ls_cudaMemcpyToSymbol
func ls_cudaMemcpyToSymbol(symbol, src C.uint64_t, n, offset C.size_t, kind C.int) C.cudaError_t {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.MemcpyToSymbol(uint64(symbol), uint64(src), uint64(n), uint64(offset), int(kind), inOrder(s))
	})
}

// cudaMemcpyToSymbolAsync copies bytes to a device variable in the order of a stream.
//
//cuda:support full
//export ls_cudaMemcpyToSymbolAsync
func ls_cudaMemcpyToSymbolAsync(symbol, src C.uint64_t, n, offset C.size_t, kind C.int, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.MemcpyToSymbol(uint64(symbol), uint64(src), uint64(n), uint64(offset), int(kind), async(s))
	})
}

// cudaMemcpyFromSymbol copies bytes from a device variable.
//
//cuda:support full
//export ls_cudaMemcpyFromSymbol
func ls_cudaMemcpyFromSymbol(dst, symbol C.uint64_t, n, offset C.size_t, kind C.int) C.cudaError_t {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.MemcpyFromSymbol(uint64(dst), uint64(symbol), uint64(n), uint64(offset), int(kind), inOrder(s))
	})
}

// cudaMemcpyFromSymbolAsync copies bytes from a device variable in the order of a
// stream.
//
//cuda:support full
//export ls_cudaMemcpyFromSymbolAsync
func ls_cudaMemcpyFromSymbolAsync(dst, symbol C.uint64_t, n, offset C.size_t, kind C.int, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.MemcpyFromSymbol(uint64(dst), uint64(symbol), uint64(n), uint64(offset), int(kind), async(s))
	})
}

// cudaMemset fills bytes.
//
//cuda:support full
//export ls_cudaMemset
func ls_cudaMemset(addr C.uint64_t, value C.int, n C.size_t) C.cudaError_t {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.Memset(uint64(addr), uint8(value), uint64(n), inOrder(s))
	})
}

// cudaMemsetAsync fills bytes in the order of a stream.
//
//cuda:support full
//export ls_cudaMemsetAsync
func ls_cudaMemsetAsync(addr C.uint64_t, value C.int, n C.size_t, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.Memset(uint64(addr), uint8(value), uint64(n), async(s))
	})
}

// cudaMemset2D fills rows.
//
//cuda:support full
//export ls_cudaMemset2D
func ls_cudaMemset2D(addr C.uint64_t, pitch C.size_t, value C.int, width, height C.size_t) C.cudaError_t {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.Memset2D(pitched(addr, pitch), uint8(value), uint64(width), uint64(height), inOrder(s))
	})
}

// cudaMemset2DAsync fills rows in the order of a stream.
//
//cuda:support full
//export ls_cudaMemset2DAsync
func ls_cudaMemset2DAsync(addr C.uint64_t, pitch C.size_t, value C.int, width, height C.size_t, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.Memset2D(pitched(addr, pitch), uint8(value), uint64(width), uint64(height), async(s))
	})
}

// cudaMemset3D fills slices of rows.
//
//cuda:support full
//export ls_cudaMemset3D
func ls_cudaMemset3D(memory C.cudaPitchedPtr, value C.int, size C.cudaExtent) C.cudaError_t {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.Memset3D(volume(memory), uint8(value), extent(size), inOrder(s))
	})
}

// cudaMemset3DAsync fills slices of rows in the order of a stream.
//
//cuda:support full
//export ls_cudaMemset3DAsync
func ls_cudaMemset3DAsync(memory C.cudaPitchedPtr, value C.int, size C.cudaExtent, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.Memset3D(volume(memory), uint8(value), extent(size), async(s))
	})
}
