package alu

import (
	"math"
	"math/bits"
)

// Round is a rounding direction. The integer-rounding suffixes of PTX (.rni
// .rzi .rmi .rpi) use the same values as .rn .rz .rm .rp.
type Round uint8

// The rounding directions of PTX.
const (
	RN  Round = iota // to nearest, ties to even
	RZ               // toward zero
	RM               // toward minus infinity
	RP               // toward plus infinity
	RNA              // to nearest, ties away from zero (cvt to tf32 only)
)

// Canonical NaNs: what arithmetic of each type produces. NaNF64 is the NaN of
// an invalid operation; 64-bit arithmetic on NaN operands passes one of them
// on, made quiet.
const (
	NaNF32  uint32 = 0x7fffffff
	NaNF16  uint16 = 0x7fff
	NaNBF16 uint16 = 0x7fff
	NaNF64  uint64 = 0xfff8000000000000
)

const (
	signF16 uint16 = 1 << 15
	signF32 uint32 = 1 << 31
	signF64 uint64 = 1 << 63
)

// A format is a binary floating-point format, as far as rounding into it needs
// to know. Patterns are without the sign bit.
type format struct {
	mant     int    // stored mantissa bits
	bias     int    // exponent bias
	sign     uint   // position of the sign bit
	max      uint64 // largest finite magnitude
	overflow uint64 // what a magnitude that rounds beyond max becomes
}

var (
	fmtF16  = format{10, 15, 15, 0x7bff, 0x7c00}
	fmtBF16 = format{7, 127, 15, 0x7f7f, 0x7f80}
	fmtF32  = format{23, 127, 31, 0x7f7fffff, 0x7f800000}
	fmtF64  = format{52, 1023, 63, 0x7fefffffffffffff, 0x7ff0000000000000}
)

// A number is a finite non-zero value: sig * 2^(exp-63) with bit 63 of sig
// set. Bit 0 of sig stands for everything below it as well ("sticky"), which
// is enough to round into any format of up to 61 bits.
type number struct {
	neg bool
	exp int
	sig uint64
}

// normalise moves the leading one of sig to bit 63.
func (n number) normalise() number {
	z := bits.LeadingZeros64(n.sig)
	n.sig <<= z
	n.exp -= z
	return n
}

// unpack takes a finite non-zero float64 apart.
func unpack(x uint64) number {
	n := number{neg: x&signF64 != 0, exp: int(x>>52&0x7ff) - 1023, sig: x << 11}
	if n.exp == -1023 {
		n.exp++
		return n.normalise()
	}
	n.sig |= 1 << 63
	return n
}

// roundsUp tells whether a magnitude that is discarding rest, a fraction of
// one unit in the last place scaled by 2^64, grows by one unit.
func (r Round) roundsUp(neg, odd bool, rest uint64) bool {
	const half = 1 << 63
	switch r {
	case RN:
		return rest > half || rest == half && odd
	case RNA:
		return rest >= half
	case RM:
		return neg && rest != 0
	case RP:
		return !neg && rest != 0
	}
	return false
}

// toInfinity tells whether overflow of a value of this sign ends at infinity
// rather than at the largest finite number.
func (r Round) toInfinity(neg bool) bool {
	switch r {
	case RZ:
		return false
	case RM:
		return neg
	case RP:
		return !neg
	}
	return true
}

// split cuts n at the precision of f. It returns the pattern of the magnitude
// truncated, and what was cut off as a fraction of one unit scaled by 2^64.
// The pattern of a magnitude above the largest exponent exceeds f.max.
func (f *format) split(n number) (magnitude, rest uint64) {
	e := n.exp + f.bias
	drop := 63 - f.mant
	if e < 1 {
		drop += 1 - e
		e = 1
	}
	if e > int(f.max>>f.mant) {
		return f.max + 1, 0
	}
	switch {
	case drop < 64:
		magnitude, rest = n.sig>>drop, n.sig<<(64-drop)
	case drop == 64:
		rest = n.sig
	default:
		rest = 1
	}
	// The hidden bit of a normal number adds the missing one to e-1.
	return uint64(e-1)<<f.mant + magnitude, rest
}

// round gives the pattern, sign included, of n rounded once into f.
func (f *format) round(r Round, n number) uint64 {
	m, rest := f.split(n)
	if r.roundsUp(n.neg, m&1 != 0, rest) {
		m++
	}
	if m > f.max {
		m = f.max
		if r.toInfinity(n.neg) {
			m = f.overflow
		}
	}
	return m | f.signOf(n.neg)
}

func (f *format) signOf(neg bool) uint64 {
	if neg {
		return 1 << f.sign
	}
	return 0
}

// fromF64 rounds the float64 x into f; NaN becomes nan.
func (f *format) fromF64(r Round, x, nan uint64) uint64 {
	switch magnitude := x &^ signF64; {
	case magnitude > fmtF64.overflow:
		return nan
	case magnitude == fmtF64.overflow:
		return f.overflow | f.signOf(x&signF64 != 0)
	case magnitude == 0:
		return f.signOf(x&signF64 != 0)
	}
	return f.round(r, unpack(x))
}

// fromInt rounds the integer of the given magnitude and sign into f.
func (f *format) fromInt(r Round, neg bool, magnitude uint64) uint64 {
	if magnitude == 0 {
		return 0
	}
	return f.round(r, number{neg, 63, magnitude}.normalise())
}

// twoSum returns the rounded sum and its exact error (Knuth). It holds for all
// finite operands whose sum does not overflow.
func twoSum(x, y float64) (sum, err float64) {
	sum = x + y
	v := sum - x
	return sum, (x - (sum - v)) + (y - v)
}

// oddSum is x+y rounded to odd: truncated, with the last bit set when inexact.
// A second rounding to 51 bits or fewer then gives the singly rounded sum.
func oddSum(x, y float64) float64 {
	s, err := twoSum(x, y)
	u := math.Float64bits(s)
	if err == 0 || err != err || u&1 != 0 {
		return s
	}
	if (err > 0) == (s > 0) {
		return math.Float64frombits(u + 1)
	}
	return math.Float64frombits(u - 1)
}
