package lower

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// rewriting makes a body with fused instructions of another.
type rewriting struct {
	body    *ast.Body // the new one
	insts   []ast.Inst
	opcodes map[string]int32 // that have been added
	here    ast.Inst         // gives its place to what is added
}

// rewrite makes the body with fused instructions. A product that is fused produces no code of its own, but what its
// factors need: an intermediate result of a division, a copy of a register that changes before the sum.
func (c *contraction) rewrite() *ast.Body {
	b := *c.body
	b.Operands, b.Opcodes, b.Regs, b.Labels = slices.Clip(b.Operands), slices.Clip(b.Opcodes), slices.Clip(b.Regs), slices.Clone(b.Labels)
	w := &rewriting{body: &b, insts: make([]ast.Inst, 0, len(b.Insts)), opcodes: map[string]int32{}}
	gone := map[int32]bool{}
	for _, p := range c.products {
		for _, at := range p.copies {
			gone[at] = p.fused
		}
	}
	sums := map[int32]*sum{}
	for i := range c.sums {
		if c.sums[i].chosen >= 0 {
			sums[c.sums[i].at] = &c.sums[i]
		}
	}
	places := make([]int32, len(b.Insts)+1)
	for i := range b.Insts {
		at := int32(i)
		places[i], w.here = int32(len(w.insts)), b.Insts[i]
		switch p, s := c.products[at], sums[at]; {
		case s != nil:
			c.fuse(w, s)
		case gone[at]:
		case p == nil || !p.fused && !p.replaced():
			w.insts = append(w.insts, b.Insts[i])
		default:
			c.product(w, p)
		}
	}
	places[len(b.Insts)] = int32(len(w.insts))
	for i := range b.Labels {
		b.Labels[i].Inst = places[b.Labels[i].Inst]
	}
	b.Insts = w.insts
	return &b
}

// fuse makes a fused multiply-add of a sum and one of its terms.
func (c *contraction) fuse(w *rewriting, s *sum) {
	x := &c.body.Insts[s.at]
	k, args, p := c.kinds[x.Op], c.body.Args(x), s.terms[s.chosen]
	factor, other := p.factors[0], args[2-s.chosen]
	minus := s.negative[s.chosen]
	if k.operation == '-' {
		if s.chosen == 0 {
			other.Flags |= negated // a*b - c
		} else {
			minus = !minus // c - a*b
		}
	}
	if minus {
		factor.Flags |= negated
	}
	text := "fma.rn." + k.class
	if k.sat {
		text += ".sat"
	}
	w.add(text, args[0], factor, p.factors[1], other)
	last := &w.insts[len(w.insts)-1]
	last.Guard, last.Not = x.Guard, x.Not
}

// product makes what the factors of a product need, and the product itself unless it is fused.
func (c *contraction) product(w *rewriting, p *product) {
	if p.quotient.kind != noQuotient {
		p.quotient.expand(w, p)
	}
	if !p.fused {
		w.add("mul.rn."+c.kinds[w.here.Op].class, c.body.Args(&w.here)[0], p.factors[0], p.factors[1])
		last := &w.insts[len(w.insts)-1]
		last.Guard, last.Not = w.here.Guard, w.here.Not
		return
	}
	for i := range p.factors {
		a := &p.factors[i]
		if a.Kind == ast.Register && int(a.Index) < len(c.body.Regs) && c.defined.between(a.Index, p.at, p.last) {
			t := c.body.Regs[a.Index].Type
			saved := w.register(t)
			w.add("mov.b"+strconv.Itoa(8*t.Size()), saved, *a)
			*a = saved
		}
	}
}

// register is a new register.
func (w *rewriting) register(t ast.Type) ast.Operand {
	w.body.Regs = append(w.body.Regs, ast.Reg{N: -1, Type: t, Vec: 1})
	return ast.Operand{Kind: ast.Register, Index: int32(len(w.body.Regs) - 1), Pos: w.here.Pos}
}

// add appends an instruction without a guard.
func (w *rewriting) add(text string, operands ...ast.Operand) {
	op, ok := w.opcodes[text]
	if !ok {
		op = int32(len(w.body.Opcodes))
		w.opcodes[text] = op
		words := strings.Split(text, ".")
		w.body.Opcodes = append(w.body.Opcodes, ast.Opcode{Text: text, Name: words[0], Mods: words[1:]})
	}
	w.insts = append(w.insts, ast.Inst{Pos: w.here.Pos, Loc: w.here.Loc, Op: op, Guard: -1, First: int32(len(w.body.Operands)), Count: uint8(len(operands))})
	w.body.Operands = append(w.body.Operands, operands...)
}

// negative is the operand that holds a, of floating-point type t, with the other sign.
func (l *lowering) negative(a *ast.Operand, t isa.Type) isa.Reg {
	mod, rows, sign := "b32", t.Rows(), uint64(1<<31|1<<15) // packed halves
	switch t {
	case isa.F16, isa.BF16:
		sign = 1 << 15
	case isa.F32:
		sign = 1 << 31
	case isa.F64:
		mod, sign = "b64", 1<<63
	}
	plain := *a
	plain.Flags &^= negated
	if a.Kind != ast.Register {
		return l.constant(l.literal(&plain, t)^sign, rows)
	}
	r, _ := l.register(&plain, t, false)
	form, _, err := ops.Lookup("xor", []string{mod})
	if err != nil {
		l.errorf(a.Pos, "%v", err)
		return r
	}
	form.DBits = 32 * rows
	in := isa.Inst{Op: form.Op, Exec: form.Op.Bind(form), D: l.scratch(rows), A: r, B: l.constant(sign, rows)}
	in.Fast, _ = ops.Fast(form)
	l.aside(in, isa.Use{Reg: r, Rows: uint8(rows)}, isa.Use{Reg: in.D, Rows: uint8(rows), Write: true})
	l.use(in.D, rows, false)
	return in.D
}
