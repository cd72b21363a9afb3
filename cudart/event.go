package main

// #include "lockstep.h"
import "C"

import "github.com/lockstep-sim/lockstep/cudart/rt"

// cudaEventCreate makes an event.
//
//cuda:support full
//export ls_cudaEventCreate
func ls_cudaEventCreate(event *C.uint64_t) C.cudaError_t {
	return ls_cudaEventCreateWithFlags(event, 0)
}

// cudaEventCreateWithFlags makes an event.
//
//cuda:support full
//export ls_cudaEventCreateWithFlags
func ls_cudaEventCreateWithFlags(event *C.uint64_t, flags C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		h, err := t.EventCreate(uint32(flags))
		return putInt(event, h, err)
	})
}

// cudaEventDestroy gives up an event.
//
//cuda:support full
//export ls_cudaEventDestroy
func ls_cudaEventDestroy(event C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.EventDestroy(uint64(event)) })
}

// cudaEventRecord marks the work that a stream holds now.
//
//cuda:support full
//export ls_cudaEventRecord
func ls_cudaEventRecord(event C.uint64_t, stream C.cudaStream_t) C.cudaError_t {
	return ls_cudaEventRecordWithFlags(event, stream, 0)
}

// cudaEventRecordWithFlags marks the work that a stream holds now.
//
//cuda:support full
//export ls_cudaEventRecordWithFlags
func ls_cudaEventRecordWithFlags(event C.uint64_t, stream C.cudaStream_t, flags C.uint) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.EventRecord(uint64(event), s, uint32(flags))
	})
}

// cudaEventQuery tells whether the marked work is complete.
//
//cuda:support full
//export ls_cudaEventQuery
func ls_cudaEventQuery(event C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.EventQuery(uint64(event)) })
}

// cudaEventSynchronize waits for the marked work.
//
//cuda:support full
//export ls_cudaEventSynchronize
func ls_cudaEventSynchronize(event C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.EventSynchronize(uint64(event)) })
}

// cudaEventElapsedTime returns the milliseconds between two marks.
//
//cuda:support full "in functional mode the time that executing took"
//export ls_cudaEventElapsedTime
func ls_cudaEventElapsedTime(ms *C.float, from, to C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		v, err := t.EventElapsedTime(uint64(from), uint64(to))
		return put(ms, C.float(v), err)
	})
}

// cudaEventElapsedTime_v2 is cudaEventElapsedTime.
//
//cuda:support full "in functional mode the time that executing took"
//export ls_cudaEventElapsedTime_v2
func ls_cudaEventElapsedTime_v2(ms *C.float, from, to C.uint64_t) C.cudaError_t {
	return ls_cudaEventElapsedTime(ms, from, to)
}
