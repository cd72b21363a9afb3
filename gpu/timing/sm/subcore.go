package sm

import (
	"math/bits"

	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

// subCore is one of the SM's sub-cores. Sets of its warps are masks, bit i for
// warp slot i*subCores + index.
type subCore struct {
	sm     *SM
	index  int
	wake   kit.Cycle // next cycle with anything to do
	upTo   kit.Cycle // slots before are accounted for
	asleep Slot      // why nothing issues in cycles that are skipped

	sched scheduler
	front front
	back  back
	mem   memoryQueue
}

// scheduler is the state of the issue stage.
type scheduler struct {
	policy           Policy
	view             View
	live             uint32 // warps that have not ended
	have             uint32 // with an instruction in the buffer
	stalled, held    uint32
	dozing           uint32     // wait for a phase, or for bulk copies
	constant, queued uint32     // wait for a constant line, for the memory queue
	ring             [64]uint32 // warps whose stall ends, by cycle modulo 64
	rings            uint64     // slots of ring that hold any
	portFree         kit.Cycle
	hold             kit.Cycle // until then a constant miss of holder keeps all from issuing
	holder           int
	free             [pipeCount]kit.Cycle // when a pipe's input is free
}

// latch holds an instruction between stages.
type latch struct {
	in    *Inst
	warp  uint8 // slot within the sub-core
	seen  bool  // Control has acted on it
	last  bool  // the warp has ended with it
	since kit.Cycle
	id    int32 // index into the Code, or request
}

// back is the part behind issue.
type back struct {
	control, allocate latch
	ports             ports
	results           results
	increment         [2]uint8 // counters to increment at the end of the cycle
	incremented       uint8    // their warp
	increments        int
}

func (s *subCore) slot(i int) int     { return i*len(s.sm.subs) + s.index }
func (s *subCore) warp(i int) *warp   { return &s.sm.warps[s.slot(i)] }
func (s *subCore) rouse(at kit.Cycle) { s.wake = min(s.wake, at) }

// tick does the work of one cycle, from the last stage to the first.
func (s *subCore) tick(now kit.Cycle) {
	s.account(now)
	s.unstall(now)
	if s.back.allocate.in != nil {
		s.allocate(now)
	}
	if s.back.control.in != nil {
		s.control(now)
	}
	s.deliver()
	fate := s.issue(now)
	if s.sm.running {
		s.sm.stats.Slots[fate]++
	}
	s.upTo = now + 1
	s.count()
	s.fetch(now)
	s.rest(now, fate)
}

// rest decides when the sub-core must look again.
func (s *subCore) rest(now kit.Cycle, fate Slot) {
	c := &s.sched
	busy := s.back.allocate.in != nil || s.back.control.in != nil ||
		s.candidates() != 0 || s.front.busy()
	if busy {
		s.wake = now + 1
		return
	}
	s.wake = kit.Never
	if c.rings != 0 {
		s.wake = now + 1 + kit.Cycle(bits.TrailingZeros64(bits.RotateLeft64(c.rings, -int((now+1)&63))))
	}
	s.asleep = fate
	if fate == Issued {
		s.asleep = s.reason()
	}
}

// account charges the cycles that were slept through.
func (s *subCore) account(now kit.Cycle) {
	if now > s.upTo {
		if s.sm.running {
			s.sm.stats.Slots[s.asleep] += uint64(now - s.upTo)
		}
		s.upTo = now
	}
}

// candidates are the warps that nothing known keeps from issuing.
func (s *subCore) candidates() uint32 {
	c := &s.sched
	return c.have &^ (c.stalled | c.held | c.view.Parked | c.constant | c.queued | c.dozing)
}

// stall keeps warp i from issuing before cycle at.
func (s *subCore) stall(i int, now, at kit.Cycle) {
	if at <= now+1 {
		return
	}
	w := s.warp(i)
	w.readyAt = max(w.readyAt, at)
	s.sched.stalled |= 1 << i
	s.rouse(at)
	if at = w.readyAt; at-now >= 64 {
		s.sm.wheel.At(at, event{kind: evStall, slot: uint8(s.slot(i))})
		w.callbacks++
		return
	}
	s.sched.ring[at&63] |= 1 << i
	s.sched.rings |= 1 << (at & 63)
}

// unstall lets the warps go whose stall ends at cycle now.
func (s *subCore) unstall(now kit.Cycle) {
	c := &s.sched
	if c.rings>>(now&63)&1 == 0 {
		return
	}
	for set := c.ring[now&63]; set != 0; set &= set - 1 {
		i := bits.TrailingZeros32(set)
		if s.warp(i).readyAt <= now {
			c.stalled &^= 1 << i
		}
	}
	c.ring[now&63] = 0
	c.rings &^= 1 << (now & 63)
}

// reason is why nothing can issue, when no candidate was tried.
func (s *subCore) reason() Slot {
	c := &s.sched
	switch {
	case c.have&c.queued != 0:
		return WaitQueue
	case c.have&c.constant != 0:
		return WaitConst
	case c.have&c.stalled != 0:
		return WaitStall
	case c.held&^c.view.Memory != 0:
		return WaitExecution
	case c.held != 0:
		return WaitMemory
	case c.live&^c.view.Parked&^c.dozing&^c.have != 0:
		return WaitFetch
	case c.live != 0:
		return WaitBarrier
	}
	return NoWarp
}

// admit starts a warp in slot i.
func (s *subCore) admit(i int, age uint32) {
	c := &s.sched
	bit := uint32(1) << i
	c.live |= bit
	c.view.Live = c.live
	c.have &^= bit
	c.stalled &^= bit
	c.held &^= bit
	c.dozing &^= bit
	c.view.Parked &^= bit
	c.constant &^= bit
	c.queued &^= bit
	c.view.Memory &^= bit
	c.view.Age[i] = age
	s.front.open |= bit
}

// retire ends the warp in slot i.
func (s *subCore) retire(i int) {
	c := &s.sched
	bit := uint32(1) << i
	c.live &^= bit
	c.view.Live = c.live
	c.have &^= bit
	c.view.Parked &^= bit
	c.held &^= bit
	c.view.Memory &^= bit
	s.front.forget(bit)
}

// unhold lets warp i be tried again, for a dependence of it has changed.
func (s *subCore) unhold(i int, now kit.Cycle) {
	bit := uint32(1) << i
	if s.sched.held&bit != 0 {
		s.sched.held &^= bit
		s.sched.view.Memory &^= bit
		s.rouse(now)
	}
}
