package sm

import (
	"math/rand/v2"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

// stressSeeds is the number of random configurations and programs tried.
const stressSeeds = 60

// randomConfig varies what may change the order of things.
func randomConfig(t *testing.T, rng *rand.Rand) *Config {
	c := defaults(t)
	pick := func(n ...int) int { return n[rng.IntN(len(n))] }
	c.Limits.SubCores = pick(1, 2, 4)
	c.Limits.Warps = c.Limits.SubCores * pick(2, 8, 16)
	c.Limits.CTAs = pick(1, 3, 32)
	c.Front.Buffer = pick(1, 2, 3, 6)
	c.Front.Stream = pick(0, 1, 8)
	c.Front.L0Sets, c.Front.L0Ways = pick(1, 8), pick(1, 4)
	c.Front.L1Sets, c.Front.L1Ways = pick(1, 64), pick(2, 16)
	c.Front.Redirect = pick(1, 9)
	c.Issue.Policy = Policies()[rng.IntN(len(Policies()))]
	c.Issue.Active = pick(1, 2, 6)
	c.Issue.DepbarDelay = pick(0, 4)
	c.Issue.Consumers = pick(1, 2, 63)
	c.Issue.CountFixed = rng.IntN(2) == 0
	c.Issue.Check = rng.IntN(2) == 0
	c.Register.Ports, c.Register.Window = pick(1, 2), pick(1, 3)
	c.Register.Ideal, c.Register.Reuse = rng.IntN(4) == 0, rng.IntN(2) == 0
	c.Register.Results = pick(1, 8)
	c.Constant.FLSets, c.Constant.FLWays = pick(1, 4), pick(1, 2)
	c.Constant.Patient = pick(0, 4)
	c.Local.Queue, c.Local.Accept = pick(1, 5), pick(1, 2)
	c.Units.DoubleShared, c.Units.FloatInInt = rng.IntN(2) == 0, rng.IntN(2) == 0
	return c
}

// flow sends CTAs of one or more warps through an SM as they fit.
type flow struct {
	*rig
	left int // CTAs to launch
}

func newFlow(t *testing.T, rng *rand.Rand, c *Config, ctas, warps int) *flow {
	text := "dfma R2:2, R4:2, R6:2, R8:2\n" + mixed(rng, 30, false) + mixed(rng, 30, true) + "bra 3 x2\n shfl R2, R3\n"
	tr := &trace{lines: parse(t, c, text)}
	n := ctas * warps
	tr.start, tr.pc, tr.state, tr.taken = make([]int32, n), make([]int32, n), make([]State, n), make([]map[int32]int, n)
	tr.atBar, tr.issues, tr.clocks = make([]bool, n), make([][]kit.Cycle, n), make([][]kit.Cycle, n)
	mem := NewIdealMemory()
	m, err := New(c, Parts{Stepper: tr, Memory: mem, Observer: tr})
	if err != nil {
		t.Fatal(err)
	}
	mem.Attach(m)
	var insts []Inst
	for i := range tr.lines {
		insts = append(insts, tr.lines[i].Inst)
	}
	return &flow{rig: &rig{trace: tr, sm: m, cfg: c, code: NewCode(1<<20, 1<<40, insts)}, left: ctas}
}

func TestManyCTAsLeaveNothingBehind(t *testing.T) {
	for seed := range uint64(stressSeeds) {
		rng := rand.New(rand.NewPCG(seed, 9))
		c := randomConfig(t, rng)
		const ctas = 30
		warps := 1 + rng.IntN(c.Limits.SubCores*2)
		f := newFlow(t, rng, c, ctas, warps)
		ended := 0
		for ended < ctas {
			for f.left > 0 && f.sm.Launch(f.now, CTA{ID: int32(ctas - f.left), First: int32((ctas - f.left) * warps), Warps: warps, Registers: 32, Code: f.code}) {
				f.left--
			}
			f.now = f.sm.Tick(f.now)
			n := len(f.sm.Ended())
			ended += n
			if ended < ctas && n == 0 && f.now > 1e6 {
				t.Fatalf("seed %d: %d of %d CTAs ended by cycle %d; waiting: %v\n%+v", seed, ended, ctas, f.now, f.sm.Waits(), *c)
			}
			if f.now == kit.Never {
				f.now = f.sm.now + kit.Cycle(1+rng.IntN(2000)) // idle for a while
			}
		}
		f.clean(t, seed)
	}
}

// clean checks that an SM without CTAs holds nothing.
func (f *flow) clean(t *testing.T, seed uint64) {
	m := f.sm
	s := m.Stats(m.now)
	if err := s.Check(f.cfg); err != nil {
		t.Errorf("seed %d: %v: %+v", seed, err, *s)
	}
	if err := s.Settle(); err != nil {
		t.Errorf("seed %d: %v", seed, err)
	}
	if m.requests.Used() != 0 || m.used != (Occupied{}) || m.arbiter.waiting != 0 {
		t.Errorf("seed %d: %d requests and %+v are in use", seed, m.requests.Used(), m.used)
	}
	for i := range m.warps {
		w := &m.warps[i]
		if w.busy != 0 || w.writes != (RegSet{}) || w.read != (RegSet{}) || w.outstanding != 0 || w.callbacks != 0 {
			t.Errorf("seed %d: warp slot %d waits for something: %+v", seed, i, *w)
		}
	}
	for i := range m.subs {
		if c := &m.subs[i].sched; c.live|c.have|c.held|c.view.Parked != 0 || m.subs[i].mem.credits != f.cfg.Local.Queue {
			t.Errorf("seed %d: sub-core %d is not empty", seed, i)
		}
	}
	for w := range f.issues {
		if n := len(f.issues[w]); n != len(f.issues[0]) {
			t.Errorf("seed %d: warp %d issued %d instructions, the first %d", seed, w, n, len(f.issues[0]))
		}
	}
}

func TestWaitsSayWhatAWarpWaitsFor(t *testing.T) {
	g := build(t, one(t), "ldg R2, R4\n fadd R6, R2, R2", "bar")
	for now := kit.Cycle(0); now < 12; now++ {
		g.sm.Tick(now)
	}
	waits := g.sm.Waits()
	if len(waits) != 2 || waits[0].Why != WaitMemory || waits[1].Why != WaitBarrier || waits[0].PC != 1 {
		t.Errorf("got %v, want memory at 1 and a barrier", waits)
	}
}

func TestInstructionMissesOfIdleWarpsCostFewTicks(t *testing.T) {
	g := build(t, one(t), repeat("ldg R2, R2", 20))
	ticks := 0
	for g.sm.Resident() > 0 {
		g.now = g.sm.Tick(g.now)
		ticks++
	}
	if ticks > 20*12 {
		t.Errorf("a chain of 20 loads took %d ticks in %d cycles", ticks, g.sm.now)
	}
}
