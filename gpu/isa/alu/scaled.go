package alu

import "math"

// Unscaled is the pair of ue8m0 scales that change nothing.
const Unscaled = 0x7f7f

// scaleOf is the power of two of a ue8m0 scale, NaN for 0xff.
func scaleOf(e uint8) float64 {
	if e == 0xff {
		return math.NaN()
	}
	return math.Ldexp(1, int(e)-127)
}

// CvtS2F6F32 is cvt.rn.satfinite.scaled::n2::ue8m0.s2f6x2.f32 for one element: a
// divided by the scale, as a fixed-point number with six fraction bits, to
// nearest even, saturated. NaN becomes the largest.
func CvtS2F6F32(a uint32, scale uint8) uint8 {
	x := float64(math.Float32frombits(a)) / scaleOf(scale) * 64
	if x != x {
		return 0x7f
	}
	return uint8(int8(max(-128, min(127, math.RoundToEven(x)))))
}

// CvtBF16S2F6 is cvt.rn.scaled::n2::ue8m0.bf16x2.s2f6x2 for one element.
func CvtBF16S2F6(x, scale uint8) uint16 {
	return CvtBF16F64(RN, math.Float64bits(float64(int8(x))/64*scaleOf(scale)))
}

// CvtBF16Tiny is cvt.rn.scaled::n2::ue8m0.bf16x2.tx2 for one element.
func CvtBF16Tiny(t Tiny, x, scale uint8) uint16 {
	v := wide(CvtF32Tiny(t, x)) * scaleOf(scale)
	if v != v {
		return NaNBF16
	}
	return CvtBF16F64(RN, math.Float64bits(v))
}

// FiniteBF16 limits a bf16 to the largest finite number.
func FiniteBF16(x uint16) uint16 {
	if x&^signF16 == infBF16 {
		return x - 1
	}
	return x
}
