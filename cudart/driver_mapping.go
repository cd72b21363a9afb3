package main

// #include "lockstep.h"
import "C"

import (
	"encoding/binary"
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// cuMemGetAllocationGranularity returns the unit of memory that is mapped.
//
//cuda:support full
//export ls_cuMemGetAllocationGranularity
func ls_cuMemGetAllocationGranularity(granularity *C.size_t, properties *C.CUmemAllocationProp, option C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		if properties == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.AllocationGranularity(int(option))
		return putInt(granularity, v, err)
	})
}

// cuMemAddressReserve reserves addresses.
//
//cuda:support full
//export ls_cuMemAddressReserve
func ls_cuMemAddressReserve(addr *C.CUdeviceptr, size, align C.size_t, wish C.CUdeviceptr, flags C.ulonglong) C.CUresult {
	return call(func(t *rt.Thread) error {
		if addr == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.AddressReserve(uint64(size), uint64(align), uint64(wish), uint64(flags))
		return putInt(addr, v, err)
	})
}

// cuMemAddressFree gives reserved addresses back.
//
//cuda:support full
//export ls_cuMemAddressFree
func ls_cuMemAddressFree(addr C.CUdeviceptr, size C.size_t) C.CUresult {
	return call(func(t *rt.Thread) error { return t.AddressFree(uint64(addr), uint64(size)) })
}

func allocation(p *C.CUmemAllocationProp) rt.AllocationProperties {
	flags := (*[8]byte)(unsafe.Pointer(&p.allocFlags))
	return rt.AllocationProperties{
		Type: int32(p._type), Handles: int32(p.requestedHandleTypes), Location: rt.Location{Type: int32(p.location._type), ID: int32(p.location.id)},
		Compression: flags[0], RDMA: flags[1], Usage: binary.LittleEndian.Uint16(flags[2:]), Reserved: binary.LittleEndian.Uint32(flags[4:]),
	}
}

// cuMemCreate makes memory without an address.
//
//cuda:support full
//export ls_cuMemCreate
func ls_cuMemCreate(handle *C.CUhandle, size C.size_t, properties *C.CUmemAllocationProp, flags C.ulonglong) C.CUresult {
	return call(func(t *rt.Thread) error {
		if handle == nil || properties == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.MemCreate(uint64(size), allocation(properties), uint64(flags))
		return putInt(handle, v, err)
	})
}

// cuMemRelease lets go of memory.
//
//cuda:support full
//export ls_cuMemRelease
func ls_cuMemRelease(handle C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error { return t.MemRelease(uint64(handle)) })
}

// cuMemMap puts memory at a reserved address.
//
//cuda:support full
//export ls_cuMemMap
func ls_cuMemMap(addr C.CUdeviceptr, size, offset C.size_t, handle C.CUhandle, flags C.ulonglong) C.CUresult {
	return call(func(t *rt.Thread) error {
		return t.MemMap(uint64(addr), uint64(size), uint64(offset), uint64(handle), uint64(flags))
	})
}

// cuMemUnmap takes it away again.
//
//cuda:support full
//export ls_cuMemUnmap
func ls_cuMemUnmap(addr C.CUdeviceptr, size C.size_t) C.CUresult {
	return call(func(t *rt.Thread) error { return t.MemUnmap(uint64(addr), uint64(size)) })
}

// cuMemSetAccess says which devices may access mapped memory.
//
//cuda:support full
//export ls_cuMemSetAccess
func ls_cuMemSetAccess(addr C.CUdeviceptr, size C.size_t, list *C.CUmemAccessDesc, count C.size_t) C.CUresult {
	return call(func(t *rt.Thread) error {
		if list == nil {
			return rt.ErrInvalidValue
		}
		var all []rt.Access
		for _, a := range unsafe.Slice(list, int(count)) {
			all = append(all, rt.Access{Location: rt.Location{Type: int32(a.location._type), ID: int32(a.location.id)}, Flags: int32(a.flags)})
		}
		return t.MemSetAccess(uint64(addr), uint64(size), all)
	})
}

// cuMemGetAccess tells whether a device may access mapped memory.
//
//cuda:support full
//export ls_cuMemGetAccess
func ls_cuMemGetAccess(flags *C.ulonglong, where *C.cudaMemLocation, addr C.CUdeviceptr) C.CUresult {
	return call(func(t *rt.Thread) error {
		if where == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.MemGetAccess(rt.Location{Type: int32(where._type), ID: int32(where.id)}, uint64(addr))
		return putInt(flags, v, err)
	})
}

// cuMemRetainAllocationHandle returns a handle of what is mapped at an address.
//
//cuda:support full
//export ls_cuMemRetainAllocationHandle
func ls_cuMemRetainAllocationHandle(handle *C.CUhandle, addr C.uint64_t) C.CUresult {
	return call(func(t *rt.Thread) error {
		if handle == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.RetainAllocation(uint64(addr))
		return putInt(handle, v, err)
	})
}

// cuMemGetAllocationPropertiesFromHandle describes memory.
//
//cuda:support full
//export ls_cuMemGetAllocationPropertiesFromHandle
func ls_cuMemGetAllocationPropertiesFromHandle(properties *C.CUmemAllocationProp, handle C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		p, err := t.AllocationProperties(uint64(handle))
		return put(properties, C.CUmemAllocationProp{
			_type: C.int(p.Type), requestedHandleTypes: C.int(p.Handles), location: C.cudaMemLocation{_type: C.int(p.Location.Type), id: C.int(p.ID)},
			allocFlags: [8]C.uchar{C.uchar(p.Compression), C.uchar(p.RDMA)},
		}, err)
	})
}

// cuMemExportToShareableHandle names memory for other processes.
//
//cuda:support full "by file descriptors, as on a card without fabric (IMEX)"
//export ls_cuMemExportToShareableHandle
func ls_cuMemExportToShareableHandle(to *C.int, handle C.CUhandle, kind C.int, flags C.ulonglong) C.CUresult {
	return call(func(t *rt.Thread) error {
		if to == nil {
			return rt.ErrInvalidValue
		}
		fd, err := t.MemExport(uint64(handle), int32(kind), uint64(flags))
		return putInt(to, fd, err)
	})
}

// cuMemImportFromShareableHandle opens memory of another process.
//
//cuda:support full "by file descriptors, as on a card without fabric (IMEX)"
//export ls_cuMemImportFromShareableHandle
func ls_cuMemImportFromShareableHandle(handle *C.CUhandle, fd C.uint64_t, kind C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		if handle == nil {
			return rt.ErrInvalidValue
		}
		v, err := t.MemImport(int(int32(fd)), int32(kind))
		return putInt(handle, v, err)
	})
}
