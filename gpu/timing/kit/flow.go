package kit

// Flow is what a way that carries a fixed number of units a cycle has been given to
// carry, in units since cycle 0: it is free when all of them are through.
type Flow uint64

// Take gives it n units more, at cycle now at the earliest.
func (f *Flow) Take(now Cycle, n, rate int) { *f = max(*f, Flow(now)*Flow(rate)) + Flow(n) }

// Free is the cycle in which it is, which may be past.
func (f Flow) Free(rate int) Cycle { return Cycle(f / Flow(rate)) }
