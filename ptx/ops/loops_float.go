package ops

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// The commonest floating-point forms, as in loops.go.

func addF32(w *isa.Warp, in *isa.Inst) {
	m, d, a, b := w.Args(in)
	for l := range m.All {
		d[l] = alu.AddF32RN(a[l], b[l])
	}
}

func subF32(w *isa.Warp, in *isa.Inst) {
	m, d, a, b := w.Args(in)
	for l := range m.All {
		d[l] = alu.SubF32RN(a[l], b[l])
	}
}

func mulF32(w *isa.Warp, in *isa.Inst) {
	m, d, a, b := w.Args(in)
	for l := range m.All {
		d[l] = alu.MulF32RN(a[l], b[l])
	}
}

func fmaF32(w *isa.Warp, in *isa.Inst) {
	m, d, a, b, c := w.Args3(in)
	for l := range m.All {
		d[l] = alu.FmaF32RN(a[l], b[l], c[l])
	}
}

func addFtzF32(w *isa.Warp, in *isa.Inst) {
	m, d, a, b := w.Args(in)
	for l := range m.All {
		d[l] = alu.FlushF32(alu.AddF32RN(alu.FlushF32(a[l]), alu.FlushF32(b[l])))
	}
}

func subFtzF32(w *isa.Warp, in *isa.Inst) {
	m, d, a, b := w.Args(in)
	for l := range m.All {
		d[l] = alu.FlushF32(alu.SubF32RN(alu.FlushF32(a[l]), alu.FlushF32(b[l])))
	}
}

func mulFtzF32(w *isa.Warp, in *isa.Inst) {
	m, d, a, b := w.Args(in)
	for l := range m.All {
		d[l] = alu.MulFtzF32(alu.RN, a[l], b[l])
	}
}

func fmaFtzF32(w *isa.Warp, in *isa.Inst) {
	m, d, a, b, c := w.Args3(in)
	for l := range m.All {
		d[l] = alu.FmaFtzF32(alu.RN, a[l], b[l], c[l])
	}
}

func addF64(w *isa.Warp, in *isa.Inst) {
	d, a, b := args64(w, in)
	for l := range w.Mask.All {
		d.set(l, alu.AddF64RN(a.at(l), b.at(l)))
	}
}

func subF64(w *isa.Warp, in *isa.Inst) {
	d, a, b := args64(w, in)
	for l := range w.Mask.All {
		d.set(l, alu.SubF64RN(a.at(l), b.at(l)))
	}
}

func mulF64(w *isa.Warp, in *isa.Inst) {
	d, a, b := args64(w, in)
	for l := range w.Mask.All {
		d.set(l, alu.MulF64RN(a.at(l), b.at(l)))
	}
}

func fmaF64(w *isa.Warp, in *isa.Inst) {
	d, a, b := args64(w, in)
	c := read[uint64](w, in.C)
	for l := range w.Mask.All {
		d.set(l, alu.FmaF64RN(a.at(l), b.at(l), c.at(l)))
	}
}

func cvtF32S32(w *isa.Warp, in *isa.Inst) {
	m, d, a := w.Args1(in)
	for l := range m.All {
		d[l] = alu.CvtF32S32(alu.RN, a[l])
	}
}

func cvtF32U32(w *isa.Warp, in *isa.Inst) {
	m, d, a := w.Args1(in)
	for l := range m.All {
		d[l] = alu.CvtF32U32(alu.RN, a[l])
	}
}

func cvtS32F32(w *isa.Warp, in *isa.Inst) {
	m, d, a := w.Args1(in)
	for l := range m.All {
		d[l] = alu.CvtS32F32(alu.RZ, a[l])
	}
}

func cvtU32F32(w *isa.Warp, in *isa.Inst) {
	m, d, a := w.Args1(in)
	for l := range m.All {
		d[l] = alu.CvtU32F32(alu.RZ, a[l])
	}
}

func cvtF64F32(w *isa.Warp, in *isa.Inst) {
	d, a := write[uint64](w, in.D), w.Row(in.A)
	for l := range w.Mask.All {
		d.set(l, alu.CvtF64F32(a[l]))
	}
}

func cvtF32F64(w *isa.Warp, in *isa.Inst) {
	d, a := &w.Regs[in.D], read[uint64](w, in.A)
	for l := range w.Mask.All {
		d[l] = alu.CvtF32F64(alu.RN, a.at(l))
	}
}

func ltF32(a, b *isa.Lanes) (p isa.Mask) {
	for l := range isa.WarpSize {
		var bit isa.Mask
		if alu.LtF32(a[l], b[l]) {
			bit = 1
		}
		p = p>>1 | bit<<31
	}
	return p
}

func leF32(a, b *isa.Lanes) (p isa.Mask) {
	for l := range isa.WarpSize {
		var bit isa.Mask
		if alu.LeF32(a[l], b[l]) {
			bit = 1
		}
		p = p>>1 | bit<<31
	}
	return p
}

func eqF32(a, b *isa.Lanes) (p isa.Mask) {
	for l := range isa.WarpSize {
		var bit isa.Mask
		if alu.EqF32(a[l], b[l]) {
			bit = 1
		}
		p = p>>1 | bit<<31
	}
	return p
}
