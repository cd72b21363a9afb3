package fuzz

import (
	"fmt"
	"strings"
)

// Wide is the first seed of kernels of the whole language: what package ops has on
// registers and in memory, and what is written here.
const Wide = 1 << 20

// more is a statement that only wide kernels have.
func (g *generator) more(s *scope) {
	whole := s.entry && s.mask == "0xffffffff"
	choices := []func(*scope){g.quad, g.hinted, g.vectorAtomic, g.otherAtomic, g.stack, g.idle, g.carries, g.recursion, g.spaces}
	if s.entry {
		choices = append(choices, g.asyncCopy, g.bulkCopy, g.phase, g.parameters, g.spaces)
	}
	if s.entry && g.clustered {
		choices = append(choices, g.asyncStore) // the card refuses it without a cluster
	}
	if s.mask != "" {
		choices = append(choices, g.matches)
	}
	if whole {
		choices = append(choices, g.matrixMemory, g.matrixProduct, g.matrixProduct)
	}
	if g.clustered && s.entry && s.uniform && !g.exited {
		choices = append(choices, g.cluster, g.cluster)
	}
	pick(g.random, choices)(s)
}

// guard is a guard now and then.
func (g *generator) guard() string {
	if g.in(4) {
		return "@" + pick(g.random, []string{"", "!"}) + g.predicate() + " "
	}
	return ""
}

// distinct is a brace list of n registers of a bank, all different; results if
// they are written.
func (g *generator) distinct(kind string, bits, n int, results bool) string {
	k := bankOf(kind, bits)
	first := g.below(k.n)
	var list []string
	for i := range n {
		reg := fmt.Sprintf("%%%s%d", k.name, (first+i)%k.n)
		if results {
			g.write(reg)
		}
		list = append(list, reg)
	}
	return "{" + strings.Join(list, ", ") + "}"
}

// quad moves 128 bits through a register of that size.
func (g *generator) quad(*scope) {
	a, b := g.fresh+1, g.fresh+2
	g.fresh += 2
	g.line("{\n\t.reg .b128 %%q%d, %%q%d;", a, b)
	g.line("mov.b128 %%q%d, {%s, %s};", a, g.register("", 64), g.register("", 64))
	g.line("st.global.b128 [%%slot+%d], %%q%d;", 16*g.below(slotBytes/16), a)
	g.line("ld.global.b128 %%q%d, [%%slot+%d];", b, 16*g.below(slotBytes/16))
	if g.in(2) {
		g.line("atom.global.exch.b128 %%q%d, [%%slot+%d], %%q%d;", a, 16*g.below(slotBytes/16), b)
	} else if g.in(2) {
		g.line("atom.global.cas.b128 %%q%d, [%%slot+%d], %%q%d, %%q%d;", a, 16*g.below(slotBytes/16), b, a)
	}
	g.line("mov.b128 %s, %%q%d;\n\t}", g.distinct("", 64, 2, true), a)
}

// hinted is a load, a store or an atomic with a policy of the L2 cache.
func (g *generator) hinted(*scope) {
	policy := g.temp(64)
	g.line("createpolicy.fractional.L2::%s.b64 %s, %s;", pick(g.random, []string{"evict_last", "evict_normal", "evict_first", "evict_unchanged"}), policy, pick(g.random, []string{"1.0", "0.5"}))
	at := fmt.Sprintf("[%%slot+%d]", 16*g.below(slotBytes/16))
	switch g.below(4) {
	case 0:
		g.line("%sld.global%s.L2::cache_hint.v2.b64 %s, %s, %s;", g.guard(), pick(g.random, []string{"", ".L1::no_allocate", ".L1::evict_first"}), g.distinct("", 64, 2, true), at, policy)
	case 1:
		g.line("%sst.global.L2::cache_hint.v4.b32 %s, %s, %s;", g.guard(), at, g.distinct("", 32, 4, false), policy)
	case 2:
		g.line("%sld.global.nc.L1::no_allocate.L2::cache_hint%s.v4.f32 %s, [global_table+%d], %s;", g.guard(), pick(g.random, []string{"", ".L2::64B", ".L2::128B", ".L2::256B"}), g.distinct("f32", 32, 4, true), 16*g.below(tableBytes/16), policy)
	default:
		g.line("%satom.global.add.L2::cache_hint.u32 %s, %s, %s, %s;", g.guard(), g.write(g.register("", 32)), at, g.register("", 32), policy)
	}
}

// vectorAtomic is an atomic operation or reduction of the elements of a vector.
func (g *generator) vectorAtomic(*scope) {
	v := pick(g.random, []struct {
		op, kind string
		bits, n  int
	}{
		{"add.v2.f32", "f32", 32, 2}, {"add.v4.f32", "f32", 32, 4}, {"add.noftz.v2.f16", "f16", 16, 2}, {"min.noftz.v2.f16", "f16", 16, 2},
		{"max.noftz.v2.bf16", "bf16", 16, 2}, {"add.noftz.v2.bf16", "bf16", 16, 2}, {"add.noftz.v2.f16x2", "f16x2", 32, 2}, {"max.noftz.v2.f16x2", "f16x2", 32, 2},
		{"add.noftz.v2.bf16x2", "bf16x2", 32, 2}, {"min.noftz.v2.bf16x2", "bf16x2", 32, 2},
	})
	at := fmt.Sprintf("[%%slot+%d]", 16*g.below(slotBytes/16))
	scope := pick(g.random, []string{"", ".relaxed.gpu", ".release.sys", ".acquire.cta"})
	if g.in(2) {
		g.line("%satom%s.global.%s %s, %s, %s;", g.guard(), scope, v.op, g.distinct(v.kind, v.bits, v.n, true), at, g.distinct(v.kind, v.bits, v.n, false))
		return
	}
	g.line("%sred%s.global.%s %s, %s;", g.guard(), strings.Replace(scope, "acquire", "relaxed", 1), v.op, at, g.distinct(v.kind, v.bits, v.n, false))
}

// otherAtomic is an atomic operation on an own word that other kernels lack: of
// other orders and scopes, of shared floats, or without a result.
func (g *generator) otherAtomic(s *scope) {
	op := pick(g.random, append(own, "add.f32", "add.noftz.f16x2", "exch.b32", "cas.b64", "inc.u32", "max.s64"))
	kind := op[strings.LastIndexByte(op, '.')+1:]
	bits := bitsOf(kind)
	a := area{base: "%slot", bits: 64, bytes: slotBytes}
	space := pick(g.random, []string{".global", ""})
	if s.entry && g.in(2) {
		a, space = area{base: "%shared", bits: 32, bytes: 32}, pick(g.random, []string{".shared", ".shared::cta", ".shared::cluster"})
		if g.in(3) {
			a, space = area{base: "%gshared", bits: 64, bytes: 32}, ""
		}
	}
	address, value := g.at(a, bits/8), g.register(kind, bits)
	reach := pick(g.random, []string{"cta", "cluster", "gpu", "sys"})
	if plain := !strings.HasPrefix(op, "cas") && !strings.HasPrefix(op, "exch"); plain && g.in(2) {
		g.line("%sred.%s.%s%s.%s %s, %s;", g.guard(), pick(g.random, []string{"relaxed", "release"}), reach, space, op, address, value)
		return
	}
	if strings.HasPrefix(op, "cas") {
		value += ", " + g.register(kind, bits)
	}
	g.line("%satom.%s.%s%s.%s %s, %s, %s;", g.guard(), pick(g.random, []string{"relaxed", "acquire", "release", "acq_rel"}), reach, space, op, g.write(g.register(kind, bits)), address, value)
}

func bitsOf(kind string) int {
	switch kind {
	case "u32", "s32", "f32", "b32", "f16x2", "bf16x2":
		return 32
	case "f16", "bf16", "b16":
		return 16
	}
	return 64
}

// stack stores and loads on the stack, by no more than eight bytes: ptxas aligns
// what it optimises to no more.
func (g *generator) stack(*scope) {
	top, at := g.temp(64), g.temp(64)
	g.line("stacksave.u64 %s;\n\talloca.u64 %s, 32, 8;", top, at)
	g.line("st.local.b64 [%s], %s;\n\tst.local.b64 [%s+8], %s;", at, g.register("", 64), at, g.register("", 64))
	g.line("st.local.v2.b32 [%s+16], %s;\n\tst.local.v4.b16 [%s+24], %s;", at, g.distinct("", 32, 2, false), at, g.distinct("", 16, 4, false))
	index := g.temp(64)
	g.line("cvt.u64.u32 %s, %s;\n\tand.b64 %s, %s, 24;\n\tadd.u64 %s, %s, %s;", index, g.register("", 32), index, index, index, index, at)
	g.line("ld.local.b64 %s, [%s];\n\tld.local.s16 %s, [%s+2];", g.write(g.register("", 64)), index, g.write(g.register("", 32)), index)
	g.line("stackrestore.u64 %s;", top)
}

// idle is what leaves values as they are.
func (g *generator) idle(*scope) {
	g.line("%s", pick(g.random, []string{
		"fence.sc.gpu;", "fence.acq_rel.cta;", "fence.acq_rel.cluster;", "membar.gl;", "membar.cta;", "membar.sys;", "fence.proxy.async;", "fence.proxy.alias;", "nanosleep.u32 20;", "pmevent 3;",
		"prefetch.global.L1 [%slot];", "prefetch.global.L2 [%slot+32];", "prefetch.global.L2::evict_last [%slot];", "prefetchu.L1 [global_table];", "applypriority.global.L2::evict_normal [global_table], 128;",
		"griddepcontrol.wait;", "griddepcontrol.launch_dependents;", "cp.async.bulk.prefetch.L2.global [global_table+64], 64;", "cp.async.wait_all;", "cp.async.bulk.wait_group 0;",
	}))
}

// carries hands on the carry flag of signed sums and products.
func (g *generator) carries(*scope) {
	bits := pick(g.random, []int{32, 64})
	reg := func() string { return g.register("", bits) }
	n := 1 + g.below(3)
	for i := range n + 1 {
		cc, c := ".cc", "c"
		if i == n {
			cc = ""
		}
		if i == 0 {
			c = ""
		}
		switch g.below(3) {
		case 0:
			g.line("add%s%s.s%d %s, %s, %s;", c, cc, bits, g.write(reg()), reg(), reg())
		case 1:
			g.line("sub%s%s.s%d %s, %s, %d;", c, cc, bits, g.write(reg()), reg(), g.below(9)-4)
		default:
			g.line("mad%s.%s%s.s%d %s, %s, %s, %s;", c, pick(g.random, []string{"lo", "hi"}), cc, bits, g.write(reg()), reg(), reg(), reg())
		}
	}
}

// recursion calls a function that calls itself, as often in all lanes: ptxas does
// not bring lanes together that come back at different times.
func (g *generator) recursion(*scope) {
	g.recursive = true
	g.line("{\n\t.param .b32 an;\n\t.param .b64 ax;\n\t.param .b64 rx;")
	g.line("st.param.b32 [an], %d;\n\tst.param.b64 [ax], %s;", g.below(8), g.register("", 64))
	g.line("call (rx), %s_self, (an, ax);\n\tld.param.b64 %s, [rx];\n\t}", g.name, g.write(g.register("", 64)))
}

// self is the function that recursion calls.
func (g *generator) self() string {
	k, c := 1+2*g.below(1000), g.below(1<<30)
	head := fmt.Sprintf("(.param .b64 ret) %s_self (.param .b32 n, .param .b64 x)", g.name)
	return fmt.Sprintf(`.func %s;
.func %s
{
	.reg .b32 %%n;
	.reg .b64 %%x, %%y, %%l;
	.reg .pred %%p;
	.local .align 8 .b8 kept[16];
	ld.param.b32 %%n, [n];
	ld.param.b64 %%x, [x];
	st.local.b64 [kept+8], %%x;
	setp.eq.u32 %%p, %%n, 0;
	@%%p bra END;
	sub.u32 %%n, %%n, 1;
	mad.lo.u64 %%y, %%x, %d, %d;
	{
	.param .b32 an;
	.param .b64 ax;
	.param .b64 rx;
	st.param.b32 [an], %%n;
	st.param.b64 [ax], %%y;
	call (rx), %s_self, (an, ax);
	ld.param.b64 %%y, [rx];
	}
	ld.local.b64 %%l, [kept+8];
	xor.b64 %%x, %%y, %%l;
END:
	st.param.b64 [ret], %%x;
	ret;
}
`, head, head, k, c, g.name)
}

// spaces asks for the spaces of addresses and turns them into one another.
func (g *generator) spaces(s *scope) {
	bases := []string{"%slot", "%mem"}
	if s.entry {
		bases = append(bases, "%gshared", "%glocal")
	}
	g.line("isspacep.%s %s, %s;", pick(g.random, []string{"global", "shared", "local", "const", "shared::cta", "shared::cluster"}), g.write(g.predicate()), pick(g.random, bases))
	if !s.entry {
		return
	}
	if g.in(2) {
		to := g.temp(64)
		g.line("cvta.to.shared.u64 %s, %%gshared;\n\tld.shared.b32 %s, [%s+%d];", to, g.write(g.register("", 32)), to, 4*g.below(8))
		return
	}
	from := g.temp(64)
	g.line("mov.u64 %s, const_table;\n\tcvta.const.u64 %s, %s;\n\tld.b64 %s, [%s+%d];", from, from, from, g.write(g.register("", 64)), from, 8*g.below(tableBytes/8))
}

// source of an asynchronous copy: memory of the thread or a table.
func (g *generator) copySource(bytes int) string {
	if g.in(2) {
		return fmt.Sprintf("[%%slot+%d]", bytes*g.below(slotBytes/bytes))
	}
	return fmt.Sprintf("[global_table+%d]", bytes*g.below(tableBytes/bytes))
}

// asyncCopy copies some bytes to shared memory. Of two copies that are waited for
// together none would be the first.
func (g *generator) asyncCopy(*scope) {
	bytes := pick(g.random, []int{4, 8, 16})
	to, from, guard := fmt.Sprintf("[%%shared+%d]", bytes*g.below(32/bytes)), g.copySource(bytes), g.guard()
	level := pick(g.random, []string{"ca", "ca", "cg"})
	if bytes < 16 {
		level = "ca"
	}
	rest := ""
	switch g.below(3) {
	case 0:
		size := g.temp(32)
		g.line("and.b32 %s, %s, %d;", size, g.register("", 32), bytes-1)
		rest = ", " + size
	case 1:
		rest = ", " + g.predicate()
	}
	g.line("%scp.async.%s.shared.global%s %s, %s, %d%s;", guard, level, pick(g.random, []string{"", ".L2::64B", ".L2::128B"}), to, from, bytes, rest)
	g.line("%s", pick(g.random, []string{"cp.async.wait_all;", "cp.async.commit_group;\n\tcp.async.wait_group 0;"}))
}

// waited surrounds what completes bytes at the thread's own mbarrier.
func (g *generator) waited(bytes int, body func(barrier string)) {
	at, state, done, again := g.temp(32), g.temp(64), g.temp(1), g.label()
	g.line("mov.u32 %s, mb;\n\tmad.lo.u32 %s, %%t, 8, %s;", at, at, at)
	g.line("mbarrier.init.shared.b64 [%s], 1;\n\tfence.proxy.async;", at)
	g.line("mbarrier.arrive.expect_tx.shared.b64 %s, [%s], %d;", state, at, bytes)
	body("[" + at + "]")
	g.line("%s:\n\tmbarrier.%s.shared.b64 %s, [%s], %s;\n\t@!%s bra %s;", again, pick(g.random, []string{"test_wait", "try_wait"}), done, at, state, done, again)
	g.line("mbarrier.inval.shared.b64 [%s];", at)
}

// bulkCopy copies from the table in bulk.
func (g *generator) bulkCopy(*scope) {
	n := 16 * (1 + g.below(2))
	g.waited(n, func(barrier string) {
		g.line("cp.async.bulk.%s.global.mbarrier::complete_tx::bytes [%%shared], [global_table+%d], %d, %s;", pick(g.random, []string{"shared::cluster", "shared::cta"}), 16*g.below(tableBytes/16-1), n, barrier)
	})
}

// asyncStore stores or reduces in shared memory asynchronously.
func (g *generator) asyncStore(*scope) {
	if g.in(2) {
		g.waited(4, func(barrier string) {
			g.line("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.%s [%%shared+%d], %s, %s;",
				pick(g.random, []string{"add.u32", "add.s32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32", "inc.u32", "dec.u32"}), 4*g.below(8), g.register("", 32), barrier)
		})
		return
	}
	v := pick(g.random, []struct {
		kind    string
		bits, n int
	}{{"b32", 32, 1}, {"u64", 64, 1}, {"f32", 32, 2}, {"b32", 32, 4}, {"b64", 64, 2}})
	g.waited(v.n*v.bits/8, func(barrier string) {
		vec, values := "", g.distinct(v.kind, v.bits, v.n, false)
		if v.n > 1 {
			vec = fmt.Sprintf(".v%d", v.n)
		} else {
			values = strings.Trim(values, "{}")
		}
		g.line("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes%s.%s [%%shared+%d], %s, %s;", vec, v.kind, 16*g.below(2), values, barrier)
	})
}

// phase counts at an own mbarrier.
func (g *generator) phase(*scope) {
	at, state := g.temp(32), g.temp(64)
	n := 2 + g.below(3)
	g.line("mov.u32 %s, mb;\n\tmad.lo.u32 %s, %%t, 8, %s;\n\tmbarrier.init.shared::cta.b64 [%s], %d;", at, at, at, at, n)
	for range 1 + g.below(n) {
		g.line("mbarrier.arrive%s.shared.b64 %s, [%s];", pick(g.random, []string{"", ".release.cta"}), state, at)
	}
	g.line("mbarrier.pending_count.b64 %s, %s;", g.write(g.register("", 32)), state)
	g.line("mbarrier.test_wait.parity.shared.b64 %s, [%s], %d;\n\tmbarrier.inval.shared.b64 [%s];", g.write(g.predicate()), at, g.below(2), at)
}

// parameters reads the kernel's third parameter by addresses.
func (g *generator) parameters(*scope) {
	at, index := g.temp(64), g.temp(64)
	g.line("cvt.u64.u32 %s, %s;\n\tand.b64 %s, %s, 12;", index, g.register("", 32), index, index)
	g.line("mov.b64 %s, %s_struct;", at, g.name)
	space := ".param"
	if g.in(2) {
		g.line("cvta.param.u64 %s, %s;", at, at)
		space = ""
	}
	g.line("add.u64 %s, %s, %s;\n\tld%s.b32 %s, [%s+%d];", at, at, index, space, g.write(g.register("", 32)), at, 4*g.below(3))
}

// matches compares among the lanes of the scope's mask, or lets them meet.
func (g *generator) matches(s *scope) {
	small := g.temp(64)
	g.line("and.b64 %s, %s, 3;", small, g.register("", 64))
	switch g.below(4) {
	case 0:
		g.line("match.any.sync.b64 %s, %s, %s;", g.write(g.register("", 32)), small, s.mask)
	case 1:
		g.line("match.all.sync.b64 %s|%s, %s, %s;", g.write(g.register("", 32)), g.write(g.predicate()), small, s.mask)
	case 2:
		g.line("vote.sync.ballot.b32 %s, !%s, %s;", g.write(g.register("", 32)), g.predicate(), s.mask)
	default:
		g.line("bar.warp.sync %s;", s.mask)
	}
}

// matrixMemory moves 8 by 8 matrices between registers and the shared memory of
// the warp's threads.
func (g *generator) matrixMemory(*scope) {
	n := pick(g.random, []int{1, 2, 4})
	trans, at := pick(g.random, []string{"", ".trans"}), fmt.Sprintf("[%%shared+%d]", 16*g.below(2))
	g.line("bar.warp.sync 0xffffffff;")
	if g.in(2) {
		g.line("ldmatrix.sync.aligned.m8n8.x%d%s.shared.b16 %s, %s;", n, trans, g.distinct("", 32, n, true), at)
	} else {
		g.line("stmatrix.sync.aligned.m8n8.x%d%s.shared.b16 %s, %s;", n, trans, at, g.distinct("", 32, n, false))
	}
	g.line("bar.warp.sync 0xffffffff;")
}

// products are the matrix products of warps: spelling, and bank and number of
// registers of the result and a, b and c.
var products = []struct {
	spelling   string
	d, a       string
	nd, na, nb int
}{
	{"m16n8k16.row.col.f32.f16.f16.f32", "f32", "f16x2", 4, 4, 2}, {"m16n8k8.row.col.f32.f16.f16.f32", "f32", "f16x2", 4, 2, 1},
	{"m16n8k16.row.col.f16.f16.f16.f16", "f16x2", "f16x2", 2, 4, 2}, {"m16n8k16.row.col.f32.bf16.bf16.f32", "f32", "bf16x2", 4, 4, 2},
	{"m16n8k8.row.col.f32.bf16.bf16.f32", "f32", "bf16x2", 4, 2, 1}, {"m16n8k32.row.col.f32.e4m3.e5m2.f32", "f32", "", 4, 4, 2},
	{"m16n8k32.row.col.s32.s8.s8.s32", "", "", 4, 4, 2}, {"m16n8k32.row.col.satfinite.s32.u8.s8.s32", "", "", 4, 4, 2}, {"m16n8k16.row.col.s32.u8.u8.s32", "", "", 4, 2, 1},
	{"m16n8k64.row.col.s32.s4.u4.s32", "", "", 4, 4, 2}, {"m16n8k256.row.col.s32.b1.b1.s32.and.popc", "", "", 4, 4, 2}, {"m16n8k128.row.col.s32.b1.b1.s32.xor.popc", "", "", 4, 2, 1},
}

// several is a brace list of n registers of a bank of 32 bits, other ones than in a
// list.
func (g *generator) several(kind string, n int, but string) string {
	var list []string
	for len(list) < n {
		if reg := g.register(kind, 32); !strings.Contains(but, reg) {
			list = append(list, reg)
		}
	}
	return "{" + strings.Join(list, ", ") + "}"
}

func (g *generator) matrixProduct(*scope) {
	p := pick(g.random, products)
	d, but := g.distinct(p.d, 32, p.nd, true), ""
	if strings.Contains(p.spelling, "e4m3") {
		but = d // ptxas adds C to the product last, register by register
	}
	g.line("bar.warp.sync 0xffffffff;")
	g.line("mma.sync.aligned.%s %s, %s, %s, %s;", p.spelling, d, g.several(p.a, p.na, ""), g.several(p.a, p.nb, ""), g.several(p.d, p.nd, but))
}

// cluster lets threads read what those of the other CTA of their cluster wrote.
func (g *generator) cluster(*scope) {
	rank, at := g.temp(32), g.temp(32)
	g.line("st.shared.u32 [%%shared+%d], %s;", 4*g.below(8), g.register("u32", 32))
	g.line("barrier.cluster.arrive;\n\tbarrier.cluster.wait;")
	g.line("mov.u32 %s, %%cluster_ctarank;\n\txor.b32 %s, %s, 1;", rank, rank, rank)
	g.line("mapa.shared::cluster.u32 %s, %%shared, %s;", at, rank)
	g.line("ld.shared::cluster.u32 %s, [%s+%d];", g.write(g.register("u32", 32)), at, 4*g.below(8))
	g.line("getctarank.shared::cluster.u32 %s, %s;", g.write(g.register("u32", 32)), at)
	g.line("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;")
}
