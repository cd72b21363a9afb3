package dram

import "github.com/lockstep-sim/lockstep/gpu/timing/kit"

func init() { Register("fcfs", func(*Config) Scheduler { return fcfs{} }) }

// fcfs serves requests strictly in order of arrival.
type fcfs struct{}

func (fcfs) Pick(c *Channel, bank int, _ kit.Cycle) int32 {
	head := c.banks[bank].chain[c.mode].head
	for other := range c.active() {
		if i := c.banks[other].chain[c.mode].head; c.requests.At(i).seq < c.requests.At(head).seq {
			return -1
		}
	}
	return head
}
