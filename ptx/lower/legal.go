package lower

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// legal reports an operand that is refused where it stands (see ops/legal.go).
func (o operand) legal() bool {
	what := ""
	switch role := o.role.Role; role {
	case "[a]", "[b]", "[m]":
		what = o.illegalAddress()
	case "[v]":
		if !o.a.Has(ast.Address) {
			what = "an address in brackets is needed here"
		}
	case "d", "D", "d.", "d|p", "p":
		what = cmp.Or(o.illegalResult(), o.illegalVector())
	case "s", "t":
		if o.a.Has(ast.Minus) {
			what = "a predicate has no sign"
		}
	case "E|p":
		if o.a.Kind == ast.Register && !o.isVector(o.a) {
			what = "a list is needed here"
		}
		if elems := o.body.Elems(o.a); o.a.Kind == ast.Pair && elems[1].Kind == ast.Sink {
			what = "the predicate cannot be discarded"
		}
	case "a", "b", "c", "m", "v", "B", "i", "k", "a.", "b.", "c.":
		what = cmp.Or(o.illegalSource(), o.illegalVector())
	case "x":
		switch what = o.illegalSource(); {
		case o.a.Has(ast.Address):
			what = "a cache policy is no address"
		case o.a.Kind == ast.Register && o.body.Regs[o.a.Index].Type.Size()*8 > o.t.Bits():
			what = "a cache policy has 64 bits"
		}
	case "E", "F", "G", "O":
		if ops.NeedsLists(o.form) && o.a.Kind != ast.Vector && o.a.Kind != ast.List && !o.isVector(o.a) {
			what = "a list is needed here"
		}
		for _, e := range o.body.Elems(o.a) {
			if ops.InRegisters(o.form) && e.Kind != ast.Register && e.Kind != ast.Sink {
				what = "a matrix is in registers"
			}
		}
	}
	if o.a.Kind == ast.Vector || o.a.Kind == ast.List {
		if slices.ContainsFunc(o.body.Elems(o.a), func(e ast.Operand) bool { return isName(&e) }) {
			what = "a list has no names"
		}
	}
	if what == "" && o.pairForInteger() {
		what = "a pair of f16 is no integer"
	}
	if what != "" {
		o.errorf(o.a.Pos, "%s: %s", o.form.Op.Name, what)
	}
	return what == ""
}

// illegalVector is what is wrong with what a load or store moves: a list is as long as the instruction says.
func (o operand) illegalVector() string {
	if !ops.MovesVectors(o.form) || o.role.Role != "D" && o.role.Role != "B" {
		return ""
	}
	list := o.a.Kind == ast.Vector || o.a.Kind == ast.List
	switch vector := o.form.Any("v2", "v4", "v8") != ""; {
	case vector && !list && !o.isVector(o.a):
		return "a list is needed here"
	case !vector && list && len(o.body.Elems(o.a)) > 1:
		return "a list needs .v2, .v4 or .v8"
	}
	return ""
}

// pairForInteger reports a register of two f16 where ptxas wants an integer whatever the type of the instruction is.
func (o operand) pairForInteger() bool {
	a := o.a
	if a.Kind == ast.Pair {
		a = &o.body.Elems(a)[0]
	}
	return a.Kind == ast.Register && !a.Has(ast.Address) && o.body.Regs[a.Index].Type == ast.F16x2 && ops.IsInteger(o.form, o.role)
}

// together reports operands that are wrong together.
func (l *lowering) together(form *isa.Form, roles []ops.Arg, args []ast.Operand) {
	if i := slices.IndexFunc(roles, func(a ops.Arg) bool { return a.Role == "x" }); i >= 0 && len(args) > 0 && (i < len(args)) != ops.Hinted(form) {
		l.errorf(args[len(args)-1].Pos, "%s: a cache policy and .L2::cache_hint go together", form.Op.Name)
	}
	if first, second := ops.Ascending(form); second != 0 && second < len(args) {
		primary, total := &args[first], &args[second]
		if primary.Kind == ast.Int && total.Kind == ast.Int && uint32(primary.Value) > uint32(total.Value) {
			l.errorf(primary.Pos, "%s: the first size is above the second", form.Op.Name)
		}
	}
	l.short(args, form)
}

func (o operand) illegalAddress() string {
	switch {
	case !o.a.Has(ast.Address) && o.a.Kind != ast.Tuple:
		return "an address in brackets is needed here"
	case o.a.Kind == ast.Int && !o.form.Has("local"):
		return "only .local memory has literal addresses"
	case o.a.Kind == ast.Local && o.body.Vars[o.a.Index].Space == ast.ParamSpace:
		return o.illegalParameter()
	}
	return ""
}

// illegalParameter is what is wrong with an access to a .param variable: of the function, or of a call.
func (o operand) illegalParameter() string {
	results := len(o.fn.Returns)
	switch at := int(o.a.Index); {
	case at < results && !ops.WritesVariable(o.form):
		return "a function's result is not read"
	case at >= results && at < results+len(o.fn.Params) && ops.WritesVariable(o.form):
		return "a parameter is not written"
	case at >= results+len(o.fn.Params) && (o.in.Guard != isa.PT || o.in.GuardNot):
		return "what a call passes or returns is not accessed under a guard"
	}
	return ""
}

func (o operand) illegalResult() string {
	a := o.a
	if a.Kind == ast.Pair {
		a = &o.body.Elems(a)[0]
	} else if o.role.Role == "d|p" && ops.TakesPredicate(o.form) {
		return "a register and a predicate are needed here"
	}
	switch {
	case a.Flags&(ast.Minus|ast.Not) != 0:
		return "a result has no sign"
	case a.Kind == ast.Sink && !ops.Discards(o.form):
		return "the result cannot be discarded"
	}
	return ""
}

func isName(a *ast.Operand) bool {
	return (a.Kind == ast.Local || a.Kind == ast.Global) && !a.Has(ast.Address)
}

// variable is what a name stands for, nil for a function.
func (o operand) variable() *ast.Var {
	if o.a.Kind == ast.Local {
		return &o.body.Vars[o.a.Index]
	}
	return o.module.Var(o.body.Symbols[o.a.Index])
}

// illegalName is what is wrong with a name as a source. ptxas takes those of functions for any source too, but puts numbers
// there that have nothing to do with them.
func (o operand) illegalName() string {
	v, moved := o.variable(), o.a.Has(ast.Moved)
	switch {
	case v == nil && moved:
		return "a function has no offsets"
	case ops.TakesNames(o.form, o.role.Role):
		return o.illegalAddressOf(v)
	case !moved || v == nil || !ops.TakesSums(o.form, o.role.Role, o.t, true):
		return "a register is needed here"
	}
	return ""
}

// illegalAddressOf is what is wrong with an instruction that takes the address of a variable, or of a function if it is nil.
func (o operand) illegalAddressOf(v *ast.Var) string {
	space := ops.SpaceOfNames(o.form)
	switch {
	case v == nil && space != "" && ops.IsConversion(o.form):
		return "a function is in no space"
	case v == nil:
		return ""
	case o.t.IsFloat():
		return "an address is not floating-point"
	case space != "" && v.Space.String() != space:
		return fmt.Sprintf("%s is in .%s, not .%s", v.Name, v.Space, space)
	case v.Space == ast.ParamSpace && o.a.Kind == ast.Local && int(o.a.Index) >= len(o.fn.Returns)+len(o.fn.Params):
		return "what a call passes or returns has no address"
	case v.Space == ast.GlobalSpace && o.t.Bits() == 32 && !o.a.Has(ast.Moved) && o.level.long():
		return noShortAddresses
	case v.Type.IsOpaque() && o.t != isa.U64:
		return "a handle has type .u64"
	}
	return ""
}

// grown are the special registers that had fewer bits in PTX 1 and are read as such too.
var grown = []string{"%tid", "%ntid", "%ctaid", "%nctaid", "%gridid"}

// illegalSpecial is what is wrong with a special register as a source.
func (o operand) illegalSpecial() string {
	s := &ast.Specials[o.a.Index]
	widths := []int{8 * s.Type.Size()}
	if slices.Contains(grown, s.Name) {
		widths = append(widths, 32, 16)
	}
	switch {
	case o.a.Flags != 0:
		return "a special register has no sign"
	case s.Type == ast.Pred && o.t.Bits() > 0:
		return s.Name + " is a predicate"
	case !slices.ContainsFunc(widths, func(bits int) bool { return ops.ReadsSpecial(o.form, o.t, bits) }):
		return fmt.Sprintf("%s is an integer of %d bits, read by mov and cvt", s.Name, widths[0])
	}
	return ""
}

func (o operand) illegalSource() string {
	a := o.a
	literal := a.Kind == ast.Int || a.Kind == ast.Float32 || a.Kind == ast.Float64
	switch {
	case a.Kind == ast.Sink:
		return `"_" is no source`
	case a.Kind == ast.Special:
		return o.illegalSpecial()
	case a.Kind == ast.Sum && !ops.TakesSums(o.form, o.role.Role, o.t, false):
		return "a sum does not apply here"
	case isName(a):
		if what := o.illegalName(); what != "" {
			return what
		}
	case literal && !ops.TakesLiterals(o.form, o.t):
		return "a register is needed here, not a literal"
	}
	l := ops.LiteralOf(o.form, strings.TrimSuffix(o.role.Role, "."))
	switch {
	case a.Kind == ast.Int && l.Fits != nil && !l.Fits(int64(a.Value)),
		a.Kind == ast.Float32 && l.Real != nil && !l.Real(float64(math.Float32frombits(uint32(a.Value)))),
		a.Kind == ast.Float64 && l.Real != nil && !l.Real(math.Float64frombits(a.Value)):
		return "the literal is out of range"
	case a.Kind != ast.Int && l.Only:
		return "a literal is needed here"
	case a.Kind == ast.Int:
		return l.Missing(int64(a.Value), o.level.version, o.level.target)
	}
	return ""
}
