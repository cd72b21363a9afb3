package alu

import "math"

// Factor is an element of a matrix as a tensor core sees it: its value, and the
// exponent by which it is aligned, which of a subnormal is the format's least.
type Factor struct {
	Value    float64
	Exponent int32
}

// Zeros align nothing; what is not finite is told by its exponent.
const (
	zeroExponent    = -1 << 20
	specialExponent = 1 << 24
)

// FactorF16 is the factor of an f16.
func FactorF16(x uint16) Factor {
	if e := uint64(x >> 10 & 31); e-1 < 30 {
		return Factor{math.Float64frombits(uint64(x>>15)<<63 | (e+1008)<<52 | uint64(x&0x3ff)<<42), int32(e) - 15}
	}
	return factor(uint64(x>>15), int32(x>>10)&31, uint64(x&0x3ff)<<42, 15)
}

// FactorBF16 is the factor of a bf16.
func FactorBF16(x uint16) Factor { return FactorF32(uint32(x) << 16) }

// FactorTiny is the factor of a number of a tiny format.
func FactorTiny(t Tiny, x uint8) Factor {
	f := FactorF32(CvtF32Tiny(t, x))
	if f.Value != 0 {
		f.Exponent = max(f.Exponent, int32(1-tinyFormats[t].bias))
	}
	return f
}

// FactorTF32 is the factor of a tf32, whose low 13 bits are ignored.
func FactorTF32(x uint32) Factor { return FactorF32(x &^ (1<<13 - 1)) }

// FactorF32 is the factor of an f32.
func FactorF32(x uint32) Factor {
	if e := uint64(x >> 23 & 255); e-1 < 254 {
		return Factor{math.Float64frombits(uint64(x>>31)<<63 | (e+896)<<52 | uint64(x&(1<<23-1))<<29), int32(e) - 127}
	}
	return factor(uint64(x>>31), int32(x>>23)&255, uint64(x&(1<<23-1))<<29, 127)
}

// factor joins the fields of a number, whose exponent is biased and whose
// fraction has 52 bits.
func factor(sign uint64, exponent int32, fraction uint64, bias int32) Factor {
	switch {
	case exponent == 2*bias+1:
		return Factor{math.Float64frombits(sign<<63 | infF64 | fraction), specialExponent}
	case exponent == 0 && fraction == 0:
		return Factor{math.Float64frombits(sign << 63), zeroExponent}
	case exponent == 0:
		least := math.Float64frombits(uint64(1-bias+1023) << 52)
		value := math.Float64frombits(math.Float64bits(least)|fraction) - least
		return Factor{math.Copysign(value, 1-2*float64(sign)), 1 - bias}
	}
	return Factor{math.Float64frombits(sign<<63 | uint64(exponent-bias+1023)<<52 | fraction), exponent - bias}
}

// FusedDot is c + a·b as a tensor core forms it in one step: products are
// exact; all terms are aligned to the largest exponent among them, cut off
// toward zero at fraction bits below it, and added exactly. (Fasi et al. 2021;
// 25 bits on Hopper.) RoundMMAF32 and RoundMMAF16 make the result of it.
func FusedDot(a, b []Factor, c Factor, fraction int32) float64 {
	align := c.Exponent
	b = b[:len(a)]
	for i := range a {
		align = max(align, a[i].Exponent+b[i].Exponent)
	}
	switch {
	case align >= specialExponent/2:
		return specialDot(a, b, c)
	case align <= zeroExponent/2:
		return 0
	}
	scale := math.Float64frombits(uint64(1023+fraction-align) << 52)
	sum := int64(c.Value * scale)
	for i := range a {
		sum += int64(a[i].Value * b[i].Value * scale)
	}
	return float64(sum) * math.Float64frombits(uint64(1023-fraction+align)<<52)
}

// specialDot is a sum with a NaN or an infinity in it.
func specialDot(a, b []Factor, c Factor) float64 {
	sum := c.Value
	for i := range a {
		sum += a[i].Value * b[i].Value
	}
	return sum
}

// RoundMMAF32 makes an f32 of a fused dot product, toward zero; what is too
// large becomes infinite, what is too small +0.
func RoundMMAF32(x float64) uint32 {
	b := math.Float64bits(x)
	if e := b >> 52 & 0x7ff; e-897 < 254 {
		return uint32(b>>63)<<31 | uint32(e-896)<<23 | uint32(b>>29)&(1<<23-1)
	}
	if x != x {
		return NaNF32
	}
	if math.Abs(x) >= 0x1p128 {
		return math.Float32bits(float32(math.Copysign(math.Inf(1), x)))
	}
	d := CvtF32F64(RZ, math.Float64bits(x))
	if d == signF32 {
		return 0
	}
	return d
}

// RoundMMAF16 makes an f16 of a fused dot product, to nearest; what is too small
// becomes +0.
func RoundMMAF16(x float64) uint16 {
	d := bitsF16(x)
	if d == signF16 {
		return 0
	}
	return d
}

// RoundMMAShort is RoundMMAF32 with a fraction of 13 bits, what wgmma gives for
// eight-bit factors.
func RoundMMAShort(x float64) uint32 {
	d := RoundMMAF32(x)
	if d&^signF32 > infF32 {
		return d
	}
	return d &^ (1<<10 - 1)
}
