package exec

import "github.com/lockstep-sim/lockstep/gpu/isa"

// An observer watches execution. It implements any of the interfaces below;
// the others cost nothing. Observed grids run on one goroutine, their CTAs in
// the fixed order.

// GridObserver is told when a grid starts and when it has ended.
type GridObserver interface {
	GridStarted(g *Grid)
	GridEnded(g *Grid, err error)
}

// InstObserver is told about every warp instruction after it executed. The
// effect is valid during the call only.
type InstObserver interface {
	Executed(at Place, e *isa.Effect)
}

// Place says which warp an observer's event belongs to.
type Place struct {
	Grid     *Grid
	CTA      [3]uint32
	Warp     int
	Function *isa.Function // that the instruction stands in
	State    *isa.Warp     // after it
}

// Observe adds an observer to the grids that start from now on.
func (e *Engine) Observe(o any) {
	if g, ok := o.(GridObserver); ok {
		e.gridObservers = append(e.gridObservers, g)
	}
	if i, ok := o.(InstObserver); ok {
		e.instObservers = append(e.instObservers, i)
	}
}

// observe tells the observers about instruction in of fn, executed by lanes m.
func (w *warp) observe(fn *isa.Function, in *isa.Inst, pc int32, m isa.Mask) {
	e := w.Effect
	e.Inst, e.PC, e.Mask, e.Exited = in, pc, m, w.lived&^w.Live
	w.lived = w.Live
	g := w.cta.grid
	for _, o := range g.engine.instObservers {
		o.Executed(Place{g, w.cta.Ctaid, w.Index, fn, &w.Warp}, e)
	}
	if w.cta.core != nil {
		return // the effect is the caller's until its next step
	}
	e.Accesses, e.Barrier, e.Cluster = e.Accesses[:0], false, false
}
