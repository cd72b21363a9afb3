package chip

import (
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
	"github.com/lockstep-sim/lockstep/gpu/timing/sm"
)

// CTAs is who executes the CTAs of a grid.
type CTAs interface {
	// Start makes CTA number index ready, those of a cluster one after another,
	// and returns the number that the Stepper calls its first warp by.
	Start(index int) (first int32)
	// End forgets it.
	End(first int32)
}

// Grid is a launch, for as long as it is on the chip.
type Grid struct {
	Name   string
	Stream uint64 // that it was launched in, for its report
	Shape  sm.CTA // of each CTA; ID and First are not used
	Total  int    // CTAs
	CTAs   CTAs
	// Cluster is the number of CTAs of a cluster, which run at once on the SMs of
	// one group; 0 and 1 mean that there are none.
	Cluster int
	// Limit ends the simulation of the grid after so many cycles; 0 for none.
	Limit kit.Cycle

	next   int // first CTA that has not started
	live   int
	number int // of the launch, from 1
	done   bool
	shared int // bytes that an SM's CTAs need
	begin  []uint64

	members map[int32][]int32 // CTAs on the chip, by the number of their cluster
	Report  Report            // complete when Done
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
	sm      int
	cluster int32 // number of its cluster in the grid
}

// distributor gives CTAs to SMs.
type distributor struct {
	grids []*Grid // with CTAs that have not started, in the order of launch
	turn  int     // SM whose turn it is
	group int     // of SMs, whose turn it is to take a cluster
	free  []kit.Cycle
	ran   []*Grid // by SM: whose CTA it got last
	again kit.Cycle

	chosen []int // of the cluster that is placed

	started, completed uint64 // CTAs of all grids so far
}

// distribute places CTAs at cycle now, as many as one cycle allows, and notes
// when to try again.
func (c *Chip) distribute(now kit.Cycle) error {
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
				return nil
			}
			sms, at := c.choose(g, now)
			if len(sms) == 0 {
				d.again = min(d.again, at)
				break
			}
			for _, n := range sms {
				if err := c.place(g, n, now); err != nil {
					return err
				}
			}
			left -= len(sms)
		}
		if g.next == g.Total {
			d.grids = append(d.grids[:i], d.grids[i+1:]...)
			i--
		}
	}
	return nil
}

// choose finds the SMs for the next cluster of g, or for its next CTA; if there
// are none, some can take it at cycle at.
func (c *Chip) choose(g *Grid, now kit.Cycle) (sms []int, at kit.Cycle) {
	if g.Cluster > 1 {
		return c.chooseGroup(g, now)
	}
	d := &c.distributor
	at = kit.Never
	for k := range c.sms {
		n := (d.turn + k) % len(c.sms)
		if !c.sms[n].Fits(&g.Shape) || !c.ready(n, g) {
			continue
		}
		if d.free[n] > now {
			at = min(at, d.free[n])
			continue
		}
		d.turn = (n + 1) % len(c.sms)
		d.chosen = append(d.chosen[:0], n)
		return d.chosen, now
	}
	return nil, at
}

// ready reports that SM n holds enough shared memory for g, or is empty and can
// be divided anew.
func (c *Chip) ready(n int, g *Grid) bool {
	ran := c.distributor.ran[n]
	return ran == g || c.sms[n].Resident() == 0 && c.memories[n].Inside() == 0 ||
		ran != nil && g.shared <= ran.shared && c.sms[n].Resident() > 0
}

// place starts the next CTA of g on SM n.
func (c *Chip) place(g *Grid, n int, now kit.Cycle) error {
	d := &c.distributor
	if d.ran[n] != g && c.sms[n].Resident() == 0 {
		if err := c.memories[n].Begin(g.shared); err != nil {
			return err
		}
		d.ran[n] = g
	}
	a := g.Shape
	a.Cluster = g.Cluster > 1
	a.First = g.CTAs.Start(g.next)
	cluster := int32(g.next / max(g.Cluster, 1))
	a.ID = c.number(place{g, a.First, n, cluster})
	g.join(cluster, a.ID)
	c.sms[n].Launch(now, a)
	c.agenda.Wake(n, now)
	d.free[n] = now + c.config.Launch.Interval
	g.next++
	g.live++
	d.started++
	return nil
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

// ended takes the CTAs off SM n that have ended.
func (c *Chip) ended(n int, now kit.Cycle) {
	for _, id := range c.sms[n].Ended() {
		p := c.places[id]
		c.places[id] = place{}
		c.unused = append(c.unused, id)
		p.grid.leave(p.cluster, id)
		p.grid.CTAs.End(p.first)
		p.grid.live--
		c.distributor.completed++
		if len(c.distributor.grids) > 0 {
			c.distributor.again = min(c.distributor.again, now+1)
		}
		if p.grid.live == 0 && p.grid.next == p.grid.Total {
			c.finished = append(c.finished, p.grid)
		}
	}
}
