package dram_test

import (
	"math/rand/v2"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/option"
	"github.com/lockstep-sim/lockstep/gpu/timing/dram"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

const line = 128

func config(t testing.TB, text string) *dram.Config {
	t.Helper()
	c := &dram.Config{}
	if _, err := option.Read(c, "test", text); err != nil {
		t.Fatal(err)
	}
	return c
}

func channel(t testing.TB, c *dram.Config) *dram.Channel {
	t.Helper()
	ch, err := dram.New(c, line)
	if err != nil {
		t.Fatal(err)
	}
	return ch
}

// rig drives a channel from event to event.
type rig struct {
	*dram.Channel
	now  kit.Cycle
	came []came
}

type came struct {
	tag uint32
	at  kit.Cycle
}

func (r *rig) push(q dram.Request) {
	r.Reserve(q.Write)
	r.Push(r.now, q)
}

// drain runs until nothing is left.
func (r *rig) drain() {
	for {
		next := r.Step(r.now)
		for {
			tag, ok := r.Pop(r.now)
			if !ok {
				break
			}
			r.came = append(r.came, came{tag, r.now})
		}
		if next = min(next, r.NextDone()); next == kit.Never {
			return
		}
		r.now = next
	}
}

// latency is how long one read takes by itself.
func (r *rig) latency(addr uint64) kit.Cycle {
	start := r.now
	r.push(dram.Request{Addr: addr, Atoms: 1})
	r.drain()
	return r.came[len(r.came)-1].at - start
}

func TestRowLatenciesAreTheSumsOfTheTimingTable(t *testing.T) {
	for _, text := range []string{"refresh none\nbank_hash 0", "refresh none\nbank_hash 0\nscheduler fcfs\ntrcd 13\ntrp 17\ntcl 11\nburst 4\ntccds 4\ntccdl 5"} {
		c := config(t, text)
		r := &rig{Channel: channel(t, c)}
		d := c.Timing
		next := uint64(c.Row * c.Groups * c.Banks) // the next row of the same bank
		for _, step := range []struct {
			name       string
			wait, want kit.Cycle
			addr       uint64
		}{
			{"closed bank", 0, d.RCD + d.CL + d.Burst, 0},
			{"open row", 200, d.CL + d.Burst, 0},
			{"other row", 200, d.RP + d.RCD + d.CL + d.Burst, next},
			{"same row again", 200, d.CL + d.Burst, next},
			{"another bank", 200, d.RCD + d.CL + d.Burst, line},
		} {
			r.now += step.wait
			if got := r.latency(step.addr); got != step.want {
				t.Errorf("%s: %d cycles, want %d", step.name, got, step.want)
			}
		}
		if s := r.Stats; s.RowHits != 2 || s.RowMisses != 2 || s.Conflicts != 1 {
			t.Errorf("got %+v", s)
		}
		if err := r.Stats.Check(r.Waiting()); err != nil {
			t.Error(err)
		}
	}
}

func TestAnEarlyPrechargeWaitsForTheRow(t *testing.T) {
	c := config(t, "refresh none\nbank_hash 0")
	r := &rig{Channel: channel(t, c)}
	d := c.Timing
	r.push(dram.Request{Addr: 0, Atoms: 1, Tag: 0})
	r.push(dram.Request{Addr: uint64(c.Row * c.Groups * c.Banks), Atoms: 1, Tag: 1})
	r.drain()
	if want := max(d.RAS, d.RCD+d.RTP) + d.RP; r.came[1].at != max(want, d.RC)+d.RCD+d.CL+d.Burst {
		t.Errorf("the second row's data came at %d", r.came[1].at)
	}
}

func TestFRFCFSPrefersRowHitsWithoutStarvingOthers(t *testing.T) {
	c := config(t, "refresh none\nbank_hash 0\nqueue 1000\nstarve 300")
	other := uint64(c.Row * c.Groups * c.Banks)
	order := func(scheduler string) (position int, at kit.Cycle) {
		c.Scheduler = scheduler
		r := &rig{Channel: channel(t, c)}
		r.push(dram.Request{Addr: 0, Atoms: 1, Tag: 0})
		r.push(dram.Request{Addr: other, Atoms: 1, Tag: 1})
		for i := range uint32(500) {
			r.push(dram.Request{Addr: 0, Atoms: 1, Tag: 2 + i})
		}
		r.drain()
		for i, k := range r.came {
			if k.tag == 1 {
				return i, k.at
			}
		}
		t.Fatal("the other row was never read")
		return 0, 0
	}
	if p, _ := order("fcfs"); p != 1 {
		t.Errorf("fcfs served the second request as number %d", p)
	}
	if p, at := order("frfcfs"); p < 10 || p > 200 || at > 300+200 {
		t.Errorf("frfcfs served the other row as number %d at %d; it prefers hits for 300 cycles", p, at)
	}
}

func TestRefreshStalls(t *testing.T) {
	for _, kind := range []string{"all", "bank"} {
		c := config(t, "bank_hash 0\nrefresh "+kind)
		d := c.Timing
		r := &rig{Channel: channel(t, c)}
		n := kit.Cycle(c.Groups * c.Banks)
		if kind == "all" {
			n = 1
		}
		r.now = d.REFI / n // of bank 0
		if got, want := r.latency(0), d.RFC+d.RCD+d.CL+d.Burst; got != want {
			t.Errorf("%s: a read at the refresh took %d, want %d", kind, got, want)
		}
		r.now = 10*d.REFI + d.REFI/2 // others were slept through; the row is closed
		other := uint64(0)
		if kind == "bank" {
			other = uint64(c.Row*c.Groups*c.Banks) / 2 // a bank far from the one refreshed now
		}
		if got, want := r.latency(other), d.RCD+d.CL+d.Burst; kind == "all" && got != want {
			t.Errorf("%s: a read between refreshes took %d, want %d", kind, got, want)
		}
		if r.Stats.Refreshes < 10*uint64(n) {
			t.Errorf("%s: %d refreshes in ten intervals", kind, r.Stats.Refreshes)
		}
	}
}

// stream reads or writes consecutive lines as fast as the queues take them and
// returns the share of the data bus's time.
func stream(t testing.TB, c *dram.Config, lines int, isWrite bool) float64 {
	r := &rig{Channel: channel(t, c)}
	next, sent := kit.Cycle(0), 0
	for sent < lines || r.Waiting() > 0 {
		for sent < lines && r.Reserve(isWrite) {
			r.Push(next, dram.Request{Addr: uint64(sent) * line, Atoms: line / c.Atom, Write: isWrite})
			sent++
		}
		n := r.Step(next)
		for {
			if _, ok := r.Pop(next); !ok {
				break
			}
		}
		next = max(next+1, min(n, next+100))
	}
	if err := r.Stats.Check(0); err != nil {
		t.Error(err)
	}
	return float64(r.Stats.Busy) / float64(next)
}

func TestStreamsFillTheDataBusExceptDuringRefresh(t *testing.T) {
	for _, isWrite := range []bool{false, true} {
		c := config(t, "refresh none")
		if share := stream(t, c, 20000, isWrite); share < 0.97 {
			t.Errorf("write %v: %.3f of the bus without refresh", isWrite, share)
		}
		c = config(t, "")
		want := 1 - float64(c.Timing.RFC)/float64(c.Timing.REFI)
		if share := stream(t, c, 100000, isWrite); share < want*0.97 || share > want*1.005 {
			t.Errorf("write %v: %.3f of the bus with refresh, want %.3f", isWrite, share, want)
		}
	}
}

func TestOneBankGroupIsBoundByTheLongColumnDistance(t *testing.T) {
	c := config(t, "refresh none\nbank_groups 1\nbanks 16")
	want := float64(c.Timing.Burst) / float64(c.Timing.CCDL)
	if share := stream(t, c, 20000, false); share < want*0.97 || share > want*1.01 {
		t.Errorf("%.3f of the bus, want %.3f", share, want)
	}
}

func TestFourActivationsFitInTheirWindow(t *testing.T) {
	c := config(t, "refresh none\nbank_hash 0\ntfaw 100\nmap group,bank,column,row")
	r := &rig{Channel: channel(t, c)}
	for i := range uint64(8) {
		r.push(dram.Request{Addr: i * line, Atoms: 1, Tag: uint32(i)})
	}
	r.drain()
	if d := r.came[4].at - r.came[0].at; d != 100 {
		t.Errorf("the fifth activation came %d after the first, want 100", d)
	}
}

func TestAReadAfterAWriteWaitsForTheTurnaround(t *testing.T) {
	c := config(t, "refresh none\nbank_hash 0")
	d := c.Timing
	r := &rig{Channel: channel(t, c)}
	r.latency(0)
	r.now += 100
	start := r.now
	r.push(dram.Request{Addr: 0, Atoms: 1, Write: true})
	r.Step(r.now)
	r.push(dram.Request{Addr: 0, Atoms: 1})
	r.drain()
	if got, want := r.came[1].at-start, d.WL+d.Burst+d.WTRL+d.CL+d.Burst; got != want {
		t.Errorf("%d cycles, want %d", got, want)
	}
}

func TestSimpleMemoryHasOneLatencyAndAllTheBandwidth(t *testing.T) {
	c := config(t, "simple 1")
	r := &rig{Channel: channel(t, c)}
	for i := range uint64(5) {
		r.now += 1000
		if got, want := r.latency(i<<20), c.Timing.CL+c.Timing.Burst; got != want {
			t.Errorf("%d cycles, want %d", got, want)
		}
	}
	if share := stream(t, c, 20000, false); share < 0.99 {
		t.Errorf("%.3f of the bus", share)
	}
}

func TestRandomTrafficKeepsTheLaws(t *testing.T) {
	for _, text := range []string{"scheduler fcfs", "scheduler frfcfs", "simple 1", "refresh bank\nmap bank,column,group,row\nbank_hash 0\ndual_bus 0"} {
		c := config(t, text)
		r := &rig{Channel: channel(t, c)}
		rng := rand.New(rand.NewPCG(1, 1))
		reads := 0
		for range 2000 {
			for range rng.IntN(60) {
				w := rng.IntN(3) == 0
				if r.Reserve(w) {
					r.Push(r.now, dram.Request{Addr: rng.Uint64N(1<<22) * line, Atoms: 1 + rng.IntN(2), Write: w})
					if !w {
						reads++
					}
				}
			}
			for range rng.IntN(40) {
				r.Step(r.now)
				r.now++
			}
		}
		r.drain()
		for {
			if _, ok := r.Pop(kit.Never - 1); !ok {
				break
			}
			r.came = append(r.came, came{})
		}
		if err := r.Stats.Check(0); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if len(r.came) != reads {
			t.Errorf("%s: %d reads came of %d", text, len(r.came), reads)
		}
	}
}

func TestBadConfigurationsAreRefused(t *testing.T) {
	for _, text := range []string{"bank_groups 3", "banks 32", "row 100", "map column,bank,row", "map group,group,column,bank,row", "map row,bank,column,group", "scheduler random", "refresh hourly", "trfc 7000", "write_low 60", "burst 0"} {
		if _, err := dram.New(config(t, text), line); err == nil {
			t.Errorf("accepted %q", text)
		}
	}
}

func BenchmarkStream(b *testing.B) {
	c := config(b, "")
	b.ReportAllocs()
	stream(b, c, b.N, false)
}

func BenchmarkRandom(b *testing.B) {
	c := config(b, "")
	r := &rig{Channel: channel(b, c)}
	rng := rand.New(rand.NewPCG(1, 1))
	b.ReportAllocs()
	for sent := 0; sent < b.N; {
		for sent < b.N && r.Reserve(false) {
			r.Push(r.now, dram.Request{Addr: rng.Uint64N(1<<22) * line, Atoms: 2})
			sent++
		}
		n := r.Step(r.now)
		for {
			if _, ok := r.Pop(r.now); !ok {
				break
			}
		}
		r.now = max(r.now+1, min(n, r.now+100))
	}
}
