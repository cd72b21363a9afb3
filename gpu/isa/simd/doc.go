// Package simd executes runs of decoded instructions in AVX-512 machine code.
//
//	isa.Function --Assemble--> Program --Run--> registers, predicates, memory
//
// A Program holds a micro-operation (Op) for each instruction that has one: the
// address of its body, an assembly routine, and byte offsets of its operands.
// Bodies jump from one to the next, follow branches that all lanes take, and
// go back to the caller at anything else: an instruction without a body, a
// branch that divides the lanes, an address that the cached memory does not
// hold, a place where lanes meet, the end of the turn. The caller then executes
// the instruction by its handler, which defines what is right: bodies give the
// same bits.
//
// Instructions are counted exactly: a run is counted when it begins, and what
// is not executed of it taken back.
//
// Bodies are written by scripts/gensimd; add one there and name its spelling in
// package ptx/ops. On processors without AVX-512 Assemble returns nil.
package simd
