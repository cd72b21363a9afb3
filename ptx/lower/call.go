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
	target := &args[0]
	sig := l.signature(target, args)
	switch target.Kind {
	case ast.Global:
		name := l.body.Symbols[target.Index]
		if ctl.Callee, _ = l.env.Function(name); ctl.Callee == nil {
			l.errorf(target.Pos, "function %s is not defined", name)
			return
		}
		l.callee(name, ctl.Callee)
	case ast.Register:
		in.A = l.addressRegister(&isa.Form{}, target)
		if r := &l.body.Regs[target.Index]; r.Type.IsFloat() {
			l.errorf(target.Pos, "%s holds a number, not a function", l.body.RegName(target.Index))
		}
		l.facts.Indirect, l.facts.Shares = true, true
	default:
		l.errorf(target.Pos, "this is not a function")
		return
	}
	call := l.uses // the copies below are instructions of their own
	l.uses = nil
	var out []passed
	var results, values []ast.Operand
	if returns != nil {
		results = l.body.Elems(returns)
	}
	if len(args) > 1 && args[1].Kind == ast.List {
		values = l.body.Elems(&args[1])
	}
	if sig != nil {
		l.count(x.Pos, "results", len(results), sig.Returns)
		l.count(x.Pos, "arguments", len(values), sig.Params)
	} else {
		sig = new(ast.Prototype)
	}
	ctl.Rets, out = l.arguments(results, sig.Returns, true, in)
	ctl.Args, _ = l.arguments(values, sig.Params, false, in)
	l.uses = call
	l.emit(in, isa.NoType)
	for _, p := range out {
		l.copySlot(p, false, in)
	}
}

// signature is the results and parameters that a call must match; nil if the
// call has none to be checked by.
func (l *lowering) signature(target *ast.Operand, args []ast.Operand) *ast.Prototype {
	if target.Kind == ast.Global {
		name := l.body.Symbols[target.Index]
		f := l.module.Func(name)
		switch {
		case f == nil:
			return nil
		case f.Entry:
			l.errorf(target.Pos, "%s is a kernel and cannot be called", name)
			return nil
		}
		return &ast.Prototype{Returns: f.Returns, Params: f.Params}
	}
	last := &args[len(args)-1]
	if last.Kind != ast.TableName {
		l.errorf(target.Pos, "a call through a register needs a prototype or a list of targets")
		return nil
	}
	l.declaredBefore(last)
	t := &l.body.Tables[last.Index]
	if t.Kind != ast.CallTargets {
		return t.Proto
	}
	return l.lastTarget(t)
}

// lastTarget is the signature of the last of the functions that a call may reach: ptxas compares the call with no other.
func (l *lowering) lastTarget(t *ast.Table) *ast.Prototype {
	targets := l.body.Targets(t)
	if len(targets) == 0 || targets[len(targets)-1].Kind != ast.Global {
		return nil
	}
	f := l.module.Func(l.body.Symbols[targets[len(targets)-1].Index])
	if f == nil {
		return nil
	}
	return &ast.Prototype{Returns: f.Returns, Params: f.Params}
}

// count reports a number of arguments or results that is not the callee's. An
// incomplete array at the end may be left out.
func (l *lowering) count(pos ast.Pos, what string, n int, formals []ast.Var) {
	least := len(formals)
	if least > 0 && len(formals[least-1].Dims) > 0 && formals[least-1].Size() == 0 {
		least--
	}
	if n < least || n > len(formals) {
		l.errorf(pos, "the call has %d %s, the function %d", n, what, len(formals))
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
func (l *lowering) arguments(list []ast.Operand, formals []ast.Var, result bool, in isa.Inst) (slots []isa.Slot, registers []passed) {
	for i := range list {
		var formal *ast.Var
		if i < len(formals) {
			formal = &formals[i]
		}
		if formal != nil && !l.suits(&list[i], formal) {
			l.errorf(list[i].Pos, "the type does not match that of the parameter %s", formal.Name)
		}
		s, p := l.argument(&list[i], formal, result, in)
		slots = append(slots, s)
		if p != nil {
			registers = append(registers, *p)
		}
	}
	return slots, registers
}

// suits reports whether an argument may be passed for a parameter: bits for
// anything of the size, integers for integers, else the same; an array for an
// array of its size and alignment, or of any size if that is open.
func (l *lowering) suits(e *ast.Operand, formal *ast.Var) bool {
	array := len(formal.Dims) > 0
	switch e.Kind {
	case ast.Local:
		v := &l.body.Vars[e.Index]
		if array || len(v.Dims) > 0 {
			return array && len(v.Dims) > 0 && (formal.Size() == 0 || v.Size() == formal.Size() && v.Alignment() == formal.Alignment())
		}
		return compatible(v.Type, formal.Type)
	case ast.Register:
		r := &l.body.Regs[e.Index]
		return !array && max(r.Vec, 1) == max(formal.Vec, 1) && compatible(r.Type, formal.Type)
	case ast.Int:
		return !array && !formal.Type.IsFloat()
	case ast.Float32, ast.Float64:
		return !array && (formal.Type.IsFloat() || formal.Type.IsBits())
	}
	return true
}

func compatible(a, b ast.Type) bool {
	return a.Size() == b.Size() && (a == b || a.IsBits() || b.IsBits() || !a.IsFloat() && !b.IsFloat() && a != ast.Pred && b != ast.Pred)
}
