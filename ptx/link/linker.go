package link

import (
	"errors"
	"slices"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ast"
)

// linker applies the linking rules to the units of a module.
type linker struct {
	module   *Module
	provided Builtins
	shared   map[string]*Variable // what units have in shared memory for all to see
	errs     []error
}

func (k *linker) err() error { return errors.Join(k.errs...) }

func (k *linker) errorf(u *Unit, pos ast.Pos, format string, args ...any) {
	k.errs = append(k.errs, u.tree.Errorf(pos, format, args...))
}

// define enters what a unit defines.
func (k *linker) define(u *Unit) {
	for i := range u.tree.Vars {
		switch v := &u.tree.Vars[i]; {
		case v.Linkage == ast.Extern:
		case v.Space == ast.SharedSpace:
			k.sharedVariable(u, v)
		case v.Space == ast.GlobalSpace || v.Space == ast.ConstSpace || v.Space == ast.TexSpace:
			k.variable(u, v)
		}
	}
	for _, f := range u.tree.Funcs {
		if f.Load == nil {
			continue
		}
		k.function(u, f)
		k.statics(u, f)
	}
	for i := range u.tree.Aliases {
		k.alias(u, &u.tree.Aliases[i])
	}
}

// statics defines the .global and .const variables that a body declares. Few
// bodies do, so that only those whose text names the space are parsed here.
func (k *linker) statics(u *Unit, f *ast.Func) {
	text := u.tree.Text[f.Open:f.Close]
	if !strings.Contains(text, ".global ") && !strings.Contains(text, ".const ") {
		return
	}
	body, err := f.Load()
	if err != nil {
		k.errs = append(k.errs, err)
		return
	}
	for i := range body.Vars {
		if v := &body.Vars[i]; v.Space == ast.GlobalSpace || v.Space == ast.ConstSpace {
			made := newVariable(u, v)
			k.module.statics[staticKey{f, i}] = made
			k.module.vars = append(k.module.vars, made)
		}
	}
}

func newVariable(u *Unit, v *ast.Var) *Variable {
	space := isa.Global
	if v.Space == ast.ConstSpace {
		space = isa.Const
	}
	return &Variable{
		Name: v.Name, Space: space, Size: uint64(v.Size()), Align: uint64(v.Alignment()),
		Managed: v.Managed, Texture: v.Type.IsOpaque(), Surface: v.Type == ast.Surfref, unit: u, decl: v,
	}
}

func (k *linker) variable(u *Unit, v *ast.Var) {
	m, made := k.module, newVariable(u, v)
	u.vars[v.Name] = made
	if v.Linkage != ast.Static {
		if f := m.visible[v.Name]; f != nil {
			k.errorf(u, v.Pos, "%s is a function in %s", v.Name, f.unit.tree.File)
		}
		if old := m.globals[v.Name]; old != nil {
			u.vars[v.Name] = k.merge(u, old, made)
			return
		}
		m.globals[v.Name] = made
	}
	m.vars = append(m.vars, made)
}

// sharedVariable enters a variable that has a place in each kernel's shared memory.
func (k *linker) sharedVariable(u *Unit, v *ast.Var) {
	if v.Linkage == ast.Static {
		return
	}
	made := newVariable(u, v)
	if old := k.shared[v.Name]; old != nil {
		made = k.merge(u, old, made)
	}
	k.shared[v.Name] = made
}

// merge applies the rules for a name that two units define, and returns the
// variable that stands for both.
func (k *linker) merge(u *Unit, old, made *Variable) *Variable {
	tentative, was := isTentative(made.decl), isTentative(old.decl)
	switch {
	case !k.sameObject(u, old, made.decl), old.Texture:
	case tentative && was:
		old.Size = max(old.Size, made.Size)
	case tentative:
		k.fits(u, made, old)
	case was:
		k.fits(u, old, made)
		*old = *made
	case old.decl.Linkage != ast.Weak && made.decl.Linkage != ast.Weak:
		k.errorf(u, made.decl.Pos, "%s is defined in %s too", made.Name, old.unit.tree.File)
	case !k.sameSize(u, old, made.decl):
	case made.decl.Linkage != ast.Weak:
		*old = *made
	}
	return old
}

func (k *linker) function(u *Unit, f *ast.Func) {
	made := &function{name: f.Name, unit: u, decl: f}
	u.funcs[f.Name] = made
	if f.Linkage != ast.Static {
		if v := k.module.globals[f.Name]; v != nil {
			k.errorf(u, f.NamePos, "%s is a variable in %s", f.Name, v.unit.tree.File)
		}
		if old := k.module.visible[f.Name]; old != nil {
			u.funcs[f.Name] = k.mergeFunction(u, old, made)
			return
		}
		k.module.visible[f.Name] = made
	}
	k.add(made)
	if f.Entry {
		k.module.entries = append(k.module.entries, made)
	}
}

func (k *linker) mergeFunction(u *Unit, old, made *function) *function {
	switch weak := made.decl.Linkage == ast.Weak; {
	case !weak && old.decl.Linkage != ast.Weak:
		k.errorf(u, made.decl.NamePos, "%s is defined in %s too", made.name, old.unit.tree.File)
	case !k.sameFunction(u, old, made.decl):
	case !weak:
		made.addr = old.addr
		*old = *made
	}
	return old
}

// alias enters another name of a function, which units can see if they see the function.
func (k *linker) alias(u *Unit, a *ast.Alias) {
	f := u.funcs[a.Target]
	if u.funcs[a.Name] = f; f == nil || f.decl.Linkage == ast.Static || !slices.ContainsFunc(u.tree.Funcs, func(d *ast.Func) bool {
		return d.Name == a.Name && d.Linkage != ast.Static
	}) {
		return
	}
	if old := k.module.visible[a.Name]; old != nil {
		k.errorf(u, a.Pos, "%s is defined in %s too", a.Name, old.unit.tree.File)
		return
	}
	k.module.visible[a.Name] = f
}

// add gives a function its code address.
func (k *linker) add(f *function) {
	f.addr = isa.CodeWindow + uint64(len(k.module.funcs)+1)*isa.CodeStep
	k.module.funcs = append(k.module.funcs, f)
}

// resolve finds what a unit declares and does not define.
func (k *linker) resolve(u *Unit) {
	m := k.module
	for i := range u.tree.Vars {
		v := &u.tree.Vars[i]
		if v.Linkage != ast.Extern || u.vars[v.Name] != nil {
			continue
		}
		known := m.globals
		if v.Space == ast.SharedSpace && m.globals[v.Name] == nil {
			known = k.shared
		}
		switch found := known[v.Name]; {
		case found != nil:
			if k.sameObject(u, found, v) && !(v.Unsized || found.Texture) {
				k.sameSize(u, found, v)
			}
			if v.Space != ast.SharedSpace {
				u.vars[v.Name] = found
			}
		case v.Space != ast.SharedSpace || !v.Unsized:
			k.errorf(u, v.Pos, "variable %s is declared .extern and defined nowhere", v.Name)
		}
	}
	for _, f := range u.tree.Funcs {
		if f.Load == nil && u.funcs[f.Name] == nil {
			k.declared(u, f)
		}
	}
	for i := range u.tree.Aliases {
		if a := &u.tree.Aliases[i]; u.funcs[a.Target] == nil {
			k.errorf(u, a.Pos, "alias %s stands for %s, which is not a function", a.Name, a.Target)
		}
	}
	for i := range u.tree.Vars {
		k.addresses(u, u.tree.Vars[i].Init)
	}
}

// addresses reports functions whose addresses an initialiser has and nobody defines.
func (k *linker) addresses(u *Unit, init *ast.Image) {
	if init == nil {
		return
	}
	for i := range init.Relocs {
		r := &init.Relocs[i]
		if f := u.tree.Func(r.Name); f != nil && u.funcs[r.Name] == nil {
			k.errorf(u, r.Pos, "function %s is declared and defined nowhere", r.Name)
		}
	}
}

// declared finds the definition of a function that unit u only declares. One
// that is found nowhere is an error only if a kernel calls it. What a toolkit's
// library of the device runtime defines is not used: it calls functions of the
// hardware's own system.
func (k *linker) declared(u *Unit, f *ast.Func) {
	m := k.module
	runtime := strings.HasPrefix(f.Name, "cuda") || strings.HasPrefix(f.Name, "__cuda")
	if found := m.visible[f.Name]; found != nil && !(runtime && k.provided(f.Name) && !found.builtin) {
		u.funcs[f.Name] = found
		if !found.builtin && u.mentions(f.Name) {
			k.sameFunction(u, found, f)
		}
		return
	}
	if k.provided(f.Name) {
		made := &function{name: f.Name, unit: u, builtin: true}
		m.visible[f.Name] = made
		u.funcs[f.Name] = made
		k.add(made)
	}
}
