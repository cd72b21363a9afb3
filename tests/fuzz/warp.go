package fuzz

import "fmt"

// warp is an instruction that looks at other lanes: those of the scope's mask.
func (g *generator) warp(s *scope) {
	d, a := g.write(g.register("", 32)), g.register("", 32)
	switch g.below(6) {
	case 0, 1:
		g.shuffle(s, d, a)
	case 2:
		p := g.predicate()
		if g.in(3) {
			g.line("vote.sync.ballot.b32 %s, %s, %s;", d, p, s.mask)
			return
		}
		g.line("vote.sync.%s.pred %s, %s, %s;", pick(g.random, []string{"all", "any", "uni"}), g.write(g.predicate()), p, s.mask)
	case 3:
		g.line("redux.sync.%s %s, %s, %s;", pick(g.random, []string{"add.u32", "add.s32", "min.u32", "min.s32", "max.u32", "max.s32", "and.b32", "or.b32", "xor.b32"}), d, a, s.mask)
	case 4:
		small := g.temp(32)
		g.line("and.b32 %s, %s, 3;", small, a)
		if g.in(2) {
			g.line("match.any.sync.b32 %s, %s, %s;", d, small, s.mask)
			return
		}
		g.line("match.all.sync.b32 %s|%s, %s, %s;", d, g.write(g.predicate()), small, s.mask)
	default:
		g.line("elect.sync %s|%s, %s;", d, g.write(g.predicate()), s.mask)
	}
}

// shuffle reads from lanes that are sure to be there: any when the whole warp
// is, else the first of the mask.
func (g *generator) shuffle(s *scope, d, a string) {
	if g.in(2) {
		d += "|" + g.write(g.predicate())
	}
	if s.mask == "0xffffffff" {
		g.line("shfl.sync.%s.b32 %s, %s, %d, %s, %s;", pick(g.random, []string{"up", "down", "bfly", "idx"}), d, a, g.below(40),
			pick(g.random, []string{"31", "0", "0x181f", "0x1c1f", "0x1f", "0x1e00"}), s.mask)
		return
	}
	lane := g.temp(32)
	g.line("bfind.u32 %s, %s;", lane, s.mask)
	g.line("shfl.sync.idx.b32 %s, %s, %s, 31, %s;", d, a, lane, s.mask)
}

// exchange lets threads read what others of the CTA wrote, between barriers.
func (g *generator) exchange() {
	barrier := func() {
		id, n := g.below(16), fmt.Sprintf(", %d", g.threads)
		if g.in(2) || g.exited {
			n = "" // a number would count those that have exited
		}
		g.line("%s %d%s;", pick(g.random, []string{"bar.sync", "barrier.sync", "barrier.sync.aligned", "bar.cta.sync"}), id, n)
	}
	if g.in(3) {
		p := g.predicate()
		switch g.below(3) {
		case 0:
			g.line("barrier.red.popc.u32 %s, %d, %s;", g.write(g.register("u32", 32)), g.below(16), p)
		case 1:
			g.line("bar.red.and.pred %s, %d, %s;", g.write(g.predicate()), g.below(16), p)
		default:
			g.line("bar.red.or.pred %s, %d, !%s;", g.write(g.predicate()), g.below(16), p)
		}
		return
	}
	other, from := g.temp(32), g.temp(32)
	g.line("st.shared.u32 [%%shared+%d], %s;", 4*g.below(8), g.register("u32", 32))
	barrier()
	g.line("add.u32 %s, %%t, %d;\n\trem.u32 %s, %s, %d;", other, 1+g.below(g.threads), other, other, g.threads)
	g.line("mov.u32 %s, sh;\n\tmad.lo.u32 %s, %s, 32, %s;", from, from, other, from)
	g.line("ld.shared.u32 %s, [%s+%d];", g.write(g.register("u32", 32)), from, 4*g.below(8))
	barrier()
}
