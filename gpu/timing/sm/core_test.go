package sm

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// one is the default configuration with a single sub-core.
func one(t testing.TB) *Config {
	c := defaults(t)
	c.Limits.SubCores, c.Limits.Warps = 1, 16
	return c
}

func TestIndependentInstructionsIssueBackToBack(t *testing.T) {
	g := build(t, one(t), repeat("fmul R0, R1, R2 ; 1", 32)).run(t)
	for i, at := range g.since(0) {
		if at != i {
			t.Fatalf("instruction %d issued %d cycles after the first: %v", i, at, g.since(0))
		}
	}
}

func TestBufferOfTwoBreaksGreedyIssue(t *testing.T) {
	c := one(t)
	c.Front.Buffer = 2
	g := build(t, c, repeat("nop ; 1", 32)).run(t)
	if g.gap(0, 31) == 31 {
		t.Error("a buffer of two entries kept up")
	}
}

func TestRegisterPortsOfTwoMultiplyAdds(t *testing.T) {
	for _, c := range []struct {
		sources string
		want    int
	}{
		{"R16, R17, R19", 5}, {"R16, R18, R19", 6}, {"R16, R19, R18", 6}, {"R16, R18, R20", 7},
	} {
		g := build(t, one(t), "clock R30 ; 1\n nop ; 1\n ffma R1, R10, R12, R14 ; 1\n ffma R2, "+c.sources+" ; 1\n nop ; 1\n clock R31 ; 1").run(t)
		if got := int(g.issues[0][5] - g.issues[0][0]); got != c.want {
			t.Errorf("second reads %s: %d cycles, want %d", c.sources, got, c.want)
		}
	}
}

func TestSteadyRateIsTheMostReadsOfOneBank(t *testing.T) {
	for _, c := range []struct {
		inst string
		want int
	}{
		{"fmul R1, R2, R3 ; 1", 1}, {"fmul R1, R2, R4 ; 1", 2}, {"ffma R1, R2, R3, R4 ; 1", 2},
		{"ffma R1, R2, R4, R6 ; 1", 3}, {"ffma R1, R3, R5, R7 ; 1", 3},
	} {
		g := build(t, one(t), repeat(c.inst, 40)).run(t)
		if got := g.gap(20, 36); got != 16*c.want {
			t.Errorf("%s: 16 take %d cycles, want %d", c.inst, got, 16*c.want)
		}
	}
}

func TestIdealPortsAndTwoPortsHaveNoBubbles(t *testing.T) {
	for name, change := range map[string]func(*RegisterFile){
		"ideal": func(r *RegisterFile) { r.Ideal = true },
		"two":   func(r *RegisterFile) { r.Ports = 2 },
	} {
		c := one(t)
		change(&c.Register)
		g := build(t, c, repeat("ffma R1, R2, R4, R5 ; 1", 40)).run(t)
		if got := g.gap(20, 36); got != 16 {
			t.Errorf("%s: 16 take %d cycles", name, got)
		}
	}
}

func TestReuseCacheExamples(t *testing.T) {
	for _, c := range []struct {
		name, a, b, c string
		hits          uint64
	}{
		{"hit, then gone", "R2.reuse, R3, R5", "R2, R7, R9", "R2, R11, R13", 1},
		{"renewed by the second", "R2.reuse, R3, R5", "R2.reuse, R7, R9", "R2, R11, R13", 2},
		{"another slot misses, another bank spares", "R2.reuse, R3, R5", "R7, R2, R9", "R2, R11, R13", 1},
		{"another register of the bank ends it", "R2.reuse, R3, R5", "R4, R7, R9", "R2, R11, R13", 0},
	} {
		text := "ffma R20, " + c.a + " ; 1\n ffma R21, " + c.b + " ; 1\n ffma R22, " + c.c + " ; 1"
		g := build(t, one(t), text).run(t)
		if got := g.sm.stats.Registers.ReuseHits; got != c.hits {
			t.Errorf("%s: %d hits, want %d", c.name, got, c.hits)
		}
		off := one(t)
		off.Register.Reuse = false
		if g := build(t, off, text).run(t); g.sm.stats.Registers.ReuseHits != 0 {
			t.Errorf("%s: hits without a reuse cache", c.name)
		}
	}
}

func TestReuseIsForTheSameWarp(t *testing.T) {
	text := "ffma R20, R2.reuse, R3, R5 ; 1 y\n ffma R21, R2, R3, R5 ; 2 y"
	g := together(t, one(t), text, text).run(t)
	if got := g.sm.stats.Registers.ReuseHits; got != 0 {
		t.Errorf("%d hits between two warps in turn", got)
	}
}

func TestReuseSavesThePort(t *testing.T) {
	with := build(t, one(t), repeat("ffma R1, R2.reuse, R4, R5 ; 1", 40)).run(t)
	without := build(t, one(t), repeat("ffma R1, R2, R4, R5 ; 1", 40)).run(t)
	if a, b := with.gap(20, 36), without.gap(20, 36); a != 16 || b != 32 {
		t.Errorf("16 take %d cycles with reuse and %d without, want 16 and 32", a, b)
	}
}

func TestStallCounter(t *testing.T) {
	for stall, want := range map[string]int{"0": 1, "1": 1, "2": 2, "4": 4, "11": 11, "12 y": 12, "15 y": 15, "1 y": 2, "2 y": 2, "4 y": 4} {
		g := build(t, one(t), "nop ; "+stall+"\n nop ; 1").run(t)
		if got := g.gap(0, 1); got != want {
			t.Errorf("stall %s: next after %d cycles, want %d", stall, got, want)
		}
	}
}

func TestStallCounterOddCases(t *testing.T) {
	for _, stall := range []string{"12", "13", "15"} {
		if got := build(t, one(t), "nop ; "+stall+"\n nop ; 1").run(t).gap(0, 1); got != 2 {
			t.Errorf("stall %s without yield: next after %d cycles, want 2", stall, got)
		}
	}
	if got := build(t, one(t), "nop ; 0 y\n nop ; 1").run(t).gap(0, 1); got != 45 {
		t.Errorf("stall 0 with yield: next after %d cycles, want 45", got)
	}
}

func TestElapsedOfDependentAddByStall(t *testing.T) {
	for stall, want := range map[string]int{"1": 5, "4": 8} {
		c := one(t)
		c.Issue.Check = true
		g := build(t, c, "clock R30 ; 1\n nop ; 1\n fadd R1, R2, R3 ; "+stall+"\n ffma R4, R1, R5, R6 ; 1\n nop ; 1\n clock R31 ; 1").run(t)
		if got := int(g.clocks[0][1] - g.clocks[0][0]); got != want {
			t.Errorf("stall %s: %d cycles elapsed, want %d", stall, got, want)
		}
		if wrong := g.sm.stats.Early > 0; wrong != (stall == "1") {
			t.Errorf("stall %s: a stale value is read: %v", stall, wrong)
		}
	}
}

func TestCounterIncrementIsSeenACycleLate(t *testing.T) {
	for stall, want := range map[string]int{"1": 1, "2": 32, "1 y": 32} {
		g := build(t, one(t), "ldg R1, R2 ; "+stall+" w3\n fadd R3, R1, R4 ; 1 &3").run(t)
		if got := g.gap(0, 1); got != want {
			t.Errorf("stall %s: consumer after %d cycles, want %d", stall, got, want)
		}
	}
}

func TestWaitMaskWaitsForAllProducersOfACounter(t *testing.T) {
	g := build(t, one(t), "ldg R1, R2 ; 1 w0\n lds R3, R4 ; 2 w0\n fadd R5, R3, R1 ; 1 &0").run(t)
	if got := g.gap(0, 2); got != 32 {
		t.Errorf("consumer of both after %d cycles, want 32", got)
	}
}

func TestDepbarNeedsAStallOfFour(t *testing.T) {
	for stall, want := range map[string]int{"1": 1, "3": 3, "4": 30} {
		g := build(t, one(t), "ldg R1, R2 ; 2 w0\n depbar 0 0 ; "+stall+"\n fadd R5, R1, R1 ; 1").run(t)
		if got := g.gap(1, 2); got != want {
			t.Errorf("stall %s: next after %d cycles, want %d", stall, got, want)
		}
	}
}

func TestDepbarLeavesSomeOutstanding(t *testing.T) {
	// Loads return at 32, 36, 40 after the first issue: one each address
	// calculation.
	for n, want := range map[string]int{"2": 32, "1": 36, "0": 40} {
		text := "ldg R1, R2 ; 1 w0\n ldg R3, R2 ; 1 w0\n ldg R5, R2 ; 2 w0\n depbar 0 " + n + " ; 4\n nop ; 1"
		g := build(t, one(t), text).run(t)
		if got := g.gap(0, 4); got != want {
			t.Errorf("depbar SB0 <= %s: next %d cycles after the first load, want %d", n, got, want)
		}
	}
	text := "lds R1, R2 ; 1 w0\n ldg R3, R2 ; 2 w1\n depbar 0 0 &1 ; 4\n nop ; 1"
	if got := build(t, one(t), text).run(t).gap(1, 3); got != 33 {
		t.Errorf("depbar with SB1 listed: next %d cycles after its load, want 33", got)
	}
}

func TestDepbarMayHoldItself(t *testing.T) {
	c := one(t)
	c.Issue.DepbarDelay = 0
	if got := build(t, c, "ldg R1, R2 ; 2 w0\n depbar 0 0 ; 1\n nop ; 1").run(t).gap(0, 1); got != 32 {
		t.Errorf("depbar issued %d cycles after the load, want 32", got)
	}
}

func TestWorkedExampleOfTwoCounters(t *testing.T) {
	text := `ldg R1, R10 ; 1 w3
		ldg R2, R12 ; 1 w3 r0
		ldg R3, R14 ; 2 w4 r0
		iadd R20, R21, R22 ; 1
		depbar 0 1 ; 4
		iadd R12, R23, R24 ; 1
		fadd R25, R1, R2 ; 1 &0 &3
		exit ; 1`
	g := build(t, one(t), text).run(t)
	at := g.since(0)
	if at[3] != 4 {
		t.Errorf("the independent add issued at %d, want 4", at[3])
	}
	if at[5] != 15 { // the second load's sources are read at 11 + 4
		t.Errorf("the writer of the second address issued at %d, want 15", at[5])
	}
	if at[6] != 36 {
		t.Errorf("the consumer of both loads issued at %d, want 36", at[6])
	}
}

func TestCGGTYWithoutControlBits(t *testing.T) {
	// The last line of code is cold, and comes before the second warp needs it.
	c := one(t)
	c.Front.Link, c.Front.Stream = 8, 0
	text := repeat("nop ; 1", 30)
	g := together(t, c, text, text, text, text)
	cache := &g.sm.subs[0].front.l0
	cache.clear()
	for i := range uint64(3) {
		cache.fill(g.code.Base/128 + i)
	}
	g.run(t).after()
	if got, want := g.runs(), "W3*23 W2*31 W3*8 W1*31 W0*31"; got != want {
		t.Errorf("issued %s, want %s", got, want)
	}
}

func TestCGGTYWithStalls(t *testing.T) {
	text := repeat("nop ; 1\n nop ; 4", 15) + "nop ; 1"
	g := together(t, one(t), text, text, text, text).run(t).after()
	if got, want := g.runs(), "W3*2 W2*2 W1*2 W3*2 W2*2 W1*2 W3*2"; !strings.HasPrefix(got, want) {
		t.Errorf("issued %s, want %s", got, want)
	}
	at := g.since(0)
	if n := len(at); at[n-3]-at[n-4] != 1 || at[n-2]-at[n-3] != 4 {
		t.Errorf("the last warp alone issued at %v, want four cycles after each second", at)
	}
}

func TestCGGTYWithYields(t *testing.T) {
	text := repeat("nop ; 1\n nop ; 1 y", 15) + "nop ; 1"
	g := together(t, one(t), text, text, text, text).run(t).after()
	if got, want := g.runs(), "W3*2 W2*2 W3*2 W2*2 W3*2"; !strings.HasPrefix(got, want) {
		t.Errorf("issued %s, want %s", got, want)
	}
	alone := build(t, one(t), text).run(t).since(0)
	for i := 2; i < 30; i += 2 {
		if alone[i]-alone[i-1] != 2 || alone[i+1]-alone[i] != 1 {
			t.Errorf("a warp alone issued at %v, want one bubble after each yield", alone)
		}
	}
}

func TestConstantMissSwitchesAfterFourCycles(t *testing.T) {
	miss := "ffma R1, R2, c[4096], R3 ; 1\n" + repeat("nop ; 1", 5)
	g := together(t, one(t), repeat("nop ; 1", 40), miss)
	g.sm.level1.tags.fill((1<<40 + 4096) / 128)
	g.run(t).after()
	start := g.issues[0][0] - 4
	if got := g.issues[1][0] - start; got != 79 {
		t.Errorf("the operand came %d cycles after a miss that held back others for 4, want 79", got)
	}
	if got := g.sm.stats.Slots[WaitConst]; got < 4 {
		t.Errorf("%d slots were lost to the miss, want at least 4", got)
	}
	hit := build(t, one(t), "ffma R1, R2, c[0], R3 ; 1\n nop ; 1").run(t)
	if hit.gap(0, 1) != 1 || hit.sm.stats.Front.FLHits != 1 {
		t.Error("a constant operand that hits costs time")
	}
}

func TestConstantMissOfTheOnlyWarpCostsTheMiss(t *testing.T) {
	g := build(t, one(t), "nop ; 1\n ffma R1, R2, c[4096], R3 ; 1")
	g.sm.level1.tags.fill((1<<40 + 4096) / 128)
	if got := g.run(t).gap(0, 1); got != 80 {
		t.Errorf("issued %d cycles after the one before, want 1 + 79", got)
	}
}

func TestPoliciesOrderWarps(t *testing.T) {
	text := repeat("nop ; 1", 3)
	for policy, want := range map[string]string{
		"cggty":            "W3*4 W2*4 W1*4 W0*4",
		"gto":              "W0*4 W1*4 W2*4 W3*4",
		"lrr":              "W0*1 W1*1 W2*1 W3*1 W0*1 W1*1 W2*1 W3*1",
		"two_level_active": "W0*1 W1*1 W0*1 W1*1 W0*1 W1*1 W0*1 W1*1 W2*1 W3*1",
	} {
		c := one(t)
		c.Issue.Policy, c.Issue.Active = policy, 2
		g := together(t, c, text, text, text, text).run(t).after()
		if got := g.runs(); !strings.HasPrefix(got, want) {
			t.Errorf("%s issued %s, want %s", policy, got, want)
		}
	}
	if names := Policies(); !slices.Contains(names, "lrr") || len(names) < 4 {
		t.Errorf("policies are %v", names)
	}
	c := one(t)
	c.Issue.Policy = "none"
	if _, err := New(c, Parts{}); err == nil {
		t.Error("an unknown policy was accepted")
	}
}

func TestEveryStatisticIsDescribed(t *testing.T) {
	var look func(reflect.Type)
	seen := map[string]bool{}
	look = func(ty reflect.Type) {
		for i := range ty.NumField() {
			f := ty.Field(i)
			if f.Type.Kind() == reflect.Struct {
				look(f.Type)
				continue
			}
			name := f.Tag.Get("stat")
			if name == "" || f.Tag.Get("unit") == "" || f.Tag.Get("doc") == "" || seen[name] {
				t.Errorf("%s.%s lacks a tag, or its name is taken", ty.Name(), f.Name)
			}
			seen[name] = true
		}
	}
	look(reflect.TypeFor[Stats]())
}
