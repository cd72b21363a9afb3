package fuzz

import (
	"fmt"
	"strings"
)

// chapters are the chapters of the manual that instructions are drawn from, as
// often as they stand here.
var chapters = strings.Fields("9.7.1 9.7.1 9.7.1 9.7.1 9.7.3 9.7.3 9.7.3 9.7.3 9.7.3 9.7.4 9.7.4 9.7.4 9.7.6 9.7.7 9.7.8 9.7.8 9.7.8 9.7.9 9.7.9 9.7.9 9.7.17 9.7.18")

// instruction writes an instruction of some row, now and then under a guard.
func (g *generator) instruction() {
	f := g.form()
	guard := ""
	// ptxas makes several instructions of set, testp and vadd4, of which a guard does
	// not keep all.
	if name := f.name(); g.in(8) && name != "set" && name != "testp" && !(g.wide && name == "vadd4") {
		guard = "@" + pick(g.random, []string{"", "!"}) + g.predicate() + " "
	}
	g.line("%s%s %s;", guard, f.spelling, g.operands(f))
}

// unspecified reports forms whose results are not: signs and payloads of NaN
// that neg, abs and conversions to the same type make, and numbers that set
// makes of halves, which ptxas takes for integers.
func (f *form) unspecified() bool {
	words := strings.Split(f.spelling, ".")
	result := words[len(words)-1]
	if len(f.args) > 0 {
		result = f.args[0].kind
	}
	float := strings.Contains(result, "f16") || result == "f32" || result == "f64"
	switch words[0] {
	case "neg", "abs":
		return float
	case "set":
		return strings.Contains(result, "f16")
	case "cvt":
		return float && len(f.args) == 2 && f.args[1].kind == result
	}
	return false
}

func (g *generator) form() *form {
	for {
		families := forms().chapters[pick(g.random, chapters)]
		if f := pick(g.random, pick(g.random, families)); (g.loose || !f.loose) && !f.unspecified() {
			return f
		}
	}
}

// operands draws the operands of a form.
func (g *generator) operands(f *form) string {
	var list []string
	literal := g.in(4) && f.chapter != "9.7.18" // one of the sources is a literal
	choice := videoChoice(g.random, f)
	for _, o := range f.args {
		text := ""
		switch o.role {
		case "d":
			text = g.result(o)
		case "d.":
			text = g.result(o) + choice[0]
		case "d|p":
			text = g.result(o)
			if f.name() == "lop3" || !g.in(3) {
				text += "|" + g.write(g.predicate())
			}
		case "p":
			text = g.write(g.predicate())
		case "p|q":
			p := g.below(predicates)
			text = g.write(fmt.Sprintf("%%p%d", p))
			if g.in(2) {
				text += "|" + g.write(fmt.Sprintf("%%p%d", (p+1+g.below(predicates-1))%predicates))
			}
		case "s", "t":
			text = pick(g.random, []string{"", "!"}) + g.predicate()
		case "i":
			text = fmt.Sprint(g.below(256))
		case "W":
			text = g.list(o, true)
		case "V":
			text = g.list(o, false)
		case "a.":
			text = g.source(o) + choice[1]
		case "b.":
			text = g.source(o) + choice[2]
		default:
			if text = ""; literal && g.in(2) {
				text = g.literal(f, o)
				literal = text == ""
			}
			if text == "" {
				text = g.argument(f, o, list)
			}
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

// argument is a source register. Of two NaN of f64 it is not specified which
// one comes out, and min and max of one value may be that value: sources of f64
// arithmetic are made the same NaN, those of min and max differ.
func (g *generator) argument(f *form, o operand, before []string) string {
	reg := g.source(o)
	switch name := f.name(); {
	case o.kind == "f64" && len(f.args) > 2 && strings.Contains("add sub mul fma mad min max div", name):
		is, number, nan := g.temp(1), g.temp(-64), "0d7FF8000000000000"
		if name == "sub" && o.role == "b" {
			nan = "0d3FF0000000000000"
		}
		g.line("testp.notanumber.f64 %s, %s;\n\tselp.f64 %s, %s, %s, %s;", is, reg, number, nan, reg, is)
		return number
	case (name == "min" || name == "max") && bankOf(o.kind, o.bits).declared[0] != 'b' || (name == "min" || name == "max") && strings.Contains(o.kind, "f16"):
		for reg == before[len(before)-1] && len(before) > 1 {
			reg = g.source(o)
		}
	}
	return reg
}

// transfer moves a value from one bank to another.
func (g *generator) transfer() {
	bits := pick(g.random, []int{16, 32, 64})
	var fit []*bank
	for i := range banks {
		if banks[i].bits == bits {
			fit = append(fit, &banks[i])
		}
	}
	g.line("mov.b%d %s, %s;", bits, g.write(pick(g.random, fit).register(g.random)), pick(g.random, fit).register(g.random))
}

// write notes that a register is written.
func (g *generator) write(reg string) string {
	g.written = append(g.written, reg)
	return reg
}

func (g *generator) register(kind string, bits int) string {
	return bankOf(kind, bits).register(g.random)
}

func (g *generator) source(o operand) string { return g.register(o.kind, o.width(g.random)) }

func (g *generator) result(o operand) string { return g.write(g.register(o.kind, o.width(g.random))) }

// width is the width of the operand's register.
func (o operand) width(r *random) int {
	if o.wider && r.in(4) {
		return max(o.bits, pick(r, []int{32, 64}))
	}
	return o.bits
}

// list is a brace list of the parts of a word, results all different.
func (g *generator) list(o operand, results bool) string {
	parts := 2
	if o.bits == 64 && g.in(2) {
		parts = 4
	}
	k := bankOf("", o.bits/parts)
	first := g.below(k.n)
	var list []string
	for i := range parts {
		reg := fmt.Sprintf("%%%s%d", k.name, (first+i)%k.n)
		if results {
			g.write(reg)
		}
		list = append(list, reg)
	}
	return "{" + strings.Join(list, ", ") + "}"
}

var (
	literals32 = []string{"0f3F800000", "0f00000000", "0f80000000", "0f3F000000", "0f40000000", "0fBF800000", "0f40490FDB", "0f00000001", "0f7F7FFFFF", "0f4B000000", "0f3DCCCCCD"}
	literals64 = []string{"0d3FF0000000000000", "0d0000000000000000", "0d8000000000000000", "0d3FE0000000000000", "0d4000000000000000", "0dBFF0000000000000", "0d400921FB54442D18", "0d4330000000000000"}
)

// literal is a literal for a source; "" if the type has none.
func (g *generator) literal(f *form, o operand) string {
	if len(f.args) == 2 && strings.Contains(f.spelling, ".approx") {
		return "" // ptxas evaluates it, by another approximation than the card's
	}
	switch o.kind {
	case "f32":
		return pick(g.random, literals32)
	case "f64":
		return pick(g.random, literals64)
	case "u16", "s16", "b16", "u32", "s32", "b32", "u64", "s64", "b64":
	default:
		return ""
	}
	v := g.next()
	switch g.below(4) {
	case 0:
		v = pick(g.random, specialWords)
	case 1:
		v = uint64(g.below(70))
	case 2:
		v >>= 64 - o.bits/2
	}
	v &= 1<<o.bits - 1
	switch name := f.name(); {
	case v == 0 && (name == "div" || name == "rem"):
		v = 3 // a quotient by zero is unspecified
	case g.wide && o.bits == 32 && (name == "shl" || name == "shr"):
		v &= 0xffff // of which ptxas takes no more for 16 bits
	case (name == "bfe" || name == "bfi") && (o.role == "b" || o.role == "c" || o.role == "m"):
		v &= 255 // positions and lengths
	case strings.Contains(f.spelling, "m2x2") || strings.Contains(f.spelling, "m3x2"):
		return ""
	}
	if o.kind[0] != 's' {
		return fmt.Sprintf("%#x", v)
	}
	return fmt.Sprint(int64(v<<(64-o.bits)) >> (64 - o.bits))
}

// videoChoices are the ways in which video instructions select bytes and halves:
// of the result, of a and of b.
var videoChoices = map[byte][][3]string{
	'1': {{"", "", ""}, {".b1", ".b2", ".h1"}, {".h1", ".h0", ".b3"}, {".b3", ".b0", ".b1"}, {".h0", ".h1", ".h0"}},
	'2': {{"", "", ""}, {".h0", ".h20", ".h31"}, {".h1", ".h13", ".h02"}, {".h10", ".h32", ".h10"}},
	'4': {{"", "", ""}, {".b0", ".b7654", ".b3210"}, {".b31", ".b0246", ".b7531"}, {".b210", ".b1111", ".b6070"}},
}

func videoChoice(r *random, f *form) [3]string {
	if f.chapter != "9.7.17" && f.chapter != "9.7.18" {
		return [3]string{}
	}
	name := f.name()
	width := name[len(name)-1]
	if width != '2' && width != '4' {
		width = '1'
	}
	c := pick(r, videoChoices[width])
	if width == '1' && f.args[0].role == "d." && c[0] == "" {
		c[0] = ".b0" // a merge names a part
	}
	return c
}

// carry writes a chain of instructions that hand on the carry flag.
func (g *generator) carry() {
	set, add := pick(g.random, []string{"add", "sub"}), "addc"
	if set == "sub" {
		add = "subc"
	}
	reg := func(bits int) string { return g.register("", bits) }
	three := func(spelling string, bits int) {
		g.line("%s %s, %s, %s;", spelling, g.write(reg(bits)), reg(bits), reg(bits))
	}
	bits := pick(g.random, []int{32, 32, 64})
	if g.in(3) {
		g.line("mad.%s.cc.u%d %s, %s, %s, %s;", pick(g.random, []string{"lo", "hi"}), bits, g.write(reg(bits)), reg(bits), reg(bits), reg(bits))
		add = pick(g.random, []string{"addc", "madc"})
	} else {
		three(fmt.Sprintf("%s.cc.u%d", set, bits), bits)
	}
	for i, n := 0, 1+g.below(3); i <= n; i++ {
		cc := ".cc"
		if i == n {
			cc = ""
		}
		if add == "madc" {
			g.line("madc.%s%s.u%d %s, %s, %s, %s;", pick(g.random, []string{"lo", "hi"}), cc, bits, g.write(reg(bits)), reg(bits), reg(bits), reg(bits))
			continue
		}
		three(fmt.Sprintf("%s%s.u%d", add, cc, bits), bits)
	}
}

// special reads a special register.
func (g *generator) special(s *scope) {
	names := []string{"%tid.x", "%tid.y", "%tid.z", "%ntid.x", "%ntid.y", "%ntid.z", "%ctaid.x", "%ctaid.y", "%ctaid.z", "%nctaid.x", "%nctaid.y", "%nctaid.z",
		"%laneid", "%lanemask_eq", "%lanemask_lt", "%lanemask_le", "%lanemask_gt", "%lanemask_ge", "%dynamic_smem_size", "%cluster_ctarank", "%cluster_nctarank", "WARP_SZ"}
	g.line("mov.u32 %s, %s;", g.write(g.register("u32", 32)), pick(g.random, names))
	if s.entry && g.in(2) {
		n, kind := pick(g.random, []int{8, 16, 32, 64}), pick(g.random, []string{"u", "s", "b"})
		bits := max(n, pick(g.random, []int{32, 64}))
		g.line("ld.param.%s%d %s, [%s_struct+%d];", kind, n, g.write(g.register("u32", bits)), g.name, g.below(24*8/n)*n/8)
	}
}
