package report_test

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/models"
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
	w, err := report.New(form, &out, report.Config{Chip: c, Model: "h200"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		r := chip.Report{Number: i + 1, Name: "k", CTAs: 4, Launched: 100, Start: 200, End: 1100}
		r.SM.Thread, r.SM.Warp, r.L1.Reads, r.L1.ReadHits, r.DRAM.Finished[0] = 3200, 100, 7, 5, 9
		if err := w.Grid(&r); err != nil {
			t.Fatal(err)
		}
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

func TestJSONAndCSVHoldEveryCounterOfEachGrid(t *testing.T) {
	rows, err := csv.NewReader(strings.NewReader(write(t, "csv"))).ReadAll()
	if err != nil || len(rows) != 3 {
		t.Fatalf("%d lines, %v", len(rows), err)
	}
	for i, line := range strings.Split(strings.TrimSpace(write(t, "json")), "\n") {
		var o struct {
			Name     string
			Cycles   uint64
			Counters map[string]uint64
		}
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatal(err)
		}
		if o.Name != "k" || o.Cycles != 1000 || o.Counters["sm.inst.thread"] != 3200 || o.Counters["dram.finished.read"] != 9 {
			t.Errorf("grid %d is %s", i, line)
		}
		if columns := len(rows[i+1]) - 8; columns != len(o.Counters) {
			t.Errorf("%d columns, %d counters: names are not unique", columns, len(o.Counters))
		}
	}
}

func TestAnUnknownFormIsRefused(t *testing.T) {
	if _, err := report.New("xml", nil, report.Config{}); err == nil || !strings.Contains(err.Error(), "gpgpusim") {
		t.Errorf("got %v", err)
	}
}
