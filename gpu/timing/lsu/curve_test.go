package lsu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/option"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
	"github.com/lockstep-sim/lockstep/gpu/timing/memory"
)

// gpu is the memory side of a GPU: units, network, L2, memory. SMs are streams of
// addresses.
type gpu struct {
	system *memory.System
	config *memory.Config
	lsu    *Config
	units  []*Unit
	wake   []kit.Cycle
	now    kit.Cycle
	done   func(sm int, id int32)

	code     []uint64 // by SM: a line of code to ask for before the next tick, 0 for none
	restless bool     // units try in every cycle, see standstill
}

const round = "clock.core 1000\nclock.fabric 1000\nclock.dram 1000\nl2.channels 8\nl2.slices_per_channel 2\nl2.latency 100\nl2.memory_latency 80\n"

func newGPU(t testing.TB, sms int, text, lsuText string) *gpu {
	t.Helper()
	c := &memory.Config{}
	if _, err := option.Read(c, "test", round+text); err != nil {
		t.Fatal(err)
	}
	return newGPUOf(t, c, settings(t, lsuText), sms)
}

func newGPUOf(t testing.TB, c *memory.Config, l *Config, sms int) *gpu {
	t.Helper()
	g := &gpu{config: c, lsu: l, wake: make([]kit.Cycle, sms), code: make([]uint64, sms)}
	var err error
	if g.system, err = memory.New(c, sms); err != nil {
		t.Fatal(err)
	}
	g.system.OnReply = func(sm int, at kit.Cycle) { g.wake[sm] = min(g.wake[sm], at) }
	for i := range sms {
		u, err := New(g.lsu, i, g.system.Port(i), Answers{Done: func(id int32) { g.done(i, id) }})
		if err != nil {
			t.Fatal(err)
		}
		g.units = append(g.units, u)
	}
	return g
}

// run advances until stop says so, skipping cycles in which nothing happens.
// offer gives an SM's next instruction, if it has one now.
func (g *gpu) run(t testing.TB, offer func(sm int) *Op, stop func() bool) {
	t.Helper()
	held := make([]*Op, len(g.units))
	for !stop() {
		next := kit.Never
		for i, u := range g.units {
			if g.restless {
				u.stir(g.now)
			}
			if g.code[i] != 0 {
				u.FetchLine(g.now, g.code[i])
				g.code[i] = 0
			}
			if g.wake[i] <= g.now {
				g.wake[i] = u.Tick(g.now)
			}
			if g.restless && u.Waits() {
				g.wake[i] = g.now + 1
			}
			if held[i] == nil {
				held[i] = offer(i)
			}
			if held[i] != nil {
				if u.Accept(g.now, held[i]) {
					held[i] = nil
				}
				g.wake[i] = g.now + 1
			}
		}
		g.system.Advance(g.now)
		for i := range g.wake {
			next = min(next, g.wake[i])
		}
		next = min(next, g.system.Next())
		if g.now++; next == kit.Never {
			if !stop() {
				t.Fatal("nothing is left to do")
			}
			return
		}
		g.now = max(g.now, next)
	}
}

// check verifies all laws.
func (g *gpu) check(t testing.TB) {
	t.Helper()
	if err := g.system.Check(); err != nil {
		t.Error(err)
	}
	for i, u := range g.units {
		if err := u.Stats.Check(u.Inside()); err != nil {
			t.Errorf("SM %d: %v", i, err)
		}
		if err := u.L1().Check(u.Idle()); err != nil {
			t.Errorf("l1 of SM %d: %v", i, err)
		}
	}
}

// chase is the mean latency of dependent one-lane loads, from Accept to Done.
func (g *gpu) chase(t testing.TB, sm int, bypass bool, addrs []uint64) float64 {
	t.Helper()
	var started, sum kit.Cycle
	busy, n := false, 0
	g.done = func(int, int32) { sum += g.now - started; busy = false; n++ }
	a := make([]isa.Access, 1)
	op := Op{Kind: Load, Words: 1, Bypass: bypass, Accesses: a}
	g.run(t, func(i int) *Op {
		if busy || i != sm || n == len(addrs) {
			return nil
		}
		a[0] = isa.Access{Space: isa.Global, Bytes: 4, Addr: addrs[n]}
		busy, started = true, g.now
		return &op
	}, func() bool { return n == len(addrs) })
	return float64(sum) / float64(n)
}

// formula is the latency that the configuration's numbers add up to, in cycles
// of one clock for all: L1, L2 near, L2 far, memory with a closed row.
func (g *gpu) formula() (l1, near, far, closed float64) {
	p, d, n, s, r := &g.lsu.Pipeline, &g.lsu.Data, &g.config.Network, &g.config.Slice, &g.config.DRAM.Timing
	core, fabric, mem := 1.0, float64(g.config.Clock.Core)/float64(g.config.Clock.Fabric), float64(g.config.Clock.Core)/float64(g.config.Clock.DRAM)
	l1 = core * float64(p.Front+d.Latency+p.Least)
	wires := core*float64(int(p.Front+d.Miss+d.Fill+p.Least)+n.Latency+n.ReplyLatency) + 3*fabric
	near = wires + fabric*float64(s.Latency)
	far = near + fabric*float64(s.Far)
	closed = near + fabric*float64(s.Memory+1) + mem*float64(r.RCD+r.CL+r.Burst)
	return l1, near, far, closed
}

func within(t testing.TB, what string, got, want, percent float64) {
	t.Helper()
	if math.Abs(got-want) > want*percent/100 {
		t.Errorf("%s: %.2f, want %.2f within %v %%", what, got, want, percent)
	}
}

func TestPointerChaseGivesTheConfiguredLatencies(t *testing.T) {
	for _, text := range []string{
		"l2.partitions 2\nl2.far 60\ndram.refresh none",
		"l2.partitions 2\nl2.far 60\ndram.refresh none\nclock.core 1980\nclock.fabric 1700\nclock.dram 1600",
		"l2.partitions 2\nl2.far 60\ndram.refresh none\nclock.core 1000\nclock.fabric 1700\nclock.dram 2600\nl2.channels 47",
	} {
		g := newGPU(t, 2, text, "")
		wantL1, wantNear, wantFar, wantMemory := g.formula()
		var near, far, cold []uint64
		for a := uint64(0); len(near) < 200 || len(far) < 200; a += 128 {
			g.system.Install(a, 128)
			if _, isNear := g.system.Slice(a, 0); isNear {
				near = append(near, a)
			} else {
				far = append(far, a)
			}
		}
		for a := uint64(1 << 32); len(cold) < 200; a += 1 << 20 { // rows of their own
			if _, isNear := g.system.Slice(a, 0); isNear {
				cold = append(cold, a)
			}
		}
		within(t, "memory", g.chase(t, 0, true, cold[:1]), wantMemory, 3)
		within(t, "L2 near", g.chase(t, 0, true, near), wantNear, 3)
		within(t, "L2 far", g.chase(t, 0, true, far), wantFar, 3)
		g.chase(t, 0, false, near[:20])
		within(t, "L1", g.chase(t, 0, false, near[:20]), wantL1, 3)
		g.check(t)
	}
}

func TestCopiesHalveWhatOneSMSeesOfL2(t *testing.T) {
	curve := func(copies string, lines uint64) float64 {
		g := newGPU(t, 1, "l2.partitions 2\nl2.far 100\ndram.refresh none\nl2.channels 4\nl2.slices_per_channel 1\nl2.sets 16\nl2.ways 16\nl2.copies "+copies, "")
		var addrs []uint64
		for i := range lines {
			addrs = append(addrs, i*128)
		}
		g.system.Install(0, lines*128)
		g.chase(t, 0, true, addrs)
		return g.chase(t, 0, true, addrs)
	}
	const all = 4 * 16 * 16 // lines of L2
	near, mixed := curve("1", all/4), curve("0", all/4)
	within(t, "without copies half of the reads are far", mixed, near+50, 2)
	if got := curve("1", all*3/8); got > near*1.02 {
		t.Errorf("three quarters of the own partition: %.1f cycles, a small footprint %.1f", got, near)
	}
	if got := curve("1", all*3/4); got < near+30 {
		t.Errorf("more than the own partition: %.1f cycles, a small footprint %.1f", got, near)
	}
}

func TestRowConflictsAddPrechargeToAChase(t *testing.T) {
	g := newGPU(t, 1, "dram.refresh none\nl2.channels 1\nl2.slices_per_channel 1\ndram.bank_hash 0", "")
	_, _, _, closed := g.formula()
	d := &g.config.DRAM
	row := uint64(d.Row * d.Groups * d.Banks)
	within(t, "first", g.chase(t, 0, true, []uint64{0}), closed, 1)
	within(t, "conflicts", g.chase(t, 0, true, []uint64{row, 2 * row, 3 * row, 4 * row}), closed+float64(d.Timing.RP), 1)
	within(t, "row hits", g.chase(t, 0, true, []uint64{4*row + 4*128, 4*row + 8*128}), closed-float64(d.Timing.RCD), 1)
	g.check(t)
}

// flood has every SM issue an instruction whenever it can and returns the cycles
// that n instructions an SM took, after as many to warm up.
func (g *gpu) flood(t testing.TB, n int, window int, op func(sm, k int) *Op) kit.Cycle {
	t.Helper()
	sent, came := make([]int, len(g.units)), 0
	under := make([]int, len(g.units))
	g.done = func(sm int, _ int32) { came++; under[sm]-- }
	phase := func(until int) {
		g.run(t, func(sm int) *Op {
			if under[sm] >= window {
				return nil
			}
			o := op(sm, sent[sm])
			sent[sm]++
			under[sm]++
			return o
		}, func() bool { return came >= until })
	}
	total := n * len(g.units)
	phase(total / 2)
	start := g.now
	phase(total/2 + total)
	return g.now - start
}

// drain lets all that is under way finish.
func (g *gpu) drain(t testing.TB) {
	t.Helper()
	g.run(t, func(int) *Op { return nil }, func() bool {
		for _, u := range g.units {
			if !u.Idle() {
				return false
			}
		}
		return g.system.Idle()
	})
}

// line makes an op on one line.
func lineOp(kind Kind, addr uint64) *Op {
	op := &Op{Kind: kind, Words: 1, Bypass: true, Accesses: make([]isa.Access, 0, 32)}
	for l := range uint64(32) {
		op.Accesses = append(op.Accesses, isa.Access{Lane: uint8(l), Space: isa.Global, Write: kind != Load, Bytes: 4, Addr: addr + 4*l})
	}
	return op
}

func TestStreamsReachTheMemoryBandwidth(t *testing.T) {
	for kind, text := range map[Kind]string{
		Load:  "",
		Store: "l2.write through\ndram.write_queue 256\ndram.starve 4000\n", // stores leave L2 as SMs' turns mix them: rows are found among many
	} {
		g := newGPU(t, 16, text, "")
		cycles := g.flood(t, 4000, 128, func(sm, k int) *Op { return lineOp(kind, uint64(k*16+sm)*128) })
		d := &g.config.DRAM
		peak := float64(g.config.Slice.Channels*d.Atom) / float64(d.Timing.Burst) * (1 - float64(d.Timing.RFC)/float64(d.Timing.REFI))
		within(t, fmt.Sprintf("bytes a cycle, kind %d", kind), 16*4000*128/float64(cycles), peak, 3)
		g.drain(t)
		g.check(t)
		if s := g.system.DRAM(); s.Finished[kind-Load] < 16*4000 {
			t.Errorf("%d requests of kind %d reached memory", s.Finished, kind)
		}
	}
}

func TestStreamsFromL2ReachTheSlicesOrThePorts(t *testing.T) {
	for _, c := range []struct {
		name, text string
		sms        int
		want       float64 // bytes a cycle
	}{
		{"few SMs: each takes two flits with 32 bytes", "", 4, 4 * 64},
		{"many SMs: each slice sends a flit with 32 bytes", "", 32, 16 * 32},
		{"wider slices", "noc.slice_out 2\nl2.width 64", 32, 16 * 64},
		{"a narrow data array", "noc.slice_out 2\nl2.width 32", 32, 16 * 32},
	} {
		g := newGPU(t, c.sms, "noc.iterations 4\n"+c.text, "")
		const lines = 4096
		g.system.Install(0, lines*128)
		r := rand.New(rand.NewPCG(1, 1))
		cycles := g.flood(t, 2000, 128, func(int, int) *Op { return lineOp(Load, r.Uint64N(lines)*128) })
		within(t, c.name, float64(c.sms)*2000*128/float64(cycles), c.want, 3)
		g.drain(t)
		g.check(t)
	}
}

func TestAHotSliceServesOneLineAfterAnother(t *testing.T) {
	g := newGPU(t, 16, "", "")
	g.system.Install(0, 128)
	cycles := g.flood(t, 200, 16, func(int, int) *Op { return lineOp(Load, 0) })
	within(t, "cycles a line", float64(cycles)/(16*200), 4, 3)
	for kind, want := range map[Kind]float64{Reduce: 32, Store: 4} {
		g = newGPU(t, 16, "", "")
		g.system.Install(0, 128)
		op := lineOp(kind, 0)
		if kind == Reduce { // all lanes on one word
			for i := range op.Accesses {
				op.Accesses[i].Addr = 0
			}
		}
		cycles = g.flood(t, 200, 16, func(int, int) *Op { return op })
		within(t, "cycles a write", float64(cycles)/(16*200), want, 3)
		g.drain(t)
		g.check(t)
	}
}

func TestEveryRequestIsAnsweredWhateverTheTraffic(t *testing.T) {
	for _, c := range []struct{ text, lsu string }{
		{"l2.mshrs 4\nl2.merges 2\nl2.sets 2\nl2.ways 2\nl2.queue 1\nnoc.buffer 1\ndram.queue 2\ndram.write_queue 2\ndram.write_high 2\ndram.write_low 1", "lsu.prt 3\nl1.mshrs 2\nl1.merges 1\nl1.ways 1\nlsu.misses 1"},
		{"l2.write_allocate fetch\nl2.fetch 64\nl2.sets 4\nl2.ways 2\ndram.refresh bank\nnoc.arbiter rr\ndram.scheduler fcfs\nl2.mshrs 8", "l1.allocate miss\nl1.replacement random"},
		{"l2.write through\nl2.write_allocate none\nl2.channels 3\nl2.slices_per_channel 3\nl2.partitions 3\nl2.far 9\nclock.core 977\nclock.dram 1511", "l1.write evict"},
		{"l2.sets 1\nl2.ways 2", "l1.write back\nl1.write_allocate lazy\nl1.allocate miss\nl1.ways 1\nl1.sets 2"},
	} {
		g := newGPU(t, 5, c.text, c.lsu)
		r := rand.New(rand.NewPCG(7, 7))
		g.flood(t, 300, 64, func(sm, k int) *Op {
			op := lineOp(Kind(r.IntN(5)), 0)
			op.Bypass, op.Sub = r.IntN(4) == 0, uint8(k%4)
			for i := range op.Accesses {
				a := &op.Accesses[i]
				a.Addr = r.Uint64N(4096) * 4
				if r.IntN(20) == 0 {
					a.Space = isa.Shared
				}
				if r.IntN(40) == 0 {
					a.Space = isa.Local
				}
			}
			op.Accesses = op.Accesses[:r.IntN(33)]
			return op
		})
		g.units[1].FetchLine(g.now, 0x5000)
		lines := 0
		g.units[1].to.Line = func(addr uint64) { lines++ }
		g.wake[1] = g.now
		g.drain(t)
		g.check(t)
		if lines != 1 {
			t.Errorf("%d lines of code came", lines)
		}
		if s := g.system.DRAM(); s.Requests[0] == 0 || s.Requests[1] == 0 {
			t.Errorf("%q: no traffic reached memory: %+v", c.text, s)
		}
		g.system.EndKernel()
	}
}

// TestSMsMayRunAheadOfTheirNetwork compares every cycle of lockstep with quanta.
func TestSMsMayRunAheadOfTheirNetwork(t *testing.T) {
	trace := func(quantum kit.Cycle) (ends []kit.Cycle) {
		g := newGPU(t, 4, "clock.core 1980\nclock.fabric 1700\nnoc.latency 12\nnoc.reply_latency 9", "")
		r := []*rand.Rand{}
		under := make([]int, 4)
		for i := range uint64(4) {
			r = append(r, rand.New(rand.NewPCG(i, i)))
		}
		var now kit.Cycle
		byUnit := make([][]kit.Cycle, 4)
		g.done = func(sm int, _ int32) { byUnit[sm] = append(byUnit[sm], now); under[sm]-- }
		for start := kit.Cycle(0); start < 9*1000; start += quantum {
			for sm, u := range g.units {
				for now = start; now < start+quantum; now++ {
					u.Tick(now)
					if under[sm] < 8 && u.Accept(now, lineOp(Kind(r[sm].IntN(2)), r[sm].Uint64N(1<<14)*128)) {
						under[sm]++
					}
				}
			}
			g.system.Advance(start + quantum - 1)
		}
		for _, b := range byUnit {
			ends = append(ends, b...)
		}
		return ends
	}
	one, nine := trace(1), trace(9)
	if len(one) < 500 || len(one) != len(nine) {
		t.Fatalf("%d and %d instructions ended", len(one), len(nine))
	}
	for i := range one {
		if one[i] != nine[i] {
			t.Fatalf("instruction %d ended at %d in steps of one cycle, at %d in steps of nine", i, one[i], nine[i])
		}
	}
}

func BenchmarkMemorySystem(b *testing.B) {
	for name, lines := range map[string]uint64{"L2": 4096, "memory": 1 << 24} {
		b.Run(name, func(b *testing.B) {
			g := newGPU(b, 64, "l2.channels 32", "")
			if lines == 4096 {
				g.system.Install(0, lines*128)
			}
			r := rand.New(rand.NewPCG(1, 1))
			ops := make([]*Op, 64)
			for i := range ops {
				ops[i] = lineOp(Load, 0)
			}
			b.ReportAllocs()
			b.ResetTimer()
			g.flood(b, max(b.N/64*2/3, 1), 64, func(sm, _ int) *Op {
				base := r.Uint64N(lines) * 128
				for l := range ops[sm].Accesses {
					ops[sm].Accesses[l].Addr = base + 4*uint64(l)
				}
				return ops[sm]
			})
		})
	}
}
