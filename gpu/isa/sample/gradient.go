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

// times is a product. The multiplier drops six bits of each partial product and adds
// seven units instead.
func (a short) times(b short) short {
	const dropped, correction = 6, 7
	if a.size == 0 || b.size == 0 {
		return short{}
	}
	sum := uint64(correction)
	for i := range shortBits {
		if b.size>>i&1 != 0 {
			sum += uint64(a.size) << i >> dropped
		}
	}
	return shortOf(sum, a.exponent+b.exponent+dropped, a.negative != b.negative)
}

// part is a number by k/2^n. Half a unit of the last bit that any product loses is added.
func (a short) part(k uint64, n int) short {
	if a.size == 0 {
		return a
	}
	return shortOf(k*uint64(a.size)+1<<(bits.Len64(k)-2), a.exponent-n, a.negative)
}

// scaled is a derivative of a normalized coordinate in elements, of which there are n.
func scaled(d float32, n int32) short {
	x := math.Float32bits(d)
	if x&0x7f800000 == 0 {
		return short{}
	}
	a := shortOf(uint64(x&0x7fffff|0x800000), int(x>>23&255)-150, x>>31 != 0)
	return a.times(shortOf(uint64(n), 0, false))
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

// minus is the difference of two numbers.
func (a short) minus(b short) short {
	b.negative = !b.negative
	return a.plus(b)
}

// slope is a vector of derivatives in elements.
type slope [3]short

// sorted are the sizes of the components, the greatest first.
func (v slope) sorted() (a, b, c short) {
	for i := range v {
		v[i].negative = false
	}
	if v[0].less(v[1]) {
		v[0], v[1] = v[1], v[0]
	}
	if v[1].less(v[2]) {
		v[1], v[2] = v[2], v[1]
	}
	if v[0].less(v[1]) {
		v[0], v[1] = v[1], v[0]
	}
	return v[0], v[1], v[2]
}

// length is about that of a vector: its longest component, 11/32 of the next and a
// quarter of the last.
func (v slope) length() short {
	a, b, c := v.sorted()
	c.exponent -= 2
	return a.plus(b.part(11, 5).plus(c))
}

// turnedLength is 11/16 of that of a sum or difference of two vectors: about what they
// were, turned by 45 degrees.
func (v slope) turnedLength() short {
	a, b, c := v.sorted()
	return a.part(11, 4).plus(b.part(121, 9).plus(c.part(11, 6)))
}

// turned is 11/16 of a vector.
func (v slope) turned() slope {
	for i := range v {
		v[i] = v[i].part(11, 4)
	}
	return v
}

// longest is about the longest axis of what two vectors of derivatives span, and its
// length: the longer of the two, or 11/16 of their sum or difference.
func longest(x, y slope) (axis slope, length short) {
	lengthX, lengthY := x.length(), y.length()
	from, to := x, y
	if !lengthX.less(lengthY) {
		from, to = y, x
	}
	var sum, difference slope
	for i := range x {
		sum[i], difference[i] = x[i].plus(y[i]), to[i].minus(from[i])
	}
	axis, length = y, lengthY
	if l := sum.turnedLength(); !l.less(length) {
		axis, length = sum.turned(), l
	}
	if !lengthX.less(length) {
		axis, length = x, lengthX
	}
	if l := difference.turnedLength(); length.less(l) {
		axis, length = difference.turned(), l
	}
	return axis, length
}

// logarithm is that of a number to base two, with eight fraction bits, as a table of
// the first eight bits behind the leading one gives it.
func (a short) logarithm() int32 {
	if a.size == 0 {
		return leastLogarithm
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

// leastLogarithm stands for that of zero.
const leastLogarithm = -1 << 20
