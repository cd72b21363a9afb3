package isa

import "strings"

// Reg names a register row of the current frame, or, when negative, constant
// row ^Reg of the function.
type Reg int32

// PredReg names a predicate of the current frame.
type PredReg int16

// The two predicates that every frame has.
const (
	PT    PredReg = 0 // always true
	PSink PredReg = 1 // written and never read
	PFree PredReg = 2 // the first that a program may use
)

// Inst is a decoded instruction. Operand roles are those of its row's Args.
type Inst struct {
	Exec Handler
	Op   *Op
	Fast Fast // does the same as Exec in machine code

	D, A, B, C, M Reg     // destination, sources, member mask or fourth source
	P, Q          PredReg // predicate destinations; Q may be a second predicate source instead
	S             PredReg // predicate source
	SNot          bool    // S is complemented
	QNot          bool    // Q as a source is complemented
	GuardNot      bool    // Guard is complemented
	Guard         PredReg // PT when unguarded
	Polls         bool    // a volatile or ordered access, through which other threads are seen

	Flow    Flow
	Space   Space
	Bytes   uint8 // width of one memory element
	Imm     int64 // address offset, or an immediate that selects a variant
	Target  int32 // branch target
	Join    int32 // where lanes that diverge here meet again; NoJoin if nowhere
	Vec     []Reg // vector operand
	Control *Control

	Line int32 // index into Function.Lines, -1 if unknown
	Pos  int32 // offset in the source text
}

// NoJoin is the Join of a branch whose sides do not meet again in the function.
const NoJoin int32 = -1

// Predicates are the predicates that an instruction reads, its guard first, and
// writes, PT in the places of those that it has not.
func (in *Inst) Predicates() (reads [3]PredReg, writes [2]PredReg) {
	reads, writes = [3]PredReg{in.Guard, in.S}, [2]PredReg{in.P}
	if readsTwo(in.Op) {
		reads[2] = in.Q
	} else {
		writes[1] = in.Q
	}
	return reads, writes
}

// readsTwo reports that a row's second predicate is a source.
func readsTwo(op *Op) bool {
	for arg := range strings.SplitSeq(op.Args, ", ") {
		if arg == "t" {
			return true
		}
	}
	return false
}

// Control holds what only control-flow instructions need.
type Control struct {
	Table  []int32   // JumpTable targets
	Callee *Function // direct call; nil when indirect
	Args   []Slot    // where the arguments lie in the caller's frame
	Rets   []Slot    // where results go in the caller's frame
	Bar    BarKind
	Reduce BarReduce
	Count  bool // the barrier names its thread count (operand B)
}

// Slot is a parameter's place in a frame's local memory.
type Slot struct {
	Offset, Size uint32
}

// BarKind is what an instruction does at a CTA barrier.
type BarKind uint8

// The kinds of barrier operation.
const (
	BarSync BarKind = iota
	BarArrive
	BarRed
)

// BarReduce is the reduction of a BarRed.
type BarReduce uint8

// The reductions. Popc writes register D, the others predicate P.
const (
	BarPopc BarReduce = iota
	BarAnd
	BarOr
)
