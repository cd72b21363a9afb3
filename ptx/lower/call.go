package lower

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ast"
)

// call lowers call{.uni} (ret), f, (args), prototype in its short and long forms.
func (l *lowering) call(x *ast.Inst, in isa.Inst, args []ast.Operand) {
	ctl := &isa.Control{}
	in.Control = ctl
	if len(args) > 0 && args[0].Kind == ast.List {
		ctl.Rets = l.slots(&args[0])
		args = args[1:]
	}
	if len(args) == 0 {
		l.errorf(x.Pos, "the call names no function")
		return
	}
	target := &args[0]
	if len(args) > 1 && args[1].Kind == ast.List {
		ctl.Args = l.slots(&args[1])
	}
	switch target.Kind {
	case ast.Global:
		name := l.body.Symbols[target.Index]
		if ctl.Callee, _ = l.env.Function(name); ctl.Callee == nil {
			l.errorf(target.Pos, "function %s is not defined", name)
			return
		}
		l.callee(name, ctl.Callee)
	case ast.Register:
		in.A = l.source(target, isa.B64, false)
		l.facts.Indirect, l.facts.Shares = true, true
	default:
		l.errorf(target.Pos, "this is not a function")
		return
	}
	l.emit(in, isa.NoType)
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

// slots finds where the parameters of a call lie in this frame. Registers and
// immediates, which old text passes directly, get a slot of their own.
func (l *lowering) slots(list *ast.Operand) []isa.Slot {
	elems := l.body.Elems(list)
	slots := make([]isa.Slot, 0, len(elems))
	for i := range elems {
		e := &elems[i]
		if e.Kind != ast.Local || l.places[e.Index].space != isa.Frame {
			l.errorf(e.Pos, "an argument must be a .param variable")
			continue
		}
		slots = append(slots, isa.Slot{Offset: uint32(l.places[e.Index].addr), Size: uint32(l.body.Vars[e.Index].Size())})
	}
	return slots
}
