package main

// #include "lockstep.h"
import "C"

// cudaGetLastError returns and clears the calling thread's last error.
//
//cuda:support full
//export ls_cudaGetLastError
func ls_cudaGetLastError() C.cudaError_t {
	return callPure(func(t *Thread) Error {
		e := t.last
		t.last = Success
		return e
	})
}

// cudaPeekAtLastError returns the calling thread's last error.
//
//cuda:support full
//export ls_cudaPeekAtLastError
func ls_cudaPeekAtLastError() C.cudaError_t {
	return callPure(func(t *Thread) Error { return t.last })
}
