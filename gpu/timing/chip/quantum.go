package chip

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

// quantum is the number of cycles for which SMs and the memory system run without
// seeing one another. The memory system is a quantum behind, so that two of them
// are as long as the way between them.
func (c *Config) quantum() kit.Cycle {
	return c.Memory.Network.Lookahead() / 2
}

// advance lets a quantum pass, and before it the time in which nothing happens;
// more is false if nothing can happen any more.
func (c *Chip) advance() (more bool, err error) {
	next := c.next()
	if next == kit.Never {
		return false, nil
	}
	c.now = max(c.now, next)
	end := c.now + c.quantum
	c.arrange(end)
	c.crew.run(end)
	return true, c.settle(end)
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
func (c *Chip) settle(end kit.Cycle) error {
	var failed *core
	c.departures = c.departures[:0]
	for n := range c.cores {
		x := &c.cores[n]
		x.coming = x.coming[:0]
		if x.err != nil && (failed == nil || x.failed < failed.failed) {
			failed = x
		}
		c.departures = append(c.departures, x.left...)
		x.left = x.left[:0]
	}
	c.now = end
	if failed != nil {
		return failed.err
	}
	slices.SortStableFunc(c.departures, func(a, b departure) int { return cmp.Compare(a.at, b.at) })
	for i := range c.departures {
		c.depart(c.departures[i])
	}
	if d := &c.distributor; len(c.departures) > 0 {
		slices.SortStableFunc(d.leaving, func(a, b leave) int { return cmp.Compare(a.at, b.at) })
	}
	return c.finish()
}

// shard is a range of SMs that one thread runs: no cluster lies in two of them.
type shard struct {
	first, end int
	crossings  []crossing // in the present cycle
}

// crew is the threads that simulate.
type crew struct {
	chip    *Chip
	threads int
	least   int64 // ticks for which more than one thread is worth it
	shards  []shard
	all     shard

	end   kit.Cycle // of the quantum
	way   way
	next  atomic.Int32 // task that nobody does yet
	ticks atomic.Int64 // of SMs, in the last quantum
}

// way is how SMs must run.
type way uint8

const (
	apart    way = iota // none sees another one
	together            // those of a shard cycle by cycle
	ordered             // all cycle by cycle
)

// fewest is the number of shards of a chip whose SMs form a single group.
const fewest = 8

func newCrew(c *Chip, threads int) *crew {
	n := c.groups()
	if n == 1 {
		n = min(fewest, len(c.cores))
	}
	w := &crew{chip: c, threads: threads, least: worthwhile, all: shard{end: len(c.cores)}}
	for i := range n {
		first, end := part(i, n, len(c.cores))
		w.shards = append(w.shards, shard{first: first, end: end})
	}
	return w
}

// part is the i-th of so many parts of SMs.
func part(i, parts, sms int) (first, end int) {
	return (i*sms + parts - 1) / parts, ((i+1)*sms + parts - 1) / parts
}

// worthwhile is the number of ticks of SMs in a quantum that more than one thread
// does faster: a tick takes a third of a microsecond, to wake a thread several.
const worthwhile = 100

// run runs SMs until the end of the quantum, and the memory system until its
// beginning. How many threads do it decides nothing.
func (w *crew) run(end kit.Cycle) {
	busy := w.ticks.Swap(0) >= w.least
	w.end, w.way = end, w.chip.way()
	w.next.Store(0)
	if w.threads < 2 || !busy {
		w.work()
		return
	}
	var all sync.WaitGroup
	for range min(w.threads, 1+len(w.shards)) - 1 {
		all.Go(w.work)
	}
	w.work()
	all.Wait()
}

// work does tasks until there are no more.
func (w *crew) work() {
	for w.task(int(w.next.Add(1)) - 1) {
	}
}

// task does a task of the quantum: the memory system's, which comes first, or a
// shard's; false if there is none of that number.
func (w *crew) task(i int) bool {
	c := w.chip
	switch {
	case i == 0:
		if c.now > 0 {
			c.system.Run(c.now - 1)
		}
	case w.way == ordered && i == 1:
		w.all.together(c, w.end)
	case w.way == ordered || i > len(w.shards):
		return false
	case w.way == together:
		w.shards[i-1].together(c, w.end)
	default:
		w.shards[i-1].apart(c, w.end)
	}
	return true
}

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

// apart runs one SM after another.
func (s *shard) apart(c *Chip, end kit.Cycle) {
	ticks := 0
	for n := s.first; n < s.end; n++ {
		for x := &c.cores[n]; x.next < end; ticks++ {
			c.tick(n, x.next)
		}
	}
	c.crew.ticks.Add(int64(ticks))
}

// together runs SMs cycle by cycle, in ascending order. After a mistake of the
// program all stand still.
func (s *shard) together(c *Chip, end kit.Cycle) {
	now, ticks := kit.Never, 0
	for n := s.first; n < s.end; n++ {
		now = min(now, c.cores[n].next)
	}
	for now < end {
		next := kit.Never
		for n := s.first; n < s.end; n++ {
			x := &c.cores[n]
			if x.next <= now {
				c.tick(n, now)
				if ticks++; x.err != nil {
					return
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
	c.crew.ticks.Add(int64(ticks))
}
