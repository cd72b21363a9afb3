package lower

import (
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// stated is the space that an instruction's modifiers name.
func stated(form *isa.Form) isa.Space {
	for _, m := range form.Mods {
		if m == "shared::cluster" {
			return isa.SharedCluster
		}
		name, _, _ := strings.Cut(m, "::")
		switch name {
		case "global":
			return isa.Global
		case "shared":
			return isa.Shared
		case "local":
			return isa.Local
		case "const":
			return isa.Const
		case "param":
			return isa.Param
		}
	}
	return isa.Generic
}

// address lowers a memory operand: a base of 64 bits (32 in the shared, local
// and parameter spaces, whose upper word is ignored) and an offset. It sets
// form.Space.
func (l *lowering) address(form *isa.Form, a *ast.Operand) (base isa.Reg, offset int64) {
	form.Space = stated(form)
	switch a.Kind {
	case ast.Register:
		if form.Space == isa.Param {
			form.Space = isa.Generic // the register holds a window address
		}
		return l.addressRegister(form, a), a.Offset()
	case ast.Int:
		return l.constant(a.Value, 2), 0
	case ast.Local:
		l.named(a, form, &l.body.Vars[a.Index])
		p := l.places[a.Index]
		return l.variable(form, a, p.space, p.addr)
	case ast.Global:
		addr, space, ok := l.global(a)
		if !ok {
			return 0, 0
		}
		if v := l.module.Var(l.body.Symbols[a.Index]); v != nil {
			l.named(a, form, v)
		}
		return l.variable(form, a, space, addr)
	}
	l.errorf(a.Pos, "this is not an address")
	return 0, 0
}

// named reports an access to a variable that is none of memory, or of another space than the instruction says.
func (l *lowering) named(a *ast.Operand, form *isa.Form, v *ast.Var) {
	switch {
	case !ops.IsAccess(form):
	case v.Type.IsOpaque():
		l.errorf(a.Pos, "%s is a .%s, not memory", v.Name, v.Type)
	case v.Space == ast.ConstSpace && (form.Space != isa.Const || ops.WritesVariable(form)), v.Space == ast.GlobalSpace && form.Space == isa.Const,
		(v.Space == ast.ParamSpace) != (form.Space == isa.Param):
		l.errorf(a.Pos, "the variable is in .%s, the instruction reaches .%s", v.Space, form.Space)
	}
}

// variable is the address of a named variable as the instruction's space sees it.
func (l *lowering) variable(form *isa.Form, a *ast.Operand, space isa.Space, addr uint64) (isa.Reg, int64) {
	want := form.Space
	switch {
	case space == isa.Param || space == isa.Frame:
		if want == isa.Generic || want == isa.Param || want == isa.Local {
			form.Space = space
			return l.constant(addr, 2), a.Offset()
		}
	case space == isa.Shared:
		if want == isa.Generic || want == isa.Shared || want == isa.SharedCluster {
			form.Space = isa.Shared
			return l.addressOf(space, addr, 2), a.Offset()
		}
	case space == isa.Local:
		if want == isa.Generic || want == isa.Local {
			form.Space = isa.Local
			return l.constant(addr, 2), a.Offset()
		}
	case want == isa.Generic || want == isa.Global || want == isa.Const:
		return l.constant(addr, 2), a.Offset()
	}
	l.errorf(a.Pos, "the variable is in .%s, the instruction reaches .%s", space, want)
	return 0, 0
}

// addressRegister is a register used as an address. A 32-bit one serves the
// spaces whose addresses have 32 bits and is widened for the others. What a
// narrower one has above its bits counts too, as on hardware.
func (l *lowering) addressRegister(form *isa.Form, a *ast.Operand) isa.Reg {
	r, t, ok := l.element(a)
	if !ok {
		return 0
	}
	switch {
	case t.IsFloat() || t.Size() > 8 || t == ast.Pred:
		l.errorf(a.Pos, "%s is no address: it has type .%s", l.body.RegName(a.Index), t)
		return 0
	case t.Size() == 8:
		l.use(r, 2, false)
		return r
	case form.Space == isa.Shared || form.Space == isa.SharedCluster || form.Space == isa.Local:
		l.use(r, 1, false)
		return r
	}
	return l.widened(r)
}

// widened is 32 bits of a register in two rows.
func (l *lowering) widened(r isa.Reg) isa.Reg {
	wide := l.scratch(2)
	l.aside(isa.Inst{Op: widen, Exec: widenExec, D: wide, A: r}, isa.Use{Reg: r, Rows: 1}, isa.Use{Reg: wide, Rows: 2, Write: true})
	l.use(wide, 2, false)
	return wide
}

// short reports addresses of 32 bits where the module's level has none.
func (l *lowering) short(args []ast.Operand, form *isa.Form) {
	if !l.level.long() || !ops.MeasuresAddresses(form, stated(form)) {
		return
	}
	for i := range args {
		a := &args[i]
		narrow := a.Kind == ast.Register && l.body.Regs[a.Index].Type.Size() == 4
		if ops.IsShort(form) || narrow && a.Has(ast.Address) {
			l.errorf(a.Pos, noShortAddresses)
			return
		}
	}
}

// widen zero-extends a 32-bit address, as modules with 32-bit addresses need.
var widen = &isa.Op{Name: "cvt.u64.u32", Unit: isa.ALU}

func widenExec(w *isa.Warp, in *isa.Inst) {
	a := w.Row(in.A)
	for l := range w.Mask.All {
		w.Set64(in.D, l, uint64(a[l]))
	}
}

// tensorAddress is the register that holds an address in tensor memory.
func (o operand) tensorAddress() isa.Reg {
	if o.a.Kind == ast.Int {
		return o.constant(o.a.Value, 1)
	}
	base := o.source(&ast.Operand{Kind: o.a.Kind, Index: o.a.Index, Part: o.a.Part, Pos: o.a.Pos}, isa.B32, false)
	if o.a.Kind == ast.Register && o.a.Value != 0 {
		return o.plus(base, 32, o.a.Offset())
	}
	return base
}

// secondAddress lowers an address that has no offset field of its own; a
// register with an offset is not written by any compiler known.
func (l *lowering) secondAddress(form *isa.Form, a *ast.Operand) isa.Reg {
	space := form.Space
	defer func() { form.Space = space }()
	form.Space = isa.Generic
	switch a.Kind {
	case ast.Local:
		p := l.places[a.Index]
		p.addr += a.Value
		return l.taken(p, 2)
	case ast.Global:
		if addr, space, ok := l.global(a); ok {
			return l.addressOf(space, addr+a.Value, 2)
		}
		return 0
	case ast.Register:
		base := l.addressRegister(form, a)
		if a.Value == 0 {
			return base
		}
		return l.plus(base, 64, a.Offset())
	}
	l.errorf(a.Pos, "this is not an address")
	return 0
}
