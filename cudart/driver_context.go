package main

// #include "lockstep.h"
import "C"

import (
	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// cuCtxCreate_v2 makes a context and pushes it.
//
//cuda:support full
//export ls_cuCtxCreate_v2
func ls_cuCtxCreate_v2(context *C.CUhandle, flags C.uint, device C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		if context == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.CtxCreate(uint32(flags), int(device))
		return putInt(context, v, err)
	})
}

// cuCtxCreate_v3 makes a context with a part of the multiprocessors, which only a server of several processes (MPS) gives.
//
//cuda:support full
//export ls_cuCtxCreate_v3
func ls_cuCtxCreate_v3(context *C.CUhandle, affinity *C.CUexecAffinityParam, count C.int, flags C.uint, device C.int) C.CUresult {
	if count > 0 {
		return call(func(*rt.Thread) error {
			if context == nil || affinity == nil {
				return rt.ErrInvalidValue
			}
			return rt.ErrUnsupportedExecAffinity
		})
	}
	return ls_cuCtxCreate_v2(context, flags, device)
}

// graphicsD3D12 is the kind of graphics that a context of this operating system may name, in vain.
const graphicsD3D12 = 1

// cuCtxCreate_v4 makes a context, alone or for the graphics of another interface, of which none is here.
//
//cuda:support full
//export ls_cuCtxCreate_v4
func ls_cuCtxCreate_v4(context *C.CUhandle, parameters *C.CUctxCreateParams, flags C.uint, device C.int) C.CUresult {
	if parameters == nil {
		return ls_cuCtxCreate_v2(context, flags, device)
	}
	if graphics := (*C.int)(parameters.cigParams); graphics != nil {
		return call(func(*rt.Thread) error {
			if parameters.numExecAffinityParams == 0 && *graphics != graphicsD3D12 {
				return rt.ErrInvalidValue
			}
			return rt.ErrNotSupported
		})
	}
	return ls_cuCtxCreate_v3(context, parameters.execAffinityParams, parameters.numExecAffinityParams, flags, device)
}

// cuCtxDestroy_v2 destroys a context.
//
//cuda:support full
//export ls_cuCtxDestroy_v2
func ls_cuCtxDestroy_v2(context C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error { return t.CtxDestroy(uint64(context)) })
}

// cuCtxCreate makes a context whose addresses have 32 bits, and pushes it.
//
//cuda:support full
//export ls_cuCtxCreate
func ls_cuCtxCreate(context *C.CUhandle, flags C.uint, device C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		if context == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.CtxCreateNarrow(uint32(flags), int(device))
		return putInt(context, v, err)
	})
}

// cuCtxDestroy is cuCtxDestroy_v2.
//
//cuda:support full
//export ls_cuCtxDestroy
func ls_cuCtxDestroy(context C.CUhandle) C.CUresult {
	return ls_cuCtxDestroy_v2(context)
}

// cuCtxPushCurrent is cuCtxPushCurrent_v2.
//
//cuda:support full
//export ls_cuCtxPushCurrent
func ls_cuCtxPushCurrent(context C.CUhandle) C.CUresult {
	return ls_cuCtxPushCurrent_v2(context)
}

// cuCtxPopCurrent is cuCtxPopCurrent_v2.
//
//cuda:support full
//export ls_cuCtxPopCurrent
func ls_cuCtxPopCurrent(context *C.CUhandle) C.CUresult {
	return ls_cuCtxPopCurrent_v2(context)
}

// cuCtxAttach counts a use of the current context.
//
//cuda:support full
//export ls_cuCtxAttach
func ls_cuCtxAttach(context *C.CUhandle, flags C.uint) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.CtxAttach(uint32(flags))
		return putInt(context, v, err)
	})
}

// cuCtxDetach ends a use of a context.
//
//cuda:support full
//export ls_cuCtxDetach
func ls_cuCtxDetach(context C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error { return t.CtxDetach(uint64(context)) })
}

// cuCtxPushCurrent_v2 makes a context current until it is popped.
//
//cuda:support full
//export ls_cuCtxPushCurrent_v2
func ls_cuCtxPushCurrent_v2(context C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error { return t.CtxPush(uint64(context)) })
}

// cuCtxPopCurrent_v2 takes the current context from the thread.
//
//cuda:support full
//export ls_cuCtxPopCurrent_v2
func ls_cuCtxPopCurrent_v2(context *C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.CtxPop()
		if err == nil && context != nil {
			*context = C.CUhandle(v)
		}
		return err
	})
}

// cuCtxSetCurrent makes a context current in place of the one that is.
//
//cuda:support full
//export ls_cuCtxSetCurrent
func ls_cuCtxSetCurrent(context C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error { return t.CtxSet(uint64(context)) })
}

// cuCtxGetCurrent returns the current context.
//
//cuda:support full
//export ls_cuCtxGetCurrent
func ls_cuCtxGetCurrent(context *C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error { return putInt(context, t.CtxGet(), nil) })
}

// cuCtxGetDevice returns the device of the current context.
//
//cuda:support full
//export ls_cuCtxGetDevice
func ls_cuCtxGetDevice(device *C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.CtxGetDevice(0)
		return putInt(device, v, err)
	})
}

// cuCtxGetDevice_v2 returns the device of a context.
//
//cuda:support full
//export ls_cuCtxGetDevice_v2
func ls_cuCtxGetDevice_v2(device *C.int, context C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.CtxGetDevice(uint64(context))
		return putInt(device, v, err)
	})
}

// cuCtxGetFlags returns the flags of the current context.
//
//cuda:support full
//export ls_cuCtxGetFlags
func ls_cuCtxGetFlags(flags *C.uint) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.CtxGetFlags()
		return putInt(flags, v, err)
	})
}

// cuCtxSetFlags sets the flags of the current context.
//
//cuda:support full
//export ls_cuCtxSetFlags
func ls_cuCtxSetFlags(flags C.uint) C.CUresult {
	return call(func(t *rt.Thread) error { return t.CtxSetFlags(uint32(flags)) })
}

// cuCtxGetId returns a number that no other context has.
//
//cuda:support full
//export ls_cuCtxGetId
func ls_cuCtxGetId(context C.CUhandle, id *C.ulonglong) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.CtxGetID(uint64(context))
		return putInt(id, v, err)
	})
}

// cuCtxGetApiVersion returns the version of the interface of contexts.
//
//cuda:support full
//export ls_cuCtxGetApiVersion
func ls_cuCtxGetApiVersion(context C.CUhandle, version *C.uint) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.CtxGetAPIVersion(uint64(context))
		return putInt(version, v, err)
	})
}

// cuCtxSynchronize waits for the current context.
//
//cuda:support full
//export ls_cuCtxSynchronize
func ls_cuCtxSynchronize() C.CUresult {
	return call(func(t *rt.Thread) error { return t.CtxSynchronize(0) })
}

// cuCtxSynchronize_v2 waits for a context.
//
//cuda:support full
//export ls_cuCtxSynchronize_v2
func ls_cuCtxSynchronize_v2(context C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error { return t.CtxSynchronize(uint64(context)) })
}

// cuCtxSetLimit sets a limit of the current context.
//
//cuda:support full
//export ls_cuCtxSetLimit
func ls_cuCtxSetLimit(limit C.int, value C.size_t) C.CUresult {
	return call(func(t *rt.Thread) error { return t.DeviceSetLimit(int(limit), uint64(value)) })
}

// cuCtxGetLimit returns a limit of the current context.
//
//cuda:support full
//export ls_cuCtxGetLimit
func ls_cuCtxGetLimit(value *C.size_t, limit C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.DeviceGetLimit(int(limit))
		return putInt(value, v, err)
	})
}

// cuCtxGetCacheConfig returns the preference between L1 and shared memory.
//
//cuda:support full
//export ls_cuCtxGetCacheConfig
func ls_cuCtxGetCacheConfig(config *C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.DeviceGetCacheConfig()
		return putInt(config, v, err)
	})
}

// cuCtxSetCacheConfig sets the preference between L1 and shared memory.
//
//cuda:support full
//export ls_cuCtxSetCacheConfig
func ls_cuCtxSetCacheConfig(config C.int) C.CUresult {
	return call(func(t *rt.Thread) error { return t.DeviceSetCacheConfig(int(config)) })
}

// cuCtxGetSharedMemConfig returns the width of shared memory banks.
//
//cuda:support full
//export ls_cuCtxGetSharedMemConfig
func ls_cuCtxGetSharedMemConfig(config *C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.SharedMemConfig()
		return putInt(config, v, err)
	})
}

// cuCtxSetSharedMemConfig asks for a width of shared memory banks.
//
//cuda:support full
//export ls_cuCtxSetSharedMemConfig
func ls_cuCtxSetSharedMemConfig(config C.int) C.CUresult {
	return call(func(t *rt.Thread) error { return t.DeviceSetSharedMemConfig(int(config)) })
}

// cuCtxGetStreamPriorityRange returns the range of priorities.
//
//cuda:support full
//export ls_cuCtxGetStreamPriorityRange
func ls_cuCtxGetStreamPriorityRange(least, greatest *C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		lo, hi, err := t.DeviceGetStreamPriorityRange()
		if err == nil && least != nil {
			*least = C.int(lo)
		}
		if err == nil && greatest != nil {
			*greatest = C.int(hi)
		}
		return err
	})
}

// cuCtxResetPersistingL2Cache makes all lines of the L2 normal ones.
//
//cuda:support full
//export ls_cuCtxResetPersistingL2Cache
func ls_cuCtxResetPersistingL2Cache() C.CUresult {
	return call(func(t *rt.Thread) error {
		_, err := t.DeviceGetCacheConfig()
		return err
	})
}

// cuCtxGetExecAffinity returns the part of the multiprocessors that the context has.
//
//cuda:support full
//export ls_cuCtxGetExecAffinity
func ls_cuCtxGetExecAffinity(affinity *C.CUexecAffinityParam, kind C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		n, err := t.Multiprocessors()
		if err == nil && kind != 0 {
			err = rt.ErrUnsupportedExecAffinity
		}
		return put(affinity, C.CUexecAffinityParam{smCount: C.uint(n)}, err)
	})
}

// cuCtxEnablePeerAccess lets the current context access memory of another.
//
//cuda:support full
//export ls_cuCtxEnablePeerAccess
func ls_cuCtxEnablePeerAccess(peer C.CUhandle, flags C.uint) C.CUresult {
	return call(func(t *rt.Thread) error { return t.CtxPeer(uint64(peer), uint32(flags), true) })
}

// cuCtxDisablePeerAccess ends that.
//
//cuda:support full
//export ls_cuCtxDisablePeerAccess
func ls_cuCtxDisablePeerAccess(peer C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error { return t.CtxPeer(uint64(peer), 0, false) })
}
