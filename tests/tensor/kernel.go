package tensor

import (
	"fmt"
	"strings"
)

// The layout of a kernel's only parameter, in bytes: the addresses of the tensor
// map, of results and of sources, and words.
const (
	atMap    = 0
	atOut    = 8
	atSource = 16
	atWords  = 24
	// ParamBytes is the size of the parameter.
	ParamBytes = 72
)

// The words: coordinates, im2col offsets, distance of the copy in shared
// memory, bytes that the barrier expects, bytes of shared memory to keep.
const (
	wordCoord  = 0
	wordOffset = 5
	wordPlace  = 8
	wordExpect = 9
	wordDump   = 10
	words      = 11
)

const (
	// Threads is the size of the only CTA.
	Threads = 128
	// SharedBytes is its dynamic shared memory.
	SharedBytes = 48 << 10
	// Canary is what shared memory holds before a load, in every byte.
	Canary = 0xcc
	// StatusBytes stands before the results: whether the barrier's phase ended.
	StatusBytes = 16
)

// kernel is the text of one entry; copy is the instruction of thread 0.
type kernel struct {
	name  string
	store bool // from shared memory to global
	copy  string
	first string // what all threads do before
	ctas  int    // of the cluster, 0 for none; the first one copies
}

// coordinates is the operand list of a tensor of so many dimensions.
func coordinates(dims int) string {
	return "{" + strings.Join([]string{"%c0", "%c1", "%c2", "%c3", "%c4"}[:dims], ", ") + "}"
}

func offsets(n int) string {
	return "{" + strings.Join([]string{"%h0", "%h1", "%h2"}[:n], ", ") + "}"
}

// kernels lists every mode.
func kernels() []kernel {
	var all []kernel
	add := func(name string, store bool, copy string) {
		all = append(all, kernel{name: name, store: store, copy: copy})
	}
	for d := 1; d <= 5; d++ {
		add(fmt.Sprintf("load_tile_%d", d), false, fmt.Sprintf("cp.async.bulk.tensor.%dd.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%%buf], [%%map, %s], [%%bar];", d, coordinates(d)))
		add(fmt.Sprintf("store_tile_%d", d), true, fmt.Sprintf("cp.async.bulk.tensor.%dd.global.shared::cta.tile.bulk_group [%%map, %s], [%%buf];", d, coordinates(d)))
	}
	for d := 3; d <= 5; d++ {
		add(fmt.Sprintf("load_im2col_%d", d), false, fmt.Sprintf("cp.async.bulk.tensor.%dd.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%%buf], [%%map, %s], [%%bar], %s;", d, coordinates(d), offsets(d-2)))
		add(fmt.Sprintf("store_im2col_%d", d), true, fmt.Sprintf("cp.async.bulk.tensor.%dd.global.shared::cta.im2col_no_offs.bulk_group [%%map, %s], [%%buf];", d, coordinates(d)))
	}
	for _, op := range reductions {
		add("red_tile_"+op, true, "cp.reduce.async.bulk.tensor.2d.global.shared::cta."+op+".tile.bulk_group [%map, {%c0, %c1}], [%buf];")
		add("red_im2col_"+op, true, "cp.reduce.async.bulk.tensor.4d.global.shared::cta."+op+".im2col_no_offs.bulk_group [%map, {%c0, %c1, %c2, %c3}], [%buf];")
	}
	add("load_bulk", false, "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%buf], [%src], %expect, [%bar];")
	add("store_bulk", true, "cp.async.bulk.global.shared::cta.bulk_group [%out], [%buf], %expect;")
	for _, f := range bulkForms() {
		add(f.name(), !f.shared, f.copy())
	}
	for _, k := range all {
		all = append(all, k.variants()...)
	}
	return append(all, others()...)
}

var reductions = []string{"add", "min", "max", "inc", "dec", "and", "or", "xor"}

// bulkForm is a reduction of cp.reduce.async.bulk.
type bulkForm struct {
	op, typ string
	shared  bool // into shared memory
}

func (f bulkForm) name() string {
	to := "global"
	if f.shared {
		to = "shared"
	}
	return strings.ReplaceAll("bulk_"+to+"_"+f.op+"_"+f.typ, ".", "_")
}

func (f bulkForm) copy() string {
	if f.shared {
		return "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes." + f.op + "." + f.typ + " [%buf], [%more], %expect, [%bar];"
	}
	return "cp.reduce.async.bulk.global.shared::cta.bulk_group." + f.op + "." + f.typ + " [%out], [%buf], %expect;"
}

func bulkForms() []bulkForm {
	var all []bulkForm
	add := func(shared bool, op, types string) {
		for _, t := range strings.Fields(types) {
			all = append(all, bulkForm{op, t, shared})
		}
	}
	for _, op := range []string{"and", "or", "xor"} {
		add(true, op, "b32")
		add(false, op, "b32 b64")
	}
	for _, op := range []string{"inc", "dec"} {
		add(true, op, "u32")
		add(false, op, "u32")
	}
	for _, op := range []string{"min", "max"} {
		add(true, op, "s32 u32")
		add(false, op, "s32 u32 s64 u64 f16 bf16")
	}
	add(true, "add", "s32 u32 u64")
	add(false, "add", "s32 u32 u64 f32 f64")
	add(false, "add.noftz", "f16 bf16")
	return all
}

// Text is the PTX module of all kernels.
func Text() string {
	var b strings.Builder
	b.WriteString(".version 8.6\n.target sm_90a\n.address_size 64\n\n.extern .shared .align 1024 .b8 buffer[];\n")
	for _, k := range kernels() {
		k.write(&b)
	}
	return b.String()
}

func (k kernel) write(b *strings.Builder) {
	fmt.Fprintf(b, "\n.visible .entry %s(.param .align 8 .b8 p[%d])\n", k.name, ParamBytes)
	if k.ctas > 0 {
		fmt.Fprintf(b, ".reqnctapercluster %d, 1, 1\n", k.ctas)
	}
	b.WriteString("{\n" + prologue)
	if k.store {
		b.WriteString(fillFromSource)
	} else {
		b.WriteString(fillCanary)
	}
	b.WriteString(k.first + "\tfence.proxy.async;\n\tbar.sync 0;\n\tsetp.ne.u32 %p1, %t, 0;\n")
	if k.store {
		fmt.Fprintf(b, "\t@%%p1 bra $done;\n\t%s\n\tcp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;\n$done:\n\tret;\n}\n", k.copy)
		return
	}
	meet := ""
	if k.ctas > 1 {
		meet = meetOthers
	}
	fmt.Fprintf(b, "\t@%%p1 bra $armed;\n%s$armed:\n%s\t@%%p1 bra $wait;\n\t%s\n%s}\n", arm, meet, k.copy, awaitAndDump)
}

const prologue = `	.reg .pred %p<8>;
	.reg .b16 %h<3>;
	.reg .b32 %c<5>, %t, %buf, %bar, %base, %place, %expect, %dump, %i, %v, %w, %more, %done, %turn;
	.reg .b64 %map, %out, %src, %x, %y, %state, %policy;
	.shared .align 8 .b8 barrier[8];
	ld.param.u64 %map, [p];
	ld.param.u64 %out, [p+8];
	ld.param.u64 %src, [p+16];
	ld.param.u32 %c0, [p+24];
	ld.param.u32 %c1, [p+28];
	ld.param.u32 %c2, [p+32];
	ld.param.u32 %c3, [p+36];
	ld.param.u32 %c4, [p+40];
	ld.param.u16 %h0, [p+44];
	ld.param.u16 %h1, [p+48];
	ld.param.u16 %h2, [p+52];
	ld.param.u32 %place, [p+56];
	ld.param.u32 %expect, [p+60];
	ld.param.u32 %dump, [p+64];
	mov.u32 %t, %tid.x;
	mov.u32 %base, buffer;
	add.u32 %buf, %base, %place;
	add.u32 %more, %buf, 16384;
	mov.u32 %bar, barrier;
	shl.b32 %i, %t, 2;
	createpolicy.fractional.L2::evict_first.b64 %policy, 1.0;
`

// fillCanary also puts sources behind the canaries, for copies inside shared
// memory.
const fillCanary = `$fill:
	setp.ge.u32 %p1, %i, %dump;
	@%p1 bra $filled;
	add.u32 %v, %base, %i;
	mov.u32 %w, 0xcccccccc;
	st.shared.u32 [%v], %w;
	cvt.u64.u32 %x, %i;
	add.u64 %x, %x, %src;
	ld.global.u32 %w, [%x];
	st.shared.u32 [%v+16384], %w;
	add.u32 %i, %i, 512;
	bra $fill;
$filled:
`

const fillFromSource = `$fill:
	setp.ge.u32 %p1, %i, %dump;
	@%p1 bra $filled;
	cvt.u64.u32 %x, %i;
	add.u64 %x, %x, %src;
	ld.global.u32 %w, [%x];
	add.u32 %v, %base, %i;
	st.shared.u32 [%v], %w;
	add.u32 %i, %i, 512;
	bra $fill;
$filled:
`

const arm = `	mbarrier.init.shared::cta.b64 [%bar], 1;
	fence.proxy.async;
	mbarrier.arrive.expect_tx.shared::cta.b64 %state, [%bar], %expect;
`

// meetOthers lets the CTAs of a cluster wait for one another. Each leaves a result
// of its own, one after the other; only the first copies.
const meetOthers = `	mov.u32 %w, %cluster_ctarank;
	add.u32 %v, %dump, 16;
	mad.wide.u32 %out, %w, %v, %out;
	setp.ne.or.u32 %p1, %w, 0, %p1;
	barrier.cluster.arrive.release;
	barrier.cluster.wait.acquire;
`

// awaitAndDump gives up after a while, so that a wrong count shows as a result.
const awaitAndDump = `$wait:
	bar.sync 0;
	mov.u32 %turn, 0;
	mov.u32 %done, 0;
$again:
	mbarrier.test_wait.parity.shared::cta.b64 %p2, [%bar], 0;
	selp.u32 %done, 1, 0, %p2;
	@%p2 bra $over;
	nanosleep.u32 1000;
	add.u32 %turn, %turn, 1;
	setp.lt.u32 %p3, %turn, 2000;
	@%p3 bra $again;
$over:
	bar.sync 0;
	setp.eq.u32 %p4, %t, 0;
	@%p4 st.global.u32 [%out], %done;
	shl.b32 %i, %t, 2;
$dump:
	setp.ge.u32 %p1, %i, %dump;
	@%p1 bra $end;
	add.u32 %v, %base, %i;
	ld.shared.u32 %w, [%v];
	cvt.u64.u32 %x, %i;
	add.u64 %x, %x, %out;
	st.global.u32 [%x+16], %w;
	add.u32 %i, %i, 512;
	bra $dump;
$end:
	ret;
`
