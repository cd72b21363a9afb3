package alu

import "math"

// The multifunction unit. These cores are the operations of the hardware
// unit; the instruction sequences around them are in approx.go. Except for
// MufuTanh they flush subnormal operands and results.
//
// A core returns the value of its function rounded to nearest, computed in
// float64. That lies within the documented bound of every function but is not
// always the hardware's value: the unit interpolates in tables.

// least32 is the smallest normal f32.
const least32 uint32 = 1 << 23

// mufu rounds the result of a core.
func mufu(y float64) uint32 { return FlushF32(bitsF32(float32(y))) }

// MufuRcp is 1/x.
func MufuRcp(x uint32) uint32 { return mufu(1 / wide(FlushF32(x))) }

// MufuSqrt is the square root of x.
func MufuSqrt(x uint32) uint32 { return mufu(math.Sqrt(wide(FlushF32(x)))) }

// MufuRsq is the reciprocal square root of x; of a zero it is an infinity of
// the same sign.
func MufuRsq(x uint32) uint32 { return mufu(1 / math.Sqrt(wide(FlushF32(x)))) }

// MufuEx2 is 2 to the power of x.
func MufuEx2(x uint32) uint32 { return mufu(math.Exp2(wide(FlushF32(x)))) }

// MufuLg2 is the logarithm of x to base 2.
func MufuLg2(x uint32) uint32 {
	v := wide(FlushF32(x))
	if !(v > 0) || math.IsInf(v, 1) {
		return mufu(math.Log(v))
	}
	// A fraction around one keeps the sum from cancelling.
	m, e := math.Frexp(v)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	return mufu(float64(math.Log(m)*math.Log2E) + float64(e))
}

// MufuSin is the sine of x turns, that is of 2*pi*x.
func MufuSin(x uint32) uint32 {
	x = FlushF32(x)
	if x&^signF32 == 0 {
		return x
	}
	r := turn(wide(x))
	switch {
	case r > 0.25:
		r = 0.5 - r
	case r < -0.25:
		r = -0.5 - r
	}
	return mufu(math.Sin(2 * math.Pi * r))
}

// MufuCos is the cosine of x turns, that is of 2*pi*x.
func MufuCos(x uint32) uint32 {
	r := turn(wide(FlushF32(x)))
	return mufu(math.Sin(2 * math.Pi * (0.25 - math.Abs(r))))
}

// turn reduces x, exactly, to the half turn on either side of zero.
func turn(x float64) float64 { return x - math.RoundToEven(x) }

// MufuTanh is the hyperbolic tangent of x; subnormals pass.
func MufuTanh(x uint32) uint32 { return bitsF32(float32(math.Tanh(wide(x)))) }

// MufuRcp64h is the upper word of 1/x for an f64 of which hi is the upper word
// and zero the lower.
func MufuRcp64h(hi uint32) uint32 { return high64(1 / flush64h(hi)) }

// MufuRsq64h is the upper word of the reciprocal square root of x for an f64
// of which hi is the upper word and zero the lower.
func MufuRsq64h(hi uint32) uint32 { return high64(1 / math.Sqrt(flush64h(hi))) }

// flush64h is the f64 with the upper word hi, a subnormal flushed.
func flush64h(hi uint32) float64 {
	if hi&0x7ff00000 == 0 {
		hi &= signF32
	}
	return f64(uint64(hi) << 32)
}

// high64 is the upper word of y rounded to it, with subnormals flushed.
func high64(y float64) uint32 {
	if y != y {
		return NaNF32
	}
	hi := uint32((math.Float64bits(y) + 1<<31) >> 32)
	if hi&0x7ff00000 == 0 {
		return hi & signF32
	}
	return hi
}
