package program

import (
	"math/bits"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// residue is what is known of a value's lowest bits: so many of them, and what they are.
type residue struct {
	known int
	value uint32
}

// residueBits is how many bits are looked at: no access is wider than 1 << residueBits bytes.
const residueBits = 7

var (
	anything = residue{}               // nothing is known
	unseen   = residue{known: 1 << 10} // no writer has been looked at
)

func constantResidue(v uint32) residue { return residue{residueBits, v}.of(residueBits) }

// of keeps the lowest n bits.
func (r residue) of(n int) residue {
	n = min(n, r.known, residueBits)
	return residue{n, r.value & (1<<n - 1)}
}

// meet is what holds for a value that is r or q.
func (r residue) meet(q residue) residue {
	if r == unseen {
		return q
	}
	return r.of(min(q.known, bits.TrailingZeros32(r.value^q.value)))
}

// zeros is the number of lowest bits that are known to be zero.
func (r residue) zeros() int { return min(bits.TrailingZeros32(r.value), r.known) }

func (r residue) plus(q residue) residue {
	return residue{min(r.known, q.known), r.value + q.value}.of(residueBits)
}

func (r residue) minus(q residue) residue {
	return residue{min(r.known, q.known), r.value - q.value}.of(residueBits)
}

// times: what is not known of one factor is a multiple of 1 << known, and so is its product by the
// other's zeros.
func (r residue) times(q residue) residue {
	return residue{min(r.known+q.zeros(), q.known+r.zeros()), r.value * q.value}.of(residueBits)
}

// and keeps zeros of either side.
func (r residue) and(q residue) residue {
	for n := range residueBits {
		both := n < r.known && n < q.known
		zero := n < r.known && r.value>>n&1 == 0 || n < q.known && q.value>>n&1 == 0
		if !both && !zero {
			return residue{n, r.value & q.value}.of(n)
		}
	}
	return residue{residueBits, r.value & q.value}.of(residueBits)
}

// residues finds out what is known of the values that the registers of f hold, wherever: an assembler
// learns from it how addresses are aligned.
func residues(f *isa.Function) []residue {
	all := make([]residue, f.NumRegs)
	for r := range all {
		all[r] = unseen
	}
	var t touch
	for changed := true; changed; {
		changed = false
		for pc := range f.Code {
			touches(f, pc, &t)
			for i, w := range t.writes {
				if int(w) >= f.NumRegs {
					continue
				}
				next := anything
				if i == 0 {
					next = result(f, pc, all)
				}
				if next != unseen && all[w] != all[w].meet(next) {
					all[w], changed = all[w].meet(next), true
				}
			}
		}
	}
	return all
}

// result is what is known of the lowest word that instruction pc writes.
func result(f *isa.Function, pc int, all []residue) residue {
	in := &f.Code[pc]
	value := func(r isa.Reg) residue {
		switch {
		case r < 0:
			return constantResidue(f.Consts[^r][0])
		case int(r) < len(all):
			return all[r]
		}
		return anything
	}
	one := func(do func(a residue) residue) residue {
		if a := value(in.A); a != unseen {
			return do(a)
		}
		return unseen
	}
	two := func(do func(a, b residue) residue) residue {
		b := value(in.B)
		if b == unseen {
			return unseen
		}
		return one(func(a residue) residue { return do(a, b) })
	}
	switch role := in.Op.Role; {
	case f.Operands.Type(pc).IsFloat():
	case role&(isa.Copies|isa.SameBits|isa.Widens) != 0:
		return one(func(a residue) residue { return a })
	case role == isa.Sum:
		return two(residue.plus)
	case role == isa.Difference:
		return two(residue.minus)
	case role == isa.Product, role == isa.WideProduct:
		return two(residue.times)
	case role == isa.Shift && in.B < 0:
		return one(func(a residue) residue {
			return a.times(constantResidue(1 << min(f.Consts[^in.B][0], residueBits)))
		})
	case role&isa.Masks != 0:
		return two(residue.and)
	case role == isa.SumOf:
		if c := value(in.C); c != unseen {
			return two(func(a, b residue) residue { return a.times(b).plus(c) })
		}
		return unseen
	}
	return anything
}
