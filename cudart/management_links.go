package main

// #include "lockstep.h"
import "C"

import (
	"runtime"
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// What lies around a device: links, buses, other devices, the processors of the host.

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
