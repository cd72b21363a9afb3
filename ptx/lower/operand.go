package lower

import (
	"math"

	"github.com/lockstep-sim/lockstep/gpu/isa"
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
	if o := (operand{l, form, role, a, role.Type(form), in}); o.legal() {
		fill(o)
	}
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
	} else if !agree(declared, t) {
		l.errorf(a.Pos, "%s has type .%s, not .%s", l.body.RegName(a.Index), declared, t)
	}
	return r, bits
}

// agree reports whether a register of a type can be an operand of another (ISA 9.4): if either is bits, if both are
// integers, or if both are the same floating-point type. ptxas takes a pair of f16 for any integer.
func agree(declared ast.Type, t isa.Type) bool {
	switch {
	case declared.IsBits() || t.Kind() == isa.Bits:
		return true
	case declared == ast.F16x2:
		return t == isa.F16x2 || !t.IsFloat()
	case declared.IsFloat():
		return declared.String() == t.String()
	}
	return !t.IsFloat() && t != isa.U16x2 && t != isa.S16x2
}

// destination is the register that a result of type t goes to.
func (l *lowering) destination(a *ast.Operand, t isa.Type, wider bool, form *isa.Form) isa.Reg {
	switch a.Kind {
	case ast.Sink:
		return l.sink()
	case ast.Register:
		r, bits := l.register(a, t, wider)
		l.use(r, (bits+31)/32, true)
		form.DBits = bits
		return r
	}
	l.errorf(a.Pos, "a result needs a register")
	return 0
}

// source is the operand that holds a value of type t.
func (l *lowering) source(a *ast.Operand, t isa.Type, wider bool) isa.Reg {
	if a.Has(negated) {
		return l.negative(a, t)
	}
	if a.Has(ast.Minus) || a.Has(ast.Not) {
		l.errorf(a.Pos, "a negated operand does not apply here")
	}
	rows := max(t.Rows(), 1)
	switch a.Kind {
	case ast.Register:
		r, _ := l.register(a, t, wider)
		l.use(r, rows, false)
		return r
	case ast.Sum:
		return l.sum(a, t)
	case ast.Special:
		return l.special(a, t)
	case ast.Local, ast.Global:
		r := l.nameAndOffset(a, rows)
		if t.Bits() < 32 {
			r = l.plus(r, 16, 0)
		}
		return r
	case ast.Sink:
		return l.sink()
	}
	return l.constant(l.literal(a, t), rows)
}

// nameAndOffset is the operand that holds the address of what a name and an offset stand for.
func (l *lowering) nameAndOffset(a *ast.Operand, rows int) isa.Reg {
	if a.Kind == ast.Local {
		p := l.places[a.Index]
		p.addr += a.Value
		return l.taken(p, rows)
	}
	addr, space, ok := l.global(a)
	if !ok {
		return 0
	}
	return l.addressOf(space, addr+a.Value, rows)
}

// taken is the operand that holds the address of a variable of the body: in its
// own space for shared and local variables, generic for others.
func (l *lowering) taken(p place, rows int) isa.Reg {
	if p.space != isa.Frame {
		return l.addressOf(p.space, p.addr|p.window, rows)
	}
	d := l.scratch(rows)
	l.aside(isa.Inst{
		Op: ops.FrameAddress, Exec: ops.FrameAddress.Bind(&isa.Form{DBits: 32 * rows}),
		D: d, Imm: int64(p.addr | p.window),
	}, isa.Use{Reg: d, Rows: uint8(rows), Write: true})
	l.use(d, rows, false)
	return d
}

// global finds a module-level name.
func (l *lowering) global(a *ast.Operand) (addr uint64, space isa.Space, ok bool) {
	name := l.body.Symbols[a.Index]
	if addr, ok = l.moduleLocal(name); ok {
		return addr, isa.Local, true
	}
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
		if t.IsFloat() {
			l.errorf(a.Pos, "an integer does not fit type %s", t)
		}
		return truncate(a.Value, t.Bits())
	case ast.Float32:
		switch t {
		case isa.F32, isa.F64, isa.B32:
			return a.Value // ptxas keeps the pattern in a 64-bit place too
		}
	case ast.Float64:
		switch t {
		case isa.F64, isa.B64:
			return a.Value
		case isa.F32:
			return uint64(math.Float32bits(float32(math.Float64frombits(a.Value))))
		}
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
	if a.Kind == ast.Special {
		return l.specialPredicate(a), a.Has(ast.Not)
	}
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

// constant4 appends a constant of four bits to Inst.Imm.
func (o operand) constant4() {
	v := o.lowering.immediate(o.a)
	if v < -8 || v > 15 {
		o.errorf(o.a.Pos, "constant %d is out of range", v)
	}
	o.in.Imm = o.in.Imm<<4 | v&15
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
	l.declaredBefore(a)
	targets := l.body.Targets(&l.body.Tables[a.Index])
	in.Control = &isa.Control{}
	for i := range targets {
		in.Control.Table = append(in.Control.Table, l.label(&targets[i]))
	}
}

// declaredBefore reports a labelled directive that stands after its use.
func (l *lowering) declaredBefore(a *ast.Operand) {
	if t := &l.body.Tables[a.Index]; t.Pos > a.Pos {
		l.errorf(a.Pos, ".%s %s stands after its use", t.Kind, t.Name)
	}
}
