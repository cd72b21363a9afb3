package sm

// tags is a set-associative tag store with LRU replacement.
type tags struct {
	sets, ways int
	lines      []uint64 // line + 1; 0 for an empty way; most recent first in a set
}

func newTags(sets, ways int) tags {
	return tags{sets, ways, make([]uint64, sets*ways)}
}

func (t *tags) set(line uint64) []uint64 {
	i := int(line%uint64(t.sets)) * t.ways
	return t.lines[i : i+t.ways]
}

// has looks line up and makes it the most recent.
func (t *tags) has(line uint64) bool {
	s := t.set(line)
	for i, l := range s {
		if l == line+1 {
			copy(s[1:i+1], s[:i])
			s[0] = l
			return true
		}
	}
	return false
}

// holds looks line up and leaves the order alone.
func (t *tags) holds(line uint64) bool {
	for _, l := range t.set(line) {
		if l == line+1 {
			return true
		}
	}
	return false
}

// fill puts line in place of the least recent.
func (t *tags) fill(line uint64) {
	if t.has(line) {
		return
	}
	s := t.set(line)
	copy(s[1:], s)
	s[0] = line + 1
}

func (t *tags) clear() { clear(t.lines) }
