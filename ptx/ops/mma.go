package ops

import (
	"math"
	"math/bits"

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

// floatProduct multiplies floating-point matrices of up to 32 bits.
type floatProduct struct {
	product
	counts
	left, right isa.Type
	cHalf       bool // C is f16, else f32
	dHalf       bool
	step        int // terms of one fused sum
}

// hopperBits is the number of bits that a Hopper tensor core keeps below the
// largest exponent of a sum.
const hopperBits = 25

func bindMmaFloat(f *isa.Form) isa.Handler {
	p, ok := productOf(f, f.Type(1))
	if !ok {
		return nil
	}
	d, c := f.Type(0), f.Type(3)
	if f.Type(1) == isa.F16 && d != c {
		return nil
	}
	m := floatProduct{product: p, left: f.Type(1), right: f.Type(2), cHalf: c == isa.F16, dHalf: d == isa.F16, step: p.k}
	if m.left == isa.TF32 && f.Op.Name == "wmma" {
		m.step = 4 // the hardware forms it of two products of half the depth
	}
	return m.handler()
}

// bindWmmaHalf binds the f16 form, which names the types of D and C only and
// has eight registers for A and for B whatever the shape.
func bindWmmaHalf(f *isa.Form) isa.Handler {
	p, ok := productOf(f, isa.F16)
	if !ok {
		return nil
	}
	m := floatProduct{product: p, left: isa.F16, right: isa.F16, cHalf: f.Type(1) == isa.F16, dHalf: f.Type(0) == isa.F16, step: p.k}
	return m.handler()
}

// halfRegs is the number of registers of A and of B in the f16 form of wmma.
const halfRegs = 8

func (m floatProduct) handler() isa.Handler {
	m.counts = m.registersOf(perElement(m.dHalf), perElement(m.cHalf))
	if m.left == isa.F16 && m.down*m.across == 2 {
		m.counts.a, m.counts.b = halfRegs, halfRegs
	}
	return func(w *isa.Warp, in *isa.Inst) {
		o, ok := m.split(w, in)
		if !ok {
			return
		}
		var out results
		for n := range m.down * m.across {
			m.multiply(w, o, n, &out)
		}
		out.write(w, o.d)
	}
}

func perElement(half bool) int {
	if half {
		return 2
	}
	return 1
}

// factors are the rows of A and the columns of B, k elements each.
type factors struct {
	a [16 * 32]alu.Factor
	b [8 * 32]alu.Factor
}

func (m *floatProduct) multiply(w *isa.Warp, o operandsOf, n int, out *results) {
	var x factors
	left, right, first := m.sides(o, n)
	leftType, rightType := m.left, m.right
	if m.turned {
		leftType, rightType = rightType, leftType
	}
	for r, reg := range left {
		row := w.Row(reg)
		for l := range isa.WarpSize {
			for j := range m.each {
				i, k := m.atA(l, r, j)
				x.a[i*m.k+m.place(k)] = factorOf(leftType, row[l], j)
			}
		}
	}
	for r, reg := range right {
		row := w.Row(reg)
		for l := range isa.WarpSize {
			for j := range m.each {
				k, i := m.atB(l, r, j)
				x.b[i*m.k+m.place(k)] = factorOf(rightType, row[l], j)
			}
		}
	}
	for e := range m.cElems() {
		for l := range w.Mask.All {
			row, col := m.atC(l, e)
			c := accumulator(w, o.c, m.cHalf, first+e, l)
			v := m.dot(x.a[row*m.k:][:m.k], x.b[col*m.k:][:m.k], c)
			if m.dHalf {
				out[(first+e)/2][l] |= v << (16 * uint(e&1))
			} else {
				out[first+e][l] = v
			}
		}
	}
}

// place is where element k of a row is kept. Eight-bit products are formed of
// two products of 16 terms, the first of the lower halves of the registers.
func (m *floatProduct) place(k int) int {
	if m.each < 4 {
		return k
	}
	return k>>2<<1 + k&1 + k&2<<3
}

// factorOf is element j of a register.
func factorOf(t isa.Type, x uint32, j int) alu.Factor {
	switch t {
	case isa.F16:
		return alu.FactorF16(uint16(x >> (16 * uint(j))))
	case isa.BF16:
		return alu.FactorBF16(uint16(x >> (16 * uint(j))))
	case isa.TF32:
		return alu.FactorTF32(x)
	}
	tiny := alu.E4M3
	if t == isa.E5M2 {
		tiny = alu.E5M2
	}
	return alu.FactorF16(alu.CvtF16F32(alu.RN, alu.CvtF32Tiny(tiny, uint8(x>>(8*uint(j))))))
}

// accumulator is element i of C in lane l, as a factor.
func accumulator(w *isa.Warp, c []isa.Reg, half bool, i, l int) alu.Factor {
	if half {
		return alu.FactorF16(uint16(w.Row(c[i/2])[l] >> (16 * uint(i&1))))
	}
	return alu.FactorF32(w.Row(c[i])[l])
}

// dot is one element of the sum.
func (m *floatProduct) dot(a, b []alu.Factor, c alu.Factor) uint32 {
	if m.each == 4 {
		low := alu.RoundMMAF32(alu.FusedDot(a[:16], b[:16], alu.FactorF32(0), hopperBits))
		high := alu.RoundMMAF32(alu.FusedDot(a[16:], b[16:], alu.FactorF32(low), hopperBits))
		return alu.AddF32RN(math.Float32bits(float32(c.Value)), high)
	}
	for k := 0; ; k += m.step {
		sum := alu.FusedDot(a[k:k+m.step], b[k:k+m.step], c, hopperBits)
		last := k+m.step == m.k
		switch {
		case last && m.dHalf && !m.cHalf: // formed as an f32, then converted
			return uint32(alu.CvtF16F32(alu.RN, alu.RoundMMAF32(sum)))
		case last && m.dHalf:
			return uint32(alu.RoundMMAF16(sum))
		case last:
			return alu.RoundMMAF32(sum)
		}
		c = alu.FactorF32(alu.RoundMMAF32(sum))
	}
}

// bindMmaDouble multiplies f64 matrices: a chain of fused multiply-adds in the
// order of k.
func bindMmaDouble(f *isa.Form) isa.Handler {
	p, ok := productOf(f, isa.F64)
	if !ok {
		return nil
	}
	n := p.registersOf(1, 1)
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
					v = alu.FmaF64RN(a[row*p.k+k], b[col*p.k+k], v)
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

// integerProduct multiplies matrices of integers, or of words of bits.
type integerProduct struct {
	product
	counts
	left, right isa.Type
	saturate    bool
	xor         bool // of bits: count differing ones instead of common ones
}

func bindMmaInteger(f *isa.Form) isa.Handler {
	p, ok := productOf(f, f.Type(1))
	if !ok || f.Op.Name == "wmma" && f.Type(1) != f.Type(2) {
		return nil
	}
	m := integerProduct{product: p, counts: p.registersOf(1, 1), left: f.Type(1), right: f.Type(2), saturate: f.Has("satfinite")}
	return m.handler
}

func bindMmaBits(f *isa.Form) isa.Handler {
	p, ok := productOf(f, isa.B1)
	if !ok {
		return nil
	}
	m := integerProduct{product: p, counts: p.registersOf(1, 1), left: isa.B1, right: isa.B1, xor: f.Has("xor")}
	return m.handler
}

func (m *integerProduct) handler(w *isa.Warp, in *isa.Inst) {
	o, ok := m.split(w, in)
	if !ok {
		return
	}
	var out results
	for n := range m.down * m.across {
		m.multiply(w, o, n, &out)
	}
	out.write(w, o.d)
}

func (m *integerProduct) multiply(w *isa.Warp, o operandsOf, n int, out *results) {
	var a [16 * 64]int32
	var b [8 * 64]int32
	left, right, first := m.sides(o, n)
	leftType, rightType := m.left, m.right
	if m.turned {
		leftType, rightType = rightType, leftType
	}
	for r, reg := range left {
		row := w.Row(reg)
		for l := range isa.WarpSize {
			for j := range m.each {
				i, k := m.atA(l, r, j)
				a[i*m.k+k] = integerOf(leftType, row[l], j)
			}
		}
	}
	for r, reg := range right {
		row := w.Row(reg)
		for l := range isa.WarpSize {
			for j := range m.each {
				k, i := m.atB(l, r, j)
				b[i*m.k+k] = integerOf(rightType, row[l], j)
			}
		}
	}
	for e := range m.cElems() {
		c := w.Row(o.c[first+e])
		for l := range w.Mask.All {
			row, col := m.atC(l, e)
			out[first+e][l] = m.finish(int64(int32(c[l])) + m.dot(a[row*m.k:][:m.k], b[col*m.k:][:m.k]))
		}
	}
}

// integerOf is element j of a register.
func integerOf(t isa.Type, x uint32, j int) int32 {
	switch t {
	case isa.U8:
		return int32(uint8(x >> (8 * uint(j))))
	case isa.S8:
		return int32(int8(x >> (8 * uint(j))))
	case isa.U4:
		return int32(x >> (4 * uint(j)) & 15)
	case isa.S4:
		return int32(x<<(28-4*uint(j))) >> 28
	}
	return int32(x)
}

func (m *integerProduct) dot(a, b []int32) (sum int64) {
	switch {
	case m.left != isa.B1:
		for k := range a {
			sum += int64(a[k]) * int64(b[k])
		}
	case m.xor:
		for k := range a {
			sum += int64(bits.OnesCount32(uint32(a[k] ^ b[k])))
		}
	default:
		for k := range a {
			sum += int64(bits.OnesCount32(uint32(a[k] & b[k])))
		}
	}
	return sum
}

func (m *integerProduct) finish(sum int64) uint32 {
	if m.saturate {
		sum = max(math.MinInt32, min(math.MaxInt32, sum))
	}
	return uint32(sum)
}
