package gpgpusim_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/gpgpusim"
)

// disk is files by name.
type disk map[string]string

func (d disk) open(name string) ([]byte, error) {
	text, ok := d[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return []byte(text), nil
}

// translate gives the parameters that files become, the last of each name.
func translate(d disk) (map[string]string, error) {
	f, err := gpgpusim.Read(gpgpusim.Name, d.open)
	if err != nil {
		return nil, err
	}
	t, err := gpgpusim.Translate(f)
	if err != nil {
		return nil, err
	}
	got := map[string]string{"model": t.Model}
	for _, s := range t.Settings {
		got[s.Name] = s.Value
	}
	return got, nil
}

// expect compares some of the parameters that a text becomes.
func expect(t *testing.T, text string, want map[string]string) {
	t.Helper()
	got, err := translate(disk{gpgpusim.Name: text})
	if err != nil {
		t.Errorf("%s: %v", text, err)
		return
	}
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s: %s is %q, want %q", text, name, got[name], value)
		}
	}
}

func TestTheTableHasEveryOptionOnceWithItsMeaningOrAReason(t *testing.T) {
	seen := map[string]bool{}
	for i := range gpgpusim.Options {
		o := &gpgpusim.Options[i]
		if seen[o.Name] || !strings.HasPrefix(o.Name, "-") || o.Rule.Doc == "" {
			t.Errorf("%q is there twice, has no dash or no text", o.Name)
		}
		seen[o.Name] = true
	}
	// 216 names of version 4.2 with seven more units, one of ours, five of earlier versions.
	if len(seen) != 216+7+1+5 {
		t.Errorf("%d options", len(seen))
	}
}

func TestTokensMayBeQuotedCommentedAndIncluded(t *testing.T) {
	got, err := translate(disk{
		gpgpusim.Name: "# a GPU\n-gpgpu_n_clusters 4 # -gpgpu_n_clusters 5\n\t-gpgpu_n_cores_per_cluster\n 0x2 -config more.config\n-gpgpu_flush_l2_cache\n-gpgpu_perfect_mem 0\n",
		"more.config": "-gpgpu_dram_timing_opt \"nbk=16:CCD=1:RRD=3:RCD=12:RAS=28:RP=12:RC=40:\n  CL=12:WL=2:CDLR=3:WR=10:nbkgrp=4:CCDL=2:RTPL=3\"\n-gpgpu_n_mem 1 -gpgpu_n_mem 010\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"sm.count": "8", "sm.groups": "2,2,2,2", "noc.groups": "4", "l2.flush": "true", "lsu.perfect": "false", "dram.trcd": "12", "dram.banks": "4", "l2.channels": "010",
	} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
}

func TestMistakesNameFileLineAndOption(t *testing.T) {
	const timing = "-gpgpu_dram_timing_opt nbk=16:CCD=1:RRD=3:RCD=12:RAS=28:RP=12:RC=40:CL=12:WL=2:CDLR=3:WR=10:nbkgrp=4:CCDL=2:RTPL=3 "
	for text, want := range map[string]string{
		"\n-gpgpu_n_clustres 4":           `gpgpusim.config:2: unknown option -gpgpu_n_clustres; did you mean -gpgpu_n_clusters?`,
		"-gpgpu_n_clusters four":          `gpgpusim.config:1: -gpgpu_n_clusters: "four" is not a whole number`,
		"-gpgpu_n_clusters 0":             `gpgpusim.config:1: -gpgpu_n_clusters 0: 0 clusters of 3 SMs cannot be`,
		"-gpgpu_n_clusters":               `gpgpusim.config:1: -gpgpu_n_clusters has no value`,
		"-config":                         `gpgpusim.config:1: -config names no file`,
		"-config lost.config":             `gpgpusim.config:1: cannot read lost.config`,
		"-config gpgpusim.config":         `files include one another 16 times`,
		"\n\n-gpgpu_cache:dl1 S:4:128:64": `gpgpusim.config:3: -gpgpu_cache:dl1 S:4:128:64: "S:4:128:64" has 1 parts divided by commas`,
		"-gpgpu_cache:dl2 S:32:128:24,L:B:f:L:P,A:192:4,32:0,32":                                                            `write-back needs allocation on a miss`,
		"-gpgpu_cache:dl2 S:32:128:24,L:Q:m:L:P,A:192:4,32:0,32":                                                            `write policy "Q" is none of R, B, T, E, L`,
		"-gpgpu_cache:dl2 S:32:128:x,L:B:m:L:P,A:192:4,32:0,32":                                                             `ways "x" is not a positive whole number`,
		"-gpgpu_cache:dl2 S:32:128,L:B:m:L:P,A:192:4,32:0,32":                                                               `"S:32:128" has 3 fields, not 4`,
		"-gpgpu_cache:dl2 N:32:128:1,L:B:m:L:P,T:192:4,32,32":                                                               `need a result queue`,
		"-gpgpu_dram_timing_opt nbk=16":                                                                                     `CCD is missing`,
		"-gpgpu_dram_timing_opt nbk=16:FAW=1":                                                                               `"FAW" is none of`,
		timing + "\n-gpgpu_mem_addr_mapping RRRR":                                                                           `gpgpusim.config:2: -gpgpu_mem_addr_mapping RRRR: the map has 4 letters, not 64`,
		timing + "-gpgpu_mem_addr_mapping dramid@8;00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR.RRBBCCCB.CCCSSSSS": `3 bits for 16 banks`,
		"-gpgpu_scheduler greedy":                                                                                           `"greedy" is none of lrr, gto`,
		"-gpgpu_scheduler two_level_active:6":                                                                               `is not two_level_active:warps:inner:outer`,
		"-gpgpu_clock_domains 1:2:3":                                                                                        `is not core:interconnect:L2:DRAM`,
		"-gpgpu_shader_core_pipeline 2048:16":                                                                               `is not threads:32`,
		"-gpgpu_shader_core_pipeline 2048:32":                                                                               `64 warps cannot be shared by 1 schedulers`,
		"-network_mode 1 -inter_config_file a.icnt":                                                                         `gpgpusim.config:1: -inter_config_file a.icnt: file does not exist`,
		"-gpgpu_dram_scheduler 3":                                                                                           `there are 0 to 1`,
	} {
		_, err := translate(disk{gpgpusim.Name: text})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestAllMistakesAreReportedAtOnce(t *testing.T) {
	_, err := translate(disk{gpgpusim.Name: "-a 1\n-gpgpu_n_mem x\n-b\n"})
	if err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("got %v", err)
	}
}

func TestCacheStringsBecomeShapesAndPolicies(t *testing.T) {
	expect(t, "-gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,A:512:8,16:0,32 -gpgpu_l1_banks 4 -gpgpu_adaptive_cache_config 1 -gpgpu_unified_l1d_size 128 -gpgpu_shmem_option 0,8,16,32,64,96", map[string]string{
		"l1.sets": "4", "l1.ways": "256", "l1.unified": "131072", "l1.carveouts": "0,8,16,32,64,96", "l1.fetch": "32", "l1.write": "through",
		"l1.mshrs": "512", "l1.merges": "8", "l1.index": "linear", "l1.width": "128", "lsu.misses": "16", "l1.allocate": "miss",
		"sm.shared": "98304", "sm.shared_bytes": "98304", "l1.cached": "true",
	})
	expect(t, "-gpgpu_cache:dl1 N:32:128:4,F:E:f:N:H,S:64:8,8 -gpgpu_shmem_size 49152 -gpgpu_gmem_skip_L1D 1", map[string]string{
		"l1.unified": "65536", "l1.carveouts": "48", "l1.ways": "16", "l1.fetch": "128", "l1.replacement": "fifo", "l1.write": "evict",
		"l1.allocate": "fill", "l1.index": "xor", "l1.cached": "false",
	})
	expect(t, "-gpgpu_shmem_size 16384", map[string]string{"l1.cached": "false", "l1.carveouts": "16"})
	expect(t, "-gpgpu_n_mem 32 -gpgpu_n_sub_partition_per_mchannel 2 -gpgpu_cache:dl2 S:32:128:24,L:B:m:F:P,A:192:4,32:0,64", map[string]string{
		"l2.sets": "32", "l2.ways": "24", "l2.write": "back", "l2.write_allocate": "fetch", "l2.index": "ipoly", "l2.width": "64", "memory.l2": "6291456",
	})
	expect(t, "-gpgpu_cache:il1 N:64:128:16,L:R:f:N:L,S:2:48,4 -gpgpu_const_cache:l1 N:128:64:8,L:R:f:N:L,S:2:64,4", map[string]string{
		"icache.l1_sets": "64", "icache.l1_ways": "16", "const.vl_sets": "128", "const.line": "64",
	})
}

func TestDRAMTimingIsTheSameWithAndWithoutNames(t *testing.T) {
	want := map[string]string{
		"dram.bank_groups": "4", "dram.banks": "4", "dram.tccds": "4", "dram.tccdl": "6", "dram.trrds": "12", "dram.trcd": "24", "dram.tras": "55",
		"dram.trp": "24", "dram.trc": "78", "dram.tcl": "24", "dram.twl": "8", "dram.twtrl": "10", "dram.twr": "24", "dram.trtp": "4",
		"dram.burst": "4", "dram.trtw": "22", "dram.atom": "32", "memory.bus_width": "192", "dram.refresh": "none", "memory.clock_rate": "7001000",
	}
	const rest = " -gpgpu_dram_burst_length 16 -gpgpu_dram_buswidth 2 -dram_data_command_freq_ratio 4 -gpgpu_n_mem 12 -gpgpu_clock_domains 1365:1365:1365:3500.5"
	expect(t, "-gpgpu_dram_timing_opt 16:4:12:24:55:24:78:24:8:10:24:4:6:4"+rest, want)
	expect(t, "-gpgpu_dram_timing_opt RTPL=4:nbk=16:CCD=4:RRD=12:RCD=24:RAS=55:RP=24:RC=78:CL=24:WL=8:CDLR=10:WR=24:nbkgrp=4:CCDL=6"+rest, want)
	expect(t, "-dram_elimnate_rw_turnaround 1", map[string]string{"dram.twtrs": "0", "dram.trtw": "0"})
}

func TestAddressMapsNameEachBit(t *testing.T) {
	const timing = "-gpgpu_dram_timing_opt nbk=16:CCD=1:RRD=3:RCD=12:RAS=28:RP=12:RC=40:CL=12:WL=2:CDLR=3:WR=10:nbkgrp=4:CCDL=2:RTPL=3 "
	const zeros = "00000000.00000000.00000000.00000000."
	low := map[string]string{"dram.map": "RRRRRRRRRRRRRBBGCCCGCCCCCCCC", "dram.row": "2048", "l2.interleave": "256"}
	expect(t, timing+"-dram_bnkgrp_indexing_policy 1 -gpgpu_mem_addr_mapping dramid@8;"+zeros+"0000RRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS", low)
	low["dram.map"] = "RRRRRRRRRRRRRGGBCCCBCCCCCCCC"
	expect(t, timing+"-gpgpu_mem_addr_mapping dramid@8;"+zeros+"0000RRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS", low)
	expect(t, timing+"-gpgpu_mem_addr_mapping "+zeros+"000000RR|RRRRRRRR|DBBBBDCC|CCCSSSSS", map[string]string{"l2.interleave": "1024"})
}

func TestUnitsFewerThanSchedulersLengthenIntervals(t *testing.T) {
	expect(t, "-gpgpu_num_sched_per_core 4 -gpgpu_num_sp_units 2 -gpgpu_num_dp_units 1 -gpgpu_num_sfu_units 1 -gpgpu_num_int_units 4 "+
		"-ptx_opcode_initiation_int 2,2,2,2,2 -ptx_opcode_initiation_fp 1,1,1,1,1 -ptx_opcode_initiation_dp 8,8,8,8,8 -ptx_opcode_initiation_sfu 4 "+
		"-ptx_opcode_latency_int 4,13,4,5,145,21", map[string]string{
		"int.interval": "2", "fp32.interval": "2", "fp64.interval": "8", "fp64.shared": "true", "sfu.interval": "16", "int.latency": "4", "imad.latency": "5",
	})
}

func TestTheModelIsThatOfTheNearestArchitecture(t *testing.T) {
	for cc, want := range map[[2]int]string{{2, 0}: "qv100", {7, 0}: "qv100", {7, 5}: "rtx2060", {8, 0}: "a100", {8, 6}: "rtx3070", {9, 0}: "h100", {12, 0}: "rtx5070ti"} {
		expect(t, fmt.Sprintf("-gpgpu_compute_capability_major %d -gpgpu_compute_capability_minor %d", cc[0], cc[1]), map[string]string{"model": want})
	}
}

func TestInterconnectFilesAreReadOnlyByTheirNetwork(t *testing.T) {
	const text = "-gpgpu_n_clusters 14 -gpgpu_n_cores_per_cluster 1 -gpgpu_n_mem 12 -gpgpu_n_sub_partition_per_mchannel 2 -icnt_flit_size 40 -inter_config_file x.icnt "
	const file = "// a crossbar\ntopology = fly;\nk = %d; n = 1;\nflit_size = 32;\ninput_buffer_size = 256;\nsw_allocator = separable_input_first; alloc_iters = 3;\npacket_size = {{1,2},{3}};\n"
	d := disk{gpgpusim.Name: text + "-network_mode 1", "x.icnt": fmt.Sprintf(file, 38)}
	got, err := translate(d)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"noc.flit": "32", "noc.buffer": "75", "noc.arbiter": "rr", "noc.iterations": "3"} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
	d["x.icnt"] = fmt.Sprintf(file, 52)
	if _, err := translate(d); err == nil || !strings.Contains(err.Error(), "x.icnt: k = 52: the configuration has 38 clusters and slices") {
		t.Errorf("a network of another size: %v", err)
	}
	d["x.icnt"] = "topolgy = fly;"
	if _, err := translate(d); err == nil || !strings.Contains(err.Error(), "x.icnt:1:") {
		t.Errorf("an unknown key: %v", err)
	}
	d[gpgpusim.Name] = text + "-network_mode 2"
	if got, err := translate(d); err != nil || got["noc.flit"] != "40" {
		t.Errorf("the local crossbar read the file: %v, %v", got["noc.flit"], err)
	}
}

func TestOldNamesAreTaken(t *testing.T) {
	expect(t, "-smem_latency 24 -rop_latency 160 -gmem_skip_L1D 1 -gpuwattch_xml_file x.xml", map[string]string{"shared.latency": "10", "l1.cached": "false"})
}

func TestConfigurationsAreToldFromLockstepsOwn(t *testing.T) {
	if !gpgpusim.Is("# note\n\n -gpgpu_n_mem 8\n") || gpgpusim.Is("# note\nl2.channels 8\n") || gpgpusim.Is("") {
		t.Error("told wrong")
	}
}
