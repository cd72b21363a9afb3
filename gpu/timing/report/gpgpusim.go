package report

import (
	"fmt"
	"time"

	"github.com/lockstep-sim/lockstep/gpu/timing/cache"
	"github.com/lockstep-sim/lockstep/gpu/timing/chip"
	"github.com/lockstep-sim/lockstep/gpu/timing/sm"
)

// block is the statistics block that GPGPU-Sim 4 prints after a kernel, as far
// as this model counts the same: names, order and spelling are its own.
func (w *Writer) block(r *chip.Report) []byte {
	t, cycles, all := &w.total, uint64(r.Cycles()), uint64(w.cycles)
	var b []byte
	if w.grids == 1 {
		b = append(b, "\n        *** lockstep, statistics as GPGPU-Sim Simulator Version 4.2.0  [build lockstep] ***\n\n"...)
	}
	add := func(format string, args ...any) { b = fmt.Appendf(b, format, args...) }
	add("kernel_name = %s \nkernel_launch_uid = %d \n", r.Name, r.Number)
	add("gpu_sim_cycle = %d\ngpu_sim_insn = %d\ngpu_ipc = %12.4f\n", cycles, r.SM.Thread, ratio(r.SM.Thread, cycles))
	add("gpu_tot_sim_cycle = %d\ngpu_tot_sim_insn = %d\ngpu_tot_ipc = %12.4f\n", all, t.SM.Thread, ratio(t.SM.Thread, all))
	add("gpu_tot_issued_cta = %d\n", w.ctas)
	add("gpu_occupancy = %.4f%% \ngpu_tot_occupancy = %.4f%% \n", w.occupancy(&r.SM), w.occupancy(&t.SM))
	add("L2_BW  = %12.4f GB/Sec\nL2_BW_total  = %12.4f GB/Sec\n", w.bandwidth(&r.Totals, cycles), w.bandwidth(t, all))
	add("\n========= Core cache stats =========\n")
	f := &t.SM.Front
	add("L1I_cache:\n\tL1I_total_cache_accesses = %d\n\tL1I_total_cache_misses = %d\n", f.L1Hits+f.L1Misses, f.L1Misses)
	add("L1D_cache:\n")
	b = cacheTotals(b, "\tL1D", &t.L1)
	add("\nTotal_core_cache_stats:\n")
	b = breakdown(b, "Total_core_cache_stats_breakdown", &t.L1)
	add("\ngpgpu_n_tot_thrd_icount = %d\ngpgpu_n_tot_w_icount = %d\n", t.SM.Thread, t.SM.Warp)
	add("gpgpu_n_shmem_insn = %d\ngpgpu_n_shmem_bkconflict = %d\n", t.LSU.Shared, t.LSU.Conflicts)
	s := &t.SM.Slots
	idle := s[sm.WaitFetch] + s[sm.WaitBarrier] + s[sm.NoWarp]
	add("Warp Occupancy Distribution:\nStall:%d\tW0_Idle:%d\tW0_Scoreboard:%d\n",
		s[sm.WaitPort]+s[sm.WaitPipe]+s[sm.WaitResult]+s[sm.WaitQueue]+s[sm.WaitConst]+s[sm.WaitPolicy]+s[sm.WaitStall], idle, s[sm.WaitExecution]+s[sm.WaitMemory])
	add("total dram reads = %d\ntotal dram writes = %d\n", t.DRAM.Finished[0], t.DRAM.Finished[1])
	add("\n========= L2 cache stats =========\n")
	b = cacheTotals(b, "L2", &t.L2)
	add("L2_total_cache_breakdown:\n")
	b = breakdown(b, "L2_cache_stats_breakdown", &t.L2)
	add("\nicnt_total_pkts_mem_to_simt=%d\nicnt_total_pkts_simt_to_mem=%d\n", t.Down.Moved, t.Up.Moved)
	return w.rates(b)
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

func cacheTotals(b []byte, name string, s *cache.Stats) []byte {
	accesses, misses := s.Reads+s.Writes, s.ReadMisses+s.WriteMisses
	b = fmt.Appendf(b, "%s_total_cache_accesses = %d\n%s_total_cache_misses = %d\n", name, accesses, name, misses)
	if accesses > 0 {
		b = fmt.Appendf(b, "%s_total_cache_miss_rate = %.4f\n", name, ratio(misses, accesses))
	}
	return fmt.Appendf(b, "%s_total_cache_pending_hits = %d\n%s_total_cache_reservation_fails = %d\n", name, s.ReadMerged, name, s.StallMSHR+s.StallMerge+s.StallWay)
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
		{"GLOBAL_ACC_W", "HIT", s.WriteHits}, {"GLOBAL_ACC_W", "MISS", s.WriteMisses},
		{"GLOBAL_ACC_R", "TOTAL_ACCESS", s.Reads}, {"GLOBAL_ACC_W", "TOTAL_ACCESS", s.Writes},
	} {
		b = fmt.Appendf(b, "\t%s[%s][%s] = %d\n", name, row.kind, row.status, row.n)
	}
	return b
}

// rates are the lines about the simulation itself.
func (w *Writer) rates(b []byte) []byte {
	if w.config.Elapsed == nil {
		return b
	}
	seconds := uint64(max(w.config.Elapsed()/time.Second, 1))
	rate := max(uint64(w.cycles)/seconds, 1)
	b = fmt.Appendf(b, "\n\ngpgpu_simulation_time = %d days, %d hrs, %d min, %d sec (%d sec)\n", seconds/86400, seconds/3600%24, seconds/60%60, seconds%60, seconds)
	return fmt.Appendf(b, "gpgpu_simulation_rate = %d (inst/sec)\ngpgpu_simulation_rate = %d (cycle/sec)\ngpgpu_silicon_slowdown = %dx\n",
		w.total.SM.Thread/seconds, rate, w.config.Chip.Memory.Clock.Core*1000/rate)
}
