package sm

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

// memoryQueue is a sub-core's part of the memory pipeline: instructions wait in
// order for the address calculation and then for the shared part.
type memoryQueue struct {
	credits  int
	queue    *kit.Queue[int32] // requests
	busy     bool              // the first is in the address calculation, or through it
	constant tags              // L0 cache of fixed-latency constant operands
	asked    []uint64          // lines that it awaits
}

// open makes a request of a memory instruction that issues.
func (s *subCore) open(i int, w *warp, in *Inst, e *isa.Effect, pc int32) int32 {
	m := s.sm
	m.stats.Memory++
	s.mem.credits--
	w.outstanding++
	id := m.requests.New()
	r := m.requests.At(id)
	r.ID, r.Slot, r.Sub, r.Inst = id, uint8(s.slot(i)), uint8(s.index), in
	r.Warp, r.PC, r.Mask, r.lines, r.left = w.id, pc, e.Mask, 0, 2
	r.Late = append(r.Late[:0], e.Late...)
	if in.Mem == LoadConst {
		r.Accesses = append(r.Accesses[:0], e.Accesses...)
	} else {
		m.mem.Prepare(r, e.Accesses)
	}
	if in.Mem == Copies {
		n := e.Mask.Count()
		w.callbacks += int32(n) // see Copied
		m.stats.Bulk.Begun += uint64(n)
		if in.Bulk.grouped() {
			r.Group = w.begin(n)
		}
	}
	return id
}

// enqueue takes a request from Control.
func (s *subCore) enqueue(id int32, now kit.Cycle) {
	s.sm.requests.At(id).arrived = now - 1 + kit.Cycle(s.sm.cfg.Local.Front)
	s.mem.queue.Push(id)
	if !s.mem.busy {
		s.address(now)
	}
}

// address begins the address calculation of the first in the queue.
func (s *subCore) address(now kit.Cycle) {
	first := s.mem.queue.Front()
	if first == nil {
		return
	}
	r, c := s.sm.requests.At(*first), &s.sm.cfg.Local
	cycles := c.Address
	switch {
	case r.Inst.Mem == LoadConst && r.Inst.Uniform:
		cycles = c.Immediate
	case r.Inst.Uniform || r.Inst.Mem.shared():
		cycles = c.Uniform
	}
	s.mem.busy = true
	s.sm.wheel.At(max(r.arrived, now)+kit.Cycle(cycles), event{kind: evAddressed, slot: uint8(s.index)})
}

// arbiter lets one sub-core at a time into the shared part.
type arbiter struct {
	waiting uint32 // sub-cores
	since   []kit.Cycle
	free    kit.Cycle
}

func (a *arbiter) add(sub int, now kit.Cycle) {
	a.waiting |= 1 << sub
	a.since[sub] = now
}

// oldest is the sub-core that has waited longest.
func (a *arbiter) oldest() int {
	best := first(a.waiting)
	for set := a.waiting; set != 0; set &= set - 1 {
		if i := first(set); a.since[i] < a.since[best] {
			best = i
		}
	}
	return best
}

// arbitrate passes a request on if it can and returns when to try again.
func (m *SM) arbitrate(now kit.Cycle) kit.Cycle {
	a := &m.arbiter
	if a.waiting == 0 {
		return kit.Never
	}
	if now < a.free {
		return a.free
	}
	sub := a.oldest()
	s := &m.subs[sub]
	id := *s.mem.queue.Front()
	r := m.requests.At(id)
	if r.Inst.Mem == LoadConst {
		m.loadConstant(r, now)
	} else if !m.mem.Accept(now, r) {
		m.stats.Refused++
		return now + 1
	} else {
		m.memory = min(m.memory, now+1)
	}
	m.stats.Requests++
	a.waiting &^= 1 << sub
	a.free = now + kit.Cycle(m.cfg.Local.Accept)
	if at := now + m.sourcesRead(r.Inst); at > now {
		m.later(&m.warps[r.Slot], at, event{kind: evSources, id: id})
	} else {
		m.warps[r.Slot].callbacks++
		m.sources(id)
	}
	s.leave(now)
	if a.waiting == 0 {
		return kit.Never
	}
	return a.free
}

// leave frees the place of a request that has gone.
func (s *subCore) leave(now kit.Cycle) {
	s.mem.queue.Pop()
	s.mem.busy = false
	s.mem.credits++
	if s.sched.queued != 0 {
		s.sched.queued = 0
		s.rouse(now)
	}
	s.address(now)
}

// sourcesRead is the time from leaving the sub-core to the point where the
// sources have been read.
func (m *SM) sourcesRead(in *Inst) kit.Cycle {
	c := &m.cfg.Local
	switch {
	case in.Mem.store():
		n := c.StoreWAR
		if in.Uniform {
			n = c.StoreUWAR
		}
		return kit.Cycle(n + c.StoreWord*(max(int(in.Words), 1)-1))
	case in.Mem == AsyncCopy:
		return kit.Cycle(c.AsyncWAR)
	case in.Mem == LoadConst && in.Uniform:
		return kit.Cycle(c.ConstImmWAR)
	case in.Mem == LoadConst:
		return kit.Cycle(c.ConstWAR)
	}
	return 0
}

// sources releases a request's sources.
func (m *SM) sources(id int32) {
	r := m.requests.At(id)
	w := &m.warps[r.Slot]
	w.callbacks--
	w.consumed(r.Inst)
	m.finish(id, r, w)
}

// finish lets the warp look again, and frees the request after both its sources
// and its results.
func (m *SM) finish(id int32, r *Request, w *warp) {
	s, i := m.place(int(r.Slot))
	s.unhold(i, m.now)
	if r.left--; r.left == 0 {
		m.requests.Free(id)
	}
	m.drain(w)
}

// Done tells that the results of a request are back, or that a store is
// complete: its registers are written in this cycle and can be read from the
// next one on. It is called from within Tick.
func (m *SM) Done(id int32) {
	r := m.requests.At(id)
	at := m.subs[r.Sub].back.results.load(m.now, m.now, r.Inst)
	if at > m.now {
		m.stats.LoadDelayed++
	}
	m.stats.Done++
	m.wheel.At(at+1, event{kind: evLoaded, id: id})
}

// loaded ends a request.
func (m *SM) loaded(id int32) {
	r := m.requests.At(id)
	w := &m.warps[r.Slot]
	w.outstanding--
	if len(r.Late) > 0 && r.Inst.Mem != Copies {
		m.tell(w.cta, r.Late)
	}
	if m.watch != nil && !r.Inst.Scheduled {
		m.watch.Released(m.now, int(r.Slot), &r.Inst.writes)
	}
	w.written(r.Inst, m.now)
	m.finish(id, r, w)
}
