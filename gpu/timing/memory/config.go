package memory

import (
	"fmt"

	"github.com/lockstep-sim/lockstep/gpu/timing/cache"
	"github.com/lockstep-sim/lockstep/gpu/timing/dram"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
	"github.com/lockstep-sim/lockstep/gpu/timing/noc"
)

// Config is the memory system beyond the SMs.
type Config struct {
	Clock   Clock        `prefix:"clock."`
	Network noc.Config   `prefix:"noc."`
	Slice   Slice        `prefix:"l2."`
	L2      cache.Config `prefix:"l2."`
	DRAM    dram.Config  `prefix:"dram."`
}

// Clock holds the frequencies of the clock domains.
type Clock struct {
	Core   uint64 `opt:"core" unit:"kHz" doc:"Clock of the SMs."`
	Fabric uint64 `opt:"fabric" unit:"kHz" doc:"Clock of the crossbars and L2."`
	DRAM   uint64 `opt:"dram" unit:"kHz" doc:"Command clock of the memory."`
}

// Slice is what surrounds an L2 slice's tags.
type Slice struct {
	Channels   int       `opt:"channels" doc:"Memory channels."`
	PerChannel int       `opt:"slices_per_channel" doc:"L2 slices of a channel."`
	Partitions int       `opt:"partitions" default:"1" doc:"Groups of slices and SMs that are near one another."`
	Interleave int       `opt:"interleave" unit:"bytes" default:"256" doc:"Consecutive addresses that go to one slice."`
	Hash       string    `opt:"hash" default:"ipoly" doc:"Order in which slices take turns: none, xor, ipoly."`
	Latency    kit.Cycle `opt:"latency" unit:"fabric cycles" doc:"Arrival of a request at a slice to its tags and back out."`
	Far        kit.Cycle `opt:"far" unit:"fabric cycles" default:"0" doc:"What a slice of another partition adds."`
	Copies     bool      `opt:"copies" default:"false" doc:"Reads of another partition go through a slice of the SM's own, which keeps a copy."`
	Width      int       `opt:"width" unit:"bytes/cycle" default:"64" doc:"What a slice's data array delivers."`
	WriteWidth int       `opt:"write_width" unit:"bytes/cycle" default:"64" doc:"What it takes; sectors written in part come with another one that says which bytes."`
	Queue      int       `opt:"queue" unit:"packets" default:"32" doc:"Requests that wait at a slice, beyond those its latency covers."`
	Atomic     int       `opt:"atomic" unit:"cycles" default:"4" doc:"Least time that a request of atomic operations with results takes a slice."`
	AtomicPart int       `opt:"atomic_part" unit:"cycles" default:"3" doc:"Least time that atomic operations on a part of a sector take; those on all of its words take a cycle."`
	AtomicSame int       `opt:"atomic_same" unit:"cycles/4 operations" default:"4" doc:"Atomic operations on one address, if they are on a part of a sector; else each takes a cycle."`
	AtomicLate kit.Cycle `opt:"atomic_late" unit:"fabric cycles" default:"0" doc:"From an atomic operation to its result."`
	Memory     kit.Cycle `opt:"memory_latency" unit:"fabric cycles" doc:"Miss in a slice to arrival at the channel's queue."`
	Ideal      bool      `opt:"ideal" default:"false" doc:"Every access to L2 hits."`
	Flush      bool      `opt:"flush" default:"false" doc:"L2 is written back and emptied when a kernel ends."`
}

func (c *Config) check(sms int) error {
	s := &c.Slice
	switch {
	case sms < 1 || sms > 1<<16:
		return fmt.Errorf("a GPU of %d SMs cannot be", sms)
	case c.Clock.Core < 1 || c.Clock.Fabric < 1 || c.Clock.DRAM < 1:
		return fmt.Errorf("clocks of %d, %d and %d kHz cannot be", c.Clock.Core, c.Clock.Fabric, c.Clock.DRAM)
	case s.Channels < 1 || s.PerChannel < 1 || s.Partitions < 1 || s.Width < 1 || s.Queue < 1 || s.WriteWidth < 1 || s.Atomic < 1 || s.AtomicPart < 1 || s.AtomicSame < 0 || s.Memory < 1 || s.Latency < 1:
		return fmt.Errorf("an L2 of %+v cannot be", *s)
	case s.Copies && s.Partitions > 1 && (c.L2.MSHRs < 2 || s.Partitions > s.Channels || s.Far < 1):
		return fmt.Errorf("an L2 of %d partitions %d cycles apart, of %d channels with %d mshrs, cannot keep copies", s.Partitions, s.Far, s.Channels, c.L2.MSHRs)
	case c.L2.Line < 1 || s.Interleave < c.L2.Line:
		return fmt.Errorf("slices that take turns every %d bytes would split lines of %d", s.Interleave, c.L2.Line)
	}
	return nil
}

// slices is the number of L2 slices.
func (c *Config) slices() int { return c.Slice.Channels * c.Slice.PerChannel }
