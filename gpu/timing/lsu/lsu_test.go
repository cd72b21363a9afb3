package lsu

import (
	"fmt"
	"slices"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/option"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
	"github.com/lockstep-sim/lockstep/gpu/timing/noc"
)

func settings(t testing.TB, text string) *Config {
	t.Helper()
	c := &Config{}
	if _, err := option.Read(c, "test", through+text); err != nil {
		t.Fatal(err)
	}
	return c
}

// through makes L1 the usual write-through cache.
const through = "l1.sets 4\nl1.write through\nl1.write_allocate none\nl1.allocate fill\nl1.mshrs 384\nl1.merges 48\n"

// accesses makes one access of so many bytes for each lane below n.
func accesses(n int, space isa.Space, write bool, bytes uint8, addr func(lane uint64) uint64) (list []isa.Access) {
	for l := range n {
		list = append(list, isa.Access{Lane: uint8(l), Space: space, Write: write, Bytes: bytes, Addr: addr(uint64(l))})
	}
	return list
}

func TestBankConflictsHaveTheirDegree(t *testing.T) {
	stride := func(bytes uint64) func(uint64) uint64 { return func(l uint64) uint64 { return l * bytes } }
	for _, c := range []struct {
		name   string
		bytes  uint8
		write  bool
		addr   func(uint64) uint64
		passes int
	}{
		{"consecutive words", 4, false, stride(4), 1},
		{"broadcast of one word", 4, false, stride(0), 1},
		{"bytes of eight words", 1, false, stride(1), 1},
		{"every second word", 4, false, stride(8), 2},
		{"every fourth word", 4, false, stride(16), 4},
		{"one bank", 4, false, stride(128), 32},
		{"one bank, written", 4, true, stride(128), 32},
		{"odd stride", 4, false, stride(132), 1},
		{"two words of one bank, broadcast", 4, false, func(l uint64) uint64 { return l % 2 * 128 }, 2},
		{"consecutive 64 bits", 8, false, stride(8), 2},
		{"consecutive 64 bits, written", 8, true, stride(8), 2},
		{"64 bits broadcast, loads share a pass", 8, false, stride(0), 1},
		{"64 bits to one place, stores do not", 8, true, stride(0), 2},
		{"64 bits with a stride of two", 8, false, stride(16), 4},
		{"consecutive 128 bits", 16, false, stride(16), 4},
		{"consecutive 128 bits, written", 16, true, stride(16), 4},
		{"128 bits broadcast, loads share", 16, false, stride(0), 2},
		{"128 bits in one place of 32 rows", 16, false, stride(128), 32},
	} {
		s := settings(t, "").Shared
		if got := s.passes(new(banks), accesses(32, isa.Shared, c.write, c.bytes, c.addr), false); got != c.passes {
			t.Errorf("%s: %d passes, want %d", c.name, got, c.passes)
		}
	}
	s := settings(t, "").Shared
	if got := s.passes(new(banks), accesses(32, isa.Shared, true, 4, stride(0)), true); got != 32 {
		t.Errorf("atomics on one word: %d passes, want 32", got)
	}
	if got := s.passes(new(banks), accesses(32, isa.Shared, true, 4, stride(4)), true); got != 1 {
		t.Errorf("atomics on different banks: %d passes, want 1", got)
	}
}

func TestLanesShareLinesAndSectors(t *testing.T) {
	for _, c := range []struct {
		name          string
		n             int
		bytes         uint8
		addr          func(uint64) uint64
		lines         int
		sectors, full uint8 // of the first line
	}{
		{"consecutive words", 32, 4, func(l uint64) uint64 { return 0x1000 + l*4 }, 1, 15, 15},
		{"consecutive words off by one", 32, 4, func(l uint64) uint64 { return 0x1004 + l*4 }, 2, 15, 14},
		{"one word", 32, 4, func(uint64) uint64 { return 0x1040 }, 1, 4, 0},
		{"half a warp", 16, 4, func(l uint64) uint64 { return 0x1000 + l*4 }, 1, 3, 3},
		{"a line each", 32, 4, func(l uint64) uint64 { return l * 128 }, 32, 1, 0},
		{"a sector each", 32, 4, func(l uint64) uint64 { return l * 32 }, 8, 15, 0},
		{"64 bits", 32, 8, func(l uint64) uint64 { return l * 8 }, 2, 15, 15},
		{"128 bits", 32, 16, func(l uint64) uint64 { return l * 16 }, 4, 15, 15},
		{"128 bits of one place, by quarters", 32, 16, func(uint64) uint64 { return 0 }, 4, 1, 0},
		{"across a line", 1, 16, func(uint64) uint64 { return 120 }, 2, 8, 0},
	} {
		list := coalesce(accesses(c.n, isa.Global, false, c.bytes, c.addr), nil, nil)
		if len(list) != c.lines || list[0].sectors != c.sectors || list[0].full != c.full {
			t.Errorf("%s: %d lines, sectors %04b, full %04b", c.name, len(list), list[0].sectors, list[0].full)
		}
	}
}

func TestLocalMemoryOfTheLanesLiesSideBySide(t *testing.T) {
	u := &Unit{sm: 3, slot: 5}
	list := coalesce(accesses(32, isa.Local, true, 8, func(uint64) uint64 { return 16 }), u.localAddress, nil)
	if len(list) != 2 || list[0].full != 15 || list[1].full != 15 || list[1].line != list[0].line+128 {
		t.Errorf("got %+v", list)
	}
}

func TestAtomicsKnowTheirDepth(t *testing.T) {
	a := accesses(32, isa.Global, true, 4, func(l uint64) uint64 { return l % 4 * 4 })
	list := coalesce(a, nil, nil)
	depths(a, list)
	if len(list) != 1 || list[0].lanes != 32 || list[0].depths[0] != 8 {
		t.Errorf("got %+v", list)
	}
}

// lone is a unit without a memory system behind its port.
type lone struct{ *Unit }

func newLone(t testing.TB, text string) lone {
	n := &noc.Config{}
	if _, err := option.Read(n, "test", ""); err != nil {
		t.Fatal(err)
	}
	u, err := New(settings(t, text), 0, noc.NewPort(n, [2]*bool{new(bool), new(bool)}), Answers{})
	if err != nil {
		t.Fatal(err)
	}
	return lone{u}
}

// run offers ops at their cycles and returns when each was done.
func (l lone) run(ops []Op, at []kit.Cycle, until kit.Cycle) []kit.Cycle {
	done := make([]kit.Cycle, len(ops))
	next, now := 0, kit.Cycle(0)
	l.to.Done = func(id int32) { done[id] = now }
	for ; now < until; now++ {
		l.Tick(now)
		for next < len(ops) && at[next] <= now {
			ops[next].ID = int32(next)
			if !l.Accept(now, &ops[next]) {
				break
			}
			next++
		}
	}
	return done
}

func TestHitLatenciesAreThoseOfTable2(t *testing.T) {
	consecutive := func(bytes uint64) func(uint64) uint64 { return func(l uint64) uint64 { return l * bytes } }
	for _, c := range []struct {
		name    string
		space   isa.Space
		words   uint8
		uniform bool
		leaves  kit.Cycle // the sub-core, after issue
		raw     kit.Cycle
	}{
		{"LDG uniform 32", isa.Global, 1, true, 9, 29}, {"LDG uniform 64", isa.Global, 2, true, 9, 31}, {"LDG uniform 128", isa.Global, 4, true, 9, 35},
		{"LDG regular 32", isa.Global, 1, false, 11, 32}, {"LDG regular 64", isa.Global, 2, false, 11, 34}, {"LDG regular 128", isa.Global, 4, false, 11, 38},
		{"LDS uniform 32", isa.Shared, 1, true, 9, 23}, {"LDS uniform 64", isa.Shared, 2, true, 9, 23}, {"LDS uniform 128", isa.Shared, 4, true, 9, 25},
		{"LDS regular 32", isa.Shared, 1, false, 9, 24}, {"LDS regular 64", isa.Shared, 2, false, 9, 24}, {"LDS regular 128", isa.Shared, 4, false, 9, 26},
	} {
		l := newLone(t, "")
		for a := uint64(0); a < 512; a += 128 {
			l.l1.Install(a, 15)
		}
		op := Op{Kind: Load, Words: c.words, Uniform: c.uniform, Accesses: accesses(32, c.space, false, 4*c.words, consecutive(4*uint64(c.words)))}
		done := l.run([]Op{op}, []kit.Cycle{c.leaves}, 100)
		if got := done[0] + 1; got != c.raw {
			t.Errorf("%s: RAW %d, want %d", c.name, got, c.raw)
		}
	}
}

func TestConflictsDelayByTheirPasses(t *testing.T) {
	at := func(stride uint64) kit.Cycle {
		op := Op{Kind: Load, Words: 1, Accesses: accesses(32, isa.Shared, false, 4, func(l uint64) uint64 { return l * stride })}
		return newLone(t, "").run([]Op{op}, []kit.Cycle{0}, 200)[0]
	}
	if d := at(128) - at(4); d != 61 {
		t.Errorf("32 passes take %d cycles more than one; at two cycles each, of which a return link's hide one, 61", d)
	}
	if at(0) != at(4) {
		t.Errorf("a broadcast takes %d, consecutive words %d", at(0), at(4))
	}
}

// The curves of a conflict of degree n: n passes of the banks for each of many loads, and for one alone two cycles
// more for each pass beyond the first, of which the return link hides one; that takes two cycles for a register.
func TestBankConflictsFollowTheirDegree(t *testing.T) {
	for degree := range 33 {
		if degree == 0 {
			continue
		}
		load := Op{Kind: Load, Words: 1, Accesses: accesses(32, isa.Shared, false, 4, func(l uint64) uint64 { return l%uint64(degree)*128 + l/uint64(degree)*4 })}
		alone := float64(newLone(t, "").run([]Op{load}, []kit.Cycle{0}, 200)[0])
		within(t, fmt.Sprintf("latency of degree %d", degree), alone, 14+float64(max(0, 2*(degree-1)-1)), 0)
		const n = 200
		ops, at := make([]Op, n), make([]kit.Cycle, n)
		for i := range ops {
			ops[i] = load
			ops[i].Sub = uint8(i % 4)
		}
		l := newLone(t, "")
		done := l.run(ops, at, kit.Cycle(n*degree+400))
		within(t, fmt.Sprintf("cycles of a load of degree %d", degree), float64(done[n-1]-done[n/2-1])/(n/2), float64(max(degree, 2)), 3)
		if l.Stats.Passes != uint64(n*degree) || l.Stats.Conflicts != uint64(n*(degree-1)) {
			t.Errorf("degree %d: %d passes of %d loads, %d of conflicts", degree, l.Stats.Passes, n, l.Stats.Conflicts)
		}
	}
}

func TestL1DeliversItsWidth(t *testing.T) {
	l := newLone(t, "")
	for a := uint64(0); a < 1<<16; a += 128 {
		l.l1.Install(a, 15)
	}
	const n = 400
	var ops []Op
	var at []kit.Cycle
	for i := range n {
		base := uint64(i) * 512 % (1 << 16)
		ops = append(ops, Op{Sub: uint8(i % 4), Kind: Load, Words: 4, Accesses: accesses(32, isa.Global, false, 16, func(l uint64) uint64 { return base + l*16 })})
		at = append(at, kit.Cycle(2*i))
	}
	done := l.run(ops, at, 4000)
	if rate := float64(n*512) / float64(slices.Max(done)-30); rate < 128*0.97 || rate > 128*1.01 {
		t.Errorf("%.1f bytes a cycle, want 128", rate)
	}
}

func TestTheTableOfPendingRequestsIsBounded(t *testing.T) {
	l := newLone(t, "lsu.prt 4")
	op := Op{Kind: Load, Words: 1, Accesses: accesses(32, isa.Global, false, 4, func(l uint64) uint64 { return l * 128 })}
	taken := 0
	for i := range 6 {
		op.ID = int32(i)
		if l.Accept(0, &op) {
			taken++
		}
	}
	if taken != 4 || l.Stats.Refused != 2 || l.Inside() != 4 {
		t.Errorf("%d taken, %+v", taken, l.Stats)
	}
}

func TestPerfectMemoryHitsAlways(t *testing.T) {
	l := newLone(t, "lsu.perfect 1")
	op := Op{Kind: Load, Words: 1, Accesses: accesses(32, isa.Global, false, 4, func(l uint64) uint64 { return 1<<30 + l*4 })}
	if done := l.run([]Op{op, op}, []kit.Cycle{0, 50}, 100); done[0] != 20 || done[1] != 70 || l.Stats.Sent != 0 || l.Stats.LoadCycles != 40 {
		t.Errorf("done at %v, %+v", done, l.Stats)
	}
}

func TestCarveOutLeavesL1TheRest(t *testing.T) {
	l := newLone(t, "")
	for shared, want := range map[int]int{0: 256, 1: 248, 8 << 10: 248, 100 << 10: 156, 101 << 10: 124, 228 << 10: 28, 300 << 10: 28} {
		if err := l.Begin(shared); err != nil {
			t.Fatal(err)
		}
		if l.L1Bytes() != want<<10 {
			t.Errorf("%d bytes of shared memory leave %d KiB, want %d", shared, l.L1Bytes()>>10, want)
		}
	}
}

func TestBadConfigurationsAreRefused(t *testing.T) {
	for _, text := range []string{"lsu.prt 0", "l1.carveouts 8,4", "l1.carveouts 0,x", "l1.carveouts 0,512", "l1.sector 64\nl1.fetch 64", "shared.banks 24", "l1.replacement mru"} {
		if _, err := New(settings(t, text), 0, nil, Answers{}); err == nil {
			t.Errorf("accepted %q", text)
		}
	}
}

func BenchmarkCoalescedLoadHit(b *testing.B) {
	l := newLone(b, "")
	l.l1.Install(0, 15)
	a := accesses(32, isa.Global, false, 4, func(l uint64) uint64 { return l * 4 })
	op := Op{Kind: Load, Words: 1, Accesses: a}
	l.to.Done = func(int32) {}
	b.ReportAllocs()
	for now := range kit.Cycle(b.N) {
		l.Tick(2 * now)
		l.Accept(2*now, &op)
		l.Tick(2*now + 1)
	}
}

func BenchmarkBankConflict(b *testing.B) {
	s := settings(b, "").Shared
	a := accesses(32, isa.Shared, false, 4, func(l uint64) uint64 { return l * 128 })
	scratch := new(banks)
	b.ReportAllocs()
	for range b.N {
		s.passes(scratch, a, false)
	}
}
