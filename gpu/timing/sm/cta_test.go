package sm

import (
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

func TestOccupancy(t *testing.T) {
	c := defaults(t)
	for _, k := range []struct {
		cta  CTA
		want int
		by   string
	}{
		{CTA{Warps: 1, Registers: 16}, 32, "CTAs"},
		{CTA{Warps: 8, Registers: 32}, 8, "warps"},
		{CTA{Warps: 8, Registers: 33}, 6, "registers: 40 each"},
		{CTA{Warps: 8, Registers: 128}, 2, "registers"},
		{CTA{Warps: 32, Registers: 64}, 1, "registers"},
		{CTA{Warps: 8, Registers: 255}, 1, "registers"},
		{CTA{Warps: 2, Registers: 32, Shared: 48 << 10}, 4, "shared memory"},
		{CTA{Warps: 2, Registers: 32, Shared: 227 << 10}, 1, "shared memory"},
		{CTA{Warps: 2, Registers: 32, Shared: 228 << 10}, 0, "shared memory"},
		{CTA{Warps: 3, Registers: 32}, 21, "warps"},
		{CTA{Warps: 65, Registers: 32}, 0, "warps"},
	} {
		if got := c.Occupancy(&k.cta); got != k.want {
			t.Errorf("%+v: %d CTAs, want %d by %s", k.cta, got, k.want, k.by)
		}
	}
}

func TestWarpsSpreadOverSubCores(t *testing.T) {
	tr := &trace{lines: parse(t, defaults(t), "nop ; 1"), start: make([]int32, 8), pc: make([]int32, 8),
		state: make([]State, 8), atBar: make([]bool, 8), issues: make([][]kit.Cycle, 8)}
	mem := NewIdealMemory()
	m, err := New(defaults(t), Parts{Stepper: tr, Memory: mem, Observer: tr})
	if err != nil {
		t.Fatal(err)
	}
	mem.Attach(m)
	code := NewCode(0, 0, []Inst{tr.lines[0].Inst, tr.lines[1].Inst})
	for i := range int32(8) {
		m.Launch(0, CTA{ID: i, First: i, Warps: 1, Registers: 32, Code: code})
	}
	for i := range m.subs {
		if n := m.used.subWarps[i]; n != 2 {
			t.Errorf("sub-core %d has %d warps, want 2", i, n)
		}
	}
	var ended []End
	for now := kit.Cycle(0); m.Resident() > 0 && now < 1000; now++ {
		m.Tick(now)
		ended = append(ended, m.Ended()...)
	}
	if len(ended) != 8 || m.used != (Occupied{}) {
		t.Errorf("ended %v, in use %+v", ended, m.used)
	}
	if !m.used.Fits(&m.cfg, &CTA{Warps: 64, Registers: 32}) {
		t.Error("an empty SM has no room")
	}
}

func TestBarrierHoldsAllUntilTheLast(t *testing.T) {
	early, late := "bar\n nop ; 1", repeat("nop ; 10", 10)+"bar\n nop ; 1"
	g := build(t, one(t), early, late).run(t)
	arrived := g.issues[1][10]
	for w, n := range []int{1, 11} {
		if got := int(g.issues[w][n] - arrived); got < g.cfg.Limits.Release || got > g.cfg.Limits.Release+2 {
			t.Errorf("warp %d went on %d cycles after the last arrival, want %d", w, got, g.cfg.Limits.Release)
		}
	}
	if s := g.sm.stats; s.Slots[WaitBarrier] == 0 && s.Slots[WaitStall] == 0 {
		t.Error("no slot was lost to the barrier")
	}
}

func TestBarrierTakesOneArrivalInTwoCycles(t *testing.T) {
	text := "bar ; 1\n nop ; 1"
	g := build(t, defaults(t), text, text, text, text).run(t)
	last := g.issues[3][0]
	if got := int(g.issues[3][1] - last); got != g.cfg.Limits.Release+3*g.cfg.Limits.Admission {
		t.Errorf("four at once went on after %d cycles, want the release and three admissions", got)
	}
}

func TestArrivalWithoutWaitGoesOn(t *testing.T) {
	g := build(t, one(t), "arrive ; 1\n nop ; 1", "bar ; 1\n nop ; 1").run(t)
	if got := g.gap(0, 1); got > 3 {
		t.Errorf("the arriving warp went on after %d cycles", got)
	}
}

func TestExitOfOthersCompletesABarrier(t *testing.T) {
	g := build(t, one(t), "bar\n nop ; 1", repeat("nop ; 10", 5)).run(t)
	if got := len(g.issues[0]); got != 3 {
		t.Errorf("the warp at the barrier issued %d instructions, want 3", got)
	}
}

func TestCTAEndsWithItsLastStore(t *testing.T) {
	g := build(t, one(t), "stg R2, R4 ; 1").run(t)
	if got := int(g.now - g.issues[0][0]); got < 32 {
		t.Errorf("the CTA ended %d cycles after its store", got)
	}
}

func TestSharedDoublePrecision(t *testing.T) {
	text := repeat("dfma R2:2, R4:2, R6:2, R9:2 ; 1", 30)
	own := build(t, defaults(t), text, text, text, text).run(t)
	c := defaults(t)
	c.Units.DoubleShared, c.Units.DoubleInterval = true, 16
	shared := build(t, c, text, text, text, text).run(t)
	if got := own.gap(20, 24); got != 12 { // three reads of each bank
		t.Errorf("own pipe: 4 in %d cycles, want 12", got)
	}
	if got := shared.gap(20, 24); got != 4*4*16 {
		t.Errorf("one pipe for four sub-cores: 4 in %d cycles, want %d", got, 4*4*16)
	}
}

func TestPipesTakeOneInstructionAnInterval(t *testing.T) {
	for inst, want := range map[string]int{
		"iadd R1, R2, R3 ; 1": 2, "mufu R1, R2 ; 1": 8, "imad R1, R2, R3 ; 1": 2, "fadd R1, R2, R3 ; 1": 1,
		"hadd R1, R2, R3 ; 1": 1, "hmma R8:4, R12:4, R16:2, R20:4 ; 1": 8, "uiadd UR1, UR2 ; 1": 2,
	} {
		g := build(t, one(t), repeat(inst, 40)).run(t)
		if got := g.gap(20, 30); got != 10*want {
			t.Errorf("%s: ten take %d cycles, want %d", inst, got, 10*want)
		}
	}
}

func TestSinglePrecisionMayUseTheIntegerPipe(t *testing.T) {
	c := one(t)
	c.Units.FloatInterval = 2
	text := repeat("fadd R1, R2, R3 ; 1", 40)
	alone := build(t, c, text).run(t).gap(20, 30)
	c.Units.FloatInInt = true
	both := build(t, c, text).run(t).gap(20, 30)
	if alone != 20 || both != 10 {
		t.Errorf("ten take %d cycles in one pipe and %d in two, want 20 and 10", alone, both)
	}
}

func TestIntegerProductsTakeOnePartOfSinglePrecision(t *testing.T) {
	c := one(t)
	c.Units.FloatParts, c.Units.HalfOther = true, 2
	for text, want := range map[string]int{
		repeat("fadd R1, R2, R3 ; 1", 40):                       10,
		repeat("imad R1, R2, R3 ; 1", 40):                       20,
		repeat("imad R1, R2, R3 ; 1\n fadd R5, R6, R7 ; 1", 20): 10,
	} {
		if got := build(t, c, text).run(t).gap(20, 30); got != want {
			t.Errorf("ten of %.40q take %d cycles, want %d", text, got, want)
		}
	}
	if x := c.Other(); x.Pipe != PipeHeavy || x.Interval != 2 || x.Issue != 2 {
		t.Errorf("HFMA2.MMA is %+v", x)
	}
}

func TestMatrixLatencyByShape(t *testing.T) {
	c := defaults(t)
	for _, k := range []struct {
		m, n, k, bits     int
		sparse, single    bool
		interval, latency int
	}{
		{16, 8, 16, 16, false, false, 8, 16}, {16, 8, 16, 16, false, true, 8, 32}, {16, 8, 8, 16, false, true, 4, 24},
		{16, 8, 32, 8, false, false, 8, 16}, {16, 8, 32, 16, true, false, 8, 16}, {8, 8, 4, 16, false, false, 2, 4},
	} {
		got := c.Matrix(k.m, k.n, k.k, k.bits, k.sparse, k.single)
		if int(got.Interval) != k.interval || int(got.Latency) != k.latency {
			t.Errorf("m%dn%dk%d of %d bits: interval %d, latency %d; want %d, %d", k.m, k.n, k.k, k.bits, got.Interval, got.Latency, k.interval, k.latency)
		}
	}
}

// What an H200 measures, wgmma.each and wgmma.wait: cycles from one product into the same registers to
// the next, and of one with its wait.
func TestWarpgroupProductsTakeWhatAnH200Measures(t *testing.T) {
	c := defaults(t)
	for n, want := range map[int][2]int{8: {18, 89}, 16: {20, 89}, 32: {24, 89}, 64: {32, 95}, 128: {64, 127}, 256: {128, 191}} {
		for name, depth := range map[string]isa.Matrix{"f16": {K: 16, Bits: 16}, "tf32": {K: 8, Bits: 32}, "e4m3": {K: 32, Bits: 8}, "b1": {K: 256, Bits: 1}} {
			x := depth
			x.M, x.N, x.Group, x.Shared = 16, n, true, true
			got := c.Product(x)
			if int(got.Interval) != want[0] || int(got.Latency) != want[1]-around {
				t.Errorf("m64n%d of %s: interval %d, latency %d; want %d, %d", n, name, got.Interval, got.Latency, want[0], want[1]-around)
			}
		}
	}
	if got := c.Product(isa.Matrix{M: 16, N: 32, K: 16, Bits: 16, Group: true}); got.Interval != 16 {
		t.Errorf("with the left factor in registers m64n32k16 takes %d cycles, want 16", got.Interval)
	}
}

// around is what wgmma.wait measures beside the product: the fence, the wait and the clock.
const around = 1

func TestUnitsHaveTimings(t *testing.T) {
	c := defaults(t)
	for u := isa.ALU; u <= isa.Uniform; u++ {
		if got := c.Timing(u, isa.Fixed, isa.F32); got.Pipe == PipeNone || got.Interval == 0 {
			t.Errorf("unit %d has timing %+v", u, got)
		}
	}
}

func TestResultsThatCompleteTogetherDoNotDelayDependents(t *testing.T) {
	// Half precision takes a cycle longer: both complete at the same time.
	g := build(t, one(t), "hadd R2, R4, R5\n fadd R6, R8, R9\n fadd R10, R6, R2").run(t)
	if got := g.gap(1, 2); got != 4 {
		t.Errorf("the consumer of both issued %d cycles after the second, want 4", got)
	}
}

func TestParametersOutOfRangeAreNamed(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"sub-cores": func(c *Config) { c.Limits.SubCores = 0 },
		"warps":     func(c *Config) { c.Limits.Warps = 63 },
		"line":      func(c *Config) { c.Front.Line = 100 },
		"ports":     func(c *Config) { c.Register.Ports = 9 },
		"consumers": func(c *Config) { c.Issue.Consumers = 0 },
	} {
		c := defaults(t)
		change(c)
		if _, err := New(c, Parts{}); err == nil {
			t.Errorf("%s out of range were accepted", name)
		}
	}
}
