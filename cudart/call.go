package main

/*
#cgo CFLAGS: -Wall -O2
#cgo noescape ls_enter
#cgo nocallback ls_enter
#include "lockstep.h"
*/
import "C"

import (
	"fmt"
	"os"
	"runtime/debug"
)

// call runs the body of an API function for the calling host thread: it takes in what was registered since the last
// call, keeps panics on this side of the C boundary, and records the thread's last error.
func call(f func(t *Thread) Error) C.cudaError_t {
	return enter(func(t *Thread, _ bool) Error { return f(t) })
}

// callStream is call for functions with a stream argument. The body gets the stream that s means: handle 0 becomes the
// legacy stream, or in a call by a _ptsz name the thread's own default stream.
func callStream(s C.cudaStream_t, f func(t *Thread, s StreamHandle) Error) C.cudaError_t {
	return enter(func(t *Thread, perThread bool) Error { return f(t, streamHandle(s, perThread)) })
}

// callDefault is callStream for functions that use the default stream without naming it, such as cudaMemcpy.
func callDefault(f func(t *Thread, s StreamHandle) Error) C.cudaError_t {
	return callStream(nil, f)
}

// callPure is call for functions that report an error without making it the last error: cudaGetLastError and
// cudaPeekAtLastError.
func callPure(f func(t *Thread) Error) C.cudaError_t {
	c := C.ls_enter()
	return C.cudaError_t(run(c, func(t *Thread, _ bool) Error { return f(t) }))
}

// enter runs f and records its error.
func enter(f func(t *Thread, perThread bool) Error) C.cudaError_t {
	c := C.ls_enter()
	err := run(c, f)
	if err != Success && err != ErrorNotReady {
		threads.get(uint32(c.thread)).SetLastError(err)
	}
	return C.cudaError_t(err)
}

// run calls f and turns a panic, which is a bug of lockstep, into cudaErrorUnknown and a line that names the call.
func run(c C.struct_ls_call, f func(t *Thread, perThread bool) Error) (err Error) {
	defer func() {
		if p := recover(); p != nil {
			reportPanic(symbolName(uint32(c.symbol)), p)
			err = ErrorUnknown
		}
	}()
	if c.pending != 0 {
		drain()
	}
	t := threads.get(uint32(c.thread))
	if c.last_error != 0 {
		t.SetLastError(Error(c.last_error))
	}
	return f(t, c.per_thread != 0)
}

// reportPanic writes one line; the stack follows where the user asked for it.
func reportPanic(name string, p any) {
	fmt.Fprintf(os.Stderr, "lockstep: bug in %s: %v (please report it; LOCKSTEP_LOG=debug prints the stack)\n", name, p)
	debugLine(string(debug.Stack()))
}

// debugLine writes what LOCKSTEP_LOG=debug asks for.
func debugLine(text string) {
	if environment("LOCKSTEP_LOG") == "debug" {
		fmt.Fprintf(os.Stderr, "lockstep: %s\n", text)
	}
}
