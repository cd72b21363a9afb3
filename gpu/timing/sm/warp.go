package sm

import (
	"math/bits"

	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

// warp is the timing state of a warp slot.
type warp struct {
	id   int32 // the Stepper's number
	cta  int32 // CTA slot, -1 if the slot is free
	pc   int32 // next to issue
	code *Code

	// Instruction buffer: valid entries from pc on, and how many are on their
	// way; fetched is the next to fetch.
	valid, coming uint8
	fetched       int32
	flushes       uint8 // fetches begun before the last flush are void

	ended       bool
	busy        uint8     // counters above zero
	counters    [6]uint8  // of dependences
	outstanding int32     // memory instructions
	callbacks   int32     // events that name the slot
	depbar      *Depbar   // what waits
	readyAt     kit.Cycle // it is stalled until then
	freshAt     kit.Cycle

	writes    RegSet          // registers with results on their way
	read      RegSet          // registers with pending readers
	fresh     RegSet          // released at freshAt
	consumers *[setSize]uint8 // pending readers of each register
	since     kit.Cycle       // of the last issue
	depbarAt  kit.Cycle       // first issue that depbar can hold back

	products  kit.Cycle             // when those of the warpgroup that have begun are complete
	committed [groupsKept]kit.Cycle // the same of its latest groups, the last one first

	rest
}

// rest is a warp's waiting for what is asynchronous.
type rest struct {
	bulk  *groups   // of copies; nil for none so far
	dozes int32     // waits so far
	until kit.Cycle // the present one ends at the latest
	timed bool      // an event is under way that may end it
}

// reset makes the slot ready for a new warp.
func (w *warp) reset(id, cta int32, code *Code, now kit.Cycle) {
	c := w.consumers
	if c != nil {
		clear(c[:])
	}
	*w = warp{id: id, cta: cta, code: code, flushes: w.flushes + 1, since: now, consumers: c, rest: rest{dozes: w.dozes, timed: w.timed}}
}

// groupsKept is the number of groups that a wait can leave unfinished, and one.
const groupsKept = 8

// group notes an instruction of asynchronous products that issues, and returns when
// the warp may go on.
func (w *warp) group(in *Inst, now kit.Cycle) kit.Cycle {
	switch in.Group {
	case GroupProduct:
		w.products = max(w.products, now+kit.Cycle(in.Latency))
	case GroupCommit:
		copy(w.committed[1:], w.committed[:])
		w.committed[0] = w.products
	case GroupWait:
		return w.committed[min(in.Groups, groupsKept-1)]
	}
	return now
}

// next is the instruction to issue.
func (w *warp) next() *Inst { return &w.code.Insts[w.pc] }

// increment and decrement move dependence counter i.
func (w *warp) increment(i uint8) {
	w.counters[i]++
	w.busy |= 1 << i
}

func (w *warp) decrement(i uint8) {
	w.counters[i]--
	if w.counters[i] == 0 {
		w.busy &^= 1 << i
	}
}

// held reports that in must wait for earlier instructions. once is set when the
// reason passes by itself at the next cycle; any other ends with an event.
func (w *warp) held(in *Inst, c *Issue, now kit.Cycle) (held, once bool) {
	if in.Fence != NoFence && w.outstanding > 0 {
		return true, false
	}
	if w.depbar != nil && now >= w.depbarAt {
		if !w.passes(w.depbar) {
			return true, false
		}
		w.depbar = nil
	}
	if in.Scheduled {
		if in.Depbar != nil && c.DepbarDelay == 0 && !w.passes(in.Depbar) {
			return true, false
		}
		return w.busy&in.Bits.Wait != 0, false
	}
	if w.writes.Meets(&in.reads) || w.writes.Meets(&in.writes) || w.read.Meets(&in.writes) {
		return true, false
	}
	if w.freshAt == now && !in.Fixed && c.Bypass > 0 && w.fresh.Meets(&in.reads) {
		return true, true
	}
	if w.consumers != nil && w.counted(in, c) && w.full(in, uint8(c.Consumers)) {
		return true, false
	}
	return false, false
}

// passes reports that the condition of a DEPBAR holds.
func (w *warp) passes(d *Depbar) bool {
	return w.counters[d.SB] <= d.N && w.busy&d.Zero == 0
}

// counted reports that the scoreboard counts in as a reader.
func (w *warp) counted(in *Inst, c *Issue) bool { return !in.Fixed || c.CountFixed }

// full reports that a source of in has as many pending readers as can be
// counted.
func (w *warp) full(in *Inst, most uint8) bool {
	for i, word := range w.read {
		for word &= in.reads[i]; word != 0; word &= word - 1 {
			if w.consumers[i<<6|bits.TrailingZeros64(word)] >= most {
				return true
			}
		}
	}
	return false
}

// reserve notes in's results, and its sources if they are counted, in the
// scoreboard.
func (w *warp) reserve(in *Inst, sources bool) {
	w.writes.Union(&in.writes)
	if !sources {
		return
	}
	if w.consumers == nil {
		w.consumers = new([setSize]uint8)
	}
	for i, word := range in.reads {
		for w.read[i] |= word; word != 0; word &= word - 1 {
			w.consumers[i<<6|bits.TrailingZeros64(word)]++
		}
	}
}

// written releases the results of in.
func (w *warp) written(in *Inst, now kit.Cycle) {
	if in.Scheduled {
		if b := in.Bits.Write; b < 6 {
			w.decrement(b)
		}
	}
	w.release(&in.writes, now)
}

// release makes registers readable.
func (w *warp) release(regs *RegSet, now kit.Cycle) {
	w.writes.Remove(regs)
	if w.freshAt != now {
		w.fresh, w.freshAt = RegSet{}, now
	}
	w.fresh.Union(regs)
}

// consumed releases the sources of in.
func (w *warp) consumed(in *Inst) {
	if in.Scheduled {
		if b := in.Bits.Read; b < 6 {
			w.decrement(b)
		}
		return
	}
	for i, word := range in.reads {
		for ; word != 0; word &= word - 1 {
			r := i<<6 | bits.TrailingZeros64(word)
			if w.consumers[r]--; w.consumers[r] == 0 {
				w.read[i] &^= 1 << (r & 63)
			}
		}
	}
}
