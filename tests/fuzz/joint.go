package fuzz

import (
	"fmt"
	"strings"
)

// Joint is the first seed of kernels whose threads do more together than those of
// wide kernels, whose statements they have too.
const Joint = 2 << 20

// together is a statement that only joint kernels have.
func (g *generator) together(s *scope) {
	choices := []func(*scope){g.ordered, g.place}
	if s.entry {
		choices = append(choices, g.ownBit, g.ownBit, g.bulkStore, g.arrivals, g.copyArrives)
	}
	if s.mask != "" {
		choices = append(choices, g.reach, g.reach)
	}
	if s.entry && s.mask == "0xffffffff" {
		choices = append(choices, g.fragments, g.fragments, g.sparseProduct, g.otherProduct, g.transposed)
	}
	if s.entry && s.uniform && !g.exited {
		choices = append(choices, g.handOver, g.eitherWay, g.counted)
		if g.clustered {
			choices = append(choices, g.remote, g.remote, g.remote, g.everyone)
		}
	}
	if s.entry && g.clustered {
		choices = append(choices, g.bulkShared)
	}
	pick(g.random, choices)(s)
}

// ordered is a load or store of an order, or one that wide kernels lack.
func (g *generator) ordered(s *scope) {
	at := fmt.Sprintf("[%%slot+%d]", 8*g.below(slotBytes/8))
	space, scope := pick(g.random, []string{".global", ""}), pick(g.random, []string{"cta", "cluster", "gpu", "sys"})
	if s.entry && g.in(3) {
		at, space = fmt.Sprintf("[%%shared+%d]", 8*g.below(4)), pick(g.random, []string{".shared", ".shared::cta"})
	}
	guard, bits := g.guard(), pick(g.random, []int{32, 64})
	switch g.below(6) {
	case 0:
		g.line("%sld.acquire.%s%s.b%d %s, %s;", guard, scope, space, bits, g.write(g.register("", bits)), at)
	case 1:
		g.line("%sst.release.%s%s.b%d %s, %s;", guard, scope, space, bits, at, g.register("", bits))
	case 2:
		g.line("%sld.mmio.relaxed.sys.global.u%d %s, [%%slot+%d];", guard, bits, g.write(g.register("", bits)), 8*g.below(slotBytes/8))
	case 3:
		g.line("%sst.mmio.relaxed.sys.global.u%d [%%slot+%d], %s;", guard, bits, 8*g.below(slotBytes/8), g.register("", bits))
	case 4:
		g.line("%sldu.global.v4.u32 %s, [global_table+%d];", guard, g.distinct("", 32, 4, true), 16*g.below(tableBytes/16))
	default:
		g.line("%sldu.global.u%d %s, [global_table+%d];", guard, bits, g.write(g.register("", bits)), 8*g.below(tableBytes/8))
	}
}

// place reads where the thread's CTA is.
func (g *generator) place(*scope) {
	if g.in(4) {
		g.line("mov.pred %s, %%is_explicit_cluster;", g.write(g.predicate()))
		return
	}
	g.line("mov.u32 %s, %s;", g.write(g.register("u32", 32)), pick(g.random, []string{
		"%cluster_ctaid.x", "%cluster_ctaid.y", "%cluster_nctaid.x", "%cluster_nctaid.z", "%clusterid.x", "%clusterid.y", "%nclusterid.x", "%nclusterid.z", "%total_smem_size",
	}))
}

// ownBit is an atomic operation on a word of several threads that changes the bit of
// this one, and tells what it was.
func (g *generator) ownBit(*scope) {
	bits := pick(g.random, []int{32, 64})
	at, bit, old, thread := g.temp(64), g.temp(bits), g.temp(bits), "%i"
	space, offset := pick(g.random, []string{".global", ""}), 128+bits/32*64-64
	index := g.temp(32)
	if g.in(2) {
		at, thread, space, offset = g.temp(32), "%t", pick(g.random, []string{".shared", ".shared::cta"}), 128+bits/32*16-16
	}
	g.line("shr.u32 %s, %s, %d;", index, thread, map[int]int{32: 5, 64: 6}[bits])
	if thread == "%i" {
		g.line("mad.wide.u32 %s, %s, %d, %%mem;", at, index, bits/8)
	} else {
		g.line("mov.u32 %s, at;\n\tmad.lo.u32 %s, %s, %d, %s;", at, at, index, bits/8, at)
	}
	g.line("and.b32 %s, %s, %d;\n\tmov.b%d %s, 1;\n\tshl.b%d %s, %s, %s;", index, thread, bits-1, bits, bit, bits, bit, bit, index)
	op, value := pick(g.random, []string{"or", "xor", "and"}), bit
	if op == "and" {
		value = g.temp(bits)
		g.line("not.b%d %s, %s;", bits, value, bit)
	}
	order := pick(g.random, []string{"", ".relaxed.gpu", ".acq_rel.cta", ".release.gpu", ".relaxed.sys"})
	if g.in(4) {
		g.line("%sred%s%s.%s.b%d [%s+%d], %s;", g.guard(), strings.Replace(order, "acq_rel", "relaxed", 1), space, op, bits, at, offset, value)
		return
	}
	g.line("atom%s%s.%s.b%d %s, [%s+%d], %s;", order, space, op, bits, old, at, offset, value)
	g.line("and.b%d %s, %s, %s;", bits, g.write(g.register("", bits)), old, bit)
}

// reach shuffles among the lanes of a mask in every way. What comes from a lane
// outside it is not used.
func (g *generator) reach(s *scope) {
	lane, from, by, got, there := g.temp(32), g.temp(32), g.temp(32), g.temp(32), g.temp(1)
	a, clamp := g.register("", 32), 31
	g.line("mov.u32 %s, %%laneid;", lane)
	mode := pick(g.random, []string{"up", "down", "bfly", "idx"})
	if uniform := mode == "up" || mode == "down"; uniform || g.in(2) {
		g.line("mov.u32 %s, %d;", by, g.below(32))
	} else {
		g.line("and.b32 %s, %s, 31;", by, g.register("", 32))
	}
	switch mode {
	case "up":
		clamp = 0
		g.line("sub.s32 %s, %s, %s;\n\tsetp.lt.s32 %s, %s, 0;\n\tselp.u32 %s, %s, %s, %s;", from, lane, by, there, from, from, lane, from, there)
	case "down":
		g.line("add.s32 %s, %s, %s;\n\tsetp.gt.s32 %s, %s, 31;\n\tselp.u32 %s, %s, %s, %s;", from, lane, by, there, from, from, lane, from, there)
	case "bfly":
		g.line("xor.b32 %s, %s, %s;", from, lane, by)
	default:
		g.line("mov.u32 %s, %s;", from, by)
	}
	g.line("shfl.sync.%s.b32 %s|%s, %s, %s, %d, %s;", mode, got, g.write(g.predicate()), a, by, clamp, s.mask)
	g.line("shr.u32 %s, %s, %s;\n\tand.b32 %s, %s, 1;\n\tsetp.ne.u32 %s, %s, 0;", from, s.mask, from, from, from, there, from)
	g.line("selp.b32 %s, %s, %s, %s;", g.write(g.register("", 32)), got, a, there)
}

// reductions are the operations of bulk reductions.
var reductions = []string{"add.u32", "add.s32", "add.u64", "min.u32", "max.s32", "min.s64", "max.u64", "and.b32", "or.b64", "xor.b32", "inc.u32", "dec.u32"}

// bulkStore copies shared memory of the thread to its global memory, or reduces it
// into that.
func (g *generator) bulkStore(*scope) {
	g.line("fence.proxy.async;")
	n := 16 * (1 + g.below(2))
	to, from := 16*g.below((slotBytes-n)/16+1), 16*g.below((32-n)/16+1)
	hint, policy := "", ""
	if g.in(3) {
		hint, policy = ".L2::cache_hint", ", "+g.policy()
	}
	if g.in(2) {
		g.line("cp.async.bulk.global.shared::cta.bulk_group%s [%%slot+%d], [%%shared+%d], %d%s;", hint, to, from, n, policy)
	} else {
		op := pick(g.random, append([]string{"add.noftz.f16", "add.noftz.bf16", "min.f16", "max.bf16", "add.f32"}, reductions...))
		g.line("cp.reduce.async.bulk.global.shared::cta.bulk_group%s.%s [%%slot+%d], [%%shared+%d], %d%s;", hint, op, to, from, n, policy)
	}
	g.line("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;\n\tfence.proxy.async;")
}

// bulkShared does the same within the shared memory of the thread.
func (g *generator) bulkShared(*scope) {
	g.waited(16, func(barrier string) {
		if g.in(2) {
			g.line("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%%shared], [%%shared+16], 16, %s;", barrier)
			return
		}
		op := pick(g.random, []string{"add.u32", "add.s32", "min.u32", "max.s32", "and.b32", "or.b32", "xor.b32", "inc.u32", "dec.u32", "add.u64"})
		g.line("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.%s [%%shared+16], [%%shared], 16, %s;", op, barrier)
	})
	g.line("fence.proxy.async;")
}

// ownBarrier initialises the thread's mbarrier and returns the register of its address.
func (g *generator) ownBarrier(count int) string {
	at := g.temp(32)
	g.line("mov.u32 %s, mb;\n\tmad.lo.u32 %s, %%t, 8, %s;\n\tmbarrier.init.shared::cta.b64 [%s], %d;", at, at, at, at, count)
	return at
}

// arrivals counts at an own mbarrier in the ways that phase lacks.
func (g *generator) arrivals(*scope) {
	state, n := g.temp(64), 4+g.below(4)
	at := g.ownBarrier(n)
	for left := n; left > 0 && g.in(2) || left == n; {
		k := 1 + g.below(left)
		if left -= k; k == 1 && g.in(2) {
			g.line("mbarrier.arrive_drop.shared.b64 %s, [%s];", state, at)
		} else if left > 0 && g.in(2) {
			g.line("mbarrier.arrive.noComplete.release.cta.shared.b64 %s, [%s], %d;", state, at, k)
		} else {
			g.line("mbarrier.arrive.%s.shared::cta.b64 %s, [%s], %d;", pick(g.random, []string{"release.cta", "release.cluster", "relaxed.cta"}), state, at, k)
		}
	}
	g.line("mbarrier.pending_count.b64 %s, %s;", g.write(g.register("", 32)), state)
	g.line("mbarrier.test_wait.%s.shared::cta.b64 %s, [%s], %s;\n\tmbarrier.inval.shared.b64 [%s];", pick(g.random, []string{"acquire.cta", "acquire.cluster", "relaxed.cta"}), g.write(g.predicate()), at, state, at)
}

// copyArrives lets an own mbarrier wait for an asynchronous copy.
func (g *generator) copyArrives(*scope) {
	at, done, again := g.ownBarrier(1), g.temp(1), g.label()
	if g.in(2) {
		g.line("cp.async.ca.shared.global.L2::cache_hint [%%shared+%d], %s, 8, %s;", 8*g.below(4), g.copySource(8), g.policy())
	} else {
		g.line("cp.async.ca.shared.global [%%shared+%d], %s, 8;", 8*g.below(4), g.copySource(8))
	}
	g.line("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%s];", at)
	g.line("%s:\n\tmbarrier.try_wait.parity.shared.b64 %s, [%s], 0;\n\t@!%s bra %s;", again, done, at, done, again)
	g.line("mbarrier.inval.shared.b64 [%s];", at)
}

// barrierId is the number of a barrier.
func (g *generator) barrierId() int { return 1 + g.below(7) }

// handOver lets every other warp read what the warp before it wrote; that one does
// not wait.
func (g *generator) handOver(*scope) {
	word, first, from, id := 4*g.below(8), g.temp(1), g.temp(32), g.barrierId()
	g.line("st.shared.u32 [%%shared+%d], %s;", word, g.register("u32", 32))
	g.line("and.b32 %s, %%t, 32;\n\tsetp.eq.u32 %s, %s, 0;", from, first, from)
	g.line("@%s %s %d, %d;\n\t@!%s %s %d, %d;", first, pick(g.random, []string{"bar.arrive", "barrier.arrive", "barrier.cta.arrive.aligned"}), id, g.threads,
		first, pick(g.random, []string{"bar.sync", "barrier.sync", "barrier.sync.aligned"}), id, g.threads)
	g.line("sub.u32 %s, %%shared, 1024;\n\t@!%s ld.shared.u32 %s, [%s+%d];", from, first, g.write(g.register("u32", 32)), from, word)
	g.line("bar.sync %d;", 8+id)
}

// eitherWay is a barrier that lanes reach by two ways.
func (g *generator) eitherWay(*scope) {
	word, from, id := 4*g.below(8), g.temp(32), g.barrierId()
	yes, end := g.label(), g.label()
	g.line("st.shared.u32 [%%shared+%d], %s;", word, g.register("u32", 32))
	g.line("add.u32 %s, %%t, %d;\n\trem.u32 %s, %s, %d;\n\tmad.lo.u32 %s, %s, 32, 0;", from, 1+g.below(g.threads), from, from, g.threads, from, from)
	base := g.temp(32)
	g.line("mov.u32 %s, sh;\n\tadd.u32 %s, %s, %s;", base, from, from, base)
	arm := func() {
		g.line("barrier.sync %d, %d;\n\tld.shared.u32 %s, [%s+%d];", id, g.threads, g.write(g.register("u32", 32)), from, word)
	}
	g.line("@%s bra %s;", g.predicate(), yes)
	arm()
	g.line("bra %s;\n%s:", end, yes)
	arm()
	g.line("%s:\n\tbar.sync %d;", end, 8+id)
}

// remote writes the shared memory of the other CTA of the cluster, or arrives there.
func (g *generator) remote(*scope) {
	rank, at := g.temp(32), g.temp(32)
	barrier := g.ownBarrier(1)
	g.line("fence.proxy.async;\n\tfence.mbarrier_init.release.cluster;\n\tbarrier.cluster.arrive;\n\tbarrier.cluster.wait;")
	g.line("mov.u32 %s, %%cluster_ctarank;\n\txor.b32 %s, %s, 1;", rank, rank, rank)
	switch g.below(5) {
	case 0:
		n := g.below(len(shares[0]) + 1)
		op, offset, value := shares[1][0], 64, g.register("", 64) // the only one of 64 bits that ptxas makes atomic there
		if n < len(shares[0]) {
			op, offset, value = shares[0][n], 4*n, g.register("u32", 32)
		}
		if op == "inc.u32" || op == "dec.u32" {
			value = "1000"
		}
		g.line("mov.u32 %s, at;\n\tmapa.shared::cluster.u32 %s, %s, %s;", at, at, at, rank)
		g.line("%sred.%s.cluster.shared::cluster.%s [%s+%d], %s;", g.guard(), pick(g.random, []string{"relaxed", "release"}), op, at, offset, value)
	case 1:
		g.line("mapa.shared::cluster.u32 %s, %%shared, %s;", at, rank)
		g.line("%sst.shared::cluster.v2.b32 [%s+%d], %s;", g.guard(), at, 8*g.below(4), g.distinct("", 32, 2, false))
	case 2:
		to := g.temp(64)
		g.line("mapa.u64 %s, %%gshared, %s;", to, rank)
		g.line("%satom.relaxed.cluster.%s %s, [%s+%d], %s;", g.guard(), pick(g.random, []string{"add.u32", "exch.b32", "xor.b32", "max.s32", "inc.u32"}), g.write(g.register("u32", 32)), to, 4*g.below(8), g.register("u32", 32))
	case 3:
		to := g.temp(64)
		g.line("mapa.u64 %s, %%gshared, %s;\n\tgetctarank.u64 %s, %s;", to, rank, g.write(g.register("u32", 32)), to)
		g.line("st.b64 [%s+%d], %s;", to, 8*g.below(4), g.register("", 64))
	default:
		done, again := g.temp(1), g.label()
		g.line("mapa.shared::cluster.u32 %s, %s, %s;", at, barrier, rank)
		g.line("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%s];", at)
		g.line("%s:\n\tmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %s, [%s], 0;\n\t@!%s bra %s;", again, done, barrier, done, again)
	}
	g.line("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;\n\tmbarrier.inval.shared.b64 [%s];", barrier)
}

// transposed is a matrix of the warp's registers.
func (g *generator) transposed(*scope) {
	g.line("bar.warp.sync 0xffffffff;\n\tmovmatrix.sync.aligned.m8n8.trans.b16 %s, %s;", g.write(g.register("", 32)), g.register("", 32))
}

// otherProduct is a product of TF32, F64 or eight-bit matrices, or of four pairs of small
// ones. Of two NaN of f64 it is not specified which one comes out, so none goes in.
func (g *generator) otherProduct(*scope) {
	g.line("bar.warp.sync 0xffffffff;")
	dense := func(spelling, d, ab string, nd, na, nb int) {
		to := g.distinct(d, 32, nd, true)
		but := ""
		if strings.Contains(spelling, "e5m2") {
			but = to // as of wide kernels
		}
		g.line("mma.sync.aligned.%s %s, %s, %s, %s;", spelling, to, g.several(ab, na, ""), g.several(ab, nb, ""), g.several(d, nd, but))
	}
	number := func(n int) string {
		list := make([]string, n)
		for i := range list {
			is, reg := g.temp(1), g.register("f64", 64)
			list[i] = g.temp(-64)
			g.line("testp.finite.f64 %s, %s;\n\tselp.f64 %s, %s, 0d3FF0000000000000, %s;", is, reg, list[i], reg, is)
		}
		return "{" + strings.Join(list, ", ") + "}"
	}
	switch g.below(6) {
	case 0:
		dense("m16n8k4.row.col.f32.tf32.tf32.f32", "f32", "", 4, 2, 1)
	case 1:
		dense("m16n8k8.row.col.f32.tf32.tf32.f32", "f32", "", 4, 4, 2)
	case 2:
		dense("m16n8k16.row.col.f32.e4m3.e5m2.f32", "f32", "", 4, 2, 1)
	case 3:
		dense("m8n8k4."+pick(g.random, []string{"row", "col"})+"."+pick(g.random, []string{"row", "col"})+".f32.f16.f16.f32", "f32", "f16x2", 8, 2, 2)
	case 4:
		g.line("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 %s, %s, %s, %s;", g.distinct("f64", 64, 2, true), number(1), number(1), number(2))
	default:
		g.line("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 %s, %s, %s, %s;", g.distinct("f64", 64, 4, true), number(2), number(1), number(4))
	}
}

// sparse are products with a sparse first matrix: spelling, bank and number of
// registers of the result and of a and b, and how many threads can hold the metadata.
var sparse = []struct {
	spelling string
	d, a     string
	nd, n    int
	choices  int
}{
	{"m16n8k16.row.col.f32.f16.f16.f32", "f32", "f16x2", 4, 2, 4}, {"m16n8k32.row.col.f32.f16.f16.f32", "f32", "f16x2", 4, 4, 2},
	{"m16n8k32.row.col.f16.f16.f16.f16", "f16x2", "f16x2", 2, 4, 2}, {"m16n8k16.row.col.f32.bf16.bf16.f32", "f32", "bf16x2", 4, 2, 4},
	{"m16n8k8.row.col.f32.tf32.tf32.f32", "f32", "", 4, 2, 4}, {"m16n8k16.row.col.f32.tf32.tf32.f32", "f32", "", 4, 4, 2},
	{"m16n8k32.row.col.s32.s8.u8.s32", "", "", 4, 2, 2}, {"m16n8k64.row.col.satfinite.s32.s8.s8.s32", "", "", 4, 4, 1},
	{"m16n8k64.row.col.s32.u4.s4.s32", "", "", 4, 2, 2}, {"m16n8k128.row.col.s32.s4.s4.s32", "", "", 4, 4, 1},
}

func (g *generator) sparseProduct(*scope) {
	p, meta := pick(g.random, sparse), uint32(0)
	places := []uint32{0x4, 0x8, 0x9, 0xc, 0xd, 0xe} // two of four, in order
	if strings.Contains(p.spelling, "tf32") {
		places = []uint32{0x4, 0xe} // one of two, which counts as two
	}
	for range 8 {
		meta = meta<<4 | pick(g.random, places)
	}
	at := g.temp(32)
	g.line("bar.warp.sync 0xffffffff;\n\tmov.b32 %s, %#x;", at, meta)
	g.line("mma.sp::ordered_metadata.sync.aligned.%s %s, %s, %s, %s, %s, %d;", p.spelling, g.distinct(p.d, 32, p.nd, true), g.several(p.a, p.n, ""), g.several(p.a, p.n, ""), g.several(p.d, p.nd, ""), at, g.below(p.choices))
}

// wmma are the products of matrices that lie in memory: shape, types, the bits of an
// element of a and b, and the registers of the fragments.
var wmma = []struct {
	m, n, k    int
	ab, cd     string
	bits       int
	na, nb, nc int
}{
	{16, 16, 16, "f16", "f32", 16, 8, 8, 8}, {32, 8, 16, "f16", "f32", 16, 8, 8, 8}, {8, 32, 16, "f16", "f32", 16, 8, 8, 8},
	{16, 16, 16, "f16", "f16", 16, 8, 8, 4}, {16, 16, 16, "bf16", "f32", 16, 4, 4, 8}, {16, 16, 8, "tf32", "f32", 32, 4, 4, 8},
	{16, 16, 16, "s8", "s32", 8, 2, 2, 8}, {16, 16, 16, "u8", "s32", 8, 2, 2, 8}, {32, 8, 16, "s8", "s32", 8, 4, 1, 8}, {8, 32, 16, "u8", "s32", 8, 1, 4, 8},
	{8, 8, 32, "s4", "s32", 4, 1, 1, 2}, {8, 8, 32, "u4", "s32", 4, 1, 1, 2}, {8, 8, 128, "b1", "s32", 1, 1, 1, 2},
}

// fragments multiplies matrices that lie in the shared memory of the warp's threads.
func (g *generator) fragments(*scope) {
	p, at, base := pick(g.random, wmma), g.temp(32), g.temp(32)
	g.line("and.b32 %s, %%t, 0x1e0;\n\tmov.u32 %s, sh;\n\tmad.lo.u32 %s, %s, 32, %s;", at, base, at, at, base)
	list := func(n int) string {
		regs := make([]string, n)
		for i := range regs {
			regs[i] = g.temp(32)
		}
		return "{" + strings.Join(regs, ", ") + "}"
	}
	a, b, c, d := list(p.na), list(p.nb), list(p.nc), list(p.nc)
	way := func() string { return pick(g.random, []string{"row", "col"}) }
	la, lb, lc, ld := way(), way(), way(), way()
	if p.bits < 8 {
		la, lb = "row", "col"
	}
	stride := func(way string, rows, columns int) string { // not given where there is no gap
		if g.in(3) {
			return ""
		}
		return fmt.Sprintf(", %d", map[string]int{"row": columns, "col": rows}[way])
	}
	shape, places := fmt.Sprintf("m%dn%dk%d", p.m, p.n, p.k), p.cd+"."+p.cd
	if p.ab != "f16" {
		places = p.cd + "." + p.ab + "." + p.ab + "." + p.cd
	}
	op := ""
	switch {
	case p.bits == 1:
		op = pick(g.random, []string{".xor.popc", ".and.popc"})
	case p.bits < 16 && g.in(2):
		places += ".satfinite"
	}
	g.line("bar.warp.sync 0xffffffff;")
	g.line("wmma.load.a.sync.aligned.%s.%s.shared.%s %s, [%s]%s;", la, shape, p.ab, a, at, stride(la, p.m, p.k))
	g.line("wmma.load.b.sync.aligned.%s.%s.shared.%s %s, [%s+%d]%s;", lb, shape, p.ab, b, at, 1024-p.k*p.n*p.bits/8, stride(lb, p.k, p.n))
	g.line("wmma.load.c.sync.aligned.%s.%s.shared.%s %s, [%s]%s;", lc, shape, p.cd, c, at, stride(lc, p.m, p.n))
	g.line("wmma.mma%s.sync.aligned.%s.%s.%s.%s %s, %s, %s, %s;", op, la, lb, shape, places, d, a, b, c)
	g.line("bar.warp.sync 0xffffffff;\n\twmma.store.d.sync.aligned.%s.%s.shared.%s [%s], %s%s;\n\tbar.warp.sync 0xffffffff;", ld, shape, p.cd, at, d, stride(ld, p.m, p.n))
}

// counted is a reduction at a barrier of so many threads.
func (g *generator) counted(*scope) {
	p, id := g.predicate(), g.barrierId()
	switch name := pick(g.random, []string{"bar.red", "bar.cta.red", "barrier.red", "barrier.cta.red"}); g.below(3) {
	case 0:
		g.line("%s.popc.u32 %s, %d, %d, %s;", name, g.write(g.register("u32", 32)), id, g.threads, p)
	case 1:
		g.line("%s.popc.u32 %s, %d, !%s;", name, g.write(g.register("u32", 32)), id, p)
	default:
		g.line("%s.%s.pred %s, %d, %d, %s;", name, pick(g.random, []string{"and", "or"}), g.write(g.predicate()), id, g.threads, p)
	}
}

// policy is a register with a policy of the L2 cache.
func (g *generator) policy() string {
	p := g.temp(64)
	if g.in(2) {
		g.line("createpolicy.range.global.L2::%s.b64 %s, [global_table], 128, 256;", pick(g.random, []string{"evict_last", "evict_normal", "evict_first"}), p)
	} else {
		g.line("createpolicy.fractional.L2::evict_first.b64 %s;", p)
	}
	return p
}

// everyone copies from the table to both CTAs of the cluster in bulk.
func (g *generator) everyone(*scope) {
	rank, to, done, again := g.temp(32), g.temp(32), g.temp(1), g.label()
	at := g.ownBarrier(1)
	g.line("mbarrier.arrive.expect_tx.shared.b64 _, [%s], 32;", at)
	g.line("fence.proxy.async;\n\tfence.mbarrier_init.release.cluster;\n\tbarrier.cluster.arrive;\n\tbarrier.cluster.wait;")
	g.line("mov.u32 %s, %%cluster_ctarank;\n\tmad.lo.u32 %s, %s, 16, %%shared;", rank, to, rank)
	mask := g.temp(16)
	g.line("mov.b16 %s, 3;", mask)
	g.line("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%s], [global_table+%d], 16, [%s], %s;", to, 16*g.below(tableBytes/16), at, mask)
	g.line("%s:\n\tmbarrier.try_wait.parity.shared.b64 %s, [%s], 0;\n\t@!%s bra %s;", again, done, at, done, again)
	g.line("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;\n\tmbarrier.inval.shared.b64 [%s];", at)
}
