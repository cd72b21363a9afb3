package lower

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// waits marks the reads of a clock in loops that do nothing but wait for it: loops that change nothing which the next round
// or another thread can see. They cannot tell how many rounds they make, so that an engine without time may let more of it
// pass with each.
func waits(f *isa.Function) {
	for pc := range f.Code {
		if in := &f.Code[pc]; in.Flow == isa.Jump && int(in.Target) <= pc && onlyWaits(f, int(in.Target), pc) {
			markReads(f.Code[in.Target:pc])
		}
	}
}

// markReads marks the instructions that read a clock.
func markReads(code []isa.Inst) {
	for i := range code {
		if in := &code[i]; in.Op != nil && seesTime(in.Op.Name) {
			in.Imm = ops.Waits
		}
	}
}

// onlyWaits reports that the loop of instructions [first, last] has one way through it and computes only, from registers that
// it does not change or has set anew in the same round.
func onlyWaits(f *isa.Function, first, last int) bool {
	c := carry{f: f, set: map[int]bool{}, early: map[int]bool{}, changed: map[int]bool{}}
	for pc := first; pc <= last; pc++ {
		in := &f.Code[pc]
		switch in.Flow {
		case isa.Next:
			if !computes(in.Op) {
				return false
			}
		case isa.Jump:
			if t := int(in.Target); t > first && t <= last {
				return false
			}
		case isa.Yield:
		default:
			return false
		}
		c.follow(pc)
	}
	return !c.carries()
}

// computes reports an instruction that does nothing but write registers, and computes what it writes from registers or a clock.
func computes(op *isa.Op) bool {
	return op != nil && op.Unit <= isa.XU && !op.Shares && op.Fence == isa.NoFence && op.Role&isa.Ordered == 0
}

// carry follows what rounds of a loop could hand on.
type carry struct {
	f                   *isa.Function
	set, early, changed map[int]bool // rows and, as negative numbers, predicates: written for sure; read before that; written
}

func (c *carry) follow(pc int) {
	in := &c.f.Code[pc]
	reads, writes := in.Predicates()
	for _, p := range reads {
		c.read(^int(p))
	}
	uses := c.f.Operands.Of(pc)
	for _, u := range uses {
		for r := 0; u.Reg >= 0 && !u.Write && r < int(u.Rows); r++ {
			c.read(int(u.Reg) + r)
		}
	}
	always := in.Guard == isa.PT && !in.GuardNot
	for _, u := range uses {
		for r := 0; u.Reg >= 0 && u.Write && r < int(u.Rows); r++ {
			c.write(int(u.Reg)+r, always)
		}
	}
	for _, p := range writes {
		if p >= isa.PFree {
			c.write(^int(p), always)
		}
	}
}

func (c *carry) read(r int) {
	if !c.set[r] {
		c.early[r] = true
	}
}

func (c *carry) write(r int, always bool) {
	c.changed[r] = true
	if always {
		c.set[r] = true
	}
}

func (c *carry) carries() bool {
	for r := range c.early {
		if c.changed[r] {
			return true
		}
	}
	return false
}
