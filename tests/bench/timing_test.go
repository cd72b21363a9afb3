package bench

import (
	"bytes"
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/exec"
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/simd"
	"github.com/lockstep-sim/lockstep/gpu/models"
	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
)

// clocked is a bed whose device has a timing model.
type clocked struct {
	*bed
	config  *chip.Config
	reports []chip.Report
}

// newClocked makes a bed of the default model that so many threads simulate.
func newClocked(t testing.TB, threads int) *clocked {
	t.Helper()
	x := &clocked{config: &chip.Config{}}
	if _, err := models.Read("", x.config); err != nil {
		t.Fatal(err)
	}
	x.bed = newBedOf(t, gpu.Config{Timing: x.config, Workers: threads, Report: func(r *chip.Report) { x.reports = append(x.reports, *r) }})
	return x
}

// small is the launch of a kernel cut to a few CTAs.
func small(l timed) timed {
	l.grid = [3]uint32{min(l.grid[0], 4), min(l.grid[1], 3), 1}
	return l
}

// outcome is what a launch left and took.
type outcome struct {
	counts [2]uint64 // warp and thread instructions
	image  [3][]byte
	report chip.Report
}

// launchAll runs all kernels, small, on a device of their own, with a timing model
// if threads simulate it.
func launchAll(t *testing.T, name string, threads int) (all []outcome) {
	t.Run(name, func(t *testing.T) {
		x := &clocked{}
		if threads > 0 {
			x = newClocked(t, threads)
		} else {
			x.bed = newBed(t, 1, simd.Best)
		}
		for _, l := range kernels() {
			k, err := x.module.Kernel(l.name)
			if err != nil {
				t.Fatal(err)
			}
			var o outcome
			o.counts[0], o.counts[1] = x.run(t, k, small(l))
			for j, a := range x.addr {
				o.image[j] = make([]byte, bufferBytes)
				if err := x.device.Memory().Read(a, o.image[j]); err != nil {
					t.Fatal(err)
				}
			}
			if threads > 0 {
				o.report = x.reports[len(x.reports)-1]
			}
			all = append(all, o)
		}
		if err := x.device.Check(); err != nil {
			t.Error(err)
		}
	})
	return all
}

// Time changes nothing of what kernels compute, and of the time itself nothing
// is left to chance.
func TestTimingLeavesTheSameMemoryAndTakesTheSameCycles(t *testing.T) {
	if testing.Short() {
		t.Skip("this takes some seconds")
	}
	plain, timed := launchAll(t, "functional", 0), launchAll(t, "timing", 1)
	for i, l := range kernels() {
		a, b := &plain[i], &timed[i]
		if a.counts != b.counts {
			t.Errorf("%s: timing executes %v instructions, %v without", l.name, b.counts, a.counts)
		}
		for j := range a.image {
			if !bytes.Equal(a.image[j], b.image[j]) {
				t.Errorf("%s: buffer %d differs with timing", l.name, j)
			}
		}
		r := &b.report
		t.Logf("%-12s %8d cycles of %d, %8d warp instructions, %8d machine instructions", l.name, r.Busy(), r.Cycles(), b.counts[0], r.SM.Warp)
	}
	for threads := range 3 {
		for i, o := range launchAll(t, "again", threads+1) {
			if r := &timed[i].report; o.report.Totals != r.Totals || o.report.Launched != r.Launched || o.report.Start != r.Start || o.report.End != r.End {
				t.Errorf("%s, %d threads: %d cycles, %d before", o.report.Name, threads+1, o.report.Cycles(), timed[i].report.Cycles())
			}
		}
	}
}

// A grid that passed its limit leaves a device that refuses further ones, and
// does not fail otherwise.
func TestAfterALimitTheDeviceStandsStill(t *testing.T) {
	x := &clocked{config: &chip.Config{}}
	if _, err := models.Read("", x.config); err != nil {
		t.Fatal(err)
	}
	x.bed = newBedOf(t, gpu.Config{Timing: x.config, MaxCycles: 100})
	k, err := x.module.Kernel("gemm_tiled")
	if err != nil {
		t.Fatal(err)
	}
	var first error
	for range 2 {
		g, err := x.device.Start(gpu.Launch{Kernel: k, Grid: [3]uint32{4, 4, 1}, Block: [3]uint32{16, 16, 1}, Params: make([]byte, k.ParamBytes)})
		if err != nil {
			t.Fatal(err)
		}
		done := false
		for !done {
			done, err = g.Advance(1 << 20)
		}
		var fault *exec.Fault
		if !errors.As(err, &fault) || fault.Kind != isa.LimitReached {
			t.Fatalf("got %v, want a passed limit", err)
		}
		if first != nil && err != first {
			t.Errorf("a later grid ends with %v", err)
		}
		first = err
	}
}

// processorTime is what the process has used so far.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkTiming reports how fast the model simulates: thousands of warp instructions a second of
// processor time with one thread, and how many times as many a second with two, on a machine that has
// nothing else to do.
func BenchmarkTiming(b *testing.B) {
	for _, l := range []timed{
		{"gemm_tiled", [3]uint32{8, 8, 1}, [3]uint32{16, 16, 1}, 128},
		{"gemm_naive", [3]uint32{4, 16, 1}, [3]uint32{32, 8, 1}, 128},
		{"stencil", [3]uint32{16, 64, 1}, [3]uint32{32, 8, 1}, 512},
		{"bfs", [3]uint32{256, 1, 1}, [3]uint32{256, 1, 1}, 1 << 16},
	} {
		b.Run(l.name, func(b *testing.B) {
			one, two := newClocked(b, 1), newClocked(b, 2)
			used, alone, both, warps := time.Hour, time.Hour, time.Hour, uint64(0)
			for b.Loop() { // in turn, so that a busy machine disturbs both alike
				start := processorTime(b)
				var elapsed time.Duration
				warps, elapsed = one.time(b, l)
				used, alone = min(used, processorTime(b)-start), min(alone, elapsed)
				_, elapsed = two.time(b, l)
				both = min(both, elapsed)
			}
			r := one.reports[len(one.reports)-1]
			b.ReportMetric(float64(warps)/used.Seconds()/1e3, "kwarp-inst/s")
			b.ReportMetric(alone.Seconds()/both.Seconds(), "x-on-two-threads")
			b.ReportMetric(float64(r.Busy()), "cycles")
			b.ReportMetric(float64(r.SM.Warp)/float64(warps), "issued/inst")
		})
	}
}

// time runs a kernel and says how many warp instructions it executed, and how long it took.
func (x *clocked) time(b *testing.B, l timed) (warps uint64, elapsed time.Duration) {
	b.Helper()
	k, err := x.module.Kernel(l.name)
	if err != nil {
		b.Fatal(err)
	}
	start := time.Now()
	warps, _ = x.run(b, k, l)
	return warps, time.Since(start)
}
