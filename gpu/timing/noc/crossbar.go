package noc

import "github.com/lockstep-sim/lockstep/gpu/timing/kit"

// Crossbar moves packets from inputs to outputs, one at a time from and to each.
type Crossbar struct {
	config  *Config
	arbiter Arbiter
	inputs  []input
	outputs []kit.Cycle // when each is free again
	inRate  int         // flits a cycle
	outRate int

	groupRate uint64
	queues    []queue // by input and output
	packets   kit.Slab[queued]
	groups    []group
	inside    int

	wants   []set // inputs with a packet for an output, by output
	wanted  set   // outputs
	free    set   // inputs
	busy    set   // the others
	ready   set   // outputs that can take a packet this cycle
	matched []pair

	room    func(out int) bool
	deliver func(in, out int, at kit.Cycle, p Packet)

	Stats Stats
}

type input struct {
	freeAt kit.Cycle
	used   int // packets queued
}

// queue is a chain of packets; head < 0 if it is empty.
type queue struct{ head, tail int32 }

type queued struct {
	Packet
	since kit.Cycle
	next  int32
}

// group is the link that neighbouring outputs share.
type group struct {
	sent uint64 // bytes, or as many as could have been sent by now if that is more
}

// Shape is the number of a crossbar's ports and what they carry.
type Shape struct {
	Inputs, Outputs int
	InRate, OutRate int // flits a cycle
	Groups          int // of outputs; 0 if they share nothing
	GroupRate       int // bytes a cycle
}

// NewCrossbar returns an empty crossbar. room tells whether an output's receiver
// can take another packet; deliver hands it one, whose last flit comes at cycle
// at, and says which input has room again.
func NewCrossbar(c *Config, s Shape, room func(out int) bool, deliver func(in, out int, at kit.Cycle, p Packet)) (*Crossbar, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	arbiter, err := newArbiter(c.Arbiter, s.Inputs, s.Outputs)
	if err != nil {
		return nil, err
	}
	x := &Crossbar{
		config: c, arbiter: arbiter, inRate: s.InRate, outRate: s.OutRate, room: room, deliver: deliver,
		groups: make([]group, s.Groups), groupRate: uint64(s.GroupRate),
		inputs: make([]input, s.Inputs), outputs: make([]kit.Cycle, s.Outputs), queues: make([]queue, s.Inputs*s.Outputs),
		wanted: newSet(s.Outputs), ready: newSet(s.Outputs), free: newSet(s.Inputs), busy: newSet(s.Inputs),
	}
	for i := range x.queues {
		x.queues[i].head = -1
	}
	for range s.Outputs {
		x.wants = append(x.wants, newSet(s.Inputs))
	}
	for i := range s.Inputs {
		x.free.add(i)
	}
	return x, nil
}

// Room reports whether an input can hold another packet.
func (x *Crossbar) Room(in int) bool { return x.inputs[in].used < x.config.Buffer }

// Inside is the number of packets in the queues.
func (x *Crossbar) Inside() int { return x.inside }

// Push puts a packet into an input that has room.
func (x *Crossbar) Push(now kit.Cycle, in, out int, p Packet) {
	i := x.packets.New()
	*x.packets.At(i) = queued{p, now, -1}
	q := &x.queues[in*len(x.outputs)+out]
	if q.head < 0 {
		q.head = i
		x.wants[out].add(in)
		x.wanted.add(out)
	} else {
		x.packets.At(q.tail).next = i
	}
	q.tail = i
	x.inputs[in].used++
	x.inside++
	x.Stats.Accepted++
}

// Step moves packets at cycle now and returns when it wants to run again.
func (x *Crossbar) Step(now kit.Cycle) kit.Cycle {
	next := kit.Never
	clear(x.ready)
	for out := range x.wanted.all {
		switch {
		case x.outputs[out] > now:
		case x.groupRate > 0 && x.group(out).sent >= uint64(now+1)*x.groupRate:
			x.Stats.Grouped++
		case !x.room(out):
			x.Stats.Blocked++
		default:
			x.ready.add(out)
		}
		next = now + 1
	}
	if next == kit.Never {
		return next
	}
	for in := range x.busy.all {
		if x.inputs[in].freeAt <= now {
			x.free.add(in)
			x.busy.remove(in)
		}
	}
	x.matched = x.matched[:0]
	x.arbiter.Match(x)
	for _, m := range x.matched {
		x.move(now, m.in, m.out)
	}
	if x.inside == 0 {
		return kit.Never
	}
	return next
}

// group is the group of an output.
func (x *Crossbar) group(out int) *group { return &x.groups[out*len(x.groups)/len(x.outputs)] }

// match pairs an input and an output for this cycle.
func (x *Crossbar) match(in, out int) {
	x.free.remove(in)
	x.busy.add(in)
	x.ready.remove(out)
	x.matched = append(x.matched, pair{in, out})
}

// move takes the first packet from in to out.
func (x *Crossbar) move(now kit.Cycle, in, out int) {
	q := &x.queues[in*len(x.outputs)+out]
	i := q.head
	p := x.packets.At(i)
	if q.head = p.next; q.head < 0 {
		x.wants[out].remove(in)
		if x.wants[out].empty() {
			x.wanted.remove(out)
		}
	}
	flits := x.config.flits(&p.Packet)
	x.inputs[in].used--
	x.inputs[in].freeAt = now + cycles(flits, x.inRate)
	x.outputs[out] = now + cycles(flits, x.outRate)
	if x.groupRate > 0 {
		g := x.group(out)
		g.sent = max(g.sent, uint64(now)*x.groupRate) + uint64(x.config.bytes(&p.Packet))
	}
	x.inside--
	x.Stats.Moved++
	x.Stats.Flits += uint64(flits)
	x.Stats.Waits += uint64(now - p.since)
	at := max(x.inputs[in].freeAt, x.outputs[out])
	x.packets.Free(i)
	x.deliver(in, out, at, p.Packet)
}

func cycles(flits, rate int) kit.Cycle { return kit.Cycle((flits + rate - 1) / rate) }
