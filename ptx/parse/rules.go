package parse

import (
	"slices"

	"github.com/lockstep-sim/lockstep/ptx/ast"
)

// maxConst is the size of all constant variables of a module (ISA 5.1.3).
const maxConst = 64 << 10

// maxParamAlign is the largest alignment of parameters and results of functions, in bytes.
const maxParamAlign = 128

// rules reports what the grammar of module-level items allows and PTX does not,
// as ptxas has it.
func (p *module) rules() {
	for _, f := range p.m.Funcs {
		p.parameterRules(f)
		p.directiveRules(f)
	}
	p.repeatedFunctions()
	p.variableRules()
	p.aliasRules()
}

func (p *module) parameterRules(f *ast.Func) {
	if len(f.Returns) > 1 && slices.ContainsFunc(f.Returns, func(v ast.Var) bool { return v.Space == ast.ParamSpace }) {
		p.report(f.Returns[1].Pos, "of several results each is in .reg")
	}
	for _, v := range slices.Concat(f.Returns, f.Params) {
		if !f.Entry && v.Align > maxParamAlign {
			p.report(v.Pos, "a parameter of a function is aligned to %d bytes at most", maxParamAlign)
		}
	}
	for i := range f.Params {
		v := &f.Params[i]
		p.opaqueRules(v)
		switch {
		case v.Ptr != nil && !f.Entry:
			p.report(v.Pos, ".ptr is of a parameter of a kernel")
		case f.Entry && v.Space != ast.ParamSpace:
			p.report(v.Pos, "a parameter of a kernel is in .param")
		case v.Type.IsOpaque() && !f.Entry:
			p.report(v.Pos, "only a kernel has a .%s as parameter", v.Type)
		case len(v.Dims) > 0 && v.Size() == 0 && f.Entry:
			p.report(v.Pos, "a parameter of a kernel cannot be an incomplete array")
		case len(v.Dims) > 0 && v.Size() == 0 && i < len(f.Params)-1:
			p.report(v.Pos, "only the last parameter can be an incomplete array")
		}
	}
}

// mayBeZero are the directives with which zero is the same as nothing.
var mayBeZero = []string{"reqnctapercluster", "maxclusterrank", "minperctamemory"}

func (p *module) directiveRules(f *ast.Func) {
	for i := range f.Directives {
		d := &f.Directives[i]
		switch d.Name {
		case "noreturn", "abi_preserve", "abi_preserve_control":
			switch {
			case f.Entry:
				p.report(d.Pos, ".%s does not apply to a kernel", d.Name)
			case d.Name == "noreturn" && len(f.Returns) > 0:
				p.report(d.Pos, "a .noreturn function has no result")
			}
			continue
		case "language":
			continue
		}
		switch {
		case !f.Entry:
			p.report(d.Pos, ".%s applies to a kernel only", d.Name)
		case d.Name == "maxnctapersm" && p.m.Version.Major >= 2:
			p.report(d.Pos, "PTX 2.0 and later have no .maxnctapersm")
		case slices.Contains(d.Values, 0) && !slices.Contains(mayBeZero, d.Name):
			p.report(d.Pos, ".%s must be more than zero", d.Name)
		case d.Name == "blocksareclusters" && (!sized(f, "reqntid") || !sized(f, "reqnctapercluster")):
			p.report(d.Pos, ".blocksareclusters needs .reqntid and .reqnctapercluster")
		}
	}
	for _, pair := range [][2]string{{"maxntid", "reqntid"}, {"reqnctapercluster", "maxclusterrank"}} {
		if d := f.Directive(pair[1]); d != nil && f.Directive(pair[0]) != nil {
			p.report(d.Pos, ".%s and .%s exclude each other", pair[0], pair[1])
		}
	}
}

// sized reports whether a directive gives its sizes.
func sized(f *ast.Func, name string) bool {
	d := f.Directive(name)
	return d != nil && !slices.Contains(d.Values, 0)
}

// repeatedFunctions compares every declaration of a function with the one before.
func (p *module) repeatedFunctions() {
	before := make(map[string]*ast.Func, len(p.m.Funcs))
	for _, f := range p.m.Funcs {
		if o := before[f.Name]; o != nil {
			switch {
			case o.Load != nil && f.Load == nil:
				p.report(f.NamePos, "%s is declared after its definition", f.Name)
			case (o.Directive("noreturn") != nil) != (f.Directive("noreturn") != nil):
				p.report(f.NamePos, "%s was declared with another .noreturn", f.Name)
			case o.Entry != f.Entry || !sameParameters(o.Params, f.Params) || !sameParameters(o.Returns, f.Returns):
				p.report(f.NamePos, "%s was declared with another prototype", f.Name)
			case o.Linkage != f.Linkage && !(o.Linkage == ast.Visible && f.Linkage == ast.Static):
				p.report(f.NamePos, "%s was declared with another linkage", f.Name)
			}
		}
		before[f.Name] = f
	}
}

func sameParameters(a, b []ast.Var) bool {
	return slices.EqualFunc(a, b, func(v, w ast.Var) bool {
		return v.Space == w.Space && v.Type == w.Type && v.Vec == w.Vec && v.Size() == w.Size() && len(v.Dims) == len(w.Dims) && v.Alignment() == w.Alignment()
	})
}

func (p *module) variableRules() {
	before := make(map[string]*ast.Var, len(p.m.Vars))
	constant := int64(0)
	for i := range p.m.Vars {
		v := &p.m.Vars[i]
		p.opaqueRules(v)
		p.addressRules(v)
		switch {
		case v.Type.IsOpaque() && v.Space != ast.GlobalSpace && v.Space != ast.TexSpace:
			p.report(v.Pos, "a .%s is in .global", v.Type)
		case v.Linkage == ast.Common && v.Space != ast.GlobalSpace:
			p.report(v.Pos, "a .common variable is in .global")
		case v.Managed && v.Space != ast.GlobalSpace:
			p.report(v.Pos, "a .managed variable is in .global")
		}
		if v.Space == ast.TexSpace && p.m.Version.Major*10+p.m.Version.Minor >= 15 {
			p.report(v.Pos, "PTX 1.5 and later have no .tex variables")
		}
		if v.Space == ast.ConstSpace && v.Linkage != ast.Extern && v.Bank == 0 {
			if constant += v.Size(); constant > maxConst && constant-v.Size() <= maxConst {
				p.report(v.Pos, "the constant variables take more than %d bytes", maxConst)
			}
		}
		if o := before[v.Name]; o != nil {
			switch {
			case o.Linkage == ast.Extern && v.Linkage == ast.Static:
				p.report(v.Pos, "%s is .extern and cannot be defined here without linkage", v.Name)
			case o.Type != v.Type || o.Vec != v.Vec || len(o.Dims) != len(v.Dims) || o.Size() != v.Size() && o.Size() != 0 && v.Size() != 0:
				p.report(v.Pos, "%s was declared with another type", v.Name)
			}
		}
		before[v.Name] = v
	}
}

// aliasRules reports aliases whose two functions do not stand before them, or
// do not suit one another (ISA 11.6.6).
func (p *module) aliasRules() {
	for i := range p.m.Aliases {
		a := &p.m.Aliases[i]
		name, target := p.functionBefore(a.Name, a.Pos), p.functionBefore(a.Target, a.Pos)
		switch {
		case name == nil:
			p.report(a.Pos, "undeclared function %s", a.Name)
		case target == nil:
			p.report(a.Pos, "undeclared function %s", a.Target)
		case name.Entry || target.Entry:
			p.report(a.Pos, "an alias is of a function, not of a kernel")
		case target.Linkage == ast.Extern:
			p.report(a.Pos, "%s is .extern and cannot have an alias", a.Target)
		case (name.Directive("noreturn") != nil) != (target.Directive("noreturn") != nil):
			p.report(a.Pos, "of %s and %s one is .noreturn", a.Name, a.Target)
		case name.Load != nil:
			p.report(a.Pos, "%s has a body and cannot be an alias", a.Name)
		case target.Linkage == ast.Weak:
			p.report(a.Pos, "%s is .weak and cannot have an alias", a.Target)
		case !sameParameters(name.Params, target.Params) || !sameParameters(name.Returns, target.Returns):
			p.report(a.Pos, "%s and %s have different prototypes", a.Name, a.Target)
		}
	}
}

// functionBefore is the last function of a name that stands before a place.
func (p *module) functionBefore(name string, pos ast.Pos) (last *ast.Func) {
	for _, f := range p.m.Funcs {
		if f.Name == name && f.Pos < pos {
			last = f
		}
	}
	return last
}
