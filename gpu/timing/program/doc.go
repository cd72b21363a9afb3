// Package program makes the machine code that the timing model of an SM wants
// from a decoded kernel.
//
//	isa.Kernel --functions in reach--> order --> liveness --> registers --> sm.Inst --> sm.Code
//
// An instruction of the instruction set stands for one or more machine
// instructions, its parts; it executes at the last. Rows of a frame, of which
// there is one for each virtual register, get physical registers by liveness and
// linear scan, each function by itself, so that banks and dependences are
// realistic. What an instruction does comes from its row: unit, class, flow,
// operand pattern and state space.
//
// # Approximations
//
// Instructions are ordered, and accesses joined, within a block; an assembler also moves them from
// block to block and unrolls loops. A function that needs more registers than it may have shares them instead
// of spilling. Parameters of functions go through local memory as the language
// has it, not through registers.
package program
