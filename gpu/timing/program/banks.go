package program

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/timing/sm"
)

// registerBanks is the number of banks of a sub-core's registers.
const registerBanks = 2

// company lists for each row the rows that arithmetic reads beside it: they had better lie in other
// banks.
func company(f *isa.Function, x *fusion) [][]int32 {
	all := make([][]int32, f.NumRegs)
	var t touch
	for pc := range f.Code {
		if u := f.Code[pc].Op.Unit; x.free[pc] || u == isa.LSU || u == isa.Tex || u == isa.Tensor {
			continue
		}
		x.touches(f, pc, &t)
		for i, a := range t.reads {
			for _, b := range t.reads[:i] {
				if a != b && int(a) < f.NumRegs && int(b) < f.NumRegs {
					all[a] = append(all[a], int32(b))
					all[b] = append(all[b], int32(a))
				}
			}
		}
	}
	return all
}

// bank is the one with fewest of the rows that row is read with, of those that have registers; -1 if
// that does not matter.
func (a *assignment) bank(row int, with [][]int32) int {
	var n [registerBanks]int
	for _, other := range with[row] {
		if a.placed[other] {
			n[a.register[other]%registerBanks]++
		}
	}
	switch {
	case n[0] < n[1]:
		return 0
	case n[1] < n[0]:
		return 1
	}
	return -1
}

// reuse lets registers that the next instruction reads at the same position stay in the reuse cache,
// where an assembler would: between instructions of fixed latency. It swaps the first two sources of
// an instruction where that helps.
func reuse(code []sm.Inst) {
	for i := 0; i+1 < len(code); i++ {
		a, b := &code[i], &code[i+1]
		if !a.Fixed || !b.Fixed {
			continue
		}
		if !keeps(a, b, 0) && !keeps(a, b, 1) {
			b.Src[0], b.Src[1] = b.Src[1], b.Src[0]
			if !keeps(a, b, 0) && !keeps(a, b, 1) {
				b.Src[0], b.Src[1] = b.Src[1], b.Src[0]
			}
		}
		for pos := range 3 {
			if keeps(a, b, pos) {
				a.Bits.Reuse |= 1 << pos
			}
		}
	}
}

// keeps reports that b reads at a position what a has read there and not changed.
func keeps(a, b *sm.Inst, pos int) bool {
	o := a.Src[pos]
	if o.File != sm.General || o.N > 2 || b.Src[pos] != o {
		return false
	}
	for _, d := range a.Dst {
		if d.File == sm.General && d.Reg <= o.Reg && o.Reg < d.Reg+d.N {
			return false
		}
	}
	return true
}
