package chip

import (
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// crew is the threads that simulate. Who leads it deals out the tasks of a quantum
// and does tasks itself; helpers take what they find, so that it never waits for
// one that has not begun.
type crew struct {
	chip    *Chip
	threads int
	least   int64 // ticks for which more than one thread is worth it
	shards  []shard
	all     shard

	way    way          // of the quantum
	active []int32      // SMs that may have something to do
	ticks  atomic.Int64 // of SMs, in it

	ready    atomic.Int32 // tasks that nobody does yet
	left     atomic.Int32 // tasks that are not done
	finished chan struct{}

	helpers sync.WaitGroup
	asleep  atomic.Int32 // of them
	wake    chan struct{}
	over    atomic.Bool // they are dismissed
}

// fewest is the number of shards of a chip whose SMs form a single group.
const fewest = 8

func newCrew(c *Chip, threads int) *crew {
	n := c.groups()
	if n == 1 {
		n = min(fewest, len(c.cores))
	}
	w := &crew{chip: c, threads: threads, least: worthwhile, all: shard{end: len(c.cores)}, finished: make(chan struct{}, 1)}
	for i := range n {
		first, end := part(i, n, len(c.cores))
		w.shards = append(w.shards, shard{first: first, end: end})
	}
	return w
}

// part is the i-th of so many parts of SMs.
func part(i, parts, sms int) (first, end int) {
	return (i*sms + parts - 1) / parts, ((i+1)*sms + parts - 1) / parts
}

// worthwhile is the number of ticks of SMs in a quantum that more than one thread
// does faster: a tick takes half a microsecond, to hand tasks over some.
const worthwhile = 32

// patience is how often a thread looks for something to do before it sleeps: some
// tens of microseconds, several times what lies between two quanta, and as long as
// it takes to wake a thread.
const patience = 8192

// run runs SMs and the memory system until the end of the quantum. How many threads
// do it decides nothing.
func (w *crew) run() {
	busy := w.ticks.Swap(0) >= w.least
	w.way = w.chip.way()
	n := w.tasks()
	if w.threads < 2 || !busy {
		for n--; n >= 0; n-- {
			w.task(n)
		}
		return
	}
	if w.wake == nil {
		w.assemble()
	}
	w.left.Store(int32(n))
	w.ready.Store(int32(n))
	for ; w.asleep.Load() > 0; w.asleep.Add(-1) {
		w.wake <- struct{}{}
	}
	for w.help() {
	}
	for looks := 0; w.left.Load() > 0; looks++ {
		if !patient(looks) {
			<-w.finished
		}
	}
}

// assemble starts the helpers.
func (w *crew) assemble() {
	w.wake = make(chan struct{}, w.threads)
	w.over.Store(false)
	w.asleep.Store(0)
	for range w.threads - 1 {
		w.helpers.Go(w.serve)
	}
}

// dismiss ends the helpers, if there are any.
func (w *crew) dismiss() {
	if w.wake == nil {
		return
	}
	w.over.Store(true)
	close(w.wake)
	w.helpers.Wait()
	w.wake = nil
}

// serve does tasks until the helpers are dismissed.
func (w *crew) serve() {
	debug.SetPanicOnFault(true) // programs reach memory of the host, see exec.Stepping
	for looks := 0; !w.over.Load(); looks++ {
		switch {
		case w.help():
			looks = 0
		case !patient(looks):
			w.asleep.Add(1)
			<-w.wake
			looks = 0
		}
	}
}

// patient reports that a thread that has looked so often in vain looks again. Other
// goroutines of the process have a chance now and then.
func patient(looks int) bool {
	if looks%64 == 63 {
		runtime.Gosched()
	}
	return looks < patience
}

// help does a task, if there is one.
func (w *crew) help() bool {
	if w.ready.Load() <= 0 {
		return false
	}
	i := w.ready.Add(-1)
	if i < 0 {
		return false
	}
	w.task(int(i))
	if w.left.Add(-1) == 0 {
		select {
		case w.finished <- struct{}{}:
		default: // one such message is there
		}
	}
	return true
}

// tasks is the number of tasks of the quantum.
func (w *crew) tasks() int {
	w.active = w.active[:0]
	for n := range w.chip.cores {
		if w.way != apart || w.chip.cores[n].next < w.chip.end {
			w.active = append(w.active, int32(n))
		}
	}
	switch w.way {
	case apart:
		return len(w.active) + 1
	case together:
		return len(w.shards) + 1
	}
	return 2
}

// task does one: that of the greatest number, which is dealt out first, is the
// memory system's, the others are those of SMs and of shards.
func (w *crew) task(i int) {
	c, ticks := w.chip, 0
	switch {
	case w.way == apart && i < len(w.active):
		ticks = c.apart(int(w.active[i]))
	case w.way == together && i < len(w.shards):
		ticks = w.shards[i].together(c)
	case w.way == ordered && i == 0:
		ticks = w.all.together(c)
	default:
		c.remember()
	}
	w.ticks.Add(int64(ticks))
}
