package sm

func init() { Register("gto", func(*Config) Policy { return gto{} }) }

// gto is greedy then oldest: the warp that issued last, else the oldest
// (Rogers, O'Connor, Aamodt, MICRO 2012).
type gto struct{}

func (gto) Pick(v *View, set uint32) int {
	if set>>v.Last&1 != 0 {
		return v.Last
	}
	return v.Oldest(set)
}

func (gto) Issued(*View, int) {}
