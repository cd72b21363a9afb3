package cache

import "math/bits"

// table finds a small number by a line's number: open addressing, linear probing,
// deletion by moving back.
type table struct {
	keys   []uint64 // key+1; 0 is an empty place
	values []int32
	shift  uint
}

func newTable(n int) table {
	size := 1 << bits.Len(uint(2*n))
	return table{keys: make([]uint64, size), values: make([]int32, size), shift: uint(64 - bits.Len(uint(size-1)))}
}

func (t *table) home(key uint64) int { return int(key * 0x9e3779b97f4a7c15 >> t.shift) }

// find returns the number stored for key, -1 if there is none.
func (t *table) find(key uint64) int32 {
	for i := t.home(key); t.keys[i] != 0; i = (i + 1) & (len(t.keys) - 1) {
		if t.keys[i] == key+1 {
			return t.values[i]
		}
	}
	return -1
}

// insert stores v for key, which has nothing yet.
func (t *table) insert(key uint64, v int32) {
	i := t.home(key)
	for t.keys[i] != 0 {
		i = (i + 1) & (len(t.keys) - 1)
	}
	t.keys[i], t.values[i] = key+1, v
}

// remove forgets key, which is there.
func (t *table) remove(key uint64) {
	mask := len(t.keys) - 1
	i := t.home(key)
	for t.keys[i] != key+1 {
		i = (i + 1) & mask
	}
	for j := (i + 1) & mask; t.keys[j] != 0; j = (j + 1) & mask {
		if h := t.home(t.keys[j] - 1); (j-h)&mask >= (j-i)&mask {
			t.keys[i], t.values[i] = t.keys[j], t.values[j]
			i = j
		}
	}
	t.keys[i] = 0
}

func (t *table) clear() { clear(t.keys) }
