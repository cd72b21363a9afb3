package memory

import (
	"math/bits"

	"github.com/lockstep-sim/lockstep/gpu/timing/cache"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
	"github.com/lockstep-sim/lockstep/gpu/timing/noc"
)

// slice is an L2 slice.
type slice struct {
	tags      *cache.Cache
	near, far *kit.Pipe[noc.Packet] // requests on their way to the tags
	capacity  int                   // of the two together
	head      noc.Packet            // the request at the tags
	stalled   bool                  // head is valid and must be tried again
	remote    *kit.Pipe[noc.Packet] // requests of slices of other partitions
	asked     noc.Packet            // the one of them at the tags
	asking    bool                  // asked is valid and must be tried again
	awaited   int                   // fetches from other partitions
	dataFree  kit.Cycle             // when the data array is free again
	written   int                   // bytes of writes that it has no cycle for yet
	fills     *kit.Pipe[int32]      // fetches whose data have come
	replies   *kit.Pipe[noc.Packet] // waiting for the crossbar
	replied   kit.Cycle             // when the last of them comes
	back      *kit.Pipe[cache.Eviction]
}

func newSlice(c *Config, i int) (slice, error) {
	config := c.L2
	config.Seed += uint64(i)
	tags, err := cache.New(config)
	s := &c.Slice
	return slice{
		tags: tags, near: kit.NewPipe[noc.Packet](s.Latency), far: kit.NewPipe[noc.Packet](s.Latency + s.Far),
		capacity: s.Queue + int(s.Latency+s.Far), fills: kit.NewPipe[int32](1), remote: kit.NewPipe[noc.Packet](s.Far),
		replies: kit.NewPipe[noc.Packet](0), back: kit.NewPipe[cache.Eviction](0),
	}, err
}

// runSlice runs a slice for a fabric cycle.
func (s *System) runSlice(n int) kit.Cycle {
	l := &s.slices[n]
	if f, ok := l.fills.Pop(s.now); ok {
		s.fill(n, f)
	}
	s.writeBack(n)
	if l.dataFree <= s.now && l.back.Len() == 0 {
		s.serve(n)
	}
	if l.dataFree <= s.now && l.back.Len() == 0 {
		s.lookup(n)
	}
	if l.replies.Next() <= s.now && s.down.Room(n) {
		p, _ := l.replies.Pop(s.now)
		s.down.Push(s.now, n, int(p.Src), p)
		s.fabric.Wake(down, s.now+1)
	}
	return s.nextOf(n)
}

// nextOf is when a slice has work again. What waits for memory or for the
// crossbar is woken by them; a request that found no place in the tags, by a fill.
func (s *System) nextOf(n int) kit.Cycle {
	l := &s.slices[n]
	next := l.fills.Next()
	if at := l.replies.Next(); at > s.now || s.down.Room(n) {
		next = min(next, max(at, s.now+1))
	}
	if at := l.remote.Next(); l.back.Len() == 0 && !l.asking && at != kit.Never {
		next = min(next, max(at, l.dataFree, s.now+1))
	}
	switch at := min(l.near.Next(), l.far.Next()); {
	case l.back.Len() > 0:
	case l.asking && l.dataFree > s.now: // not tried in this cycle
		next = min(next, l.dataFree)
	case l.stalled && l.dataFree > s.now: // not tried in this cycle
		next = min(next, l.dataFree)
	case !l.stalled && at != kit.Never:
		next = min(next, max(at, l.dataFree, s.now+1))
	}
	return next
}

// writeBack sends evicted lines to memory while it takes them.
func (s *System) writeBack(n int) {
	l := &s.slices[n]
	c := &s.channels[n/s.config.Slice.PerChannel]
	for l.back.Len() > 0 && c.reserve(true) {
		e, _ := l.back.Pop(s.now)
		s.send(n, e.Addr, e.Dirty, true)
	}
}

func (s *System) evict(l *slice, e cache.Eviction) {
	if e.Dirty != 0 {
		l.back.Push(s.now, e)
	}
}

// serve takes the request of a slice of another partition through the tags.
func (s *System) serve(n int) {
	l := &s.slices[n]
	if !l.asking {
		if l.asked, l.asking = l.remote.Pop(s.now); !l.asking {
			return
		}
	}
	_, local := s.spread.Of(l.asked.Addr)
	if l.asking = !s.read(n, local, &l.asked); l.asking {
		s.Stats.Stalls++
	}
}

// lookup takes the request at the tags through them, if memory has a place for
// what it may need.
func (s *System) lookup(n int) {
	l := &s.slices[n]
	if !l.stalled && !l.next(s.now) {
		return
	}
	p := &l.head
	home, local := s.spread.Of(p.Addr)
	switch {
	case p.Kind == noc.Write:
		l.stalled = !s.write(n, local, p)
	case home != n:
		l.stalled = !s.readCopy(n, home, local, p)
	default:
		l.stalled = !s.read(n, local, p)
	}
	if l.stalled {
		s.Stats.Stalls++
	} else if s.Watch != nil {
		s.Watch.Served(s.fromFabric.Begun(s.now), n, p)
	}
}

// next takes a request off the wires.
func (l *slice) next(now kit.Cycle) (ok bool) {
	first, second := l.near, l.far
	if second.Next() < first.Next() {
		first, second = second, first
	}
	if l.head, ok = first.Pop(now); ok {
		return true
	}
	l.head, ok = second.Pop(now)
	return ok
}

// read serves a read or an atomic; false if it must be tried again.
func (s *System) read(n int, local uint64, p *noc.Packet) bool {
	l := &s.slices[n]
	if s.config.Slice.Ideal {
		s.evict(l, l.tags.Install(local, p.Sectors))
	}
	c := &s.channels[n/s.config.Slice.PerChannel]
	if !c.reserve(false) {
		if !l.tags.Holds(local, p.Sectors) {
			return false
		}
		l.tags.Read(local, p.Sectors, cache.NoWaiter)
		s.finish(l, local, p)
		return true
	}
	w := s.waiting.New()
	r := l.tags.Read(local, p.Sectors, uint32(w))
	if r.Fetch == 0 {
		c.Release(false)
	}
	if r.Outcome.Stalled() || r.Outcome == cache.Hit {
		s.waiting.Free(w)
		if r.Outcome == cache.Hit {
			s.finish(l, local, p)
		}
		return r.Outcome == cache.Hit
	}
	*s.waiting.At(w) = *p
	s.evict(l, r.Evicted)
	if r.Fetch != 0 {
		s.send(n, local, r.Fetch, false)
	}
	return true
}

// write serves a write; false if it must be tried again.
func (s *System) write(n int, local uint64, p *noc.Packet) bool {
	l := &s.slices[n]
	c := &s.channels[n/s.config.Slice.PerChannel]
	fetches := s.config.L2.WriteAllocate == "fetch"
	if fetches && !c.reserve(false) {
		return false
	}
	r := l.tags.Write(local, p.Sectors, p.Full)
	if fetches && r.Fetch == 0 {
		c.Release(false)
	}
	if r.Outcome.Stalled() {
		return false
	}
	s.revoke(n, local, p.Sectors)
	s.evict(l, r.Evicted)
	if r.Fetch != 0 {
		s.send(n, local, r.Fetch, false)
	}
	if r.Forward {
		s.evict(l, cache.Eviction{Addr: local, Dirty: p.Sectors})
	}
	s.finish(l, local, p)
	return true
}

// fill takes sectors from memory in and serves those who waited for them.
func (s *System) fill(n int, i int32) {
	l, f := &s.slices[n], *s.fetches.At(i)
	s.fetches.Free(i)
	if f.local&copied != 0 {
		l.awaited--
	}
	var e cache.Eviction
	s.woken, e = l.tags.Fill(f.local, f.sectors, s.woken[:0])
	s.evict(l, e)
	for _, w := range s.woken {
		p := *s.waiting.At(int32(w))
		s.waiting.Free(int32(w))
		s.finish(l, f.local, &p)
	}
}

// finish uses the data array for a request and lets its reply go.
func (s *System) finish(l *slice, local uint64, p *noc.Packet) {
	c := &s.config.Slice
	busy, late := max(1, (bits.OnesCount8(p.Sectors)*s.config.L2.Sector+c.Width-1)/c.Width), kit.Cycle(0)
	switch p.Kind {
	case noc.Write:
		l.written += p.Carries() * s.config.L2.Sector
		busy, l.written = l.written/c.WriteWidth, l.written%c.WriteWidth
	case noc.Atomic, noc.Reduce:
		home, _ := s.spread.Of(p.Addr)
		s.revoke(home, local, p.Sectors)
		r := l.tags.Write(local, p.Sectors, p.Sectors)
		s.evict(l, r.Evicted)
		if r.Forward {
			s.evict(l, cache.Eviction{Addr: local, Dirty: p.Sectors})
		}
		busy = c.operate(p)
		if p.Kind == noc.Atomic {
			busy, late = max(busy, c.Atomic), c.AtomicLate
		}
		late += kit.Cycle(busy) - 1
		s.Stats.AtomicLanes += uint64(p.Lanes)
	}
	l.dataFree = max(l.dataFree, s.now) + kit.Cycle(busy)
	s.Stats.Busy += uint64(busy)
	if p.Kind == noc.Copy {
		s.giveCopy(local, p)
		return
	}
	reply := *p
	reply.Reply = true
	l.replied = max(l.replied, s.now+late)
	l.replies.Push(l.replied, reply)
}

// operate is the time that a slice needs for a request's atomic operations.
func (c *Slice) operate(p *noc.Packet) (cycles int) {
	for i, d := range p.Depths {
		switch {
		case p.Sectors>>i&1 == 0:
		case p.Full>>i&1 != 0:
			cycles += max(int(d), 1)
		default:
			cycles += max(c.AtomicPart, (int(d)*c.AtomicSame+3)/4)
		}
	}
	return max(cycles, 1)
}

// Install brings lines into L2 without any traffic below, as a copy from the
// host leaves them.
func (s *System) Install(addr, size uint64) {
	line := uint64(s.config.L2.Line)
	all := uint8(1<<(s.config.L2.Line/s.config.L2.Sector) - 1)
	for a := addr &^ (line - 1); a < addr+size; a += line {
		n, local := s.spread.Of(a)
		s.evict(&s.slices[n], s.slices[n].tags.Install(local, all))
		if s.slices[n].back.Len() > 0 {
			s.fabric.Wake(firstSlice+n, s.now+1)
		}
	}
}

// EndKernel applies the rule for the end of a kernel: L2 stays as it is unless
// the configuration has it written back and emptied.
func (s *System) EndKernel() {
	if !s.config.Slice.Flush {
		return
	}
	for n := range s.slices {
		l := &s.slices[n]
		l.tags.Flush(func(e cache.Eviction) { s.evict(l, e) })
		if l.back.Len() > 0 {
			s.fabric.Wake(firstSlice+n, s.now+1)
		}
	}
}
