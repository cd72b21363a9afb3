package gpu_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/exec"
	"github.com/lockstep-sim/lockstep/gpu/mem"
	"github.com/lockstep-sim/lockstep/gpu/models"
	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
	"github.com/lockstep-sim/lockstep/ptx/link"
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

// runHasty gives what its threads store.
func runHasty(t *testing.T, c gpu.Config) []uint32 {
	t.Helper()
	c.Memory, c.SMs, c.ThreadsPerSM = mem.Config{DeviceBytes: 1 << 28}, 132, 2048
	d, err := gpu.New(c)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	u, err := link.Parse("hasty.ptx", hasty)
	if err != nil {
		t.Fatal(err)
	}
	m, err := link.Link(exec.IsBuiltin, u)
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel("hasty")
	if err != nil {
		t.Fatal(err)
	}
	out, err := d.Memory().Alloc(512, 0)
	if err != nil {
		t.Fatal(err)
	}
	g, err := d.Start(gpu.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{128, 1, 1}, Params: binary.LittleEndian.AppendUint64(nil, out)})
	if err != nil {
		t.Fatal(err)
	}
	for done := false; !done; {
		if done, err = g.Advance(1 << 16); err != nil {
			t.Fatal(err)
		}
	}
	b, got := make([]byte, 512), make([]uint32, 128)
	if err := d.Memory().Read(out, b); err != nil {
		t.Fatal(err)
	}
	for i := range got {
		got[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return got
}

func TestAProductIsCompleteWhenAllWarpsOfTheWarpgroupHaveFormedIt(t *testing.T) {
	timing := &chip.Config{}
	if _, err := models.Read("", timing); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]gpu.Config{"functional": {}, "timing": {Timing: timing}} {
		for i, x := range runHasty(t, c) {
			if v := math.Float32frombits(x); v != 16 {
				t.Fatalf("%s: thread %d has %v, want 16", name, i, v)
			}
		}
	}
}
