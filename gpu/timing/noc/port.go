package noc

import "github.com/lockstep-sim/lockstep/gpu/timing/kit"

// Port is an SM's end of the network. All its times are core cycles. The SM
// calls Send and Receive, the network Take, Credit and Deliver; each side sees
// what the other has done after an Exchange. As long as one comes at least every
// Lookahead cycles of both sides together, it decides nothing, and the sides may
// run at once.
type Port struct {
	sent, requests *kit.Pipe[Packet]   // since the last exchange, and before
	given, replies *kit.Pipe[Packet]   // the same the other way
	freed, credit  *kit.Pipe[struct{}] // credits on their way back
	credits        int
	dirty          [2]*bool // tells that the SM, the network has sent something
}

// NewPort returns a port. One of dirty is set whenever the SM, or the network,
// sends something.
func NewPort(c *Config, dirty [2]*bool) *Port {
	there, back := kit.Cycle(c.Latency), kit.Cycle(c.ReplyLatency)
	return &Port{
		sent: kit.NewPipe[Packet](there), requests: kit.NewPipe[Packet](there),
		given: kit.NewPipe[Packet](back), replies: kit.NewPipe[Packet](back),
		freed: kit.NewPipe[struct{}](there), credit: kit.NewPipe[struct{}](there),
		credits: c.Buffer + 2*c.Latency, // enough for a packet every cycle
		dirty:   dirty,
	}
}

// Lookahead is the number of cycles after which an SM or the network sees at the
// earliest what the other one does.
func (c *Config) Lookahead() kit.Cycle { return kit.Cycle(min(c.Latency, c.ReplyLatency)) }

// Exchange lets each side see what the other has sent.
func (p *Port) Exchange() {
	p.sent.Pour(p.requests)
	p.given.Pour(p.replies)
	p.freed.Pour(p.credit)
}

// CanSend reports whether Send would take a packet at cycle now.
func (p *Port) CanSend(now kit.Cycle) bool {
	for {
		if _, ok := p.credit.Pop(now); !ok {
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
	p.sent.Push(now, k)
	*p.dirty[0] = true
	return true
}

// Receive takes a reply that has come by cycle now.
func (p *Port) Receive(now kit.Cycle) (Packet, bool) { return p.replies.Pop(now) }

// NextReply is the cycle at which the next reply comes, as far as it is known.
func (p *Port) NextReply() kit.Cycle { return p.replies.Next() }

// NextCredit is the cycle at which the next credit comes back, as far as it is
// known.
func (p *Port) NextCredit() kit.Cycle { return p.credit.Next() }

// Take takes a request that has reached the network by cycle now.
func (p *Port) Take(now kit.Cycle) (Packet, bool) { return p.requests.Pop(now) }

// NextRequest is the cycle at which the next request reaches the network.
func (p *Port) NextRequest() kit.Cycle { return p.requests.Next() }

// Credit tells the SM that a packet has left the crossbar's queue.
func (p *Port) Credit(now kit.Cycle) {
	p.freed.Push(now, struct{}{})
	*p.dirty[1] = true
}

// Deliver sends a reply off to the SM.
func (p *Port) Deliver(now kit.Cycle, k Packet) {
	p.given.Push(now, k)
	*p.dirty[1] = true
}
