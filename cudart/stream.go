package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// cudaStreamCreate makes a blocking stream.
//
//cuda:support full
//export ls_cudaStreamCreate
func ls_cudaStreamCreate(stream *C.uint64_t) C.cudaError_t {
	return ls_cudaStreamCreateWithPriority(stream, 0, 0)
}

// cudaStreamCreateWithFlags makes a stream.
//
//cuda:support full
//export ls_cudaStreamCreateWithFlags
func ls_cudaStreamCreateWithFlags(stream *C.uint64_t, flags C.uint) C.cudaError_t {
	return ls_cudaStreamCreateWithPriority(stream, flags, 0)
}

// cudaStreamCreateWithPriority makes a stream that is served before those with
// higher numbers.
//
//cuda:support full
//export ls_cudaStreamCreateWithPriority
func ls_cudaStreamCreateWithPriority(stream *C.uint64_t, flags C.uint, priority C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		h, err := t.StreamCreate(uint32(flags), int(priority))
		return putInt(stream, h, err)
	})
}

// cudaStreamDestroy gives up a stream, whose work is still done.
//
//cuda:support full
//export ls_cudaStreamDestroy
func ls_cudaStreamDestroy(stream C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.StreamDestroy(rt.StreamHandle(stream)) })
}

// cudaStreamSynchronize waits for all work of a stream.
//
//cuda:support full
//export ls_cudaStreamSynchronize
func ls_cudaStreamSynchronize(stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, (*rt.Thread).StreamSynchronize)
}

// cudaStreamQuery tells whether all work of a stream is complete.
//
//cuda:support full
//export ls_cudaStreamQuery
func ls_cudaStreamQuery(stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, (*rt.Thread).StreamQuery)
}

// cudaStreamWaitEvent makes a stream wait for the work that an event marks.
//
//cuda:support full
//export ls_cudaStreamWaitEvent
func ls_cudaStreamWaitEvent(stream C.cudaStream_t, event C.uint64_t, flags C.uint) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.StreamWaitEvent(s, uint64(event), uint32(flags))
	})
}

// cudaStreamGetFlags returns the flags that a stream was made with.
//
//cuda:support full
//export ls_cudaStreamGetFlags
func ls_cudaStreamGetFlags(stream C.cudaStream_t, flags *C.uint) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		f, err := t.StreamGetFlags(s)
		return putInt(flags, f, err)
	})
}

// cudaStreamGetPriority returns the priority that a stream was made with.
//
//cuda:support full
//export ls_cudaStreamGetPriority
func ls_cudaStreamGetPriority(stream C.cudaStream_t, priority *C.int) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		p, err := t.StreamGetPriority(s)
		return putInt(priority, p, err)
	})
}

// cudaStreamGetId returns a number that no other stream has.
//
//cuda:support full
//export ls_cudaStreamGetId
func ls_cudaStreamGetId(stream C.cudaStream_t, id *C.ulonglong) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		n, err := t.StreamGetID(s)
		return putInt(id, n, err)
	})
}

// cudaStreamGetDevice returns the device that a stream belongs to.
//
//cuda:support full
//export ls_cudaStreamGetDevice
func ls_cudaStreamGetDevice(stream C.cudaStream_t, device *C.int) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		n, err := t.StreamGetDevice(s)
		return putInt(device, n, err)
	})
}

// cudaStreamAddCallback calls a function of the host in the order of a stream,
// also after an error.
//
//cuda:support full
//export ls_cudaStreamAddCallback
func ls_cudaStreamAddCallback(stream C.cudaStream_t, f C.cudaStreamCallback_t, user unsafe.Pointer, flags C.uint) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		if f == nil || flags != 0 {
			return rt.ErrInvalidValue
		}
		return t.StreamAddCallback(s, func(status rt.Error) {
			C.ls_call_stream(f, stream, C.cudaError_t(status), user)
		})
	})
}

// cudaLaunchHostFunc calls a function of the host in the order of a stream.
//
//cuda:support full
//export ls_cudaLaunchHostFunc
func ls_cudaLaunchHostFunc(stream C.cudaStream_t, f C.cudaHostFn_t, user unsafe.Pointer) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		if f == nil {
			return rt.ErrInvalidValue
		}
		return t.LaunchHostFunc(s, hostCall(f, user))
	})
}

func hostCall(f C.cudaHostFn_t, user unsafe.Pointer) rt.HostCall {
	return rt.HostCall{
		Function: address(unsafe.Pointer(f)), Argument: address(user), Run: func() { C.ls_call_host(f, user) },
	}
}

// cudaLaunchHostFunc_v2 is cudaLaunchHostFunc with a way of waiting.
//
//cuda:support full "how a thread waits is left to the host"
//export ls_cudaLaunchHostFunc_v2
func ls_cudaLaunchHostFunc_v2(stream C.cudaStream_t, f C.cudaHostFn_t, user unsafe.Pointer, mode C.uint) C.cudaError_t {
	return ls_cudaLaunchHostFunc(stream, f, user)
}

// cudaStreamAttachMemAsync says which streams use managed memory.
//
//cuda:support full
//export ls_cudaStreamAttachMemAsync
func ls_cudaStreamAttachMemAsync(stream C.cudaStream_t, addr C.uint64_t, size C.size_t, flags C.uint) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.StreamAttachMem(s, uint64(addr), uint64(size), uint32(flags))
	})
}

// cudaStreamSetAttribute states how a stream's work should be treated.
//
//cuda:support full "windows of access policy, domains and ways of waiting are hints that change nothing"
//export ls_cudaStreamSetAttribute
func ls_cudaStreamSetAttribute(stream C.cudaStream_t, attribute C.int, value unsafe.Pointer) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		if value == nil {
			return rt.ErrInvalidValue
		}
		return t.StreamSetAttribute(s, int32(attribute), *(*[rt.AttributeBytes]byte)(value))
	})
}

// cudaStreamGetAttribute returns what cudaStreamSetAttribute stated.
//
//cuda:support full
//export ls_cudaStreamGetAttribute
func ls_cudaStreamGetAttribute(stream C.cudaStream_t, attribute C.int, value unsafe.Pointer) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		v, err := t.StreamGetAttribute(s, int32(attribute))
		return put((*[rt.AttributeBytes]byte)(value), v, err)
	})
}

// cudaStreamCopyAttributes copies what cudaStreamSetAttribute stated.
//
//cuda:support full
//export ls_cudaStreamCopyAttributes
func ls_cudaStreamCopyAttributes(dst, src C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		return t.StreamCopyAttributes(rt.StreamHandle(dst), rt.StreamHandle(src))
	})
}

// cudaThreadExchangeStreamCaptureMode swaps the calling thread's capture mode.
//
//cuda:support full
//export ls_cudaThreadExchangeStreamCaptureMode
func ls_cudaThreadExchangeStreamCaptureMode(mode *C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if mode == nil {
			return rt.ErrInvalidValue
		}
		before, err := t.ExchangeCaptureMode(int32(*mode))
		return putInt(mode, before, err)
	})
}
