package cache

func init() { Register("lru", newLRU) }

// lru keeps each set as a ring of ways from the most to the least recently used.
type lru struct {
	ways  int
	links []link // of a slot; the sentinel of a set follows its ways
}

type link struct{ next, prev int32 }

func newLRU(sets, ways int, _ uint64) Policy {
	p := &lru{ways: ways, links: make([]link, sets*(ways+1))}
	for i := range p.links {
		p.links[i] = link{int32(i), int32(i)}
	}
	return p
}

func (p *lru) head(set int) int32 { return int32(set*(p.ways+1) + p.ways) }

func (p *lru) Touch(set, way int) {
	h := p.head(set)
	i := h - int32(p.ways) + int32(way)
	head, own := &p.links[h], &p.links[i]
	if head.next == i {
		return
	}
	p.links[own.prev].next, p.links[own.next].prev = own.next, own.prev
	*own = link{head.next, h}
	p.links[own.next].prev = i
	head.next = i
}

func (p *lru) Fill(set, way int) { p.Touch(set, way) }

func (p *lru) Victim(set int, held func(set, way int) bool) int {
	h := p.head(set)
	for i := p.links[h].prev; i != h; i = p.links[i].prev {
		if way := int(i-h) + p.ways; !held(set, way) {
			return way
		}
	}
	return -1
}
