package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// cuInit begins the use of the driver.
//
//cuda:support full
//export ls_cuInit
func ls_cuInit(flags C.uint) C.CUresult {
	return outside(func(t *rt.Thread, _ bool) error { return t.Initialize(uint32(flags)) })
}

// cuDriverGetVersion returns the CUDA release of the driver.
//
//cuda:support full
//export ls_cuDriverGetVersion
func ls_cuDriverGetVersion(version *C.int) C.CUresult {
	return outside(func(*rt.Thread, bool) error { return putInt(version, rt.DriverVersion, nil) })
}

// cuGetExportTable finds a private table of the driver. There is none.
//
//cuda:support partial "finds nothing: the tables are not documented"
//export ls_cuGetExportTable
func ls_cuGetExportTable(table *C.uint64_t, id unsafe.Pointer) C.CUresult {
	return outside(func(t *rt.Thread, _ bool) error {
		if table == nil || id == nil {
			return rt.ErrInvalidValue
		}
		if C.ls_redirecting() == 0 {
			t.SayPrivateTable()
		}
		*table = 0
		return rt.ErrInvalidValue
	})
}

// cuDeviceGet returns a device.
//
//cuda:support full
//export ls_cuDeviceGet
func ls_cuDeviceGet(device *C.int, ordinal C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.DeviceGet(int(ordinal))
		return putInt(device, v, err)
	})
}

// cuDeviceGetCount returns the number of devices.
//
//cuda:support full
//export ls_cuDeviceGetCount
func ls_cuDeviceGetCount(count *C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.GetDeviceCount()
		return putInt(count, v, err)
	})
}

// cuDeviceGetName returns the name of a device, cut to the length.
//
//cuda:support full
//export ls_cuDeviceGetName
func ls_cuDeviceGetName(name *C.char, size, device C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		text, err := t.DeviceGetName(int(device))
		return putText(name, int(size), text, err)
	})
}

// cuDeviceTotalMem_v2 returns the memory of a device in bytes.
//
//cuda:support full
//export ls_cuDeviceTotalMem_v2
func ls_cuDeviceTotalMem_v2(bytes *C.size_t, device C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.DeviceTotalMemory(int(device))
		return putInt(bytes, v, err)
	})
}

// cuDeviceGetAttribute returns an attribute of a device.
//
//cuda:support full
//export ls_cuDeviceGetAttribute
func ls_cuDeviceGetAttribute(value *C.int, attribute, device C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.DeviceGetAttribute(int(attribute), int(device))
		return putInt(value, v, err)
	})
}

// cuDeviceGetUuid returns what tells a device from all others.
//
//cuda:support full
//export ls_cuDeviceGetUuid
func ls_cuDeviceGetUuid(uuid *C.cudaUUID_t, device C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		p, err := t.DeviceUUID(int(device))
		return put((*[16]byte)(unsafe.Pointer(uuid)), p, err)
	})
}

// cuDeviceGetUuid_v2 is the same on devices that are not parts of others.
//
//cuda:support full
//export ls_cuDeviceGetUuid_v2
func ls_cuDeviceGetUuid_v2(uuid *C.cudaUUID_t, device C.int) C.CUresult {
	return ls_cuDeviceGetUuid(uuid, device)
}

// cuDeviceGetLuid returns a number that only Windows gives.
//
//cuda:support without "there is none outside Windows"
//export ls_cuDeviceGetLuid
func ls_cuDeviceGetLuid(luid *C.char, mask *C.uint, device C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		if _, err := t.DeviceGet(int(device)); err != nil {
			return err
		}
		return rt.ErrNotSupported
	})
}

// cuDeviceGetPCIBusId returns the place of a device on its bus.
//
//cuda:support full
//export ls_cuDeviceGetPCIBusId
func ls_cuDeviceGetPCIBusId(id *C.char, size, device C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		text, err := t.DeviceGetPCIBusID(int(device))
		if err == nil && int(size) <= len(text) {
			return rt.ErrInvalidValue
		}
		return putText(id, int(size), text, err)
	})
}

// cuDeviceGetByPCIBusId returns the device at a place on the bus.
//
//cuda:support full
//export ls_cuDeviceGetByPCIBusId
func ls_cuDeviceGetByPCIBusId(device *C.int, id C.ls_string) C.CUresult {
	return call(func(t *rt.Thread) error {
		if id == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.DeviceGetByPCIBusID(C.GoString(id))
		return putInt(device, v, err)
	})
}

// cuDeviceComputeCapability returns the compute capability of a device.
//
//cuda:support full
//export ls_cuDeviceComputeCapability
func ls_cuDeviceComputeCapability(major, minor *C.int, device C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		const attrMajor, attrMinor = 75, 76
		hi, err := t.DeviceGetAttribute(attrMajor, int(device))
		if err = putInt(major, hi, err); err != nil {
			return err
		}
		lo, err := t.DeviceGetAttribute(attrMinor, int(device))
		return putInt(minor, lo, err)
	})
}

// cuDeviceGetProperties returns what CUDA 1 said of a device.
//
//cuda:support full
//export ls_cuDeviceGetProperties
func ls_cuDeviceGetProperties(properties *C.CUdevprop, device C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		p, err := t.GetDeviceProperties(int(device))
		if err != nil {
			return err
		}
		v := C.CUdevprop{
			maxThreadsPerBlock: C.int(p.MaxThreadsPerBlock), sharedMemPerBlock: C.int(p.SharedMemPerBlock),
			totalConstantMemory: C.int(p.TotalConstMem), SIMDWidth: C.int(p.WarpSize), memPitch: C.int(p.MemPitch),
			regsPerBlock: C.int(p.RegsPerBlock), clockRate: C.int(p.ClockRate), textureAlign: C.int(p.TextureAlignment),
		}
		for i := range 3 {
			v.maxThreadsDim[i], v.maxGridSize[i] = C.int(p.MaxThreadsDim[i]), C.int(p.MaxGridSize[i])
		}
		return put(properties, v, nil)
	})
}

// cuDeviceCanAccessPeer reports whether a device can access memory of another.
//
//cuda:support full
//export ls_cuDeviceCanAccessPeer
func ls_cuDeviceCanAccessPeer(can *C.int, device, peer C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.DeviceCanAccessPeer(int(device), int(peer))
		return putInt(can, flag(v), err)
	})
}

// cuDeviceGetP2PAttribute describes the way from one device to another.
//
//cuda:support full
//export ls_cuDeviceGetP2PAttribute
func ls_cuDeviceGetP2PAttribute(value *C.int, attribute, src, dst C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.DeviceGetP2PAttribute(int(attribute), int(src), int(dst))
		return putInt(value, v, err)
	})
}

// cuDeviceGetExecAffinitySupport reports whether a context can have a part of the multiprocessors.
//
//cuda:support full
//export ls_cuDeviceGetExecAffinitySupport
func ls_cuDeviceGetExecAffinitySupport(supported *C.int, kind, device C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		if _, err := t.DeviceGet(int(device)); err != nil {
			return err
		}
		return put(supported, 0, nil)
	})
}

// cuDeviceGetTexture1DLinearMaxWidth returns the longest linear texture in elements.
//
//cuda:support full
//export ls_cuDeviceGetTexture1DLinearMaxWidth
func ls_cuDeviceGetTexture1DLinearMaxWidth(width *C.size_t, format C.int, channels C.uint, device C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.LinearTextureWidth(int32(format), int(channels), int(device))
		return putInt(width, v, err)
	})
}

// cuDeviceGetDefaultMemPool returns the pool that a device began with.
//
//cuda:support full
//export ls_cuDeviceGetDefaultMemPool
func ls_cuDeviceGetDefaultMemPool(pool *C.CUhandle, device C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.DeviceGetDefaultMemPool(int(device))
		return putInt(pool, v, err)
	})
}

// cuDeviceGetMemPool returns the pool that a device allocates from.
//
//cuda:support full
//export ls_cuDeviceGetMemPool
func ls_cuDeviceGetMemPool(pool *C.CUhandle, device C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.DeviceGetMemPool(int(device))
		return putInt(pool, v, err)
	})
}

// cuDeviceSetMemPool sets the pool that a device allocates from.
//
//cuda:support full
//export ls_cuDeviceSetMemPool
func ls_cuDeviceSetMemPool(device C.int, pool C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error { return t.DeviceSetMemPool(int(device), uint64(pool)) })
}

// cuDevicePrimaryCtxRetain returns the context that the runtime uses.
//
//cuda:support full
//export ls_cuDevicePrimaryCtxRetain
func ls_cuDevicePrimaryCtxRetain(context *C.CUhandle, device C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		if context == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.PrimaryRetain(int(device))
		return putInt(context, v, err)
	})
}

// cuDevicePrimaryCtxRelease_v2 ends a use of the primary context.
//
//cuda:support full
//export ls_cuDevicePrimaryCtxRelease_v2
func ls_cuDevicePrimaryCtxRelease_v2(device C.int) C.CUresult {
	return call(func(t *rt.Thread) error { return t.PrimaryRelease(int(device)) })
}

// cuDevicePrimaryCtxRelease is cuDevicePrimaryCtxRelease_v2.
//
//cuda:support full
//export ls_cuDevicePrimaryCtxRelease
func ls_cuDevicePrimaryCtxRelease(device C.int) C.CUresult {
	return ls_cuDevicePrimaryCtxRelease_v2(device)
}

// cuDevicePrimaryCtxReset_v2 takes everything away that belongs to the primary context.
//
//cuda:support full
//export ls_cuDevicePrimaryCtxReset_v2
func ls_cuDevicePrimaryCtxReset_v2(device C.int) C.CUresult {
	return call(func(t *rt.Thread) error { return t.PrimaryReset(int(device)) })
}

// cuDevicePrimaryCtxReset is cuDevicePrimaryCtxReset_v2.
//
//cuda:support full
//export ls_cuDevicePrimaryCtxReset
func ls_cuDevicePrimaryCtxReset(device C.int) C.CUresult {
	return ls_cuDevicePrimaryCtxReset_v2(device)
}

// cuDevicePrimaryCtxSetFlags_v2 sets the flags of the primary context.
//
//cuda:support full
//export ls_cuDevicePrimaryCtxSetFlags_v2
func ls_cuDevicePrimaryCtxSetFlags_v2(device C.int, flags C.uint) C.CUresult {
	return call(func(t *rt.Thread) error { return t.PrimarySetFlags(int(device), uint32(flags)) })
}

// cuDevicePrimaryCtxSetFlags is cuDevicePrimaryCtxSetFlags_v2.
//
//cuda:support full
//export ls_cuDevicePrimaryCtxSetFlags
func ls_cuDevicePrimaryCtxSetFlags(device C.int, flags C.uint) C.CUresult {
	return ls_cuDevicePrimaryCtxSetFlags_v2(device, flags)
}

// cuDevicePrimaryCtxGetState tells the flags of the primary context, and whether it is in use.
//
//cuda:support full
//export ls_cuDevicePrimaryCtxGetState
func ls_cuDevicePrimaryCtxGetState(device C.int, flags *C.uint, active *C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		f, on, err := t.PrimaryState(int(device))
		if err = putInt(flags, f, err); err != nil {
			return err
		}
		return putInt(active, flag(on), nil)
	})
}
