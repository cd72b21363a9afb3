package memory_test

import (
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/option"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
	"github.com/lockstep-sim/lockstep/gpu/timing/memory"
	"github.com/lockstep-sim/lockstep/gpu/timing/noc"
)

const round = "clock.core 1000\nclock.fabric 1000\nclock.dram 1000\nl2.channels 3\nl2.slices_per_channel 2\nl2.latency 50\nl2.memory_latency 30\n"

func system(t testing.TB, text string) *memory.System {
	t.Helper()
	c := &memory.Config{}
	if _, err := option.Read(c, "test", round+text); err != nil {
		t.Fatal(err)
	}
	s, err := memory.New(c, 2)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ask sends packets from SM 0 and returns when the replies came, by tag.
func ask(t testing.TB, s *memory.System, now *kit.Cycle, packets ...noc.Packet) []kit.Cycle {
	t.Helper()
	came, start := make([]kit.Cycle, len(packets)), *now
	for i, p := range packets {
		p.Tag = uint32(i)
		if !s.Port(0).Send(start, p) {
			t.Fatal("no credit")
		}
	}
	for left := len(packets); left > 0; {
		s.Advance(*now)
		for {
			p, ok := s.Port(0).Receive(*now)
			if !ok {
				break
			}
			if !p.Reply || p.Kind != packets[p.Tag].Kind || p.Addr != packets[p.Tag].Addr {
				t.Errorf("%+v is no reply to %+v", p, packets[p.Tag])
			}
			came[p.Tag] = *now - start
			left--
		}
		next := min(s.Next(), s.Port(0).NextReply())
		if next == kit.Never && left > 0 {
			t.Fatalf("%d requests are never answered", left)
		}
		if next != kit.Never {
			*now = max(*now+1, next)
		}
	}
	return came
}

func TestRequestsToOneLineMergeBelowL2(t *testing.T) {
	s, now := system(t, ""), kit.Cycle(0)
	read := noc.Packet{Kind: noc.Read, Addr: 0x1000, Sectors: 0b0011}
	ask(t, s, &now, read, read, read)
	if l2, d := s.L2(), s.DRAM(); l2.ReadMisses != 1 || l2.ReadMerged != 2 || d.Requests[0] != 1 {
		t.Errorf("%+v, %d memory reads", l2, d.Requests[0])
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
}

func TestWritesStayInL2UntilItIsFlushed(t *testing.T) {
	for flush, want := range map[string]uint64{"0": 0, "1": 4} {
		s, now := system(t, "l2.flush "+flush), kit.Cycle(0)
		var writes []noc.Packet
		for i := range uint64(4) {
			writes = append(writes, noc.Packet{Kind: noc.Write, Addr: i * 4096, Sectors: 0b1111, Full: 0b1111})
		}
		ask(t, s, &now, writes...)
		if d := s.DRAM(); d.Requests != [2]uint64{} {
			t.Errorf("writes reached memory: %+v", d.Requests)
		}
		s.EndKernel()
		for range 5000 {
			now++
			s.Advance(now)
		}
		if d := s.DRAM(); d.Finished[1] != want {
			t.Errorf("flush %s: %d lines written back, want %d", flush, d.Finished[1], want)
		}
		if err := s.Check(); err != nil || !s.Idle() {
			t.Errorf("idle %v, %v", s.Idle(), err)
		}
	}
}

func TestAnIdealL2NeverReadsMemory(t *testing.T) {
	s, now := system(t, "l2.ideal 1"), kit.Cycle(0)
	ask(t, s, &now, noc.Packet{Kind: noc.Read, Addr: 0x4000, Sectors: 3}, noc.Packet{Kind: noc.Read, Addr: 0x8000, Sectors: 3})
	if l2, d := s.L2(), s.DRAM(); l2.ReadHits != 2 || d.Requests[0] != 0 {
		t.Errorf("%+v, %+v", l2, d)
	}
}

func TestAtomicsOnOneAddressTakeTurns(t *testing.T) {
	time := func(depth uint8) kit.Cycle {
		s, now := system(t, "l2.atomic_same 8\nl2.atomic 1"), kit.Cycle(0)
		s.Install(0, 128)
		atomic := noc.Packet{Kind: noc.Atomic, Sectors: 1, Lanes: 32, Depths: [4]uint8{depth}}
		came := ask(t, s, &now, atomic, atomic)
		return came[1]
	}
	if d := time(32) - time(1); d != 122 {
		t.Errorf("the second of two atomics of 32 lanes on one address comes %d cycles after that on 32 addresses, want 122, 61 for each", d)
	}
}

func TestAtomicsDirtyWhatTheyFetch(t *testing.T) {
	s, now := system(t, "l2.flush 1"), kit.Cycle(0)
	ask(t, s, &now, noc.Packet{Kind: noc.Reduce, Addr: 0, Sectors: 1, Lanes: 1, Depths: [4]uint8{1}})
	s.EndKernel()
	for range 2000 {
		now++
		s.Advance(now)
	}
	if d := s.DRAM(); d.Finished != [2]uint64{1, 1} {
		t.Errorf("memory reads and writes %v, want one each", d.Finished)
	}
}

func TestAnIdleSystemHasNoNextCycle(t *testing.T) {
	s, now := system(t, "dram.refresh none"), kit.Cycle(0)
	if s.Next() != kit.Never {
		t.Errorf("an untouched system wants to run at %d", s.Next())
	}
	ask(t, s, &now, noc.Packet{Kind: noc.Read, Sectors: 1})
	steps := 0
	for s.Next() != kit.Never {
		now = max(now+1, s.Next())
		s.Advance(now)
		if steps++; steps > 100 {
			t.Fatalf("the system is busy with nothing; next %d at %d", s.Next(), now)
		}
	}
}

func TestCopiesMakeTheSecondReadOfAFarLineNear(t *testing.T) {
	for _, text := range []string{"l2.channels 4", "l2.channels 3", "l2.channels 7\nl2.partitions 3"} {
		s, now := system(t, "l2.partitions 2\nl2.far 40\nl2.copies 1\nl2.fetch 64\n"+text), kit.Cycle(0)
		var near, far uint64
		for a := uint64(0); near == 0 || far == 0; a += 256 {
			if _, isNear := s.Slice(a, 0); isNear {
				near = a
			} else {
				far = a
			}
		}
		s.Install(near, 128)
		s.Install(far, 128)
		read := func(addr uint64) kit.Cycle {
			return ask(t, s, &now, noc.Packet{Kind: noc.Read, Addr: addr, Sectors: 1})[0]
		}
		base := read(near)
		if first := read(far); first != base+41 {
			t.Errorf("%q: the first read of a far line takes %d, a near one %d", text, first, base)
		}
		if second := read(far); second != base {
			t.Errorf("%q: the second read takes %d, a near one %d", text, second, base)
		}
		ask(t, s, &now, noc.Packet{Kind: noc.Write, Addr: far, Sectors: 1, Full: 1})
		if third := read(far); third != base+41 {
			t.Errorf("%q: a read after a write takes %d: the copy is stale", text, third)
		}
		ask(t, s, &now, noc.Packet{Kind: noc.Atomic, Addr: far, Sectors: 1, Lanes: 1, Depths: [4]uint8{1}})
		if fourth := read(far); fourth != base+41 {
			t.Errorf("%q: a read after an atomic takes %d: the copy is stale", text, fourth)
		}
		if err := s.Check(); err != nil || s.Stats.CopyHits != 1 || s.Stats.CopyMisses != 3 {
			t.Errorf("%q: %v, %+v", text, err, s.Stats)
		}
	}
}

// Each line is read from memory once, whatever lines beside it have the same place in a slice.
func TestNoLineIsTakenForAnother(t *testing.T) {
	const copies = "l2.partitions 2\nl2.copies 1\n"
	for _, text := range []string{
		"l2.channels 1\nl2.slices_per_channel 1", copies + "l2.channels 2\nl2.slices_per_channel 1", copies + "l2.channels 3\nl2.slices_per_channel 1",
		copies + "l2.channels 4\nl2.slices_per_channel 1", copies + "l2.channels 4", copies + "l2.channels 16",
	} {
		s, now := system(t, "l2.far 40\n"+text), kit.Cycle(0)
		lines := uint64(0)
		for _, window := range []uint64{0, noc.LocalWindow, noc.MapWindow, noc.CodeWindow} {
			for a := window; a < window+32*256; a += 256 {
				ask(t, s, &now, noc.Packet{Kind: noc.Read, Addr: a, Sectors: 15})
				lines++
			}
		}
		if n := s.DRAM().Requests[0]; n != lines {
			t.Errorf("%q: memory was asked for %d lines, want %d", text, n, lines)
		}
	}
}

// Two slices whose lines are all copies of the other's, each with a sector that is missing.
func TestCopiesThatAwaitSectorsGiveWay(t *testing.T) {
	s, now := system(t, "l2.channels 2\nl2.slices_per_channel 1\nl2.partitions 2\nl2.far 40\nl2.copies 1\nl2.sets 1\nl2.ways 2\ndram.refresh none"), kit.Cycle(0)
	var far [2][]uint64 // by SM
	for a := uint64(0); len(far[0]) < 2 || len(far[1]) < 2; a += 256 {
		for sm := range far {
			if _, near := s.Slice(a, sm); !near && len(far[sm]) < 2 {
				far[sm] = append(far[sm], a)
			}
		}
	}
	for sector := range 4 {
		left := 0
		for sm := range far {
			for _, a := range far[sm] {
				s.Port(sm).Send(now, noc.Packet{Kind: noc.Read, Addr: a, Sectors: 1 << sector})
				left++
			}
		}
		for left > 0 {
			s.Advance(now)
			next := s.Next()
			for sm := range far {
				for _, ok := s.Port(sm).Receive(now); ok; _, ok = s.Port(sm).Receive(now) {
					left--
				}
				next = min(next, s.Port(sm).NextReply())
			}
			if next == kit.Never && left > 0 {
				t.Fatalf("sector %d: %d reads are never answered", sector, left)
			}
			if next != kit.Never {
				now = max(now+1, next)
			}
		}
	}
}

func TestEverySliceGetsItsShareOfTheAddresses(t *testing.T) {
	s := system(t, "l2.partitions 3")
	share, near := map[int]int{}, 0
	for a := uint64(0); a < 6*256*100; a += 256 {
		slice, isNear := s.Slice(a, 1)
		share[slice]++
		if isNear {
			near++
		}
	}
	for slice := range 6 {
		if share[slice] != 100 {
			t.Errorf("slice %d has %d of 600 blocks", slice, share[slice])
		}
	}
	if near != 200 {
		t.Errorf("%d of 600 blocks are near, want a third", near)
	}
}

func TestBadConfigurationsAreRefused(t *testing.T) {
	for _, text := range []string{"l2.channels 0", "clock.dram 0", "l2.interleave 64", "l2.line 0", "l2.line 32", "l2.interleave 300", "l2.hash pae", "l2.sets 0", "dram.banks 5", "noc.buffer 0", "noc.arbiter x", "l2.channels 2000"} {
		c := &memory.Config{}
		if _, err := option.Read(c, "test", round+text); err != nil {
			t.Fatal(err)
		}
		if _, err := memory.New(c, 2); err == nil || strings.Contains(err.Error(), "panic") {
			t.Errorf("accepted %q", text)
		}
	}
}
