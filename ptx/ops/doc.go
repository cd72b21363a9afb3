// Package ops is the PTX instruction table: one row (isa.Op) for each form of
// the manual, its handler beside it, one file for each section of chapter 9.7.
//
// # Rows
//
// Mods lists modifier groups; a modifier may stand anywhere after the mnemonic,
// as ptxas allows, unless its group is marked "^": then it stands before the
// types. Types keep their order. A spelling that no row honours is an error
// that names the modifier. Several rows may share a spelling and differ in
// their operands; Lookup chooses by the operands' shapes.
//
// # Operand patterns
//
// Args lists the operands, divided by ", ". Each is a role, optionally with a
// type after a colon and "?" when it may be absent:
//
//	d        destination register            -> Inst.D
//	D        the same, or a brace list       -> Inst.D or Inst.Vec
//	p        destination predicate           -> Inst.P
//	p|q      one or two of them              -> Inst.P, Inst.Q
//	d|p      register and maybe a predicate  -> Inst.D, Inst.P
//	a b c m  source register or immediate    -> Inst.A .B .C .M
//	B        the same as b, or a brace list  -> Inst.B or Inst.Vec
//	V        brace list, of results if first -> Inst.Vec
//	E F      brace list of whole registers   -> Inst.Vec, results and sources
//	G        brace list, read and written    -> Inst.Vec
//	O        as F, and never a single register
//	E|p      the same and maybe a predicate  -> Inst.Vec, Inst.P
//	s        source predicate, maybe negated -> Inst.S, Inst.SNot
//	t        second source predicate         -> Inst.Q, Inst.QNot
//	d. a. b. c.  video operand, see Select   -> Inst.D .A .B .C, or-ed into Inst.Imm
//	[a]      address                         -> Inst.A (64-bit base), Inst.Imm
//	[b]      a second address                -> Inst.B; its offset is added to the base at decode
//	[m]      a third address                 -> Inst.M, as [b]
//	v        one more source register        -> the end of Inst.Vec
//	[v]      address of 32 bits              -> appended to Inst.Vec
//	[t]      texture handle and coordinates  -> Inst.A (64 bits), Inst.Vec
//	[u]      tensor map and coordinates      -> Inst.B (64 bits), Inst.Vec
//	i        immediate integer               -> Inst.Imm
//	k        constant of four bits           -> Inst.Imm, the first one highest
//	l        label                           -> Inst.Target
//	x        operand with no effect (cache policy): checked, then dropped
//
// A destination that the program does not want, "_" or absent, is a register
// that nobody reads (of the operand's rows) or isa.PSink. An immediate in a
// predicate's place is isa.PT, complemented for zero. Elements of a brace
// list are equal parts of the operand's type, the lowest first.
//
// The type after the colon is a type name, an index into the types of the form
// ("0" is the default), or "w" for twice the width of type 0.
package ops
