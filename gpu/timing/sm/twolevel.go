package sm

import "math/bits"

func init() {
	Register("two_level_active", func(c *Config) Policy { return &twoLevel{most: c.Issue.Active} })
}

// twoLevel issues from a small active set by round robin; a warp that waits for
// memory or at a barrier leaves the set, and the oldest pending one takes its
// place (Narasiman and others, MICRO 2011).
type twoLevel struct {
	most   int
	active uint32
}

func (p *twoLevel) Pick(v *View, set uint32) int {
	near := v.Live &^ (v.Memory | v.Parked)
	p.active &= near
	for pending := near &^ p.active; pending != 0 && bits.OnesCount32(p.active) < p.most; {
		i := v.Oldest(pending)
		p.active |= 1 << i
		pending &^= 1 << i
	}
	if s := set & p.active; s != 0 {
		return lrr{}.Pick(v, s)
	}
	return -1
}

func (p *twoLevel) Issued(*View, int) {}
