package gpgpusim

// Reasons that several options share.
const (
	power      = "there is no model of power"
	collectors = "there are no operand collectors: operands are read in fixed cycles through the ports of two banks and a reuse cache (regfile.*)"
	checkpoint = "there are no checkpoints; \"lockstep run --from-kernel N\" executes the kernels before N functionally"
	visualizer = "no log for AerialVision is written"
	converter  = "PTX is read from the program itself; nothing is converted or extracted to files (\"lockstep dump\" extracts)"
	preference = "a preference for L1 or shared memory is a part of what the SM has: the carve-out follows it and the need of the kernel"
	pools      = "one unit of each kind for each scheduler; fewer lengthen its interval"
)

// Options are all options of GPGPU-Sim 4.2, by chapter.
var Options = []Option{
	// Functional simulation and PTX.
	{"-gpgpu_ptx_sim_mode", Whole, "0", as("run.functional: 1 (PTX_SIM_MODE_FUNC counts more)", func(c *conversion, v *Value) error {
		c.set("run.functional", v.Text != "0")
		return nil
	})},
	{"-gpgpu_ptx_use_cuobjdump", Flag, "1", none(converter)},
	{"-gpgpu_experimental_lib_support", Flag, "0", none("device code of libraries is always found")},
	{"-gpgpu_ptx_convert_to_ptxplus", Flag, "0", none(converter)},
	{"-gpgpu_ptx_save_converted_ptxplus", Flag, "0", none(converter)},
	{"-gpgpu_ptx_force_max_capability", Whole, "0", none("PTX is chosen as the driver chooses, by the compute capability")},
	{"-gpgpu_occupancy_sm_number", Whole, "0", none("registers are allocated by liveness, not asked of ptxas")},
	{"-save_embedded_ptx", Flag, "0", none(converter)},
	{"-keep", Flag, "0", none(converter)},
	{"-gpgpu_ptx_inst_debug_to_file", Flag, "0", as("debug.file, if it is 1: the instructions of one thread", func(c *conversion, v *Value) error {
		if v.Text == "1" {
			c.set("debug.file", c.text("-gpgpu_ptx_inst_debug_file"))
		}
		return nil
	})},
	{"-gpgpu_ptx_inst_debug_file", Text, "inst_debug.txt", with("-gpgpu_ptx_inst_debug_to_file")},
	{"-gpgpu_ptx_inst_debug_thread_uid", Whole, "1", same("debug.thread")},
	{"-gpgpu_ptx_instruction_classification", Whole, "0", none("instructions are counted by pipe, not by opcode")},
	{"-enable_ptx_file_line_stats", Flag, "1", none("no profile by line of PTX is written")},
	{"-ptx_line_stats_filename", Text, "gpgpu_inst_stats.txt", none("no profile by line of PTX is written")},
	{"-gpgpu_compute_capability_major", Whole, "7", as("sm.major, name, and the model for what GPGPU-Sim has no option for; newer PTX is taken where there is no other (sm.newest_ptx)", func(c *conversion, v *Value) error {
		c.set("sm.major", v.Text)
		c.set("sm.newest_ptx", newestPTX)
		c.set("name", "GPGPU-Sim sm_"+v.Text+c.text("-gpgpu_compute_capability_minor"))
		return nil
	})},
	{"-gpgpu_compute_capability_minor", Whole, "0", same("sm.minor")},
	{"-gpgpu_stack_size_limit", Whole, "1024", same("launch.stack")},
	{"-gpgpu_heap_size_limit", Whole, "8388608", same("launch.heap")},
	{"-gpgpu_runtime_sync_depth_limit", Whole, "2", none("grids that wait for grids of their threads are refused, as CUDA 12 does")},
	{"-gpgpu_runtime_pending_launch_count_limit", Whole, "2048", same("launch.pending")},

	// Latencies and intervals of instructions.
	{"-ptx_opcode_latency_int", Text, "1,1,19,25,145,32", as("int.latency: ADD; imad.latency: MAD; MUL is a MAD, division is the instructions that it becomes, SHFL passes shared memory's pipe", intLatency)},
	{"-ptx_opcode_latency_fp", Text, "1,1,1,1,30", as("fp32.latency, half.latency: ADD, as MUL and MAD; division is the instructions that it becomes", floatLatency)},
	{"-ptx_opcode_latency_dp", Text, "8,8,8,8,335", as("fp64.latency: ADD, as MUL and MAD", doubleLatency)},
	{"-ptx_opcode_latency_sfu", Text, "8", same("sfu.latency")},
	{"-ptx_opcode_latency_tesnor", Text, "64", as("tensor.rate, tensor.latency: with the interval", tensor)},
	{"-ptx_opcode_initiation_int", Text, "1,1,4,4,32,4", as("int.interval: ADD; imad.interval: MAD; times schedulers/units", intInterval)},
	{"-ptx_opcode_initiation_fp", Text, "1,1,1,1,5", as("fp32.interval, half.interval: ADD; times schedulers/units", floatInterval)},
	{"-ptx_opcode_initiation_dp", Text, "8,8,8,8,130", as("fp64.interval, fp64.shared: ADD; times schedulers/units", doubleInterval)},
	{"-ptx_opcode_initiation_sfu", Text, "8", as("sfu.interval: times schedulers/units", specialInterval)},
	{"-ptx_opcode_initiation_tensor", Text, "64", with("-ptx_opcode_latency_tesnor")},

	// Launches.
	{"-gpgpu_cdp_enabled", Flag, "0", none("kernels can always launch kernels")},
	{"-cdp_latency", Text, "7200,8000,100,12000,1600", as("launch.nested: the fourth, for a launch; a grid's threads' grids begin when it has ended", nested)},
	{"-gpgpu_kernel_launch_latency", Whole, "0", same("launch.latency")},
	{"-gpgpu_TB_launch_latency", Whole, "0", same("launch.per_cta")},
	{"-gpgpu_max_concurrent_kernel", Whole, "32", same("launch.grids")},
	{"-gpgpu_concurrent_kernel_sm", Flag, "0", none("CTAs of several kernels share an SM whenever they fit, as on hardware")},

	// The SM.
	{"-gpgpu_n_clusters", Whole, "10", as("sm.count, sm.groups, noc.groups: times SMs of a cluster", multiprocessors)},
	{"-gpgpu_n_cores_per_cluster", Whole, "3", with("-gpgpu_n_clusters")},
	{"-gpgpu_shader_core_pipeline", Text, "1024:32", as("sm.threads, sm.warps", threads)},
	{"-gpgpu_simd_model", Whole, "1", none("paths of a warp part and join as on hardware since Volta; no stack")},
	{"-gpgpu_shader_registers", Whole, "8192", same("sm.regfile", "sm.registers")},
	{"-gpgpu_registers_per_block", Whole, "8192", same("launch.registers_per_block")},
	{"-gpgpu_shader_cta", Whole, "32", same("sm.ctas", "sm.blocks")},
	{"-gpgpu_num_cta_barriers", Whole, "16", none("a CTA has the 16 barriers of PTX")},
	{"-gpgpu_ignore_resources_limitation", Flag, "0", none("a CTA that does not fit an SM is an error of the launch, as CUDA has it")},
	{"-gpgpu_n_cluster_ejection_buffer_size", Whole, "8", none("an SM takes what comes")},
	{"-gpgpu_n_ldst_response_buffer_size", Whole, "2", none("an SM takes what comes")},
	{"-gpgpu_scheduler", Text, "gto", as("issue.policy (old is oldest, warp_limiting is limited), issue.active", scheduler)},
	{"-gpgpu_num_sched_per_core", Whole, "1", same("sm.subcores")},
	{"-gpgpu_max_insn_issue_per_warp", Whole, "2", none("a scheduler issues one instruction a cycle, as since Volta")},
	{"-gpgpu_dual_issue_diff_exec_units", Flag, "1", none("a scheduler issues one instruction a cycle, as since Volta")},
	{"-gpgpu_simt_core_sim_order", Whole, "1", none("the order in which SMs are simulated within a cycle decides nothing")},
	{"-gpgpu_sub_core_model", Flag, "0", none("each scheduler has its own registers and pipes, always")},
	{"-gpgpu_inst_fetch_throughput", Whole, "1", none("each sub-core fetches one instruction a cycle")},
	{"-gpgpu_pipeline_widths", Text, "1,1,1,1,1,1,1,1,1,1,1,1,1", none("there are no registers between stages to be sized: a sub-core issues one instruction a cycle to pipes with intervals")},
	{"-gpgpu_num_sp_units", Whole, "1", with("-ptx_opcode_initiation_fp")},
	{"-gpgpu_num_dp_units", Whole, "0", with("-ptx_opcode_initiation_dp")},
	{"-gpgpu_num_int_units", Whole, "0", with("-ptx_opcode_initiation_int")},
	{"-gpgpu_num_sfu_units", Whole, "1", with("-ptx_opcode_initiation_sfu")},
	{"-gpgpu_num_tensor_core_units", Whole, "0", with("-ptx_opcode_latency_tesnor")},
	{"-gpgpu_tensor_core_avail", Whole, "0", none("matrix instructions always have a pipe")},
	{"-gpgpu_num_mem_units", Whole, "1", none("GPGPU-Sim does not use it")},
	{"-specialized_unit_1", Text, "0,4,4,4,4,BRA", none(pools)},
	{"-specialized_unit_2", Text, "0,4,4,4,4,BRA", none(pools)},
	{"-specialized_unit_3", Text, "0,4,4,4,4,BRA", none(pools)},
	{"-specialized_unit_4", Text, "0,4,4,4,4,BRA", none(pools)},
	{"-specialized_unit_5", Text, "0,4,4,4,4,BRA", none(pools)},
	{"-specialized_unit_6", Text, "0,4,4,4,4,BRA", none(pools)},
	{"-specialized_unit_7", Text, "0,4,4,4,4,BRA", none(pools)},
	{"-specialized_unit_8", Text, "0,4,4,4,4,BRA", none(pools)},
	{"-gpgpu_num_reg_banks", Whole, "8", none("a sub-core has two banks of registers, as measured since Volta")},
	{"-gpgpu_reg_bank_use_warp_id", Flag, "0", none("the bank of a register is its number's lowest bit")},
	{"-gpgpu_reg_file_port_throughput", Whole, "1", same("regfile.read_ports")},
	{"-gpgpu_enable_specialized_operand_collector", Flag, "1", none(collectors)},
	{"-gpgpu_operand_collector_num_units_sp", Whole, "4", none(collectors)},
	{"-gpgpu_operand_collector_num_units_dp", Whole, "0", none(collectors)},
	{"-gpgpu_operand_collector_num_units_sfu", Whole, "4", none(collectors)},
	{"-gpgpu_operand_collector_num_units_int", Whole, "0", none(collectors)},
	{"-gpgpu_operand_collector_num_units_tensor_core", Whole, "4", none(collectors)},
	{"-gpgpu_operand_collector_num_units_mem", Whole, "2", none(collectors)},
	{"-gpgpu_operand_collector_num_units_gen", Whole, "0", none(collectors)},
	{"-gpgpu_operand_collector_num_in_ports_sp", Whole, "1", none(collectors)},
	{"-gpgpu_operand_collector_num_in_ports_dp", Whole, "0", none(collectors)},
	{"-gpgpu_operand_collector_num_in_ports_sfu", Whole, "1", none(collectors)},
	{"-gpgpu_operand_collector_num_in_ports_int", Whole, "0", none(collectors)},
	{"-gpgpu_operand_collector_num_in_ports_tensor_core", Whole, "1", none(collectors)},
	{"-gpgpu_operand_collector_num_in_ports_mem", Whole, "1", none(collectors)},
	{"-gpgpu_operand_collector_num_in_ports_gen", Whole, "0", none(collectors)},
	{"-gpgpu_operand_collector_num_out_ports_sp", Whole, "1", none(collectors)},
	{"-gpgpu_operand_collector_num_out_ports_dp", Whole, "0", none(collectors)},
	{"-gpgpu_operand_collector_num_out_ports_sfu", Whole, "1", none(collectors)},
	{"-gpgpu_operand_collector_num_out_ports_int", Whole, "0", none(collectors)},
	{"-gpgpu_operand_collector_num_out_ports_tensor_core", Whole, "1", none(collectors)},
	{"-gpgpu_operand_collector_num_out_ports_mem", Whole, "1", none(collectors)},
	{"-gpgpu_operand_collector_num_out_ports_gen", Whole, "0", none(collectors)},

	// Shared memory, L1 and the other caches of an SM.
	{"-gpgpu_shmem_size", Whole, "16384", as("sm.shared, sm.shared_bytes, launch.shared_per_block_optin: the largest size", shared)},
	{"-gpgpu_shmem_per_block", Whole, "49152", same("launch.shared_per_block")},
	{"-gpgpu_shmem_sizeDefault", Whole, "16384", none(preference)},
	{"-gpgpu_shmem_size_PrefL1", Whole, "16384", none(preference)},
	{"-gpgpu_shmem_size_PrefShared", Whole, "16384", none(preference)},
	{"-gpgpu_shmem_option", Text, "0", with("-gpgpu_cache:dl1")},
	{"-gpgpu_unified_l1d_size", Whole, "0", with("-gpgpu_cache:dl1")},
	{"-gpgpu_adaptive_cache_config", Flag, "0", with("-gpgpu_cache:dl1")},
	{"-gpgpu_shmem_num_banks", Whole, "16", same("shared.banks")},
	{"-gpgpu_shmem_limited_broadcast", Flag, "1", none("every word that several lanes read is broadcast")},
	{"-gpgpu_shmem_warp_parts", Whole, "2", none("all lanes of a warp use shared memory at a time")},
	{"-gpgpu_smem_latency", Whole, "3", latency("shared.latency", beyondShared, 2)},
	{"-gpgpu_mem_unit_ports", Whole, "1", none("how many requests go to L1 in a cycle is lsu.coalescers, l1.banks and l1.width")},
	{"-gpgpu_coalesce_arch", Whole, "13", none("requests are of 32-byte sectors of a 128-byte line, as from 40 on; the line of a cache of kind N is fetched as a whole")},
	{"-gpgpu_cache:dl1", Text, "none", as("l1.*, lsu.misses: one memory for L1 and shared memory; write policy L is through, as stores to local memory are few", l1)},
	{"-gpgpu_cache:dl1PrefL1", Text, "none", none(preference)},
	{"-gpgpu_cache:dl1PrefShared", Text, "none", none(preference)},
	{"-gpgpu_l1_banks", Whole, "1", same("l1.banks")},
	{"-gpgpu_l1_banks_byte_interleaving", Whole, "32", none("the bank follows from the line")},
	{"-gpgpu_l1_banks_hashing_function", Whole, "0", none("the bank follows from the line")},
	{"-gpgpu_l1_latency", Whole, "1", latency("l1.latency", beyondL1, 1)},
	{"-gpgpu_l1_cache_write_ratio", Whole, "0", none("L1 is written through: no line is dirty")},
	{"-gpgpu_gmem_skip_L1D", Flag, "0", with("-gpgpu_cache:dl1")},
	{"-gpgpu_cache:il1", Text, "", as("icache.line, icache.l1_sets, icache.l1_ways: the L1 behind the sub-cores' L0", instructions)},
	{"-gpgpu_const_cache:l1", Text, "", as("const.line, const.vl_sets, const.vl_ways: the cache of constant loads", constants)},
	{"-gpgpu_tex_cache:l1", Text, "", none("textures are read through L1, as since Volta")},
	{"-gpgpu_perfect_inst_const_cache", Flag, "0", as("icache.preload: all code is in L1, if it is 1", func(c *conversion, v *Value) error {
		if v.Text == "1" {
			c.set("icache.preload", 1<<24)
		}
		return nil
	})},
	{"-gpgpu_perfect_mem", Flag, "0", flag("lsu.perfect", false)},
	{"-gpgpu_flush_l1_cache", Flag, "0", flag("l1.flush", false)},
	{"-gpgpu_flush_l2_cache", Flag, "0", flag("l2.flush", false)},
	{"-gpgpu_local_mem_map", Flag, "1", none("words of local memory of a warp's lanes lie side by side, always")},

	// L2, partitions and DRAM.
	{"-gpgpu_n_mem", Whole, "8", as("l2.channels; the GPU is one partition", func(c *conversion, v *Value) error {
		c.set("l2.channels", v.Text)
		c.set("l2.partitions", 1)
		c.set("l2.copies", false)
		c.set("l2.far", 0)
		return nil
	})},
	{"-gpgpu_n_sub_partition_per_mchannel", Whole, "1", same("l2.slices_per_channel")},
	{"-gpgpu_n_mem_per_ctrlr", Whole, "1", with("-gpgpu_dram_buswidth")},
	{"-gpgpu_cache:dl2", Text, "", as("l2.*, memory.l2", l2)},
	{"-gpgpu_cache:dl2_texture_only", Flag, "1", none("L2 serves all accesses")},
	{"-l2_ideal", Flag, "0", flag("l2.ideal", false)},
	{"-gpgpu_l2_rop_latency", Whole, "85", rop},
	{"-gpgpu_dram_partition_queues", Text, "8:8:8:8", as("l2.queue: the first; what is missing waits in the mshrs of L2", queues)},
	{"-gpgpu_perf_sim_memcpy", Flag, "1", none("copies from the host leave L2 as it is")},
	{"-gpgpu_simple_dram_model", Flag, "0", flag("dram.simple", false)},
	{"-gpgpu_dram_scheduler", Whole, "1", choice("dram.scheduler", "fcfs", "frfcfs")},
	{"-gpgpu_frfcfs_dram_sched_queue_size", Whole, "0", as("dram.queue and, without a queue of their own, dram.write_queue; 0 is 4,096", writes)},
	{"-gpgpu_dram_return_queue_size", Whole, "0", none("data that come from memory are taken at once")},
	{"-gpgpu_dram_buswidth", Whole, "4", as("dram.atom: times chips and burst; memory.bus_width: times chips and channels", bus)},
	{"-gpgpu_dram_burst_length", Whole, "4", with("-gpgpu_dram_buswidth")},
	{"-dram_data_command_freq_ratio", Whole, "2", with("-gpgpu_dram_timing_opt")},
	{"-gpgpu_dram_timing_opt", Text, "4:2:8:12:21:13:34:9:4:5:13:1:0:0", as("dram.bank_groups, dram.banks, dram.burst, dram.t*; no window of four activations, no refresh", timing)},
	{"-dram_latency", Whole, "30", as("l2.memory_latency, in cycles of L2", func(c *conversion, v *Value) error {
		c.set("l2.memory_latency", max(c.fabric(c.int(v.Option.Name)), 1))
		return nil
	})},
	{"-dram_dual_bus_interface", Flag, "0", flag("dram.dual_bus", false)},
	{"-dram_bnk_indexing_policy", Flag, "0", flag("dram.bank_hash", false)},
	{"-dram_bnkgrp_indexing_policy", Whole, "0", with("-gpgpu_mem_addr_mapping")},
	{"-dram_seperate_write_queue_enable", Flag, "0", with("-gpgpu_frfcfs_dram_sched_queue_size")},
	{"-dram_write_queue_size", Text, "32:28:16", with("-gpgpu_frfcfs_dram_sched_queue_size")},
	{"-dram_elimnate_rw_turnaround", Flag, "0", with("-gpgpu_dram_timing_opt")},
	{"-gpgpu_mem_addr_mapping", Text, "", as("dram.map, dram.row, l2.interleave", mapping)},
	{"-gpgpu_mem_address_mask", Whole, "0", none("addresses are taken apart by -gpgpu_mem_addr_mapping")},
	{"-gpgpu_mem_addr_test", Flag, "0", none("that the map is one to one is a test of lockstep's own")},
	{"-gpgpu_memory_partition_indexing", Whole, "0", as("l2.hash: none, xor, ipoly; 4 (random) is ipoly", partitioning)},

	// Interconnect.
	{"-network_mode", Whole, "1", as("noc.sm_in, noc.sm_out, noc.slice_in, noc.slice_out: a crossbar that moves a flit a cycle from each input and to each output", func(c *conversion, v *Value) error {
		if v.Text != "1" && v.Text != "2" {
			return errNetwork
		}
		for _, port := range []string{"noc.sm_in", "noc.sm_out", "noc.slice_in", "noc.slice_out"} {
			c.set(port, 1)
		}
		return nil
	})},
	{"-icnt_flit_size", Whole, "32", same("noc.flit")},
	{"-icnt_in_buffer_limit", Whole, "64", same("noc.buffer")},
	{"-icnt_out_buffer_limit", Whole, "64", none("outputs of the crossbar have the room of what follows")},
	{"-icnt_subnets", Whole, "2", none("requests and replies have a network each")},
	{"-icnt_arbiter_algo", Whole, "1", choice("noc.arbiter", "rr", "islip")},
	{"-icnt_grant_cycles", Whole, "1", none("a grant holds for one cycle")},
	{"-icnt_verbose", Whole, "0", none("-trace_components INTERCONNECT shows packets")},
	{"-inter_config_file", Text, "", as("noc.*, with -network_mode 1: see the keys below", network)},

	// Clocks, limits and statistics.
	{"-gpgpu_clock_domains", Text, "500.0:2000.0:2000.0:2000.0", as("clock.core, clock.fabric (that of L2), clock.dram, board.clock_rate, memory.clock_rate", clocks)},
	{"-gpgpu_deadlock_detect", Flag, "1", none("a deadlock is always reported")},
	{"-gpgpu_max_cycle", Whole, "0", same("limit.cycles")},
	{"-gpgpu_max_insn", Whole, "0", same("limit.instructions")},
	{"-gpgpu_max_cta", Whole, "0", same("limit.ctas")},
	{"-gpgpu_max_completed_cta", Whole, "0", same("limit.completed_ctas")},
	{"-gpgpu_runtime_stat", Text, "10000:0", none("statistics are written when a kernel has ended")},
	{"-gpgpu_memlatency_stat", Whole, "0", none("latencies of memory are always summed (lsu.load_cycles, dram.waited), without tables")},
	{"-liveness_message_freq", Whole, "1", same("progress.seconds")},
	{"-gpgpu_warpdistro_shader", Whole, "-1", none("issue slots are counted for all SMs")},
	{"-gpgpu_warp_issue_shader", Whole, "0", none("issue slots are counted for all SMs")},
	{"-gpgpu_cflog_interval", Whole, "0", none("no log of control flow is written")},
	{"-visualizer_enabled", Flag, "1", none(visualizer)},
	{"-visualizer_outputfile", Text, "", none(visualizer)},
	{"-visualizer_zlevel", Whole, "6", none(visualizer)},

	// Power.
	{"-power_simulation_enabled", Flag, "0", none(power)},
	{"-power_simulation_mode", Whole, "0", none(power)},
	{"-accelwattch_xml_file", Text, "accelwattch_sass_sim.xml", none(power)},
	{"-power_per_cycle_dump", Flag, "0", none(power)},
	{"-dvfs_enabled", Flag, "0", none(power)},
	{"-aggregate_power_stats", Flag, "0", none(power)},
	{"-hw_perf_file_name", Text, "hw_perf.csv", none(power)},
	{"-hw_perf_bench_name", Text, "", none(power)},
	{"-accelwattch_hybrid_perfsim_L1_RH", Flag, "0", none(power)},
	{"-accelwattch_hybrid_perfsim_L1_RM", Flag, "0", none(power)},
	{"-accelwattch_hybrid_perfsim_L1_WH", Flag, "0", none(power)},
	{"-accelwattch_hybrid_perfsim_L1_WM", Flag, "0", none(power)},
	{"-accelwattch_hybrid_perfsim_L2_RH", Flag, "0", none(power)},
	{"-accelwattch_hybrid_perfsim_L2_RM", Flag, "0", none(power)},
	{"-accelwattch_hybrid_perfsim_L2_WH", Flag, "0", none(power)},
	{"-accelwattch_hybrid_perfsim_L2_WM", Flag, "0", none(power)},
	{"-accelwattch_hybrid_perfsim_CC_ACC", Flag, "0", none(power)},
	{"-accelwattch_hybrid_perfsim_SHARED_ACC", Flag, "0", none(power)},
	{"-accelwattch_hybrid_perfsim_DRAM_RD", Flag, "0", none(power)},
	{"-accelwattch_hybrid_perfsim_DRAM_WR", Flag, "0", none(power)},
	{"-accelwattch_hybrid_perfsim_NOC", Flag, "0", none(power)},
	{"-accelwattch_hybrid_perfsim_PIPE_DUTY", Flag, "0", none(power)},
	{"-accelwattch_hybrid_perfsim_NUM_SM_IDLE", Flag, "0", none(power)},
	{"-accelwattch_hybrid_perfsim_CYCLES", Flag, "0", none(power)},
	{"-accelwattch_hybrid_perfsim_VOLTAGE", Flag, "0", none(power)},
	{"-power_trace_enabled", Flag, "0", none(power)},
	{"-power_trace_zlevel", Whole, "6", none(power)},
	{"-steady_power_levels_enabled", Flag, "0", none(power)},
	{"-steady_state_definition", Text, "8:4", none(power)},
	{"-n_regfile_gating_group", Whole, "4", none(power)},
	{"-gpgpu_clock_gated_reg_file", Flag, "0", none(power)},
	{"-gpgpu_clock_gated_lanes", Flag, "0", none(power)},

	// Traces and checkpoints.
	{"-trace_enabled", Flag, "0", as("trace.components, if it is 1", func(c *conversion, v *Value) error {
		if v.Text == "1" {
			c.set("trace.components", c.text("-trace_components"))
		}
		return nil
	})},
	{"-trace_components", Text, "none", with("-trace_enabled")},
	{"-trace_sampling_core", Whole, "0", same("trace.core")},
	{"-trace_sampling_memory_partition", Whole, "-1", same("trace.partition")},
	{"-checkpoint_option", Whole, "0", none(checkpoint)},
	{"-checkpoint_kernel", Whole, "1", none(checkpoint)},
	{"-checkpoint_CTA", Whole, "0", none(checkpoint)},
	{"-checkpoint_CTA_t", Whole, "0", none(checkpoint)},
	{"-checkpoint_insn_Y", Whole, "0", none(checkpoint)},
	{"-resume_option", Whole, "0", none(checkpoint)},
	{"-resume_kernel", Whole, "0", none(checkpoint)},
	{"-resume_CTA", Whole, "0", none(checkpoint)},

	// Lockstep's own, for a file that serves both.
	{"-gpgpusim_output", Flag, "", as("run.output, run.statistics: GPGPU-Sim's blocks on stdout, if it is 1", func(c *conversion, v *Value) error {
		if v.Text == "1" {
			c.set("run.output", "gpgpusim")
			c.set("run.statistics", "stdout")
		}
		return nil
	})},

	// Names of earlier versions, which this one of GPGPU-Sim refuses.
	{"-smem_latency", Whole, "", latency("shared.latency", beyondShared, 2)},
	{"-rop_latency", Whole, "", rop},
	{"-gmem_skip_L1D", Flag, "", flag("l1.cached", true)},
	{"-perf_sim_memcpy", Flag, "", none("copies from the host leave L2 as it is")},
	{"-gpuwattch_xml_file", Text, "", none(power)},
}
