package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// The one speed at which a model runs, as lists of what is possible.

// one stores a list of one number, or how long the list is where there is no room.
func one(count, list *C.uint, v uint32, err error) error {
	switch {
	case err != nil:
		return err
	case count == nil:
		return rt.NVMLInvalidArgument
	}
	room := *count
	*count = 1
	if room < 1 || list == nil {
		return rt.NVMLInsufficientSize
	}
	*list = C.uint(v)
	return nil
}

// nvmlDeviceGetSupportedMemoryClocks lists the clocks in MHz that memory can have.
//
//cuda:support full "one, at which the model runs"
//export ls_nvmlDeviceGetSupportedMemoryClocks
func ls_nvmlDeviceGetSupportedMemoryClocks(device C.CUhandle, count, clocks *C.uint) C.CUresult {
	return board(device, func(b rt.Board) error {
		v, err := b.Clock(rt.ClockMemory)
		return one(count, clocks, v, err)
	})
}

// nvmlDeviceGetSupportedGraphicsClocks lists the clocks in MHz that multiprocessors can have beside one of memory.
//
//cuda:support full "one, at which the model runs"
//export ls_nvmlDeviceGetSupportedGraphicsClocks
func ls_nvmlDeviceGetSupportedGraphicsClocks(device C.CUhandle, memory C.uint, count, clocks *C.uint) C.CUresult {
	return board(device, func(b rt.Board) error {
		beside, err := b.Clock(rt.ClockMemory)
		if err == nil && uint32(memory) != beside {
			err = rt.NVMLNotFound
		}
		if err != nil {
			return err
		}
		v, err := b.Clock(rt.ClockGraphics)
		return one(count, clocks, v, err)
	})
}

// nvmlDeviceGetSupportedPerformanceStates lists the states that the device can be in: the fastest alone.
//
//cuda:support full "one, in which the model runs"
//export ls_nvmlDeviceGetSupportedPerformanceStates
func ls_nvmlDeviceGetSupportedPerformanceStates(device C.CUhandle, states *C.uint, bytes C.uint) C.CUresult {
	const fastest, unknown = 0, 32
	return board(device, func(rt.Board) error {
		n := bytes / C.uint(unsafe.Sizeof(*states))
		if states == nil || n == 0 {
			return rt.NVMLInvalidArgument
		}
		list := unsafe.Slice(states, int(n))
		for i := range list {
			list[i] = unknown
		}
		list[0] = fastest
		return nil
	})
}

// nvmlDeviceGetEncoderStats tells what the encoder does, which no device has.
//
//cuda:support full
//export ls_nvmlDeviceGetEncoderStats
func ls_nvmlDeviceGetEncoderStats(device C.CUhandle, sessions, rate, latency *C.uint) C.CUresult {
	return board(device, func(rt.Board) error {
		for _, to := range []*C.uint{sessions, rate, latency} {
			if err := putInt(to, 0, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// nvmlDeviceGetAutoBoostedClocksEnabled tells whether clocks rise by themselves.
//
//cuda:support full
//export ls_nvmlDeviceGetAutoBoostedClocksEnabled
func ls_nvmlDeviceGetAutoBoostedClocksEnabled(device C.CUhandle, now, usual *C.uint) C.CUresult {
	return lacking(device)
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
