package alu_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	. "github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// The oracle works on exact rationals and knows a format only by its
// parameters. It shares no code with the package.

type refFormat struct {
	name     string
	p        int // precision, hidden bit included
	expBits  int
	nan      uint64 // canonical
	noInf    bool   // e4m3: the top exponent holds numbers, overflow saturates
	saturate bool
}

var (
	refF16  = refFormat{name: "f16", p: 11, expBits: 5, nan: 0x7fff}
	refBF16 = refFormat{name: "bf16", p: 8, expBits: 8, nan: 0x7fff}
	refF32  = refFormat{name: "f32", p: 24, expBits: 8, nan: 0x7fffffff}
	refF64  = refFormat{name: "f64", p: 53, expBits: 11, nan: 0xfff8000000000000}
	refTF32 = refFormat{name: "tf32", p: 11, expBits: 8, nan: 0x3ffff}
)

func (f refFormat) bias() int     { return 1<<(f.expBits-1) - 1 }
func (f refFormat) emin() int     { return 1 - f.bias() }
func (f refFormat) signBit() uint { return uint(f.p - 1 + f.expBits) }
func (f refFormat) inf() uint64   { return uint64(1<<f.expBits-1) << (f.p - 1) }
func (f refFormat) sign(x uint64) bool {
	return x>>f.signBit()&1 != 0
}
func (f refFormat) magnitude(x uint64) uint64 { return x & (1<<f.signBit() - 1) }
func (f refFormat) isNaN(x uint64) bool       { return f.magnitude(x) > f.inf() }
func (f refFormat) isInf(x uint64) bool       { return f.magnitude(x) == f.inf() }
func (f refFormat) isZero(x uint64) bool      { return f.magnitude(x) == 0 }

func (f refFormat) signed(neg bool, magnitude uint64) uint64 {
	if neg {
		return magnitude | 1<<f.signBit()
	}
	return magnitude
}

func pow2(e int) *big.Rat {
	one := big.NewInt(1)
	if e >= 0 {
		return new(big.Rat).SetInt(new(big.Int).Lsh(one, uint(e)))
	}
	return new(big.Rat).SetFrac(one, new(big.Int).Lsh(one, uint(-e)))
}

// value is the exact value of a finite pattern.
func (f refFormat) value(x uint64) *big.Rat {
	m := f.magnitude(x)
	e := int(m >> (f.p - 1))
	frac := m & (1<<(f.p-1) - 1)
	if e == 0 {
		e = 1
	} else {
		frac |= 1 << (f.p - 1)
	}
	v := new(big.Rat).SetInt(new(big.Int).SetUint64(frac))
	v.Mul(v, pow2(e-f.bias()-(f.p-1)))
	if f.sign(x) {
		v.Neg(v)
	}
	return v
}

// round gives the pattern of x rounded in mode r; x is not zero.
func (f refFormat) round(r Round, x *big.Rat) uint64 {
	neg := x.Sign() < 0
	mag := new(big.Rat).Abs(x)
	e := mag.Num().BitLen() - mag.Denom().BitLen()
	if mag.Cmp(pow2(e)) < 0 {
		e--
	}
	q := max(e, f.emin()) - (f.p - 1)
	mag.Mul(mag, pow2(-q))
	n, rest := new(big.Int).QuoRem(mag.Num(), mag.Denom(), new(big.Int))
	half := new(big.Int).Lsh(rest, 1).Cmp(mag.Denom())
	var up bool
	switch r {
	case RN:
		up = half > 0 || half == 0 && n.Bit(0) == 1
	case RNA:
		up = half >= 0
	case RM:
		up = neg && rest.Sign() != 0
	case RP:
		up = !neg && rest.Sign() != 0
	}
	if up {
		n.Add(n, big.NewInt(1))
	}
	// Adding the significand to the exponent field below it lets a carry
	// out of the significand raise the exponent.
	bits := n.Uint64()
	if bits>>(f.p-1) != 0 {
		bits += uint64(q+f.p-1-f.emin()) << (f.p - 1)
	}
	largest := f.inf() - 1
	if f.noInf {
		largest = 1<<f.signBit() - 2
	}
	if bits > largest {
		bits = largest
		if !f.saturate && (r == RN || r == RNA || r == RM && neg || r == RP && !neg) {
			bits = f.inf()
		}
	}
	return f.signed(neg, bits)
}

// sum rounds x+y, where an exact zero takes its sign from the terms' signs.
func (f refFormat) sum(r Round, x, y *big.Rat, xneg, yneg bool) uint64 {
	s := new(big.Rat).Add(x, y)
	if s.Sign() == 0 {
		if xneg == yneg {
			return f.signed(xneg, 0)
		}
		return f.signed(r == RM, 0)
	}
	return f.round(r, s)
}

// nanOf is the NaN result for operands: canonical, but for f64 the first NaN
// operand made quiet, in the order in which the operation prefers them.
func (f refFormat) nanOf(operands ...uint64) uint64 {
	if f.p == 53 {
		for _, x := range operands {
			if f.isNaN(x) {
				return x | 1<<51
			}
		}
	}
	return f.nan
}

func (f refFormat) anyNaN(operands ...uint64) bool {
	for _, x := range operands {
		if f.isNaN(x) {
			return true
		}
	}
	return false
}

func (f refFormat) add(r Round, a, b uint64) uint64 {
	switch {
	case f.anyNaN(a, b), f.isInf(a) && f.isInf(b) && a != b:
		return f.nanOf(b, a)
	case f.isInf(a):
		return a
	case f.isInf(b):
		return b
	}
	return f.sum(r, f.value(a), f.value(b), f.sign(a), f.sign(b))
}

func (f refFormat) sub(r Round, a, b uint64) uint64 {
	if f.isNaN(b) {
		return f.nanOf(b, a)
	}
	return f.add(r, a, b^1<<f.signBit())
}

func (f refFormat) mul(r Round, a, b uint64) uint64 {
	neg := f.sign(a) != f.sign(b)
	switch {
	case f.anyNaN(a, b), f.isInf(a) && f.isZero(b), f.isZero(a) && f.isInf(b):
		return f.nanOf(b, a)
	case f.isInf(a) || f.isInf(b):
		return f.signed(neg, f.inf())
	case f.isZero(a) || f.isZero(b):
		return f.signed(neg, 0)
	}
	return f.round(r, new(big.Rat).Mul(f.value(a), f.value(b)))
}

func (f refFormat) fma(r Round, a, b, c uint64) uint64 {
	neg := f.sign(a) != f.sign(b)
	infinite := f.isInf(a) || f.isInf(b)
	switch {
	case f.anyNaN(a, b, c), infinite && (f.isZero(a) || f.isZero(b)),
		infinite && f.isInf(c) && f.sign(c) != neg:
		return f.nanOf(a, b, c)
	case infinite:
		return f.signed(neg, f.inf())
	case f.isInf(c):
		return c
	}
	return f.sum(r, new(big.Rat).Mul(f.value(a), f.value(b)), f.value(c), neg, f.sign(c))
}

func (f refFormat) div(r Round, a, b uint64) uint64 {
	neg := f.sign(a) != f.sign(b)
	switch {
	case f.anyNaN(a, b), f.isInf(a) && f.isInf(b), f.isZero(a) && f.isZero(b):
		return f.nanOf(a, b)
	case f.isInf(a) || f.isZero(b):
		return f.signed(neg, f.inf())
	case f.isZero(a) || f.isInf(b):
		return f.signed(neg, 0)
	}
	return f.round(r, new(big.Rat).Quo(f.value(a), f.value(b)))
}

func (f refFormat) sqrt(r Round, a uint64) uint64 {
	switch {
	case f.isNaN(a), f.sign(a) && !f.isZero(a):
		return f.nanOf(a)
	case f.isInf(a), f.isZero(a):
		return a
	}
	// Scale to an integer with far more digits than needed; what the integer
	// root drops is restored as a half.
	const digits = 1200
	x := new(big.Rat).Mul(f.value(a), pow2(2*digits))
	root := new(big.Int).Sqrt(x.Num())
	v := new(big.Rat).SetInt(root)
	if new(big.Int).Mul(root, root).Cmp(x.Num()) != 0 {
		v.Add(v, big.NewRat(1, 2))
	}
	return f.round(r, v.Mul(v, pow2(-digits)))
}

// convert rounds a pattern of format from.
func (f refFormat) convert(r Round, from refFormat, x uint64) uint64 {
	switch {
	case from.isNaN(x) && from.p == 53: // sign and payload stay
		quiet := uint64(1) << (f.p - 2)
		return f.signed(from.sign(x), f.inf()|quiet|x>>(from.p-f.p)&(quiet-1))
	case from.isNaN(x):
		return f.nan
	case from.isInf(x):
		return f.signed(from.sign(x), f.inf())
	case from.isZero(x):
		return f.signed(from.sign(x), 0)
	}
	return f.round(r, from.value(x))
}

// edges are the patterns where implementations go wrong, in both signs.
func (f refFormat) edges() []uint64 {
	ulp := uint64(1)
	hidden := ulp << (f.p - 1)
	one := uint64(f.bias()) << (f.p - 1)
	magnitudes := []uint64{
		0, 1, 2, 3, hidden / 2, hidden - 1, hidden, hidden + 1, 2*hidden - 1, 2 * hidden,
		one - 2, one - 1, one, one + 1, one + 2, one + hidden/2, one + hidden/2 - 1,
		one + hidden - 1, one + hidden, one + hidden + 1, one + hidden + hidden/2,
		one - hidden*uint64(f.p), one - hidden*uint64(f.p) + 1, one + hidden*uint64(f.p), one - hidden*uint64(f.p-1),
		one/2 + hidden, one/2 + hidden/2, one + one/2,
		f.inf() - hidden, f.inf() - 2, f.inf() - 1, f.inf(), f.inf() + 1, f.inf() + hidden/2, f.inf() + hidden - 1,
	}
	var all []uint64
	for _, m := range magnitudes {
		all = append(all, f.signed(false, m), f.signed(true, m))
	}
	return all
}

// source draws patterns that are hard to round: few significand bits set or
// cleared, exponents near each other or near the ends.
type source struct {
	*rand.Rand
	f refFormat
}

func newSource(f refFormat) *source {
	return &source{rand.New(rand.NewPCG(uint64(f.p), uint64(f.expBits))), f}
}

// bits is a significand with up to n random bits set.
func (s *source) bits(n int) (v uint64) {
	for range n {
		v |= 1 << s.IntN(s.f.p)
	}
	return v
}

func (s *source) next() uint64 {
	if s.IntN(16) == 0 {
		e := s.f.edges()
		return e[s.IntN(len(e))]
	}
	frac := s.Uint64()
	switch s.IntN(4) {
	case 0:
		frac = s.bits(3)
	case 1:
		frac = ^s.bits(2)
	case 2:
		frac = frac >> s.IntN(64) << s.IntN(s.f.p)
	}
	frac &= 1<<(s.f.p-1) - 1
	span := 1 << s.f.expBits
	e := s.IntN(span)
	switch s.IntN(4) {
	case 0, 1:
		e = s.f.bias() + s.IntN(2*s.f.p) - s.f.p
	case 2:
		e = s.IntN(3) * (span - 3) / 2
	}
	e = max(0, min(span-1, e))
	return s.f.signed(s.IntN(2) == 0, uint64(e)<<(s.f.p-1)|frac)
}

var directions = []Round{RN, RZ, RM, RP}

// Two exact checks of the oracle itself, on numbers known by hand.
func TestOracleRoundsKnownValues(t *testing.T) {
	third := big.NewRat(1, 3)
	for _, c := range []struct {
		f    refFormat
		r    Round
		want uint64
	}{
		{refF32, RN, 0x3eaaaaab}, {refF32, RZ, 0x3eaaaaaa}, {refF64, RP, 0x3fd5555555555556},
		{refF16, RN, 0x3555}, {refBF16, RN, 0x3eab},
	} {
		if got := c.f.round(c.r, third); got != c.want {
			t.Errorf("%s of 1/3 in mode %d = %#x, want %#x", c.f.name, c.r, got, c.want)
		}
	}
}
