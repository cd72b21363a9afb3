package lsu

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
	"github.com/lockstep-sim/lockstep/gpu/timing/noc"
	"github.com/lockstep-sim/lockstep/gpu/timing/sm"
	"github.com/lockstep-sim/lockstep/gpu/timing/tma"
)

// Memory is a Unit as its SM sees it: an sm.Memory, and the sm.Backing of the
// SM's instruction and constant caches.
type Memory struct {
	*Unit
	sm    *sm.SM
	now   kit.Cycle
	bulk  bulk
	peers Peers
}

// NewMemory returns the memory pipeline of the SM of the given number; Attach
// tells it whom to answer.
func NewMemory(c *Config, number int, port *noc.Port) (m *Memory, err error) {
	m = &Memory{bulk: bulk{next: kit.Never}}
	m.Unit, err = New(c, number, port, Answers{
		Done: func(id int32) { m.sm.Done(id) },
		Line: func(addr uint64) { m.sm.LineArrived(m.now, addr) },
		Bulk: m.receiveBulk,
	})
	if err == nil {
		m.bulk.unit, err = tma.New(&c.Bulk, tma.Answers{Done: m.copied, Send: m.sendBulk})
	}
	return m, err
}

// Attach makes the memory answer to s, and find others by peers, which may be nil.
func (m *Memory) Attach(s *sm.SM, peers Peers) { m.sm, m.peers = s, peers }

// kinds is what the SM's classes of instruction are here.
var kinds = [...]Kind{
	sm.NoMem: Lanes, sm.Lanes: Lanes, sm.LoadConst: Lanes,
	sm.LoadGlobal: Load, sm.LoadShared: Load, sm.Fetch: Load,
	sm.StoreGlobal: Store, sm.StoreShared: Store,
	sm.AtomGlobal: Atomic, sm.AtomShared: Atomic,
	sm.AsyncCopy: Copy,
}

// Prepare implements sm.Memory.
func (m *Memory) Prepare(r *sm.Request, accesses []isa.Access) {
	if r.Inst.Mem == sm.Copies {
		r.Accesses = append(r.Accesses[:0], accesses...)
		return
	}
	op := Op{ID: r.ID, Slot: r.Slot, Sub: r.Sub, Kind: kinds[r.Inst.Mem], Words: r.Inst.Words, Uniform: r.Inst.Uniform, Bypass: r.Inst.Bypass, Window: r.Inst.Window, Tells: len(r.Late) > 0, Accesses: accesses}
	if op.Kind == Atomic && r.Inst.Dst[0].File == sm.None {
		op.Kind = Reduce
	}
	r.Entry = m.Unit.Prepare(&op)
}

// Accept implements sm.Memory.
func (m *Memory) Accept(now kit.Cycle, r *sm.Request) bool {
	if r.Inst.Mem == sm.Copies {
		return m.acceptBulk(now, r)
	}
	return m.Admit(now, r.Entry)
}

// Tick implements sm.Memory.
func (m *Memory) Tick(now kit.Cycle) kit.Cycle {
	m.now = now
	next := m.Unit.Tick(now)
	if m.bulk.next <= now {
		m.tickBulk(now)
	}
	return min(next, m.bulk.next)
}

// Request implements sm.Backing.
func (m *Memory) Request(now kit.Cycle, line uint64) {
	m.FetchLine(now, line)
	m.sm.Wake(now)
}
