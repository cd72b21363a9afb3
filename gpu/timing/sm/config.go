package sm

import "github.com/lockstep-sim/lockstep/gpu/option"

// Config holds the parameters of an SM.
type Config struct {
	Limits   Limits
	Front    Front
	Issue    Issue
	Register RegisterFile
	Constant Constant
	Local    Local
	Units    Units
	Special  SpecialUnits
}

// Default is the configuration of the tags' default values: an H200 as far as
// it is known.
func Default() (*Config, error) {
	c := new(Config)
	_, err := option.Read(c, "gpu/timing/sm", "")
	return c, err
}

// Limits bound what is resident at once.
type Limits struct {
	SubCores  int `opt:"sm.subcores" default:"4" doc:"Sub-cores of an SM; a warp belongs to its slot modulo this." src:"MICRO 2025"`
	Warps     int `opt:"sm.warps" default:"64" doc:"Warps of an SM." src:"CUDA programming guide, cc 9.0"`
	CTAs      int `opt:"sm.ctas" default:"32" doc:"CTAs of an SM." src:"CUDA programming guide, cc 9.0"`
	Registers int `opt:"sm.regfile" default:"65536" doc:"32-bit registers of an SM." src:"CUDA programming guide, cc 9.0"`
	Unit      int `opt:"sm.regfile_unit" default:"256" doc:"Registers are given to a warp in multiples of this." src:"CUDA occupancy calculator"`
	Shared    int `opt:"sm.shared_bytes" unit:"bytes" default:"233472" doc:"Shared memory of an SM." src:"CUDA programming guide, cc 9.0"`
	Reserved  int `opt:"sm.shared_reserved" unit:"bytes" default:"1024" doc:"Shared memory that each CTA needs beyond its own." src:"CUDA programming guide, cc 9.0"`
	Grain     int `opt:"sm.shared_unit" unit:"bytes" default:"128" doc:"Shared memory is given in multiples of this." src:"CUDA occupancy calculator"`
	Admission int `opt:"sm.barrier_admission" unit:"cycles" default:"2" doc:"The SM takes one barrier arrival in this many cycles." src:"FlashGPU-Sim fit, H100"`
	Start     int `opt:"sm.warp_start" unit:"cycles" default:"0" doc:"From the start of a CTA's warp to that of the next." src:"those of a CTA start at once"`
	Release   int `opt:"sm.barrier_release" unit:"cycles" default:"20" doc:"From the last arrival at a barrier to the next issue of those that waited." src:"FlashGPU-Sim fit, H100: 15 to 30"`
}

// Front holds the parameters of fetch, decode and the instruction caches.
type Front struct {
	Buffer   int    `opt:"fetch.buffer" default:"3" doc:"Instruction buffer entries of a warp." src:"MICRO 2025"`
	Bytes    int    `opt:"fetch.inst_bytes" unit:"bytes" default:"16" doc:"Size of an instruction." src:"sm_70 and later"`
	Line     int    `opt:"icache.line" unit:"bytes" default:"128" doc:"Line of the instruction caches; a power of two." src:"MICRO 2025 artefact"`
	L0Sets   int    `opt:"icache.l0_sets" default:"8" doc:"Sets of the L0 instruction cache of a sub-core." src:"MICRO 2025 artefact, Ampere"`
	L0Ways   int    `opt:"icache.l0_ways" default:"32" doc:"Ways of the L0 instruction cache." src:"MICRO 2025 artefact, Ampere"`
	Prefetch string `opt:"icache.prefetch" default:"stream" doc:"Which lines of code a sub-core asks for ahead: a registered policy." src:"MICRO 2025"`
	Stream   int    `opt:"icache.stream" default:"8" doc:"Lines of the buffer that they wait in; 0 for none." src:"MICRO 2025, by accuracy"`
	L1Sets   int    `opt:"icache.l1_sets" default:"64" doc:"Sets of the L1 instruction and constant cache." src:"MICRO 2025 artefact"`
	L1Ways   int    `opt:"icache.l1_ways" default:"16" doc:"Ways of the L1 instruction and constant cache." src:"MICRO 2025 artefact"`
	Link     int    `opt:"icache.link" unit:"cycles" default:"39" doc:"From an L0 cache to L1, and the same back." src:"MICRO 2025 artefact: a miss costs 79"`
	Below    int    `opt:"icache.below" unit:"cycles" default:"200" doc:"Cost of an L1 miss when nothing is modelled below." src:"guess"`
	Preload  int    `opt:"icache.preload" unit:"bytes" default:"65536" doc:"Code of a kernel that is in L1, as its parameters are, when its first CTA starts." src:"FlashGPU-Sim notes: 58 to 64 KiB; on an H200 an empty kernel takes 207 cycles"`
	Redirect int    `opt:"branch.redirect" unit:"cycles" default:"9" doc:"From the issue of a taken branch to the fetch of its target." src:"FlashGPU-Sim fit, H100: 12 from issue to issue"`
	Fall     int    `opt:"branch.fall" unit:"cycles" default:"5" doc:"From the issue of a branch that falls through to the warp's next, without control bits." src:"MICRO 2025 artefact: 4 and 1"`
}

// Issue holds the parameters of the scheduler and of dependences.
type Issue struct {
	Policy      string `opt:"issue.policy" default:"cggty" doc:"Which warp issues: a registered policy." src:"MICRO 2025"`
	Active      int    `opt:"issue.active" default:"6" doc:"Active warps of a sub-core under two_level_active." src:"Narasiman, MICRO 2011"`
	LongStall   int    `opt:"issue.long_stall" default:"11" doc:"Stall counts above this are not kept unless yield is set." src:"MICRO 2025"`
	ShortStall  int    `opt:"issue.short_stall" unit:"cycles" default:"2" doc:"What such a count stalls instead." src:"MICRO 2025: 1 to 2"`
	YieldStall  int    `opt:"issue.yield_stall" unit:"cycles" default:"45" doc:"Stall 0 with yield." src:"MICRO 2025; 55 on A100"`
	DepbarDelay int    `opt:"issue.depbar_delay" unit:"cycles" default:"4" doc:"From the issue of DEPBAR to the first issue that it can hold back; 0 holds back DEPBAR itself." src:"MICRO 2025: its stall must be at least 4"`
	Consumers   int    `opt:"scoreboard.consumers" default:"63" doc:"Pending readers of a register that the scoreboard can count; at most 255." src:"MICRO 2025 table 7"`
	CountFixed  bool   `opt:"scoreboard.count_fixed" default:"false" doc:"Fixed-latency readers are counted too. They read in order, so that no later write can overtake them." src:"MICRO 2025 table 7 counts them"`
	Bypass      int    `opt:"scoreboard.no_bypass" unit:"cycles" default:"1" doc:"Extra latency for a consumer of variable latency, which reads without the bypass; 0 or 1." src:"MICRO 2025 listing 3"`
	Check       bool   `opt:"issue.check" default:"false" doc:"Count instructions whose control bits let them issue before a result that they read or overwrite is there: hardware would compute with a stale value." src:"for those who write control bits"`
	Retry       int    `opt:"mbarrier.retry" unit:"cycles" default:"64" doc:"After a test for a phase that is not over the warp does not issue for so long. Without it those that ask would keep the others from arriving." src:"guess"`
	Wake        int    `opt:"mbarrier.wake" unit:"cycles" default:"10" doc:"From the end of a phase, or of a group of bulk copies, to the next issue of the warps that waited for it." src:"fit on an H200: mbarrier.all_128"`
	Remote      int    `opt:"mbarrier.remote" unit:"cycles" default:"90" doc:"The same where a warp of another SM has ended the phase." src:"fit on an H200: answer.arrive_1 and answer.arrive_2, 353 and 427 cycles"`
	Patience    int    `opt:"mbarrier.patience" unit:"cycles" default:"20000" doc:"A try to wait for a phase holds its warp for at most so long." src:"guess: PTX leaves it to the system"`
	Elect       int    `opt:"bulk.elect" unit:"cycles" default:"31" doc:"A bulk instruction keeps its warp from issuing for so long for each lane that begins a copy, but for stores that all lanes make alike: a loop elects one lane after another." src:"fit on an H200: bulk.load_1024_times, tensor.load_64_1_times, of 50 to 58 cycles with the rest of the loop"`
	MembarCTA   int    `opt:"fence.cta" unit:"cycles" default:"53" doc:"Cost of a CTA fence after outstanding accesses have drained." src:"MICRO 2025 artefact"`
	MembarGPU   int    `opt:"fence.gpu" unit:"cycles" default:"186" doc:"Cost of a device fence." src:"MICRO 2025 artefact"`
	MembarSys   int    `opt:"fence.sys" unit:"cycles" default:"2900" doc:"Cost of a system fence." src:"MICRO 2025 artefact"`
}

// RegisterFile holds the parameters of operand reading and result writing.
type RegisterFile struct {
	Ports   int  `opt:"regfile.read_ports" default:"1" doc:"Read ports of a bank." src:"MICRO 2025"`
	Window  int  `opt:"regfile.window" unit:"cycles" default:"3" doc:"Cycles in which an instruction reads its registers." src:"MICRO 2025"`
	Wide    int  `opt:"regfile.window_wide" unit:"cycles" default:"6" doc:"The same for instructions with operands of four registers." src:"MICRO 2025 artefact"`
	Reuse   bool `opt:"regfile.reuse" default:"true" doc:"There is a reuse cache." src:"MICRO 2025"`
	Ideal   bool `opt:"regfile.ideal" default:"false" doc:"Ports never conflict." src:"for comparison: MICRO 2025 table 6"`
	Results int  `opt:"regfile.results" default:"8" doc:"Entries of a sub-core's result queue." src:"MICRO 2025 artefact"`
}

// Constant holds the parameters of the constant caches below L1.
type Constant struct {
	Line    int `opt:"const.line" unit:"bytes" default:"64" doc:"Line of the L0 constant caches." src:"MICRO 2025 artefact"`
	FLSets  int `opt:"const.fl_sets" default:"4" doc:"Sets of the cache of fixed-latency operands, one a sub-core." src:"MICRO 2025 artefact"`
	FLWays  int `opt:"const.fl_ways" default:"2" doc:"Ways of the cache of fixed-latency operands." src:"MICRO 2025 artefact"`
	VLSets  int `opt:"const.vl_sets" default:"4" doc:"Sets of the cache of constant loads, one an SM." src:"MICRO 2025 artefact"`
	VLWays  int `opt:"const.vl_ways" default:"8" doc:"Ways of the cache of constant loads." src:"MICRO 2025 artefact"`
	Patient int `opt:"const.patience" unit:"cycles" default:"4" doc:"After a miss of a fixed-latency operand nothing issues for so long." src:"MICRO 2025"`
}

// Local holds the parameters of a sub-core's part of the memory pipeline. WAR
// numbers count from the cycle at which the instruction leaves the sub-core.
type Local struct {
	Queue       int `opt:"local.queue" default:"5" doc:"Memory instructions that a sub-core holds: a queue of 4 and a latch." src:"MICRO 2025 table 1"`
	Front       int `opt:"local.front" unit:"cycles" default:"7" doc:"From issue to address calculation." src:"MICRO 2025 table 1: an instruction leaves after 11"`
	Address     int `opt:"local.address" unit:"cycles" default:"4" doc:"Address calculation of per-lane addresses." src:"MICRO 2025"`
	Uniform     int `opt:"local.uniform" unit:"cycles" default:"2" doc:"Address calculation of uniform addresses and of shared memory." src:"MICRO 2025 artefact"`
	Immediate   int `opt:"local.immediate" unit:"cycles" default:"1" doc:"Address calculation of constant loads by immediate." src:"MICRO 2025 table 2"`
	Accept      int `opt:"local.accept" unit:"cycles" default:"2" doc:"The shared part takes one instruction in this many cycles." src:"MICRO 2025 table 1"`
	StoreWAR    int `opt:"local.store_war" unit:"cycles" default:"3" doc:"WAR of stores of one register with per-lane addresses." src:"MICRO 2025 table 2: 14 and 12"`
	StoreUWAR   int `opt:"local.store_uniform_war" unit:"cycles" default:"1" doc:"The same with uniform addresses." src:"MICRO 2025 table 2: 10"`
	StoreWord   int `opt:"local.store_word" unit:"cycles" default:"2" doc:"More for each further register of a lane." src:"MICRO 2025 table 2: 64 B a cycle"`
	AsyncWAR    int `opt:"local.async_war" unit:"cycles" default:"2" doc:"WAR of copies from global to shared memory." src:"MICRO 2025 table 2: 13"`
	ConstWAR    int `opt:"local.const_war" unit:"cycles" default:"18" doc:"WAR of constant loads by register." src:"MICRO 2025 table 2: 29"`
	ConstImmWAR int `opt:"local.const_imm_war" unit:"cycles" default:"2" doc:"WAR of constant loads by immediate." src:"MICRO 2025 table 2: 10"`
	ConstHit    int `opt:"local.const_hit" unit:"cycles" default:"18" doc:"From leaving the sub-core to the register write of a constant load that hits." src:"MICRO 2025 table 2: 26 and 29"`
}

// Units holds latencies, from issue to the issue of a dependent instruction,
// and intervals, the cycles for which an instruction takes its pipe's input.
type Units struct {
	IntLatency      int  `opt:"int.latency" unit:"cycles" default:"4" doc:"Integer and logic." src:"MICRO 2025 artefact; sm_90 table, observed"`
	IntInterval     int  `opt:"int.interval" unit:"cycles" default:"2" doc:"16 lanes of integer." src:"H100 whitepaper: 64 lanes an SM"`
	FloatLatency    int  `opt:"fp32.latency" unit:"cycles" default:"4" doc:"Single precision." src:"MICRO 2025 artefact; H100 measured 4"`
	FloatInterval   int  `opt:"fp32.interval" unit:"cycles" default:"1" doc:"32 lanes of single precision." src:"H100 whitepaper: 128 lanes an SM"`
	FloatInInt      bool `opt:"fp32.in_int" default:"false" doc:"Single precision uses the integer pipe when its own is busy." src:"MICRO 2025 artefact: Ampere"`
	FloatParts      bool `opt:"fp32.parts" default:"false" doc:"The pipe of single precision is two of half the width, of which one alone multiplies integers." src:"measured on an H200: half.fma_f32_and_mad of tests/accuracy/fit.cu, 2.1 cycles a pair"`
	MadLatency      int  `opt:"imad.latency" unit:"cycles" default:"4" doc:"Integer multiply-add, in the single precision pipe." src:"sm_90 table, observed"`
	MadInterval     int  `opt:"imad.interval" unit:"cycles" default:"2" doc:"16 lanes of integer multiply-add." src:"CUDA programming guide, cc 9.0: 64 an SM"`
	MadIssue        int  `opt:"imad.issue" unit:"cycles" default:"1" doc:"Cycles of the issue port; 2 on Ampere." src:"MICRO 2025 artefact; guess for Hopper"`
	HalfLatency     int  `opt:"half.latency" unit:"cycles" default:"5" doc:"Half precision." src:"MICRO 2025 artefact; sm_90 table"`
	HalfInterval    int  `opt:"half.interval" unit:"cycles" default:"1" doc:"Half precision, packed." src:"CUDA programming guide, cc 9.0"`
	HalfOther       int  `opt:"half.other" unit:"cycles" default:"0" doc:"Interval, and time of the issue port, of every other instruction of packed halves, which ptxas makes HFMA2.MMA in the pipe that multiplies integers; 0 if it does not." src:"measured on an H200: half.bf16_fma of tests/accuracy/fit.cu, 1.5 cycles"`
	DoubleLatency   int  `opt:"fp64.latency" unit:"cycles" default:"8" doc:"Double precision." src:"sm_90 table; AS2"`
	DoubleInterval  int  `opt:"fp64.interval" unit:"cycles" default:"2" doc:"16 lanes of double precision." src:"H100 whitepaper: 64 lanes an SM"`
	DoubleShared    bool `opt:"fp64.shared" default:"false" doc:"One double precision pipe for all sub-cores; its latency is variable then." src:"GeForce parts"`
	PredicateExtra  int  `opt:"predicate.latency" unit:"cycles" default:"13" doc:"From an instruction that writes a predicate to one that it guards." src:"MICRO 2025 artefact; sm_90 table"`
	UniformLatency  int  `opt:"uniform.latency" unit:"cycles" default:"4" doc:"Uniform datapath." src:"MICRO 2025 artefact: 2 and 2"`
	UniformInterval int  `opt:"uniform.interval" unit:"cycles" default:"2" doc:"Uniform datapath." src:"MICRO 2025 artefact"`
}

// SpecialUnits holds the parameters of units of their own.
type SpecialUnits struct {
	Latency    int `opt:"sfu.latency" unit:"cycles" default:"18" doc:"Special functions and conversions." src:"FlashGPU-Sim fit, H100: 18.9"`
	Interval   int `opt:"sfu.interval" unit:"cycles" default:"8" doc:"4 lanes of special functions." src:"FlashGPU-Sim fit, H100"`
	Read       int `opt:"sfu.read" unit:"cycles" default:"6" doc:"From issue to the point where the sources of a variable-latency instruction have been read." src:"guess"`
	MatrixOps  int `opt:"tensor.rate" default:"2048" doc:"M*N*K*bits of a matrix operation that a sub-core does in a cycle." src:"MICRO 2025 artefact, Ampere"`
	GroupOps   int `opt:"tensor.group_rate" default:"8192" doc:"The same for products of a warpgroup." src:"H100 data sheet: 989 TFLOPS of f16 on 132 SMs at 1.755 GHz"`
	GroupRead  int `opt:"tensor.group_read" unit:"bytes/cycle" default:"128" doc:"What a warpgroup's product reads of its factors in shared memory." src:"measured on an H200 (wgmma.each): 16 cycles for the left one and a quarter of the columns for the right"`
	GroupLeast int `opt:"tensor.group_least" unit:"cycles" default:"13" doc:"Shortest interval of a warpgroup's product." src:"measured on an H200: wgmma.half_rs.each_of_four"`
	GroupLate  int `opt:"tensor.group_latency" unit:"cycles" default:"62" doc:"What a warpgroup's product takes beyond the time of its sums, until the wait for it ends." src:"fit on an H200: wgmma.wait"`
	GroupSums  int `opt:"tensor.group_sums" unit:"cycles" default:"26" doc:"Least time of the sums of a warpgroup's product." src:"fit on an H200: wgmma.wait is the same up to 32 columns"`
	Matrix     int `opt:"tensor.latency" unit:"cycles" default:"16" doc:"Latency beyond half the time for operations that accumulate in single precision." src:"MICRO 2025 artefact: .16816.F32 and .1688.F32"`
	Least      int `opt:"tensor.least" unit:"cycles" default:"2" doc:"Shortest interval of a matrix operation." src:"sm_90 table: occupancy 2"`
}
