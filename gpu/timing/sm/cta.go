package sm

import (
	"math/bits"

	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

// cta is a CTA slot.
type cta struct {
	CTA
	busy  bool
	slots [4]uint64 // its warp slots
	live  int       // warps that have not ended
	left  int       // warps that have not ended or have something under way
	since kit.Cycle
	exit  kit.Cycle // of the last warp so far

	crossed kit.Cycle // when what the last of the cluster to arrive at its barrier did is known here
}

// Occupied is what CTAs occupy of an SM.
type Occupied struct {
	ctas, warps, shared int
	subWarps, subRegs   [16]int // by sub-core
}

// CTAs is how many they are.
func (u *Occupied) CTAs() int { return u.ctas }

// need is what one warp and one CTA occupy.
func (c *Config) need(a *CTA) (regs, shared int) {
	l := &c.Limits
	return roundUp(a.Registers*32, l.Unit), roundUp(a.Shared+l.Reserved, l.Grain)
}

func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }

// Occupancy is the number of such CTAs that an empty SM holds.
func (c *Config) Occupancy(a *CTA) int {
	var u Occupied
	return u.Room(c, a, c.Limits.CTAs)
}

// Room is the number of CTAs like a, up to most, that have room beside the others.
func (u *Occupied) Room(c *Config, a *CTA, most int) (n int) {
	for v := *u; n < most && v.Fits(c, a); n++ {
		v.Take(c, a)
	}
	return n
}

// Fits reports that another CTA like a has room.
func (u *Occupied) Fits(c *Config, a *CTA) bool {
	l := &c.Limits
	regs, shared := c.need(a)
	if a.Warps < 1 || u.ctas >= l.CTAs || u.warps+a.Warps > l.Warps || u.shared+shared > l.Shared {
		return false
	}
	first := u.first(c, a)
	for k := range min(a.Warps, l.SubCores) {
		s := (first + k) % l.SubCores
		n := (a.Warps - k + l.SubCores - 1) / l.SubCores
		if u.subWarps[s]+n > l.Warps/l.SubCores || u.subRegs[s]+n*regs > l.Registers/l.SubCores {
			return false
		}
	}
	return true
}

// first is the sub-core that gets the first warp of a CTA: the one with the
// fewest warps, unless it was chosen before.
func (u *Occupied) first(c *Config, a *CTA) int {
	if a.Sub > 0 {
		return a.Sub - 1
	}
	best := 0
	for s := range c.Limits.SubCores {
		if u.subWarps[s] < u.subWarps[best] {
			best = s
		}
	}
	return best
}

// Take occupies what a CTA needs, and returns the Sub with which it is launched and
// released.
func (u *Occupied) Take(c *Config, a *CTA) (sub int) {
	first := u.first(c, a)
	u.take(c, a, first, 1)
	return first + 1
}

// Release gives back what a CTA, whose Sub is set, has occupied.
func (u *Occupied) Release(c *Config, a *CTA) { u.take(c, a, a.Sub-1, -1) }

// take occupies (sign 1) what a CTA needs, its warps from the first sub-core on.
func (u *Occupied) take(c *Config, a *CTA, first, sign int) {
	regs, shared := c.need(a)
	for k := range a.Warps {
		s := (first + k) % c.Limits.SubCores
		u.subWarps[s] += sign
		u.subRegs[s] += sign * regs
	}
	u.ctas += sign
	u.warps += sign * a.Warps
	u.shared += sign * shared
}

// Launch starts a CTA whose warps fetch from cycle now on, one after another; false if it does not
// fit. The SM must be ticked at now.
func (m *SM) Launch(now kit.Cycle, a CTA) bool {
	if !m.used.Fits(&m.cfg, &a) {
		return false
	}
	if !m.running {
		m.begin(now)
	}
	m.level1.preload(a.Code, m.cfg.Front.Bytes, m.cfg.Front.Preload)
	a.Sub = m.used.Take(&m.cfg, &a)
	m.stats.CTAs++
	id := 0
	for m.ctas[id].busy {
		id++
	}
	c := &m.ctas[id]
	*c = cta{CTA: a, busy: true, live: a.Warps, left: a.Warps, since: now}
	for k := range a.Warps {
		s := &m.subs[(a.Sub-1+k)%len(m.subs)]
		i := s.vacant()
		slot := s.slot(i)
		c.slots[slot>>6] |= 1 << (slot & 63)
		w := &m.warps[slot]
		w.reset(a.First+int32(k), int32(id), a.Code, now)
		m.age++
		s.admit(i, m.age)
		if pc, _ := m.step.Next(w.id); pc != 0 {
			w.pc, w.fetched = pc, pc
		}
		if late := a.Late + kit.Cycle(k*m.cfg.Limits.Start); late > 0 {
			s.front.away |= 1 << i
			m.later(w, now+late, event{kind: evRefetch, slot: uint8(slot), id: int32(w.flushes)})
		}
		s.rouse(now)
	}
	return true
}

// begin starts the clock of an SM that was empty.
func (m *SM) begin(now kit.Cycle) {
	m.running, m.since = true, now
	for i := range m.subs {
		m.subs[i].upTo = now
	}
}

// vacant is the first free warp slot of a sub-core.
func (s *subCore) vacant() int {
	for i := 0; ; i++ {
		if s.warp(i).cta < 0 {
			return i
		}
	}
}

// end retires a warp whose lanes have all exited.
func (m *SM) end(w *warp, s *subCore, i int, now kit.Cycle) {
	w.ended = true
	w.flushes++
	c := &m.ctas[w.cta]
	c.exit = now
	if c.live--; c.live == 0 {
		m.leaving++
	}
	s.retire(i)
	m.drain(w)
}

// drain frees the CTA of w once all its warps have ended and nothing of theirs
// is under way.
func (m *SM) drain(w *warp) {
	if !w.ended || w.outstanding > 0 || w.callbacks > 0 {
		return
	}
	c := &m.ctas[w.cta]
	if c.left--; c.left > 0 {
		return
	}
	c.busy = false
	m.leaving--
	for slot := range c.all {
		m.warps[slot].cta = -1
	}
	m.used.Release(&m.cfg, &c.CTA)
	m.stats.CTAsEnded++
	m.stats.WarpCycles += uint64(m.now+1-c.since) * uint64(c.Warps)
	m.ended = append(m.ended, End{c.ID, c.exit})
}

// Leaving is the cycle at which the first of those CTAs exited of which only accesses
// to memory are under way; kit.Never if there are none.
func (m *SM) Leaving() (exit kit.Cycle) {
	exit = kit.Never
	for i := 0; i < len(m.ctas) && m.leaving > 0; i++ {
		if c := &m.ctas[i]; c.busy && c.live == 0 {
			exit = min(exit, c.exit)
		}
	}
	return exit
}

// idle stops the clock of an SM that has become empty.
func (m *SM) idle() {
	m.Stats(m.now)
	m.running = false
}

// all iterates over the CTA's warp slots.
func (c *cta) all(yield func(int) bool) {
	for k, word := range c.slots {
		for ; word != 0; word &= word - 1 {
			if !yield(k<<6 | bits.TrailingZeros64(word)) {
				return
			}
		}
	}
}

// End is the end of a CTA: nothing of it is under way any more.
type End struct {
	ID   int32
	Exit kit.Cycle // of its last warp
}

// Ended returns the CTAs that have ended since the last call, in order. The slice
// is valid until the next Tick.
func (m *SM) Ended() []End {
	e := m.ended
	m.ended = m.ended[:0]
	return e
}

// Resident is the number of CTAs on the SM.
func (m *SM) Resident() int { return m.used.ctas }

// arrive admits an arrival at a barrier, one at a time, and returns the cycle at
// which those that it releases go on.
func (m *SM) arrive(now kit.Cycle) kit.Cycle {
	at := max(now, m.barrierFree)
	m.barrierFree = at + kit.Cycle(m.cfg.Limits.Admission)
	return at + kit.Cycle(m.cfg.Limits.Release)
}

// cross notes that a warp of a CTA has done what others of its cluster may wait
// for.
func (m *SM) cross(c int32) {
	if x := &m.ctas[c]; x.Cluster {
		m.crossed = append(m.crossed, Crossing{ID: x.ID})
	}
}

// Crossing is what a CTA has done that others of its cluster may wait for.
type Crossing struct {
	ID    int32
	Phase bool      // a phase of their mbarrier objects has ended
	After kit.Cycle // so long before those who wait for it go on
}

// Crossed returns what CTAs have done that others of their clusters may have waited
// for, since the last call. The slice is valid until the next Tick.
func (m *SM) Crossed() []Crossing {
	c := m.crossed
	m.crossed = m.crossed[:0]
	return c
}

// Poke looks, after the SM's part of cycle now, for warps of a CTA that something
// outside the SM has unblocked; they go on at cycle at. The SM must be ticked in
// the next cycle.
func (m *SM) Poke(id int32, now, at kit.Cycle) {
	m.now = now
	for c := range m.ctas {
		if m.ctas[c].busy && m.ctas[c].ID == id {
			m.ctas[c].crossed = max(m.ctas[c].crossed, at)
			m.unpark(int32(c), at)
		}
	}
}

// Hear wakes, after the SM's part of a cycle, the warps of a CTA that wait for phases
// which something outside the SM may have ended; they go on at cycle at.
func (m *SM) Hear(id int32, at kit.Cycle) {
	for c := range m.ctas {
		if m.ctas[c].busy && m.ctas[c].ID == id {
			m.phase(int32(c), at)
		}
	}
}

// unpark lets the warps of a CTA go on, from cycle release, that the Stepper no
// longer holds at a barrier.
func (m *SM) unpark(c int32, release kit.Cycle) {
	if !m.ctas[c].busy {
		return
	}
	for slot := range m.ctas[c].all {
		s, i := m.place(slot)
		if s.sched.view.Parked>>i&1 == 0 {
			continue
		}
		w := &m.warps[slot]
		pc, state := m.step.Next(w.id)
		switch state {
		case Ready:
			s.sched.view.Parked &^= 1 << i
			if pc != w.pc {
				w.pc = pc
				s.flush(i, w, m.now)
			}
			s.stall(i, m.now, release)
			s.rouse(m.now + 1)
		case Ended:
			m.end(w, s, i, m.now)
		}
	}
}

// Wait says why a warp has not issued and since when.
type Wait struct {
	Warp  int32 // the Stepper's number
	PC    int32
	Why   Slot
	Since kit.Cycle // of its last issue
}

// Waits lists the live warps, for a report on a deadlock.
func (m *SM) Waits() []Wait {
	var all []Wait
	for slot := range m.warps {
		w := &m.warps[slot]
		if w.cta < 0 || w.ended {
			continue
		}
		s, i := m.place(slot)
		all = append(all, Wait{w.id, w.pc, s.why(1 << i), w.since})
	}
	return all
}

// why is the reason for which the warp of bit does not issue.
func (s *subCore) why(bit uint32) Slot {
	c := &s.sched
	for _, r := range []struct {
		set uint32
		why Slot
	}{
		{c.view.Parked | c.dozing, WaitBarrier}, {^c.have, WaitFetch}, {c.queued, WaitQueue}, {c.constant, WaitConst},
		{c.view.Memory, WaitMemory}, {c.held, WaitExecution}, {c.stalled, WaitStall},
	} {
		if r.set&bit != 0 {
			return r.why
		}
	}
	return WaitPipe
}
