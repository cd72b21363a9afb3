package noc

import "math/bits"

// set is a set of port numbers.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) add(i int)    { s[i>>6] |= 1 << (uint(i) & 63) }
func (s set) remove(i int) { s[i>>6] &^= 1 << (uint(i) & 63) }

func (s set) empty() bool {
	for _, w := range s {
		if w != 0 {
			return false
		}
	}
	return true
}

// nextIn is the first member of both sets at or after from, going around; -1 if
// they have none in common.
func (s set) nextIn(t set, from int) int {
	k := from >> 6
	if w := s[k] & t[k] >> (uint(from) & 63) << (uint(from) & 63); w != 0 {
		return k<<6 | bits.TrailingZeros64(w)
	}
	for range s {
		if k++; k == len(s) {
			k = 0
		}
		if w := s[k] & t[k]; w != 0 {
			return k<<6 | bits.TrailingZeros64(w)
		}
	}
	return -1
}

// all iterates in ascending order; the body may remove its member.
func (s set) all(yield func(int) bool) {
	for k, w := range s {
		for ; w != 0; w &= w - 1 {
			if !yield(k<<6 | bits.TrailingZeros64(w)) {
				return
			}
		}
	}
}
