package dram

import "github.com/lockstep-sim/lockstep/gpu/timing/kit"

// refresh is the state of refreshing: when the next is due and of which banks.
type refresh struct {
	due      kit.Cycle
	interval kit.Cycle
	single   bool
	bank     int
}

func newRefresh(c *Config) refresh {
	switch c.Refresh {
	case "all":
		return refresh{due: c.Timing.REFI, interval: c.Timing.REFI}
	case "bank":
		interval := c.Timing.REFI / kit.Cycle(c.Groups*c.Banks)
		return refresh{due: interval, interval: interval, single: true}
	}
	return refresh{due: kit.Never}
}

// catchUp does the refreshes that are due by cycle now. Of those that an idle
// channel slept through only the last round matters.
func (r *refresh) catchUp(c *Channel, now kit.Cycle) {
	if r.due > now {
		return
	}
	round := kit.Cycle(1)
	if r.single {
		round = kit.Cycle(len(c.banks))
	}
	if missed := (now-r.due)/r.interval + 1; missed > round {
		skip := missed - round
		r.due += skip * r.interval
		r.bank = (r.bank + int(skip%round)) % len(c.banks)
		c.Stats.Refreshes += uint64(skip)
	}
	for ; r.due <= now; r.due += r.interval {
		if r.single {
			c.refreshBank(&c.banks[r.bank], c.idleFrom(&c.banks[r.bank], r.due))
			r.bank = (r.bank + 1) % len(c.banks)
		} else {
			start := r.due
			for i := range c.banks {
				start = max(start, c.idleFrom(&c.banks[i], r.due))
			}
			for i := range c.banks {
				c.refreshBank(&c.banks[i], start)
			}
		}
		c.Stats.Refreshes++
	}
}

// idleFrom is the earliest cycle from at on at which a bank can be closed and
// ready.
func (c *Channel) idleFrom(b *bank, at kit.Cycle) kit.Cycle {
	if b.row != none {
		return max(at, b.pre) + c.config.Timing.RP
	}
	return max(at, b.act)
}

func (c *Channel) refreshBank(b *bank, start kit.Cycle) {
	c.close(b, start+c.config.Timing.RFC)
}
