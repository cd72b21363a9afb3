package sm

import (
	"slices"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

// constantHit looks the constant operand of in up in the sub-core's L0 cache,
// and asks for it if it is not there.
func (s *subCore) constantHit(w *warp, in *Inst, now kit.Cycle) bool {
	addr := w.code.Consts + uint64(in.Offset)
	if s.mem.constant.has(addr / uint64(s.sm.cfg.Constant.Line)) {
		s.sm.stats.Front.FLHits++
		return true
	}
	s.sm.stats.Front.FLMisses++
	line := addr / uint64(s.sm.cfg.Constant.Line)
	if !slices.Contains(s.mem.asked, line) {
		s.mem.asked = append(s.mem.asked, line)
		s.sm.request(now, addr, client(clientFixed, s.index))
	}
	return false
}

// constantArrived takes a line of constants; whoever waits tries again.
func (s *subCore) constantArrived(addr uint64, now kit.Cycle) {
	line := addr / uint64(s.sm.cfg.Constant.Line)
	s.mem.constant.fill(line)
	if i := slices.Index(s.mem.asked, line); i >= 0 {
		s.mem.asked = slices.Delete(s.mem.asked, i, i+1)
	}
	s.sched.constant = 0
	s.rouse(now)
}

// constantLoads serves LDC from a cache of its own.
type constantLoads struct {
	tags    tags
	waiting []waitingLoad
	lines   []uint64 // of the load being served
}

// waitingLoad is a line that a load waits for.
type waitingLoad struct {
	line uint64
	id   int32
}

// loadConstant serves a constant load that has left its sub-core.
func (m *SM) loadConstant(r *Request, now kit.Cycle) {
	c := &m.loads
	m.constantLines(r)
	for _, line := range c.lines {
		if c.tags.has(line) {
			m.stats.Front.VLHits++
			continue
		}
		m.stats.Front.VLMisses++
		r.lines++
		if !c.awaits(line) {
			m.request(now, line*uint64(m.cfg.Constant.Line), client(clientLoad, 0))
		}
		c.waiting = append(c.waiting, waitingLoad{line, r.ID})
	}
	r.arrived = now
	if r.lines == 0 {
		m.constantDone(r)
	}
}

// constantDone schedules the end of a constant load all of whose lines are here.
// Done takes the last cycle.
func (m *SM) constantDone(r *Request) {
	at := max(r.arrived+kit.Cycle(m.cfg.Local.ConstHit)-1, m.now+1)
	m.wheel.At(at, event{kind: evConstant, id: r.ID})
}

// constantLines lists the distinct lines that a load reads.
func (m *SM) constantLines(r *Request) {
	c, size := &m.loads, uint64(m.cfg.Constant.Line)
	c.lines = c.lines[:0]
	if r.Inst.Constant {
		c.lines = append(c.lines, (m.warps[r.Slot].code.Consts+uint64(r.Inst.Offset))/size)
		return
	}
	for i := range r.Accesses {
		c.add(constantAddr(&r.Accesses[i], m.warps[r.Slot].code) / size)
	}
}

// constantAddr is the address of an access, whose parameters follow Consts.
func constantAddr(a *isa.Access, code *Code) uint64 {
	if a.Space == isa.Param {
		return code.Consts + uint64(uint32(a.Addr))
	}
	return a.Addr
}

func (c *constantLoads) add(line uint64) {
	for _, l := range c.lines {
		if l == line {
			return
		}
	}
	c.lines = append(c.lines, line)
}

func (c *constantLoads) awaits(line uint64) bool {
	for i := range c.waiting {
		if c.waiting[i].line == line {
			return true
		}
	}
	return false
}

// loadArrived brings a line to the loads that wait for it.
func (m *SM) loadArrived(addr uint64) {
	c := &m.loads
	line := addr / uint64(m.cfg.Constant.Line)
	c.tags.fill(line)
	rest := c.waiting[:0]
	for _, p := range c.waiting {
		if p.line != line {
			rest = append(rest, p)
			continue
		}
		r := m.requests.At(p.id)
		if r.lines--; r.lines == 0 {
			m.constantDone(r)
		}
	}
	c.waiting = rest
}
