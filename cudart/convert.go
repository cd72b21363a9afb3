package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/layout"
	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// Addresses and handles of the program are C.uint64_t in exports: they are
// numbers here, and never followed by Go.

// put stores a result through the program's pointer, if there was no error.
func put[T any](to *T, v T, err error) error {
	if err != nil {
		return err
	}
	if to == nil {
		return rt.ErrInvalidValue
	}
	*to = v
	return nil
}

// putInt is put for numbers that Go and C have different types for.
func putInt[T ~int32 | ~uint32 | ~int64 | ~uint64, V ~int | ~int32 | ~uint32 | ~uint64](to *T, v V, err error) error {
	return put(to, T(v), err)
}

// flag is how C sees a bool.
func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// major is the layout of the program's structures.
func major() layout.Version { return layout.Of(theRuntime().Major()) }

// structure is a type of cudart/layout.
type structure interface {
	Size(v layout.Version) int
	Put(b []byte, v layout.Version)
	Get(b []byte, v layout.Version)
}

// putStructure stores a structure through the program's pointer, if there was no
// error.
func putStructure(to unsafe.Pointer, s structure, v layout.Version, err error) error {
	if err != nil {
		return err
	}
	if to == nil {
		return rt.ErrInvalidValue
	}
	s.Put(unsafe.Slice((*byte)(to), s.Size(v)), v)
	return nil
}

// getStructure reads a structure of the program.
func getStructure(s structure, from unsafe.Pointer, v layout.Version) error {
	if from == nil {
		return rt.ErrInvalidValue
	}
	s.Get(unsafe.Slice((*byte)(from), s.Size(v)), v)
	return nil
}

func dim(d C.dim3) [3]uint32 { return [3]uint32{uint32(d.x), uint32(d.y), uint32(d.z)} }

func channel(d *C.cudaChannelFormatDesc) rt.ChannelDesc {
	return rt.ChannelDesc{Bits: [4]int32{int32(d.x), int32(d.y), int32(d.z), int32(d.w)}, Kind: int32(d.f)}
}

func cChannel(d rt.ChannelDesc) C.cudaChannelFormatDesc {
	return C.cudaChannelFormatDesc{x: C.int(d.Bits[0]), y: C.int(d.Bits[1]), z: C.int(d.Bits[2]), w: C.int(d.Bits[3]), f: C.int(d.Kind)}
}

func extent(e C.cudaExtent) rt.Extent {
	return rt.Extent{Width: uint64(e.width), Height: uint64(e.height), Depth: uint64(e.depth)}
}

func pitched(addr C.uint64_t, pitch C.size_t) rt.Pitched {
	return rt.Pitched{Addr: uint64(addr), Pitch: uint64(pitch)}
}

func volume(p C.cudaPitchedPtr) rt.Volume {
	return rt.Volume{Addr: address(p.ptr), Pitch: uint64(p.pitch), Height: uint64(p.ysize)}
}

func spot(array C.uint64_t, x, y C.size_t) rt.Spot {
	return rt.Spot{Array: uint64(array), X: uint64(x), Y: uint64(y)}
}

// inOrder is a call's place in a stream, with the host waiting.
func inOrder(s rt.StreamHandle) rt.Order { return rt.Order{Stream: s} }

// async is a call's place in a stream, with the host going on.
func async(s rt.StreamHandle) rt.Order { return rt.Order{Stream: s, Async: true} }

// putText stores a text in the program's buffer of so many bytes, cut to it, if there was no error.
func putText(to *C.char, size int, text string, err error) error {
	if err != nil {
		return err
	}
	if to == nil || size <= 0 {
		return rt.ErrInvalidValue
	}
	buffer := unsafe.Slice((*byte)(unsafe.Pointer(to)), size)
	n := copy(buffer[:size-1], text)
	buffer[n] = 0
	return nil
}
