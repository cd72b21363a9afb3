package cases

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/solo"
	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/mem"
	"github.com/lockstep-sim/lockstep/gpu/models"
	"github.com/lockstep-sim/lockstep/gpu/option"
	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
)

const head = ".version 7.8\n.target sm_80\n.address_size 64\n"

// measured is what a run on a timing model of two SMs counted and left.
type measured struct {
	solo.Counts
	chip.Report
	words []uint32
}

// measure runs the kernel k of a text, whose parameters are a buffer and one more
// word; without lines it is executed only.
func measure(t *testing.T, text string, grid, block, parameter uint32, lines ...string) measured {
	t.Helper()
	var m measured
	c := gpu.Config{Memory: mem.Config{DeviceBytes: 1 << 26}, SMs: 2, ThreadsPerSM: 2048, Heap: 8 << 20, Stack: 1024}
	if len(lines) > 0 {
		c.Timing = &chip.Config{}
		settings, err := models.Read("", c.Timing)
		if err == nil {
			err = option.Override(settings, "test", strings.Join(lines, "\n"))
		}
		if err != nil {
			t.Fatal(err)
		}
		c.Report = func(r *chip.Report) { m.Report = *r }
	}
	p, err := solo.Load(c, "case.ptx", text)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	k, err := p.Kernel("k")
	if err != nil {
		t.Fatal(err)
	}
	const words = 1 << 14
	buffer, err := p.Alloc(4 * words)
	if err != nil {
		t.Fatal(err)
	}
	params := make([]byte, max(k.ParamBytes, 12))
	binary.LittleEndian.PutUint64(params, buffer)
	binary.LittleEndian.PutUint32(params[8:], parameter)
	if m.Counts, err = p.Run(solo.Launch{Kernel: "k", Grid: [3]uint32{grid, 1, 1}, Block: [3]uint32{block, 1, 1}}, params); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 4*words)
	if err := p.Read(buffer, got); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(got); i += 4 {
		m.words = append(m.words, binary.LittleEndian.Uint32(got[i:]))
	}
	return m
}

// wave is C43: neighbours exchange values over barriers.
const wave = head + `.visible .entry k(.param .u64 out, .param .u32 n)
{
	.reg .pred %p<2>;
	.reg .b32 %r<32>;
	.reg .b64 %a<4>;
	.shared .align 4 .b8 s[512];
	ld.param.u64 %a0, [out];
	ld.param.u32 %r10, [n];
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, s;
	mad.lo.u32 %r2, %r0, 4, %r1;
	st.shared.u32 [%r2], %r0;
	bar.sync 0;
	add.u32 %r3, %r0, 63;
	and.b32 %r3, %r3, 63;
	mad.lo.u32 %r3, %r3, 4, %r1;
	add.u32 %r4, %r0, 1;
	and.b32 %r4, %r4, 63;
	mad.lo.u32 %r4, %r4, 4, %r1;
	mov.u32 %r5, 1;
	mov.u32 %r6, 0;
again:
	add.u32 %r11, %r3, %r6;
	add.u32 %r12, %r4, %r6;
	ld.shared.u32 %r7, [%r11];
	ld.shared.u32 %r8, [%r12];
	mad.lo.u32 %r7, %r7, 31, %r5;
	mad.lo.u32 %r7, %r8, 17, %r7;
	and.b32 %r7, %r7, 0xffff;
	xor.b32 %r6, %r6, 256;
	add.u32 %r11, %r2, %r6;
	st.shared.u32 [%r11], %r7;
	bar.sync 0;
	add.u32 %r5, %r5, 1;
	setp.lt.u32 %p0, %r5, %r10;
	@%p0 bra again;
	mov.u32 %r9, %ctaid.x;
	mad.lo.u32 %r9, %r9, 64, %r0;
	mul.wide.u32 %a1, %r9, 4;
	add.u64 %a0, %a0, %a1;
	st.global.u32 [%a0], %r7;
	ret;
}
`

func TestAnswersDoNotDependOnTheTimingConfiguration(t *testing.T) { // C43
	want := measure(t, wave, 16, 64, 40)
	for _, lines := range []string{
		"sm.subcores 1\nsm.warps 32", "sm.subcores 2", "issue.policy lrr", "issue.policy rrr", "issue.policy limited\nissue.active 1", "regfile.results 1\nlocal.queue 1",
		"l1.unified 16384\nl1.carveouts 16", "shared.banks 2", "launch.rate 8\nlaunch.sm_interval 1", "ptx.schedule false", "int.latency 40\nsfu.latency 1", "lsu.prt 1",
	} {
		got := measure(t, wave, 16, 64, 40, lines)
		if !slices.Equal(got.words, want.words) || got.Counts != want.Counts {
			t.Errorf("%q: other words, or %+v instead of %+v", lines, got.Counts, want.Counts)
		}
	}
	if want.words[17] == 0 {
		t.Error("nothing was computed")
	}
}

// vectors is C44: vector accesses and predicated instructions.
const vectors = head + `.visible .entry k(.param .u64 out)
{
	.reg .pred %p1;
	.reg .b32 %r<6>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd2, %r1, 16;
	add.s64 %rd3, %rd1, %rd2;
	ld.global.v4.u32 {%r2,%r3,%r4,%r5}, [%rd3];
	setp.ge.u32 %p1, %r1, 8;
	@%p1 add.u32 %r2, %r2, 1;
	@%p1 add.u32 %r3, %r3, 1;
	st.global.v4.u32 [%rd3], {%r2,%r3,%r4,%r5};
	ret;
}
`

func TestInstructionsCountOnce(t *testing.T) { // C44
	for _, lines := range [][]string{nil, {"launch.latency 10"}} {
		m := measure(t, vectors, 1, 32, 0, lines...)
		// Eight lanes leave the two guarded instructions out.
		if want := (solo.Counts{WarpInstructions: 10, ThreadInstructions: 320 - 2*8}); m.Counts != want {
			t.Errorf("%v: %+v, want %+v", lines, m.Counts, want)
		}
		// ptxas 13.0 makes as many for sm_90, two of them for the stack and for memory's descriptor.
		if lines != nil && m.SM.Warp != 11 {
			t.Errorf("%d machine instructions, want 11", m.SM.Warp)
		}
		if lines != nil && (m.Memory.Requests[0] < 4 || m.LSU.Requests != 8 || m.LSU.Sectors != 32) {
			t.Errorf("a load and a store of 512 bytes are %d requests of %d sectors", m.LSU.Requests, m.LSU.Sectors)
		}
	}
}

// flops is C45: four independent chains of multiply-adds.
func flops() string {
	var b strings.Builder
	b.WriteString(head + ".visible .entry k(.param .u64 out, .param .u32 n)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<4>;\n.reg .f32 %f<8>;\n.reg .b64 %a<4>;\n" +
		"ld.param.u64 %a0, [out];\nld.param.u32 %r1, [n];\nmov.u32 %r0, %tid.x;\ncvt.rn.f32.u32 %f0, %r0;\nadd.f32 %f1, %f0, 0f3F800000;\nadd.f32 %f2, %f1, 0f3F800000;\nadd.f32 %f3, %f2, 0f3F800000;\nmov.u32 %r2, 0;\nagain:\n")
	for range 16 {
		for i := range 4 {
			fmt.Fprintf(&b, "fma.rn.f32 %%f%d, %%f%d, 0f3F000000, 0f3F800000;\n", i, i)
		}
	}
	b.WriteString("add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p0, %r2, %r1;\n@%p0 bra again;\nadd.f32 %f0, %f0, %f1;\nadd.f32 %f2, %f2, %f3;\nadd.f32 %f0, %f0, %f2;\n" +
		"mul.wide.u32 %a1, %r0, 4;\nadd.u64 %a0, %a0, %a1;\nst.global.f32 [%a0], %f0;\nret;\n}\n")
	return b.String()
}

func TestFourSchedulersIssueFourInstructionsACycle(t *testing.T) { // C45
	for interval, bounds := range map[int][2]float64{1: {3.6, 4}, 2: {1.8, 2.1}} {
		m := measure(t, flops(), 2, 512, 60, fmt.Sprintf("fp32.interval %d", interval))
		ipc := float64(m.SM.Warp) / float64(m.SM.Cycles)
		if ipc < bounds[0] || ipc > bounds[1] {
			t.Errorf("%d lanes: %.2f instructions a cycle and SM, want %v", 128/interval, ipc, bounds)
		}
	}
}

// banks is C47: loads of shared memory with a stride.
const banks = head + `.visible .entry k(.param .u64 out, .param .u32 stride)
{
	.reg .b32 %r<8>;
	.reg .b64 %a<4>;
	.shared .align 4 .b8 s[4096];
	ld.param.u64 %a0, [out];
	ld.param.u32 %r1, [stride];
	mov.u32 %r0, %tid.x;
	mov.u32 %r2, s;
	mul.lo.u32 %r3, %r0, %r1;
	mad.lo.u32 %r3, %r3, 4, %r2;
	ld.shared.u32 %r4, [%r3];
	mul.wide.u32 %a1, %r0, 4;
	add.u64 %a0, %a0, %a1;
	st.global.u32 [%a0], %r4;
	ret;
}
`

func TestBankConflictsAreCounted(t *testing.T) { // C47
	for stride, want := range map[uint32]uint64{0: 0, 1: 0, 2: 1, 4: 3, 32: 31} {
		if m := measure(t, banks, 1, 32, stride, "launch.latency 10"); m.LSU.Conflicts != want || m.LSU.Passes != want+1 {
			t.Errorf("stride %d: %d conflicts in %d passes, want %d", stride, m.LSU.Conflicts, m.LSU.Passes, want)
		}
	}
}
