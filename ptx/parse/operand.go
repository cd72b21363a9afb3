package parse

import (
	"sync"

	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/scan"
)

// operands takes the operands of an instruction onto the stack. In a call a
// parenthesis opens a list of arguments.
func (b *body) operands(call bool) {
	if b.t.Kind == scan.Semicolon {
		return
	}
	for {
		if call && b.t.Kind == scan.LParen {
			b.group(ast.List, scan.LParen, scan.RParen)
		} else {
			b.operand()
			b.sum()
		}
		if !b.accept(scan.Comma) {
			return
		}
	}
}

// sum takes a constant added to the register just read.
func (b *body) sum() {
	if b.t.Kind != scan.Plus || b.failed {
		return
	}
	o := &b.stack[len(b.stack)-1]
	if o.Kind != ast.Register || o.Part != ast.Whole || o.Flags != 0 {
		return
	}
	b.next()
	o.Kind, o.Value = ast.Sum, uint64(b.integer())
}

// operand takes one operand, or two joined by a bar.
func (b *body) operand() {
	from := len(b.stack)
	pos := b.pos()
	b.single()
	if b.t.Kind == scan.Pipe && !b.failed {
		b.next()
		b.single()
		b.gather(from, ast.Operand{Kind: ast.Pair, Pos: pos})
	}
}

func (b *body) single() {
	pos := b.pos()
	switch b.t.Kind {
	case scan.Ident:
		b.named(0)
	case scan.LBracket:
		b.address()
	case scan.LBrace:
		b.group(ast.Vector, scan.LBrace, scan.RBrace)
	case scan.Underscore:
		b.next()
		b.push(ast.Operand{Kind: ast.Sink, Pos: pos})
	case scan.Bang, scan.Minus:
		b.marked()
	case scan.Number, scan.Float, scan.LParen, scan.Plus, scan.Tilde:
		b.constant()
	default:
		b.unexpected("an operand")
	}
}

func (b *body) push(o ast.Operand) { b.stack = append(b.stack, o) }

// marked takes !p and -r, or a constant that starts with that sign.
func (b *body) marked() {
	sign, at := b.t, b.s.Pos
	b.next()
	if b.t.Kind == scan.Ident && b.text() != "WARP_SZ" {
		flag := ast.Not
		if sign.Kind == scan.Minus {
			flag = ast.Minus
		}
		b.named(flag)
		return
	}
	if !b.failed {
		b.t, b.s.Pos = sign, at
	}
	b.constant()
}

func (b *body) constant() {
	pos := b.pos()
	b.push(constantOperand(b.expr(), pos))
}

func constantOperand(v value, pos ast.Pos) ast.Operand {
	o := ast.Operand{Kind: ast.Int, Pos: pos, Value: v.bits}
	switch v.kind {
	case unsigned:
		o.Flags = ast.Unsigned
	case single:
		o.Kind = ast.Float32
	case double:
		o.Kind = ast.Float64
	}
	return o
}

// group takes a bracketed list of operands as one operand.
func (b *body) group(kind ast.Kind, opening, closing scan.Kind) {
	from, pos := len(b.stack), b.pos()
	b.expect(opening)
	if !b.enter() {
		return
	}
	if opening == scan.LBrace {
		b.braces++
	}
	if kind != ast.List || b.t.Kind != closing {
		b.elements()
	}
	if opening == scan.LBrace && b.t.Kind == closing {
		b.braces--
	}
	b.expect(closing)
	b.leave()
	b.gather(from, ast.Operand{Kind: kind, Pos: pos})
}

// elements takes the operands inside brackets, which are not vectors.
func (b *body) elements() {
	for {
		if b.t.Kind == scan.LBrace {
			b.unexpected("a scalar operand")
		}
		b.operand()
		if !b.accept(scan.Comma) {
			return
		}
	}
}

// gather replaces the operands from a stack position on by one made of them.
func (b *body) gather(from int, o ast.Operand) {
	if b.failed {
		return
	}
	o.Value = uint64(len(b.stack) - from)
	o.Index = b.flush(from)
	b.stack = append(b.stack[:from], o)
}

// flush copies the operands from a stack position on to their final place and
// returns where that starts.
func (b *body) flush(from int) int32 {
	first := int32(len(b.b.Operands))
	b.b.Operands = append(b.b.Operands, b.stack[from:]...)
	for i := range b.stack[from:] {
		if o := &b.b.Operands[int(first)+i]; o.Kind == ast.NoOperand {
			name := b.unknown[o.Index]
			b.pending = append(b.pending, reference{name, hashOf(name), first + int32(i)})
		}
	}
	return first
}

// unresolved pushes an operand whose name is not declared so far.
func (b *body) unresolved(o ast.Operand, name string) {
	o.Kind, o.Index = ast.NoOperand, int32(len(b.unknown))
	b.unknown = append(b.unknown, name)
	b.push(o)
}

// address takes [a], [a+4], [16], [tex, {x, y}], and .unified behind it.
func (b *body) address() {
	from, pos := len(b.stack), b.pos()
	b.next()
	if !b.enter() {
		return
	}
	b.base()
	if b.t.Kind == scan.Comma {
		for b.accept(scan.Comma) {
			b.operand()
		}
		b.gather(from, ast.Operand{Kind: ast.Tuple, Pos: pos})
	}
	b.expect(scan.RBracket)
	b.leave()
	if b.failed {
		return
	}
	o := &b.stack[from]
	o.Flags |= ast.Address
	if b.t.Kind == scan.Dot && b.word() == "unified" {
		b.next()
		o.Flags |= ast.Unified
	}
}

// base takes the first part of an address: a name or constant, and an offset.
func (b *body) base() {
	if b.t.Kind != scan.Ident || b.text() == "WARP_SZ" {
		b.constant()
		return
	}
	b.named(ast.Address)
}

// named takes a name with what may follow it: an element, an offset, an index.
// With Address an offset may follow a register.
func (b *body) named(flags ast.Flags) {
	name, o := b.text(), ast.Operand{Pos: b.pos(), Flags: flags &^ ast.Address}
	b.next()
	y, n, _ := b.lookup(name)
	switch {
	case y == nil || y.kind == labelSymbol && y.scope != b.scope() || y.kind == tableSymbol && y.scope != b.scope():
		b.predefined(o, name)
	case y.kind <= familySymbol:
		o.Kind, o.Index = ast.Register, b.use(y.index, n)
		b.push(o)
	case y.kind == varSymbol:
		o.Kind, o.Index = ast.Local, y.index
		b.push(o)
	default:
		b.point(&o, y)
		b.push(o)
	}
	if b.t.Kind == scan.Comma || b.t.Kind == scan.Semicolon || b.failed {
		return
	}
	b.suffix(&b.stack[len(b.stack)-1], name, flags)
}

// specials finds special registers by name.
var specials = sync.OnceValue(func() map[string]int32 {
	m := make(map[string]int32, len(ast.Specials))
	for i := range ast.Specials {
		m[ast.Specials[i].Name] = int32(i)
	}
	return m
})

// predefined pushes a special register, WARP_SZ, or a name to be resolved later.
func (b *body) predefined(o ast.Operand, name string) {
	if name[0] == '%' {
		if i, ok := specials()[name]; ok {
			o.Kind, o.Index = ast.Special, i
			b.push(o)
			return
		}
	}
	if name == "WARP_SZ" {
		o.Kind, o.Value = ast.Int, warpSize
		b.push(o)
		return
	}
	b.unresolved(o, name)
}

// suffix takes what may follow a name.
func (b *body) suffix(o *ast.Operand, name string, flags ast.Flags) {
	addressable := o.Kind == ast.Local || o.Kind == ast.NoOperand
	switch {
	case b.t.Kind == scan.Dot && (o.Kind == ast.Register || o.Kind == ast.Special):
		b.part(o)
	case b.t.Kind == scan.LBracket && addressable && flags&ast.Address == 0:
		b.subscript(o, name)
		return
	}
	switch {
	case b.t.Kind == scan.Plus && (addressable || o.Kind == ast.Register && flags&ast.Address != 0):
		b.next()
		o.Value += uint64(b.integer())
		if flags&ast.Address == 0 {
			o.Flags |= ast.Moved
		}
	case b.t.Kind == scan.Minus && flags&ast.Address != 0 && (addressable || o.Kind == ast.Register):
		b.fail(b.pos(), "a negative offset is written %s+-n", name)
	}
}

// elementParts maps the names of vector elements.
var elementParts = [256]ast.Part{
	'x': ast.PartX, 'y': ast.PartY, 'z': ast.PartZ, 'w': ast.PartW,
	'r': ast.PartX, 'g': ast.PartY, 'b': ast.PartZ, 'a': ast.PartW,
}

// part takes .x, or a byte or half selector such as .b0 or .h10.
func (b *body) part(o *ast.Operand) {
	w := b.word()
	if len(w) == 1 && elementParts[w[0]] != ast.Whole && b.isVector(o) {
		o.Part = elementParts[w[0]]
		b.next()
		return
	}
	switch w[0] {
	case 'b':
		o.Part = ast.PartB
	case 'h':
		o.Part = ast.PartH
	}
	digits := w[1:]
	ok := o.Part != ast.Whole && len(digits) >= 1 && len(digits) <= 4
	for i := range len(digits) {
		ok = ok && digits[i] >= '0' && digits[i] <= '7'
	}
	if !ok {
		b.fail(b.pos(), "the register has no element .%s", w)
		return
	}
	for i := range len(digits) {
		o.Value = o.Value<<4 | uint64(digits[i]-'0')
	}
	o.Value |= uint64(len(digits)) << 32
	b.next()
}

// isVector reports whether a register has elements.
func (b *body) isVector(o *ast.Operand) bool {
	if o.Kind == ast.Special {
		return ast.Specials[o.Index].Vec > 1
	}
	return b.b.Regs[o.Index].Vec > 1
}

// subscript takes [n] behind the name of an array: an element, or its address
// in mov and cvta.
func (b *body) subscript(o *ast.Operand, name string) {
	v := b.m.Var(name)
	if o.Kind == ast.Local {
		v = &b.b.Vars[o.Index]
	}
	pos := b.pos()
	b.next()
	n := b.integer()
	b.expect(scan.RBracket)
	if v == nil {
		b.fail(pos, "%s is not an array", name)
		return
	}
	o.Value += uint64(n) * uint64(v.Elem())
	if b.takesAddress {
		o.Flags |= ast.Moved
	} else {
		o.Flags |= ast.Address
	}
}
