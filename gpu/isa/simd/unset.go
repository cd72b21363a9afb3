package simd

import (
	"math/bits"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// rowRange is a range of register rows [lo, hi).
type rowRange struct{ lo, hi int }

// Clear makes zero the rows of a new frame that the function may read before it
// has written them. Others may hold anything.
func (p *Program) Clear(regs []isa.Lanes) {
	p.unsetOnce.Do(func() { p.unset = unset(p.fn) })
	for _, r := range p.unset {
		clear(regs[r.lo:min(r.hi, len(regs))])
	}
}

// rowSet is a set of register rows.
type rowSet []uint64

func (s rowSet) has(row int) bool { return s[row/64]>>(row%64)&1 != 0 }
func (s rowSet) add(row int)      { s[row/64] |= 1 << (row % 64) }
func (s rowSet) remove(row int)   { s[row/64] &^= 1 << (row % 64) }

// join adds t to s and reports whether s has grown.
func (s rowSet) join(t rowSet) (grown bool) {
	for i, w := range t {
		grown = grown || w&^s[i] != 0
		s[i] |= w
	}
	return grown
}

// mostUnset bounds the words of all blocks' sets; a larger function's rows are
// all cleared.
const mostUnset = 1 << 20

// unset finds the rows that a lane may read before it has written them, by
// following what may be unwritten from block to block.
func unset(fn *isa.Function) []rowRange {
	all := []rowRange{{0, fn.NumRegs}}
	a := &assembler{fn: fn}
	a.leaders()
	words := (fn.NumRegs + 63) / 64
	var starts []int
	for pc, l := range a.leader[:len(fn.Code)] {
		if l {
			starts = append(starts, pc)
		}
	}
	if len(starts) == 0 || fn.Operands.Len() != len(fn.Code) || len(starts)*words > mostUnset {
		return all
	}
	before := map[int]rowSet{}
	store := make(rowSet, len(starts)*words)
	for i, pc := range starts {
		before[pc] = store[i*words:][:words]
	}
	for row := range fn.NumRegs {
		before[0].add(row)
	}
	read, now := make(rowSet, words), make(rowSet, words)
	for grown := true; grown; {
		grown = false
		for _, pc := range starts {
			copy(now, before[pc])
			for end := false; !end; pc++ {
				follow(fn, pc, now, read)
				if end = pc+1 == len(fn.Code) || a.leader[pc+1]; end {
					for _, next := range successors(fn, pc) {
						grown = before[next].join(now) || grown
					}
				}
			}
		}
	}
	return read.ranges()
}

// follow adds to read what an instruction may read unwritten, and takes from now
// what it writes for sure.
func follow(fn *isa.Function, pc int, now, read rowSet) {
	in := &fn.Code[pc]
	own := in.Flow == isa.Next && in.Fast != Leave && lanewise(shapeOf(in).kind)
	for _, u := range fn.Operands.Of(pc) {
		for row := int(u.Reg); u.Reg >= 0 && !u.Write && row < int(u.Reg)+int(u.Rows); row++ {
			if !own || now.has(row) { // others may look at what another lane has
				read.add(row)
			}
		}
	}
	if !own || in.Guard != isa.PT || in.GuardNot {
		return
	}
	for _, u := range fn.Operands.Of(pc) {
		for row := int(u.Reg); u.Reg >= 0 && u.Write && row < int(u.Reg)+int(u.Rows); row++ {
			now.remove(row)
		}
	}
}

// lanewise reports that each lane reads and writes its own registers only, and
// writes all of its destination.
func lanewise(k kind) bool {
	switch k {
	case rowKind, setKind, selectKind, fourKind, permuteKind, packKind, unpackKind, memoryKind, atomicKind:
		return true
	}
	return false
}

// successors are where lanes may be after the instruction at pc.
func successors(fn *isa.Function, pc int) []int {
	in := &fn.Code[pc]
	var next []int
	switch in.Flow {
	case isa.Jump:
		if int(in.Target) < len(fn.Code) {
			next = append(next, int(in.Target))
		}
	case isa.JumpTable:
		for _, t := range in.Control.Table {
			next = append(next, int(t))
		}
	}
	leaves := in.Flow == isa.Jump || in.Flow == isa.JumpTable || in.Flow == isa.Exit || in.Flow == isa.Return
	if pc+1 < len(fn.Code) && (!leaves || in.Guard != isa.PT || in.GuardNot) {
		next = append(next, pc+1)
	}
	return next
}

// ranges lists the set's rows.
func (s rowSet) ranges() []rowRange {
	var all []rowRange
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			row := 64*i + bits.TrailingZeros64(w)
			if n := len(all); n > 0 && all[n-1].hi == row {
				all[n-1].hi++
			} else {
				all = append(all, rowRange{row, row + 1})
			}
		}
	}
	return all
}
