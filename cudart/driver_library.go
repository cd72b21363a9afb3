package main

// #include "lockstep.h"
import "C"

import (
	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// cuLibraryLoadData loads device code for all contexts.
//
//cuda:support partial "machine code alone is refused; options of libraries have no effect"
//export ls_cuLibraryLoadData
func ls_cuLibraryLoadData(library *C.CUhandle, code C.uint64_t, options *C.int, values *C.uint64_t, count C.uint, libraryOptions *C.int, libraryValues *C.uint64_t, libraryCount C.uint) C.CUresult {
	return call(func(t *rt.Thread) error {
		o, err := jitOptions(count, options, values)
		if err != nil {
			return err
		}
		if library == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.LibraryLoadData(uint64(code), o)
		return putInt(library, v, err)
	})
}

// cuLibraryLoadFromFile loads device code from a file for all contexts.
//
//cuda:support partial "machine code alone is refused; options of libraries have no effect"
//export ls_cuLibraryLoadFromFile
func ls_cuLibraryLoadFromFile(library *C.CUhandle, path C.ls_string, options *C.int, values *C.uint64_t, count C.uint, libraryOptions *C.int, libraryValues *C.uint64_t, libraryCount C.uint) C.CUresult {
	return call(func(t *rt.Thread) error {
		o, err := jitOptions(count, options, values)
		if err != nil {
			return err
		}
		if library == nil || path == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.LibraryLoad(C.GoString(path), o)
		return putInt(library, v, err)
	})
}

// cuLibraryUnload unloads a library.
//
//cuda:support full
//export ls_cuLibraryUnload
func ls_cuLibraryUnload(library C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error { return t.LibraryUnload(uint64(library)) })
}

// cuLibraryGetKernel finds a kernel.
//
//cuda:support full
//export ls_cuLibraryGetKernel
func ls_cuLibraryGetKernel(kernel *C.CUhandle, library C.CUhandle, name C.ls_string) C.CUresult {
	return call(func(t *rt.Thread) error {
		if kernel == nil || name == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.LibraryGetKernel(uint64(library), C.GoString(name))
		return putInt(kernel, v, err)
	})
}

// cuLibraryGetKernelCount returns the number of kernels.
//
//cuda:support full
//export ls_cuLibraryGetKernelCount
func ls_cuLibraryGetKernelCount(count *C.uint, library C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		all, err := t.LibraryKernels(uint64(library))
		return putInt(count, len(all), err)
	})
}

// cuLibraryEnumerateKernels returns the kernels.
//
//cuda:support full
//export ls_cuLibraryEnumerateKernels
func ls_cuLibraryEnumerateKernels(kernels *C.CUhandle, count C.uint, library C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		all, err := t.LibraryKernels(uint64(library))
		return putHandles(kernels, int(count), all, err)
	})
}

// cuLibraryGetModule returns the library as a module of the current context.
//
//cuda:support full
//export ls_cuLibraryGetModule
func ls_cuLibraryGetModule(module *C.CUhandle, library C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.LibraryGetModule(uint64(library))
		return putInt(module, v, err)
	})
}

// cuLibraryGetGlobal finds a variable in the current context.
//
//cuda:support full
//export ls_cuLibraryGetGlobal
func ls_cuLibraryGetGlobal(addr, size *C.uint64_t, library C.CUhandle, name C.ls_string) C.CUresult {
	return call(func(t *rt.Thread) error {
		if name == nil {
			return rt.ErrInvalidValue
		}
		a, n, err := t.LibraryGetGlobal(uint64(library), C.GoString(name), false)
		return putGlobal(addr, size, a, n, err)
	})
}

// cuLibraryGetManaged finds a managed variable.
//
//cuda:support full
//export ls_cuLibraryGetManaged
func ls_cuLibraryGetManaged(addr, size *C.uint64_t, library C.CUhandle, name C.ls_string) C.CUresult {
	return call(func(t *rt.Thread) error {
		if name == nil {
			return rt.ErrInvalidValue
		}
		a, n, err := t.LibraryGetGlobal(uint64(library), C.GoString(name), true)
		return putGlobal(addr, size, a, n, err)
	})
}

// cuKernelGetFunction returns a kernel as a function of the current context.
//
//cuda:support full
//export ls_cuKernelGetFunction
func ls_cuKernelGetFunction(function *C.CUhandle, kernel C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		if function == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.KernelGetFunction(uint64(kernel))
		return putInt(function, v, err)
	})
}

// cuKernelGetLibrary returns the library of a kernel.
//
//cuda:support full
//export ls_cuKernelGetLibrary
func ls_cuKernelGetLibrary(library *C.CUhandle, kernel C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.KernelGetLibrary(uint64(kernel))
		return putInt(library, v, err)
	})
}

// cuKernelGetName returns the name of a kernel in the device code.
//
//cuda:support full
//export ls_cuKernelGetName
func ls_cuKernelGetName(name *C.ls_string, kernel C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		text, err := t.FuncGetName(uint64(kernel))
		return putName(name, text, err)
	})
}

// cuKernelGetParamInfo returns where a parameter lies and its size.
//
//cuda:support full
//export ls_cuKernelGetParamInfo
func ls_cuKernelGetParamInfo(kernel C.CUhandle, index C.size_t, offset, size *C.size_t) C.CUresult {
	return ls_cuFuncGetParamInfo(kernel, index, offset, size)
}

// cuKernelGetAttribute returns an attribute of a kernel on a device.
//
//cuda:support full
//export ls_cuKernelGetAttribute
func ls_cuKernelGetAttribute(value *C.int, attribute C.int, kernel C.CUhandle, device C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		var v int
		err := t.OnDevice(int(device), func() (err error) {
			v, err = t.FunctionAttribute(uint64(kernel), int(attribute))
			return err
		})
		return putInt(value, v, err)
	})
}

// cuKernelSetAttribute changes how a kernel may be launched on a device.
//
//cuda:support full
//export ls_cuKernelSetAttribute
func ls_cuKernelSetAttribute(attribute, value C.int, kernel C.CUhandle, device C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		return t.OnDevice(int(device), func() error {
			return t.FuncSetAttribute(uint64(kernel), int(attribute), int(value))
		})
	})
}

// cuKernelSetCacheConfig states a preference between L1 and shared memory.
//
//cuda:support full
//export ls_cuKernelSetCacheConfig
func ls_cuKernelSetCacheConfig(kernel C.CUhandle, config, device C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		return t.OnDevice(int(device), func() error { return t.FuncSetCacheConfig(uint64(kernel), int(config)) })
	})
}
