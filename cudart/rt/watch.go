package rt

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/ianlancetaylor/demangle"

	"github.com/lockstep-sim/lockstep/gpu"
	"github.com/lockstep-sim/lockstep/gpu/exec"
	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

// watching is what a run is asked to tell about itself while it goes on.
type watching struct {
	trace  *gpu.Trace
	debug  io.Writer // nil for no log of instructions
	thread uint64    // of that log
	files  []*os.File
	legacy string // GPGPU-Sim's options, as its log shows them
	progress
}

// watch opens what the options ask for.
func (r *Runtime) watch(o *options) error {
	w := &r.watching
	w.every = time.Duration(o.Progress) * time.Second
	var err error
	if o.Debug.File != "" {
		if w.debug, err = w.create(o.Debug.File); err != nil {
			return fmt.Errorf("debug.file: %w", err)
		}
		w.thread = uint64(max(o.Debug.Thread, 0))
	}
	if o.Trace.Components == "" || o.Trace.Components == "none" || r.config.Functional {
		return nil
	}
	w.trace = &gpu.Trace{Core: o.Trace.Core, Partition: o.Trace.Partition, Out: sink(r.config.Stderr)}
	for name := range strings.SplitSeq(o.Trace.Components, ",") {
		name = strings.ToUpper(strings.TrimSpace(name))
		if !slices.Contains(gpu.Components, name) {
			return fmt.Errorf("trace.components: %q is none of %s", name, strings.Join(gpu.Components, ", "))
		}
		w.trace.Components = append(w.trace.Components, name)
	}
	if o.Trace.File != "" {
		if w.trace.Out, err = w.create(o.Trace.File); err != nil {
			return fmt.Errorf("trace.file: %w", err)
		}
	}
	return nil
}

func (w *watching) create(name string) (*os.File, error) {
	f, err := os.Create(name)
	if err == nil {
		w.files = append(w.files, f)
	}
	return f, err
}

// close ends all files.
func (w *watching) close() {
	for _, f := range w.files {
		f.Close() // what could not be written has been lost with the run that it describes
	}
}

// attach adds what watches a device.
func (r *Runtime) attach(c *gpu.Config) {
	w := &r.watching
	if w.debug != nil {
		c.Observers = append(c.Observers, exec.NewInstructionLog(w.debug, w.thread))
	}
	c.Trace = w.trace
	c.Warn = func(text string) { r.config.Stderr([]byte(text)) }
	if r.config.Terminal && !r.config.Quiet && w.every > 0 {
		c.Progress = w.progress.note(r.config.Stderr)
	}
}

// progress is what a terminal shows of a long kernel.
type progress struct {
	every time.Duration
	grid  *chip.Grid
	began time.Time // when the grid was seen first
	from  kit.Cycle // its cycle then
	last  time.Time // of a line
	shown bool      // the line is there
}

// clear takes the line away.
func (p *progress) clear(write func([]byte)) {
	if p.shown {
		p.shown = false
		write([]byte("\r\x1b[K"))
	}
}

// note writes a line about a grid, in the place of the one before.
func (p *progress) note(write func([]byte)) func(*chip.Grid, kit.Cycle) {
	return func(g *chip.Grid, now kit.Cycle) {
		t := time.Now()
		if p.grid != g {
			p.grid, p.began, p.from, p.last = g, t, now, t
			return
		}
		if t.Sub(p.last) < p.every {
			return
		}
		p.last, p.shown = t, true
		write([]byte("\r\x1b[K" + p.line(t, now)))
	}
}

// line says how far the grid is.
func (p *progress) line(t time.Time, now kit.Cycle) string {
	g, seconds := p.grid, t.Sub(p.began).Seconds()
	left := ""
	if done := g.Ended(); done > 0 {
		rest := time.Duration(seconds * float64(g.Total-done) / float64(done) * float64(time.Second))
		left = fmt.Sprintf(", %v left", rest.Round(time.Second))
	}
	return fmt.Sprintf("lockstep: %s: %s cycles, %d of %d blocks, %s cycles/s%s", demangle.Filter(g.Name),
		metric(float64(now-g.Report.Launched)), g.Ended(), g.Total, metric(float64(now-p.from)/max(seconds, 1e-9)), left)
}
