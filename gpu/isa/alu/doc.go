// Package alu is the scalar truth of PTX arithmetic: what each instruction
// makes of the raw bits of its operands, as pure functions.
//
//	registers (bits) -> alu.AddF32(RZ, a, b) -> register (bits)
//
// Operands and results are register contents: uint16, uint32 and uint64 for 16,
// 32 and 64 bits, packed pairs in a uint32. No function has state, allocates,
// panics or depends on the host's floating-point NaN rules.
//
// # Names
//
// A name is the PTX mnemonic, then the modifiers that change the formula, then
// the type, as in MinNaNF32 for min.NaN.f32. Where it says:
//
//	F16 F32 F64 BF16 TF32    the floating-point type
//	U16 S16 U32 S32 U64 S64  an integer type whose signedness matters
//	B16 B32 B64 or 16 32 64  a width; signedness does not matter
//	F16x2 BF16x2 U16x2 8x4   packed elements, the first lowest
//	first argument r Round   any of RN RZ RM RP
//	suffix RN                the same with r fixed to RN, the fast path
//	CvtDS                    cvt.D.S: to D from S
//	CvtIntF32(to, r, a)      to any integer type; CvtF32Int from any
//	CmpF32(op, a, b)         setp with any operator; LtF32 etc. with a fixed one
//	CvtTinyF32(t, a)         to a format of 8, 6 or 4 bits, t one of E4M3 ...
//	Mufu...                  a core of the multifunction unit, flushing
//	Video...{...}.Eval       a video instruction, its modifiers as fields
//
// Plain wrapping arithmetic (add, sub, mul.lo, mad.lo, neg, and, or, xor, not,
// min and max of unsigned types) has no functions: Go's operators are it.
//
// # Modifiers
//
// Modifiers that act on operands or results alone compose with the function,
// inside out:
//
//	.ftz        FlushF32 on each operand and on the rounded result; products and
//	            quotients have functions of their own (MulFtzF32 ...)
//	.sat        SatF32 on the result, after the flush
//	.relu       ReluF16, ReluS32 ... on the result
//	.satfinite  SatfiniteF16 ... on the result of a conversion
//	.xorsign.abs XorsignF32(MinF32(AbsF32(a), AbsF32(b)), a, b)
//
// So add.rz.ftz.sat.f32 is
//
//	SatF32(FlushF32(AddF32(RZ, FlushF32(a), FlushF32(b))))
//
// cvt.ftz.f16.f32 does not flush its operand in hardware; cvt.rni.ftz.f32.f32
// and the conversions to integers do.
//
// # NaN
//
// Arithmetic on f32, f16 and bf16 gives the canonical NaN. Arithmetic on f64
// passes on a NaN operand, made quiet: sums and products the second of two,
// fused and other operations the first.
//
// # Exactness
//
// All of it is exact and rounded once except approx.go and mufu.go, which give
// the bits of an H200 (tests/vectors). No expression
// changes its value when the compiler fuses a product into a sum: wherever one
// could, the product is exact or explicitly converted.
//
// The subjects are chapters 9.7.1 to 9.7.9 of the PTX manual; warp, memory and
// matrix instructions are elsewhere.
package alu
