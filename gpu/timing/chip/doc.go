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
// # Rules at the borders of kernels
//
// A grid's first CTA starts launch.latency cycles after its launch. An SM that
// is empty when it gets a CTA of another grid than its last one empties its L1
// and divides L1 and shared memory anew, as the CTAs that it can hold ask for.
// L2 stays as it is unless l2.flush is set.
package chip
