package gpu_test

import (
	"testing"

	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/mem"
	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
)

const rates = "clock.core 1000000\ncopy.to_device 2000\ncopy.to_host 4000\ncopy.within 16000\ncopy.unpinned 1000\ncopy.latency 500\ncopy.within_latency 500\n"

// cycles is how long the copies take, which begin at once, when they are advanced in
// turns; a cycle is a nanosecond.
func cycles(t *testing.T, lines string, copies ...chip.Way) (ends []int64) {
	t.Helper()
	var now int64
	c := gpu.Config{Memory: mem.Config{DeviceBytes: 1 << 28}, SMs: 4, ThreadsPerSM: 2048, Timing: timing(t, rates+lines)}
	d, err := gpu.New(c)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	const bytes = 8000
	var list []*gpu.Transfer
	for _, way := range copies {
		list = append(list, d.Transfer(way, bytes))
	}
	ends = make([]int64, len(list))
	for open := len(list); open > 0; {
		for i, x := range list {
			if x == nil {
				continue
			}
			done, err := x.Advance(1)
			if err != nil {
				t.Fatal(err)
			}
			if now = int64(d.Now()); done {
				ends[i], list[i] = now, nil
				open--
			}
		}
	}
	return ends
}

func TestCopiesTakeLatencyAndBytes(t *testing.T) {
	for way, want := range map[chip.Way]int64{chip.ToDevice: 4500, chip.ToHost: 2500, chip.Within: 1000, chip.Unpinned: 8500} {
		if got := cycles(t, "", way); got[0] != want {
			t.Errorf("way %d: %d cycles, want %d", way, got[0], want)
		}
	}
	if got := cycles(t, "copy.within_latency 900\ncopy.latency 600", chip.Within, chip.ToHost); got[0] != 1400 || got[1] != 2600 {
		t.Errorf("with more latency %d cycles", got[0])
	}
}

func TestCopiesOfOneWayFollowOneAnotherOthersOverlap(t *testing.T) {
	got := cycles(t, "", chip.ToDevice, chip.ToDevice, chip.ToHost, chip.Within)
	for i, want := range []int64{4500, 9000, 2500, 1000} {
		if got[i] != want {
			t.Errorf("copy %d ends at %d, want %d", i, got[i], want)
		}
	}
}

func TestACopyEndsWhileAKernelRuns(t *testing.T) {
	var reported *chip.Report
	c := gpu.Config{Timing: timing(t, rates+"launch.latency 1000"), Report: func(r *chip.Report) { reported = r }}
	ended := int64(-1)
	beside = func(d *gpu.Device) func() {
		x := d.Transfer(chip.ToHost, 8000)
		return func() {
			if done, _ := x.Advance(1); done && ended < 0 {
				ended = int64(d.Now())
			}
		}
	}
	defer func() { beside = nil }()
	if err := attempt(t, c, "sums", sums, gpu.Launch{Grid: [3]uint32{4096, 1, 1}, Block: [3]uint32{64, 1, 1}}); err != nil {
		t.Fatal(err)
	}
	const quantum = 100
	if ended < 2500 || ended > 2500+quantum || int64(reported.End) < 2*ended {
		t.Errorf("the copy ended at %d, the kernel at %d", ended, reported.End)
	}
}
