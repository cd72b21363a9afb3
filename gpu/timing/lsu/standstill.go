package lsu

import "github.com/lockstep-sim/lockstep/gpu/timing/kit"

// standstill is the state after a pass of the coalescers in which L1 or the network
// took no request. Until a line comes, a packet leaves or enters, or a coalescer finds
// another instruction, all passes are like it, so that they are only counted.
type standstill struct {
	is   bool
	upTo kit.Cycle // passes before are in the statistics
	pass refusals  // of one pass
}

// refusals are values of the counters of requests that must be made again.
type refusals [5]uint64

// refused are these counters.
func (u *Unit) refused() [len(refusals{})]*uint64 {
	s, c := &u.Stats, &u.l1.Stats
	return [...]*uint64{&s.BankStalls, &s.Stalls, &c.StallMSHR, &c.StallMerge, &c.StallWay}
}

func (u *Unit) refusals() (now refusals) {
	for i, counter := range u.refused() {
		now[i] = *counter
	}
	return now
}

func (r refusals) less(before refusals) refusals {
	for i := range r {
		r[i] -= before[i]
	}
	return r
}

// stir ends a standstill: the pass of cycle now may have another outcome.
func (u *Unit) stir(now kit.Cycle) {
	if u.still.is {
		u.Account(now)
		u.still.is = false
	}
}

// Account brings the statistics up to the beginning of cycle now.
func (u *Unit) Account(now kit.Cycle) {
	w := &u.still
	if !w.is || now <= w.upTo {
		return
	}
	n := uint64(now - w.upTo)
	w.upTo = now
	for i, counter := range u.refused() {
		*counter += n * w.pass[i]
	}
}
