package solo

import (
	"encoding/binary"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// words runs kernel k of a text on one thread, with a buffer of eight words that
// begin as in says, and returns them.
func words(t *testing.T, text string, in ...uint32) (out [8]uint32) {
	t.Helper()
	p, err := Load(gpu.Config{Memory: mem.Config{DeviceBytes: 1 << 26}, SMs: 1, ThreadsPerSM: 1024, Heap: 1 << 20, Stack: 1024}, "k.ptx", text)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	addr, err := p.Alloc(32)
	if err != nil {
		t.Fatal(err)
	}
	copy(out[:], in)
	b := make([]byte, 0, 32)
	for _, w := range out {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	if err := p.Write(addr, b); err != nil {
		t.Fatal(err)
	}
	one := [3]uint32{1, 1, 1}
	if _, err := p.Run(Launch{Kernel: "k", Grid: one, Block: one}, binary.LittleEndian.AppendUint64(nil, addr)); err != nil {
		t.Fatal(err)
	}
	if err := p.Read(addr, b); err != nil {
		t.Fatal(err)
	}
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return out
}

func TestRegistersPassAsParametersAndResults(t *testing.T) {
	got := words(t, `.version 7.0
.target sm_70
.address_size 64
.func (.reg .u32 s) f (.reg .u32 a, .reg .f32 b, .reg .v2 .u16 v)
{
	.reg .f32 t; .reg .u32 u; .reg .pred p;
	mul.f32 t, b, b;
	cvt.rzi.u32.f32 s, t;
	cvt.u32.u16 u, v.y;
	add.u32 s, s, u;
	setp.eq.u32 p, a, 0;
	@p ret;
	add.u32 s, s, a;
	ret;
}
.func (.param .u32 r) g (.param .u32 a) { .reg .u32 x; ld.param.u32 x, [a]; add.u32 x, x, 1; st.param.u32 [r], x; ret; }
.func (.reg .f32 r) h (.reg .f32 a) { .reg .f32 x; mul.f32 r, a, a; add.f32 x, r, a; ret; }
.func (.reg .u32 r, .reg .pred b) even (.reg .pred c, .reg .u32 a) { .reg .u32 x; and.b32 x, a, 1; setp.eq.and.u32 b, x, 0, c; shr.u32 r, a, 1; ret; }
.entry k (.param .u64 out)
{
	.reg .u64 p; .reg .u32 r<8>; .reg .f32 x; .reg .v2 .u16 v; .reg .pred q, s;
	ld.param.u64 p, [out];
	ld.u32 r1, [p];
	mov.u16 v.x, 7;
	mov.u16 v.y, 1000;
	call (r2), f, (r1, 3.0, v);
	call (r3), f, (0, 3.0, v);
	setp.eq.u32 q, r1, 0;
	mov.u32 r4, 55;
	@q call (r4), g, (r2);
	call (_), g, (5);
	call.uni (r5), g, (41);
	call (x), h, (0f3F800001);
	st.v4.u32 [p], {r2, r3, r4, r5};
	st.f32 [p+16], x;
	setp.eq.u32 q, r1, 20;
	call (r2, s), even, (q, r1);
	selp.u32 r3, 1, 0, s;
	call (r4, s), even, (q, r2);
	@s st.u32 [p+24], 3;
	st.u32 [p+20], r3;
	call (r4, s), even, (q, r4);
	@!s st.u32 [p+28], r4;
	ret;
}`, 20)
	if want := [8]uint32{1029, 1009, 55, 42, 0x3f800002, 1, 3, 2}; got != want {
		t.Errorf("%d, want %d", got, want)
	}
}

func TestVectorsMoveAsWholes(t *testing.T) {
	got := words(t, `.version 7.0
.target sm_70
.address_size 64
.entry k (.param .u64 out)
{
	.reg .u64 p; .reg .u32 r<8>; .reg .v2 .u32 v, w; .reg .v2 .b16 h; .reg .v4 .u16 z; .reg .b16 a<5>; .reg .b64 q;
	ld.param.u64 p, [out];
	mov.u32 r1, 1;
	mov.u32 r2, 2;
	mov.v2.u32 v, {r1, r2};
	mov.v2.u32 w, v;
	mov.v2.u32 {r1, r2}, {r2, r1};
	mov.u32 r3, 0x00070009;
	mov.b32 h, r3;
	cvt.u32.u16 r4, h.y;
	mov.b32 r5, h;
	mov.b64 q, 0x0004000300020001;
	mov.b64 z, q;
	mov.v4.u16 {a1, a2, a3, a4}, z;
	mov.v4.u16 z, {a2, a1, a4, a3};
	st.v4.u32 [p], {w.x, w.y, r1, r2};
	st.v2.u32 [p+16], {r4, r5};
	st.v4.u16 [p+24], z;
	ret;
}`)
	if want := [8]uint32{1, 2, 2, 1, 7, 0x70009, 0x10002, 0x30004}; got != want {
		t.Errorf("%#x, want %#x", got, want)
	}
}

// Before PTX 1.4 approximations need no mention; all f32 arithmetic of sm_1x
// flushes; its mad is fused.
func TestOldTextMeansWhatItMeantThen(t *testing.T) {
	got := words(t, `.version 1.3
.target sm_13
.entry k (.param .u64 out)
{
	.reg .u64 p; .reg .f32 a, b, c; .reg .f64 x;
	ld.param.u64 p, [out];
	ld.global.f32 a, [p];
	ld.global.f32 b, [p+4];
	add.f32 c, a, a;
	st.global.f32 [p], c;
	mad.f32 c, b, b, 0fBF800002;
	st.global.f32 [p+4], c;
	rcp.f32 c, b;
	st.global.f32 [p+8], c;
	div.f32 c, b, b;
	st.global.f32 [p+12], c;
	mov.f64 x, 0d4010000000000000;
	sqrt.f64 x, x;
	st.global.f64 [p+16], x;
	mad.f64 x, x, x, x;
	st.global.f64 [p+24], x;
	ret;
}`, 0x00400000, 0x3f800001)
	// b*b = 1 + 2^-22 + 2^-46, less 1 + 2^-22
	if want := [8]uint32{0, 0x28800000, 0x3f7ffffe, 0x3f800000, 0, 0x40000000, 0, 0x40180000}; got != want {
		t.Errorf("%#x, want %#x", got, want)
	}
}

// Before PTX 3.0 a module may have .local variables, which functions share.
func TestModulesHadLocalVariables(t *testing.T) {
	got := words(t, `.version 2.3
.target sm_20
.address_size 64
.local .u32 x;
.local .align 8 .b8 y[16];
.func add (.param .u32 a) { .reg .u32 r<3>; ld.param.u32 r1, [a]; ld.local.u32 r2, [x]; add.u32 r1, r1, r2; st.local.u32 [x], r1; ret; }
.entry k (.param .u64 out)
{
	.reg .u64 p<4>; .reg .u32 r<4>; .local .u32 z;
	ld.param.u64 p1, [out];
	mov.u32 r1, 5;
	st.local.u32 [x], r1;
	st.local.u32 [z], r1;
	mov.u64 p2, y;
	st.local.u32 [p2+8], r1;
	call add, (10);
	call add, (20);
	ld.local.u32 r1, [x];
	ld.local.u32 r2, [y+8];
	ld.local.u32 r3, [z];
	cvta.local.u64 p2, p2;
	st.u32 [p1], r1;
	st.u32 [p1+4], r2;
	st.u32 [p1+8], r3;
	ld.u32 r3, [p2+8];
	st.u32 [p1+12], r3;
	ret;
}`)
	if want := [8]uint32{35, 5, 5, 5}; got != want {
		t.Errorf("%d, want %d", got, want)
	}
}
