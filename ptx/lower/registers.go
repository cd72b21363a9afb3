package lower

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ast"
)

// constant identifies a constant: its low and high words and its rows. An
// address in shared memory differs from a number, since the CTAs of a cluster
// have their own.
type constant struct {
	value  uint64
	rows   int
	shared bool
}

// registers gives every register of the body its rows, or its predicate.
func (l *lowering) registers() {
	l.rows = make([]int32, len(l.body.Regs))
	preds := int32(isa.PFree)
	for i := range l.body.Regs {
		r := &l.body.Regs[i]
		n := int32(max(r.Vec, 1))
		if r.Type == ast.Pred {
			l.rows[i] = preds
			preds += n
			continue
		}
		l.rows[i] = l.take(n * rowsOf(r.Type))
	}
	l.out.NumPreds = int(preds)
}

func rowsOf(t ast.Type) int32 { return int32(t.Size()+3) / 4 }

// take allocates n register rows.
func (l *lowering) take(n int32) int32 {
	first := int32(l.out.NumRegs)
	l.out.NumRegs += int(n)
	return first
}

// sinkRows is the width in rows of the register that takes unwanted results.
const sinkRows = 4

// sink is a register that nobody reads.
func (l *lowering) sink() isa.Reg {
	if l.sinkReg < 0 {
		l.sinkReg = l.take(sinkRows)
	}
	return isa.Reg(l.sinkReg)
}

// scratch is a register of n rows for one value between two instructions.
func (l *lowering) scratch(n int) isa.Reg { return isa.Reg(l.take(int32(n))) }

// constant is the operand that holds a value of n rows, the same in all lanes.
func (l *lowering) constant(value uint64, rows int) isa.Reg {
	return l.pooled(constant{value: value, rows: rows})
}

// addressOf is the operand that holds an address of n rows in a space.
func (l *lowering) addressOf(space isa.Space, value uint64, rows int) isa.Reg {
	return l.pooled(constant{value, rows, space == isa.Shared})
}

func (l *lowering) pooled(key constant) isa.Reg {
	value, rows := key.value, key.rows
	if rows == 1 {
		value &= 0xffffffff
		key.value = value
	}
	if r, ok := l.consts[key]; ok {
		return r
	}
	first := isa.Reg(^len(l.out.Consts))
	if key.shared {
		l.out.SharedConsts = append(l.out.SharedConsts, int32(len(l.out.Consts)))
	}
	for i := range rows {
		var row isa.Lanes
		if i < 2 {
			for lane := range row {
				row[lane] = uint32(value >> (32 * i))
			}
		}
		l.out.Consts = append(l.out.Consts, row)
	}
	l.consts[key] = first
	return first
}
