package alu

import "math"

// Operations with .ftz. A result is flushed if it is subnormal when rounded as
// though exponents had no bound: what rounds up to the smallest normal number
// only because subnormals have fewer bits is flushed too. Sums have no such
// results.

// MulFtzF32 is mul.rnd.ftz.f32.
func MulFtzF32(r Round, a, b uint32) uint32 {
	a, b = FlushF32(a), FlushF32(b)
	d := MulF32(r, a, b)
	if d&^signF32 != least32 {
		return FlushF32(d)
	}
	return flushLeast(r, d, wide(a)*wide(b), 0)
}

// FmaFtzF32 is fma.rnd.ftz.f32.
func FmaFtzF32(r Round, a, b, c uint32) uint32 {
	a, b, c = FlushF32(a), FlushF32(b), FlushF32(c)
	d := FmaF32(r, a, b, c)
	if d&^signF32 != least32 {
		return FlushF32(d)
	}
	s, err := twoSum(float64(wide(a)*wide(b)), wide(c))
	return flushLeast(r, d, s, err)
}

// DivFtzF32 is div.rnd.ftz.f32.
func DivFtzF32(r Round, a, b uint32) uint32 {
	a, b = FlushF32(a), FlushF32(b)
	d := DivF32(r, a, b)
	if d&^signF32 != least32 {
		return FlushF32(d)
	}
	x, y := wide(a), wide(b)
	q := x / y
	return flushLeast(r, d, q, math.Copysign(1, y)*math.FMA(-q, y, x))
}

// RcpFtzF32 is rcp.rnd.ftz.f32.
func RcpFtzF32(r Round, a uint32) uint32 { return DivFtzF32(r, oneF32, a) }

// CvtFtzF32F64 is cvt.rnd.ftz.f32.f64.
func CvtFtzF32F64(r Round, a uint64) uint32 {
	d := CvtF32F64(r, a)
	if d&^signF32 != least32 {
		return FlushF32(d)
	}
	return flushLeast(r, d, f64(a), 0)
}

// flushLeast flushes d, the smallest normal number of a sign, if it is what
// s+err rounds to only for lack of bits; of err only the sign counts.
func flushLeast(r Round, d uint32, s, err float64) uint32 {
	const least = 0x1p-126
	if s < 0 {
		s, err, r = -s, -err, r.mirrored()
	}
	limit := float64(least) // from here on it rounds up, RP just above it
	switch r {
	case RN:
		limit = least * (1 - 0x1p-25)
	case RP:
		limit = least * (1 - 0x1p-24)
	}
	if s < limit || s == limit && (err < 0 || r == RP && err == 0) {
		return d & signF32
	}
	return d
}

// mirrored is the rounding that does to magnitudes of negative numbers what r
// does to positive ones.
func (r Round) mirrored() Round {
	switch r {
	case RM:
		return RP
	case RP:
		return RM
	}
	return r
}

// MulFtzF16 is mul.rn.ftz.f16.
func MulFtzF16(a, b uint16) uint16 {
	return flushingF16(wideF16(FlushF16(a)) * wideF16(FlushF16(b)))
}

// FmaFtzF16 is fma.rn.ftz.f16.
func FmaFtzF16(a, b, c uint16) uint16 {
	return flushingF16(wideF16(FlushF16(a))*wideF16(FlushF16(b)) + wideF16(FlushF16(c)))
}

// flushingF16 rounds x to the nearest f16.
func flushingF16(x float64) uint16 {
	const limit = 0x1p-14 * (1 - 0x1p-12)
	if math.Abs(x) < limit {
		return uint16(math.Float64bits(x)>>48) & signF16
	}
	return bitsF16(x)
}

// MulFtzF16x2 is mul.rn.ftz.f16x2.
func MulFtzF16x2(a, b uint32) uint32 { return each16x2(MulFtzF16, a, b) }

// FmaFtzF16x2 is fma.rn.ftz.f16x2.
func FmaFtzF16x2(a, b, c uint32) uint32 { return each16x3(FmaFtzF16, a, b, c) }
