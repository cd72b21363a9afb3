package main

// #include "lockstep.h"
import "C"

import "github.com/lockstep-sim/lockstep/cudart/rt"

// cudaLibraryLoadData loads device code for all devices.
//
//cuda:support partial "machine code alone is refused; options of libraries have no effect"
//export ls_cudaLibraryLoadData
func ls_cudaLibraryLoadData(library *C.uint64_t, code C.uint64_t, options *C.int, values *C.uint64_t, count C.uint, libraryOptions *C.int, libraryValues *C.uint64_t, libraryCount C.uint) C.cudaError_t {
	return ls_cuLibraryLoadData(library, code, options, values, count, libraryOptions, libraryValues, libraryCount)
}

// cudaLibraryLoadFromFile loads device code from a file for all devices.
//
//cuda:support partial "machine code alone is refused; options of libraries have no effect"
//export ls_cudaLibraryLoadFromFile
func ls_cudaLibraryLoadFromFile(library *C.uint64_t, path C.ls_string, options *C.int, values *C.uint64_t, count C.uint, libraryOptions *C.int, libraryValues *C.uint64_t, libraryCount C.uint) C.cudaError_t {
	return ls_cuLibraryLoadFromFile(library, path, options, values, count, libraryOptions, libraryValues, libraryCount)
}

// cudaLibraryUnload unloads a library.
//
//cuda:support full
//export ls_cudaLibraryUnload
func ls_cudaLibraryUnload(library C.uint64_t) C.cudaError_t {
	return ls_cuLibraryUnload(library)
}

// cudaLibraryGetKernel finds a kernel.
//
//cuda:support full
//export ls_cudaLibraryGetKernel
func ls_cudaLibraryGetKernel(kernel *C.uint64_t, library C.uint64_t, name C.ls_string) C.cudaError_t {
	return ls_cuLibraryGetKernel(kernel, library, name)
}

// cudaLibraryGetKernelCount returns the number of kernels.
//
//cuda:support full
//export ls_cudaLibraryGetKernelCount
func ls_cudaLibraryGetKernelCount(count *C.uint, library C.uint64_t) C.cudaError_t {
	return ls_cuLibraryGetKernelCount(count, library)
}

// cudaLibraryEnumerateKernels returns the kernels.
//
//cuda:support full
//export ls_cudaLibraryEnumerateKernels
func ls_cudaLibraryEnumerateKernels(kernels *C.uint64_t, count C.uint, library C.uint64_t) C.cudaError_t {
	return ls_cuLibraryEnumerateKernels(kernels, count, library)
}

// cudaLibraryGetGlobal finds a variable on the current device.
//
//cuda:support full
//export ls_cudaLibraryGetGlobal
func ls_cudaLibraryGetGlobal(addr, size *C.uint64_t, library C.uint64_t, name C.ls_string) C.cudaError_t {
	if addr == nil && size == nil {
		return call(func(*rt.Thread) error { return rt.ErrInvalidValue })
	}
	return ls_cuLibraryGetGlobal(addr, size, library, name)
}

// cudaLibraryGetManaged finds a managed variable.
//
//cuda:support full
//export ls_cudaLibraryGetManaged
func ls_cudaLibraryGetManaged(addr, size *C.uint64_t, library C.uint64_t, name C.ls_string) C.cudaError_t {
	return ls_cuLibraryGetManaged(addr, size, library, name)
}

// cudaLibraryGetUnifiedFunction finds a function that host and device call at one address, which devices have whose
// attribute 129 says so. None does.
//
//cuda:support full
//export ls_cudaLibraryGetUnifiedFunction
func ls_cudaLibraryGetUnifiedFunction(f *C.uint64_t, library C.uint64_t, name C.ls_string) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if err := t.CheckLibrary(uint64(library)); err != nil {
			return err
		}
		return rt.ErrInvalidValue
	})
}

// cuLibraryGetUnifiedFunction is the same.
//
//cuda:support full
//export ls_cuLibraryGetUnifiedFunction
func ls_cuLibraryGetUnifiedFunction(f *C.uint64_t, library C.uint64_t, name C.ls_string) C.CUresult {
	return ls_cudaLibraryGetUnifiedFunction(f, library, name)
}
