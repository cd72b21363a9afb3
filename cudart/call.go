package main

/*
#cgo CFLAGS: -Wall -O2
#cgo LDFLAGS: -Wl,--wrap=pthread_create
#cgo noescape ls_enter
#cgo nocallback ls_enter
#include "lockstep.h"
*/
import "C"

import (
	"fmt"
	"os"
	"runtime/debug"
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// call runs the body of an API function for the calling host thread: it takes in what was registered since the last
// call, keeps panics on this side of the C boundary, and makes the body's error the thread's last error.
func call(f func(t *rt.Thread) error) C.cudaError_t {
	return enter(func(t *rt.Thread, _ bool) error { return f(t) })
}

// callStream is call for functions with a stream argument. The body gets the stream that s means: handle 0 becomes the
// legacy stream, or in a call by a _ptsz name the thread's own default stream.
func callStream(s C.cudaStream_t, f func(t *rt.Thread, s rt.StreamHandle) error) C.cudaError_t {
	return enter(func(t *rt.Thread, perThread bool) error { return f(t, streamHandle(s, perThread)) })
}

// callDefault is callStream for functions that use the default stream without naming it, such as cudaMemcpy.
func callDefault(f func(t *rt.Thread, s rt.StreamHandle) error) C.cudaError_t {
	return callStream(nil, f)
}

// lastError is call for cudaGetLastError and cudaPeekAtLastError, which return an error that is not theirs.
func lastError(f func(t *rt.Thread) rt.Error) C.cudaError_t {
	code := rt.Success
	failed := call(func(t *rt.Thread) error {
		code = f(t)
		return nil
	})
	return max(failed, C.cudaError_t(code))
}

// enter runs f and ends the call, by the rules of the interface that it was made through: errors of the driver are no
// thread's last error, and have codes of their own.
func enter(f func(t *rt.Thread, perThread bool) error) C.cudaError_t {
	c := C.ls_enter()
	if c.group == C.LS_DRIVER {
		t, err := run(&c, func(t *rt.Thread, perThread bool) error {
			t.Runtime().Admit()
			return t.InDriver(func() error { return f(t, perThread) })
		})
		return driverDone(&c, t, err)
	}
	t, err := run(&c, func(t *rt.Thread, perThread bool) error {
		t.Runtime().Admit()
		t.Runtime().Initialize()
		return f(t, perThread)
	})
	switch {
	case err == nil:
		return 0
	case t == nil: // the runtime could not be made
		return C.cudaError_t(rt.ErrUnknown)
	}
	return C.cudaError_t(t.Done(symbolName(uint32(c.symbol)), err))
}

// outside is call for driver functions that may be called before cuInit.
func outside(f func(t *rt.Thread, perThread bool) error) C.CUresult {
	c := C.ls_enter()
	t, err := run(&c, f)
	return driverDone(&c, t, err)
}

func driverDone(c *C.struct_ls_call, t *rt.Thread, err error) C.CUresult {
	switch {
	case err == nil:
		return 0
	case t == nil: // the runtime could not be made
		return C.CUresult(rt.ErrUnknown)
	}
	return C.CUresult(t.DriverDone(symbolName(uint32(c.symbol)), err))
}

// run calls f and turns a panic, which is a bug of lockstep, into cudaErrorUnknown and a line that names the call. An
// address of the program where nothing is becomes cudaErrorInvalidValue.
func run(c *C.struct_ls_call, f func(t *rt.Thread, perThread bool) error) (t *rt.Thread, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		p := recover()
		if fault, ok := p.(interface{ Addr() uintptr }); ok {
			err = &rt.Failure{Code: rt.ErrInvalidValue, Reason: fmt.Sprintf("the program has no memory at %#x", fault.Addr())}
		} else if p != nil {
			reportPanic(symbolName(uint32(c.symbol)), p)
			err = rt.ErrUnknown
		}
	}()
	t = threads.get(uint32(c.thread))
	if c.callback != 0 && !inCallbacks(symbolName(uint32(c.symbol))) {
		return t, rt.ErrNotPermitted
	}
	if c.pending != 0 {
		drain()
	}
	if c.last_error != 0 {
		t.SetLastError(rt.Error(c.last_error))
	}
	return t, f(t, c.per_thread != 0)
}

// inCallbacks tells the calls that functions called by streams may make (measured).
func inCallbacks(name string) bool {
	switch name {
	case "cudaGetDeviceCount", "cudaDriverGetVersion", "cudaRuntimeGetVersion", "cudaGetLastError", "cudaPeekAtLastError":
		return true
	case "cudaGetDeviceProperties":
		return theRuntime().Major() >= 13
	}
	return false
}

// streamHandle is the stream that a program means by s.
func streamHandle(s C.cudaStream_t, perThread bool) rt.StreamHandle {
	switch {
	case s != nil:
		return rt.StreamHandle(uintptr(unsafe.Pointer(s)))
	case perThread:
		return rt.PerThreadStream
	}
	return rt.LegacyStream
}

// reportPanic writes one line; the stack follows where the user asked for it.
func reportPanic(name string, p any) {
	fmt.Fprintf(os.Stderr, "lockstep: bug in %s: %v (please report it; LOCKSTEP_LOG=debug prints the stack)\n", name, p)
	debugLine(string(debug.Stack()))
}

// debugLine writes what LOCKSTEP_LOG=debug asks for.
func debugLine(text string) {
	if environment("LOCKSTEP_LOG") == "debug" {
		logLine(text)
	}
}

func logLine(text string) { fmt.Fprintf(os.Stderr, "lockstep: %s\n", text) }
