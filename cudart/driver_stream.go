package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// cuStreamCreate makes a stream.
//
//cuda:support full
//export ls_cuStreamCreate
func ls_cuStreamCreate(stream *C.CUhandle, flags C.uint) C.CUresult {
	return ls_cudaStreamCreateWithFlags(stream, flags)
}

// cuStreamCreateWithPriority makes a stream with a priority.
//
//cuda:support full
//export ls_cuStreamCreateWithPriority
func ls_cuStreamCreateWithPriority(stream *C.CUhandle, flags C.uint, priority C.int) C.CUresult {
	return ls_cudaStreamCreateWithPriority(stream, flags, priority)
}

// cuStreamDestroy_v2 destroys a stream.
//
//cuda:support full
//export ls_cuStreamDestroy_v2
func ls_cuStreamDestroy_v2(stream C.CUhandle) C.CUresult {
	return ls_cudaStreamDestroy(stream)
}

// cuStreamDestroy is cuStreamDestroy_v2.
//
//cuda:support full
//export ls_cuStreamDestroy
func ls_cuStreamDestroy(stream C.CUhandle) C.CUresult {
	return ls_cudaStreamDestroy(stream)
}

// cuStreamSynchronize waits for a stream.
//
//cuda:support full
//export ls_cuStreamSynchronize
func ls_cuStreamSynchronize(stream C.cudaStream_t) C.CUresult {
	return ls_cudaStreamSynchronize(stream)
}

// cuStreamQuery asks whether a stream is done.
//
//cuda:support full
//export ls_cuStreamQuery
func ls_cuStreamQuery(stream C.cudaStream_t) C.CUresult {
	return ls_cudaStreamQuery(stream)
}

// cuStreamGetFlags returns the flags of a stream.
//
//cuda:support full
//export ls_cuStreamGetFlags
func ls_cuStreamGetFlags(stream C.cudaStream_t, flags *C.uint) C.CUresult {
	return ls_cudaStreamGetFlags(stream, flags)
}

// cuStreamGetPriority returns the priority of a stream.
//
//cuda:support full
//export ls_cuStreamGetPriority
func ls_cuStreamGetPriority(stream C.cudaStream_t, priority *C.int) C.CUresult {
	return ls_cudaStreamGetPriority(stream, priority)
}

// cuStreamGetId returns a number that no other stream has.
//
//cuda:support full
//export ls_cuStreamGetId
func ls_cuStreamGetId(stream C.cudaStream_t, id *C.ulonglong) C.CUresult {
	return ls_cudaStreamGetId(stream, id)
}

// cuStreamGetDevice returns the device of a stream.
//
//cuda:support full
//export ls_cuStreamGetDevice
func ls_cuStreamGetDevice(stream C.cudaStream_t, device *C.int) C.CUresult {
	return ls_cudaStreamGetDevice(stream, device)
}

// cuStreamGetCtx returns the context of a stream.
//
//cuda:support full
//export ls_cuStreamGetCtx
func ls_cuStreamGetCtx(stream C.cudaStream_t, context *C.CUhandle) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		v, err := t.StreamGetCtx(s)
		return putInt(context, v, err)
	})
}

// cuStreamGetCtx_v2 returns the context of a stream, or its green context.
//
//cuda:support full
//export ls_cuStreamGetCtx_v2
func ls_cuStreamGetCtx_v2(stream C.cudaStream_t, context, green *C.CUhandle) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		h, err := t.StreamGreen(s)
		if err == nil && green != nil {
			*green = C.CUhandle(h)
		}
		if err != nil {
			return err
		}
		v, err := t.StreamGetCtx(s)
		return putInt(context, v, err)
	})
}

// cuStreamWaitEvent makes a stream wait for an event.
//
//cuda:support full
//export ls_cuStreamWaitEvent
func ls_cuStreamWaitEvent(stream C.cudaStream_t, event C.CUhandle, flags C.uint) C.CUresult {
	return ls_cudaStreamWaitEvent(stream, event, flags)
}

// cuStreamAddCallback calls a function of the program in stream order.
//
//cuda:support full
//export ls_cuStreamAddCallback
func ls_cuStreamAddCallback(stream C.cudaStream_t, f C.CUstreamCallback, user unsafe.Pointer, flags C.uint) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		if f == nil || flags != 0 {
			return rt.ErrInvalidValue
		}
		return t.StreamAddCallback(s, func(status rt.Error) {
			C.ls_call_driver_stream(f, C.CUhandle(address(unsafe.Pointer(stream))), C.CUresult(rt.DriverCode(status)), user)
		})
	})
}

// cuStreamAttachMemAsync says which streams use managed memory.
//
//cuda:support full
//export ls_cuStreamAttachMemAsync
func ls_cuStreamAttachMemAsync(stream C.cudaStream_t, addr C.CUdeviceptr, size C.size_t, flags C.uint) C.CUresult {
	return ls_cudaStreamAttachMemAsync(stream, addr, size, flags)
}

// cuStreamSetAttribute sets an attribute of a stream.
//
//cuda:support full "windows of access policy, domains and ways of waiting are hints that change nothing"
//export ls_cuStreamSetAttribute
func ls_cuStreamSetAttribute(stream C.cudaStream_t, attribute C.int, value unsafe.Pointer) C.CUresult {
	return ls_cudaStreamSetAttribute(stream, attribute, value)
}

// cuStreamGetAttribute returns an attribute of a stream.
//
//cuda:support full
//export ls_cuStreamGetAttribute
func ls_cuStreamGetAttribute(stream C.cudaStream_t, attribute C.int, value unsafe.Pointer) C.CUresult {
	return ls_cudaStreamGetAttribute(stream, attribute, value)
}

// cuStreamCopyAttributes copies the attributes of a stream.
//
//cuda:support full
//export ls_cuStreamCopyAttributes
func ls_cuStreamCopyAttributes(dst, src C.CUhandle) C.CUresult {
	return ls_cudaStreamCopyAttributes(dst, src)
}

// cuThreadExchangeStreamCaptureMode changes what capturing forbids the thread.
//
//cuda:support full
//export ls_cuThreadExchangeStreamCaptureMode
func ls_cuThreadExchangeStreamCaptureMode(mode *C.int) C.CUresult {
	return ls_cudaThreadExchangeStreamCaptureMode(mode)
}

// cuEventCreate makes an event.
//
//cuda:support full
//export ls_cuEventCreate
func ls_cuEventCreate(event *C.CUhandle, flags C.uint) C.CUresult {
	return ls_cudaEventCreateWithFlags(event, flags)
}

// cuEventDestroy_v2 destroys an event.
//
//cuda:support full
//export ls_cuEventDestroy_v2
func ls_cuEventDestroy_v2(event C.CUhandle) C.CUresult {
	return ls_cudaEventDestroy(event)
}

// cuEventDestroy is cuEventDestroy_v2.
//
//cuda:support full
//export ls_cuEventDestroy
func ls_cuEventDestroy(event C.CUhandle) C.CUresult {
	return ls_cudaEventDestroy(event)
}

// cuEventRecord records an event in a stream.
//
//cuda:support full
//export ls_cuEventRecord
func ls_cuEventRecord(event C.CUhandle, stream C.cudaStream_t) C.CUresult {
	return ls_cudaEventRecord(event, stream)
}

// cuEventRecordWithFlags records an event in a stream.
//
//cuda:support full
//export ls_cuEventRecordWithFlags
func ls_cuEventRecordWithFlags(event C.CUhandle, stream C.cudaStream_t, flags C.uint) C.CUresult {
	return ls_cudaEventRecordWithFlags(event, stream, flags)
}

// cuEventQuery asks whether an event has happened.
//
//cuda:support full
//export ls_cuEventQuery
func ls_cuEventQuery(event C.CUhandle) C.CUresult {
	return ls_cudaEventQuery(event)
}

// cuEventSynchronize waits for an event.
//
//cuda:support full
//export ls_cuEventSynchronize
func ls_cuEventSynchronize(event C.CUhandle) C.CUresult {
	return ls_cudaEventSynchronize(event)
}

// cuEventElapsedTime returns the time between two events.
//
//cuda:support full
//export ls_cuEventElapsedTime
func ls_cuEventElapsedTime(ms *C.float, from, to C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		if ms == nil {
			return rt.ErrInvalidResourceHandle
		}
		v, err := t.EventElapsedTime(uint64(from), uint64(to))
		return put((*float32)(ms), v, err)
	})
}

// cuEventElapsedTime_v2 returns the time between two events.
//
//cuda:support full
//export ls_cuEventElapsedTime_v2
func ls_cuEventElapsedTime_v2(ms *C.float, from, to C.CUhandle) C.CUresult {
	return ls_cuEventElapsedTime(ms, from, to)
}

// cuStreamWaitValue32_v2 makes a stream wait for a value in memory.
//
//cuda:support full
//export ls_cuStreamWaitValue32_v2
func ls_cuStreamWaitValue32_v2(stream C.cudaStream_t, addr C.CUdeviceptr, value C.uint, flags C.uint) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.StreamWaitValue(s, uint64(addr), uint64(value), 4, uint32(flags))
	})
}

// cuStreamWaitValue64_v2 makes a stream wait for a value in memory.
//
//cuda:support full
//export ls_cuStreamWaitValue64_v2
func ls_cuStreamWaitValue64_v2(stream C.cudaStream_t, addr C.CUdeviceptr, value C.uint64_t, flags C.uint) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.StreamWaitValue(s, uint64(addr), uint64(value), 8, uint32(flags))
	})
}

// cuStreamWriteValue32_v2 writes a value to memory in stream order.
//
//cuda:support full
//export ls_cuStreamWriteValue32_v2
func ls_cuStreamWriteValue32_v2(stream C.cudaStream_t, addr C.CUdeviceptr, value C.uint, flags C.uint) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.StreamWriteValue(s, uint64(addr), uint64(value), 4, uint32(flags))
	})
}

// cuStreamWriteValue64_v2 writes a value to memory in stream order.
//
//cuda:support full
//export ls_cuStreamWriteValue64_v2
func ls_cuStreamWriteValue64_v2(stream C.cudaStream_t, addr C.CUdeviceptr, value C.uint64_t, flags C.uint) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.StreamWriteValue(s, uint64(addr), uint64(value), 8, uint32(flags))
	})
}

// cuStreamWaitValue32 is the form that devices have whose attribute 92 says so. None does.
//
//cuda:support full
//export ls_cuStreamWaitValue32
func ls_cuStreamWaitValue32(stream C.cudaStream_t, addr C.CUdeviceptr, value C.uint, flags C.uint) C.CUresult {
	return withoutFirstForm(stream)
}

// cuStreamWaitValue64 is the form that devices have whose attribute 92 says so. None does.
//
//cuda:support full
//export ls_cuStreamWaitValue64
func ls_cuStreamWaitValue64(stream C.cudaStream_t, addr C.CUdeviceptr, value C.uint64_t, flags C.uint) C.CUresult {
	return withoutFirstForm(stream)
}

// cuStreamWriteValue32 is the form that devices have whose attribute 92 says so. None does.
//
//cuda:support full
//export ls_cuStreamWriteValue32
func ls_cuStreamWriteValue32(stream C.cudaStream_t, addr C.CUdeviceptr, value C.uint, flags C.uint) C.CUresult {
	return withoutFirstForm(stream)
}

// cuStreamWriteValue64 is the form that devices have whose attribute 92 says so. None does.
//
//cuda:support full
//export ls_cuStreamWriteValue64
func ls_cuStreamWriteValue64(stream C.cudaStream_t, addr C.CUdeviceptr, value C.uint64_t, flags C.uint) C.CUresult {
	return withoutFirstForm(stream)
}

// withoutFirstForm is an operation on memory in a form that no device has.
func withoutFirstForm(stream C.cudaStream_t) C.CUresult {
	return callStream(stream, func(*rt.Thread, rt.StreamHandle) error { return rt.ErrNotSupported })
}

// cuProfilerInitialize prepares a profiler, which there is none of.
//
//cuda:support full
//export ls_cuProfilerInitialize
func ls_cuProfilerInitialize(config, output C.ls_string, mode C.int) C.CUresult {
	return call(func(t *rt.Thread) error { return nil })
}

// cuProfilerStart starts a profiler, which there is none of.
//
//cuda:support full
//export ls_cuProfilerStart
func ls_cuProfilerStart() C.CUresult {
	return call(func(t *rt.Thread) error { return nil })
}

// cuProfilerStop stops it.
//
//cuda:support full
//export ls_cuProfilerStop
func ls_cuProfilerStop() C.CUresult {
	return call(func(t *rt.Thread) error { return nil })
}
