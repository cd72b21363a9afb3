package report

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/lockstep-sim/lockstep/gpu/stat"
	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

// Forms are the forms that New knows.
var Forms = []string{"gpgpusim", "csv", "json"}

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
	total  chip.Totals
	cycles kit.Cycle
	grids  int
	ctas   int
	end    string // what the last line is
}

// New makes a writer of a form.
func New(form string, out io.Writer, c Config) (*Writer, error) {
	forms := map[string]func(*Writer, *chip.Report) []byte{
		"gpgpusim": (*Writer).block, "csv": (*Writer).row, "json": (*Writer).object,
	}
	f := forms[form]
	if f == nil {
		return nil, fmt.Errorf("unknown form of output %q; there are %v", form, Forms)
	}
	w := &Writer{config: c, out: out, form: f}
	if form != "gpgpusim" {
		return w, nil
	}
	w.end = farewell
	_, err := fmt.Fprintf(out, "%s%s\n", banner, c.Options)
	return w, err
}

// Close ends the log.
func (w *Writer) Close() error {
	_, err := io.WriteString(w.out, w.end)
	return err
}

// Grid writes the report of a grid.
func (w *Writer) Grid(r *chip.Report) error {
	stat.Add(stat.List(&w.total), stat.List(&r.Totals))
	w.cycles += r.Cycles()
	w.grids++
	w.ctas += r.CTAs
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

// row is a line of CSV, after a header if it is the first.
func (w *Writer) row(r *chip.Report) []byte {
	var b []byte
	counters := stat.List(&r.Totals)
	if w.grids == 1 {
		b = append(b, "grid,name,ctas,occupancy,launched,start,end,cycles"...)
		for i := range counters {
			b = append(append(b, ','), counters[i].Name...)
		}
		b = append(b, '\n')
	}
	b = fmt.Appendf(b, "%d,%s,%d,%d,%d,%d,%d,%d", r.Number, r.Name, r.CTAs, r.Occupancy, r.Launched, r.Start, r.End, r.Cycles())
	for i := range counters {
		b = strconv.AppendUint(append(b, ','), *counters[i].Value, 10)
	}
	return append(b, '\n')
}

// object is a line of JSON.
func (w *Writer) object(r *chip.Report) []byte {
	b := fmt.Appendf(nil, `{"grid":%d,"name":%s,"model":%s,"ctas":%d,"occupancy":%d,"launched":%d,"start":%d,"end":%d,"cycles":%d,"nanoseconds":%d`,
		r.Number, strconv.QuoteToASCII(r.Name), strconv.QuoteToASCII(w.config.Model), r.CTAs, r.Occupancy, r.Launched, r.Start, r.End, r.Cycles(), w.config.Chip.Time(r.Cycles()))
	return append(appendCounters(b, &r.Totals), "}\n"...)
}

func appendCounters(b []byte, t *chip.Totals) []byte {
	b = append(b, `,"counters":{`...)
	for i, c := range stat.List(t) {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, "%q:%d", c.Name, *c.Value)
	}
	return append(b, '}')
}
