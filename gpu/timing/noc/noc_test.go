package noc_test

import (
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/option"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
	"github.com/lockstep-sim/lockstep/gpu/timing/noc"
)

func config(t testing.TB, text string) *noc.Config {
	t.Helper()
	c := &noc.Config{}
	if _, err := option.Read(c, "test", text); err != nil {
		t.Fatal(err)
	}
	return c
}

// flood keeps all queues of the wanted pairs full for a number of cycles and
// returns the packets moved, by input and output.
func flood(t testing.TB, c *noc.Config, s noc.Shape, p noc.Packet, until kit.Cycle, wanted func(in, out int) bool) [][]int {
	moved := make([][]int, s.Inputs)
	waiting := make([][]int, s.Inputs)
	for i := range moved {
		moved[i], waiting[i] = make([]int, s.Outputs), make([]int, s.Outputs)
	}
	x, err := noc.NewCrossbar(c, s, func(int) bool { return true }, func(in, out int, at kit.Cycle, p noc.Packet) {
		moved[in][out]++
		waiting[in][out]--
	})
	if err != nil {
		t.Fatal(err)
	}
	for now := range until {
		for in := range s.Inputs {
			for out := range s.Outputs {
				if wanted(in, out) && waiting[in][out] == 0 && x.Room(in) {
					waiting[in][out]++
					x.Push(now, in, out, p)
				}
			}
		}
		x.Step(now)
	}
	if err := x.Stats.Check(x.Inside()); err != nil {
		t.Error(err)
	}
	return moved
}

func TestCrossbarIsFair(t *testing.T) {
	for _, arbiter := range noc.Arbiters() {
		c := config(t, "buffer 64\narbiter "+arbiter)
		hot := flood(t, c, noc.Shape{Inputs: 70, Outputs: 3, InRate: 1, OutRate: 1}, noc.Packet{}, 7000, func(_, out int) bool { return out == 1 })
		for in := range hot {
			if n := hot[in][1]; n < 99 || n > 101 {
				t.Errorf("%s: input %d got %d of 7000 cycles of a hot output, its share is 100", arbiter, in, n)
			}
		}
		all := flood(t, c, noc.Shape{Inputs: 8, Outputs: 8, InRate: 1, OutRate: 1}, noc.Packet{}, 8000, func(int, int) bool { return true })
		total := 0
		for in := range all {
			for out, n := range all[in] {
				total += n
				if n < 900 || n > 1100 {
					t.Errorf("%s: input %d to output %d moved %d, its share is 1000", arbiter, in, out, n)
				}
			}
		}
		if total < 8*8000*97/100 {
			t.Errorf("%s: %d packets through a full crossbar of %d", arbiter, total, 8*8000)
		}
	}
}

func TestPacketsTakeAsManyCyclesAsTheyHaveFlits(t *testing.T) {
	c := config(t, "flit 40\nheader 8")
	for _, s := range []struct {
		p       noc.Packet
		in, out int
		cycles  int
	}{
		{noc.Packet{Kind: noc.Read, Sectors: 15}, 1, 1, 1},
		{noc.Packet{Kind: noc.Read, Sectors: 1, Reply: true}, 1, 1, 1},
		{noc.Packet{Kind: noc.Read, Sectors: 15, Reply: true}, 1, 1, 4},
		{noc.Packet{Kind: noc.Read, Sectors: 15, Reply: true}, 1, 2, 4},
		{noc.Packet{Kind: noc.Read, Sectors: 15, Reply: true}, 2, 2, 2},
		{noc.Packet{Kind: noc.Write, Sectors: 15, Full: 15}, 1, 1, 4},
		{noc.Packet{Kind: noc.Write, Sectors: 15, Full: 7}, 1, 1, 5},
		{noc.Packet{Kind: noc.Write, Sectors: 15, Reply: true}, 1, 1, 1},
		{noc.Packet{Kind: noc.Atomic, Sectors: 3}, 1, 1, 2},
		{noc.Packet{Kind: noc.Atomic, Sectors: 3, Reply: true}, 1, 1, 2},
		{noc.Packet{Kind: noc.Reduce, Sectors: 3}, 1, 1, 2},
		{noc.Packet{Kind: noc.Reduce, Sectors: 3, Reply: true}, 1, 1, 1},
	} {
		moved := flood(t, c, noc.Shape{Inputs: 1, Outputs: 1, InRate: s.in, OutRate: s.out}, s.p, 400, func(int, int) bool { return true })
		if n := moved[0][0]; n != 400/s.cycles {
			t.Errorf("%+v at %d:%d flits a cycle: %d packets in 400 cycles, want %d", s.p, s.in, s.out, n, 400/s.cycles)
		}
	}
}

func TestAGroupsLinkIsSharedByItsOutputs(t *testing.T) {
	c := config(t, "buffer 64")
	reply := noc.Packet{Kind: noc.Read, Sectors: 15, Reply: true} // four flits, 136 bytes
	s := noc.Shape{Inputs: 16, Outputs: 8, InRate: 4, OutRate: 2, Groups: 2, GroupRate: 102}
	all := flood(t, c, s, reply, 8000, func(int, int) bool { return true })
	for out := range 8 {
		n := 0
		for in := range all {
			n += all[in][out]
		}
		if want := 8000 * 3 / 4 / 4; n < want*97/100 || n > want*103/100 {
			t.Errorf("output %d got %d packets, its share is %d", out, n, want)
		}
	}
	alone := flood(t, c, s, reply, 8000, func(_, out int) bool { return out == 5 })
	n := 0
	for in := range alone {
		n += alone[in][5]
	}
	if n != 8000*2/4 {
		t.Errorf("an output alone got %d packets, it takes %d", n, 8000*2/4)
	}
}

func TestAFullReceiverHoldsOnlyItsOwnPackets(t *testing.T) {
	c := config(t, "")
	got := make([]int, 2)
	x, err := noc.NewCrossbar(c, noc.Shape{Inputs: 1, Outputs: 2, InRate: 1, OutRate: 1}, func(out int) bool { return out == 1 },
		func(_, out int, _ kit.Cycle, _ noc.Packet) { got[out]++ })
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		x.Push(0, 0, 0, noc.Packet{})
		x.Push(0, 0, 1, noc.Packet{})
	}
	for now := range kit.Cycle(20) {
		x.Step(now)
	}
	if got[0] != 0 || got[1] != 4 || x.Inside() != 4 || x.Stats.Blocked == 0 {
		t.Errorf("moved %v, inside %d, %+v", got, x.Inside(), x.Stats)
	}
}

func TestPortGivesNoMoreCreditThanItGetsBack(t *testing.T) {
	c := config(t, "latency 3\nreply_latency 5\nbuffer 2")
	dirty := false
	p := noc.NewPort(c, [2]*bool{&dirty, new(bool)})
	sent := 0
	for p.Send(0, noc.Packet{}) {
		sent++
	}
	if sent != 2+2*3 || !dirty {
		t.Errorf("%d packets sent on credit", sent)
	}
	if p.NextRequest() != kit.Never {
		t.Error("the network sees packets before an exchange")
	}
	p.Exchange()
	if _, ok := p.Take(2); ok {
		t.Error("a packet was faster than the wire")
	}
	if _, ok := p.Take(3); !ok {
		t.Error("a packet was slower than the wire")
	}
	p.Credit(4)
	p.Exchange()
	if p.CanSend(6) || !p.CanSend(7) {
		t.Error("a credit did not take the wire's time")
	}
	p.Deliver(10, noc.Packet{Tag: 7})
	p.Exchange()
	if k, ok := p.Receive(15); !ok || k.Tag != 7 || p.NextReply() != kit.Never {
		t.Errorf("got %+v", k)
	}
}

func TestUnknownArbiterNamesThoseThatExist(t *testing.T) {
	c := config(t, "arbiter fcfs")
	if _, err := noc.NewCrossbar(c, noc.Shape{Inputs: 1, Outputs: 1, InRate: 1, OutRate: 1}, nil, nil); err == nil {
		t.Error("accepted")
	}
}

func BenchmarkFullCrossbar(b *testing.B) {
	c := config(b, "buffer 16")
	b.ReportAllocs()
	s := noc.Shape{Inputs: 132, Outputs: 96, InRate: 1, OutRate: 1}
	n := 0
	var x *noc.Crossbar
	x, _ = noc.NewCrossbar(c, s, func(int) bool { return true }, func(in, out int, at kit.Cycle, p noc.Packet) { n++ })
	r := uint32(1)
	for now := kit.Cycle(0); n < b.N; now++ {
		for in := range s.Inputs {
			if x.Room(in) {
				r = r*1664525 + 1013904223
				x.Push(now, in, int(r>>8)%s.Outputs, noc.Packet{})
			}
		}
		x.Step(now)
	}
}
