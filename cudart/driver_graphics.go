package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// These calls answer as NVIDIA's driver does on a machine without a display: no
// context of OpenGL is current, no display of EGL and no device of VDPAU is there
// (measured).

// withoutGL is a call that needs a context of OpenGL.
func withoutGL() C.CUresult { return without(rt.ErrOperatingSystem, noGL) }

// withoutBuffer is a call about a buffer of OpenGL, none of which is registered.
func withoutBuffer() C.CUresult { return without(rt.ErrInvalidValue, noGL) }

// cuGLInit prepares sharing with OpenGL.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGLInit
func ls_cuGLInit() C.CUresult { return withoutGL() }

// cuGLGetDevices lists the devices of an OpenGL context.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGLGetDevices
func ls_cuGLGetDevices() C.CUresult { return withoutGL() }

// cuGLGetDevices_v2 lists the devices of an OpenGL context.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGLGetDevices_v2
func ls_cuGLGetDevices_v2() C.CUresult { return withoutGL() }

// cuGLCtxCreate makes a context that shares with OpenGL.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGLCtxCreate
func ls_cuGLCtxCreate(context *C.CUhandle, flags C.uint, device C.int) C.CUresult {
	return ls_cuGLCtxCreate_v2(context, flags, device)
}

// cuGLCtxCreate_v2 makes a context that shares with OpenGL.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGLCtxCreate_v2
func ls_cuGLCtxCreate_v2(context *C.CUhandle, flags C.uint, device C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		if context == nil {
			return rt.ErrInvalidValue
		}
		if _, err := t.DeviceGet(int(device)); err != nil {
			return err
		}
		return &rt.Failure{Code: rt.ErrOperatingSystem, Reason: noGL}
	})
}

// cuGLRegisterBufferObject registers a buffer of OpenGL.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGLRegisterBufferObject
func ls_cuGLRegisterBufferObject() C.CUresult { return withoutGL() }

// cuGLUnregisterBufferObject undoes a registration.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGLUnregisterBufferObject
func ls_cuGLUnregisterBufferObject() C.CUresult { return withoutBuffer() }

// cuGLSetBufferObjectMapFlags says how a registered buffer is used.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGLSetBufferObjectMapFlags
func ls_cuGLSetBufferObjectMapFlags() C.CUresult { return withoutBuffer() }

// cuGLMapBufferObject_v2 maps a registered buffer.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGLMapBufferObject_v2
func ls_cuGLMapBufferObject_v2() C.CUresult { return withoutBuffer() }

// cuGLMapBufferObjectAsync_v2 maps a registered buffer.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGLMapBufferObjectAsync_v2
func ls_cuGLMapBufferObjectAsync_v2() C.CUresult { return withoutBuffer() }

// cuGLUnmapBufferObject unmaps a registered buffer.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGLUnmapBufferObject
func ls_cuGLUnmapBufferObject() C.CUresult { return withoutBuffer() }

// cuGLUnmapBufferObjectAsync unmaps a registered buffer.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuGLUnmapBufferObjectAsync
func ls_cuGLUnmapBufferObjectAsync() C.CUresult { return withoutBuffer() }

// cuVDPAUGetDevice returns the device of a VDPAU device.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuVDPAUGetDevice
func ls_cuVDPAUGetDevice() C.CUresult { return without(rt.ErrInvalidValue, noVDPAU) }

// cuVDPAUCtxCreate makes a context that shares with VDPAU.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuVDPAUCtxCreate
func ls_cuVDPAUCtxCreate(context *C.CUhandle) C.CUresult {
	return vdpauContext(context, rt.ErrMemoryAllocation)
}

// cuVDPAUCtxCreate_v2 makes a context that shares with VDPAU.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuVDPAUCtxCreate_v2
func ls_cuVDPAUCtxCreate_v2(context *C.CUhandle) C.CUresult {
	return vdpauContext(context, rt.ErrUnknown)
}

// vdpauContext is refused with the code of its form.
func vdpauContext(context *C.CUhandle, code rt.Error) C.CUresult {
	if context == nil {
		code = rt.ErrInvalidValue
	}
	return without(code, noVDPAU)
}

// cudaEGLStreamConsumerConnect takes frames from a stream of EGL.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cudaEGLStreamConsumerConnect
func ls_cudaEGLStreamConsumerConnect(connection, stream unsafe.Pointer) C.cudaError_t {
	switch {
	case connection == nil:
		return without(rt.ErrInvalidValue, noEGL)
	case stream == nil:
		return without(rt.ErrInvalidResourceHandle, noEGL)
	}
	return without(rt.ErrUnknown, noEGL)
}

// cudaEGLStreamConsumerConnectWithFlags takes frames from a stream of EGL.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cudaEGLStreamConsumerConnectWithFlags
func ls_cudaEGLStreamConsumerConnectWithFlags(connection, stream unsafe.Pointer) C.cudaError_t {
	return ls_cudaEGLStreamConsumerConnect(connection, stream)
}

// cudaEGLStreamProducerConnect gives frames to a stream of EGL.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cudaEGLStreamProducerConnect
func ls_cudaEGLStreamProducerConnect(connection, stream unsafe.Pointer) C.cudaError_t {
	return ls_cudaEGLStreamConsumerConnect(connection, stream)
}

// withoutConnection is a call about a connection to a stream of EGL, of which
// there is none.
func withoutConnection() C.cudaError_t { return without(rt.ErrInvalidResourceHandle, noEGL) }

// cudaEGLStreamConsumerDisconnect ends the taking of frames.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cudaEGLStreamConsumerDisconnect
func ls_cudaEGLStreamConsumerDisconnect() C.cudaError_t { return withoutConnection() }

// cuEGLStreamConsumerDisconnect ends the taking of frames.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuEGLStreamConsumerDisconnect
func ls_cuEGLStreamConsumerDisconnect() C.CUresult { return withoutConnection() }

// cudaEGLStreamProducerDisconnect ends the giving of frames.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cudaEGLStreamProducerDisconnect
func ls_cudaEGLStreamProducerDisconnect() C.cudaError_t { return withoutConnection() }

// cuEGLStreamProducerDisconnect ends the giving of frames.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuEGLStreamProducerDisconnect
func ls_cuEGLStreamProducerDisconnect() C.CUresult { return withoutConnection() }

// cudaEGLStreamConsumerAcquireFrame takes a frame.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cudaEGLStreamConsumerAcquireFrame
func ls_cudaEGLStreamConsumerAcquireFrame() C.cudaError_t { return withoutConnection() }

// cuEGLStreamConsumerAcquireFrame takes a frame.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuEGLStreamConsumerAcquireFrame
func ls_cuEGLStreamConsumerAcquireFrame() C.CUresult { return withoutConnection() }

// cudaEGLStreamConsumerReleaseFrame gives a frame back.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cudaEGLStreamConsumerReleaseFrame
func ls_cudaEGLStreamConsumerReleaseFrame() C.cudaError_t { return withoutConnection() }

// cuEGLStreamConsumerReleaseFrame gives a frame back.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuEGLStreamConsumerReleaseFrame
func ls_cuEGLStreamConsumerReleaseFrame() C.CUresult { return withoutConnection() }

// cudaEGLStreamProducerPresentFrame gives a frame.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cudaEGLStreamProducerPresentFrame
func ls_cudaEGLStreamProducerPresentFrame() C.cudaError_t { return withoutConnection() }

// cuEGLStreamProducerPresentFrame gives a frame.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuEGLStreamProducerPresentFrame
func ls_cuEGLStreamProducerPresentFrame() C.CUresult { return withoutConnection() }

// cudaEGLStreamProducerReturnFrame takes a frame back.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cudaEGLStreamProducerReturnFrame
func ls_cudaEGLStreamProducerReturnFrame() C.cudaError_t { return withoutConnection() }

// cuEGLStreamProducerReturnFrame takes a frame back.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuEGLStreamProducerReturnFrame
func ls_cuEGLStreamProducerReturnFrame() C.CUresult { return withoutConnection() }

// cuEGLStreamConsumerConnect takes frames from a stream of EGL.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuEGLStreamConsumerConnect
func ls_cuEGLStreamConsumerConnect(connection, stream unsafe.Pointer) C.CUresult {
	return ls_cudaEGLStreamConsumerConnect(connection, stream)
}

// cuEGLStreamConsumerConnectWithFlags takes frames from a stream of EGL.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuEGLStreamConsumerConnectWithFlags
func ls_cuEGLStreamConsumerConnectWithFlags(connection, stream unsafe.Pointer) C.CUresult {
	return ls_cudaEGLStreamConsumerConnect(connection, stream)
}

// cuEGLStreamProducerConnect gives frames to a stream of EGL.
//
//cuda:support without "no graphics driver is beside the simulated device: answers as on a machine without a display"
//export ls_cuEGLStreamProducerConnect
func ls_cuEGLStreamProducerConnect(connection, stream unsafe.Pointer) C.CUresult {
	return ls_cudaEGLStreamConsumerConnect(connection, stream)
}
