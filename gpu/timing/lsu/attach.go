package lsu

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
	"github.com/lockstep-sim/lockstep/gpu/timing/noc"
	"github.com/lockstep-sim/lockstep/gpu/timing/sm"
)

// Memory is a Unit as its SM sees it: an sm.Memory, and the sm.Backing of the
// SM's instruction and constant caches.
type Memory struct {
	*Unit
	sm  *sm.SM
	now kit.Cycle
}

// NewMemory returns the memory pipeline of the SM of the given number; Attach
// tells it whom to answer.
func NewMemory(c *Config, number int, port *noc.Port) (m *Memory, err error) {
	m = &Memory{}
	m.Unit, err = New(c, number, port, Answers{
		Done: func(id int32) { m.sm.Done(id) },
		Line: func(addr uint64) { m.sm.LineArrived(m.now, addr) },
	})
	return m, err
}

// Attach makes the memory answer to s.
func (m *Memory) Attach(s *sm.SM) { m.sm = s }

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
	op := Op{ID: r.ID, Slot: r.Slot, Sub: r.Sub, Kind: kinds[r.Inst.Mem], Words: r.Inst.Words, Uniform: r.Inst.Uniform, Bypass: r.Inst.Bypass, Accesses: accesses}
	if op.Kind == Atomic && r.Inst.Dst[0].File == sm.None {
		op.Kind = Reduce
	}
	r.Entry = m.Unit.Prepare(&op)
}

// Accept implements sm.Memory.
func (m *Memory) Accept(now kit.Cycle, r *sm.Request) bool { return m.Admit(now, r.Entry) }

// Tick implements sm.Memory.
func (m *Memory) Tick(now kit.Cycle) kit.Cycle {
	m.now = now
	return m.Unit.Tick(now)
}

// Request implements sm.Backing.
func (m *Memory) Request(now kit.Cycle, line uint64) {
	m.FetchLine(now, line)
	m.sm.Wake(now + m.config.Data.Miss)
}
