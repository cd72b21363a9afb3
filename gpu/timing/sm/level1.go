package sm

import "github.com/lockstep-sim/lockstep/gpu/timing/kit"

// level1 is the SM's L1 instruction and constant cache, and the link to it that
// all L0 caches share: one request and one reply a cycle.
type level1 struct {
	tags        tags
	line        uint64
	there, back kit.Cycle // when the link is free, there and back
	pending     []pending
}

// pending is a request whose line is not in L1.
type pending struct {
	line, addr uint64
	client     uint8
}

func newLevel1(c *Config) level1 {
	return level1{tags: newTags(c.Front.L1Sets, c.Front.L1Ways), line: uint64(c.Front.Line)}
}

// preload brings the start of a kernel's code and its parameters into L1, unless they are there.
func (l *level1) preload(code *Code, inst, most int) {
	first := code.Base / l.line
	if most == 0 || l.tags.has(first) {
		return
	}
	last := (code.Base + uint64(max(min(len(code.Insts)*inst, most), 1)) - 1) / l.line
	for line := first; line <= last; line++ {
		l.tags.fill(line)
	}
	for at := code.Consts; at < code.Consts+uint64(max(code.Params, 1)); at += l.line {
		l.tags.fill(at / l.line)
	}
}

// Kinds of clients of L1.
const (
	clientCode  = iota // L0 instruction caches
	clientFixed        // L0 constant caches of sub-cores
	clientLoad         // the SM's L0 cache of constant loads
)

// client names an L0 cache.
func client(kind, sub int) uint8 { return uint8(kind<<5 | sub) }

// request asks L1 for the line that holds addr.
func (m *SM) request(now kit.Cycle, addr uint64, client uint8) {
	at := max(now, m.level1.there)
	m.level1.there = at + 1
	m.wheel.At(at+kit.Cycle(m.cfg.Front.Link), event{kind: evLookup, addr: addr, slot: client})
}

// lookup serves a request that has reached L1.
func (m *SM) lookup(addr uint64, client uint8) {
	l := &m.level1
	line := addr / l.line
	if l.tags.has(line) {
		m.stats.Front.L1Hits++
		m.answer(addr, client)
		return
	}
	m.stats.Front.L1Misses++
	known := false
	for i := range l.pending {
		known = known || l.pending[i].line == line
	}
	l.pending = append(l.pending, pending{line, addr, client})
	switch {
	case known:
	case m.below != nil:
		m.below.Request(m.now, line*l.line)
	default:
		m.wheel.At(m.now+kit.Cycle(m.cfg.Front.Below), event{kind: evBelow, addr: line * l.line})
	}
}

// answer sends a line back after the cycle of the lookup.
func (m *SM) answer(addr uint64, client uint8) {
	at := max(m.now+1, m.level1.back)
	m.level1.back = at + 1
	m.wheel.At(at+kit.Cycle(m.cfg.Front.Link), event{kind: evReply, addr: addr, slot: client})
}

// LineArrived brings a line of code or constants, by its address, that the
// Backing was asked for. The SM must be ticked at now.
func (m *SM) LineArrived(now kit.Cycle, addr uint64) {
	m.now = now
	l := &m.level1
	line := addr / l.line
	l.tags.fill(line)
	rest := l.pending[:0]
	for _, p := range l.pending {
		if p.line == line {
			m.answer(p.addr, p.client)
		} else {
			rest = append(rest, p)
		}
	}
	l.pending = rest
}

// reply brings a line to an L0 cache.
func (m *SM) reply(addr uint64, client uint8) {
	s := &m.subs[client&31%uint8(len(m.subs))]
	switch client >> 5 {
	case clientCode:
		s.lineArrived(addr/m.level1.line, m.now)
	case clientFixed:
		s.constantArrived(addr, m.now)
	case clientLoad:
		m.loadArrived(addr)
	}
}

// Invalidate empties the instruction and constant caches, as at the end of a
// kernel.
func (m *SM) Invalidate() {
	m.level1.tags.clear()
	m.loads.tags.clear()
	for i := range m.subs {
		s := &m.subs[i]
		s.front.l0.clear()
		s.front.hit = 0
		s.front.ahead.n, s.front.ahead.eager = 0, false
		s.mem.constant.clear()
	}
}
