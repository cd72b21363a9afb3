package main

// #include "lockstep.h"
import "C"

import (
	"sync"
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// cudaLaunchKernel puts a kernel into a stream.
//
//cuda:support full
//export ls_cudaLaunchKernel
func ls_cudaLaunchKernel(function C.uint64_t, grid, block C.dim3, args C.uint64_t, shared C.size_t, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.LaunchKernel(rt.Launch{Function: uint64(function), Grid: dim(grid), Block: dim(block), Args: uint64(args), Shared: uint64(shared), Stream: s})
	})
}

// __cudaLaunchKernel is what the launch syntax of CUDA 13 calls.
//
//cuda:support full
//export ls___cudaLaunchKernel
func ls___cudaLaunchKernel(kernel C.uint64_t, grid, block C.dim3, args C.uint64_t, shared C.size_t, stream C.cudaStream_t) C.cudaError_t {
	return ls_cudaLaunchKernel(kernel, grid, block, args, shared, stream)
}

// cudaLaunchCooperativeKernel puts a kernel into a stream whose blocks are all
// resident and may wait for each other.
//
//cuda:support full
//export ls_cudaLaunchCooperativeKernel
func ls_cudaLaunchCooperativeKernel(function C.uint64_t, grid, block C.dim3, args C.uint64_t, shared C.size_t, stream C.cudaStream_t) C.cudaError_t {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.LaunchKernel(rt.Launch{Function: uint64(function), Grid: dim(grid), Block: dim(block), Args: uint64(args), Shared: uint64(shared), Stream: s, Cooperative: true})
	})
}

// cudaLaunchKernelExC puts a kernel into a stream, with attributes.
//
//cuda:support full "windows of access policy, domains and ways of waiting are hints that change nothing"
//export ls_cudaLaunchKernelExC
func ls_cudaLaunchKernelExC(config *C.cudaLaunchConfig_t, function, args C.uint64_t) C.cudaError_t {
	var stream C.cudaStream_t
	if config != nil {
		stream = config.stream
	}
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		l, attributes, err := launchOf(config, function)
		if err != nil {
			return err
		}
		l.Args, l.Stream = uint64(args), s
		return t.LaunchKernelEx(l, attributes)
	})
}

// launchOf reads a launch configuration.
func launchOf(config *C.cudaLaunchConfig_t, function C.uint64_t) (l rt.Launch, attributes []rt.LaunchAttribute, err error) {
	if config == nil || config.attrs == nil && config.numAttrs != 0 {
		return l, nil, rt.ErrInvalidValue
	}
	for _, a := range unsafe.Slice(config.attrs, int(config.numAttrs)) {
		attributes = append(attributes, rt.LaunchAttribute{ID: int32(a.id), Words: *(*[16]int32)(unsafe.Pointer(&a.value))})
	}
	return rt.Launch{Function: uint64(function), Grid: dim(config.gridDim), Block: dim(config.blockDim), Shared: uint64(config.dynamicSmemBytes)}, attributes, nil
}

// cudaOccupancyMaxActiveClusters returns how many clusters of a launch are
// resident at once.
//
//cuda:support full
//export ls_cudaOccupancyMaxActiveClusters
func ls_cudaOccupancyMaxActiveClusters(clusters *C.int, function C.uint64_t, config *C.cudaLaunchConfig_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		l, attributes, err := launchOf(config, function)
		if err != nil {
			return err
		}
		n, err := t.OccupancyMaxActiveClusters(l, attributes)
		return putInt(clusters, n, err)
	})
}

// cudaOccupancyMaxPotentialClusterSize returns the size of the largest cluster
// that a launch can have.
//
//cuda:support full
//export ls_cudaOccupancyMaxPotentialClusterSize
func ls_cudaOccupancyMaxPotentialClusterSize(size *C.int, function C.uint64_t, config *C.cudaLaunchConfig_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		l, attributes, err := launchOf(config, function)
		if err != nil {
			return err
		}
		n, err := t.OccupancyMaxPotentialClusterSize(l, attributes)
		return putInt(size, n, err)
	})
}

// cudaFuncGetAttributes describes a kernel.
//
//cuda:support full
//export ls_cudaFuncGetAttributes
func ls_cudaFuncGetAttributes(attributes unsafe.Pointer, function C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		a, err := t.FuncGetAttributes(uint64(function))
		return putStructure(attributes, a, major(), err)
	})
}

// cudaFuncSetAttribute changes how a kernel may be launched.
//
//cuda:support full
//export ls_cudaFuncSetAttribute
func ls_cudaFuncSetAttribute(function C.uint64_t, attribute, value C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		return t.FuncSetAttribute(uint64(function), int(attribute), int(value))
	})
}

// cudaKernelSetAttributeForDevice changes how a kernel may be launched on a device.
//
//cuda:support full
//export ls_cudaKernelSetAttributeForDevice
func ls_cudaKernelSetAttributeForDevice(kernel C.uint64_t, attribute, value, device C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if kernel == 0 {
			return rt.ErrInvalidResourceHandle
		}
		return t.OnDevice(int(device), func() error { return t.FuncSetAttribute(uint64(kernel), int(attribute), int(value)) })
	})
}

// cudaFuncSetCacheConfig states a kernel's preference between L1 and shared memory.
//
//cuda:support full
//export ls_cudaFuncSetCacheConfig
func ls_cudaFuncSetCacheConfig(function C.uint64_t, config C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.FuncSetCacheConfig(uint64(function), int(config)) })
}

// cudaFuncSetSharedMemConfig asks for a width of shared memory banks.
//
//cuda:support full
//export ls_cudaFuncSetSharedMemConfig
func ls_cudaFuncSetSharedMemConfig(function C.uint64_t, config C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.FuncSetSharedMemConfig(uint64(function), int(config)) })
}

// functionNames keeps the names handed to the program, which never frees them.
var functionNames sync.Map // uint64 -> *C.char

// cudaFuncGetName returns a kernel's mangled name.
//
//cuda:support full
//export ls_cudaFuncGetName
func ls_cudaFuncGetName(name *C.ls_string, function C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		text, err := t.FuncGetName(uint64(function))
		if err != nil {
			return err
		}
		kept, ok := functionNames.Load(uint64(function))
		if !ok {
			kept, _ = functionNames.LoadOrStore(uint64(function), C.CString(text))
		}
		return put(name, C.ls_string(kept.(*C.char)), nil)
	})
}

// cudaFuncGetParamInfo returns where a parameter lies and its size.
//
//cuda:support full
//export ls_cudaFuncGetParamInfo
func ls_cudaFuncGetParamInfo(function C.uint64_t, index C.size_t, offset, size *C.size_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		o, n, err := t.FuncGetParamInfo(uint64(function), uint64(index))
		if err == nil && size != nil {
			*size = C.size_t(n)
		}
		return putInt(offset, o, err)
	})
}

// cudaFuncGetParamCount returns the number of a kernel's parameters.
//
//cuda:support full
//export ls_cudaFuncGetParamCount
func ls_cudaFuncGetParamCount(function C.uint64_t, count *C.size_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		n, err := t.FuncGetParamCount(uint64(function))
		return putInt(count, n, err)
	})
}

// cudaLaunchCooperativeKernelMultiDevice puts a kernel into a stream of each of
// several devices.
//
//cuda:support partial "the grids of several devices cannot wait for one another"
//export ls_cudaLaunchCooperativeKernelMultiDevice
func ls_cudaLaunchCooperativeKernelMultiDevice(launches *C.cudaLaunchParams, devices, flags C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if launches == nil || devices == 0 {
			return rt.ErrInvalidValue
		}
		var list []rt.Launch
		for _, l := range unsafe.Slice(launches, int(devices)) {
			list = append(list, rt.Launch{
				Function: address(l._func), Grid: dim(l.gridDim), Block: dim(l.blockDim), Shared: uint64(l.sharedMem),
				Stream: rt.StreamHandle(address(unsafe.Pointer(l.stream))), Args: address(unsafe.Pointer(l.args)), Cooperative: true,
			})
		}
		return t.LaunchMulti(list, uint32(flags))
	})
}

// cudaGetDriverEntryPoint finds a function of the driver, in the form that the
// program's CUDA major knows. CUDA 12 and later say through result what they found.
//
//cuda:support full
//export ls_cudaGetDriverEntryPoint
func ls_cudaGetDriverEntryPoint(name C.ls_string, function *C.uint64_t, flags C.ulonglong, result *C.int) C.cudaError_t {
	return enter(func(t *rt.Thread, perThread bool) error {
		var unasked C.int
		switch {
		case t.Runtime().Major() < 12:
			result = nil
		case result == nil: // from CUDA 12 on it is no error that nothing is found
			result = &unasked
		}
		return entryPoint(name, function, C.uint(t.Runtime().Version()), flags, perThread, result)
	})
}

// cudaGetDriverEntryPointByVersion finds a function of the driver as of a release.
//
//cuda:support full
//export ls_cudaGetDriverEntryPointByVersion
func ls_cudaGetDriverEntryPointByVersion(name C.ls_string, function *C.uint64_t, version C.uint, flags C.ulonglong, result *C.int) C.cudaError_t {
	return enter(func(_ *rt.Thread, perThread bool) error {
		return entryPoint(name, function, version, flags, perThread, result)
	})
}

// Flags of a search; with both, the form for per-thread default streams is wanted.
const (
	entryFlags      = 3
	perThreadStream = 2
)

func entryPoint(name C.ls_string, function *C.uint64_t, version C.uint, flags C.ulonglong, perThread bool, result *C.int) error {
	if name == nil || function == nil || flags > entryFlags || version > rt.DriverVersion {
		return rt.ErrInvalidValue
	}
	var at unsafe.Pointer
	twin := flags&perThreadStream != 0 || flags == 0 && perThread
	found := C.ls_driver_entry(name, C.uint32_t(version), C.int(flag(twin)), &at)
	if found == 0 || result != nil { // CUDA 11 leaves it where nothing is found
		*function = C.uint64_t(address(at))
	}
	switch {
	case result != nil:
		*result = found
	case found != 0:
		return rt.ErrSymbolNotFound
	}
	return nil
}

// cudaGetFuncBySymbol returns a kernel's function handle.
//
//cuda:support full
//export ls_cudaGetFuncBySymbol
func ls_cudaGetFuncBySymbol(function *C.uint64_t, symbol C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if err := t.Touch(); err != nil {
			return err
		}
		h, err := t.KernelOfSymbol(uint64(symbol), false)
		return putInt(function, h, err)
	})
}

// cudaGetKernel returns a kernel's handle.
//
//cuda:support full
//export ls_cudaGetKernel
func ls_cudaGetKernel(kernel *C.uint64_t, symbol C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		h, err := t.KernelOfSymbol(uint64(symbol), true)
		return putInt(kernel, h, err)
	})
}

// __cudaGetKernel is what the launch syntax of CUDA 13 calls.
//
//cuda:support full
//export ls___cudaGetKernel
func ls___cudaGetKernel(kernel *C.uint64_t, symbol C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		h, err := t.GetKernel(uint64(symbol))
		return putInt(kernel, h, err)
	})
}

// cudaOccupancyMaxActiveBlocksPerMultiprocessor returns how many blocks of a
// kernel a multiprocessor holds.
//
//cuda:support full
//export ls_cudaOccupancyMaxActiveBlocksPerMultiprocessor
func ls_cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks *C.int, function C.uint64_t, threads C.int, shared C.size_t) C.cudaError_t {
	return ls_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0)
}

// cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags is the same with flags.
//
//cuda:support full
//export ls_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags
func ls_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks *C.int, function C.uint64_t, threads C.int, shared C.size_t, flags C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		n, err := t.OccupancyMaxActiveBlocks(uint64(function), int(threads), uint64(shared), uint32(flags))
		return putInt(blocks, n, err)
	})
}

// cudaOccupancyAvailableDynamicSMemPerBlock returns the dynamic shared memory
// with which so many blocks are resident.
//
//cuda:support full
//export ls_cudaOccupancyAvailableDynamicSMemPerBlock
func ls_cudaOccupancyAvailableDynamicSMemPerBlock(shared *C.size_t, function C.uint64_t, blocks, threads C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		n, err := t.OccupancyAvailableDynamicShared(uint64(function), int(blocks), int(threads))
		return putInt(shared, n, err)
	})
}
