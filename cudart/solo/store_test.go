package solo

import "testing"

func TestStoresLeaveOutElementsWithoutARegister(t *testing.T) {
	got := words(t, `.version 8.8
.target sm_100
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .b64 %q<3>; .reg .b32 %r<3>; .reg .b64 %w;
	ld.param.u64 %q1, [p];
	mov.u32 %r1, 100;
	mov.u32 %r2, 200;
	mov.u64 %w, 300;
	st.global.v8.b32 [%q1], {%r1, _, %r2, _, _, _, _, %r1};
	st.global.v4.b64 [%q1], {_, _, %w, _};
	ret;
}
`, 1, 2, 3, 4, 5, 6, 7, 8)
	if want := [8]uint32{100, 2, 200, 4, 300, 0, 7, 100}; got != want {
		t.Errorf("%d, want %d", got, want)
	}
}
