package alu

import "math"

const (
	infF32 uint32 = 0x7f800000
	oneF32 uint32 = 0x3f800000
)

func f32(x uint32) float32 { return math.Float32frombits(x) }

// wide is the exact value of an f32.
func wide(x uint32) float64 { return float64(math.Float32frombits(x)) }

// bitsF32 is the pattern of an arithmetic result, every NaN made canonical.
func bitsF32(x float32) uint32 {
	if x != x {
		return NaNF32
	}
	return math.Float32bits(x)
}

// IsNaNF32 reports whether x is a NaN.
func IsNaNF32(x uint32) bool { return x&^signF32 > infF32 }

// FlushF32 replaces a subnormal by zero of its sign: the .ftz of inputs and
// of results.
func FlushF32(x uint32) uint32 {
	if x&infF32 == 0 {
		return x & signF32
	}
	return x
}

// SatF32 clamps to [+0, 1]; NaN becomes +0: the .sat of results.
func SatF32(x uint32) uint32 {
	switch {
	case x > infF32: // negative or NaN
		return 0
	case x > oneF32:
		return oneF32
	}
	return x
}

// AddF32RN is add.rn.f32.
func AddF32RN(a, b uint32) uint32 { return bitsF32(f32(a) + f32(b)) }

// SubF32RN is sub.rn.f32.
func SubF32RN(a, b uint32) uint32 { return bitsF32(f32(a) - f32(b)) }

// MulF32RN is mul.rn.f32. The conversion keeps the compiler from fusing the
// product into a caller's sum.
func MulF32RN(a, b uint32) uint32 { return bitsF32(float32(f32(a) * f32(b))) }

// DivF32RN is div.rn.f32.
func DivF32RN(a, b uint32) uint32 { return bitsF32(f32(a) / f32(b)) }

// RcpF32RN is rcp.rn.f32.
func RcpF32RN(a uint32) uint32 { return bitsF32(1 / f32(a)) }

// SqrtF32RN is sqrt.rn.f32.
func SqrtF32RN(a uint32) uint32 { return bitsF32(float32(math.Sqrt(wide(a)))) }

// FmaF32RN is fma.rn.f32, rounded once.
//
// The product of two f32 is exact in float64, so only the float64 sum rounds,
// and rounding it again to f32 errs only where it lies half way between two
// f32. Everything else, zero, subnormals, infinities and NaN included, takes
// the slow path.
func FmaF32RN(a, b, c uint32) uint32 {
	s := wide(a)*wide(b) + wide(c)
	u := math.Float64bits(s)
	if u&(1<<29-1) != 1<<28 && u>>52&0x7ff-897 < 254 {
		return math.Float32bits(float32(s))
	}
	return fmaF32Odd(a, b, c)
}

func fmaF32Odd(a, b, c uint32) uint32 {
	return bitsF32(float32(oddSum(wide(a)*wide(b), wide(c))))
}

// AddF32 is add.rnd.f32.
func AddF32(r Round, a, b uint32) uint32 {
	if r == RN {
		return AddF32RN(a, b)
	}
	s, err := twoSum(wide(a), wide(b))
	if s == 0 && r == RM {
		return (a | b) & signF32
	}
	return directF32(r, s, err)
}

// SubF32 is sub.rnd.f32.
func SubF32(r Round, a, b uint32) uint32 { return AddF32(r, a, b^signF32) }

// MulF32 is mul.rnd.f32.
func MulF32(r Round, a, b uint32) uint32 {
	if r == RN {
		return MulF32RN(a, b)
	}
	return directF32(r, wide(a)*wide(b), 0)
}

// FmaF32 is fma.rnd.f32 (and mad.rnd.f32 from sm_20 on).
func FmaF32(r Round, a, b, c uint32) uint32 {
	if r == RN {
		return FmaF32RN(a, b, c)
	}
	s, err := twoSum(float64(wide(a)*wide(b)), wide(c))
	if s == 0 && r == RM {
		return (a ^ b | c) & signF32
	}
	return directF32(r, s, err)
}

// DivF32 is div.rnd.f32.
func DivF32(r Round, a, b uint32) uint32 {
	if r == RN {
		return DivF32RN(a, b)
	}
	x, y := wide(a), wide(b)
	q := x / y
	return directF32(r, q, math.Copysign(1, y)*math.FMA(-q, y, x))
}

// RcpF32 is rcp.rnd.f32.
func RcpF32(r Round, a uint32) uint32 { return DivF32(r, oneF32, a) }

// SqrtF32 is sqrt.rnd.f32.
func SqrtF32(r Round, a uint32) uint32 {
	if r == RN {
		return SqrtF32RN(a)
	}
	x := wide(a)
	s := math.Sqrt(x)
	return directF32(r, s, math.FMA(-s, s, x))
}

// directF32 rounds s+err toward zero, minus or plus infinity, where s is the
// exact value rounded to nearest in float64 and only the sign of err counts.
func directF32(r Round, s, err float64) uint32 {
	q := float32(s)
	x := math.Float32bits(q)
	if q != q {
		return NaNF32
	}
	if math.IsInf(s, 0) {
		return x
	}
	above := float64(q) - s
	if above == 0 {
		above = -err
	}
	down := r == RM || r == RZ && s > 0
	up := r == RP || r == RZ && s < 0
	// One step toward zero is minus one in the pattern, away from it plus
	// one; the sign of a zero that stands for a tiny value is that value's.
	switch {
	case above > 0 && down, above < 0 && up:
		if (s > 0) == down {
			return x - 1
		}
		return x + 1
	}
	return x
}

// NegF32 is neg.f32.
func NegF32(a uint32) uint32 {
	if IsNaNF32(a) {
		return NaNF32
	}
	return a ^ signF32
}

// AbsF32 is abs.f32.
func AbsF32(a uint32) uint32 {
	if IsNaNF32(a) {
		return NaNF32
	}
	return a &^ signF32
}

// CopysignF32 is copysign.f32 d, a, b: the sign of a on the magnitude of b.
func CopysignF32(a, b uint32) uint32 { return a&signF32 | b&^signF32 }

// orderF32 maps non-NaN patterns to integers in the order of their values,
// minus zero below plus zero.
func orderF32(x uint32) int32 { return int32(x) ^ int32(uint32(int32(x)>>31)>>1) }

// MinF32 is min.f32: of one NaN and a number, the number.
func MinF32(a, b uint32) uint32 {
	switch {
	case IsNaNF32(a):
		return numberOr(b)
	case IsNaNF32(b):
		return a
	case orderF32(b) < orderF32(a):
		return b
	}
	return a
}

// MaxF32 is max.f32: of one NaN and a number, the number.
func MaxF32(a, b uint32) uint32 {
	switch {
	case IsNaNF32(a):
		return numberOr(b)
	case IsNaNF32(b):
		return a
	case orderF32(b) > orderF32(a):
		return b
	}
	return a
}

func numberOr(x uint32) uint32 {
	if IsNaNF32(x) {
		return NaNF32
	}
	return x
}

// MinNaNF32 is min.NaN.f32: any NaN gives the canonical NaN.
func MinNaNF32(a, b uint32) uint32 {
	if IsNaNF32(a) || IsNaNF32(b) {
		return NaNF32
	}
	return MinF32(a, b)
}

// MaxNaNF32 is max.NaN.f32: any NaN gives the canonical NaN.
func MaxNaNF32(a, b uint32) uint32 {
	if IsNaNF32(a) || IsNaNF32(b) {
		return NaNF32
	}
	return MaxF32(a, b)
}

// XorsignF32 completes min or max with .xorsign.abs: m is the result for the
// absolute values of a and b; unless it is NaN it gets the sign of a times b.
func XorsignF32(m, a, b uint32) uint32 {
	if IsNaNF32(m) {
		return NaNF32
	}
	return m | (a^b)&signF32
}

// least32 is the smallest normal f32.
const least32 uint32 = 1 << 23
