package vectors

import (
	"math"
	"strings"
)

// fillPools makes the pools of a matrix form. Each part of 512 words has its
// own distribution, so that tiles of all sorts occur.
func (f *Form) fillPools(words []uint64) {
	for s, k := range f.Sources {
		r := newRandom(f.SetName() + string(rune('a'+s)))
		element := strings.TrimPrefix(string(k), "matrix ")
		for i := range poolWords {
			words[s*poolWords+i] = poolWord(r, element, i/512)
		}
	}
}

// poolWord is a word of elements of a type, drawn from distribution number n.
func poolWord(r *random, element string, n int) uint64 {
	var f format
	switch element {
	case "f16":
		f = format{5, 10}
	case "bf16":
		f = format{8, 7}
	case "tf32", "f32":
		f = format{8, 23}
	case "e4m3":
		f = format{4, 3}
	case "e5m2":
		f = format{5, 2}
	case "f64":
		f = format{11, 52}
	case "pairs", "ones":
		return metadata(r, element)
	default:
		return r.next()
	}
	width := 1 + f.exponent + f.fraction
	var w uint64
	for at := uint(0); at < max(32, width); at += width {
		w |= f.element(r, n) << at
	}
	return w
}

// metadata is a word of the indices of a sparse matrix: of two elements in each
// four, the lower one first, or of one in each two, which counts double.
func metadata(r *random, kind string) (w uint64) {
	choices := []uint64{0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b1110}
	if kind == "ones" {
		choices = []uint64{0b0100, 0b1110}
	}
	for at := 0; at < 32; at += 4 {
		w |= r.pick(choices) << at
	}
	return w
}

// element draws an element: any bits, or a number whose exponent is near that
// of one, or a small integer, or mostly zero.
func (f format) element(r *random, n int) uint64 {
	width := 1 + f.exponent + f.fraction
	v := r.next() >> (64 - width)
	bias := 1<<(f.exponent-1) - 1
	span := []int{0, 1, 3, 6, 12, 24, 0, 3}[n&7]
	switch n & 7 {
	case 0:
		return v
	case 6:
		return f.encode(float64(r.below(9)-4), bias)
	case 7:
		if r.below(2) == 0 {
			return 0
		}
	}
	span = min(span, bias-1)
	e := bias + r.below(2*span+1) - span
	return v&^((uint64(1)<<f.exponent-1)<<f.fraction) | uint64(e)<<f.fraction
}

// encode is a small number in the format, which has it exactly.
func (f format) encode(x float64, bias int) uint64 {
	b := math.Float64bits(x)
	sign := b >> 63 << (f.exponent + f.fraction)
	if x == 0 {
		return sign
	}
	e := int(b>>52&0x7ff) - 1023 + bias
	return sign | uint64(e)<<f.fraction | b&(1<<52-1)>>(52-f.fraction)
}
