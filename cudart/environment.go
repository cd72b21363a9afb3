package main

// #include <stdlib.h>
// #include "lockstep.h"
import "C"

import "unsafe"

// environment returns a variable as the program sees it now: setenv before the first call counts, and Go's own copy of
// the environment is as old as the process.
func environment(name string) string {
	n := C.CString(name)
	defer C.free(unsafe.Pointer(n))
	return C.GoString(C.getenv(n))
}

// symbolName returns the exported name with the given index.
func symbolName(n uint32) string {
	if n >= uint32(C.ls_symbol_count) {
		return "unknown call"
	}
	names := unsafe.Slice((*C.ls_string)(unsafe.Pointer(&C.ls_names)), int(C.ls_symbol_count))
	return C.GoString(names[n])
}
