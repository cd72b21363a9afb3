package memory

import (
	"fmt"

	"github.com/lockstep-sim/lockstep/gpu/timing/cache"
	"github.com/lockstep-sim/lockstep/gpu/timing/dram"
	"github.com/lockstep-sim/lockstep/gpu/timing/noc"
)

// Stats counts what crossed the memory system. Groups of five are by kind:
// reads, writes, atomics, reductions, reads ahead into L2.
type Stats struct {
	Requests    [5]uint64 `stat:"requests" of:"read,write,atomic,reduce,ahead" unit:"packets" doc:"Requests from SMs, by kind."`
	Replies     [5]uint64 `stat:"replies" of:"read,write,atomic,reduce,ahead" unit:"packets" doc:"Replies to SMs, by kind."`
	CopyHits    uint64    `stat:"l2_copy_hits" unit:"requests" doc:"Reads of another partition's lines that found a copy in their own."`
	CopyMisses  uint64    `stat:"l2_copy_misses" unit:"requests" doc:"Those that did not."`
	AtomicLanes uint64    `stat:"atomic_lanes" unit:"operations" doc:"Atomic operations at L2."`
	Busy        uint64    `stat:"l2_busy" unit:"slice cycles" doc:"Use of the slices' data arrays."`
	Stalls      uint64    `stat:"l2_stalls" unit:"tries" doc:"Tries of requests at a slice that had to be repeated."`
}

// Slices are the statistics of each slice's tags, Channels those of each memory
// channel.
func (s *System) Slices() []cache.Stats {
	all := make([]cache.Stats, len(s.slices))
	for i := range all {
		all[i] = s.slices[i].tags.Stats
	}
	return all
}

func (s *System) Channels() []dram.Stats {
	all := make([]dram.Stats, len(s.channels))
	for i := range all {
		all[i] = s.channels[i].Stats
	}
	return all
}

// L2 sums the statistics of all slices' tags.
func (s *System) L2() (sum cache.Stats) {
	for i := range s.slices {
		sum.Add(&s.slices[i].tags.Stats)
	}
	return sum
}

// DRAM sums the statistics of all channels.
func (s *System) DRAM() (sum dram.Stats) {
	for i := range s.channels {
		sum.Add(&s.channels[i].Stats)
	}
	return sum
}

// Network is the statistics of the crossbars to L2 and back.
func (s *System) Network() (up, down noc.Stats) { return s.up.Stats, s.down.Stats }

// Idle reports that no request is anywhere in the system.
func (s *System) Idle() bool {
	for i := range s.slices {
		l := &s.slices[i]
		if l.back.Len() > 0 || l.replies.Len() > 0 || l.fills.Len() > 0 || l.remote.Len() > 0 || l.asking || !l.tags.Quiet() || l.stalled {
			return false
		}
	}
	for i := range s.channels {
		if s.channels[i].Waiting() > 0 || s.channels[i].inbox.Len() > 0 {
			return false
		}
	}
	return s.Stats.Requests == s.Stats.Replies && s.sending.Empty()
}

// Check verifies the laws of conservation of all parts. A quiet system must have
// answered every request.
func (s *System) Check() error {
	quiet := s.Idle()
	if quiet && s.Stats.Requests != s.Stats.Replies {
		return fmt.Errorf("requests %v are not replies %v", s.Stats.Requests, s.Stats.Replies)
	}
	for kind := range s.Stats.Requests {
		if s.Stats.Replies[kind] > s.Stats.Requests[kind] {
			return fmt.Errorf("%d replies to %d requests of kind %v", s.Stats.Replies[kind], s.Stats.Requests[kind], noc.Kind(kind))
		}
	}
	l2 := s.L2()
	if err := l2.Check(quiet); err != nil {
		return fmt.Errorf("l2: %w", err)
	}
	for _, x := range []*noc.Crossbar{s.up, s.down} {
		if err := x.Stats.Check(x.Inside()); err != nil {
			return err
		}
	}
	for i := range s.channels {
		if err := s.channels[i].Stats.Check(s.channels[i].Waiting()); err != nil {
			return fmt.Errorf("channel %d: %w", i, err)
		}
	}
	return nil
}
