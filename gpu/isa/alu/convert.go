package alu

import "math"

// Conversions between floating-point types. A function named CvtDS is cvt.D.S.
// Narrowing rounds once; widening is exact.

// CvtF32F64 is cvt.rnd.f32.f64. A NaN keeps its sign and the upper part of its
// payload, made quiet; so it does in the conversions from f64 to halves.
func CvtF32F64(r Round, a uint64) uint32 {
	if IsNaNF64(a) {
		return uint32(a>>63)<<31 | infF32 | 1<<22 | uint32(a>>29)&(1<<22-1)
	}
	if r == RN {
		return bitsF32(float32(f64(a)))
	}
	return directF32(r, f64(a), 0)
}

// CvtF64F32 is cvt.f64.f32. A NaN keeps its sign and payload, made quiet.
func CvtF64F32(a uint32) uint64 {
	if IsNaNF32(a) {
		return uint64(a>>31)<<63 | infF64 | quietF64 | uint64(a&0x7fffff)<<29
	}
	return math.Float64bits(wide(a))
}

// CvtF16F32 is cvt.rnd.f16.f32.
func CvtF16F32(r Round, a uint32) uint16 {
	if IsNaNF32(a) {
		return NaNF16
	}
	return CvtF16F64(r, math.Float64bits(wide(a)))
}

// CvtF16F64 is cvt.rnd.f16.f64.
func CvtF16F64(r Round, a uint64) uint16 {
	if IsNaNF64(a) {
		return uint16(a>>48)&signF16 | infF16 | 1<<9 | uint16(a>>42)&(1<<9-1)
	}
	if r == RN {
		return bitsF16(f64(a))
	}
	return uint16(fmtF16.fromF64(r, a, uint64(NaNF16)))
}

// CvtF16BF16 is cvt.rnd.f16.bf16.
func CvtF16BF16(r Round, a uint16) uint16 { return CvtF16F32(r, CvtF32BF16(a)) }

// CvtF32F16 is cvt.f32.f16.
func CvtF32F16(a uint16) uint32 {
	sign, x := uint32(a&signF16)<<16, uint32(a&^signF16)<<13
	const inf = uint32(infF16) << 13
	switch {
	case x > inf:
		return NaNF32
	case x == inf:
		return sign | infF32
	}
	// The pattern reads as an f32 that is 2^112 too small, also when it is
	// subnormal.
	return sign | math.Float32bits(f32(x)*0x1p112)
}

// CvtF64F16 is cvt.f64.f16. A NaN keeps its sign and payload, made quiet.
func CvtF64F16(a uint16) uint64 {
	if IsNaNF16(a) {
		return uint64(a>>15)<<63 | infF64 | quietF64 | uint64(a&0x3ff)<<42
	}
	return CvtF64F32(CvtF32F16(a))
}

// CvtBF16F32 is cvt.rnd.bf16.f32.
func CvtBF16F32(r Round, a uint32) uint16 {
	if IsNaNF32(a) {
		return NaNBF16
	}
	return CvtBF16F64(r, math.Float64bits(wide(a)))
}

// CvtBF16F64 is cvt.rnd.bf16.f64.
func CvtBF16F64(r Round, a uint64) uint16 {
	if IsNaNF64(a) {
		return uint16(a>>48)&signF16 | infBF16 | 1<<6 | uint16(a>>45)&(1<<6-1)
	}
	if r == RN {
		return bitsBF16(f64(a))
	}
	return uint16(fmtBF16.fromF64(r, a, uint64(NaNBF16)))
}

// CvtBF16F16 is cvt.rnd.bf16.f16.
func CvtBF16F16(r Round, a uint16) uint16 { return CvtBF16F32(r, CvtF32F16(a)) }

// CvtF32BF16 is cvt.f32.bf16: the bf16 is the upper half of the f32, NaN
// included.
func CvtF32BF16(a uint16) uint32 { return uint32(a) << 16 }

// CvtF64BF16 is cvt.f64.bf16.
func CvtF64BF16(a uint16) uint64 { return CvtF64F32(CvtF32BF16(a)) }

// CvtF16x2F32 is cvt.rnd.f16x2.f32 d, a, b: a becomes the upper half.
func CvtF16x2F32(r Round, a, b uint32) uint32 { return Join16(CvtF16F32(r, b), CvtF16F32(r, a)) }

// CvtBF16x2F32 is cvt.rnd.bf16x2.f32 d, a, b: a becomes the upper half.
func CvtBF16x2F32(r Round, a, b uint32) uint32 { return Join16(CvtBF16F32(r, b), CvtBF16F32(r, a)) }

// CvtF16x2RsF32 is cvt.rs.f16x2.f32 d, a, b, random: rounding away from zero
// with the probability that the discarded bits stand for. The low 13 bits of
// each half of random serve that half of the result.
func CvtF16x2RsF32(a, b, random uint32) uint32 {
	return Join16(
		uint16(fmtF16.stochastic(b, uint64(NaNF16), uint64(random)<<51)),
		uint16(fmtF16.stochastic(a, uint64(NaNF16), uint64(random>>16)<<51)))
}

// CvtBF16x2RsF32 is cvt.rs.bf16x2.f32 d, a, b, random; all 16 bits of each
// half of random serve that half of the result.
func CvtBF16x2RsF32(a, b, random uint32) uint32 {
	return Join16(
		uint16(fmtBF16.stochastic(b, uint64(NaNF16), uint64(random)<<48)),
		uint16(fmtBF16.stochastic(a, uint64(NaNF16), uint64(random>>16)<<48)))
}

// stochastic rounds the f32 a into f: away from zero when the discarded
// fraction and random, both scaled by 2^64, carry.
func (f *format) stochastic(a uint32, nan, random uint64) uint64 {
	if a<<1 == 0 || a&infF32 == infF32 {
		return f.fromF64(RN, math.Float64bits(wide(a)), nan)
	}
	n := unpack(math.Float64bits(wide(a)))
	m, rest := f.split(n)
	if rest+random < rest {
		m++
	}
	if m > f.max {
		m = f.overflow
	}
	return m | f.signOf(n.neg)
}

// SatfiniteF16 replaces an infinity by the largest finite number of its sign:
// the .satfinite of conversions to f16.
func SatfiniteF16(a uint16) uint16 {
	if a&^signF16 == infF16 {
		return a - 1
	}
	return a
}

// SatfiniteBF16 replaces an infinity by the largest finite number of its sign.
func SatfiniteBF16(a uint16) uint16 {
	if a&^signF16 == infBF16 {
		return a - 1
	}
	return a
}

// SatfiniteF16x2 is SatfiniteF16 of both halves.
func SatfiniteF16x2(a uint32) uint32 { return each16x1(SatfiniteF16, a) }

// SatfiniteBF16x2 is SatfiniteBF16 of both halves.
func SatfiniteBF16x2(a uint32) uint32 { return each16x1(SatfiniteBF16, a) }

// ReluF32 replaces negative numbers and minus zero by +0; NaN becomes
// canonical. Rounding keeps the sign, so the .relu of a conversion may be
// applied to its source.
func ReluF32(a uint32) uint32 {
	switch {
	case IsNaNF32(a):
		return NaNF32
	case a&signF32 != 0:
		return 0
	}
	return a
}

// CvtTF32F32 is cvt.rna.tf32.f32 and, with rounding RN or RZ, cvt.rnd.tf32.f32.
// The result is an f32 pattern with the low 13 bits zero, also of the canonical
// NaN of RN and RZ. For RNA the hardware adds and masks: a NaN whose payload
// has only low bits becomes infinity.
func CvtTF32F32(r Round, a uint32) uint32 {
	const low = 1<<13 - 1
	finite := a&infF32 != infF32
	switch {
	case r == RNA && finite:
		a += 1 << 12
	case r == RN && finite:
		a += low>>1 + a>>13&1
	case r != RNA && IsNaNF32(a):
		a = NaNF32
	}
	return a &^ low
}

// SatfiniteTF32 replaces an infinity by the largest finite tf32 of its sign. The
// hardware does so by subtracting one unit, from a NaN too.
func SatfiniteTF32(a uint32) uint32 {
	if a&^signF32 >= infF32 {
		return a - 1<<13
	}
	return a
}

// RintF64 is cvt.rXi.f64.f64: rounding to an integer of the same type.
func RintF64(r Round, a uint64) uint64 {
	if IsNaNF64(a) {
		return nanF64(a)
	}
	return math.Float64bits(integral(r, f64(a)))
}

// RintF32 is cvt.rXi.f32.f32.
func RintF32(r Round, a uint32) uint32 { return bitsF32(float32(integral(r, wide(a)))) }

// RintF16 is cvt.rXi.f16.f16.
func RintF16(r Round, a uint16) uint16 { return bitsF16(integral(r, wideF16(a))) }

// RintBF16 is cvt.rXi.bf16.bf16.
func RintBF16(r Round, a uint16) uint16 { return bitsBF16(integral(r, wideBF16(a))) }

// integral rounds to an integral value; zeros keep the sign of x.
func integral(r Round, x float64) float64 {
	switch r {
	case RZ:
		return math.Trunc(x)
	case RM:
		return math.Floor(x)
	case RP:
		return math.Ceil(x)
	}
	return math.RoundToEven(x)
}
