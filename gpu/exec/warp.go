package exec

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/simd"
)

// warp is the engine's view of a warp: its state and its paths.
type warp struct {
	cta     *cta
	paths   []*path
	next    int      // path whose turn it is
	current *path    // in execution
	age     uint64   // see patience
	rotated uint64   // age at the last turn
	lived   isa.Mask // live lanes before the instruction, when observed

	instructions, threads uint64 // executed: by the warp, by its lanes

	isa.Warp

	spare  []*path
	joins  []*join  // recycled
	frames []*frame // recycled
	entry  *frame   // of the kernel

	numbered [3]uint32 // size of the block whose thread indices Tid holds
	firstTid uint32    // the thread that lane zero is there

	arrived isa.Mask // at the cluster barrier

	committed int  // groups of matrix products
	expired   bool // see Stepping.Expire
}

// start makes the warp's lanes [first, last) of the CTA's threads ready at the
// kernel's first instruction.
func (w *warp) start(c *cta, index int) {
	threads := int(c.Ntid[0]) * int(c.Ntid[1]) * int(c.Ntid[2])
	first := index * isa.WarpSize
	n := min(threads-first, isa.WarpSize)
	k := c.grid.launch.Kernel
	w.cta, w.CTA, w.Index = c, &c.CTA, index
	w.Live = isa.Full >> (isa.WarpSize - n)
	w.committed, w.expired = 0, false
	w.Carry, w.next, w.age, w.rotated, w.arrived = 0, 0, 0, 0, 0
	if w.Trap.Kind != isa.NoTrap {
		w.Trap = isa.Trap{}
	}
	for len(w.paths) > 0 {
		w.remove(w.paths[0])
	}
	w.number(c.Ntid, uint32(first))
	w.Waits = false
	w.Local.Reset(k.LocalBytes)
	w.Local.Floor, w.Local.Top = k.LocalBytes+c.grid.engine.stack, isa.Lanes{}
	w.Effect, w.lived = nil, w.Live
	if len(c.grid.engine.instObservers) > 0 {
		w.Effect = new(isa.Effect)
	}
	if w.entry != nil {
		w.frames = append(w.frames, w.entry)
	}
	w.entry = w.newFrame(k.Entry)
	w.entry.lanes = w.Live
	w.add(0, w.Live, w.entry, nil)
}

// number sets the thread indices of lanes that are threads first, first+1 and
// so on of a block of size n, unless they are so already.
func (w *warp) number(n [3]uint32, first uint32) {
	if w.numbered == n && w.firstTid == first {
		return
	}
	w.numbered, w.firstTid = n, first
	for l := range isa.WarpSize {
		t := first + uint32(l)
		w.Tid[0][l] = t % n[0]
		w.Tid[1][l] = t / n[0] % n[1]
		w.Tid[2][l] = t / (n[0] * n[1])
	}
}

// pick returns the next path that can run, nil if none can.
func (w *warp) pick() *path {
	for range w.paths {
		if w.next >= len(w.paths) {
			w.next = 0
		}
		if p := w.paths[w.next]; p.state == ready || p.state == atSync && p.force {
			return p
		}
		w.next++
	}
	return nil
}

// run executes up to budget instructions of the warp and returns how many it
// did. It ends early when no path can run or a trap was raised.
func (w *warp) run(budget int) int {
	w.Refresh()
	w.cta.refresh()
	left := budget
	for left > 0 && w.Trap.Kind == isa.NoTrap {
		p := w.pick()
		if p == nil {
			if w.unblock() {
				continue
			}
			break
		}
		n := w.runPath(p, min(left, turn))
		left -= n
		w.tick(n)
		if w.Waits {
			w.next++
			w.Waits = false
			break
		}
	}
	return budget - left
}

// tick makes the warp n instructions older; at the end of a turn the next path
// has one, and lanes that have waited too long go on.
func (w *warp) tick(n int) {
	w.age += uint64(n)
	if w.age-w.rotated >= turn {
		w.rotated = w.age
		w.releaseAny(patience)
		w.next++
	}
}

// unblock finds a way on for a warp none of whose paths can run: lanes parked
// at a join that the others cannot reach, or a warp-synchronous instruction
// whose other lanes do not come.
func (w *warp) unblock() bool {
	return w.releaseAny(0) || w.forceSync()
}

// runPath executes up to n instructions of p. It ends early when p's control
// flow needs the warp to choose again.
func (w *warp) runPath(p *path, n int) (done int) {
	w.current = p
	w.enter(p.frame)
	program := p.frame.program
	if program == nil || w.Effect != nil || w.cta.grid.engine.isa == simd.Go {
		program = nil
	} else {
		w.cta.state.EnterFrame(&w.Warp)
	}
	stop, threads, stride := p.stop(), 0, w.Local.Stride
	for done < n {
		if p.pc == stop {
			j, m := p.join, p.mask
			w.remove(p)
			w.arrive(j, m)
			break
		}
		if program != nil {
			x := simd.Path{Mask: p.mask, PC: p.pc, Stop: stop, Left: n - done}
			w.cta.state.Run(program, &x)
			p.pc, done = x.PC, n-x.Left
			threads += x.Threads
			w.age += uint64(x.Shares) * spinCost
			if done == n || p.pc == stop {
				continue
			}
		}
		done++
		lanes, again := w.step(p, program)
		threads += lanes
		if again {
			break
		}
		if program != nil && stride != w.Local.Stride { // alloca has moved local memory
			stride = w.Local.Stride
			w.cta.state.EnterFrame(&w.Warp)
		}
	}
	w.instructions += uint64(done)
	w.threads += uint64(threads)
	return done
}

// step executes the instruction at p by its handler. It returns the number of
// lanes that did and whether the warp must choose a path anew.
func (w *warp) step(p *path, program *simd.Program) (lanes int, again bool) {
	pc, fn := p.pc, p.frame.fn
	in := &fn.Code[pc]
	g := w.Preds[in.Guard]
	if in.GuardNot {
		g = ^g
	}
	m := p.mask & g
	if in.Flow != isa.Next {
		again = w.flow(p, in, m)
	} else if m != 0 {
		w.Mask = m
		in.Exec(&w.Warp, in)
		if w.Trap.Kind != isa.NoTrap {
			w.cta.fault(w, p)
			return m.Count(), true
		}
		if in.Op.Shares {
			w.age += spinCost
		}
		again = w.Waits
		if program != nil {
			w.cta.state.Note(program, pc, w.Cached())
		}
	}
	if w.Effect != nil {
		w.observe(fn, in, pc, m)
	}
	if in.Flow == isa.Next {
		p.pc = pc + 1
	}
	return m.Count(), again
}
