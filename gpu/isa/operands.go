package isa

// Use is a range of register rows, or of constant rows, that an instruction
// reads or writes.
type Use struct {
	Reg   Reg
	Rows  uint8
	Write bool
}

// Moves is how far an instruction may move from its place in the text.
type Moves uint8

// The distances.
const (
	PastOthers Moves = iota // past all that it shares no register and no memory with
	PastStores              // past stores as well: nobody writes what it reads
	Nowhere                 // what it does can be seen elsewhere, or depends on when it is done
)

// Operands tells what the instructions of a function use, beside their
// predicates: what a timing model needs and an engine does not.
type Operands struct {
	uses  []Use
	end   []int32 // of each instruction's uses
	types []Type
	parts []uint8
	moves []Moves
	past  []bool // L1 holds nothing for the instruction
	after []bool // see Release

	matrices map[int32]Matrix
}

// Matrix is what a warp multiplies in a matrix instruction: M x K by K x N.
type Matrix struct {
	M, N, K int
	Bits    int  // of a factor's element
	Sparse  bool // half of the left factor is zero
	Single  bool // sums in single precision
	Group   bool // a warpgroup's product, of which the warp forms M rows
	Shared  bool // the left factor is in shared memory, as a warpgroup's right one is
}

// Multiplies says that the instruction added last is a matrix product.
func (o *Operands) Multiplies(m Matrix) {
	if o.matrices == nil {
		o.matrices = map[int32]Matrix{}
	}
	o.matrices[int32(len(o.types)-1)] = m
}

// Matrix is what instruction pc multiplies, if it is a matrix product.
func (o *Operands) Matrix(pc int) (m Matrix, ok bool) {
	m, ok = o.matrices[int32(pc)]
	return m, ok
}

// Add appends what the next instruction uses: registers, the type that it
// computes in, and the number of machine instructions that it stands for.
func (o *Operands) Add(t Type, parts int, uses ...Use) {
	o.uses = append(o.uses, uses...)
	o.end = append(o.end, int32(len(o.uses)))
	o.types = append(o.types, t)
	o.parts = append(o.parts, uint8(min(max(parts, 1), 255)))
	o.moves = append(o.moves, PastOthers)
	o.past = append(o.past, false)
	o.after = append(o.after, false)
}

// Move says how far the instruction added last may move.
func (o *Operands) Move(m Moves) { o.moves[len(o.moves)-1] = m }

// Moves is how far instruction pc may move.
func (o *Operands) Moves(pc int) Moves { return o.moves[pc] }

// PassL1 says that the instruction added last reads global memory past L1.
func (o *Operands) PassL1() { o.past[len(o.past)-1] = true }

// PassesL1 reports that instruction pc reads global memory past L1.
func (o *Operands) PassesL1(pc int) bool { return o.past[pc] }

// Release says that the instruction added last, which is no access to global memory,
// releases what was done before it to other CTAs.
func (o *Operands) Release() { o.after[len(o.after)-1] = true }

// Releases reports that instruction pc does so.
func (o *Operands) Releases(pc int) bool { return o.after[pc] }

// Of lists what instruction pc uses.
func (o *Operands) Of(pc int) []Use {
	first := int32(0)
	if pc > 0 {
		first = o.end[pc-1]
	}
	return o.uses[first:o.end[pc]]
}

// Len is the number of instructions that were added.
func (o *Operands) Len() int { return len(o.types) }

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
		o.Move(old.moves[pc])
		o.past[len(o.past)-1] = old.past[pc]
		o.after[len(o.after)-1] = old.after[pc]
		if m, ok := old.matrices[pc]; ok {
			o.Multiplies(m)
		}
	}
}
