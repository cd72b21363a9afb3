package cache

import "math/bits"

// A place of a table holds a key and, in its lowest bits, a number plus one.
// Addresses of 50 bits have numbers that fit, if lines have minLine bytes.
const (
	numberBits = 20
	keyMask    = 1<<(64-numberBits) - 1
	maxLines   = 1<<numberBits - 2
	minLine    = 1 << (50 - 64 + numberBits)
)

// table finds a small number by a line's number: open addressing, linear probing,
// deletion by moving back. A look-up touches one word as a rule.
type table struct {
	places []uint64 // 0 is an empty place
	shift  uint
}

func newTable(n int) table {
	size := 1 << bits.Len(uint(2*n))
	return table{places: make([]uint64, size), shift: uint(64 - bits.Len(uint(size-1)))}
}

func (t *table) home(key uint64) int { return int(key * 0x9e3779b97f4a7c15 >> t.shift) }

// find returns the number stored for key, -1 if there is none.
func (t *table) find(key uint64) int32 {
	key &= keyMask
	for i := t.home(key); t.places[i] != 0; i = (i + 1) & (len(t.places) - 1) {
		if t.places[i]>>numberBits == key {
			return int32(t.places[i]&(1<<numberBits-1)) - 1
		}
	}
	return -1
}

// insert stores v for key, which has nothing yet.
func (t *table) insert(key uint64, v int32) {
	key &= keyMask
	i := t.home(key)
	for t.places[i] != 0 {
		i = (i + 1) & (len(t.places) - 1)
	}
	t.places[i] = key<<numberBits | uint64(v+1)
}

// remove forgets key, which is there.
func (t *table) remove(key uint64) {
	key &= keyMask
	mask := len(t.places) - 1
	i := t.home(key)
	for t.places[i]>>numberBits != key {
		i = (i + 1) & mask
	}
	for j := (i + 1) & mask; t.places[j] != 0; j = (j + 1) & mask {
		if h := t.home(t.places[j] >> numberBits); (j-h)&mask >= (j-i)&mask {
			t.places[i] = t.places[j]
			i = j
		}
	}
	t.places[i] = 0
}
