package cache

func init() { Register("random", newRandom) }

// random evicts by a pseudo-random sequence that its seed decides.
type random struct {
	ways  int
	state uint64
}

func newRandom(_, ways int, seed uint64) Policy { return &random{ways: ways, state: seed | 1} }

func (p *random) Touch(int, int) {}
func (p *random) Fill(int, int)  {}

func (p *random) Victim(set int, held func(set, way int) bool) int {
	p.state ^= p.state << 13
	p.state ^= p.state >> 7
	p.state ^= p.state << 17
	start := int(p.state >> 33 % uint64(p.ways))
	for i := range p.ways {
		if way := (start + i) % p.ways; !held(set, way) {
			return way
		}
	}
	return -1
}
