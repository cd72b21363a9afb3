package tma

import (
	"fmt"

	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

// Config holds the parameters of the unit. Cycles are those of the SM.
type Config struct {
	Queue       int       `opt:"queue" unit:"copies" default:"32" doc:"Copies that wait in the unit; when so many do, the instructions behind wait." src:"guess"`
	Latency     kit.Cycle `opt:"latency" unit:"cycles" default:"4" doc:"From the arrival of a copy to its first request." src:"fit on an H200: tensor.load_1"`
	Interval    kit.Cycle `opt:"interval" unit:"cycles" default:"3" doc:"From one copy to the next, at least." src:"fit on an H200: bulk.issuers, 112 copies more by 8 warps than by one take 384 cycles"`
	Width       int       `opt:"width" unit:"bytes/cycle" default:"112" doc:"What the unit asks for, in lines, whatever a row has of one; and what it writes to shared memory." src:"measured on an H200: bulk.stream_1_ctas, tensor.row_bytes; multicast.parts for what comes from others"`
	Reduce      int       `opt:"reduce_width" unit:"bytes/cycle" default:"26" doc:"What it sends of a reduction; a store is bounded by the network." src:"measured on an H200: tensor.reduce of 8 and 32 KiB"`
	Outstanding int       `opt:"outstanding" unit:"requests" default:"512" doc:"Requests that L2 has not answered." src:"guess"`
	Sent        kit.Cycle `opt:"sent" unit:"cycles" default:"55" doc:"From the last line of a store or reduction that was sent to its end." src:"fit on an H200: bulk.store, tensor.store"`
	Write       kit.Cycle `opt:"write" unit:"cycles" default:"4" doc:"From the last reply to the end of a copy." src:"fit on an H200, with tma.latency: tensor.load_1"`
	Maps        int       `opt:"maps" unit:"descriptors" default:"8" doc:"Descriptors of tensors at hand, the last ones used." src:"measured on an H200: tensor.maps"`
	MapLate     kit.Cycle `opt:"map_latency" unit:"cycles" default:"42" doc:"What another one adds that is in the cache." src:"measured on an H200: tensor.maps"`
	Cached      int       `opt:"maps_cached" unit:"descriptors" default:"512" doc:"Descriptors in the cache; others come from L2." src:"measured on an H200: tensor.maps of 512 still hit"`
	Across      int       `opt:"across" unit:"bytes/cycle" default:"21" doc:"What it copies from shared memory to that of other CTAs." src:"measured on an H200: answer.bulk of 16 and 64 KiB"`
	AcrossLate  kit.Cycle `opt:"across_latency" unit:"cycles" default:"25" doc:"From the departure of such a copy to its end." src:"fit on an H200: answer.bulk_16"`
}

func (c *Config) check() error {
	if min(c.Queue, c.Width, c.Reduce, c.Outstanding, c.Across, c.Maps) < 1 || c.Cached < c.Maps {
		return fmt.Errorf("a unit for bulk copies of %+v cannot be: counts and widths are at least 1, and there are no fewer descriptors in the cache than at hand", *c)
	}
	return nil
}

// Stats counts what the units did.
type Stats struct {
	Copies    uint64 `stat:"copies" unit:"copies" doc:"Bulk and tensor copies and prefetches taken."`
	Done      uint64 `stat:"done" unit:"copies" doc:"The same, complete."`
	Refused   uint64 `stat:"refused" unit:"tries" doc:"Tries that found the queue full."`
	Requests  uint64 `stat:"requests" unit:"requests" doc:"Requests of lines sent to L2, of descriptors too."`
	Replies   uint64 `stat:"replies" unit:"packets" doc:"Replies from L2."`
	MapHits   uint64 `stat:"maps.hits" unit:"copies" doc:"Copies whose descriptor was at hand."`
	MapCached uint64 `stat:"maps.cached" unit:"copies" doc:"Copies whose descriptor was in the cache."`
	MapMisses uint64 `stat:"maps.misses" unit:"copies" doc:"Copies whose descriptor came from L2."`
	Across    uint64 `stat:"across" unit:"bytes" doc:"Bytes copied from shared memory to that of other CTAs."`
	Landed    uint64 `stat:"landed" unit:"lines" doc:"Lines written to shared memory, those that copies of other SMs brought too."`
	Waits     uint64 `stat:"waits" unit:"cycles" doc:"Sum over copies of the time in the queue."`
	Stalls    uint64 `stat:"stalls" unit:"tries" doc:"Tries to send a request that the network, or earlier ones without an answer, put off by a cycle."`
}

// Check verifies that copies and packets are neither lost nor made up.
func (s *Stats) Check(inside int) error {
	switch {
	case s.Copies != s.Done+uint64(inside):
		return fmt.Errorf("%d bulk copies were taken, %d are done and %d inside", s.Copies, s.Done, inside)
	case s.Replies > s.Requests:
		return fmt.Errorf("%d requests of bulk copies were sent, %d answers came", s.Requests, s.Replies)
	}
	return nil
}
