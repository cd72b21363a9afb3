package sm

import "fmt"

// Stats counts what an SM did.
type Stats struct {
	Cycles      uint64     `stat:"cycles" unit:"cycles" doc:"Cycles during which the SM held a CTA."`
	Warp        uint64     `stat:"inst.warp" unit:"instructions" doc:"Warp instructions issued."`
	Thread      uint64     `stat:"inst.thread" unit:"instructions" doc:"Instructions summed over the lanes that executed them."`
	Lanes       [33]uint64 `stat:"inst.lanes" unit:"instructions" doc:"Warp instructions issued, by the number of lanes that executed them; those that are part of a longer one by 0."`
	Memory      uint64     `stat:"inst.memory" unit:"instructions" doc:"Warp instructions that went into a memory queue."`
	CTAs        uint64     `stat:"cta.launched" unit:"CTAs" doc:"CTAs launched."`
	CTAsEnded   uint64     `stat:"cta.ended" unit:"CTAs" doc:"CTAs ended."`
	WarpCycles  uint64     `stat:"warp.cycles" unit:"cycles" doc:"Cycles summed over the resident warps; divided by the cycles, the achieved occupancy."`
	Barriers    uint64     `stat:"barrier.waits" unit:"warps" doc:"Times that a warp stopped at a barrier."`
	Requests    uint64     `stat:"memory.requests" unit:"requests" doc:"Requests that entered the shared part of the memory pipeline."`
	Done        uint64     `stat:"memory.done" unit:"requests" doc:"Requests answered."`
	Refused     uint64     `stat:"memory.refused" unit:"cycles" doc:"Cycles in which the shared part had no room for the request offered."`
	LoadDelayed uint64     `stat:"regfile.load_delayed" unit:"writes" doc:"Loads whose register write waited for that of a fixed-latency instruction."`
	Front       FrontStats
	Slots       [slotCount]uint64 `stat:"slot" of:"issued,port,pipe,result_queue,memory_queue,constant,policy,stall,execution,memory,fetch,barrier,empty" unit:"slots" doc:"Issue slots by what became of them."`
	Early       uint64            `stat:"inst.early" unit:"instructions" doc:"With issue.check, instructions whose control bits did not wait for a result that they read or overwrite."`
	Registers   RegisterStats
	Bulk        BulkStats `prefix:"bulk."`
}

// FrontStats counts the instruction and constant caches.
type FrontStats struct {
	Fetches    uint64 `stat:"fetch.insts" unit:"instructions" doc:"Instructions fetched."`
	L0Hits     uint64 `stat:"icache.l0.hits" unit:"fetches" doc:"Fetches that hit the L0 instruction cache."`
	L0Misses   uint64 `stat:"icache.l0.misses" unit:"fetches" doc:"Fetches that missed it, once for each warp and line."`
	StreamHits uint64 `stat:"icache.stream.hits" unit:"fetches" doc:"Misses whose line had been asked for ahead."`
	Prefetches uint64 `stat:"icache.stream.requests" unit:"lines" doc:"Lines asked for ahead of the warps."`
	L1Hits     uint64 `stat:"icache.l1.hits" unit:"requests" doc:"Requests that hit the L1 instruction and constant cache."`
	L1Misses   uint64 `stat:"icache.l1.misses" unit:"requests" doc:"Requests that missed it."`
	Flushes    uint64 `stat:"fetch.flushes" unit:"flushes" doc:"Instruction buffers emptied by taken branches."`
	FLHits     uint64 `stat:"const.fl.hits" unit:"operands" doc:"Constant operands found at issue."`
	FLMisses   uint64 `stat:"const.fl.misses" unit:"operands" doc:"Constant operands not found at issue."`
	VLHits     uint64 `stat:"const.vl.hits" unit:"lines" doc:"Lines of constant loads found."`
	VLMisses   uint64 `stat:"const.vl.misses" unit:"lines" doc:"Lines of constant loads not found."`
}

// RegisterStats counts operand reads.
type RegisterStats struct {
	Reads     uint64 `stat:"regfile.reads" unit:"reads" doc:"Registers read through a port by fixed-latency instructions."`
	ReuseHits uint64 `stat:"regfile.reuse_hits" unit:"reads" doc:"Registers read from the reuse cache."`
	Bubbles   uint64 `stat:"regfile.bubbles" unit:"cycles" doc:"Cycles for which Allocate held an instruction for want of a port."`
}

// Slot says what became of an issue slot: one sub-core in one cycle.
type Slot uint8

// The fates, a slot without issue counting for the first that applies to any of
// its warps, in this order.
const (
	Issued        Slot = iota
	WaitPort           // Control is taken: Allocate waits for register ports
	WaitPipe           // an execution pipe's input is taken
	WaitResult         // the result queue is full
	WaitQueue          // the memory queue is full
	WaitConst          // a constant operand missed
	WaitPolicy         // the policy lets none of the ready warps issue
	WaitStall          // stall counter, yield, barrier release
	WaitExecution      // dependence on an instruction without memory access
	WaitMemory         // dependence while memory accesses are outstanding
	WaitFetch          // the instruction buffer is empty
	WaitBarrier        // all warps wait at barriers or for other warps
	NoWarp             // no warp is resident
	slotCount
)

// SlotNames are the names of the fates in statistics.
var SlotNames = [slotCount]string{
	"issued", "port", "pipe", "result_queue", "memory_queue", "constant", "policy",
	"stall", "execution", "memory", "fetch", "barrier", "empty",
}

func (s Slot) String() string { return SlotNames[s] }

// Check reports a violated conservation law.
func (s *Stats) Check(c *Config) error {
	total := uint64(0)
	for _, n := range s.Slots {
		total += n
	}
	lanes, warps := uint64(0), uint64(0)
	for n, count := range s.Lanes {
		lanes += uint64(n) * count
		warps += count
	}
	f := &s.Front
	for _, law := range []struct {
		holds bool
		what  string
	}{
		{total == s.Cycles*uint64(c.Limits.SubCores), "issue slots = cycles * sub-cores"},
		{s.Slots[Issued] == s.Warp, "issued slots = warp instructions"},
		{s.Done <= s.Requests, "requests answered <= requests made"},
		{s.Requests <= s.Memory, "requests <= memory instructions"},
		{warps == s.Warp && lanes == s.Thread, "instructions by lanes are all instructions"},
		{s.CTAsEnded <= s.CTAs, "CTAs ended <= CTAs launched"},
		{f.Fetches+s.Bulk.Held >= s.Warp, "fetches + waits issued again >= warp instructions"},
		{f.L0Hits == f.Fetches, "L0 hits = fetches"},
		{f.StreamHits <= f.L0Misses, "stream hits <= L0 misses"},
	} {
		if !law.holds {
			return fmt.Errorf("statistics of an SM violate: %s", law.what)
		}
	}
	return nil
}

// Settle reports, beyond Check, what an SM without a CTA may not have left over.
func (s *Stats) Settle() error {
	if s.CTAs != s.CTAsEnded || s.Requests != s.Done || s.Requests != s.Memory {
		return fmt.Errorf("an empty SM has %d of %d CTAs, %d of %d requests open", s.CTAs-s.CTAsEnded, s.CTAs, s.Memory-s.Done, s.Memory)
	}
	return nil
}
