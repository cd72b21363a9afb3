package sample

import (
	"math"
	"math/bits"
)

// short is a number with ten significant bits, or zero: size times 2^exponent.
type short struct {
	size     uint32 // 512 to 1023
	exponent int
	negative bool
}

const shortBits = 10

// shortOf is a size times 2^exponent with its first ten bits.
func shortOf(size uint64, exponent int, negative bool) short {
	if size == 0 {
		return short{}
	}
	n := bits.Len64(size) - shortBits
	if n < 0 {
		return short{uint32(size << -n), exponent + n, negative}
	}
	return short{uint32(size >> n), exponent + n, negative}
}

// less reports that a is smaller, but for signs.
func (a short) less(b short) bool {
	if a.size == 0 || b.size == 0 {
		return a.size == 0 && b.size != 0
	}
	return a.exponent < b.exponent || a.exponent == b.exponent && a.size < b.size
}

// scaled is a derivative of a normalized coordinate in elements, of which there are n.
// The multiplier drops six bits of each partial product and adds seven units instead.
func scaled(d float32, n int32) short {
	x := math.Float32bits(d)
	if x&0x7f800000 == 0 {
		return short{}
	}
	a := shortOf(uint64(x&0x7fffff|0x800000), int(x>>23&255)-150, x>>31 != 0)
	if n&(n-1) == 0 {
		a.exponent += bits.TrailingZeros32(uint32(n))
		return a
	}
	const dropped, correction = 6, 7
	b := shortOf(uint64(n), 0, false)
	sum := uint64(correction)
	for i := range shortBits {
		if b.size>>i&1 != 0 {
			sum += uint64(a.size) << i >> dropped
		}
	}
	return shortOf(sum, a.exponent+b.exponent+dropped, a.negative)
}

// after is b in the unit of a, cut, where b is not the greater.
func (a short) after(b uint32, exponent int) uint32 { return b >> min(uint(a.exponent-exponent), 31) }

// plus is the sum of two numbers.
func (a short) plus(b short) short {
	if a.less(b) {
		a, b = b, a
	}
	switch {
	case b.size == 0:
		return a
	case a.negative == b.negative:
		return shortOf(uint64(a.size+a.after(b.size, b.exponent)), a.exponent, a.negative)
	}
	return shortOf(uint64(2*a.size-a.after(2*b.size, b.exponent)), a.exponent-1, a.negative)
}

// length is about that of a vector: its longest component, 11/32 of the next and a
// quarter of the last.
func length(v [3]short) short {
	if v[0].less(v[1]) {
		v[0], v[1] = v[1], v[0]
	}
	if v[1].less(v[2]) {
		v[1], v[2] = v[2], v[1]
	}
	if v[0].less(v[1]) {
		v[0], v[1] = v[1], v[0]
	}
	a, b, c := v[0], v[1], v[2]
	a.negative = false
	if b.size == 0 {
		return a
	}
	rest := 11 * b.size
	if c.size != 0 {
		rest += 8 * b.after(c.size, c.exponent)
	}
	return shortOf(uint64(a.size+a.after((rest+4)>>5, b.exponent)), a.exponent, false)
}

// shrunk is 11/16 of a number.
func (a short) shrunk() short {
	if a.size == 0 {
		return a
	}
	return shortOf(uint64(11*a.size+4), a.exponent-4, a.negative)
}

// longest is about the longest axis of what two vectors of derivatives span: the
// longer of the two, or 11/16 of their sum or difference.
func longest(x, y [3]short) short {
	var sum, difference [3]short
	for i := range x {
		sum[i] = x[i].plus(y[i]).shrunk()
		opposite := y[i]
		opposite.negative = !opposite.negative
		difference[i] = x[i].plus(opposite).shrunk()
	}
	most := length(x)
	for _, v := range [][3]short{y, sum, difference} {
		if l := length(v); most.less(l) {
			most = l
		}
	}
	return most
}

// logarithm is that of a number to base two, with eight fraction bits, as a table of
// the first eight bits behind the leading one gives it.
func (a short) logarithm() int32 {
	const least = -1 << 20
	if a.size == 0 {
		return least
	}
	whole, fraction := int32(a.exponent+shortBits-1)<<fixedBits, a.size>>1&fixedMask
	switch fraction {
	case 0:
		return whole
	case 61, 86, 108, 109, 110, 111, 115, 116, 117, 141, 162, 170, 255: // below the nearest
		return whole + int32(256*math.Log2(1+(float64(fraction)+0.5)/256))
	}
	return whole + int32(math.Floor(256*math.Log2(1+(float64(fraction)+0.5)/256)+0.5))
}
