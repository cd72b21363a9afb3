package stream

import (
	"bytes"
	"os"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// Simulated time passes only because somebody says so. If it passed as soon as there is
// work, what the host submits next would begin earlier or later, as fast as the host is.
// So on a device that simulates time nothing begins before a thread of the host waits;
// one that looks whether work is complete lets a turn pass; functions of the host take
// none. If the host does neither for a while, it may look at memory that a kernel will
// write or wait for what a function of its own will say, and from then on time passes
// whenever there is work. That while is of the host's own time, not of the clock's,
// which the load of the machine would make shorter.

// patience is what an engine knows of that.
type patience struct {
	timed     bool
	impatient bool // the host neither waits nor looks
	prompting bool // a timer runs
	looks     uint // waits and looks so far
}

// grace is the time for which the host computes, or sleeps, before time passes all the
// same; tick is how often an engine looks.
const (
	grace = 500 * time.Millisecond
	tick  = grace / 10
)

// SetTimed says that the device simulates time; it is called before the first command.
func (e *Engine) SetTimed() { e.timed = true }

// held reports that there is work, and that nobody wants time to pass for it.
func (e *Engine) held() bool {
	return e.timed && !e.impatient && len(e.grids)+len(e.ready) > 0 && (e.system.waiting == 0 || e.calling)
}

// rouse has somebody look at the work of an engine, now or after a while.
func (e *Engine) rouse() {
	if e.held() {
		e.prompt()
	} else {
		e.wake()
	}
}

// ask lets a turn pass if somebody looks whether n is complete. The lock is held.
func (n *node) ask() {
	e := n.stream.engine
	e.looks++
	if n.done || e.serving || !e.held() || e.calling {
		return
	}
	e.system.waiting++
	e.serving = true
	e.admit()
	e.turn()
	e.serving = false
	e.system.waiting--
	if len(e.ready)+len(e.grids) > 0 {
		e.rouse()
	}
}

// want notes that a thread of the host begins to wait, and lets time pass on all
// devices of the system: one may wait for another.
func (e *Engine) want() {
	e.system.waiting++
	e.looks++
	for _, other := range e.system.busy {
		if other != e {
			other.wake()
		}
	}
}

// Finish lets time pass until the work of all devices that simulate it is complete, for a
// host that ends and has not waited. Functions of the host are not called any more, and
// what waits for others waits no longer. Work is left where one of either is under way.
func (y *System) Finish() {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.leaving = true
	y.waiting++
	for y.serveAll() {
		y.mu.Unlock()
		time.Sleep(time.Millisecond) // another thread may serve
		y.mu.Lock()
	}
}

// serveAll executes what the devices can, and reports whether some may have more.
func (y *System) serveAll() (more bool) {
	for _, e := range slices.Clone(y.busy) {
		if e.calling {
			continue
		}
		if !e.serving {
			e.serve(nil)
		}
		more = more || e.serving || len(e.ready)+len(e.grids) > 0
	}
	return more
}

// busied and idled keep the list of the devices that simulate time and have work.
func (e *Engine) busied() {
	if e.timed {
		e.system.busy = append(e.system.busy, e)
	}
}

func (e *Engine) idled() {
	if e.timed {
		e.system.busy = slices.DeleteFunc(e.system.busy, func(other *Engine) bool { return other == e })
	}
}

// prompt lets time pass after a while in which the host does not want it to.
func (e *Engine) prompt() {
	if !e.prompting {
		e.prompting = true
		e.expect(e.looks, processor(), 0)
	}
}

// expect looks again and again whether that while is over.
func (e *Engine) expect(looks uint, used, slept time.Duration) {
	time.AfterFunc(tick, func() {
		if asleep() {
			slept += tick
		}
		e.system.mu.Lock()
		defer e.system.mu.Unlock()
		e.prompting = false
		switch {
		case !e.held():
		case e.looks != looks:
			e.prompt()
		case processor()-used < grace && slept < grace:
			e.prompting = true
			e.expect(looks, used, slept)
		default:
			e.impatient = true
			e.wake()
		}
	})
}

// processor is the processor time that the process has used.
func processor() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// asleep reports that no other thread of the process runs or could.
func asleep() bool {
	const tasks = "/proc/self/task/"
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	self := strconv.Itoa(syscall.Gettid())
	threads, _ := os.ReadDir(tasks) // none: then the clock counts
	for _, t := range threads {
		if t.Name() == self {
			continue
		}
		text, err := os.ReadFile(tasks + t.Name() + "/stat") // number (name) state ...
		if state := bytes.LastIndexByte(text, ')') + 2; err == nil && state < len(text) && text[state] == 'R' {
			return false
		}
	}
	return true
}
