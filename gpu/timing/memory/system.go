package memory

import (
	"fmt"
	"math/bits"

	"github.com/lockstep-sim/lockstep/gpu/timing/dram"
	"github.com/lockstep-sim/lockstep/gpu/timing/hash"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
	"github.com/lockstep-sim/lockstep/gpu/timing/noc"
)

// The parts of the fabric's agenda: the two crossbars, then the slices.
const (
	up = iota
	down
	firstSlice
)

// System is the memory system of a GPU.
type System struct {
	config   *Config
	spread   *hash.Spread
	ports    []*noc.Port
	sent     []bool // by SM: its port holds something that the system has not seen
	given    []bool // by SM: its port holds something that the SM has not seen
	sending  *kit.ActiveSet
	up, down *noc.Crossbar
	slices   []slice
	channels []channel
	fetches  kit.Slab[fetch]
	waiting  kit.Slab[noc.Packet]
	woken    []uint32
	atoms    [256]uint8 // column commands for a mask of sectors

	fabric, dram         *kit.Agenda
	stepFabric, stepDRAM func(int) kit.Cycle
	clocks
	now, dramNow kit.Cycle // of the fabric, of the memory

	// OnReply, if set, is told during Exchange that a reply will reach an SM at a
	// core cycle.
	OnReply func(sm int, at kit.Cycle)
	// Watch, if set, is told of packets and requests.
	Watch Observer

	Stats Stats
}

// clocks converts between the clock domains.
type clocks struct {
	toFabric, fromFabric kit.Ratio // core and fabric
	toDRAM, fromDRAM     kit.Ratio // fabric and memory
	coreToDRAM           kit.Ratio
}

func newClocks(c *Clock) clocks {
	return clocks{
		toFabric: kit.NewRatio(c.Core, c.Fabric), fromFabric: kit.NewRatio(c.Fabric, c.Core),
		toDRAM: kit.NewRatio(c.Fabric, c.DRAM), fromDRAM: kit.NewRatio(c.DRAM, c.Fabric),
		coreToDRAM: kit.NewRatio(c.Core, c.DRAM),
	}
}

// channel is a memory channel and the wire to it, in fabric cycles.
type channel struct {
	*dram.Channel
	inbox  *kit.Pipe[dram.Request]
	wanted bool // a slice waits for a place in the queue
}

// reserve keeps a place in the queue; if there is none, the channel wakes its
// slices when there is.
func (c *channel) reserve(write bool) bool {
	ok := c.Reserve(write)
	c.wanted = c.wanted || !ok
	return ok
}

// fetch is a read of a channel: sectors of a slice's line.
type fetch struct {
	local   uint64
	slice   int32
	sectors uint8
}

// New returns an idle memory system for a number of SMs.
func New(c *Config, sms int) (*System, error) {
	if err := c.check(sms); err != nil {
		return nil, err
	}
	s := &System{config: c, sent: make([]bool, sms), given: make([]bool, sms), sending: kit.NewActiveSet(sms)}
	for i := range sms {
		s.ports = append(s.ports, noc.NewPort(&c.Network, [2]*bool{&s.sent[i], &s.given[i]}))
	}
	s.clocks = newClocks(&c.Clock)
	s.fabric, s.dram = kit.NewAgenda(firstSlice+c.slices()), kit.NewAgenda(c.Slice.Channels)
	s.stepFabric, s.stepDRAM = s.runFabric, s.runDRAM
	s.countAtoms()
	return s, s.build(sms)
}

// countAtoms fills the table of column commands.
func (s *System) countAtoms() {
	per, each := max(s.config.DRAM.Atom/s.config.L2.Sector, 1), max(s.config.L2.Sector/s.config.DRAM.Atom, 1)
	for mask := range s.atoms {
		for m := mask; m != 0; m >>= per {
			if m&(1<<per-1) != 0 {
				s.atoms[mask] += uint8(each)
			}
		}
	}
}

// build makes the crossbars, slices and channels.
func (s *System) build(sms int) (err error) {
	c := s.config
	if s.spread, err = hash.NewSpread(c.slices(), c.Slice.Interleave, c.Slice.Hash); err != nil {
		return err
	}
	n := &c.Network
	s.up, err = noc.NewCrossbar(n, noc.Shape{Inputs: sms, Outputs: c.slices(), InRate: n.SMOut, OutRate: n.SliceIn}, s.roomInSlice, s.arrive)
	if err != nil {
		return err
	}
	s.down, err = noc.NewCrossbar(n, noc.Shape{Inputs: c.slices(), Outputs: sms, InRate: n.SliceOut, OutRate: n.SMIn, Groups: n.Groups, GroupRate: n.GroupIn}, func(int) bool { return true }, s.reply)
	if err != nil {
		return err
	}
	for range c.Slice.Channels {
		ch, err := dram.New(&c.DRAM, c.L2.Line)
		if err != nil {
			return fmt.Errorf("memory channel: %w", err)
		}
		s.channels = append(s.channels, channel{Channel: ch, inbox: kit.NewPipe[dram.Request](c.Slice.Memory)})
	}
	for i := range c.slices() {
		l, err := newSlice(c, i)
		if err != nil {
			return fmt.Errorf("l2 slice: %w", err)
		}
		s.slices = append(s.slices, l)
	}
	return nil
}

// Port is the end of the network that belongs to an SM.
func (s *System) Port(sm int) *noc.Port { return s.ports[sm] }

// Slice is the L2 slice that holds an address, and whether it is near an SM.
func (s *System) Slice(addr uint64, sm int) (slice int, near bool) {
	slice, _ = s.spread.Of(addr)
	return slice, s.near(sm, slice)
}

func (s *System) near(sm, slice int) bool { return s.ofSM(sm) == s.ofSlice(slice) }

// Advance runs the memory system to the end of core cycle now, and lets it and
// the SMs see what the others have sent. SMs must not have gone further beyond it
// than the network's lookahead.
func (s *System) Advance(now kit.Cycle) {
	s.Exchange()
	s.Run(now)
	s.Exchange()
}

// Run runs the memory system to the end of core cycle now. SMs may run meanwhile.
func (s *System) Run(now kit.Cycle) {
	fabric, memory := s.toFabric.Begun(now), s.coreToDRAM.Begun(now)
	for {
		f, d := s.fabric.Next(), s.dram.Next()
		switch {
		case d <= memory && s.fromDRAM.Following(d) <= f:
			s.dramNow = d
			s.dram.Run(d, s.stepDRAM)
		case f <= fabric:
			s.now = f
			s.fabric.Run(f, s.stepFabric)
		case d <= memory:
			s.dramNow = d
			s.dram.Run(d, s.stepDRAM)
		default:
			return
		}
	}
}

// Exchange lets the memory system and the SMs see what the others have sent.
func (s *System) Exchange() {
	for sm, p := range s.ports {
		sent, given := s.sent[sm], s.given[sm]
		if !sent && !given {
			continue
		}
		s.sent[sm], s.given[sm] = false, false
		p.Exchange()
		if sent {
			s.sending.Add(sm)
			s.fabric.Wake(up, s.toFabric.Following(p.NextRequest()))
		}
		if at := p.NextReply(); given && at != kit.Never && s.OnReply != nil {
			s.OnReply(sm, at)
		}
	}
}

// Next is a core cycle before which nothing happens in the memory system, as far
// as it knows from what was sent before the last Exchange.
func (s *System) Next() kit.Cycle {
	f := s.fabric.Next()
	if d := s.dram.Next(); d != kit.Never {
		f = min(f, s.fromDRAM.Begun(d))
	}
	if f == kit.Never {
		return f
	}
	return s.fromFabric.Following(f)
}

// Silent reports that nothing has happened in the memory system after core cycle since.
func (s *System) Silent(since kit.Cycle) bool {
	return s.now <= s.toFabric.Begun(since) && s.dramNow <= s.coreToDRAM.Begun(since)
}

func (s *System) runFabric(part int) kit.Cycle {
	switch part {
	case up:
		next := s.take()
		return min(next, s.up.Step(s.now))
	case down:
		return s.down.Step(s.now)
	}
	return s.runSlice(part - firstSlice)
}

// take moves packets that have come over the ports' wires into the crossbar.
func (s *System) take() kit.Cycle {
	core, next := s.fromFabric.Begun(s.now), kit.Never
	for sm := range s.sending.All {
		port := s.ports[sm]
		for s.up.Room(sm) {
			p, ok := port.Take(core)
			if !ok {
				break
			}
			p.Src = uint16(sm)
			slice, _ := s.spread.Of(p.Addr)
			if s.config.Slice.Copies && (p.Kind == noc.Read || p.Kind == noc.Ahead) {
				slice = s.mirror(slice, s.ofSM(sm))
			}
			s.Stats.Requests[p.Kind]++
			s.up.Push(s.now, sm, slice, p)
			if s.Watch != nil {
				s.Watch.Sent(s.fromFabric.Begun(s.now), slice, &p)
			}
		}
		at := port.NextRequest()
		if at == kit.Never {
			s.sending.Remove(sm)
			continue
		}
		next = min(next, max(s.toFabric.Following(at), s.now+1))
	}
	return next
}

// roomInSlice tells the crossbar whether a slice takes another packet.
func (s *System) roomInSlice(out int) bool {
	l := &s.slices[out]
	return l.near.Len()+l.far.Len() < l.capacity
}

// arrive takes a packet from the crossbar to a slice.
func (s *System) arrive(sm, slice int, at kit.Cycle, p noc.Packet) {
	s.ports[sm].Credit(s.fromFabric.Following(s.now))
	l := &s.slices[slice]
	pipe := l.near
	if !s.near(sm, slice) {
		pipe = l.far
	}
	pipe.Push(at, p)
	if s.Watch != nil {
		s.Watch.Arrived(s.fromFabric.Begun(s.now), slice, &p)
	}
	s.fabric.Wake(firstSlice+slice, pipe.Next())
}

// reply takes a packet from the crossbar to an SM's wire.
func (s *System) reply(slice, sm int, at kit.Cycle, p noc.Packet) {
	s.Stats.Replies[p.Kind]++
	if s.Watch != nil {
		s.Watch.Sent(s.fromFabric.Begun(s.now), slice, &p)
	}
	s.ports[sm].Deliver(s.fromFabric.Following(at), p)
	s.fabric.Wake(firstSlice+slice, s.now+1) // its input has room again
}

// runDRAM runs a channel for a cycle of its clock.
func (s *System) runDRAM(n int) kit.Cycle {
	c := &s.channels[n]
	now := s.fromDRAM.Begun(s.dramNow)
	for {
		q, ok := c.inbox.Pop(now)
		if !ok {
			break
		}
		c.Push(s.dramNow, q)
	}
	waiting := c.Waiting()
	next := c.Step(s.dramNow)
	if c.wanted && c.Waiting() < waiting {
		c.wanted = false
		for i := range s.config.Slice.PerChannel {
			s.fabric.Wake(firstSlice+n*s.config.Slice.PerChannel+i, s.fromDRAM.Following(s.dramNow)+1)
		}
	}
	for {
		tag, ok := c.Pop(s.dramNow)
		if !ok {
			break
		}
		f := s.fetches.At(int32(tag))
		at := s.fromDRAM.Following(s.dramNow)
		s.slices[f.slice].fills.Push(at, int32(tag))
		s.fabric.Wake(firstSlice+int(f.slice), at+1)
	}
	next = min(next, c.NextDone())
	if at := c.inbox.Next(); at != kit.Never {
		next = min(next, s.toDRAM.Following(at))
	}
	return next
}

// send puts a request on the wire to a slice's channel, which has a place for it.
func (s *System) send(slice int, local uint64, sectors uint8, write bool) {
	per := s.config.Slice.PerChannel
	n, sub := slice/per, slice%per
	shift := uint(bits.TrailingZeros(uint(s.config.Slice.Interleave)))
	block := local>>shift*uint64(per) + uint64(sub)
	q := dram.Request{Addr: block<<shift | local&(1<<shift-1), Atoms: int(s.atoms[sectors]), Write: write}
	if !write {
		i := s.fetches.New()
		*s.fetches.At(i) = fetch{local, int32(slice), sectors}
		q.Tag = uint32(i)
	}
	c := &s.channels[n]
	if s.Watch != nil {
		s.Watch.Asked(s.fromFabric.Begun(s.now), n, &q)
	}
	c.inbox.Push(s.now, q)
	s.dram.Wake(n, s.toDRAM.Following(c.inbox.Next()))
}
