package gpu_test

import (
	"math"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/models"
	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
)

// hasty multiplies matrices of ones. The last warp of the warpgroup comes late;
// the first one, once its product is complete, overwrites the factor in shared
// memory, which the others need no longer then.
const hasty = `.version 8.0
.target sm_90a
.address_size 64
.visible .entry hasty(.param .u64 out)
{
	.reg .pred %p<4>;
	.reg .b32 %r<20>;
	.reg .b64 %u<4>;
	.shared .align 128 .b8 b[256];
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, b;
	setp.ge.u32 %p0, %r0, 64;
	@%p0 bra filled;
	mad.lo.u32 %r2, %r0, 4, %r1;
	st.shared.u32 [%r2], 0x3c003c00;
filled:
	fence.proxy.async.shared::cta;
	bar.sync 0;
	mov.u32 %r3, 0;
	setp.lt.u32 %p1, %r0, 96;
	@%p1 bra ready;
late:
	add.u32 %r3, %r3, 1;
	setp.lt.u32 %p2, %r3, 20000;
	@%p2 bra late;
ready:
	shr.u32 %r4, %r1, 4;
	cvt.u64.u32 %u0, %r4;
	or.b64 %u0, %u0, 0x1000080000;
	mov.u32 %r5, 0x3c003c00;
	mov.u32 %r6, 0;
	mov.u32 %r7, 0;
	mov.u32 %r8, 0;
	mov.u32 %r9, 0;
	wgmma.fence.sync.aligned;
	wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r6, %r7, %r8, %r9}, {%r5, %r5, %r5, %r5}, %u0, 1, 1, 1, 0;
	wgmma.commit_group.sync.aligned;
	wgmma.wait_group.sync.aligned 0;
	setp.ge.u32 %p3, %r0, 32;
	@%p3 bra store;
	mad.lo.u32 %r2, %r0, 8, %r1;
	st.shared.v2.u32 [%r2], {%r3, %r3};
store:
	ld.param.u64 %u1, [out];
	mad.wide.u32 %u1, %r0, 4, %u1;
	st.global.u32 [%u1], %r9;
	ret;
}
`

func TestAProductIsCompleteWhenAllWarpsOfTheWarpgroupHaveFormedIt(t *testing.T) {
	timing := &chip.Config{}
	if _, err := models.Read("", timing); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]gpu.Config{"functional": {}, "timing": {Timing: timing}} {
		for i, x := range results(t, c, "hasty", hasty, gpu.Launch{Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{128, 1, 1}}, 128) {
			if v := math.Float32frombits(x); v != 16 {
				t.Fatalf("%s: thread %d has %v, want 16", name, i, v)
			}
		}
	}
}
