package gpu_test

import (
	"testing"

	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/models"
	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
)

// ring sends a number round the CTAs of a cluster, through the shared memory of
// the next one, and leaves in each CTA its SM and the sum of all ranks.
const ring = `.version 8.0
.target sm_90
.address_size 64
.visible .entry ring(.param .u64 out)
{
	.reg .pred %p<3>;
	.reg .b32 %r<10>;
	.reg .b64 %o;
	.shared .align 4 .b8 v[8];
	mov.u32 %r0, %cluster_ctarank;
	mov.u32 %r1, %cluster_nctarank;
	mov.u32 %r2, v;
	mov.u32 %r3, %tid.x;
	mov.u32 %r4, 0;
	mov.u32 %r9, %r0;
	setp.ne.u32 %p0, %r3, 0;
	add.u32 %r5, %r0, 1;
	rem.u32 %r5, %r5, %r1;
	mapa.shared::cluster.u32 %r5, %r2, %r5;
	mov.u32 %r6, 1;
turn:
	and.b32 %r7, %r6, 1;
	mad.lo.u32 %r8, %r7, 4, %r5;
	@!%p0 st.shared::cluster.u32 [%r8], %r9;
	barrier.cluster.arrive.release.aligned;
	barrier.cluster.wait.acquire.aligned;
	mad.lo.u32 %r8, %r7, 4, %r2;
	ld.shared.u32 %r9, [%r8];
	add.u32 %r4, %r4, %r9;
	add.u32 %r6, %r6, 1;
	setp.le.u32 %p1, %r6, %r1;
	@%p1 bra turn;
	@%p0 ret;
	ld.param.u64 %o, [out];
	mov.u32 %r7, %ctaid.x;
	mad.wide.u32 %o, %r7, 4, %o;
	st.global.u32 [%o], %r4;
	ret;
}
`

// ringSums runs ring with 32 CTAs in clusters of a size.
func ringSums(t *testing.T, c gpu.Config, size uint32) []uint32 {
	t.Helper()
	return results(t, c, "ring", ring, gpu.Launch{Grid: [3]uint32{32, 1, 1}, Block: [3]uint32{64, 1, 1}, Cluster: [3]uint32{size, 1, 1}}, 32)
}

func TestClustersComputeTheSameInTime(t *testing.T) {
	for _, size := range []uint32{1, 2, 4, 8, 16} {
		var report chip.Report
		timing := &chip.Config{}
		if _, err := models.Read("", timing); err != nil {
			t.Fatal(err)
		}
		plain := ringSums(t, gpu.Config{}, size)
		timed := ringSums(t, gpu.Config{Timing: timing, Report: func(r *chip.Report) { report = *r }}, size)
		for i := range plain {
			if want := size * (size - 1) / 2; plain[i] != want || timed[i] != want {
				t.Fatalf("clusters of %d: CTA %d has %d, in time %d, want %d", size, i, plain[i], timed[i], want)
			}
		}
		turn := uint64(0)
		if size > 1 {
			turn = 156 // cycles from the last arrival at the barrier to those on other SMs
		}
		if busy := uint64(report.Busy()); busy < uint64(size)*turn {
			t.Errorf("clusters of %d take %d cycles for %d barriers", size, busy, size)
		}
		t.Logf("clusters of %2d: %d cycles", size, report.Busy())
	}
}
