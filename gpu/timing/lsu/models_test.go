package lsu

import (
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/models"
	"github.com/lockstep-sim/lockstep/gpu/option"
	"github.com/lockstep-sim/lockstep/gpu/timing/memory"
	"github.com/lockstep-sim/lockstep/gpu/timing/sm"
)

// model is all that a model's file configures.
type model struct {
	GPU    models.GPU
	SM     sm.Config
	LSU    Config
	Memory memory.Config
}

func load(t testing.TB, name string) *model {
	t.Helper()
	files, err := models.Files(name)
	if err != nil {
		t.Fatal(err)
	}
	m := &model{}
	_, unread, err := option.ReadPart(m, files...)
	if err != nil {
		t.Fatal(err)
	}
	for _, option := range unread {
		chip := strings.HasPrefix(option, "launch.") || strings.HasPrefix(option, "copy.") // the package above
		if !chip {
			t.Errorf("%s: nothing reads %s", name, option)
		}
	}
	return m
}

// modelGPU is the memory side of a model with few SMs.
func modelGPU(t testing.TB, name string, sms int) *gpu {
	t.Helper()
	m := load(t, name)
	return newGPUOf(t, &m.Memory, &m.LSU, sms)
}

func TestModelsAgreeWithTheirDataSheets(t *testing.T) {
	for _, name := range models.Names() {
		m := load(t, name)
		s, d := &m.Memory.Slice, &m.Memory.DRAM
		l2 := float64(s.Channels * s.PerChannel * m.Memory.L2.Sets * m.Memory.L2.Ways * m.Memory.L2.Line)
		within(t, name+": L2", l2, float64(m.GPU.Memory.L2), 3)
		peak := float64(s.Channels*d.Atom) / float64(d.Timing.Burst) * float64(m.Memory.Clock.DRAM)
		within(t, name+": memory bandwidth", peak, float64(m.GPU.Memory.BusWidth)/8*2*float64(m.GPU.Memory.ClockRate), 1)
		if m.LSU.L1.Sets*m.LSU.L1.Ways*m.LSU.L1.Line != m.LSU.Data.Unified {
			t.Errorf("%s: l1's ways are not its %d bytes", name, m.LSU.Data.Unified)
		}
		if m.SM.Limits.Warps*32 != int(m.GPU.SM.Threads) || m.SM.Limits.Shared != int(m.GPU.SM.Shared) || m.SM.Limits.CTAs != int(m.GPU.SM.Blocks) {
			t.Errorf("%s: the timing model's limits %+v are not those that programs see", name, m.SM.Limits)
		}
		if _, err := memory.New(&m.Memory, int(m.GPU.SM.Count)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := New(&m.LSU, 0, nil, Answers{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestModelsHaveThePublishedLatencies(t *testing.T) {
	const core = 12 // from issue to Accept, and from Done to the consumer's issue
	for name, want := range map[string]struct{ l1, near, far, memory float64 }{
		// tests/accuracy on an H200 (42.2, 282.2, 658.7), less what its programs add on the model; far is as much
		// beyond near as atomics are there (fit.cu, place.atom: 489 against 295).
		"h200":      {29, 279, 473, 592},
		"h100":      {29, 258, 414, 556}, // Luo24, H800
		"a100":      {32, 208, 357, 475}, // Luo24
		"rtx2080ti": {32, 182, 182, 0},   // MICRO25
		"rtx2060":   {32, 194, 194, 0},   // AccelSim
		"rtx3070":   {32, 187, 187, 0},
		"a6000":     {32, 211, 211, 0},
		"rtx5070ti": {32, 301, 301, 0},
	} {
		g := modelGPU(t, name, 2)
		var near, far []uint64
		for a := uint64(0); len(near) < 50 || len(far) < 50 && want.far != want.near; a += 128 {
			g.system.Install(a, 128)
			if _, isNear := g.system.Slice(a, 0); isNear {
				near = append(near, a)
			} else {
				far = append(far, a)
			}
		}
		within(t, name+": L2 near", g.chase(t, 0, true, near)+core, want.near, 3)
		if len(far) > 0 {
			within(t, name+": L2 far", g.chase(t, 0, true, far)+core, want.far, 3)
		}
		g.chase(t, 0, false, near[:1])
		within(t, name+": L1", g.chase(t, 0, false, near[:1])+core, want.l1, 3)
		var rows []uint64 // some find their bank in refresh
		for a := uint64(1 << 33); want.memory > 0 && len(rows) < 64; a += 1<<20 + 128 {
			if _, isNear := g.system.Slice(a, 0); isNear {
				rows = append(rows, a)
			}
		}
		if len(rows) > 0 {
			within(t, name+": memory", g.chase(t, 0, true, rows)+core, want.memory, 3)
		}
	}
}

func TestH200ModelHasTheMeasuredBandwidth(t *testing.T) {
	if testing.Short() {
		t.Skip("a minute of simulated traffic")
	}
	m := load(t, "h200")
	sms := int(m.GPU.SM.Count)
	g := newGPUOf(t, &m.Memory, &m.LSU, sms)
	stream := func(n int, base uint64, lines int) float64 {
		cycles := g.flood(t, n, 96, func(sm, k int) *Op { return lineOp(Load, base+uint64((k*sms+sm)%lines)*128) })
		g.drain(t)
		return float64(n*sms*128) / float64(cycles)
	}
	ns := float64(m.Memory.Clock.Core) / 1e6
	// tests/accuracy on an H200 at 1,980 MHz: 4,468 GB/s by loads (micro.cu), and 4,160 bytes a cycle from L2 (fit.cu,
	// stream.read of 4 to 32 MiB).
	within(t, "memory, GB/s", stream(1000, 1<<34, 1<<30)*ns, 4468, 3)
	g.system.Install(0, 16384*128)
	within(t, "L2, bytes a cycle", stream(300, 0, 16384), 4160, 3)
	g.check(t)
}
