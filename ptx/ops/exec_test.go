package ops

import (
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// The registers of a trial: one operand has four rows, predicates start at PFree.
const operandRows = 4

// garbage fills what an instruction is to leave alone.
const garbage uint64 = 0xfeedface_deadbeef

// trial holds an instruction and a warp for it to run on.
type trial struct {
	form *isa.Form
	args []Arg
	in   isa.Inst
	exec isa.Handler
	w    isa.Warp
	next isa.Reg
	pred isa.PredReg
}

// newTrial looks a spelling up for a number of plain operands and binds it to
// a destination register of some width, 0 for that of its type.
func newTrial(t testing.TB, text string, operands, dbits int) *trial {
	t.Helper()
	words := strings.Split(text, ".")
	form, args, err := Lookup(words[0], words[1:], make([]Shape, operands)...)
	if err != nil {
		t.Fatal(err)
	}
	b := &trial{form: form, args: args[:operands], pred: isa.PFree}
	form.DBits = dbits
	if dbits == 0 {
		form.DBits = args[0].Type(form).Bits()
	}
	if b.exec = form.Op.Bind(form); b.exec == nil {
		t.Fatalf("%s has no handler", text)
	}
	b.w.Regs = make([]isa.Lanes, operandRows*(operands+1))
	b.w.Preds = make([]isa.Mask, 8)
	b.w.Preds[isa.PT] = isa.Full
	b.in = isa.Inst{P: isa.PSink, Q: isa.PSink, S: isa.PT, Guard: isa.PT}
	return b
}

func (b *trial) register() isa.Reg {
	b.next += operandRows
	return b.next - operandRows
}

func (b *trial) predicate() isa.PredReg {
	b.pred++
	return b.pred - 1
}

func (b *trial) fill(r isa.Reg, bits int, values func(l int) uint64) {
	for l := range isa.WarpSize {
		v := values(l)
		b.w.Regs[r][l] = uint32(v)
		if bits > 32 {
			b.w.Regs[r+1][l] = uint32(v >> 32)
		}
	}
}

func (b *trial) fillPred(p isa.PredReg, values func(l int) uint64) {
	b.w.Preds[p] = 0
	for l := range isa.WarpSize {
		if values(l) != 0 {
			b.w.Preds[p] |= isa.Lane(l)
		}
	}
}

// place gives one operand its register and contents; result reads a
// destination back and is nil for a source.
func (b *trial) place(arg Arg, values func(l int) uint64) (result []func(l int) uint64) {
	in, bits := &b.in, arg.Type(b.form).Bits()
	fillGarbage := func(int) uint64 { return garbage }
	register := func() isa.Reg {
		in.D = b.register()
		b.fill(in.D, 64, fillGarbage)
		return in.D
	}
	predicate := func() isa.PredReg {
		p := b.predicate()
		b.fillPred(p, func(l int) uint64 { return garbage >> (l % 8) & 1 })
		return p
	}
	switch arg.Role {
	case "d":
		return append(result, b.value(register(), max(b.form.DBits, bits)))
	case "d|p":
		d := b.value(register(), bits)
		in.P = predicate()
		return append(result, d, b.truth(in.P))
	case "p":
		in.P = predicate()
		return append(result, b.truth(in.P))
	case "p|q":
		in.P, in.Q = predicate(), predicate()
		return append(result, b.truth(in.P), b.truth(in.Q))
	case "s":
		in.S = b.predicate()
		b.fillPred(in.S, values)
	case "t":
		in.Q = b.predicate()
		b.fillPred(in.Q, values)
	case "i":
		in.Imm = int64(values(0))
	default:
		r := b.register()
		b.fill(r, bits, values)
		*map[string]*isa.Reg{"a": &in.A, "b": &in.B, "c": &in.C, "m": &in.M}[arg.Role] = r
	}
	return nil
}

func (b *trial) value(r isa.Reg, bits int) func(l int) uint64 {
	return func(l int) uint64 {
		if bits > 32 {
			return b.w.Get64(r, l)
		}
		return uint64(b.w.Regs[r][l])
	}
}

func (b *trial) truth(p isa.PredReg) func(l int) uint64 {
	return func(l int) uint64 { return uint64(b.w.Preds[p] >> l & 1) }
}

// resultCount is the number of results of a spelling.
func resultCount(text string) int {
	if strings.HasPrefix(text, "setp") || strings.HasPrefix(text, "lop3.and") || strings.HasPrefix(text, "lop3.or") {
		return 2
	}
	return 1
}

// check runs an instruction on rows of operands and expected results. Lane l
// takes row l modulo their number. Lanes out of the mask must keep what they
// had, whatever the instruction.
func check(t *testing.T, text string, dbits int, rows ...[]uint64) {
	t.Helper()
	for _, mask := range []isa.Mask{isa.Full, 0x9249_2493, 1 << 31, 0} {
		checkMasked(t, text, dbits, mask, rows)
	}
}

func checkMasked(t *testing.T, text string, dbits int, mask isa.Mask, rows [][]uint64) {
	t.Helper()
	sources := len(rows[0]) - resultCount(text)
	b := newTrial(t, text, sources+1, dbits)
	var got []func(l int) uint64
	n := 0
	for _, arg := range b.args {
		column := n
		r := b.place(arg, func(l int) uint64 { return rows[l%len(rows)][column] })
		if r == nil {
			n++
		}
		got = append(got, r...)
	}
	var before [][isa.WarpSize]uint64
	for _, g := range got {
		var lanes [isa.WarpSize]uint64
		for l := range lanes {
			lanes[l] = g(l)
		}
		before = append(before, lanes)
	}
	b.w.Mask = mask
	b.exec(&b.w, &b.in)
	for l := range isa.WarpSize {
		row := rows[l%len(rows)]
		for i, g := range got {
			want := before[i][l]
			if mask.Has(l) {
				want = row[sources+i]
			}
			if g(l) != want {
				t.Errorf("%s %x, mask %08x, lane %d: result %d is %#x, want %#x", text, row[:sources], mask, l, i, g(l), want)
				return
			}
		}
	}
}

// try is a row of operands and expected results.
func try(values ...uint64) []uint64 { return values }
