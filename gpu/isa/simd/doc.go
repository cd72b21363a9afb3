// Package simd executes runs of decoded instructions in machine code, of
// AVX-512 or of AVX2 (Level).
//
//	isa.Function --New--> Program --Run--> registers, predicates, memory
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
// Bodies are written by scripts/gensimd, from one description for both levels;
// add one there and name its spelling in package ptx/ops. Both levels have all
// bodies. On other processors New returns nil.
package simd
