package cache

func init() { Register("plru", newPLRU) }

// plru keeps a bit for each way, set by its use; when all are set the others
// are cleared. The first way without one is the victim.
type plru struct {
	ways int
	used []bool
	set  []int32 // number of used ways, by set
}

func newPLRU(sets, ways int, _ uint64) Policy {
	return &plru{ways: ways, used: make([]bool, sets*ways), set: make([]int32, sets)}
}

func (p *plru) Touch(set, way int) {
	bits := p.used[set*p.ways : (set+1)*p.ways]
	if bits[way] {
		return
	}
	if p.set[set]++; int(p.set[set]) == p.ways {
		clear(bits)
		p.set[set] = 1
	}
	bits[way] = true
}

func (p *plru) Fill(set, way int) { p.Touch(set, way) }

func (p *plru) Victim(set int, held func(set, way int) bool) int {
	second := -1
	for way, used := range p.used[set*p.ways : (set+1)*p.ways] {
		switch {
		case held(set, way):
		case !used:
			return way
		case second < 0:
			second = way
		}
	}
	return second
}
