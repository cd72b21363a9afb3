package isa

import "math/bits"

// WarpSize is the number of lanes of a warp.
const WarpSize = 32

// Mask is a set of lanes, bit l for lane l.
type Mask uint32

// Full is the mask of all lanes.
const Full Mask = 0xffffffff

// All iterates over the lanes of m in ascending order. The full mask has a
// path of its own, which the compiler turns into a plain counted loop.
func (m Mask) All(yield func(int) bool) {
	if m == Full {
		for l := range WarpSize {
			if !yield(l) {
				return
			}
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		if !yield(bits.TrailingZeros32(uint32(m))) {
			return
		}
	}
}

// Count is the number of lanes in m.
func (m Mask) Count() int { return bits.OnesCount32(uint32(m)) }

// First is the lowest lane of m; 32 for an empty mask.
func (m Mask) First() int { return bits.TrailingZeros32(uint32(m)) }

// Has reports whether lane l is in m.
func (m Mask) Has(l int) bool { return m>>(uint(l)&31)&1 != 0 }

// Lane is the mask of lane l alone.
func Lane(l int) Mask { return 1 << (uint(l) & 31) }
