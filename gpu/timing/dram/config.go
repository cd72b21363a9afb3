package dram

import (
	"fmt"

	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

// Config is a channel, its banks and its controller.
type Config struct {
	Groups     int    `opt:"bank_groups" default:"4" doc:"Bank groups of a channel."`
	Banks      int    `opt:"banks" default:"4" unit:"banks/group" doc:"Banks of a group."`
	Row        int    `opt:"row" unit:"bytes" default:"1024" doc:"Row of a bank."`
	Atom       int    `opt:"atom" unit:"bytes" default:"64" doc:"Data that one column command moves."`
	Map        string `opt:"map" default:"group,column,bank,row" doc:"Fields of an address within a channel from its lowest bit above the line, row last; or its bits from the highest: R row, G bank group, B bank, C column."`
	BankHash   bool   `opt:"bank_hash" default:"true" doc:"Bank and group are xored with the row's low bits."`
	DualBus    bool   `opt:"dual_bus" default:"true" doc:"A row and a column command may be sent in the same cycle."`
	Scheduler  string `opt:"scheduler" default:"frfcfs" doc:"Choice of the next request: frfcfs, fcfs."`
	Simple     bool   `opt:"simple" default:"false" doc:"No banks: each atom takes a burst, and data come tCL and a burst later, in order of arrival."`
	Starve     int    `opt:"starve" unit:"cycles" default:"1000" doc:"Age at which a request no longer yields to row hits."`
	Queue      int    `opt:"queue" unit:"requests" default:"64" doc:"Reads that a controller holds."`
	WriteQueue int    `opt:"write_queue" unit:"requests" default:"64" doc:"Writes that a controller holds."`
	High       int    `opt:"write_high" unit:"requests" default:"48" doc:"Writes at which the controller turns to them."`
	Low        int    `opt:"write_low" unit:"requests" default:"16" doc:"Writes at which it turns back to waiting reads."`
	Refresh    string `opt:"refresh" default:"all" doc:"Refresh: all banks at a time, one bank at a time, or none."`

	Timing Timing
}

// Timing is what the memory chips ask for, in cycles of the command clock.
type Timing struct {
	Burst kit.Cycle `opt:"burst" unit:"cycles" default:"2" doc:"Data bus use of a column command."`
	CCDS  kit.Cycle `opt:"tccds" unit:"cycles" default:"2" doc:"Column command to column command of another bank group."`
	CCDL  kit.Cycle `opt:"tccdl" unit:"cycles" default:"4" doc:"Column command to column command of the same bank group."`
	RRDS  kit.Cycle `opt:"trrds" unit:"cycles" default:"4" doc:"Activation to activation in another bank group."`
	RRDL  kit.Cycle `opt:"trrdl" unit:"cycles" default:"6" doc:"Activation to activation in the same bank group."`
	FAW   kit.Cycle `opt:"tfaw" unit:"cycles" default:"16" doc:"Time in which at most four activations may be sent."`
	RCD   kit.Cycle `opt:"trcd" unit:"cycles" default:"22" doc:"Activation to column command."`
	RP    kit.Cycle `opt:"trp" unit:"cycles" default:"22" doc:"Precharge to activation."`
	RAS   kit.Cycle `opt:"tras" unit:"cycles" default:"50" doc:"Activation to precharge."`
	RC    kit.Cycle `opt:"trc" unit:"cycles" default:"72" doc:"Activation to activation of a bank."`
	CL    kit.Cycle `opt:"tcl" unit:"cycles" default:"22" doc:"Read command to data."`
	WL    kit.Cycle `opt:"twl" unit:"cycles" default:"4" doc:"Write command to data."`
	RTP   kit.Cycle `opt:"trtp" unit:"cycles" default:"7" doc:"Read command to precharge."`
	WR    kit.Cycle `opt:"twr" unit:"cycles" default:"19" doc:"End of write data to precharge."`
	WTRS  kit.Cycle `opt:"twtrs" unit:"cycles" default:"5" doc:"End of write data to read command in another bank group."`
	WTRL  kit.Cycle `opt:"twtrl" unit:"cycles" default:"9" doc:"End of write data to read command in the same bank group."`
	RTW   kit.Cycle `opt:"trtw" unit:"cycles" default:"22" doc:"Read command to write command."`
	REFI  kit.Cycle `opt:"trefi" unit:"cycles" default:"6240" doc:"Refresh to refresh of the same bank."`
	RFC   kit.Cycle `opt:"trfc" unit:"cycles" default:"560" doc:"Duration of a refresh of what Refresh says."`
}

// check names what is wrong.
func (c *Config) check() error {
	n := c.Groups * c.Banks
	switch {
	case !power(c.Groups) || !power(c.Banks) || n > maxBanks:
		return fmt.Errorf("a channel of %d groups with %d banks cannot be: powers of two, %d in all", c.Groups, c.Banks, maxBanks)
	case !power(c.Row) || !power(c.Atom) || c.Row < c.Atom:
		return fmt.Errorf("rows of %d bytes in pieces of %d cannot be", c.Row, c.Atom)
	case c.Queue < 1 || c.WriteQueue < 1 || c.Low >= c.High || c.High > c.WriteQueue:
		return fmt.Errorf("queues of %d reads and %d writes, drained from %d to %d, cannot be", c.Queue, c.WriteQueue, c.High, c.Low)
	case c.Refresh != "none" && (c.Timing.REFI < kit.Cycle(n) || c.Timing.RFC >= c.Timing.REFI):
		return fmt.Errorf("a refresh of %d cycles each %d leaves no time", c.Timing.RFC, c.Timing.REFI)
	case c.Refresh != "none" && c.Refresh != "all" && c.Refresh != "bank":
		return fmt.Errorf("unknown refresh %q; there are none, all, bank", c.Refresh)
	case c.Timing.Burst < 1 || c.Timing.CCDS < c.Timing.Burst || c.Timing.CCDL < c.Timing.CCDS:
		return fmt.Errorf("bursts of %d cycles with column commands each %d and %d cannot be", c.Timing.Burst, c.Timing.CCDS, c.Timing.CCDL)
	}
	return nil
}

func power(n int) bool { return n > 0 && n&(n-1) == 0 }
