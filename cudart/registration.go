package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// drain takes in what C code queued since the last call: registrations of device code, and host threads that ended.
func drain() {
	for n := C.ls_thread_ended(); n != 0; n = C.ls_thread_ended() {
		threads.remove(uint32(n))
		C.ls_thread_forgotten(n)
	}
	C.ls_log_begin()
	defer C.ls_log_end()
	for r := C.ls_log_take(); r != nil; r = C.ls_log_take() {
		register(theRuntime(), r)
	}
}

// register hands one record to the runtime. Only addresses and names are read here; a fat binary itself is read when one
// of its symbols is used, which is before the program unregisters it.
func register(r *rt.Runtime, record *C.struct_ls_record) {
	image, host := address(unsafe.Pointer(record.image)), address(record.host)
	name, size := C.GoString(record.name), uint64(record.size)
	switch record.kind {
	case C.LS_FATBIN:
		r.RegisterFatBinary(image, address(record.image.wrapper))
	case C.LS_FUNCTION:
		r.RegisterFunction(image, host, name)
	case C.LS_VARIABLE:
		r.RegisterVariable(image, host, name, size, record.constant != 0)
	case C.LS_MANAGED:
		r.RegisterManaged(image, host, name, size)
	case C.LS_TEXTURE:
		r.RegisterTexture(image, host, name, record.normalized != 0)
	case C.LS_SURFACE:
		r.RegisterSurface(image, host, name)
	case C.LS_UNREGISTER:
		r.Unregister(image)
	}
}

// address is a pointer of the program as the runtime knows it.
func address(p unsafe.Pointer) uint64 { return uint64(uintptr(p)) }

// __cudaInitModule makes the managed variables of a fat binary usable by the host; the result is 1 when they are.
//
//cuda:support full
//export ls___cudaInitModule
func ls___cudaInitModule(handle *unsafe.Pointer) C.char {
	err := call(func(t *rt.Thread) error { return t.InitModule(address(unsafe.Pointer(handle))) })
	if err != 0 {
		return 0
	}
	return 1
}

// cudaLaunch launches a kernel with the configuration and arguments that cudaConfigureCall and cudaSetupArgument left:
// the protocol of CUDA 9 and before.
//
//cuda:support full
//export ls_cudaLaunch
func ls_cudaLaunch(function unsafe.Pointer) C.cudaError_t {
	var a C.struct_ls_arguments
	configured := C.ls_take_arguments(&a) != 0
	c := &a.configuration
	return callStream(C.cudaStream_t(c.stream), func(t *rt.Thread, s rt.StreamHandle) error {
		if !configured {
			return rt.ErrMissingConfiguration
		}
		return t.LaunchKernel(rt.Launch{
			Function: address(function), Stream: s, Shared: uint64(c.shared),
			Grid:   [3]uint32{uint32(c.grid.x), uint32(c.grid.y), uint32(c.grid.z)},
			Block:  [3]uint32{uint32(c.block.x), uint32(c.block.y), uint32(c.block.z)},
			Packed: C.GoBytes(a.bytes, C.int(a.size)),
		})
	})
}
