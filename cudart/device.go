package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/layout"
	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// cudaGetDeviceCount returns the number of devices.
//
//cuda:support full
//export ls_cudaGetDeviceCount
func ls_cudaGetDeviceCount(count *C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		n, err := t.GetDeviceCount()
		return putInt(count, n, err)
	})
}

// cudaGetDevice returns the calling thread's device.
//
//cuda:support full
//export ls_cudaGetDevice
func ls_cudaGetDevice(device *C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		n, err := t.GetDevice()
		return putInt(device, n, err)
	})
}

// cudaSetDevice makes a device the calling thread's.
//
//cuda:support full
//export ls_cudaSetDevice
func ls_cudaSetDevice(device C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.SetDevice(int(device)) })
}

// cudaInitDevice makes a device's context.
//
//cuda:support full
//export ls_cudaInitDevice
func ls_cudaInitDevice(device C.int, deviceFlags, flags C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.InitDevice(int(device), uint32(deviceFlags), flags&1 != 0) })
}

// cudaGetDeviceProperties describes a device, in the layout of the program's
// CUDA major. In majors 11 and 12 that is the shorter, older one.
//
//cuda:support full
//export ls_cudaGetDeviceProperties
func ls_cudaGetDeviceProperties(properties unsafe.Pointer, device C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		p, err := t.GetDeviceProperties(int(device))
		v := major()
		if v == layout.V12 {
			v = layout.V11
		}
		return putStructure(properties, p, v, err)
	})
}

// cudaGetDeviceProperties_v2 describes a device in the layout of CUDA 12.
//
//cuda:support full
//export ls_cudaGetDeviceProperties_v2
func ls_cudaGetDeviceProperties_v2(properties unsafe.Pointer, device C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		p, err := t.GetDeviceProperties(int(device))
		return putStructure(properties, p, layout.V12, err)
	})
}

// cudaDeviceGetAttribute returns one property of a device.
//
//cuda:support full
//export ls_cudaDeviceGetAttribute
func ls_cudaDeviceGetAttribute(value *C.int, attribute, device C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		v, err := t.DeviceGetAttribute(int(attribute), int(device))
		return putInt(value, v, err)
	})
}

// cudaChooseDevice returns the device that suits a description best.
//
//cuda:support full
//export ls_cudaChooseDevice
func ls_cudaChooseDevice(device *C.int, properties unsafe.Pointer) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if properties == nil {
			return rt.ErrInvalidValue
		}
		n, err := t.ChooseDevice()
		return putInt(device, n, err)
	})
}

// cudaSetValidDevices lists the devices to try in turn.
//
//cuda:support full
//export ls_cudaSetValidDevices
func ls_cudaSetValidDevices(devices *C.int, n C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if devices == nil && n != 0 || n < 0 {
			return rt.ErrInvalidValue
		}
		return t.SetValidDevices(unsafe.Slice((*int32)(devices), n))
	})
}

// cudaSetDeviceFlags sets how the host waits, and more.
//
//cuda:support full "how a thread waits is left to the host"
//export ls_cudaSetDeviceFlags
func ls_cudaSetDeviceFlags(flags C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.SetDeviceFlags(uint32(flags)) })
}

// cudaGetDeviceFlags returns the flags of the calling thread's device.
//
//cuda:support full
//export ls_cudaGetDeviceFlags
func ls_cudaGetDeviceFlags(flags *C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		f, err := t.GetDeviceFlags()
		return putInt(flags, f, err)
	})
}

// cudaDeviceSynchronize waits for all work of the device.
//
//cuda:support full
//export ls_cudaDeviceSynchronize
func ls_cudaDeviceSynchronize() C.cudaError_t { return call((*rt.Thread).DeviceSynchronize) }

// cudaThreadSynchronize is the older name of cudaDeviceSynchronize.
//
//cuda:support full
//export ls_cudaThreadSynchronize
func ls_cudaThreadSynchronize() C.cudaError_t { return call((*rt.Thread).DeviceSynchronize) }

// cudaDeviceReset finishes the device's work and gives up all that belongs to it.
//
//cuda:support full
//export ls_cudaDeviceReset
func ls_cudaDeviceReset() C.cudaError_t { return call((*rt.Thread).DeviceReset) }

// cudaThreadExit is the older name of cudaDeviceReset.
//
//cuda:support full
//export ls_cudaThreadExit
func ls_cudaThreadExit() C.cudaError_t { return call((*rt.Thread).DeviceReset) }

// cudaDeviceGetLimit returns a limit of the device.
//
//cuda:support full
//export ls_cudaDeviceGetLimit
func ls_cudaDeviceGetLimit(value *C.size_t, limit C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		v, err := t.DeviceGetLimit(int(limit))
		return putInt(value, v, err)
	})
}

// cudaThreadGetLimit is the older name of cudaDeviceGetLimit.
//
//cuda:support full
//export ls_cudaThreadGetLimit
func ls_cudaThreadGetLimit(value *C.size_t, limit C.int) C.cudaError_t {
	return ls_cudaDeviceGetLimit(value, limit)
}

// cudaDeviceSetLimit sets a limit of the device.
//
//cuda:support full
//export ls_cudaDeviceSetLimit
func ls_cudaDeviceSetLimit(limit C.int, value C.size_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.DeviceSetLimit(int(limit), uint64(value)) })
}

// cudaThreadSetLimit is the older name of cudaDeviceSetLimit.
//
//cuda:support full
//export ls_cudaThreadSetLimit
func ls_cudaThreadSetLimit(limit C.int, value C.size_t) C.cudaError_t {
	return ls_cudaDeviceSetLimit(limit, value)
}

// cudaDeviceGetCacheConfig returns the device's preference between L1 and shared
// memory.
//
//cuda:support full
//export ls_cudaDeviceGetCacheConfig
func ls_cudaDeviceGetCacheConfig(config *C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		v, err := t.DeviceGetCacheConfig()
		return putInt(config, v, err)
	})
}

// cudaThreadGetCacheConfig is the older name of cudaDeviceGetCacheConfig.
//
//cuda:support full
//export ls_cudaThreadGetCacheConfig
func ls_cudaThreadGetCacheConfig(config *C.int) C.cudaError_t {
	return ls_cudaDeviceGetCacheConfig(config)
}

// cudaDeviceSetCacheConfig states a preference between L1 and shared memory.
//
//cuda:support full
//export ls_cudaDeviceSetCacheConfig
func ls_cudaDeviceSetCacheConfig(config C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.DeviceSetCacheConfig(int(config)) })
}

// cudaThreadSetCacheConfig is the older name of cudaDeviceSetCacheConfig.
//
//cuda:support full
//export ls_cudaThreadSetCacheConfig
func ls_cudaThreadSetCacheConfig(config C.int) C.cudaError_t {
	return ls_cudaDeviceSetCacheConfig(config)
}

// cudaDeviceGetSharedMemConfig returns the width of shared memory banks: four
// bytes on all devices from sm_50 on.
//
//cuda:support full
//export ls_cudaDeviceGetSharedMemConfig
func ls_cudaDeviceGetSharedMemConfig(config *C.int) C.cudaError_t {
	const fourBytes = 1
	return call(func(t *rt.Thread) error {
		_, err := t.GetDevice()
		return putInt(config, fourBytes, err)
	})
}

// cudaDeviceSetSharedMemConfig asks for a width of shared memory banks.
//
//cuda:support full
//export ls_cudaDeviceSetSharedMemConfig
func ls_cudaDeviceSetSharedMemConfig(config C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.DeviceSetSharedMemConfig(int(config)) })
}

// cudaDeviceGetPCIBusId returns a device's place as text.
//
//cuda:support full
//export ls_cudaDeviceGetPCIBusId
func ls_cudaDeviceGetPCIBusId(id *C.char, size, device C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		text, err := t.DeviceGetPCIBusID(int(device))
		if err != nil {
			return err
		}
		if id == nil || size <= 0 {
			return rt.ErrInvalidValue
		}
		layout.SetString(unsafe.Slice((*byte)(unsafe.Pointer(id)), size), text)
		if int(size) <= len(text) {
			return rt.ErrInvalidValue
		}
		return nil
	})
}

// cudaDeviceGetByPCIBusId finds a device by its place.
//
//cuda:support full
//export ls_cudaDeviceGetByPCIBusId
func ls_cudaDeviceGetByPCIBusId(device *C.int, id C.ls_string) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if id == nil {
			return rt.ErrInvalidValue
		}
		n, err := t.DeviceGetByPCIBusID(C.GoString(id))
		return putInt(device, n, err)
	})
}

// cudaDeviceGetStreamPriorityRange returns the range of stream priorities.
//
//cuda:support full
//export ls_cudaDeviceGetStreamPriorityRange
func ls_cudaDeviceGetStreamPriorityRange(least, greatest *C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		l, g, err := t.DeviceGetStreamPriorityRange()
		if err == nil && least != nil {
			*least = C.int(l)
		}
		if err == nil && greatest != nil {
			*greatest = C.int(g)
		}
		return err
	})
}

// cudaDeviceGetTexture1DLinearMaxWidth returns how many elements a texture over
// linear memory may have.
//
//cuda:support full
//export ls_cudaDeviceGetTexture1DLinearMaxWidth
func ls_cudaDeviceGetTexture1DLinearMaxWidth(width *C.size_t, desc *C.cudaChannelFormatDesc, device C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if desc == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.LinearWidth(channel(desc), int(device))
		return putInt(width, v, err)
	})
}

// cudaCtxResetPersistingL2Cache makes persisting cache lines normal again.
//
//cuda:support full
//export ls_cudaCtxResetPersistingL2Cache
func ls_cudaCtxResetPersistingL2Cache() C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if t.CheckNoContext() == nil { // unlike others this call makes none (measured)
			return rt.ErrInvalidContext
		}
		return t.Touch()
	})
}

// cudaRuntimeGetVersion returns the version of the runtime that the program was
// built for.
//
//cuda:support full
//export ls_cudaRuntimeGetVersion
func ls_cudaRuntimeGetVersion(version *C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error { return putInt(version, t.Runtime().Version(), nil) })
}

// cudaDriverGetVersion returns the version of CUDA that the driver supports.
//
//cuda:support full
//export ls_cudaDriverGetVersion
func ls_cudaDriverGetVersion(version *C.int) C.cudaError_t {
	return call(func(*rt.Thread) error { return putInt(version, rt.DriverVersion, nil) })
}

// cudaDeviceCanAccessPeer tells whether a device can use the memory of another.
//
//cuda:support full
//export ls_cudaDeviceCanAccessPeer
func ls_cudaDeviceCanAccessPeer(can *C.int, device, peer C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		ok, err := t.DeviceCanAccessPeer(int(device), int(peer))
		return putInt(can, flag(ok), err)
	})
}

// cudaDeviceEnablePeerAccess lets the calling thread's device use another's memory.
//
//cuda:support full
//export ls_cudaDeviceEnablePeerAccess
func ls_cudaDeviceEnablePeerAccess(peer C.int, flags C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.DeviceEnablePeerAccess(int(peer), uint32(flags)) })
}

// cudaDeviceDisablePeerAccess ends what cudaDeviceEnablePeerAccess allowed.
//
//cuda:support full
//export ls_cudaDeviceDisablePeerAccess
func ls_cudaDeviceDisablePeerAccess(peer C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.DeviceDisablePeerAccess(int(peer)) })
}

// cudaDeviceGetP2PAttribute returns a property of the link between two devices.
//
//cuda:support full
//export ls_cudaDeviceGetP2PAttribute
func ls_cudaDeviceGetP2PAttribute(value *C.int, attribute, src, dst C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if value == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.DeviceGetP2PAttribute(int(attribute), int(src), int(dst))
		return putInt(value, v, err)
	})
}

// cudaSetDoubleForDevice converts doubles for devices that have none; there are
// no such devices any more.
//
//cuda:support full
//export ls_cudaSetDoubleForDevice
func ls_cudaSetDoubleForDevice(*C.double) C.cudaError_t {
	return call(func(*rt.Thread) error { return nil })
}

// cudaSetDoubleForHost is the way back of cudaSetDoubleForDevice.
//
//cuda:support full
//export ls_cudaSetDoubleForHost
func ls_cudaSetDoubleForHost(*C.double) C.cudaError_t {
	return call(func(*rt.Thread) error { return nil })
}

// cudaProfilerInitialize configures an external profiler.
//
//cuda:support full
//export ls_cudaProfilerInitialize
func ls_cudaProfilerInitialize(config, output C.ls_string, mode C.int) C.cudaError_t {
	return call(func(*rt.Thread) error { return nil })
}

// cudaProfilerStart starts an external profiler.
//
//cuda:support full
//export ls_cudaProfilerStart
func ls_cudaProfilerStart() C.cudaError_t {
	return call((*rt.Thread).Touch)
}

// cudaProfilerStop stops an external profiler.
//
//cuda:support full
//export ls_cudaProfilerStop
func ls_cudaProfilerStop() C.cudaError_t {
	return call(func(t *rt.Thread) error { _, err := t.GetDevice(); return err })
}

// cudaGetExportTable finds a private table of the runtime. There is none.
//
//cuda:support full
//export ls_cudaGetExportTable
func ls_cudaGetExportTable(table *C.uint64_t, id unsafe.Pointer) C.cudaError_t {
	return call(func(*rt.Thread) error {
		return &rt.Failure{Code: rt.ErrInvalidValue, Reason: "no table of the runtime is known by that number"}
	})
}
