package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// cudaMallocMipmappedArray makes a mipmapped array.
//
//cuda:support full
//export ls_cudaMallocMipmappedArray
func ls_cudaMallocMipmappedArray(array *C.uint64_t, desc *C.cudaChannelFormatDesc, size C.cudaExtent, levels, flags C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if desc == nil || array == nil {
			return rt.ErrInvalidValue
		}
		h, err := t.MallocMipmappedArray(channel(desc), extent(size), uint32(levels), uint32(flags))
		return putInt(array, h, err)
	})
}

// cudaGetMipmappedArrayLevel returns a level as an array.
//
//cuda:support full
//export ls_cudaGetMipmappedArrayLevel
func ls_cudaGetMipmappedArrayLevel(array *C.uint64_t, mipmap C.uint64_t, level C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		h, err := t.GetMipmappedArrayLevel(uint64(mipmap), uint32(level))
		return putInt(array, h, err)
	})
}

// cudaFreeMipmappedArray gives up a mipmapped array with its levels.
//
//cuda:support full
//export ls_cudaFreeMipmappedArray
func ls_cudaFreeMipmappedArray(mipmap C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.FreeMipmappedArray(uint64(mipmap)) })
}

// cudaArrayGetPlane returns a plane of an array of several.
//
//cuda:support full
//export ls_cudaArrayGetPlane
func ls_cudaArrayGetPlane(plane *C.uint64_t, array C.uint64_t, index C.uint) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		h, err := t.ArrayGetPlane(uint64(array), uint32(index))
		return putInt(plane, h, err)
	})
}

// requirements is cudaArrayMemoryRequirements.
type requirements struct {
	size, alignment uint64
	reserved        [4]uint32
}

// putRequirements stores requirements, none with an error (measured).
func putRequirements(to unsafe.Pointer, r rt.Requirements, err error) error {
	if to == nil {
		return rt.ErrInvalidValue
	}
	*(*requirements)(to) = requirements{size: r.Size, alignment: r.Alignment}
	return err
}

// cudaArrayGetMemoryRequirements tells what memory a deferred array needs.
//
//cuda:support full
//export ls_cudaArrayGetMemoryRequirements
func ls_cudaArrayGetMemoryRequirements(to unsafe.Pointer, array C.uint64_t, device C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		r, err := t.ArrayGetMemoryRequirements(uint64(array), int(device))
		return putRequirements(to, r, err)
	})
}

// cudaMipmappedArrayGetMemoryRequirements tells what memory a deferred mipmapped
// array needs.
//
//cuda:support full
//export ls_cudaMipmappedArrayGetMemoryRequirements
func ls_cudaMipmappedArrayGetMemoryRequirements(to unsafe.Pointer, mipmap C.uint64_t, device C.int) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		r, err := t.MipmappedArrayGetMemoryRequirements(uint64(mipmap), int(device))
		return putRequirements(to, r, err)
	})
}

// sparseProperties is cudaArraySparseProperties.
type sparseProperties struct {
	rt.Sparse
	reserved [4]uint32
}

// cudaArrayGetSparseProperties describes a sparse array.
//
//cuda:support full
//export ls_cudaArrayGetSparseProperties
func ls_cudaArrayGetSparseProperties(to unsafe.Pointer, array C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		s, err := t.ArrayGetSparseProperties(uint64(array))
		return put((*sparseProperties)(to), sparseProperties{Sparse: s}, err)
	})
}

// cudaMipmappedArrayGetSparseProperties describes a sparse mipmapped array.
//
//cuda:support full
//export ls_cudaMipmappedArrayGetSparseProperties
func ls_cudaMipmappedArrayGetSparseProperties(to unsafe.Pointer, mipmap C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		s, err := t.MipmappedArrayGetSparseProperties(uint64(mipmap))
		return put((*sparseProperties)(to), sparseProperties{Sparse: s}, err)
	})
}

// cudaBindTextureToMipmappedArray binds a texture reference to a mipmapped array.
//
//cuda:support full
//export ls_cudaBindTextureToMipmappedArray
func ls_cudaBindTextureToMipmappedArray(reference, mipmap C.uint64_t, desc *C.cudaChannelFormatDesc) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.BindMipmap(uint64(reference), uint64(mipmap)) })
}
