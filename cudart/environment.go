package main

// #include <stdlib.h>
// #include "lockstep.h"
import "C"

import (
	"sync"
	"unsafe"
)

// environment returns a variable as the program sees it now: setenv before the first call counts, and Go's own copy of
// the environment is as old as the process.
func environment(name string) string {
	value, _ := lookup(name)
	return value
}

// lookup is environment that tells an empty variable from none.
func lookup(name string) (value string, set bool) {
	n := C.CString(name)
	defer C.free(unsafe.Pointer(n))
	v := C.getenv(n)
	return C.GoString(v), v != nil
}

var symbolNames = sync.OnceValue(func() []string {
	table := unsafe.Slice((*C.ls_string)(unsafe.Pointer(&C.ls_names)), int(C.ls_symbol_count))
	names := make([]string, len(table))
	for i := range names {
		names[i] = C.GoString(table[i])
	}
	return names
})

// symbolName returns the exported name with the given index.
func symbolName(n uint32) string {
	if names := symbolNames(); int(n) < len(names) {
		return names[n]
	}
	return "unknown call"
}
