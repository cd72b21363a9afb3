// Package sm models one streaming multiprocessor cycle by cycle.
//
//	fetch -> decode -> buffer -> issue -> Control -> Allocate -> read -> execute -> result queue
//	  |                           |          \-> memory queue -> arbiter -> Memory
//	  L0 instruction + stream     L0 constant          \-> constant cache (LDC)
//	   \---------- L1 instruction and constant cache -> Backing
//
// The core is the one of "Dissecting and Modeling the Architecture of Modern
// GPU Cores" (MICRO 2025): four sub-cores without operand collectors. A warp
// belongs to the sub-core that its slot modulo four names.
//
// # What it sees
//
// The model knows time and no data. Who executes is the Stepper: at the cycle
// at which an instruction issues, the SM calls Step and gets an isa.Effect (who
// was active, which addresses, barrier or exit). The functional side therefore
// decides what happens (branches, barriers, exits), the SM when.
//
// What an instruction needs is known before it executes, from an Inst: pipe,
// latency, registers, control bits. A kernel's Insts form a Code, whose index
// is the program counter: functions that a kernel calls are parts of the same
// Code. Instructions of PTX may stand for several machine instructions; the
// Stepper then executes at one of them and reports empty effects for the rest.
//
// # Dependences
//
// An instruction with control bits (Inst.Scheduled) obeys them and nothing
// else, as hardware does: the stall counter, yield, six counters incremented in
// Control and seen from the cycle after, a wait mask, DEPBAR. One without goes
// through a scoreboard: registers pending writes (RAW, WAW) and a bounded
// number of consumers for each register (WAR).
//
// # Order within a cycle
//
// Events that end at the cycle (write-backs, counters, cache replies), the
// memory system, the arbiter, then each sub-core from back to front: Allocate,
// Control, issue, decode, fetch. A counter incremented by Control is seen by
// the next cycle's issue; so is one decremented by an event of that cycle.
//
// # Cost
//
// A sub-core that can do nothing sleeps until an event or its own stall ring
// wakes it; Tick returns the next cycle at which there is anything to do, so
// that who drives the SM may skip the others. Slots of the skipped cycles are
// charged to the reason that put the sub-core to sleep.
//
// # Speed
//
// 0.25 to 0.3 microseconds of processor time a warp instruction (BenchmarkSM);
// nothing is allocated once grown.
//
// # Not modelled
//
// Wrong values after too small a stall counter (issue.check counts the cases);
// bypass between units by consumer (one latency a producer, and a second for
// predicates); register ports of variable-latency reads; half precision in the
// single precision pipe; the bubble between two reads of the clock; code
// preloading and the code cache of a GPC (a Backing may be one); the time of
// bulk and tensor copies, which are made when they are asked for, and the
// suspension of a warp that waits for a phase, which asks again now and then.
package sm
