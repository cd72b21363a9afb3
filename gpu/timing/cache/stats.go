package cache

import "fmt"

// Stats counts what a cache did. Retries of a stalled access count as stalls,
// not as accesses.
type Stats struct {
	Reads        uint64 `stat:"reads" unit:"requests" doc:"Read accesses."`
	ReadHits     uint64 `stat:"read_hits" unit:"requests" doc:"Reads that found all their sectors."`
	ReadMerged   uint64 `stat:"read_merged" unit:"requests" doc:"Reads all of whose missing sectors were under way already."`
	ReadMisses   uint64 `stat:"read_misses" unit:"requests" doc:"Reads that fetched sectors."`
	SectorMisses uint64 `stat:"sector_misses" unit:"requests" doc:"Read misses whose line was present."`
	Writes       uint64 `stat:"writes" unit:"requests" doc:"Write accesses."`
	WriteHits    uint64 `stat:"write_hits" unit:"requests" doc:"Writes that found their line."`
	WriteMisses  uint64 `stat:"write_misses" unit:"requests" doc:"Writes that did not find their line."`
	Fetched      uint64 `stat:"fetched" unit:"sectors" doc:"Sectors asked for below."`
	Filled       uint64 `stat:"filled" unit:"sectors" doc:"Sectors that came from below."`
	Evictions    uint64 `stat:"evictions" unit:"lines" doc:"Lines that made room for others."`
	WrittenBack  uint64 `stat:"written_back" unit:"sectors" doc:"Dirty sectors of evicted or flushed lines."`
	StallMSHR    uint64 `stat:"stall_mshr" unit:"tries" doc:"Tries that found all miss registers in use."`
	StallMerge   uint64 `stat:"stall_merge" unit:"tries" doc:"Tries that found no room to wait for the line."`
	StallWay     uint64 `stat:"stall_way" unit:"tries" doc:"Tries that found all lines of the set awaiting data."`
}

// Check verifies that every access has one outcome and that nothing came that
// was not asked for. quiet says that nothing is under way.
func (s *Stats) Check(quiet bool) error {
	switch {
	case s.ReadHits+s.ReadMerged+s.ReadMisses != s.Reads:
		return fmt.Errorf("reads %d are not hits %d + merged %d + misses %d", s.Reads, s.ReadHits, s.ReadMerged, s.ReadMisses)
	case s.WriteHits+s.WriteMisses != s.Writes:
		return fmt.Errorf("writes %d are not hits %d + misses %d", s.Writes, s.WriteHits, s.WriteMisses)
	case s.Filled > s.Fetched || quiet && s.Filled != s.Fetched:
		return fmt.Errorf("%d sectors were filled, %d fetched", s.Filled, s.Fetched)
	}
	return nil
}

// Add adds the counts of t.
func (s *Stats) Add(t *Stats) {
	s.Reads += t.Reads
	s.ReadHits += t.ReadHits
	s.ReadMerged += t.ReadMerged
	s.ReadMisses += t.ReadMisses
	s.SectorMisses += t.SectorMisses
	s.Writes += t.Writes
	s.WriteHits += t.WriteHits
	s.WriteMisses += t.WriteMisses
	s.Fetched += t.Fetched
	s.Filled += t.Filled
	s.Evictions += t.Evictions
	s.WrittenBack += t.WrittenBack
	s.StallMSHR += t.StallMSHR
	s.StallMerge += t.StallMerge
	s.StallWay += t.StallWay
}
