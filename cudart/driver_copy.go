package main

// #include "lockstep.h"
import "C"

import (
	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// cuMemcpyHtoD_v2 copies memory of the host to a device.
//
//cuda:support full
//export ls_cuMemcpyHtoD_v2
func ls_cuMemcpyHtoD_v2(dst, src C.uint64_t, size C.size_t) C.CUresult {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.CopyUnified(uint64(dst), uint64(src), uint64(size), rt.HostToDevice, inOrder(s))
	})
}

// cuMemcpyHtoDAsync_v2 copies memory of the host to a device in stream order.
//
//cuda:support full
//export ls_cuMemcpyHtoDAsync_v2
func ls_cuMemcpyHtoDAsync_v2(dst, src C.uint64_t, size C.size_t, stream C.cudaStream_t) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.CopyUnified(uint64(dst), uint64(src), uint64(size), rt.HostToDevice, async(s))
	})
}

// cuMemcpyDtoH_v2 copies memory of a device to the host.
//
//cuda:support full
//export ls_cuMemcpyDtoH_v2
func ls_cuMemcpyDtoH_v2(dst, src C.uint64_t, size C.size_t) C.CUresult {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.CopyUnified(uint64(dst), uint64(src), uint64(size), rt.DeviceToHost, inOrder(s))
	})
}

// cuMemcpyDtoHAsync_v2 copies memory of a device to the host in stream order.
//
//cuda:support full
//export ls_cuMemcpyDtoHAsync_v2
func ls_cuMemcpyDtoHAsync_v2(dst, src C.uint64_t, size C.size_t, stream C.cudaStream_t) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.CopyUnified(uint64(dst), uint64(src), uint64(size), rt.DeviceToHost, async(s))
	})
}

// cuMemcpyDtoD_v2 copies memory of devices.
//
//cuda:support full
//export ls_cuMemcpyDtoD_v2
func ls_cuMemcpyDtoD_v2(dst, src C.uint64_t, size C.size_t) C.CUresult {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.CopyUnified(uint64(dst), uint64(src), uint64(size), rt.DeviceToDevice, inOrder(s))
	})
}

// cuMemcpyDtoDAsync_v2 copies memory of devices in stream order.
//
//cuda:support full
//export ls_cuMemcpyDtoDAsync_v2
func ls_cuMemcpyDtoDAsync_v2(dst, src C.uint64_t, size C.size_t, stream C.cudaStream_t) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.CopyUnified(uint64(dst), uint64(src), uint64(size), rt.DeviceToDevice, async(s))
	})
}

// cuMemcpy copies memory.
//
//cuda:support full
//export ls_cuMemcpy
func ls_cuMemcpy(dst, src C.uint64_t, size C.size_t) C.CUresult {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.CopyUnified(uint64(dst), uint64(src), uint64(size), rt.AnyDirection, inOrder(s))
	})
}

// cuMemcpyAsync copies memory in stream order.
//
//cuda:support full
//export ls_cuMemcpyAsync
func ls_cuMemcpyAsync(dst, src C.uint64_t, size C.size_t, stream C.cudaStream_t) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.CopyUnified(uint64(dst), uint64(src), uint64(size), rt.AnyDirection, async(s))
	})
}

// cuMemcpyPeer copies memory from one context to another.
//
//cuda:support full
//export ls_cuMemcpyPeer
func ls_cuMemcpyPeer(dst C.CUdeviceptr, to C.CUhandle, src C.CUdeviceptr, from C.CUhandle, size C.size_t) C.CUresult {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.CopyContexts(uint64(dst), uint64(to), uint64(src), uint64(from), uint64(size), inOrder(s))
	})
}

// cuMemcpyPeerAsync does that in stream order.
//
//cuda:support full
//export ls_cuMemcpyPeerAsync
func ls_cuMemcpyPeerAsync(dst C.CUdeviceptr, to C.CUhandle, src C.CUdeviceptr, from C.CUhandle, size C.size_t, stream C.cudaStream_t) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.CopyContexts(uint64(dst), uint64(to), uint64(src), uint64(from), uint64(size), async(s))
	})
}

// cuMemcpyHtoA_v2 copies memory of the host to an array.
//
//cuda:support full
//export ls_cuMemcpyHtoA_v2
func ls_cuMemcpyHtoA_v2(array C.CUhandle, offset C.size_t, src C.uint64_t, size C.size_t) C.CUresult {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.CopyArray(uint64(array), uint64(offset), uint64(src), uint64(size), true, inOrder(s))
	})
}

// cuMemcpyHtoAAsync_v2 does that in stream order.
//
//cuda:support full
//export ls_cuMemcpyHtoAAsync_v2
func ls_cuMemcpyHtoAAsync_v2(array C.CUhandle, offset C.size_t, src C.uint64_t, size C.size_t, stream C.cudaStream_t) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.CopyArray(uint64(array), uint64(offset), uint64(src), uint64(size), true, async(s))
	})
}

// cuMemcpyAtoH_v2 copies an array to memory of the host.
//
//cuda:support full
//export ls_cuMemcpyAtoH_v2
func ls_cuMemcpyAtoH_v2(dst C.uint64_t, array C.CUhandle, offset C.size_t, size C.size_t) C.CUresult {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.CopyArray(uint64(array), uint64(offset), uint64(dst), uint64(size), false, inOrder(s))
	})
}

// cuMemcpyAtoHAsync_v2 does that in stream order.
//
//cuda:support full
//export ls_cuMemcpyAtoHAsync_v2
func ls_cuMemcpyAtoHAsync_v2(dst C.uint64_t, array C.CUhandle, offset C.size_t, size C.size_t, stream C.cudaStream_t) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.CopyArray(uint64(array), uint64(offset), uint64(dst), uint64(size), false, async(s))
	})
}

// cuMemcpyDtoA_v2 copies memory of a device to an array.
//
//cuda:support full
//export ls_cuMemcpyDtoA_v2
func ls_cuMemcpyDtoA_v2(array C.CUhandle, offset C.size_t, src C.CUdeviceptr, size C.size_t) C.CUresult {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.CopyArray(uint64(array), uint64(offset), uint64(src), uint64(size), true, inOrder(s))
	})
}

// cuMemcpyAtoD_v2 copies an array to memory of a device.
//
//cuda:support full
//export ls_cuMemcpyAtoD_v2
func ls_cuMemcpyAtoD_v2(dst C.CUdeviceptr, array C.CUhandle, offset C.size_t, size C.size_t) C.CUresult {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.CopyArray(uint64(array), uint64(offset), uint64(dst), uint64(size), false, inOrder(s))
	})
}

// cuMemcpyAtoA_v2 copies between arrays.
//
//cuda:support full
//export ls_cuMemcpyAtoA_v2
func ls_cuMemcpyAtoA_v2(dst C.CUhandle, dstOffset C.size_t, src C.CUhandle, srcOffset C.size_t, size C.size_t) C.CUresult {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.CopyArrays(uint64(dst), uint64(dstOffset), uint64(src), uint64(srcOffset), uint64(size), inOrder(s))
	})
}

// rowCopy is a two-dimensional copy. Without a stream that the host goes on beside, it waits.
func rowCopy(t *rt.Thread, c *C.CUDA_MEMCPY2D, o rt.Order) error {
	if c == nil {
		return rt.ErrInvalidValue
	}
	dst := rt.CopyEnd{
		Type: int32(c.dstMemoryType), Host: uint64(c.dstHost), Device: uint64(c.dstDevice), Array: uint64(c.dstArray),
		X: uint64(c.dstXInBytes), Y: uint64(c.dstY), Pitch: uint64(c.dstPitch),
	}
	src := rt.CopyEnd{
		Type: int32(c.srcMemoryType), Host: uint64(c.srcHost), Device: uint64(c.srcDevice), Array: uint64(c.srcArray),
		X: uint64(c.srcXInBytes), Y: uint64(c.srcY), Pitch: uint64(c.srcPitch),
	}
	return t.CopyBox(dst, src, rt.Extent{Width: uint64(c.WidthInBytes), Height: uint64(c.Height), Depth: 1}, o)
}

// boxCopy is a three-dimensional copy.
func boxCopy(t *rt.Thread, c *C.CUDA_MEMCPY3D, o rt.Order) error {
	if c == nil {
		return rt.ErrInvalidValue
	}
	dst := rt.CopyEnd{
		Type: int32(c.dstMemoryType), Host: uint64(c.dstHost), Device: uint64(c.dstDevice), Array: uint64(c.dstArray),
		X: uint64(c.dstXInBytes), Y: uint64(c.dstY), Z: uint64(c.dstZ), Level: uint64(c.dstLOD), Pitch: uint64(c.dstPitch), Height: uint64(c.dstHeight),
	}
	src := rt.CopyEnd{
		Type: int32(c.srcMemoryType), Host: uint64(c.srcHost), Device: uint64(c.srcDevice), Array: uint64(c.srcArray),
		X: uint64(c.srcXInBytes), Y: uint64(c.srcY), Z: uint64(c.srcZ), Level: uint64(c.srcLOD), Pitch: uint64(c.srcPitch), Height: uint64(c.srcHeight),
	}
	return t.CopyBox(dst, src, rt.Extent{Width: uint64(c.WidthInBytes), Height: uint64(c.Height), Depth: uint64(c.Depth)}, o)
}

// cuMemcpy2D_v2 copies rows.
//
//cuda:support full
//export ls_cuMemcpy2D_v2
func ls_cuMemcpy2D_v2(copy *C.CUDA_MEMCPY2D) C.CUresult {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error { return rowCopy(t, copy, inOrder(s)) })
}

// cuMemcpy2DUnaligned_v2 is cuMemcpy2D_v2 for any pitch.
//
//cuda:support full
//export ls_cuMemcpy2DUnaligned_v2
func ls_cuMemcpy2DUnaligned_v2(copy *C.CUDA_MEMCPY2D) C.CUresult {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error { return rowCopy(t, copy, inOrder(s)) })
}

// cuMemcpy2DAsync_v2 copies rows in stream order.
//
//cuda:support full
//export ls_cuMemcpy2DAsync_v2
func ls_cuMemcpy2DAsync_v2(copy *C.CUDA_MEMCPY2D, stream C.cudaStream_t) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error { return rowCopy(t, copy, async(s)) })
}

// cuMemcpy3D_v2 copies slices.
//
//cuda:support full
//export ls_cuMemcpy3D_v2
func ls_cuMemcpy3D_v2(copy *C.CUDA_MEMCPY3D) C.CUresult {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error { return boxCopy(t, copy, inOrder(s)) })
}

// cuMemcpy3DAsync_v2 copies slices in stream order.
//
//cuda:support full
//export ls_cuMemcpy3DAsync_v2
func ls_cuMemcpy3DAsync_v2(copy *C.CUDA_MEMCPY3D, stream C.cudaStream_t) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error { return boxCopy(t, copy, async(s)) })
}

// cuMemcpy3DPeer copies slices from one context to another.
//
//cuda:support full
//export ls_cuMemcpy3DPeer
func ls_cuMemcpy3DPeer(copy *C.CUDA_MEMCPY3D) C.CUresult {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error { return boxCopy(t, copy, inOrder(s)) })
}

// cuMemcpy3DPeerAsync does that in stream order.
//
//cuda:support full
//export ls_cuMemcpy3DPeerAsync
func ls_cuMemcpy3DPeerAsync(copy *C.CUDA_MEMCPY3D, stream C.cudaStream_t) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error { return boxCopy(t, copy, async(s)) })
}

// elements is the setting of count elements of a size in bytes.
func elements(addr C.CUdeviceptr, value uint32, size uint32, count C.size_t) rt.Memset {
	return rt.Memset{Dst: uint64(addr), Width: uint64(count), Height: 1, Value: value, Size: size}
}

// rows is the setting of rows of such elements.
func rows(addr C.CUdeviceptr, pitch C.size_t, value uint32, size uint32, width, height C.size_t) rt.Memset {
	return rt.Memset{Dst: uint64(addr), Pitch: uint64(pitch), Width: uint64(width), Height: uint64(height), Value: value, Size: size}
}

// cuMemsetD8_v2 sets elements of 8 bits.
//
//cuda:support full
//export ls_cuMemsetD8_v2
func ls_cuMemsetD8_v2(addr C.CUdeviceptr, value C.uchar, count C.size_t) C.CUresult {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.Fill(elements(addr, uint32(value), 1, count), inOrder(s))
	})
}

// cuMemsetD8Async does that in stream order.
//
//cuda:support full
//export ls_cuMemsetD8Async
func ls_cuMemsetD8Async(addr C.CUdeviceptr, value C.uchar, count C.size_t, stream C.cudaStream_t) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.Fill(elements(addr, uint32(value), 1, count), async(s))
	})
}

// cuMemsetD2D8_v2 sets rows of elements of 8 bits.
//
//cuda:support full
//export ls_cuMemsetD2D8_v2
func ls_cuMemsetD2D8_v2(addr C.CUdeviceptr, pitch C.size_t, value C.uchar, width, height C.size_t) C.CUresult {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.Fill(rows(addr, pitch, uint32(value), 1, width, height), inOrder(s))
	})
}

// cuMemsetD2D8Async does that in stream order.
//
//cuda:support full
//export ls_cuMemsetD2D8Async
func ls_cuMemsetD2D8Async(addr C.CUdeviceptr, pitch C.size_t, value C.uchar, width, height C.size_t, stream C.cudaStream_t) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.Fill(rows(addr, pitch, uint32(value), 1, width, height), async(s))
	})
}

// cuMemsetD16_v2 sets elements of 16 bits.
//
//cuda:support full
//export ls_cuMemsetD16_v2
func ls_cuMemsetD16_v2(addr C.CUdeviceptr, value C.ushort, count C.size_t) C.CUresult {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.Fill(elements(addr, uint32(value), 2, count), inOrder(s))
	})
}

// cuMemsetD16Async does that in stream order.
//
//cuda:support full
//export ls_cuMemsetD16Async
func ls_cuMemsetD16Async(addr C.CUdeviceptr, value C.ushort, count C.size_t, stream C.cudaStream_t) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.Fill(elements(addr, uint32(value), 2, count), async(s))
	})
}

// cuMemsetD2D16_v2 sets rows of elements of 16 bits.
//
//cuda:support full
//export ls_cuMemsetD2D16_v2
func ls_cuMemsetD2D16_v2(addr C.CUdeviceptr, pitch C.size_t, value C.ushort, width, height C.size_t) C.CUresult {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.Fill(rows(addr, pitch, uint32(value), 2, width, height), inOrder(s))
	})
}

// cuMemsetD2D16Async does that in stream order.
//
//cuda:support full
//export ls_cuMemsetD2D16Async
func ls_cuMemsetD2D16Async(addr C.CUdeviceptr, pitch C.size_t, value C.ushort, width, height C.size_t, stream C.cudaStream_t) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.Fill(rows(addr, pitch, uint32(value), 2, width, height), async(s))
	})
}

// cuMemsetD32_v2 sets elements of 32 bits.
//
//cuda:support full
//export ls_cuMemsetD32_v2
func ls_cuMemsetD32_v2(addr C.CUdeviceptr, value C.uint, count C.size_t) C.CUresult {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.Fill(elements(addr, uint32(value), 4, count), inOrder(s))
	})
}

// cuMemsetD32Async does that in stream order.
//
//cuda:support full
//export ls_cuMemsetD32Async
func ls_cuMemsetD32Async(addr C.CUdeviceptr, value C.uint, count C.size_t, stream C.cudaStream_t) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.Fill(elements(addr, uint32(value), 4, count), async(s))
	})
}

// cuMemsetD2D32_v2 sets rows of elements of 32 bits.
//
//cuda:support full
//export ls_cuMemsetD2D32_v2
func ls_cuMemsetD2D32_v2(addr C.CUdeviceptr, pitch C.size_t, value C.uint, width, height C.size_t) C.CUresult {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.Fill(rows(addr, pitch, uint32(value), 4, width, height), inOrder(s))
	})
}

// cuMemsetD2D32Async does that in stream order.
//
//cuda:support full
//export ls_cuMemsetD2D32Async
func ls_cuMemsetD2D32Async(addr C.CUdeviceptr, pitch C.size_t, value C.uint, width, height C.size_t, stream C.cudaStream_t) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.Fill(rows(addr, pitch, uint32(value), 4, width, height), async(s))
	})
}
