package ops

import "testing"

// Patterns of f32.
const (
	fOne    = 0x3f800000
	fTwo    = 0x40000000
	fThree  = 0x40400000
	fNaN    = 0x7fffffff
	fInf    = 0x7f800000
	signBit = 0x80000000
	dOne    = 0x3ff0000000000000
	dThree  = 0x4008000000000000
)

// C13: each rounding reaches its function.
func TestRoundingModifiersAreHonoured(t *testing.T) {
	for _, c := range []struct {
		op       string
		operands []uint64
		typ      string
		rn       uint64
		rz       uint64
		rm       uint64
		rp       uint64
	}{
		{"add", try(fOne, 0x33800000), "f32", fOne, fOne, fOne, fOne + 1},
		{"sub", try(fOne, 0x33000000), "f32", fOne, fOne - 1, fOne - 1, fOne},
		{"mul", try(fOne+1, fOne+1), "f32", fOne + 2, fOne + 2, fOne + 2, fOne + 3},
		{"fma", try(fOne, fOne, 0x33800000), "f32", fOne, fOne, fOne, fOne + 1},
		{"mad", try(fOne, fOne, 0x33800000), "f32", fOne, fOne, fOne, fOne + 1},
		{"div", try(fOne, fThree), "f32", 0x3eaaaaab, 0x3eaaaaaa, 0x3eaaaaaa, 0x3eaaaaab},
		{"rcp", try(fThree), "f32", 0x3eaaaaab, 0x3eaaaaaa, 0x3eaaaaaa, 0x3eaaaaab},
		{"sqrt", try(fTwo), "f32", 0x3fb504f3, 0x3fb504f3, 0x3fb504f3, 0x3fb504f4},
		{"add", try(dOne, 0x3c30000000000000), "f64", dOne, dOne, dOne, dOne + 1},
		{"sub", try(dOne, 0x3c30000000000000), "f64", dOne, dOne - 1, dOne - 1, dOne},
		{"mul", try(dOne+1, dOne+1), "f64", dOne + 2, dOne + 2, dOne + 2, dOne + 3},
		{"fma", try(dOne, dOne, 0x3c30000000000000), "f64", dOne, dOne, dOne, dOne + 1},
		{"mad", try(dOne, dOne, 0xbc30000000000000), "f64", dOne, dOne - 1, dOne - 1, dOne},
		{"div", try(dOne, dThree), "f64", 0x3fd5555555555555, 0x3fd5555555555555, 0x3fd5555555555555, 0x3fd5555555555556},
		{"rcp", try(dThree), "f64", 0x3fd5555555555555, 0x3fd5555555555555, 0x3fd5555555555555, 0x3fd5555555555556},
		{"sqrt", try(0x4000000000000000), "f64", 0x3ff6a09e667f3bcd, 0x3ff6a09e667f3bcc, 0x3ff6a09e667f3bcc, 0x3ff6a09e667f3bcd},
		{"add", try(fOne<<32|fTwo, 0x33800000<<32|fOne), "f32x2", fOne<<32 | fThree, fOne<<32 | fThree, fOne<<32 | fThree, (fOne+1)<<32 | fThree},
		{"fma", try(fOne<<32|fTwo, fOne<<32|fOne, 0x33800000<<32|fOne), "f32x2", fOne<<32 | fThree, fOne<<32 | fThree, fOne<<32 | fThree, (fOne+1)<<32 | fThree},
	} {
		for r, want := range map[string]uint64{"rn": c.rn, "rz": c.rz, "rm": c.rm, "rp": c.rp} {
			check(t, c.op+"."+r+"."+c.typ, 0, append(c.operands[:len(c.operands):len(c.operands)], want))
		}
	}
}

func TestSumsAndProductsWithoutRoundingGoToNearest(t *testing.T) {
	check(t, "add.f32", 0, try(fOne, fOne, fTwo), try(fInf, fInf|signBit, fNaN), try(1, 1, 2))
	check(t, "sub.f32", 0, try(fThree, fOne, fTwo), try(fInf, fInf, fNaN))
	check(t, "mul.f32", 0, try(fTwo, fOne, fTwo), try(0, fInf, fNaN), try(0x00800000, 0x3f000000, 0x00400000))
	check(t, "add.f64", 0, try(dOne, dOne, 0x4000000000000000))
	check(t, "sub.f64", 0, try(dOne, dOne, 0))
	check(t, "mul.f64", 0, try(dOne, dThree, dThree))
	check(t, "mul.f32x2", 0, try(fTwo<<32|fThree, fTwo<<32|fOne, 0x40800000<<32|fThree))
	check(t, "sub.f32x2", 0, try(fThree<<32|fTwo, fOne<<32|fOne, fTwo<<32|fOne))
}

func TestFmaRoundsOnce(t *testing.T) {
	check(t, "fma.rn.f32", 0, try(fOne+1, 0x3f7ffffe, fOne|signBit, 0xa8800000))
	check(t, "fma.rn.f64", 0, try(dOne+1, 0x3feffffffffffffe, dOne|1<<63, 0xb970000000000000))
}

func TestFtzFlushesOperandsAndResults(t *testing.T) {
	check(t, "add.ftz.f32", 0, try(1, 1, 0), try(0x00800000, 1, 0x00800000))
	check(t, "sub.ftz.f32", 0, try(0x00800001, 0x00800000, 0))
	check(t, "mul.ftz.f32", 0, try(signBit|1, fOne, signBit), try(0x00800000, 0x3f000000, 0))
	check(t, "fma.rn.ftz.f32", 0, try(fOne, fOne, 1, fOne), try(0x00800000, 0x3f000000, 0, 0))
	check(t, "div.rn.ftz.f32", 0, try(1, fOne, 0), try(0x00800000, fTwo, 0))
	check(t, "rcp.rn.ftz.f32", 0, try(1, fInf))
	check(t, "sqrt.rn.ftz.f32", 0, try(1, 0))
	check(t, "abs.ftz.f32", 0, try(signBit|1, 0))
	check(t, "neg.ftz.f32", 0, try(1, signBit))
	check(t, "min.ftz.f32", 0, try(fOne, 1, 0))
	check(t, "max.ftz.f32", 0, try(signBit, 1, 0))
	check(t, "add.ftz.f32x2", 0, try(1<<32|1, 1<<32|1, 0))
}

func TestSatClampsToUnitInterval(t *testing.T) {
	check(t, "add.sat.f32", 0, try(fOne, fOne, fOne), try(fOne|signBit, 0, 0), try(fNaN, 0, 0), try(0x3f000000, 0, 0x3f000000))
	check(t, "mul.sat.f32", 0, try(signBit, fOne, 0))
	check(t, "sub.rz.ftz.sat.f32", 0, try(1, 1, 0), try(fThree, fOne, fOne))
	check(t, "fma.rp.sat.f32", 0, try(fTwo, fTwo, fTwo, fOne))
}

// C12, and the modifiers of min and max.
func TestMinMaxOfNaNAndZeros(t *testing.T) {
	const quiet = 0x7fc00001
	check(t, "min.f32", 0, try(quiet, fOne, fOne), try(0, signBit, signBit), try(quiet, quiet, fNaN))
	check(t, "max.f32", 0, try(signBit, 0, 0), try(quiet, quiet, fNaN), try(fOne, quiet, fOne))
	check(t, "min.NaN.f32", 0, try(quiet, fOne, fNaN), try(fTwo, fOne, fOne))
	check(t, "max.NaN.f32", 0, try(fOne, quiet, fNaN), try(fTwo, fOne, fTwo))
	check(t, "min.xorsign.abs.f32", 0, try(fOne|signBit, fTwo, fOne|signBit), try(fTwo|signBit, fOne|signBit, fOne))
	check(t, "max.NaN.xorsign.abs.f32", 0, try(fOne|signBit, fTwo, fTwo|signBit), try(quiet, fOne|signBit, fNaN))
	check(t, "min.f64", 0, try(dOne, dThree, dOne), try(0, 1<<63, 1<<63))
	check(t, "max.f64", 0, try(dOne, 0x7ff8000000000000, dOne))
	check(t, "min.f32", 0, try(fOne, fTwo, fThree, fOne), try(quiet, fTwo, fOne, fOne))
	check(t, "max.abs.f32", 0, try(fOne, fTwo, fThree|signBit, fThree))
}

func TestSignRows(t *testing.T) {
	check(t, "abs.f32", 0, try(fOne|signBit, fOne), try(0xffc00000, fNaN))
	check(t, "neg.f32", 0, try(fOne, fOne|signBit), try(0x7fc00000, fNaN))
	check(t, "abs.f64", 0, try(dOne|1<<63, dOne))
	check(t, "neg.f64", 0, try(dOne, dOne|1<<63))
	check(t, "copysign.f32", 0, try(signBit, fOne, fOne|signBit), try(0, fOne|signBit, fOne))
	check(t, "copysign.f64", 0, try(1<<63, dOne, dOne|1<<63))
}

func TestTestpTellsClassesApart(t *testing.T) {
	classes := words("finite infinite number notanumber normal subnormal")
	for _, c := range []struct{ f32, f64, member uint64 }{
		{fOne, dOne, 0b010101},
		{fInf | signBit, 0xfff0000000000000, 0b000110},
		{0x7fc00000, 0x7ff8000000000000, 0b001000},
		{1, 1, 0b100101},
		{0, 0, 0b010101},
	} {
		for i, class := range classes {
			check(t, "testp."+class+".f32", 0, try(c.f32, c.member>>i&1))
			check(t, "testp."+class+".f64", 0, try(c.f64, c.member>>i&1))
		}
	}
}

func TestApproximateRowsAreExactAtSimplePoints(t *testing.T) {
	for _, ftz := range []string{"", ".ftz"} {
		check(t, "div.approx"+ftz+".f32", 0, try(fTwo, fOne, fTwo))
		check(t, "div.full"+ftz+".f32", 0, try(fTwo, fOne, fTwo))
		check(t, "rcp.approx"+ftz+".f32", 0, try(fTwo, 0x3f000000), try(0, fInf))
		check(t, "sqrt.approx"+ftz+".f32", 0, try(0x40800000, fTwo), try(fOne|signBit, fNaN))
		check(t, "rsqrt.approx"+ftz+".f32", 0, try(0x40800000, 0x3f000000))
		check(t, "sin.approx"+ftz+".f32", 0, try(0, 0), try(fInf, fNaN))
		check(t, "cos.approx"+ftz+".f32", 0, try(0, fOne))
		check(t, "lg2.approx"+ftz+".f32", 0, try(fTwo, fOne), try(fOne|signBit, fNaN))
		check(t, "ex2.approx"+ftz+".f32", 0, try(fOne, fTwo), try(fInf|signBit, 0))
	}
	check(t, "lg2.approx.ftz.f32", 0, try(1, fInf|signBit))
	check(t, "ex2.approx.f32", 0, try(0xc3020000, 0x00080000)) // 2^-130
	check(t, "ex2.approx.ftz.f32", 0, try(0xc3020000, 0))
	check(t, "tanh.approx.f32", 0, try(fInf, fOne), try(0, 0))
	check(t, "rcp.approx.ftz.f64", 0, try(0x4000000000000000, 0x3fe0000000000000))
	check(t, "rsqrt.approx.f64", 0, try(0x4010000000000000, 0x3fe0000000000000))
	check(t, "rsqrt.approx.ftz.f64", 0, try(0x4010000000000000, 0x3fe0000000000000))
}

// Patterns of f16 and bf16: hN is N in f16, bN in bf16.
const (
	h1, h2, h3, h7 = 0x3c00, 0x4000, 0x4200, 0x4700
	b1, b2, b3, b7 = 0x3f80, 0x4000, 0x4040, 0x40e0
	neg16          = 0x8000
	nan16          = 0x7fff
)

// pair packs a half twice, the upper one first.
func pair(hi, lo uint64) uint64 { return hi<<16 | lo }

func TestHalfArithmetic(t *testing.T) {
	check(t, "add.f16", 0, try(h1, h2, h3), try(1, 1, 2), try(0x7c00, 0xfc00, nan16))
	check(t, "add.rn.ftz.f16", 0, try(1, 1, 0))
	check(t, "add.sat.f16", 0, try(h1, h2, h1))
	check(t, "sub.f16", 0, try(h3, h1, h2))
	check(t, "mul.f16", 0, try(h1, h3, h3))
	check(t, "add.f16x2", 0, try(pair(h1, h2), pair(h2, h1), pair(h3, h3)))
	check(t, "sub.ftz.f16x2", 0, try(pair(h3, 2), pair(h1, 1), pair(h2, 0)))
	check(t, "mul.sat.f16x2", 0, try(pair(h3, h1), pair(h1, neg16), pair(h1, 0)))
	check(t, "add.bf16", 0, try(b1, b2, b3))
	check(t, "sub.rn.bf16", 0, try(b3, b1, b2))
	check(t, "mul.bf16x2", 0, try(pair(b1, b2), pair(b3, b1), pair(b3, b2)))
	check(t, "fma.rn.f16", 0, try(h2, h3, h1, h7))
	check(t, "fma.rn.sat.f16x2", 0, try(pair(h2, h1), pair(h3, 0), pair(h1, 0), pair(h1, 0)))
	check(t, "fma.rn.relu.f16", 0, try(h1, h1|neg16, 0, 0), try(nan16, h1, h1, nan16))
	check(t, "fma.rn.relu.bf16", 0, try(b1, b1|neg16, 0, 0))
	check(t, "fma.rn.relu.bf16x2", 0, try(pair(b1, b2), pair(b1|neg16, b3), pair(0, b1), pair(0, b7)))
	check(t, "fma.rn.relu.bf16x2", 0, try(pair(0x7d00, b1), pair(b1, b1), 0, pair(0x7d00, b1)))
	check(t, "fma.rn.relu.bf16", 0, try(0x7d00, b1, 0, 0x7d00))
	check(t, "fma.rn.oob.f16", 0, try(h2, h3, h1, h7))
	check(t, "fma.rn.oob.relu.bf16x2", 0, try(pair(b1, b2), pair(b1|neg16, b3), pair(0, b1), pair(0, b7)))
	check(t, "neg.f16", 0, try(h1, h1|neg16))
	check(t, "neg.bf16x2", 0, try(pair(b1, b2|neg16), pair(b1|neg16, b2)))
	check(t, "abs.f16x2", 0, try(pair(h1|neg16, h2), pair(h1, h2)))
	check(t, "abs.ftz.f16", 0, try(neg16|1, 0))
	check(t, "min.f16", 0, try(h1, nan16, h1), try(0, neg16, neg16))
	check(t, "max.NaN.f16x2", 0, try(pair(h1, nan16), pair(h2, h1), pair(h2, nan16)))
	check(t, "min.xorsign.abs.f16", 0, try(h1|neg16, h2, h1|neg16))
	check(t, "max.NaN.xorsign.abs.bf16x2", 0, try(pair(b1|neg16, b1), pair(b2, b2), pair(b2|neg16, b2)))
	check(t, "min.bf16", 0, try(b1, b2, b1))
	check(t, "tanh.approx.f16", 0, try(0, 0))
	check(t, "tanh.approx.bf16x2", 0, try(0, 0))
	check(t, "ex2.approx.f16x2", 0, try(pair(h1, 0), pair(h2, h1)))
	check(t, "ex2.approx.ftz.bf16", 0, try(b1, b2))
	check(t, "add.f32.f16", 0, try(h1, fOne, fTwo))
	check(t, "sub.rn.sat.f32.bf16", 0, try(b3, fOne, fOne))
	check(t, "fma.rn.f32.f16", 0, try(h1, h1, fOne, fTwo))
}
