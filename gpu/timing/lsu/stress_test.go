package lsu

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/timing/noc"
)

// ranges are admissible values of options, smallest queues included.
var ranges = map[bool][]string{
	false: {
		"l2.channels 3 4 5", "l2.slices_per_channel 1 2 3", "l2.partitions 1 2 3", "l2.interleave 128 256 1024", "l2.hash none xor ipoly",
		"l2.sets 1 3 8", "l2.ways 1 2 5", "l2.fetch 32 64 128", "l2.index linear xor ipoly", "l2.replacement lru fifo plru random", "l2.allocate miss fill",
		"l2.write back through evict", "l2.write_allocate none lazy fetch", "l2.mshrs 2 3 9", "l2.merges 1 2 9", "l2.latency 1 7 40", "l2.far 1 3 30", "l2.copies 0 1", "l2.width 32 64", "l2.queue 1 2 9",
		"l2.memory_latency 1 9", "l2.atomic_same 0 1 3", "noc.flit 8 32 40", "noc.sm_in 1 2", "noc.slice_out 1 4", "noc.latency 1 5 30", "noc.reply_latency 1 8", "noc.buffer 1 2 9",
		"noc.arbiter rr islip", "noc.iterations 1 3", "dram.bank_groups 1 2 4", "dram.banks 1 4", "dram.atom 32 64", "dram.scheduler frfcfs fcfs", "dram.simple 0 0 0 1",
		"dram.queue 1 2 40", "dram.refresh none all bank", "dram.dual_bus 0 1", "dram.starve 0 100", "clock.core 700 1000 1980", "clock.fabric 700 1000 1700", "clock.dram 333 1000 3500",
	},
	true: {
		"lsu.prt 1 2 40", "lsu.coalescers 1 4", "lsu.misses 1 2 30", "lsu.front 1 6", "l1.sets 1 4", "l1.unified 4096 65536", "l1.carveouts 0 0,1", "l1.allocate miss fill",
		"l1.write back through evict", "l1.write_allocate none lazy fetch", "l1.mshrs 1 3 40", "l1.merges 1 4", "l1.replacement lru fifo plru random", "l1.cached 0 1 1", "l1.banks 1 4", "l1.lookups 1 4",
	},
}

// draw chooses a value of each option.
func draw(r *rand.Rand, lsu bool) string {
	var text strings.Builder
	for _, line := range ranges[lsu] {
		words := strings.Fields(line)
		fmt.Fprintln(&text, words[0], words[1+r.IntN(len(words)-1)])
	}
	return text.String()
}

// storm has units of a configuration drawn from seed serve traffic drawn from it.
func storm(t *testing.T, seed uint64, restless bool) *gpu {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	text, lsuText := draw(r, false), draw(r, true)
	defer func() {
		if t.Failed() {
			t.Log(text, lsuText)
		}
	}()
	g := newGPU(t, 1+r.IntN(4), text, lsuText)
	g.restless = restless
	lines, came := 0, 0
	for _, u := range g.units {
		u.to.Line = func(uint64) { came++ }
	}
	g.flood(t, 100, 1+r.IntN(40), func(sm, k int) *Op {
		if r.IntN(3) == 0 {
			g.code[sm] = noc.CodeWindow + r.Uint64N(64)*lineBytes
			lines++
		}
		op := lineOp(Kind(r.IntN(6)), 0)
		op.Bypass, op.Sub = r.IntN(4) == 0, uint8(k%4)
		spread := 1 + r.Uint64N(2048)
		for i := range op.Accesses {
			a := &op.Accesses[i]
			a.Addr = r.Uint64N(spread) * 4
			switch r.IntN(20) {
			case 0:
				a.Space = isa.Shared
			case 1:
				a.Space = isa.Local
			}
		}
		op.Accesses = op.Accesses[:r.IntN(33)]
		return op
	})
	g.drain(t)
	g.check(t)
	if came != lines {
		t.Errorf("%d of %d lines of code came", came, lines)
	}
	return g
}

func TestNoConfigurationDeadlocks(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { storm(t, seed, false) })
	}
}

// A unit all of whose requests are refused does not try them again until something has
// changed, and counts what it would have.
func TestRefusalsAreThoseOfAUnitThatTriesInEveryCycle(t *testing.T) {
	refused := uint64(0)
	for seed := range uint64(16) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			g, every := storm(t, seed, false), storm(t, seed, true)
			if g.now != every.now {
				t.Errorf("it ends at cycle %d instead of %d", g.now, every.now)
			}
			for i, u := range g.units {
				if e := every.units[i]; u.Stats != e.Stats || *u.L1() != *e.L1() {
					t.Errorf("SM %d: %+v %+v, trying in every cycle %+v %+v", i, u.Stats, *u.L1(), e.Stats, *e.L1())
				}
				refused += u.Stats.Stalls
			}
		})
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
}
