package report

import (
	"fmt"
	"time"

	"github.com/lockstep-sim/lockstep/gpu/timing/cache"
	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
	"github.com/lockstep-sim/lockstep/gpu/timing/dram"
	"github.com/lockstep-sim/lockstep/gpu/timing/sm"
)

// banner begins a log, as scrapers want it: they look for the build.
const banner = `

        *** GPGPU-Sim Simulator Version 4.2.0  [build lockstep] ***


GPGPU-Sim PTX: simulation mode 0 (can change with PTX_SIM_MODE_FUNC environment variable:
               1=functional simulation only, 0=detailed performance simulator)
GPGPU-Sim: these are statistics of lockstep, with GPGPU-Sim's names where the meaning is the same
`

// farewell ends one.
const farewell = `GPGPU-Sim: exit_simulation called
GPGPU-Sim: *** simulation thread exiting ***
GPGPU-Sim: simulation thread signaled exit
GPGPU-Sim: *** exit detected ***
`

// broken is the line after the statistics of a kernel that a limit has ended.
const broken = "GPGPU-Sim: ** break due to reaching the maximum cycles (or instructions) **\n"

// block is the statistics block that GPGPU-Sim 4 prints after a kernel, as far
// as this model counts the same: names, order and spelling are its own.
func (w *Writer) block(r *chip.Report) []byte {
	var b []byte
	b = w.kernel(b, r)
	parts := r.Parts()
	b = w.cores(b, &parts)
	b = w.memory(b, &parts)
	b = w.network(b)
	b = w.rates(b)
	if r.Broken {
		b = append(b, broken...)
	}
	return b
}

// kernel is what is known of the kernel, and of all kernels so far.
func (w *Writer) kernel(b []byte, r *chip.Report) []byte {
	t, cycles, all := &w.total, uint64(r.Cycles()), uint64(w.cycles)
	add := func(format string, args ...any) { b = fmt.Appendf(b, format, args...) }
	add("kernel_name = %s \nkernel_launch_uid = %d \nkernel_stream_id = %d\n", r.Name, r.Number, r.Stream)
	add("gpu_sim_cycle = %d\ngpu_sim_insn = %d\ngpu_ipc = %12.4f\n", cycles, r.SM.Thread, ratio(r.SM.Thread, cycles))
	add("gpu_tot_sim_cycle = %d\ngpu_tot_sim_insn = %d\ngpu_tot_ipc = %12.4f\n", all, t.SM.Thread, ratio(t.SM.Thread, all))
	add("gpu_tot_issued_cta = %d\n", w.ctas)
	add("gpu_occupancy = %.4f%% \ngpu_tot_occupancy = %.4f%% \n", w.occupancy(&r.SM), w.occupancy(&t.SM))
	add("gpu_stall_dramfull = %d\ngpu_stall_icnt2sh    = %d\n", t.Memory.Stalls, t.Down.Blocked+t.Down.Grouped)
	add("partiton_level_parallism = %12.4f\npartiton_level_parallism_total  = %12.4f\n", ratio(r.Up.Moved, cycles), ratio(t.Up.Moved, all))
	add("L2_BW  = %12.4f GB/Sec\nL2_BW_total  = %12.4f GB/Sec\n", w.bandwidth(&r.Totals, cycles), w.bandwidth(t, all))
	add("gpu_total_sim_rate=%d\n", t.SM.Thread/w.seconds())
	return b
}

// cores is what the SMs did in all kernels so far.
func (w *Writer) cores(b []byte, parts *chip.Parts) []byte {
	t := &w.total
	f := &t.SM.Front
	add := func(format string, args ...any) { b = fmt.Appendf(b, format, args...) }
	add("\n========= Core cache stats =========\nL1I_cache:\n")
	b = tally{accesses: f.L1Hits + f.L1Misses, misses: f.L1Misses}.append(b, "\tL1I")
	add("L1D_cache:\n")
	for n := range parts.L1 {
		b = member(b, "\tL1D_cache_core", n, &parts.L1[n])
	}
	b = tallyOf(&t.L1).append(b, "\tL1D")
	add("L1C_cache:\n")
	b = tally{accesses: f.VLHits + f.VLMisses, misses: f.VLMisses}.append(b, "\tL1C")
	add("L1T_cache:\n")
	b = tally{}.append(b, "\tL1T")
	add("\nTotal_core_cache_stats:\n")
	b = breakdown(b, "Total_core_cache_stats_breakdown", &t.L1)
	add("\nTotal_core_cache_fail_stats:\n")
	b = failures(b, "Total_core_cache_fail_stats_breakdown", &t.L1)
	add("\ngpgpu_n_tot_thrd_icount = %d\ngpgpu_n_tot_w_icount = %d\n", t.SM.Thread, t.SM.Warp)
	s := &t.SM.Slots
	add("gpgpu_n_stall_shd_mem = %d\n", s[sm.WaitQueue]+t.LSU.Conflicts+t.LSU.Stalls+t.LSU.BankStalls)
	add("gpgpu_n_mem_read_global = %d\ngpgpu_n_mem_write_global = %d\n", t.Memory.Requests[0], t.Memory.Requests[1])
	add("gpgpu_n_load_insn  = %d\ngpgpu_n_shmem_insn = %d\n", t.LSU.Loads, t.LSU.Shared)
	add("gpgpu_n_shmem_bkconflict = %d\ngpgpu_n_l1cache_bkconflict = %d\n", t.LSU.Conflicts, t.LSU.BankStalls)
	add("gpgpu_stall_shd_mem[c_mem][resource_stall] = %d\n", s[sm.WaitConst])
	add("gpgpu_stall_shd_mem[s_mem][bk_conf] = %d\n", t.LSU.Conflicts)
	add("gpgpu_stall_shd_mem[gl_mem][resource_stall] = %d\n", t.LSU.Stalls)
	add("gpgpu_stall_shd_mem[gl_mem][data_port_stall] = %d\n", t.LSU.BankStalls)
	add("gpu_reg_bank_conflict_stalls = %d\n", t.SM.Registers.Bubbles)
	idle := s[sm.WaitFetch] + s[sm.WaitBarrier] + s[sm.NoWarp]
	stall := s[sm.WaitPort] + s[sm.WaitPipe] + s[sm.WaitResult] + s[sm.WaitQueue] + s[sm.WaitConst] + s[sm.WaitPolicy] + s[sm.WaitStall]
	add("Warp Occupancy Distribution:\nStall:%d\tW0_Idle:%d\tW0_Scoreboard:%d", stall, idle, s[sm.WaitExecution]+s[sm.WaitMemory])
	for lanes, n := range t.SM.Lanes[1:] {
		add("\tW%d:%d", lanes+1, n)
	}
	return append(b, '\n')
}

// memory is what L2 and memory did in all kernels so far.
func (w *Writer) memory(b []byte, parts *chip.Parts) []byte {
	t := &w.total
	d := &t.DRAM
	add := func(format string, args ...any) { b = fmt.Appendf(b, format, args...) }
	add("averagemflatency = %d \navg_mrq_latency = %d \n", t.LSU.LoadCycles/max(t.LSU.Loads, 1), d.Waited/max(d.Finished[0]+d.Finished[1], 1))
	add("average row locality = %d/%d = %f\n", d.Finished[0]+d.Finished[1], d.Activations, ratio(d.Finished[0]+d.Finished[1], d.Activations))
	add("total dram reads = %d\ntotal dram writes = %d\n", d.Finished[0], d.Finished[1])
	for n := range parts.DRAM {
		b = w.channel(b, n, &parts.DRAM[n])
	}
	add("\n========= L2 cache stats =========\n")
	for n := range parts.L2 {
		b = member(b, "L2_cache_bank", n, &parts.L2[n])
	}
	b = tallyOf(&t.L2).append(b, "L2")
	add("L2_total_cache_breakdown:\n")
	b = breakdown(b, "L2_cache_stats_breakdown", &t.L2)
	add("L2_total_cache_reservation_fail_breakdown:\n")
	b = failures(b, "L2_cache_stats_fail_breakdown", &t.L2)
	slices := uint64(w.config.Chip.Memory.Slice.Channels * w.config.Chip.Memory.Slice.PerChannel)
	add("L2_cache_data_port_util = %.3f\n", ratio(t.Memory.Busy, w.fabric()*slices))
	return b
}

// channel is what a memory channel did so far. Bursts of GPGPU-Sim are column commands.
func (w *Writer) channel(b []byte, n int, d *dram.Stats) []byte {
	c := &w.config.Chip.Memory
	t := &c.DRAM.Timing
	cycles := uint64(w.cycles) * c.Clock.DRAM / c.Clock.Core
	b = fmt.Appendf(b, "DRAM[%d]: %d bks, busW=%d BL=%d CL=%d, tRRD=%d tCCD=%d, tRCD=%d tRAS=%d tRP=%d tRC=%d\n",
		n, c.DRAM.Groups*c.DRAM.Banks, c.DRAM.Atom/int(t.Burst), t.Burst, t.CL, t.RRDS, t.CCDS, t.RCD, t.RAS, t.RP, t.RC)
	b = fmt.Appendf(b, "n_cmd=%d n_act=%d n_pre=%d n_ref_event=%d n_req=%d n_rd=%d n_write=%d bw_util=%.4g\n",
		cycles, d.Activations, d.Precharges, d.Refreshes, d.Requests[0]+d.Requests[1], d.Atoms[0], d.Atoms[1], ratio(d.Busy, cycles))
	return fmt.Appendf(b, "Row_Buffer_Locality = %.6f \n", ratio(d.RowHits, d.RowHits+d.RowMisses+d.Conflicts))
}

// member is the line of one of several caches of a kind.
func member(b []byte, name string, n int, s *cache.Stats) []byte {
	t := tallyOf(s)
	return fmt.Appendf(b, "%s[%d]: Access = %d, Miss = %d, Miss_rate = %.3f, Pending_hits = %d, Reservation_fails = %d\n", name, n, t.accesses, t.misses, ratio(t.misses, t.accesses), t.pending, t.fails)
}

// network is what the crossbars moved in all kernels so far.
func (w *Writer) network(b []byte) []byte {
	t, cycles := &w.total, w.fabric()
	b = fmt.Appendf(b, "\nicnt_total_pkts_mem_to_simt=%d\nicnt_total_pkts_simt_to_mem=%d\n", t.Down.Moved, t.Up.Moved)
	b = append(b, "----------------------------Interconnect-DETAILS--------------------------------\n"...)
	b = fmt.Appendf(b, "Req_Network_injected_packets_num = %d\nReq_Network_cycles = %d\nReq_Network_injected_packets_per_cycle = %12.4f\n", t.Up.Accepted, cycles, ratio(t.Up.Accepted, cycles))
	b = fmt.Appendf(b, "\nReply_Network_injected_packets_num = %d\nReply_Network_cycles = %d\nReply_Network_injected_packets_per_cycle = %12.4f\n", t.Down.Accepted, cycles, ratio(t.Down.Accepted, cycles))
	return append(b, "----------------------------END-of-Interconnect-DETAILS-------------------------\n"...)
}

// fabric is the number of cycles of L2's clock in all kernels so far.
func (w *Writer) fabric() uint64 {
	c := &w.config.Chip.Memory.Clock
	return uint64(w.cycles) * c.Fabric / c.Core
}

// occupancy is the share of the warp slots in use while SMs held CTAs, percent.
func (w *Writer) occupancy(s *sm.Stats) float64 {
	return 100 * ratio(s.WarpCycles, s.Cycles*uint64(w.config.Chip.SM.Limits.Warps))
}

// bandwidth is what L2 sent and took, in GB/s.
func (w *Writer) bandwidth(t *chip.Totals, cycles uint64) float64 {
	bytes := 32 * (t.L1.Fetched + t.LSU.Sectors)
	return ratio(bytes, cycles) * float64(w.config.Chip.Memory.Clock.Core) / 1e6
}

// tally is the totals of a cache.
type tally struct{ accesses, misses, pending, fails uint64 }

func tallyOf(s *cache.Stats) tally {
	return tally{s.Reads + s.Writes, s.ReadMisses + s.WriteMisses, s.ReadMerged, s.StallMSHR + s.StallMerge + s.StallWay}
}

func (t tally) append(b []byte, name string) []byte {
	b = fmt.Appendf(b, "%s_total_cache_accesses = %d\n%s_total_cache_misses = %d\n", name, t.accesses, name, t.misses)
	if t.accesses > 0 {
		b = fmt.Appendf(b, "%s_total_cache_miss_rate = %.4f\n", name, ratio(t.misses, t.accesses))
	}
	return fmt.Appendf(b, "%s_total_cache_pending_hits = %d\n%s_total_cache_reservation_fails = %d\n", name, t.pending, name, t.fails)
}

// breakdown lists reads and writes by outcome. All are counted as global ones.
func breakdown(b []byte, name string, s *cache.Stats) []byte {
	for _, row := range []struct {
		kind, status string
		n            uint64
	}{
		{"GLOBAL_ACC_R", "HIT", s.ReadHits}, {"GLOBAL_ACC_R", "HIT_RESERVED", s.ReadMerged},
		{"GLOBAL_ACC_R", "MISS", s.ReadMisses - s.SectorMisses},
		{"GLOBAL_ACC_R", "RESERVATION_FAIL", s.StallMSHR + s.StallMerge + s.StallWay},
		{"GLOBAL_ACC_R", "SECTOR_MISS", s.SectorMisses}, {"GLOBAL_ACC_R", "MSHR_HIT", s.ReadMerged},
		{"GLOBAL_ACC_W", "HIT", s.WriteHits}, {"GLOBAL_ACC_W", "HIT_RESERVED", 0}, {"GLOBAL_ACC_W", "MISS", s.WriteMisses},
		{"GLOBAL_ACC_W", "RESERVATION_FAIL", 0}, {"GLOBAL_ACC_W", "SECTOR_MISS", 0}, {"GLOBAL_ACC_W", "MSHR_HIT", 0},
		{"GLOBAL_ACC_R", "TOTAL_ACCESS", s.Reads}, {"GLOBAL_ACC_W", "TOTAL_ACCESS", s.Writes},
	} {
		b = fmt.Appendf(b, "\t%s[%s][%s] = %d\n", name, row.kind, row.status, row.n)
	}
	return b
}

// failures lists why accesses had to be tried again, where some had to.
func failures(b []byte, name string, s *cache.Stats) []byte {
	for _, row := range []struct {
		why string
		n   uint64
	}{{"LINE_ALLOC_FAIL", s.StallWay}, {"MSHR_ENRTY_FAIL", s.StallMSHR}, {"MSHR_MERGE_ENRTY_FAIL", s.StallMerge}} {
		if row.n > 0 {
			b = fmt.Appendf(b, "\t%s[GLOBAL_ACC_R][%s] = %d\n", name, row.why, row.n)
		}
	}
	return b
}

// seconds is the time of the host so far, at least one.
func (w *Writer) seconds() uint64 {
	if w.config.Elapsed == nil {
		return 1
	}
	return uint64(max(w.config.Elapsed()/time.Second, 1))
}

// rates are the lines about the simulation itself.
func (w *Writer) rates(b []byte) []byte {
	if w.config.Elapsed == nil {
		return b
	}
	seconds := w.seconds()
	rate := max(uint64(w.cycles)/seconds, 1)
	b = fmt.Appendf(b, "\n\ngpgpu_simulation_time = %d days, %d hrs, %d min, %d sec (%d sec)\n", seconds/86400, seconds/3600%24, seconds/60%60, seconds%60, seconds)
	return fmt.Appendf(b, "gpgpu_simulation_rate = %d (inst/sec)\ngpgpu_simulation_rate = %d (cycle/sec)\ngpgpu_silicon_slowdown = %dx\n",
		w.total.SM.Thread/seconds, rate, w.config.Chip.Memory.Clock.Core*1000/rate)
}
