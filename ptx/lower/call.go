package lower

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ast"
)

// call lowers call{.uni} (ret), f, (args), prototype in its short and long forms.
func (l *lowering) call(x *ast.Inst, in isa.Inst, args []ast.Operand) {
	ctl := &isa.Control{}
	in.Control = ctl
	var returns *ast.Operand
	if len(args) > 0 && args[0].Kind == ast.List {
		returns, args = &args[0], args[1:]
	}
	if len(args) == 0 {
		l.errorf(x.Pos, "the call names no function")
		return
	}
	target, decl := &args[0], (*ast.Func)(nil)
	switch target.Kind {
	case ast.Global:
		name := l.body.Symbols[target.Index]
		if ctl.Callee, _ = l.env.Function(name); ctl.Callee == nil {
			l.errorf(target.Pos, "function %s is not defined", name)
			return
		}
		l.callee(name, ctl.Callee)
		decl = l.module.Func(name)
	case ast.Register:
		in.A = l.source(target, isa.B64, false)
		l.facts.Indirect, l.facts.Shares = true, true
	default:
		l.errorf(target.Pos, "this is not a function")
		return
	}
	call := l.uses // the copies below are instructions of their own
	l.uses = nil
	var out []passed
	if returns != nil {
		ctl.Rets, out = l.arguments(returns, nil, true, in)
	}
	if len(args) > 1 && args[1].Kind == ast.List {
		var formals []ast.Var
		if decl != nil {
			formals = decl.Params
		}
		ctl.Args, _ = l.arguments(&args[1], formals, false, in)
	}
	l.uses = call
	l.emit(in, isa.NoType)
	for _, p := range out {
		l.copySlot(p, false, in)
	}
}

// callee notes that a function is called.
func (l *lowering) callee(name string, fn *isa.Function) {
	list := &l.facts.Callees
	if fn.Builtin != "" {
		list = &l.facts.Builtins
		l.facts.Shares = true
	}
	for _, known := range *list {
		if known == name {
			return
		}
	}
	*list = append(*list, name)
}

// arguments finds where the parameters of a call lie in this frame, and the
// registers that take results.
func (l *lowering) arguments(list *ast.Operand, formals []ast.Var, result bool, in isa.Inst) (slots []isa.Slot, registers []passed) {
	elems := l.body.Elems(list)
	for i := range elems {
		var formal *ast.Var
		if i < len(formals) {
			formal = &formals[i]
		}
		s, p := l.argument(&elems[i], formal, result, in)
		slots = append(slots, s)
		if p != nil {
			registers = append(registers, *p)
		}
	}
	return slots, registers
}
