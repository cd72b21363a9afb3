package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// Temperature, power and fans, which a model has not.

// nvmlDeviceGetTemperatureV returns a temperature.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetTemperatureV
func ls_nvmlDeviceGetTemperatureV(device C.CUhandle, to unsafe.Pointer) C.CUresult {
	return unmodelled(device, (*byte)(to))
}

// nvmlDeviceGetMarginTemperature returns how far the temperature is from throttling.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetMarginTemperature
func ls_nvmlDeviceGetMarginTemperature(device C.CUhandle, to unsafe.Pointer) C.CUresult {
	return unmodelled(device, (*byte)(to))
}

// nvmlDeviceGetPowerManagementMode tells whether the power is limited.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetPowerManagementMode
func ls_nvmlDeviceGetPowerManagementMode(device C.CUhandle, mode *C.uint) C.CUresult {
	return unmodelled(device, mode)
}

// nvmlDeviceGetPowerManagementDefaultLimit returns a limit of the power.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetPowerManagementDefaultLimit
func ls_nvmlDeviceGetPowerManagementDefaultLimit(device C.CUhandle, limit *C.uint) C.CUresult {
	return unmodelled(device, limit)
}

// nvmlDeviceGetPowerManagementLimitConstraints returns the limits between which that of the power may be.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetPowerManagementLimitConstraints
func ls_nvmlDeviceGetPowerManagementLimitConstraints(device C.CUhandle, least, most *C.uint) C.CUresult {
	return unmodelled(device, least)
}

// nvmlDeviceGetViolationStatus tells for how long limits held the clocks down.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetViolationStatus
func ls_nvmlDeviceGetViolationStatus(device C.CUhandle, policy C.int, to unsafe.Pointer) C.CUresult {
	return unmodelled(device, (*byte)(to))
}

// nvmlDeviceGetPowerSource returns where the power comes from: the mains.
//
//cuda:support full
//export ls_nvmlDeviceGetPowerSource
func ls_nvmlDeviceGetPowerSource(device C.CUhandle, to *C.uint) C.CUresult {
	return always(device, to, 0)
}

// nvmlDeviceGetNumFans returns the number of fans: none.
//
//cuda:support full
//export ls_nvmlDeviceGetNumFans
func ls_nvmlDeviceGetNumFans(device C.CUhandle, to *C.uint) C.CUresult {
	return always(device, to, 0)
}

// nvmlDeviceGetPowerState is nvmlDeviceGetPerformanceState.
//
//cuda:support full
//export ls_nvmlDeviceGetPowerState
func ls_nvmlDeviceGetPowerState(device C.CUhandle, to *C.uint) C.CUresult {
	return always(device, to, 0)
}

// nvmlDeviceGetFanSpeed_v2 returns the speed of a fan, of which there is none.
//
//cuda:support full
//export ls_nvmlDeviceGetFanSpeed_v2
func ls_nvmlDeviceGetFanSpeed_v2(device C.CUhandle, fan C.uint, speed *C.uint) C.CUresult {
	return refused(device, rt.NVMLInvalidArgument)
}

// nvmlDeviceGetMinMaxFanSpeed returns the speeds that fans may have, of which there is none.
//
//cuda:support full
//export ls_nvmlDeviceGetMinMaxFanSpeed
func ls_nvmlDeviceGetMinMaxFanSpeed(device C.CUhandle, least, most *C.uint) C.CUresult {
	return refused(device, rt.NVMLInvalidArgument)
}
