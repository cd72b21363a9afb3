package main

// #include "lockstep.h"
import "C"

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// coredumpGet stores an attribute of core dumps, or its size where there is no room for it.
func coredumpGet(t *rt.Thread, attribute int, value unsafe.Pointer, size *C.size_t) error {
	n := rt.CoredumpSize(attribute)
	if n == 0 || size == nil {
		return rt.ErrInvalidValue
	}
	if value == nil {
		*size = C.size_t(n)
		return nil
	}
	number, text := t.CoredumpGet(attribute)
	if rt.CoredumpIsText(attribute) {
		return putText((*C.char)(value), int(*size), text, nil)
	}
	if int(*size) != n {
		return rt.ErrInvalidValue
	}
	putNumber(value, n, uint64(number))
	return nil
}

// coredumpSet takes an attribute of core dumps.
func coredumpSet(t *rt.Thread, attribute int, value unsafe.Pointer, size *C.size_t) error {
	n := rt.CoredumpSize(attribute)
	if n == 0 || size == nil {
		return rt.ErrInvalidValue
	}
	if value == nil {
		*size = C.size_t(n)
		return nil
	}
	if rt.CoredumpIsText(attribute) {
		if int(*size) > n {
			return rt.ErrInvalidValue
		}
		t.CoredumpSet(attribute, 0, C.GoStringN((*C.char)(value), C.int(*size)))
		return nil
	}
	if int(*size) != n {
		return rt.ErrInvalidValue
	}
	var number uint32
	for i, b := range unsafe.Slice((*byte)(value), n) {
		number |= uint32(b) << (8 * i)
	}
	t.CoredumpSet(attribute, number, "")
	return nil
}

// cuCoredumpGetAttribute returns what was set about core dumps.
//
//cuda:support partial "dumps are not written: their format is not documented"
//export ls_cuCoredumpGetAttribute
func ls_cuCoredumpGetAttribute(attribute C.int, value unsafe.Pointer, size *C.size_t) C.CUresult {
	return call(func(t *rt.Thread) error { return coredumpGet(t, int(attribute), value, size) })
}

// cuCoredumpGetAttributeGlobal returns what was set about core dumps.
//
//cuda:support partial "dumps are not written: their format is not documented"
//export ls_cuCoredumpGetAttributeGlobal
func ls_cuCoredumpGetAttributeGlobal(attribute C.int, value unsafe.Pointer, size *C.size_t) C.CUresult {
	return call(func(t *rt.Thread) error { return coredumpGet(t, int(attribute), value, size) })
}

// cuCoredumpSetAttribute says when a core dump is written.
//
//cuda:support partial "dumps are not written: their format is not documented"
//export ls_cuCoredumpSetAttribute
func ls_cuCoredumpSetAttribute(attribute C.int, value unsafe.Pointer, size *C.size_t) C.CUresult {
	return call(func(t *rt.Thread) error { return coredumpSet(t, int(attribute), value, size) })
}

// cuCoredumpSetAttributeGlobal says when a core dump is written.
//
//cuda:support partial "dumps are not written: their format is not documented"
//export ls_cuCoredumpSetAttributeGlobal
func ls_cuCoredumpSetAttributeGlobal(attribute C.int, value unsafe.Pointer, size *C.size_t) C.CUresult {
	return call(func(t *rt.Thread) error { return coredumpSet(t, int(attribute), value, size) })
}
