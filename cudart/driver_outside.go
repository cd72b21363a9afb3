package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// cuMemGetDefaultMemPool returns the pool that a place began with.
//
//cuda:support full
//export ls_cuMemGetDefaultMemPool
func ls_cuMemGetDefaultMemPool(pool *C.CUhandle, where unsafe.Pointer, kind C.int) C.CUresult {
	return ls_cudaMemGetDefaultMemPool(pool, where, kind)
}

// cuMemGetMemPool returns the pool that a place allocates from.
//
//cuda:support full
//export ls_cuMemGetMemPool
func ls_cuMemGetMemPool(pool *C.CUhandle, where unsafe.Pointer, kind C.int) C.CUresult {
	return ls_cudaMemGetMemPool(pool, where, kind)
}

// cuMemSetMemPool sets the pool that a place allocates from.
//
//cuda:support full
//export ls_cuMemSetMemPool
func ls_cuMemSetMemPool(where unsafe.Pointer, kind C.int, pool C.CUhandle) C.CUresult {
	return ls_cudaMemSetMemPool(where, kind, pool)
}

// cuImportExternalMemory opens memory of another API.
//
//cuda:support full "memory of cuMemCreate only: no other driver shares memory with the simulated device"
//export ls_cuImportExternalMemory
func ls_cuImportExternalMemory(to *C.CUhandle, desc unsafe.Pointer) C.CUresult {
	return ls_cudaImportExternalMemory(to, desc)
}

// cuImportExternalSemaphore opens a semaphore of another API.
//
//cuda:support without "nothing that exports semaphores (Vulkan, Direct3D, NvSci) is beside the simulated device"
//export ls_cuImportExternalSemaphore
func ls_cuImportExternalSemaphore(to *C.CUhandle, desc *C.int) C.CUresult {
	return ls_cudaImportExternalSemaphore(to, desc)
}

// cuDestroyExternalMemory closes memory of another API.
//
//cuda:support full
//export ls_cuDestroyExternalMemory
func ls_cuDestroyExternalMemory(handle C.CUhandle) C.CUresult {
	return ls_cudaDestroyExternalMemory(handle)
}

// cuDestroyExternalSemaphore closes a semaphore of another API.
//
//cuda:support without "nothing that exports semaphores (Vulkan, Direct3D, NvSci) is beside the simulated device"
//export ls_cuDestroyExternalSemaphore
func ls_cuDestroyExternalSemaphore() C.CUresult {
	return ls_cudaDestroyExternalSemaphore()
}

// cuExternalMemoryGetMappedBuffer maps memory of another API.
//
//cuda:support full
//export ls_cuExternalMemoryGetMappedBuffer
func ls_cuExternalMemoryGetMappedBuffer(to *C.CUdeviceptr, handle C.CUhandle, desc unsafe.Pointer) C.CUresult {
	return ls_cudaExternalMemoryGetMappedBuffer(to, handle, desc)
}

// cuExternalMemoryGetMappedMipmappedArray maps memory of another API.
//
//cuda:support without "nothing that exports images is beside the simulated device"
//export ls_cuExternalMemoryGetMappedMipmappedArray
func ls_cuExternalMemoryGetMappedMipmappedArray() C.CUresult {
	return ls_cudaExternalMemoryGetMappedMipmappedArray()
}

// cuSignalExternalSemaphoresAsync signals a semaphore of another API.
//
//cuda:support without "nothing that exports semaphores (Vulkan, Direct3D, NvSci) is beside the simulated device"
//export ls_cuSignalExternalSemaphoresAsync
func ls_cuSignalExternalSemaphoresAsync() C.CUresult {
	return ls_cudaSignalExternalSemaphoresAsync()
}

// cuWaitExternalSemaphoresAsync waits for a semaphore of another API.
//
//cuda:support without "nothing that exports semaphores (Vulkan, Direct3D, NvSci) is beside the simulated device"
//export ls_cuWaitExternalSemaphoresAsync
func ls_cuWaitExternalSemaphoresAsync() C.CUresult {
	return ls_cudaWaitExternalSemaphoresAsync()
}

// cuGraphicsGLRegisterBuffer shares a buffer of OpenGL.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGraphicsGLRegisterBuffer
func ls_cuGraphicsGLRegisterBuffer(to *C.CUhandle, buffer, flags C.uint) C.CUresult {
	const known = 0xf
	if to == nil || flags&^known != 0 {
		return without(rt.ErrInvalidValue, noGL)
	}
	return ls_cudaGraphicsGLRegisterBuffer()
}

// cuGraphicsGLRegisterImage shares an image of OpenGL.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGraphicsGLRegisterImage
func ls_cuGraphicsGLRegisterImage() C.CUresult {
	return ls_cudaGraphicsGLRegisterImage()
}

// cuGraphicsMapResources maps shared resources.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGraphicsMapResources
func ls_cuGraphicsMapResources(count C.uint, list unsafe.Pointer) C.CUresult {
	return resources(count, list)
}

// resources is a call about registered resources, none of which there are.
func resources(count C.uint, list unsafe.Pointer) C.CUresult {
	if count == 0 || list == nil {
		return without(rt.ErrInvalidValue, noResource)
	}
	return without(rt.ErrInvalidResourceHandle, noResource)
}

// cuGraphicsUnmapResources unmaps shared resources.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGraphicsUnmapResources
func ls_cuGraphicsUnmapResources(count C.uint, list unsafe.Pointer) C.CUresult {
	return resources(count, list)
}

// cuGraphicsUnregisterResource ends sharing.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGraphicsUnregisterResource
func ls_cuGraphicsUnregisterResource() C.CUresult {
	return ls_cudaGraphicsUnregisterResource()
}

// cuGraphicsResourceSetMapFlags says how a resource is used.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGraphicsResourceSetMapFlags
func ls_cuGraphicsResourceSetMapFlags() C.CUresult {
	return ls_cudaGraphicsResourceSetMapFlags()
}

// cuGraphicsResourceSetMapFlags_v2 says how a resource is used.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGraphicsResourceSetMapFlags_v2
func ls_cuGraphicsResourceSetMapFlags_v2() C.CUresult {
	return ls_cudaGraphicsResourceSetMapFlags()
}

// cuGraphicsResourceGetMappedPointer returns the address of a resource.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGraphicsResourceGetMappedPointer
func ls_cuGraphicsResourceGetMappedPointer() C.CUresult {
	return ls_cudaGraphicsResourceGetMappedPointer()
}

// cuGraphicsResourceGetMappedPointer_v2 returns the address of a resource.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGraphicsResourceGetMappedPointer_v2
func ls_cuGraphicsResourceGetMappedPointer_v2() C.CUresult {
	return ls_cudaGraphicsResourceGetMappedPointer()
}

// cuGraphicsSubResourceGetMappedArray returns a part of a resource.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGraphicsSubResourceGetMappedArray
func ls_cuGraphicsSubResourceGetMappedArray() C.CUresult {
	return ls_cudaGraphicsSubResourceGetMappedArray()
}

// cuGraphicsResourceGetMappedMipmappedArray returns the array of a resource.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGraphicsResourceGetMappedMipmappedArray
func ls_cuGraphicsResourceGetMappedMipmappedArray() C.CUresult {
	return ls_cudaGraphicsResourceGetMappedMipmappedArray()
}

// cuGraphicsResourceGetMappedEglFrame returns the frame of a resource.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGraphicsResourceGetMappedEglFrame
func ls_cuGraphicsResourceGetMappedEglFrame() C.CUresult {
	return ls_cudaGraphicsResourceGetMappedEglFrame()
}

// cuGraphicsEGLRegisterImage shares an image of EGL.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGraphicsEGLRegisterImage
func ls_cuGraphicsEGLRegisterImage() C.CUresult {
	return ls_cudaGraphicsEGLRegisterImage()
}

// cuGraphicsVDPAURegisterVideoSurface shares a surface of VDPAU.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGraphicsVDPAURegisterVideoSurface
func ls_cuGraphicsVDPAURegisterVideoSurface() C.CUresult {
	return without(rt.ErrInvalidContext, noVDPAU)
}

// cuGraphicsVDPAURegisterOutputSurface shares a surface of VDPAU.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGraphicsVDPAURegisterOutputSurface
func ls_cuGraphicsVDPAURegisterOutputSurface() C.CUresult {
	return without(rt.ErrInvalidContext, noVDPAU)
}

// cuDeviceRegisterAsyncNotification asks to be called when the process has more memory than its share of the device.
//
//cuda:support full
//export ls_cuDeviceRegisterAsyncNotification
func ls_cuDeviceRegisterAsyncNotification(device C.int, f, user unsafe.Pointer, to *C.uint64_t) C.CUresult {
	return ls_cudaDeviceRegisterAsyncNotification(device, f, user, to)
}

// cuDeviceUnregisterAsyncNotification takes that back.
//
//cuda:support full
//export ls_cuDeviceUnregisterAsyncNotification
func ls_cuDeviceUnregisterAsyncNotification(device C.int, handle C.uint64_t) C.CUresult {
	return ls_cudaDeviceUnregisterAsyncNotification(device, handle)
}

// cuDeviceGetHostAtomicCapabilities tells which atomic operations a device performs on memory of the host.
//
//cuda:support full
//export ls_cuDeviceGetHostAtomicCapabilities
func ls_cuDeviceGetHostAtomicCapabilities(to *C.uint, operations *C.int, n C.uint, device C.int) C.CUresult {
	return ls_cudaDeviceGetHostAtomicCapabilities(to, operations, n, device)
}

// cuDeviceGetP2PAtomicCapabilities tells which atomic operations a device performs on memory of another.
//
//cuda:support full
//export ls_cuDeviceGetP2PAtomicCapabilities
func ls_cuDeviceGetP2PAtomicCapabilities(to *C.uint, operations *C.int, n C.uint, src, dst C.int) C.CUresult {
	return ls_cudaDeviceGetP2PAtomicCapabilities(to, operations, n, src, dst)
}

// cuFlushGPUDirectRDMAWrites makes writes of other devices over PCI visible.
//
//cuda:support full
//export ls_cuFlushGPUDirectRDMAWrites
func ls_cuFlushGPUDirectRDMAWrites(target, scope C.int) C.CUresult {
	return ls_cudaDeviceFlushGPUDirectRDMAWrites(target, scope)
}

// cuDeviceGetNvSciSyncAttributes fills in what a device asks of NvSciSync.
//
//cuda:support without "there is no NvSci beside the simulated device, so no list of attributes is one"
//export ls_cuDeviceGetNvSciSyncAttributes
func ls_cuDeviceGetNvSciSyncAttributes(list unsafe.Pointer) C.CUresult {
	return ls_cudaDeviceGetNvSciSyncAttributes(list)
}

// cuMulticastGetGranularity tells the unit of multicast objects.
//
//cuda:support without "no device has multicast (its attribute 132 is 0, as on the card)"
//export ls_cuMulticastGetGranularity
func ls_cuMulticastGetGranularity() C.CUresult { return withoutFeature(noMulticast) }

// cuMulticastCreate makes an object whose memory several devices have.
//
//cuda:support without "no device has multicast (its attribute 132 is 0, as on the card)"
//export ls_cuMulticastCreate
func ls_cuMulticastCreate() C.CUresult { return withoutFeature(noMulticast) }

// cuMulticastAddDevice adds a device to an object.
//
//cuda:support without "no device has multicast (its attribute 132 is 0, as on the card)"
//export ls_cuMulticastAddDevice
func ls_cuMulticastAddDevice() C.CUresult { return withoutFeature(noMulticast) }

// cuMulticastBindMem gives an object memory of a device.
//
//cuda:support without "no device has multicast (its attribute 132 is 0, as on the card)"
//export ls_cuMulticastBindMem
func ls_cuMulticastBindMem() C.CUresult { return withoutFeature(noMulticast) }

// cuMulticastBindAddr gives an object memory of a device.
//
//cuda:support without "no device has multicast (its attribute 132 is 0, as on the card)"
//export ls_cuMulticastBindAddr
func ls_cuMulticastBindAddr() C.CUresult { return withoutFeature(noMulticast) }

// cuMulticastUnbind takes memory of a device from an object.
//
//cuda:support without "no device has multicast (its attribute 132 is 0, as on the card)"
//export ls_cuMulticastUnbind
func ls_cuMulticastUnbind() C.CUresult { return withoutFeature(noMulticast) }

// cuMemBatchDecompressAsync decompresses ranges of memory.
//
//cuda:support without "no device has the engine for it (its attribute 136 is 0, as on the card)"
//export ls_cuMemBatchDecompressAsync
func ls_cuMemBatchDecompressAsync() C.CUresult { return withoutFeature(noDecompression) }

const (
	noMulticast     = "the device has no multicast objects"
	noDecompression = "the device has no engine that decompresses"
)

// withoutFeature is a call that needs what an attribute says that the device does not have.
func withoutFeature(what string) C.CUresult { return without(rt.ErrNotSupported, what) }

// cuMemGetHandleForAddressRange returns a file descriptor for a range of device memory.
//
//cuda:support partial "the descriptor is of the file behind the whole allocation, and no DMA buffer of a driver"
//export ls_cuMemGetHandleForAddressRange
func ls_cuMemGetHandleForAddressRange(to *C.int, addr C.CUdeviceptr, size C.size_t, kind C.int, flags C.ulonglong) C.CUresult {
	return call(func(t *rt.Thread) error {
		if to == nil {
			return rt.ErrInvalidValue
		}
		fd, err := t.RangeHandle(uint64(addr), uint64(size), int32(kind), uint64(flags))
		return putInt(to, fd, err)
	})
}

// cuGLMapBufferObject maps a buffer at an address of 32 bits, which contexts of CUDA 3.1 have.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGLMapBufferObject
func ls_cuGLMapBufferObject() C.CUresult { return without(rt.ErrInvalidContext, noGL) }

// cuGLMapBufferObjectAsync maps a buffer at an address of 32 bits, which contexts of CUDA 3.1 have.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGLMapBufferObjectAsync
func ls_cuGLMapBufferObjectAsync() C.CUresult { return without(rt.ErrInvalidContext, noGL) }
