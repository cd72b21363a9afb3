package rt

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ianlancetaylor/demangle"

	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
	"github.com/lockstep-sim/lockstep/gpu/timing/report"
)

// timing is what a runtime keeps of simulated time.
type timing struct {
	model   *chip.Config // nil for functional execution
	elapsed atomic.Int64 // nanoseconds of the device that is furthest
	cycles  atomic.Uint64
	// instructions of threads, of grids that took time
	instructions atomic.Uint64

	mu     sync.Mutex
	writer *report.Writer // nil for no statistics
	file   io.Closer
}

// openStatistics prepares the output of statistics, if some is asked for.
func (r *Runtime) openStatistics() (err error) {
	c, t := &r.config, &r.timing
	if c.Output == "" {
		return nil
	}
	out := io.Writer(sink(c.Stderr))
	switch c.Statistics {
	case "":
	case "stdout":
		out = sink(c.Stdout)
	default:
		f, err := os.Create(c.Statistics)
		if err != nil {
			return fmt.Errorf("write statistics: %w", err)
		}
		out, t.file = f, f
	}
	t.writer, err = report.New(c.Output, out, report.Config{
		Chip: t.model, Model: r.model.Model, Options: r.watching.legacy, Elapsed: func() time.Duration { return time.Since(r.start) },
	})
	return err
}

// sink is a function as a writer.
type sink func(p []byte)

func (s sink) Write(p []byte) (int, error) {
	s(p)
	return len(p), nil
}

// timed reports whether the kernel of a name, launched as number n, takes
// simulated time.
func (r *Runtime) timed(n int, name string) bool {
	c := &r.config
	return n >= c.FromKernel && (c.Chosen == nil || c.Chosen(demangle.Filter(name)))
}

// passed notes how far a device is.
func (t *timing) passed(d time.Duration) {
	for {
		was := t.elapsed.Load()
		if int64(d) <= was || t.elapsed.CompareAndSwap(was, int64(d)) {
			return
		}
	}
}

// ended takes the report of a grid.
func (r *Runtime) ended(g *chip.Report) {
	t := &r.timing
	r.watching.clear(r.config.Stderr)
	t.cycles.Add(uint64(g.Cycles()))
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.writer == nil {
		return
	}
	if err := t.writer.Grid(g); err != nil {
		r.config.Stderr(fmt.Appendf(nil, "lockstep: statistics end here: %v\n", err))
		t.writer = nil
	}
}

// close ends the output of statistics.
func (t *timing) close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	var err error
	if t.writer != nil {
		err = t.writer.Close()
		t.writer = nil
	}
	if t.file != nil {
		err = errors.Join(err, t.file.Close())
		t.file = nil
	}
	return err
}

// summarise is the part of the closing line that a model of time adds.
func (t *timing) summarise() string {
	cycles := t.cycles.Load()
	ipc := float64(t.instructions.Load()) / float64(max(cycles, 1))
	return fmt.Sprintf(" in %d cycles (%v simulated, IPC %.2f)", cycles, t.model.Time(kit.Cycle(cycles)).Round(10*time.Nanosecond), ipc)
}
