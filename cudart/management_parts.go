package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// Parts of a device that stand for one, and parts of a machine that are none.

// nvmlDeviceGetAttributes_v2 describes a part of a divided device.
//
//cuda:support full
//export ls_nvmlDeviceGetAttributes_v2
func ls_nvmlDeviceGetAttributes_v2(device C.CUhandle, to unsafe.Pointer) C.CUresult {
	return lacking(device)
}

// nvmlDeviceGetHostVgpuMode tells how a host of virtual devices shares it.
//
//cuda:support full
//export ls_nvmlDeviceGetHostVgpuMode
func ls_nvmlDeviceGetHostVgpuMode(device C.CUhandle, mode *C.uint) C.CUresult {
	return lacking(device)
}

// nvmlDeviceGetSupportedVgpus lists kinds of virtual devices.
//
//cuda:support full
//export ls_nvmlDeviceGetSupportedVgpus
func ls_nvmlDeviceGetSupportedVgpus(device C.CUhandle, count *C.uint, list unsafe.Pointer) C.CUresult {
	return lacking(device)
}

// nvmlDeviceGetActiveVgpus lists virtual devices.
//
//cuda:support full
//export ls_nvmlDeviceGetActiveVgpus
func ls_nvmlDeviceGetActiveVgpus(device C.CUhandle, count *C.uint, list unsafe.Pointer) C.CUresult {
	return lacking(device)
}

// nvmlDeviceGetVirtualizationMode tells whether the device is virtual, which the simulated one is not.
//
//cuda:support full
//export ls_nvmlDeviceGetVirtualizationMode
func ls_nvmlDeviceGetVirtualizationMode(device C.CUhandle, to *C.uint) C.CUresult {
	return always(device, to, 0)
}

// nvmlDeviceGetGpuInstanceId numbers a part of a divided device, which none is.
//
//cuda:support full
//export ls_nvmlDeviceGetGpuInstanceId
func ls_nvmlDeviceGetGpuInstanceId(device C.CUhandle, id *C.uint) C.CUresult {
	return refused(device, rt.NVMLInvalidArgument)
}

// nvmlDeviceGetComputeInstanceId numbers a part of a divided device, which none is.
//
//cuda:support full
//export ls_nvmlDeviceGetComputeInstanceId
func ls_nvmlDeviceGetComputeInstanceId(device C.CUhandle, id *C.uint) C.CUresult {
	return refused(device, rt.NVMLInvalidArgument)
}

// nvmlDeviceGetMigDeviceHandleByIndex finds a part of a divided device, which none is.
//
//cuda:support full
//export ls_nvmlDeviceGetMigDeviceHandleByIndex
func ls_nvmlDeviceGetMigDeviceHandleByIndex(device C.CUhandle, index C.uint, part *C.CUhandle) C.CUresult {
	return refused(device, rt.NVMLNotFound)
}

// nvmlDeviceGetDeviceHandleFromMigDeviceHandle finds the device of a part, which none is.
//
//cuda:support full
//export ls_nvmlDeviceGetDeviceHandleFromMigDeviceHandle
func ls_nvmlDeviceGetDeviceHandleFromMigDeviceHandle(part C.CUhandle, device *C.CUhandle) C.CUresult {
	return refused(part, rt.NVMLInvalidArgument)
}

// nvmlUnitGetCount returns the number of units that hold devices: none.
//
//cuda:support full
//export ls_nvmlUnitGetCount
func ls_nvmlUnitGetCount(count *C.uint) C.CUresult {
	return none(count)
}

// nvmlUnitGetHandleByIndex finds a unit, of which there is none.
//
//cuda:support full
//export ls_nvmlUnitGetHandleByIndex
func ls_nvmlUnitGetHandleByIndex(index C.uint, unit *C.CUhandle) C.CUresult {
	return unknown()
}

// nvmlGetExcludedDeviceCount returns the number of devices that the driver leaves out: none.
//
//cuda:support full
//export ls_nvmlGetExcludedDeviceCount
func ls_nvmlGetExcludedDeviceCount(count *C.uint) C.CUresult {
	return none(count)
}

// nvmlGetExcludedDeviceInfoByIndex describes a device that the driver leaves out, of which there is none.
//
//cuda:support full
//export ls_nvmlGetExcludedDeviceInfoByIndex
func ls_nvmlGetExcludedDeviceInfoByIndex(index C.uint, to unsafe.Pointer) C.CUresult {
	return unknown()
}

// nvmlSystemGetHicVersion lists host interface cards: none.
//
//cuda:support full
//export ls_nvmlSystemGetHicVersion
func ls_nvmlSystemGetHicVersion(count *C.uint, list unsafe.Pointer) C.CUresult {
	return none(count)
}
