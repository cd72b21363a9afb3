package main

// #include "lockstep.h"
import "C"

import (
	"strings"
	"sync"
	"unsafe"
)

// entry is a form of a driver function: a symbol and the release that brought it.
type entry struct {
	index     int
	since     int
	perThread bool // takes handle 0 for the thread's own default stream
}

// driverEntries are the forms of each driver function by its name, cuMemAlloc for cuMemAlloc and cuMemAlloc_v2.
var driverEntries = sync.OnceValue(func() map[string][]entry {
	count := int(C.ls_symbol_count)
	groups := unsafe.Slice((*uint8)(unsafe.Pointer(&C.ls_groups)), count)
	since := unsafe.Slice((*uint32)(unsafe.Pointer(&C.ls_since)), count)
	all := map[string][]entry{}
	for i, name := range symbolNames() {
		if groups[i] != C.LS_DRIVER {
			continue
		}
		base := strings.TrimSuffix(strings.TrimSuffix(name, "_ptds"), "_ptsz")
		function := unversioned(base)
		all[function] = append(all[function], entry{i, int(since[i]), base != name})
	}
	return all
})

// unversioned is a name without its _v2.
func unversioned(name string) string {
	if i := strings.LastIndex(name, "_v"); i > 0 && len(name) == i+len("_v2") && name[i+2] >= '2' && name[i+2] <= '9' {
		return name[:i]
	}
	return name
}

// driverSymbol finds the newest form of a function that a release has. Functions without a stream have no form for
// per-thread default streams; then the other one is meant, as it is before CUDA 7.
func driverSymbol(name string, version int, perThread bool) (index int, found C.int) {
	var best entry
	known := driverEntries()[name]
	for _, e := range known {
		if e.since > version || e.perThread && !perThread {
			continue
		}
		if newer := e.since > best.since; newer || e.perThread && !best.perThread {
			best = e
		}
	}
	switch {
	case best.since != 0:
		return best.index, procFound
	case len(known) > 0:
		return 0, procTooNew
	}
	return 0, procUnknown
}
