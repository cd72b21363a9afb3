// Package chip models a whole GPU in time: SMs, the memory system behind them,
// and the distributor that gives CTAs of grids to SMs.
//
//	Launch --> queue of grids --distributor--> SM --Port--> memory.System
//	                                |            ^
//	                                '-- Stepper, executes elsewhere
//
// All times are cycles of the SMs' clock and go on from grid to grid. Cycles in
// which no part has work are skipped; the result does not depend on how often
// Run is called.
//
// # Quanta and threads
//
// What an SM sends takes noc.latency cycles to the memory system and an answer
// noc.reply_latency back. So SMs and the memory system run alone for a quantum of
// one beat, half as long as the shorter of the two, or of two beats; then each sees
// what the other has sent. The distributor places CTAs ahead: it learns a beat late
// that one has ended. Two beats leave what one after another would.
//
// SMs run one after another, which keeps an SM in the host's cache, on as many
// threads as there are; threads wait awake for one another, as a quantum is shorter
// than it takes to wake one. Warps execute when they issue, so the order in which
// SMs run would show if CTAs could see one another: those of a kernel that can
// (Grid.Ordered) run cycle by cycle on one thread, and so do, by groups of SMs,
// clusters. Nothing depends on the number of threads.
//
// # Rules at the borders of kernels
//
// A grid's first CTA starts launch.latency cycles after its launch. An SM that
// is empty when it gets a CTA of another grid than its last one empties its L1
// and divides L1 and shared memory anew, as the CTAs that it can hold ask for.
// L2 stays as it is unless l2.flush is set.
package chip
