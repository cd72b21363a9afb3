package simd

import "github.com/lockstep-sim/lockstep/gpu/isa"

// distinct reports that no register is in v twice.
func distinct(v []isa.Reg) bool {
	for i := range v {
		for j := range i {
			if v[i] == v[j] {
				return false
			}
		}
	}
	return true
}

// elements moves a vector of bytes or half words: words, of which each has several
// of the elements. A load's lie in the rows of their first elements until the
// others have been taken, a store's are put together in spare rows.
func (a *assembler) elements(in *isa.Inst, pc int32, s shape) {
	each := len(in.Vec) / s.rows // elements of a word
	take, put, bits := TakeByte, PutByte, int64(8)
	if in.Fast&Halves != 0 {
		take, put, bits = TakeHalf, PutHalf, 16
	}
	if in.Fast&SignExtended != 0 {
		take += TakeByteS - TakeByte
	}
	var words [4]int32
	for i := range s.rows {
		words[i] = reg(in.Vec[i*each])
		if !s.store {
			continue
		}
		first := reg(isa.Reg(-len(a.fn.Consts) - 1 - i))
		for j := range each {
			code, op := put, Op{pc: pc, d: first, a: reg(in.Vec[i*each+j]), b: first, imm: int64(j) * bits}
			if j == 0 {
				code, op.b = take, 0
			}
			a.emit(op, code)
		}
		words[i] = first
	}
	a.emit(Op{pc: pc, a: reg(in.A), ah: above(in.A), imm: in.Imm, d: words[0], b: words[1], slot: a.span(pc, s)}, in.Fast&^marks)
	for i := 0; i < s.rows && !s.store; i++ {
		for j := each - 1; j >= 0; j-- {
			shift := int64(j) * bits
			if in.Fast&SignExtended != 0 {
				shift = 32 - bits - shift
			}
			a.emit(Op{pc: pc, d: reg(in.Vec[i*each+j]), a: words[i], imm: shift}, take)
		}
	}
}
