package cache

// NoWaiter stands for a request that nobody waits for.
const NoWaiter = ^uint32(0)

// waiter is a request that waits for sectors of a missing line.
type waiter struct {
	id   uint32
	want uint8
	next int32 // of the same line, in order of arrival
}

// claim is what a miss has of its line.
type claim uint8

const (
	holds  claim = iota // takes it at once
	waits               // takes it at the fill, but holds it if it is there
	yields              // takes it at the fill, and never keeps others from it
)

// missing is a line some of whose sectors are under way.
type missing struct {
	line        uint64
	pending     uint8 // sectors under way
	claim       claim
	n           int // waiters
	first, last int32
}

// mshr is the file of miss status holding registers.
type mshr struct {
	index   table
	lines   []missing
	freed   []int32 // unused lines
	waiters []waiter
	free    int32 // chain of unused waiters
}

func newMSHR(lines int) mshr {
	m := mshr{index: newTable(lines), lines: make([]missing, lines), free: -1}
	for i := range lines {
		m.freed = append(m.freed, int32(lines-1-i))
	}
	return m
}

func (m *mshr) used() int { return len(m.lines) - len(m.freed) }

// open takes a register for a line; there must be one.
func (m *mshr) open(line uint64) int32 {
	i := m.freed[len(m.freed)-1]
	m.freed = m.freed[:len(m.freed)-1]
	m.lines[i] = missing{line: line, first: -1, last: -1}
	m.index.insert(line, i)
	return i
}

func (m *mshr) close(i int32) {
	m.index.remove(m.lines[i].line)
	m.freed = append(m.freed, i)
}

// wait adds a waiter to register i.
func (m *mshr) wait(i int32, id uint32, want uint8) {
	w := m.free
	if w >= 0 {
		m.free = m.waiters[w].next
	} else {
		w = int32(len(m.waiters))
		m.waiters = append(m.waiters, waiter{})
	}
	m.waiters[w] = waiter{id, want, -1}
	e := &m.lines[i]
	if e.last < 0 {
		e.first = w
	} else {
		m.waiters[e.last].next = w
	}
	e.last = w
	e.n++
}

// arrive notes that sectors of register i came and appends to woken the waiters
// that have all they want.
func (m *mshr) arrive(i int32, sectors uint8, woken []uint32) []uint32 {
	e := &m.lines[i]
	e.pending &^= sectors
	previous := int32(-1)
	for w := e.first; w >= 0; {
		x := &m.waiters[w]
		next := x.next
		x.want &^= sectors
		if x.want != 0 {
			previous, w = w, next
			continue
		}
		woken = append(woken, x.id)
		if previous < 0 {
			e.first = next
		} else {
			m.waiters[previous].next = next
		}
		if next < 0 {
			e.last = previous
		}
		e.n--
		x.next, m.free = m.free, w
		w = next
	}
	return woken
}
