package tensor

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/solo"
	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/isa/tensormap"
	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// What needs sm_100 or several devices was not recorded on a card: these are the
// manual's words.

// bench is a program with a source of ascending words, a target of zeros, and a
// tensor map of 16 columns of words over one of them.
type bench struct {
	*solo.Program
	source, target, object uint64
}

const benchWords = 1024

func newBench(t *testing.T, body string) *bench {
	t.Helper()
	text := `.version 8.8
.target sm_100a
.address_size 64
.extern .shared .align 1024 .b8 buffer[];
.visible .entry k(.param .u64 pm, .param .u64 ps, .param .u64 pt)
{
	.reg .pred %p<4>;
	.reg .b16 %h<4>;
	.reg .b32 %r<12>, %t, %b, %bar;
	.reg .b64 %m, %s, %d, %x;
	.reg .b128 %q;
	.shared .align 16 .b8 response[16];
	.shared .align 8 .b8 barrier[8];
	ld.param.u64 %m, [pm];
	ld.param.u64 %s, [ps];
	ld.param.u64 %d, [pt];
	mov.u32 %t, %tid.x;
	mov.u32 %b, buffer;
	mov.u32 %bar, barrier;
	setp.eq.u32 %p0, %t, 0;
` + body + `
	ret;
}
`
	p, err := solo.Load(gpu.Config{Memory: mem.Config{DeviceBytes: 1 << 28}, SMs: 2, ThreadsPerSM: 1024}, "newer", text)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	b := &bench{Program: p}
	words := make([]byte, 4*benchWords)
	for i := range benchWords {
		binary.LittleEndian.PutUint32(words[4*i:], uint32(i))
	}
	for _, at := range []*uint64{&b.source, &b.target, &b.object} {
		if *at, err = p.Alloc(4 * benchWords); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Write(b.source, words); err != nil {
		t.Fatal(err)
	}
	return b
}

// run runs the kernel in CTAs of 32 threads and gives the target's words.
func (b *bench) run(t *testing.T, object [tensormap.Size]byte, ctas uint32) []uint32 {
	t.Helper()
	if err := b.Write(b.object, object[:]); err != nil {
		t.Fatal(err)
	}
	var params []byte
	for _, a := range []uint64{b.object, b.source, b.target} {
		params = binary.LittleEndian.AppendUint64(params, a)
	}
	if _, err := b.Run(solo.Launch{Kernel: "k", Grid: [3]uint32{ctas, 1, 1}, Block: [3]uint32{32, 1, 1}, Shared: 8192}, params); err != nil {
		t.Fatal(err)
	}
	bytes, words := make([]byte, 4*benchWords), make([]uint32, benchWords)
	if err := b.Read(b.target, bytes); err != nil {
		t.Fatal(err)
	}
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(bytes[4*i:])
	}
	return words
}

func matrix(address uint64, boxRows uint32) tensormap.Request {
	r := tensor(u32, 16, 64)
	r.Strides, r.Address, r.Box = []uint64{64}, address, []uint32{8, boxRows}
	return r
}

func encoded(t *testing.T, f func(tensormap.Request) ([tensormap.Size]byte, error), r tensormap.Request) [tensormap.Size]byte {
	t.Helper()
	r.Newer = true
	b, err := f(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// fill puts ascending words from 1000 on into shared memory.
const fill = `
	mov.u32 %r0, %t;
fill:
	mad.lo.u32 %r1, %r0, 4, %b;
	add.u32 %r2, %r0, 1000;
	st.shared.u32 [%r1], %r2;
	add.u32 %r0, %r0, 32;
	setp.lt.u32 %p1, %r0, 1024;
	@%p1 bra fill;
	bar.sync 0;`

// dump copies 512 words of shared memory to the target.
const dump = `
	bar.sync 0;
	mov.u32 %r0, %t;
dump:
	mad.lo.u32 %r1, %r0, 4, %b;
	ld.shared.u32 %r2, [%r1];
	mad.wide.u32 %x, %r0, 4, %d;
	st.global.u32 [%x], %r2;
	add.u32 %r0, %r0, 32;
	setp.lt.u32 %p1, %r0, 512;
	@%p1 bra dump;`

// expectPhase waits for n bytes.
func expectPhase(n int, copies string) string {
	return fmt.Sprintf(`
	@!%%p0 bra wait;
	mbarrier.init.shared::cta.b64 [%%bar], 1;
	mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%bar], %d;
	%s
wait:
	bar.sync 0;
again:
	mbarrier.try_wait.parity.shared::cta.b64 %%p2, [%%bar], 0;
	@!%%p2 bra again;`, n, copies)
}

func TestFourRowsAreGathered(t *testing.T) {
	b := newBench(t, fill+expectPhase(128, `mov.u32 %r3, 4; mov.u32 %r4, 40; mov.u32 %r5, 2; mov.u32 %r6, 64; mov.u32 %r7, -1;
	cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes [%b], [%m, {%r3, %r4, %r5, %r6, %r7}], [%bar];`)+dump)
	got := b.run(t, encoded(t, tensormap.EncodeTiled, matrix(b.source, 1)), 1)
	for i := range uint32(8) {
		if got[i] != 40*16+4+i || got[8+i] != 2*16+4+i || got[16+i] != 0 || got[24+i] != 0 {
			t.Fatalf("rows %v", got[:32])
		}
	}
	if got[32] != 1032 {
		t.Errorf("word 32 is %d", got[32])
	}
}

func TestFourRowsAreScattered(t *testing.T) {
	b := newBench(t, fill+`
	@!%p0 ret;
	mov.u32 %r3, 12; mov.u32 %r4, 63; mov.u32 %r5, 0; mov.u32 %r6, 99; mov.u32 %r7, 5;
	cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%m, {%r3, %r4, %r5, %r6, %r7}], [%b];`)
	got := b.run(t, encoded(t, tensormap.EncodeTiled, matrix(b.target, 1)), 1)
	want := make([]uint32, benchWords)
	for i := range uint32(4) { // the others lie beyond the row
		want[63*16+12+i], want[12+i], want[5*16+12+i] = 1000+i, 1008+i, 1024+i
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestPixelsAlongWGoFromImageToImage(t *testing.T) {
	b := newBench(t, fill+expectPhase(8*64, `mov.u32 %r3, 0; mov.u32 %r4, -1; mov.u32 %r5, 2; mov.b16 %h0, 2; mov.b16 %h1, 1;
	cp.async.bulk.tensor.3d.shared::cta.global.im2col::w.mbarrier::complete_tx::bytes [%b], [%m, {%r3, %r4, %r5}], [%bar], {%h0, %h1};`)+dump)
	r := tensor(u32, 16, 8, 4)
	r.Strides, r.Address = []uint64{64, 512}, b.source
	r.Lower, r.Upper, r.Channels, r.Pixels, r.Swizzle = []int32{-1}, []int32{-5}, 16, 6, 2
	got := b.run(t, encoded(t, tensormap.EncodeIm2colWide, r), 1)
	// From W 0 on, shifted by one, the box ends at W 4; the halo follows.
	for pixel, want := range []uint32{256, 272, 288, 304, 384, 400, 416, 432} {
		place := 16*pixel + 4*(pixel>>1&3) // as the swizzle of 64 bytes has it
		if got[place] != want {
			t.Errorf("pixel %d begins with %d, want %d", pixel, got[place], want)
		}
	}
}

func TestSomeBytesOfEverySixteenAreCopied(t *testing.T) {
	b := newBench(t, fill+`
	@!%p0 ret;
	mov.b16 %h0, 0xf00f; mov.u32 %r3, 64;
	cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%d], [%b], %r3, %h0;`)
	got := b.run(t, [tensormap.Size]byte{}, 1)
	for i := range uint32(20) {
		want := uint32(0)
		if i < 16 && (i%4 == 0 || i%4 == 3) {
			want = 1000 + i
		}
		if got[i] != want {
			t.Errorf("word %d is %d, want %d", i, got[i], want)
		}
	}
}

func TestBulkStoresClear(t *testing.T) {
	b := newBench(t, fill+`
	add.u32 %r3, %b, 8;
	mov.b64 %x, 264;
	@%p0 st.bulk.weak.shared::cta [%r3], %x, 0;`+dump)
	got := b.run(t, [tensormap.Size]byte{}, 1)
	for i := range uint32(512) {
		want := 1000 + i
		if i >= 2 && i < 68 {
			want = 0
		}
		if got[i] != want {
			t.Fatalf("word %d is %d, want %d", i, got[i], want)
		}
	}
}

// Running CTAs take the places of those that have not started: each place is
// worked on once, whoever does it.
func TestEveryCTAIsWorkedOnOnceWithClusterLaunchControl(t *testing.T) {
	b := newBench(t, `
	@!%p0 ret;
	mov.u32 %r0, response;
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r4, 0;
	mbarrier.init.shared::cta.b64 [%bar], 1;
work:
	mad.wide.u32 %x, %r1, 4, %d;
	atom.global.add.u32 %r2, [%x], 1;
	atom.global.add.u32 %r2, [%d+4000], 1;
	mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 16;
	clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%r0], [%bar];
again:
	mbarrier.try_wait.parity.shared::cta.b64 %p2, [%bar], %r4;
	@!%p2 bra again;
	xor.b32 %r4, %r4, 1;
	ld.shared.b128 %q, [%r0];
	clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p3, %q;
	@!%p3 bra done;
	clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r1, %q;
	clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r5, %r6, %r7, _}, %q;
	setp.eq.u32 %p1, %r5, %r1;
	@%p1 bra work;
done:
	atom.global.add.u32 %r2, [%d+4004], 1;`)
	const ctas = 500
	got := b.run(t, [tensormap.Size]byte{}, ctas)
	for i := range ctas {
		if got[i] != 1 {
			t.Fatalf("CTA %d was worked on %d times", i, got[i])
		}
	}
	if got[1000] != ctas || got[1001] == 0 || got[1001] >= ctas {
		t.Errorf("%d pieces of work in %d CTAs", got[1000], got[1001])
	}
}

func TestMultimemOnOneDeviceIsItsMemory(t *testing.T) {
	b := newBench(t, `
	mad.wide.u32 %x, %t, 4, %s;
	multimem.ld_reduce.relaxed.gpu.global.add.u32 %r0, [%x];
	mad.wide.u32 %x, %t, 4, %d;
	multimem.st.relaxed.gpu.global.u32 [%x], %r0;
	multimem.red.relaxed.gpu.global.max.u32 [%x], 20;
	@!%p0 ret;
	multimem.ld_reduce.weak.global.add.v4.f32 {%r0, %r1, %r2, %r3}, [%s+64];
	multimem.st.weak.global.v4.f32 [%d+256], {%r3, %r2, %r1, %r0};`)
	got := b.run(t, [tensormap.Size]byte{}, 1)
	for i := range uint32(32) {
		if got[i] != max(i, 20) {
			t.Errorf("word %d is %d", i, got[i])
		}
	}
	if !slices.Equal(got[64:68], []uint32{19, 18, 17, 16}) {
		t.Errorf("vector %v", got[64:68])
	}
}

// A map that a kernel makes of zeros, field by field, is the one that the host
// encodes.
func TestAMapMadeFieldByFieldIsTheEncodedOne(t *testing.T) {
	replace := func(field, typ, operands string) string {
		return "\n\t@%p0 tensormap.replace.tile." + field + ".shared::cta.b1024." + typ + " [%b], " + operands + ";"
	}
	b := newBench(t, `
	mad.lo.u32 %r0, %t, 4, %b;
	st.shared.u32 [%r0], 0;
	bar.warp.sync -1;
	mov.u32 %r1, 16; mov.u32 %r2, 64; mov.u32 %r3, 8; mov.u32 %r4, 4; mov.u32 %r5, 1; mov.b64 %x, 64;`+
		replace("global_address", "b64", "%s")+replace("rank", "b32", "1")+
		replace("box_dim", "b32", "0, %r3")+replace("box_dim", "b32", "1, %r4")+
		replace("global_dim", "b32", "0, %r1")+replace("global_dim", "b32", "1, %r2")+replace("global_stride", "b64", "0, %x")+
		replace("element_stride", "b32", "0, %r5")+replace("element_stride", "b32", "1, %r5")+
		replace("elemtype", "b32", "2")+replace("interleave_layout", "b32", "0")+replace("swizzle_mode", "b32", "3")+
		replace("swizzle_atomicity", "b32", "1")+replace("fill_mode", "b32", "0")+`
	bar.warp.sync -1;
	tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%m], [%b], 128;
	fence.proxy.tensormap::generic.acquire.gpu [%m], 128;`)
	b.run(t, [tensormap.Size]byte{}, 1)
	r := matrix(b.source, 4)
	r.Swizzle = 4
	got, want := make([]byte, tensormap.Size), encoded(t, tensormap.EncodeTiled, r)
	if err := b.Read(b.object, got); err != nil {
		t.Fatal(err)
	}
	// Dimensions that a map does not have are 0 there and never looked at here.
	m, ok := tensormap.Decode(got)
	w, _ := tensormap.Decode(want[:])
	if !ok || m != w {
		t.Errorf("made %+v\nwant %+v", m, w)
	}
}

// Elements of six bits lie one a byte in shared memory when they are stored, and
// sixteen in twelve bytes, four bytes apart, when they are loaded.
func TestSixBitElementsArePackedAndExpanded(t *testing.T) {
	request := func(address uint64) tensormap.Request {
		return tensormap.Request{Type: 15, Rank: 2, Address: address, Dims: []uint64{128, 4}, Strides: []uint64{96}, Box: []uint32{128, 2}, Steps: ones(2)}
	}
	store := newBench(t, fill+`
	@!%p0 ret;
	mov.u32 %r3, 0; mov.u32 %r4, 1;
	cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%m, {%r3, %r4}], [%b];`)
	got := store.run(t, encoded(t, tensormap.EncodeTiled, request(store.target)), 1)
	// Words 1000 and 1001 are the bytes e8 03 00 00 and e9 03 00 00.
	want := uint32(0)
	for i, v := range []uint32{0x28, 0x03, 0, 0, 0x29, 0x03} {
		want |= v << (6 * i)
	}
	if got[24] != want {
		t.Errorf("the first word is %#x, want %#x", got[24], want)
	}
	if got[0] != 0 || got[23] != 0 {
		t.Errorf("row 0 holds %v", got[:24])
	}
	load := newBench(t, fill+expectPhase(256, `mov.u32 %r3, 0; mov.u32 %r4, 2;
	cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%b], [%m, {%r3, %r4}], [%bar];`)+dump)
	got = load.run(t, encoded(t, tensormap.EncodeTiled, request(load.source)), 1)
	if !slices.Equal(got[:3], []uint32{48, 49, 50}) || !slices.Equal(got[4:7], []uint32{51, 52, 53}) || got[32] != 72 {
		t.Errorf("expanded %v", got[:40])
	}
}
