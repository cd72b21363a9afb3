package parse

import (
	"math"
	"strconv"

	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/scan"
)

// Bounds on what one declaration may ask for.
const (
	maxRegisters = 1 << 20 // of one function, parameterised ones counted in full
	maxExpanded  = 1 << 10 // names made by the parameterised variables and labels of one function
	maxAlign     = 1 << 20
	maxSize      = 1 << 40 // of a variable, in bytes
	maxImage     = 1 << 28 // explicit initial values of a variable, in bytes
)

// qualifiers takes the dotted words in front of a name: space, alignment,
// vector width, type and attributes, in any order.
func (p *parser) qualifiers(v *ast.Var) {
	v.Vec = 1
	for p.t.Kind == scan.Dot {
		word, pos := p.word(), p.pos()
		p.next()
		if !p.qualifier(v, word, pos) {
			p.fail(pos, "unknown or repeated word .%s in a declaration", word)
		}
	}
	switch {
	case v.Space == ast.NoSpace:
		p.unexpected("a state space")
	case v.Type == ast.NoType:
		p.unexpected("a type")
	case v.Type == ast.Pred && v.Space != ast.RegSpace:
		p.fail(p.pos(), "a predicate can only be a register")
	case v.Vec > 1 && v.Space == ast.ParamSpace:
		p.fail(p.pos(), "a .param variable cannot be a vector")
	case v.Elem() > 16:
		p.fail(p.pos(), "a vector has at most 128 bits")
	}
}

func (p *parser) qualifier(v *ast.Var, word string, pos ast.Pos) bool {
	switch word {
	case "align":
		p.align(v)
		return true
	case "v2", "v4":
		if v.Vec != 1 {
			return false
		}
		v.Vec = word[1] - '0'
		return true
	case "ptr":
		if v.Ptr != nil || v.Space != ast.ParamSpace {
			return false
		}
		v.Ptr = new(ast.Ptr)
		return true
	case "attribute":
		p.attributes(&v.Managed, &v.Unified)
		return true
	}
	if s := ast.SpaceByName(word); s != ast.NoSpace {
		return p.space(v, s)
	}
	t := ast.TypeByName(word)
	if v.Ptr != nil && t.IsOpaque() {
		if n := p.m.Version; !n.AtLeast(4, 3) {
			p.report(p.pos(), "a pointer to a .%s needs PTX 4.3, the module has .version %d.%d", t, n.Major, n.Minor)
		}
		return true // what the pointer is for, as OpenCL says it
	}
	if t == ast.NoType || v.Type != ast.NoType {
		return false
	}
	v.Type = t
	return true
}

// space sets the space of a declaration, or that of a .ptr attribute.
func (p *parser) space(v *ast.Var, s ast.Space) bool {
	switch {
	case v.Space == ast.NoSpace:
		v.Space = s
		if s == ast.ConstSpace && p.accept(scan.LBracket) {
			v.Bank = int(p.count("bank", 0, 10))
			p.expect(scan.RBracket)
		}
	case v.Ptr != nil && v.Ptr.Space == ast.NoSpace:
		v.Ptr.Space = s
	default:
		return false
	}
	return true
}

func (p *parser) align(v *ast.Var) {
	pos := p.pos()
	n := p.count("alignment", 1, maxAlign)
	if n&(n-1) != 0 {
		p.fail(pos, "alignment %d is not a power of two", n)
	}
	if v.Ptr != nil {
		v.Ptr.Align = int(n)
	} else {
		v.Align = int(n)
	}
}

// attributes takes (.managed, .unified(a, b)) behind .attribute.
func (p *parser) attributes(managed *bool, unified **[2]uint64) {
	p.expect(scan.LParen)
	for p.t.Kind == scan.Dot {
		switch p.word() {
		case "managed":
			p.next()
			*managed = true
		case "unified":
			p.next()
			p.expect(scan.LParen)
			a := uint64(p.integer())
			p.expect(scan.Comma)
			*unified = &[2]uint64{a, uint64(p.integer())}
			p.expect(scan.RParen)
		default:
			p.fail(p.pos(), "unknown attribute .%s", p.word())
		}
		if !p.accept(scan.Comma) {
			break
		}
	}
	p.expect(scan.RParen)
}

// variables takes a declaration with its semicolon and hands over each variable
// in it.
func (p *parser) variables(v ast.Var, emit func(ast.Var)) {
	p.qualifiers(&v)
	for {
		w := v
		p.declarator(&w, emit)
		if !p.accept(scan.Comma) {
			break
		}
	}
	p.expect(scan.Semicolon)
}

// declarator takes a name with its count, dimensions and initialiser.
func (p *parser) declarator(v *ast.Var, emit func(ast.Var)) {
	v.Name, v.Pos = p.name()
	n := int64(-1)
	if p.t.Kind == scan.Less {
		n = p.expand()
	}
	p.dimensions(v)
	if n < 0 && p.accept(scan.Equal) {
		p.initialiser(v)
	}
	switch {
	case p.failed:
	case v.Size() == 0 && v.Linkage != ast.Extern && !v.Type.IsOpaque():
		p.fail(v.Pos, "array %s has no size", v.Name)
	case v.Init != nil && v.Linkage == ast.Extern:
		p.fail(v.Pos, "an .extern variable cannot have an initial value")
	case n < 0:
		emit(*v)
	default:
		base := v.Name
		for i := range n {
			v.Name = base + strconv.Itoa(int(i))
			emit(*v)
		}
	}
}

// angle takes <n>. It returns 0 when it fails.
func (p *parser) angle(most int64) int64 {
	p.next()
	pos := p.pos()
	n := p.plain()
	p.expect(scan.Greater)
	if !p.failed && (n < 0 || n > most) {
		p.fail(pos, "count is not between 0 and %d", most)
	}
	if p.failed {
		return 0
	}
	return n
}

// expand takes the <n> of a name that stands for n names in the tree.
func (p *parser) expand() int64 {
	n := p.angle(maxExpanded - p.expanded)
	p.expanded += n
	return n
}

// dimensions takes [n][m]..., of which the first may be open.
func (p *parser) dimensions(v *ast.Var) {
	size := int64(max(v.Elem(), 1))
	for p.accept(scan.LBracket) {
		if len(v.Dims) == 0 && p.accept(scan.RBracket) {
			v.Unsized, v.Dims = true, append(v.Dims, 0)
			continue
		}
		pos := p.pos()
		n := p.count("dimension", 0, math.MaxInt64)
		p.expect(scan.RBracket)
		if n > maxSize/size || len(v.Dims) >= maxDepth {
			p.fail(pos, "array is too large")
			return
		}
		size *= max(n, 1)
		v.Dims = append(v.Dims, n)
	}
}

// registers takes a .reg declaration, from the .reg on, with its semicolon.
func (p *parser) registers(decls []ast.RegDecl, scope int32) []ast.RegDecl {
	var v ast.Var
	p.qualifiers(&v)
	for {
		d := ast.RegDecl{Count: -1, Scope: scope, Type: v.Type, Vec: v.Vec}
		d.Name, d.Pos = p.name()
		if p.t.Kind == scan.Less {
			d.Count = int32(p.angle(maxRegisters))
		}
		if !p.failed {
			decls = append(decls, d)
		}
		if !p.accept(scan.Comma) {
			break
		}
	}
	if !p.failed && (v.Type.IsOpaque() || v.Managed || v.Unified != nil) {
		p.fail(p.pos(), "a register cannot be declared like this")
	}
	p.expect(scan.Semicolon)
	return decls
}
