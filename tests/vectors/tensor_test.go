package vectors

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/solo"
	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// tensorKernel multiplies A of 128 rows, whose row i has a one in column i mod 16,
// by B, whose column n has 16n+k in row k, in the tensor memory of sm_100, and
// stores columns 2 to 9 of the product.
const tensorKernel = `.version 9.0
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 pout) {
.reg .b32 %r<300>; .reg .b64 %u<16>; .reg .pred %p<4>;
.shared .align 1024 .b8 sh[16384];
.shared .align 16 .b8 where[16];
.shared .align 8 .b8 bar[8];
mov.u32 %r0, %tid.x;
shr.u32 %r1, %r0, 5;
setp.eq.u32 %p0, %r1, 0;
setp.eq.u32 %p1, %r0, 0;
@%p1 mbarrier.init.shared.b64 [bar], 1;
@%p0 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [where], 64;
bar.sync 0;
tcgen05.fence::after_thread_sync;
ld.shared.b32 %r2, [where];
mov.u32 %r10, sh;
mov.u32 %r11, 0;
LOOP:
mad.lo.u32 %r12, %r11, 128, %r0;
shr.u32 %r13, %r12, 4;
and.b32 %r14, %r12, 15;
and.b32 %r15, %r13, 15;
setp.eq.u32 %p2, %r14, %r15;
selp.b32 %r16, 0x3c00, 0, %p2;
and.b32 %r17, %r13, 7;
shl.b32 %r17, %r17, 4;
shr.u32 %r18, %r13, 3;
mad.lo.u32 %r17, %r18, 256, %r17;
shr.u32 %r18, %r14, 3;
mad.lo.u32 %r17, %r18, 128, %r17;
and.b32 %r18, %r14, 7;
mad.lo.u32 %r17, %r18, 2, %r17;
add.u32 %r19, %r10, %r17;
.reg .b16 %h<4>;
cvt.u16.u32 %h0, %r16;
st.shared.b16 [%r19], %h0;
setp.ge.u32 %p3, %r13, 32;
@%p3 bra SKIP;
mad.lo.u32 %r20, %r13, 16, %r14;
cvt.rn.f16.u32 %h1, %r20;
st.shared.b16 [%r19+8192], %h1;
SKIP:
add.u32 %r11, %r11, 1;
setp.lt.u32 %p3, %r11, 16;
@%p3 bra LOOP;
fence.proxy.async.shared::cta;
bar.sync 0;
@!%p1 bra DONE;
shr.u32 %r21, %r10, 4;
cvt.u64.u32 %u0, %r21;
or.b64 %u0, %u0, 0x0000401000080000;
add.u64 %u1, %u0, 512;
mov.b32 %r22, 0x08080010;
mov.pred %p2, 0;
tcgen05.mma.cta_group::1.kind::f16 [%r2], %u0, %u1, %r22, %p2;
tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];
DONE:
bar.sync 0;
W: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;
@!%p2 bra W;
shl.b32 %r31, %r1, 21;
add.u32 %r31, %r31, %r2;
tcgen05.ld.sync.aligned.32x32b.x8.b32 {%r40,%r41,%r42,%r43,%r44,%r45,%r46,%r47}, [%r31+2];
tcgen05.wait::ld.sync.aligned;
ld.param.u64 %u2, [pout];
mad.wide.u32 %u2, %r0, 32, %u2;
st.global.v4.b32 [%u2], {%r40,%r41,%r42,%r43};
st.global.v4.b32 [%u2+16], {%r44,%r45,%r46,%r47};
bar.sync 0;
@%p0 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 64;
ret;
}`

// words runs a kernel of one CTA that stores so many words.
func words(t *testing.T, text, kernel string, threads uint32, n int) []uint32 {
	t.Helper()
	p, err := solo.Load(gpu.Config{Memory: mem.Config{DeviceBytes: 1 << 28}, SMs: 1, ThreadsPerSM: 2048}, "kernel", text)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	out, err := p.Alloc(uint64(4 * n))
	if err != nil {
		t.Fatal(err)
	}
	launch := solo.Launch{Kernel: kernel, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{threads, 1, 1}}
	if _, err := p.Run(launch, binary.LittleEndian.AppendUint64(nil, out)); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 4*n)
	if err := p.Read(out, b); err != nil {
		t.Fatal(err)
	}
	got := make([]uint32, n)
	for i := range got {
		got[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return got
}

func TestTensorMemoryHoldsTheProduct(t *testing.T) {
	got := words(t, tensorKernel, "k", 128, 128*8)
	for row := range 128 {
		for j := range 8 {
			if x, want := math.Float32frombits(got[8*row+j]), float32(16*(j+2)+row%16); x != want {
				t.Fatalf("row %d, column %d is %v, not %v", row, j+2, x, want)
			}
		}
	}
}

// maskedKernel multiplies 32 rows of ones by 64 columns, of which column j holds j, with
// the mask of the manual's example 4.
const maskedKernel = `.version 9.0
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 pout)
{
.reg .pred %p<4>; .reg .b32 %r<24>; .reg .b64 %u<4>;
.shared .align 1024 .b8 sh[4096];
.shared .align 8 .b64 bar;
.shared .b32 where;
mov.u32 %r0, %tid.x;
shr.u32 %r1, %r0, 5;
setp.eq.u32 %p0, %r1, 0;
setp.eq.u32 %p1, %r0, 0;
@%p1 mbarrier.init.shared::cta.b64 [bar], 1;
@%p0 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [where], 32;
mov.u32 %r3, %r0;
mov.u32 %r4, sh;
LOOP:
sub.u32 %r5, %r3, 256;
shr.u32 %r6, %r5, 6;
bfe.u32 %r7, %r5, 2, 3;
mad.lo.u32 %r6, %r6, 8, %r7;
setp.lt.u32 %p2, %r3, 256;
selp.b32 %r6, 1, %r6, %p2;
mul.lo.u32 %r6, %r6, 0x01010101;
mad.lo.u32 %r7, %r3, 4, %r4;
st.shared.b32 [%r7], %r6;
add.u32 %r3, %r3, 128;
setp.lt.u32 %p2, %r3, 1024;
@%p2 bra LOOP;
fence.proxy.async.shared::cta;
bar.sync 0;
tcgen05.fence::after_thread_sync;
ld.shared.b32 %r2, [where];
@!%p1 bra DONE;
shr.u32 %r8, %r4, 4;
cvt.u64.u32 %u0, %r8;
or.b64 %u0, %u0, 0x0000401000080000;
add.u64 %u1, %u0, 64;
mov.b64 %u2, 0x0203028301020100;
mov.pred %p2, 0;
tcgen05.mma.ws.cta_group::1.kind::i8 [%r2], %u0, %u1, 0x02100020, %p2, %u2;
tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];
DONE:
bar.sync 0;
W: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;
@!%p2 bra W;
shl.b32 %r3, %r1, 21;
add.u32 %r3, %r3, %r2;
tcgen05.ld.sync.aligned.32x32b.x16.b32 {%r8,%r9,%r10,%r11,%r12,%r13,%r14,%r15,%r16,%r17,%r18,%r19,%r20,%r21,%r22,%r23}, [%r3];
tcgen05.wait::ld.sync.aligned;
ld.param.u64 %u3, [pout];
mad.wide.u32 %u3, %r0, 64, %u3;
st.global.v4.b32 [%u3], {%r8,%r9,%r10,%r11};
st.global.v4.b32 [%u3+16], {%r12,%r13,%r14,%r15};
st.global.v4.b32 [%u3+32], {%r16,%r17,%r18,%r19};
st.global.v4.b32 [%u3+48], {%r20,%r21,%r22,%r23};
bar.sync 0;
@%p0 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 32;
ret;
}`

func TestMaskedColumnsAreZero(t *testing.T) {
	got := words(t, maskedKernel, "k", 128, 128*16)
	for part, mask := range []string{"00001110000111", "0000111000011", "111000011100", "1110000111000"} { // as the manual writes them, column 0 last
		for row := range 32 {
			for j := range len(mask) {
				want := uint32(32 * (16*part + j + 2))
				if mask[len(mask)-1-j] == '1' {
					want = 0
				}
				if x := got[16*(32*part+row)+j]; x != want {
					t.Errorf("row %d, column %d is %d, not %d", row, 16*part+j, x, want)
				}
			}
		}
	}
}

func TestWrongMatrixOperandsAreErrorsWithTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r1,%r2,%r3,%r4}, {%r1,%r2}, {%r3,%r4}, {%r1,%r2,%r3,%r4};":                                            "matrix operands have the wrong number of registers",
		"mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32 {%r1,%r2,%r3,%r4}, {%r1,%r2,%r3,%r4}, {%r1,%r2,%r3,%r4}, {%r1,%r2,%r3,%r4}, %r5, 1;": "the sparsity selector is 1, but must be below 1",
		"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r1,%r2,%r3,%r4}, %u1, %u2, 1, 2, 1, 0, 0;":                                                            "a scale operand must be 1 or -1",
		"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r1,%r2,%r3,%r4}, %u1, %u2, 1, 1, 1, 0, 3;":                                                            "a transpose operand must be 0 or 1",
		"wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8 {%r1,%r2,%r3,%r4}, %u1, %u2, 1;":                                                                         "does not apply here",
		"wgmma.wait_group.sync.aligned -1;": "the number of groups is -1, but must not be negative",
	} {
		p, err := solo.Load(gpu.Config{Memory: mem.Config{DeviceBytes: 1 << 28}, SMs: 1}, "m.ptx", ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k() {\n.reg .b32 %r<9>; .reg .b64 %u<9>;\n\t"+text+"\nret; }\n")
		if err == nil {
			_, err = p.Run(solo.Launch{Kernel: "k", Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{128, 1, 1}}, nil)
			p.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "m.ptx:6:2") {
			t.Errorf("%s\n\t%v, want %s at m.ptx:6:2", text, err, want)
		}
	}
}
