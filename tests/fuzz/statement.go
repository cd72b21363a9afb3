package fuzz

import "fmt"

// statement writes one statement, unless it is left out.
func (g *generator) statement(s *scope) {
	g.unit(s, func() { g.draw(s) })
}

// unit writes what can be left out by itself. What is left out is drawn
// nevertheless, so that the rest stays the same.
func (g *generator) unit(s *scope, write func()) {
	out := g.without[g.count]
	g.count++
	length, written, mask := len(g.text), len(g.written), s.mask
	write()
	if out {
		g.text, g.written, s.mask = g.text[:length], g.written[:written], mask
	}
}

func (g *generator) draw(s *scope) {
	n := g.below(100)
	switch {
	case g.joint && g.in(3):
		g.together(s)
	case g.wide && g.in(3):
		g.more(s)
	case n < 8 && s.depth < 3:
		g.branch(s)
	case n < 14 && s.depth < 3 && s.loops < 2:
		g.loop(s)
	case n < 17 && s.depth < 2:
		g.table(s)
	case n < 19 && s.depth < 2 && s.loops < 2:
		g.machine(s)
	case n < 32:
		g.memory(s)
	case n < 37:
		g.atomic(s)
	case n < 43 && s.mask != "":
		g.warp(s)
	case n < 46 && s.uniform && s.entry:
		g.exchange()
	case n < 47 && s.uniform && s.entry && g.in(3):
		g.exit(s)
	case n < 51 && g.order > 0:
		g.call(s)
	case n < 54:
		g.carry()
	case n < 56:
		g.special(s)
	case n < 61:
		g.transfer()
	default:
		for range 1 + g.below(4) {
			g.unit(s, g.instruction)
		}
	}
}

// block writes some statements one level deeper. Values of the mask register
// hold for it alone.
func (g *generator) block(s scope, n int) {
	s.depth++
	s.uniform = false
	g.indent++
	for range n {
		g.statement(&s)
	}
	g.indent--
}

// rest is a register with the lanes of a mask that are not in another.
func (g *generator) rest(mask, some string) string {
	if mask == "" {
		return ""
	}
	rest := g.temp(32)
	g.line("not.b32 %s, %s;\n\tand.b32 %s, %s, %s;", rest, some, rest, rest, mask)
	return rest
}

// ballot is a register with the lanes of the scope's mask in which a predicate
// holds; "" if the mask is unknown.
func (g *generator) ballot(s *scope, pred string) string {
	if s.mask == "" {
		return ""
	}
	m := g.temp(32)
	g.line("vote.sync.ballot.b32 %s, %s, %s;", m, pred, s.mask)
	return m
}

func (g *generator) predicate() string { return fmt.Sprintf("%%p%d", g.below(predicates)) }

// branch is if, with or without else.
func (g *generator) branch(s *scope) {
	p := g.predicate()
	yes, no, end := *s, *s, g.label()
	yes.mask = g.ballot(s, p)
	if g.in(2) {
		g.line("@!%s bra %s;", p, end)
		g.block(yes, 1+g.below(3))
		g.line("%s:", end)
		return
	}
	no.mask = g.rest(s.mask, yes.mask)
	other := g.label()
	g.line("@!%s bra %s;", p, other)
	g.block(yes, 1+g.below(3))
	g.line("bra.uni %s;\n%s:", end, other)
	g.block(no, 1+g.below(3))
	g.line("%s:", end)
}

// loop runs a block some times, which differ from lane to lane; now and then it
// is left in the middle.
func (g *generator) loop(s *scope) {
	count, going := g.temp(32), g.temp(1)
	top, end := g.label(), g.label()
	g.line("and.b32 %s, %%r%d, %d;", count, g.below(words32), pick(g.random, []int{1, 3, 7}))
	inner := *s
	inner.loops++
	if s.mask != "" {
		inner.mask = g.temp(32)
		g.line("mov.b32 %s, %s;", inner.mask, s.mask)
	}
	g.line("%s:", top)
	g.line("setp.ne.u32 %s, %s, 0;", going, count)
	if inner.mask != "" {
		g.line("vote.sync.ballot.b32 %s, %s, %s;", inner.mask, going, inner.mask)
	}
	g.line("@!%s bra %s;", going, end)
	g.line("sub.u32 %s, %s, 1;", count, count)
	g.block(inner, 1+g.below(2))
	if g.in(3) {
		leave := g.predicate()
		if inner.mask != "" {
			g.line("vote.sync.ballot.b32 %s, !%s, %s;", inner.mask, leave, inner.mask)
		}
		g.line("@%s bra %s;", leave, end)
		g.block(inner, 1)
	}
	g.line("bra %s;\n%s:", top, end)
}

// table is a jump by an index.
func (g *generator) table(s *scope) {
	n := 2 + g.below(4)
	index, list, end := g.temp(32), g.label(), g.label()
	g.line("rem.u32 %s, %%r%d, %d;", index, g.below(words32), n)
	inner := *s
	if s.mask != "" {
		inner.mask = g.temp(32)
		g.line("match.any.sync.b32 %s, %s, %s;", inner.mask, index, s.mask)
	}
	targets := ""
	var labels []string
	for i := range n {
		labels = append(labels, g.label())
		if i > 0 {
			targets += ", "
		}
		targets += labels[i]
	}
	g.line("%s: .branchtargets %s;", list, targets)
	g.line("brx.idx %s, %s;", index, list)
	through := false
	for _, l := range labels {
		g.line("%s:", l)
		arm := inner
		if through {
			arm.mask = ""
		}
		g.block(arm, 1+g.below(2))
		if through = g.in(5); !through {
			g.line("bra %s;", end)
		}
	}
	g.line("%s:", end)
}

// machine is control flow without structure: states that jump to states.
func (g *generator) machine(s *scope) {
	n := 3 + g.below(3)
	fuel, state, out := g.temp(32), g.temp(32), g.temp(1)
	end := g.label()
	var labels []string
	for range n {
		labels = append(labels, g.label())
	}
	g.line("and.b32 %s, %%r%d, 7;", fuel, g.below(words32))
	inner := *s
	inner.mask = ""
	inner.loops = 2
	for i, l := range labels {
		g.line("%s:", l)
		g.block(inner, 1)
		g.line("setp.eq.u32 %s, %s, 0;\n\t@%s bra %s;\n\tsub.u32 %s, %s, 1;", out, fuel, out, end, fuel, fuel)
		g.line("and.b32 %s, %%r%d, 1;\n\tsetp.eq.u32 %s, %s, 0;", state, g.below(words32), out, state)
		g.line("@%s bra %s;", out, pick(g.random, labels))
		if i == n-1 || g.in(3) {
			g.line("bra %s;", pick(g.random, append(labels, end)))
		}
	}
	g.line("%s:", end)
}

// exit ends some threads.
func (g *generator) exit(s *scope) {
	p := g.temp(1)
	g.line("setp.eq.u32 %s, %%r%d, %%r%d;", p, g.below(words32), g.below(words32))
	if g.in(2) {
		g.line("setp.gt.s32 %s, %%r%d, 0x%x;", p, g.below(words32), 0x40000000+g.below(0x30000000))
	}
	rest := g.temp(32)
	g.line("vote.sync.ballot.b32 %s, !%s, %s;", rest, p, s.mask)
	s.mask = rest
	g.line("@%s exit;", p)
	g.exited = true
}
