package main

// #include "lockstep.h"
import "C"

import "unsafe"

// drain takes in what C code queued since the last call: registrations of device code, and host threads that ended.
func drain() {
	for n := C.ls_thread_ended(); n != 0; n = C.ls_thread_ended() {
		threads.remove(uint32(n))
	}
	C.ls_log_begin()
	defer C.ls_log_end()
	for r := C.ls_log_take(); r != nil; r = C.ls_log_take() {
		register(r)
	}
}

// register hands one record to the runtime. Host pointers of the record are keys, except those of managed variables,
// which are slots to fill, and the fat binary's wrapper.
func register(r *C.struct_ls_record) {
	module := uintptr(unsafe.Pointer(r.image))
	host, name := uintptr(r.host), C.GoString(r.name)
	switch r.kind {
	case C.LS_FATBIN:
		theRuntime().RegisterFatBinary(module, uintptr(r.image.wrapper))
	case C.LS_FATBIN_END:
		theRuntime().RegisterFatBinaryEnd(module)
	case C.LS_FUNCTION:
		theRuntime().RegisterFunction(module, host, name)
	case C.LS_VARIABLE:
		theRuntime().RegisterVariable(module, host, name, uint64(r.size), r.constant != 0)
	case C.LS_MANAGED:
		theRuntime().RegisterManaged(module, host, name, uint64(r.size))
	case C.LS_TEXTURE:
		theRuntime().RegisterTexture(module, host, name)
	case C.LS_SURFACE:
		theRuntime().RegisterSurface(module, host, name)
	case C.LS_UNREGISTER:
		theRuntime().Unregister(module)
	}
}
