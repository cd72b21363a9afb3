package ops

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// quadProduct is mma.m8n8k4 of f16: four products of 8x8x4 at once, one in the
// lanes 4q..4q+3 and 16+4q..16+4q+3 of each q. It was made for Volta; later
// devices form it of single precision operations, and so does this handler, as
// ptxas does for sm_90.
type quadProduct struct {
	counts
	aCol, bCol   bool
	dHalf, cHalf bool
}

func bindMmaQuads(f *isa.Form) isa.Handler {
	m := quadProduct{dHalf: f.Type(0) == isa.F16, cHalf: f.Type(3) == isa.F16}
	if m.dHalf && !m.cHalf {
		return nil
	}
	first := true
	for _, layout := range f.Mods {
		if layout != "row" && layout != "col" {
			continue
		}
		if first {
			m.aCol, first = layout == "col", false
		} else {
			m.bCol = layout == "col"
		}
	}
	m.counts = quadCounts(m.dHalf, m.cHalf)
	return m.handler
}

func quadCounts(dHalf, cHalf bool) counts {
	return counts{d: 8 / perElement(dHalf), a: 2, b: 2, c: 8 / perElement(cHalf)}
}

// factorAt is where element i of A lies (B is the transposed of it).
func factorAt(lane, i int, turned bool) (row, k int) {
	upper := lane >> 4 * 4
	if turned {
		return i + upper, lane & 3
	}
	return lane&3 + upper, i
}

// sumAt is where element i of C or D lies.
func sumAt(lane, i int, half bool) (row, col int) {
	upper := lane >> 4 * 4
	if half {
		return lane&3 + upper, i
	}
	return lane&1 + i&2 + upper, i&4 + lane&2 + i&1
}

// single is element i of a list of registers of f16 or f32, as an f32.
func single(w *isa.Warp, regs []isa.Reg, half bool, i, l int) uint32 {
	if half {
		return alu.CvtF32F16(uint16(w.Row(regs[i/2])[l] >> (16 * uint(i&1))))
	}
	return w.Row(regs[i])[l]
}

func (m *quadProduct) handler(w *isa.Warp, in *isa.Inst) {
	o, ok := m.split(w, in)
	if !ok {
		return
	}
	var a, b [4][8][4]uint32
	for l := range isa.WarpSize {
		for i := range 4 {
			row, k := factorAt(l, i, m.aCol)
			a[l>>2&3][row][k] = single(w, o.a, true, i, l)
			col, k := factorAt(l, i, !m.bCol)
			b[l>>2&3][col][k] = single(w, o.b, true, i, l)
		}
	}
	var c [4][8][8]uint32
	for l := range isa.WarpSize {
		for i := range 8 {
			row, col := sumAt(l, i, m.cHalf)
			c[l>>2&3][row][col] = single(w, o.c, m.cHalf, i, l)
		}
	}
	var out results
	for l := range w.Mask.All {
		for i := range 8 {
			row, col := sumAt(l, i, m.dHalf)
			q := l >> 2 & 3
			if m.dHalf {
				v := halfSum(&a[q][row], &b[q][col], c[q][row][col])
				out[i/2][l] |= uint32(v) << (16 * uint(i&1))
				continue
			}
			out[i][l] = singleSum(&a[q][row], &b[q][col], c[q][row][col])
		}
	}
	out.write(w, o.d)
}

func singleSum(a, b *[4]uint32, c uint32) uint32 {
	sum := uint32(0)
	for k := range a {
		sum = alu.FmaF32RN(a[k], b[k], sum)
	}
	return alu.AddF32RN(c, sum)
}

func halfSum(a, b *[4]uint32, c uint32) uint16 {
	low := alu.FmaF32RN(a[1], b[1], alu.MulF32RN(a[0], b[0]))
	high := alu.FmaF32RN(a[3], b[3], alu.MulF32RN(a[2], b[2]))
	return alu.CvtF16F32(alu.RN, alu.AddF32RN(alu.AddF32RN(c, low), high))
}
