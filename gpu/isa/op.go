package isa

// Handler executes an instruction for the lanes of w.Mask.
type Handler func(w *Warp, in *Inst)

// Unit is the execution unit that an instruction occupies.
type Unit uint8

// The units of an SM sub-core.
const (
	ALU Unit = iota
	FMA
	FP64
	XU
	LSU
	Tex
	Tensor
	Branch
	Uniform
)

// Class is the latency class of an instruction within its unit.
type Class uint8

// The classes. Fixed latencies are known at issue, variable ones are not.
const (
	Fixed Class = iota
	Variable
)

// Flow tells an engine how an instruction moves the program counter.
type Flow uint8

// The flows. Next is by far the commonest.
const (
	Next        Flow = iota
	Jump             // to Inst.Target for the lanes of the guard
	JumpTable        // by index in operand A through Inst.Table
	Call             // Inst.Call says whom
	Return           // from a function; from a kernel it exits
	Exit             // the lanes end
	WarpSync         // lanes of the member mask meet, then Exec runs
	Barrier          // lanes wait for others of the CTA
	Yield            // a good place to let other lanes and warps run
	GroupCommit      // ends a group of asynchronous matrix products
	GroupWait        // waits until at most Inst.Imm groups of the warpgroup are unfinished
	ClusterBar       // lanes wait for others of the cluster
)

// Fence tells for whom a fence orders accesses.
type Fence uint8

// The fences. A row whose modifiers name the scope has the widest common one.
const (
	NoFence Fence = iota
	FenceCTA
	FenceGPU
	FenceSys
)

// Op is a row of an instruction table: one PTX instruction form, or one SASS
// instruction, in full.
type Op struct {
	Name string // mnemonic

	// Mods lists modifier groups: "cmp {bool} {ftz|sat}". A group in braces
	// may be absent; alternatives are divided by "|"; a name defined in the
	// table's vocabulary stands for its alternatives.
	Mods string

	// Types lists the admissible types: "u32 s32"; several type positions are
	// divided by "/": "f32 f64 / u32".
	Types string

	// Args is the operand pattern, see package ptx/ops.
	Args string

	Unit  Unit
	Class Class
	Flow  Flow
	Since int    // PTX ISA version times ten
	SM    int    // first target
	Only  string // if not empty, the targets with a suffix that alone have it: "90a 100f"
	Doc   string // section of the PTX ISA manual

	// Shares marks instructions through which CTAs can communicate whatever
	// their modifiers (atomics, fences).
	Shares bool

	// Fence is the scope of a fence; an instruction that waits for
	// asynchronous copies is one of the CTA.
	Fence Fence

	// Wider marks instructions whose register operands may be wider than the
	// type they name (loads, stores and conversions).
	Wider bool

	// Expand is the number of machine instructions that the form of a type
	// stands for, with .ftz or without; nil for one.
	Expand func(t Type, ftz bool) int

	// Role is what an assembler sees in it.
	Role Role

	// Bind chooses the handler of a form; nil means that the row does not
	// honour this combination of modifiers.
	Bind func(f *Form) Handler

	// Check says what is wrong with the operands of an instruction; "" if
	// nothing is. It is nil for rows whose pattern says it all.
	Check func(f *Form, in *Inst) string

	// Control describes a barrier's form; nil for other instructions. args is
	// the number of operands.
	Control func(f *Form, args int) *Control
}

// Role is what an assembler sees in an instruction when it makes one of several.
type Role uint16

// The roles.
const (
	Copies      Role = 1 << iota // copies a register
	SameBits                     // names another address space for the same bits
	Widens                       // an integer, or makes it shorter
	WideProduct                  // of two words, twice as long
	Product                      // the low half
	Sum
	Difference
	Shift   // to the left
	Logical // bit by bit
	Sign    // changes a sign
	Compares
	Junction // of predicates
	Ordered  // has state of its own: the carry flag, the stack
	Gathers  // one lane can do it for all that name the same address
	Masks    // keeps bits that both sources have
	SumOf    // of a product, its low half, and a third source
)

// Parts is the number of machine instructions that op stands for when it
// computes in type t, with ftz taking subnormal numbers for zero.
func (op *Op) Parts(t Type, ftz bool) int {
	if op.Expand == nil {
		return 1
	}
	return op.Expand(t, ftz)
}

// Form is a spelling of a row: its modifiers and types as the program wrote them.
type Form struct {
	Op    *Op
	Types []Type
	Mods  []string // without dots, in order
	DBits int      // width of the destination register, set before Bind
	Space Space    // of a memory operand, set before Bind
}

// Has reports whether the modifier m was written.
func (f *Form) Has(m string) bool {
	for _, x := range f.Mods {
		if x == m {
			return true
		}
	}
	return false
}

// Any returns the first of the modifiers ms that was written, "" if none was.
func (f *Form) Any(ms ...string) string {
	for _, m := range ms {
		if f.Has(m) {
			return m
		}
	}
	return ""
}

// Type is the i-th type, NoType if fewer were written.
func (f *Form) Type(i int) Type {
	if i < len(f.Types) {
		return f.Types[i]
	}
	return NoType
}
