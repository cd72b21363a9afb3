package lower

import (
	"slices"
	"strings"

	"github.com/lockstep-sim/lockstep/ptx/ast"
)

// contract replaces products and sums of floating-point numbers by fused multiply-adds where PTX allows it (no rounding
// modifier, ISA 9.7.3.3) and ptxas does it, so that results have the bits that hardware gives. The rule was measured with
// ptxas 11.8, 12.4 and 13.0 for sm_90: a product is fused if all its uses, behind moves and changes of sign, are sums or
// differences with the same type and flushing, into which it is fused, and which stand in its basic block unless a factor
// is constant. Of two products that are added, the one used once is fused, or else the first. An approximate quotient is
// the product of the dividend and a reciprocal (see quotient), so it is fused too.
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
	// '*', '/', '+', '-', '=' for a move, '~' for a change of sign, '|' for what ends a block, '?' for what does with a
	// guard, 0 for all else.
	operation byte
	class     string // type and flushing
	sat       bool
	quotient  quotientKind
}

func arithmeticOf(opcodes []ast.Opcode) []arithmetic {
	kinds := make([]arithmetic, len(opcodes))
	for i := range opcodes {
		kinds[i] = arithmeticOfOne(&opcodes[i])
	}
	return kinds
}

var operations = map[string]byte{"mul": '*', "add": '+', "sub": '-', "neg": '~'}

func arithmeticOfOne(o *ast.Opcode) (k arithmetic) {
	switch o.Name {
	case "bra", "brx", "call", "ret", "exit", "trap", "brkpt", "membar", "fence", "div", "rem", "rcp", "sqrt", "rsqrt":
		if !straight(o) {
			k.operation = '|'
		} else if k.quotient = quotientOf(o); k.quotient != noQuotient {
			k.operation, k.class = '/', "f32"
			if slices.Contains(o.Mods, "ftz") {
				k.class = "ftz.f32"
			}
		}
		return k
	case "ld", "st", "atom", "red", "bar", "barrier":
		k.operation = '?'
		return k
	case "mov":
		if len(o.Mods) == 1 {
			k.operation = '='
		}
		return k
	}
	k.operation = operations[o.Name]
	if k.operation == 0 {
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
	factors   [2]ast.Operand
	quotient  quotient // of a division
	uses      int      // sums it may be fused into
	last      int32    // of them
	copies    []int32  // moves and changes of sign on the way to them
	fused     bool     // into all of them
}

// replaced reports a product that stands for a division by a constant.
func (p *product) replaced() bool { return p.quotient.kind == byConstant }

// sum is an addition or subtraction with products, by operand; nil for other operands.
type sum struct {
	at       int32
	terms    [2]*product
	negative [2]bool // a term that is the product with the other sign
	chosen   int     // the term to be fused, -1 for none
}

type contraction struct {
	body     *ast.Body
	entry    bool         // a kernel, whose parameters are constant
	header   int          // variables that are parameters or results
	kinds    []arithmetic // by opcode
	blocks   []int32      // by instruction
	defined  definitions
	products map[int32]*product // by instruction
	sums     []sum
}

// find collects the products and the sums of those whose uses are sums, and reports whether there is anything to change.
func (c *contraction) find() bool {
	if !slices.ContainsFunc(c.kinds, func(k arithmetic) bool { return k.operation == '*' || k.operation == '/' }) {
		return false
	}
	c.defined = definitionsOf(c.body)
	c.products = map[int32]*product{}
	replaced := false
	c.eachBlock(func(at int32, x *ast.Inst, k arithmetic) {
		if p := c.productAt(at, x, k); p != nil {
			c.products[at] = p
			replaced = replaced || p.replaced()
		}
	})
	if len(c.products) == 0 {
		return false
	}
	uses := c.chains()
	terms := map[int32]*sum{}
	for _, at := range sortedKeys(c.products) {
		if p := c.products[at]; c.body.Insts[at].Guard < 0 && !c.constant(p) {
			c.follow(p, uses, terms)
		}
	}
	for _, at := range sortedKeys(terms) {
		c.sums = append(c.sums, *terms[at])
	}
	return replaced || len(c.sums) > 0
}

// eachBlock goes through the instructions and numbers their basic blocks, as ptxas forms them.
func (c *contraction) eachBlock(f func(at int32, x *ast.Inst, k arithmetic)) {
	starts, block := c.starts(), int32(0)
	c.blocks = make([]int32, len(c.body.Insts))
	for i := range c.body.Insts {
		x := &c.body.Insts[i]
		k := c.kinds[x.Op]
		if starts[i] {
			block++
		}
		if k.operation == '|' || k.operation == '?' && x.Guard >= 0 {
			block++
		}
		c.blocks[i] = block
		f(int32(i), x, k)
	}
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

func scalar(a *ast.Operand) bool {
	return a.Kind == ast.Register && a.Part == ast.Whole && a.Flags == 0
}

// productAt is the product that an instruction makes, nil for none.
func (c *contraction) productAt(at int32, x *ast.Inst, k arithmetic) *product {
	args := c.body.Args(x)
	if len(args) < 2 || !scalar(&args[0]) {
		return nil
	}
	p := &product{at: at, block: c.blocks[at]}
	switch {
	case k.operation == '*' && len(args) == 3:
		p.factors = [2]ast.Operand(args[1:])
	case k.operation == '/':
		if !c.divide(p, args[1:], k.quotient) {
			return nil
		}
	default:
		return nil
	}
	return p
}

// constant reports a product of two literals, which ptxas evaluates.
func (c *contraction) constant(p *product) bool {
	_, first := c.literal(&p.factors[0])
	_, second := c.literal(&p.factors[1])
	return first && second
}

// follow notes the sums of a product if its uses are sums alone that it may be fused into.
func (c *contraction) follow(p *product, uses *chains, terms map[int32]*sum) {
	type term struct {
		at       int32
		arg      int
		negative bool
	}
	var found []term
	var trace func(at int32, negative bool) bool
	class := c.kinds[c.body.Insts[p.at].Op].class
	trace = func(at int32, negative bool) bool {
		reads, ok := uses.of(at)
		for _, r := range reads {
			if !ok || r.arg < 1 {
				return false
			}
			x := &c.body.Insts[r.at]
			k, args := c.kinds[x.Op], c.body.Args(x)
			switch {
			case k.operation == '=' && c.copies(x), k.operation == '~' && c.copies(x) && (k.class == class || "ftz."+k.class == class):
				p.copies = append(p.copies, r.at)
				if len(p.copies) > maxCopies || !trace(r.at, negative != (k.operation == '~')) {
					return false
				}
			case (k.operation == '+' || k.operation == '-') && k.class == class && len(args) == 3 && scalar(&args[0]) && c.reaches(p, r.at):
				found = append(found, term{r.at, r.arg - 1, negative})
			default:
				return false
			}
		}
		return ok
	}
	if !trace(p.at, false) || len(found) == 0 {
		return
	}
	p.uses, p.fused = len(found), true
	for _, t := range found {
		s := terms[t.at]
		if s == nil {
			s = &sum{at: t.at}
			terms[t.at] = s
		}
		if s.terms[t.arg] != nil || s.terms[1-t.arg] == p {
			p.fused = false // it is added to itself
		}
		s.terms[t.arg], s.negative[t.arg] = p, t.negative
		p.last = max(p.last, t.at)
	}
}

// maxCopies bounds the moves that are followed from a product.
const maxCopies = 16

// copies reports an instruction that gives one register the value of another.
func (c *contraction) copies(x *ast.Inst) bool {
	args := c.body.Args(x)
	return x.Guard < 0 && len(args) == 2 && scalar(&args[0]) && scalar(&args[1])
}

// reaches reports whether a sum is where ptxas looks for its products: in the block, or anywhere if a factor is constant.
func (c *contraction) reaches(p *product, at int32) bool {
	if p.block == c.blocks[at] {
		return at > p.at
	}
	constant := false
	for i := range p.factors {
		a := &p.factors[i]
		if a.Kind != ast.Register {
			constant = true
			continue
		}
		if int(a.Index) < len(c.body.Regs) && c.defined.count(a.Index) > 1 {
			return false
		}
		constant = constant || c.loaded(a)
	}
	return constant && p.quotient.constant() && (at > p.at || p.quotient.kind == noQuotient)
}

// loaded reports a register that holds a literal or a value of the constant bank all along.
func (c *contraction) loaded(a *ast.Operand) bool {
	at, ok := c.defined.only(a.Index)
	if !ok || c.body.Insts[at].Guard >= 0 {
		return false
	}
	x := &c.body.Insts[at]
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

// literal is the bits of an f32 operand that is a literal, or a register that holds one all along.
func (c *contraction) literal(a *ast.Operand) (uint32, bool) {
	for n := range maxCopies {
		switch a.Kind {
		case ast.Float32, ast.Float64, ast.Int:
			return float32Bits(a), a.Kind != ast.Int || n > 0
		case ast.Register:
			if int(a.Index) >= len(c.body.Regs) {
				return 0, false
			}
			at, ok := c.defined.only(a.Index)
			x := &c.body.Insts[max(at, 0)]
			if !ok || x.Guard >= 0 || c.kinds[x.Op].operation != '=' || x.Count != 2 || !scalar(&c.body.Args(x)[0]) {
				return 0, false
			}
			a = &c.body.Args(x)[1]
		default:
			return 0, false
		}
	}
	return 0, false
}

// settle decides which products are fused. A product that one of its sums does not take is fused nowhere, which leaves
// that sum's other product more room: it ends when nothing changes.
func (c *contraction) settle() {
	for again := true; again; {
		again = false
		for i := range c.sums {
			s := &c.sums[i]
			c.choose(s)
			for n, p := range s.terms {
				if p != nil && p.fused && n != s.chosen {
					p.fused, again = false, true
				}
			}
		}
	}
}

func (c *contraction) choose(s *sum) {
	first, second := s.terms[0] != nil && s.terms[0].fused, s.terms[1] != nil && s.terms[1].fused
	switch {
	case first && second && c.same(s):
		s.chosen = -1
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

// same reports a sum of two products that are one value, of which ptxas makes one product, and its double.
func (c *contraction) same(s *sum) bool {
	if k := c.kinds[c.body.Insts[s.at].Op]; k.operation != '+' || s.negative != [2]bool{} {
		return false
	}
	a, b := s.terms[0], s.terms[1]
	equal := func(x, y *ast.Operand) bool {
		return x.Kind == y.Kind && x.Index == y.Index && x.Value == y.Value &&
			(x.Kind != ast.Register || !c.defined.between(x.Index, min(a.at, b.at), max(a.at, b.at)))
	}
	if a.quotient.kind != noQuotient || b.quotient.kind != noQuotient || a.block != b.block {
		return false
	}
	return equal(&a.factors[0], &b.factors[0]) && equal(&a.factors[1], &b.factors[1]) ||
		equal(&a.factors[0], &b.factors[1]) && equal(&a.factors[1], &b.factors[0])
}
