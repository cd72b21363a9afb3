package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// cudaIpcGetMemHandle names device memory for other processes.
//
//cuda:support full
//export ls_cudaIpcGetMemHandle
func ls_cudaIpcGetMemHandle(handle unsafe.Pointer, addr C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if handle == nil {
			return rt.ErrInvalidValue
		}
		h, err := t.IPCGetMemHandle(uint64(addr))
		return put((*rt.Handle)(handle), h, err)
	})
}

// cudaIpcOpenMemHandle maps device memory of another process.
//
//cuda:support partial "an atomic operation on it is atomic only among the kernels of one process"
//export ls_cudaIpcOpenMemHandle
func ls_cudaIpcOpenMemHandle(to *C.uint64_t, handle C.cudaIpcMemHandle_t, flags C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if to == nil {
			return rt.ErrInvalidValue
		}
		addr, err := t.IPCOpenMemHandle(*(*rt.Handle)(unsafe.Pointer(&handle)), uint32(flags))
		return putInt(to, addr, err)
	})
}

// cudaIpcCloseMemHandle gives up device memory of another process.
//
//cuda:support full
//export ls_cudaIpcCloseMemHandle
func ls_cudaIpcCloseMemHandle(addr C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.IPCCloseMemHandle(uint64(addr)) })
}

// cudaIpcGetEventHandle names an event for other processes.
//
//cuda:support full
//export ls_cudaIpcGetEventHandle
func ls_cudaIpcGetEventHandle(handle unsafe.Pointer, event C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		h, err := t.IPCGetEventHandle(uint64(event))
		return put((*rt.Handle)(handle), h, err)
	})
}

// cudaIpcOpenEventHandle opens an event of another process.
//
//cuda:support full
//export ls_cudaIpcOpenEventHandle
func ls_cudaIpcOpenEventHandle(event *C.uint64_t, handle C.cudaIpcEventHandle_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if event == nil {
			return rt.ErrInvalidValue
		}
		h, err := t.IPCOpenEventHandle(*(*rt.Handle)(unsafe.Pointer(&handle)))
		return putInt(event, h, err)
	})
}

// cudaMemPoolExportToShareableHandle names a pool by a file descriptor.
//
//cuda:support full
//export ls_cudaMemPoolExportToShareableHandle
func ls_cudaMemPoolExportToShareableHandle(to *C.int, pool C.uint64_t, kind C.int, flags C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if to == nil {
			return rt.ErrInvalidValue
		}
		fd, err := t.MemPoolExport(uint64(pool), int32(kind), uint32(flags))
		return putInt(to, fd, err)
	})
}

// cudaMemPoolImportFromShareableHandle opens a pool of another process.
//
//cuda:support full
//export ls_cudaMemPoolImportFromShareableHandle
func ls_cudaMemPoolImportFromShareableHandle(pool *C.uint64_t, fd C.uint64_t, kind C.int, flags C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if pool == nil {
			return rt.ErrInvalidValue
		}
		h, err := t.MemPoolImport(int(int32(fd)), int32(kind), uint32(flags))
		return putInt(pool, h, err)
	})
}

// cudaMemPoolExportPointer names an allocation of a pool for other processes.
//
//cuda:support full
//export ls_cudaMemPoolExportPointer
func ls_cudaMemPoolExportPointer(handle unsafe.Pointer, addr C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if handle == nil {
			return rt.ErrInvalidValue
		}
		h, err := t.MemPoolExportPointer(uint64(addr))
		return put((*rt.Handle)(handle), h, err)
	})
}

// cudaMemPoolImportPointer maps an allocation of a pool of another process.
//
//cuda:support full
//export ls_cudaMemPoolImportPointer
func ls_cudaMemPoolImportPointer(to *C.uint64_t, pool C.uint64_t, handle unsafe.Pointer) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if handle == nil || to == nil {
			return rt.ErrInvalidValue
		}
		addr, err := t.MemPoolImportPointer(uint64(pool), *(*rt.Handle)(handle))
		return putInt(to, addr, err)
	})
}
