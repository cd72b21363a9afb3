package lower

import (
	"slices"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// contract replaces products and sums of floating-point numbers by fused multiply-adds where PTX allows it (no rounding
// modifier, ISA 9.7.3.3) and ptxas does it, so that results have the bits that hardware gives. The rule was measured with
// ptxas 13.0 for sm_90: a product is fused if all its uses are sums or differences with the same type and flushing, into
// which it is fused, and which stand in its basic block unless a factor is constant. Of two products that are added, the
// one used once is fused, or else the first.
//
// Code for a debugger is left as it is. The result shares what it does not change with body.
func contract(m *ast.Module, f *ast.Func, body *ast.Body) *ast.Body {
	if slices.Contains(m.Targets, "debug") {
		return body
	}
	c := contraction{body: body, entry: f.Entry, header: len(f.Returns) + len(f.Params), kinds: arithmeticOf(body.Opcodes)}
	if !c.find() {
		return body
	}
	c.settle()
	return c.rewrite()
}

// negated marks an operand of a fused instruction that enters with the other sign. The parser does not set it.
const negated ast.Flags = 1 << 7

// arithmetic is what contraction knows of an opcode.
type arithmetic struct {
	operation byte   // '*', '+', '-', '|' for what ends a block, '?' for what does with a guard, 0 for all else
	class     string // type and flushing
	sat       bool
}

func arithmeticOf(opcodes []ast.Opcode) []arithmetic {
	kinds := make([]arithmetic, len(opcodes))
	for i := range opcodes {
		kinds[i] = arithmeticOfOne(&opcodes[i])
	}
	return kinds
}

func arithmeticOfOne(o *ast.Opcode) (k arithmetic) {
	switch o.Name {
	case "bra", "brx", "call", "ret", "exit", "trap", "brkpt", "membar", "fence", "div", "rem", "rcp", "sqrt", "rsqrt":
		if !straight(o) {
			k.operation = '|'
		}
		return k
	case "ld", "st", "atom", "red", "bar", "barrier":
		k.operation = '?'
		return k
	case "mul":
		k.operation = '*'
	case "add":
		k.operation = '+'
	case "sub":
		k.operation = '-'
	default:
		return k
	}
	var form []string
	for _, mod := range o.Mods {
		switch mod {
		case "sat":
			k.sat = true
		case "ftz", "f32", "f64", "f16", "f16x2", "bf16", "bf16x2":
			form = append(form, mod)
		default: // a rounding, or not a floating-point type
			return arithmetic{}
		}
	}
	if len(form) == 0 || k.operation == '*' && k.sat {
		return arithmetic{}
	}
	k.class = strings.Join(form, ".")
	return k
}

// straight reports an instruction that ptxas makes code without branches of, among those that may have some.
func straight(o *ast.Opcode) bool {
	has := func(mods ...string) bool {
		return slices.ContainsFunc(o.Mods, func(mod string) bool { return slices.Contains(mods, mod) })
	}
	switch o.Name {
	case "div":
		return has("approx", "full", "u32")
	case "rem":
		return has("u32")
	case "rcp", "sqrt":
		return has("approx")
	case "rsqrt":
		return has("f32", "ftz")
	}
	return false
}

// product is a multiplication and what becomes of its result.
type product struct {
	at, block int32
	uses      int  // occurrences of its register, the definition aside
	sums      int  // of them, operands of sums that it may be fused into
	fused     bool // into all of them
}

// sum is an addition or subtraction with products, by operand; nil for other operands.
type sum struct {
	at     int32
	terms  [2]*product
	chosen int // the term to be fused, -1 for none
}

type contraction struct {
	body     *ast.Body
	entry    bool               // a kernel, whose parameters are constant
	header   int                // variables that are parameters or results
	kinds    []arithmetic       // by opcode
	values   []value            // by register
	products map[int32]*product // by register
	sums     []sum
}

// value is what is known of a register.
type value struct {
	definitions int32
	constant    bool  // one of them loads a constant
	last        int32 // the last instruction so far that defines it, -1 for none
}

// find collects the sums of products and reports whether there are any.
func (c *contraction) find() bool {
	if !slices.ContainsFunc(c.kinds, func(k arithmetic) bool { return k.operation == '*' }) {
		return false
	}
	c.products, c.values = map[int32]*product{}, slices.Repeat([]value{{last: -1}}, len(c.body.Regs))
	for i := range c.body.Insts {
		c.define(&c.body.Insts[i])
	}
	starts, block := c.starts(), int32(0)
	for i := range c.body.Insts {
		x := &c.body.Insts[i]
		if starts[i] {
			block++
		}
		switch k := c.kinds[x.Op]; k.operation {
		case '|':
			block++
		case '?':
			if x.Guard >= 0 {
				block++
			}
		case '*':
			if args := c.body.Args(x); x.Guard < 0 && len(args) == 3 && scalar(&args[0]) {
				if _, again := c.products[args[0].Index]; !again {
					c.products[args[0].Index] = &product{at: int32(i), block: block}
				}
			}
		case '+', '-':
			c.sum(int32(i), x, k, block)
		}
		c.defined(x, func(v *value) { v.last = int32(i) })
	}
	return len(c.sums) > 0
}

func scalar(a *ast.Operand) bool {
	return a.Kind == ast.Register && a.Part == ast.Whole && a.Flags == 0
}

// starts marks the instructions that control reaches from elsewhere.
func (c *contraction) starts() []bool {
	starts := make([]bool, len(c.body.Insts)+1)
	for i := range c.body.Operands {
		if a := &c.body.Operands[i]; a.Kind == ast.CodeLabel {
			starts[c.body.Labels[a.Index].Inst] = true
		}
	}
	return starts
}

// sum notes an addition or subtraction if a term is a product that may be fused into it.
func (c *contraction) sum(at int32, x *ast.Inst, k arithmetic, block int32) {
	args := c.body.Args(x)
	if len(args) != 3 || !scalar(&args[0]) || scalar(&args[1]) && scalar(&args[2]) && args[1].Index == args[2].Index {
		return
	}
	s := sum{at: at}
	for n := range s.terms {
		a := &args[1+n]
		if !scalar(a) {
			continue
		}
		p := c.products[a.Index]
		if p == nil || c.kinds[c.body.Insts[p.at].Op].class != k.class || !c.reaches(p, block) {
			continue
		}
		p.sums++
		s.terms[n] = p
	}
	if s.terms != [2]*product{} {
		c.sums = append(c.sums, s)
	}
}

// reaches reports whether a product's factors are in a block what they were where it stands, and ptxas looks for them.
// Out of the block of the product it does if one is constant.
func (c *contraction) reaches(p *product, block int32) bool {
	factors := c.body.Args(&c.body.Insts[p.at])[1:]
	constant, single := false, true
	for _, a := range factors {
		if a.Kind != ast.Register {
			constant = true
			continue
		}
		v := &c.values[a.Index]
		if v.last >= p.at {
			return false
		}
		constant = constant || v.constant && v.definitions == 1
		single = single && v.definitions <= 1
	}
	return p.block == block || constant && single
}

// defined calls f for the registers that an instruction gives values.
func (c *contraction) defined(x *ast.Inst, f func(*value)) {
	if x.Count > 0 {
		c.within(&c.body.Args(x)[0], f)
	}
}

func (c *contraction) within(a *ast.Operand, f func(*value)) {
	switch {
	case a.Has(ast.Address):
	case a.Kind == ast.Register:
		f(&c.values[a.Index])
	default:
		elems := c.body.Elems(a)
		for i := range elems {
			c.within(&elems[i], f)
		}
	}
}

// define counts definitions.
func (c *contraction) define(x *ast.Inst) {
	constant := x.Guard < 0 && c.loadsConstant(x)
	c.defined(x, func(v *value) {
		v.definitions++
		v.constant = constant
	})
}

// loadsConstant reports a move of a literal, or a load from a constant address of the constant bank.
func (c *contraction) loadsConstant(x *ast.Inst) bool {
	o, args := &c.body.Opcodes[x.Op], c.body.Args(x)
	if len(args) != 2 {
		return false
	}
	switch from := &args[1]; o.Name {
	case "mov":
		return from.Kind == ast.Float32 || from.Kind == ast.Float64 || from.Kind == ast.Int
	case "ld":
		bank := slices.Contains(o.Mods, "const") || c.entry && slices.Contains(o.Mods, "param")
		return bank && (from.Kind == ast.Local || from.Kind == ast.Global)
	}
	return false
}

// settle decides which products are fused. A product that one of its sums does not take is fused nowhere, which leaves
// that sum's other product more room: it ends when nothing changes.
func (c *contraction) settle() {
	for i := range c.body.Operands {
		if a := &c.body.Operands[i]; a.Kind == ast.Register || a.Kind == ast.Sum {
			if p := c.products[a.Index]; p != nil {
				p.uses++
			}
		}
	}
	for i := range c.header {
		if v := &c.body.Vars[i]; v.Space == ast.RegSpace && c.products[v.Reg] != nil {
			c.products[v.Reg].uses++ // by what calls the function
		}
	}
	for _, p := range c.products {
		p.uses-- // the definition
		p.fused = p.uses == p.sums
	}
	for again := true; again; {
		again = false
		for i := range c.sums {
			s := &c.sums[i]
			s.choose()
			for n, p := range s.terms {
				if p != nil && p.fused && n != s.chosen {
					p.fused, again = false, true
				}
			}
		}
	}
}

func (s *sum) choose() {
	first, second := s.terms[0] != nil && s.terms[0].fused, s.terms[1] != nil && s.terms[1].fused
	switch {
	case first && second && s.terms[0].uses > 1 && s.terms[1].uses == 1:
		s.chosen = 1
	case first:
		s.chosen = 0
	case second:
		s.chosen = 1
	default:
		s.chosen = -1
	}
}

// rewrite makes the body with fused instructions. A product that is fused keeps its place and produces no code.
func (c *contraction) rewrite() *ast.Body {
	b := *c.body
	b.Insts, b.Operands, b.Opcodes = slices.Clone(b.Insts), slices.Clip(b.Operands), slices.Clip(b.Opcodes)
	opcodes := map[arithmetic]int32{}
	for _, s := range c.sums {
		if s.chosen < 0 {
			continue
		}
		x := &b.Insts[s.at]
		k, args := c.kinds[x.Op], c.body.Args(x)
		factors := c.body.Args(&c.body.Insts[s.terms[s.chosen].at])[1:]
		fused := [4]ast.Operand{args[0], factors[0], factors[1], args[2-s.chosen]}
		if k.operation == '-' {
			fused[[2]int{3, 1}[s.chosen]].Flags |= negated // a*b - c, c - a*b
		}
		x.First, x.Count = int32(len(b.Operands)), 4
		b.Operands = append(b.Operands, fused[:]...)
		k.operation = '*'
		op, ok := opcodes[k]
		if !ok {
			op = int32(len(b.Opcodes))
			opcodes[k] = op
			b.Opcodes = append(b.Opcodes, fma(k))
		}
		x.Op = op
	}
	gone := int32(len(b.Opcodes))
	b.Opcodes = append(b.Opcodes, ast.Opcode{})
	for _, p := range c.products {
		if p.fused && p.sums > 0 {
			b.Insts[p.at].Op = gone
		}
	}
	return &b
}

// fma is the opcode of a fused multiply-add.
func fma(k arithmetic) ast.Opcode {
	mods := append([]string{"rn"}, strings.Split(k.class, ".")...)
	if k.sat {
		mods = append(mods, "sat")
	}
	return ast.Opcode{Text: "fma." + strings.Join(mods, "."), Name: "fma", Mods: mods}
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
