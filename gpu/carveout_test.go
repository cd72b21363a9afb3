package gpu_test

import (
	"testing"

	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
)

// walks reads one word of each line of 96 KiB, twice.
const walks = `.version 7.0
.target sm_70
.address_size 64
.visible .entry walks(.param .u64 p)
{
	.reg .u64 %rd<4>; .reg .u32 %r<4>; .reg .pred %q;
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, 0;
again:
	mov.u32 %r2, 0;
line:
	cvt.u64.u32 %rd2, %r2; add.u64 %rd3, %rd1, %rd2;
	ld.global.u32 %r3, [%rd3]; add.u32 %r1, %r1, %r3;
	add.u32 %r2, %r2, 128; setp.lt.u32 %q, %r2, 98304; @%q bra line;
	add.u32 %r1, %r1, 1; setp.lt.u32 %q, %r1, 2; @%q bra again;
	st.global.u32 [%rd1], %r1;
	ret;
}
`

// TestAPreferenceForSharedMemoryLeavesL1TheRest has a walk that L1 holds where it gets all that the block leaves, and not where
// shared memory gets most.
func TestAPreferenceForSharedMemoryLeavesL1TheRest(t *testing.T) {
	cycles := map[int]int64{}
	for _, percent := range []int{0, 50, 100} {
		c := gpu.Config{Timing: timing(t, "")}
		c.Report = func(r *chip.Report) { cycles[percent] = int64(r.Cycles()) }
		one := [3]uint32{1, 1, 1}
		if err := attempt(t, c, "walks", walks, gpu.Launch{Grid: one, Block: one, Carveout: percent}); err != nil {
			t.Fatal(err)
		}
	}
	if cycles[0] != cycles[50] || cycles[100] < cycles[0]*5/4 {
		t.Errorf("cycles by preference in percent: %v", cycles)
	}
}
