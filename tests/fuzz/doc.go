// Package fuzz makes kernels of random but defined behaviour, so that a card
// and the engine can run the same and their results be compared bit for bit.
//
//	seed --Generate--> Kernel --Module--> PTX text --> card   -> hash
//	                                               --> engine -> compared with it
//
// A kernel begins with registers full of operands, runs some tens of statements
// (instructions of every row that works on registers, branches, loops, jump
// tables, calls, memory of all spaces, atomics, warp instructions, barriers) and
// ends by storing all registers. Nothing in it is undefined: every register has
// a value, memory that threads share is touched by operations that commute or
// between barriers, masks name the lanes that arrive.
//
// Kernels of seeds from Wide on draw from more of the language: registers of 128 bits,
// cache policies, vector atomics, orders and scopes, alloca, recursion, asynchronous
// and bulk copies, mbarriers, parameters by address, matrices, clusters. From Joint on their
// threads do more together: they shuffle within masks, hand words from warp to warp and
// from CTA to CTA, change bits of one word, meet at barriers by different ways, multiply
// sparse matrices and such that lie in memory, and copy and reduce in bulk.
//
// Some of what PTX defines ptxas 13.0 compiles to something else, at -O0 too, and
// does not occur: set and testp under a guard (their last instructions execute
// without it), a register of a floating-point value as an integer of another
// width (it is converted, not cut), an approximation of a literal (evaluated by
// another one than the card's), in wide kernels vadd4 under a guard and an eight-bit
// mma that writes registers of C in another order (C is added to the product last,
// register by register), in joint ones 64-bit operations but add on shared memory of another
// CTA (they are a load and a store there, at every level). Nor does what PTX leaves open: which of two NaN
// comes out of f64 arithmetic, the NaN of neg and abs, quotients by zero, the order
// of asynchronous copies. Calls of itself go equally deep in all lanes: at -O3 lanes
// that come back at different times are not brought together again, or hang.
//
// The card runs every kernel twice, as ptxas -O3 makes it and as -O0 does. Where
// -O3 gives another result, -O0 gives the engine's: ptxas has changed what the
// kernel says. testdata/different.txt lists these seeds and what has been seen in
// their machine code; the record has what -O0 gives. Nine seeds differ at both
// levels, by two kinds of code that contradict the manual; the engine gives the
// card's result when it is given the same to do. misread_test.go has such edits for
// seeds of each other kind that an edit can show. One seed, 2097803, ends with an error at
// both levels and has no record. Where a kernel ends with an error because a register holds
// no descriptor, the machine code was changed to name one that does, and the card then gave
// the engine's memory.
//
// A seed stands for the same kernel for ever. Instructions are therefore drawn
// from testdata/forms.txt, a list that was made of the rows of package ptx/ops,
// and the record of a card holds a hash of each kernel's text.
//
// The command scripts/record/fuzz runs seeds on a card.
package fuzz
