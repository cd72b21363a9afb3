package main

// #include "lockstep.h"
import "C"

import "github.com/lockstep-sim/lockstep/cudart/rt"

// cudaGetDeviceCount returns the number of devices.
//
//cuda:support full
//export ls_cudaGetDeviceCount
func ls_cudaGetDeviceCount(count *C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		n, err := t.GetDeviceCount()
		*count = C.int(n)
		return err
	})
}
