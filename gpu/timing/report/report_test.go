package report_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstep-sim/lockstep/gpu/models"
	"github.com/lockstep-sim/lockstep/gpu/stat"
	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
	"github.com/lockstep-sim/lockstep/gpu/timing/report"
)

// write gives the text of two reports in a form.
func write(t *testing.T, form string) string {
	t.Helper()
	c := &chip.Config{}
	if _, err := models.Read("", c); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	w, err := report.New(form, &out, report.Config{Chip: c, Model: "h200", Options: "-gpgpu_n_mem 8 # l2.channels\n", Elapsed: func() time.Duration { return 90 * time.Second }})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		r := chip.Report{
			Number: i + 1, Name: "k", Stream: uint64(i), CTAs: 4, Launched: 100, Start: 200, End: 1100,
			Dim: chip.Dim{Grid: [3]uint32{4, 1, 1}, Block: [3]uint32{64, 1, 1}},
		}
		r.SM.Thread, r.SM.Warp, r.L1.Reads, r.L1.ReadHits, r.DRAM.Finished[0] = 3200, 100, 7, 5, 9
		r.Broken = i == 1
		if err := w.Grid(&r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestBlocksSpellTheirNamesAsScrapersExpect(t *testing.T) {
	text := write(t, "gpgpusim")
	for _, want := range []string{
		"kernel_name = k \n", "kernel_launch_uid = 2 \n", "gpu_sim_cycle = 1000\n", "gpu_sim_insn = 3200\n", "gpu_ipc =       3.2000\n",
		"gpu_tot_sim_cycle = 2000\n", "gpu_tot_sim_insn = 6400\n", "\tL1D_total_cache_accesses = 14\n", "total dram reads = 18\n",
		"\tTotal_core_cache_stats_breakdown[GLOBAL_ACC_R][HIT] = 10\n", "gpgpu_n_tot_w_icount = 200\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

// scraped are the expressions that scripts look for in a log, and what they find
// in that of write after the second grid.
var scraped = []struct{ expression, value string }{
	{`^kernel_launch_uid\s*=\s*(.*)`, "2"},
	{`^gpu_tot_sim_insn\s*=\s*(.*)`, "6400"},
	{`^gpu_tot_sim_cycle\s*=\s*(.*)`, "2000"},
	{`^gpgpu_n_tot_w_icount\s*=\s*(.*)`, "200"},
	{`^total dram reads\s*=\s*(.*)`, "18"},
	{`^total dram writes\s*=\s*(.*)`, "0"},
	{`\s+Total_core_cache_stats_breakdown\[GLOBAL_ACC_R\]\[TOTAL_ACCESS\]\s*=\s*(.*)`, "14"},
	{`\s+Total_core_cache_stats_breakdown\[GLOBAL_ACC_R\]\[HIT\]\s*=\s*(.*)`, "10"},
	{`\s+Total_core_cache_stats_breakdown\[GLOBAL_ACC_R\]\[MSHR_HIT\]\s*=\s*(.*)`, "0"},
	{`\s+Total_core_cache_stats_breakdown\[GLOBAL_ACC_W\]\[TOTAL_ACCESS\]\s*=\s*(.*)`, "0"},
	{`\s+Total_core_cache_stats_breakdown\[GLOBAL_ACC_W\]\[HIT\]\s*=\s*(.*)`, "0"},
	{`\s+L2_cache_stats_breakdown\[GLOBAL_ACC_R\]\[TOTAL_ACCESS\]\s*=\s*(.*)`, "0"},
	{`\s+L2_cache_stats_breakdown\[GLOBAL_ACC_R\]\[HIT\]\s*=\s*(.*)`, "0"},
	{`\s+L2_cache_stats_breakdown\[GLOBAL_ACC_W\]\[TOTAL_ACCESS\]\s*=\s*(.*)`, "0"},
	{`\s+L2_cache_stats_breakdown\[GLOBAL_ACC_W\]\[HIT\]\s*=\s*(.*)`, "0"},
	{`^gpu_ipc\s*=\s*(.*)`, "3.2000"},
	{`^gpu_tot_ipc\s*=\s*(.*)`, "3.2000"},
	{`^gpu_occupancy\s*=\s*(.*)%`, "0.0000"},
	{`^L2_BW\s*=\s*(.*)GB/Sec`, "0.0000"},
	{`^gpgpu_simulation_time\s*=.*\(([0-9]+) sec\)`, "90"},
	{`^gpgpu_simulation_rate\s+=\s+(.*)\s+\(inst/sec\)`, "71"},
	{`^gpgpu_simulation_rate\s+=\s+(.*)\s+\(cycle/sec\)`, "22"},
	{`^gpgpu_silicon_slowdown\s*=\s*(.*)x`, "90000000"},
}

func TestScrapersReadTheLog(t *testing.T) {
	text := write(t, "gpgpusim")
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	const lookedAt = 100 // lines, for the build
	if !regexp.MustCompile(`GPGPU-Sim.*\[build\s+(.*)\]`).MatchString(strings.Join(lines[:lookedAt], "\n")) {
		t.Error("the build is not named where scripts look for it")
	}
	if last := lines[len(lines)-1]; last != "GPGPU-Sim: *** exit detected ***" {
		t.Errorf("the last line is %q: scripts discard the log", last)
	}
	for _, s := range scraped {
		expression, got := regexp.MustCompile(s.expression), ""
		for _, line := range lines {
			if m := expression.FindStringSubmatch(line); m != nil {
				got = strings.TrimSpace(m[1])
			}
		}
		if got != s.value {
			t.Errorf("%s finds %q, want %q", s.expression, got, s.value)
		}
	}
	if n := strings.Count(text, "\nkernel_name = "); n != 2 {
		t.Errorf("%d kernels begin", n)
	}
	if !strings.Contains(text, "\nGPGPU-Sim: ** break due to reaching the maximum cycles (or instructions) **\n") {
		t.Error("a kernel that a limit has ended is not marked")
	}
}

func TestJSONAndCSVHoldEveryCounterOfEachGridStreamAndOfAll(t *testing.T) {
	rows, err := csv.NewReader(strings.NewReader(write(t, "csv"))).ReadAll()
	if err != nil || len(rows) != 1+2+2+1 { // names, grids, streams, all
		t.Fatalf("%d lines, %v", len(rows), err)
	}
	lines := strings.Split(strings.TrimSpace(write(t, "json")), "\n")
	if len(lines) != len(rows)-1 {
		t.Fatalf("%d objects", len(lines))
	}
	for i, line := range lines {
		var o struct {
			Name     string
			Cycles   uint64
			Counters map[string]uint64
		}
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatal(err)
		}
		times := uint64(1)
		if i == len(lines)-1 {
			times = 2
		}
		if o.Cycles != 1000*times || o.Counters["sm.inst.thread"] != 3200*times || o.Counters["dram.finished.read"] != 9*times {
			t.Errorf("object %d is %s", i, line)
		}
		const described = 10 // columns that are no counters
		if columns := len(rows[i+1]) - described; columns != len(o.Counters) {
			t.Errorf("%d columns, %d counters: names are not unique", columns, len(o.Counters))
		}
		for k, name := range rows[0][described:] {
			if rows[i+1][described+k] != fmt.Sprint(o.Counters[name]) {
				t.Errorf("line %d: %s is %s, the object has %d", i, name, rows[i+1][described+k], o.Counters[name])
			}
		}
	}
}

func TestTheTextHasAUnitAndAMeaningInEachLine(t *testing.T) {
	text := write(t, "text")
	var totals chip.Totals
	n := len(stat.List(&totals))
	if lines := strings.Count(text, "\n"); lines != 2*(n+7)+3*(n+4) {
		t.Errorf("%d lines for %d counters of two grids, two streams and all", lines, n)
	}
	for _, c := range stat.List(&totals) {
		if c.Unit == "" || c.Doc == "" {
			t.Errorf("%s has no unit or no meaning", c.Name)
		}
	}
	if !regexp.MustCompile(`(?m)^all streams: 2 grids\n(.*\n)*  sm.inst.warp +200 instructions +Warp instructions issued.$`).MatchString(text) {
		t.Errorf("the sum of instructions is missing in\n%s", text)
	}
}

func TestThePageHasNamesUnitsAndALineForEachKernel(t *testing.T) {
	rows, err := csv.NewReader(strings.NewReader(write(t, "ncu"))).ReadAll()
	if err != nil || len(rows) != 2+2 {
		t.Fatalf("%d lines, %v", len(rows), err)
	}
	for _, want := range []struct{ name, unit, value string }{
		{"ID", "", "1"}, {"Kernel Name", "", "k"}, {"Grid Size", "", "(4, 1, 1)"}, {"Block Size", "", "(64, 1, 1)"}, {"Stream", "", "1"},
		{"gpc__cycles_elapsed.max", "cycle", "900"}, {"smsp__inst_executed.sum", "inst", "100"}, {"smsp__thread_inst_executed_per_inst_executed.ratio", "", "32"},
	} {
		i := slices.Index(rows[0], want.name)
		if i < 0 || rows[1][i] != want.unit || rows[3][i] != want.value {
			t.Errorf("%s: column %d of %v", want.name, i, rows[3])
		}
	}
}

func TestAnUnknownFormIsRefused(t *testing.T) {
	if _, err := report.New("xml", nil, report.Config{}); err == nil || !strings.Contains(err.Error(), "gpgpusim") {
		t.Errorf("got %v", err)
	}
}
