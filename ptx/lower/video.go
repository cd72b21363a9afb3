package lower

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// video fills the fields of in that an operand with a byte or half selector or
// a sign stands for.
func (l *lowering) video(form *isa.Form, role ops.Arg, a *ast.Operand, in *isa.Inst) {
	whole, digits, count := *a, uint32(0), 0
	if a.Part == ast.PartB || a.Part == ast.PartH {
		digits, count = uint32(a.Value), int(a.Value>>32)
		whole.Part, whole.Value = ast.Whole, 0
	}
	whole.Flags &^= ast.Minus
	imm, err := ops.Select(form, role.Role, a.Part == ast.PartH, digits, count, a.Has(ast.Minus))
	if err != nil {
		l.errorf(a.Pos, "%v", err)
		return
	}
	in.Imm |= imm
	switch t := role.Type(form); role.Role {
	case "d.":
		in.D = l.destination(&whole, t, false, form)
	case "a.":
		in.A = l.source(&whole, t, false)
	case "b.":
		in.B = l.source(&whole, t, false)
	default:
		in.C = l.source(&whole, t, false)
	}
}
