package sm

func init() { Register("cggty", func(*Config) Policy { return cggty{} }) }

// cggty is compiler-guided greedy then youngest: the warp that issued last,
// else the youngest. The compiler guides through the control bits.
type cggty struct{}

func (cggty) Pick(v *View, set uint32) int {
	if set>>v.Last&1 != 0 {
		return v.Last
	}
	return v.Youngest(set)
}

func (cggty) Issued(*View, int) {}
