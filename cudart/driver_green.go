package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// cuDeviceGetDevResource describes the multiprocessors of a device.
//
//cuda:support full
//export ls_cuDeviceGetDevResource
func ls_cuDeviceGetDevResource(device C.int, to unsafe.Pointer, kind C.int) C.CUresult {
	return ls_cudaDeviceGetDevResource(device, to, kind)
}

// cuCtxGetDevResource describes the multiprocessors of a context.
//
//cuda:support full
//export ls_cuCtxGetDevResource
func ls_cuCtxGetDevResource(context C.CUhandle, to unsafe.Pointer, kind C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		r, err := t.CtxGetDevResource(uint64(context), int32(kind))
		return describe((*devResource)(to), r, kind, err)
	})
}

// cuDevSmResourceSplitByCount makes equal groups of multiprocessors.
//
//cuda:support full
//export ls_cuDevSmResourceSplitByCount
func ls_cuDevSmResourceSplitByCount(to unsafe.Pointer, n *C.uint, from, rest unsafe.Pointer, flags, count C.uint) C.CUresult {
	return ls_cudaDevSmResourceSplitByCount(to, n, from, rest, flags, count)
}

// cuDevResourceGenerateDesc describes what a green context shall have.
//
//cuda:support full
//export ls_cuDevResourceGenerateDesc
func ls_cuDevResourceGenerateDesc(desc *C.uint64_t, from unsafe.Pointer, n C.uint) C.CUresult {
	return ls_cudaDevResourceGenerateDesc(desc, from, n)
}

// greenDefaultStream is the flag that the driver wants of every green context.
const greenDefaultStream = 1

// cuGreenCtxCreate makes a context that has some multiprocessors of a device.
//
//cuda:support full
//export ls_cuGreenCtxCreate
func ls_cuGreenCtxCreate(to *C.CUhandle, desc C.CUhandle, device C.int, flags C.uint) C.CUresult {
	return call(func(t *rt.Thread) (err error) {
		if to == nil || flags != greenDefaultStream {
			return rt.ErrInvalidValue
		}
		what := uint64(desc)
		if what == 0 {
			if what, err = t.WholeDevice(int(device)); err != nil {
				return err
			}
		}
		h, err := t.GreenCtxCreate(what, int(device), 0)
		return putInt(to, h, err)
	})
}

// onGreen runs a call about a green context.
func onGreen(green C.CUhandle, f func(t *rt.Thread) error) C.CUresult {
	return call(func(t *rt.Thread) error {
		if err := t.CheckGreen(uint64(green)); err != nil {
			return err
		}
		return f(t)
	})
}

// cuGreenCtxDestroy gives up a green context.
//
//cuda:support full
//export ls_cuGreenCtxDestroy
func ls_cuGreenCtxDestroy(green C.CUhandle) C.CUresult {
	return onGreen(green, func(t *rt.Thread) error { return t.ExecutionCtxDestroy(uint64(green)) })
}

// cuCtxFromGreenCtx returns a green context as one that may be current.
//
//cuda:support full
//export ls_cuCtxFromGreenCtx
func ls_cuCtxFromGreenCtx(to *C.CUhandle, green C.CUhandle) C.CUresult {
	return onGreen(green, func(t *rt.Thread) error {
		h, err := t.CtxFromGreen(uint64(green))
		return putInt(to, h, err)
	})
}

// cuGreenCtxGetDevResource describes the multiprocessors of a green context.
//
//cuda:support full
//export ls_cuGreenCtxGetDevResource
func ls_cuGreenCtxGetDevResource(green C.CUhandle, to unsafe.Pointer, kind C.int) C.CUresult {
	return onGreen(green, func(t *rt.Thread) error {
		r, err := t.ExecutionCtxGetDevResource(uint64(green), int32(kind))
		return describe((*devResource)(to), r, kind, err)
	})
}

// cuGreenCtxGetId returns a number that no other context has.
//
//cuda:support full
//export ls_cuGreenCtxGetId
func ls_cuGreenCtxGetId(green C.CUhandle, to *C.ulonglong) C.CUresult {
	return onGreen(green, func(t *rt.Thread) error {
		n, err := t.ExecutionCtxGetID(uint64(green))
		return putInt(to, n, err)
	})
}

// cuGreenCtxRecordEvent marks the work of all streams of a green context.
//
//cuda:support full
//export ls_cuGreenCtxRecordEvent
func ls_cuGreenCtxRecordEvent(green, event C.CUhandle) C.CUresult {
	return onGreen(green, func(t *rt.Thread) error { return t.ExecutionCtxRecordEvent(uint64(green), uint64(event)) })
}

// cuGreenCtxWaitEvent makes later work of a green context wait for an event.
//
//cuda:support full
//export ls_cuGreenCtxWaitEvent
func ls_cuGreenCtxWaitEvent(green, event C.CUhandle) C.CUresult {
	return onGreen(green, func(t *rt.Thread) error { return t.ExecutionCtxWaitEvent(uint64(green), uint64(event)) })
}

// cuGreenCtxStreamCreate makes a stream of a green context.
//
//cuda:support full
//export ls_cuGreenCtxStreamCreate
func ls_cuGreenCtxStreamCreate(to *C.CUhandle, green C.CUhandle, flags C.uint, priority C.int) C.CUresult {
	return onGreen(green, func(t *rt.Thread) error {
		const nonBlocking = 1
		if to == nil || flags != nonBlocking {
			return rt.ErrInvalidValue
		}
		s, err := t.ExecutionCtxStreamCreate(uint64(green), uint32(flags), int(priority))
		return putInt(to, s, err)
	})
}

// cuStreamGetGreenCtx returns the green context of a stream, 0 for none.
//
//cuda:support full
//export ls_cuStreamGetGreenCtx
func ls_cuStreamGetGreenCtx(stream C.cudaStream_t, to *C.CUhandle) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		h, err := t.StreamGreen(s)
		return putInt(to, h, err)
	})
}

// cuCtxRecordEvent marks the work of all streams of a context.
//
//cuda:support full
//export ls_cuCtxRecordEvent
func ls_cuCtxRecordEvent(context, event C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error { return t.CtxRecordEvent(uint64(context), uint64(event)) })
}

// cuCtxWaitEvent makes later work of a context wait for an event.
//
//cuda:support full
//export ls_cuCtxWaitEvent
func ls_cuCtxWaitEvent(context, event C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error { return t.CtxWaitEvent(uint64(context), uint64(event)) })
}
