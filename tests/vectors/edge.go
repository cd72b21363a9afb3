package vectors

import (
	"math"
	"slices"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// edges reports whether a form flushes and has operands whose product, quotient
// or sum can be put beside the smallest normal number.
func edges(form *isa.Form, f *Form) bool {
	return form.Has("ftz") && len(f.Sources) >= 2 && !slices.Contains(f.Sources, Flag) && f.Sources[0] != "f64" &&
		(formats[f.Sources[0]] != format{} || halves[f.Sources[0]] != "")
}

// edgeForm is the form once more, on operands at the edge of the normal range.
func (f *Form) edgeForm() *Form {
	g := *f
	g.Name += " edge"
	g.Edge, g.Threads = true, 1024
	return &g
}

func (f *Form) fillEdges(words []uint64) {
	r := newRandom(f.SetName())
	for i := range f.Threads {
		low, high := edgeTuple(r, f.Sources, i), edgeTuple(r, f.Sources, i)
		for s, k := range f.Sources {
			words[s*f.Threads+i] = low[s]
			if halves[k] != "" {
				words[s*f.Threads+i] |= high[s] << 16
			}
		}
	}
}

// edgeTuple draws operands of one format: a at random, b such that a*b or b/a
// (a/b in odd tuples) is within some units of the smallest normal number, c
// zero or such that a*b+c is.
func edgeTuple(r *random, kinds []Kind, i int) []uint64 {
	k := kinds[0]
	if h := halves[k]; h != "" {
		k = h
	}
	f := formats[k]
	least := math.Ldexp(1, 2-1<<(f.exponent-1))
	near := least * (1 + float64(r.below(17)-8)*math.Ldexp(1, -int(f.fraction)-r.below(4)))
	a := f.random(r, -2)
	if a>>f.fraction&(1<<f.exponent-1) == 0 {
		a |= 1 << f.fraction
	}
	c := 0.0
	if r.below(3) != 0 && len(kinds) > 2 {
		c = least * float64(r.below(8)-4) * (1 + math.Ldexp(float64(r.below(256)), -8))
	}
	b := f.pattern((near - c) / f.value(a))
	if i&1 == 1 {
		b, a = a, f.pattern(near*f.value(a))
	}
	sign := uint64(1) << (f.exponent + f.fraction)
	b += uint64(r.below(5)) - 2
	if r.below(2) == 0 {
		a, b = a^sign, b^sign
	}
	if r.below(4) == 0 {
		b ^= sign
	}
	mask := sign<<1 - 1
	return []uint64{a & mask, b & mask, f.pattern(c) & mask}
}

// value is the number that a pattern of the format stands for, not NaN.
func (f format) value(x uint64) float64 {
	bias := 1<<(f.exponent-1) - 1
	e := int(x >> f.fraction & (1<<f.exponent - 1))
	m := float64(x&(1<<f.fraction-1)) + math.Ldexp(1, int(f.fraction))
	if e == 0 {
		m, e = m-math.Ldexp(1, int(f.fraction)), 1
	}
	v := math.Ldexp(m, e-bias-int(f.fraction))
	if x>>(f.exponent+f.fraction)&1 != 0 {
		return -v
	}
	return v
}

// pattern is a number of the format near v, cut off.
func (f format) pattern(v float64) uint64 {
	bias := 1<<(f.exponent-1) - 1
	sign := uint64(0)
	if math.Signbit(v) {
		sign, v = 1<<(f.exponent+f.fraction), -v
	}
	if v == 0 {
		return sign
	}
	m, e := math.Frexp(v) // [0.5, 1)
	e += bias - 1
	switch {
	case e >= 2*bias+1:
		return sign | (uint64(2*bias+1)<<f.fraction - 1)
	case e < 1:
		return sign | uint64(math.Ldexp(m, int(f.fraction)+e))
	}
	return sign | uint64(e-1)<<f.fraction + uint64(math.Ldexp(m, int(f.fraction)+1))
}
