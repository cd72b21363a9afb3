package ast

import "strconv"

// Kind is the kind of an operand; the package comment has the table.
type Kind uint8

// Kinds of operand.
const (
	NoOperand Kind = iota
	Int
	Float32
	Float64
	Register
	Special
	Local
	Global
	CodeLabel
	TableName
	Vector
	List
	Pair
	Tuple
	Sink
	Sum
)

// HasElems reports whether operands of this kind are made of others.
func (k Kind) HasElems() bool { return k >= Vector && k <= Tuple }

// Flags are the marks around an operand.
type Flags uint8

// Operand flags.
const (
	Address  Flags = 1 << iota // in brackets
	Not                        // !p
	Minus                      // -r, as vmad allows
	Unsigned                   // an Int of type u64
	Unified                    // [a].unified
	Moved                      // a name with an offset, which may be zero
)

// Part selects a part of a register.
type Part uint8

// Parts. PartB and PartH are the byte and half selectors of the video
// instructions, such as .b0, .h1, .b3210. Operand.Value holds their digits, four
// bits each with the last one lowest, and how many there are from bit 32 on.
const (
	Whole Part = iota
	PartX
	PartY
	PartZ
	PartW
	PartB
	PartH
)

// Operand is one operand of an instruction, or one element of another operand.
type Operand struct {
	Value uint64
	Pos   Pos
	Index int32
	Kind  Kind
	Part  Part
	Flags Flags
}

// Has reports whether all of the flags are set.
func (o *Operand) Has(f Flags) bool { return o.Flags&f == f }

// Offset is the byte offset of an address or symbol.
func (o *Operand) Offset() int64 { return int64(o.Value) }

// RegName returns the name of the register as written in the source.
func (b *Body) RegName(i int32) string {
	r := &b.Regs[i]
	d := &b.RegDecls[r.Decl]
	if r.N < 0 {
		return d.Name
	}
	return d.Name + strconv.Itoa(int(r.N))
}
