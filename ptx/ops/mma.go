package ops

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// operandsOf are the registers of an mma's matrices.
type operandsOf struct{ d, a, b, c []isa.Reg }

// counts are the registers that a program gives for each matrix.
type counts struct{ d, a, b, c int }

func (n counts) split(w *isa.Warp, in *isa.Inst) (o operandsOf, ok bool) {
	if lacking(w, in, n.d+n.a+n.b+n.c) {
		return o, false
	}
	v := in.Vec
	o.d, v = v[:n.d], v[n.d:]
	o.a, v = v[:n.a], v[n.a:]
	o.b, o.c = v[:n.b], v[n.b:]
	return o, true
}

// sides are the registers of the left and right factor of tile n, and where
// its elements of the sum begin.
func (p product) sides(o operandsOf, n int) (left, right []isa.Reg, sum int) {
	left, right = o.a, o.b
	if p.turned {
		left, right = right, left
	}
	i, j := n/p.across, n%p.across
	return left[i*p.aRegs():][:p.aRegs()], right[j*p.bRegs():][:p.bRegs()], n * p.cElems()
}

// registersOf is the number of registers of a program's matrices, c and d
// holding so many elements in each.
func (p product) registersOf(dEach, cEach int) counts {
	elems := p.down * p.across * p.cElems()
	n := counts{d: elems / dEach, c: elems / cEach, a: p.down * p.aRegs(), b: p.across * p.bRegs()}
	if p.turned {
		n.a, n.b = n.b, n.a
	}
	return n
}

// results are the sums of an instruction, kept until all operands are read.
type results [8]isa.Lanes

func (r *results) write(w *isa.Warp, d []isa.Reg) {
	for i, reg := range d {
		copyRow(w.Mask, &w.Regs[reg], &r[i])
	}
}

// tensorProduct is an mma or wmma of elements of up to 32 bits.
type tensorProduct struct {
	product
	counts
	cHalf, dHalf bool // C and D are f16
	multipliers  *multipliers
}

func bindMmaFloat(f *isa.Form) isa.Handler {
	p, ok := productOf(f, f.Type(1))
	if !ok {
		return nil
	}
	d, c := f.Type(0), f.Type(3)
	if f.Type(1) == isa.F16 && d != c {
		return nil
	}
	rule := fusingOf(f, p.k)
	if f.Type(1) == isa.TF32 && f.Op.Name == "wmma" {
		rule.step = 4 // the hardware forms it of two products of half the depth
	}
	return floatProduct(p, f.Type(1), f.Type(2), c, rule)
}

// bindWmmaHalf binds the f16 form, which names the types of D and C only and
// has eight registers for A and for B whatever the shape. Hardware since
// sm_75 has no .satfinite, and ptxas makes nothing of it there.
func bindWmmaHalf(f *isa.Form) isa.Handler {
	p, ok := productOf(f, isa.F16)
	if !ok {
		return nil
	}
	return floatProduct(p, isa.F16, isa.F16, f.Type(1), fusing{fraction: hopperBits, step: p.k, out: sumFormatOf(f.Type(0), f.Type(1))})
}

// halfRegs is the number of registers of A and of B in the f16 form of wmma.
const halfRegs = 8

func floatProduct(p product, left, right, c isa.Type, rule fusing) isa.Handler {
	m := tensorProduct{product: p, cHalf: c == isa.F16, dHalf: rule.out.half()}
	m.counts = m.registersOf(perElement(m.dHalf), perElement(m.cHalf))
	if left == isa.F16 && m.down*m.across == 2 {
		m.counts.a, m.counts.b = halfRegs, halfRegs
	}
	if m.turned {
		left, right = right, left
	}
	m.multipliers = floatMultipliers(left, right, m.cHalf, rule)
	return m.handler
}

func bindMmaInteger(f *isa.Form) isa.Handler {
	p, ok := productOf(f, f.Type(1))
	if !ok || f.Op.Name == "wmma" && f.Type(1) != f.Type(2) {
		return nil
	}
	return integerProduct(f, p)
}

func bindMmaBits(f *isa.Form) isa.Handler {
	p, ok := productOf(f, isa.B1)
	if !ok {
		return nil
	}
	return integerProduct(f, p)
}

func integerProduct(f *isa.Form, p product) isa.Handler {
	left, right := f.Type(1), f.Type(2)
	if p.turned {
		left, right = right, left
	}
	m := tensorProduct{product: p, counts: p.registersOf(1, 1), multipliers: integerMultipliers(left, right, countingOf(f))}
	return m.handler
}

func (m *tensorProduct) handler(w *isa.Warp, in *isa.Inst) {
	o, ok := m.split(w, in)
	if !ok {
		return
	}
	x := m.multipliers.take()
	defer m.multipliers.give(x)
	var out results
	for n := range m.down * m.across {
		left, right, first := m.sides(o, n)
		m.loadA(w, left, x)
		m.loadB(w, right, x)
		for i := range m.m {
			c := m.rowOf(w, o.c, m.cHalf, first, i)
			out.setRow(m.dHalf, first, i, x.sums(i, m.k, &c))
		}
	}
	out.write(w, o.d)
}

// checkMma counts the registers of an mma or wmma.
func checkMma(f *isa.Form, in *isa.Inst) string {
	d, a, c := f.Type(0), f.Type(1), f.Type(3)
	if len(f.Types) == 2 { // the form that names D and C only
		a, c = isa.F16, f.Type(1)
	}
	p, ok := productOf(f, a)
	if !ok {
		return ""
	}
	n := p.registersOf(perElement(d == isa.F16), perElement(c == isa.F16))
	switch {
	case a == isa.F16 && p.k == 4:
		n = quadCounts(d == isa.F16, c == isa.F16)
	case a == isa.F16 && p.down*p.across == 2:
		n.a, n.b = halfRegs, halfRegs
	}
	if len(in.Vec) != n.d+n.a+n.b+n.c {
		return wrongRegisters
	}
	return ""
}

func perElement(half bool) int {
	if half {
		return 2
	}
	return 1
}

// loadA gives a multiplier the rows of A.
func (t tile) loadA(w *isa.Warp, regs []isa.Reg, x multiplier) {
	for r, reg := range regs {
		row := w.Row(reg)
		for l := range isa.WarpSize {
			i, k := t.atA(l, r, 0)
			x.row(i, k, row[l])
		}
	}
}

// loadB gives it the columns of B.
func (t tile) loadB(w *isa.Warp, regs []isa.Reg, x multiplier) {
	for r, reg := range regs {
		row := w.Row(reg)
		for l := range isa.WarpSize {
			k, j := t.atB(l, r, 0)
			x.column(j, k, row[l])
		}
	}
}

// rowOf is row i of C, whose elements begin at number first of the registers.
func (t tile) rowOf(w *isa.Warp, c []isa.Reg, half bool, first, i int) (row [8]uint32) {
	lane, e := i&7<<2, first+i>>3<<1
	for j := range row {
		n := e + j&1
		if half {
			row[j] = w.Row(c[n/2])[lane+j>>1] >> (16 * uint(n&1)) & 0xffff
		} else {
			row[j] = w.Row(c[n])[lane+j>>1]
		}
	}
	return row
}

// setRow keeps row i of D.
func (r *results) setRow(half bool, first, i int, row [8]uint32) {
	lane, e := i&7<<2, first+i>>3<<1
	for j, v := range row {
		n := e + j&1
		if half {
			r[n/2][lane+j>>1] |= v << (16 * uint(n&1))
		} else {
			r[n][lane+j>>1] = v
		}
	}
}

// bindMmaDouble multiplies f64 matrices: a chain of fused multiply-adds in the
// order of k.
func bindMmaDouble(f *isa.Form) isa.Handler {
	p, ok := productOf(f, isa.F64)
	if !ok {
		return nil
	}
	n, fma := p.registersOf(1, 1), alu.FmaF64RN
	if r := rounding(f); r != alu.RN {
		fma = func(a, b, c uint64) uint64 { return alu.FmaF64(r, a, b, c) }
	}
	return func(w *isa.Warp, in *isa.Inst) {
		o, ok := n.split(w, in)
		if !ok {
			return
		}
		var a [16 * 16]uint64
		var b [8 * 16]uint64
		var out [2]results
		for l := range isa.WarpSize {
			for r, reg := range o.a {
				i, k := p.atA(l, r, 0)
				a[i*p.k+k] = w.Get64(reg, l)
			}
			for r, reg := range o.b {
				k, i := p.atB(l, r, 0)
				b[i*p.k+k] = w.Get64(reg, l)
			}
		}
		for i, reg := range o.c {
			for l := range w.Mask.All {
				row, col := p.atC(l, i)
				v := w.Get64(reg, l)
				for k := range p.k {
					v = fma(a[row*p.k+k], b[col*p.k+k], v)
				}
				out[0][i][l], out[1][i][l] = uint32(v), uint32(v>>32)
			}
		}
		for i, reg := range o.d {
			copyRow(w.Mask, &w.Regs[reg], &out[0][i])
			copyRow(w.Mask, &w.Regs[reg+1], &out[1][i])
		}
	}
}
