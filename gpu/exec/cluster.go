package exec

import (
	"fmt"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// cluster is what a grid starts and runs as one: CTAs that are resident
// together, on one goroutine. Mostly it has one CTA.
type cluster struct {
	isa.Cluster
	grid   *Grid
	ctas   []*cta // by rank
	number int    // of the cluster in the grid
	turn   int    // CTA whose turn it is
	come   bool   // some lane has arrived at the cluster barrier
	gone   int    // CTAs that are stepped no more
}

// shift is the number of instructions that a CTA of a cluster executes before
// the next one has a turn.
const shift = 1024

// place is where a cluster of a number is among the grid's.
func (g *Grid) place(number int) (at, count [3]uint32) {
	dim := g.launch.clusterDim()
	for i := range count {
		count[i] = g.launch.Grid[i] / dim[i]
	}
	n := uint32(number)
	return [3]uint32{n % count[0], n / count[0] % count[1], n / count[0] / count[1]}, count
}

// skip gives up the next cluster that has not started, and tells its first CTA.
func (g *Grid) skip() (first [3]uint32, ok bool) {
	if g.next >= g.total {
		return first, false
	}
	first, _ = g.place(g.next / g.clusterSize)
	for i, n := range g.launch.clusterDim() {
		first[i] *= n
	}
	g.next += g.clusterSize
	g.skipped += g.clusterSize
	return first, true
}

// prepare makes x the cluster of a number, with CTAs that have yet to start.
func (x *cluster) prepare(g *Grid, number int) {
	l := &g.launch
	x.grid, x.number, x.turn, x.come, x.gone = g, number, 0, false, 0
	x.Dim, x.Explicit = l.clusterDim(), l.Cluster != [3]uint32{}
	x.ID, x.Count = g.place(number)
	x.ctas = x.ctas[:0]
	size := g.clusterSize
	if cap(x.CTAs) < size {
		x.CTAs = make([]*isa.CTA, size)
	}
	x.CTAs = x.CTAs[:size]
	clear(x.CTAs)
}

// join starts the next CTA of the cluster, which is c.
func (x *cluster) join(c *cta) {
	rank := len(x.ctas)
	x.ctas, x.CTAs[rank] = append(x.ctas, c), &c.CTA
	c.cluster, c.Cluster, c.Rank = x, &x.Cluster, uint32(rank)
	r := uint32(rank)
	for i, at := range [3]uint32{r % x.Dim[0], r / x.Dim[0] % x.Dim[1], r / x.Dim[0] / x.Dim[1]} {
		c.Ctaid[i] = x.ID[i]*x.Dim[i] + at
	}
	c.start(x.grid, x.number*len(x.CTAs)+rank)
}

// run executes up to budget instructions and reports whether the cluster has
// ended, well or badly.
func (x *cluster) run(budget int) (used int, done bool) {
	if len(x.ctas) == 1 {
		c := x.ctas[0]
		used = c.execute(budget)
		if c.err == nil && used < budget && !c.spins && !c.finished() {
			c.deadlock()
		}
		return used, c.err != nil || c.finished()
	}
	for idle := 0; used < budget; x.turn = (x.turn + 1) % len(x.ctas) {
		n := x.advance(x.ctas[x.turn], min(shift, budget-used))
		used += n
		if x.err() != nil || x.finished() {
			return used, true
		}
		if idle++; n > 0 {
			idle = 0
		}
		if idle == len(x.ctas) {
			x.deadlock()
			return used, true
		}
	}
	return used, false
}

// advance gives one CTA a turn.
func (x *cluster) advance(c *cta, budget int) int {
	if c.finished() {
		return 0
	}
	used := c.execute(budget)
	if c.finished() {
		x.left(c)
	}
	return used
}

// left notes that a CTA has ended: nobody reads its shared memory any more.
func (x *cluster) left(c *cta) { c.Ended = true }

func (x *cluster) finished() bool {
	for _, c := range x.ctas {
		if !c.finished() {
			return false
		}
	}
	return true
}

// err is the fault of the cluster's first CTA that has one.
func (x *cluster) err() *Fault {
	for _, c := range x.ctas {
		if c.err != nil {
			return c.err
		}
	}
	return nil
}

// deadlock ends the cluster because no thread of it can go on.
func (x *cluster) deadlock() {
	var b strings.Builder
	var first *cta
	for _, c := range x.ctas {
		if c.finished() {
			continue
		}
		if first == nil {
			first = c
			fmt.Fprintf(&b, "lockstep: deadlock in kernel %s: no thread of the cluster of block (%s) can go on\n", demangled(x.grid.launch.Kernel.Name), triple(c.Ctaid))
		}
		fmt.Fprintf(&b, "  block (%s)\n%s", triple(c.Ctaid), c.whereabouts(nil))
	}
	first.err = &Fault{Kind: isa.Deadlock, Kernel: x.grid.launch.Kernel.Name, CTA: first.Ctaid, index: first.index, report: b.String()}
}

// barrier is the barrier of a cluster. It is split: lanes arrive, and later wait
// until all live lanes of the cluster have arrived.
func (w *warp) clusterBarrier(p *path, in *isa.Inst) {
	x := w.cta.cluster
	if in.Control.Bar == isa.BarArrive {
		w.arrived |= p.mask
		x.come = true
		if w.Effect != nil {
			w.Effect.Cluster = true
		}
		p.pc++
		x.settle()
		return
	}
	if w.arrived&p.mask == 0 {
		if w.Effect != nil {
			w.Effect.Cluster = true
		}
		p.pc++ // the phase that these lanes arrived for is complete
		return
	}
	p.state = atCluster
}

// settle ends the phase of the cluster's barrier if all have arrived.
func (x *cluster) settle() {
	if !x.come {
		return
	}
	for _, c := range x.ctas {
		for i := range c.warps {
			if w := &c.warps[i]; w.arrived&w.Live != w.Live {
				return
			}
		}
	}
	if len(x.ctas) < len(x.CTAs) {
		return // some CTA has yet to start
	}
	x.come = false
	for _, c := range x.ctas {
		for i := range c.warps {
			c.warps[i].passCluster()
		}
	}
}

// passCluster lets the warp's paths go on after the cluster's barrier.
func (w *warp) passCluster() {
	w.arrived = 0
	for _, p := range w.paths {
		if p.state == atCluster {
			p.state = ready
			p.pc++
		}
	}
}
