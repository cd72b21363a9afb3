package kit

// Agenda wakes numbered parts at the cycles that they ask for. Parts of one
// cycle run in ascending order; since whatever one part sends to another takes
// at least a cycle, that order decides nothing.
type Agenda struct {
	now   Cycle
	at    []Cycle    // when each part wakes
	soon  *ActiveSet // parts that wake at now+1
	due   *ActiveSet
	wheel *Wheel[int32] // the others; entries that at contradicts are stale
}

// NewAgenda returns an agenda of n sleeping parts at cycle 0.
func NewAgenda(n int) *Agenda {
	a := &Agenda{at: make([]Cycle, n), soon: NewActiveSet(n), due: NewActiveSet(n), wheel: NewWheel[int32]()}
	for i := range a.at {
		a.at[i] = Never
	}
	return a
}

// Wake has part i run at cycle at, or at the next one if that has passed. The
// earliest wish counts.
func (a *Agenda) Wake(i int, at Cycle) {
	at = max(at, a.now+1)
	if at >= a.at[i] {
		return
	}
	a.at[i] = at
	if at == a.now+1 {
		a.soon.Add(i)
		return
	}
	a.wheel.At(at, int32(i))
}

// Next is a cycle before which nothing runs, Never if all parts sleep for good.
func (a *Agenda) Next() Cycle {
	if !a.soon.Empty() {
		return a.now + 1
	}
	return a.wheel.Next()
}

// Run runs the parts due at cycle now, which must not lie after Next. step
// returns when the part wants to run again, Never if it waits to be woken.
func (a *Agenda) Run(now Cycle, step func(i int) Cycle) {
	a.soon, a.due = a.due, a.soon
	a.now = now
	for {
		i, ok := a.wheel.Pop(now)
		if !ok {
			break
		}
		if a.at[i] <= now {
			a.due.Add(int(i))
		}
	}
	for i := range a.due.All {
		a.due.Remove(i)
		a.at[i] = Never
		if next := step(i); next != Never {
			a.Wake(i, next)
		}
	}
}
