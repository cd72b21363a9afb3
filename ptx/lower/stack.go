package lower

import (
	"slices"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// enterStack begins a function that calls alloca: what it gets ends with it.
func (l *lowering) enterStack() {
	allocates := func(o ast.Opcode) bool { return o.Name == "alloca" }
	if l.fn.Entry || !slices.ContainsFunc(l.body.Opcodes, allocates) {
		return
	}
	l.saved = l.scratch(2)
	form, _, err := ops.Lookup("stacksave", []string{"u64"})
	if err != nil {
		l.errorf(l.fn.Pos, "%v", err)
		return
	}
	l.aside(isa.Inst{Op: form.Op, Exec: form.Op.Bind(form), D: l.saved}, isa.Use{Reg: l.saved, Rows: 2, Write: true})
}

// leaveStack precedes a return.
func (l *lowering) leaveStack(in isa.Inst) {
	if l.saved == 0 || in.Flow != isa.Return {
		return
	}
	form, _, err := ops.Lookup("stackrestore", []string{"u64"})
	if err != nil {
		l.errorf(l.fn.Pos, "%v", err)
		return
	}
	l.aside(isa.Inst{Op: form.Op, Exec: form.Op.Bind(form), A: l.saved}, isa.Use{Reg: l.saved, Rows: 2})
	restore := &l.out.Code[len(l.out.Code)-1]
	restore.Guard, restore.GuardNot = in.Guard, in.GuardNot
}
