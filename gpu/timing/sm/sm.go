package sm

import (
	"fmt"

	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

// SM is a streaming multiprocessor.
type SM struct {
	cfg   Config
	step  Stepper
	mem   Memory
	below Backing  // nil for a fixed latency
	watch Observer // nil for none

	now      kit.Cycle
	memory   kit.Cycle // next tick of mem
	subs     []subCore
	warps    []warp // by slot
	ctas     []cta
	wheel    *kit.Wheel[event]
	requests kit.Slab[Request]
	arbiter  arbiter
	level1   level1
	loads    constantLoads

	double      sharedPipe // double precision, if it is shared
	barrierFree kit.Cycle  // barrier admission
	age         uint32
	used        Occupied
	crossed     []Crossing // see Crossed
	ended       []End
	leaving     int // CTAs whose warps have ended
	running     bool
	since       kit.Cycle // cycles before are in the statistics
	stats       Stats
}

// Parts are what an SM works with.
type Parts struct {
	Stepper  Stepper
	Memory   Memory
	Backing  Backing  // optional: without, an L1 instruction miss costs a fixed time
	Observer Observer // optional
}

// New returns an empty SM at cycle 0. The error names a parameter out of range.
func New(c *Config, p Parts) (*SM, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	m := &SM{
		cfg: *c, step: p.Stepper, mem: p.Memory, below: p.Backing, watch: p.Observer,
		subs: make([]subCore, c.Limits.SubCores), warps: make([]warp, c.Limits.Warps),
		ctas: make([]cta, c.Limits.CTAs), wheel: kit.NewWheel[event](),
		level1: newLevel1(c), loads: constantLoads{tags: newTags(c.Constant.VLSets, c.Constant.VLWays)},
		memory: kit.Never,
	}
	prefetcher, err := newPrefetcher(c)
	if err != nil {
		return nil, err
	}
	m.arbiter.since = make([]kit.Cycle, len(m.subs))
	for i := range m.warps {
		m.warps[i].cta = -1
	}
	for i := range m.subs {
		policy, err := newPolicy(c)
		if err != nil {
			return nil, err
		}
		m.subs[i].init(m, i, policy, prefetcher)
	}
	return m, nil
}

// Observe makes o the observer, nil for none.
func (m *SM) Observe(o Observer) { m.watch = o }

// check reports parameters that the model cannot work with.
func (c *Config) check() error {
	l, f, r := &c.Limits, &c.Front, &c.Register
	for _, rule := range []struct {
		holds bool
		what  string
	}{
		{l.SubCores > 0 && l.SubCores <= 16, "sm.subcores is 1 to 16"},
		{l.Warps > 0 && l.Warps%max(l.SubCores, 1) == 0 && l.Warps/max(l.SubCores, 1) <= 32 && l.Warps <= 256, "sm.warps is a multiple of sm.subcores and at most 32 for each"},
		{l.CTAs > 0 && l.Registers > 0 && l.Unit > 0 && l.Grain > 0, "sm.ctas, sm.regfile and the units are positive"},
		{f.Buffer > 0 && f.Buffer < 128, "fetch.buffer is 1 to 127"},
		{powerOfTwo(f.Line) && f.Bytes > 0 && f.Line%f.Bytes == 0, "icache.line is a power of two and a multiple of fetch.inst_bytes"},
		{f.L0Sets > 0 && f.L0Ways > 0 && f.L1Sets > 0 && f.L1Ways > 0, "instruction caches have sets and ways"},
		{f.Stream >= 0 && f.Link > 0 && f.Below > 0 && f.Redirect > 0, "icache.stream is not negative; latencies are positive"},
		{r.Ports > 0 && r.Ports <= 4, "regfile.read_ports is 1 to 4"},
		{r.Window > 0 && r.Window <= 16 && r.Wide > 0 && r.Wide <= 16, "regfile.window is 1 to 16"},
		{r.Results > 0, "regfile.results is positive"},
		{powerOfTwo(c.Constant.Line) && c.Constant.Line <= f.Line, "const.line is a power of two and at most icache.line"},
		{c.Constant.FLSets > 0 && c.Constant.FLWays > 0 && c.Constant.VLSets > 0 && c.Constant.VLWays > 0, "constant caches have sets and ways"},
		{c.Local.Queue > 0 && c.Local.Front > 1 && c.Local.Accept > 0, "local.queue and local.accept are positive, local.front is above 1"},
		{c.Issue.Consumers > 0 && c.Issue.Consumers < 256, "scoreboard.consumers is 1 to 255"},
		{c.Special.Read > 2 && c.Special.MatrixOps > 0, "sfu.read is above 2, tensor.rate positive"},
		{c.Special.GroupOps > 0 && c.Special.GroupRead > 0, "tensor.group_rate and tensor.group_read are positive"},
		{c.Special.GroupLate >= 0 && c.Special.GroupSums >= 0 && c.Issue.Retry >= 0, "tensor.group_latency, tensor.group_sums and mbarrier.retry are not negative"},
	} {
		if !rule.holds {
			return fmt.Errorf("configuration of an SM: %s", rule.what)
		}
	}
	return nil
}

func powerOfTwo(n int) bool { return n > 0 && n&(n-1) == 0 }

func (s *subCore) init(m *SM, index int, policy Policy, prefetcher Prefetcher) {
	c := &m.cfg
	s.sm, s.index, s.wake, s.asleep = m, index, kit.Never, NoWarp
	s.sched.policy = policy
	s.sched.view.Last = 31 // nobody, as a rule
	s.front.l0 = newTags(c.Front.L0Sets, c.Front.L0Ways)
	s.front.ahead = ahead{policy: prefetcher, lines: make([]aheadLine, c.Front.Stream)}
	s.front.perLine = int32(c.Front.Line / c.Front.Bytes)
	s.back.ports = ports{n: c.Register.Ports, window: c.Register.Window, wide: c.Register.Wide, ideal: c.Register.Ideal}
	s.back.ports.reuse.on = c.Register.Reuse
	s.back.results.size = c.Register.Results
	s.mem = memoryQueue{credits: c.Local.Queue, queue: kit.NewQueue[int32](c.Local.Queue), constant: newTags(c.Constant.FLSets, c.Constant.FLWays)}
}

// event is what the wheel brings back.
type event struct {
	addr uint64
	id   int32 // index into the Code, request or count, by kind
	kind evKind
	slot uint8 // warp slot, sub-core or client, by kind
}

type evKind uint8

const (
	evWritten   evKind = iota // results of an instruction can be read
	evLate                    // its predicates can
	evConsumed                // its sources have been read
	evLoaded                  // a request's results can be read
	evSources                 // a request's sources have been read
	evAddressed               // a sub-core has calculated an address
	evConstant                // a constant load has hit
	evStall                   // a long stall ends
	evRefetch                 // a branch's target can be fetched
	evLookup                  // a request reaches L1
	evReply                   // a line reaches L0
	evBelow                   // a line reaches L1
	evAwake                   // what a warp dozes for has come
	evExpire                  // it has dozed for too long
)

// later schedules an event that names warp w.
func (m *SM) later(w *warp, at kit.Cycle, e event) {
	w.callbacks++
	m.wheel.At(at, e)
}

// Tick does the work of cycle now, which must not go back, and returns the next
// cycle with any; kit.Never when only Launch, Wake or LineArrived can bring
// some. Cycles in between need not be ticked.
func (m *SM) Tick(now kit.Cycle) kit.Cycle {
	m.now = now
	for e, ok := m.wheel.Pop(now); ok; e, ok = m.wheel.Pop(now) {
		m.handle(&e)
	}
	if m.memory <= now {
		m.memory = m.mem.Tick(now)
	}
	next := m.arbitrate(now)
	for i := range m.subs {
		s := &m.subs[i]
		if s.wake <= now {
			s.tick(now)
		}
		next = min(next, s.wake)
	}
	if m.running && m.used.ctas == 0 {
		m.idle()
	}
	return min(next, m.memory, m.wheel.Next())
}

// Wake makes the SM tick its Memory at cycle at: an answer has come from below.
func (m *SM) Wake(at kit.Cycle) { m.memory = min(m.memory, at) }

func (m *SM) handle(e *event) {
	switch e.kind {
	case evWritten, evLate, evConsumed, evStall, evRefetch, evAwake:
		m.handleWarp(e)
	case evExpire:
		m.expire(int(e.slot))
	case evLoaded:
		m.loaded(e.id)
	case evSources:
		m.sources(e.id)
	case evAddressed:
		m.arbiter.add(int(e.slot), m.now)
	case evConstant:
		m.Done(e.id)
	case evLookup:
		m.lookup(e.addr, e.slot)
	case evReply:
		m.reply(e.addr, e.slot)
	case evBelow:
		m.LineArrived(m.now, e.addr)
	}
}

// handleWarp handles the events that name a warp slot.
func (m *SM) handleWarp(e *event) {
	w := &m.warps[e.slot]
	s, i := m.place(int(e.slot))
	w.callbacks--
	switch e.kind {
	case evWritten:
		in := &w.code.Insts[e.id]
		if m.watch != nil && !in.Scheduled {
			m.watch.Released(m.now, int(e.slot), &in.writes)
		}
		if late := in.writes; !in.Scheduled && in.Late > in.Latency && late[predicateBase>>6] != 0 {
			late[predicateBase>>6] &= 1<<Guards - 1
			w.release(&late, m.now)
		} else {
			w.written(in, m.now)
		}
	case evLate:
		w.release(&RegSet{predicateBase >> 6: w.code.Insts[e.id].writes[predicateBase>>6] &^ (1<<Guards - 1)}, m.now)
	case evConsumed:
		w.consumed(&w.code.Insts[e.id])
	case evStall:
		if w.readyAt <= m.now {
			s.sched.stalled &^= 1 << i
			s.rouse(m.now)
		}
	case evRefetch:
		s.refetch(i, e.id, m.now)
	case evAwake:
		m.awake(int(e.slot), e.id)
	}
	s.unhold(i, m.now)
	m.drain(w)
}

// place is the sub-core of a warp slot, and the slot within it.
func (m *SM) place(slot int) (*subCore, int) {
	return &m.subs[slot%len(m.subs)], slot / len(m.subs)
}

// Stats brings the counters up to the end of cycle now and returns them.
func (m *SM) Stats(now kit.Cycle) *Stats {
	for i := range m.subs {
		m.subs[i].account(now + 1)
	}
	if m.running && now+1 > m.since {
		m.stats.Cycles += uint64(now + 1 - m.since)
		m.since = now + 1
	}
	return &m.stats
}
