package chip

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lockstep-sim/lockstep/gpu/stat"
	"github.com/lockstep-sim/lockstep/gpu/timing/cache"
	"github.com/lockstep-sim/lockstep/gpu/timing/dram"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
	"github.com/lockstep-sim/lockstep/gpu/timing/lsu"
	"github.com/lockstep-sim/lockstep/gpu/timing/memory"
	"github.com/lockstep-sim/lockstep/gpu/timing/noc"
	"github.com/lockstep-sim/lockstep/gpu/timing/sm"
	"github.com/lockstep-sim/lockstep/gpu/timing/tma"
)

// Totals are the counters of all parts, summed by kind of part.
type Totals struct {
	SM     sm.Stats     `prefix:"sm."`
	LSU    lsu.Stats    `prefix:"lsu."`
	L1     cache.Stats  `prefix:"l1."`
	Bulk   tma.Stats    `prefix:"tma."`
	Memory memory.Stats `prefix:"memory."`
	L2     cache.Stats  `prefix:"l2."`
	DRAM   dram.Stats   `prefix:"dram."`
	Up     noc.Stats    `prefix:"noc.up."`
	Down   noc.Stats    `prefix:"noc.down."`
}

// Report is what a grid did and took. Its counters are those of the whole chip
// between the grid's launch and its end; grids that overlap share them. Those of the
// last grid on the chip include what it has left under way, see quiesce.
type Report struct {
	Number, CTAs, Occupancy int // Occupancy: CTAs that an SM holds
	Name                    string
	Stream                  uint64    // that it was launched in
	Dim                               // of the grid
	Registers, Shared       int       // of a thread; bytes of a CTA
	Broken                  bool      // a limit has ended it
	Launched, Start, End    kit.Cycle // Start: of the first CTA, at the earliest
	Active                  kit.Cycle // of the SM that has had CTAs of the grid for longest: from its first one to the exit of its last warp, whose stores have left the SM then
	Totals

	chip *Chip
}

// Parts are the counters of each part since the beginning: L1 by SM, L2 by slice,
// memory by channel.
type Parts struct {
	L1, L2 []cache.Stats
	DRAM   []dram.Stats
}

// Parts reads them; it may be called while the report is given out, before the chip goes on.
func (r *Report) Parts() (p Parts) {
	if r.chip == nil {
		return p
	}
	for n := range r.chip.cores {
		p.L1 = append(p.L1, *r.chip.cores[n].memory.L1())
	}
	p.L2, p.DRAM = r.chip.system.Slices(), r.chip.system.Channels()
	return p
}

// Cycles is the time from the launch to the end of the last CTA.
func (r *Report) Cycles() kit.Cycle { return r.End - r.Launched }

// Busy is the same without the launch latency.
func (r *Report) Busy() kit.Cycle { return r.End - r.Start }

// counters reads the totals.
type counters struct {
	total *Totals
	all   []stat.Counter   // of total
	sms   [][]stat.Counter // of each SM: its own, its memory pipeline's, its L1's
	sum   []stat.Counter   // of total, in the same order
	warps []*uint64        // instructions issued
	lanes []*uint64        // instructions of threads
}

func newCounters(c *Chip) counters {
	k := counters{total: &Totals{}}
	k.all = stat.List(k.total)
	t := k.total
	k.sum = slices.Concat(stat.List(&t.SM), stat.List(&t.LSU), stat.List(&t.L1), stat.List(&t.Bulk))
	for n := range c.cores {
		s, m := c.cores[n].SM, c.cores[n].memory
		st := s.Stats(0)
		k.warps, k.lanes = append(k.warps, &st.Warp), append(k.lanes, &st.Thread)
		k.sms = append(k.sms, slices.Concat(stat.List(st), stat.List(&m.Stats), stat.List(m.L1()), stat.List(m.Bulk())))
	}
	return k
}

// issued is the number of warp instructions so far.
func (k *counters) issued() (n uint64) {
	for _, w := range k.warps {
		n += *w
	}
	return n
}

// executed is the number of instructions of threads so far.
func (k *counters) executed() (n uint64) {
	for _, t := range k.lanes {
		n += *t
	}
	return n
}

// read brings the totals up to now and returns their values.
func (k *counters) read(c *Chip, to []uint64) []uint64 {
	*k.total = Totals{}
	for n := range c.cores {
		c.cores[n].Stats(c.now - 1)
		c.cores[n].memory.Account(c.now)
		stat.Add(k.sum, k.sms[n])
	}
	t := k.total
	t.Memory, t.L2, t.DRAM = c.system.Stats, c.system.L2(), c.system.DRAM()
	t.Up, t.Down = c.system.Network()
	return stat.Values(k.all, to)
}

// Achieved changes whenever a CTA has started or ended or something was written to
// global memory, but not by atomic operations, which loops that wait use.
func (c *Chip) Achieved() uint64 {
	r := &c.system.Stats.Requests
	return c.distributor.started + c.distributor.completed + r[noc.Write] + r[noc.Reduce]
}

// Totals are the counters since the beginning.
func (c *Chip) Totals() Totals {
	c.counters.read(c, nil)
	return *c.counters.total
}

// finish ends the grids whose last CTA has ended in the quantum.
func (c *Chip) finish() error {
	var ended []*Grid
	for _, g := range c.grids {
		if g.done {
			ended = append(ended, g)
		}
	}
	if len(ended) == 0 {
		return nil
	}
	c.system.EndKernel()
	if len(ended) == len(c.grids) {
		if err := c.quiesce(); err != nil {
			return err
		}
	}
	for _, g := range ended {
		c.close(g, g.Report.End)
	}
	return nil
}

// quiesce has what the last grids have left under way end, such as lines that L2 has
// evicted, as far as that is before a CTA of a grid launched now could start. It is
// theirs, so it must be counted before their reports are complete; then the chip is
// back at the present cycle, as nothing that comes later can change what was simulated.
func (c *Chip) quiesce() error {
	now, grids := c.now, c.grids
	c.grids = nil
	defer func() { c.now, c.grids, c.ahead = now, grids, true }()
	for limit := now + c.config.Launch.Latency; ; {
		if next := c.next(); next == kit.Never || max(c.now, next)+c.beat > limit {
			return nil
		}
		if _, err := c.advance(); err != nil {
			return err
		}
	}
}

// close completes the report of a grid and forgets it.
func (c *Chip) close(g *Grid, now kit.Cycle) {
	g.Report.End = now
	end := c.counters.read(c, nil)
	for i, counter := range stat.List(&g.Report.Totals) {
		*counter.Value = end[i] - g.begin[i]
	}
	g.begin = nil
	for i := range c.grids {
		if c.grids[i] == g {
			c.grids = append(c.grids[:i], c.grids[i+1:]...)
			break
		}
	}
}

// Drain lets what is under way end, such as lines of code that were asked for in
// advance; no grid may be on the chip.
func (c *Chip) Drain() error {
	for {
		if more, err := c.advance(); !more || err != nil {
			return err
		}
	}
}

// Check verifies the laws of conservation of all parts, those of an idle chip
// once it has been drained.
func (c *Chip) Check() error {
	var all []error
	for n := range c.cores {
		s, m := c.cores[n].SM, c.cores[n].memory
		st := s.Stats(c.now - 1)
		for _, err := range []error{st.Check(&c.config.SM), m.Stats.Check(m.Inside()), m.L1().Check(m.Inside() == 0), m.Bulk().Check(m.Copies())} {
			if err != nil {
				all = append(all, fmt.Errorf("SM %d: %w", n, err))
			}
		}
		if s.Resident() == 0 {
			if err := st.Settle(); err != nil {
				all = append(all, fmt.Errorf("SM %d: %w", n, err))
			}
		}
	}
	if err := c.system.Check(); err != nil {
		all = append(all, err)
	}
	return errors.Join(all...)
}
