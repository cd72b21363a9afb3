package parse

import (
	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/scan"
)

// function takes an .entry or .func: the header, and the body by its braces.
func (p *module) function(link ast.Linkage) {
	f := &ast.Func{Pos: p.pos(), Linkage: link, Entry: p.word() == "entry"}
	p.next()
	p.headerDirectives(f)
	if p.t.Kind == scan.LParen && !f.Entry {
		f.Returns = p.params()
		p.headerDirectives(f)
	}
	f.Name, f.NamePos = p.name()
	p.headerDirectives(f)
	if p.t.Kind == scan.LParen {
		f.Params = p.params()
	}
	p.headerDirectives(f)
	switch {
	case p.failed:
		return
	case p.t.Kind == scan.LBrace:
		p.skipBody(f)
	case f.Entry && !p.expect(scan.Semicolon):
		return
	default: // a declaration, which a semicolon may end
		p.accept(scan.Semicolon)
	}
	p.m.Funcs = append(p.m.Funcs, f)
}

// skipBody finds the end of a body and leaves the rest to Load.
func (p *module) skipBody(f *ast.Func) {
	f.Open = p.pos()
	end, ok := p.block()
	f.Close = end
	if !ok {
		p.report(f.Open, "body of %s is not closed", f.Name)
	}
	if f.Linkage == ast.Extern {
		p.report(f.NamePos, "an .extern function cannot have a body")
	}
	f.Load = loader(p.m, f)
}

// params takes a parenthesised list of parameters.
func (p *parser) params() (list []ast.Var) {
	p.expect(scan.LParen)
	if p.accept(scan.RParen) {
		return nil
	}
	for {
		v := ast.Var{Scope: -1, Reg: -1}
		p.qualifiers(&v)
		if p.accept(scan.Underscore) {
			v.Name, v.Pos = "_", p.pos()
		} else {
			v.Name, v.Pos = p.name()
		}
		p.dimensions(&v)
		if v.Space != ast.ParamSpace && v.Space != ast.RegSpace {
			p.fail(v.Pos, "a parameter is in .param or .reg")
		}
		if p.failed {
			return list
		}
		list = append(list, v)
		if !p.accept(scan.Comma) {
			break
		}
	}
	p.expect(scan.RParen)
	return list
}

// arity bounds the number of values of a directive. A directive with text takes
// a string instead.
type arity struct {
	low, high int
	text      bool
}

// directives are the performance and call directives of a function header (PTX
// ISA 11.2 to 11.4).
var directives = map[string]arity{
	"maxnreg":              {1, 1, false},
	"maxntid":              {1, 3, false},
	"reqntid":              {1, 3, false},
	"minnctapersm":         {1, 1, false},
	"maxnctapersm":         {1, 1, false},
	"reqnctapercluster":    {1, 3, false},
	"explicitcluster":      {0, 0, false},
	"maxclusterrank":       {1, 1, false},
	"blocksareclusters":    {0, 0, false},
	"noreturn":             {0, 0, false},
	"abi_preserve":         {1, 1, false},
	"abi_preserve_control": {1, 1, false},
	"minperctamemory":      {1, 1, false},
	"language":             {0, 0, true},
}

// headerDirectives takes the directives and pragmas at one place of a header.
func (p *parser) headerDirectives(f *ast.Func) {
	for p.t.Kind == scan.Dot {
		pos := p.pos()
		switch word := p.word(); word {
		case "attribute":
			p.next()
			managed := false
			p.attributes(&managed, &f.Unified)
			if managed {
				p.fail(pos, "a function cannot be .managed")
			}
		case "pragma":
			p.next()
			f.Pragmas = append(f.Pragmas, p.pragma(pos))
		default:
			if _, known := directives[word]; !known && begins(word) {
				return
			}
			d, ok := p.directive(word)
			if !ok {
				return
			}
			f.Directives = append(f.Directives, d)
		}
	}
}

// directive takes one directive with its values.
func (p *parser) directive(word string) (ast.Directive, bool) {
	d := ast.Directive{Pos: p.pos(), Name: word}
	want, ok := directives[word]
	if !ok {
		p.fail(p.pos(), "unknown directive .%s", word)
		return d, false
	}
	p.next()
	if want.text {
		d.Text = p.str()
		return d, true
	}
	for len(d.Values) < want.high {
		d.Values = append(d.Values, p.count("."+word, 0, 1<<31-1))
		if len(d.Values) == want.high || !p.accept(scan.Comma) {
			break
		}
	}
	if len(d.Values) < want.low {
		p.unexpected("a number")
	}
	return d, true
}
