package lower

import (
	"fmt"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// Registers as parameters, the way of PTX before there was an ABI: a function's
// .reg parameters have slots in its frame like .param ones, and so has every
// register or literal that a call passes. They are copied on the way.

// passed is a register that stands for a slot.
type passed struct {
	reg  int32 // of the body
	slot isa.Slot
}

// headerRegisters are the function's .reg parameters, or its .reg results.
func (l *lowering) headerRegisters(results bool) (list []passed) {
	n := len(l.fn.Returns)
	for i := range n + len(l.fn.Params) {
		v := &l.body.Vars[i]
		if v.Space != ast.RegSpace || i < n != results {
			continue
		}
		list = append(list, passed{v.Reg, isa.Slot{Offset: uint32(l.places[i].addr), Size: uint32(max(v.Size(), 1))}})
	}
	return list
}

// enterRegisters begins a function: its .reg parameters get their values.
func (l *lowering) enterRegisters() {
	for _, p := range l.headerRegisters(false) {
		l.copySlot(p, false, isa.Inst{Guard: isa.PT})
	}
}

// leaveRegisters precedes a return: .reg results go to their slots.
func (l *lowering) leaveRegisters(in isa.Inst) {
	if in.Flow != isa.Return {
		return
	}
	for _, p := range l.headerRegisters(true) {
		l.copySlot(p, true, in)
	}
}

// copySlot copies a register to its slot or from it, under the guard of in.
func (l *lowering) copySlot(p passed, store bool, in isa.Inst) {
	r := &l.body.Regs[p.reg]
	if r.Type == ast.Pred {
		l.copyPredicate(isa.PredReg(l.rows[p.reg]), p.slot, store, in)
		return
	}
	bytes, n := int(r.Type.Size()), max(int(r.Vec), 1)
	rows := int(rowsOf(r.Type))
	for i := range n {
		reg := isa.Reg(l.rows[p.reg] + int32(i*rows))
		l.access(reg, bytes, p.slot.Offset+uint32(i*bytes), store, in)
	}
}

// copyPredicate copies a predicate to its slot or from it, as a byte.
func (l *lowering) copyPredicate(p isa.PredReg, slot isa.Slot, store bool, in isa.Inst) {
	value, zero := l.scratch(1), l.constant(0, 1)
	name, mods, shapes := "setp", []string{"ne", "u32"}, []ops.Shape{ops.Plain, ops.Plain, ops.Plain}
	x := isa.Inst{P: p, Q: isa.PSink, A: value, B: zero}
	if store {
		name, mods, shapes = "selp", []string{"b32"}, append(shapes, ops.Plain)
		x = isa.Inst{D: value, A: l.constant(1, 1), B: zero, S: p}
	} else {
		l.access(value, 1, slot.Offset, false, in)
	}
	form, _, err := ops.Lookup(name, mods, shapes...)
	if err != nil {
		l.errorf(l.fn.Pos, "%v", err)
		return
	}
	form.DBits = 32
	x.Op, x.Exec = form.Op, form.Op.Bind(form)
	l.aside(x, isa.Use{Reg: value, Rows: 1, Write: store})
	last := &l.out.Code[len(l.out.Code)-1]
	last.Guard, last.GuardNot = in.Guard, in.GuardNot
	if store {
		l.access(value, 1, slot.Offset, true, in)
	}
}

// access loads or stores a register of some bytes at a place in the frame.
func (l *lowering) access(reg isa.Reg, bytes int, offset uint32, store bool, in isa.Inst) {
	name := "ld"
	if store {
		name = "st"
	}
	form, _, err := ops.Lookup(name, []string{"local", fmt.Sprintf("b%d", 8*bytes)}, ops.Plain, ops.Address)
	if store {
		form, _, err = ops.Lookup(name, []string{"local", fmt.Sprintf("b%d", 8*bytes)}, ops.Address, ops.Plain)
	}
	if err != nil {
		l.errorf(l.fn.Pos, "%v", err)
		return
	}
	form.Space, form.DBits = isa.Frame, 8*bytes
	x := isa.Inst{Op: form.Op, Exec: form.Op.Bind(form), Space: isa.Frame, A: l.constant(uint64(offset), 2)}
	use := isa.Use{Reg: reg, Rows: uint8((bytes + 3) / 4), Write: !store}
	if store {
		x.B = reg
	} else {
		x.D = reg
	}
	l.aside(x, isa.Use{Reg: x.A, Rows: 2}, use)
	last := &l.out.Code[len(l.out.Code)-1]
	last.Guard, last.GuardNot = in.Guard, in.GuardNot
}

// room is a new slot in the frame.
func (l *lowering) room(bytes uint32) isa.Slot {
	s := isa.Slot{Offset: l.out.Local, Size: bytes}
	l.out.Local = Grow(l.out.Local, int64((bytes+frameAlign-1)/frameAlign*frameAlign), MaxLocal)
	return s
}

// argument is the slot of one argument of a call: of a .param variable its own,
// of others a new one, which passed fills or empties around the call. formal is
// the parameter that it is for, nil if it is not known.
func (l *lowering) argument(e *ast.Operand, formal *ast.Var, result bool, in isa.Inst) (isa.Slot, *passed) {
	switch {
	case e.Kind == ast.Local && l.places[e.Index].space == isa.Frame && l.body.Vars[e.Index].Space != ast.LocalSpace:
		return isa.Slot{Offset: uint32(l.places[e.Index].addr), Size: uint32(l.body.Vars[e.Index].Size())}, nil
	case e.Kind == ast.Sink && result:
		return isa.Slot{}, nil
	case e.Kind == ast.Register && e.Part == ast.Whole:
		r := &l.body.Regs[e.Index]
		return l.pass(passed{e.Index, l.room(uint32(max(r.Type.Size(), 1) * max(int(r.Vec), 1)))}, result, in)
	case !result && (e.Kind == ast.Int || e.Kind == ast.Float32 || e.Kind == ast.Float64):
		t := isa.B64
		if formal != nil {
			t = isa.ParseType(formal.Type.String())
		}
		s := l.room(uint32(t.Bytes()))
		value := l.constant(l.literal(e, t), (t.Bytes()+3)/4)
		l.access(value, t.Bytes(), s.Offset, true, in)
		return s, nil
	}
	l.errorf(e.Pos, "an argument is a .param variable, a register or a literal")
	return isa.Slot{}, nil
}

func (l *lowering) pass(p passed, result bool, in isa.Inst) (isa.Slot, *passed) {
	if !result {
		l.copySlot(p, true, in)
	}
	return p.slot, &p
}
