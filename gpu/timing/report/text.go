package report

import (
	"fmt"
	"slices"

	"github.com/lockstep-sim/lockstep/gpu/stat"
	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
)

// text is a grid with one counter a line: name, value, unit, meaning.
func (w *Writer) text(r *chip.Report) []byte {
	w.end = (*Writer).textOfStreams
	b := fmt.Appendf(nil, "grid %d: %s\n", r.Number, r.Name)
	b = line(b, "stream", r.Stream, "", "Number of its stream.")
	b = line(b, "ctas", uint64(r.CTAs), "CTAs", "CTAs of the grid.")
	b = line(b, "occupancy", uint64(r.Occupancy), "CTAs", "CTAs that an SM holds.")
	b = line(b, "cycles", uint64(r.Cycles()), "cycles", "From the launch to the end of the last CTA.")
	b = line(b, "time", uint64(w.config.Chip.Time(r.Cycles())), "ns", "The same.")
	return append(lines(b, &r.Totals), '\n')
}

// textOfStreams are the sums of each stream and of all.
func (w *Writer) textOfStreams() (b []byte) {
	slices.Sort(w.order)
	for _, n := range w.order {
		b = w.streams[n].text(fmt.Appendf(b, "stream %d: %d grids\n", n, w.streams[n].grids))
	}
	return w.sum.text(fmt.Appendf(b, "all streams: %d grids\n", w.grids))
}

func (s *sum) text(b []byte) []byte {
	b = line(b, "ctas", uint64(s.ctas), "CTAs", "CTAs of the grids.")
	b = line(b, "cycles", uint64(s.cycles), "cycles", "Sum over the grids.")
	return append(lines(b, &s.total), '\n')
}

func lines(b []byte, t *chip.Totals) []byte {
	for _, c := range stat.List(t) {
		b = line(b, c.Name, *c.Value, c.Unit, c.Doc)
	}
	return b
}

func line(b []byte, name string, value uint64, unit, doc string) []byte {
	return fmt.Appendf(b, "  %-28s %14d %-18s %s\n", name, value, unit, doc)
}
