package report

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/lockstep-sim/lockstep/gpu/stat"
	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
)

// row is a line of CSV, after a header if it is the first.
func (w *Writer) row(r *chip.Report) []byte {
	var b []byte
	if w.grids == 1 {
		b = append(b, "grid,name,stream,ctas,occupancy,launched,start,end,cycles,active"...)
		for _, c := range stat.List(&r.Totals) {
			b = append(append(b, ','), c.Name...)
		}
		b = append(b, '\n')
		w.end = (*Writer).rowsOfStreams
	}
	b = fmt.Appendf(b, "%d,%s,%d,%d,%d,%d,%d,%d,%d,%d", r.Number, r.Name, r.Stream, r.CTAs, r.Occupancy, r.Launched, r.Start, r.End, r.Cycles(), r.Active)
	return appendValues(b, &r.Totals)
}

func appendValues(b []byte, t *chip.Totals) []byte {
	for _, c := range stat.List(t) {
		b = strconv.AppendUint(append(b, ','), *c.Value, 10)
	}
	return append(b, '\n')
}

// rowsOfStreams are a line for each stream, whose number of the grid is 0, and one
// for all.
func (w *Writer) rowsOfStreams() (b []byte) {
	slices.Sort(w.order)
	for _, n := range w.order {
		s := w.streams[n]
		b = fmt.Appendf(b, "0,(stream),%d,%d,,,,,%d,", n, s.ctas, s.cycles)
		b = appendValues(b, &s.total)
	}
	b = fmt.Appendf(b, "0,(all),,%d,,,,,%d,", w.ctas, w.cycles)
	return appendValues(b, &w.total)
}

// object is a line of JSON.
func (w *Writer) object(r *chip.Report) []byte {
	w.end = (*Writer).objectsOfStreams
	b := fmt.Appendf(nil, `{"grid":%d,"name":%s,"stream":%d,"model":%s,"ctas":%d,"occupancy":%d,"launched":%d,"start":%d,"end":%d,"cycles":%d,"active":%d,"nanoseconds":%d`,
		r.Number, strconv.QuoteToASCII(r.Name), r.Stream, strconv.QuoteToASCII(w.config.Model), r.CTAs, r.Occupancy, r.Launched, r.Start, r.End, r.Cycles(), r.Active, w.config.Chip.Time(r.Cycles()))
	return appendCounters(b, &r.Totals)
}

// objectsOfStreams are an object for each stream, and one for all.
func (w *Writer) objectsOfStreams() (b []byte) {
	slices.Sort(w.order)
	for _, n := range w.order {
		s := w.streams[n]
		b = fmt.Appendf(b, `{"grids":%d,"stream":%d,"ctas":%d,"cycles":%d`, s.grids, n, s.ctas, s.cycles)
		b = appendCounters(b, &s.total)
	}
	b = fmt.Appendf(b, `{"grids":%d,"ctas":%d,"cycles":%d`, w.grids, w.ctas, w.cycles)
	return appendCounters(b, &w.total)
}

func appendCounters(b []byte, t *chip.Totals) []byte {
	b = append(b, `,"counters":{`...)
	for i, c := range stat.List(t) {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, "%q:%d", c.Name, *c.Value)
	}
	return append(b, "}}\n"...)
}
