package sm

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

// frontCycles is the time from issue to execution of an instruction that
// Allocate does not hold: Control, Allocate and three cycles of reading.
const frontCycles = 6

// issue tries the candidates in the policy's order and says what became of the
// slot.
func (s *subCore) issue(now kit.Cycle) Slot {
	c := &s.sched
	if s.back.control.in != nil {
		return WaitPort
	}
	if now < c.portFree {
		return WaitPipe
	}
	if now < c.hold && c.constant>>c.holder&1 != 0 {
		return WaitConst
	}
	least := slotCount
	for set := s.candidates(); set != 0; {
		i := c.policy.Pick(&c.view, set)
		if i < 0 {
			least = min(least, WaitPolicy)
			break
		}
		fate := s.try(i, now)
		if fate == Issued || fate == WaitConst {
			return fate
		}
		least = min(least, fate)
		set &^= 1 << i
	}
	return min(least, s.reason())
}

// try issues warp i's next instruction if it is ready. What keeps it is noted,
// unless it passes by itself.
func (s *subCore) try(i int, now kit.Cycle) Slot {
	c := &s.sched
	w := s.warp(i)
	in := w.next()
	bit := uint32(1) << i
	if held, once := w.held(in, &s.sm.cfg.Issue, now); held {
		if !once {
			c.held |= bit
		}
		if w.outstanding > 0 {
			c.view.Memory |= bit & c.held
			return WaitMemory
		}
		return WaitExecution
	}
	pipe := s.pipe(in, now)
	switch {
	case pipe == nil:
		return WaitPipe
	case in.result && s.back.results.full(now, now+frontCycles+kit.Cycle(in.Latency)):
		return WaitResult
	case in.Mem != NoMem && s.mem.credits == 0:
		c.queued |= bit
		return WaitQueue
	case in.Constant && in.Mem == NoMem && !s.constantHit(w, in, now):
		c.constant |= bit
		c.hold, c.holder = now+kit.Cycle(s.sm.cfg.Constant.Patient), i
		return WaitConst
	}
	*pipe = now + kit.Cycle(in.Interval)
	s.dispatch(i, w, in, now)
	return Issued
}

// pipe is the pipe that can take in, nil if none is free.
func (s *subCore) pipe(in *Inst, now kit.Cycle) *kit.Cycle {
	c, u := &s.sched, &s.sm.cfg.Units
	p := &c.free[in.Pipe]
	switch {
	case in.Pipe == PipeDouble && u.DoubleShared:
		return s.sm.double.claim(s.index, now)
	case in.Pipe == PipeFloat && u.FloatParts && *p > now:
		p = &c.free[PipeHeavy]
	case in.Pipe == PipeFloat && u.FloatInInt && *p > now && in.Issue == 0:
		p = &c.free[PipeInt]
	}
	if *p > now {
		return nil
	}
	return p
}

// sharedPipe is a pipe that all sub-cores use, in turn when several want it.
type sharedPipe struct {
	free kit.Cycle
	want uint32 // sub-cores that asked while it was taken
	last int    // sub-core that had it last
}

// claim is the pipe's free time if sub-core sub may take it now, else nil.
func (p *sharedPipe) claim(sub int, now kit.Cycle) *kit.Cycle {
	if p.free > now {
		p.want |= 1 << sub
		return nil
	}
	after := p.want >> p.last >> 1 << p.last << 1
	if after == 0 {
		after = p.want
	}
	if p.free == now && after != 0 && first(after) != sub {
		p.want |= 1 << sub
		return nil // whose turn it is may still take it in this cycle
	}
	p.want, p.last = p.want&^(1<<sub), sub
	return &p.free
}

// dispatch issues in: it executes now, and its timing begins.
func (s *subCore) dispatch(i int, w *warp, in *Inst, now kit.Cycle) {
	m := s.sm
	pc := w.pc
	e := m.step.Step(w.id, now+1)
	lanes := e.Mask.Count()
	m.stats.Warp++
	m.stats.Lanes[lanes]++
	m.stats.Thread += uint64(lanes)
	if m.watch != nil {
		m.watch.Issued(now, s.slot(i), w.id, pc)
	}
	w.since = now
	s.sched.view.Last = i
	s.sched.policy.Issued(&s.sched.view, i)
	s.sched.portFree = now + kit.Cycle(in.Issue)
	s.back.control = latch{in: in, warp: uint8(i), since: now, id: pc}
	s.depend(i, w, in, now)
	if in.Mem != NoMem {
		s.back.control.id = s.open(i, w, in, e, pc)
	}
	s.advance(i, w, in, e, now)
}

// depend makes later instructions wait for in as they must.
func (s *subCore) depend(i int, w *warp, in *Inst, now kit.Cycle) {
	c := &s.sm.cfg.Issue
	if in.Depbar != nil && c.DepbarDelay > 0 {
		w.depbar, w.depbarAt = in.Depbar, now+kit.Cycle(c.DepbarDelay)
	}
	if in.Scheduled {
		s.stall(i, now, now+stallCycles(in.Bits, c))
		if c.Check {
			s.verify(w, in)
		}
	} else {
		counted := w.counted(in, c)
		w.reserve(in, counted)
		if s.sm.watch != nil && in.writes != (RegSet{}) {
			s.sm.watch.Reserved(now, s.slot(i), &in.writes)
		}
		if counted && in.Fixed {
			w.callbacks++ // Allocate schedules it
		}
		if in.Branch {
			s.stall(i, now, now+kit.Cycle(s.sm.cfg.Front.Fall))
		}
	}
	if in.Group != NoGroup {
		s.stall(i, now, w.group(in, now))
	}
	if in.Fence != NoFence {
		cost := [...]int{FenceCTA: c.MembarCTA, FenceGPU: c.MembarGPU, FenceSys: c.MembarSys}[in.Fence]
		s.stall(i, now, now+kit.Cycle(cost))
	}
	if in.Mem != NoMem {
		return // released by its request
	}
	slot, latency := uint8(s.slot(i)), kit.Cycle(max(in.Latency, 1))
	if late := kit.Cycle(in.Late); !in.Scheduled && late > latency && in.writes[predicateBase>>6] != 0 {
		s.sm.later(w, now+late, event{kind: evLate, slot: slot, id: w.pc})
	}
	if in.Scheduled && in.Bits.Write < 6 || (!in.Scheduled || c.Check) && in.writes != (RegSet{}) {
		s.sm.later(w, now+latency, event{kind: evWritten, slot: slot, id: w.pc})
	}
	if !in.Fixed && (in.Scheduled && in.Bits.Read < 6 || !in.Scheduled) {
		s.sm.later(w, now+kit.Cycle(s.sm.cfg.Special.Read), event{kind: evConsumed, slot: slot, id: w.pc})
	}
}

// verify counts in if its control bits are wrong, and notes its results.
func (s *subCore) verify(w *warp, in *Inst) {
	if w.writes.Meets(&in.reads) || w.writes.Meets(&in.writes) {
		s.sm.stats.Early++
	}
	w.writes.Union(&in.writes)
}

// stallCycles is the number of cycles from the issue of an instruction with
// control bits b to the warp's next.
func stallCycles(b isa.Scheduling, c *Issue) kit.Cycle {
	n := int(b.Stall)
	switch {
	case b.Yield && n == 0:
		n = c.YieldStall
	case b.Yield:
		n = max(n, 2)
	case n > c.LongStall:
		n = c.ShortStall
	}
	return kit.Cycle(max(n, 1))
}

// advance moves the warp to its next instruction, or stops it.
func (s *subCore) advance(i int, w *warp, in *Inst, e *isa.Effect, now kit.Cycle) {
	bit := uint32(1) << i
	cta := w.cta
	next, state := s.sm.step.Next(w.id)
	if e.Phases != 0 {
		s.sm.phases(cta, e.Phases, s.sm.cfg.Issue.Remote)
	}
	if in.Bulk != NoBulk {
		s.copies(i, w, in, e, now)
	}
	if e.Holds && state == Ready && next == w.pc {
		s.sm.stats.Bulk.Held++
		s.doze(i, w, now+kit.Cycle(s.sm.cfg.Issue.Patience))
		return
	}
	w.pc++
	w.valid--
	if w.valid == 0 {
		s.sched.have &^= bit
	}
	s.front.open |= bit
	switch {
	case state == Ended:
		s.back.control.last = true // and holds the warp
		w.callbacks++
		s.sm.end(w, s, i, now)
	case state == Blocked:
		s.sched.view.Parked |= bit
		s.sm.stats.Barriers++
	case next != w.pc:
		w.pc = next
		s.flush(i, w, now)
	}
	if e.Waits {
		s.stall(i, now, now+kit.Cycle(s.sm.cfg.Issue.Retry))
	}
	release := now
	if e.Barrier {
		release = s.sm.arrive(now)
		if state == Ready && !in.Arrive {
			s.sm.stats.Barriers++
			s.stall(i, now, release)
		}
	}
	if e.Barrier || e.Cluster || e.Exited != 0 || state == Ended {
		s.sm.unpark(cta, max(release, now+1))
	}
	if e.Cluster && !in.Arrive && state == Ready {
		s.stall(i, now, s.sm.ctas[cta].crossed)
	}
	if e.Cluster && in.Arrive || e.Exited != 0 || state == Ended {
		s.sm.cross(cta)
	}
}
