package lower

import (
	"encoding/binary"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ast"
)

// list fills in.Vec from a brace list whose elements share type t or, where the
// row has no vector modifier, are equal parts of it.
func (l *lowering) list(a *ast.Operand, t isa.Type, wider bool, in *isa.Inst, dest bool, form *isa.Form) bool {
	elems := l.body.Elems(a)
	if a.Kind == ast.Register && l.body.Regs[a.Index].Vec > 1 && a.Part == ast.Whole {
		return l.vectorRegister(a, in, dest)
	}
	if a.Kind != ast.Vector && a.Kind != ast.List {
		return false
	}
	if n := form.Any("v2", "v4", "v8"); n == "" {
		t = partOf(t, len(elems))
	} else if len(elems) != int(n[1]-'0') {
		l.errorf(a.Pos, ".%s takes %c elements, not %d", n, n[1], len(elems))
	}
	for i := range elems {
		e := &elems[i]
		switch {
		case e.Kind == ast.Sink:
			in.Vec = append(in.Vec, l.sink())
		case dest:
			in.Vec = append(in.Vec, l.destination(e, t, wider, form))
		default:
			in.Vec = append(in.Vec, l.source(e, t, wider))
		}
	}
	return true
}

// fragment appends to in.Vec the registers of a brace list, each of type t, or a
// single one.
func (l *lowering) fragment(a *ast.Operand, t isa.Type, in *isa.Inst, dest bool, form *isa.Form) {
	elems := []ast.Operand{*a}
	switch {
	case a.Kind == ast.Vector || a.Kind == ast.List:
		elems = l.body.Elems(a)
	case a.Kind == ast.Register && l.body.Regs[a.Index].Vec > 1 && a.Part == ast.Whole:
		l.vectorRegister(a, in, dest)
		return
	}
	for i := range elems {
		if dest {
			in.Vec = append(in.Vec, l.destination(&elems[i], t, form.Op.Wider, form))
			continue
		}
		in.Vec = append(in.Vec, l.source(&elems[i], t, form.Op.Wider))
	}
}

// accumulator is a list of registers that are read and written.
func (o operand) accumulator() {
	n := len(o.uses)
	o.fragment(o.a, o.t, o.in, true, o.form)
	for _, u := range o.uses[n:] {
		o.use(u.Reg, int(u.Rows), false)
	}
}

// fragmentAndPredicate is a list of results, perhaps with a predicate.
func (o operand) fragmentAndPredicate() {
	list := o.a
	if o.a.Kind == ast.Pair {
		elems := o.body.Elems(o.a)
		list = &elems[0]
		o.in.P = o.predicate(&elems[1])
	}
	o.fragment(list, o.t, o.in, true, o.form)
}

// texture lowers [handle, {coordinates}], or [handle] alone. A texture or
// surface variable holds its handle.
func (l *lowering) texture(a *ast.Operand, in *isa.Inst, form *isa.Form) {
	handle := a
	if a.Kind == ast.Tuple {
		elems := l.body.Elems(a)
		if len(elems) != 2 {
			l.errorf(a.Pos, "separate samplers are not supported")
			return
		}
		handle = &elems[0]
		l.fragment(&elems[1], isa.B32, in, false, form)
	}
	if handle.Kind != ast.Global {
		in.A = l.source(handle, isa.B64, false)
		return
	}
	if addr, _, ok := l.global(handle); ok {
		in.A = l.scratch(2)
		l.aside(isa.Inst{Op: handleOp, Exec: handleExec, D: in.A, Imm: int64(addr)}, isa.Use{Reg: in.A, Rows: 2, Write: true})
		l.use(in.A, 2, false)
	}
}

// tensor lowers [map, {coordinates}].
func (l *lowering) tensor(a *ast.Operand, in *isa.Inst, form *isa.Form) {
	elems := l.body.Elems(a)
	if a.Kind != ast.Tuple || len(elems) != 2 {
		l.errorf(a.Pos, "a tensor map and coordinates are needed here")
		return
	}
	in.B = l.secondAddress(form, &elems[0])
	l.fragment(&elems[1], isa.B32, in, false, form)
}

// handleOp reads the handle that a texture or surface variable holds.
var handleOp = &isa.Op{Name: "ld.global.u64", Unit: isa.LSU, Class: isa.Variable}

func handleExec(w *isa.Warp, in *isa.Inst) {
	b := w.GlobalBytes(w.Mask.First(), uint64(in.Imm), 8, false)
	if b == nil {
		return
	}
	handle := binary.LittleEndian.Uint64(b)
	for l := range w.Mask.All {
		w.Set64(in.D, l, handle)
	}
}

// vectorRegister fills in.Vec with the elements of a vector register.
func (l *lowering) vectorRegister(a *ast.Operand, in *isa.Inst, dest bool) bool {
	r := &l.body.Regs[a.Index]
	for i := range int32(r.Vec) {
		e := isa.Reg(l.rows[a.Index] + i*rowsOf(r.Type))
		l.use(e, int(rowsOf(r.Type)), dest)
		in.Vec = append(in.Vec, e)
	}
	return true
}

// partOf is the bit type of one of n equal parts of t.
func partOf(t isa.Type, n int) isa.Type {
	if n == 0 {
		return t
	}
	switch t.Bits() / n {
	case 8:
		return isa.B8
	case 16:
		return isa.B16
	case 32:
		return isa.B32
	case 64:
		return isa.B64
	}
	return t
}
