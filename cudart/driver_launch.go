package main

// #include "lockstep.h"
import "C"

import (
	"math"
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// cuFuncGetAttribute returns an attribute of a kernel.
//
//cuda:support full
//export ls_cuFuncGetAttribute
func ls_cuFuncGetAttribute(value *C.int, attribute C.int, function C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.FunctionAttribute(uint64(function), int(attribute))
		return putInt(value, v, err)
	})
}

// cuFuncSetAttribute changes how a kernel may be launched.
//
//cuda:support full
//export ls_cuFuncSetAttribute
func ls_cuFuncSetAttribute(function C.CUhandle, attribute, value C.int) C.CUresult {
	return call(func(t *rt.Thread) error { return t.FuncSetAttribute(uint64(function), int(attribute), int(value)) })
}

// cuFuncSetCacheConfig states a preference between L1 and shared memory.
//
//cuda:support full
//export ls_cuFuncSetCacheConfig
func ls_cuFuncSetCacheConfig(function C.CUhandle, config C.int) C.CUresult {
	return call(func(t *rt.Thread) error { return t.FuncSetCacheConfig(uint64(function), int(config)) })
}

// cuFuncSetSharedMemConfig asks for a width of shared memory banks.
//
//cuda:support full
//export ls_cuFuncSetSharedMemConfig
func ls_cuFuncSetSharedMemConfig(function C.CUhandle, config C.int) C.CUresult {
	return call(func(t *rt.Thread) error { return t.FuncSetSharedMemConfig(uint64(function), int(config)) })
}

// cuFuncGetModule returns the module of a function.
//
//cuda:support full
//export ls_cuFuncGetModule
func ls_cuFuncGetModule(module *C.CUhandle, function C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.FuncGetModule(uint64(function))
		return putInt(module, v, err)
	})
}

// cuFuncGetName returns the name of a function in the device code.
//
//cuda:support full
//export ls_cuFuncGetName
func ls_cuFuncGetName(name *C.ls_string, function C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		text, err := t.FuncGetName(uint64(function))
		return putName(name, text, err)
	})
}

// cuFuncGetParamInfo returns where a parameter lies and its size.
//
//cuda:support full
//export ls_cuFuncGetParamInfo
func ls_cuFuncGetParamInfo(function C.CUhandle, index C.size_t, offset, size *C.size_t) C.CUresult {
	return call(func(t *rt.Thread) error {
		o, n, err := t.FuncGetParamInfo(uint64(function), uint64(index))
		if err == nil && size != nil {
			*size = C.size_t(n)
		}
		return putInt(offset, o, err)
	})
}

// cuFuncIsLoaded tells whether a function is loaded.
//
//cuda:support full
//export ls_cuFuncIsLoaded
func ls_cuFuncIsLoaded(state *C.int, function C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		const loaded = 1
		_, err := t.FuncGetName(uint64(function))
		return putInt(state, loaded, err)
	})
}

// cuFuncLoad loads a function.
//
//cuda:support full
//export ls_cuFuncLoad
func ls_cuFuncLoad(function C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		_, err := t.FuncGetName(uint64(function))
		return err
	})
}

// cuLaunchKernel puts a kernel into a stream.
//
//cuda:support full
//export ls_cuLaunchKernel
func ls_cuLaunchKernel(function C.CUhandle, gridX, gridY, gridZ, blockX, blockY, blockZ, shared C.uint, stream C.cudaStream_t, params, extra C.uint64_t) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.LaunchExtra(rt.Launch{
			Function: uint64(function), Grid: [3]uint32{uint32(gridX), uint32(gridY), uint32(gridZ)},
			Block: [3]uint32{uint32(blockX), uint32(blockY), uint32(blockZ)}, Shared: uint64(shared), Stream: s, Args: uint64(params),
		}, uint64(extra))
	})
}

// cuLaunchCooperativeKernel puts a kernel into a stream whose blocks are all resident and may wait for each other.
//
//cuda:support full
//export ls_cuLaunchCooperativeKernel
func ls_cuLaunchCooperativeKernel(function C.CUhandle, gridX, gridY, gridZ, blockX, blockY, blockZ, shared C.uint, stream C.cudaStream_t, params C.uint64_t) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.LaunchKernel(rt.Launch{
			Function: uint64(function), Grid: [3]uint32{uint32(gridX), uint32(gridY), uint32(gridZ)}, Cooperative: true,
			Block: [3]uint32{uint32(blockX), uint32(blockY), uint32(blockZ)}, Shared: uint64(shared), Stream: s, Args: uint64(params),
		})
	})
}

// cuLaunchCooperativeKernelMultiDevice puts a kernel into a stream of each of several devices.
//
//cuda:support partial "the grids of several devices cannot wait for one another"
//export ls_cuLaunchCooperativeKernelMultiDevice
func ls_cuLaunchCooperativeKernelMultiDevice(launches *C.CUDA_LAUNCH_PARAMS, devices, flags C.uint) C.CUresult {
	if launches == nil || devices != 1 {
		return call(func(*rt.Thread) error {
			if launches == nil || devices == 0 {
				return rt.ErrInvalidValue
			}
			return rt.ErrNotSupported
		})
	}
	l := launches
	return ls_cuLaunchCooperativeKernel(l.function, l.gridDimX, l.gridDimY, l.gridDimZ, l.blockDimX, l.blockDimY, l.blockDimZ,
		l.sharedMemBytes, l.hStream, l.kernelParams)
}

// cuLaunchKernelEx puts a kernel into a stream, with attributes.
//
//cuda:support full "windows of access policy, domains and ways of waiting are hints that change nothing"
//export ls_cuLaunchKernelEx
func ls_cuLaunchKernelEx(config *C.CUlaunchConfig, function C.CUhandle, params, extra C.uint64_t) C.CUresult {
	var stream C.cudaStream_t
	if config != nil {
		stream = config.hStream
	}
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		l, attributes, err := launchConfig(config)
		if err != nil {
			return err
		}
		l.Function, l.Stream, l.Args = uint64(function), s, uint64(params)
		if err := t.TakeExtra(&l, uint64(extra)); err != nil {
			return err
		}
		return t.LaunchKernelEx(l, attributes)
	})
}

// launchConfig is a launch as cuLaunchKernelEx describes it.
func launchConfig(c *C.CUlaunchConfig) (rt.Launch, []rt.LaunchAttribute, error) {
	if c == nil || c.attrs == nil && c.numAttrs != 0 {
		return rt.Launch{}, nil, rt.ErrInvalidValue
	}
	var attributes []rt.LaunchAttribute
	for _, a := range unsafe.Slice(c.attrs, int(c.numAttrs)) {
		attributes = append(attributes, rt.LaunchAttribute{ID: int32(a.id), Words: *(*[16]int32)(unsafe.Pointer(&a.value))})
	}
	return rt.Launch{
		Grid:  [3]uint32{uint32(c.gridDimX), uint32(c.gridDimY), uint32(c.gridDimZ)},
		Block: [3]uint32{uint32(c.blockDimX), uint32(c.blockDimY), uint32(c.blockDimZ)}, Shared: uint64(c.sharedMemBytes),
	}, attributes, nil
}

// cuLaunchHostFunc calls a function of the program in stream order.
//
//cuda:support full
//export ls_cuLaunchHostFunc
func ls_cuLaunchHostFunc(stream C.cudaStream_t, f C.cudaHostFn_t, user unsafe.Pointer) C.CUresult {
	return ls_cudaLaunchHostFunc(stream, f, user)
}

// cuFuncSetBlockShape sets the block of cuLaunch.
//
//cuda:support full
//export ls_cuFuncSetBlockShape
func ls_cuFuncSetBlockShape(function C.CUhandle, x, y, z C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		return t.FuncSetBlockShape(uint64(function), [3]int32{int32(x), int32(y), int32(z)})
	})
}

// cuFuncSetSharedSize sets the dynamic shared memory of cuLaunch.
//
//cuda:support full
//export ls_cuFuncSetSharedSize
func ls_cuFuncSetSharedSize(function C.CUhandle, size C.uint) C.CUresult {
	return call(func(t *rt.Thread) error { return t.FuncSetSharedSize(uint64(function), uint32(size)) })
}

// cuParamSetSize sets the size of the parameters of cuLaunch.
//
//cuda:support full
//export ls_cuParamSetSize
func ls_cuParamSetSize(function C.CUhandle, size C.uint) C.CUresult {
	return call(func(t *rt.Thread) error { return t.ParamSetSize(uint64(function), uint32(size)) })
}

// cuParamSeti sets a parameter of cuLaunch.
//
//cuda:support full
//export ls_cuParamSeti
func ls_cuParamSeti(function C.CUhandle, offset C.int, value C.uint) C.CUresult {
	return call(func(t *rt.Thread) error { return t.ParamSetWord(uint64(function), int(offset), uint32(value)) })
}

// cuParamSetf sets a parameter of cuLaunch.
//
//cuda:support full
//export ls_cuParamSetf
func ls_cuParamSetf(function C.CUhandle, offset C.int, value C.float) C.CUresult {
	return call(func(t *rt.Thread) error {
		return t.ParamSetWord(uint64(function), int(offset), math.Float32bits(float32(value)))
	})
}

// cuParamSetv sets parameters of cuLaunch.
//
//cuda:support full
//export ls_cuParamSetv
func ls_cuParamSetv(function C.CUhandle, offset C.int, value *C.uchar, size C.uint) C.CUresult {
	return call(func(t *rt.Thread) error {
		if value == nil {
			return rt.ErrInvalidValue
		}
		return t.ParamSet(uint64(function), int(offset), unsafe.Slice((*byte)(value), int(size)))
	})
}

// cuParamSetTexRef binds a texture reference to a function, as it is bound anyway.
//
//cuda:support full
//export ls_cuParamSetTexRef
func ls_cuParamSetTexRef(function C.CUhandle, unit C.int, reference C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error { return t.CheckTexRef(uint64(reference)) })
}

// cuLaunch launches a kernel of one block.
//
//cuda:support full
//export ls_cuLaunch
func ls_cuLaunch(function C.CUhandle) C.CUresult {
	return ls_cuLaunchGrid(function, 1, 1)
}

// cuLaunchGrid launches a kernel as cuFuncSetBlockShape and cuParamSetv have prepared it.
//
//cuda:support full
//export ls_cuLaunchGrid
func ls_cuLaunchGrid(function C.CUhandle, width, height C.int) C.CUresult {
	return callDefault(func(t *rt.Thread, s rt.StreamHandle) error {
		return t.LaunchLegacy(uint64(function), int32(width), int32(height), s)
	})
}

// cuLaunchGridAsync is cuLaunchGrid in a stream.
//
//cuda:support full
//export ls_cuLaunchGridAsync
func ls_cuLaunchGridAsync(function C.CUhandle, width, height C.int, stream C.cudaStream_t) C.CUresult {
	return callStream(stream, func(t *rt.Thread, s rt.StreamHandle) error {
		return t.LaunchLegacy(uint64(function), int32(width), int32(height), s)
	})
}

// cuOccupancyMaxActiveBlocksPerMultiprocessor returns how many blocks of a kernel a multiprocessor holds.
//
//cuda:support full
//export ls_cuOccupancyMaxActiveBlocksPerMultiprocessor
func ls_cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks *C.int, function C.CUhandle, threads C.int, shared C.size_t) C.CUresult {
	return ls_cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0)
}

// cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags is the same with flags.
//
//cuda:support full
//export ls_cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags
func ls_cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks *C.int, function C.CUhandle, threads C.int, shared C.size_t, flags C.uint) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.OccupancyMaxActiveBlocks(uint64(function), int(threads), uint64(shared), uint32(flags))
		return putInt(blocks, v, err)
	})
}

// cuOccupancyAvailableDynamicSMemPerBlock returns the dynamic shared memory with which so many blocks are resident.
//
//cuda:support full
//export ls_cuOccupancyAvailableDynamicSMemPerBlock
func ls_cuOccupancyAvailableDynamicSMemPerBlock(shared *C.size_t, function C.CUhandle, blocks, threads C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.OccupancyAvailableDynamicShared(uint64(function), int(blocks), int(threads))
		return putInt(shared, v, err)
	})
}

// cuOccupancyMaxActiveClusters returns how many clusters of a launch are resident at once.
//
//cuda:support full
//export ls_cuOccupancyMaxActiveClusters
func ls_cuOccupancyMaxActiveClusters(clusters *C.int, function C.CUhandle, config *C.CUlaunchConfig) C.CUresult {
	return call(func(t *rt.Thread) error {
		l, attributes, err := launchConfig(config)
		if err != nil {
			return err
		}
		l.Function = uint64(function)
		v, err := t.OccupancyMaxActiveClusters(l, attributes)
		return putInt(clusters, v, err)
	})
}

// cuOccupancyMaxPotentialClusterSize returns the size of the largest cluster that a launch can have.
//
//cuda:support full
//export ls_cuOccupancyMaxPotentialClusterSize
func ls_cuOccupancyMaxPotentialClusterSize(size *C.int, function C.CUhandle, config *C.CUlaunchConfig) C.CUresult {
	return call(func(t *rt.Thread) error {
		l, attributes, err := launchConfig(config)
		if err != nil {
			return err
		}
		l.Function = uint64(function)
		v, err := t.OccupancyMaxPotentialClusterSize(l, attributes)
		return putInt(size, v, err)
	})
}

// cuOccupancyMaxPotentialBlockSize returns the block with which most threads are resident.
//
//cuda:support full
//export ls_cuOccupancyMaxPotentialBlockSize
func ls_cuOccupancyMaxPotentialBlockSize(grid, block *C.int, function C.CUhandle, sharedOf C.CUoccupancyB2DSize, shared C.size_t, limit C.int) C.CUresult {
	return ls_cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, function, sharedOf, shared, limit, 0)
}

// cuOccupancyMaxPotentialBlockSizeWithFlags is the same with flags.
//
//cuda:support full
//export ls_cuOccupancyMaxPotentialBlockSizeWithFlags
func ls_cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block *C.int, function C.CUhandle, sharedOf C.CUoccupancyB2DSize, shared C.size_t, limit C.int, flags C.uint) C.CUresult {
	return call(func(t *rt.Thread) error {
		if grid == nil || block == nil || flags > 1 {
			return rt.ErrInvalidValue
		}
		g, b, err := t.OccupancyMaxPotentialBlock(uint64(function), int(limit), func(threads int) uint64 {
			if sharedOf == nil {
				return uint64(shared)
			}
			return uint64(C.ls_call_shared(sharedOf, C.int(threads)))
		})
		if err != nil {
			return err
		}
		*grid, *block = C.int(g), C.int(b)
		return nil
	})
}
