package parse

import (
	"strings"
	"sync"

	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/scan"
)

// module parses the items at module level.
type module struct {
	parser
	targets bool // .target was seen
	files   map[int]bool
}

func (p *module) parse() {
	p.next()
	for p.t.Kind != scan.EOF {
		p.statement()
		if p.failed {
			p.recover(true)
		}
	}
	if p.m.Version.Major == 0 && len(p.errs) == 0 {
		p.report(0, "module does not start with .version")
	}
	p.m.Index(func(pos ast.Pos, name string) { p.report(pos, "%s is defined twice", name) })
	p.checkNames()
	p.rules()
}

// checkNames reports names in initial values that nothing before declares.
func (p *module) checkNames() {
	first := make(map[string]ast.Pos)
	note := func(name string, pos ast.Pos) {
		if _, again := first[name]; !again {
			first[name] = pos
		}
	}
	relocated := false
	for i := range p.m.Vars {
		note(p.m.Vars[i].Name, p.m.Vars[i].Pos)
		relocated = relocated || p.m.Vars[i].Init != nil && len(p.m.Vars[i].Init.Relocs) > 0
	}
	if !relocated {
		return
	}
	for _, f := range p.m.Funcs {
		note(f.Name, f.NamePos)
	}
	for _, a := range p.m.Aliases {
		note(a.Name, a.Pos)
	}
	for i := range p.m.Vars {
		if img := p.m.Vars[i].Init; img != nil {
			for _, r := range img.Relocs {
				if pos, ok := first[r.Name]; !ok || pos > r.Pos {
					p.report(r.Pos, "undeclared name %s", r.Name)
				}
			}
		}
	}
}

func (p *module) statement() {
	if p.t.Kind != scan.Dot {
		p.unexpected("a directive")
		return
	}
	word, pos := p.word(), p.pos()
	rule := (*module).file
	switch word {
	case "version":
		rule = (*module).version
	case "target":
		rule = (*module).target
	case "address_size":
		rule = (*module).addressSize
	case "file":
	case "section":
		rule = (*module).section
	case "alias":
		rule = (*module).alias
	case "pragma":
		rule = (*module).modulePragma
	default:
		p.declaration()
		return
	}
	p.next()
	rule(p, pos)
}

func (p *module) modulePragma(pos ast.Pos) {
	g := p.pragma(pos)
	for _, text := range g.Text {
		if text != "nounroll" && !p.failed {
			p.report(pos, "no pragma %q applies to a module", text)
		}
	}
	p.m.Pragmas = append(p.m.Pragmas, g)
}

// begins reports a directive that begins an item of a module.
func begins(word string) bool {
	switch word {
	case "version", "target", "address_size", "file", "section", "alias", "entry", "func", "align":
		return true
	}
	return linkage(word) != ast.Static || ast.SpaceByName(word) != ast.NoSpace
}

// linkage is the linkage a directive names, Static for other words.
func linkage(word string) ast.Linkage {
	for l := ast.Extern; l <= ast.Common; l++ {
		if l.String() == word {
			return l
		}
	}
	return ast.Static
}

// declaration takes a function or variable, with its linkage.
func (p *module) declaration() {
	pos, link := p.pos(), ast.Static
	if link = linkage(p.word()); link != ast.Static {
		p.next()
	}
	if p.t.Kind == scan.Dot {
		switch word := p.word(); {
		case word == "entry" || word == "func":
			if link == ast.Common {
				p.fail(pos, "a function cannot be .common")
				return
			}
			p.function(link)
			return
		case word == "reg" && link == ast.Static:
			if p.m.Version.Major >= 3 {
				p.report(pos, "PTX 3.0 and later have no registers at module level")
			}
			p.m.Regs = p.registers(p.m.Regs, -1)
			return
		case ast.SpaceByName(word) != ast.NoSpace || word == "align":
			p.variables(ast.Var{Linkage: link, Scope: -1, Reg: -1}, func(v ast.Var) {
				if v.Space == ast.LocalSpace && p.m.Version.Major >= 3 || v.Space == ast.ParamSpace {
					p.report(pos, "a .%s variable cannot stand at module level", v.Space)
				}
				p.m.Vars = append(p.m.Vars, v)
			})
			return
		case link == ast.Static:
			p.fail(pos, "unknown directive .%s", word)
			return
		}
	}
	p.unexpected("a function or variable")
}

func (p *module) version(pos ast.Pos) {
	text := p.text()
	if p.t.Kind != scan.Float {
		p.unexpected("a version such as 7.0")
		return
	}
	major, minor, _ := strings.Cut(text, ".")
	v := ast.Version{Major: smallInt(major), Minor: smallInt(minor)}
	if v.Major <= 0 || v.Minor < 0 {
		p.fail(p.pos(), "bad version %s", text)
		return
	}
	if p.m.Version.Major != 0 {
		p.report(pos, "second .version %s in a module of version %d.%d", text, p.m.Version.Major, p.m.Version.Minor)
	}
	p.m.Version, p.m.VersionPos = v, pos
	p.next()
}

// smallInt converts one to three decimal digits, -1 for anything else.
func smallInt(s string) int {
	n := 0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	if s == "" || len(s) > 3 {
		return -1
	}
	return n
}

func (p *module) target(pos ast.Pos) {
	var names []string
	for {
		name, _ := p.name()
		names = append(names, name)
		if !p.accept(scan.Comma) {
			break
		}
	}
	switch {
	case p.failed:
	case p.targets:
		p.m.Narrowed = append(p.m.Narrowed, names)
	default:
		p.targets, p.m.Targets, p.m.TargetPos = true, names, pos
	}
}

func (p *module) addressSize(at ast.Pos) {
	pos := p.pos()
	if p.m.AddressPos != 0 {
		p.report(at, "second .address_size in a module")
	}
	if v := p.m.Version; !v.AtLeast(2, 3) {
		p.report(pos, ".address_size needs PTX 2.3, the module has .version %d.%d", v.Major, v.Minor)
	}
	n := p.integer()
	if n != 32 && n != 64 {
		p.fail(pos, "address size %d is neither 32 nor 64", n)
		return
	}
	p.m.AddressSize, p.m.AddressPos = int(n), at
}

// file takes .file index "path" {, time, size}.
func (p *module) file(pos ast.Pos) {
	f := ast.File{Pos: pos, Index: int(p.count("file index", 0, 1<<31-1)), Path: p.str()}
	if p.accept(scan.Comma) {
		f.Time = uint64(p.integer())
		if p.accept(scan.Comma) {
			f.Size = uint64(p.integer())
		}
	}
	if p.failed {
		return
	}
	if p.files[f.Index] {
		p.report(pos, "second .file %d", f.Index)
	}
	p.files[f.Index] = true
	p.m.Files = append(p.m.Files, f)
}

func (p *module) alias(ast.Pos) {
	var a ast.Alias
	a.Name, a.Pos = p.name()
	p.expect(scan.Comma)
	a.Target, _ = p.name()
	p.expect(scan.Semicolon)
	if !p.failed {
		p.m.Aliases = append(p.m.Aliases, a)
	}
}

// section takes the header of a section and leaves its contents to Load.
func (p *module) section(pos ast.Pos) {
	s := &ast.Section{Pos: pos}
	if p.t.Kind != scan.Dot {
		p.unexpected("the name of a section, with its dot")
		return
	}
	s.Name = p.text()
	p.next()
	open := p.pos()
	if p.t.Kind != scan.LBrace {
		p.unexpected("{")
		return
	}
	end, ok := p.block()
	if !ok {
		p.report(open, "section %s is not closed", s.Name)
	}
	m := p.m
	s.Load = sync.OnceValues(func() (*ast.Image, error) { return parseSection(m, open, end) })
	m.Sections = append(m.Sections, s)
}

// block skips the braced block at the current token and returns the offset of
// its closing brace, or of the end of the text and false.
func (p *module) block() (end ast.Pos, ok bool) {
	after, ok := scan.Block(p.s.Src, p.t.Start)
	p.s.Pos = after
	if ok {
		after--
	}
	p.next()
	return ast.Pos(after), ok
}

// pragma takes "text" {, "text"} ; behind .pragma.
func (p *parser) pragma(pos ast.Pos) ast.Pragma {
	g := ast.Pragma{Pos: pos, Inst: -1}
	for {
		g.Text = append(g.Text, p.str())
		if !p.accept(scan.Comma) {
			break
		}
	}
	p.expect(scan.Semicolon)
	return g
}
