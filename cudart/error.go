package main

// #include "lockstep.h"
import "C"

import "github.com/lockstep-sim/lockstep/cudart/rt"

// cudaGetLastError returns and clears the calling thread's last error.
//
//cuda:support full
//export ls_cudaGetLastError
func ls_cudaGetLastError() C.cudaError_t { return lastError((*rt.Thread).GetLastError) }

// cudaPeekAtLastError returns the calling thread's last error.
//
//cuda:support full
//export ls_cudaPeekAtLastError
func ls_cudaPeekAtLastError() C.cudaError_t { return lastError((*rt.Thread).PeekAtLastError) }
