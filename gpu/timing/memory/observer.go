package memory

import (
	"github.com/lockstep-sim/lockstep/gpu/timing/dram"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
	"github.com/lockstep-sim/lockstep/gpu/timing/noc"
)

// Observer is told what passes through the memory system. Cycles are those of the
// core clock; what is pointed to is valid during the call.
type Observer interface {
	// Sent: a request from an SM, or a reply to one, has entered the network.
	Sent(now kit.Cycle, slice int, p *noc.Packet)
	// Arrived: a request has reached a slice.
	Arrived(now kit.Cycle, slice int, p *noc.Packet)
	// Served: it has passed the tags, or waits for data that they have asked for.
	Served(now kit.Cycle, slice int, p *noc.Packet)
	// Asked: a slice sends a request to its memory channel.
	Asked(now kit.Cycle, channel int, q *dram.Request)
}
