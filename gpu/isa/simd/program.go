package simd

import (
	"sync"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// Program is a function as micro-operations, which are made for a level when
// they are first needed.
type Program struct {
	fn     *isa.Function
	consts []isa.Lanes // constant rows, the last first
	levels [AVX512 + 1]struct {
		once sync.Once
		code *code
	}

	unsetOnce sync.Once
	unset     []rowRange // of a frame, to be cleared
}

// code is a function's micro-operations for a level.
type code struct {
	level Level
	ops   []Op
	entry []int32 // by instruction: its micro-operation, -1 if it has none
	slots []uint8 // by instruction: one more than the span it uses
}

// kind says how the operands of a micro-operation are laid out.
type kind uint8

const (
	specialKind kind = iota
	rowKind
	setKind       // a comparison that writes predicates
	selectKind    // rows a and b, a predicate
	predicateKind // predicates only
	fourKind      // rows; c and a fourth source are words
	permuteKind   // rows a and b as one double word, c
	packKind      // a register of two elements
	unpackKind    // two elements of a register
	voteKind      // a predicate of all lanes; a row or a predicate
	shuffleKind   // rows, and a predicate
	memoryKind
	atomicKind // rows b and c are sources
)

type shape struct {
	kind  kind
	space byte // of memory, as the micro-operation's name has it
	rows  int  // of data
	store bool // data are sources
}

var (
	special        = shape{kind: specialKind}
	rowShape       = shape{kind: rowKind}
	setShape       = shape{kind: setKind}
	selectShape    = shape{kind: selectKind}
	predicateShape = shape{kind: predicateKind}
	fourShape      = shape{kind: fourKind}
	permuteShape   = shape{kind: permuteKind}
	packShape      = shape{kind: packKind}
	unpackShape    = shape{kind: unpackKind}
	voteShape      = shape{kind: voteKind}
	shuffleShape   = shape{kind: shuffleKind}
)

// Combine says how a comparison's result is combined with a predicate.
type Combine uint8

// The combinations, as isa.Inst.Imm of a comparison holds them.
const (
	Alone Combine = iota
	WithAnd
	WithOr
	WithXor
)

// Marks of a memory access, added to its micro-operation: a load's words become
// double words, or words are made of a vector's elements.
const (
	Bytes        isa.Fast = 1 << 12
	Halves       isa.Fast = 1 << 13
	ZeroExtended isa.Fast = 1 << 14
	SignExtended isa.Fast = 1 << 15 // also of elements

	elements = Bytes | Halves
	marks    = elements | ZeroExtended | SignExtended
)

// shapeOf is the shape of an instruction's micro-operation.
func shapeOf(in *isa.Inst) shape { return shapes[in.Fast&^marks] }

// spare rows of a frame lie below its constants.
const spare = 2

const (
	rowBytes  = 4 * isa.WarpSize
	predBytes = 4
)

// New makes the program of a function that will not change; nil where the
// processor can execute none.
func New(fn *isa.Function) *Program {
	if Best.resolve() == Go {
		return nil
	}
	p := &Program{fn: fn, consts: make([]isa.Lanes, spare+len(fn.Consts))}
	for i := range fn.Consts {
		p.consts[len(p.consts)-1-i] = fn.Consts[i]
	}
	return p
}

// at is the program's code for a level above Go.
func (p *Program) at(v Level) *code {
	l := &p.levels[v]
	l.once.Do(func() { l.code = assemble(p.fn, v) })
	return l.code
}

func assemble(fn *isa.Function, v Level) *code {
	a := &assembler{fn: fn, p: &code{level: v, entry: make([]int32, len(fn.Code)), slots: make([]uint8, len(fn.Code))}}
	a.leaders()
	for pc := range fn.Code {
		a.instruction(int32(pc))
	}
	a.emit(Op{pc: int32(len(fn.Code))}, Leave)
	a.count()
	a.branches()
	return a.p
}

// Consts are the rows that must lie below row zero of a frame: constants, and
// spare rows below them.
func (p *Program) Consts() []isa.Lanes {
	if p == nil {
		return nil
	}
	return p.consts
}

type assembler struct {
	fn     *isa.Function
	p      *code
	leader []bool  // by instruction: a run begins here
	lead   []int32 // by instruction: the micro-operation that begins the run
	jumps  []int32 // micro-operations whose imm is still a program counter
	slot   int
}

// leaders finds where runs begin: where control comes from elsewhere.
func (a *assembler) leaders() {
	n := len(a.fn.Code)
	a.leader, a.lead = make([]bool, n+1), make([]int32, n+1)
	a.leader[0] = true
	for pc := range a.fn.Code {
		in := &a.fn.Code[pc]
		if in.Flow == isa.Next {
			continue
		}
		a.leader[pc+1] = true
		if in.Flow == isa.Jump {
			a.leader[in.Target] = true
		}
		if in.Join >= 0 {
			a.leader[in.Join] = true
		}
		if in.Flow == isa.JumpTable {
			for _, t := range in.Control.Table {
				a.leader[t] = true
			}
		}
	}
}

func (a *assembler) emit(op Op, code isa.Fast) {
	op.full, op.part = a.p.level.body(int(code))
	a.p.ops = append(a.p.ops, op)
}

func (a *assembler) here() int64 { return int64(len(a.p.ops)) }

func (a *assembler) instruction(pc int32) {
	in := &a.fn.Code[pc]
	a.lead[pc] = int32(a.here())
	if a.leader[pc] {
		a.emit(Op{pc: pc}, Lead)
	}
	a.p.entry[pc] = int32(a.here())
	switch {
	case in.Flow == isa.Jump:
		a.jump(in, pc)
	case (in.Flow == isa.Next || a.together(in)) && in.Fast != Leave && a.encodable(in):
		a.guarded(in, pc)
	default:
		a.p.entry[pc] = -1
		a.emit(Op{pc: pc}, Leave)
	}
}

// together reports an instruction at which all lanes of the warp meet.
func (a *assembler) together(in *isa.Inst) bool {
	return in.Flow == isa.WarpSync && in.M < 0 && isa.Mask(a.fn.Consts[^in.M][0]) == isa.Full
}

func (a *assembler) jump(in *isa.Inst, pc int32) {
	a.jumps = append(a.jumps, int32(a.here()))
	op := Op{pc: pc, imm: int64(in.Target), c: pred(in.Guard), slot: complement(in.GuardNot)}
	if in.Guard == isa.PT && !in.GuardNot {
		a.emit(op, Jump)
		return
	}
	a.emit(op, Branch)
}

// guarded puts a guard around an instruction that has one.
func (a *assembler) guarded(in *isa.Inst, pc int32) {
	if in.Guard == isa.PT && !in.GuardNot {
		a.operation(in, pc)
		return
	}
	at := a.here()
	a.emit(Op{pc: pc, c: pred(in.Guard), slot: complement(in.GuardNot)}, Guard)
	a.operation(in, pc)
	a.emit(Op{pc: pc}, Unguard)
	a.p.ops[at].imm = (a.here() - at) * opBytes
}

func pred(p isa.PredReg) int32 { return int32(p) * predBytes }

func reg(r isa.Reg) int32 { return int32(r) * rowBytes }

func above(r isa.Reg) int32 { return reg(isa.Above(r, 1)) }

func complement(not bool) int32 {
	if not {
		return -1
	}
	return 0
}

// encodable reports whether the micro-operation can have the operands.
func (a *assembler) encodable(in *isa.Inst) bool {
	s := shapeOf(in)
	switch s.kind {
	case packKind, unpackKind:
		return len(in.Vec) == 2
	case memoryKind, atomicKind:
		if s.space == 'P' && in.A >= 0 || in.Imm != int64(int32(in.Imm)) && s.space != 'G' {
			return false
		}
	default:
		return in.Vec == nil
	}
	if in.Fast&elements != 0 {
		return distinct(in.Vec) && len(in.Vec) > s.rows && len(in.Vec)%s.rows == 0
	}
	return in.Vec == nil || len(in.Vec) == s.rows || 2*len(in.Vec) == s.rows
}

func (a *assembler) operation(in *isa.Inst, pc int32) {
	op := Op{pc: pc, imm: in.Imm, d: reg(in.D), a: reg(in.A), b: reg(in.B), c: reg(in.C), ah: above(in.A), bh: above(in.B), ch: above(in.C)}
	switch s := shapeOf(in); s.kind {
	case memoryKind:
		a.memory(in, pc, s)
	case atomicKind:
		op.slot = a.span(pc, s)
		a.emit(op, in.Fast)
	case setKind:
		a.set(in, op)
	case selectKind:
		op.c, op.slot = pred(in.S), complement(in.SNot)
		a.emit(op, in.Fast)
	case fourKind:
		op.ch = reg(in.M)
		a.emit(op, in.Fast)
	case permuteKind:
		op.ah, op.b = op.b, op.c
		a.emit(op, in.Fast)
	case packKind:
		op.a, op.b = reg(in.Vec[0]), reg(in.Vec[1])
		op.ah = op.b
		a.emit(op, in.Fast)
	case unpackKind:
		op.d, op.b = reg(in.Vec[0]), reg(in.Vec[1])
		a.emit(op, in.Fast)
	case voteKind:
		op.b, op.c, op.slot = pred(in.P), pred(in.S), complement(in.SNot)
		a.emit(op, in.Fast)
	case shuffleKind:
		op.slot = pred(in.P)
		a.emit(op, in.Fast)
	case predicateKind:
		a.emit(Op{pc: pc, d: pred(in.P), c: pred(in.S), slot: complement(in.SNot), b: pred(in.Q), imm: int64(complement(in.QNot))}, in.Fast)
	default:
		a.emit(op, in.Fast)
	}
}

// set writes a comparison's predicate at once, or by a second micro-operation
// if there is more to it.
func (a *assembler) set(in *isa.Inst, op Op) {
	combine := Combine(in.Imm)
	if combine == Alone && in.Q == isa.PSink {
		op.d = pred(in.P)
		a.emit(op, in.Fast)
		return
	}
	a.emit(op, in.Fast+1)
	a.emit(Op{pc: op.pc, d: pred(in.P), b: pred(in.Q), c: pred(in.S), slot: complement(in.SNot)},
		[...]isa.Fast{Both, BothAnd, BothOr, BothXor}[combine])
}

func (a *assembler) memory(in *isa.Inst, pc int32, s shape) {
	if in.Fast&elements != 0 {
		a.elements(in, pc, s)
		return
	}
	op := Op{pc: pc, a: reg(in.A), ah: above(in.A), imm: in.Imm}
	data := in.D
	if s.store {
		data = in.B
	}
	rows := [4]int32{}
	for i := range s.rows {
		rows[i] = reg(isa.Above(data, i))
		if in.Vec != nil {
			each := s.rows / len(in.Vec) // rows of an element
			rows[i] = reg(isa.Above(in.Vec[i/each], i%each))
		}
	}
	op.d, op.b, op.bh, op.c = rows[0], rows[1], rows[2], rows[3]
	op.slot = a.span(pc, s)
	a.emit(op, in.Fast&^marks)
	switch in.Fast & marks {
	case ZeroExtended:
		a.emit(Op{pc: pc, d: op.d, a: op.d}, ZeroExtend32)
	case SignExtended:
		a.emit(Op{pc: pc, d: op.d, a: op.d}, SignExtend32)
	}
}

// span gives an access to global memory the offset of a span.
func (a *assembler) span(pc int32, s shape) int32 {
	if s.space != 'G' {
		return 0
	}
	at := a.slot
	a.p.slots[pc] = uint8(at) + 1
	a.slot = (at + 1) % spans
	return int32(at) * spanBytes
}

// count finds how many instructions lie between each micro-operation and the
// end of its run.
func (a *assembler) count() {
	rest := int32(0)
	for i := len(a.p.ops) - 1; i >= 0; i-- {
		op := &a.p.ops[i]
		switch {
		case a.starts(i, Leave):
			rest = 0
		case a.starts(i, Jump), a.starts(i, Branch):
			rest = 1
		case a.starts(i, Lead):
			op.rest, rest = rest, 0
			continue
		case i+1 < len(a.p.ops) && a.p.ops[i+1].pc != op.pc:
			rest++
		}
		op.rest = rest
	}
}

func (a *assembler) starts(i int, code isa.Fast) bool {
	full, _ := a.p.level.body(int(code))
	return a.p.ops[i].full == full
}

// branches turns program counters into distances.
func (a *assembler) branches() {
	for _, i := range a.jumps {
		op := &a.p.ops[i]
		op.imm = int64(a.lead[op.imm]-i) * opBytes
	}
}
