package alu

import (
	"math"
	"math/bits"
)

const (
	infF64   uint64 = 0x7ff0000000000000
	oneF64   uint64 = 0x3ff0000000000000
	quietF64 uint64 = 1 << 51
)

func f64(x uint64) float64 { return math.Float64frombits(x) }

// IsNaNF64 reports whether x is a NaN.
func IsNaNF64(x uint64) bool { return x&^signF64 > infF64 }

// SatF64 clamps to [+0, 1]; NaN becomes +0.
func SatF64(x uint64) uint64 {
	switch {
	case x > infF64: // negative or NaN
		return 0
	case x > oneF64:
		return oneF64
	}
	return x
}

// nanF64 is the NaN result of an operation: the first NaN among the operands,
// in the order in which the operation prefers them, made quiet, or the NaN of
// an invalid operation. Sums and products of two prefer the second.
func nanF64(operands ...uint64) uint64 {
	for _, x := range operands {
		if IsNaNF64(x) {
			return x | quietF64
		}
	}
	return NaNF64
}

// AddF64RN is add.rn.f64.
func AddF64RN(a, b uint64) uint64 {
	s := f64(a) + f64(b)
	if s != s {
		return nanF64(b, a)
	}
	return math.Float64bits(s)
}

// SubF64RN is sub.rn.f64.
func SubF64RN(a, b uint64) uint64 {
	s := f64(a) - f64(b)
	if s != s {
		return nanF64(b, a)
	}
	return math.Float64bits(s)
}

// MulF64RN is mul.rn.f64. The conversion keeps the compiler from fusing the
// product into a caller's sum.
func MulF64RN(a, b uint64) uint64 {
	p := float64(f64(a) * f64(b))
	if p != p {
		return nanF64(b, a)
	}
	return math.Float64bits(p)
}

// FmaF64RN is fma.rn.f64.
func FmaF64RN(a, b, c uint64) uint64 {
	s := math.FMA(f64(a), f64(b), f64(c))
	if s != s {
		return nanF64(a, b, c)
	}
	return math.Float64bits(s)
}

// DivF64RN is div.rn.f64.
func DivF64RN(a, b uint64) uint64 {
	q := f64(a) / f64(b)
	if q != q {
		return nanF64(a, b)
	}
	return math.Float64bits(q)
}

// RcpF64RN is rcp.rn.f64.
func RcpF64RN(a uint64) uint64 { return DivF64RN(oneF64, a) }

// SqrtF64RN is sqrt.rn.f64.
func SqrtF64RN(a uint64) uint64 {
	s := math.Sqrt(f64(a))
	if s != s {
		return nanF64(a)
	}
	return math.Float64bits(s)
}

// ordinary reports whether x is finite and not zero.
func ordinary(x uint64) bool { return x<<1-1 < infF64<<1-1 }

// AddF64 is add.rnd.f64.
func AddF64(r Round, a, b uint64) uint64 {
	if r == RN {
		return AddF64RN(a, b)
	}
	if !ordinary(a) || !ordinary(b) {
		return signOfZeroSum(r, AddF64RN(a, b), a, b)
	}
	return roundSum(r, widen(unpack(a)), widen(unpack(b)))
}

// SubF64 is sub.rnd.f64.
func SubF64(r Round, a, b uint64) uint64 {
	if IsNaNF64(b) {
		return nanF64(b)
	}
	return AddF64(r, a, b^signF64)
}

// MulF64 is mul.rnd.f64.
func MulF64(r Round, a, b uint64) uint64 {
	if r == RN || !ordinary(a) || !ordinary(b) {
		return MulF64RN(a, b)
	}
	return fmtF64.round(r, product(unpack(a), unpack(b)).narrow())
}

// FmaF64 is fma.rnd.f64.
func FmaF64(r Round, a, b, c uint64) uint64 {
	if r == RN {
		return FmaF64RN(a, b, c)
	}
	if !ordinary(a) || !ordinary(b) || c&infF64 == infF64 {
		return signOfZeroSum(r, FmaF64RN(a, b, c), a^b, c)
	}
	p := product(unpack(a), unpack(b))
	if c<<1 == 0 {
		return fmtF64.round(r, p.narrow())
	}
	return roundSum(r, p, widen(unpack(c)))
}

// DivF64 is div.rnd.f64.
func DivF64(r Round, a, b uint64) uint64 {
	if r == RN || !ordinary(a) || !ordinary(b) {
		return DivF64RN(a, b)
	}
	x, y := unpack(a), unpack(b)
	// Halving x keeps the quotient's high word below the divisor.
	q, rest := bits.Div64(x.sig>>1, x.sig<<63, y.sig)
	n := number{x.neg != y.neg, x.exp - y.exp, q}
	if rest != 0 {
		n.sig |= 1
	}
	return fmtF64.round(r, n.normalise())
}

// RcpF64 is rcp.rnd.f64.
func RcpF64(r Round, a uint64) uint64 { return DivF64(r, oneF64, a) }

// SqrtF64 is sqrt.rnd.f64.
func SqrtF64(r Round, a uint64) uint64 {
	if r == RN || !ordinary(a) || a&signF64 != 0 {
		return SqrtF64RN(a)
	}
	// With the operand scaled to [1,4) the remainder of the rounded root is
	// exact, and its sign tells on which side of the root it lies.
	x := unpack(a)
	half := x.exp >> 1
	m := math.Ldexp(float64(x.sig>>11), x.exp-2*half-52)
	s := math.Sqrt(m)
	rest := math.FMA(-s, s, m)
	n := unpack(math.Float64bits(s))
	n.exp += half
	switch {
	case rest > 0:
		n.sig |= 1
	case rest < 0:
		n.sig--
	}
	return fmtF64.round(r, n)
}

// signOfZeroSum corrects rn, the result rounded to nearest of a sum with a
// zero, infinite or NaN term, for the rounding r. Such sums are exact; only an
// exact zero has its sign from the rounding.
func signOfZeroSum(r Round, rn, a, b uint64) uint64 {
	if rn<<1 == 0 && r == RM {
		return (a | b) & signF64
	}
	return rn
}

// A wideNumber is a number with 128 bits: (hi,lo) * 2^(exp-126), bit 62 of hi
// set, bit 63 clear to take the carry of a sum.
type wideNumber struct {
	neg    bool
	exp    int
	hi, lo uint64
}

func widen(n number) wideNumber {
	return wideNumber{n.neg, n.exp, n.sig >> 1, n.sig << 63}
}

// product is the exact product of two float64.
func product(x, y number) wideNumber {
	hi, lo := bits.Mul64(x.sig, y.sig)
	p := wideNumber{x.neg != y.neg, x.exp + y.exp, hi, lo}
	if hi>>63 == 0 {
		return p
	}
	return wideNumber{p.neg, p.exp + 1, hi >> 1, hi<<63 | lo>>1}
}

// narrow keeps 64 bits, the last one sticky.
func (w wideNumber) narrow() number {
	n := number{w.neg, w.exp, w.hi<<1 | w.lo>>63}
	if w.lo<<1 != 0 {
		n.sig |= 1
	}
	return n
}

// shiftRight moves the significand down by n, keeping lost bits as a sticky
// last bit.
func (w wideNumber) shiftRight(n int) wideNumber {
	var lost uint64
	switch {
	case n == 0:
		return w
	case n < 64:
		lost = w.lo << (64 - n)
		w.lo = w.lo>>n | w.hi<<(64-n)
		w.hi >>= n
	case n < 128:
		lost = w.lo | w.hi<<1<<(127-n)
		w.lo = w.hi >> (n - 64)
		w.hi = 0
	default:
		lost, w.hi, w.lo = 1, 0, 0
	}
	if lost != 0 {
		w.lo |= 1
	}
	return w
}

// roundSum rounds x+y into float64.
func roundSum(r Round, x, y wideNumber) uint64 {
	if x.exp < y.exp || x.exp == y.exp && (x.hi < y.hi || x.hi == y.hi && x.lo < y.lo) {
		x, y = y, x
	}
	y = y.shiftRight(x.exp - y.exp)
	var carry uint64
	if x.neg == y.neg {
		x.lo, carry = bits.Add64(x.lo, y.lo, 0)
		x.hi, _ = bits.Add64(x.hi, y.hi, carry)
	} else {
		x.lo, carry = bits.Sub64(x.lo, y.lo, 0)
		x.hi, _ = bits.Sub64(x.hi, y.hi, carry)
	}
	if x.hi|x.lo == 0 {
		return fmtF64.signOf(r == RM)
	}
	return fmtF64.round(r, x.normalise())
}

// normalise gives the leading 64 bits, the last one sticky.
func (w wideNumber) normalise() number {
	if w.hi == 0 {
		return number{w.neg, w.exp - 63, w.lo}.normalise()
	}
	z := bits.LeadingZeros64(w.hi)
	n := number{w.neg, w.exp + 1 - z, w.hi<<z | w.lo>>1>>(63-z)}
	if w.lo<<z != 0 {
		n.sig |= 1
	}
	return n
}

// NegF64 is neg.f64. A NaN keeps its sign.
func NegF64(a uint64) uint64 {
	if IsNaNF64(a) {
		return a | quietF64
	}
	return a ^ signF64
}

// AbsF64 is abs.f64. A NaN keeps its sign.
func AbsF64(a uint64) uint64 {
	if IsNaNF64(a) {
		return a | quietF64
	}
	return a &^ signF64
}

// CopysignF64 is copysign.f64 d, a, b: the sign of a on the magnitude of b.
func CopysignF64(a, b uint64) uint64 { return a&signF64 | b&^signF64 }

// orderF64 maps non-NaN patterns to integers in the order of their values,
// minus zero below plus zero.
func orderF64(x uint64) int64 { return int64(x) ^ int64(uint64(int64(x)>>63)>>1) }

// MinF64 is min.f64: of one NaN and a number, the number.
func MinF64(a, b uint64) uint64 {
	switch {
	case IsNaNF64(a) && IsNaNF64(b):
		return nanF64(b)
	case IsNaNF64(a) || !IsNaNF64(b) && orderF64(b) < orderF64(a):
		return b
	}
	return a
}

// MaxF64 is max.f64: of one NaN and a number, the number.
func MaxF64(a, b uint64) uint64 {
	switch {
	case IsNaNF64(a) && IsNaNF64(b):
		return nanF64(b)
	case IsNaNF64(a) || !IsNaNF64(b) && orderF64(b) > orderF64(a):
		return b
	}
	return a
}
