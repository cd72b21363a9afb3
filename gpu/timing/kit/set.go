package kit

import "math/bits"

// ActiveSet is the set of those parts, out of n numbered ones, that have work.
type ActiveSet struct {
	words []uint64
}

// NewActiveSet returns an empty set of numbers below n.
func NewActiveSet(n int) *ActiveSet {
	return &ActiveSet{make([]uint64, (n+63)/64)}
}

// Add puts i in the set.
func (s *ActiveSet) Add(i int) { s.words[i>>6] |= 1 << (uint(i) & 63) }

// Remove takes i out.
func (s *ActiveSet) Remove(i int) { s.words[i>>6] &^= 1 << (uint(i) & 63) }

// Has reports whether i is in the set.
func (s *ActiveSet) Has(i int) bool { return s.words[i>>6]>>(uint(i)&63)&1 != 0 }

// Empty reports that nothing is in the set.
func (s *ActiveSet) Empty() bool {
	for _, w := range s.words {
		if w != 0 {
			return false
		}
	}
	return true
}

// All iterates over the set in ascending order. The body may remove the number
// it was given; numbers that it adds within the same 64 may be missed.
func (s *ActiveSet) All(yield func(int) bool) {
	for k, w := range s.words {
		for ; w != 0; w &= w - 1 {
			if !yield(k<<6 | bits.TrailingZeros64(w)) {
				return
			}
		}
	}
}
