package sm

import (
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

func TestInstructionMissCosts79(t *testing.T) {
	c := one(t)
	c.Front.Stream = 0
	text := repeat("nop ; 1", 15)
	g := build(t, c, text)
	for i := range g.sm.subs {
		g.sm.subs[i].front.l0.clear()
	}
	g.run(t)
	if got, want := int(g.issues[0][0]), 79+3; got != want {
		t.Errorf("first issue at %d, want %d: a miss and three stages", got, want)
	}
	// The fetch that misses comes three cycles before the issue that it is for.
	if got, want := g.gap(7, 8), 1+79; got != want {
		t.Errorf("%d cycles across the line, want %d", got, want)
	}
}

func TestL1MissCostsWhatLiesBelow(t *testing.T) {
	g := build(t, one(t), "nop ; 1").cold().run(t)
	if got, want := int(g.issues[0][0]), 79+3+g.cfg.Front.Below; got != want {
		t.Errorf("first issue at %d, want %d", got, want)
	}
	if f := g.sm.stats.Front; f.L1Misses == 0 || f.L1Hits != 0 {
		t.Errorf("L1 hit %d and missed %d times", f.L1Hits, f.L1Misses)
	}
}

// slowBacking answers after 500 cycles.
type slowBacking struct {
	line uint64
	at   kit.Cycle
}

func (b *slowBacking) Request(now kit.Cycle, line uint64) { b.line, b.at = line, now+500 }

func TestBackingServesL1Misses(t *testing.T) {
	c := one(t)
	c.Front.Stream = 0
	g := build(t, c, "nop ; 1").cold()
	b := &slowBacking{at: kit.Never}
	g.sm.below = b
	for g.sm.Resident() > 0 && g.now < 2000 {
		if g.now == b.at {
			g.sm.LineArrived(g.now, b.line)
		}
		g.sm.Tick(g.now)
		g.now++
	}
	if len(g.issues[0]) == 0 || g.issues[0][0] != 39+500+40+3 {
		t.Errorf("issued at %v, want %d", g.issues[0], 39+500+40+3)
	}
}

func TestPrefetchHidesMissesUpToTheLatency(t *testing.T) {
	const lines = 64
	text := repeat("nop ; 1", 8*lines-1)
	var last int
	for _, size := range []int{0, 1, 2, 4, 8, 16, 32} {
		c := one(t)
		c.Front.Stream = size
		g := build(t, c, text)
		g.sm.subs[0].front.l0.clear()
		g.run(t)
		cycles := g.gap(0, 8*lines-1)
		// A line is asked for when the one so many lines before is taken.
		period := max(8, 79/max(size, 1))
		if want := period * (lines - 1); cycles < want*95/100 || cycles > want*112/100+90 {
			t.Errorf("stream buffer of %d: %d cycles, want about %d", size, cycles, want)
		}
		if last != 0 && cycles > last {
			t.Errorf("stream buffer of %d: %d cycles, more than the next smaller's %d", size, cycles, last)
		}
		last = cycles
	}
}

func TestWarpsShareAMiss(t *testing.T) {
	c := one(t)
	c.Front.Stream = 0
	text := repeat("nop ; 1", 7)
	g := build(t, c, text, text, text, text)
	g.sm.subs[0].front.l0.clear()
	g.run(t)
	if f := g.sm.stats.Front; f.L1Hits != 1 || f.L0Misses != 4 {
		t.Errorf("%d requests and %d misses, want 1 and 4", f.L1Hits, f.L0Misses)
	}
}

func TestTakenBranchRefetches(t *testing.T) {
	g := build(t, one(t), "nop ; 1\n nop ; 1\n bra 0 x3 ; 5\n nop ; 1").run(t)
	if got := int(g.issues[0][3] - g.issues[0][2]); got != 12 {
		t.Errorf("target issued %d cycles after the branch, want 12", got)
	}
	if got := int(g.issues[0][12] - g.issues[0][11]); got != 5 {
		t.Errorf("next issued %d cycles after a branch that falls through, want its stall of 5", got)
	}
	if got := g.sm.stats.Front.Flushes; got != 3 {
		t.Errorf("%d flushes, want 3", got)
	}
}

func TestFetchFollowsIssue(t *testing.T) {
	// While the youngest issues, the others keep full buffers and no more.
	text := repeat("nop ; 1", 31)
	g := together(t, one(t), text, text).run(t).after()
	if got, want := g.runs(), "W1*32 W0*32"; got != want {
		t.Errorf("issued %s, want %s", got, want)
	}
}

func TestTheCodeOfAKernelIsInL1WhenItStarts(t *testing.T) {
	text := repeat("nop ; 1", 255)
	for _, c := range []struct{ preload, want int }{{0, 32}, {1024, 24}, {65536, 0}} {
		cfg := one(t)
		cfg.Front.Preload, cfg.Front.Stream = c.preload, 0
		m := build(t, cfg, text)
		m.sm.level1.tags.clear()
		m.sm.subs[0].front.l0.clear()
		m.sm.level1.preload(m.code, cfg.Front.Bytes, cfg.Front.Preload)
		m.run(t)
		if got := int(m.sm.stats.Front.L1Misses); got != c.want {
			t.Errorf("%d bytes brought in: %d misses, want %d", c.preload, got, c.want)
		}
	}
}

func TestPrefetchersAskForLinesOfTheirOwn(t *testing.T) {
	const lines = 64
	text := repeat("nop ; 1", 8*lines-1)
	for _, c := range []struct {
		policy      string
		asked, came uint64 // lines
		cycles      int    // at least; a miss more at most
	}{
		{"none", 0, 0, (79 + 8) * (lines - 1)},
		{"next_line", lines / 2, lines / 2, (79 + 8 + 8) * (lines/2 - 1)},
		{"stream", lines + 15, lines - 1, 8 * (lines - 1)},
	} {
		cfg := one(t)
		cfg.Front.Prefetch, cfg.Front.Stream = c.policy, 16
		g := build(t, cfg, text)
		g.sm.subs[0].front.l0.clear()
		g.run(t)
		if f := g.sm.stats.Front; f.Prefetches != c.asked || f.StreamHits != c.came {
			t.Errorf("%s: %d lines asked for ahead and %d taken, want %d and %d", c.policy, f.Prefetches, f.StreamHits, c.asked, c.came)
		}
		if got := g.gap(0, 8*lines-1); got < c.cycles || got > c.cycles+90 {
			t.Errorf("%s: %d cycles, want about %d", c.policy, got, c.cycles)
		}
	}
	cfg := one(t)
	cfg.Front.Prefetch = "all"
	if _, err := New(cfg, Parts{}); err == nil || !strings.Contains(err.Error(), "next_line, none, stream") {
		t.Errorf("an unknown prefetcher: %v", err)
	}
}
