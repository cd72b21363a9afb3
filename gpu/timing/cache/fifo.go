package cache

func init() { Register("fifo", newFIFO) }

// fifo evicts in the order of filling, which goes around the ways.
type fifo struct {
	ways int
	next []int32 // by set
}

func newFIFO(sets, ways int, _ uint64) Policy {
	return &fifo{ways: ways, next: make([]int32, sets)}
}

func (p *fifo) Touch(int, int) {}

func (p *fifo) Fill(set, way int) { p.next[set] = int32((way + 1) % p.ways) }

func (p *fifo) Victim(set int, held func(set, way int) bool) int {
	for i := range p.ways {
		if way := (int(p.next[set]) + i) % p.ways; !held(set, way) {
			return way
		}
	}
	return -1
}
