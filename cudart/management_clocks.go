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
