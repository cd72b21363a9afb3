package exec

import "github.com/lockstep-sim/lockstep/gpu/isa"

// barriersPerCTA is the number of named barriers that the hardware has.
const barriersPerCTA = 16

// barrier is the state of one named barrier.
type barrier struct {
	lanes   []isa.Mask // arrived, by warp
	yes     []isa.Mask // of these, with a true predicate (reductions)
	threads int        // awaited, 0 for all of the CTA
	active  bool
	missing int // a warp that had not come when the barrier was looked at last
}

// barrier makes p arrive at the barrier that in names.
func (w *warp) barrier(p *path, in *isa.Inst) {
	c, ctl := w.cta, in.Control
	first := p.mask.First()
	id := w.Row(in.A)[first]
	if id >= barriersPerCTA {
		w.Raise(isa.Trap{Kind: isa.BarrierMisuse, Lane: first, Note: "barrier number " + itoa(int(id)) + " is above 15"})
		c.fault(w, p)
		return
	}
	b := &c.barriers[id]
	if b.lanes == nil {
		b.lanes, b.yes = make([]isa.Mask, len(c.warps)), make([]isa.Mask, len(c.warps))
	}
	if ctl.Count {
		b.threads = int(w.Row(in.B)[first])
		if b.threads == 0 || b.threads%isa.WarpSize != 0 {
			w.Raise(isa.Trap{Kind: isa.BarrierMisuse, Lane: first, Note: "barrier thread count " + itoa(b.threads) + " is not a multiple of 32"})
			c.fault(w, p)
			return
		}
	}
	if !b.active {
		b.active, b.missing = true, 0
		c.waiting++
	}
	b.lanes[w.Index] |= p.mask
	if ctl.Bar == isa.BarRed {
		b.yes[w.Index] |= w.Source(in) & p.mask
	}
	if w.Effect != nil {
		w.Effect.Barrier = true
	}
	if ctl.Bar == isa.BarArrive {
		p.pc++
	} else {
		p.state, p.bar = atBarrier, int(id)
	}
	c.settle(int(id))
}

// complete reports whether all threads that barrier b waits for have arrived. A
// warp counts when all its live lanes have come.
func (c *cta) complete(b *barrier) bool {
	if b.threads == 0 { // a warp that has come stays until all have
		for ; b.missing < len(c.warps); b.missing++ {
			if live := c.warps[b.missing].Live; b.lanes[b.missing]&live != live {
				return false
			}
		}
		return true
	}
	count := 0
	for i := range c.warps {
		if live := c.warps[i].Live; b.lanes[i]&live == live && b.lanes[i] != 0 {
			count += isa.WarpSize
		}
	}
	return count >= b.threads
}

// settle releases barrier id if it is complete.
func (c *cta) settle(id int) {
	b := &c.barriers[id]
	if !b.active || !c.complete(b) {
		return
	}
	c.waiting--
	popc, all := 0, true
	for i := range c.warps {
		popc += b.yes[i].Count()
		all = all && b.yes[i] == b.lanes[i]
	}
	for i := range c.warps {
		c.warps[i].passBarrier(id, popc, all)
		b.lanes[i], b.yes[i] = 0, 0
	}
	b.active, b.threads = false, 0
}

// settleBarriers looks at every barrier again after threads have exited.
func (c *cta) settleBarriers() {
	if c.waiting > 0 {
		for id := range c.barriers {
			c.settle(id)
		}
	}
	c.cluster.settle()
	if c.grouped {
		for i := 0; i < len(c.warps); i += groupWarps {
			c.warps[i].settleGroup()
		}
	}
}

// passBarrier lets the warp's paths go on after barrier id.
func (w *warp) passBarrier(id, popc int, all bool) {
	for _, p := range w.paths {
		if p.state != atBarrier || p.bar != id {
			continue
		}
		in := &p.frame.fn.Code[p.pc]
		if in.Control.Bar == isa.BarRed {
			w.enter(p.frame)
			w.Mask = p.mask
			w.reduced(in, popc, all)
		}
		p.state = ready
		p.pc++
	}
	for i := 0; i < len(w.paths); i++ {
		w.unite(w.paths[i])
	}
}

// reduced writes the result of a barrier reduction.
func (w *warp) reduced(in *isa.Inst, popc int, all bool) {
	switch in.Control.Reduce {
	case isa.BarPopc:
		d := &w.Regs[in.D]
		for l := range w.Mask.All {
			d[l] = uint32(popc)
		}
	case isa.BarAnd:
		w.SetPred(in.P, fill(all))
	case isa.BarOr:
		w.SetPred(in.P, fill(popc > 0))
	}
}

func fill(b bool) isa.Mask {
	if b {
		return isa.Full
	}
	return 0
}
