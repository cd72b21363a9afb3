package noc

import "github.com/lockstep-sim/lockstep/gpu/timing/kit"

// Port is an SM's end of the network. All its times are core cycles. The SM
// calls Send and Receive, the network the other methods; as long as neither runs
// ahead of the other by more than Lookahead cycles, their order decides nothing.
type Port struct {
	requests *kit.Pipe[Packet]
	replies  *kit.Pipe[Packet]
	returned *kit.Pipe[struct{}] // credits on their way back
	credits  int
	dirty    *bool // tells the network that a request was sent
}

// NewPort returns a port. dirty is set whenever a request is sent.
func NewPort(c *Config, dirty *bool) *Port {
	return &Port{
		requests: kit.NewPipe[Packet](kit.Cycle(c.Latency)),
		replies:  kit.NewPipe[Packet](kit.Cycle(c.ReplyLatency)),
		returned: kit.NewPipe[struct{}](kit.Cycle(c.Latency)),
		credits:  c.Buffer + 2*c.Latency, // enough for a packet every cycle
		dirty:    dirty,
	}
}

// Lookahead is the number of cycles for which an SM may run without its network.
func (c *Config) Lookahead() kit.Cycle { return kit.Cycle(min(c.Latency, c.ReplyLatency)) }

// CanSend reports whether Send would take a packet at cycle now.
func (p *Port) CanSend(now kit.Cycle) bool {
	for {
		if _, ok := p.returned.Pop(now); !ok {
			return p.credits > 0
		}
		p.credits++
	}
}

// Send sends a packet at cycle now; false if there is no credit.
func (p *Port) Send(now kit.Cycle, k Packet) bool {
	if !p.CanSend(now) {
		return false
	}
	p.credits--
	p.requests.Push(now, k)
	*p.dirty = true
	return true
}

// Receive takes a reply that has come by cycle now.
func (p *Port) Receive(now kit.Cycle) (Packet, bool) { return p.replies.Pop(now) }

// NextReply is the cycle at which the next reply comes, as far as it is known.
func (p *Port) NextReply() kit.Cycle { return p.replies.Next() }

// NextCredit is the cycle at which the next credit comes back, as far as it is
// known.
func (p *Port) NextCredit() kit.Cycle { return p.returned.Next() }

// Take takes a request that has reached the network by cycle now.
func (p *Port) Take(now kit.Cycle) (Packet, bool) { return p.requests.Pop(now) }

// NextRequest is the cycle at which the next request reaches the network.
func (p *Port) NextRequest() kit.Cycle { return p.requests.Next() }

// Credit tells the SM that a packet has left the crossbar's queue.
func (p *Port) Credit(now kit.Cycle) { p.returned.Push(now, struct{}{}) }

// Deliver sends a reply off to the SM.
func (p *Port) Deliver(now kit.Cycle, k Packet) { p.replies.Push(now, k) }
