package main

// #include "lockstep.h"
import "C"

import (
	"time"
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// checkpointLock is the beginning of CUcheckpointLockArgs: a timeout in milliseconds.
type checkpointLock struct{ timeout uint32 }

// onProcess runs a call about a process, which may be made while the process is locked.
func onProcess(f func(t *rt.Thread) error) C.CUresult {
	return outside(func(t *rt.Thread, _ bool) error { return f(t) })
}

// cuCheckpointProcessGetState tells whether a process runs, is locked or is checkpointed.
//
//cuda:support partial "the calling process only: there is no driver that reaches into others"
//export ls_cuCheckpointProcessGetState
func ls_cuCheckpointProcessGetState(process C.int, state *C.int) C.CUresult {
	return onProcess(func(t *rt.Thread) error {
		if state == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.ProcessState(int(process))
		return putInt(state, v, err)
	})
}

// cuCheckpointProcessGetRestoreThreadId returns the thread that a restore needs.
//
//cuda:support partial "the calling process only: there is no driver that reaches into others"
//export ls_cuCheckpointProcessGetRestoreThreadId
func ls_cuCheckpointProcessGetRestoreThreadId(process C.int, thread *C.int) C.CUresult {
	return onProcess(func(t *rt.Thread) error {
		if thread == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.ProcessThread(int(process))
		return putInt(thread, v, err)
	})
}

// cuCheckpointProcessLock makes calls of a process wait.
//
//cuda:support partial "the calling process only: there is no driver that reaches into others"
//export ls_cuCheckpointProcessLock
func ls_cuCheckpointProcessLock(process C.int, arguments unsafe.Pointer) C.CUresult {
	return onProcess(func(t *rt.Thread) error {
		var timeout time.Duration
		if a := (*checkpointLock)(arguments); a != nil {
			timeout = time.Duration(a.timeout) * time.Millisecond
		}
		return t.ProcessLock(int(process), timeout)
	})
}

// cuCheckpointProcessCheckpoint brings what devices hold into a process's memory, where it is here.
//
//cuda:support partial "the calling process only: there is no driver that reaches into others"
//export ls_cuCheckpointProcessCheckpoint
func ls_cuCheckpointProcessCheckpoint(process C.int) C.CUresult {
	return onProcess(func(t *rt.Thread) error { return t.ProcessCheckpoint(int(process)) })
}

// cuCheckpointProcessRestore brings it back.
//
//cuda:support partial "the calling process only: there is no driver that reaches into others; devices are not exchanged"
//export ls_cuCheckpointProcessRestore
func ls_cuCheckpointProcessRestore(process C.int) C.CUresult {
	return onProcess(func(t *rt.Thread) error { return t.ProcessRestore(int(process)) })
}

// cuCheckpointProcessUnlock lets calls of a process go on.
//
//cuda:support partial "the calling process only: there is no driver that reaches into others"
//export ls_cuCheckpointProcessUnlock
func ls_cuCheckpointProcessUnlock(process C.int) C.CUresult {
	return onProcess(func(t *rt.Thread) error { return t.ProcessUnlock(int(process)) })
}
