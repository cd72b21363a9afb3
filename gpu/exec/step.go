package exec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// Stepping executes a grid one warp instruction at a time, in the order that a
// timing model chooses. Warps have numbers, those of a CTA in a row; numbers of
// CTAs that have ended are used again. A goroutine that steps has called
// debug.SetPanicOnFault: programs can reach memory of the host that is not mapped.
type Stepping struct {
	grid  *Grid
	warps []*warp // by number
	free  []run   // numbers not in use
}

// Core is what steps warps that take turns. Warps of different cores may be stepped
// at once if their kernel does not share.
type Core struct {
	effect isa.Effect
	clock  uint64
	read   isa.Clock
	timer  func() uint64 // the same in nanoseconds
}

// NewCore returns a core whose clock stands at 0. nanoseconds converts what the
// clock says.
func NewCore(nanoseconds func(clock uint64) uint64) *Core {
	c := &Core{}
	c.read = func(bool) uint64 { return c.clock }
	c.timer = func() uint64 { return nanoseconds(c.clock) }
	return c
}

// run is a range of warp numbers.
type run struct{ first, n int32 }

// Position is where a warp stands.
type Position struct {
	Function *isa.Function // nil once all lanes have exited
	PC       int32
	Blocked  bool // waits for other warps
}

// NewStepping makes a launch ready to be stepped.
func (e *Engine) NewStepping(l Launch) *Stepping {
	return &Stepping{grid: e.NewGrid(l)}
}

// Grid is the grid that is stepped.
func (s *Stepping) Grid() *Grid { return s.grid }

// Start makes the warps of the next CTA ready, to be stepped by a core, and returns
// the number of the first and how many there are. CTAs start in order, those of a cluster one after
// another before any of them is stepped.
func (s *Stepping) Start(core *Core) (first int32, n int) {
	g := s.grid
	if g.next%g.clusterSize == 0 {
		x := g.frame()
		x.prepare(g, g.next/g.clusterSize)
		g.active = append(g.active, x)
	}
	c := g.take()
	c.core = core
	g.active[len(g.active)-1].join(c)
	c.Clock, c.Timer = core.read, core.timer
	g.next++
	n = len(c.warps)
	first = s.number(int32(n))
	for i := range c.warps {
		w := &c.warps[i]
		w.Effect = &core.effect
		w.Refresh()
		s.warps[int(first)+i] = w
	}
	return first, n
}

// number finds n warp numbers in a row.
func (s *Stepping) number(n int32) int32 {
	for i, r := range s.free {
		if r.n == n { // CTAs of a grid are alike
			s.free = append(s.free[:i], s.free[i+1:]...)
			return r.first
		}
	}
	first := int32(len(s.warps))
	s.warps = append(s.warps, make([]*warp, n)...)
	return first
}

// End forgets the CTA whose first warp has a number.
func (s *Stepping) End(first int32) {
	c := s.warps[first].cta
	s.free = append(s.free, run{first, int32(len(c.warps))})
	g, x := s.grid, c.cluster
	x.left(c)
	if x.gone++; x.gone < len(x.ctas) { // what those on the way may write stays
		return
	}
	g.active = slices.DeleteFunc(g.active, func(y *cluster) bool { return y == x })
	g.retire(x)
}

// Cancelled is the number of CTAs that will not start, since running ones have
// taken their place.
func (s *Stepping) Cancelled() int { return s.grid.skipped }

// Watch applies the engine's limits to what is executed until the result is
// called, which returns the fault of a grid that has passed one.
func (s *Stepping) Watch() (stop func() error) {
	watched := s.grid.watch()
	return func() error {
		watched()
		if f := s.grid.fault; f != nil {
			return f
		}
		return nil
	}
}

// Exceed makes the fault of a grid that has passed a limit, which is named.
func (s *Stepping) Exceed(limit string) error {
	s.grid.exceed(limit)
	return s.grid.fault
}

// Finish tells observers that the grid has ended; err, always a *Fault, that it
// ended badly.
func (s *Stepping) Finish(err error) {
	for _, o := range s.grid.engine.gridObservers {
		o.GridEnded(s.grid, err)
	}
}

// Next tells where a warp stands: at the instruction that Step would execute.
func (s *Stepping) Next(number int32) Position {
	w := s.warps[number]
	if p := w.head(); p != nil {
		return Position{Function: p.frame.fn, PC: p.pc}
	}
	return Position{Blocked: len(w.paths) > 0}
}

// head is the path that executes next, nil if none can.
func (w *warp) head() *path {
	for {
		p := w.pick()
		switch {
		case p == nil && w.unblock():
		case p != nil && p.pc == p.stop():
			j, m := p.join, p.mask
			w.remove(p)
			w.arrive(j, m)
		default:
			return p
		}
	}
}

// Step executes the warp's next instruction. clock is the value that a read of
// the cycle counter gives. The effect is valid until the core's next Step; err,
// always a *Fault, ends the grid.
func (s *Stepping) Step(number int32, clock uint64) (*isa.Effect, error) {
	w := s.warps[number]
	core := w.cta.core
	core.clock = clock
	core.effect = isa.Effect{Accesses: core.effect.Accesses[:0], Late: core.effect.Late[:0], Defers: true}
	p := w.head()
	if p == nil {
		return &core.effect, nil
	}
	if s.grid.engine.limit.Instructions > 0 {
		s.grid.ticks.Add(1)
	}
	w.cta.step(w, p)
	core.effect.Waits, w.Waits = w.Waits, false
	if w.cta.err != nil {
		return nil, w.cta.err
	}
	w.hold(&core.effect)
	return &core.effect, nil
}

// hold has the warp stand at a wait that was in vain, unless it has done so for too
// long or some of its lanes may have to arrive.
func (w *warp) hold(e *isa.Effect) {
	if e.Holds = e.Holds && len(w.paths) == 1 && !w.expired; e.Holds {
		w.paths[0].pc--
	}
	w.expired = false
}

// Expire has the wait that the warp stands at, in vain, end the next time.
func (s *Stepping) Expire(number int32) { s.warps[number].expired = true }

// step executes one instruction of w, of path p, which does not stand at its join.
// A poll of memory takes hundreds of cycles, so the turn of a path that polls ends
// after a few, not after as many as are executed in no time without a timing model.
func (c *cta) step(w *warp, p *path) {
	defer c.guard()
	c.running, w.current = w, p
	w.enter(p.frame)
	age := 1
	if in := &p.frame.fn.Code[p.pc]; in.Polls && !in.Op.Shares {
		age = spinCost
	}
	lanes, _ := w.step(p, nil)
	w.instructions++
	w.threads += uint64(lanes)
	w.tick(age)
}

// Deadlocked makes the fault of a CTA none of whose warps can go on; waits are lines
// that say since when.
func (s *Stepping) Deadlocked(number int32, waits string) *Fault {
	c := s.warps[number].cta
	c.deadlock()
	c.err.report += waits
	return c.err
}

// Where tells which warp has a number: its CTA, and its number there.
func (s *Stepping) Where(number int32) (cta [3]uint32, warp int) {
	w := s.warps[number]
	return w.cta.Ctaid, w.Index
}

// Standing says, in lines, where the warps of the running CTAs are.
func (s *Stepping) Standing() string {
	var b strings.Builder
	for i, c := range s.grid.running() {
		if i == reported {
			b.WriteString("  and other blocks\n")
			break
		}
		fmt.Fprintf(&b, "  block (%s)\n%s", triple(c.Ctaid), c.whereabouts(nil))
	}
	return b.String()
}
