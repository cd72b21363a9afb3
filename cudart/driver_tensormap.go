package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
	"github.com/lockstep-sim/lockstep/gpu/isa/tensormap"
)

// maxTensorRank is the highest rank of a tensor map; requests of others are refused before their lists are read.
const maxTensorRank = 5

// list is a program's list of n numbers as another type of that size.
func list[T, E any](from *E, n int) []T {
	if from == nil || n <= 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(from)), n)
}

// tensorRequest reads what all kinds of tensor maps have in common.
func tensorRequest(m *C.CUtensorMap, r *tensormap.Request, dims, strides *C.uint64_t, steps *C.uint) error {
	if m == nil || dims == nil || strides == nil && r.Rank > 1 || steps == nil {
		return rt.ErrInvalidValue
	}
	if rank := int(r.Rank); rank <= maxTensorRank {
		r.Dims, r.Strides, r.Steps = list[uint64](dims, rank), list[uint64](strides, rank-1), list[uint32](steps, rank)
	}
	return nil
}

// putTensorMap encodes a request into the program's object.
func putTensorMap(t *rt.Thread, m *C.CUtensorMap, r tensormap.Request, encode func(tensormap.Request) ([tensormap.Size]byte, error)) error {
	newer, err := t.TensorMaps()
	if err != nil {
		return err
	}
	r.Newer = newer
	b, err := encode(r)
	if err != nil {
		return &rt.Failure{Code: rt.ErrInvalidValue, Reason: err.Error()}
	}
	*(*[tensormap.Size]byte)(unsafe.Pointer(m)) = b
	return nil
}

// cuTensorMapEncodeTiled describes a tensor whose boxes are rectangles.
//
//cuda:support full
//export ls_cuTensorMapEncodeTiled
func ls_cuTensorMapEncodeTiled(m *C.CUtensorMap, kind C.int, rank C.uint, addr C.uint64_t, dims, strides *C.uint64_t, box, steps *C.uint, interleave, swizzle, promotion, fill C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		r := tensormap.Request{Type: uint32(kind), Rank: uint32(rank), Address: uint64(addr)}
		if err := tensorRequest(m, &r, dims, strides, steps); err != nil {
			return err
		}
		if box == nil {
			return rt.ErrInvalidValue
		}
		if rank <= maxTensorRank {
			r.Box = list[uint32](box, int(rank))
		}
		r.Interleave, r.Swizzle, r.Promotion, r.Fill = uint32(interleave), uint32(swizzle), uint32(promotion), uint32(fill)
		return putTensorMap(t, m, r, tensormap.EncodeTiled)
	})
}

// cuTensorMapEncodeIm2col describes a tensor that is read as columns of an image.
//
//cuda:support full
//export ls_cuTensorMapEncodeIm2col
func ls_cuTensorMapEncodeIm2col(m *C.CUtensorMap, kind C.int, rank C.uint, addr C.uint64_t, dims, strides *C.uint64_t, lower, upper *C.int, channels, pixels C.uint, steps *C.uint, interleave, swizzle, promotion, fill C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		r := tensormap.Request{Type: uint32(kind), Rank: uint32(rank), Address: uint64(addr)}
		if err := tensorRequest(m, &r, dims, strides, steps); err != nil {
			return err
		}
		if lower == nil || upper == nil {
			return rt.ErrInvalidValue
		}
		if rank <= maxTensorRank {
			r.Lower, r.Upper = list[int32](lower, int(rank)-2), list[int32](upper, int(rank)-2)
		}
		r.Channels, r.Pixels = uint32(channels), uint32(pixels)
		r.Interleave, r.Swizzle, r.Promotion, r.Fill = uint32(interleave), uint32(swizzle), uint32(promotion), uint32(fill)
		return putTensorMap(t, m, r, tensormap.EncodeIm2col)
	})
}

// cuTensorMapEncodeIm2colWide describes a tensor that is read as columns of an image along its width.
//
//cuda:support full
//export ls_cuTensorMapEncodeIm2colWide
func ls_cuTensorMapEncodeIm2colWide(m *C.CUtensorMap, kind C.int, rank C.uint, addr C.uint64_t, dims, strides *C.uint64_t, lower, upper C.int, channels, pixels C.uint, steps *C.uint, interleave, mode, swizzle, promotion, fill C.int) C.CUresult {
	return call(func(t *rt.Thread) error {
		r := tensormap.Request{Type: uint32(kind), Rank: uint32(rank), Address: uint64(addr)}
		if err := tensorRequest(m, &r, dims, strides, steps); err != nil {
			return err
		}
		r.Lower, r.Upper = []int32{int32(lower)}, []int32{int32(upper)}
		r.Channels, r.Pixels, r.Wide = uint32(channels), uint32(pixels), uint32(mode)
		r.Interleave, r.Swizzle, r.Promotion, r.Fill = uint32(interleave), uint32(swizzle), uint32(promotion), uint32(fill)
		return putTensorMap(t, m, r, tensormap.EncodeIm2colWide)
	})
}

// cuTensorMapReplaceAddress moves a tensor map to another address.
//
//cuda:support full
//export ls_cuTensorMapReplaceAddress
func ls_cuTensorMapReplaceAddress(m *C.CUtensorMap, addr C.uint64_t) C.CUresult {
	return call(func(t *rt.Thread) error {
		if m == nil || addr == 0 {
			return rt.ErrInvalidValue
		}
		if err := tensormap.ReplaceAddress((*[tensormap.Size]byte)(unsafe.Pointer(m))[:], uint64(addr)); err != nil {
			return &rt.Failure{Code: rt.ErrInvalidValue, Reason: err.Error()}
		}
		return nil
	})
}
