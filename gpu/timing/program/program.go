package program

import (
	"fmt"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/timing/sm"
)

// Program is the machine code of a kernel.
type Program struct {
	Code *sm.Code
	// Registers is what a thread needs: the cubin's number if there is one, else
	// what the functions in reach use at most. Code may name more than a cubin's
	// number, where ours needs more than ptxas did; it counts for occupancy only.
	Registers int
	// Shared is the number of rows that got a register which another live row
	// holds: how far the code is from one that an assembler would have spilled.
	Shared int

	kernel    *isa.Kernel
	scheduler *Scheduler
	bodies    map[*isa.Function]*Body
}

// Body is a function within a program.
type Body struct {
	first []int32 // by instruction of the function: its first part
	parts []uint8
	wide  []wide // by instruction; nil if there is none

	gathered []bool // by instruction: lanes that name one address are one; nil if there is none
}

// At is the first machine instruction of instruction pc.
func (b *Body) At(pc int32) int32 { return b.first[pc] }

// Parts is the number of machine instructions of instruction pc; 0 for one that
// has become part of others.
func (b *Body) Parts(pc int32) uint8 { return b.parts[pc] }

// Shape makes of the accesses that instruction pc has made those of its machine instruction.
func (b *Body) Shape(pc int32, accesses []isa.Access) []isa.Access {
	switch {
	case b.wide != nil && b.wide[pc].members > 0:
		w := &b.wide[pc]
		for i := range accesses {
			accesses[i].Addr -= uint64(w.below)
			accesses[i].Bytes = w.bytes
		}
	case b.gathered != nil && b.gathered[pc]:
		return distinct(accesses)
	}
	return accesses
}

// minimum is the least number of registers that a thread has.
const minimum = 16

// New makes the machine code of a kernel, whose functions it orders. base and
// consts are the addresses of the code and of the constants.
func New(k *isa.Kernel, s *Scheduler, base, consts uint64) (*Program, error) {
	p := &Program{Code: sm.NewCode(base, consts, nil), Registers: k.Registers, kernel: k, scheduler: s, bodies: map[*isa.Function]*Body{}}
	if k.Entry == nil || len(k.Entry.Code) == 0 {
		return nil, fmt.Errorf("kernel %s has no code", k.Name)
	}
	p.Code.Params = int(k.ParamBytes)
	p.Body(k.Entry)
	return p, nil
}

// Body finds a function, which it appends to the code, with all that it calls,
// if it is new: it was reached by an address.
func (p *Program) Body(f *isa.Function) *Body {
	if b := p.bodies[f]; b != nil {
		return b
	}
	var b *Body
	for todo := []*isa.Function{f}; len(todo) > 0; todo = todo[1:] {
		if g := todo[0]; p.bodies[g] == nil {
			p.add(g)
			todo = append(todo, callees(g)...)
		}
	}
	b = p.bodies[f]
	return b
}

// callees are the functions that f calls by name.
func callees(f *isa.Function) (all []*isa.Function) {
	for pc := range f.Code {
		if c := f.Code[pc].Control; c != nil && c.Callee != nil && len(c.Callee.Code) > 0 {
			all = append(all, c.Callee)
		}
	}
	return all
}

// add appends a function to the code.
func (p *Program) add(f *isa.Function) {
	p.scheduler.Order(f, p.kernel.Registers)
	x := fuse(f)
	x.joined(p.scheduler.done[f])
	t := translation{function: f, config: p.scheduler.sm, fusion: x, assignment: assign(f, x, maxRegisters), moved: map[isa.Reg]int32{}, gathers: gathers(f)}
	b := &Body{wide: x.wide}
	start := int32(len(p.Code.Insts))
	for pc := range f.Code {
		b.first = append(b.first, start+int32(len(t.out)))
		parts := t.instruction(pc)
		if pc == 0 && f == p.kernel.Entry {
			parts += t.prologue()
		}
		b.parts = append(b.parts, parts)
	}
	b.gathered = t.gathered
	reuse(t.out)
	p.Code.Append(t.out)
	p.bodies[f] = b
	p.Shared += t.shared
	if p.kernel.Registers == 0 {
		p.Registers = max(p.Registers, t.used, minimum)
	}
}
