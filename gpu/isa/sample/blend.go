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
	integers  numbers = iota // as they are read; they are not weighed
	floats                   // floats
	halves                   // halves
	fractions                // of the largest number of their bits
	signs                    // the same with a sign
	curved                   // sRGB: halves, and the fourth channel a fraction
)

// numbers is how the image's elements are held.
func (m *Image) numbers() numbers {
	switch {
	case m.Packing == isa.BC6, m.Packing == isa.Plain && m.Kind == isa.Float && m.ChannelBits == 16:
		return halves
	case m.Packing == isa.Plain && m.Kind == isa.Float:
		return floats
	case m.Packing == isa.Plain && (!m.ReadNormalized || m.ChannelBits == 32):
		return integers
	case m.SRGB && (m.ChannelBits == 8 || m.Packing != isa.Plain):
		return curved
	case m.Kind == isa.Signed:
		return signs
	}
	return fractions
}

// of is how channel c is held.
func (n numbers) of(c int) numbers {
	switch {
	case n != curved:
		return n
	case c == 3:
		return fractions
	}
	return halves
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
	case m.Packing == isa.RGB10A2 && c == 3:
		bits = 2
	case m.Packing == isa.RGB10A2:
		bits = 10
	case m.Packing != isa.Plain && m.Kind == isa.Signed:
		return mostSigned
	case m.Packing != isa.Plain:
		return mostFraction
	}
	if m.Kind == isa.Signed {
		bits--
	}
	return 1<<bits - 1
}

// values is an element as a program sees it.
func (m *Image) values(n numbers, v Texel) Texel {
	for c := range v {
		switch n.of(c) {
		case halves:
			v[c] = widened(v[c])
		case fractions, signs:
			v[c] = math.Float32bits(float32(float64(int32(v[c])) / float64(m.top(c))))
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
func (m *Image) blend(t *taps, n numbers) (v Texel) {
	for c := range v {
		switch n.of(c) {
		case floats:
			v[c] = t.sum(c, 8, 23)
			if v[c]&0x7f800000 == 0 {
				v[c] &= 1 << 31
			}
		case halves:
			v[c] = widened(t.sum(c, 5, 10))
		case fractions:
			v[c] = math.Float32bits(float32(float64(t.fraction(c, mostFraction, m.top(c))) / mostFraction))
		case signs:
			v[c] = math.Float32bits(float32(float64(t.fraction(c, mostSigned, m.top(c))) / mostSigned))
		default:
			v[c] = t.all[0].v[c]
		}
	}
	return v
}

// fraction is the sum of a channel, fractions of top, as a fraction of most, to
// the nearest.
func (t *taps) fraction(c int, most, top int64) int64 {
	sum := int64(0)
	for _, x := range t.all[:t.n] {
		sum += int64(x.weight) * int64(int32(x.v[c]))
	}
	scale := top * one
	n := 2*sum*most + scale
	q := n / (2 * scale)
	if n < 0 && n%(2*scale) != 0 {
		q--
	}
	return q
}

// extraBits are kept below the last bit of the greatest element when elements
// are brought to one exponent; what lies below is cut off.
const extraBits = 4

// sum adds floats of a format by weight. The sum is rounded to the nearest, away
// from zero in the middle.
func (t *taps) sum(c int, exponentBits, mantissaBits uint) uint32 {
	most, top := uint32(1), uint32(1)<<exponentBits-1
	sign := uint32(1) << (exponentBits + mantissaBits)
	negative := sign
	for _, x := range t.all[:t.n] {
		e := x.v[c] >> mantissaBits & top
		if e == top {
			return t.exceptional(c, exponentBits, mantissaBits)
		}
		if x.weight != 0 {
			most = max(most, e)
			negative &= x.v[c]
		}
	}
	sum := int64(0)
	for _, x := range t.all[:t.n] {
		e, frac := x.v[c]>>mantissaBits&top, uint64(x.v[c]&(1<<mantissaBits-1))
		if e == 0 {
			e = 1
		} else {
			frac |= 1 << mantissaBits
		}
		part := int64(frac<<extraBits>>min(most-e, 63)) * int64(x.weight)
		if x.v[c]&sign != 0 {
			part = -part
		}
		sum += part
	}
	switch {
	case sum == 0:
		return negative
	case sum < 0:
		return sign | rounded(uint64(-sum), int(most), mantissaBits, top)
	}
	return rounded(uint64(sum), int(most), mantissaBits, top)
}

// rounded is a float of a sum, not zero, whose unit is that of exponent e, less the bits of
// weights and those kept below.
func rounded(sum uint64, e int, mantissaBits uint, top uint32) uint32 {
	const below = fixedBits + extraBits
	shift := bits.Len64(sum) - int(mantissaBits) - 1 // what has to go for a normal number
	if e+shift-below < 1 {
		shift = below + 1 - e
	}
	e += shift - below
	if shift > 0 {
		sum = (sum + 1<<(shift-1)) >> shift
	} else {
		sum <<= -shift
	}
	// A carry, or a sum below the normal numbers, moves the exponent by itself.
	r := uint64(e-1)<<mantissaBits + sum
	return uint32(min(r, uint64(top)<<mantissaBits))
}

// exceptional is a sum with infinities or numbers that are none.
func (t *taps) exceptional(c int, exponentBits, mantissaBits uint) uint32 {
	top := (uint32(1)<<exponentBits - 1) << mantissaBits
	sign := uint32(1) << (exponentBits + mantissaBits)
	positive, negative := false, false
	for _, x := range t.all[:t.n] {
		switch v := x.v[c]; {
		case v&^sign > top:
			return top | (1<<mantissaBits - 1)
		case v == top:
			positive = true
		case v == top|sign:
			negative = true
		}
	}
	switch {
	case positive && negative:
		return top | (1<<mantissaBits - 1)
	case negative:
		return top | sign
	}
	return top
}
