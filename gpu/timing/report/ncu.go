package report

import (
	"fmt"
	"strings"

	"github.com/ianlancetaylor/demangle"

	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
	"github.com/lockstep-sim/lockstep/gpu/timing/sm"
)

// metric is a column of the page: a name of Nsight Compute, where the meaning is
// the same.
type metric struct {
	name, unit string
	value      func(w *Writer, r *chip.Report) float64
}

func whole(n uint64) float64 { return float64(n) }

// peak is a share of a number of units times cycles, in percent.
func peak(n, units, cycles uint64) float64 { return 100 * ratio(n, units*cycles) }

// metrics are the columns after those that describe the launch.
var metrics = []metric{
	{"gpc__cycles_elapsed.max", "cycle", func(_ *Writer, r *chip.Report) float64 { return float64(r.Busy()) }},
	{"gpu__time_duration.sum", "nsecond", func(w *Writer, r *chip.Report) float64 { return float64(w.config.Chip.Time(r.Busy())) }},
	{"sm__cycles_active.max", "cycle", func(_ *Writer, r *chip.Report) float64 { return float64(r.Active) }},
	{"sm__cycles_active.sum", "cycle", func(_ *Writer, r *chip.Report) float64 { return whole(r.SM.Cycles) }},
	{"smsp__inst_executed.sum", "inst", func(_ *Writer, r *chip.Report) float64 { return whole(r.SM.Warp) }},
	{"smsp__thread_inst_executed.sum", "inst", func(_ *Writer, r *chip.Report) float64 { return whole(r.SM.Thread) }},
	{"smsp__thread_inst_executed_per_inst_executed.ratio", "", func(_ *Writer, r *chip.Report) float64 { return ratio(r.SM.Thread, r.SM.Warp) }},
	{"sm__inst_executed.avg.per_cycle_active", "inst/cycle", func(_ *Writer, r *chip.Report) float64 { return ratio(r.SM.Warp, r.SM.Cycles) }},
	{"smsp__issue_active.avg.pct_of_peak_sustained_active", "%", func(w *Writer, r *chip.Report) float64 {
		return peak(r.SM.Slots[sm.Issued], uint64(w.config.Chip.SM.Limits.SubCores), r.SM.Cycles)
	}},
	{"sm__warps_active.avg.pct_of_peak_sustained_active", "%", func(w *Writer, r *chip.Report) float64 { return w.occupancy(&r.SM) }},
	{"smsp__inst_executed_op_shared.sum", "inst", func(_ *Writer, r *chip.Report) float64 { return whole(r.LSU.Shared) }},
	{"l1tex__data_bank_conflicts_pipe_lsu.sum", "", func(_ *Writer, r *chip.Report) float64 { return whole(r.LSU.Conflicts) }},
	{"l1tex__m_xbar2l1tex_read_sectors.sum", "sector", func(_ *Writer, r *chip.Report) float64 { return whole(r.L1.Fetched) }},
	{"dram__bytes_read.sum", "byte", func(w *Writer, r *chip.Report) float64 { return w.bytes(r.DRAM.Atoms[0]) }},
	{"dram__bytes_write.sum", "byte", func(w *Writer, r *chip.Report) float64 { return w.bytes(r.DRAM.Atoms[1]) }},
	{"dram__throughput.avg.pct_of_peak_sustained_elapsed", "%", func(w *Writer, r *chip.Report) float64 {
		c := &w.config.Chip.Memory
		return peak(r.DRAM.Busy, uint64(c.Slice.Channels), uint64(r.Busy())*c.Clock.DRAM/c.Clock.Core)
	}},
}

func (w *Writer) bytes(atoms uint64) float64 {
	return float64(atoms) * float64(w.config.Chip.Memory.DRAM.Atom)
}

// page is a line of the raw page that ncu --csv prints, after the names and the
// units if it is the first.
func (w *Writer) page(r *chip.Report) []byte {
	var b []byte
	launch := []string{"ID", "Kernel Name", "Stream", "Block Size", "Grid Size", "launch__registers_per_thread", "launch__shared_mem_per_block", "launch__occupancy_limit_blocks"}
	if w.grids == 1 {
		units := []string{"", "", "", "", "", "register/thread", "byte/block", "block"}
		for _, m := range metrics {
			launch, units = append(launch, m.name), append(units, m.unit)
		}
		b = append(quoted(b, launch...), '\n')
		b = append(quoted(b, units...), '\n')
	}
	b = quoted(b, fmt.Sprint(r.Number-1), demangle.Filter(r.Name), fmt.Sprint(r.Stream), extent(r.Block), extent(r.Grid),
		fmt.Sprint(r.Registers), fmt.Sprint(r.Shared), fmt.Sprint(r.Occupancy))
	for _, m := range metrics {
		value := fmt.Sprintf("%.2f", m.value(w, r))
		b = quoted(append(b, ','), strings.TrimSuffix(value, ".00"))
	}
	return append(b, '\n')
}

func extent(d [3]uint32) string { return fmt.Sprintf("(%d, %d, %d)", d[0], d[1], d[2]) }

// quoted appends cells.
func quoted(b []byte, cells ...string) []byte {
	for i, c := range cells {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), strings.ReplaceAll(c, `"`, `""`)...), '"')
	}
	return b
}
