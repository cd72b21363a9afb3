package gpu_test

import (
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/exec"
	"github.com/lockstep-sim/lockstep/gpu/models"
	"github.com/lockstep-sim/lockstep/gpu/option"
	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
)

// sums adds a word of memory to each thread's number, in a loop.
const sums = `.version 8.0
.target sm_80
.address_size 64
.visible .entry sums(.param .u64 out)
{
	.reg .pred %p<2>;
	.reg .b32 %r<8>;
	.reg .b64 %u<4>;
	ld.param.u64 %u0, [out];
	mov.u32 %r0, %tid.x;
	mov.u32 %r5, %ctaid.x;
	mad.lo.u32 %r0, %r5, 64, %r0;
	mul.wide.u32 %u1, %r0, 4;
	add.u64 %u2, %u0, %u1;
	mov.u32 %r2, 0;
again:
	ld.global.u32 %r1, [%u0+1024];
	add.u32 %r0, %r0, %r1;
	add.u32 %r2, %r2, 1;
	setp.lt.u32 %p0, %r2, 8;
	@%p0 bra again;
	st.global.u32 [%u2], %r0;
	ret;
}
`

// waits has a warp that reaches no barrier, or one that no store ends the loop of.
const waits = `.version 8.0
.target sm_80
.address_size 64
.visible .entry waits(.param .u64 out)
{
	.reg .pred %p<2>;
	.reg .b32 %r<8>;
	.reg .b64 %u<4>;
	ld.param.u64 %u0, [out];
	mov.u32 %r0, %tid.x;
	setp.ge.u32 %p0, %r0, 32;
	@%p0 bra other;
again:
	ld.volatile.global.u32 %r1, [%u0];
	setp.eq.u32 %p1, %r1, 0;
	@%p1 bra again;
other:
	bar.sync 0;
	ret;
}
`

func timing(t *testing.T, lines string) *chip.Config {
	t.Helper()
	c := &chip.Config{}
	settings, err := models.Read("", c)
	if err == nil {
		err = option.Override(settings, "test", lines)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// attempt runs a kernel like results and gives the error that it ends with.
func attempt(t *testing.T, c gpu.Config, name, text string, l gpu.Launch) error {
	t.Helper()
	c.SMs = 4
	d, g, _ := started(t, c, name, text, l, 1<<20)
	defer d.Close()
	turn := func() {}
	if beside != nil {
		turn = beside(d)
	}
	var err error
	for done := false; !done && err == nil; turn() {
		done, err = g.Advance(1 << 12)
	}
	return err
}

// beside, if set, is what goes on beside the kernel of attempt, in turns with it.
var beside func(d *gpu.Device) (turn func())

var several = gpu.Launch{Grid: [3]uint32{64, 1, 1}, Block: [3]uint32{64, 1, 1}}

func TestTheLogOfInstructionsIsThatOfOneThreadInBothModes(t *testing.T) {
	var logs [2]strings.Builder
	for i, c := range []gpu.Config{{}, {Timing: timing(t, "ptx.schedule false")}} {
		c.Observers = []any{exec.NewInstructionLog(&logs[i], 64*3+33+1)}
		if err := attempt(t, c, "sums", sums, several); err != nil {
			t.Fatal(err)
		}
	}
	text := logs[0].String()
	if lines := strings.Count(text, "\n"); lines != 6+8*5+2 {
		t.Errorf("%d lines:\n%s", lines, text)
	}
	if !strings.HasPrefix(text, "[thd=226] : (sums.ptx:9 - ld.param.u64 %u0, [out];) ") || !strings.Contains(text, "mov.u32 %r0, %tid.x;) 0x00000021\n") {
		t.Errorf("it begins\n%.300s", text)
	}
	if text != logs[1].String() {
		t.Errorf("in simulated time it is\n%s", logs[1].String())
	}
}

func TestTracesHoldTheEventsOfTheirComponentsInOrder(t *testing.T) {
	for _, component := range gpu.Components {
		var out strings.Builder
		c := gpu.Config{Timing: timing(t, ""), Trace: &gpu.Trace{Components: []string{component}, Core: 1, Partition: -1, Out: &out}}
		if err := attempt(t, c, "sums", sums, several); err != nil {
			t.Fatal(err)
		}
		last, lines := 0, strings.Split(strings.TrimSpace(out.String()), "\n")
		for _, line := range lines {
			var cycle int
			cell := strings.SplitN(line, ":", 2)
			for _, digit := range strings.TrimPrefix(cell[0], "GPGPU-Sim Cycle ") {
				cycle = 10*cycle + int(digit-'0')
			}
			if len(cell) != 2 || cycle < last || !strings.Contains(cell[1], component) && component != "MEMORY_PARTITION_UNIT" {
				t.Fatalf("%s: after cycle %d comes %q", component, last, line)
			}
			last = cycle
			if component == "WARP_SCHEDULER" && !strings.Contains(line, "Core 1 - Scheduler ") {
				t.Fatalf("a line of another core: %s", line)
			}
		}
		if last == 0 || len(lines) < 3 && component != "LIVENESS" {
			t.Errorf("%s: %d lines", component, len(lines))
		}
	}
}

func TestObserversDoNotChangeTime(t *testing.T) {
	cycles := map[uint64]bool{}
	for _, c := range []gpu.Config{
		{}, {Trace: &gpu.Trace{Components: gpu.Components, Core: -1, Partition: -1, Out: new(strings.Builder)}},
		{Observers: []any{exec.NewInstructionLog(new(strings.Builder), 1)}},
	} {
		c.Timing = timing(t, "")
		c.Report = func(r *chip.Report) { cycles[uint64(r.Cycles())] = true }
		if err := attempt(t, c, "sums", sums, several); err != nil {
			t.Fatal(err)
		}
	}
	if len(cycles) != 1 {
		t.Errorf("the same kernel takes %v cycles", cycles)
	}
}

func TestLimitsOfTheWholeRunEndAKernel(t *testing.T) {
	for _, lines := range []string{"limit.cycles 3500", "limit.instructions 4000", "limit.ctas 5", "limit.completed_ctas 3"} {
		var last *chip.Report
		c := gpu.Config{Timing: timing(t, lines), Report: func(r *chip.Report) { last = r }}
		err := attempt(t, c, "sums", sums, gpu.Launch{Grid: [3]uint32{1024, 1, 1}, Block: several.Block})
		if err == nil || !strings.Contains(err.Error(), "passed the limit of "+strings.Fields(lines)[1]) || !strings.Contains(err.Error(), "block (") {
			t.Errorf("%s: %v", lines, err)
		}
		if last == nil || !last.Broken || last.SM.CTAsEnded == 1024 {
			t.Errorf("%s: the report is %+v", lines, last)
		}
	}
}

func TestADeadlockSaysWhichWarpWaitsSinceWhen(t *testing.T) {
	text := strings.Replace(waits, "ld.volatile.global.u32 %r1, [%u0];", "bar.sync 1, 96;", 1)
	err := attempt(t, gpu.Config{Timing: timing(t, "")}, "waits", text, gpu.Launch{Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{64, 1, 1}})
	if err == nil || !strings.Contains(err.Error(), "deadlock") || !strings.Contains(err.Error(), "SM 0: warp 1 of block (0,0,0) waits for other warps since cycle ") {
		t.Errorf("got %v", err)
	}
}

func TestALoopThatWaitsForEverIsFound(t *testing.T) {
	one := gpu.Launch{Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{64, 1, 1}}
	err := attempt(t, gpu.Config{Timing: timing(t, "limit.standstill 100000")}, "waits", waits, one)
	for _, want := range []string{"100000 cycles, since cycle ", "warp 0, lanes ffffffff, runs in waits", "it looks at 4 bytes at global address", "which hold 0x0", "warp 1, lanes ffffffff, waits at barrier 0"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in %v", want, err)
		}
	}
}
