package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// The calls of this file meet other drivers: of graphics, of video, of machines
// without one such as a server is. They answer as CUDA does on a machine that has
// none of those drivers.

// without is a call that needs what the machine does not have.
func without(code rt.Error, what string) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if err := t.Touch(); err != nil {
			return err
		}
		return &rt.Failure{Code: code, Reason: what}
	})
}

const (
	noGL       = "there is no OpenGL context that shares its buffers with the simulated device"
	noEGL      = "there is no EGL display that shares its images with the simulated device"
	noVDPAU    = "there is no VDPAU device that shares its surfaces with the simulated device"
	noResource = "no graphics resource can be registered, so none has this handle"
	noExternal = "no semaphore of another driver can be imported, so none has this handle"
)

// cudaGraphicsGLRegisterBuffer registers a buffer of OpenGL.
//
//cuda:support without "there is no OpenGL beside the simulated device: answers as without a GL context"
//export ls_cudaGraphicsGLRegisterBuffer
func ls_cudaGraphicsGLRegisterBuffer() C.cudaError_t { return without(rt.ErrOperatingSystem, noGL) }

// cudaGraphicsGLRegisterImage registers a texture of OpenGL.
//
//cuda:support without "there is no OpenGL beside the simulated device: answers as without a GL context"
//export ls_cudaGraphicsGLRegisterImage
func ls_cudaGraphicsGLRegisterImage() C.cudaError_t { return without(rt.ErrOperatingSystem, noGL) }

// cudaGLGetDevices lists the devices of an OpenGL context.
//
//cuda:support without "there is no OpenGL beside the simulated device: answers as without a GL context"
//export ls_cudaGLGetDevices
func ls_cudaGLGetDevices() C.cudaError_t { return without(rt.ErrOperatingSystem, noGL) }

// cudaGLSetGLDevice chooses the device of an OpenGL context.
//
//cuda:support without "there is no OpenGL beside the simulated device: answers as without a GL context"
//export ls_cudaGLSetGLDevice
func ls_cudaGLSetGLDevice(device C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.SetGLDevice(int(device)) })
}

// cudaGLRegisterBufferObject registers a buffer of OpenGL.
//
//cuda:support without "there is no OpenGL beside the simulated device: answers as without a GL context"
//export ls_cudaGLRegisterBufferObject
func ls_cudaGLRegisterBufferObject() C.cudaError_t { return without(rt.ErrOperatingSystem, noGL) }

// cudaGLUnregisterBufferObject undoes a registration.
//
//cuda:support without "there is no OpenGL beside the simulated device: answers as without a GL context"
//export ls_cudaGLUnregisterBufferObject
func ls_cudaGLUnregisterBufferObject() C.cudaError_t { return without(rt.ErrOperatingSystem, noGL) }

// cudaGLMapBufferObject maps a registered buffer.
//
//cuda:support without "there is no OpenGL beside the simulated device: no buffer is registered"
//export ls_cudaGLMapBufferObject
func ls_cudaGLMapBufferObject() C.cudaError_t { return without(rt.ErrInvalidValue, noGL) }

// cudaGLMapBufferObjectAsync maps a registered buffer.
//
//cuda:support without "there is no OpenGL beside the simulated device: no buffer is registered"
//export ls_cudaGLMapBufferObjectAsync
func ls_cudaGLMapBufferObjectAsync() C.cudaError_t { return without(rt.ErrInvalidValue, noGL) }

// cudaGLUnmapBufferObject unmaps a registered buffer.
//
//cuda:support without "there is no OpenGL beside the simulated device: no buffer is registered"
//export ls_cudaGLUnmapBufferObject
func ls_cudaGLUnmapBufferObject() C.cudaError_t { return without(rt.ErrInvalidValue, noGL) }

// cudaGLUnmapBufferObjectAsync unmaps a registered buffer.
//
//cuda:support without "there is no OpenGL beside the simulated device: no buffer is registered"
//export ls_cudaGLUnmapBufferObjectAsync
func ls_cudaGLUnmapBufferObjectAsync() C.cudaError_t { return without(rt.ErrInvalidValue, noGL) }

// cudaGLSetBufferObjectMapFlags says how a registered buffer is used.
//
//cuda:support without "there is no OpenGL beside the simulated device: no buffer is registered"
//export ls_cudaGLSetBufferObjectMapFlags
func ls_cudaGLSetBufferObjectMapFlags() C.cudaError_t { return without(rt.ErrInvalidValue, noGL) }

// cudaGraphicsMapResources maps resources of a graphics driver.
//
//cuda:support without "no graphics driver shares resources with the simulated device: none is registered"
//export ls_cudaGraphicsMapResources
func ls_cudaGraphicsMapResources() C.cudaError_t { return without(rt.ErrInvalidValue, noResource) }

// cudaGraphicsUnmapResources unmaps resources of a graphics driver.
//
//cuda:support without "no graphics driver shares resources with the simulated device: none is registered"
//export ls_cudaGraphicsUnmapResources
func ls_cudaGraphicsUnmapResources() C.cudaError_t { return without(rt.ErrInvalidValue, noResource) }

// cudaGraphicsUnregisterResource undoes a registration.
//
//cuda:support without "no graphics driver shares resources with the simulated device: none is registered"
//export ls_cudaGraphicsUnregisterResource
func ls_cudaGraphicsUnregisterResource() C.cudaError_t {
	return without(rt.ErrInvalidResourceHandle, noResource)
}

// cudaGraphicsResourceSetMapFlags says how a resource is used.
//
//cuda:support without "no graphics driver shares resources with the simulated device: none is registered"
//export ls_cudaGraphicsResourceSetMapFlags
func ls_cudaGraphicsResourceSetMapFlags() C.cudaError_t {
	return without(rt.ErrInvalidResourceHandle, noResource)
}

// cudaGraphicsResourceGetMappedPointer returns the address of a mapped buffer.
//
//cuda:support without "no graphics driver shares resources with the simulated device: none is registered"
//export ls_cudaGraphicsResourceGetMappedPointer
func ls_cudaGraphicsResourceGetMappedPointer() C.cudaError_t {
	return without(rt.ErrInvalidResourceHandle, noResource)
}

// cudaGraphicsSubResourceGetMappedArray returns the array of a mapped image.
//
//cuda:support without "no graphics driver shares resources with the simulated device: none is registered"
//export ls_cudaGraphicsSubResourceGetMappedArray
func ls_cudaGraphicsSubResourceGetMappedArray() C.cudaError_t {
	return without(rt.ErrInvalidResourceHandle, noResource)
}

// cudaGraphicsResourceGetMappedMipmappedArray returns the array of a mapped image.
//
//cuda:support without "no graphics driver shares resources with the simulated device: none is registered"
//export ls_cudaGraphicsResourceGetMappedMipmappedArray
func ls_cudaGraphicsResourceGetMappedMipmappedArray() C.cudaError_t {
	return without(rt.ErrInvalidResourceHandle, noResource)
}

// cudaGraphicsResourceGetMappedEglFrame returns the frame of a mapped image.
//
//cuda:support without "no graphics driver shares resources with the simulated device: none is registered"
//export ls_cudaGraphicsResourceGetMappedEglFrame
func ls_cudaGraphicsResourceGetMappedEglFrame() C.cudaError_t {
	return without(rt.ErrInvalidResourceHandle, noResource)
}

// cudaGraphicsEGLRegisterImage registers an image of EGL.
//
//cuda:support without "there is no EGL beside the simulated device: answers as without a display"
//export ls_cudaGraphicsEGLRegisterImage
func ls_cudaGraphicsEGLRegisterImage() C.cudaError_t { return without(rt.ErrUnknown, noEGL) }

// cudaEventCreateFromEGLSync makes an event of a synchronisation object of EGL.
//
//cuda:support without "there is no EGL beside the simulated device: answers as without a display"
//export ls_cudaEventCreateFromEGLSync
func ls_cudaEventCreateFromEGLSync() C.cudaError_t { return without(rt.ErrNotSupported, noEGL) }

// cudaVDPAUGetDevice returns the device of a VDPAU device.
//
//cuda:support without "there is no VDPAU beside the simulated device: answers as without its driver"
//export ls_cudaVDPAUGetDevice
func ls_cudaVDPAUGetDevice() C.cudaError_t { return without(rt.ErrOperatingSystem, noVDPAU) }

// cudaVDPAUSetVDPAUDevice chooses the device of a VDPAU device.
//
//cuda:support without "there is no VDPAU beside the simulated device: answers as without its driver"
//export ls_cudaVDPAUSetVDPAUDevice
func ls_cudaVDPAUSetVDPAUDevice() C.cudaError_t { return without(rt.ErrOperatingSystem, noVDPAU) }

// cudaGraphicsVDPAURegisterVideoSurface registers a surface of VDPAU.
//
//cuda:support without "there is no VDPAU beside the simulated device: answers as without its driver"
//export ls_cudaGraphicsVDPAURegisterVideoSurface
func ls_cudaGraphicsVDPAURegisterVideoSurface() C.cudaError_t {
	return without(rt.ErrOperatingSystem, noVDPAU)
}

// cudaGraphicsVDPAURegisterOutputSurface registers a surface of VDPAU.
//
//cuda:support without "there is no VDPAU beside the simulated device: answers as without its driver"
//export ls_cudaGraphicsVDPAURegisterOutputSurface
func ls_cudaGraphicsVDPAURegisterOutputSurface() C.cudaError_t {
	return without(rt.ErrOperatingSystem, noVDPAU)
}

// externalMemory is the beginning of cudaExternalMemoryHandleDesc.
type externalMemory struct {
	kind, _ int32
	fd      int32 // of a union
	_       [12]byte
	size    uint64
}

// cudaImportExternalMemory imports memory of another driver.
//
//cuda:support full "memory of cuMemCreate only: no other driver shares memory with the simulated device"
//export ls_cudaImportExternalMemory
func ls_cudaImportExternalMemory(to *C.uint64_t, desc unsafe.Pointer) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if to == nil || desc == nil {
			return rt.ErrInvalidValue
		}
		d := (*externalMemory)(desc)
		h, err := t.ImportMemory(d.kind, int(d.fd), d.size)
		return putInt(to, h, err)
	})
}

// cudaImportExternalSemaphore imports a semaphore of another driver.
//
//cuda:support without "nothing that exports semaphores (Vulkan, Direct3D, NvSci) is beside the simulated device"
//export ls_cudaImportExternalSemaphore
func ls_cudaImportExternalSemaphore(to *C.uint64_t, desc *C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if to == nil || desc == nil {
			return rt.ErrInvalidValue
		}
		return t.ImportSemaphore(int32(*desc))
	})
}

// cudaDestroyExternalMemory gives up imported memory.
//
//cuda:support full
//export ls_cudaDestroyExternalMemory
func ls_cudaDestroyExternalMemory(handle C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.DestroyExternalMemory(uint64(handle)) })
}

// cudaDestroyExternalSemaphore gives up an imported semaphore.
//
//cuda:support without "nothing that exports semaphores (Vulkan, Direct3D, NvSci) is beside the simulated device"
//export ls_cudaDestroyExternalSemaphore
func ls_cudaDestroyExternalSemaphore() C.cudaError_t { return without(rt.ErrInvalidValue, noExternal) }

// cudaExternalMemoryGetMappedBuffer maps a part of imported memory.
//
//cuda:support full
//export ls_cudaExternalMemoryGetMappedBuffer
func ls_cudaExternalMemoryGetMappedBuffer(to *C.uint64_t, handle C.uint64_t, desc unsafe.Pointer) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if to == nil || desc == nil {
			return rt.ErrInvalidValue
		}
		d := (*externalBuffer)(desc)
		addr, err := t.MapExternal(uint64(handle), d.offset, d.size, d.flags)
		return putInt(to, addr, err)
	})
}

// externalBuffer is the beginning of cudaExternalMemoryBufferDesc.
type externalBuffer struct {
	offset, size uint64
	flags        uint32
}

// cudaExternalMemoryGetMappedMipmappedArray maps imported memory as an array.
//
//cuda:support without "nothing that exports images is beside the simulated device"
//export ls_cudaExternalMemoryGetMappedMipmappedArray
func ls_cudaExternalMemoryGetMappedMipmappedArray() C.cudaError_t {
	return without(rt.ErrInvalidValue, "memory that can be imported holds no images")
}

// cudaSignalExternalSemaphoresAsync signals imported semaphores.
//
//cuda:support without "nothing that exports semaphores (Vulkan, Direct3D, NvSci) is beside the simulated device"
//export ls_cudaSignalExternalSemaphoresAsync
func ls_cudaSignalExternalSemaphoresAsync() C.cudaError_t {
	return without(rt.ErrInvalidValue, noExternal)
}

// cudaSignalExternalSemaphoresAsync_v2 signals imported semaphores.
//
//cuda:support without "nothing that exports semaphores (Vulkan, Direct3D, NvSci) is beside the simulated device"
//export ls_cudaSignalExternalSemaphoresAsync_v2
func ls_cudaSignalExternalSemaphoresAsync_v2() C.cudaError_t {
	return without(rt.ErrInvalidValue, noExternal)
}

// cudaWaitExternalSemaphoresAsync waits for imported semaphores.
//
//cuda:support without "nothing that exports semaphores (Vulkan, Direct3D, NvSci) is beside the simulated device"
//export ls_cudaWaitExternalSemaphoresAsync
func ls_cudaWaitExternalSemaphoresAsync() C.cudaError_t {
	return without(rt.ErrInvalidValue, noExternal)
}

// cudaWaitExternalSemaphoresAsync_v2 waits for imported semaphores.
//
//cuda:support without "nothing that exports semaphores (Vulkan, Direct3D, NvSci) is beside the simulated device"
//export ls_cudaWaitExternalSemaphoresAsync_v2
func ls_cudaWaitExternalSemaphoresAsync_v2() C.cudaError_t {
	return without(rt.ErrInvalidValue, noExternal)
}

// cudaDeviceGetNvSciSyncAttributes fills in what a device asks of NvSciSync.
//
//cuda:support without "there is no NvSci beside the simulated device, so no list of attributes is one"
//export ls_cudaDeviceGetNvSciSyncAttributes
func ls_cudaDeviceGetNvSciSyncAttributes(list unsafe.Pointer) C.cudaError_t {
	if list == nil {
		return without(rt.ErrInvalidResourceHandle, "no list of attributes")
	}
	return without(rt.ErrNotSupported, "there is no NvSci library whose lists of attributes could be filled in")
}

// cudaDeviceRegisterAsyncNotification asks to be called when the process has more
// memory than its share of the device.
//
//cuda:support full
//export ls_cudaDeviceRegisterAsyncNotification
func ls_cudaDeviceRegisterAsyncNotification(device C.int, f, user unsafe.Pointer, to *C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if f == nil || to == nil {
			return rt.ErrInvalidValue
		}
		h, err := t.RegisterNotification(int(device))
		return putInt(to, h, err)
	})
}

// cudaDeviceUnregisterAsyncNotification takes that back.
//
//cuda:support full
//export ls_cudaDeviceUnregisterAsyncNotification
func ls_cudaDeviceUnregisterAsyncNotification(device C.int, handle C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.UnregisterNotification(int(device), uint64(handle)) })
}

// cudaDeviceFlushGPUDirectRDMAWrites makes writes of other devices over PCI
// visible.
//
//cuda:support full
//export ls_cudaDeviceFlushGPUDirectRDMAWrites
func ls_cudaDeviceFlushGPUDirectRDMAWrites(target, scope C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.FlushWrites(int(target), int(scope)) })
}

// cudaDeviceGetHostAtomicCapabilities tells which atomic operations a device
// performs on memory of the host.
//
//cuda:support full
//export ls_cudaDeviceGetHostAtomicCapabilities
func ls_cudaDeviceGetHostAtomicCapabilities(to *C.uint, operations *C.int, n C.uint, device C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		return atomics(to, operations, n, func(list []int32) ([]uint32, error) { return t.HostAtomics(int(device), list) })
	})
}

// cudaDeviceGetP2PAtomicCapabilities tells which atomic operations a device
// performs on memory of another.
//
//cuda:support full
//export ls_cudaDeviceGetP2PAtomicCapabilities
func ls_cudaDeviceGetP2PAtomicCapabilities(to *C.uint, operations *C.int, n C.uint, src, dst C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		return atomics(to, operations, n, func(list []int32) ([]uint32, error) { return t.PeerAtomics(int(src), int(dst), list) })
	})
}

func atomics(to *C.uint, operations *C.int, n C.uint, ask func(list []int32) ([]uint32, error)) error {
	if to == nil || operations == nil || n == 0 {
		return rt.ErrInvalidValue
	}
	caps, err := ask(unsafe.Slice((*int32)(operations), int(n)))
	copy(unsafe.Slice((*uint32)(to), int(n)), caps)
	return err
}
