package kit

// Ratio converts cycles of one clock into cycles of another. Both start at 0
// together.
type Ratio struct {
	from, to uint64
}

// NewRatio returns the conversion between clocks of the given frequencies, in
// any common unit.
func NewRatio(from, to uint64) Ratio {
	a, b := from, to
	for b != 0 {
		a, b = b, a%b
	}
	return Ratio{from / a, to / a}
}

// Begun is the last cycle of the other clock that has begun when cycle t begins.
func (r Ratio) Begun(t Cycle) Cycle {
	if r.from == r.to || t == Never {
		return t
	}
	return t * Cycle(r.to) / Cycle(r.from)
}

// Following is the first cycle of the other clock that does not begin before
// cycle t does.
func (r Ratio) Following(t Cycle) Cycle {
	if r.from == r.to || t == Never {
		return t
	}
	return (t*Cycle(r.to) + Cycle(r.from) - 1) / Cycle(r.from)
}
