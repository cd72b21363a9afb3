package main

// #include "lockstep.h"
import "C"

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// manage runs the body of a function of the management library.
func manage(f func(t *rt.Thread) error) C.CUresult {
	c := C.ls_enter()
	_, err := run(&c, func(t *rt.Thread, _ bool) error {
		if !t.Runtime().Managed() {
			return rt.NVMLUninitialized
		}
		return f(t)
	})
	return managed(err)
}

// managed is the management library's code for an error.
func managed(err error) C.CUresult {
	var code rt.NVML
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return C.CUresult(code)
	case rt.CodeOf(err) == rt.ErrInvalidValue:
		return C.CUresult(rt.NVMLInvalidArgument)
	}
	return C.CUresult(rt.NVMLUnknown)
}

// board is manage for functions of a device.
func board(device C.CUhandle, f func(b rt.Board) error) C.CUresult {
	return manage(func(t *rt.Thread) error {
		b, err := t.Runtime().Board(uint64(device))
		if err != nil {
			return err
		}
		return f(b)
	})
}

// refused is the answer of a call that no device takes.
func refused(device C.CUhandle, code rt.NVML) C.CUresult {
	return board(device, func(rt.Board) error { return code })
}

// always stores a number that is the same for all devices.
func always[T ~int32 | ~uint32 | ~uint64](device C.CUhandle, to *T, n int) C.CUresult {
	return board(device, func(rt.Board) error { return putInt(to, n, nil) })
}

// putLine stores a text that has to fit.
func putLine(to *C.char, size C.uint, text string) error {
	if to != nil && int(size) <= len(text) {
		return rt.NVMLInsufficientSize
	}
	return putText(to, int(size), text, nil)
}

// driverName is the release that the driver's interfaces follow.
const driverName = "580.00"

func uuidText(id [16]byte) string {
	return fmt.Sprintf("GPU-%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

// nvmlInit_v2 begins the use of the library.
//
//cuda:support full
//export ls_nvmlInit_v2
func ls_nvmlInit_v2() C.CUresult {
	return ls_nvmlInitWithFlags(0)
}

// nvmlInit is nvmlInit_v2.
//
//cuda:support full
//export ls_nvmlInit
func ls_nvmlInit() C.CUresult {
	return ls_nvmlInitWithFlags(0)
}

// nvmlInitWithFlags begins the use of the library; without a device that is an error unless the flags say otherwise.
//
//cuda:support full
//export ls_nvmlInitWithFlags
func ls_nvmlInitWithFlags(flags C.uint) C.CUresult {
	c := C.ls_enter()
	_, err := run(&c, func(t *rt.Thread, _ bool) error {
		t.Runtime().ManagementInit()
		return nil
	})
	return managed(err)
}

// nvmlShutdown ends a use of the library.
//
//cuda:support full
//export ls_nvmlShutdown
func ls_nvmlShutdown() C.CUresult {
	return manage(func(t *rt.Thread) error {
		return t.Runtime().ManagementShutdown()
	})
}

// nvmlSystemGetDriverVersion returns the release of the driver.
//
//cuda:support full
//export ls_nvmlSystemGetDriverVersion
func ls_nvmlSystemGetDriverVersion(to *C.char, size C.uint) C.CUresult {
	return manage(func(t *rt.Thread) error {
		return putLine(to, size, driverName)
	})
}

// nvmlSystemGetNVMLVersion returns the release of the library.
//
//cuda:support full
//export ls_nvmlSystemGetNVMLVersion
func ls_nvmlSystemGetNVMLVersion(to *C.char, size C.uint) C.CUresult {
	return manage(func(t *rt.Thread) error {
		return putLine(to, size, "13."+driverName)
	})
}

// nvmlSystemGetCudaDriverVersion returns the CUDA release of the driver.
//
//cuda:support full
//export ls_nvmlSystemGetCudaDriverVersion
func ls_nvmlSystemGetCudaDriverVersion(version *C.int) C.CUresult {
	return manage(func(t *rt.Thread) error {
		return putInt(version, rt.DriverVersion, nil)
	})
}

// nvmlSystemGetCudaDriverVersion_v2 returns the CUDA release of the driver.
//
//cuda:support full
//export ls_nvmlSystemGetCudaDriverVersion_v2
func ls_nvmlSystemGetCudaDriverVersion_v2(version *C.int) C.CUresult {
	return ls_nvmlSystemGetCudaDriverVersion(version)
}

// nvmlSystemGetProcessName returns the name of a process.
//
//cuda:support full
//export ls_nvmlSystemGetProcessName
func ls_nvmlSystemGetProcessName(pid C.uint, to *C.char, size C.uint) C.CUresult {
	return manage(func(t *rt.Thread) error {
		name, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", uint32(pid)))
		if err != nil {
			return rt.NVMLNotFound
		}
		return putText(to, int(size), name, nil)
	})
}

// nvmlDeviceGetCount_v2 returns the number of devices.
//
//cuda:support full
//export ls_nvmlDeviceGetCount_v2
func ls_nvmlDeviceGetCount_v2(count *C.uint) C.CUresult {
	return manage(func(t *rt.Thread) error {
		return putInt(count, t.Runtime().BoardCount(), nil)
	})
}

// nvmlDeviceGetCount is nvmlDeviceGetCount_v2.
//
//cuda:support full
//export ls_nvmlDeviceGetCount
func ls_nvmlDeviceGetCount(count *C.uint) C.CUresult {
	return ls_nvmlDeviceGetCount_v2(count)
}

// nvmlDeviceGetHandleByIndex_v2 finds a device by its number.
//
//cuda:support full
//export ls_nvmlDeviceGetHandleByIndex_v2
func ls_nvmlDeviceGetHandleByIndex_v2(index C.uint, device *C.CUhandle) C.CUresult {
	return manage(func(t *rt.Thread) error {
		h, err := t.Runtime().BoardHandle(int(index))
		return putInt(device, h, err)
	})
}

// nvmlDeviceGetHandleByIndex is nvmlDeviceGetHandleByIndex_v2.
//
//cuda:support full
//export ls_nvmlDeviceGetHandleByIndex
func ls_nvmlDeviceGetHandleByIndex(index C.uint, device *C.CUhandle) C.CUresult {
	return ls_nvmlDeviceGetHandleByIndex_v2(index, device)
}

// nvmlDeviceGetHandleByUUID finds a device by its UUID.
//
//cuda:support full
//export ls_nvmlDeviceGetHandleByUUID
func ls_nvmlDeviceGetHandleByUUID(uuid C.ls_string, device *C.CUhandle) C.CUresult {
	return manage(func(t *rt.Thread) error {
		if uuid == nil {
			return rt.NVMLInvalidArgument
		}
		h, err := t.Runtime().FindBoard(func(b rt.Board) bool { return uuidText(b.UUID()) == C.GoString(uuid) })
		return putInt(device, h, err)
	})
}

// nvmlDeviceGetHandleByPciBusId_v2 finds a device by its place on the bus.
//
//cuda:support full
//export ls_nvmlDeviceGetHandleByPciBusId_v2
func ls_nvmlDeviceGetHandleByPciBusId_v2(place C.ls_string, device *C.CUhandle) C.CUresult {
	return manage(func(t *rt.Thread) error {
		if place == nil {
			return rt.NVMLInvalidArgument
		}
		h, err := t.Runtime().BoardAt(t, C.GoString(place))
		return putInt(device, h, err)
	})
}

// nvmlDeviceGetHandleByPciBusId is nvmlDeviceGetHandleByPciBusId_v2.
//
//cuda:support full
//export ls_nvmlDeviceGetHandleByPciBusId
func ls_nvmlDeviceGetHandleByPciBusId(place C.ls_string, device *C.CUhandle) C.CUresult {
	return ls_nvmlDeviceGetHandleByPciBusId_v2(place, device)
}

// nvmlDeviceGetIndex returns the number of a device.
//
//cuda:support full
//export ls_nvmlDeviceGetIndex
func ls_nvmlDeviceGetIndex(device C.CUhandle, index *C.uint) C.CUresult {
	return board(device, func(b rt.Board) error {
		return putInt(index, b.Index(), nil)
	})
}

// nvmlDeviceGetMinorNumber returns the number of a device.
//
//cuda:support full
//export ls_nvmlDeviceGetMinorNumber
func ls_nvmlDeviceGetMinorNumber(device C.CUhandle, minor *C.uint) C.CUresult {
	return board(device, func(b rt.Board) error {
		return putInt(minor, b.Index(), nil)
	})
}

// nvmlDeviceGetName returns the name of a device.
//
//cuda:support full
//export ls_nvmlDeviceGetName
func ls_nvmlDeviceGetName(device C.CUhandle, to *C.char, size C.uint) C.CUresult {
	return board(device, func(b rt.Board) error {
		return putLine(to, size, b.Name())
	})
}

// nvmlDeviceGetUUID returns what tells a device from all others.
//
//cuda:support full
//export ls_nvmlDeviceGetUUID
func ls_nvmlDeviceGetUUID(device C.CUhandle, to *C.char, size C.uint) C.CUresult {
	return board(device, func(b rt.Board) error {
		return putLine(to, size, uuidText(b.UUID()))
	})
}

// nvmlDeviceGetPciInfo_v3 returns the place of a device on its bus.
//
//cuda:support full
//export ls_nvmlDeviceGetPciInfo_v3
func ls_nvmlDeviceGetPciInfo_v3(device C.CUhandle, to *C.nvmlPciInfo) C.CUresult {
	return board(device, func(b rt.Board) error {
		info, err := place(b)
		return put(to, info, err)
	})
}

// nvmlDeviceGetPciInfo_v2 is nvmlDeviceGetPciInfo_v3 without the longer name of the place.
//
//cuda:support full
//export ls_nvmlDeviceGetPciInfo_v2
func ls_nvmlDeviceGetPciInfo_v2(device C.CUhandle, to unsafe.Pointer) C.CUresult {
	return placeUpTo(device, to, unsafe.Offsetof(C.nvmlPciInfo{}.busId))
}

// nvmlDeviceGetPciInfo is nvmlDeviceGetPciInfo_v2 without the subsystem.
//
//cuda:support full
//export ls_nvmlDeviceGetPciInfo
func ls_nvmlDeviceGetPciInfo(device C.CUhandle, to unsafe.Pointer) C.CUresult {
	return placeUpTo(device, to, unsafe.Offsetof(C.nvmlPciInfo{}.pciSubSystemId))
}

// place describes the place of a device on its bus.
func place(b rt.Board) (C.nvmlPciInfo, error) {
	p := b.Place()
	info := C.nvmlPciInfo{domain: C.uint(p.Domain), bus: C.uint(p.Bus), device: C.uint(p.Device), pciDeviceId: C.uint(p.ID), pciSubSystemId: C.uint(p.Subsystem)}
	return info, errors.Join(
		putText(&info.busId[0], len(info.busId), fmt.Sprintf("%08X:%02X:%02X.0", p.Domain, p.Bus, p.Device), nil),
		putText(&info.busIdLegacy[0], len(info.busIdLegacy), fmt.Sprintf("%04X:%02X:%02X.0", p.Domain, p.Bus, p.Device), nil))
}

// placeUpTo stores the first bytes of what describes the place of a device, which older releases end there.
func placeUpTo(device C.CUhandle, to unsafe.Pointer, bytes uintptr) C.CUresult {
	return board(device, func(b rt.Board) error {
		if to == nil {
			return rt.NVMLInvalidArgument
		}
		info, err := place(b)
		copy(unsafe.Slice((*byte)(to), bytes), unsafe.Slice((*byte)(unsafe.Pointer(&info)), bytes))
		return err
	})
}

// nvmlDeviceGetMemoryInfo returns the memory of a device, and what this process uses of it.
//
//cuda:support partial "of other processes nothing is known"
//export ls_nvmlDeviceGetMemoryInfo
func ls_nvmlDeviceGetMemoryInfo(device C.CUhandle, to *C.nvmlMemory) C.CUresult {
	return board(device, func(b rt.Board) error {
		total, used := b.Memory()
		return put(to, C.nvmlMemory{total: C.ulonglong(total), free: C.ulonglong(total - used), used: C.ulonglong(used)}, nil)
	})
}

// nvmlDeviceGetMemoryInfo_v2 returns the memory of a device, and what this process uses of it.
//
//cuda:support partial "of other processes nothing is known"
//export ls_nvmlDeviceGetMemoryInfo_v2
func ls_nvmlDeviceGetMemoryInfo_v2(device C.CUhandle, to *C.nvmlMemory_v2) C.CUresult {
	return board(device, func(b rt.Board) error {
		const version = C.uint(2<<24 | unsafe.Sizeof(*to))
		switch {
		case to == nil:
			return rt.NVMLInvalidArgument
		case to.version != version:
			return rt.NVMLFunctionNotFound // as on an H200
		}
		total, used := b.Memory()
		to.total, to.free, to.used, to.reserved = C.ulonglong(total), C.ulonglong(total-used), C.ulonglong(used), 0
		return nil
	})
}

// nvmlDeviceGetCudaComputeCapability returns the compute capability.
//
//cuda:support full
//export ls_nvmlDeviceGetCudaComputeCapability
func ls_nvmlDeviceGetCudaComputeCapability(device C.CUhandle, major, minor *C.int) C.CUresult {
	return board(device, func(b rt.Board) error {
		x, y := b.Capability()
		if err := putInt(major, x, nil); err != nil {
			return err
		}
		return putInt(minor, y, nil)
	})
}

// nvmlDeviceGetClockInfo returns a clock in MHz.
//
//cuda:support partial "no clock of video"
//export ls_nvmlDeviceGetClockInfo
func ls_nvmlDeviceGetClockInfo(device C.CUhandle, kind C.int, clock *C.uint) C.CUresult {
	return board(device, func(b rt.Board) error {
		v, err := b.Clock(int(kind))
		return putInt(clock, v, err)
	})
}

// nvmlDeviceGetMaxClockInfo returns the highest clock in MHz.
//
//cuda:support partial "no clock of video"
//export ls_nvmlDeviceGetMaxClockInfo
func ls_nvmlDeviceGetMaxClockInfo(device C.CUhandle, kind C.int, clock *C.uint) C.CUresult {
	return board(device, func(b rt.Board) error {
		v, err := b.Clock(int(kind))
		return putInt(clock, v, err)
	})
}

// nvmlDeviceGetApplicationsClock returns the clock in MHz that programs get.
//
//cuda:support full
//export ls_nvmlDeviceGetApplicationsClock
func ls_nvmlDeviceGetApplicationsClock(device C.CUhandle, kind C.int, clock *C.uint) C.CUresult {
	return board(device, func(b rt.Board) error {
		v, err := b.Clock(int(kind))
		return putInt(clock, v, err)
	})
}

// nvmlDeviceGetMemoryBusWidth returns the width of the memory bus in bits.
//
//cuda:support full
//export ls_nvmlDeviceGetMemoryBusWidth
func ls_nvmlDeviceGetMemoryBusWidth(device C.CUhandle, bits *C.uint) C.CUresult {
	return board(device, func(b rt.Board) error {
		return putInt(bits, b.BusWidth(), nil)
	})
}

// nvmlDeviceGetComputeMode tells who may use a device.
//
//cuda:support full
//export ls_nvmlDeviceGetComputeMode
func ls_nvmlDeviceGetComputeMode(device C.CUhandle, mode *C.uint) C.CUresult {
	return board(device, func(b rt.Board) error {
		return putInt(mode, b.ComputeMode(), nil)
	})
}

// nvmlDeviceGetArchitecture returns the architecture.
//
//cuda:support full
//export ls_nvmlDeviceGetArchitecture
func ls_nvmlDeviceGetArchitecture(device C.CUhandle, number *C.uint) C.CUresult {
	return board(device, func(b rt.Board) error {
		n, _ := b.Generation()
		return putInt(number, n, nil)
	})
}

// nvmlDeviceGetNumGpuCores returns the number of cores.
//
//cuda:support full
//export ls_nvmlDeviceGetNumGpuCores
func ls_nvmlDeviceGetNumGpuCores(device C.CUhandle, count *C.uint) C.CUresult {
	return board(device, func(b rt.Board) error {
		_, n := b.Generation()
		return putInt(count, n, nil)
	})
}

// nvmlDeviceGetEccMode tells whether memory is protected.
//
//cuda:support full
//export ls_nvmlDeviceGetEccMode
func ls_nvmlDeviceGetEccMode(device C.CUhandle, now, next *C.uint) C.CUresult {
	return board(device, func(b rt.Board) error {
		if err := putInt(now, flag(b.ECC()), nil); err != nil {
			return err
		}
		return putInt(next, flag(b.ECC()), nil)
	})
}

// nvmlDeviceGetMigMode tells whether a device is divided, which none is.
//
//cuda:support full
//export ls_nvmlDeviceGetMigMode
func ls_nvmlDeviceGetMigMode(device C.CUhandle, now, next *C.uint) C.CUresult {
	return board(device, func(b rt.Board) error {
		if err := putInt(now, 0, nil); err != nil {
			return err
		}
		return putInt(next, 0, nil)
	})
}

// nvmlDeviceGetMaxMigDeviceCount returns how many parts a device can have.
//
//cuda:support full
//export ls_nvmlDeviceGetMaxMigDeviceCount
func ls_nvmlDeviceGetMaxMigDeviceCount(device C.CUhandle, count *C.uint) C.CUresult {
	return always(device, count, 0)
}

// nvmlDeviceIsMigDeviceHandle tells whether a handle is a part of a device.
//
//cuda:support full
//export ls_nvmlDeviceIsMigDeviceHandle
func ls_nvmlDeviceIsMigDeviceHandle(device C.CUhandle, is *C.uint) C.CUresult {
	return always(device, is, 0)
}

// nvmlDeviceGetPersistenceMode tells whether the driver stays loaded.
//
//cuda:support full
//export ls_nvmlDeviceGetPersistenceMode
func ls_nvmlDeviceGetPersistenceMode(device C.CUhandle, mode *C.uint) C.CUresult {
	return always(device, mode, 1)
}

// nvmlDeviceGetDisplayMode tells whether a display may be connected: an H200, which has no socket for one, says yes.
//
//cuda:support full
//export ls_nvmlDeviceGetDisplayMode
func ls_nvmlDeviceGetDisplayMode(device C.CUhandle, mode *C.uint) C.CUresult {
	return always(device, mode, 1)
}

// nvmlDeviceGetDisplayActive tells whether a display is in use.
//
//cuda:support full
//export ls_nvmlDeviceGetDisplayActive
func ls_nvmlDeviceGetDisplayActive(device C.CUhandle, mode *C.uint) C.CUresult {
	return always(device, mode, 0)
}

// nvmlDeviceGetMultiGpuBoard tells whether a board has several devices.
//
//cuda:support full
//export ls_nvmlDeviceGetMultiGpuBoard
func ls_nvmlDeviceGetMultiGpuBoard(device C.CUhandle, is *C.uint) C.CUresult {
	return always(device, is, 0)
}

// nvmlDeviceGetPerformanceState returns the state of performance: the highest.
//
//cuda:support full
//export ls_nvmlDeviceGetPerformanceState
func ls_nvmlDeviceGetPerformanceState(device C.CUhandle, state *C.uint) C.CUresult {
	return always(device, state, 0)
}

// nvmlDeviceGetComputeRunningProcesses_v3 returns the processes that use a device.
//
//cuda:support partial "this process only"
//export ls_nvmlDeviceGetComputeRunningProcesses_v3
func ls_nvmlDeviceGetComputeRunningProcesses_v3(device C.CUhandle, count *C.uint, list *C.nvmlProcess) C.CUresult {
	return board(device, func(b rt.Board) error {
		return processes(b, count, list)
	})
}

// nvmlDeviceGetComputeRunningProcesses_v2 returns the processes that use a device.
//
//cuda:support partial "this process only"
//export ls_nvmlDeviceGetComputeRunningProcesses_v2
func ls_nvmlDeviceGetComputeRunningProcesses_v2(device C.CUhandle, count *C.uint, list *C.nvmlProcess) C.CUresult {
	return board(device, func(b rt.Board) error {
		return processes(b, count, list)
	})
}

// nvmlDeviceGetGraphicsRunningProcesses_v3 returns the processes that draw with a device: none.
//
//cuda:support full
//export ls_nvmlDeviceGetGraphicsRunningProcesses_v3
func ls_nvmlDeviceGetGraphicsRunningProcesses_v3(device C.CUhandle, count *C.uint, list *C.nvmlProcess) C.CUresult {
	return always(device, count, 0)
}

// processes lists those that use a device: this one, as far as is known.
func processes(b rt.Board, count *C.uint, list *C.nvmlProcess) error {
	if count == nil {
		return rt.NVMLInvalidArgument
	}
	room := *count
	if room > 0 && list == nil {
		return rt.NVMLInvalidArgument
	}
	pid, yes := b.InUse()
	*count = C.uint(flag(yes))
	switch {
	case !yes:
		return nil
	case room < 1:
		return rt.NVMLInsufficientSize
	}
	_, used := b.Memory()
	const none = ^C.uint(0)
	*list = C.nvmlProcess{pid: C.uint(pid), usedGpuMemory: C.ulonglong(used), gpuInstanceId: none, computeInstanceId: none}
	return nil
}

// nvmlDeviceGetComputeRunningProcesses lists the processes that use a device.
//
//cuda:support partial "this process only"
//export ls_nvmlDeviceGetComputeRunningProcesses
func ls_nvmlDeviceGetComputeRunningProcesses(device C.CUhandle, count *C.uint, list *C.nvmlProcess_v1) C.CUresult {
	return board(device, func(b rt.Board) error {
		var one C.nvmlProcess
		err := processes(b, count, room(list, &one))
		if err == nil && list != nil && *count > 0 {
			*list = C.nvmlProcess_v1{pid: one.pid, usedGpuMemory: one.usedGpuMemory}
		}
		return err
	})
}

// room is where a process is described on its way to another structure, if that is there.
func room(list *C.nvmlProcess_v1, one *C.nvmlProcess) *C.nvmlProcess {
	if list == nil {
		return nil
	}
	return one
}

// nvmlDeviceGetUtilizationRates tells how busy a device is.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetUtilizationRates
func ls_nvmlDeviceGetUtilizationRates(device C.CUhandle, to unsafe.Pointer) C.CUresult {
	return unmodelled(device, (*byte)(to))
}

// nvmlDeviceGetTemperature returns a temperature.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetTemperature
func ls_nvmlDeviceGetTemperature(device C.CUhandle, sensor C.int, value *C.uint) C.CUresult {
	if sensor != 0 {
		value = nil // there is one sensor
	}
	return unmodelled(device, value)
}

// nvmlDeviceGetTemperatureThreshold returns a limit of the temperature.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetTemperatureThreshold
func ls_nvmlDeviceGetTemperatureThreshold(device C.CUhandle, kind C.int, value *C.uint) C.CUresult {
	const kinds = 8
	if kind < 0 || kind >= kinds {
		value = nil
	}
	return unmodelled(device, value)
}

// nvmlDeviceGetPowerUsage returns the power in use.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetPowerUsage
func ls_nvmlDeviceGetPowerUsage(device C.CUhandle, value *C.uint) C.CUresult {
	return unmodelled(device, value)
}

// nvmlDeviceGetEnforcedPowerLimit returns the limit of the power.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetEnforcedPowerLimit
func ls_nvmlDeviceGetEnforcedPowerLimit(device C.CUhandle, value *C.uint) C.CUresult {
	return unmodelled(device, value)
}

// nvmlDeviceGetPowerManagementLimit returns the limit of the power.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetPowerManagementLimit
func ls_nvmlDeviceGetPowerManagementLimit(device C.CUhandle, value *C.uint) C.CUresult {
	return unmodelled(device, value)
}

// nvmlDeviceGetTotalEnergyConsumption returns the energy used.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetTotalEnergyConsumption
func ls_nvmlDeviceGetTotalEnergyConsumption(device C.CUhandle, value *C.ulonglong) C.CUresult {
	return unmodelled(device, value)
}

// nvmlDeviceGetFanSpeed returns the speed of a fan.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetFanSpeed
func ls_nvmlDeviceGetFanSpeed(device C.CUhandle, value *C.uint) C.CUresult {
	return unmodelled(device, value)
}

// nvmlDeviceGetSerial returns the serial number.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetSerial
func ls_nvmlDeviceGetSerial(device C.CUhandle, to *C.char, size C.uint) C.CUresult {
	return unmodelled(device, to)
}

// nvmlDeviceGetVbiosVersion returns the version of the firmware.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetVbiosVersion
func ls_nvmlDeviceGetVbiosVersion(device C.CUhandle, to *C.char, size C.uint) C.CUresult {
	return unmodelled(device, to)
}

// nvmlDeviceGetBrand returns the brand.
//
//cuda:support full
//export ls_nvmlDeviceGetBrand
func ls_nvmlDeviceGetBrand(device C.CUhandle, value *C.uint) C.CUresult {
	return board(device, func(b rt.Board) error { return putInt(value, b.Brand(), nil) })
}

// nvmlDeviceGetNvLinkState tells whether a link to another device is up.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetNvLinkState
func ls_nvmlDeviceGetNvLinkState(device C.CUhandle, link C.uint, value *C.uint) C.CUresult {
	return unmodelled(device, value)
}
