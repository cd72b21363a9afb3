package vectors

import (
	"fmt"
	"strings"
)

// own puts into %r10 the address of the thread's 64 bytes of shared memory.
const own = "mov.u32 %r10, sh;\nmov.u32 %r11, %tid.x;\nmad.lo.u32 %r10, %r11, 64, %r10;\n"

// syncForms are the kernels of copies that are waited for, of barriers in shared
// memory and of what orders, hints or asks and gives no result of its own: these stand
// between a store and a load.
func syncForms() []*Form {
	all := append(copyForms(), barrierForms()...)
	all = append(all, arrivalForms()...)
	all = append(all, passedForms()...)
	all = append(all, placeForms()...)
	return append(all, flowForms()...)
}

// copyForms are cp.async of all sizes.
func copyForms() (all []*Form) {
	waits := []string{"cp.async.commit_group;\ncp.async.wait_group 0;", "cp.async.wait_all;"}
	for n, way := range []struct{ cache, size string }{{"ca", "4"}, {"ca", "8"}, {"ca", "16"}, {"cg", "16"}} {
		for _, space := range []string{"shared", "shared::cta"} {
			for hint, level := range []string{"", ".L2::64B", ".L2::128B", ".L2::256B"} {
				for kind, operand := range []string{"", ", %r12", ", %p0", ", %u4", ", %r12, %u4", ", %p0, %u4"} {
					cache := ""
					if kind > 2 {
						cache = ".L2::cache_hint"
					}
					name := "cp.async." + way.cache + "." + space + ".global" + cache + level
					f := &Form{Name: fmt.Sprintf("%s %s %d", name, way.size, kind), Sources: []Kind{"i64", "i64", "i32"}, Results: []int{64, 64}, Threads: 256}
					f.Body = own + "st.shared.v2.b64 [%r10], {0xcccccccccccccccc, 0xcccccccccccccccc};\n" +
						"rem.u32 %r12, %s2, " + way.size + ";\nadd.u32 %r12, %r12, 1;\nsetp.gt.s32 %p0, %s2, 0;\nmad.wide.u32 %u0, %i, 16, %in;\n" +
						"createpolicy.fractional.L2::evict_first.b64 %u4, 1.0;\n" +
						name + " [%r10], [%u0], " + way.size + operand + ";\n" + waits[(n+hint+kind)%2] + "\nld.shared.v2.b64 {%d0, %d1}, [%r10];"
					f.Body = strings.ReplaceAll(f.Body, "{0xcccccccccccccccc, 0xcccccccccccccccc}", "{%u5, %u5}")
					f.Body = "mov.u64 %u5, 0xcccccccccccccccc;\n" + f.Body
					all = append(all, f)
				}
			}
		}
	}
	return all
}

// barrierForms are barriers of a CTA by number and count, those of some warps, and
// those of a cluster of one CTA. What a warp has stored before, another one loads after.
func barrierForms() (all []*Form) {
	exchange := func(name, barrier string) {
		all = append(all, &Form{Name: name, Sources: []Kind{"i32"}, Results: []int{32}, Threads: 512,
			Body: own + "st.shared.b32 [%r10], %s0;\n" + barrier + "\nxor.b32 %r11, %r11, 64;\nmov.u32 %r12, sh;\nmad.lo.u32 %r12, %r11, 64, %r12;\nld.shared.b32 %d0, [%r12];"})
	}
	for _, name := range []string{"bar", "bar.cta", "barrier", "barrier.cta"} {
		for _, aligned := range []string{"", ".aligned"} {
			if !strings.HasPrefix(name, "barrier") && aligned != "" {
				continue
			}
			exchange(name+".sync"+aligned, name+".sync"+aligned+" 0;")
			exchange(name+".sync"+aligned+" counted", name+".sync"+aligned+" 5, 128;")
			exchange(name+".sync"+aligned+" by register", "mov.u32 %r13, 3;\nmov.u32 %r14, 128;\n"+name+".sync"+aligned+" %r13, %r14;")
			exchange(name+".arrive"+aligned, "setp.lt.u32 %p1, %r11, 64;\n@%p1 "+name+".sync"+aligned+" 1, 128;\n@!%p1 "+name+".arrive"+aligned+" 1, 128;\n"+name+".sync"+aligned+" 2;")
			for _, op := range []string{"popc.u32", "and.pred", "or.pred"} {
				f := &Form{Name: name + ".red." + op + aligned + " all and some", Sources: []Kind{Flag}, Results: []int{32, 32}, Threads: 512}
				value, to := "%s0", "%r15"
				if op != "popc.u32" {
					to = "%p3"
				}
				take := func(d string) string {
					if op == "popc.u32" {
						return "mov.u32 " + d + ", %r15;\n"
					}
					return "selp.u32 " + d + ", 1, 0, %p3;\n"
				}
				f.Body = "mov.u32 %r11, %tid.x;\nshr.u32 %r12, %r11, 6;\nadd.u32 %r12, %r12, 4;\n" +
					name + ".red." + op + aligned + " " + to + ", 0, " + value + ";\n" + take("%d0") +
					name + ".red." + op + aligned + " " + to + ", %r12, 64, " + value + ";\n" + take("%d1")
				if aligned != "" {
					f.Body = strings.ReplaceAll(f.Body, ".red."+op+aligned, ".red."+strings.Replace(op, ".", aligned+".", 1))
				}
				all = append(all, f)
			}
		}
	}
	for _, order := range []string{"", ".release", ".relaxed"} {
		for _, aligned := range []string{"", ".aligned"} {
			wait := "barrier.cluster.wait" + aligned + ";"
			if order == ".release" {
				wait = "barrier.cluster.wait.acquire" + aligned + ";"
			}
			exchange("barrier.cluster.arrive"+order+aligned, "barrier.cluster.arrive"+order+aligned+";\n"+wait)
		}
	}
	return all
}

// arrivalForms are mbarrier objects: how many arrivals are pending after each, and
// whether the phase is over. The words of a state are opaque and not compared.
func arrivalForms() (all []*Form) {
	add := func(name, body string, results ...int) {
		all = append(all, &Form{Name: "mbarrier " + name, Sources: []Kind{"i32"}, Results: results, Threads: 256, Body: own + body})
	}
	for _, space := range []string{".shared", ".shared::cta", ""} {
		at, point := "[%r10]", ""
		if space == "" {
			at, point = "[%u0]", "cvt.u64.u32 %u0, %r10;\ncvta.shared.u64 %u0, %u0;\n"
		}
		pending := func(state string, d int) string {
			return fmt.Sprintf("mbarrier.pending_count.b64 %%d%d, %s;\n", d, state)
		}
		begin := point + "and.b32 %r12, %s0, 7;\nadd.u32 %r12, %r12, 3;\nmbarrier.init" + space + ".b64 " + at + ", %r12;\n"
		test := func(d int, what string) string {
			return fmt.Sprintf("mbarrier.%s%s.b64 %%p1, %s, %%u1;\nselp.u32 %%d%d, 1, 0, %%p1;\n", what, space, at, d)
		}
		parity := func(d int, what, phase string) string {
			return fmt.Sprintf("mbarrier.%s.parity%s.b64 %%p1, %s, %s;\nselp.u32 %%d%d, 1, 0, %%p1;\n", what, space, at, phase, d)
		}
		arrive := func(verb, more, to string) string {
			return "mbarrier." + verb + space + ".b64 " + to + ", " + at + more + ";\n"
		}
		add("arrive"+space, begin+arrive("arrive", "", "%u1")+arrive("arrive", "", "%u2")+pending("%u1", 0)+pending("%u2", 1)+test(2, "test_wait")+
			"sub.u32 %r13, %r12, 2;\n"+arrive("arrive", ", %r13", "%u3")+test(3, "test_wait")+test(4, "try_wait")+parity(5, "test_wait", "0")+parity(6, "test_wait", "1")+parity(7, "try_wait", "0"), 32, 32, 32, 32, 32, 32, 32, 32)
		add("arrive_drop"+space, begin+arrive("arrive_drop", "", "%u1")+pending("%u1", 0)+"sub.u32 %r13, %r12, 1;\n"+arrive("arrive", ", %r13", "%u2")+test(1, "test_wait")+
			arrive("arrive", "", "%u3")+pending("%u3", 2)+parity(3, "test_wait", "0")+arrive("arrive_drop", ", 1", "%u4")+pending("%u4", 4), 32, 32, 32, 32, 32)
		add("noComplete"+space, begin+arrive("arrive.noComplete", ", 1", "%u1")+arrive("arrive_drop.noComplete", ", 1", "%u2")+pending("%u1", 0)+pending("%u2", 1)+
			arrive("arrive", "", "%u3")+pending("%u3", 2)+test(3, "test_wait"), 32, 32, 32, 32)
		add("expect_tx"+space, begin+arrive("arrive.expect_tx", ", 64", "%u1")+pending("%u1", 0)+"sub.u32 %r13, %r12, 1;\n"+arrive("arrive", ", %r13", "%u2")+test(1, "test_wait")+
			"mbarrier.complete_tx.relaxed.cta"+space+".b64 "+at+", 24;\n"+test(2, "test_wait")+"mbarrier.complete_tx.relaxed.cta"+space+".b64 "+at+", 40;\n"+test(3, "test_wait")+
			"mbarrier.expect_tx.relaxed.cta"+space+".b64 "+at+", 16;\n"+arrive("arrive", ", %r12", "%u1")+test(4, "test_wait")+"mbarrier.complete_tx.relaxed.cta"+space+".b64 "+at+", 16;\n"+test(5, "test_wait"), 32, 32, 32, 32, 32, 32)
		add("inval"+space, begin+arrive("arrive", "", "%u1")+pending("%u1", 0)+"mbarrier.inval"+space+".b64 "+at+";\nst"+space+".b32 "+at+", %s0;\nld"+space+".b32 %d1, "+at+";", 32, 32)
		add("copies"+space, begin+"mad.wide.u32 %u5, %i, 4, %in;\ncp.async.ca.shared.global [%r10+16], [%u5], 4;\ncp.async.mbarrier.arrive.noinc"+space+".b64 "+at+";\n"+
			"cp.async.mbarrier.arrive"+space+".b64 "+at+";\ncp.async.wait_all;\nsub.u32 %r13, %r12, 1;\n"+arrive("arrive", ", %r13", "%u1")+"W:\n"+parity(0, "try_wait", "0")+"@!%p1 bra W;\nld.shared.b32 %d1, [%r10+16];", 32, 32)
	}
	for _, order := range []string{".release.cta", ".release.cluster", ".relaxed.cta", ".relaxed.cluster"} {
		wait := strings.Replace(order, "release", "acquire", 1)
		add("arrive"+order, "mbarrier.init.shared.b64 [%r10], 2;\nmbarrier.arrive"+order+".shared.b64 %u1, [%r10];\nmbarrier.pending_count.b64 %d0, %u1;\n"+
			"mbarrier.test_wait"+wait+".shared.b64 %p1, [%r10], %u1;\nselp.u32 %d1, 1, 0, %p1;\nmbarrier.arrive.expect_tx"+order+".shared.b64 %u2, [%r10], 0;\n"+
			"mbarrier.try_wait.parity"+wait+".shared.b64 %p1, [%r10], 0, 1000;\nselp.u32 %d2, 1, 0, %p1;", 32, 32, 32)
	}
	add("of the cluster", "mbarrier.init.shared.b64 [%r10], 2;\nmapa.shared::cluster.u32 %r12, %r10, 0;\nmbarrier.arrive.shared::cluster.b64 _, [%r12];\n"+
		"mbarrier.arrive.expect_tx.shared::cluster.b64 _, [%r12], 0;\nmbarrier.test_wait.parity.shared.b64 %p1, [%r10], 0;\nselp.u32 %d0, 1, 0, %p1;\n"+
		"mbarrier.arrive_drop.shared::cluster.b64 _, [%r12], 1;\nmbarrier.arrive.shared.b64 %u1, [%r10];\nmbarrier.pending_count.b64 %d1, %u1;", 32, 32)
	return all
}

// passedForms are instructions that have no result: a value must come past them.
func passedForms() (all []*Form) {
	add := func(body string) {
		all = append(all, &Form{Name: "past " + strings.ReplaceAll(body, "\n", " "), Sources: []Kind{"i64"}, Results: []int{64}, Threads: 256,
			Body: slot["global"] + "\nst.global.b64 [%u0], %s0;\n" + body + "\nld.global.b64 %d0, [%u0];"})
	}
	for _, level := range []string{"cta", "gl", "sys"} {
		add("membar." + level + ";")
	}
	add("membar.proxy.alias;")
	for _, order := range []string{"", ".sc", ".acq_rel", ".acquire", ".release"} {
		for _, scope := range []string{"cta", "cluster", "gpu", "sys"} {
			add("fence" + order + "." + scope + ";")
		}
	}
	for _, more := range []string{"mbarrier_init.release.cluster", "proxy.alias", "proxy.async", "proxy.async.global", "proxy.async.shared::cta", "proxy.async.shared::cluster",
		"acquire.sync_restrict::shared::cluster.cluster", "release.sync_restrict::shared::cta.cluster",
		"proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster", "proxy.async::generic.release.sync_restrict::shared::cta.cluster"} {
		add("fence." + more + ";")
	}
	for _, scope := range []string{"cta", "cluster", "gpu", "sys"} {
		add("fence.proxy.tensormap::generic.release." + scope + ";")
		add("mov.u64 %u1, gl;\nfence.proxy.tensormap::generic.acquire." + scope + " [%u1], 128;")
	}
	for _, what := range []string{"prefetch.global.L1", "prefetch.global.L2", "prefetch.L1", "prefetch.L2", "prefetch.global.L2::evict_last", "prefetch.global.L2::evict_normal", "prefetchu.L1"} {
		add(what + " [%u0];")
	}
	add("mov.u64 %u1, gl;\nprefetch.tensormap [%u1];")
	add("and.b64 %u1, %u0, -128;\napplypriority.global.L2::evict_normal [%u1], 128;")
	add("mov.u64 %u1, gl;\nmad.wide.u32 %u1, %i, 128, %u1;\ndiscard.global.L2 [%u1+131072], 128;")
	add("nanosleep.u32 20;")
	add("pmevent 3;")
	add("pmevent.mask 5;")
	add("griddepcontrol.launch_dependents;")
	add("griddepcontrol.wait;")
	for _, policy := range []string{"fractional.L2::evict_last.b64 %u1, 0.5", "fractional.L2::evict_first.b64 %u1", "fractional.L2::evict_normal.L2::evict_first.b64 %u1, 0.25", "fractional.L2::evict_unchanged.b64 %u1, 1.0",
		"range.global.L2::evict_last.L2::evict_unchanged.b64 %u1, [%u0], 4096, 8192", "cvt.L2.b64 %u1, 0x10f0000000000000"} {
		add("createpolicy." + policy + ";\nld.global.L2::cache_hint.b64 %u2, [%u0], %u1;\nst.global.L2::cache_hint.b64 [%u0], %u2, %u1;")
	}
	return all
}

// placeForms ask where memory lies, and reach it another way.
func placeForms() (all []*Form) {
	add := func(name, body string, results ...int) {
		all = append(all, &Form{Name: name, Sources: []Kind{"i32"}, Results: results, Threads: 256, Body: own + body})
	}
	places := map[string]string{"shared": "cvt.u64.u32 %u1, %r10;\ncvta.shared.u64 %u1, %u1;\n", "global": "mov.u64 %u1, gl;\n", "local": ".local .align 8 .b8 lo[16];\nmov.u64 %u1, lo;\ncvta.local.u64 %u1, %u1;\n"}
	for _, of := range []string{"shared", "global", "local"} {
		body := places[of]
		var results []int
		for i, space := range []string{"global", "shared", "local", "shared::cta", "shared::cluster", "const", "param", "param::entry"} {
			body += fmt.Sprintf("isspacep.%s %%d%d, %%u1;\n", space, i)
			results = append(results, 1)
		}
		add("isspacep of "+of, body, results...)
	}
	add("mapa", "st.shared.b32 [%r10], %s0;\nmapa.shared::cluster.u32 %r12, %r10, 0;\nld.shared::cluster.b32 %d0, [%r12];\ngetctarank.shared::cluster.u32 %d1, %r12;\n"+
		"cvt.u64.u32 %u1, %r10;\ncvta.shared.u64 %u1, %u1;\nmapa.u64 %u2, %u1, 0;\nld.b32 %d2, [%u2];\ngetctarank.u64 %d3, %u2;\ncvt.u64.u32 %u3, %r10;\nmapa.shared::cluster.u64 %u4, %u3, 0;\ngetctarank.shared::cluster.u64 %d4, %u4;", 32, 32, 32, 32, 32)
	for _, size := range []string{"u32", "u64"} {
		text := "stacksave.%[1]s %[2]s1;\nalloca.%[1]s %[2]s2, 64, 32;\nst.local.b32 [%[2]s2+8], %%s0;\nalloca.%[1]s %[2]s3, 32;\nst.local.b32 [%[2]s3], 5;\nld.local.b32 %%d0, [%[2]s2+8];\nand.b%[3]s %[2]s4, %[2]s2, 31;\nstackrestore.%[1]s %[2]s1;\n" +
			"stacksave.%[1]s %[2]s5;\nsub.%[1]s %[2]s5, %[2]s5, %[2]s1;\ncvt.u32.%[1]s %%d1, %[2]s4;\ncvt.u32.%[1]s %%d2, %[2]s5;"
		register := map[string]string{"u32": "%r2", "u64": "%u1"}[size]
		if size == "u64" {
			add("alloca."+size, fmt.Sprintf(text, size, register, size[1:]), 32, 32, 32)
		}
	}
	for _, t := range []string{"b8", "b16", "b32", "b64", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "f32", "f64"} {
		bits := map[byte]int{'8': 16, '6': 16, '2': 32, '4': 64}[t[len(t)-1]]
		for _, space := range []string{".global", ""} {
			all = append(all, &Form{Name: "ldu" + space + "." + t, Sources: []Kind{"i64"}, Results: []int{bits}, Threads: 256, Body: "ldu" + space + "." + t + " %d0, [%src];"})
		}
		if bits > 16 {
			all = append(all, &Form{Name: "ldu.global.v2." + t, Sources: []Kind{"i64", "i64"}, Results: []int{bits, bits}, Threads: 256, Body: "mad.wide.u32 %u0, %i, 16, %in;\nldu.global.v2." + t + " {%d0, %d1}, [%u0];"})
		}
	}
	return all
}

// flowForms jump, call and end early.
func flowForms() []*Form {
	const jump = "and.b32 %r1, %s0, 3;\nmov.u32 %d0, 0;\nT: .branchtargets A, B, C, D;\nbrx.idx %r1, T;\nA: mov.u32 %d0, 11;\nbra E;\nB: mov.u32 %d0, 22;\nbra E;\nC: mov.u32 %d0, 33;\nD: add.u32 %d0, %d0, 44;\nE:"
	return []*Form{
		{Name: "brx.idx", Sources: []Kind{"i32"}, Results: []int{32}, Threads: 256, Body: jump},
		{Name: "brx.idx.uni", Sources: []Kind{"i32"}, Results: []int{32}, Threads: 256, Body: strings.Replace(strings.Replace(jump, "brx.idx", "brx.idx.uni", 1), "and.b32 %r1, %s0, 3", "mov.u32 %r1, %ctaid.x;\nand.b32 %r1, %r1, 3", 1)},
		{Name: "ret early", Sources: []Kind{Flag}, Results: []int{32}, Threads: 256, Body: "st.global.u32 [%dst], 5;\n@%s0 ret;\nmov.u32 %d0, 6;"},
		{Name: "exit early", Sources: []Kind{Flag}, Results: []int{32}, Threads: 256, Body: "st.global.u32 [%dst], 5;\n@%s0 exit;\nmov.u32 %d0, 6;"},
		{Name: "call", Sources: []Kind{"i32"}, Results: []int{32}, Threads: 256, Body: "{ .param .b32 x;\n.param .b32 y;\nst.param.b32 [x], %s0;\ncall.uni (y), thrice, (x);\nld.param.b32 %d0, [y]; }"},
		{Name: "call in some lanes", Sources: []Kind{"i32"}, Results: []int{32}, Threads: 256, Body: "mov.u32 %d0, 1;\nsetp.gt.s32 %p1, %s0, 0;\n@!%p1 bra E;\n{ .param .b32 x;\n.param .b32 y;\nst.param.b32 [x], %s0;\ncall (y), thrice, (x);\nld.param.b32 %d0, [y]; }\nE:"},
	}
}
