package chip

import (
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
	"github.com/lockstep-sim/lockstep/gpu/timing/lsu"
	"github.com/lockstep-sim/lockstep/gpu/timing/sm"
)

// core is an SM and what the chip keeps of it.
type core struct {
	*sm.SM
	memory *lsu.Memory
	next   kit.Cycle   // with anything to do
	middle kit.Cycle   // the same after the first beat of the quantum
	coming []arrival   // CTAs that start in this quantum, in order
	left   []departure // CTAs that have ended in it
	err    error       // why it stands still
	failed kit.Cycle   // since when
}

// arrival is a CTA that starts on an SM.
type arrival struct {
	at     kit.Cycle
	cta    sm.CTA
	divide bool // the SM is empty and divides its memory anew
	shared int  // bytes that its CTAs need
}

// departure is a CTA that has ended.
type departure struct {
	at kit.Cycle
	sm.End
}

func (x *core) rouse(at kit.Cycle) { x.next = min(x.next, at) }

// wait makes an SM that has been simulated until cycle end, and whose requests wait for
// L1, seem to have something to do in that cycle. It has not until an answer comes, but
// where beats begin must not depend on that.
func (x *core) wait(end kit.Cycle) {
	if x.err == nil && x.memory.Waits() {
		x.rouse(end)
	}
}

// tick runs SM n for a cycle.
func (c *Chip) tick(n int, now kit.Cycle) {
	x := &c.cores[n]
	first := x.admit(now)
	x.next = x.Tick(now)
	for _, e := range x.Ended() {
		x.left = append(x.left, departure{now, e})
	}
	if first != kit.Never {
		x.rouse(first)
	}
	if x.err == nil {
		x.err = c.stepper.Fault(n)
	}
	if x.err != nil {
		x.next, x.failed = kit.Never, now
	}
}

// admit starts the CTAs that come by cycle now, and says when the next one does.
func (x *core) admit(now kit.Cycle) (next kit.Cycle) {
	for i := range x.coming {
		a := &x.coming[i]
		if a.at > now {
			x.coming = append(x.coming[:0], x.coming[i:]...)
			return a.at
		}
		if a.divide {
			x.err = x.memory.Begin(a.shared)
		}
		x.Launch(now, a.cta)
	}
	x.coming = x.coming[:0]
	return kit.Never
}
