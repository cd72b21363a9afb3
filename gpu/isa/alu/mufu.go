package alu

import "math/bits"

// The multifunction unit. These cores are the operations of the hardware unit,
// bit for bit as an H200 computes them; the instruction sequences around them
// are in approx.go. Except for MufuTanh they flush subnormal operands and
// results.
//
// The unit interpolates (Oberman and Siu, ARITH-17, 2005): the upper bits of a
// reduced operand choose a piece, a polynomial of the second degree in the
// other 17 bits, t. Its square is the one approximation besides the
// coefficients': the unit leaves out the partial products below bit 19. The
// coefficients in zmufu.go are those that give every result of the card.

// piece is the polynomial c0 + c1*t + c2*square(t), each term in its curve's
// unit.
type piece struct{ c0, c1, c2 int32 }

// curve is a function's pieces and how their terms are added.
type curve struct {
	pieces []piece
	one    uint  // c0 counts units of 2^one
	bias   int64 // added, so that cutting off the result rounds it
	square uint  // c2*square(t) counts units of 2^square
}

var (
	rcpCurve  = curve{reciprocals[:], 14, 2*2023 + 1, 1}
	rsqCurve  = curve{inverseRoots[:], 14, -1, 2}
	sqrtCurve = curve{roots[:], 15, -1, 1}
	ex2Curve  = curve{powers[:], 13, 6114, 0}
	lg2Curve  = curve{logarithms[:], 12, 837, 1}
	sinCurve  = curve{sines[:], 12, 0, 0}
	tanhCurve = curve{tangents[:], 15, 0, 0}
)

// at is piece i at t.
func (c *curve) at(i, t uint32) int64 {
	p := &c.pieces[i]
	return int64(p.c0)<<c.one + c.bias + int64(p.c1)*int64(t) + int64(p.c2)*square(t)<<c.square
}

// square is the unit's t*t/2^19 for a t of 17 bits. With its upper eight bits h
// and its lower nine l, the products within l are left out, those within h all
// there, and those of bit k of h with l where they reach bit 19.
func square(t uint32) int64 {
	h, l := t>>9, t&511
	s := h * h >> 1
	s += l >> 8 & -(h >> 1 & 1)
	s += l >> 7 & -(h >> 2 & 1)
	s += l >> 6 & -(h >> 3 & 1)
	s += l >> 5 & -(h >> 4 & 1)
	s += l >> 4 & -(h >> 5 & 1)
	s += l >> 3 & -(h >> 6 & 1)
	s += l >> 2 & -(h >> 7 & 1)
	return int64(s)
}

// The fields of an f32.
func exponentF32(x uint32) int32 { return int32(x>>23&255) - 127 }

func fractionF32(x uint32) uint32 { return x & (1<<23 - 1) }

// encodeF32 is the f32 of the magnitude m*2^(e-23), m having 24 bits, with
// subnormals flushed and overflow infinite.
func encodeF32(sign, m uint32, e int32) uint32 {
	switch {
	case e < -126:
		return sign
	case e > 127:
		return sign | infF32
	}
	return sign | uint32(e+126)<<23 + m
}

// cutF32 is q*2^unit cut off to 24 bits.
func cutF32(sign uint32, q uint64, unit int32) uint32 {
	if q == 0 {
		return sign
	}
	n := int32(bits.Len64(q))
	if n > 24 {
		return encodeF32(sign, uint32(q>>uint(n-24)), n-1+unit)
	}
	return encodeF32(sign, uint32(q<<uint(24-n)), n-1+unit)
}

// MufuRcp is 1/x.
func MufuRcp(x uint32) uint32 {
	x = FlushF32(x)
	sign := x & signF32
	switch {
	case IsNaNF32(x):
		return NaNF32
	case x == sign:
		return sign | infF32
	case x^sign == infF32:
		return sign
	}
	m, e := fractionF32(x), exponentF32(x)
	if m == 0 {
		return encodeF32(sign, 1<<23, -e)
	}
	q := rcpCurve.at(m>>16, m&0xffff<<1)
	return encodeF32(sign, uint32(q>>16), -e-1)
}

// MufuRsq is the reciprocal square root of x; of a zero it is an infinity of
// the same sign.
func MufuRsq(x uint32) uint32 {
	x = FlushF32(x)
	switch {
	case x&^signF32 == 0:
		return x | infF32
	case x > infF32: // negative or NaN
		return NaNF32
	case x == infF32:
		return 0
	}
	m, e := fractionF32(x), exponentF32(x)
	if m == 0 && e&1 == 0 {
		return encodeF32(0, 1<<23, -e/2)
	}
	q := rsqCurve.at(m>>17|uint32(e&1)<<6, m&0x1ffff)
	return encodeF32(0, uint32(q>>16), -(e>>1)-1)
}

// MufuSqrt is the square root of x.
func MufuSqrt(x uint32) uint32 {
	x = FlushF32(x)
	switch {
	case x&^signF32 == 0:
		return x
	case x > infF32: // negative or NaN
		return NaNF32
	case x == infF32:
		return x
	}
	m, e := fractionF32(x), exponentF32(x)
	q := sqrtCurve.at(m>>17|uint32(e&1)<<6, m&0x1ffff)
	return encodeF32(0, uint32(q>>17), e>>1)
}

// MufuEx2 is 2 to the power of x, which it takes with 23 bits after the point.
func MufuEx2(x uint32) uint32 {
	x = FlushF32(x)
	if IsNaNF32(x) {
		return NaNF32
	}
	n, f, ok := fixedF32(x)
	switch sign := x&signF32 != 0; {
	case !ok && sign:
		return 0
	case !ok:
		return infF32
	case sign && f == 0:
		n = -n
	case sign:
		n, f = ^n, ^f&(1<<23-1)
	}
	q := ex2Curve.at(f>>17, f&0x1ffff)
	return encodeF32(0, uint32(q>>15), n)
}

// fixedF32 is the magnitude of x as a whole number and a fraction of 23 bits,
// what is beyond them cut off. It fails from 256 on.
func fixedF32(x uint32) (n int32, f uint32, ok bool) {
	m, e := fractionF32(x)|1<<23, exponentF32(x)
	switch {
	case e > 7:
		return 0, 0, false
	case e >= 0:
		v := m << uint(e)
		return int32(v >> 23), v & (1<<23 - 1), true
	case e > -24:
		return 0, m >> uint(-e), true
	}
	return 0, 0, true
}

// MufuLg2 is the logarithm of x to base 2, cut off after 36 bits behind the
// point.
func MufuLg2(x uint32) uint32 {
	x = FlushF32(x)
	switch {
	case x&^signF32 == 0:
		return infF32 | signF32
	case x > infF32: // negative or NaN
		return NaNF32
	case x == infF32:
		return x
	case x == oneF32:
		return 0
	}
	m, e := fractionF32(x), exponentF32(x)
	q := int64(e)<<36 + lg2Curve.at(m>>17, m&0x1ffff)>>2
	if q < 0 {
		return cutF32(signF32, uint64(^q), -36)
	}
	return cutF32(0, uint64(q), -36)
}

// MufuSin is the sine of x turns, that is of 2*pi*x.
func MufuSin(x uint32) uint32 {
	x = FlushF32(x)
	if x&infF32 == infF32 {
		return NaNF32
	}
	return turnF32(x&signF32, x&^signF32, 0)
}

// MufuCos is the cosine of x turns, that is of 2*pi*x.
func MufuCos(x uint32) uint32 {
	x = FlushF32(x)
	if x&infF32 == infF32 {
		return NaNF32
	}
	return turnF32(0, x&^signF32, 1)
}

// turnF32 is the sine, of a sign, of x turns and a number of quarters. A turn
// has 2^25 steps.
func turnF32(sign, x uint32, quarters uint32) uint32 {
	var steps uint32
	m, e := fractionF32(x)|1<<23, exponentF32(x)+2
	switch {
	case e >= 0 && e < 25:
		steps = m << uint(e)
	case e < 0 && e > -24:
		steps = m >> uint(-e)
	}
	quarter, f := steps>>23+quarters, steps&(1<<23-1)
	if quarter&1 != 0 {
		f ^= 1<<23 - 1
	}
	if quarter&2 != 0 {
		sign ^= signF32
	}
	return cutF32(sign, uint64(sinCurve.at(f>>17, f&0x1ffff)), -37)
}

// MufuRcp64h is the upper word of 1/x for an f64 of which hi is the upper word
// and zero the lower.
func MufuRcp64h(hi uint32) uint32 {
	sign := hi & signF32
	e := int32(hi>>20&0x7ff) - 1023
	m := hi & (1<<20 - 1)
	switch {
	case e == 1024 && m != 0:
		return NaNF32
	case e == 1024:
		return sign
	case e == -1023:
		return sign | 0x7ff00000
	}
	y := MufuRcp(oneF32 | m<<3)
	return encodeHigh(sign, y, -e)
}

// encodeHigh is the upper word of an f64: that of y, an f32, cut off, times
// 2^e.
func encodeHigh(sign, y uint32, e int32) uint32 {
	e += exponentF32(y)
	if e < -1022 {
		return sign
	}
	return sign | uint32(e+1023)<<20 | fractionF32(y)>>3
}

// MufuRsq64h is the upper word of the reciprocal square root of x for an f64
// of which hi is the upper word and zero the lower.
func MufuRsq64h(hi uint32) uint32 {
	e := int32(hi>>20&0x7ff) - 1023
	m := hi & (1<<20 - 1)
	switch {
	case e == 1024 && m != 0:
		return NaNF32
	case e == -1023:
		return hi&signF32 | 0x7ff00000
	case hi&signF32 != 0:
		return NaNF32
	case e == 1024:
		return 0
	}
	y := MufuRsq(uint32(e&1+127)<<23 | m<<3)
	return encodeHigh(0, y, -(e >> 1))
}

// tangentPieces says where the pieces of the binades from 2^-8 to 2^2 begin, and
// how many bits of the fraction choose among them.
var tangentPieces = [...]struct{ first, bits uint32 }{
	{0, 0}, {1, 0}, {2, 0}, {3, 1}, {5, 1}, {7, 2}, {11, 2}, {15, 2}, {19, 3}, {27, 4}, {43, 3},
}

// MufuTanh is the hyperbolic tangent of x. Below 2^-8 that is x, subnormals
// included, and from 8 on one.
func MufuTanh(x uint32) uint32 {
	sign, m, e := x&signF32, fractionF32(x), exponentF32(x)
	switch {
	case IsNaNF32(x):
		return NaNF32
	case e < -8:
		return x
	case e > 2:
		return sign | oneF32
	}
	p := tangentPieces[e+8]
	v := m >> (6 - p.bits)
	return cutF32(sign, uint64(tanhCurve.at(p.first+v>>17, v&0x1ffff)), -39)
}
