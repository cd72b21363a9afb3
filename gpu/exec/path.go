package exec

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/simd"
)

// frame is one activation of a function by some lanes of a warp.
type frame struct {
	fn      *isa.Function
	program *simd.Program // of fn, nil if it has none
	rows    []isa.Lanes   // the program's constants, then regs
	regs    []isa.Lanes
	consts  []isa.Lanes // the function's, or moved
	moved   []isa.Lanes // the function's constants with the CTA's own shared addresses
	preds   []isa.Mask
	base    uint32 // start of its local memory
	depth   int
	lanes   isa.Mask // lanes that have not returned or exited
	caller  *frame
	ret     int32        // where the caller goes on
	call    *isa.Control // how it was called
}

// state says why a path does or does not run.
type state uint8

const (
	ready state = iota
	atBarrier
	atSync // a warp-synchronous instruction waits for more lanes
	atCluster
	atGroup
)

// path is a set of lanes with a common program counter.
type path struct {
	pc     int32
	mask   isa.Mask
	frame  *frame
	join   *join // innermost join ahead of the path
	state  state
	bar    int      // barrier number, atBarrier
	need   isa.Mask // lanes awaited, atSync
	groups int      // that must be complete, atGroup
	force  bool     // atSync: execute with the lanes present
}

// join is a place where lanes wait for one another.
type join struct {
	pc      int32
	frame   *frame
	expect  isa.Mask // lanes that will come, or have come
	arrived isa.Mask
	since   uint64 // age of the warp when the first lane arrived
	outer   *join
}

// A warp's age counts its instructions; one through which lanes can communicate
// counts for spinCost. Lanes that have waited at a join for more than patience
// go on alone, and the paths of a warp take turns every turn instructions.
// patience is large enough that ordinary loops reconverge and small enough that
// a spin lock costs milliseconds at most.
const (
	patience = 16384
	spinCost = 256
	turn     = 1024
)

// stop is the program counter at which p reaches its join, -1 if it has none
// in its frame.
func (p *path) stop() int32 {
	if p.join != nil && p.join.frame == p.frame {
		return p.join.pc
	}
	return -1
}

// diverge returns the join at which lanes that part now will meet. A loop that
// sheds lanes again and again keeps using one join.
func (w *warp) diverge(p *path, pc int32) *join {
	if j := p.join; j != nil && j.pc == pc && j.frame == p.frame {
		return j
	}
	return w.newJoin(pc, p.frame, p)
}

// newJoin makes a join at pc in frame f for the lanes of p.
func (w *warp) newJoin(pc int32, f *frame, p *path) *join {
	var j *join
	if n := len(w.joins); n > 0 {
		j, w.joins = w.joins[n-1], w.joins[:n-1]
	} else {
		j = new(join)
	}
	*j = join{pc: pc, frame: f, expect: p.mask, outer: p.join}
	return j
}

// add makes a new path of lanes m that goes on at pc.
func (w *warp) add(pc int32, m isa.Mask, f *frame, j *join) *path {
	var p *path
	if n := len(w.spare); n > 0 {
		p, w.spare = w.spare[n-1], w.spare[:n-1]
	} else {
		p = new(path)
	}
	*p = path{pc: pc, mask: m, frame: f, join: j}
	w.paths = append(w.paths, p)
	return p
}

// remove takes p out of the warp.
func (w *warp) remove(p *path) {
	for i, q := range w.paths {
		if q == p {
			w.paths = append(w.paths[:i], w.paths[i+1:]...)
			w.spare = append(w.spare, p)
			return
		}
	}
}

// arrive parks lanes m at join j. When all have come they go on as one path,
// which may stand at an outer join already.
func (w *warp) arrive(j *join, m isa.Mask) {
	if j.arrived == 0 {
		j.since = w.age
	}
	j.arrived |= m
	w.settle(j)
}

// settle resumes j's lanes if nobody is missing.
func (w *warp) settle(j *join) {
	if j.arrived != j.expect || j.arrived == 0 {
		return
	}
	m := j.arrived
	j.expect, j.arrived = 0, 0
	w.joins = append(w.joins, j) // nobody is under way to it any more
	if o := j.outer; o != nil && o.pc == j.pc && o.frame == j.frame {
		w.arrive(o, m)
		return
	}
	w.add(j.pc, m, j.frame, j.outer)
}

// leave tells the joins ahead of p, up to those of frame limit (nil: all), that
// lanes m will not come, and returns the innermost join that remains.
func (w *warp) leave(p *path, m isa.Mask, limit *frame) *join {
	j := p.join
	for j != nil && (limit == nil || j.frame == limit) {
		j.expect &^= m
		w.settle(j)
		j = j.outer
	}
	return j
}

// release lets the lanes that have waited at a join ahead of p for longer than
// age go on without p. It reports whether there were any.
func (w *warp) release(p *path, age uint64) bool {
	for j := p.join; j != nil; j = j.outer {
		if m := j.arrived; m != 0 && w.age-j.since >= age {
			j.arrived = 0
			j.expect &^= m
			w.add(j.pc, m, j.frame, j.outer)
			return true
		}
	}
	return false
}

// releaseAny does so for every path of the warp until one join was emptied.
func (w *warp) releaseAny(age uint64) bool {
	for _, p := range w.paths {
		if w.release(p, age) {
			return true
		}
	}
	return false
}

// exit ends lanes m of path p.
func (w *warp) exit(p *path, m isa.Mask) {
	w.Live &^= m
	w.leave(p, m, nil)
	for _, q := range w.paths {
		if q.state == atSync {
			q.state = ready // it may have waited for these lanes only
		}
	}
	for f := p.frame; f != nil; f = f.caller {
		w.vacate(f, m)
	}
	p.mask &^= m
	if p.mask == 0 {
		w.remove(p)
	}
}

// vacate notes that lanes m left frame f, and recycles it when it is empty.
func (w *warp) vacate(f *frame, m isa.Mask) {
	if f.lanes &^= m; f.lanes == 0 && f.caller != nil {
		w.frames = append(w.frames, f)
	}
}

// enter makes f's registers those of the warp.
func (w *warp) enter(f *frame) {
	w.Regs, w.Preds, w.Consts, w.Base = f.regs, f.preds, f.consts, f.base
}

// newFrame takes a frame for fn out of the pool; what it may read unwritten is zero.
func (w *warp) newFrame(fn *isa.Function) *frame {
	program, _ := fn.Program.(*simd.Program)
	consts := program.Consts()
	rows := len(consts) + max(fn.NumRegs, 1) // row zero must have an address
	for i, f := range w.frames {
		if cap(f.rows) >= rows && cap(f.preds) >= fn.NumPreds {
			w.frames = append(w.frames[:i], w.frames[i+1:]...)
			f.rows, f.preds = f.rows[:rows], f.preds[:fn.NumPreds]
			f.reset(fn, program)
			f.relocate(w.CTA.SharedBase())
			return f
		}
	}
	f := &frame{rows: simd.Rows(rows), preds: make([]isa.Mask, fn.NumPreds)}
	f.reset(fn, program)
	f.relocate(w.CTA.SharedBase())
	return f
}

func (f *frame) reset(fn *isa.Function, program *simd.Program) {
	n := len(program.Consts())
	if f.fn != fn || len(f.moved) > 0 { // otherwise the constants are there
		copy(f.rows, program.Consts())
		f.moved = f.moved[:0]
	}
	f.regs = f.rows[n : n+fn.NumRegs]
	if program == nil {
		clear(f.regs)
	} else {
		program.Clear(f.regs)
	}
	clear(f.preds)
	f.preds[isa.PT] = isa.Full
	f.fn, f.program, f.consts = fn, program, fn.Consts
	f.caller, f.call, f.base, f.depth, f.lanes = nil, nil, 0, 0, 0
}

// relocate moves the shared addresses among the frame's constants to where the
// CTA's shared memory begins in that of its cluster.
func (f *frame) relocate(base uint32) {
	if base == 0 || len(f.fn.SharedConsts) == 0 {
		return
	}
	f.moved = append(f.moved[:0], f.fn.Consts...)
	f.consts = f.moved
	for _, i := range f.fn.SharedConsts {
		for l := range isa.WarpSize {
			f.moved[i][l] += base
		}
		if n := len(f.program.Consts()); n > 0 {
			f.rows[n-1-int(i)] = f.moved[i]
		}
	}
}
