package rt_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

// volta is a GPU of GPGPU-Sim like a V100.
const volta = `# a V100
-gpgpu_compute_capability_major 7 -gpgpu_compute_capability_minor 0
-gpgpu_n_clusters 40 -gpgpu_n_cores_per_cluster 2
-gpgpu_n_mem 32 -gpgpu_n_sub_partition_per_mchannel 2
-gpgpu_clock_domains 1132.0:1132.0:1132.0:850.0
-gpgpu_shader_registers 65536 -gpgpu_registers_per_block 65536
-gpgpu_shader_core_pipeline 2048:32 -gpgpu_shader_cta 32
-gpgpu_num_sched_per_core 4 -gpgpu_scheduler lrr
-gpgpu_num_sp_units 4 -gpgpu_num_int_units 4 -gpgpu_num_dp_units 4 -gpgpu_num_sfu_units 4 -gpgpu_num_tensor_core_units 4
-gpgpu_adaptive_cache_config 1 -gpgpu_unified_l1d_size 128 -gpgpu_shmem_option 0,8,16,32,64,96
-gpgpu_l1_banks 4 -gpgpu_l1_latency 20 -gpgpu_smem_latency 20 -gpgpu_flush_l1_cache 1 -gpgpu_shmem_num_banks 32
-gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,A:512:8,16:0,32
-gpgpu_cache:dl2 S:32:128:24,L:B:m:L:P,A:192:4,32:0,32
-gpgpu_memory_partition_indexing 2 -gpgpu_l2_rop_latency 160 -dram_latency 100
-network_mode 2 -icnt_flit_size 40 -icnt_in_buffer_limit 512
-gpgpu_dram_buswidth 16 -gpgpu_dram_burst_length 2 -dram_data_command_freq_ratio 2 -dram_dual_bus_interface 1 -gpgpu_frfcfs_dram_sched_queue_size 64
-gpgpu_dram_timing_opt "nbk=16:CCD=1:RRD=3:RCD=12:RAS=28:RP=12:RC=40:
                        CL=12:WL=2:CDLR=3:WR=10:nbkgrp=4:CCDL=2:RTPL=3"
-gpgpu_mem_addr_mapping dramid@8;00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS -dram_bnkgrp_indexing_policy 1
-gpgpu_kernel_launch_latency 5000 -gpgpu_heap_size_limit 16777216
`

// simulate makes a runtime with a file of GPGPU-Sim's options.
func simulate(t *testing.T, text string, c rt.Config) (r *rt.Runtime, said string, err error) {
	t.Helper()
	c.Simulator = filepath.Join(t.TempDir(), "gpgpusim.config")
	if err := os.WriteFile(c.Simulator, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c.Devices, c.Major = 1, 12
	c.Stderr = func(p []byte) { said += string(p) }
	r, err = rt.New(c)
	return r, said, err
}

func TestAConfigurationOfGPGPUSimMakesTheDevice(t *testing.T) {
	r, said, err := simulate(t, volta, rt.Config{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.NewThread().GetDeviceProperties(0)
	if err != nil {
		t.Fatal(err)
	}
	if p.MultiProcessorCount != 80 || p.Major != 7 || p.Minor != 0 || p.SharedMemPerMultiprocessor != 98304 || p.L2CacheSize != 6291456 || p.MemoryBusWidth != 4096 {
		t.Errorf("got %+v", p)
	}
	if heap, err := r.NewThread().DeviceGetLimit(2); err != nil || heap != 16<<20 {
		t.Errorf("the heap has %d bytes, %v", heap, err)
	}
	if strings.Count(said, "\n") != 1 || !strings.Contains(said, "options read") {
		t.Errorf("it said %q", said)
	}
}

func TestParametersThatNoGPUCanHaveNameTheOption(t *testing.T) {
	_, _, err := simulate(t, strings.Replace(volta, "-gpgpu_shmem_num_banks 32", "-gpgpu_shmem_num_banks 31", 1), rt.Config{})
	if err == nil || !strings.Contains(err.Error(), "gpgpusim.config:11: -gpgpu_shmem_num_banks 31: ") {
		t.Errorf("got %v", err)
	}
}

func TestAModelThatWasAskedForCountsMoreThanTheFile(t *testing.T) {
	r, said, err := simulate(t, volta, rt.Config{Model: "a100"})
	if err != nil {
		t.Fatal(err)
	}
	if p, err := r.NewThread().GetDeviceProperties(0); err != nil || p.MultiProcessorCount != 108 || !strings.Contains(said, "is not read") {
		t.Errorf("%v; it said %q", err, said)
	}
}

func TestTheFileChoosesTheModeUnlessTheEnvironmentDoes(t *testing.T) {
	var log strings.Builder
	text := volta + "-gpgpusim_output 1\n"
	config := rt.Config{Stdout: func(p []byte) { log.Write(p) }}
	r, _, err := simulate(t, text, config)
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	if s := log.String(); !strings.Contains(s, "[build lockstep]") || !strings.Contains(s, "-gpgpu_n_clusters") || !strings.HasSuffix(s, "\nGPGPU-Sim: *** exit detected ***\n") {
		t.Errorf("the log is %q", s)
	}
	log.Reset()
	for _, c := range []rt.Config{{Functional: true, Sources: rt.Sources{ModeGiven: true}}, {}} {
		c.Stdout = config.Stdout
		if _, _, err := simulate(t, text+"-gpgpu_ptx_sim_mode 1\n", c); err != nil || log.Len() > 0 {
			t.Errorf("functional execution: %v, log %q", err, log.String())
		}
	}
}
