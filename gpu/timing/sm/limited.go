package sm

import "math/bits"

func init() {
	Register("limited", func(c *Config) Policy { return limited{c.Issue.Active} })
}

// limited issues only from so many warps, those that came first, greedily and then
// from the oldest (static wavefront limiting: Rogers, O'Connor, Aamodt, MICRO 2012).
type limited struct{ most int }

func (p limited) Pick(v *View, set uint32) int {
	able := v.Live
	for bits.OnesCount32(able) > p.most {
		able &^= 1 << v.Youngest(able)
	}
	// Warps at a barrier wait for those beyond the limit, which must reach it.
	if able&^v.Parked == 0 {
		able = v.Live
	}
	if set &= able; set == 0 {
		return -1
	}
	return gto{}.Pick(v, set)
}

func (limited) Issued(*View, int) {}
