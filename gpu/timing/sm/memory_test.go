package sm

import (
	"fmt"
	"slices"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

func TestMemoryIssueLadder(t *testing.T) {
	period := []int{1: 4, 2: 4, 3: 6, 4: 8}
	for active := 1; active <= 4; active++ {
		text := "nop ; 15 y\n" + repeat("ldg R2, R4 ; 1", 10)
		texts := slices.Repeat([]string{text}, active)
		g := build(t, defaults(t), texts...).run(t)
		start := g.issues[0][1]
		for w := range active {
			for n, at := range g.issues[w][1:11] {
				want := n
				if n >= 5 {
					want = 11 + 2*w + (n-5)*period[active]
				}
				if got := int(at - start); got != want {
					t.Errorf("%d sub-cores, warp %d, instruction %d issued at %d, want %d", active, w, n+1, got, want)
				}
			}
		}
	}
}

// table2 is table 2 of the MICRO 2025 paper: WAR and RAW in cycles from issue.
var table2 = []struct {
	inst     string
	war, raw int
}{
	{"ldg.u", 9, 29}, {"ldg.u.64", 9, 31}, {"ldg.u.128", 9, 35},
	{"ldg", 11, 32}, {"ldg.64", 11, 34}, {"ldg.128", 11, 38},
	{"stg.u", 10, 0}, {"stg.u.64", 12, 0}, {"stg.u.128", 16, 0},
	{"stg", 14, 0}, {"stg.64", 16, 0}, {"stg.128", 20, 0},
	{"lds.u", 9, 23}, {"lds.u.64", 9, 23}, {"lds.u.128", 9, 25},
	{"lds", 9, 24}, {"lds.64", 9, 24}, {"lds.128", 9, 26},
	{"sts.u", 10, 0}, {"sts.u.64", 12, 0}, {"sts.u.128", 16, 0},
	{"sts", 12, 0}, {"sts.64", 14, 0}, {"sts.128", 18, 0},
	{"ldc.imm", 10, 26}, {"ldc", 29, 29}, {"ldgsts", 13, 39},
}

func TestLatenciesOfMemoryInstructions(t *testing.T) {
	for _, c := range table2 {
		name, operands := c.inst, "R2, R4"
		switch {
		case c.inst == "ldc.imm":
			name, operands = "ldc", "R2, c[0]"
		case c.raw == 0:
			operands = "R4, R2"
		case c.inst == "ldgsts":
			operands = "R4"
		}
		load := fmt.Sprintf("%s %s ; 2 w0 r1\n", name, operands)
		if got := build(t, one(t), load+"nop ; 1 &1").run(t).gap(0, 1); got != c.war {
			t.Errorf("%s: its sources can be written after %d cycles, want %d", c.inst, got, c.war)
		}
		if c.raw == 0 {
			continue
		}
		if got := build(t, one(t), load+"nop ; 1 &0").run(t).gap(0, 1); got != c.raw {
			t.Errorf("%s: its result can be read after %d cycles, want %d", c.inst, got, c.raw)
		}
	}
}

func TestScoreboardGivesTheSameLatencies(t *testing.T) {
	for _, c := range table2 {
		if c.inst == "ldc.imm" || c.inst == "ldgsts" {
			continue
		}
		access, writer := c.inst+" R2, R6\n", "fadd R6, R8, R9\n"
		if c.raw == 0 {
			access = c.inst + " R6, R2\n"
		}
		if got := build(t, one(t), access+writer).run(t).gap(0, 1); got != c.war {
			t.Errorf("%s: its sources can be written after %d cycles, want %d", c.inst, got, c.war)
		}
		if c.raw == 0 {
			continue
		}
		if got := build(t, one(t), access+"fadd R10, R2, R9").run(t).gap(0, 1); got != c.raw {
			t.Errorf("%s: its result can be read after %d cycles, want %d", c.inst, got, c.raw)
		}
		if got := build(t, one(t), access+"fadd R2, R8, R9").run(t).gap(0, 1); got != c.raw {
			t.Errorf("%s: its result can be overwritten after %d cycles, want %d", c.inst, got, c.raw)
		}
	}
}

func TestScoreboardOfFixedLatencies(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"fadd R1, R2, R3\n fadd R4, R1, R5", 4},
		{"fadd R1, R2, R3\n fadd R1, R4, R5", 4},
		{"fadd R1, R2, R3\n fadd R2, R4, R5", 1}, // reads in order: no WAR
		{"fadd R1, R2, R3\n fadd R4, R6, R5", 1},
		{"hadd R1, R2, R3\n hadd R4, R1, R5", 5},
		{"dfma R2:2, R4:2, R6:2, R8:2\n dfma R10:2, R2:2, R6:2, R8:2", 8},
		{"mufu R1, R2\n fadd R3, R1, R4", 18},
		{"mufu R1, R2\n fadd R2, R3, R4", 6},
		{"isetp P0, R2, R3\n fadd R4, P0, R5", 4},
		{"isetp P0, R2, R3\n fadd R4, P32, R5", 13}, // as a guard
		{"uiadd UR1, UR2\n uiadd UR3, UR1", 4},
		{"mov R40, R43\n mov R41, R40", 4},
		{"mov R40, R43\n ldg R41, R40", 5}, // no bypass to an address
		{"bra 1 x0\n nop", 5},
	} {
		if got := build(t, one(t), c.text).run(t).gap(0, 1); got != c.want {
			t.Errorf("%q: second after %d cycles, want %d", c.text, got, c.want)
		}
	}
}

func TestScoreboardCountsConsumers(t *testing.T) {
	text := repeat("ldg R2, R4", 1) + "ldg R3, R4\n ldg R5, R4"
	for _, c := range []struct{ consumers, want int }{{1, 11}, {2, 1}} {
		cfg := one(t)
		cfg.Issue.Consumers = c.consumers
		if got := build(t, cfg, text).run(t).gap(0, 1); got != c.want {
			t.Errorf("%d consumers: second reader after %d cycles, want %d", c.consumers, got, c.want)
		}
	}
	cfg := one(t)
	cfg.Issue.Consumers, cfg.Issue.CountFixed = 1, true
	if got := build(t, cfg, "fadd R1, R2, R3\n fadd R4, R2, R5").run(t).gap(0, 1); got < 5 {
		t.Errorf("fixed latency, one consumer: second reader after %d cycles, want 5 or more", got)
	}
}

func TestControlBitsIgnoreTheScoreboard(t *testing.T) {
	if got := build(t, one(t), "fadd R1, R2, R3 ; 1\n fadd R4, R1, R5 ; 1").run(t).gap(0, 1); got != 1 {
		t.Errorf("second after %d cycles, want 1: nothing checks", got)
	}
}

func TestLoadGivesWayToFixedLatencyWrite(t *testing.T) {
	// The load writes bank 0 at cycle 31. An add that issues at 22 writes at
	// 22 + 2 + 3 + 4.
	text := "ldg R2, R4 ; 1 w0\n nop ; 11\n nop ; 10\n fadd R6, R7, R9 ; 1\n nop ; 1 &0"
	g := build(t, one(t), text).run(t)
	if got := g.gap(0, 4); got != 33 || g.sm.stats.LoadDelayed != 1 {
		t.Errorf("consumer after %d cycles, %d loads delayed; want 33 and 1", got, g.sm.stats.LoadDelayed)
	}
	other := build(t, one(t), "ldg R2, R4 ; 1 w0\n nop ; 11\n nop ; 10\n fadd R5, R7, R9 ; 1\n nop ; 1 &0").run(t)
	if got := other.gap(0, 4); got != 32 {
		t.Errorf("with a write of the other bank: consumer after %d cycles, want 32", got)
	}
}

func TestFenceWaitsForOutstandingAccesses(t *testing.T) {
	g := build(t, one(t), "stg R2, R4 ; 2\n membar ; 1\n nop ; 1").run(t)
	if got := g.gap(0, 1); got != 32 {
		t.Errorf("fence issued %d cycles after the store, want 32", got)
	}
	if got := g.gap(1, 2); got != g.cfg.Issue.MembarCTA {
		t.Errorf("next issued %d cycles after the fence, want %d", got, g.cfg.Issue.MembarCTA)
	}
}

func TestConstantLoadsHaveACacheOfTheirOwn(t *testing.T) {
	// A load of the line does not warm the cache of operands.
	text := "ldc R2, c[4096] ; 2 w0\n nop ; 1 &0\n ffma R1, R2, c[4096], R3 ; 1\n ldc R2, c[4100] ; 2 w0\n nop ; 1 &0"
	g := build(t, one(t), text)
	g.sm.level1.tags.fill((1<<40 + 4096) / 128)
	g.run(t)
	if f := g.sm.stats.Front; f.VLMisses != 1 || f.VLHits != 1 || f.FLMisses != 1 {
		t.Errorf("loads missed %d and hit %d times, operands missed %d times; want 1, 1, 1", f.VLMisses, f.VLHits, f.FLMisses)
	}
	if got := g.gap(1, 2); got != 80 {
		t.Errorf("the operand came after %d cycles, want 1 + 79", got)
	}
	if got := g.gap(3, 4); got != 26 {
		t.Errorf("the second load took %d cycles, want 26", got)
	}
}

// refusing is a Memory that is often full.
type refusing struct {
	*IdealMemory
	offers int
}

// Accept takes each request at the third offer.
func (d *refusing) Accept(now kit.Cycle, r *Request) bool {
	d.offers++
	return d.offers%3 == 0 && d.IdealMemory.Accept(now, r)
}

func TestRefusedRequestsAreOfferedAgain(t *testing.T) {
	g := build(t, one(t), repeat("lds R2, R4 ; 1", 8))
	g.sm.mem = &refusing{IdealMemory: g.sm.mem.(*IdealMemory)}
	g.run(t)
	if g.sm.stats.Refused == 0 {
		t.Error("nothing was refused")
	}
	if got := g.gap(0, 5); got != 11 {
		t.Errorf("the sixth issued after %d cycles, want 9 and two refusals", got)
	}
}
