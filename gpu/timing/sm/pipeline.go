package sm

import "github.com/lockstep-sim/lockstep/gpu/timing/kit"

// control is the stage after issue: it increments dependence counters and sends
// the instruction where it executes.
func (s *subCore) control(now kit.Cycle) {
	b := &s.back
	l := &b.control
	if !l.seen {
		l.seen = true
		s.raise(l)
	}
	switch {
	case l.in.Mem != NoMem:
		s.enqueue(l.id, now)
	case l.in.Fixed:
		if b.allocate.in != nil {
			return
		}
		b.allocate = *l
		l.last = false
	}
	s.pass(l)
}

// pass empties a latch.
func (s *subCore) pass(l *latch) {
	l.in = nil
	if l.last {
		w := s.warp(int(l.warp))
		w.callbacks--
		s.sm.drain(w)
	}
}

// raise notes the counters that the instruction in Control increments.
func (s *subCore) raise(l *latch) {
	if !l.in.Scheduled {
		return
	}
	b := &s.back
	b.incremented, b.increments = l.warp, 0
	for _, c := range [...]uint8{l.in.Bits.Write, l.in.Bits.Read} {
		if c < 6 {
			b.increment[b.increments] = c
			b.increments++
		}
	}
}

// count increments, at the end of the cycle, the counters of the instruction
// that was in Control.
func (s *subCore) count() {
	b := &s.back
	for i := range b.increments {
		s.warp(int(b.incremented)).increment(b.increment[i])
	}
	b.increments = 0
}

// allocate finds register ports for the instruction, which then reads its
// operands and executes without further delay.
func (s *subCore) allocate(now kit.Cycle) {
	b := &s.back
	l := &b.allocate
	if !b.ports.claim(l.in, l.warp, now, &s.sm.stats.Registers) {
		return
	}
	read := kit.Cycle(b.ports.window)
	if l.in.Wide {
		read = kit.Cycle(b.ports.wide)
	}
	if l.in.result {
		b.results.finish(l.in, now, now+read+kit.Cycle(l.in.Latency))
	}
	w := s.warp(int(l.warp))
	consumed := event{kind: evConsumed, slot: uint8(s.slot(int(l.warp))), id: l.id}
	switch at := now + read + 1; {
	case l.in.Scheduled && l.in.Bits.Read < 6:
		s.sm.later(w, at, consumed)
	case !l.in.Scheduled && s.sm.cfg.Issue.CountFixed:
		s.sm.wheel.At(at, consumed)
	}
	s.pass(l)
}
