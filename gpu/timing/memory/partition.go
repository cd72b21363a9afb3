package memory

import (
	"github.com/lockstep-sim/lockstep/gpu/timing/cache"
	"github.com/lockstep-sim/lockstep/gpu/timing/noc"
)

// copied marks, among the lines of a slice, those that belong to a slice of
// another partition.
const copied = 1 << noc.AddressBits

// ofSM is the partition of an SM.
func (s *System) ofSM(sm int) int { return sm % s.config.Slice.Partitions }

// ofSlice is the partition of a slice.
func (s *System) ofSlice(slice int) int {
	c := &s.config.Slice
	return slice / c.PerChannel * c.Partitions / c.Channels
}

// first is the first slice of a partition.
func (s *System) first(partition int) int {
	c := &s.config.Slice
	return (partition*c.Channels + c.Partitions - 1) / c.Partitions * c.PerChannel
}

// mirror is the slice of a partition that keeps copies of what belongs to slice
// home; home itself in its own partition.
func (s *System) mirror(home, partition int) int {
	own := s.ofSlice(home)
	if own == partition {
		return home
	}
	first := s.first(partition)
	return first + (home-s.first(own))%(s.first(partition+1)-first)
}

// readCopy serves a read of a line that belongs to slice home; false if it must
// be tried again. Half of the miss registers and all ways are left to what is the
// slice's own, so that two slices that wait for each other can both be served.
func (s *System) readCopy(n, home int, local uint64, p *noc.Packet) bool {
	l := &s.slices[n]
	key := local | copied
	if l.awaited >= s.config.L2.MSHRs/2 && !l.tags.Holds(key, p.Sectors) {
		return false
	}
	w := s.waiting.New()
	r := l.tags.ReadLate(key, p.Sectors, uint32(w))
	switch {
	case r.Outcome == cache.Hit:
		s.waiting.Free(w)
		s.Stats.CopyHits++
		s.finish(l, key, p)
		return true
	case r.Outcome.Stalled():
		s.waiting.Free(w)
		return false
	}
	*s.waiting.At(w) = *p
	s.Stats.CopyMisses++
	if r.Fetch != 0 {
		l.awaited++
		to := &s.slices[home]
		to.remote.Push(s.now, noc.Packet{Addr: p.Addr, Kind: noc.Copy, Sectors: r.Fetch, Src: uint16(n)})
		s.fabric.Wake(firstSlice+home, to.remote.Next())
	}
	return true
}

// giveCopy sends sectors to the slice that asked for a copy of them.
func (s *System) giveCopy(local uint64, p *noc.Packet) {
	i := s.fetches.New()
	*s.fetches.At(i) = fetch{local | copied, int32(p.Src), p.Sectors}
	s.slices[p.Src].fills.Push(s.now, i)
	s.fabric.Wake(firstSlice+int(p.Src), s.now+1)
}

// revoke makes copies of written sectors unreadable. It takes no time.
func (s *System) revoke(home int, local uint64, sectors uint8) {
	if !s.config.Slice.Copies {
		return
	}
	for p := range s.config.Slice.Partitions {
		if m := s.mirror(home, p); m != home {
			s.slices[m].tags.Forget(local|copied, sectors)
		}
	}
}
