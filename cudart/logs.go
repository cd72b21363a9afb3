package main

// #include <stdlib.h>
// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// logError is the level of all messages here.
const logError = 0

// cudaLogsRegisterCallback asks for a call with each message about a failed call.
//
//cuda:support full "the reasons are lockstep's own texts"
//export ls_cudaLogsRegisterCallback
func ls_cudaLogsRegisterCallback(f C.cudaLogsCallback_t, user unsafe.Pointer, to *C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if f == nil {
			return rt.ErrInvalidValue
		}
		h := t.LogsRegister(func(message string) {
			text := C.CString(message)
			defer C.free(unsafe.Pointer(text))
			C.ls_call_log(f, user, logError, text, C.size_t(len(message)))
		})
		if to != nil {
			*to = C.uint64_t(h)
		}
		return nil
	})
}

// cudaLogsUnregisterCallback takes that back.
//
//cuda:support full
//export ls_cudaLogsUnregisterCallback
func ls_cudaLogsUnregisterCallback(handle C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.LogsUnregister(uint64(handle)) })
}

// cudaLogsCurrent returns the number of the next message.
//
//cuda:support full
//export ls_cudaLogsCurrent
func ls_cudaLogsCurrent(to *C.uint, flags C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error { return putInt(to, t.LogsCurrent(), nil) })
}

// start is the number of the message that a dump begins with.
func start(iterator *C.uint) uint32 {
	if iterator == nil {
		return 0
	}
	return uint32(*iterator)
}

// advance moves the program's iterator, if it has one.
func advance(iterator *C.uint, next uint32) {
	if iterator != nil {
		*iterator = C.uint(next)
	}
}

// cudaLogsDumpToMemory copies messages.
//
//cuda:support full "the reasons are lockstep's own texts"
//export ls_cudaLogsDumpToMemory
func ls_cudaLogsDumpToMemory(iterator *C.uint, to *byte, size *C.size_t, flags C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if to == nil || size == nil || *size == 0 {
			return rt.ErrInvalidValue
		}
		room := unsafe.Slice(to, int(*size))
		text, next, err := t.LogsDump(start(iterator), len(room)-1)
		room[copy(room, text)] = 0
		*size = C.size_t(len(text))
		if err == nil {
			advance(iterator, next)
		}
		return err
	})
}

// cudaLogsDumpToFile writes messages to a file.
//
//cuda:support full "the reasons are lockstep's own texts"
//export ls_cudaLogsDumpToFile
func ls_cudaLogsDumpToFile(iterator *C.uint, path *C.char, flags C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if path == nil {
			return rt.ErrInvalidValue
		}
		next, err := t.LogsDumpFile(start(iterator), C.GoString(path))
		if err == nil {
			advance(iterator, next)
		}
		return err
	})
}

// cuLogsRegisterCallback asks for a call with each message about a failed call.
//
//cuda:support full "the reasons are lockstep's own texts"
//export ls_cuLogsRegisterCallback
func ls_cuLogsRegisterCallback(f C.cudaLogsCallback_t, user unsafe.Pointer, to *C.uint64_t) C.CUresult {
	return ls_cudaLogsRegisterCallback(f, user, to)
}

// cuLogsUnregisterCallback takes that back.
//
//cuda:support full
//export ls_cuLogsUnregisterCallback
func ls_cuLogsUnregisterCallback(handle C.uint64_t) C.CUresult {
	return ls_cudaLogsUnregisterCallback(handle)
}

// cuLogsCurrent returns the number of the next message.
//
//cuda:support full
//export ls_cuLogsCurrent
func ls_cuLogsCurrent(to *C.uint, flags C.uint) C.CUresult { return ls_cudaLogsCurrent(to, flags) }

// cuLogsDumpToMemory copies messages.
//
//cuda:support full "the reasons are lockstep's own texts"
//export ls_cuLogsDumpToMemory
func ls_cuLogsDumpToMemory(iterator *C.uint, to *byte, size *C.size_t, flags C.uint) C.CUresult {
	return ls_cudaLogsDumpToMemory(iterator, to, size, flags)
}

// cuLogsDumpToFile writes messages to a file.
//
//cuda:support full "the reasons are lockstep's own texts"
//export ls_cuLogsDumpToFile
func ls_cuLogsDumpToFile(iterator *C.uint, path *C.char, flags C.uint) C.CUresult {
	return ls_cudaLogsDumpToFile(iterator, path, flags)
}
