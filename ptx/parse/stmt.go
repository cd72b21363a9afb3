package parse

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/scan"
)

// statement takes one statement of a body.
func (b *body) statement() {
	switch b.t.Kind {
	case scan.Ident:
		b.labelOrInst()
	case scan.At:
		b.guarded()
	case scan.Dot:
		b.directive()
	case scan.LBrace:
		b.open(b.pos())
		b.next()
	case scan.RBrace:
		if len(b.blocks) == 1 {
			b.report(b.pos(), "closing brace without an opening one")
		} else {
			b.close(b.pos())
		}
		b.next()
	default:
		b.unexpected("an instruction")
	}
}

// labelOrInst takes a label, a labelled directive or an unguarded instruction.
func (b *body) labelOrInst() {
	t := b.t
	if !b.s.At(':') {
		b.inst(t, -1, false)
		return
	}
	b.next()
	b.next()
	b.label(b.s.Src[t.Start:t.End], ast.Pos(t.Start))
}

// label takes what follows name: at the start of a statement.
func (b *body) label(name string, pos ast.Pos) {
	if b.t.Kind == scan.Dot {
		for k := ast.BranchTargets; k <= ast.CallPrototype; k++ {
			if k.String() == b.word() {
				b.table(name, pos, k)
				return
			}
		}
	}
	b.declare(name, pos, labelSymbol, int32(len(b.b.Labels)))
	b.b.Labels = append(b.b.Labels, ast.Label{Pos: pos, Name: name, Scope: b.scope(), Inst: int32(len(b.b.Insts))})
}

// table takes a labelled directive.
func (b *body) table(name string, pos ast.Pos, kind ast.TableKind) {
	b.next()
	t := ast.Table{Pos: pos, Name: name, Kind: kind, Scope: b.scope()}
	b.stack, b.unknown = b.stack[:0], b.unknown[:0]
	if kind == ast.CallPrototype {
		t.Proto = b.prototype()
	} else {
		b.targets()
	}
	b.expect(scan.Semicolon)
	if b.failed {
		return
	}
	t.First, t.Size = b.flush(0), int32(len(b.stack))
	b.declare(name, pos, tableSymbol, int32(len(b.b.Tables)))
	b.b.Tables = append(b.b.Tables, t)
}

// targets takes the names of a branch or call table.
func (b *body) targets() {
	for b.t.Kind == scan.Ident {
		name, o := b.text(), ast.Operand{Pos: b.pos()}
		b.next()
		if b.t.Kind == scan.Less {
			for i := range b.expand() {
				b.unresolved(o, name+strconv.Itoa(int(i)))
			}
		} else {
			b.unresolved(o, name)
		}
		if !b.accept(scan.Comma) {
			return
		}
	}
	b.unexpected("a name")
}

// prototype takes {(returns)} _ {(params)} with directives.
func (b *body) prototype() *ast.Prototype {
	p := new(ast.Prototype)
	if b.t.Kind == scan.LParen {
		p.Returns = b.params()
	}
	b.expect(scan.Underscore)
	if b.t.Kind == scan.LParen {
		p.Params = b.params()
	}
	for b.t.Kind == scan.Dot {
		d, ok := b.parser.directive(b.word())
		if !ok {
			break
		}
		p.Directives = append(p.Directives, d)
		if d.Name == "noreturn" && len(p.Returns) > 0 {
			b.report(d.Pos, "a .noreturn function has no result")
		}
	}
	if len(p.Returns) > 1 && slices.ContainsFunc(p.Returns, func(v ast.Var) bool { return v.Space == ast.ParamSpace }) {
		b.report(p.Returns[1].Pos, "of several results each is in .reg")
	}
	return p
}

// directive takes a directive inside a body.
func (b *body) directive() {
	pos, word := b.pos(), b.word()
	switch word {
	case "loc":
		b.next()
		b.locDirective(pos)
		return
	case "reg":
		for _, d := range b.registers(nil, b.scope()) {
			b.declareReg(d)
		}
		return
	case "pragma":
		b.next()
		g := b.pragma(pos)
		g.Inst = int32(len(b.b.Insts))
		b.b.Pragmas = append(b.b.Pragmas, g)
		return
	case "entry", "func", "version", "section", "file", "visible", "extern", "weak", "common":
		b.fail(pos, ".%s inside a function body: a closing brace is missing above", word)
		b.s.Pos = int32(len(b.s.Src))
		return
	}
	if ast.SpaceByName(word) == ast.NoSpace && word != "align" {
		b.fail(pos, "unknown directive .%s", word)
		return
	}
	b.variables(ast.Var{Scope: b.scope(), Reg: -1}, b.declareVar)
}

// locDirective takes file line column {, function_name L{+n}, inlined_at file
// line column}.
func (b *body) locDirective(pos ast.Pos) {
	l := ast.Loc{Pos: pos, Inst: int32(len(b.b.Insts))}
	l.File, l.Line, l.Col = b.fileLine()
	if b.accept(scan.Comma) {
		in := new(ast.Inlined)
		b.keyword("function_name")
		in.Function, _ = b.name()
		if b.accept(scan.Plus) {
			in.Offset = b.integer()
		}
		b.expect(scan.Comma)
		b.keyword("inlined_at")
		in.File, in.Line, in.Col = b.fileLine()
		l.Inlined = in
	}
	if b.failed {
		return
	}
	b.loc = int32(len(b.b.Locs))
	b.b.Locs = append(b.b.Locs, l)
}

func (b *body) keyword(word string) {
	if b.t.Kind != scan.Ident || b.text() != word {
		b.unexpected(word)
	}
	b.next()
}

func (b *body) fileLine() (file, line, col int32) {
	return b.small(), b.small(), b.small()
}

// small takes a plain number; above 31 bits it becomes the largest.
func (b *body) small() int32 {
	if b.t.Kind != scan.Number {
		b.unexpected("a number")
		return 0
	}
	v, _ := scan.Integer(b.text())
	b.next()
	return int32(min(v, 1<<31-1))
}

// guarded takes @p or @!p and the instruction behind it.
func (b *body) guarded() {
	b.next()
	not := b.accept(scan.Bang)
	name, pos := b.text(), b.pos()
	if !b.expect(scan.Ident) {
		return
	}
	y, n, _ := b.lookup(name)
	if y == nil || y.kind > familySymbol {
		b.fail(pos, "guard %s is not a declared register", name)
		return
	}
	guard := b.use(y.index, n)
	if t := b.b.Regs[guard].Type; t != ast.Pred {
		b.fail(pos, "guard %s is a .%s, not a .pred", name, t)
		return
	}
	t := b.t
	if t.Kind != scan.Ident {
		b.unexpected("an instruction")
		return
	}
	b.inst(t, guard, not)
}

// inst takes an instruction whose mnemonic is t.
func (b *body) inst(t scan.Token, guard int32, not bool) {
	in := ast.Inst{Pos: ast.Pos(t.Start), Guard: guard, Not: not, Loc: b.loc}
	t = b.s.Dotted(t)
	text := b.s.Src[t.Start:t.End]
	for b.s.At('.') || b.s.At('[') && strings.HasPrefix(text, "ld.") && strings.HasSuffix(text, ".const") {
		if b.s.At('[') {
			b.bank()
			continue
		}
		// Modifiers may stand apart: ld .global .u32.
		d := b.s.Dotted(scan.Token{Start: b.s.Pos, End: b.s.Pos})
		text += b.s.Src[d.Start:d.End]
	}
	b.next()
	in.Op = b.opcode(text, in.Pos)
	b.stack, b.unknown = b.stack[:0], b.unknown[:0]
	mark, waiting := len(b.b.Operands), len(b.pending)
	name := b.b.Opcodes[in.Op].Name
	b.takesAddress = name == "mov" || name == "cvta"
	b.operands(name == "call")
	b.expect(scan.Semicolon)
	if len(b.stack) > 255 {
		b.fail(in.Pos, "more than 255 operands")
	}
	if b.failed {
		b.b.Operands, b.pending = b.b.Operands[:mark], b.pending[:waiting]
		return
	}
	in.Count = uint8(len(b.stack))
	in.First = b.flush(0)
	b.b.Insts = append(b.b.Insts, in)
}

// bank passes the number of a bank of constants, of PTX before 2.2: ld.const[2].u32.
// All banks are one.
func (b *body) bank() {
	inside, _, found := strings.Cut(b.s.Src[b.s.Pos+1:], "]")
	if n := smallInt(strings.TrimSpace(inside)); !found || n < 0 || n > 10 {
		b.fail(ast.Pos(b.s.Pos), "a bank of constants has a number from 0 to 10")
		inside = ""
	}
	b.s.Pos += int32(len(inside)) + 2
}

// opcode returns the index in Body.Opcodes of a spelling.
func (b *body) opcode(text string, pos ast.Pos) int32 {
	h := hashOf(text)
	if y := b.opcodes.find(text, h); y != nil {
		return y.index
	}
	name, rest, dotted := strings.Cut(text, ".")
	o := ast.Opcode{Text: text, Name: name}
	if dotted {
		o.Mods = strings.Split(rest, ".")
	}
	for _, m := range o.Mods {
		if m == "" || strings.HasSuffix(m, ":") {
			b.fail(pos, "empty modifier in %s", text)
		}
	}
	i := int32(len(b.b.Opcodes))
	b.b.Opcodes = append(b.b.Opcodes, o)
	b.opcodes.add(symbol{name: text, hash: h, index: i})
	return i
}
