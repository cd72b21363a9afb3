package lower

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ast"
)

// sum lowers the operand "register + constant", which ptxas accepts as a source
// of any type: an addition of integers before it.
func (l *lowering) sum(a *ast.Operand, t isa.Type) isa.Reg {
	r, _ := l.register(a, t, t.Bits() < 16)
	if declared := l.body.Regs[a.Index].Type; declared.IsFloat() {
		l.errorf(a.Pos, "a sum is of integers, %s is of .%s", l.body.RegName(a.Index), declared)
	}
	return l.plus(r, t.Bits(), int64(a.Value))
}

// plus is a register that holds r plus a constant, in bits wide arithmetic.
func (l *lowering) plus(r isa.Reg, bits int, n int64) isa.Reg {
	in := isa.Inst{Op: plusOp, A: r, Imm: n}
	rows := uint8((bits + 31) / 32)
	switch bits {
	case 8, 16:
		in.D, in.Exec = l.scratch(1), plus16
	case 32:
		in.D, in.Exec = l.scratch(1), plus32
	default:
		in.D, in.Exec = l.scratch(2), plus64
	}
	l.aside(in, isa.Use{Reg: r, Rows: rows}, isa.Use{Reg: in.D, Rows: rows, Write: true})
	l.use(in.D, int(rows), false)
	return in.D
}

// plusOp is the row of the additions that sums and second addresses need.
var plusOp = &isa.Op{Name: "add", Unit: isa.ALU}

func plus16(w *isa.Warp, in *isa.Inst) {
	m, d, a := w.Args1(in)
	for l := range m.All {
		d[l] = (a[l] + uint32(in.Imm)) & 0xffff
	}
}

func plus32(w *isa.Warp, in *isa.Inst) {
	m, d, a := w.Args1(in)
	for l := range m.All {
		d[l] = a[l] + uint32(in.Imm)
	}
}

func plus64(w *isa.Warp, in *isa.Inst) {
	for l := range w.Mask.All {
		w.Set64(in.D, l, w.Get64(in.A, l)+uint64(in.Imm))
	}
}
