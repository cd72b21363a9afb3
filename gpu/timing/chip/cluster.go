package chip

import (
	"slices"

	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
	"github.com/lockstep-sim/lockstep/gpu/timing/lsu"
)

// groupOf is the range of SMs of a group (GPC), as the network to them has it.
func (c *Chip) groupOf(group int) (first, end int) {
	return part(group, c.groups(), len(c.cores))
}

func (c *Chip) groups() int { return min(max(c.config.Memory.Network.Groups, 1), len(c.cores)) }

// chooseGroup finds the SMs for the next cluster of g: all in one group, as far
// apart as they have room.
func (c *Chip) chooseGroup(g *Grid, now kit.Cycle) (sms []int, at kit.Cycle) {
	d := &c.distributor
	at = kit.Never
	groups := c.groups()
	for k := range groups {
		group := (d.group + k) % groups
		first, end := c.groupOf(group)
		left := g.Cluster
		for n := first; n < end && left > 0; n++ {
			if r := &d.rooms[n]; g.may(n) && r.ready(g) {
				left -= r.Room(&c.config.SM, &g.Shape, left)
			}
		}
		if left > 0 {
			continue
		}
		if free := c.freeAt(first, end); free > now {
			at = min(at, free)
			continue
		}
		d.group = (group + 1) % groups
		return c.deal(g, first, end), now
	}
	return nil, at
}

// freeAt is when the SMs of a range can all take CTAs.
func (c *Chip) freeAt(first, end int) (at kit.Cycle) {
	for _, r := range c.distributor.rooms[first:end] {
		at = max(at, r.free)
	}
	return at
}

// deal gives the CTAs of a cluster to SMs that have room for all of them
// together, one each as long as it goes.
func (c *Chip) deal(g *Grid, first, end int) []int {
	d := &c.distributor
	d.chosen = d.chosen[:0]
	for round := 1; len(d.chosen) < g.Cluster; round++ {
		for n := first; n < end && len(d.chosen) < g.Cluster; n++ {
			if r := &d.rooms[n]; g.may(n) && r.ready(g) && r.Room(&c.config.SM, &g.Shape, round) == round {
				d.chosen = append(d.chosen, n)
			}
		}
	}
	return d.chosen
}

// cluster reports that a cluster of g can be on the chip at all.
func (c *Chip) cluster(g *Grid, perSM int) bool {
	for group := range c.groups() {
		room := 0
		first, end := c.groupOf(group)
		for n := first; n < end; n++ {
			if g.may(n) {
				room += perSM
			}
		}
		if room >= g.Cluster {
			return true
		}
	}
	return false
}

// crossing is a cluster of which some CTA has done, in this cycle, what the
// others may have waited for, and the SM that it is on.
type crossing struct {
	grid    *Grid
	cluster int32
	sm      int
	phase   bool // of mbarrier objects has ended
	after   kit.Cycle
}

// cross notes what the warps on SM n have done in this cycle.
func (s *shard) cross(c *Chip, n int) {
	for _, did := range c.cores[n].Crossed() {
		p := c.places[did.ID]
		x := crossing{p.grid, p.cluster, n, did.Phase, did.After}
		if len(s.crossings) == 0 || s.crossings[len(s.crossings)-1] != x {
			s.crossings = append(s.crossings, x)
		}
	}
}

// wake looks for warps that the crossings of this cycle have unblocked. All SMs
// have done their part of it.
func (s *shard) wake(c *Chip, now kit.Cycle) {
	for _, x := range s.crossings {
		for _, id := range x.grid.members[x.cluster] {
			p := c.places[id]
			if x.phase {
				c.cores[p.sm].Hear(id, now+max(x.after, 1))
				c.cores[p.sm].rouse(now + 1)
				continue
			}
			at := now + 1
			if p.sm != x.sm {
				at = now + c.config.Launch.Cluster
			}
			c.cores[p.sm].Poke(id, now, at)
			c.cores[p.sm].rouse(now + 1)
		}
	}
	s.crossings = s.crossings[:0]
}

// peer is the memory pipeline that the CTA of a rank uses in the cluster of another
// one.
func (c *Chip) peer(id int32, rank int) *lsu.Memory {
	p := c.places[id]
	for _, member := range p.grid.members[p.cluster] {
		if q := c.places[member]; q.rank == rank {
			return c.cores[q.sm].memory
		}
	}
	return nil
}

// join and leave keep the CTAs of each cluster that are on the chip.
func (g *Grid) join(cluster, id int32) {
	if g.Cluster <= 1 {
		return
	}
	if g.members == nil {
		g.members = map[int32][]int32{}
	}
	g.members[cluster] = append(g.members[cluster], id)
}

func (g *Grid) leave(cluster, id int32) {
	if g.Cluster <= 1 {
		return
	}
	rest := slices.DeleteFunc(g.members[cluster], func(x int32) bool { return x == id })
	if len(rest) == 0 {
		delete(g.members, cluster)
		return
	}
	g.members[cluster] = rest
}
