package gpu_test

import (
	"testing"

	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/isa/simd"
)

// unwritten reads registers before it has written them, by a guard, on a way around the write, and from a lane that has
// not written, and then leaves something in them for the CTA that follows.
const unwritten = `.version 7.0
.target sm_70
.address_size 64
.visible .entry unwritten(.param .u64 out) {
	.reg .b64 %a, %b; .reg .b32 %t, %c, %i, %x, %y, %z, %w; .reg .pred %p;
	ld.param.u64 %a, [out];
	mov.u32 %t, %tid.x;
	mov.u32 %c, %ctaid.x;
	mad.lo.u32 %i, %c, 32, %t;
	mul.wide.u32 %b, %i, 12;
	add.u64 %a, %a, %b;
	setp.lt.u32 %p, %t, 16;
	@%p mov.u32 %x, 7;
	@%p bra around;
	mov.u32 %y, 8;
	mov.u32 %z, 9;
around:
	bar.warp.sync 0xffffffff;
	shfl.sync.bfly.b32 %w, %z, 16, 31, 0xffffffff;
	st.global.u32 [%a], %x;
	st.global.u32 [%a+4], %y;
	st.global.u32 [%a+8], %w;
	mov.u32 %x, 0xdead0001;
	mov.u32 %y, 0xdead0002;
	mov.u32 %z, 0xdead0003;
	add.u32 %x, %x, %y;
	add.u32 %x, %x, %z;
	ret;
}
`

func TestRegistersAreZeroUntilTheyAreWritten(t *testing.T) {
	for _, v := range simd.Levels() {
		l := gpu.Launch{Grid: [3]uint32{3, 1, 1}, Block: [3]uint32{32, 1, 1}}
		got := results(t, gpu.Config{ISA: v, Workers: 1}, "unwritten", unwritten, l, 3*32*3)
		for i := range 3 * 32 {
			want := [3]uint32{7, 0, 9}
			if i%32 >= 16 {
				want = [3]uint32{0, 8, 0}
			}
			if [3]uint32(got[3*i:]) != want {
				t.Errorf("%v, block %d, lane %d: %v, want %v", v, i/32, i%32, got[3*i:3*i+3], want)
			}
		}
	}
}
