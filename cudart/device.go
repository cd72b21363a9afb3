package main

// #include "lockstep.h"
import "C"

// cudaGetDeviceCount returns the number of devices.
//
//cuda:support full
//export ls_cudaGetDeviceCount
func ls_cudaGetDeviceCount(count *C.int) C.cudaError_t {
	return call(func(t *Thread) Error {
		*count = 1
		return Success
	})
}
