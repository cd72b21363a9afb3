package chip

import (
	"fmt"
	"strings"
	"time"

	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
	"github.com/lockstep-sim/lockstep/gpu/timing/lsu"
	"github.com/lockstep-sim/lockstep/gpu/timing/memory"
	"github.com/lockstep-sim/lockstep/gpu/timing/noc"
	"github.com/lockstep-sim/lockstep/gpu/timing/sm"
)

// Stepper executes the warps of all grids.
type Stepper interface {
	// SM executes what SM n issues. SMs issue at once unless a Grid forbids it.
	SM(n int) sm.Stepper
	// Fault is the mistake that the program has made on SM n, nil as long as it has
	// made none.
	Fault(n int) error
}

// Chip is a GPU.
type Chip struct {
	config  *Config
	stepper Stepper
	cores   []core
	system  *memory.System
	now     kit.Cycle // SMs have done all before
	beat    kit.Cycle
	crew    *crew

	quantum

	distributor distributor
	grids       []*Grid     // launched and not done
	departures  []departure // of the last quantum
	launched    int
	places      []place
	unused      []int32
	codes       uint64 // bytes of code that have addresses
	counters    counters
	limited     bool // there is a limit of the whole simulation
	pause       kit.Cycle
}

// New returns an idle GPU of so many SMs at cycle 0, simulated by so many threads
// of the host. Without a Stepper it only shows that there can be such a GPU.
func New(c *Config, sms, threads int, step Stepper) (*Chip, error) {
	if err := c.check(sms); err != nil {
		return nil, err
	}
	x := &Chip{config: c, stepper: step, beat: c.beat(), quantum: quantum{dense: dense}, cores: make([]core, sms), limited: c.Limit != Limit{Standstill: c.Limit.Standstill}, pause: kit.Never}
	var err error
	if x.system, err = memory.New(&c.Memory, sms); err != nil {
		return nil, err
	}
	x.system.OnReply = x.reply
	for n := range sms {
		m, err := lsu.NewMemory(&c.LSU, n, x.system.Port(n))
		if err != nil {
			return nil, err
		}
		var who sm.Stepper
		if step != nil {
			who = step.SM(n)
		}
		s, err := sm.New(&c.SM, sm.Parts{Stepper: who, Memory: m, Backing: m})
		if err != nil {
			return nil, err
		}
		m.Attach(s, x.peer)
		x.cores[n] = core{SM: s, memory: m, next: kit.Never}
	}
	x.distributor = distributor{rooms: make([]room, sms), again: kit.Never}
	if x.distributor.policy, err = c.placement(); err != nil {
		return nil, err
	}
	x.counters = newCounters(x)
	x.crew = newCrew(x, threads)
	return x, nil
}

// Observer is told what happens on a chip. A chip that is observed is simulated by
// one thread.
type Observer interface {
	memory.Observer
	SM(n int) sm.Observer
}

// Observe makes o the observer of a chip that has not begun.
func (c *Chip) Observe(o Observer) {
	c.crew.threads = 1
	c.system.Watch = o
	for n := range c.cores {
		c.cores[n].Observe(o.SM(n))
	}
}

// reply wakes an SM for what comes to it from below.
func (c *Chip) reply(n int, at kit.Cycle) {
	c.cores[n].Wake(at)
	c.cores[n].rouse(at)
}

// Now is the present cycle, to a beat.
func (c *Chip) Now() kit.Cycle { return c.now }

// Time is the duration of so many cycles, to the nanosecond.
func (c *Config) Time(cycles kit.Cycle) time.Duration {
	kHz := c.Memory.Clock.Core
	whole, rest := uint64(cycles)/kHz, uint64(cycles)%kHz
	return time.Duration(whole)*time.Millisecond + time.Duration(rest*1e6/kHz)
}

// Pause makes Run end at cycle at, to a quantum; kit.Never for no pause.
func (c *Chip) Pause(at kit.Cycle) { c.pause = at }

// Idle reports that no grid is on the chip.
func (c *Chip) Idle() bool { return len(c.grids) == 0 }

// Wait lets time pass on an idle chip.
func (c *Chip) Wait(cycles kit.Cycle) {
	if len(c.grids) == 0 {
		c.now += cycles
	}
}

// Place is an address for a kernel's code of at most so many bytes.
func (c *Chip) Place(bytes int) uint64 {
	const page = 1 << 16
	at := noc.CodeWindow + c.codes
	c.codes += uint64(bytes+page-1) &^ (page - 1)
	return at
}

// Launch begins a grid.
func (c *Chip) Launch(g *Grid) error {
	n := c.config.SM.Occupancy(&g.Shape)
	if n == 0 {
		return fmt.Errorf("kernel %s: a CTA of %d warps with %d registers each thread and %d bytes of shared memory does not fit an SM", g.Name, g.Shape.Warps, g.Shape.Registers, g.Shape.Shared)
	}
	if g.Cluster > 1 && !c.cluster(g, n) {
		return fmt.Errorf("kernel %s: no group of SMs holds a cluster of %d such CTAs", g.Name, g.Cluster)
	}
	perSM := (g.Total + len(c.cores) - 1) / len(c.cores)
	g.shared = max(g.Preferred, min(n, perSM)*(g.Shape.Shared+c.config.SM.Limits.Reserved))
	if c.launched++; g.Number > 0 {
		c.launched = g.Number
	}
	start := c.now + c.config.Launch.Latency + c.config.Launch.PerCTA*kit.Cycle(g.Total)
	if g.Nested {
		start += c.config.Launch.Nested
	}
	g.Report = Report{chip: c, Number: c.launched, Name: g.Name, Stream: g.Stream, Dim: g.Dim, Registers: g.Shape.Registers, Shared: g.Shape.Shared, CTAs: g.Total, Launched: c.now, Start: start, Occupancy: n}
	g.begin = c.counters.read(c, nil)
	if len(c.grids) == 0 { // an idle GPU begins with its first SM
		c.distributor.turn, c.distributor.group = 0, 0
	}
	c.grids = append(c.grids, g)
	c.distributor.grids = append(c.distributor.grids, g)
	c.distributor.again = min(c.distributor.again, g.Report.Start)
	return nil
}

// Run lets cycles pass until g is done, the warps have executed about budget
// instructions, the pause has come, or something is wrong: the program's fault, a deadlock, or a
// limit that was passed.
func (c *Chip) Run(g *Grid, budget int) error {
	defer c.crew.dismiss()
	until := c.counters.issued() + uint64(max(budget, 1))
	for !g.done && c.now < c.pause {
		if issued := c.counters.issued(); issued < until {
			c.budget = until - issued
		} else {
			break
		}
		if more, err := c.advance(); err != nil {
			return err
		} else if !more {
			return &Deadlock{c.Waits()}
		}
		if g.done {
			break
		}
		if g.Limit > 0 && c.now > g.Report.Start+g.Limit {
			return c.exceed(g, fmt.Sprintf("%d cycles", g.Limit))
		}
		if c.limited {
			if what := c.reached(); what != "" {
				return c.exceed(g, what)
			}
		}
	}
	return nil
}

// reached names the limit of the whole simulation that has been reached.
func (c *Chip) reached() string {
	l := &c.config.Limit
	switch d := &c.distributor; {
	case l.Cycles > 0 && c.now >= l.Cycles:
		return fmt.Sprintf("%d cycles of the whole run", l.Cycles)
	case l.CTAs > 0 && d.started >= l.CTAs:
		return fmt.Sprintf("%d CTAs started in the whole run", l.CTAs)
	case l.Completed > 0 && d.completed >= l.Completed:
		return fmt.Sprintf("%d CTAs completed in the whole run", l.Completed)
	case l.Instructions > 0 && c.counters.executed() >= l.Instructions:
		return fmt.Sprintf("%d thread instructions of the whole run", l.Instructions)
	}
	return ""
}

// exceed ends g before its end; its report is of what it has done.
func (c *Chip) exceed(g *Grid, limit string) error {
	c.close(g, c.now)
	g.Report.Broken = true
	return &Exceeded{g, limit}
}

// Exceeded is the error of a grid that has passed its limit.
type Exceeded struct {
	Grid  *Grid
	Limit string
}

// Error says how far the grid was.
func (e *Exceeded) Error() string {
	g := e.Grid
	return fmt.Sprintf("kernel %s passed the limit of %s: %d of %d CTAs have ended, %d are running", g.Name, e.Limit, g.Ended(), g.Total, g.live)
}

// Waiting is a warp that does not go on.
type Waiting struct {
	SM int
	sm.Wait
}

// Waits lists the warps that have not ended.
func (c *Chip) Waits() (all []Waiting) {
	for n := range c.cores {
		for _, w := range c.cores[n].Waits() {
			all = append(all, Waiting{n, w})
		}
	}
	return all
}

// Deadlock is the state of a chip in which nothing can happen any more.
type Deadlock struct{ Waits []Waiting }

// Error lists the first of the warps that wait.
func (d *Deadlock) Error() string {
	const most = 8
	var b strings.Builder
	fmt.Fprintf(&b, "deadlock: %d warps wait", len(d.Waits))
	for i, w := range d.Waits {
		if i == most {
			b.WriteString("; ...")
			break
		}
		fmt.Fprintf(&b, "; SM %d warp %d at instruction %d, %s since cycle %d", w.SM, w.Warp, w.PC, w.Why, w.Since)
	}
	return b.String()
}
