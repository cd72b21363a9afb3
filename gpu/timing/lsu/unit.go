package lsu

import (
	"math/bits"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/timing/cache"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
	"github.com/lockstep-sim/lockstep/gpu/timing/noc"
)

// Kind is what a memory instruction does.
type Kind uint8

// The kinds. Lanes marks instructions without memory that use the shared-memory
// path, shuffles for example.
const (
	Load Kind = iota
	Store
	Atomic
	Reduce
	Copy // global to shared memory
	Lanes
)

// Op is a memory instruction as it comes from a sub-core.
type Op struct {
	ID       int32 // what the answer is called with
	Slot     uint8 // warp slot within the SM
	Sub      uint8 // sub-core
	Kind     Kind
	Words    uint8 // registers moved for each lane
	Uniform  bool  // the address is uniform
	Bypass   bool  // L1 is not used
	Window   bool  // the address is one of the cluster's shared memory
	Tells    bool  // an mbarrier object of the memory that is written waits for it
	Accesses []isa.Access
}

// entry is an instruction in the pending request table.
type entry struct {
	id      int32
	sub     uint8
	kind    Kind
	words   uint8
	uniform bool
	bypass  bool
	window  bool      // in the cluster's shared memory, by its address
	tells   bool      // see Op.Tells
	banked  bool      // goes to shared memory
	shared  bool      // its first lane does
	far     bool      // and to that of another SM
	remote  int       // bytes in the shared memory of another SM
	table   bool      // holds a place of the pending request table
	at      int       // requests sent to L1
	left    int       // requests not answered
	passes  int       // through shared memory
	extra   int       // of them, those that conflicts cost
	since   kit.Cycle // accepted
	first   kit.Cycle // when the first and the last data were at the link
	last    kit.Cycle
	list    []request
}

// Kinds of events.
const (
	evReady = iota // the data of a request are at the link
	evDone         // the instruction is done
)

// event concerns an entry.
type event struct {
	entry int32
	kind  uint8
}

// Tags of packets: a reply to the cache, to an entry, a line of code, or a reply to the
// unit for bulk copies.
const (
	tagFill uint32 = iota << 30
	tagEntry
	tagLine
	tagBulk
	tagKind = uint32(3) << 30
)

// Unit is the shared part of the memory pipeline of one SM.
type Unit struct {
	config   *Config
	sm       int
	port     *noc.Port
	to       Answers
	l1       *cache.Cache
	carve    []int
	entries  kit.Slab[entry]
	inside   struct{ all, table int } // instructions that have not been answered, those of the table
	arrivals *kit.Pipe[int32]         // on their way from the sub-cores
	waiting  *kit.Queue[int32]        // for a coalescer
	running  []int32                  // in a coalescer, oldest first
	misses   *kit.Pipe[noc.Packet]    // for the network
	events   *kit.Wheel[event]
	links    []kit.Cycle                    // when the return link of a sub-core is free
	shared   kit.Cycle                      // when the banks are free
	link     kit.Cycle                      // when the return link of shared memory is free
	network  kit.Flow                       // what goes to the shared memory of other SMs, in bytes at Shared.Network
	data     kit.Flow                       // what L1's data array reads, in sectors at Data.Width
	sending  struct{ free, left kit.Cycle } // when the port is free, and when the last data had left the SM
	still    standstill
	scratch  scratch
	banks    banks
	address  func(isa.Access) uint64
	slot     uint8

	Stats Stats
}

// scratch is what lives no longer than a call.
type scratch struct {
	lookups []int // of this cycle, by bank
	woken   []uint32
}

// Answers is whom a Unit tells what has come. All are called within Tick.
type Answers struct {
	Done func(id int32)                  // an instruction
	Line func(addr uint64)               // a line asked for with FetchLine
	Bulk func(now kit.Cycle, tag uint32) // what the unit for bulk copies has asked for
}

// maxSubCores bounds the sub-cores of an SM.
const maxSubCores = 8

// New returns an idle unit of an SM.
func New(c *Config, sm int, port *noc.Port, to Answers) (*Unit, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	u := &Unit{
		config: c, sm: sm, port: port, to: to,
		arrivals: kit.NewPipe[int32](c.Pipeline.Front), waiting: kit.NewQueue[int32](c.Pipeline.Pending),
		misses: kit.NewPipe[noc.Packet](c.Data.Miss), events: kit.NewWheel[event](),
		links: make([]kit.Cycle, maxSubCores), scratch: scratch{lookups: make([]int, c.Data.Banks)},
	}
	u.address = u.localAddress
	var err error
	if u.carve, err = c.Data.carveouts(); err != nil {
		return nil, err
	}
	if u.l1, err = cache.New(c.L1); err != nil {
		return nil, err
	}
	return u, u.Begin(0)
}

// Begin prepares for a kernel whose resident CTAs need so many bytes of shared
// memory: shared memory gets the smallest size that holds them, L1 the rest, and
// what L1 held is gone. Nothing may be under way.
func (u *Unit) Begin(shared int) error {
	size := u.carve[len(u.carve)-1]
	for i := len(u.carve) - 1; i >= 0 && u.carve[i] >= shared; i-- {
		size = u.carve[i]
	}
	ways := max((u.config.Data.Unified-size)/(u.config.L1.Sets*u.config.L1.Line), 1)
	if !u.config.Data.Flush && ways*u.config.L1.Sets*u.config.L1.Line == u.l1.Bytes() {
		return nil
	}
	return u.l1.Resize(ways)
}

// L1 is the statistics of L1's tags.
func (u *Unit) L1() *cache.Stats { return &u.l1.Stats }

// L1Bytes is the present size of L1.
func (u *Unit) L1Bytes() int { return u.l1.Bytes() }

// Inside is the number of instructions that have not been answered.
func (u *Unit) Inside() int { return u.inside.all }

// Left is the cycle at which the last of what was stored had left the SM.
func (u *Unit) Left() kit.Cycle { return u.sending.left }

// Idle reports that neither instructions nor packets are under way.
func (u *Unit) Idle() bool {
	return u.Inside() == 0 && u.misses.Len() == 0 && u.Stats.Sent == u.Stats.Received
}

// localAddress places the local memory of the SM's warp slots where no global
// address lies: words of the lanes side by side.
func (u *Unit) localAddress(a isa.Access) uint64 {
	const slots, words = 64, 24
	base := noc.LocalWindow + (uint64(u.sm)*slots+uint64(u.slot))<<words
	return base + (a.Addr/wordBytes*isa.WarpSize+uint64(a.Lane))*wordBytes + a.Addr%wordBytes
}

// Prepare makes an entry of an instruction that executes and returns its number, to be
// admitted later. Op is not kept.
func (u *Unit) Prepare(op *Op) int32 {
	i := u.entries.New()
	e := u.entries.At(i)
	*e = entry{id: op.ID, sub: op.Sub, kind: op.Kind, words: op.Words, uniform: op.Uniform, bypass: op.Bypass || !u.config.Data.Cached, window: op.Window, tells: op.Tells, first: kit.Never, list: e.list[:0]}
	u.slot = op.Slot
	e.list = coalesce(op.Accesses, u.address, e.list)
	e.left = len(e.list)
	if op.Kind == Atomic || op.Kind == Reduce {
		depths(op.Accesses, e.list)
	}
	u.measure(e, op)
	return i
}

// Admit takes a prepared instruction from its sub-core at cycle now; false if the
// pending request table is full, or shared memory has too much to do.
func (u *Unit) Admit(now kit.Cycle, i int32) bool {
	e := u.entries.At(i)
	if e.shared && u.behind(now, e.far) || len(e.list) > 0 && u.inside.table >= u.config.Pipeline.Pending {
		u.Stats.Refused++
		return false
	}
	if len(e.list) > 0 {
		e.table = true
		u.inside.table++
	}
	e.since = now
	u.inside.all++
	u.Stats.count(e)
	u.arrivals.Push(now, i)
	return true
}

// count counts an instruction that was accepted.
func (s *Stats) count(e *entry) {
	s.Accepted++
	s.Passes += uint64(e.passes)
	s.Conflicts += uint64(e.extra)
	if e.banked {
		s.Shared++
	}
}

// behind reports that shared memory, or the way to that of other SMs, has too much to
// do.
func (u *Unit) behind(now kit.Cycle, far bool) bool {
	s := &u.config.Shared
	return u.shared > now+s.Backlog || far && u.network.Free(s.Network) > now+s.Backlog
}

// measure finds an instruction's passes through shared memory.
func (u *Unit) measure(e *entry, op *Op) {
	n := 0
	for i := range op.Accesses {
		if op.Accesses[i].Space == isa.Shared {
			n++
			if op.Accesses[i].Remote {
				e.remote += int(op.Accesses[i].Bytes)
			}
		}
	}
	e.banked = n > 0
	e.shared = n > 0 && op.Accesses[0].Space == isa.Shared
	e.far = e.shared && op.Accesses[0].Remote
	switch {
	case n == len(op.Accesses) && n > 0:
		e.passes = u.config.Shared.passes(&u.banks, op.Accesses, op.Kind == Atomic || op.Kind == Reduce)
		e.extra = max(e.passes-isa.WarpSize>>partShift(op.Accesses[0].Bytes), 0)
	case n > 0: // a generic access of several spaces, or a copy
		e.passes = 1
	case len(e.list) == 0:
		e.passes = 1 // no memory at all, but a place in the pipeline
	}
}

// FetchLine asks L2 for a line of code or constants.
func (u *Unit) FetchLine(now kit.Cycle, addr uint64) {
	u.Stats.Lines++
	u.stir(now)
	u.misses.Push(now, noc.Packet{Addr: addr &^ (lineBytes - 1), Kind: noc.Read, Sectors: 1<<(lineBytes/sectorBytes) - 1, Tag: tagLine})
}

// Tick does the work of cycle now and returns the next cycle with work, as far
// as is known without L2.
func (u *Unit) Tick(now kit.Cycle) kit.Cycle {
	for {
		p, ok := u.port.Receive(now)
		if !ok {
			break
		}
		u.receive(now, &p)
	}
	for {
		e, ok := u.events.Pop(now)
		if !ok {
			break
		}
		u.happen(now, e)
	}
	for {
		i, ok := u.arrivals.Pop(now)
		if !ok {
			break
		}
		u.arrive(now, i)
	}
	if u.Waits() && !u.still.is {
		u.coalesce(now)
	}
	if u.misses.Next() <= now && u.sending.free <= now && u.port.CanSend(now) {
		p, _ := u.misses.Pop(now)
		u.port.Send(now, p)
		u.sending.free = now + kit.Cycle(max(p.Carries(), 1))
		if p.Carries() > 0 {
			u.sending.left = u.sending.free
		}
		u.stir(now + 1)
		u.Stats.Sent++
	}
	return u.next(now)
}

func (u *Unit) next(now kit.Cycle) kit.Cycle {
	if u.Waits() && !u.still.is {
		return now + 1
	}
	next := min(u.events.Next(), u.arrivals.Next(), u.port.NextReply())
	return min(next, max(u.misses.Next(), u.sending.free, now+1))
}

// arrive takes an instruction that has come from its sub-core.
func (u *Unit) arrive(now kit.Cycle, i int32) {
	e := u.entries.At(i)
	if len(e.list) == 0 {
		u.events.At(u.throughBanks(now, e), event{i, evDone})
		return
	}
	if e.passes > 0 && e.kind != Copy {
		u.throughBanks(now, e)
	}
	if len(u.running) < u.config.Pipeline.Coalescers {
		u.stir(now)
	}
	u.waiting.Push(i)
}

// throughBanks sends an instruction through shared memory and returns when its
// data have crossed the return link.
func (u *Unit) throughBanks(now kit.Cycle, e *entry) kit.Cycle {
	s := &u.config.Shared
	start := max(now, u.shared)
	u.shared = start + kit.Cycle(e.passes)*s.Pass
	first := start + s.Latency
	if e.uniform {
		first--
	}
	if e.kind == Atomic || e.kind == Reduce {
		first += s.Atomic
	}
	if e.kind == Lanes {
		first += s.Exchange
	}
	if e.remote > 0 {
		u.Stats.Remote++
		u.Stats.RemoteBytes += uint64(e.remote)
		u.network.Take(start, e.remote, s.Network)
		first = max(first, u.network.Free(s.Network))
	}
	if e.kind == Store || e.kind == Reduce {
		if e.tells {
			first += s.Message
		}
		return first + kit.Cycle(e.passes)*s.Pass
	}
	switch {
	case e.remote > 0:
		first += s.Remote
	case e.window:
		first += s.Window
	}
	last := first + kit.Cycle(e.passes-1)*s.Pass + kit.Cycle(e.extra)*(max(s.Late, s.Pass)-s.Pass)
	return cross(&u.link, first, last, u.transfer(e, s.Return))
}

// transfer is the time for which an instruction's data take a return link.
func (u *Unit) transfer(e *entry, width int) kit.Cycle {
	bytes := int(e.words) * wordBytes * isa.WarpSize
	return max(u.config.Pipeline.Least, kit.Cycle((bytes+width-1)/width))
}

// cross takes a link for data of which the first and last come at the given
// cycles, and returns when all have crossed.
func cross(free *kit.Cycle, first, last, length kit.Cycle) kit.Cycle {
	*free = max(*free, first, last+1-min(length, last+1)) + length
	return *free
}

// Waits reports that requests wait for L1 or the network.
func (u *Unit) Waits() bool { return len(u.running) > 0 || u.waiting.Len() > 0 }

// coalesce sends requests to L1, one of each of the oldest instructions.
func (u *Unit) coalesce(now kit.Cycle) {
	before, sent := u.refusals(), false
	for len(u.running) < u.config.Pipeline.Coalescers {
		i, ok := u.waiting.Pop()
		if !ok {
			break
		}
		u.running = append(u.running, i)
	}
	clear(u.scratch.lookups)
	kept := u.running[:0]
	for _, i := range u.running {
		e := u.entries.At(i)
		if u.request(now, i, e, &e.list[e.at]) {
			e.at++
			sent = true
		}
		if e.at < len(e.list) {
			kept = append(kept, i)
		} else if e.table {
			e.table = false
			u.inside.table--
		}
	}
	u.running = kept
	if !sent {
		u.still = standstill{true, now + 1, u.refusals().less(before)}
	}
}

// request sends one request to L1 or past it; false if it must wait.
func (u *Unit) request(now kit.Cycle, i int32, e *entry, r *request) bool {
	bank := int(r.line/lineBytes) % len(u.scratch.lookups)
	if u.scratch.lookups[bank] == u.config.Data.Lookups {
		u.Stats.BankStalls++
		return false
	}
	if u.misses.Len() >= u.config.Pipeline.Misses {
		u.Stats.Stalls++
		return false
	}
	u.scratch.lookups[bank]++
	sent := true
	switch {
	case u.config.Pipeline.Perfect:
		u.events.At(now+u.config.Data.Latency, event{i, evReady})
	case e.kind == Load && !e.bypass, e.kind == Copy && !e.bypass:
		sent = u.load(now, i, e, r)
	case e.kind == Load, e.kind == Copy:
		u.miss(now, noc.Packet{Addr: r.line, Kind: noc.Read, Sectors: r.sectors, Tag: tagEntry | uint32(i)})
	case e.kind == Store:
		sent = u.store(now, i, r)
	default:
		kind := noc.Atomic
		if e.kind == Reduce {
			kind = noc.Reduce
		}
		u.l1.Forget(r.line, r.sectors)
		u.miss(now, noc.Packet{Addr: r.line, Kind: kind, Sectors: r.sectors, Tag: tagEntry | uint32(i), Full: r.full, Lanes: r.lanes, Depths: r.depths})
	}
	if !sent {
		u.Stats.Stalls++
		return false
	}
	u.Stats.Requests++
	u.Stats.Sectors += uint64(bits.OnesCount8(r.sectors))
	return true
}

// load looks a request up in L1.
func (u *Unit) load(now kit.Cycle, i int32, e *entry, r *request) bool {
	res := u.l1.Read(r.line, r.sectors, uint32(i))
	switch {
	case res.Outcome.Stalled():
		return false
	case res.Outcome == cache.Hit:
		d := &u.config.Data
		per := d.Width / sectorBytes
		late := max(u.data.Free(per), now) - now
		u.data.Take(now, bits.OnesCount8(r.sectors), per)
		if e.uniform {
			late--
		}
		u.events.At(now+d.Latency+late, event{i, evReady})
	case res.Fetch != 0:
		u.miss(now, noc.Packet{Addr: r.line, Kind: noc.Read, Sectors: res.Fetch, Tag: tagFill})
	}
	u.writeBack(now, res.Evicted)
	return true
}

// store writes a request to L1 as its policy says.
func (u *Unit) store(now kit.Cycle, i int32, r *request) bool {
	res := u.l1.Write(r.line, r.sectors, r.full)
	if res.Outcome.Stalled() {
		return false
	}
	if res.Fetch != 0 {
		u.miss(now, noc.Packet{Addr: r.line, Kind: noc.Read, Sectors: res.Fetch, Tag: tagFill})
	}
	if res.Forward {
		u.miss(now, noc.Packet{Addr: r.line, Kind: noc.Write, Sectors: r.sectors, Full: r.full, Tag: tagEntry | uint32(i)})
	} else {
		u.events.At(now+u.config.Data.Latency, event{i, evReady})
	}
	u.writeBack(now, res.Evicted)
	return true
}

// noEntry tags writes for which no instruction waits.
const noEntry = ^tagKind

// writeBack sends an evicted line to L2.
func (u *Unit) writeBack(now kit.Cycle, e cache.Eviction) {
	if e.Dirty != 0 {
		u.miss(now, noc.Packet{Addr: e.Addr, Kind: noc.Write, Sectors: e.Dirty, Full: e.Dirty, Tag: tagEntry | noEntry})
	}
}

func (u *Unit) miss(now kit.Cycle, p noc.Packet) { u.misses.Push(now, p) }

// receive takes a reply from L2.
func (u *Unit) receive(now kit.Cycle, p *noc.Packet) {
	u.Stats.Received++
	at := now + u.config.Data.Fill
	switch p.Tag & tagKind {
	case tagLine:
		u.to.Line(p.Addr)
	case tagBulk:
		u.to.Bulk(now, p.Tag)
	case tagEntry:
		if i := p.Tag &^ tagKind; i != noEntry {
			u.events.At(at, event{int32(i), evReady})
		}
	case tagFill:
		u.stir(now)
		var e cache.Eviction
		u.scratch.woken, e = u.l1.Fill(p.Addr, p.Sectors, u.scratch.woken[:0])
		u.writeBack(now, e)
		for _, w := range u.scratch.woken {
			u.events.At(at, event{int32(w), evReady})
		}
	}
}

// happen is called at an event's cycle.
func (u *Unit) happen(now kit.Cycle, v event) {
	e := u.entries.At(v.entry)
	if v.kind == evDone {
		u.Stats.Done++
		if e.kind == Load && len(e.list) > 0 {
			u.Stats.Loads++
			u.Stats.LoadCycles += uint64(now - e.since)
		}
		id := e.id
		u.entries.Free(v.entry)
		u.inside.all--
		u.to.Done(id)
		return
	}
	e.first, e.last = min(e.first, now), now
	if e.left--; e.left > 0 {
		return
	}
	at := now + 1
	switch e.kind {
	case Load, Atomic:
		at = cross(&u.links[e.sub%maxSubCores], e.first, e.last, u.transfer(e, u.config.Pipeline.Return))
	case Copy:
		u.shared = max(u.shared, now) + kit.Cycle(max(e.passes, 1))*u.config.Shared.Pass
		at = now + u.config.Pipeline.Copy
	}
	u.events.At(at, event{v.entry, evDone})
}
