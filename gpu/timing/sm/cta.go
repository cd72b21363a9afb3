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
	left  int       // warps that have not ended or have something under way
	since kit.Cycle

	crossed kit.Cycle // when what the last of the cluster to arrive at its barrier did is known here
}

// used is what the resident CTAs occupy.
type used struct {
	ctas, warps, shared int
	subWarps, subRegs   [16]int // by sub-core
}

// need is what one warp and one CTA occupy.
func (c *Config) need(a *CTA) (regs, shared int) {
	l := &c.Limits
	return roundUp(a.Registers*32, l.Unit), roundUp(a.Shared+l.Reserved, l.Grain)
}

func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }

// Occupancy is the number of such CTAs that an empty SM holds.
func (c *Config) Occupancy(a *CTA) int {
	var u used
	n := 0
	for ; n < c.Limits.CTAs && u.fits(c, a); n++ {
		u.take(c, a, 1)
	}
	return n
}

// fits reports that another CTA like a has room.
func (u *used) fits(c *Config, a *CTA) bool {
	l := &c.Limits
	regs, shared := c.need(a)
	if u.ctas >= l.CTAs || u.warps+a.Warps > l.Warps || u.shared+shared > l.Shared {
		return false
	}
	first := u.first(c)
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
// fewest warps.
func (u *used) first(c *Config) int {
	best := 0
	for s := range c.Limits.SubCores {
		if u.subWarps[s] < u.subWarps[best] {
			best = s
		}
	}
	return best
}

// take occupies (sign 1) a CTA's resources, its warps placed from the first
// sub-core on.
func (u *used) take(c *Config, a *CTA, sign int) {
	regs, _ := c.need(a)
	first := u.first(c)
	for k := range a.Warps {
		s := (first + k) % c.Limits.SubCores
		u.subWarps[s] += sign
		u.subRegs[s] += sign * regs
	}
	u.takeCTA(c, a, sign)
}

func (u *used) takeCTA(c *Config, a *CTA, sign int) {
	_, shared := c.need(a)
	u.ctas += sign
	u.warps += sign * a.Warps
	u.shared += sign * shared
}

// Fits reports that the SM has room for a CTA.
func (m *SM) Fits(a *CTA) bool { return a.Warps > 0 && m.used.fits(&m.cfg, a) }

// Launch starts a CTA whose warps fetch from cycle now on; false if it does not
// fit. The SM must be ticked at now.
func (m *SM) Launch(now kit.Cycle, a CTA) bool {
	if !m.Fits(&a) {
		return false
	}
	if !m.running {
		m.begin(now)
	}
	m.level1.preload(a.Code, m.cfg.Front.Bytes, m.cfg.Front.Preload)
	first := m.used.first(&m.cfg)
	m.used.take(&m.cfg, &a, 1)
	m.stats.CTAs++
	id := 0
	for m.ctas[id].busy {
		id++
	}
	c := &m.ctas[id]
	*c = cta{CTA: a, busy: true, left: a.Warps, since: now}
	for k := range a.Warps {
		s := &m.subs[(first+k)%len(m.subs)]
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
	regs, _ := m.cfg.need(&c.CTA)
	for slot := range c.all {
		m.warps[slot].cta = -1
		m.used.subWarps[slot%len(m.subs)]--
		m.used.subRegs[slot%len(m.subs)] -= regs
	}
	m.used.takeCTA(&m.cfg, &c.CTA, -1)
	m.stats.CTAsEnded++
	m.stats.WarpCycles += uint64(m.now+1-c.since) * uint64(c.Warps)
	m.ended = append(m.ended, c.ID)
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

// Ended returns the IDs of the CTAs that have ended since the last call, in
// order. The slice is valid until the next Tick.
func (m *SM) Ended() []int32 {
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

// Room is the number of CTAs, up to most, that the SM has room for.
func (m *SM) Room(a *CTA, most int) int {
	u, n := m.used, 0
	for ; n < most && u.fits(&m.cfg, a); n++ {
		u.take(&m.cfg, a, 1)
	}
	return n
}

// cross notes that a warp of a CTA has done what others of its cluster may wait
// for.
func (m *SM) cross(c int32) {
	if x := &m.ctas[c]; x.Cluster {
		m.crossed = append(m.crossed, x.ID)
	}
}

// Crossed returns the IDs of the CTAs that others of their clusters may have
// waited for, since the last call. The slice is valid until the next Tick.
func (m *SM) Crossed() []int32 {
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
		{c.view.Parked, WaitBarrier}, {^c.have, WaitFetch}, {c.queued, WaitQueue}, {c.constant, WaitConst},
		{c.view.Memory, WaitMemory}, {c.held, WaitExecution}, {c.stalled, WaitStall},
	} {
		if r.set&bit != 0 {
			return r.why
		}
	}
	return WaitPipe
}
