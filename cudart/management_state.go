package main

// #include "lockstep.h"
import "C"

import (
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

// nvmlDeviceGetGpuOperationMode returns a mode of older devices.
//
//cuda:support full
//export ls_nvmlDeviceGetGpuOperationMode
func ls_nvmlDeviceGetGpuOperationMode(device C.CUhandle, now, next *C.uint) C.CUresult {
	return lacking(device)
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

// nvmlDeviceGetBAR1MemoryInfo describes the window of the bus into memory.
//
//cuda:support partial "the model has none"
//export ls_nvmlDeviceGetBAR1MemoryInfo
func ls_nvmlDeviceGetBAR1MemoryInfo(device C.CUhandle, to unsafe.Pointer) C.CUresult {
	return unmodelled(device, (*byte)(to))
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
