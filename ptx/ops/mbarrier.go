package ops

import "github.com/lockstep-sim/lockstep/gpu/isa"

// mbarrier is the word of an mbarrier object: the counts of arrivals that its
// phases expect and that its current phase awaits, the bytes of transactions
// outstanding, and the number of the phase. The manual leaves the layout open.
//
//	bits  0-19  expected arrivals
//	     20-39  pending arrivals
//	     40-60  transaction bytes, signed
//	     61-63  phase
type mbarrier uint64

const (
	countMask  = 1<<20 - 1
	pendingAt  = 20
	txAt       = 40
	txMask     = 1<<21 - 1
	phaseAt    = 61
	barrierLen = 8
)

func newBarrier(expected uint32) mbarrier {
	n := mbarrier(expected) & countMask
	return n | n<<pendingAt
}

func (b mbarrier) pending() uint32 { return uint32(b>>pendingAt) & countMask }
func (b mbarrier) phase() uint32   { return uint32(b >> phaseAt) }

// arrive takes n arrivals off the pending ones, and off those of later phases
// too if they drop out.
func (b mbarrier) arrive(n uint32, drop bool) mbarrier {
	b = b&^(countMask<<pendingAt) | mbarrier((b.pending()-n)&countMask)<<pendingAt
	if drop {
		b = b&^countMask | (b-mbarrier(n))&countMask
	}
	return b.complete()
}

// expect adds n bytes of transactions, which may be negative.
func (b mbarrier) expect(n uint32) mbarrier {
	tx := (uint64(b>>txAt) + uint64(n)) & txMask
	return b&^(txMask<<txAt) | mbarrier(tx)<<txAt
}

// complete starts the next phase if the current one awaits nothing more.
func (b mbarrier) complete() mbarrier {
	if b>>pendingAt&(1<<(phaseAt-pendingAt)-1) != 0 {
		return b
	}
	return b + 1<<phaseAt + b&countMask<<pendingAt
}

// done reports whether the phase that a state was taken in is over.
func (b mbarrier) done(state mbarrier) bool { return b.phase() != state.phase() }

// eachBarrier replaces the object of each lane by what f makes of it, in lane
// order.
func eachBarrier(w *isa.Warp, in *isa.Inst, f func(l int, b mbarrier) mbarrier) {
	r := reach{drops: true}
	for rest := w.Mask; rest != 0; rest &^= r.lanes {
		if !r.find(w, in, rest, barrierLen, true) {
			return
		}
		if r.space != isa.Shared {
			l := r.lanes.First()
			a := pointer{in.A, in.Space, in.Imm}.address(w, l)
			w.Raise(isa.Trap{Kind: isa.InvalidSpace, Lane: l, Addr: a, Bytes: barrierLen, Space: r.space, Write: true})
			return
		}
		for l := range r.lanes.All {
			p := r.bytes[r.at[l]:]
			b := mbarrier(get[uint64](p))
			next := f(l, b)
			put(p, uint64(next))
			if w.Effect != nil && next.phase() != b.phase() {
				w.Effect.Phases |= 1 << (uint32(pointer{in.A, in.Space, in.Imm}.address(w, l)) >> isa.ClusterShift & 15)
			}
		}
	}
}

func bindBarrierInit(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		count := w.Row(in.B)
		eachBarrier(w, in, func(l int, _ mbarrier) mbarrier { return newBarrier(count[l]) })
	}
}

// bindBarrierInval leaves a word that no phase of which ever completes.
func bindBarrierInval(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		eachBarrier(w, in, func(int, mbarrier) mbarrier { return newBarrier(countMask) })
	}
}

func bindBarrierTx(f *isa.Form) isa.Handler {
	sign := uint32(1)
	if f.Has("complete_tx") {
		sign = ^uint32(0)
	}
	return func(w *isa.Warp, in *isa.Inst) {
		bytes := w.Row(in.B)
		eachBarrier(w, in, func(l int, b mbarrier) mbarrier { return b.expect(sign * bytes[l]).complete() })
	}
}

func bindArriveOne(f *isa.Form) isa.Handler {
	drop := f.Has("arrive_drop")
	return func(w *isa.Warp, in *isa.Inst) {
		eachBarrier(w, in, func(l int, b mbarrier) mbarrier {
			w.Set64(in.D, l, uint64(b))
			return b.arrive(1, drop)
		})
	}
}

// bindArriveSome makes operand B arrivals. That an arrival does not complete
// the phase (noComplete) is the program's promise.
func bindArriveSome(f *isa.Form) isa.Handler {
	drop := f.Has("arrive_drop")
	return func(w *isa.Warp, in *isa.Inst) {
		count := *w.Row(in.B)
		eachBarrier(w, in, func(l int, b mbarrier) mbarrier {
			w.Set64(in.D, l, uint64(b))
			return b.arrive(count[l], drop)
		})
	}
}

// bindArriveExpect expects operand B bytes and makes one arrival.
func bindArriveExpect(f *isa.Form) isa.Handler {
	drop := f.Has("arrive_drop")
	return func(w *isa.Warp, in *isa.Inst) {
		bytes := *w.Row(in.B)
		eachBarrier(w, in, func(l int, b mbarrier) mbarrier {
			w.Set64(in.D, l, uint64(b))
			return b.expect(bytes[l]).arrive(1, drop)
		})
	}
}

// bindArriveCopies arrives for the copies of each lane, which are complete.
// Without noinc the arrival is made up for, so that nothing is left to do.
func bindArriveCopies(f *isa.Form) isa.Handler {
	n := uint32(0)
	if f.Has("noinc") {
		n = 1
	}
	return func(w *isa.Warp, in *isa.Inst) {
		eachBarrier(w, in, func(_ int, b mbarrier) mbarrier { return b.arrive(n, false) })
	}
}

// bindAwait tells whether a phase is over, at once. The program asks again, and
// the engine gives others their turn meanwhile. Who knows time may hold a try until
// then.
func bindAwait(f *isa.Form) isa.Handler {
	parity, holds := f.Has("parity"), f.Has("try_wait")
	return func(w *isa.Warp, in *isa.Inst) {
		var over isa.Mask
		eachBarrier(w, in, func(l int, b mbarrier) mbarrier {
			if parity && b.phase()&1 != w.Row(in.B)[l]&1 || !parity && b.done(mbarrier(w.Get64(in.B, l))) {
				over |= isa.Lane(l)
			}
			return b
		})
		w.SetPred(in.P, over)
		w.Waits = over == 0
		if w.Effect != nil {
			w.Effect.Holds = holds && w.Waits
		}
	}
}

func bindPendingCount(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		for l := range w.Mask.All {
			w.Regs[in.D][l] = mbarrier(w.Get64(in.A, l)).pending()
		}
	}
}
