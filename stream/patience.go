package stream

import "time"

// Copies end in simulated time, which passes on an idle device only because somebody
// says so. If it passed as soon as a copy is submitted, what the host submits next
// would begin earlier or later, as fast as the host is. So it passes when the host
// waits for a command, looks whether one is complete, or has done neither for a
// while: it may look at memory that a kernel will write.

// patience is what an engine knows of that.
type patience struct {
	asked     bool // somebody has looked since a command was completed
	impatient bool // nobody ever waits or looks
	prompting bool // a timer runs
}

// grace is the time of the host for which an engine waits to be asked.
const grace = 500 * time.Millisecond

// held reports that only copies are under way, and that nobody wants time to pass.
func (e *Engine) held() bool {
	return len(e.grids) > 0 && e.kernels == 0 && e.system.waiting == 0 && !e.asked && !e.impatient
}

// ask notes that somebody looks whether n is complete.
func (n *node) ask() {
	if e := n.stream.engine; !n.done && e.held() {
		e.asked = true
		e.wake()
	}
}

// prompt lets time pass after a while.
func (e *Engine) prompt() {
	if e.prompting {
		return
	}
	e.prompting = true
	time.AfterFunc(grace, func() {
		e.system.mu.Lock()
		defer e.system.mu.Unlock()
		if e.prompting = false; e.held() {
			e.impatient = true
			e.wake()
		}
	})
}
