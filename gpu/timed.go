package gpu

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/lockstep-sim/lockstep/gpu/exec"
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/mem"
	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
	"github.com/lockstep-sim/lockstep/gpu/timing/program"
	"github.com/lockstep-sim/lockstep/gpu/timing/sm"
)

// timed joins the engine, which knows data, and the chip, which knows time.
type timed struct {
	config   *chip.Config
	chip     *chip.Chip
	steps    steps
	programs map[*isa.Kernel]*program.Program

	scheduler *program.Scheduler
	leaving   atomic.Bool
	fault     error // for which the chip stands still for good
	limit     kit.Cycle
	elapsed   func(time.Duration)
	report    func(*chip.Report)
	progress  func(*chip.Grid, kit.Cycle)
	warn      func(string)
	tracer    *tracer // nil for no trace

	transfers []*Transfer          // under way
	lanes     [chip.Ways]kit.Cycle // when copies of a way can begin
}

func newTimed(c *Config, memory *mem.Space) (*timed, error) {
	t := &timed{config: c.Timing, steps: steps{memory: memory, hands: make([]hand, c.SMs)}, scheduler: program.NewScheduler(c.Timing.Program, &c.Timing.SM), programs: map[*isa.Kernel]*program.Program{}, limit: kit.Cycle(c.MaxCycles), elapsed: c.Elapsed, report: c.Report, progress: c.Progress, warn: c.Warn}
	nanoseconds := func(clock uint64) uint64 { return uint64(c.Timing.Time(kit.Cycle(clock))) }
	for n := range t.steps.hands {
		t.steps.hands[n] = hand{steps: &t.steps, core: exec.NewCore(nanoseconds)}
	}
	threads := c.Workers
	switch {
	case len(c.Observers) > 0:
		threads = 1
	case threads == 0:
		threads = runtime.GOMAXPROCS(0)
	}
	var err error
	if t.chip, err = chip.New(c.Timing, c.SMs, threads, &t.steps); err != nil {
		return nil, err
	}
	if c.Trace != nil {
		t.tracer = &tracer{trace: c.Trace, timed: t}
		t.chip.Observe(t.tracer)
	}
	return t, nil
}

// program is the machine code of a kernel.
func (t *timed) program(k *isa.Kernel) (*program.Program, error) {
	if p := t.programs[k]; p != nil {
		return p, nil
	}
	const room = 1 << 24 // bytes of addresses; nothing lies there
	base := t.chip.Place(room)
	p, err := program.New(k, t.scheduler, base, t.chip.Place(int(k.ParamBytes)))
	if err != nil {
		return nil, err
	}
	t.programs[k] = p
	return p, nil
}

// registers is the most that each thread of a CTA can have. An assembler would
// keep to it if the kernel named its largest CTA.
func (t *timed) registers(warps int) int {
	l := &t.config.SM.Limits
	perSubCore := (warps + l.SubCores - 1) / l.SubCores
	perWarp := l.Registers / l.SubCores / max(perSubCore, 1) / l.Unit * l.Unit
	return perWarp / isa.WarpSize
}

// run is a grid on the chip. It is the chip.CTAs of the grid.
type run struct {
	timed    *timed
	slot     int
	stepping *exec.Stepping
	program  *program.Program
	grid     *chip.Grid
	warps    []standing // by the engine's number

	cancelled int // CTAs that will not start
	still     still
}

// standing is where a warp is, as the chip sees it.
type standing struct {
	known    bool  // what follows is true
	at       int32 // machine instruction of the next part
	pc       int32 // instruction of the function
	left     uint8 // parts before the one that executes
	done     int32 // instruction that it has executed last
	function *isa.Function
	body     *program.Body
}

// start puts a launch on the chip.
func (t *timed) start(s *exec.Stepping, l *Launch) (*run, error) {
	p, err := t.program(l.Kernel)
	if err != nil {
		return nil, err
	}
	r := &run{timed: t, stepping: s, program: p}
	threads := int(l.Block[0]) * int(l.Block[1]) * int(l.Block[2])
	warps := (threads + isa.WarpSize - 1) / isa.WarpSize
	r.grid = &chip.Grid{
		Name: l.Kernel.Name, Stream: l.Stream, Number: l.Number, Nested: l.nested, Dim: chip.Dim{Grid: l.Grid, Block: l.Block}, Total: int(l.Grid[0]) * int(l.Grid[1]) * int(l.Grid[2]), CTAs: r, Ordered: l.Kernel.Shares,
		Preferred: l.Carveout * t.config.SM.Limits.Shared / 100,
		Limit:     t.limit, Cluster: int(l.Cluster[0] * l.Cluster[1] * l.Cluster[2]),
		Shape: sm.CTA{
			Warps: warps, Registers: min(p.Registers, t.registers(warps)), Code: p.Code,
			Shared: int(l.Kernel.DynamicOffset()+l.DynamicShared) - isa.SharedReserved,
		},
	}
	for _, n := range l.SMs {
		r.grid.Allow(int(n))
	}
	if r.slot, err = t.steps.add(r); err != nil {
		return nil, err
	}
	if err := t.chip.Launch(r.grid); err != nil {
		t.steps.remove(r)
		return nil, err
	}
	return r, nil
}

// Start implements chip.CTAs.
func (r *run) Start(_, sm int) int32 {
	first, n := r.stepping.Start(r.timed.steps.hands[sm].core)
	for len(r.warps) < int(first)+n {
		r.warps = append(r.warps, standing{})
	}
	clear(r.warps[first : int(first)+n])
	return int32(r.slot)<<slotShift | first
}

// End implements chip.CTAs.
func (r *run) End(first int32) { r.stepping.End(first & warpMask) }

// advance lets the chip run until the grid has ended or about budget warp
// instructions, of all grids, have executed.
func (r *run) advance(budget int) (done bool, err error) {
	t := r.timed
	if t.fault != nil {
		return true, t.fault
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	stop := r.stepping.Watch()
	err = t.chip.Run(r.grid, budget)
	var stuck *chip.Deadlock
	var late *chip.Exceeded
	switch limit := stop(); {
	case errors.As(err, &stuck):
		err = t.steps.deadlocked(stuck)
	case errors.As(err, &late):
		err = r.stepping.Exceed(late.Limit)
	case err == nil:
		err = limit
	}
	if t.elapsed != nil {
		t.elapsed(t.config.Time(t.chip.Now()))
	}
	if err == nil && !r.grid.Done() {
		err = r.note()
	}
	if done = r.grid.Done() || err != nil; !done {
		return false, nil
	}
	if t.tracer != nil {
		t.tracer.flush(kit.Never)
	}
	t.steps.remove(r)
	t.fault = err
	r.stepping.Finish(err)
	if (err == nil || r.grid.Report.Broken) && t.report != nil {
		t.report(&r.grid.Report)
	}
	return true, err
}

// steps executes for the chip. A warp's number there is its grid's slot and its
// number in the engine.
type steps struct {
	hands  []hand // by SM
	runs   [maxRuns]*run
	memory *mem.Space
}

// hand executes what an SM issues.
type hand struct {
	*steps
	core   *exec.Core
	fault  error
	effect isa.Effect // of parts that execute nothing
	clock  kit.Cycle  // of the last step

	frame      mem.Frame // where the last access lay, true for a generation of memory
	generation uint64
}

const (
	slotShift = 24
	warpMask  = 1<<slotShift - 1
	maxRuns   = 128
)

func (s *steps) add(r *run) (slot int, err error) {
	for i := range s.runs {
		if s.runs[i] == nil {
			s.runs[i] = r
			return i, nil
		}
	}
	return 0, fmt.Errorf("kernel %s: %d grids are running already", r.grid.Name, maxRuns)
}

func (s *steps) remove(r *run) { s.runs[r.slot] = nil }

// SM implements chip.Stepper.
func (s *steps) SM(n int) sm.Stepper { return &s.hands[n] }

// Fault implements chip.Stepper.
func (s *steps) Fault(n int) error { return s.hands[n].fault }

// Next implements sm.Stepper.
func (s *hand) Next(warp int32) (pc int32, state sm.State) {
	r := s.runs[warp>>slotShift]
	w := &r.warps[warp&warpMask]
	if w.known {
		return w.at, sm.Ready
	}
	p := r.stepping.Next(warp & warpMask)
	for ; ; p = r.stepping.Next(warp & warpMask) {
		if p.Function == nil {
			if p.Blocked {
				return w.at, sm.Blocked
			}
			return w.at, sm.Ended
		}
		if w.function != p.Function {
			w.function, w.body = p.Function, r.program.Body(p.Function)
		}
		if w.body.Parts(p.PC) > 0 {
			break
		}
		if _, err := r.stepping.Step(warp&warpMask, uint64(s.clock)); err != nil { // part of another
			s.fail(err)
			return w.at, sm.Ended
		}
	}
	w.known, w.at, w.pc, w.left = true, w.body.At(p.PC), p.PC, w.body.Parts(p.PC)-1
	return w.at, sm.Ready
}

// Step implements sm.Stepper.
func (s *hand) Step(warp int32, clock kit.Cycle) *isa.Effect {
	r := s.runs[warp>>slotShift]
	w := &r.warps[warp&warpMask]
	if w.known && w.left > 0 {
		w.left--
		w.at++
		return &s.effect
	}
	w.known, w.done, s.clock = false, w.pc, clock
	e, err := r.stepping.Step(warp&warpMask, uint64(clock))
	if err != nil {
		s.fail(err)
		return &s.effect
	}
	if n := r.stepping.Cancelled(); n != r.cancelled {
		r.grid.Total -= n - r.cancelled
		r.cancelled = n
	}
	e.Accesses = w.body.Shape(w.pc, e.Accesses)
	s.locate(e.Accesses)
	return e
}

// Expire implements sm.Stepper.
func (s *hand) Expire(warp int32) {
	s.runs[warp>>slotShift].stepping.Expire(warp & warpMask)
}

// fail keeps the first fault.
func (s *hand) fail(err error) {
	if s.fault == nil {
		s.fault = err
	}
}

// locate replaces addresses of global and constant memory, which the host chose, by where they lie in the
// simulated machine, so that the same program takes the same time wherever its memory is.
func (s *hand) locate(accesses []isa.Access) {
	if g := s.memory.Generation(); g != s.generation {
		s.frame, s.generation = mem.Frame{}, g
	}
	for i := range accesses {
		a := &accesses[i]
		if a.Space != isa.Global && a.Space != isa.Const {
			continue
		}
		if !s.frame.Contains(a.Addr) {
			f, ok := s.memory.Frame(a.Addr)
			if !ok {
				continue // freed meanwhile by the program; the access has been made
			}
			s.frame = f
		}
		a.Addr = s.frame.Of(a.Addr)
	}
}
