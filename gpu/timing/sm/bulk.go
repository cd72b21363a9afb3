package sm

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

// Bulk is an instruction's part in bulk and tensor copies.
type Bulk uint8

// The parts. Each executing lane begins a copy.
const (
	NoBulk     Bulk = iota
	BulkLoad        // global to shared memory, of one or several CTAs
	BulkStore       // shared to global memory
	BulkReduce      // the same, combined with what is there
	BulkAcross      // shared memory to that of another CTA
	BulkAhead       // into L2, or a descriptor to who copies
	BulkCommit      // ends a group of stores and reductions
	BulkWait        // waits for groups
)

// grouped reports that groups hold copies of this kind.
func (b Bulk) grouped() bool { return b == BulkStore || b == BulkReduce }

// groups are a warp's copies that are under way, by group. The last one is open.
type groups struct {
	first uint32 // number of the first in left
	left  []int32
	allow int // of those committed, how many the warp does not wait for; -1 if it does not wait
}

// begin counts n copies in the open group and returns its number.
func (w *warp) begin(n int) uint32 {
	g := w.copies()
	g.left[len(g.left)-1] += int32(n)
	return g.first + uint32(len(g.left)-1)
}

func (w *warp) copies() *groups {
	if w.bulk == nil {
		w.bulk = &groups{left: make([]int32, 1), allow: -1}
	}
	return w.bulk
}

// commit begins another group.
func (g *groups) commit() {
	g.left = append(g.left, 0)
	g.trim()
}

// end notes that a copy of a group is complete.
func (g *groups) end(number uint32) {
	g.left[number-g.first]--
	g.trim()
}

func (g *groups) trim() {
	n := 0
	for n < len(g.left)-1 && g.left[n] == 0 {
		n++
	}
	g.first += uint32(n)
	g.left = append(g.left[:0], g.left[n:]...)
}

// over reports that of the committed groups at most n are unfinished, the last ones.
func (g *groups) over(n int) bool {
	for i := range len(g.left) - 1 - n {
		if g.left[i] != 0 {
			return false
		}
	}
	return true
}

// copies does what an instruction says of copies and their groups.
func (s *subCore) copies(i int, w *warp, in *Inst, e *isa.Effect, now kit.Cycle) {
	switch in.Bulk {
	case BulkLoad, BulkReduce, BulkAcross:
		s.stall(i, now, now+kit.Cycle(s.sm.cfg.Issue.Elect*e.Mask.Count()))
	case BulkStore:
		if n := e.Mask.Count(); n > 1 && !uniform(e.Accesses) {
			s.stall(i, now, now+kit.Cycle(s.sm.cfg.Issue.Elect*n))
		}
	case BulkCommit:
		w.copies().commit()
	case BulkWait:
		g := w.copies()
		s.sm.stats.Bulk.Waits++
		if !g.over(int(in.Groups)) {
			g.allow = int(in.Groups)
			s.doze(i, w, kit.Never)
		}
	}
}

// uniform reports that the lanes of a bulk instruction have made the same accesses.
func uniform(accesses []isa.Access) bool {
	n := 0
	for n < len(accesses) && accesses[n].Lane == accesses[0].Lane {
		n++
	}
	for i := n; i < len(accesses); i++ {
		if accesses[i].Addr != accesses[i-n].Addr || accesses[i].Bytes != accesses[i-n].Bytes {
			return false
		}
	}
	return true
}

// doze has warp i wait until something wakes it, at the latest cycle until.
func (s *subCore) doze(i int, w *warp, until kit.Cycle) {
	s.sched.dozing |= 1 << i
	w.dozes++
	if w.until = until; until != kit.Never && !w.timed {
		w.timed = true
		s.sm.wheel.At(until, event{kind: evExpire, slot: uint8(s.slot(i))})
	}
}

// expire ends the wait of a warp that has dozed for too long. A slot has at most one
// such event under way, which may be of an earlier wait.
func (m *SM) expire(slot int) {
	s, i := m.place(slot)
	w := &m.warps[slot]
	w.timed = false
	switch {
	case s.sched.dozing>>i&1 == 0 || w.until == kit.Never:
	case w.until > m.now:
		w.timed = true
		m.wheel.At(w.until, event{kind: evExpire, slot: uint8(slot)})
	default:
		m.step.Expire(w.id)
		m.awake(slot, w.dozes)
	}
}

// waken lets a warp that dozes go on at cycle at.
func (m *SM) waken(slot int, at kit.Cycle) {
	s, i := m.place(slot)
	if w := &m.warps[slot]; s.sched.dozing>>i&1 != 0 {
		m.later(w, at, event{kind: evAwake, slot: uint8(slot), id: w.dozes})
	}
}

// awake ends the warp's wait, if it is still the same.
func (m *SM) awake(slot int, wait int32) {
	s, i := m.place(slot)
	if s.sched.dozing>>i&1 != 0 && m.warps[slot].dozes == wait {
		s.sched.dozing &^= 1 << i
		s.rouse(m.now)
	}
}

// phases wakes those who wait for the mbarrier objects of CTAs, by rank, of which a
// phase has ended; c is the CTA that has made it, and others hear of it after so many
// cycles.
func (m *SM) phases(c int32, ranks uint16, after int) {
	x := &m.ctas[c]
	if ranks>>x.Rank&1 != 0 {
		m.phase(c, m.now+kit.Cycle(m.cfg.Issue.Wake))
	}
	if ranks&^(1<<x.Rank) != 0 {
		m.crossed = append(m.crossed, Crossing{ID: x.ID, Phase: true, After: kit.Cycle(after)})
	}
}

// phase wakes the warps of a CTA that wait for a phase.
func (m *SM) phase(c int32, at kit.Cycle) {
	for slot := range m.ctas[c].all {
		if b := m.warps[slot].bulk; b == nil || b.allow < 0 {
			m.waken(slot, at)
		}
	}
}

// tell tells mbarrier objects of operations that have ended, which a warp of CTA c
// has begun, where they have ended.
func (m *SM) tell(c int32, late []isa.Late) {
	var ranks uint16
	for i := range late {
		m.stats.Bulk.Told++
		if late[i].Tell() {
			ranks |= 1 << late[i].Rank
		}
	}
	if ranks != 0 {
		m.phases(c, ranks, m.cfg.Issue.Wake)
	}
}

// Copied tells that a copy of a bulk instruction's request is complete, whose warp's
// slot, kind and group these are. It is called from within Tick.
func (m *SM) Copied(slot uint8, kind Bulk, group uint32, late []isa.Late) {
	w := &m.warps[slot]
	w.callbacks--
	m.stats.Bulk.Done++
	m.tell(w.cta, late)
	if g := w.bulk; kind.grouped() {
		if g.end(group); g.allow >= 0 && g.over(g.allow) {
			g.allow = -1
			m.waken(int(slot), m.now+kit.Cycle(m.cfg.Issue.Wake))
		}
	}
	m.drain(w)
}

// Resides is the CTA, by its ID, of the warp in a slot.
func (m *SM) Resides(slot uint8) int32 { return m.ctas[m.warps[slot].cta].ID }

// BulkStats counts bulk copies and waits for phases.
type BulkStats struct {
	Begun uint64 `stat:"begun" unit:"copies" doc:"Bulk and tensor copies and prefetches that lanes have begun."`
	Done  uint64 `stat:"done" unit:"copies" doc:"The same, complete."`
	Told  uint64 `stat:"told" unit:"transactions" doc:"Transactions that asynchronous operations completed at mbarrier objects."`
	Waits uint64 `stat:"waits" unit:"instructions" doc:"Waits for groups of bulk copies."`
	Held  uint64 `stat:"held" unit:"instructions" doc:"Waits for a phase that held their warp."`
}
