package dram

import (
	"math/bits"

	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

// maxBanks is the number of banks that one word's bits can name.
const maxBanks = 64

// none is a row that is not open.
const none = ^uint64(0)

// direction of a request, and of the bus.
type direction uint8

const (
	read direction = iota
	write
)

// request is a queued request: so many column commands to one row.
type request struct {
	place
	seq         uint64
	since       kit.Cycle
	tag         uint32
	left        int
	activated   bool // a row was opened for it
	precharged  bool // and another closed before
	served      bool // a column command has been sent
	next, prior int32
}

// chain holds the requests of a bank in one direction, in order of arrival. hit
// is the oldest to the open row, -1 if there is none.
type chain struct{ head, tail, hit int32 }

// bank is the state of a bank: the open row and the earliest cycle of each
// command.
type bank struct {
	row   uint64
	act   kit.Cycle
	pre   kit.Cycle
	col   kit.Cycle
	chain [2]chain
	wait  [2]kit.Cycle // no command for a request of a direction goes before
}

// Channel is a memory channel.
type Channel struct {
	config    *Config
	layout    layout
	scheduler Scheduler
	banks     []bank
	requests  kit.Slab[request]
	pending   [2]uint64 // banks with requests, by direction
	queued    [2]int
	reserved  [2]int
	mode      direction
	seq       uint64
	done      *kit.Pipe[uint32]

	bus     bus
	refresh refresh

	Stats Stats
}

// bus holds the constraints between commands of different banks.
type bus struct {
	col      kit.Cycle // earliest column command, other group
	groupCol [maxBanks]kit.Cycle
	act      kit.Cycle
	groupAct [maxBanks]kit.Cycle
	faw      [4]kit.Cycle // times of the last four activations, a ring
	fawAt    int
	read     kit.Cycle // earliest read after a write
	groupRd  [maxBanks]kit.Cycle
	write    kit.Cycle // earliest write after a read
}

// New returns an idle channel for requests within lines of line bytes.
func New(c *Config, line int) (*Channel, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	layout, err := newLayout(c, line)
	if err != nil {
		return nil, err
	}
	scheduler, err := newScheduler(c)
	if err != nil {
		return nil, err
	}
	ch := &Channel{
		config: c, layout: layout, scheduler: scheduler, banks: make([]bank, c.Groups*c.Banks),
		done: kit.NewPipe[uint32](c.Timing.CL + c.Timing.Burst), refresh: newRefresh(c),
	}
	for i := range ch.banks {
		ch.banks[i].row = none
		for d := range ch.banks[i].chain {
			ch.banks[i].chain[d] = chain{-1, -1, -1}
		}
	}
	return ch, nil
}

// Reserve keeps a place in the queue for a request to be pushed later; false if
// the queue is full.
func (c *Channel) Reserve(isWrite bool) bool {
	d, size := read, c.config.Queue
	if isWrite {
		d, size = write, c.config.WriteQueue
	}
	if c.reserved[d] >= size {
		return false
	}
	c.reserved[d]++
	return true
}

// Release gives a reserved place back.
func (c *Channel) Release(isWrite bool) {
	if isWrite {
		c.reserved[write]--
	} else {
		c.reserved[read]--
	}
}

// Waiting is the number of requests that have not been served yet.
func (c *Channel) Waiting() int { return c.queued[read] + c.queued[write] }

// Request asks for bytes of one line.
type Request struct {
	Addr  uint64 // within the channel
	Atoms int    // column commands
	Write bool
	Tag   uint32 // handed back when read data have come
}

// Push enters a request for which a place was reserved.
func (c *Channel) Push(now kit.Cycle, q Request) {
	d := read
	if q.Write {
		d = write
	}
	i := c.requests.New()
	c.seq++
	p := c.layout.of(q.Addr)
	b := &c.banks[p.bank]
	ch := &b.chain[d]
	*c.requests.At(i) = request{place: p, seq: c.seq, since: now, tag: q.Tag, left: q.Atoms, next: -1, prior: ch.tail}
	if ch.tail < 0 {
		ch.head = i
		c.pending[d] |= 1 << p.bank
	} else {
		c.requests.At(ch.tail).next = i
	}
	ch.tail = i
	if ch.hit < 0 && b.row == p.row {
		ch.hit = i
	}
	b.wait[d] = 0
	c.queued[d]++
	c.Stats.Requests[d]++
}

// Pop takes the tag of a read whose data have come by cycle now.
func (c *Channel) Pop(now kit.Cycle) (tag uint32, ok bool) { return c.done.Pop(now) }

// NextDone is the cycle at which the next read's data come, as far as known.
func (c *Channel) NextDone() kit.Cycle { return c.done.Next() }

// active iterates over the banks that have requests in the present direction.
func (c *Channel) active() func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for set := c.pending[c.mode]; set != 0; set &= set - 1 {
			if !yield(bits.TrailingZeros64(set)) {
				return
			}
		}
	}
}

// candidate is a command that could be sent.
type candidate struct {
	request int32
	seq     uint64
}

// Step sends the commands of cycle now and returns when it wants to run again.
func (c *Channel) Step(now kit.Cycle) kit.Cycle {
	if c.config.Simple {
		return c.stepSimple(now)
	}
	c.refresh.catchUp(c, now)
	if c.turn(); c.queued[c.mode] == 0 {
		return kit.Never
	}
	column, row, next := c.survey(now)
	if column.request >= 0 {
		c.column(now, column.request)
		next = min(next, c.bus.col)
	}
	if row.request >= 0 {
		if column.request < 0 || c.config.DualBus {
			c.open(now, row.request)
		}
		next = now + 1
	}
	if c.Waiting() == 0 {
		return kit.Never
	}
	return max(now+1, min(next, c.refresh.due))
}

// stepSimple serves the oldest request without regard to banks.
func (c *Channel) stepSimple(now kit.Cycle) kit.Cycle {
	if c.Waiting() == 0 {
		return kit.Never
	}
	if c.bus.col > now {
		return c.bus.col
	}
	oldest := int32(-1)
	for d := read; d <= write; d++ {
		for set := c.pending[d]; set != 0; set &= set - 1 {
			i := c.banks[bits.TrailingZeros64(set)].chain[d].head
			if oldest < 0 || c.requests.At(i).seq < c.requests.At(oldest).seq {
				oldest, c.mode = i, d
			}
		}
	}
	c.column(now, oldest)
	c.bus.col = now + c.config.Timing.Burst
	if c.Waiting() == 0 {
		return kit.Never
	}
	return c.bus.col
}

// turn chooses the direction: reads, unless writes are many or alone.
func (c *Channel) turn() {
	switch {
	case c.queued[write] == 0:
		c.mode = read
	case c.queued[read] == 0 || c.queued[write] >= c.config.High:
		c.mode = write
	case c.mode == write && c.queued[write] <= c.config.Low:
		c.mode = read
	}
}

// survey finds the oldest column and row command that can be sent now, and when
// the first of the others can.
func (c *Channel) survey(now kit.Cycle) (column, row candidate, next kit.Cycle) {
	column, row, next = candidate{request: -1}, candidate{request: -1}, kit.Never
	for set := c.pending[c.mode]; set != 0; set &= set - 1 {
		n := bits.TrailingZeros64(set)
		b := &c.banks[n]
		if b.wait[c.mode] > now {
			next = min(next, b.wait[c.mode])
			continue
		}
		i := c.scheduler.Pick(c, n, now)
		if i < 0 {
			continue
		}
		r := c.requests.At(i)
		best, at := &row, kit.Cycle(0)
		switch b.row {
		case r.row:
			best, at = &column, c.columnAt(n, b)
		case none:
			at = c.activateAt(n, b)
		default:
			at = b.pre
		}
		if at > now {
			next, b.wait[c.mode] = min(next, at), at
		} else if best.request < 0 || r.seq < best.seq {
			*best = candidate{i, r.seq}
		}
	}
	return column, row, next
}

// columnAt is the earliest cycle of a column command to a bank.
func (c *Channel) columnAt(n int, b *bank) kit.Cycle {
	g := n / c.config.Banks
	at := max(b.col, c.bus.col, c.bus.groupCol[g])
	if c.mode == write {
		return max(at, c.bus.write)
	}
	return max(at, c.bus.read, c.bus.groupRd[g])
}

// activateAt is the earliest cycle of an activation of a bank.
func (c *Channel) activateAt(n int, b *bank) kit.Cycle {
	at := max(b.act, c.bus.act, c.bus.groupAct[n/c.config.Banks])
	return max(at, c.bus.faw[c.bus.fawAt])
}

// column sends a column command.
func (c *Channel) column(now kit.Cycle, i int32) {
	t, r := &c.config.Timing, c.requests.At(i)
	b, g := &c.banks[r.bank], r.bank/c.config.Banks
	b.wait = [2]kit.Cycle{}
	c.bus.col = now + t.CCDS
	c.bus.groupCol[g] = now + t.CCDL
	if c.mode == write {
		end := now + t.WL + t.Burst
		b.pre = max(b.pre, end+t.WR)
		c.bus.read = end + t.WTRS
		c.bus.groupRd[g] = end + t.WTRL
	} else {
		b.pre = max(b.pre, now+t.RTP)
		c.bus.write = now + t.RTW
	}
	c.Stats.Atoms[c.mode]++
	c.Stats.Busy += uint64(t.Burst)
	if !r.served {
		r.served = true
		c.Stats.classify(r)
		c.Stats.Waited += uint64(now - r.since)
	}
	if r.left--; r.left == 0 {
		c.finish(now, i)
	}
}

// finish takes a request out of its chain.
func (c *Channel) finish(now kit.Cycle, i int32) {
	r := c.requests.At(i)
	ch := &c.banks[r.bank].chain[c.mode]
	if r.prior < 0 {
		ch.head = r.next
	} else {
		c.requests.At(r.prior).next = r.next
	}
	if r.next < 0 {
		ch.tail = r.prior
	} else {
		c.requests.At(r.next).prior = r.prior
	}
	if ch.head < 0 {
		c.pending[c.mode] &^= 1 << r.bank
	}
	if ch.hit == i {
		ch.hit = c.search(r.next, r.row)
	}
	c.queued[c.mode]--
	c.reserved[c.mode]--
	if c.mode == read {
		c.done.Push(now, r.tag)
	}
	c.Stats.Finished[c.mode]++
	c.requests.Free(i)
}

// search finds the first request to a row from i on.
func (c *Channel) search(i int32, row uint64) int32 {
	for i >= 0 && c.requests.At(i).row != row {
		i = c.requests.At(i).next
	}
	return i
}

// open sends the row command that a request needs.
func (c *Channel) open(now kit.Cycle, i int32) {
	t, r := &c.config.Timing, c.requests.At(i)
	b := &c.banks[r.bank]
	b.wait = [2]kit.Cycle{}
	if b.row != none {
		r.precharged = true
		c.Stats.Precharges++
		c.close(b, now+t.RP)
		return
	}
	r.activated = true
	c.Stats.Activations++
	g := r.bank / c.config.Banks
	b.row, b.col, b.pre, b.act = r.row, now+t.RCD, now+t.RAS, now+t.RC
	c.bus.act = now + t.RRDS
	c.bus.groupAct[g] = now + t.RRDL
	c.bus.faw[c.bus.fawAt] = now + t.FAW
	c.bus.fawAt = (c.bus.fawAt + 1) % len(c.bus.faw)
	for d := range b.chain {
		b.chain[d].hit = c.search(b.chain[d].head, b.row)
	}
}

// close closes a bank's row; it may be activated from cycle act on.
func (c *Channel) close(b *bank, act kit.Cycle) {
	b.row, b.act, b.wait = none, max(b.act, act), [2]kit.Cycle{}
	for d := range b.chain {
		b.chain[d].hit = -1
	}
}
