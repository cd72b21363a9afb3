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
	fractions                // of 65535
	signs                    // of 32767, with a sign
	curved                   // sRGB: halves, and the fourth channel a fraction
)

// numbers is how the image's elements are held.
func (m *Image) numbers() numbers {
	switch {
	case m.Packing == isa.BC6, m.Kind == isa.Float && m.ChannelBits == 16:
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

// The largest fractions.
const (
	mostFraction = 65535
	mostSigned   = 32767
)

// value is channel c of an element as a program sees it.
func (m *Image) value(n numbers, v Texel, c int) uint32 {
	switch n {
	case halves:
		return alu.CvtF32F16(uint16(v[c]))
	case fractions:
		return math.Float32bits(float32(float64(v[c]) / mostFraction))
	case signs:
		return math.Float32bits(float32(float64(int32(v[c])) / mostSigned))
	case curved:
		if c == 3 {
			return m.value(fractions, v, c)
		}
		return m.value(halves, v, c)
	}
	return v[c]
}

// blend is the sum of elements by their weights, as a program sees it.
func (m *Image) blend(t *taps, n numbers) (v Texel) {
	if t.n == 0 {
		return v
	}
	sum := t.all[0].v
	if t.n > 1 {
		for c := range sum {
			kind := n
			if n == curved {
				kind = halves
				if c == 3 {
					kind = fractions
				}
			}
			sum[c] = t.channel(kind, c)
		}
	}
	for c := range v {
		v[c] = m.value(n, sum, c)
	}
	return v
}

// channel is the sum of a channel, held as its elements.
func (t *taps) channel(n numbers, c int) uint32 {
	switch n {
	case floats:
		return t.sum(c, 8, 23)
	case halves:
		return t.sum(c, 5, 10)
	case integers:
		return t.all[0].v[c]
	}
	sum := int32(0)
	for _, x := range t.all[:t.n] {
		sum += x.weight * int32(x.v[c])
	}
	return uint32((sum + one/2) >> fixedBits)
}

// extraBits are kept below the last bit of the greatest element when elements
// are brought to one exponent; what lies below is cut off.
const extraBits = 4

// sum adds floats of a format by weight. The sum is rounded to the nearest, away
// from zero in the middle.
func (t *taps) sum(c int, exponentBits, mantissaBits uint) uint32 {
	most, top := uint32(0), uint32(1)<<exponentBits-1
	sign := uint32(1) << (exponentBits + mantissaBits)
	for _, x := range t.all[:t.n] {
		most = max(most, x.v[c]>>mantissaBits&top)
	}
	if most == top {
		return t.exceptional(c, exponentBits, mantissaBits)
	}
	most = max(most, 1)
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
	negative := sum < 0
	if negative {
		sum = -sum
	}
	r := rounded(uint64(sum), int(most), mantissaBits, top)
	if negative {
		r |= sign
	}
	return r
}

// rounded is a float of a sum whose unit is that of exponent e, less the bits of
// weights and those kept below.
func rounded(sum uint64, e int, mantissaBits uint, top uint32) uint32 {
	const below = fixedBits + extraBits
	if sum == 0 {
		return 0
	}
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
