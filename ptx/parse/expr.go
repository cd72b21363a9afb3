package parse

import (
	"cmp"
	"math"

	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/scan"
)

// value is a folded constant (PTX ISA 4.6). Integers and doubles do not mix, and
// a 0f pattern stands alone: ptxas folds the same expressions.
type value struct {
	bits uint64
	kind valueKind
}

type valueKind uint8

const (
	signed valueKind = iota
	unsigned
	single // a 0f pattern: 32 bits
	double
)

func (v value) float() bool { return v.kind >= single }

// f64 is the value of a double.
func (v value) f64() float64 { return math.Float64frombits(v.bits) }

func ofBool(b bool) value {
	if b {
		return value{1, signed}
	}
	return value{0, signed}
}

func ofF64(f float64) value { return value{math.Float64bits(f), double} }

// warpSize is the value of WARP_SZ.
const warpSize = 32

// expr takes a constant expression.
func (p *parser) expr() value {
	switch p.t.Kind {
	case scan.Number:
		v := p.number()
		if p.t.Kind < scan.Less {
			return v
		}
		return p.conditional(p.binary(v, 1))
	case scan.Float:
		if bits, f32, _ := scan.FloatBits(p.text()); f32 {
			p.next()
			return value{bits, single}
		}
	}
	return p.conditional(p.binary(p.unary(), 1))
}

// conditional takes the rest of c ? a : b.
func (p *parser) conditional(c value) value {
	pos := p.pos()
	if !p.accept(scan.Question) || !p.enter() {
		return c
	}
	a := p.expr()
	p.expect(scan.Colon)
	b := p.expr()
	p.leave()
	p.integers(pos, c, a, b)
	if c.bits != 0 {
		return a
	}
	return b
}

// integers fails when one of the operands is not an integer.
func (p *parser) integers(pos ast.Pos, list ...value) {
	for _, v := range list {
		if v.float() {
			p.fail(pos, "operator needs integers")
		}
	}
}

// level holds the binding strength of binary operators, weakest 1.
var level = [256]uint8{
	scan.OrOr: 1, scan.AndAnd: 2, scan.Pipe: 3, scan.Caret: 4, scan.Amp: 5,
	scan.EqEq: 6, scan.NotEq: 6,
	scan.Less: 7, scan.LessEq: 7, scan.Greater: 7, scan.GreaterEq: 7,
	scan.Shl: 8, scan.Shr: 8, scan.Plus: 9, scan.Minus: 9,
	scan.Star: 10, scan.Slash: 10, scan.Percent: 10,
}

// binary takes operators that bind at least as strongly as low.
func (p *parser) binary(a value, low uint8) value {
	for {
		op, pos := p.t.Kind, p.pos()
		l := level[op]
		if l < low || l == 0 {
			return a
		}
		p.next()
		if !p.enter() {
			return a
		}
		b := p.binary(p.unary(), l+1)
		p.leave()
		a = p.apply(pos, op, a, b)
	}
}

// unary takes a primary with its prefix operators.
func (p *parser) unary() value {
	op, pos := p.t.Kind, p.pos()
	switch op {
	case scan.Number:
		return p.number()
	case scan.Float:
		return p.float()
	case scan.LParen:
		return p.paren()
	case scan.Ident:
		if p.text() == "WARP_SZ" {
			p.next()
			return value{warpSize, signed}
		}
	case scan.Plus, scan.Minus, scan.Bang, scan.Tilde:
		p.next()
		if !p.enter() {
			return value{}
		}
		v := p.unary()
		p.leave()
		return p.prefix(pos, op, v)
	}
	p.unexpected("a constant")
	return value{}
}

// paren takes (expr), or a cast and its operand.
func (p *parser) paren() value {
	p.next()
	if !p.enter() {
		return value{}
	}
	defer p.leave()
	if p.t.Kind != scan.Dot {
		v := p.expr()
		p.expect(scan.RParen)
		return v
	}
	kind, pos := signed, p.pos()
	switch p.word() {
	case "s64":
	case "u64":
		kind = unsigned
	default:
		p.unexpected(".s64 or .u64")
	}
	p.next()
	p.expect(scan.RParen)
	v := p.unary()
	p.integers(pos, v)
	return value{v.bits, kind}
}

func (p *parser) number() value {
	bits, u := scan.Integer(p.text())
	p.next()
	if u {
		return value{bits, unsigned}
	}
	return value{bits, signed}
}

// float takes a double.
func (p *parser) float() value {
	bits, f32, ok := scan.FloatBits(p.text())
	switch {
	case f32:
		p.fail(p.pos(), "a 0f pattern cannot be part of an expression")
	case !ok:
		p.fail(p.pos(), "number is out of the range of a double")
	}
	p.next()
	return value{bits, double}
}

func (p *parser) prefix(pos ast.Pos, op scan.Kind, v value) value {
	if op == scan.Bang || op == scan.Tilde {
		p.integers(pos, v)
	}
	switch {
	case op == scan.Bang:
		return ofBool(v.bits == 0)
	case op == scan.Tilde:
		return value{^v.bits, unsigned}
	case op == scan.Minus && v.float():
		return value{v.bits ^ 1<<63, double}
	case op == scan.Minus:
		return value{-v.bits, v.kind}
	}
	return v
}

func (p *parser) apply(pos ast.Pos, op scan.Kind, a, b value) value {
	if a.kind == double && b.kind == double {
		return p.applyF64(pos, op, a.f64(), b.f64())
	}
	p.integers(pos, a, b)
	switch op {
	case scan.AndAnd:
		return ofBool(a.bits != 0 && b.bits != 0)
	case scan.OrOr:
		return ofBool(a.bits != 0 || b.bits != 0)
	case scan.Shl, scan.Shr:
		return shift(op, a, b.bits)
	case scan.Slash, scan.Percent:
		if b.bits == 0 {
			p.fail(pos, "division by zero")
			return a
		}
	}
	if a.kind != b.kind {
		a.kind, b.kind = unsigned, unsigned
	}
	if v, ok := compare(op, order(a, b)); ok {
		return v
	}
	return arithmetic(op, a, b)
}

// shift uses the low six bits of its count, as ptxas does.
func shift(op scan.Kind, a value, n uint64) value {
	n &= 63
	switch {
	case op == scan.Shl:
		return value{a.bits << n, a.kind}
	case a.kind == signed:
		return value{uint64(int64(a.bits) >> n), a.kind}
	}
	return value{a.bits >> n, a.kind}
}

// order is -1, 0 or 1 as a is less than, equal to or greater than b, which has
// the same type.
func order(a, b value) int {
	if a.kind == signed {
		return cmp.Compare(int64(a.bits), int64(b.bits))
	}
	return cmp.Compare(a.bits, b.bits)
}

// compare evaluates a relational operator on the order of its operands.
func compare(op scan.Kind, order int) (value, bool) {
	switch op {
	case scan.Less:
		return ofBool(order < 0), true
	case scan.LessEq:
		return ofBool(order <= 0), true
	case scan.Greater:
		return ofBool(order > 0), true
	case scan.GreaterEq:
		return ofBool(order >= 0), true
	case scan.EqEq:
		return ofBool(order == 0), true
	case scan.NotEq:
		return ofBool(order != 0), true
	}
	return value{}, false
}

// arithmetic evaluates an integer operator; a divisor is not zero.
func arithmetic(op scan.Kind, a, b value) value {
	switch op {
	case scan.Plus:
		return value{a.bits + b.bits, a.kind}
	case scan.Minus:
		return value{a.bits - b.bits, a.kind}
	case scan.Star:
		return value{a.bits * b.bits, a.kind}
	case scan.Slash:
		if a.kind == signed {
			return value{uint64(int64(a.bits) / int64(b.bits)), signed}
		}
		return value{a.bits / b.bits, unsigned}
	case scan.Percent:
		return value{a.bits % b.bits, unsigned}
	case scan.Amp:
		return value{a.bits & b.bits, a.kind}
	case scan.Pipe:
		return value{a.bits | b.bits, a.kind}
	}
	return value{a.bits ^ b.bits, a.kind}
}

func (p *parser) applyF64(pos ast.Pos, op scan.Kind, a, b float64) value {
	switch op {
	case scan.Plus:
		return ofF64(a + b)
	case scan.Minus:
		return ofF64(a - b)
	case scan.Star:
		return ofF64(a * b)
	case scan.Slash:
		if b == 0 {
			p.fail(pos, "division by zero")
		}
		return ofF64(a / b)
	}
	if v, ok := compare(op, cmp.Compare(a, b)); ok {
		return v
	}
	p.fail(pos, "%s needs integers", op)
	return value{}
}
