package lower

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// specialRow finds the row of a special register, a predicate or not; nil after
// an error was reported.
func (l *lowering) specialRow(a *ast.Operand, predicate bool) *isa.Op {
	s := ast.Specials[a.Index]
	name := s.Name
	if a.Part >= ast.PartX && a.Part <= ast.PartW {
		name += "." + string("xyzw"[a.Part-ast.PartX])
	}
	op, ok := ops.Special(name)
	switch {
	case !ok:
		l.errorf(a.Pos, "special register %s is not supported", name)
	case s.Type == ast.Pred && !predicate:
		l.errorf(a.Pos, "special register %s is a predicate", name)
	case s.Type != ast.Pred && predicate:
		l.errorf(a.Pos, "%s is not a predicate", name)
	default:
		if what := ops.Missing(&isa.Form{Op: op}, l.level.version, l.level.target); what != "" {
			l.errorf(a.Pos, "%s: %s", name, what)
		}
		return op
	}
	return nil
}

// special is a register that holds the value of a special register.
func (l *lowering) special(a *ast.Operand, t isa.Type) isa.Reg {
	op := l.specialRow(a, false)
	if op == nil {
		return 0
	}
	d := l.scratch(max(t.Rows(), int(rowsOf(ast.Specials[a.Index].Type)), 1))
	rows := max(t.Rows(), 1)
	form := &isa.Form{Op: op, DBits: max(t.Bits(), 32)}
	in := isa.Inst{Op: op, Exec: op.Bind(form), D: d}
	in.Fast, in.Imm = ops.Fast(form)
	l.aside(in, isa.Use{Reg: d, Rows: uint8(rows), Write: true})
	l.use(d, rows, false)
	return d
}

// specialPredicate is a predicate that holds the value of a special register.
func (l *lowering) specialPredicate(a *ast.Operand) isa.PredReg {
	op := l.specialRow(a, true)
	if op == nil {
		return isa.PSink
	}
	p := isa.PredReg(l.out.NumPreds)
	l.out.NumPreds++
	l.aside(isa.Inst{Op: op, Exec: op.Bind(&isa.Form{}), P: p})
	return p
}

// readSpecial lowers a move from a special register to a general one, which is
// one instruction. It reports false for all else.
func (l *lowering) readSpecial(form *isa.Form, args []ast.Operand, in isa.Inst) bool {
	if !ops.IsMove(form.Op) || len(args) != 2 || args[1].Kind != ast.Special || args[0].Kind != ast.Register {
		return false
	}
	t := form.Type(0)
	if bits := t.Bits(); t.IsFloat() || args[0].Flags|args[1].Flags != 0 || bits < 32 || bits != 8*l.body.Regs[args[0].Index].Type.Size() || 32*int(rowsOf(ast.Specials[args[1].Index].Type)) != bits {
		return false
	}
	if in.Op = l.specialRow(&args[1], false); in.Op == nil {
		return true
	}
	l.uses = l.uses[:0]
	in.D = l.destination(&args[0], t, false, form)
	read := &isa.Form{Op: in.Op, DBits: t.Bits()}
	in.Exec = in.Op.Bind(read)
	in.Fast, in.Imm = ops.Fast(read)
	l.emit(in, t)
	return true
}
