package sm

import "math/bits"

func init() { Register("lrr", func(*Config) Policy { return lrr{} }) }

// lrr is loose round robin: the first ready warp after the one that issued last.
type lrr struct{}

func (lrr) Pick(v *View, set uint32) int {
	if above := set >> v.Last >> 1 << v.Last << 1; above != 0 {
		return bits.TrailingZeros32(above)
	}
	return bits.TrailingZeros32(set)
}

func (lrr) Issued(*View, int) {}
