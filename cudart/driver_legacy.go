package main

// #include "lockstep.h"
import "C"

import (
	"math"
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// The functions of CUDA 3.1 and before, whose device addresses and sizes have 32
// bits. They need a context that cuCtxCreate of then has made (version 3010), whose
// memory lies below 4 GiB; in others they answer CUDA_ERROR_INVALID_CONTEXT, as on a
// card.

// narrow runs a call that needs such a context.
func narrow(f func() C.CUresult) C.CUresult {
	if code := call(func(t *rt.Thread) error { return t.CheckNarrow() }); code != 0 {
		return code
	}
	return f()
}

// saturate is a number of bytes as 32 bits can say it.
func saturate(n uint64) C.uint { return C.uint(min(n, math.MaxUint32)) }

// putNarrow stores an address and a size, of which either may not be wanted.
func putNarrow(addr, size *C.uint, a, n uint64, code C.CUresult) C.CUresult {
	if code == 0 && addr != nil {
		*addr = C.uint(a)
	}
	if code == 0 && size != nil {
		*size = saturate(n)
	}
	return code
}

// cuDeviceTotalMem returns the memory of a device in bytes, as far as 32 bits say it.
//
//cuda:support full
//export ls_cuDeviceTotalMem
func ls_cuDeviceTotalMem(bytes *C.uint, device C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.DeviceTotalMemory(int(device))
		return putInt(bytes, saturate(v), err)
	})
}

// cuMemGetInfo returns free and total memory in bytes.
//
//cuda:support full
//export ls_cuMemGetInfo
func ls_cuMemGetInfo(free, total *C.uint) C.CUresult {
	return narrow(func() C.CUresult {
		var f, n C.size_t
		code := ls_cuMemGetInfo_v2(&f, &n)
		return putNarrow(free, total, uint64(f), uint64(n), code)
	})
}

// cuMemAlloc allocates device memory.
//
//cuda:support full
//export ls_cuMemAlloc
func ls_cuMemAlloc(addr *C.uint, size C.uint) C.CUresult {
	return call(func(t *rt.Thread) error {
		if err := t.CheckNarrow(); err != nil {
			return err
		}
		if addr == nil {
			return rt.ErrInvalidValue
		}
		a, err := t.MemAlloc(uint64(size))
		return putInt(addr, C.uint(a), err)
	})
}

// cuMemAllocPitch allocates rows of device memory.
//
//cuda:support full
//export ls_cuMemAllocPitch
func ls_cuMemAllocPitch(addr, pitch *C.uint, width, height, access C.uint) C.CUresult {
	return narrow(func() C.CUresult {
		var a C.CUdeviceptr
		var p C.size_t
		code := ls_cuMemAllocPitch_v2(&a, &p, C.size_t(width), C.size_t(height), access)
		return putNarrow(addr, pitch, uint64(a), uint64(p), code)
	})
}

// cuMemFree frees device memory.
//
//cuda:support full
//export ls_cuMemFree
func ls_cuMemFree(addr C.uint) C.CUresult {
	if addr == 0 && call(func(t *rt.Thread) error { return t.CheckNoContext() }) == 0 {
		return 0
	}
	return narrow(func() C.CUresult { return ls_cuMemFree_v2(C.CUdeviceptr(addr)) })
}

// cuMemGetAddressRange returns the allocation that holds an address.
//
//cuda:support full
//export ls_cuMemGetAddressRange
func ls_cuMemGetAddressRange(base, size *C.uint, addr C.uint) C.CUresult {
	return narrow(func() C.CUresult {
		var a, n C.uint64_t
		code := ls_cuMemGetAddressRange_v2(&a, &n, C.CUdeviceptr(addr))
		return putNarrow(base, size, uint64(a), uint64(n), code)
	})
}

// cuMemAllocHost allocates pinned host memory.
//
//cuda:support full
//export ls_cuMemAllocHost
func ls_cuMemAllocHost(to *C.uint64_t, size C.uint) C.CUresult {
	return narrow(func() C.CUresult { return ls_cuMemAllocHost_v2(to, C.size_t(size)) })
}

// cuMemHostGetDevicePointer returns where a device reaches pinned memory: nowhere below 4 GiB.
//
//cuda:support full
//export ls_cuMemHostGetDevicePointer
func ls_cuMemHostGetDevicePointer() C.CUresult {
	return narrow(func() C.CUresult { return C.CUresult(rt.ErrInvalidValue) })
}

// cuModuleGetGlobal returns where a variable of a module lies.
//
//cuda:support full
//export ls_cuModuleGetGlobal
func ls_cuModuleGetGlobal(addr, size *C.uint, module C.CUhandle, name C.ls_string) C.CUresult {
	if code := call(func(t *rt.Thread) error { return t.CheckModule(uint64(module)) }); code != 0 {
		return code
	}
	return narrow(func() C.CUresult {
		var a, n C.uint64_t
		code := ls_cuModuleGetGlobal_v2(&a, &n, module, name)
		return putNarrow(addr, size, uint64(a), uint64(n), code)
	})
}

// cuMemcpyHtoD copies from the host.
//
//cuda:support full
//export ls_cuMemcpyHtoD
func ls_cuMemcpyHtoD(dst C.uint, src C.uint64_t, size C.uint) C.CUresult {
	return narrow(func() C.CUresult { return ls_cuMemcpyHtoD_v2(C.uint64_t(dst), src, C.size_t(size)) })
}

// cuMemcpyDtoH copies to the host.
//
//cuda:support full
//export ls_cuMemcpyDtoH
func ls_cuMemcpyDtoH(dst C.uint64_t, src, size C.uint) C.CUresult {
	return narrow(func() C.CUresult { return ls_cuMemcpyDtoH_v2(dst, C.uint64_t(src), C.size_t(size)) })
}

// cuMemcpyDtoD copies on the device.
//
//cuda:support full
//export ls_cuMemcpyDtoD
func ls_cuMemcpyDtoD(dst, src, size C.uint) C.CUresult {
	return narrow(func() C.CUresult { return ls_cuMemcpyDtoD_v2(C.uint64_t(dst), C.uint64_t(src), C.size_t(size)) })
}

// cuMemcpyHtoDAsync copies from the host in stream order.
//
//cuda:support full
//export ls_cuMemcpyHtoDAsync
func ls_cuMemcpyHtoDAsync(dst C.uint, src C.uint64_t, size C.uint, stream C.cudaStream_t) C.CUresult {
	return narrow(func() C.CUresult { return ls_cuMemcpyHtoDAsync_v2(C.uint64_t(dst), src, C.size_t(size), stream) })
}

// cuMemcpyDtoHAsync copies to the host in stream order.
//
//cuda:support full
//export ls_cuMemcpyDtoHAsync
func ls_cuMemcpyDtoHAsync(dst C.uint64_t, src, size C.uint, stream C.cudaStream_t) C.CUresult {
	return narrow(func() C.CUresult { return ls_cuMemcpyDtoHAsync_v2(dst, C.uint64_t(src), C.size_t(size), stream) })
}

// cuMemcpyDtoDAsync copies on the device in stream order.
//
//cuda:support full
//export ls_cuMemcpyDtoDAsync
func ls_cuMemcpyDtoDAsync(dst, src, size C.uint, stream C.cudaStream_t) C.CUresult {
	return narrow(func() C.CUresult {
		return ls_cuMemcpyDtoDAsync_v2(C.uint64_t(dst), C.uint64_t(src), C.size_t(size), stream)
	})
}

// cuMemcpyDtoA copies to an array.
//
//cuda:support full
//export ls_cuMemcpyDtoA
func ls_cuMemcpyDtoA(array C.CUhandle, offset, src, size C.uint) C.CUresult {
	return narrow(func() C.CUresult {
		return ls_cuMemcpyDtoA_v2(array, C.size_t(offset), C.CUdeviceptr(src), C.size_t(size))
	})
}

// cuMemcpyAtoD copies from an array.
//
//cuda:support full
//export ls_cuMemcpyAtoD
func ls_cuMemcpyAtoD(dst C.uint, array C.CUhandle, offset, size C.uint) C.CUresult {
	return narrow(func() C.CUresult {
		return ls_cuMemcpyAtoD_v2(C.CUdeviceptr(dst), array, C.size_t(offset), C.size_t(size))
	})
}

// cuMemcpyHtoA copies from the host to an array.
//
//cuda:support full
//export ls_cuMemcpyHtoA
func ls_cuMemcpyHtoA(array C.CUhandle, offset C.uint, src C.uint64_t, size C.uint) C.CUresult {
	return narrow(func() C.CUresult { return ls_cuMemcpyHtoA_v2(array, C.size_t(offset), src, C.size_t(size)) })
}

// cuMemcpyAtoH copies from an array to the host.
//
//cuda:support full
//export ls_cuMemcpyAtoH
func ls_cuMemcpyAtoH(dst C.uint64_t, array C.CUhandle, offset, size C.uint) C.CUresult {
	return narrow(func() C.CUresult { return ls_cuMemcpyAtoH_v2(dst, array, C.size_t(offset), C.size_t(size)) })
}

// cuMemcpyAtoA copies between arrays.
//
//cuda:support full
//export ls_cuMemcpyAtoA
func ls_cuMemcpyAtoA(dst C.CUhandle, dstOffset C.uint, src C.CUhandle, srcOffset, size C.uint) C.CUresult {
	return narrow(func() C.CUresult {
		return ls_cuMemcpyAtoA_v2(dst, C.size_t(dstOffset), src, C.size_t(srcOffset), C.size_t(size))
	})
}

// cuMemcpyHtoAAsync copies from the host to an array in stream order.
//
//cuda:support full
//export ls_cuMemcpyHtoAAsync
func ls_cuMemcpyHtoAAsync(array C.CUhandle, offset C.uint, src C.uint64_t, size C.uint, stream C.cudaStream_t) C.CUresult {
	return narrow(func() C.CUresult {
		return ls_cuMemcpyHtoAAsync_v2(array, C.size_t(offset), src, C.size_t(size), stream)
	})
}

// cuMemcpyAtoHAsync copies from an array to the host in stream order.
//
//cuda:support full
//export ls_cuMemcpyAtoHAsync
func ls_cuMemcpyAtoHAsync(dst C.uint64_t, array C.CUhandle, offset, size C.uint, stream C.cudaStream_t) C.CUresult {
	return narrow(func() C.CUresult {
		return ls_cuMemcpyAtoHAsync_v2(dst, array, C.size_t(offset), C.size_t(size), stream)
	})
}

// cuMemsetD8 sets values of 8 bits.
//
//cuda:support full
//export ls_cuMemsetD8
func ls_cuMemsetD8(addr C.uint, value C.uchar, count C.uint) C.CUresult {
	return narrow(func() C.CUresult { return ls_cuMemsetD8_v2(C.CUdeviceptr(addr), value, C.size_t(count)) })
}

// cuMemsetD2D8 sets values of 8 bits in rows.
//
//cuda:support full
//export ls_cuMemsetD2D8
func ls_cuMemsetD2D8(addr, pitch C.uint, value C.uchar, width, height C.uint) C.CUresult {
	return narrow(func() C.CUresult {
		return ls_cuMemsetD2D8_v2(C.CUdeviceptr(addr), C.size_t(pitch), value, C.size_t(width), C.size_t(height))
	})
}

// cuMemsetD16 sets values of 16 bits.
//
//cuda:support full
//export ls_cuMemsetD16
func ls_cuMemsetD16(addr C.uint, value C.ushort, count C.uint) C.CUresult {
	return narrow(func() C.CUresult { return ls_cuMemsetD16_v2(C.CUdeviceptr(addr), value, C.size_t(count)) })
}

// cuMemsetD2D16 sets values of 16 bits in rows.
//
//cuda:support full
//export ls_cuMemsetD2D16
func ls_cuMemsetD2D16(addr, pitch C.uint, value C.ushort, width, height C.uint) C.CUresult {
	return narrow(func() C.CUresult {
		return ls_cuMemsetD2D16_v2(C.CUdeviceptr(addr), C.size_t(pitch), value, C.size_t(width), C.size_t(height))
	})
}

// cuMemsetD32 sets values of 32 bits.
//
//cuda:support full
//export ls_cuMemsetD32
func ls_cuMemsetD32(addr C.uint, value C.uint, count C.uint) C.CUresult {
	return narrow(func() C.CUresult { return ls_cuMemsetD32_v2(C.CUdeviceptr(addr), value, C.size_t(count)) })
}

// cuMemsetD2D32 sets values of 32 bits in rows.
//
//cuda:support full
//export ls_cuMemsetD2D32
func ls_cuMemsetD2D32(addr, pitch C.uint, value C.uint, width, height C.uint) C.CUresult {
	return narrow(func() C.CUresult {
		return ls_cuMemsetD2D32_v2(C.CUdeviceptr(addr), C.size_t(pitch), value, C.size_t(width), C.size_t(height))
	})
}

// narrowCopy2 is CUDA_MEMCPY2D of then.
type narrowCopy2 struct {
	srcX, srcY  uint32
	srcType     int32
	srcHost     uint64
	srcDevice   uint32
	srcArray    uint64
	srcPitch    uint32
	dstX, dstY  uint32
	dstType     int32
	dstHost     uint64
	dstDevice   uint32
	dstArray    uint64
	dstPitch    uint32
	width, rows uint32
}

func (c *narrowCopy2) wide() *C.CUDA_MEMCPY2D {
	return &C.CUDA_MEMCPY2D{
		srcXInBytes: C.size_t(c.srcX), srcY: C.size_t(c.srcY), srcMemoryType: C.int(c.srcType), srcHost: C.uint64_t(c.srcHost),
		srcDevice: C.uint64_t(c.srcDevice), srcArray: C.uint64_t(c.srcArray), srcPitch: C.size_t(c.srcPitch),
		dstXInBytes: C.size_t(c.dstX), dstY: C.size_t(c.dstY), dstMemoryType: C.int(c.dstType), dstHost: C.uint64_t(c.dstHost),
		dstDevice: C.uint64_t(c.dstDevice), dstArray: C.uint64_t(c.dstArray), dstPitch: C.size_t(c.dstPitch),
		WidthInBytes: C.size_t(c.width), Height: C.size_t(c.rows),
	}
}

// narrowCopy3 is CUDA_MEMCPY3D of then.
type narrowCopy3 struct {
	srcX, srcY, srcZ, _ uint32
	srcType             int32
	srcHost             uint64
	srcDevice           uint32
	srcArray, _         uint64
	srcPitch, srcHeight uint32
	dstX, dstY, dstZ, _ uint32
	dstType             int32
	dstHost             uint64
	dstDevice           uint32
	dstArray, _         uint64
	dstPitch, dstHeight uint32
	width, rows, layers uint32
}

func (c *narrowCopy3) wide() *C.CUDA_MEMCPY3D {
	return &C.CUDA_MEMCPY3D{
		srcXInBytes: C.size_t(c.srcX), srcY: C.size_t(c.srcY), srcZ: C.size_t(c.srcZ), srcMemoryType: C.int(c.srcType), srcHost: C.uint64_t(c.srcHost),
		srcDevice: C.uint64_t(c.srcDevice), srcArray: C.uint64_t(c.srcArray), srcPitch: C.size_t(c.srcPitch), srcHeight: C.size_t(c.srcHeight),
		dstXInBytes: C.size_t(c.dstX), dstY: C.size_t(c.dstY), dstZ: C.size_t(c.dstZ), dstMemoryType: C.int(c.dstType), dstHost: C.uint64_t(c.dstHost),
		dstDevice: C.uint64_t(c.dstDevice), dstArray: C.uint64_t(c.dstArray), dstPitch: C.size_t(c.dstPitch), dstHeight: C.size_t(c.dstHeight),
		WidthInBytes: C.size_t(c.width), Height: C.size_t(c.rows), Depth: C.size_t(c.layers),
	}
}

// narrowCopy runs a copy that its description at p says.
func narrowCopy(p unsafe.Pointer, f func() C.CUresult) C.CUresult {
	return narrow(func() C.CUresult {
		if p == nil {
			return C.CUresult(rt.ErrInvalidValue)
		}
		return f()
	})
}

// cuMemcpy2D copies rows.
//
//cuda:support full
//export ls_cuMemcpy2D
func ls_cuMemcpy2D(p unsafe.Pointer) C.CUresult {
	return narrowCopy(p, func() C.CUresult { return ls_cuMemcpy2D_v2((*narrowCopy2)(p).wide()) })
}

// cuMemcpy2DUnaligned copies rows of any pitch.
//
//cuda:support full
//export ls_cuMemcpy2DUnaligned
func ls_cuMemcpy2DUnaligned(p unsafe.Pointer) C.CUresult {
	return narrowCopy(p, func() C.CUresult { return ls_cuMemcpy2DUnaligned_v2((*narrowCopy2)(p).wide()) })
}

// cuMemcpy3D copies a box.
//
//cuda:support full
//export ls_cuMemcpy3D
func ls_cuMemcpy3D(p unsafe.Pointer) C.CUresult {
	return narrowCopy(p, func() C.CUresult { return ls_cuMemcpy3D_v2((*narrowCopy3)(p).wide()) })
}

// cuMemcpy2DAsync copies rows in stream order.
//
//cuda:support full
//export ls_cuMemcpy2DAsync
func ls_cuMemcpy2DAsync(p unsafe.Pointer, stream C.cudaStream_t) C.CUresult {
	return narrowCopy(p, func() C.CUresult { return ls_cuMemcpy2DAsync_v2((*narrowCopy2)(p).wide(), stream) })
}

// cuMemcpy3DAsync copies a box in stream order.
//
//cuda:support full
//export ls_cuMemcpy3DAsync
func ls_cuMemcpy3DAsync(p unsafe.Pointer, stream C.cudaStream_t) C.CUresult {
	return narrowCopy(p, func() C.CUresult { return ls_cuMemcpy3DAsync_v2((*narrowCopy3)(p).wide(), stream) })
}

// narrowShape and narrowShape3 are CUDA_ARRAY_DESCRIPTOR and CUDA_ARRAY3D_DESCRIPTOR of then.
type narrowShape struct {
	width, height uint32
	format        int32
	channels      uint32
}

type narrowShape3 struct {
	width, height, depth uint32
	format               int32
	channels, flags      uint32
}

func (s *narrowShape) wide() *C.CUDA_ARRAY_DESCRIPTOR {
	return &C.CUDA_ARRAY_DESCRIPTOR{Width: C.size_t(s.width), Height: C.size_t(s.height), Format: C.int(s.format), NumChannels: C.uint(s.channels)}
}

// cuArrayCreate makes an array.
//
//cuda:support full
//export ls_cuArrayCreate
func ls_cuArrayCreate(array *C.CUhandle, shape unsafe.Pointer) C.CUresult {
	return narrowCopy(shape, func() C.CUresult { return ls_cuArrayCreate_v2(array, (*narrowShape)(shape).wide()) })
}

// cuArray3DCreate makes an array of up to three dimensions.
//
//cuda:support full
//export ls_cuArray3DCreate
func ls_cuArray3DCreate(array *C.CUhandle, shape unsafe.Pointer) C.CUresult {
	return narrowCopy(shape, func() C.CUresult {
		s := (*narrowShape3)(shape)
		return ls_cuArray3DCreate_v2(array, &C.CUDA_ARRAY3D_DESCRIPTOR{
			Width: C.size_t(s.width), Height: C.size_t(s.height), Depth: C.size_t(s.depth), Format: C.int(s.format),
			NumChannels: C.uint(s.channels), Flags: C.uint(s.flags),
		})
	})
}

// cuArrayGetDescriptor describes an array.
//
//cuda:support full
//export ls_cuArrayGetDescriptor
func ls_cuArrayGetDescriptor(to unsafe.Pointer, array C.CUhandle) C.CUresult {
	var d C.CUDA_ARRAY_DESCRIPTOR
	if code := ls_cuArrayGetDescriptor_v2(&d, array); code != 0 {
		return code
	}
	return narrowCopy(to, func() C.CUresult {
		*(*narrowShape)(to) = narrowShape{uint32(d.Width), uint32(d.Height), int32(d.Format), uint32(d.NumChannels)}
		return 0
	})
}

// cuArray3DGetDescriptor describes an array of up to three dimensions.
//
//cuda:support full
//export ls_cuArray3DGetDescriptor
func ls_cuArray3DGetDescriptor(to unsafe.Pointer, array C.CUhandle) C.CUresult {
	var d C.CUDA_ARRAY3D_DESCRIPTOR
	if code := ls_cuArray3DGetDescriptor_v2(&d, array); code != 0 {
		return code
	}
	return narrowCopy(to, func() C.CUresult {
		*(*narrowShape3)(to) = narrowShape3{uint32(d.Width), uint32(d.Height), uint32(d.Depth), int32(d.Format), uint32(d.NumChannels), uint32(d.Flags)}
		return 0
	})
}

// narrowReference is narrow for a call about a texture reference.
func narrowReference(reference C.CUhandle, f func() C.CUresult) C.CUresult {
	if code := call(func(t *rt.Thread) error { return t.CheckTexRef(uint64(reference)) }); code != 0 {
		return code
	}
	return narrow(f)
}

// cuTexRefSetAddress binds linear memory.
//
//cuda:support full
//export ls_cuTexRefSetAddress
func ls_cuTexRefSetAddress(offset *C.uint, reference C.CUhandle, addr, size C.uint) C.CUresult {
	return narrowReference(reference, func() C.CUresult {
		var n C.size_t
		wanted := &n
		if offset == nil {
			wanted = nil
		}
		code := ls_cuTexRefSetAddress_v2(wanted, reference, C.CUdeviceptr(addr), C.size_t(size))
		return putNarrow(offset, nil, uint64(n), 0, code)
	})
}

// cuTexRefGetAddress returns the linear memory that is bound.
//
//cuda:support full
//export ls_cuTexRefGetAddress
func ls_cuTexRefGetAddress(addr *C.uint, reference C.CUhandle) C.CUresult {
	return narrowReference(reference, func() C.CUresult {
		var a C.CUdeviceptr
		code := ls_cuTexRefGetAddress_v2(&a, reference)
		return putNarrow(addr, nil, uint64(a), 0, code)
	})
}

// cuTexRefSetAddress2D binds rows of linear memory.
//
//cuda:support full
//export ls_cuTexRefSetAddress2D
func ls_cuTexRefSetAddress2D(reference C.CUhandle, shape unsafe.Pointer, addr, pitch C.uint) C.CUresult {
	return narrowReference(reference, func() C.CUresult {
		if shape == nil {
			return C.CUresult(rt.ErrInvalidValue)
		}
		return ls_cuTexRefSetAddress2D_v3(reference, (*narrowShape)(shape).wide(), C.CUdeviceptr(addr), C.size_t(pitch))
	})
}
