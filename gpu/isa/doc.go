// Package isa holds the nouns that every front-end and every engine shares.
//
//	row (Op) --decode--> Inst --Exec--> registers of a Warp
//	                        \--------> Effect (what timing may see)
//
// An instruction is described once, by an Op: spelling, operands, unit and the
// function that binds a spelling to a Handler. A front-end (ptx, later sass)
// turns program text into Inst values whose operands are row numbers; an
// engine (gpu/exec) runs their handlers on a Warp and moves its program
// counters. The package imports nothing of the project.
//
// # Registers
//
// A warp's registers are rows of 32 lanes. A 16- or 32-bit register is one
// row, a 64-bit register two (low word first), a 128-bit register four. An
// 8- or 16-bit value occupies the low bits of its row and the bits above are
// zero. Predicates are 32-bit masks, one bit a lane. Immediates are rows too:
// they stand in the function's constant rows, named by negative numbers.
//
// # Addresses
//
// Generic addresses are 64 bits. Shared, local and kernel-parameter memory lie
// in windows of 4 GiB above the host's address range (SharedWindow and so on),
// told apart by their upper word; any other generic address is a global one.
// Constant variables live in global memory at their own addresses.
//
// # Words
//
// CTA = thread block; warp = 32 threads that issue together; lane = a thread's
// place in its warp; row = one 32-bit register of all lanes; join = the
// instruction where diverged lanes meet again (immediate post-dominator).
package isa
