package gpu_test

import (
	"testing"

	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/models"
	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
)

// rounds has 32 warps meet at a barrier in memory again and again; each asks whether all have come.
const rounds = `.version 8.0
.target sm_90
.address_size 64
.visible .entry rounds(.param .u64 out)
{
	.reg .pred %p<3>;
	.reg .b32 %r<8>;
	.reg .b64 %u<4>;
	.shared .align 8 .b64 bar;
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, bar;
	setp.eq.u32 %p0, %r0, 0;
	@%p0 mbarrier.init.shared.b64 [%r1], 1024;
	bar.sync 0;
	mov.u32 %r2, 0;
again:
	mbarrier.arrive.shared.b64 _, [%r1];
	and.b32 %r3, %r2, 1;
wait:
	mbarrier.try_wait.parity.shared.b64 %p1, [%r1], %r3;
	@!%p1 bra wait;
	add.u32 %r2, %r2, 1;
	setp.lt.u32 %p2, %r2, 16;
	@%p2 bra again;
	ld.param.u64 %u0, [out];
	mul.wide.u32 %u1, %r0, 4;
	add.u64 %u2, %u0, %u1;
	st.global.u32 [%u2], %r2;
	ret;
}
`

func TestWarpsThatAskForAPhaseDoNotKeepOthersFromArriving(t *testing.T) {
	c := &chip.Config{}
	if _, err := models.Read("", c); err != nil {
		t.Fatal(err)
	}
	l := gpu.Launch{Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1024, 1, 1}}
	for i, n := range results(t, gpu.Config{Timing: c, MaxCycles: 20000}, "rounds", rounds, l, 1024) {
		if n != 16 {
			t.Fatalf("thread %d passed %d phases, want 16", i, n)
		}
	}
}
