package lower

import (
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// operand is one operand on its way into an instruction, as the row's pattern
// sees it: type t of role.
type operand struct {
	*lowering
	form *isa.Form
	role ops.Arg
	a    *ast.Operand
	t    isa.Type
	in   *isa.Inst
}

// read is the register that holds the operand's value.
func (o operand) read() isa.Reg {
	if ops.TakesShort(o.form) && o.a.Kind == ast.Register && o.body.Regs[o.a.Index].Type.Size() == 4 {
		r, _ := o.register(o.a, isa.U32, false)
		return o.widened(r)
	}
	return o.source(o.a, o.t, o.form.Op.Wider)
}

// write is the register that the operand's result goes to.
func (o operand) write() isa.Reg { return o.destination(o.a, o.t, o.form.Op.Wider, o.form) }

// elements fills Inst.Vec when the operand is a list, and reports whether it is.
func (o operand) elements(dest bool) bool {
	return o.list(o.a, o.t, o.form.Op.Wider, o.in, dest, o.form)
}

// roles says what each letter of an operand pattern does (package ops lists
// them).
var roles = map[string]func(o operand){
	"d": func(o operand) { o.in.D = o.write() },
	"D": func(o operand) {
		if !o.elements(true) {
			o.in.D = o.write()
		}
	},
	"B": func(o operand) {
		if !o.elements(false) {
			o.in.B = o.read()
		}
	},
	"V":   func(o operand) { o.elements(strings.HasPrefix(o.form.Op.Args, "V")) },
	"v":   func(o operand) { o.in.Vec = append(o.in.Vec, o.read()) },
	"E":   func(o operand) { o.fragment(o.a, o.t, o.in, true, o.form) },
	"F":   func(o operand) { o.fragment(o.a, o.t, o.in, false, o.form) },
	"G":   func(o operand) { o.accumulator() },
	"O":   func(o operand) { o.fragment(o.a, o.t, o.in, false, o.form) },
	"E|p": operand.fragmentAndPredicate,
	"a":   func(o operand) { o.in.A = o.read() },
	"b":   func(o operand) { o.in.B = o.read() },
	"c":   func(o operand) { o.in.C = o.read() },
	"m":   func(o operand) { o.in.M = o.read() },
	"p":   func(o operand) { o.predicates(o.a, o.in) },
	"p|q": func(o operand) { o.predicates(o.a, o.in) },
	"d|p": func(o operand) { o.registerAndPredicate(o.form, o.a, o.t, o.in) },
	"s":   func(o operand) { o.in.S, o.in.SNot = o.sourcePredicate(o.a) },
	"t":   func(o operand) { o.in.Q, o.in.QNot = o.sourcePredicate(o.a) },
	"d.":  operand.selected,
	"a.":  operand.selected,
	"b.":  operand.selected,
	"c.":  operand.selected,
	"[a]": func(o operand) { o.in.A, o.in.Imm = o.address(o.form, o.a) },
	"[b]": func(o operand) { o.in.B = o.secondAddress(o.form, o.a) },
	"[m]": func(o operand) { o.in.M = o.secondAddress(o.form, o.a) },
	"[v]": func(o operand) { o.in.Vec = append(o.in.Vec, o.tensorAddress()) },
	"[t]": func(o operand) { o.texture(o.a, o.in, o.form) },
	"[u]": func(o operand) { o.tensor(o.a, o.in, o.form) },
	"i":   func(o operand) { o.in.Imm = o.immediate(o.a) },
	"k":   operand.constant4,
	"l":   func(o operand) { o.in.Target = o.label(o.a) },
	"T":   func(o operand) { o.table(o.a, o.in) },
	"x": func(o operand) {
		if o.a.Kind != ast.Int {
			o.source(o.a, o.t, true)
		}
	},
}

func (o operand) selected() { o.video(o.form, o.role, o.a, o.in) }
