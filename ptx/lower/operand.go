package lower

import (
	"encoding/binary"
	"math"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// operands fills the fields of in that the row's pattern names.
func (l *lowering) operands(x *ast.Inst, form *isa.Form, roles []ops.Arg, args []ast.Operand, in *isa.Inst) {
	in.P, in.Q, in.S = isa.PSink, isa.PSink, isa.PT
	in.Bytes = uint8(min(form.Type(0).Bytes(), 255))
	form.DBits = form.Type(0).Bits()
	for i, role := range roles {
		if i < len(args) {
			l.operand(form, role, &args[i], in)
			continue
		}
		if role.Role == "d" || role.Role == "d|p" {
			in.D = l.sink()
		}
	}
}

// operand fills the fields of in that one operand stands for.
func (l *lowering) operand(form *isa.Form, role ops.Arg, a *ast.Operand, in *isa.Inst) {
	fill := roles[role.Role]
	if fill == nil {
		l.errorf(a.Pos, "operand role %q is unknown", role.Role)
		return
	}
	fill(operand{l, form, role, a, role.Type(form), in})
}

// element is the register of operand a, with its type; ok is false after an
// error was reported.
func (l *lowering) element(a *ast.Operand) (r isa.Reg, t ast.Type, ok bool) {
	reg := &l.body.Regs[a.Index]
	first := l.rows[a.Index]
	switch {
	case a.Part >= ast.PartX && a.Part <= ast.PartW:
		n := int32(a.Part - ast.PartX)
		if n >= int32(reg.Vec) {
			l.errorf(a.Pos, "%s has no such element", l.body.RegName(a.Index))
			return 0, 0, false
		}
		step := int32(1)
		if reg.Type != ast.Pred {
			step = rowsOf(reg.Type)
		}
		first += n * step
	case a.Part != ast.Whole:
		l.errorf(a.Pos, "byte and half selectors are not supported here")
		return 0, 0, false
	}
	return isa.Reg(first), reg.Type, true
}

// register is the rows of a general register used as type t.
func (l *lowering) register(a *ast.Operand, t isa.Type, wider bool) (isa.Reg, int) {
	r, declared, ok := l.element(a)
	if !ok {
		return 0, 0
	}
	bits := declared.Size() * 8
	if declared == ast.Pred {
		l.errorf(a.Pos, "%s is a predicate, not a value", l.body.RegName(a.Index))
		return 0, 0
	}
	want := t.Bits()
	if bits < want || bits > want && !wider {
		l.errorf(a.Pos, "%s has %d bits, %s needs %d", l.body.RegName(a.Index), bits, t, want)
	}
	return r, bits
}

// destination is the register that a result of type t goes to.
func (l *lowering) destination(a *ast.Operand, t isa.Type, wider bool, form *isa.Form) isa.Reg {
	switch a.Kind {
	case ast.Sink:
		return l.sink()
	case ast.Register:
		r, bits := l.register(a, t, wider)
		form.DBits = bits
		return r
	}
	l.errorf(a.Pos, "a result needs a register")
	return 0
}

// source is the operand that holds a value of type t.
func (l *lowering) source(a *ast.Operand, t isa.Type, wider bool) isa.Reg {
	if a.Has(ast.Minus) || a.Has(ast.Not) {
		l.errorf(a.Pos, "a negated operand does not apply here")
	}
	rows := max(t.Rows(), 1)
	switch a.Kind {
	case ast.Register:
		r, _ := l.register(a, t, wider)
		return r
	case ast.Special:
		return l.special(a, t)
	case ast.Local:
		p := l.places[a.Index]
		return l.placed(p.space, p.addr+a.Value, rows)
	case ast.Global:
		addr, space, ok := l.global(a)
		if !ok {
			return 0
		}
		return l.placed(space, addr+a.Value, rows)
	case ast.Sink:
		return l.sink()
	}
	return l.constant(l.literal(a, t), rows)
}

// placed is the operand that holds the address of a variable: in its own space
// for shared and local variables, generic for others.
func (l *lowering) placed(space isa.Space, addr uint64, rows int) isa.Reg {
	switch space {
	case isa.Frame:
		d := l.scratch(rows)
		l.emit(isa.Inst{Op: ops.FrameAddress, Exec: ops.FrameAddress.Bind(&isa.Form{DBits: 32 * rows}), D: d, Imm: int64(addr), Line: -1, Guard: isa.PT})
		return d
	case isa.Param:
		addr |= isa.ParamWindow
	}
	return l.constant(addr, rows)
}

// special is a register that holds the value of a special register.
func (l *lowering) special(a *ast.Operand, t isa.Type) isa.Reg {
	s := ast.Specials[a.Index]
	name := s.Name
	if a.Part >= ast.PartX && a.Part <= ast.PartW {
		name += "." + string("xyzw"[a.Part-ast.PartX])
	}
	op, ok := ops.Special(name)
	if !ok {
		l.errorf(a.Pos, "special register %s is not supported", name)
		return 0
	}
	d := l.scratch(max(t.Rows(), int(rowsOf(s.Type)), 1))
	l.emit(isa.Inst{Op: op, Exec: op.Bind(&isa.Form{DBits: max(t.Bits(), 32)}), D: d, Line: -1, Guard: isa.PT})
	return d
}

// global finds a module-level name.
func (l *lowering) global(a *ast.Operand) (addr uint64, space isa.Space, ok bool) {
	name := l.body.Symbols[a.Index]
	if addr, space, ok = l.env.Variable(name); ok {
		return addr, space, true
	}
	if fn, code := l.env.Function(name); fn != nil {
		return code, isa.Global, true
	}
	l.errorf(a.Pos, "%s is not defined", name)
	return 0, 0, false
}

// literal is the value of an immediate of type t.
func (l *lowering) literal(a *ast.Operand, t isa.Type) uint64 {
	switch a.Kind {
	case ast.Int:
		if t.IsFloat() && t != isa.F16 && t != isa.BF16 && t != isa.F16x2 && t != isa.BF16x2 {
			l.errorf(a.Pos, "an integer does not fit type %s", t)
		}
		return truncate(a.Value, t.Bits())
	case ast.Float32:
		if t == isa.F64 {
			return math.Float64bits(float64(math.Float32frombits(uint32(a.Value))))
		}
		return a.Value
	case ast.Float64:
		switch {
		case t.Bits() == 64:
			return a.Value
		case t == isa.F16:
			return uint64(alu.CvtF16F64(alu.RN, a.Value))
		}
		return uint64(math.Float32bits(float32(math.Float64frombits(a.Value))))
	}
	l.errorf(a.Pos, "this operand does not apply here")
	return 0
}

func truncate(v uint64, bits int) uint64 {
	if bits >= 64 || bits == 0 {
		return v
	}
	return v & (1<<bits - 1)
}

// list fills in.Vec from a brace list whose elements share type t or, where the
// row has no vector modifier, are equal parts of it.
func (l *lowering) list(a *ast.Operand, t isa.Type, wider bool, in *isa.Inst, dest bool, form *isa.Form) bool {
	elems := l.body.Elems(a)
	if a.Kind == ast.Register && l.body.Regs[a.Index].Vec > 1 && a.Part == ast.Whole {
		return l.vectorRegister(a, in)
	}
	if a.Kind != ast.Vector && a.Kind != ast.List {
		return false
	}
	if form.Any("v2", "v4", "v8") == "" {
		t = partOf(t, len(elems))
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
		l.vectorRegister(a, in)
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
		l.emit(isa.Inst{Op: handleOp, Exec: handleExec, D: in.A, Imm: int64(addr), Line: -1, Guard: isa.PT})
	}
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
func (l *lowering) vectorRegister(a *ast.Operand, in *isa.Inst) bool {
	r := &l.body.Regs[a.Index]
	for i := range int32(r.Vec) {
		in.Vec = append(in.Vec, isa.Reg(l.rows[a.Index]+i*rowsOf(r.Type)))
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

// predicates fills the predicate destinations from p or p|q.
func (l *lowering) predicates(a *ast.Operand, in *isa.Inst) {
	if a.Kind == ast.Pair {
		elems := l.body.Elems(a)
		in.P, in.Q = l.predicate(&elems[0]), l.predicate(&elems[1])
		return
	}
	in.P = l.predicate(a)
}

func (l *lowering) predicate(a *ast.Operand) isa.PredReg {
	if a.Kind == ast.Sink {
		return isa.PSink
	}
	if a.Kind == ast.Register {
		if r, t, ok := l.element(a); ok && t == ast.Pred {
			return isa.PredReg(r)
		}
	}
	l.errorf(a.Pos, "a predicate register is needed here")
	return isa.PSink
}

func (l *lowering) registerAndPredicate(form *isa.Form, a *ast.Operand, t isa.Type, in *isa.Inst) {
	d := a
	if a.Kind == ast.Pair {
		elems := l.body.Elems(a)
		d = &elems[0]
		in.P = l.predicate(&elems[1])
	}
	in.D = l.destination(d, t, form.Op.Wider, form)
}

// sourcePredicate is a predicate operand; an immediate is true unless zero.
func (l *lowering) sourcePredicate(a *ast.Operand) (p isa.PredReg, not bool) {
	if a.Kind == ast.Int {
		return isa.PT, (a.Value == 0) != a.Has(ast.Not)
	}
	return l.predicate(a), a.Has(ast.Not)
}

func (l *lowering) immediate(a *ast.Operand) int64 {
	if a.Kind != ast.Int {
		l.errorf(a.Pos, "an integer constant is needed here")
	}
	return int64(a.Value)
}

func (l *lowering) label(a *ast.Operand) int32 {
	if a.Kind != ast.CodeLabel {
		l.errorf(a.Pos, "a label is needed here")
		return 0
	}
	return a.Index
}

// table fills the targets of an indexed branch; resolve makes them program
// counters.
func (l *lowering) table(a *ast.Operand, in *isa.Inst) {
	if a.Kind != ast.TableName || l.body.Tables[a.Index].Kind != ast.BranchTargets {
		l.errorf(a.Pos, "a .branchtargets label is needed here")
		return
	}
	targets := l.body.Targets(&l.body.Tables[a.Index])
	in.Control = &isa.Control{}
	for i := range targets {
		in.Control.Table = append(in.Control.Table, l.label(&targets[i]))
	}
}
