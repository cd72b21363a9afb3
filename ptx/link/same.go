package link

import (
	"slices"
	"strings"

	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/lower"
)

// What has to be the same in the units that know a name. The rules are nvlink's (tests/agree/testdata/links.txt).

// isTentative reports a definition that gives way to others: a .common one without a value.
func isTentative(v *ast.Var) bool { return v.Linkage == ast.Common && v.Init == nil }

// sameObject reports whether a variable is what a unit says it is, but for its size.
func (k *linker) sameObject(u *Unit, old *Variable, v *ast.Var) bool {
	what := ""
	switch o := old.decl; {
	case o.Space != v.Space:
		what = "in ." + o.Space.String()
	case o.Managed != v.Managed:
		what = "managed here or there only"
	case (o.Type.IsOpaque() || v.Type.IsOpaque()) && o.Type != v.Type:
		what = "a ." + o.Type.String()
	default:
		return true
	}
	k.errorf(u, v.Pos, "%s is %s in %s", v.Name, what, old.unit.tree.File)
	return false
}

// sameSize reports whether a variable has the size that a unit gives it.
func (k *linker) sameSize(u *Unit, old *Variable, v *ast.Var) bool {
	if old.Size != uint64(v.Size()) {
		k.errorf(u, v.Pos, "%s has %d bytes, in %s %d", v.Name, v.Size(), old.unit.tree.File, old.Size)
		return false
	}
	return true
}

// fits reports a tentative definition that is larger than the one that takes its place.
func (k *linker) fits(u *Unit, tentative, other *Variable) {
	if tentative.Size > other.Size && other.decl.Linkage != ast.Weak {
		k.errorf(u, other.decl.Pos, ".common %s has %d bytes, its definition %d", tentative.Name, tentative.Size, other.Size)
	}
}

// sameFunction reports whether a function is what a unit says it is: a kernel or none, with the same parameters and results.
// Of two kernels the weak one may differ in the types of parameters, of two weak ones in nothing but these.
func (k *linker) sameFunction(u *Unit, old *function, f *ast.Func) bool {
	o := old.decl
	switch {
	case o.Entry != f.Entry:
		k.errorf(u, f.NamePos, "%s is a kernel here or in %s only", f.Name, old.unit.tree.File)
	case !f.Entry && !(slices.EqualFunc(o.Params, f.Params, passesAs) && slices.EqualFunc(o.Returns, f.Returns, passesAs)):
		k.errorf(u, f.NamePos, "%s has another prototype in %s", f.Name, old.unit.tree.File)
	case f.Entry && o.Linkage == ast.Weak && f.Linkage == ast.Weak && bytesOf(o.Params) != bytesOf(f.Params):
		k.errorf(u, f.NamePos, "the parameters of %s have another size in %s", f.Name, old.unit.tree.File)
	default:
		return true
	}
	return false
}

// passesAs reports whether a parameter is passed as another one is. Integers are passed as bits.
func passesAs(a, b ast.Var) bool {
	return a.Elem() == b.Elem() && a.Type.IsFloat() == b.Type.IsFloat() && len(a.Dims) == len(b.Dims) && a.Size() == b.Size()
}

// bytesOf is the size of a kernel's parameters.
func bytesOf(params []ast.Var) uint32 {
	_, size := lower.Params(params)
	return size
}

// mentions reports whether a body or an initialiser of the unit may name a function that is defined elsewhere.
func (u *Unit) mentions(name string) bool {
	for _, f := range u.tree.Funcs {
		if f.Load != nil && strings.Contains(u.tree.Text[f.Open:f.Close], name) {
			return true
		}
	}
	return slices.ContainsFunc(u.tree.Vars, func(v ast.Var) bool {
		return v.Init != nil && slices.ContainsFunc(v.Init.Relocs, func(r ast.Reloc) bool { return r.Name == name })
	})
}

// maxConst is the size of all constant variables of a module (ISA 5.1.3).
const maxConst = 64 << 10

// constantsFit reports constant variables that are too many.
func (k *linker) constantsFit() {
	size := uint64(0)
	for _, v := range k.module.vars {
		if v.decl.Space != ast.ConstSpace || v.decl.Bank != 0 {
			continue
		}
		before := size
		if size += v.Size; size > maxConst && before <= maxConst {
			k.errorf(v.unit, v.decl.Pos, "the constant variables of all units take more than %d bytes", maxConst)
		}
	}
}
