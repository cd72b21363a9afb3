package fuzz

import "fmt"

// function is a device function of a kernel. All take the thread's memory, two
// values, a struct and the mask of the lanes that call; some return a struct.
type function struct {
	name   string
	packed bool // returns a struct of 16 bytes, not a word
	sync   bool // uses the mask
}

// signature is the head of a function or prototype of the name.
func (f *function) signature(name string) string {
	ret := ".param .b32 ret"
	if f.packed {
		ret = ".param .align 8 .b8 ret[16]"
	}
	return fmt.Sprintf("(%s) %s (.param .b64 mem, .param .b64 slot, .param .b32 a, .param .b64 b, .param .align 8 .b8 s[24], .param .b32 mask)", ret, name)
}

// function writes a device function.
func (g *generator) function() string {
	f := &function{name: fmt.Sprintf("%s_f%d", g.name, len(g.funcs)), packed: g.in(2), sync: g.in(2)}
	g.text = g.text[:0]
	g.fresh, g.order = 0, len(g.funcs)
	g.funcs = append(g.funcs, f)
	s := scope{depth: 1, loops: 1}
	if f.sync {
		s.mask = "%mask"
	}
	for _, x := range []string{"ld.param.u64 %mem, [mem];", "ld.param.u64 %slot, [slot];", "ld.param.u32 %r0, [a];", "ld.param.u64 %u0, [b];",
		"ld.param.u64 %u1, [s];", "ld.param.f64 %d0, [s+8];", "ld.param.u32 %r1, [s+16];", "ld.param.f32 %f0, [s+20];", "ld.param.u32 %mask, [mask];"} {
		g.line("%s", x)
	}
	g.fill()
	for range 1 + g.below(6) {
		g.statement(&s)
	}
	if f.packed {
		g.line("st.param.b64 [ret], %%u%d;\n\tst.param.b32 [ret+8], %%r%d;\n\tst.param.b16 [ret+12], %%h%d;\n\tst.param.b16 [ret+14], %%h%d;", g.below(words64), g.below(words32), g.below(words16), g.below(words16))
	} else {
		g.line("st.param.b32 [ret], %%r%d;", g.below(words32))
	}
	g.line("ret;")
	body := string(g.text)
	return fmt.Sprintf(".func %s\n{\n%s\t.reg .b64 %%mem, %%slot;\n\t.reg .b32 %%mask;\n%s}\n", f.signature(f.name), g.declare(), body)
}

// fill gives values to the registers that the parameters left without.
func (g *generator) fill() {
	for i := 2; i < words32; i++ {
		g.line("mad.lo.u32 %%r%d, %%r0, %d, %d;", i, 1+2*g.below(1000), g.below(1<<30))
	}
	for i := 2; i < words64; i++ {
		g.line("mad.lo.u64 %%u%d, %%u0, %d, %d;", i, 1+2*g.below(1000), g.below(1<<30))
	}
	for i := range words16 {
		g.line("cvt.u16.u32 %%h%d, %%r%d;", i, g.below(words32))
	}
	for _, k := range banks {
		from := bankOf("", k.bits)
		for i := range k.n {
			if k.name != from.name && k.name+fmt.Sprint(i) != "d0" && k.name+fmt.Sprint(i) != "f0" {
				g.line("mov.b%d %%%s%d, %s;", k.bits, k.name, i, from.register(g.random))
			}
		}
	}
	for i := range predicates {
		g.line("setp.lt.s32 %%p%d, %%r%d, %%r%d;", i, g.below(words32), g.below(words32))
	}
}

// call calls a function: directly, under a guard, or through a register with
// one of two.
func (g *generator) call(s *scope) {
	f := g.funcs[g.below(g.order)]
	if f.sync && s.mask == "" {
		return
	}
	mask := s.mask
	if !f.sync {
		mask = "0"
	}
	target, proto, guard, end := f.name, "", "", ""
	if other := g.like(f); other != nil && g.in(2) {
		p, ptr := g.predicate(), [3]string{g.temp(64), g.temp(64), g.temp(64)}
		g.line("mov.u64 %s, %s;\n\tmov.u64 %s, %s;\n\tselp.u64 %s, %s, %s, %s;", ptr[0], f.name, ptr[1], other.name, ptr[2], ptr[0], ptr[1], p)
		if f.sync {
			yes := g.ballot(s, p)
			no := g.rest(s.mask, yes)
			mask = g.temp(32)
			g.line("selp.b32 %s, %s, %s, %s;", mask, yes, no, p)
		}
		target, proto = ptr[2], g.label()
	} else if g.in(3) {
		p := g.predicate()
		if f.sync {
			mask = g.ballot(s, p)
		}
		if g.in(2) {
			end = g.label()
			g.line("@!%s bra %s;", p, end)
		} else {
			guard = "@" + p + " "
		}
	}
	g.line("{")
	g.indent++
	g.line(".param .b64 am;\n\t.param .b64 as;\n\t.param .b32 aa;\n\t.param .b64 ab;\n\t.param .align 8 .b8 st[24];\n\t.param .b32 ak;")
	g.line("st.param.b64 [am], %%mem;\n\tst.param.b64 [as], %%slot;\n\tst.param.b32 [aa], %%r%d;\n\tst.param.b64 [ab], %%u%d;", g.below(words32), g.below(words64))
	g.line("st.param.b64 [st], %%u%d;\n\tst.param.f64 [st+8], %%d%d;\n\tst.param.b32 [st+16], %%r%d;\n\tst.param.f32 [st+20], %%f%d;\n\tst.param.b32 [ak], %s;", g.below(words64), g.below(4), g.below(words32), g.below(8), mask)
	ret := ".param .b32 rv;"
	if f.packed {
		ret = ".param .align 8 .b8 rv[16];"
	}
	g.line("%s", ret)
	arguments := "(rv), " + target + ", (am, as, aa, ab, st, ak)"
	if proto != "" {
		g.line("%s: .callprototype %s;", proto, f.signature("_"))
		arguments += ", " + proto
	}
	g.line("%scall %s;", guard, arguments)
	if guard == "" {
		g.results(f)
	}
	g.indent--
	g.line("}")
	if end != "" {
		g.line("%s:", end)
	}
}

// results loads what a call returned. A call under a guard has none: a load
// from it can have no guard.
func (g *generator) results(f *function) {
	if !f.packed {
		g.line("ld.param.b32 %s, [rv];", g.write(g.register("u32", 32)))
		return
	}
	g.line("ld.param.b64 %s, [rv];", g.write(g.register("u64", 64)))
	g.line("ld.param.v2.b16 {%s, %s}, [rv+12];", g.write("%h0"), g.write("%h1"))
	g.line("ld.param.u32 %s, [rv+8];", g.write(g.register("u32", 32)))
}

// like is another function, defined before the body under way, that can be
// called in the place of f; nil if there is none.
func (g *generator) like(f *function) *function {
	for _, other := range g.funcs[:g.order] {
		if other != f && other.packed == f.packed && other.sync == f.sync {
			return other
		}
	}
	return nil
}
