package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/layout"
	"github.com/lockstep-sim/lockstep/cudart/rt"
)

func createTexture(t *rt.Thread, object *C.uint64_t, resource, sampling, view unsafe.Pointer, v layout.Version) error {
	var res layout.ResourceDesc
	var tex layout.TextureDesc
	if err := getStructure(&res, resource, major()); err != nil {
		return err
	}
	if err := getStructure(&tex, sampling, v); err != nil {
		return err
	}
	var part *layout.ResourceViewDesc
	if view != nil {
		part = new(layout.ResourceViewDesc)
		if err := getStructure(part, view, major()); err != nil {
			return err
		}
	}
	h, err := t.CreateTextureObject(&res, &tex, part)
	return putInt(object, h, err)
}

// cudaCreateTextureObject makes a texture object.
//
//cuda:support full
//export ls_cudaCreateTextureObject
func ls_cudaCreateTextureObject(object *C.uint64_t, resource, sampling, view unsafe.Pointer) C.cudaError_t {
	return call(func(t *rt.Thread) error { return createTexture(t, object, resource, sampling, view, major()) })
}

// cudaCreateTextureObject_v2 makes a texture object from CUDA 12's description.
//
//cuda:support full
//export ls_cudaCreateTextureObject_v2
func ls_cudaCreateTextureObject_v2(object *C.uint64_t, resource, sampling, view unsafe.Pointer) C.cudaError_t {
	return call(func(t *rt.Thread) error { return createTexture(t, object, resource, sampling, view, layout.V12) })
}

// cudaDestroyTextureObject gives up a texture object.
//
//cuda:support full
//export ls_cudaDestroyTextureObject
func ls_cudaDestroyTextureObject(object C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.DestroyTextureObject(uint64(object)) })
}

// cudaGetTextureObjectResourceDesc describes where a texture object's elements lie.
//
//cuda:support full
//export ls_cudaGetTextureObjectResourceDesc
func ls_cudaGetTextureObjectResourceDesc(desc unsafe.Pointer, object C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		d, _, _, err := t.GetTextureObjectDescs(uint64(object))
		return putStructure(desc, d, major(), err)
	})
}

// cudaGetTextureObjectTextureDesc describes how a texture object is read.
//
//cuda:support full
//export ls_cudaGetTextureObjectTextureDesc
func ls_cudaGetTextureObjectTextureDesc(desc unsafe.Pointer, object C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		_, d, _, err := t.GetTextureObjectDescs(uint64(object))
		return putStructure(desc, d, major(), err)
	})
}

// cudaGetTextureObjectTextureDesc_v2 describes how a texture object is read, as
// CUDA 12 does.
//
//cuda:support full
//export ls_cudaGetTextureObjectTextureDesc_v2
func ls_cudaGetTextureObjectTextureDesc_v2(desc unsafe.Pointer, object C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		_, d, _, err := t.GetTextureObjectDescs(uint64(object))
		return putStructure(desc, d, layout.V12, err)
	})
}

// cudaGetTextureObjectResourceViewDesc describes a texture object's view.
//
//cuda:support full
//export ls_cudaGetTextureObjectResourceViewDesc
func ls_cudaGetTextureObjectResourceViewDesc(desc unsafe.Pointer, object C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		_, _, d, err := t.GetTextureObjectDescs(uint64(object))
		if err == nil && d == nil {
			d = new(layout.ResourceViewDesc) // no view at all (measured)
		}
		return putStructure(desc, d, major(), err)
	})
}

// cudaCreateSurfaceObject makes a surface object.
//
//cuda:support full
//export ls_cudaCreateSurfaceObject
func ls_cudaCreateSurfaceObject(object *C.uint64_t, resource unsafe.Pointer) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		var res layout.ResourceDesc
		if object == nil {
			return rt.ErrInvalidValue
		}
		if err := getStructure(&res, resource, major()); err != nil {
			return err
		}
		h, err := t.CreateSurfaceObject(&res)
		return putInt(object, h, err)
	})
}

// cudaDestroySurfaceObject gives up a surface object.
//
//cuda:support full
//export ls_cudaDestroySurfaceObject
func ls_cudaDestroySurfaceObject(object C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.DestroySurfaceObject(uint64(object)) })
}

// cudaGetSurfaceObjectResourceDesc describes where a surface object's elements lie.
//
//cuda:support full
//export ls_cudaGetSurfaceObjectResourceDesc
func ls_cudaGetSurfaceObjectResourceDesc(desc unsafe.Pointer, object C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		d, err := t.GetSurfaceObjectDesc(uint64(object))
		return putStructure(desc, d, major(), err)
	})
}

// bindTexture binds a reference to linear memory. Without a description that of
// the reference counts.
func bindTexture(t *rt.Thread, offset *C.size_t, reference, addr C.uint64_t, desc *C.cudaChannelFormatDesc, size C.size_t) error {
	if desc == nil {
		return rt.ErrInvalidValue
	}
	o, err := t.BindTexture(uint64(reference), uint64(addr), channel(desc), uint64(size))
	return putOffset(offset, o, err)
}

// putOffset stores the offset of a bound texture. A program that does not ask for
// it cannot bind memory that has one.
func putOffset(to *C.size_t, offset uint64, err error) error {
	if err != nil {
		return err
	}
	if to == nil {
		if offset != 0 {
			return rt.ErrInvalidValue
		}
		return nil
	}
	*to = C.size_t(offset)
	return nil
}

// cudaBindTexture binds a texture reference to linear memory.
//
//cuda:support full
//export ls_cudaBindTexture
func ls_cudaBindTexture(offset *C.size_t, reference, addr C.uint64_t, desc *C.cudaChannelFormatDesc, size C.size_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return bindTexture(t, offset, reference, addr, desc, size) })
}

// cudaBindTexture2D binds a texture reference to pitched memory.
//
//cuda:support full
//export ls_cudaBindTexture2D
func ls_cudaBindTexture2D(offset *C.size_t, reference, addr C.uint64_t, desc *C.cudaChannelFormatDesc, width, height, pitch C.size_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		if desc == nil {
			return rt.ErrInvalidValue
		}
		o, err := t.BindTexture2D(uint64(reference), uint64(addr), channel(desc), rt.Extent{Width: uint64(width), Height: uint64(height)}, uint64(pitch))
		return putOffset(offset, o, err)
	})
}

// cudaBindTextureToArray binds a texture reference to an array.
//
//cuda:support full
//export ls_cudaBindTextureToArray
func ls_cudaBindTextureToArray(reference, array C.uint64_t, desc *C.cudaChannelFormatDesc) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.BindArray(uint64(reference), uint64(array)) })
}

// cudaBindSurfaceToArray binds a surface reference to an array.
//
//cuda:support full
//export ls_cudaBindSurfaceToArray
func ls_cudaBindSurfaceToArray(reference, array C.uint64_t, desc *C.cudaChannelFormatDesc) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.BindArray(uint64(reference), uint64(array)) })
}

// cudaUnbindTexture ends what the binding calls did.
//
//cuda:support full
//export ls_cudaUnbindTexture
func ls_cudaUnbindTexture(reference C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error { return t.UnbindTexture(uint64(reference)) })
}

// cudaGetTextureAlignmentOffset returns the offset of a bound texture.
//
//cuda:support full
//export ls_cudaGetTextureAlignmentOffset
func ls_cudaGetTextureAlignmentOffset(offset *C.size_t, reference C.uint64_t) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		o, err := t.GetTextureAlignmentOffset(uint64(reference))
		return putInt(offset, o, err)
	})
}

// cudaGetTextureReference returns the reference that a symbol is.
//
//cuda:support full
//export ls_cudaGetTextureReference
func ls_cudaGetTextureReference(reference *C.uint64_t, symbol C.uint64_t) C.cudaError_t {
	return getReference(reference, symbol, false)
}

func getReference(reference *C.uint64_t, symbol C.uint64_t, surface bool) C.cudaError_t {
	return call(func(t *rt.Thread) error {
		return putInt(reference, uint64(symbol), t.CheckReference(uint64(symbol), surface))
	})
}

// cudaGetSurfaceReference returns the reference that a symbol is.
//
//cuda:support full
//export ls_cudaGetSurfaceReference
func ls_cudaGetSurfaceReference(reference *C.uint64_t, symbol C.uint64_t) C.cudaError_t {
	return getReference(reference, symbol, true)
}
