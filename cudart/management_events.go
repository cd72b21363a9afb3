package main

// #include "lockstep.h"
import "C"

import (
	"sync"
	"time"
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// eventSets are the sets of events. None happens, so all that is known is that it exists.
var eventSets = struct {
	sync.Mutex
	next C.CUhandle
	live map[C.CUhandle]bool
}{live: map[C.CUhandle]bool{}}

// firstEventSet begins the handles of sets of events.
const firstEventSet = 0x7_0000_0000

// onEvents runs a call about a set of events.
func onEvents(set C.CUhandle, f func() error) C.CUresult {
	return manage(func(*rt.Thread) error {
		eventSets.Lock()
		known := eventSets.live[set]
		eventSets.Unlock()
		if !known {
			return rt.NVMLInvalidArgument
		}
		return f()
	})
}

// nvmlEventSetCreate makes a set of events.
//
//cuda:support full
//export ls_nvmlEventSetCreate
func ls_nvmlEventSetCreate(set *C.CUhandle) C.CUresult {
	return manage(func(*rt.Thread) error {
		if set == nil {
			return rt.NVMLInvalidArgument
		}
		eventSets.Lock()
		defer eventSets.Unlock()
		eventSets.next++
		*set = firstEventSet + eventSets.next
		eventSets.live[*set] = true
		return nil
	})
}

// nvmlDeviceRegisterEvents asks for events of a device.
//
//cuda:support partial "none happens"
//export ls_nvmlDeviceRegisterEvents
func ls_nvmlDeviceRegisterEvents(device C.CUhandle, kinds C.ulonglong, set C.CUhandle) C.CUresult {
	return onEvents(set, func() error {
		return asError(board(device, func(rt.Board) error { return nil }))
	})
}

// nvmlEventSetWait_v2 waits for an event in vain.
//
//cuda:support partial "none happens"
//export ls_nvmlEventSetWait_v2
func ls_nvmlEventSetWait_v2(set C.CUhandle, data unsafe.Pointer, milliseconds C.uint) C.CUresult {
	return onEvents(set, func() error {
		if data == nil {
			return rt.NVMLInvalidArgument
		}
		time.Sleep(time.Duration(milliseconds) * time.Millisecond)
		return rt.NVMLTimeout
	})
}

// nvmlEventSetWait is nvmlEventSetWait_v2.
//
//cuda:support partial "none happens"
//export ls_nvmlEventSetWait
func ls_nvmlEventSetWait(set C.CUhandle, data unsafe.Pointer, milliseconds C.uint) C.CUresult {
	return ls_nvmlEventSetWait_v2(set, data, milliseconds)
}

// nvmlEventSetFree gives up a set of events.
//
//cuda:support full
//export ls_nvmlEventSetFree
func ls_nvmlEventSetFree(set C.CUhandle) C.CUresult {
	return onEvents(set, func() error {
		eventSets.Lock()
		defer eventSets.Unlock()
		delete(eventSets.live, set)
		return nil
	})
}

// nvmlDeviceGetSupportedEventTypes returns the events that may happen: none.
//
//cuda:support partial "none happens"
//export ls_nvmlDeviceGetSupportedEventTypes
func ls_nvmlDeviceGetSupportedEventTypes(device C.CUhandle, kinds *C.ulonglong) C.CUresult {
	return always(device, kinds, 0)
}

// asError is a code of the management library as an error.
func asError(code C.CUresult) error {
	if code == 0 {
		return nil
	}
	return rt.NVML(code)
}

// fieldValue is nvmlFieldValue_t.
type fieldValue struct {
	id, scope     uint32
	time, latency int64
	kind, code    uint32
	value         uint64
}

// Fields that every device has: whether memory is protected, now and after the next start, and counts of its errors.
const (
	fieldECC        = 1
	fieldPendingECC = 2
	lastErrorField  = 6
	kindWide        = 3 // unsigned, 64 bits
)

// nvmlDeviceGetFieldValues stores values by number.
//
//cuda:support partial "protection of memory only"
//export ls_nvmlDeviceGetFieldValues
func ls_nvmlDeviceGetFieldValues(device C.CUhandle, count C.int, list unsafe.Pointer) C.CUresult {
	return board(device, func(b rt.Board) error {
		if list == nil || count <= 0 {
			return rt.NVMLInvalidArgument
		}
		values := unsafe.Slice((*fieldValue)(list), int(count))
		for i := range values {
			v := &values[i]
			v.code, v.kind, v.value = uint32(rt.NVMLNotSupported), 0, 0
			if v.id == 0 || v.id > lastErrorField || !b.ECC() {
				continue
			}
			v.code, v.kind = 0, kindWide
			if v.id == fieldECC || v.id == fieldPendingECC {
				v.value = 1
			}
		}
		return nil
	})
}
