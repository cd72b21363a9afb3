package lower

import (
	"math"
	"slices"

	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
	"github.com/lockstep-sim/lockstep/ptx/ast"
)

// quotient is how a division becomes a product. The multifunction unit gives reciprocals of numbers that are normal and
// whose reciprocals are. div.approx.ftz is the product of the dividend and the reciprocal of the divisor; the other
// approximations scale both before, so that more divisors count. The reciprocal of a constant is rounded to nearest,
// which is not always what the unit would give.
type quotient struct {
	kind   quotientKind
	class  string
	values [2]ast.Operand // dividend and divisor
	scale  uint32         // of the dividend of a division by a constant, 0 for one
}

type quotientKind uint8

const (
	noQuotient  quotientKind = iota
	unscaled                 // a * (1/b)
	scaled                   // tiny divisors are scaled
	scaledLarge              // large divisors are
	scaledAll                // both are
	byConstant
)

// quotientOf is the kind of a division, or of a reciprocal that is scaled like one.
func quotientOf(o *ast.Opcode) quotientKind {
	has := func(mod string) bool { return slices.Contains(o.Mods, mod) }
	switch {
	case !has("f32"):
		return noQuotient
	case o.Name == "rcp" && has("approx") && !has("ftz"):
		return scaledAll
	case o.Name != "div":
		return noQuotient
	case has("approx") && has("ftz"):
		return unscaled
	case has("approx"):
		return scaled
	case has("full") && has("ftz"):
		return scaledLarge
	case has("full"):
		return scaledAll
	}
	return noQuotient
}

// constant reports a product that stays one where its factors are constant.
func (q *quotient) constant() bool {
	return q.kind == noQuotient || q.kind == unscaled || q.kind == byConstant
}

// Bits of f32 numbers.
const (
	one      = 0x3f800000
	least    = 0x00800000 // the least normal one
	large    = 0x7e800000 // 2^126, above which the reciprocal is subnormal
	quarter  = 0x3e800000
	upScale  = 0x4b800000 // 2^24
	signBit  = 0x80000000
	infinity = 0x7f800000
)

// divide makes a product of a division. It reports false for one that is left as it is.
func (c *contraction) divide(p *product, args []ast.Operand, kind quotientKind) bool {
	class := c.kinds[c.body.Insts[p.at].Op].class
	q := quotient{kind: kind, class: class}
	switch len(args) {
	case 1:
		q.values = [2]ast.Operand{{Kind: ast.Float32, Value: one, Pos: args[0].Pos}, args[0]}
	case 2:
		q.values = [2]ast.Operand(args)
	default:
		return false
	}
	p.factors = q.values
	b, ok := c.literal(&q.values[1])
	switch {
	case ok && b&^signBit > infinity: // no number
		return false
	case ok:
		q.kind = byConstant
		q.scale = scaleOf(kind, b)
		if q.scale != 0 {
			b = alu.MulF32RN(b, q.scale)
		}
		p.factors[1] = ast.Operand{Kind: ast.Float32, Value: uint64(alu.RcpFtzF32(alu.RN, b)), Pos: args[0].Pos}
	}
	p.quotient = q
	return true
}

// scaleOf is the scale of a division by a constant, 0 for none.
func scaleOf(kind quotientKind, b uint32) uint32 {
	size := b &^ signBit
	switch {
	case size < least && (kind == scaled || kind == scaledAll):
		return upScale
	case size > large && (kind == scaledLarge || kind == scaledAll):
		return quarter
	}
	return 0
}

// expand adds what gives the factors of the quotient and makes them operands.
func (q *quotient) expand(w *rewriting, p *product) {
	number := func(bits uint32) ast.Operand {
		return ast.Operand{Kind: ast.Float32, Value: uint64(bits), Pos: w.here.Pos}
	}
	times := func(a, scale ast.Operand) ast.Operand {
		t := w.register(ast.F32)
		w.add("mul.rn."+q.class, t, a, scale)
		return t
	}
	if q.kind == byConstant {
		if q.scale != 0 {
			p.factors[0] = times(p.factors[0], number(q.scale))
		}
		return
	}
	a, b := q.values[0], q.values[1]
	if q.kind != unscaled {
		size, scale := w.register(ast.F32), number(one)
		w.add("abs."+q.class, size, b)
		choose := func(condition string, limit, factor uint32) {
			is, chosen := w.register(ast.Pred), w.register(ast.F32)
			w.add("setp."+condition+"."+q.class, is, size, number(limit))
			w.add("selp.f32", chosen, number(factor), scale, is)
			scale = chosen
		}
		if q.kind != scaled {
			choose("gt", large, quarter)
		}
		if q.kind != scaledLarge {
			choose("lt", least, upScale)
		}
		a, b = times(a, scale), times(b, scale)
	}
	reciprocal := w.register(ast.F32)
	w.add("rcp.approx.ftz.f32", reciprocal, b)
	p.factors = [2]ast.Operand{a, reciprocal}
}

// float32Bits is the bits of a literal of type f32.
func float32Bits(a *ast.Operand) uint32 {
	if a.Kind == ast.Float64 {
		return math.Float32bits(float32(math.Float64frombits(a.Value)))
	}
	return uint32(a.Value)
}
