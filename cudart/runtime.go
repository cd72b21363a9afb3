package main

// #include "lockstep.h"
import "C"

import (
	"sync"
	"unsafe"
)

// placeholder for cudart/rt: replaced by aliases when the package exists.
type (
	Thread       struct{ last Error }
	Error        int
	StreamHandle uintptr
	runtime      struct{}
)

const (
	Success       Error = 0
	ErrorNotReady Error = 600
	ErrorUnknown  Error = 999
)

func (t *Thread) SetLastError(e Error) { t.last = e }
func (t *Thread) Close()               {}

func (*runtime) RegisterFatBinary(module, wrapper uintptr)                                      {}
func (*runtime) RegisterFatBinaryEnd(module uintptr)                                            {}
func (*runtime) RegisterFunction(module, host uintptr, name string)                             {}
func (*runtime) RegisterVariable(module, host uintptr, name string, size uint64, constant bool) {}
func (*runtime) RegisterManaged(module, host uintptr, name string, size uint64)                 {}
func (*runtime) RegisterTexture(module, host uintptr, name string)                              {}
func (*runtime) RegisterSurface(module, host uintptr, name string)                              {}
func (*runtime) Unregister(module uintptr)                                                      {}

// theRuntime is the process's one runtime, made by the first call.
var theRuntime = sync.OnceValue(func() *runtime { return &runtime{} })

func newThread() *Thread { return &Thread{} }

// Default streams as a program may name them.
const (
	legacyStream    StreamHandle = 1
	perThreadStream StreamHandle = 2
)

func streamHandle(s C.cudaStream_t, perThread bool) StreamHandle {
	switch {
	case s != nil:
		return StreamHandle(unsafe.Pointer(s))
	case perThread:
		return perThreadStream
	}
	return legacyStream
}

// ls_flush ends the run: C calls it once, in the process that made calls, on every way out that it can see.
//
//export ls_flush
func ls_flush() {
	defer func() {
		if p := recover(); p != nil {
			reportPanic("the end of the run", p)
		}
	}()
	debugLine("end of run")
}
