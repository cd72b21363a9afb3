package exec

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// Launch says what a grid runs.
type Launch struct {
	Kernel        *isa.Kernel
	Grid, Block   [3]uint32 // CTAs, threads
	Cluster       [3]uint32 // CTAs of a cluster; zero for a launch without
	DynamicShared uint32    // bytes
	Params        []byte    // laid out as Kernel.Params says
	Workspace     uint64    // zeroed device memory of a cooperative launch, 8 bytes at least; else 0
	Resident      int       // CTAs that the device holds at once; 0 for as many as a wave of the model
	Textures      isa.Textures
	SMs           []uint32 // that it may use; nil for all
	Graph         Graph    // that the kernel is a node of; nil for none
}

// Grid is a launch under way. Its methods are not safe for concurrent use.
type Grid struct {
	engine *Engine
	launch Launch
	id     uint64
	total  int // CTAs
	next   int // first CTA that has not started

	clusterSize int        // CTAs
	skipped     int        // CTAs that others have taken the place of
	active      []*cluster // started and not ended, in the order of their turns
	paused      []*cluster // active ones that have had their turn
	spare       []*cta
	frames      []*cluster // of clusters that have ended
	fault       *Fault
	ticks       atomic.Uint64 // instructions executed, the clock of the grid
	spent       time.Duration // executing, where that is limited

	lock sync.Mutex // while several workers run
	room struct {   // where the lists of a small grid lie
		active, frames [2]*cluster
		spare          [2]*cta
	}

	launcher launcher

	warpInstructions, threadInstructions uint64
}

// quantum is the number of instructions that a CTA executes before another one
// has a turn, when CTAs of a grid take turns.
const quantum = 1 << 14

// NewGrid makes a grid ready to run.
func (e *Engine) NewGrid(l Launch) *Grid {
	e.grids++
	g := &Grid{engine: e, launch: l, id: e.grids}
	g.total = int(l.Grid[0]) * int(l.Grid[1]) * int(l.Grid[2])
	dim := l.clusterDim()
	g.clusterSize = int(dim[0]) * int(dim[1]) * int(dim[2])
	g.active, g.frames, g.spare = g.room.active[:0], g.room.frames[:0], g.room.spare[:0]
	for _, o := range e.gridObservers {
		o.GridStarted(g)
	}
	return g
}

// clusterDim is the size of a cluster, of which each CTA is one without clusters.
func (l *Launch) clusterDim() [3]uint32 {
	if l.Cluster == [3]uint32{} {
		return [3]uint32{1, 1, 1}
	}
	return l.Cluster
}

// Kernel is the kernel that the grid runs.
func (g *Grid) Kernel() *isa.Kernel { return g.launch.Kernel }

// Instructions is the number of warp instructions executed so far.
func (g *Grid) Instructions() uint64 { return g.warpInstructions }

// ThreadInstructions is the number of executed instructions summed over the
// lanes whose guard was true.
func (g *Grid) ThreadInstructions() uint64 { return g.threadInstructions }

// Advance executes about budget warp instructions. done reports that the grid
// has ended; err, always a *Fault, that it ended badly.
func (g *Grid) Advance(budget int) (done bool, err error) {
	if g.fault == nil {
		g.execute(budget)
	}
	if g.fault != nil {
		g.active, err = nil, g.fault
	}
	done = err != nil || g.ended()
	if done {
		if err == nil {
			g.engine.pool.give(g.spare, g.frames)
		}
		g.spare, g.frames = nil, nil
		for _, o := range g.engine.gridObservers {
			o.GridEnded(g, err)
		}
	}
	return done, err
}

// execute runs CTAs within the limits that are set.
func (g *Grid) execute(budget int) {
	stop := g.watch()
	budget = g.allowed(budget)
	if g.launch.Kernel.Shares || len(g.engine.instObservers) > 0 {
		g.interleave(budget)
	} else {
		g.spread(budget)
	}
	stop()
}

func (g *Grid) ended() bool { return g.next == g.total && len(g.active) == 0 }

// interleave runs clusters in a fixed order on this goroutine: each in turn for a
// quantum, as many at once as the device holds.
func (g *Grid) interleave(budget int) {
	most := max(g.engine.resident(&g.launch)/g.clusterSize, 1)
	for budget > 0 && g.fault == nil {
		if len(g.active) == 0 && !g.admit() {
			return
		}
		x := g.dequeue()
		used, done := x.run(min(quantum, budget))
		budget -= max(used, 1)
		g.ticks.Add(uint64(used))
		if done {
			g.retire(x)
			continue
		}
		g.active = append(g.active, x)
		if used == 0 || len(g.active) < most {
			g.admit()
		}
	}
}

// admit starts the next cluster, if one is left.
func (g *Grid) admit() bool {
	if g.next == g.total {
		return false
	}
	g.active = append(g.active, g.begin())
	return true
}

// begin starts the next cluster.
func (g *Grid) begin() *cluster {
	x := g.frame()
	x.prepare(g, g.next/g.clusterSize)
	for range g.clusterSize {
		x.join(g.take())
		g.next++
	}
	return x
}

// frame is a cluster without CTAs.
func (g *Grid) frame() *cluster {
	n := len(g.frames)
	if n == 0 {
		return g.engine.pool.takeCluster()
	}
	x := g.frames[n-1]
	g.frames = g.frames[:n-1]
	return x
}

func (g *Grid) take() *cta {
	if n := len(g.spare); n > 0 {
		c := g.spare[n-1]
		g.spare = g.spare[:n-1]
		return c
	}
	return g.engine.pool.take()
}

// retire takes in what a cluster that has ended has done.
func (g *Grid) retire(x *cluster) {
	for _, c := range x.ctas {
		w, t := c.counts()
		g.warpInstructions += w
		g.threadInstructions += t
		if c.err != nil && (g.fault == nil || c.err.index < g.fault.index) {
			g.fault = c.err
		}
		g.spare = append(g.spare, c)
	}
	g.frames = append(g.frames, x)
}

// spread runs clusters, which cannot see one another, on all workers. The fault
// of the lowest CTA is the grid's, so the outcome does not depend on the workers.
func (g *Grid) spread(budget int) {
	if g.ticks.Load() < small {
		g.work(min(small, budget))
	} else {
		g.divide(budget, max(min(g.engine.workers, (g.total-g.next)/g.clusterSize+len(g.active)), 1))
	}
	g.active = append(g.active, g.paused...)
	g.paused = g.paused[:0]
	g.settle()
}

// divide divides budget among workers.
func (g *Grid) divide(budget, workers int) {
	each := max(budget/workers, 1)
	var all sync.WaitGroup
	for range workers - 1 {
		all.Go(func() { g.work(each) })
	}
	g.work(each)
	all.Wait()
}

// work runs one cluster after another until budget is spent.
func (g *Grid) work(budget int) {
	for budget > 0 {
		g.lock.Lock()
		x := g.pop()
		g.lock.Unlock()
		if x == nil {
			return
		}
		used, done := x.run(budget)
		budget -= max(used, 1)
		g.ticks.Add(uint64(used))
		g.lock.Lock()
		if done {
			g.retire(x)
		} else {
			g.paused = append(g.paused, x)
		}
		g.lock.Unlock()
	}
}

// pop takes the first active cluster, or starts the next; nil if there is none or
// the grid has failed.
func (g *Grid) pop() *cluster {
	if g.fault != nil || len(g.active) == 0 && !g.admit() {
		return nil
	}
	return g.dequeue()
}

// dequeue takes the first active cluster out of its place.
func (g *Grid) dequeue() *cluster {
	x := g.active[0]
	if g.active = g.active[1:]; len(g.active) == 0 {
		g.active = g.room.active[:0]
	}
	return x
}

// small is the number of warp instructions, some microseconds' worth, that a grid
// must have before it pays to wake other cores.
const small = 4096

// settlement bounds, in warp instructions, how long a cluster is run after another
// one has ended the grid: one that never ends must not hide the fault.
const settlement = 1 << 24

// settle, after a fault, runs the unfinished clusters below the faulting one to
// their end: one of them may fault first in the order that counts.
func (g *Grid) settle() {
	if g.fault == nil {
		return
	}
	for _, x := range g.active {
		if x.ctas[0].index < g.fault.index {
			x.run(settlement)
			g.retire(x)
		}
	}
}

// clock is the value of the cycle counter that the program sees: it advances
// with execution and never stands still.
func (g *Grid) clock(waits bool) uint64 {
	if waits {
		return g.ticks.Add(waitStep)
	}
	return g.ticks.Add(clockStep)
}

// clockStep is what a read of the clock adds to it, about what a loop that looks at
// the clock takes on hardware; waitStep, half a microsecond, is what one adds that does
// nothing else: such a loop cannot tell how many rounds it makes.
const (
	clockStep = 16
	waitStep  = 1024
)

// stackFits reports whether a lane may have bytes of local memory in use at a
// call depth. Both bounds lie above what the hardware allows, whose frames are
// at least eight bytes.
func (g *Grid) stackFits(bytes uint32, depth int) bool {
	k, limit := g.launch.Kernel, g.engine.stack
	return uint64(bytes) <= uint64(k.LocalBytes)+uint64(limit) && depth <= k.Depth+int(limit)/8
}
