package chip

import (
	"cmp"
	"slices"

	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

// quantum is a stretch of time without a look at what others do.
type quantum struct {
	begin, middle, end kit.Cycle // middle: the end of the first beat
	rest               kit.Cycle // of a beat, which the next quantum is for, if it is not 0
	again              kit.Cycle // what the distributor had to do after the first beat
	quiet              kit.Cycle // the same of the memory system, 0 if it was busy in it
	ahead              bool      // the memory system is, see quiesce
	dense              kit.Cycle // ticks of SMs a cycle from which on a quantum has two beats
	budget             uint64    // warp instructions until Run ends
}

// beat is the grain of time that the distributor and the host see: half of what
// SMs and the memory system can do without seeing one another.
func (c *Config) beat() kit.Cycle { return c.Memory.Network.Lookahead() / 2 }

// advance lets a quantum pass, and before it the time in which nothing happens;
// more is false if nothing can happen any more.
func (c *Chip) advance() (more bool, err error) {
	next := c.next()
	if next == kit.Never {
		return false, nil
	}
	if c.rest == 0 && (c.ahead || c.now <= c.beat || c.system.Silent(c.now-c.beat-1)) {
		c.now = max(c.now, next)
	}
	c.ahead = false
	c.measure()
	c.arrange(c.middle)
	c.again = c.distributor.again
	c.arrange(c.end)
	c.crew.run()
	return true, c.settle()
}

// dense is the number of ticks of SMs a cycle from which on two beats without a look
// at the rest save more time than they cost.
const dense = 4

// measure sets the limits of the next quantum and the end of its first beat.
func (c *Chip) measure() {
	dense := kit.Cycle(c.crew.ticks.Load()) >= c.dense*(c.end-c.begin)
	length := c.beat
	if c.rest > 0 {
		length, dense, c.rest = c.rest, false, 0
	}
	c.begin, c.middle, c.end = c.now, c.now+length, c.now+length
	if dense && c.undisturbed() {
		c.end += c.beat
	}
}

// undisturbed reports that nothing outside the SMs and the memory system can see or
// change anything at the end of the first of two beats: a single grid runs, whose SMs
// do not see one another, Run does not end, and no CTA that ends makes room before the
// second beat is over.
func (c *Chip) undisturbed() bool {
	most := uint64(len(c.cores)*c.config.SM.Limits.SubCores) * uint64(c.beat)
	if len(c.grids) != 1 || c.way() != apart || c.budget <= most || c.middle >= c.pause || c.limited || c.config.Launch.Latency < c.beat {
		return false
	}
	if len(c.distributor.grids) == 0 {
		return true
	}
	exit := c.now
	for n := range c.cores {
		exit = min(exit, c.cores[n].Leaving())
	}
	return exit+c.config.Launch.Refill >= c.end+c.beat
}

// hush notes whether nothing happened at the end of the first of two beats. The
// next one begins then with what happened first, and outlasts the quantum.
func (c *Chip) hush() {
	next := min(c.quiet, c.again)
	for _, n := range c.crew.active {
		next = min(next, c.cores[n].middle)
	}
	if c.middle < next && next < c.end {
		c.rest = next + c.beat - c.end
	}
}

// remember runs the memory system until the end of the quantum.
func (c *Chip) remember() {
	c.system.Run(c.middle - 1)
	c.quiet = 0
	if c.system.Silent(c.begin - 1) {
		c.quiet = c.system.Next()
	}
	c.system.Run(c.end - 1)
}

// next is the first cycle in which anything can happen.
func (c *Chip) next() kit.Cycle {
	c.system.Exchange()
	next := min(c.system.Next(), c.distributor.again)
	for n := range c.cores {
		next = min(next, c.cores[n].next)
	}
	return next
}

// settle does what SMs have left to do at the end of a quantum, in the order of
// cycles and SMs.
func (c *Chip) settle() error {
	var failed *core
	c.departures = c.departures[:0]
	for _, n := range c.crew.active {
		x := &c.cores[n]
		x.coming = x.coming[:0]
		if x.err != nil && (failed == nil || x.failed < failed.failed) {
			failed = x
		}
		c.departures = append(c.departures, x.left...)
		x.left = x.left[:0]
	}
	c.now = c.end
	if c.middle < c.end {
		c.hush()
	}
	if failed != nil {
		return failed.err
	}
	slices.SortStableFunc(c.departures, func(a, b departure) int { return cmp.Compare(a.at, b.at) })
	for i := range c.departures {
		c.depart(c.departures[i])
	}
	if len(c.grids) == 1 && c.grids[0].done {
		c.now, c.rest = c.end+c.rest, 0
		if c.grids[0].Report.End < c.middle {
			c.now = c.middle
		}
	}
	if d := &c.distributor; len(c.departures) > 0 {
		slices.SortStableFunc(d.leaving, func(a, b leave) int { return cmp.Compare(a.at, b.at) })
	}
	return c.finish()
}

// way is how SMs must run.
type way uint8

const (
	apart    way = iota // none sees another one
	together            // those of a shard cycle by cycle
	ordered             // all cycle by cycle
)

// way is how SMs must run with the grids that are on the chip.
func (c *Chip) way() (w way) {
	for _, g := range c.grids {
		if g.Cluster > 1 {
			w = max(w, together)
		}
		if g.Ordered || g.Cluster > 1 && c.groups() == 1 {
			w = ordered
		}
	}
	return w
}

// shard is a range of SMs that one thread runs: no cluster lies in two of them.
type shard struct {
	first, end int
	crossings  []crossing // in the present cycle
}

// apart runs SM n alone and returns how often it ticked.
func (c *Chip) apart(n int) (ticks int) {
	x := &c.cores[n]
	for ; x.next < c.middle; ticks++ {
		c.tick(n, x.next)
	}
	x.wait(c.middle)
	for x.middle = x.next; x.next < c.end; ticks++ {
		c.tick(n, x.next)
	}
	x.wait(c.end)
	return ticks
}

// together runs SMs cycle by cycle, in ascending order, and returns how often they
// ticked. After a mistake of the program all stand still.
func (s *shard) together(c *Chip) (ticks int) {
	now := kit.Never
	for n := s.first; n < s.end; n++ {
		now = min(now, c.cores[n].next)
	}
	for now < c.end {
		next := kit.Never
		for n := s.first; n < s.end; n++ {
			x := &c.cores[n]
			if x.next <= now {
				c.tick(n, now)
				if ticks++; x.err != nil {
					return ticks
				}
				s.cross(c, n)
			}
			next = min(next, x.next)
		}
		if len(s.crossings) > 0 {
			s.wake(c, now)
			next = now + 1
		}
		now = next
	}
	for n := s.first; n < s.end; n++ {
		c.cores[n].wait(c.end)
	}
	return ticks
}
