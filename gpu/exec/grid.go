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
	DynamicShared uint32    // bytes
	Params        []byte    // laid out as Kernel.Params says
	Workspace     uint64    // zeroed device memory of a cooperative launch, 8 bytes at least; else 0
	Resident      int       // CTAs that the device holds at once; 0 for as many as a wave of the model
	Textures      isa.Textures
}

// Grid is a launch under way. Its methods are not safe for concurrent use.
type Grid struct {
	engine *Engine
	launch Launch
	id     uint64
	total  int // CTAs
	next   int // first CTA that has not started

	active []*cta // started and not ended, in the order of their turns
	spare  []*cta
	fault  *Fault
	ticks  atomic.Uint64 // instructions executed, the clock of the grid
	cycle  func() uint64 // the clock, when a timing model has one
	spent  time.Duration // executing, where that is limited

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
	for _, o := range e.gridObservers {
		o.GridStarted(g)
	}
	return g
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
			g.engine.pool.give(g.spare)
		}
		g.spare = nil
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

// interleave runs CTAs in a fixed order on this goroutine: each in turn for a
// quantum, as many at once as the device holds.
func (g *Grid) interleave(budget int) {
	for budget > 0 && g.fault == nil {
		if len(g.active) == 0 && !g.admit() {
			return
		}
		c := g.active[0]
		used, done := c.run(min(quantum, budget))
		budget -= max(used, 1)
		g.ticks.Add(uint64(used))
		g.active = append(g.active[:0], g.active[1:]...)
		if done {
			g.retire(c)
			continue
		}
		g.active = append(g.active, c)
		if used == 0 || len(g.active) < g.engine.resident(&g.launch) {
			g.admit()
		}
	}
}

// admit starts the next CTA, if one is left.
func (g *Grid) admit() bool {
	if g.next == g.total {
		return false
	}
	c := g.take()
	c.start(g, g.next)
	g.next++
	g.active = append(g.active, c)
	return true
}

func (g *Grid) take() *cta {
	if n := len(g.spare); n > 0 {
		c := g.spare[n-1]
		g.spare = g.spare[:n-1]
		return c
	}
	return g.engine.pool.take()
}

func (g *Grid) retire(c *cta) {
	w, t := c.counts()
	g.warpInstructions += w
	g.threadInstructions += t
	if c.err != nil && (g.fault == nil || c.err.index < g.fault.index) {
		g.fault = c.err
	}
	g.spare = append(g.spare, c)
}

// spread runs CTAs that cannot see one another on all workers. The fault of
// the lowest CTA is the grid's, so the outcome does not depend on the workers.
func (g *Grid) spread(budget int) {
	workers := min(g.engine.workers, g.total-g.next+len(g.active))
	if workers <= 1 {
		g.interleave(budget)
		return
	}
	for len(g.active) < workers && g.admit() {
	}
	var lock sync.Mutex
	var all sync.WaitGroup
	queue := g.active
	g.active = nil
	for i := range workers {
		all.Go(func() {
			g.work(queue[i], max(budget/workers, 1), &lock)
		})
	}
	all.Wait()
	g.settle()
}

// work runs c and then further CTAs until budget is spent.
func (g *Grid) work(c *cta, budget int, lock *sync.Mutex) {
	for c != nil {
		used, done := c.run(budget)
		budget -= max(used, 1)
		g.ticks.Add(uint64(used))
		lock.Lock()
		if !done {
			g.active = append(g.active, c)
			lock.Unlock()
			return
		}
		g.retire(c)
		c = nil
		if budget > 0 && g.next < g.total && g.fault == nil {
			c = g.take()
			c.start(g, g.next)
			g.next++
		}
		lock.Unlock()
	}
}

// settlement bounds, in warp instructions, how long a CTA is run after another
// one has ended the grid: a CTA that never ends must not hide the fault.
const settlement = 1 << 24

// settle, after a fault, runs the unfinished CTAs below the faulting one to
// their end: one of them may fault first in the order that counts.
func (g *Grid) settle() {
	if g.fault == nil {
		return
	}
	for _, c := range g.active {
		if c.index < g.fault.index {
			c.run(settlement)
			g.retire(c)
		}
	}
}

// clock is the value of the cycle counter that the program sees: it advances
// with execution and never stands still.
func (g *Grid) clock() uint64 {
	if g.cycle != nil {
		return g.cycle()
	}
	return g.ticks.Add(clockStep)
}

// clockStep is what a read of the clock adds to it, about what a loop that waits
// for the clock takes on hardware; without it such loops would crawl.
const clockStep = 16

// stackFits reports whether a lane may have bytes of local memory in use at a
// call depth. Both bounds lie above what the hardware allows, whose frames are
// at least eight bytes.
func (g *Grid) stackFits(bytes uint32, depth int) bool {
	k, limit := g.launch.Kernel, g.engine.stack
	return uint64(bytes) <= uint64(k.LocalBytes)+uint64(limit) && depth <= k.Depth+int(limit)/8
}
