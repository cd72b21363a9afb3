package alu

import "math"

// Half arithmetic computes in float64, where products of two halves are exact.
// A second rounding to a half errs only if the first one ended half way between
// two halves. No sum of two halves, and no sum of an f16 product and an f16,
// comes closer to such a point than float64 can tell, unless it is there. The
// sum of a bf16 product and a bf16 may, since their exponents can be far apart:
// it is rounded to odd, so that the rounding to bf16 is in effect the only one.

const (
	infF16   uint16 = 0x7c00
	infBF16  uint16 = 0x7f80
	oneF16   uint16 = 0x3c00
	oneBF16  uint16 = 0x3f80
	leastF16 uint16 = 0x0400 // smallest normal
)

// wideF16 is the exact value of an f16.
func wideF16(a uint16) float64 { return wide(CvtF32F16(a)) }

// wideBF16 is the exact value of a bf16.
func wideBF16(a uint16) float64 { return wide(uint32(a) << 16) }

// bitsF16 rounds x to the nearest f16. The quick case is a normal exponent.
func bitsF16(x float64) uint16 {
	u := math.Float64bits(x)
	if e := u >> 52 & 0x7ff; e-(1023-14) < 30 {
		u += 1<<41 - 1 + u>>42&1
		return uint16(u>>63<<15) | uint16(u&^signF64>>42-(1023-15)<<10)
	}
	return uint16(fmtF16.fromF64(RN, u, uint64(NaNF16)))
}

// bitsBF16 rounds x to the nearest bf16. The quick case is a normal exponent.
func bitsBF16(x float64) uint16 {
	u := math.Float64bits(x)
	if e := u >> 52 & 0x7ff; e-(1023-126) < 254 {
		u += 1<<44 - 1 + u>>45&1
		return uint16(u>>63<<15) | uint16(u&^signF64>>45-(1023-127)<<7)
	}
	return uint16(fmtBF16.fromF64(RN, u, uint64(NaNBF16)))
}

// IsNaNF16 reports whether a is a NaN.
func IsNaNF16(a uint16) bool { return a&^signF16 > infF16 }

// IsNaNBF16 reports whether a is a NaN.
func IsNaNBF16(a uint16) bool { return a&^signF16 > infBF16 }

// FlushF16 replaces a subnormal by zero of its sign.
func FlushF16(a uint16) uint16 {
	if a&infF16 == 0 {
		return a & signF16
	}
	return a
}

// SatF16 clamps to [+0, 1]; NaN becomes +0.
func SatF16(a uint16) uint16 {
	if a > infF16 { // negative or NaN
		return 0
	}
	return min(a, oneF16)
}

// ReluF16 replaces negative numbers and minus zero by +0; NaN becomes
// canonical.
func ReluF16(a uint16) uint16 { return relu16(a, infF16) }

// ReluBF16 replaces negative numbers and minus zero by +0; NaN becomes
// canonical.
func ReluBF16(a uint16) uint16 { return relu16(a, infBF16) }

func relu16(a, inf uint16) uint16 {
	switch {
	case a&^signF16 > inf:
		return NaNF16
	case a&signF16 != 0:
		return 0
	}
	return a
}

// AddF16 is add.rn.f16.
func AddF16(a, b uint16) uint16 { return bitsF16(wideF16(a) + wideF16(b)) }

// SubF16 is sub.rn.f16.
func SubF16(a, b uint16) uint16 { return bitsF16(wideF16(a) - wideF16(b)) }

// MulF16 is mul.rn.f16.
func MulF16(a, b uint16) uint16 { return bitsF16(wideF16(a) * wideF16(b)) }

// FmaF16 is fma.rn.f16.
func FmaF16(a, b, c uint16) uint16 {
	return bitsF16(wideF16(a)*wideF16(b) + wideF16(c))
}

// AddBF16 is add.rn.bf16.
func AddBF16(a, b uint16) uint16 { return bitsBF16(wideBF16(a) + wideBF16(b)) }

// SubBF16 is sub.rn.bf16.
func SubBF16(a, b uint16) uint16 { return bitsBF16(wideBF16(a) - wideBF16(b)) }

// MulBF16 is mul.rn.bf16.
func MulBF16(a, b uint16) uint16 { return bitsBF16(wideBF16(a) * wideBF16(b)) }

// FmaBF16 is fma.rn.bf16.
func FmaBF16(a, b, c uint16) uint16 {
	return bitsBF16(oddSum(wideBF16(a)*wideBF16(b), wideBF16(c)))
}

// OobNaN is the NaN, of either sign, that tensor copies fill elements outside
// the tensor with, in both half formats.
const OobNaN uint16 = 0x7ff7

// outside reports whether a or b is OobNaN.
func outside(a, b uint16) bool { return a&^signF16 == OobNaN || b&^signF16 == OobNaN }

// FmaOobF16 is fma.rn.oob.f16: a factor OobNaN makes the result zero.
func FmaOobF16(a, b, c uint16) uint16 {
	if outside(a, b) {
		return 0
	}
	return FmaF16(a, b, c)
}

// FmaOobBF16 is fma.rn.oob.bf16: a factor OobNaN makes the result zero.
func FmaOobBF16(a, b, c uint16) uint16 {
	if outside(a, b) {
		return 0
	}
	return FmaBF16(a, b, c)
}

// NegF16 is neg.f16.
func NegF16(a uint16) uint16 { return canonical16(a^signF16, infF16) }

// NegBF16 is neg.bf16.
func NegBF16(a uint16) uint16 { return canonical16(a^signF16, infBF16) }

// AbsF16 is abs.f16.
func AbsF16(a uint16) uint16 { return canonical16(a&^signF16, infF16) }

// AbsBF16 is abs.bf16.
func AbsBF16(a uint16) uint16 { return canonical16(a&^signF16, infBF16) }

func canonical16(a, inf uint16) uint16 {
	if a&^signF16 > inf {
		return NaNF16
	}
	return a
}

// MinF16 is min.f16: of one NaN and a number, the number.
func MinF16(a, b uint16) uint16 { return min16(a, b, infF16) }

// MaxF16 is max.f16: of one NaN and a number, the number.
func MaxF16(a, b uint16) uint16 { return max16(a, b, infF16) }

// MinBF16 is min.bf16: of one NaN and a number, the number.
func MinBF16(a, b uint16) uint16 { return min16(a, b, infBF16) }

// MaxBF16 is max.bf16: of one NaN and a number, the number.
func MaxBF16(a, b uint16) uint16 { return max16(a, b, infBF16) }

// MinNaNF16 is min.NaN.f16: any NaN gives the canonical NaN.
func MinNaNF16(a, b uint16) uint16 { return strict16(a, b, MinF16(a, b), infF16) }

// MaxNaNF16 is max.NaN.f16: any NaN gives the canonical NaN.
func MaxNaNF16(a, b uint16) uint16 { return strict16(a, b, MaxF16(a, b), infF16) }

// MinNaNBF16 is min.NaN.bf16: any NaN gives the canonical NaN.
func MinNaNBF16(a, b uint16) uint16 { return strict16(a, b, MinBF16(a, b), infBF16) }

// MaxNaNBF16 is max.NaN.bf16: any NaN gives the canonical NaN.
func MaxNaNBF16(a, b uint16) uint16 { return strict16(a, b, MaxBF16(a, b), infBF16) }

// order16 maps non-NaN patterns to integers in the order of their values,
// minus zero below plus zero.
func order16(x uint16) int16 { return int16(x) ^ int16(uint16(int16(x)>>15)>>1) }

func min16(a, b, inf uint16) uint16 {
	switch {
	case a&^signF16 > inf:
		return canonical16(b, inf)
	case b&^signF16 > inf:
		return a
	case order16(b) < order16(a):
		return b
	}
	return a
}

func max16(a, b, inf uint16) uint16 {
	switch {
	case a&^signF16 > inf:
		return canonical16(b, inf)
	case b&^signF16 > inf:
		return a
	case order16(b) > order16(a):
		return b
	}
	return a
}

// strict16 replaces m, the result for a and b, by NaN if either is a NaN.
func strict16(a, b, m, inf uint16) uint16 {
	if a&^signF16 > inf || b&^signF16 > inf {
		return NaNF16
	}
	return m
}

// Xorsign16 completes min or max of f16 or bf16 with .xorsign.abs: m is the
// result for the absolute values of a and b; unless it is NaN, which is
// canonical in both formats, it gets the sign of a times b.
func Xorsign16(m, a, b uint16) uint16 {
	if m == NaNF16 {
		return m
	}
	return m | (a^b)&signF16
}
