package isa

// Use is a range of register rows, or of constant rows, that an instruction
// reads or writes.
type Use struct {
	Reg   Reg
	Rows  uint8
	Write bool
}

// Operands tells what the instructions of a function use, beside their
// predicates: what a timing model needs and an engine does not.
type Operands struct {
	uses  []Use
	end   []int32 // of each instruction's uses
	types []Type
	parts []uint8
	fixed []bool
}

// Add appends what the next instruction uses: registers, the type that it
// computes in, and the number of machine instructions that it stands for.
func (o *Operands) Add(t Type, parts int, uses ...Use) {
	o.uses = append(o.uses, uses...)
	o.end = append(o.end, int32(len(o.uses)))
	o.types = append(o.types, t)
	o.parts = append(o.parts, uint8(min(max(parts, 1), 255)))
	o.fixed = append(o.fixed, false)
}

// Fix says that the instruction added last keeps its place among the others:
// what it does can be seen elsewhere, or depends on when it is done.
func (o *Operands) Fix() { o.fixed[len(o.fixed)-1] = true }

// Fixed reports that instruction pc keeps its place.
func (o *Operands) Fixed(pc int) bool { return o.fixed[pc] }

// Of lists what instruction pc uses.
func (o *Operands) Of(pc int) []Use {
	first := int32(0)
	if pc > 0 {
		first = o.end[pc-1]
	}
	return o.uses[first:o.end[pc]]
}

// Type is the type that instruction pc computes in, NoType if it has none.
func (o *Operands) Type(pc int) Type { return o.types[pc] }

// Parts is the number of machine instructions that instruction pc stands for.
func (o *Operands) Parts(pc int) int { return int(o.parts[pc]) }

// Permute puts the instructions in another order: instruction pc becomes the
// one that was at order[pc].
func (o *Operands) Permute(order []int32) {
	old := *o
	*o = Operands{uses: make([]Use, 0, len(old.uses))}
	for _, pc := range order {
		o.Add(old.types[pc], int(old.parts[pc]), old.Of(int(pc))...)
		o.fixed[len(o.fixed)-1] = old.fixed[pc]
	}
}
