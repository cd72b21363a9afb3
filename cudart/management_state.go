package main

// #include "lockstep.h"
import "C"

import (
	"runtime"
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// What the management library says of a device that never changes: no codecs, fans, links, divisions and users of its
// displays, and no error that was ever counted. An H200 has none of most of these either; the codes are then its.

// lacking is the answer about what a device has none of.
func lacking(device C.CUhandle) C.CUresult { return refused(device, rt.NVMLNotSupported) }

// unmodelled is the answer about a value that a card measures or holds and the model does not have.
func unmodelled[T any](device C.CUhandle, to *T) C.CUresult {
	return board(device, func(rt.Board) error {
		if to == nil {
			return rt.NVMLInvalidArgument
		}
		return rt.NVMLNotSupported
	})
}

// none stores the number of things that no machine has.
func none(count *C.uint) C.CUresult {
	return manage(func(*rt.Thread) error { return putInt(count, 0, nil) })
}

// unknown is the answer of a call that names one of them.
func unknown() C.CUresult {
	return manage(func(*rt.Thread) error { return rt.NVMLInvalidArgument })
}

// sampled stores a share of time in use, of which there is none, and the period of samples in microseconds.
func sampled(device C.CUhandle, share, period *C.uint) C.CUresult {
	const usual = 100000 // as on an H200
	return board(device, func(rt.Board) error {
		if period == nil {
			return rt.NVMLInvalidArgument
		}
		*period = usual
		return putInt(share, 0, nil)
	})
}

// emptyList stores that a list has no entries.
func emptyList(device C.CUhandle, count *C.uint) C.CUresult { return always(device, count, 0) }

// cleared stores a structure of so many zero bytes.
func cleared(device C.CUhandle, to unsafe.Pointer, bytes int) C.CUresult {
	return board(device, func(rt.Board) error {
		if to == nil {
			return rt.NVMLInvalidArgument
		}
		clear(unsafe.Slice((*byte)(to), bytes))
		return nil
	})
}

// affinity stores that the first n of something are near a device, as a set of so many words.
func affinity(device C.CUhandle, words C.uint, to *C.ulong, n int) C.CUresult {
	return board(device, func(rt.Board) error {
		if to == nil || words == 0 {
			return rt.NVMLInvalidArgument
		}
		set := unsafe.Slice(to, int(words))
		clear(set)
		for i := range min(n, len(set)*64) {
			set[i/64] |= 1 << (i % 64)
		}
		return nil
	})
}

// nvmlDeviceGetEncoderUtilization tells how busy the encoder is, which no device has.
//
//cuda:support full
//export ls_nvmlDeviceGetEncoderUtilization
func ls_nvmlDeviceGetEncoderUtilization(device C.CUhandle, share, period *C.uint) C.CUresult {
	return sampled(device, share, period)
}

// nvmlDeviceGetDecoderUtilization tells how busy the decoder is, which no device has.
//
//cuda:support full
//export ls_nvmlDeviceGetDecoderUtilization
func ls_nvmlDeviceGetDecoderUtilization(device C.CUhandle, share, period *C.uint) C.CUresult {
	return sampled(device, share, period)
}

// nvmlDeviceGetJpgUtilization tells how busy the decoder of pictures is, which no device has.
//
//cuda:support full
//export ls_nvmlDeviceGetJpgUtilization
func ls_nvmlDeviceGetJpgUtilization(device C.CUhandle, share, period *C.uint) C.CUresult {
	return sampled(device, share, period)
}

// nvmlDeviceGetOfaUtilization tells how busy the unit for optical flow is, which no device has.
//
//cuda:support full
//export ls_nvmlDeviceGetOfaUtilization
func ls_nvmlDeviceGetOfaUtilization(device C.CUhandle, share, period *C.uint) C.CUresult {
	return sampled(device, share, period)
}

// nvmlDeviceGetDriverModel returns the model of the driver, which other systems have.
//
//cuda:support full
//export ls_nvmlDeviceGetDriverModel
func ls_nvmlDeviceGetDriverModel(device C.CUhandle, now, next *C.uint) C.CUresult {
	return lacking(device)
}

// nvmlDeviceGetDriverModel_v2 returns the model of the driver, which other systems have.
//
//cuda:support full
//export ls_nvmlDeviceGetDriverModel_v2
func ls_nvmlDeviceGetDriverModel_v2(device C.CUhandle, now, next *C.uint) C.CUresult {
	return lacking(device)
}

// nvmlDeviceGetRetiredPages lists pages of memory that are not used any more; rows are replaced instead.
//
//cuda:support full
//export ls_nvmlDeviceGetRetiredPages
func ls_nvmlDeviceGetRetiredPages(device C.CUhandle, cause C.int, count *C.uint, pages *C.ulonglong) C.CUresult {
	return lacking(device)
}

// nvmlDeviceGetRetiredPages_v2 is nvmlDeviceGetRetiredPages with times.
//
//cuda:support full
//export ls_nvmlDeviceGetRetiredPages_v2
func ls_nvmlDeviceGetRetiredPages_v2(device C.CUhandle, cause C.int, count *C.uint, pages, times *C.ulonglong) C.CUresult {
	return lacking(device)
}

// nvmlDeviceGetRetiredPagesPendingStatus tells whether pages wait for being retired.
//
//cuda:support full
//export ls_nvmlDeviceGetRetiredPagesPendingStatus
func ls_nvmlDeviceGetRetiredPagesPendingStatus(device C.CUhandle, pending *C.uint) C.CUresult {
	return lacking(device)
}

// nvmlDeviceGetAutoBoostedClocksEnabled tells whether clocks rise by themselves.
//
//cuda:support full
//export ls_nvmlDeviceGetAutoBoostedClocksEnabled
func ls_nvmlDeviceGetAutoBoostedClocksEnabled(device C.CUhandle, now, usual *C.uint) C.CUresult {
	return lacking(device)
}

// nvmlDeviceGetGpuOperationMode returns a mode of older devices.
//
//cuda:support full
//export ls_nvmlDeviceGetGpuOperationMode
func ls_nvmlDeviceGetGpuOperationMode(device C.CUhandle, now, next *C.uint) C.CUresult {
	return lacking(device)
}

// nvmlDeviceGetBridgeChipInfo describes bridges on the board.
//
//cuda:support full
//export ls_nvmlDeviceGetBridgeChipInfo
func ls_nvmlDeviceGetBridgeChipInfo(device C.CUhandle, to unsafe.Pointer) C.CUresult {
	return lacking(device)
}

// nvmlDeviceGetNumaNodeId returns the NUMA node of the memory, which is none.
//
//cuda:support full
//export ls_nvmlDeviceGetNumaNodeId
func ls_nvmlDeviceGetNumaNodeId(device C.CUhandle, node *C.uint) C.CUresult {
	return lacking(device)
}

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

// nvmlDeviceGetNvLinkVersion returns the version of a link to another device.
//
//cuda:support full
//export ls_nvmlDeviceGetNvLinkVersion
func ls_nvmlDeviceGetNvLinkVersion(device C.CUhandle, link C.uint, version *C.uint) C.CUresult {
	return lacking(device)
}

// nvmlDeviceGetNvLinkCapability tells what a link can.
//
//cuda:support full
//export ls_nvmlDeviceGetNvLinkCapability
func ls_nvmlDeviceGetNvLinkCapability(device C.CUhandle, link C.uint, capability C.int, value *C.uint) C.CUresult {
	return lacking(device)
}

// nvmlDeviceGetNvLinkRemotePciInfo_v2 tells what a link leads to.
//
//cuda:support full
//export ls_nvmlDeviceGetNvLinkRemotePciInfo_v2
func ls_nvmlDeviceGetNvLinkRemotePciInfo_v2(device C.CUhandle, link C.uint, to unsafe.Pointer) C.CUresult {
	return lacking(device)
}

// nvmlDeviceGetNvLinkRemoteDeviceType tells what a link leads to.
//
//cuda:support full
//export ls_nvmlDeviceGetNvLinkRemoteDeviceType
func ls_nvmlDeviceGetNvLinkRemoteDeviceType(device C.CUhandle, link C.uint, kind *C.uint) C.CUresult {
	return lacking(device)
}

// nvmlDeviceGetNvLinkErrorCounter counts errors of a link.
//
//cuda:support full
//export ls_nvmlDeviceGetNvLinkErrorCounter
func ls_nvmlDeviceGetNvLinkErrorCounter(device C.CUhandle, link C.uint, counter C.int, value *C.ulonglong) C.CUresult {
	return lacking(device)
}

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

// nvmlDeviceGetProcessUtilization tells how busy processes keep the device.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetProcessUtilization
func ls_nvmlDeviceGetProcessUtilization(device C.CUhandle, list unsafe.Pointer, count *C.uint, since C.ulonglong) C.CUresult {
	return unmodelled(device, count)
}

// nvmlDeviceGetSamples returns samples of the past.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetSamples
func ls_nvmlDeviceGetSamples(device C.CUhandle, kind C.int, since C.ulonglong, value, count *C.uint, list unsafe.Pointer) C.CUresult {
	return unmodelled(device, value)
}

// nvmlDeviceGetViolationStatus tells for how long limits held the clocks down.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetViolationStatus
func ls_nvmlDeviceGetViolationStatus(device C.CUhandle, policy C.int, to unsafe.Pointer) C.CUresult {
	return unmodelled(device, (*byte)(to))
}

// nvmlDeviceGetBAR1MemoryInfo describes the window of the bus into memory.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetBAR1MemoryInfo
func ls_nvmlDeviceGetBAR1MemoryInfo(device C.CUhandle, to unsafe.Pointer) C.CUresult {
	return unmodelled(device, (*byte)(to))
}

// nvmlDeviceGetPcieThroughput returns what crosses the bus.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetPcieThroughput
func ls_nvmlDeviceGetPcieThroughput(device C.CUhandle, counter C.int, value *C.uint) C.CUresult {
	return unmodelled(device, value)
}

// nvmlDeviceGetPcieReplayCounter counts what was sent again.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetPcieReplayCounter
func ls_nvmlDeviceGetPcieReplayCounter(device C.CUhandle, value *C.uint) C.CUresult {
	return unmodelled(device, value)
}

// nvmlDeviceGetMaxPcieLinkGeneration returns the generation of the bus.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetMaxPcieLinkGeneration
func ls_nvmlDeviceGetMaxPcieLinkGeneration(device C.CUhandle, value *C.uint) C.CUresult {
	return unmodelled(device, value)
}

// nvmlDeviceGetMaxPcieLinkWidth returns the width of the bus.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetMaxPcieLinkWidth
func ls_nvmlDeviceGetMaxPcieLinkWidth(device C.CUhandle, value *C.uint) C.CUresult {
	return unmodelled(device, value)
}

// nvmlDeviceGetCurrPcieLinkGeneration returns the generation of the bus.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetCurrPcieLinkGeneration
func ls_nvmlDeviceGetCurrPcieLinkGeneration(device C.CUhandle, value *C.uint) C.CUresult {
	return unmodelled(device, value)
}

// nvmlDeviceGetCurrPcieLinkWidth returns the width of the bus.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetCurrPcieLinkWidth
func ls_nvmlDeviceGetCurrPcieLinkWidth(device C.CUhandle, value *C.uint) C.CUresult {
	return unmodelled(device, value)
}

// nvmlDeviceGetBusType returns the kind of bus: PCI Express.
//
//cuda:support full
//export ls_nvmlDeviceGetBusType
func ls_nvmlDeviceGetBusType(device C.CUhandle, to *C.uint) C.CUresult {
	return always(device, to, 2)
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

// nvmlDeviceGetVirtualizationMode tells whether the device is virtual, which the simulated one is not.
//
//cuda:support full
//export ls_nvmlDeviceGetVirtualizationMode
func ls_nvmlDeviceGetVirtualizationMode(device C.CUhandle, to *C.uint) C.CUresult {
	return always(device, to, 0)
}

// nvmlDeviceGetAccountingMode tells whether ended processes are counted, which they are not.
//
//cuda:support full
//export ls_nvmlDeviceGetAccountingMode
func ls_nvmlDeviceGetAccountingMode(device C.CUhandle, to *C.uint) C.CUresult {
	return always(device, to, 0)
}

// nvmlDeviceGetDefaultEccMode tells whether memory is protected unless somebody changes it.
//
//cuda:support full
//export ls_nvmlDeviceGetDefaultEccMode
func ls_nvmlDeviceGetDefaultEccMode(device C.CUhandle, mode *C.uint) C.CUresult {
	return board(device, func(b rt.Board) error { return putInt(mode, flag(b.ECC()), nil) })
}

// nvmlDeviceGetCurrentClocksThrottleReasons tells what holds the clocks down: nothing.
//
//cuda:support full
//export ls_nvmlDeviceGetCurrentClocksThrottleReasons
func ls_nvmlDeviceGetCurrentClocksThrottleReasons(device C.CUhandle, reasons *C.ulonglong) C.CUresult {
	return always(device, reasons, 0)
}

// nvmlDeviceGetSupportedClocksThrottleReasons tells what may hold the clocks down: nothing, as the model runs at one speed.
//
//cuda:support partial "a card has nine"
//export ls_nvmlDeviceGetSupportedClocksThrottleReasons
func ls_nvmlDeviceGetSupportedClocksThrottleReasons(device C.CUhandle, reasons *C.ulonglong) C.CUresult {
	return always(device, reasons, 0)
}

// nvmlDeviceGetCurrentClocksEventReasons tells what holds the clocks down: nothing.
//
//cuda:support full
//export ls_nvmlDeviceGetCurrentClocksEventReasons
func ls_nvmlDeviceGetCurrentClocksEventReasons(device C.CUhandle, reasons *C.ulonglong) C.CUresult {
	return always(device, reasons, 0)
}

// nvmlDeviceGetSupportedClocksEventReasons tells what may hold the clocks down: nothing, as the model runs at one speed.
//
//cuda:support partial "a card has nine"
//export ls_nvmlDeviceGetSupportedClocksEventReasons
func ls_nvmlDeviceGetSupportedClocksEventReasons(device C.CUhandle, reasons *C.ulonglong) C.CUresult {
	return always(device, reasons, 0)
}

// nvmlDeviceGetGraphicsRunningProcesses lists processes of a kind that there is none of.
//
//cuda:support full
//export ls_nvmlDeviceGetGraphicsRunningProcesses
func ls_nvmlDeviceGetGraphicsRunningProcesses(device C.CUhandle, count *C.uint, list unsafe.Pointer) C.CUresult {
	return emptyList(device, count)
}

// nvmlDeviceGetGraphicsRunningProcesses_v2 lists processes of a kind that there is none of.
//
//cuda:support full
//export ls_nvmlDeviceGetGraphicsRunningProcesses_v2
func ls_nvmlDeviceGetGraphicsRunningProcesses_v2(device C.CUhandle, count *C.uint, list unsafe.Pointer) C.CUresult {
	return emptyList(device, count)
}

// nvmlDeviceGetMPSComputeRunningProcesses lists processes of a kind that there is none of.
//
//cuda:support full
//export ls_nvmlDeviceGetMPSComputeRunningProcesses
func ls_nvmlDeviceGetMPSComputeRunningProcesses(device C.CUhandle, count *C.uint, list unsafe.Pointer) C.CUresult {
	return emptyList(device, count)
}

// nvmlDeviceGetMPSComputeRunningProcesses_v2 lists processes of a kind that there is none of.
//
//cuda:support full
//export ls_nvmlDeviceGetMPSComputeRunningProcesses_v2
func ls_nvmlDeviceGetMPSComputeRunningProcesses_v2(device C.CUhandle, count *C.uint, list unsafe.Pointer) C.CUresult {
	return emptyList(device, count)
}

// nvmlDeviceGetMPSComputeRunningProcesses_v3 lists processes of a kind that there is none of.
//
//cuda:support full
//export ls_nvmlDeviceGetMPSComputeRunningProcesses_v3
func ls_nvmlDeviceGetMPSComputeRunningProcesses_v3(device C.CUhandle, count *C.uint, list unsafe.Pointer) C.CUresult {
	return emptyList(device, count)
}

// nvmlDeviceGetAccountingPids lists processes that were counted: none.
//
//cuda:support full
//export ls_nvmlDeviceGetAccountingPids
func ls_nvmlDeviceGetAccountingPids(device C.CUhandle, count *C.uint, list *C.uint) C.CUresult {
	return emptyList(device, count)
}

// nvmlDeviceGetEncoderSessions lists users of the encoder: none.
//
//cuda:support full
//export ls_nvmlDeviceGetEncoderSessions
func ls_nvmlDeviceGetEncoderSessions(device C.CUhandle, count *C.uint, list unsafe.Pointer) C.CUresult {
	return emptyList(device, count)
}

// nvmlDeviceGetFBCSessions lists those who capture displays: none.
//
//cuda:support full
//export ls_nvmlDeviceGetFBCSessions
func ls_nvmlDeviceGetFBCSessions(device C.CUhandle, count *C.uint, list unsafe.Pointer) C.CUresult {
	return emptyList(device, count)
}

// nvmlDeviceGetFBCStats counts captures of displays: none.
//
//cuda:support full
//export ls_nvmlDeviceGetFBCStats
func ls_nvmlDeviceGetFBCStats(device C.CUhandle, to unsafe.Pointer) C.CUresult {
	const bytes = 12 // of nvmlFBCStats_t
	return cleared(device, to, bytes)
}

// nvmlDeviceGetDetailedEccErrors counts errors of memory by place: none.
//
//cuda:support full
//export ls_nvmlDeviceGetDetailedEccErrors
func ls_nvmlDeviceGetDetailedEccErrors(device C.CUhandle, kind, counter C.int, to unsafe.Pointer) C.CUresult {
	const bytes = 32 // of nvmlEccErrorCounts_t
	return cleared(device, to, bytes)
}

// nvmlDeviceGetTotalEccErrors counts errors of memory: none.
//
//cuda:support full
//export ls_nvmlDeviceGetTotalEccErrors
func ls_nvmlDeviceGetTotalEccErrors(device C.CUhandle, kind, counter C.int, count *C.ulonglong) C.CUresult {
	return errorCount(device, kind, counter, count)
}

// nvmlDeviceGetMemoryErrorCounter counts errors of a kind of memory: of that of the device and of static memory.
//
//cuda:support full
//export ls_nvmlDeviceGetMemoryErrorCounter
func ls_nvmlDeviceGetMemoryErrorCounter(device C.CUhandle, kind, counter, place C.int, count *C.ulonglong) C.CUresult {
	const memory, static = 2, 7
	if place != memory && place != static {
		return lacking(device)
	}
	return errorCount(device, kind, counter, count)
}

// nvmlDeviceGetRemappedRows counts rows of memory that were replaced: none.
//
//cuda:support full
//export ls_nvmlDeviceGetRemappedRows
func ls_nvmlDeviceGetRemappedRows(device C.CUhandle, corrected, uncorrected, pending, failed *C.uint) C.CUresult {
	return board(device, func(rt.Board) error {
		for _, to := range []*C.uint{corrected, uncorrected, pending, failed} {
			if err := putInt(to, 0, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// nvmlDeviceGetMaxCustomerBoostClock returns the highest clock that users may ask for.
//
//cuda:support full
//export ls_nvmlDeviceGetMaxCustomerBoostClock
func ls_nvmlDeviceGetMaxCustomerBoostClock(device C.CUhandle, kind C.int, clock *C.uint) C.CUresult {
	const memory = 2
	if kind == memory {
		return lacking(device)
	}
	return ls_nvmlDeviceGetMaxClockInfo(device, kind, clock)
}

// nvmlDeviceGetDefaultApplicationsClock returns the clock that applications have.
//
//cuda:support full
//export ls_nvmlDeviceGetDefaultApplicationsClock
func ls_nvmlDeviceGetDefaultApplicationsClock(device C.CUhandle, kind C.int, clock *C.uint) C.CUresult {
	return ls_nvmlDeviceGetApplicationsClock(device, kind, clock)
}

// nvmlDeviceGetClock returns a clock: now, or one that is aimed at.
//
//cuda:support full
//export ls_nvmlDeviceGetClock
func ls_nvmlDeviceGetClock(device C.CUhandle, kind, which C.int, clock *C.uint) C.CUresult {
	return ls_nvmlDeviceGetMaxClockInfo(device, kind, clock)
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

// nvmlDeviceOnSameBoard tells whether two devices are on one board, as only the same ones are.
//
//cuda:support full
//export ls_nvmlDeviceOnSameBoard
func ls_nvmlDeviceOnSameBoard(one, other C.CUhandle, same *C.int) C.CUresult {
	return pair(one, other, func(equal bool) error { return putInt(same, flag(equal), nil) })
}

// nvmlDeviceGetP2PStatus tells whether devices reach one another.
//
//cuda:support full
//export ls_nvmlDeviceGetP2PStatus
func ls_nvmlDeviceGetP2PStatus(one, other C.CUhandle, index C.int, status *C.int) C.CUresult {
	const ok, unknown = 0, 5
	return pair(one, other, func(equal bool) error {
		if equal {
			return putInt(status, unknown, nil)
		}
		return putInt(status, ok, nil)
	})
}

// nvmlDeviceGetTopologyCommonAncestor tells how far devices are from one another: not for one and itself.
//
//cuda:support full
//export ls_nvmlDeviceGetTopologyCommonAncestor
func ls_nvmlDeviceGetTopologyCommonAncestor(one, other C.CUhandle, level *C.int) C.CUresult {
	const bridge = 10 // they are behind one
	return pair(one, other, func(equal bool) error {
		if equal {
			return rt.NVMLNotSupported
		}
		return putInt(level, bridge, nil)
	})
}

// nvmlDeviceGetCpuAffinity stores which processors are near a device: all.
//
//cuda:support full
//export ls_nvmlDeviceGetCpuAffinity
func ls_nvmlDeviceGetCpuAffinity(device C.CUhandle, words C.uint, to *C.ulong) C.CUresult {
	return affinity(device, words, to, runtime.NumCPU())
}

// nvmlDeviceGetCpuAffinityWithinScope is nvmlDeviceGetCpuAffinity for a part of the machine.
//
//cuda:support full
//export ls_nvmlDeviceGetCpuAffinityWithinScope
func ls_nvmlDeviceGetCpuAffinityWithinScope(device C.CUhandle, words C.uint, to *C.ulong, scope C.uint) C.CUresult {
	return ls_nvmlDeviceGetCpuAffinity(device, words, to)
}

// nvmlDeviceGetMemoryAffinity stores which memory of the host is near a device: the first node.
//
//cuda:support full
//export ls_nvmlDeviceGetMemoryAffinity
func ls_nvmlDeviceGetMemoryAffinity(device C.CUhandle, words C.uint, to *C.ulong, scope C.uint) C.CUresult {
	return affinity(device, words, to, 1)
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

// errorCount stores that a count of errors is zero.
func errorCount(device C.CUhandle, kind, counter C.int, count *C.ulonglong) C.CUresult {
	return board(device, func(b rt.Board) error {
		switch {
		case kind>>1 != 0 || counter>>1 != 0:
			return rt.NVMLInvalidArgument
		case !b.ECC():
			return rt.NVMLNotSupported
		}
		return putInt(count, 0, nil)
	})
}

// pair runs a call about two devices.
func pair(one, other C.CUhandle, f func(equal bool) error) C.CUresult {
	return manage(func(t *rt.Thread) error {
		a, err := t.Runtime().Board(uint64(one))
		if err != nil {
			return err
		}
		b, err := t.Runtime().Board(uint64(other))
		if err != nil {
			return err
		}
		return f(a.Index() == b.Index())
	})
}
