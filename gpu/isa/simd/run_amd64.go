package simd

import "golang.org/x/sys/cpu"

// run executes micro-operations from op on.
//
//go:noescape
func run(st *State, op *Op)

// body finds the addresses of the bodies of a micro-operation.
func body(code int) (full, part uintptr)

// Supported reports whether this processor has what the bodies need.
func Supported() bool {
	x := &cpu.X86
	return x.HasAVX512F && x.HasAVX512CD && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL && x.HasBMI1 && x.HasPOPCNT
}
