package dram

import "fmt"

// Stats counts what a channel did. Pairs are reads, writes.
type Stats struct {
	Requests    [2]uint64 `stat:"requests" of:"read,write" unit:"requests" doc:"Requests that entered: reads, writes."`
	Finished    [2]uint64 `stat:"finished" of:"read,write" unit:"requests" doc:"Requests served: reads, writes."`
	Atoms       [2]uint64 `stat:"atoms" of:"read,write" unit:"bursts" doc:"Column commands: reads, writes."`
	RowHits     uint64    `stat:"row_hits" unit:"requests" doc:"Requests that found their row open."`
	RowMisses   uint64    `stat:"row_misses" unit:"requests" doc:"Requests that found their bank closed."`
	Conflicts   uint64    `stat:"row_conflicts" unit:"requests" doc:"Requests that found another row open."`
	Activations uint64    `stat:"activations" unit:"commands" doc:"Rows opened."`
	Precharges  uint64    `stat:"precharges" unit:"commands" doc:"Rows closed for another one."`
	Refreshes   uint64    `stat:"refreshes" unit:"commands" doc:"Refreshes, of all banks or of one."`
	Busy        uint64    `stat:"busy" unit:"cycles" doc:"Cycles in which the data bus carried data."`
	Waited      uint64    `stat:"waited" unit:"cycles" doc:"Sum over requests of the cycles until their first column command."`
}

func (s *Stats) classify(r *request) {
	switch {
	case r.precharged:
		s.Conflicts++
	case r.activated:
		s.RowMisses++
	default:
		s.RowHits++
	}
}

// Check verifies that requests are neither lost nor made up, and that each is a
// hit, a miss or a conflict. waiting is the number of requests in the queues.
func (s *Stats) Check(waiting int) error {
	in, out := s.Requests[0]+s.Requests[1], s.Finished[0]+s.Finished[1]
	served := s.RowHits + s.RowMisses + s.Conflicts
	switch {
	case in != out+uint64(waiting):
		return fmt.Errorf("%d requests entered the channel, %d were served and %d wait", in, out, waiting)
	case served < out || served > in:
		return fmt.Errorf("%d requests were served, but %d are hits, misses or conflicts", out, served)
	}
	return nil
}

// Add adds the counts of t.
func (s *Stats) Add(t *Stats) {
	for d := range s.Requests {
		s.Requests[d] += t.Requests[d]
		s.Finished[d] += t.Finished[d]
		s.Atoms[d] += t.Atoms[d]
	}
	s.RowHits += t.RowHits
	s.RowMisses += t.RowMisses
	s.Conflicts += t.Conflicts
	s.Activations += t.Activations
	s.Precharges += t.Precharges
	s.Refreshes += t.Refreshes
	s.Busy += t.Busy
	s.Waited += t.Waited
}
