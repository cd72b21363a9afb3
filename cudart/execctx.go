package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// devResource is cudaDevResource. What the driver keeps in its padding is the
// device and the split that a set of multiprocessors comes from, and the set.
type devResource struct {
	kind   int32
	device uint32
	split  uint64
	sms    rt.SMSet
	// The union: multiprocessors, or the device, the number of queues and their
	// scope.
	words [10]uint32
	next  uintptr
}

// queues is the number of hardware queues (CUDA_DEVICE_MAX_CONNECTIONS).
const queues = 8

// describe writes a resource as the type that was asked for.
func describe(to *devResource, r rt.SMResource, kind C.int, err error) error {
	d := devResource{kind: int32(kind), device: r.Device, split: r.Split, sms: r.Set}
	if kind == rt.ResourceQueueConfig {
		d.words = [10]uint32{r.Device, queues}
	} else {
		d.words = [10]uint32{r.Count, r.Least, r.Align, r.Flags}
	}
	return put(to, d, err)
}

// multiprocessors reads a resource that has to be one of multiprocessors.
func multiprocessors(from *devResource) (rt.SMResource, error) {
	switch {
	case from == nil:
		return rt.SMResource{}, rt.ErrInvalidValue
	case from.kind != rt.ResourceSM:
		return rt.SMResource{}, rt.ErrInvalidResourceType
	}
	w := &from.words
	return rt.SMResource{Device: from.device, Count: w[0], Least: w[1], Align: w[2], Flags: w[3], Split: from.split, Set: from.sms}, nil
}

// cudaDeviceGetDevResource describes the multiprocessors or queues of a device.
//
//cuda:support full
//export ls_cudaDeviceGetDevResource
func ls_cudaDeviceGetDevResource(device C.int, to unsafe.Pointer, kind C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		r, err := t.DeviceGetDevResource(int(device), int32(kind))
		return describe((*devResource)(to), r, kind, err)
	})
}

// cudaDevSmResourceSplitByCount makes equal groups of multiprocessors.
//
//cuda:support full
//export ls_cudaDevSmResourceSplitByCount
func ls_cudaDevSmResourceSplitByCount(to unsafe.Pointer, n *C.uint, from, rest unsafe.Pointer, flags, count C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		r, err := multiprocessors((*devResource)(from))
		if err != nil || n == nil {
			return put(n, 0, err)
		}
		most := uint32(*n)
		if to == nil {
			most = r.Count
		}
		groups, left, err := t.SplitByCount(r, most, uint32(count), uint32(flags))
		if err != nil {
			return err
		}
		*n = C.uint(len(groups))
		return putSplit(to, rest, groups, left)
	})
}

// putSplit stores the groups of a split and what is left of it.
func putSplit(to, rest unsafe.Pointer, groups []rt.SMResource, left rt.SMResource) error {
	if to != nil {
		for i, g := range groups {
			if err := describe(&unsafe.Slice((*devResource)(to), len(groups))[i], g, rt.ResourceSM, nil); err != nil {
				return err
			}
		}
	}
	if rest == nil {
		return nil
	}
	kind := C.int(rt.ResourceSM)
	if left.Count == 0 {
		kind = 0
	}
	return describe((*devResource)(rest), left, kind, nil)
}

// splitGroup is cudaDevSmResourceGroupParams.
type splitGroup struct {
	rt.SplitGroup
	domain   uint32
	reserved [11]uint32
}

// cudaDevSmResourceSplit makes groups of multiprocessors, each as it is asked for.
//
//cuda:support full
//export ls_cudaDevSmResourceSplit
func ls_cudaDevSmResourceSplit(to unsafe.Pointer, n C.uint, from, rest unsafe.Pointer, flags C.uint, groups unsafe.Pointer) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		r, err := multiprocessors((*devResource)(from))
		if err != nil {
			return err
		}
		if groups == nil {
			return rt.ErrInvalidValue
		}
		list := unsafe.Slice((*splitGroup)(groups), int(n))
		wanted := make([]rt.SplitGroup, len(list))
		for i, g := range list {
			wanted[i] = g.SplitGroup
		}
		got, left, err := t.Split(r, uint32(flags), wanted)
		if err != nil {
			return err
		}
		for i, g := range wanted {
			list[i].SplitGroup = g
		}
		return putSplit(to, rest, got, left)
	})
}

// cudaDevResourceGenerateDesc describes what a green context shall have.
//
//cuda:support full
//export ls_cudaDevResourceGenerateDesc
func ls_cudaDevResourceGenerateDesc(desc *C.uint64_t, from unsafe.Pointer, n C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if from == nil {
			return rt.ErrInvalidValue
		}
		var list []rt.SMResource
		for i := range unsafe.Slice((*devResource)(from), int(n)) {
			d := &unsafe.Slice((*devResource)(from), int(n))[i]
			if d.kind == rt.ResourceQueueConfig || d.kind == rt.ResourceQueue {
				continue // how streams are queued has no counterpart here
			}
			r, err := multiprocessors(d)
			if err != nil {
				return err
			}
			list = append(list, r)
		}
		h, err := t.GenerateDesc(list)
		return putInt(desc, h, err)
	})
}

// cudaGreenCtxCreate makes a context that has some multiprocessors of a device.
//
//cuda:support full
//export ls_cudaGreenCtxCreate
func ls_cudaGreenCtxCreate(to *C.uint64_t, desc C.uint64_t, device C.int, flags C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		h, err := t.GreenCtxCreate(uint64(desc), int(device), uint32(flags))
		return putInt(to, h, err)
	})
}

// cudaExecutionCtxDestroy gives up a green context.
//
//cuda:support full
//export ls_cudaExecutionCtxDestroy
func ls_cudaExecutionCtxDestroy(handle C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.ExecutionCtxDestroy(uint64(handle)) })
}

// cudaDeviceGetExecutionCtx returns the context of all streams of a device.
//
//cuda:support full
//export ls_cudaDeviceGetExecutionCtx
func ls_cudaDeviceGetExecutionCtx(to *C.uint64_t, device C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		h, err := t.DeviceGetExecutionCtx(int(device))
		return putInt(to, h, err)
	})
}

// cudaExecutionCtxGetDevice returns the device of an execution context.
//
//cuda:support full
//export ls_cudaExecutionCtxGetDevice
func ls_cudaExecutionCtxGetDevice(to *C.int, handle C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		d, err := t.ExecutionCtxGetDevice(uint64(handle))
		return putInt(to, d, err)
	})
}

// cudaExecutionCtxGetId returns a number that no other execution context has.
//
//cuda:support full
//export ls_cudaExecutionCtxGetId
func ls_cudaExecutionCtxGetId(handle C.uint64_t, to *C.ulonglong) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		n, err := t.ExecutionCtxGetID(uint64(handle))
		return putInt(to, n, err)
	})
}

// cudaExecutionCtxGetDevResource describes what an execution context has.
//
//cuda:support full
//export ls_cudaExecutionCtxGetDevResource
func ls_cudaExecutionCtxGetDevResource(handle C.uint64_t, to unsafe.Pointer, kind C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		r, err := t.ExecutionCtxGetDevResource(uint64(handle), int32(kind))
		return describe((*devResource)(to), r, kind, err)
	})
}

// cudaStreamGetDevResource describes the multiprocessors that a stream has.
//
//cuda:support full
//export ls_cudaStreamGetDevResource
func ls_cudaStreamGetDevResource(stream C.cudaStream_t, to unsafe.Pointer, kind C.int) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		r, err := t.StreamGetDevResource(s, int32(kind))
		return describe((*devResource)(to), r, kind, err)
	})
}

// cudaExecutionCtxStreamCreate makes a stream of an execution context.
//
//cuda:support full
//export ls_cudaExecutionCtxStreamCreate
func ls_cudaExecutionCtxStreamCreate(to *C.uint64_t, handle C.uint64_t, flags C.uint, priority C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		s, err := t.ExecutionCtxStreamCreate(uint64(handle), uint32(flags), int(priority))
		return putInt(to, s, err)
	})
}

// cudaExecutionCtxSynchronize waits for all streams of an execution context.
//
//cuda:support full
//export ls_cudaExecutionCtxSynchronize
func ls_cudaExecutionCtxSynchronize(handle C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.ExecutionCtxSynchronize(uint64(handle)) })
}

// cudaExecutionCtxRecordEvent marks the work of all streams of an execution context.
//
//cuda:support full
//export ls_cudaExecutionCtxRecordEvent
func ls_cudaExecutionCtxRecordEvent(handle, event C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.ExecutionCtxRecordEvent(uint64(handle), uint64(event)) })
}

// cudaExecutionCtxWaitEvent makes later work of an execution context wait for an
// event.
//
//cuda:support full
//export ls_cudaExecutionCtxWaitEvent
func ls_cudaExecutionCtxWaitEvent(handle, event C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.ExecutionCtxWaitEvent(uint64(handle), uint64(event)) })
}
