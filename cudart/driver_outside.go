package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"
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
//cuda:support partial "there is none, and the code says so"
//export ls_cuImportExternalMemory
func ls_cuImportExternalMemory(to *C.CUhandle, desc *C.int) C.CUresult {
	return ls_cudaImportExternalMemory(to, desc)
}

// cuImportExternalSemaphore opens a semaphore of another API.
//
//cuda:support partial "there is none, and the code says so"
//export ls_cuImportExternalSemaphore
func ls_cuImportExternalSemaphore(to *C.CUhandle, desc *C.int) C.CUresult {
	return ls_cudaImportExternalSemaphore(to, desc)
}

// cuDestroyExternalMemory closes memory of another API.
//
//cuda:support partial "there is none, and the code says so"
//export ls_cuDestroyExternalMemory
func ls_cuDestroyExternalMemory() C.CUresult {
	return ls_cudaDestroyExternalMemory()
}

// cuDestroyExternalSemaphore closes a semaphore of another API.
//
//cuda:support partial "there is none, and the code says so"
//export ls_cuDestroyExternalSemaphore
func ls_cuDestroyExternalSemaphore() C.CUresult {
	return ls_cudaDestroyExternalSemaphore()
}

// cuExternalMemoryGetMappedBuffer maps memory of another API.
//
//cuda:support partial "there is none, and the code says so"
//export ls_cuExternalMemoryGetMappedBuffer
func ls_cuExternalMemoryGetMappedBuffer() C.CUresult {
	return ls_cudaExternalMemoryGetMappedBuffer()
}

// cuExternalMemoryGetMappedMipmappedArray maps memory of another API.
//
//cuda:support partial "there is none, and the code says so"
//export ls_cuExternalMemoryGetMappedMipmappedArray
func ls_cuExternalMemoryGetMappedMipmappedArray() C.CUresult {
	return ls_cudaExternalMemoryGetMappedMipmappedArray()
}

// cuSignalExternalSemaphoresAsync signals a semaphore of another API.
//
//cuda:support partial "there is none, and the code says so"
//export ls_cuSignalExternalSemaphoresAsync
func ls_cuSignalExternalSemaphoresAsync() C.CUresult {
	return ls_cudaSignalExternalSemaphoresAsync()
}

// cuWaitExternalSemaphoresAsync waits for a semaphore of another API.
//
//cuda:support partial "there is none, and the code says so"
//export ls_cuWaitExternalSemaphoresAsync
func ls_cuWaitExternalSemaphoresAsync() C.CUresult {
	return ls_cudaWaitExternalSemaphoresAsync()
}

// cuGraphicsGLRegisterBuffer shares a buffer of OpenGL.
//
//cuda:support partial "there is none, and the code says so"
//export ls_cuGraphicsGLRegisterBuffer
func ls_cuGraphicsGLRegisterBuffer() C.CUresult {
	return ls_cudaGraphicsGLRegisterBuffer()
}

// cuGraphicsGLRegisterImage shares an image of OpenGL.
//
//cuda:support partial "there is none, and the code says so"
//export ls_cuGraphicsGLRegisterImage
func ls_cuGraphicsGLRegisterImage() C.CUresult {
	return ls_cudaGraphicsGLRegisterImage()
}

// cuGraphicsMapResources maps shared resources.
//
//cuda:support partial "there is none, and the code says so"
//export ls_cuGraphicsMapResources
func ls_cuGraphicsMapResources() C.CUresult {
	return ls_cudaGraphicsMapResources()
}

// cuGraphicsUnmapResources unmaps shared resources.
//
//cuda:support partial "there is none, and the code says so"
//export ls_cuGraphicsUnmapResources
func ls_cuGraphicsUnmapResources() C.CUresult {
	return ls_cudaGraphicsUnmapResources()
}

// cuGraphicsUnregisterResource ends sharing.
//
//cuda:support partial "there is none, and the code says so"
//export ls_cuGraphicsUnregisterResource
func ls_cuGraphicsUnregisterResource() C.CUresult {
	return ls_cudaGraphicsUnregisterResource()
}

// cuGraphicsResourceSetMapFlags says how a resource is used.
//
//cuda:support partial "there is none, and the code says so"
//export ls_cuGraphicsResourceSetMapFlags
func ls_cuGraphicsResourceSetMapFlags() C.CUresult {
	return ls_cudaGraphicsResourceSetMapFlags()
}

// cuGraphicsResourceSetMapFlags_v2 says how a resource is used.
//
//cuda:support partial "there is none, and the code says so"
//export ls_cuGraphicsResourceSetMapFlags_v2
func ls_cuGraphicsResourceSetMapFlags_v2() C.CUresult {
	return ls_cudaGraphicsResourceSetMapFlags()
}

// cuGraphicsResourceGetMappedPointer returns the address of a resource.
//
//cuda:support partial "there is none, and the code says so"
//export ls_cuGraphicsResourceGetMappedPointer
func ls_cuGraphicsResourceGetMappedPointer() C.CUresult {
	return ls_cudaGraphicsResourceGetMappedPointer()
}

// cuGraphicsResourceGetMappedPointer_v2 returns the address of a resource.
//
//cuda:support partial "there is none, and the code says so"
//export ls_cuGraphicsResourceGetMappedPointer_v2
func ls_cuGraphicsResourceGetMappedPointer_v2() C.CUresult {
	return ls_cudaGraphicsResourceGetMappedPointer()
}

// cuGraphicsSubResourceGetMappedArray returns a part of a resource.
//
//cuda:support partial "there is none, and the code says so"
//export ls_cuGraphicsSubResourceGetMappedArray
func ls_cuGraphicsSubResourceGetMappedArray() C.CUresult {
	return ls_cudaGraphicsSubResourceGetMappedArray()
}

// cuGraphicsResourceGetMappedMipmappedArray returns the array of a resource.
//
//cuda:support partial "there is none, and the code says so"
//export ls_cuGraphicsResourceGetMappedMipmappedArray
func ls_cuGraphicsResourceGetMappedMipmappedArray() C.CUresult {
	return ls_cudaGraphicsResourceGetMappedMipmappedArray()
}

// cuGraphicsResourceGetMappedEglFrame returns the frame of a resource.
//
//cuda:support partial "there is none, and the code says so"
//export ls_cuGraphicsResourceGetMappedEglFrame
func ls_cuGraphicsResourceGetMappedEglFrame() C.CUresult {
	return ls_cudaGraphicsResourceGetMappedEglFrame()
}

// cuGraphicsEGLRegisterImage shares an image of EGL.
//
//cuda:support partial "there is none, and the code says so"
//export ls_cuGraphicsEGLRegisterImage
func ls_cuGraphicsEGLRegisterImage() C.CUresult {
	return ls_cudaGraphicsEGLRegisterImage()
}

// cuGraphicsVDPAURegisterVideoSurface shares a surface of VDPAU.
//
//cuda:support partial "there is none, and the code says so"
//export ls_cuGraphicsVDPAURegisterVideoSurface
func ls_cuGraphicsVDPAURegisterVideoSurface() C.CUresult {
	return ls_cudaGraphicsVDPAURegisterVideoSurface()
}

// cuGraphicsVDPAURegisterOutputSurface shares a surface of VDPAU.
//
//cuda:support partial "there is none, and the code says so"
//export ls_cuGraphicsVDPAURegisterOutputSurface
func ls_cuGraphicsVDPAURegisterOutputSurface() C.CUresult {
	return ls_cudaGraphicsVDPAURegisterOutputSurface()
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
//cuda:support partial "there is no NvSci beside the simulated device, so no list of attributes is one"
//export ls_cuDeviceGetNvSciSyncAttributes
func ls_cuDeviceGetNvSciSyncAttributes(list unsafe.Pointer) C.CUresult {
	return ls_cudaDeviceGetNvSciSyncAttributes(list)
}
