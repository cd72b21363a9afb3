package sample

import (
	"math"
	"math/bits"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// numbers says how the channels of elements are held until they are weighed.
type numbers uint8

const (
	integers    numbers = iota // as they are read; they are not weighed
	floats                     // floats
	halves                     // halves
	fractions                  // of the largest number of their bits
	signs                      // the same with a sign
	curved                     // sRGB: intensities, and the fourth channel a fraction
	intensities                // see intensity
)

// numbersOf is how elements of a texture are held.
func numbersOf(m *isa.Texture) numbers {
	plain := m.Packing == isa.Plain
	switch {
	case m.Packing == isa.BC6, plain && m.Kind == isa.Float && m.ChannelBits == 16:
		return halves
	case plain && m.Kind == isa.Float:
		return floats
	case plain && (!m.ReadNormalized || m.ChannelBits == 32):
		return integers
	case m.SRGB && m.Kind == isa.Unsigned && (plain && m.ChannelBits == 8 || byteBlocks(m.Packing)):
		return curved
	case m.Kind == isa.Signed:
		return signs
	}
	return fractions
}

// byteBlocks reports blocks whose elements have eight bits a channel.
func byteBlocks(p isa.Packing) bool {
	return p == isa.BC1 || p == isa.BC2 || p == isa.BC3 || p == isa.BC7
}

// of is how channel c is held.
func (n numbers) of(c int) numbers {
	switch {
	case n != curved:
		return n
	case c == 3:
		return fractions
	}
	return intensities
}

// The largest fractions that sums of elements are held as.
const (
	mostFraction = 65535
	mostSigned   = 32767
)

// top is the fraction of channel c that is one.
func (m *Image) top(c int) int64 {
	bits := m.ChannelBits
	switch {
	case byteBlocks(m.Packing):
		bits = 8
	case m.Packing == isa.BC4, m.Packing == isa.BC5:
		bits = 16
	case m.Packing == isa.RGB10A2 && c == 3:
		bits = 2
	case m.Packing == isa.RGB10A2:
		bits = 10
	}
	if m.Kind == isa.Signed {
		bits--
	}
	return 1<<bits - 1
}

// values is an element as a program sees it.
func (m *Image) values(v Texel) Texel {
	if m.numbers == floats || m.numbers == integers {
		return v
	}
	for c := range m.channels {
		switch m.numbers.of(c) {
		case halves:
			v[c] = widened(v[c])
		case intensities:
			v[c] = math.Float32bits(float32(v[c]&0xffff) / (1 << 14))
		case fractions, signs:
			v[c] = math.Float32bits(float32(max(-1, float64(int32(v[c]))/float64(m.top(c)))))
		}
	}
	return v
}

// widened is a half as a float. What is no number keeps its bits.
func widened(h uint32) uint32 {
	if h&0x7fff > 0x7c00 {
		return h>>15<<31 | 0x7f800000 | h&0x3ff<<13
	}
	return alu.CvtF32F16(uint16(h))
}

// blend is the sum of elements by their weights, as a program sees it.
func (m *Image) blend(t *taps) (v Texel) {
	for c := range m.channels {
		switch m.numbers.of(c) {
		case floats:
			v[c] = t.sum(c, single)
			if v[c]&0x7f800000 == 0 {
				v[c] &= 1 << 31
			}
		case halves:
			v[c] = widened(t.sum(c, half))
		case intensities:
			v[c] = widened(t.sum(c, intensityHalf))
		case fractions:
			v[c] = math.Float32bits(float32(float64(t.fraction(c, m.top(c))) / mostFraction))
		case signs:
			v[c] = math.Float32bits(float32(float64(t.signed(c, m.top(c))) / mostSigned))
		default:
			v[c] = t.all[0].v[c]
		}
	}
	return v
}

// fraction is the sum of a channel, fractions of top, as a fraction of mostFraction:
// of elements that were made 16 bits by repeating theirs, to the nearest.
func (t *taps) fraction(c int, top int64) (sum int64) {
	for _, x := range t.all[:t.n] {
		v := int64(x.v[c])
		if top == 1023 {
			v = v<<6 | v>>4
		} else {
			v *= mostFraction / top
		}
		sum += int64(x.weight) * v
	}
	return (sum + one<<t.more/2) >> (fixedBits + t.more)
}

// signed is the sum of a channel, fractions of top with a sign, as a fraction of
// mostSigned. That of bytes is 258 by 256 and a little of itself, without its last
// four bits, to the nearest.
func (t *taps) signed(c int, top int64) int64 {
	sum := int64(0)
	for _, x := range t.all[:t.n] {
		sum += int64(x.weight) * int64(int32(x.v[c]))
	}
	if top == math.MaxInt8 {
		sum = (sum<<11 + sum>>(4+t.more)<<t.more*257 + 1<<(10+t.more)) >> (11 + t.more)
	} else {
		sum = (sum + one<<t.more/2) >> (fixedBits + t.more)
	}
	return max(-mostSigned, sum)
}

// extraBits are kept below the last bit of the greatest element when elements
// are brought to one exponent; what lies below is cut off.
const extraBits = 4

// layout is a format of floats. Of elements at one exponent the lowest bits, those
// kept below included, may be lost.
type layout struct {
	exponent, mantissa, lost uint
	flushed                  bool // subnormal elements are zeros
	intensity                bool // the elements are as intensity says
}

// The formats. Intensities have eight significant bits and nothing below them.
var (
	single        = layout{exponent: 8, mantissa: 23, flushed: true}
	half          = layout{exponent: 5, mantissa: 10}
	intensityHalf = layout{exponent: 5, mantissa: 10, lost: 3 + extraBits, intensity: true}
)

// parts are an element's exponent and its fraction with all bits.
func (b layout) parts(v uint32) (e uint32, frac uint64) {
	if b.intensity {
		return v >> 16, uint64(v&0xffff) << (b.mantissa + 1) >> (v >> 16)
	}
	e, frac = v>>b.mantissa&b.top(), uint64(v&(1<<b.mantissa-1))
	switch {
	case e == 0 && b.flushed:
		return 1, 0
	case e == 0:
		return 1, frac
	}
	return e, frac | 1<<b.mantissa
}

// infinite reports an element that is not finite.
func (b layout) infinite(v uint32) bool { return !b.intensity && v>>b.mantissa&b.top() == b.top() }

// top is the exponent of what is not finite, sign the sign.
func (b layout) top() uint32  { return 1<<b.exponent - 1 }
func (b layout) sign() uint32 { return 1 << (b.exponent + b.mantissa) }

// partial is a sum of elements: an integer whose unit is that of an exponent, less
// the bits of weights and those kept below, those aside that are lost. The exponent is a multiple of four, up to
// three below that of the greatest element.
type partial struct {
	sum      int64
	exponent uint32
	negative uint32 // the sign, if all elements have it
	elements int
}

// sum adds floats of a format by weight: those of a square to one another, then
// squares. The sum is rounded to the nearest, away from zero in the middle.
func (t *taps) sum(c int, b layout) uint32 {
	for _, x := range t.all[:t.n] {
		if b.infinite(x.v[c]) {
			return t.exceptional(c, b)
		}
	}
	var all partial
	for first := 0; first < t.n; {
		last := first + 1
		for last < t.n && t.all[last].square == t.all[first].square {
			last++
		}
		all = all.plus(squareOf(t.all[first:last], c, b))
		first = last
	}
	switch {
	case all.sum == 0:
		return all.negative
	case all.sum < 0:
		return b.sign() | b.rounded(uint64(-all.sum)<<b.lost, int(all.exponent)-int(t.more))
	}
	return b.rounded(uint64(all.sum)<<b.lost, int(all.exponent)-int(t.more))
}

// squareOf is the sum of the elements of a square.
func squareOf(square []tap, c int, b layout) partial {
	p, greatest := partial{negative: b.sign()}, uint32(1)
	for _, x := range square {
		if x.weight != 0 {
			e, _ := b.parts(x.v[c])
			greatest = max(greatest, e)
			p.elements++
			if p.negative &= x.v[c]; b.intensity {
				p.negative = 0
			}
		}
	}
	for _, x := range square {
		e, frac := b.parts(x.v[c])
		part := int64(frac<<extraBits>>min(greatest-min(e, greatest), 63)>>b.lost) * int64(x.weight)
		if !b.intensity && x.v[c]&b.sign() != 0 {
			part = -part
		}
		p.sum += part
	}
	p.exponent = greatest &^ 3
	p.sum <<= greatest & 3
	return p
}

// plus is a sum of two sums, in the greater unit. What lies below it is cut off, and
// so makes negative sums greater.
func (p partial) plus(q partial) partial {
	switch {
	case q.elements == 0:
		return p
	case p.elements == 0:
		return q
	}
	e := max(p.exponent, q.exponent)
	return partial{
		sum: p.sum>>(e-p.exponent) + q.sum>>(e-q.exponent), exponent: e,
		negative: p.negative & q.negative, elements: p.elements + q.elements,
	}
}

// rounded is a float of a sum, not zero, whose unit is that of exponent e, less the bits of
// weights and those kept below.
func (b layout) rounded(sum uint64, e int) uint32 {
	const below = fixedBits + extraBits
	shift := bits.Len64(sum) - int(b.mantissa) - 1 // what has to go for a normal number
	if e+shift-below < 1 {                         // a subnormal number
		shift = below + 1 - e
	}
	e += shift - below
	if shift > 0 {
		sum = (sum + 1<<(shift-1)) >> shift
	} else {
		sum <<= -shift
	}
	// A carry, or a sum below the normal numbers, moves the exponent by itself.
	r := uint64(e-1)<<b.mantissa + sum
	return uint32(min(r, uint64(b.top())<<b.mantissa))
}

// exceptional is a sum with infinities or numbers that are none.
func (t *taps) exceptional(c int, b layout) uint32 {
	top, sign := b.top()<<b.mantissa, b.sign()
	positive, negative := false, false
	for _, x := range t.all[:t.n] {
		switch v := x.v[c]; {
		case v&^sign > top:
			return top | (1<<b.mantissa - 1)
		case v == top:
			positive = true
		case v == top|sign:
			negative = true
		}
	}
	switch {
	case positive && negative:
		return top | (1<<b.mantissa - 1)
	case negative:
		return top | sign
	}
	return top
}
