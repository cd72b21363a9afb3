package cache

func init() { Register("lru", newLRU) }

// lru keeps each set as a ring of ways from the most to the least recently used.
type lru struct {
	ways       int
	next, prev []int32 // of a slot; the sentinel of a set follows its ways
}

func newLRU(sets, ways int, _ uint64) Policy {
	n := sets * (ways + 1)
	p := &lru{ways: ways, next: make([]int32, n), prev: make([]int32, n)}
	for i := range n {
		p.next[i], p.prev[i] = int32(i), int32(i)
	}
	return p
}

func (p *lru) head(set int) int32 { return int32(set*(p.ways+1) + p.ways) }

func (p *lru) Touch(set, way int) {
	h := p.head(set)
	i := h - int32(p.ways) + int32(way)
	if p.next[h] == i {
		return
	}
	p.next[p.prev[i]], p.prev[p.next[i]] = p.next[i], p.prev[i]
	p.next[i], p.prev[i] = p.next[h], h
	p.prev[p.next[h]] = i
	p.next[h] = i
}

func (p *lru) Fill(set, way int) { p.Touch(set, way) }

func (p *lru) Victim(set int, held func(set, way int) bool) int {
	h := p.head(set)
	for i := p.prev[h]; i != h; i = p.prev[i] {
		if way := int(i-h) + p.ways; !held(set, way) {
			return way
		}
	}
	return -1
}
