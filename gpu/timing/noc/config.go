package noc

import "fmt"

// Config is the network between SMs and L2.
type Config struct {
	Flit         int    `opt:"flit" unit:"bytes" default:"40" doc:"Piece of a packet that moves in a cycle."`
	Header       int    `opt:"header" unit:"bytes" default:"8" doc:"Part of a packet that is not data."`
	Sector       int    `opt:"sector" unit:"bytes" default:"32" doc:"Data that a sector of a packet carries."`
	SMOut        int    `opt:"sm_out" unit:"flits/cycle" default:"1" doc:"What an SM sends."`
	SMIn         int    `opt:"sm_in" unit:"flits/cycle" default:"2" doc:"What an SM receives."`
	Groups       int    `opt:"groups" default:"1" doc:"Groups of neighbouring SMs (GPCs) that share a link from the network."`
	GroupIn      int    `opt:"group_in" unit:"bytes/cycle" default:"0" doc:"What a group receives, headers included; 0 for no bound."`
	SliceOut     int    `opt:"slice_out" unit:"flits/cycle" default:"1" doc:"What an L2 slice sends."`
	SliceIn      int    `opt:"slice_in" unit:"flits/cycle" default:"1" doc:"What an L2 slice receives."`
	Latency      int    `opt:"latency" unit:"cycles" default:"40" doc:"Wire from an SM to the crossbar, in core cycles."`
	ReplyLatency int    `opt:"reply_latency" unit:"cycles" default:"40" doc:"Wire from the crossbar to an SM, in core cycles."`
	Buffer       int    `opt:"buffer" unit:"packets" default:"16" doc:"Packets that an input of a crossbar holds."`
	Arbiter      string `opt:"arbiter" default:"islip" doc:"Choice of the packets that move: rr, islip."`
	Iterations   int    `opt:"iterations" default:"1" doc:"Rounds of grant and accept in a cycle."`
}

func (c *Config) check() error {
	if min(c.Flit, c.Sector, c.SMOut, c.SMIn, c.SliceOut, c.SliceIn, c.Latency, c.ReplyLatency, c.Buffer, c.Iterations, c.Groups) < 1 || c.Header < 0 || c.GroupIn < 0 {
		return fmt.Errorf("a network with %+v cannot be: all numbers but header and group_in are at least 1", *c)
	}
	return nil
}

// flits is the length of a packet.
func (c *Config) flits(p *Packet) int {
	return max(1, (c.bytes(p)+c.Flit-1)/c.Flit)
}

func (c *Config) bytes(p *Packet) int { return c.Header + p.Carries()*c.Sector }

// Stats counts what passed through a crossbar.
type Stats struct {
	Accepted uint64 `stat:"accepted" unit:"packets" doc:"Packets that entered."`
	Moved    uint64 `stat:"moved" unit:"packets" doc:"Packets that left."`
	Flits    uint64 `stat:"flits" unit:"flits" doc:"Flits that left."`
	Waits    uint64 `stat:"waits" unit:"cycles" doc:"Sum over packets of the cycles spent in the crossbar's queues."`
	Grouped  uint64 `stat:"grouped" unit:"output cycles" doc:"Cycles in which an output that was wanted waited for its group's link."`
	Blocked  uint64 `stat:"blocked" unit:"output cycles" doc:"Cycles in which an output that was wanted had no room behind it."`
}

// Check verifies that nothing was lost or made up. inside is the number of
// packets in the queues.
func (s *Stats) Check(inside int) error {
	if s.Accepted != s.Moved+uint64(inside) {
		return fmt.Errorf("%d packets entered the crossbar, %d left and %d are inside", s.Accepted, s.Moved, inside)
	}
	return nil
}
