package main

// #include <regex.h>
// #include <stdlib.h>
import "C"

import (
	"fmt"
	"os"
	"sync"
	"unsafe"
)

// expression makes a test of names by an extended regular expression, nil for an empty one. It is the C library's: Go's
// package would cost every process its initialisation.
func expression(text string) func(name string) bool {
	if text == "" {
		return nil
	}
	compiled := new(C.regex_t)
	pattern := C.CString(text)
	defer C.free(unsafe.Pointer(pattern))
	if C.regcomp(compiled, pattern, C.REG_EXTENDED|C.REG_NOSUB) != 0 {
		fmt.Fprintf(os.Stderr, "lockstep: LOCKSTEP_KERNEL_REGEX=%s is not a regular expression; no kernel is chosen by it\n", text)
		return nil
	}
	var mu sync.Mutex
	return func(name string) bool {
		mu.Lock()
		defer mu.Unlock()
		s := C.CString(name)
		defer C.free(unsafe.Pointer(s))
		return C.regexec(compiled, s, 0, nil, 0) == 0
	}
}
