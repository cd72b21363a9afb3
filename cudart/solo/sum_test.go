package solo

import "testing"

func TestSumsAreOfIntegersInEveryInstruction(t *testing.T) {
	got := words(t, `.version 8.0
.target sm_70
.address_size 64
.global .align 16 .b8 g[64];
.entry k (.param .u64 out, .param .u64 other)
{
	.reg .b64 p, d, e; .reg .b32 r, a; .reg .b16 h;
	ld.param.u64 p, [out];
	ld.global.b32 r, [p];
	add.f32 a, r+4, 0f00000000;
	st.global.b32 [p], a;
	cvt.u32.u8 a, r+6;
	st.global.b32 [p+4], a;
	mov.b64 d, g;
	sub.u64 e, g+20, d;
	st.global.b32 [p+8], e;
	sub.u64 e, g+0, d;
	st.global.b32 [p+12], e;
	mov.b64 d, other;
	sub.u64 e, other+4, d;
	st.global.b32 [p+16], e;
	ret;
}`, 0x3f7ffffc)
	if want := [8]uint32{0x3f800000, 2, 20, 0, 4}; got != want {
		t.Errorf("%#x, want %#x", got, want)
	}
}
