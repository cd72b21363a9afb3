package simd

import "golang.org/x/sys/cpu"

// The ways into the bodies of a level, and where those of a micro-operation
// are.

//go:noescape
func runAVX512(st *State, op *Op)

//go:noescape
func runAVX2(st *State, op *Op)

func bodyAVX512(code int) (full, part uintptr)

func bodyAVX2(code int) (full, part uintptr)

// run executes micro-operations from op on.
func (v Level) run(st *State, op *Op) {
	if v == AVX512 {
		runAVX512(st, op)
		return
	}
	runAVX2(st, op)
}

// body finds the addresses of the bodies of a micro-operation.
func (v Level) body(code int) (full, part uintptr) {
	if v == AVX512 {
		return bodyAVX512(code)
	}
	return bodyAVX2(code)
}

// Supported reports whether this processor can execute a level.
func (v Level) Supported() bool {
	x := &cpu.X86
	switch v {
	case AVX512:
		return x.HasAVX512F && x.HasAVX512CD && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL && x.HasBMI1 && x.HasPOPCNT
	case AVX2:
		return x.HasAVX2 && x.HasFMA && x.HasF16C && x.HasBMI1 && x.HasPOPCNT
	}
	return true
}
