package sm

import (
	"math/bits"

	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

// front is a sub-core's fetch, decode and L0 instruction cache.
type front struct {
	open    uint32     // warps with room in their buffer
	away    uint32     // warps that wait for a line or for a branch's target
	stages  [3]fetched // between request and buffer, last fetched first
	l0      tags
	hit     uint64 // line that hit last, plus one
	misses  []miss
	ahead   ahead
	perLine int32 // instructions of a line, a power of two
}

// fetched is an instruction on its way through decode.
type fetched struct {
	ok      bool
	warp    uint8
	flushes uint8
}

// miss is a line asked for, and the warps that wait for it.
type miss struct {
	line    uint64
	waiters uint32
}

// busy reports that there is something to do in the next cycle.
func (f *front) busy() bool {
	return f.open&^f.away != 0 || f.stages[0].ok || f.stages[1].ok || f.stages[2].ok || f.ahead.eager
}

// forget drops the warps of set from whatever waits.
func (f *front) forget(set uint32) {
	f.open &^= set
	f.away &^= set
	for i := range f.misses {
		f.misses[i].waiters &^= set
	}
	f.ahead.forget(set)
}

// deliver puts into the buffers what has been decoded.
func (s *subCore) deliver() {
	f := &s.front
	if d := f.stages[2]; d.ok {
		w := s.warp(int(d.warp))
		if w.flushes == d.flushes && !w.ended {
			w.coming--
			w.valid++
			s.sched.have |= 1 << d.warp
		}
	}
	f.stages = [3]fetched{{}, f.stages[0], f.stages[1]}
}

// fetch asks for one instruction: of the warp that issued last, or else of the
// youngest that has room.
func (s *subCore) fetch(now kit.Cycle) {
	f := &s.front
	for set := f.open &^ f.away; set != 0; {
		i := s.sched.view.Last
		if set>>i&1 == 0 {
			i = s.sched.view.Youngest(set)
		}
		bit := uint32(1) << i
		w := s.warp(i)
		if int(w.fetched) >= len(w.code.Insts) {
			f.open &^= bit
			set &^= bit
			continue
		}
		line := w.code.Base/uint64(s.sm.cfg.Front.Line) + uint64(w.fetched/f.perLine)
		if line+1 != f.hit && !s.lookup(line, bit, now) {
			f.away |= bit
			break
		}
		f.hit = line + 1
		s.fetchFrom(w, i)
		break
	}
	if f.ahead.eager {
		s.prefetch(now)
	}
}

// fetchFrom sends the warp's next instruction to decode.
func (s *subCore) fetchFrom(w *warp, i int) {
	w.fetched++
	w.coming++
	s.front.stages[0] = fetched{true, uint8(i), w.flushes}
	s.sm.stats.Front.Fetches++
	s.sm.stats.Front.L0Hits++
	if int(w.valid+w.coming) >= s.sm.cfg.Front.Buffer {
		s.front.open &^= 1 << i
	}
}

// lookup finds line in L0 or, having come ahead, first in the buffer of the
// prefetcher. Otherwise the warp of bit waits for it.
func (s *subCore) lookup(line uint64, bit uint32, now kit.Cycle) bool {
	f, st := &s.front, &s.sm.stats.Front
	if f.l0.has(line) {
		return true
	}
	st.L0Misses++
	for i := range f.misses {
		if f.misses[i].line == line {
			f.misses[i].waiters |= bit
			return false
		}
	}
	if e := f.ahead.head(); e != nil && e.line == line {
		st.StreamHits++
		if e.here {
			s.consume()
			return true
		}
		e.waiters |= bit
		return false
	}
	if e := f.ahead.head(); e != nil && e.waiters != 0 {
		f.misses = append(f.misses, miss{e.line, e.waiters}) // its line still comes
	}
	f.misses = append(f.misses, miss{line, bit})
	s.sm.request(now, line*uint64(s.sm.cfg.Front.Line), client(clientCode, s.index))
	f.ahead.restart(line)
	return false
}

// consume moves the first line that was asked for ahead into L0.
func (s *subCore) consume() *aheadLine {
	e := s.front.ahead.pop()
	s.front.l0.fill(e.line)
	s.front.hit = 0
	return e
}

// lineArrived takes a line that was asked for.
func (s *subCore) lineArrived(line uint64, now kit.Cycle) {
	f := &s.front
	s.rouse(now)
	for i := range f.misses {
		if m := f.misses[i]; m.line == line {
			f.l0.fill(line)
			f.hit = 0
			f.away &^= m.waiters
			f.misses = append(f.misses[:i], f.misses[i+1:]...)
			return
		}
	}
	if e := f.ahead.find(line); e != nil {
		e.here = true
		if e.waiters != 0 {
			f.away &^= s.consume().waiters
		}
	}
}

// flush empties the buffer of warp i, which goes on at pc; the fetch begins
// after the redirect.
func (s *subCore) flush(i int, w *warp, now kit.Cycle) {
	f := &s.front
	bit := uint32(1) << i
	w.flushes++
	w.valid, w.coming, w.fetched = 0, 0, w.pc
	s.sched.have &^= bit
	f.forget(bit)
	f.open |= bit
	f.away |= bit
	s.sm.stats.Front.Flushes++
	s.sm.wheel.At(now+kit.Cycle(s.sm.cfg.Front.Redirect), event{kind: evRefetch, slot: uint8(s.slot(i)), id: int32(w.flushes)})
	w.callbacks++
}

// refetch lets warp i fetch again after a redirect.
func (s *subCore) refetch(i int, flushes int32, now kit.Cycle) {
	if w := s.warp(i); int32(w.flushes) == flushes && !w.ended {
		s.front.away &^= 1 << i
		s.rouse(now)
	}
}

// first is the least number in a set that is not empty.
func first(set uint32) int { return bits.TrailingZeros32(set) }
