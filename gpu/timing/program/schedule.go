package program

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/timing/sm"
)

// Config holds the parameters of the assembler that a kernel of PTX has not seen.
type Config struct {
	Schedule bool `opt:"ptx.schedule" default:"true" doc:"Instructions are put in an order that hides latencies, as ptxas does; else they stand as in the text." src:"choice"`
	Join     bool `opt:"ptx.join" default:"true" doc:"Loads, and stores, of neighbouring words in one block become wider ones where they are aligned, as ptxas does; wants ptx.schedule." src:"choice"`
	Load     int  `opt:"ptx.load_distance" unit:"cycles" default:"200" doc:"Cycles that the order tries to put between a load of global or local memory and what needs it." src:"guess"`
	Shared   int  `opt:"ptx.shared_distance" unit:"cycles" default:"30" doc:"The same for other instructions of the memory pipeline." src:"MICRO 2025 table 2"`
	Room     int  `opt:"ptx.registers" default:"64" doc:"Registers that the order tries to keep to, or the kernel's number if that is larger." src:"guess"`
}

// Scheduler puts the instructions of functions in an order that an assembler would choose. Instructions
// stay within their block, and on their side of calls, barriers and ordered accesses, so that places
// that branches name stay where they are.
type Scheduler struct {
	config Config
	sm     *sm.Config
	done   map[*isa.Function]map[int32]wide // the joined accesses of those that are ordered
}

// NewScheduler makes a scheduler for an SM.
func NewScheduler(c Config, m *sm.Config) *Scheduler {
	return &Scheduler{config: c, sm: m, done: map[*isa.Function]map[int32]wide{}}
}

// Order reorders f in place, once. No warp may be inside it. registers is what a thread of its kernel
// has, 0 if that is not known.
func (s *Scheduler) Order(f *isa.Function, registers int) {
	if !s.config.Schedule || s.done[f] != nil {
		return
	}
	registers = max(registers, s.config.Room) // ours is not the order that ptxas counted
	live, x := blocks(f), fuse(f)
	flow(f, x, live, f.NumRegs+f.NumPreds)
	l := newLister(s, f, x, registers)
	for i := range live {
		l.block(&live[i])
	}
	code := make([]isa.Inst, len(f.Code))
	for at, pc := range l.order {
		code[at] = f.Code[pc]
	}
	f.Code, f.Program = code, nil
	s.done[f] = l.joined
	f.Operands.Permute(l.order)
}

// latency is the number of cycles that the order tries to put between instruction pc and one that
// needs its result.
func (s *Scheduler) latency(f *isa.Function, x *fusion, pc int) int32 {
	if x.free[pc] {
		return 0
	}
	in, t := &f.Code[pc], f.Operands.Type(pc)
	if in.Op.Unit != isa.LSU && in.Op.Unit != isa.Tex {
		r := s.sm.Timing(in.Op.Unit, in.Op.Class, t)
		if in.P >= isa.PFree {
			return int32(max(r.Latency, r.Late))
		}
		return int32(r.Latency) + int32(f.Operands.Parts(pc)-1)
	}
	switch k := kindOf(in.Op); {
	case k == load && in.Space == isa.Param && in.A < 0:
		return int32(s.sm.Units.IntLatency)
	case k == texture, k == load && in.Space != isa.Shared && in.Space != isa.Const && in.Space != isa.Param:
		return int32(s.config.Load)
	}
	return int32(s.config.Shared)
}

// pinned reports that instruction pc keeps its place, and that nothing passes it.
func pinned(f *isa.Function, pc int) bool {
	in := &f.Code[pc]
	if in.Flow != isa.Next || f.Operands.Moves(pc) == isa.Nowhere || in.Op.Role == isa.Ordered {
		return true
	}
	if in.Op.Unit == isa.Tensor || in.Op.Unit == isa.Tex {
		return in.Op.Args == "" || in.Op.Args[0] != 'd' && in.Op.Args[0] != 'D'
	}
	if in.Op.Unit != isa.LSU {
		return !writes(f, pc) // what does not compute does something else
	}
	switch kindOf(in.Op) {
	case load, store:
		return false
	}
	return true
}

// writes reports that instruction pc writes a register or a predicate.
func writes(f *isa.Function, pc int) bool {
	var t touch
	touches(f, pc, &t)
	return len(t.writes) > 0
}
