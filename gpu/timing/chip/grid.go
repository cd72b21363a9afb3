package chip

import (
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
	"github.com/lockstep-sim/lockstep/gpu/timing/sm"
)

// CTAs is who executes the CTAs of a grid.
type CTAs interface {
	// Start makes CTA number index ready to run on an SM, those of a cluster one
	// after another, and returns the number that the Stepper calls its first warp by.
	Start(index, sm int) (first int32)
	// End forgets it.
	End(first int32)
}

// Grid is a launch, for as long as it is on the chip.
type Grid struct {
	Name   string
	Stream uint64 // that it was launched in, for its report
	Dim    Dim    // for its report
	Nested bool   // threads have launched it
	Number int    // of the launch, for its report; 0 for one more than the last
	Shape  sm.CTA // of each CTA; ID and First are not used
	Total  int    // CTAs
	CTAs   CTAs
	// Cluster is the number of CTAs of a cluster, which run at once on the SMs of
	// one group; 0 and 1 mean that there are none.
	Cluster int
	// Ordered has the CTAs execute in the order of cycles, and of SMs within a cycle,
	// since they may see what the others do.
	Ordered bool
	// Preferred is the least size that shared memory gets on an SM, in bytes.
	Preferred int
	// Limit ends the simulation of the grid after so many cycles; 0 for none.
	Limit kit.Cycle

	allowed []bool // SMs by number, as far as one is; nil for all
	next    int    // first CTA that has not started
	live    int
	done    bool
	shared  int // bytes that an SM's CTAs need
	begin   []uint64

	first   []kit.Cycle       // by SM, when it got its first CTA, plus one; 0 for none so far
	members map[int32][]int32 // CTAs on the chip, by the number of their cluster
	Report  Report            // complete when Done
}

// Dim is the extent of a grid in CTAs, and of each of them in threads.
type Dim struct{ Grid, Block [3]uint32 }

// Allow lets the grid use an SM, and no others but those that it is called for.
func (g *Grid) Allow(sm int) {
	for len(g.allowed) <= sm {
		g.allowed = append(g.allowed, false)
	}
	g.allowed[sm] = true
}

// may reports that the grid may use an SM.
func (g *Grid) may(sm int) bool {
	return g.allowed == nil || sm < len(g.allowed) && g.allowed[sm]
}

// Done reports that all CTAs have ended.
func (g *Grid) Done() bool { return g.done }

// Ended is the number of CTAs that have ended, Running that of those on SMs.
func (g *Grid) Ended() int   { return g.next - g.live }
func (g *Grid) Running() int { return g.live }

// place is a CTA on an SM.
type place struct {
	grid    *Grid
	first   int32
	sm, sub int   // sub-core of its first warp, see sm.CTA
	cluster int32 // number of its cluster in the grid
	rank    int   // in it
}

// distributor gives CTAs to SMs, ahead of time: it knows what the SMs hold but for
// what has left them in the last cycles.
type distributor struct {
	grids   []*Grid // with CTAs that have not started, in the order of launch
	turn    int     // SM whose turn it is
	group   int     // of SMs, whose turn it is to take a cluster
	rooms   []room  // by SM
	policy  Placement
	leaving []leave // CTAs that have ended, in the order of time
	again   kit.Cycle

	chosen []int // of the cluster that is placed

	started, completed uint64 // CTAs of all grids so far
}

// room is what an SM holds, as far as the distributor knows.
type room struct {
	sm.Occupied
	free kit.Cycle // when it takes another CTA
	ran  *Grid     // whose CTA it got last
}

// leave is the end of a CTA on its way to the distributor.
type leave struct {
	at      kit.Cycle
	grid    *Grid
	sm, sub int
}

// arrange places the CTAs that start before cycle end.
func (c *Chip) arrange(end kit.Cycle) {
	d := &c.distributor
	for d.again < end {
		now := max(d.again, c.now)
		for len(d.leaving) > 0 && d.leaving[0].at <= now {
			l := &d.leaving[0]
			a := l.grid.Shape
			a.Sub = l.sub
			d.rooms[l.sm].Release(&c.config.SM, &a)
			d.leaving = append(d.leaving[:0], d.leaving[1:]...)
		}
		c.distribute(now)
		if len(d.grids) > 0 && len(d.leaving) > 0 {
			d.again = min(d.again, d.leaving[0].at)
		}
	}
}

// distribute places CTAs at cycle now, as many as one cycle allows, and notes
// when to try again.
func (c *Chip) distribute(now kit.Cycle) {
	d := &c.distributor
	d.again = kit.Never
	left := c.config.Launch.Rate
	for i := 0; i < len(d.grids); i++ {
		g := d.grids[i]
		if g.Report.Start > now {
			d.again = min(d.again, g.Report.Start)
			continue
		}
		for g.next < g.Total {
			if left <= 0 {
				d.again = now + 1 + kit.Cycle(-left/c.config.Launch.Rate)
				return
			}
			sms, at := c.choose(g, now)
			if len(sms) == 0 {
				d.again = min(d.again, at)
				break
			}
			for _, n := range sms {
				c.place(g, n, now)
			}
			left -= len(sms)
		}
		if g.next == g.Total {
			d.grids = append(d.grids[:i], d.grids[i+1:]...)
			i--
		}
	}
}

// choose finds the SMs for the next cluster of g, or for its next CTA; if there
// are none, some can take it at cycle at.
func (c *Chip) choose(g *Grid, now kit.Cycle) (sms []int, at kit.Cycle) {
	if g.Cluster > 1 {
		return c.chooseGroup(g, now)
	}
	d := &c.distributor
	at = kit.Never
	best := -1
	for k := range c.cores {
		n := (d.turn + k) % len(c.cores)
		r := &d.rooms[n]
		if !g.may(n) || !r.Fits(&c.config.SM, &g.Shape) || !r.ready(g) {
			continue
		}
		if r.free > now {
			at = min(at, r.free)
			continue
		}
		if best < 0 || d.policy.Better(&Residents{d.rooms}, n, best) {
			best = n
		}
		if d.policy.Any() {
			break
		}
	}
	if best < 0 {
		return nil, at
	}
	d.turn = (best + 1) % len(c.cores)
	d.chosen = append(d.chosen[:0], best)
	return d.chosen, now
}

// ready reports that an SM holds enough shared memory for g, or is empty and can
// be divided anew.
func (r *room) ready(g *Grid) bool {
	return r.ran == g || r.CTAs() == 0 || r.ran != nil && g.shared <= r.ran.shared
}

// place starts the next CTA of g on SM n at cycle now.
func (c *Chip) place(g *Grid, n int, now kit.Cycle) {
	r := &c.distributor.rooms[n]
	a := arrival{at: now, cta: g.Shape, divide: r.ran != g && r.CTAs() == 0, shared: g.shared}
	if a.divide {
		r.ran = g
	}
	a.cta.Cluster, a.cta.Rank = g.Cluster > 1, g.next%max(g.Cluster, 1)
	a.cta.First = g.CTAs.Start(g.next, n)
	a.cta.Sub = r.Take(&c.config.SM, &g.Shape)
	cluster := int32(g.next / max(g.Cluster, 1))
	a.cta.ID = c.number(place{g, a.cta.First, n, a.cta.Sub, cluster, a.cta.Rank})
	g.join(cluster, a.cta.ID)
	a.cta.Late = max(g.reach(n, now)+c.config.Launch.First, now) - now
	x := &c.cores[n]
	x.coming = append(x.coming, a)
	x.rouse(now)
	r.free = now + c.config.Launch.Interval + c.config.Launch.PerWarp*kit.Cycle(g.Shape.Warps)
	g.next++
	g.live++
	c.distributor.started++
}

// reach is the cycle at which the grid's first CTA has reached SM n, at the latest now.
func (g *Grid) reach(n int, now kit.Cycle) kit.Cycle {
	for len(g.first) <= n {
		g.first = append(g.first, 0)
	}
	if g.first[n] == 0 {
		g.first[n] = now + 1
	}
	return g.first[n] - 1
}

// number finds a number for a CTA that starts.
func (c *Chip) number(p place) int32 {
	if n := len(c.unused); n > 0 {
		id := c.unused[n-1]
		c.unused = c.unused[:n-1]
		c.places[id] = p
		return id
	}
	c.places = append(c.places, p)
	return int32(len(c.places) - 1)
}

// depart takes a CTA that has ended off its SM.
func (c *Chip) depart(x departure) {
	p := c.places[x.ID]
	g, d := p.grid, &c.distributor
	c.places[x.ID] = place{}
	c.unused = append(c.unused, x.ID)
	g.leave(p.cluster, x.ID)
	g.CTAs.End(p.first)
	g.live--
	exit := max(x.Exit, min(c.cores[p.sm].memory.Left(), x.at))
	g.Report.Active = max(g.Report.Active, exit-g.reach(p.sm, exit))
	d.completed++
	at := max(x.at+c.beat, x.Exit+c.config.Launch.Refill)
	d.leaving = append(d.leaving, leave{at, g, p.sm, p.sub})
	if len(d.grids) > 0 {
		d.again = min(d.again, at)
	}
	if g.live == 0 && g.next == g.Total {
		g.done, g.Report.End = true, x.at
	}
}
