package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// cuTexRefCreate makes a texture reference of no module.
//
//cuda:support full
//export ls_cuTexRefCreate
func ls_cuTexRefCreate(reference *C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.TexRefCreate()
		return putInt(reference, v, err)
	})
}

// cuTexRefDestroy destroys a texture reference.
//
//cuda:support full
//export ls_cuTexRefDestroy
func ls_cuTexRefDestroy(reference C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error { return t.TexRefDestroy(uint64(reference)) })
}

// cuTexRefSetArray binds an array.
//
//cuda:support full
//export ls_cuTexRefSetArray
func ls_cuTexRefSetArray(reference, array C.CUhandle, flags C.uint) C.CUresult {
	return call(func(t *rt.Thread) error { return t.TexRefSetArray(uint64(reference), uint64(array)) })
}

// cuTexRefSetMipmappedArray binds a mipmapped array.
//
//cuda:support full
//export ls_cuTexRefSetMipmappedArray
func ls_cuTexRefSetMipmappedArray(reference, array C.CUhandle, flags C.uint) C.CUresult {
	return call(func(t *rt.Thread) error { return t.TexRefSetMipmap(uint64(reference), uint64(array)) })
}

// cuTexRefSetAddress_v2 binds linear memory.
//
//cuda:support full
//export ls_cuTexRefSetAddress_v2
func ls_cuTexRefSetAddress_v2(offset *C.size_t, reference C.CUhandle, addr C.CUdeviceptr, size C.size_t) C.CUresult {
	return call(func(t *rt.Thread) error {
		v, err := t.TexRefSetAddress(uint64(reference), uint64(addr), uint64(size), offset != nil)
		if err == nil && offset != nil {
			*offset = C.size_t(v)
		}
		return err
	})
}

// cuTexRefSetAddress2D_v3 binds pitched memory.
//
//cuda:support full
//export ls_cuTexRefSetAddress2D_v3
func ls_cuTexRefSetAddress2D_v3(reference C.CUhandle, desc *C.CUDA_ARRAY_DESCRIPTOR, addr C.CUdeviceptr, pitch C.size_t) C.CUresult {
	return call(func(t *rt.Thread) error {
		if desc == nil {
			return rt.ErrInvalidValue
		}
		a := rt.DriverArray{Extent: rt.Extent{Width: uint64(desc.Width), Height: uint64(desc.Height)}, Format: int32(desc.Format), Channels: int(desc.NumChannels)}
		return t.TexRefSetAddress2D(uint64(reference), a, uint64(addr), uint64(pitch))
	})
}

// cuTexRefSetAddress2D_v2 is cuTexRefSetAddress2D_v3.
//
//cuda:support full
//export ls_cuTexRefSetAddress2D_v2
func ls_cuTexRefSetAddress2D_v2(reference C.CUhandle, desc *C.CUDA_ARRAY_DESCRIPTOR, addr C.CUdeviceptr, pitch C.size_t) C.CUresult {
	return ls_cuTexRefSetAddress2D_v3(reference, desc, addr, pitch)
}

// cuTexRefSetFormat sets the format of elements.
//
//cuda:support full
//export ls_cuTexRefSetFormat
func ls_cuTexRefSetFormat(reference C.CUhandle, format, channels C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		return t.TexRefSet(uint64(reference), func(r *rt.TexRef) error {
			return r.SetFormat(int32(format), int(channels))
		})
	})
}

// cuTexRefSetFlags sets how elements are read.
//
//cuda:support full
//export ls_cuTexRefSetFlags
func ls_cuTexRefSetFlags(reference C.CUhandle, flags C.uint) C.CUresult {
	return call(func(t *rt.Thread) error {
		return t.TexRefSet(uint64(reference), func(r *rt.TexRef) error {
			return r.SetFlags(uint32(flags))
		})
	})
}

// cuTexRefSetAddressMode sets what is read outside.
//
//cuda:support full
//export ls_cuTexRefSetAddressMode
func ls_cuTexRefSetAddressMode(reference C.CUhandle, dimension, mode C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		return t.TexRefSet(uint64(reference), func(r *rt.TexRef) error {
			return r.SetAddressMode(int(dimension), int32(mode))
		})
	})
}

// cuTexRefSetFilterMode sets the filter.
//
//cuda:support full
//export ls_cuTexRefSetFilterMode
func ls_cuTexRefSetFilterMode(reference C.CUhandle, mode C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		return t.TexRefSet(uint64(reference), func(r *rt.TexRef) error {
			r.Filter = int32(mode)
			return nil
		})
	})
}

// cuTexRefSetMipmapFilterMode sets the filter between levels.
//
//cuda:support full
//export ls_cuTexRefSetMipmapFilterMode
func ls_cuTexRefSetMipmapFilterMode(reference C.CUhandle, mode C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		return t.TexRefSet(uint64(reference), func(r *rt.TexRef) error {
			return r.SetMipFilter(int32(mode))
		})
	})
}

// cuTexRefSetMipmapLevelBias sets the bias of levels.
//
//cuda:support full
//export ls_cuTexRefSetMipmapLevelBias
func ls_cuTexRefSetMipmapLevelBias(reference C.CUhandle, bias C.float) C.CUresult {
	return call(func(t *rt.Thread) error {
		return t.TexRefSet(uint64(reference), func(r *rt.TexRef) error {
			r.Bias = float32(bias)
			return nil
		})
	})
}

// cuTexRefSetMipmapLevelClamp sets the range of levels.
//
//cuda:support full
//export ls_cuTexRefSetMipmapLevelClamp
func ls_cuTexRefSetMipmapLevelClamp(reference C.CUhandle, low, high C.float) C.CUresult {
	return call(func(t *rt.Thread) error {
		return t.TexRefSet(uint64(reference), func(r *rt.TexRef) error {
			r.Clamp = [2]float32{float32(low), float32(high)}
			return nil
		})
	})
}

// cuTexRefSetMaxAnisotropy sets the anisotropy.
//
//cuda:support full
//export ls_cuTexRefSetMaxAnisotropy
func ls_cuTexRefSetMaxAnisotropy(reference C.CUhandle, most C.uint) C.CUresult {
	return call(func(t *rt.Thread) error {
		return t.TexRefSet(uint64(reference), func(r *rt.TexRef) error {
			r.Anisotropy = uint32(most)
			return nil
		})
	})
}

// cuTexRefSetBorderColor sets the colour outside.
//
//cuda:support full
//export ls_cuTexRefSetBorderColor
func ls_cuTexRefSetBorderColor(reference C.CUhandle, colour *C.float) C.CUresult {
	return call(func(t *rt.Thread) error {
		if colour == nil {
			return rt.ErrInvalidValue
		}
		border := [4]float32(unsafe.Slice((*float32)(colour), 4))
		return t.TexRefSet(uint64(reference), func(r *rt.TexRef) error {
			r.Border = border
			return nil
		})
	})
}

// cuTexRefGetArray returns the array that is bound.
//
//cuda:support full
//export ls_cuTexRefGetArray
func ls_cuTexRefGetArray(array *C.CUhandle, reference C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		r, err := t.TexRefGet(uint64(reference))
		if err == nil && r.Array == 0 {
			return rt.ErrInvalidValue
		}
		return putInt(array, r.Array, err)
	})
}

// cuTexRefGetMipmappedArray returns the mipmapped array that is bound.
//
//cuda:support full
//export ls_cuTexRefGetMipmappedArray
func ls_cuTexRefGetMipmappedArray(array *C.CUhandle, reference C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		r, err := t.TexRefGet(uint64(reference))
		if err == nil && r.Mipmap == 0 {
			return rt.ErrInvalidValue
		}
		return putInt(array, r.Mipmap, err)
	})
}

// cuTexRefGetAddress_v2 returns the linear memory that is bound.
//
//cuda:support full
//export ls_cuTexRefGetAddress_v2
func ls_cuTexRefGetAddress_v2(addr *C.CUdeviceptr, reference C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		r, err := t.TexRefGet(uint64(reference))
		if err == nil && r.Base == 0 {
			return rt.ErrInvalidValue
		}
		return putInt(addr, r.Base, err)
	})
}

// cuTexRefGetFormat returns the format of elements.
//
//cuda:support full
//export ls_cuTexRefGetFormat
func ls_cuTexRefGetFormat(format, channels *C.int, reference C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		r, err := t.TexRefGet(uint64(reference))
		if err == nil && channels != nil {
			*channels = C.int(r.Channels)
		}
		return putInt(format, r.Format, err)
	})
}

// cuTexRefGetFlags returns how elements are read.
//
//cuda:support full
//export ls_cuTexRefGetFlags
func ls_cuTexRefGetFlags(flags *C.uint, reference C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		r, err := t.TexRefGet(uint64(reference))
		return putInt(flags, r.Flags, err)
	})
}

// cuTexRefGetAddressMode returns what is read outside.
//
//cuda:support full
//export ls_cuTexRefGetAddressMode
func ls_cuTexRefGetAddressMode(mode *C.int, reference C.CUhandle, dimension C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		r, err := t.TexRefGet(uint64(reference))
		if err == nil && (dimension < 0 || int(dimension) >= len(r.Address)) {
			return rt.ErrInvalidValue
		}
		if err != nil {
			return err
		}
		return putInt(mode, r.Address[dimension], nil)
	})
}

// cuTexRefGetFilterMode returns the filter.
//
//cuda:support full
//export ls_cuTexRefGetFilterMode
func ls_cuTexRefGetFilterMode(mode *C.int, reference C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		r, err := t.TexRefGet(uint64(reference))
		return putInt(mode, r.Filter, err)
	})
}

// cuTexRefGetMipmapFilterMode returns the filter between levels.
//
//cuda:support full
//export ls_cuTexRefGetMipmapFilterMode
func ls_cuTexRefGetMipmapFilterMode(mode *C.int, reference C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		r, err := t.TexRefGet(uint64(reference))
		return putInt(mode, r.MipFilter, err)
	})
}

// cuTexRefGetMipmapLevelBias returns the bias of levels.
//
//cuda:support full
//export ls_cuTexRefGetMipmapLevelBias
func ls_cuTexRefGetMipmapLevelBias(bias *C.float, reference C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		r, err := t.TexRefGet(uint64(reference))
		return put((*float32)(bias), r.Bias, err)
	})
}

// cuTexRefGetMipmapLevelClamp returns the range of levels.
//
//cuda:support full
//export ls_cuTexRefGetMipmapLevelClamp
func ls_cuTexRefGetMipmapLevelClamp(low, high *C.float, reference C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		r, err := t.TexRefGet(uint64(reference))
		if err = put((*float32)(low), r.Clamp[0], err); err != nil {
			return err
		}
		return put((*float32)(high), r.Clamp[1], nil)
	})
}

// cuTexRefGetMaxAnisotropy returns the anisotropy.
//
//cuda:support full
//export ls_cuTexRefGetMaxAnisotropy
func ls_cuTexRefGetMaxAnisotropy(most *C.int, reference C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		r, err := t.TexRefGet(uint64(reference))
		return putInt(most, r.Anisotropy, err)
	})
}

// cuTexRefGetBorderColor returns the colour outside.
//
//cuda:support full
//export ls_cuTexRefGetBorderColor
func ls_cuTexRefGetBorderColor(colour *C.float, reference C.CUhandle) C.CUresult {
	return call(func(t *rt.Thread) error {
		r, err := t.TexRefGet(uint64(reference))
		if err != nil {
			return err
		}
		if colour == nil {
			return rt.ErrInvalidValue
		}
		copy(unsafe.Slice((*float32)(colour), 4), r.Border[:])
		return nil
	})
}

// cuSurfRefSetArray binds an array.
//
//cuda:support full
//export ls_cuSurfRefSetArray
func ls_cuSurfRefSetArray(reference, array C.CUhandle, flags C.uint) C.CUresult {
	return call(func(t *rt.Thread) error {
		if flags != 0 {
			return rt.ErrInvalidValue
		}
		return t.TexRefSetArray(uint64(reference), uint64(array))
	})
}

// cuSurfRefGetArray returns the array that is bound.
//
//cuda:support full
//export ls_cuSurfRefGetArray
func ls_cuSurfRefGetArray(array *C.CUhandle, reference C.CUhandle) C.CUresult {
	return ls_cuTexRefGetArray(array, reference)
}
