package report

import (
	"fmt"
	"io"
	"time"

	"github.com/lockstep-sim/lockstep/gpu/stat"
	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

// Forms are the forms that New knows.
var Forms = []string{"text", "gpgpusim", "csv", "json", "ncu"}

// Config says what a Writer knows beside the reports.
type Config struct {
	Chip    *chip.Config
	Model   string
	Elapsed func() time.Duration // of the host, for blocks in GPGPU-Sim's spelling
	Options string               // lines that say how the GPU was configured, for the same
}

// Writer writes one report after another. It is not safe for concurrent use.
type Writer struct {
	config Config
	out    io.Writer
	form   func(w *Writer, r *chip.Report) []byte
	sum
	end func(*Writer) []byte // what is written last; nil for nothing

	streams map[uint64]*sum
	order   []uint64 // streams in the order of their first grids
}

// New makes a writer of a form.
func New(form string, out io.Writer, c Config) (*Writer, error) {
	forms := map[string]func(*Writer, *chip.Report) []byte{
		"gpgpusim": (*Writer).block, "csv": (*Writer).row, "json": (*Writer).object, "ncu": (*Writer).page, "text": (*Writer).text,
	}
	f := forms[form]
	if f == nil {
		return nil, fmt.Errorf("unknown form of output %q; there are %v", form, Forms)
	}
	w := &Writer{config: c, out: out, form: f, streams: map[uint64]*sum{}}
	if form != "gpgpusim" {
		return w, nil
	}
	w.end = func(*Writer) []byte { return []byte(farewell) }
	_, err := fmt.Fprintf(out, "%s%s\n", banner, c.Options)
	return w, err
}

// Close ends the log.
func (w *Writer) Close() error {
	if w.end == nil {
		return nil
	}
	_, err := w.out.Write(w.end(w))
	return err
}

// sum is what the grids of a stream did.
type sum struct {
	total  chip.Totals
	cycles kit.Cycle
	grids  int
	ctas   int
}

func (s *sum) add(r *chip.Report) {
	stat.Add(stat.List(&s.total), stat.List(&r.Totals))
	s.cycles += r.Cycles()
	s.grids++
	s.ctas += r.CTAs
}

// stream is the sum of a stream.
func (w *Writer) stream(n uint64) *sum {
	if w.streams[n] == nil {
		w.streams[n] = &sum{}
		w.order = append(w.order, n)
	}
	return w.streams[n]
}

// Grid writes the report of a grid.
func (w *Writer) Grid(r *chip.Report) error {
	w.stream(r.Stream).add(r)
	w.sum.add(r)
	_, err := w.out.Write(w.form(w, r))
	return err
}

// ratio is a/b, 0 for b 0.
func ratio(a, b uint64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
