package exec

import (
	"runtime/debug"
	"strconv"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/simd"
)

// cta is the engine's view of a CTA.
type cta struct {
	running *warp
	err     *Fault
	core    *Core // that executes one instruction at a time, see Stepping; nil for none
	grid    *Grid

	isa.CTA
	cluster  *cluster
	index    int // linear number within the grid
	warps    []warp
	next     int  // warp whose turn it is
	spins    bool // the last turn ended early, see execute
	barriers [barriersPerCTA]barrier
	waiting  int  // barriers that somebody has arrived at
	awaited  int  // warps that barriers are of
	grouped  bool // some path has waited for a group of matrix products
	scratch  []*path

	clock  isa.Clock                         // CTA.Clock, made once
	cancel func() (first [3]uint32, ok bool) // CTA.Cancel, made once

	state      simd.State // of the faster engine, for the warp that runs
	generation uint64     // of the memory whose spans it holds
}

// slice is the number of instructions that a warp executes before the next warp
// of its CTA has a turn.
const slice = 4096

// start prepares c, which may have run another CTA of the grid before and has
// its place in a cluster, to run CTA number index.
func (c *cta) start(g *Grid, index int) {
	l := &g.launch
	c.grid, c.index, c.err, c.next, c.Ended = g, index, nil, 0, false
	c.Nctaid, c.Ntid = l.Grid, l.Block
	c.GridID, c.DynamicShared, c.Params = g.id, l.DynamicShared, l.Params
	c.GraphExec, c.Tensor = 0, nil
	if l.Graph != nil {
		c.GraphExec = l.Graph.Handle()
	}
	c.Workspace, c.Memory, c.Textures = l.Workspace, g.engine.memory, l.Textures
	c.Constants, c.Samplers = l.Kernel.Constants, l.Kernel.Samplers
	c.SM, c.NumSM, c.Clock, c.Cancel = g.engine.place(l, index), g.engine.sms, c.clock, c.cancel
	c.Timer = nil
	c.shared(int(l.Kernel.DynamicOffset() + l.DynamicShared))
	threads := int(l.Block[0]) * int(l.Block[1]) * int(l.Block[2])
	count := (threads + isa.WarpSize - 1) / isa.WarpSize
	if cap(c.warps) < count {
		c.warps = make([]warp, count)
	}
	c.warps = c.warps[:count]
	c.state.Use(g.engine.isa)
	c.state.EnterCTA(&c.CTA)
	c.clearBarriers(count)
	for i := range c.warps {
		c.warps[i].start(c, i)
	}
}

// readClock is CTA.Clock. A warp that waits lets the others of its CTA have turns: they may wait as well, for the same time.
func (c *cta) readClock(waits bool) uint64 {
	c.running.Waits = c.running.Waits || waits
	return c.grid.clock(waits)
}

func (c *cta) skipCluster() (first [3]uint32, ok bool) { return c.grid.skip() }

// clearBarriers makes the barriers those of so many warps, none of which has come
// to one.
func (c *cta) clearBarriers(warps int) {
	c.grouped = false
	if c.waiting == 0 && c.awaited == warps {
		return
	}
	for id := range c.barriers {
		if b := &c.barriers[id]; c.awaited == warps {
			clear(b.lanes)
			clear(b.yes)
			b.active, b.threads = false, 0
		} else {
			*b = barrier{}
		}
	}
	c.waiting, c.awaited = 0, warps
}

// shared gives the CTA n bytes of shared memory, all zero.
func (c *cta) shared(n int) {
	if cap(c.Shared) < n {
		c.Shared = make([]byte, n)
		return
	}
	c.Shared = c.Shared[:n]
	clear(c.Shared)
}

// glimpse is the number of instructions after which a CTA in which a single lane
// runs, while all other warps wait, ends its turn: it may look for what another
// CTA does.
const glimpse = 256

// execute executes up to budget instructions. It does fewer if the CTA has ended,
// none of its threads can go on, or (spins) one seems to wait for another CTA.
func (c *cta) execute(budget int) (used int) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer c.guard()
	idle := 0
	c.spins = false
	for used < budget && c.err == nil {
		if idle == len(c.warps) {
			break
		}
		w := &c.warps[c.next]
		c.next = (c.next + 1) % len(c.warps)
		if len(w.paths) == 0 {
			idle++
			continue
		}
		c.running = w
		most, threads := slice, w.threads
		alone := c.grid.launch.Kernel.Shares && idle == len(c.warps)-1
		if alone {
			most = glimpse
		}
		n := w.run(min(most, budget-used))
		used += n
		if alone && n == glimpse && w.threads-threads <= glimpse {
			c.spins = true
			break
		}
		if n > 0 {
			idle = 0
		} else {
			idle++
		}
	}
	return used
}

// refresh drops what is known of memory if some has been freed.
func (c *cta) refresh() {
	if g := c.Memory.Generation(); g != c.generation {
		c.generation = g
		c.state.Forget()
	}
}

func (c *cta) finished() bool {
	for i := range c.warps {
		if len(c.warps[i].paths) > 0 {
			return false
		}
	}
	return true
}

func (c *cta) counts() (warp, thread uint64) {
	for i := range c.warps {
		w := &c.warps[i]
		warp += w.instructions
		thread += w.threads
		w.instructions, w.threads = 0, 0
	}
	return warp, thread
}

func itoa(n int) string { return strconv.Itoa(n) }
