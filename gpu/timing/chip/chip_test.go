package chip

import (
	"errors"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/models"
	"github.com/lockstep-sim/lockstep/gpu/option"
	"github.com/lockstep-sim/lockstep/gpu/stat"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
	"github.com/lockstep-sim/lockstep/gpu/timing/noc"
	"github.com/lockstep-sim/lockstep/gpu/timing/sm"
)

// script executes warps that run through code of so many instructions; with
// stuck, they then wait for ever. Every fourth instruction of one that stores is a
// store to a line of its own.
type script struct {
	length int32
	stuck  bool
	stores bool
	err    error
	pc     []int32
	ctas   []int // started, in order
}

func (s *script) SM(int) sm.Stepper { return s }

func (s *script) Fault(int) error { return s.err }

func (s *script) Next(warp int32) (int32, sm.State) {
	switch pc := s.pc[warp]; {
	case pc < s.length:
		return pc, sm.Ready
	case s.stuck:
		return pc, sm.Blocked
	default:
		return pc, sm.Ended
	}
}

func (s *script) Expire(int32) {}

func (s *script) Step(warp int32, _ kit.Cycle) *isa.Effect {
	e := &isa.Effect{Mask: isa.Full}
	if s.stores && s.pc[warp]%4 == 0 {
		e.Accesses = []isa.Access{{Space: isa.Global, Write: true, Bytes: 4, Addr: uint64(warp)<<16 + uint64(s.pc[warp])*128}}
	}
	s.pc[warp]++
	if s.pc[warp] == s.length && !s.stuck {
		e.Exited = isa.Full
	}
	return e
}

func (s *script) Start(index, _ int) int32 {
	first := int32(len(s.pc))
	s.pc = append(s.pc, 0, 0)
	s.ctas = append(s.ctas, index)
	return first
}

func (s *script) End(int32) {}

const round = "clock.core 1000\nclock.fabric 1000\nclock.dram 1000\nl2.channels 4\nl2.slices_per_channel 1\nl2.latency 50\nl2.memory_latency 50\nl1.sets 4\nlaunch.latency 100\n"

func newChip(t *testing.T, sms int, s *script, overrides string) *Chip {
	t.Helper()
	c, err := Load("test", round+overrides)
	if err != nil {
		t.Fatal(err)
	}
	x, err := New(c, sms, 1, s)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// grid is a launch of CTAs of two warps.
func (s *script) grid(c *Chip, ctas int) *Grid {
	insts := make([]sm.Inst, s.length+1)
	for i := range insts {
		insts[i].Timing = c.config.SM.Timing(isa.ALU, isa.Fixed, isa.U32)
		if s.stores && i%4 == 0 {
			insts[i] = sm.Inst{Timing: c.config.SM.Timing(isa.LSU, isa.Variable, isa.U32), Mem: sm.StoreGlobal, Words: 1}
		}
		insts[i].Branch = i == int(s.length)-1
	}
	code := sm.NewCode(c.Place(1<<16), c.Place(256), insts)
	return &Grid{Name: "k", Total: ctas, CTAs: s, Shape: sm.CTA{Warps: 2, Registers: 32, Code: code}}
}

func launch(t *testing.T, c *Chip, g *Grid) {
	t.Helper()
	if err := c.Launch(g); err != nil {
		t.Fatal(err)
	}
}

func TestAGridEndsAndAllIsAccountedFor(t *testing.T) {
	s := &script{length: 40}
	c := newChip(t, 3, s, "")
	g := s.grid(c, 50)
	launch(t, c, g)
	if err := c.Run(g, 1<<30); err != nil {
		t.Fatal(err)
	}
	r := &g.Report
	if r.SM.Warp != 50*2*40 || r.SM.CTAs != 50 || r.SM.CTAsEnded != 50 {
		t.Errorf("%d instructions, %d CTAs", r.SM.Warp, r.SM.CTAs)
	}
	slots := uint64(0)
	for _, n := range r.SM.Slots {
		slots += n
	}
	if want := r.SM.Cycles * uint64(c.config.SM.Limits.SubCores); slots != want {
		t.Errorf("%d issue slots have a fate, of %d", slots, want)
	}
	if r.Start-r.Launched != 100 || r.End <= r.Start {
		t.Errorf("launched at %d, started at %d, ended at %d", r.Launched, r.Start, r.End)
	}
	if err := errors.Join(c.Drain(), c.Check()); err != nil {
		t.Error(err)
	}
}

func TestCountersOfAGridThatEndsAloneAreAllOfIts(t *testing.T) {
	s := &script{length: 40, stores: true}
	c := newChip(t, 3, s, "l1.write through\nl1.write_allocate none\nl2.sets 1\nl2.ways 2\nlaunch.latency 2000\n")
	var sum Totals
	for n := range 3 {
		g := s.grid(c, 10+n)
		launch(t, c, g)
		if err := c.Run(g, 1<<30); err != nil {
			t.Fatal(err)
		}
		r := &g.Report
		if want := uint64(g.Total * 2 * 10); r.Memory.Requests[noc.Write] != want || r.Memory.Replies[noc.Write] != want || r.LSU.Sent-r.LSU.Lines != want {
			t.Errorf("%d stores, %d requests, %d replies", want, r.Memory.Requests[noc.Write], r.Memory.Replies[noc.Write])
		}
		if d := &r.DRAM; d.Requests != d.Finished || d.Requests[1] < uint64(g.Total*2*10-8) {
			t.Errorf("memory was asked %d times and has finished %d, of %d stores", d.Requests, d.Finished, g.Total*2*10)
		}
		if r.Up.Accepted != r.Up.Moved || r.Down.Accepted != r.Down.Moved {
			t.Errorf("packets entered the network %d and %d times and left it %d and %d times", r.Up.Accepted, r.Down.Accepted, r.Up.Moved, r.Down.Moved)
		}
		if late := c.Now() - r.End; late > c.beat {
			t.Errorf("the grid ended at %d, and it is %d", r.End, c.Now())
		}
		stat.Add(stat.List(&sum), stat.List(&r.Totals))
	}
	if err := errors.Join(c.Drain(), c.Check()); err != nil {
		t.Error(err)
	}
	if all := c.Totals(); sum != all {
		t.Errorf("the grids counted\n%+v, all\n%+v", sum, all)
	}
}

func TestTheOrderOfRunsDoesNotChangeTime(t *testing.T) {
	var ends []kit.Cycle
	for _, budget := range []int{1, 300, 1 << 30} {
		s := &script{length: 25}
		c := newChip(t, 2, s, "")
		a, b := s.grid(c, 20), s.grid(c, 30)
		launch(t, c, a)
		launch(t, c, b)
		for !a.Done() || !b.Done() {
			for _, g := range []*Grid{a, b} {
				if err := c.Run(g, budget); err != nil {
					t.Fatal(err)
				}
			}
		}
		ends = append(ends, a.Report.End, b.Report.End)
	}
	if ends[0] != ends[2] || ends[0] != ends[4] || ends[1] != ends[3] || ends[1] != ends[5] {
		t.Errorf("two grids end at %v", ends)
	}
}

// How many threads simulate, and how long they go without looking at one another, are the simulator's
// affair.
func TestThreadsAndQuantaDecideNothing(t *testing.T) {
	var reports [][2]Report
	for _, how := range []struct {
		threads int
		beat    kit.Cycle
		way     string
	}{{1, 1, "apart"}, {1, 20, "apart"}, {2, 20, "apart"}, {4, 7, "apart"}, {3, 20, "clusters"}, {1, 1, "clusters"}, {2, 20, "ordered"}, {1, 3, "ordered"}} {
		s := &script{length: 70}
		c := newChip(t, 13, s, "noc.groups 3\n")
		c.beat, c.crew.threads, c.crew.least = how.beat, how.threads, 0
		a, b := s.grid(c, 80), s.grid(c, 90)
		a.Ordered = how.way == "ordered"
		if how.way == "clusters" {
			b.Cluster = 2
		}
		launch(t, c, a)
		launch(t, c, b)
		for _, g := range []*Grid{a, b} {
			if err := c.Run(g, 1<<30); err != nil {
				t.Fatal(err)
			}
		}
		got := [2]Report{a.Report, b.Report}
		for i := range got { // a quantum's rest is counted, and whether the other grid's is part of it
			got[i].Totals, got[i].chip = Totals{}, nil
		}
		if err := errors.Join(c.Drain(), c.Check()); err != nil {
			t.Error(err)
		}
		if how.way != "clusters" {
			reports = append(reports, got)
		}
	}
	for _, r := range reports[1:] {
		if r != reports[0] {
			t.Errorf("the grids take\n%+v, and\n%+v", reports[0], r)
		}
	}
}

// Two beats at once leave the same as one after another: when grids begin and end, and thus how those that
// follow find the clocks of the other parts.
func TestTheLengthOfQuantaDecidesNothing(t *testing.T) {
	var reports [][]Report
	for _, how := range []struct {
		dense   kit.Cycle
		threads int
	}{{kit.Never >> 32, 1}, {0, 1}, {1, 1}, {0, 3}} {
		s := &script{}
		c := newChip(t, 13, s, "noc.groups 3\nclock.fabric 810\nclock.dram 1310\n")
		c.dense, c.crew.threads, c.crew.least = how.dense, how.threads, 0
		var got []Report
		for k := range 12 {
			s.length = int32(5 + 17*k)
			g := s.grid(c, 1+29*k)
			launch(t, c, g)
			for !g.Done() {
				if err := c.Run(g, 1<<13); err != nil {
					t.Fatal(err)
				}
			}
			r := g.Report
			r.Totals, r.chip = Totals{SM: r.SM}, nil
			got = append(got, r)
		}
		if err := errors.Join(c.Drain(), c.Check()); err != nil {
			t.Error(err)
		}
		reports = append(reports, got)
	}
	for _, r := range reports[1:] {
		for k := range r {
			if r[k] != reports[0][k] {
				t.Errorf("grid %d:\n%+v, and\n%+v", k, reports[0][k], r[k])
			}
		}
	}
}

func TestADeadlockNamesWhoWaits(t *testing.T) {
	s := &script{length: 10, stuck: true}
	c := newChip(t, 1, s, "")
	g := s.grid(c, 1)
	launch(t, c, g)
	var d *Deadlock
	if err := c.Run(g, 1<<30); !errors.As(err, &d) {
		t.Fatalf("got %v", err)
	}
	if len(d.Waits) != 2 || d.Waits[0].Why != sm.WaitBarrier || !strings.Contains(d.Error(), "2 warps wait; SM 0 warp 0 at instruction 10, barrier since cycle") {
		t.Errorf("got %v", d)
	}
}

func TestALimitOfCyclesEndsAGrid(t *testing.T) {
	s := &script{length: 1000}
	c := newChip(t, 1, s, "")
	g := s.grid(c, 4)
	g.Limit = 500
	launch(t, c, g)
	if err := c.Run(g, 1<<30); err == nil || !strings.Contains(err.Error(), "limit of 500 cycles") {
		t.Errorf("got %v", err)
	}
}

func TestCTAsAreDealtOutInTurn(t *testing.T) {
	s := &script{length: 400}
	c := newChip(t, 4, s, "")
	g := s.grid(c, 8)
	launch(t, c, g)
	for g.Running() < 8 {
		if err := c.Run(g, 1); err != nil {
			t.Fatal(err)
		}
	}
	for n := range c.cores {
		if x := &c.cores[n]; x.Resident() != 2 {
			t.Errorf("SM %d has %d CTAs, want 2", n, x.Resident())
		}
	}
	for i, index := range s.ctas {
		if i != index {
			t.Errorf("CTAs start in the order %v", s.ctas)
			break
		}
	}
}

func TestPlacementsChooseTheSMsOfCTAs(t *testing.T) {
	for policy, want := range map[string][4]int{"turns": {2, 2, 1, 1}, "fill": {6, 0, 0, 0}, "fewest": {2, 2, 1, 1}} {
		s := &script{length: 4000}
		c := newChip(t, 4, s, "launch.sm_interval 1\nlaunch.warp_interval 0\nlaunch.placement "+policy+"\n")
		g := s.grid(c, 6)
		launch(t, c, g)
		for g.Running() < 6 {
			if err := c.Run(g, 1); err != nil {
				t.Fatal(err)
			}
		}
		var got [4]int
		for n := range c.cores {
			got[n] = c.cores[n].Resident()
		}
		if got != want {
			t.Errorf("%s: SMs have %v CTAs, want %v", policy, got, want)
		}
	}
	c, err := Load("test", round+"launch.placement nowhere\n")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(c, 1, 1, nil); err == nil || !strings.Contains(err.Error(), "fewest, fill, turns") {
		t.Errorf("got %v", err)
	}
}

func TestWhatDoesNotFitIsRefused(t *testing.T) {
	s := &script{length: 1}
	c := newChip(t, 1, s, "")
	g := s.grid(c, 1)
	g.Shape.Shared = 1 << 20
	if err := c.Launch(g); err == nil || !strings.Contains(err.Error(), "does not fit") {
		t.Errorf("got %v", err)
	}
}

func TestParametersOfAllModelsHaveUniqueNamesAndDescriptions(t *testing.T) {
	for _, name := range models.Names() {
		gpu, err := models.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		c := &Config{}
		if _, err := models.Read(name, c); err != nil {
			t.Fatal(err)
		}
		if _, err := New(c, int(gpu.SM.Count), 1, &script{}); err != nil {
			t.Error(err)
		}
		seen := map[string]bool{}
		for _, s := range append(option.List(gpu), option.List(c)...) {
			if seen[s.Name] || s.Doc == "" {
				t.Errorf("%s: parameter %s is named twice or has no description", name, s.Name)
			}
			seen[s.Name] = true
		}
	}
}

func TestAnSMsTimeEndsWithItsLastWarpAndDoesNotWaitForItsStores(t *testing.T) {
	took := func(stores bool, more string) *Report {
		s := &script{length: 8, stores: stores}
		c := newChip(t, 2, s, more)
		g := s.grid(c, 2)
		launch(t, c, g)
		if err := c.Run(g, 1<<30); err != nil {
			t.Fatal(err)
		}
		return &g.Report
	}
	plain, late := took(false, ""), took(false, "launch.first 200\n")
	if late.Active != plain.Active+200 {
		t.Errorf("an SM takes %d cycles, and %d if its first CTA waits for 200", plain.Active, late.Active)
	}
	if stores := took(true, ""); stores.Busy() < stores.Active+20 || stores.Active > plain.Active+50 {
		t.Errorf("with stores an SM takes %d cycles and the grid %d; without %d and %d", stores.Active, stores.Busy(), plain.Active, plain.Busy())
	}
}
