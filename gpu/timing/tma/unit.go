package tma

import (
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
	"github.com/lockstep-sim/lockstep/gpu/timing/noc"
)

// Kind is what a copy does.
type Kind uint8

// The kinds.
const (
	Load   Kind = iota // global to shared memory
	Store              // shared to global memory
	Reduce             // the same, combined with what is there
	Across             // shared memory to that of another CTA
	Ahead              // global memory into L2
)

// Copy is one lane's copy.
type Copy struct {
	Kind   Kind
	Tensor bool    // it has a descriptor
	Map    uint64  // line of it
	Lines  []Line  // of global memory
	Bytes  int     // that go across
	Far    []*Unit // those whose SMs receive a load too
	Token  int32   // what Answers.Done is called with

	since kit.Cycle
}

// Line is a part of a copy: sectors of a line.
type Line struct {
	Addr          uint64
	Sectors, Full uint8 // Full: those that are written wholly
}

// Answers is whom a Unit works for. All are called within Tick.
type Answers struct {
	Done func(token int32)                      // a copy is complete
	Send func(now kit.Cycle, p noc.Packet) bool // sends a packet to L2, false if it cannot
}

// flight is a copy that has begun.
type flight struct {
	Copy
	lacks bool      // its descriptor must be fetched
	next  int       // line to ask for
	left  int       // replies to come, and one while it asks
	end   kit.Cycle // when all that has come so far is in shared memory
}

// Unit is the unit of one SM.
type Unit struct {
	config  *Config
	to      Answers
	queue   []Copy // that wait, in order
	flights kit.Slab[flight]
	current int32             // the one that asks for lines, -1 for none
	wants   bool              // it waits for its descriptor
	ready   kit.Cycle         // when it may ask for its first line
	free    kit.Cycle         // when the next copy may begin
	asked   kit.Flow          // requests, in bytes at Config.Width
	landed  kit.Flow          // what shared memory takes, likewise
	reduced kit.Flow          // requests of reductions, in bytes at Config.Reduce
	crossed kit.Flow          // what goes to other CTAs, in bytes at Config.Across
	waiting int               // requests that are not answered
	maps    []uint64          // descriptors, the last one used first
	events  *kit.Wheel[int32] // flights that end
	lists   [][]Line          // for reuse

	Stats Stats
}

// New returns an idle unit.
func New(c *Config, to Answers) (*Unit, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	return &Unit{config: c, to: to, current: -1, events: kit.NewWheel[int32]()}, nil
}

// Inside is the number of copies that have been taken and are not done.
func (u *Unit) Inside() int { return len(u.queue) + u.flights.Used() }

// Room reports that an instruction's copies would be taken.
func (u *Unit) Room() bool {
	if len(u.queue) >= u.config.Queue {
		u.Stats.Refused++
		return false
	}
	return true
}

// Lines is an empty list for the lines of a copy.
func (u *Unit) Lines() (l []Line) {
	if n := len(u.lists); n > 0 {
		l, u.lists = u.lists[n-1][:0], u.lists[:n-1]
	}
	return l
}

// Push takes a copy.
func (u *Unit) Push(now kit.Cycle, c Copy) {
	u.Stats.Copies++
	c.since = now
	u.queue = append(u.queue, c)
}

// Tick does the work of cycle now and returns the next cycle with work, as far as is
// known without L2.
func (u *Unit) Tick(now kit.Cycle) kit.Cycle {
	for e, ok := u.events.Pop(now); ok; e, ok = u.events.Pop(now) {
		u.done(e)
	}
	if u.current < 0 && len(u.queue) > 0 && u.free <= now {
		u.begin(now)
	}
	if u.current >= 0 && !u.wants && u.due() <= now {
		u.ask(now)
	}
	next := u.events.Next()
	switch {
	case u.current >= 0 && u.wants:
	case u.current >= 0:
		next = min(next, max(u.due(), now+1))
	case len(u.queue) > 0:
		next = min(next, max(u.free, now+1))
	}
	return next
}

// due is when the present copy may do the next that it has to do.
func (u *Unit) due() kit.Cycle {
	at := max(u.ready, u.asked.Free(u.config.Width))
	if u.flights.At(u.current).Kind == Reduce {
		at = max(at, u.reduced.Free(u.config.Reduce))
	}
	return at
}

// begin starts the first copy that waits.
func (u *Unit) begin(now kit.Cycle) {
	u.current = u.flights.New()
	f := u.flights.At(u.current)
	*f = flight{Copy: u.queue[0], left: 1}
	u.queue = append(u.queue[:0], u.queue[1:]...)
	u.Stats.Waits += uint64(now - f.since)
	u.ready, u.free = max(f.since+u.config.Latency, now), now+u.config.Interval
	if f.Tensor {
		u.describe(f)
	}
}

// describe finds the descriptor of the copy that begins.
func (u *Unit) describe(f *flight) {
	for i, m := range u.maps {
		if m != f.Map {
			continue
		}
		copy(u.maps[1:i+1], u.maps[:i])
		u.maps[0] = f.Map
		if i < u.config.Maps {
			u.Stats.MapHits++
		} else {
			u.Stats.MapCached++
			u.ready += u.config.MapLate
		}
		return
	}
	u.Stats.MapMisses++
	f.lacks = true
}

// keep adds a descriptor.
func (u *Unit) keep(line uint64) {
	if len(u.maps) < u.config.Cached {
		u.maps = append(u.maps, 0)
	}
	copy(u.maps[1:], u.maps)
	u.maps[0] = line
}

// ask does the next thing that the present copy has to do.
func (u *Unit) ask(now kit.Cycle) {
	f := u.flights.At(u.current)
	switch {
	case f.lacks:
		if u.send(now, noc.Packet{Addr: f.Map, Kind: noc.Read, Sectors: all, Tag: mapTag}) {
			f.lacks, u.wants = false, true
		}
		return
	case f.Kind == Across:
		u.crossed.Take(now, f.Bytes, u.config.Across)
		f.end = u.crossed.Free(u.config.Across) + u.config.AcrossLate
		u.Stats.Across += uint64(f.Bytes)
	case f.next < len(f.Lines):
		if !u.request(now, f, &f.Lines[f.next]) {
			return
		}
		f.next++
	}
	if f.next == len(f.Lines) {
		u.landing(now, u.current)
		u.current = -1
	}
}

// request asks for a line, or sends it. Only loads wait for answers: a store is
// complete when all of it has been sent, as an H200 has it, on which it makes no
// difference whether one waits for the reading alone (bulk.store, bulk.store_read).
func (u *Unit) request(now kit.Cycle, f *flight, l *Line) bool {
	p := noc.Packet{Addr: l.Addr, Sectors: l.Sectors, Full: l.Full, Tag: uint32(u.current)}
	switch f.Kind {
	case Ahead:
		p.Kind, p.Tag = noc.Ahead, noTag
	case Store:
		p.Kind, p.Tag = noc.Write, noTag
	case Reduce:
		p.Kind, p.Tag, p.Lanes, p.Depths = noc.Reduce, noTag, words, [4]uint8{1, 1, 1, 1}
	}
	if !u.send(now, p) {
		return false
	}
	u.asked.Take(now, line, u.config.Width)
	switch f.Kind {
	case Reduce:
		u.reduced.Take(now, line, u.config.Reduce)
	case Load:
		f.left++
	}
	return true
}

// Of a line: bytes, words, sectors.
const (
	line  = 128
	words = 32
	all   = 0xf
)

// Tags of requests that are not a flight's.
const (
	mapTag uint32 = 1<<29 + iota
	noTag
)

// send sends a request; false if it must be tried again.
func (u *Unit) send(now kit.Cycle, p noc.Packet) bool {
	if u.waiting >= u.config.Outstanding || !u.to.Send(now, p) {
		u.Stats.Stalls++
		return false
	}
	u.waiting++
	u.Stats.Requests++
	return true
}

// Receive takes L2's reply to the request with a tag.
func (u *Unit) Receive(now kit.Cycle, tag uint32) {
	u.waiting--
	u.Stats.Replies++
	switch tag {
	case noTag:
	case mapTag:
		u.keep(u.flights.At(u.current).Map)
		u.wants = false
	default:
		f := u.flights.At(int32(tag))
		if f.Kind == Load {
			f.end = max(f.end, u.land(now))
			for _, x := range f.Far {
				f.end = max(f.end, x.land(now))
			}
		}
		u.landing(now, int32(tag))
	}
}

// land takes a line to shared memory and returns when it is there.
func (u *Unit) land(now kit.Cycle) kit.Cycle {
	u.Stats.Landed++
	u.landed.Take(now, line, u.config.Width)
	return u.landed.Free(u.config.Width)
}

// landing notes that one of the things that a flight awaits has come.
func (u *Unit) landing(now kit.Cycle, id int32) {
	f := u.flights.At(id)
	if f.left--; f.left == 0 {
		late := u.config.Write
		if f.Kind == Store || f.Kind == Reduce {
			late = u.config.Sent
		}
		u.events.At(max(f.end, now)+late, id)
	}
}

// done ends a flight.
func (u *Unit) done(id int32) {
	f := u.flights.At(id)
	u.Stats.Done++
	token := f.Token
	u.lists = append(u.lists, f.Lines)
	f.Lines, f.Far = nil, nil
	u.flights.Free(id)
	u.to.Done(token)
}
