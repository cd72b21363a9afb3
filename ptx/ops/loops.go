package ops

import "github.com/lockstep-sim/lockstep/gpu/isa"

// The handlers of the commonest forms, written as loops of their own: a lifted
// scalar function costs a call for each lane.

func add32(w *isa.Warp, in *isa.Inst) {
	m, d, a, b := w.Args(in)
	for l := range m.All {
		d[l] = a[l] + b[l]
	}
}

func sub32(w *isa.Warp, in *isa.Inst) {
	m, d, a, b := w.Args(in)
	for l := range m.All {
		d[l] = a[l] - b[l]
	}
}

func mul32(w *isa.Warp, in *isa.Inst) {
	m, d, a, b := w.Args(in)
	for l := range m.All {
		d[l] = a[l] * b[l]
	}
}

func mad32(w *isa.Warp, in *isa.Inst) {
	m, d, a, b, c := w.Args3(in)
	for l := range m.All {
		d[l] = a[l]*b[l] + c[l]
	}
}

func minU32(w *isa.Warp, in *isa.Inst) {
	m, d, a, b := w.Args(in)
	for l := range m.All {
		d[l] = min(a[l], b[l])
	}
}

func maxU32(w *isa.Warp, in *isa.Inst) {
	m, d, a, b := w.Args(in)
	for l := range m.All {
		d[l] = max(a[l], b[l])
	}
}

func minS32(w *isa.Warp, in *isa.Inst) {
	m, d, a, b := w.Args(in)
	for l := range m.All {
		d[l] = uint32(min(int32(a[l]), int32(b[l])))
	}
}

func maxS32(w *isa.Warp, in *isa.Inst) {
	m, d, a, b := w.Args(in)
	for l := range m.All {
		d[l] = uint32(max(int32(a[l]), int32(b[l])))
	}
}

func add64(w *isa.Warp, in *isa.Inst) {
	d, a, b := args64(w, in)
	for l := range w.Mask.All {
		d.set(l, a.at(l)+b.at(l))
	}
}

func sub64(w *isa.Warp, in *isa.Inst) {
	d, a, b := args64(w, in)
	for l := range w.Mask.All {
		d.set(l, a.at(l)-b.at(l))
	}
}

func args64(w *isa.Warp, in *isa.Inst) (d target[uint64], a, b source[uint64]) {
	return write[uint64](w, in.D), read[uint64](w, in.A), read[uint64](w, in.B)
}

func mulWideU32(w *isa.Warp, in *isa.Inst) {
	d, a, b := write[uint64](w, in.D), w.Row(in.A), w.Row(in.B)
	for l := range w.Mask.All {
		d.set(l, uint64(a[l])*uint64(b[l]))
	}
}

func mulWideS32(w *isa.Warp, in *isa.Inst) {
	d, a, b := write[uint64](w, in.D), w.Row(in.A), w.Row(in.B)
	for l := range w.Mask.All {
		d.set(l, uint64(int64(int32(a[l]))*int64(int32(b[l]))))
	}
}

func and32(w *isa.Warp, in *isa.Inst) {
	m, d, a, b := w.Args(in)
	for l := range m.All {
		d[l] = a[l] & b[l]
	}
}

func or32(w *isa.Warp, in *isa.Inst) {
	m, d, a, b := w.Args(in)
	for l := range m.All {
		d[l] = a[l] | b[l]
	}
}

func xor32(w *isa.Warp, in *isa.Inst) {
	m, d, a, b := w.Args(in)
	for l := range m.All {
		d[l] = a[l] ^ b[l]
	}
}

func not32(w *isa.Warp, in *isa.Inst) {
	m, d, a := w.Args1(in)
	for l := range m.All {
		d[l] = ^a[l]
	}
}

func shl32(w *isa.Warp, in *isa.Inst) {
	m, d, a, b := w.Args(in)
	for l := range m.All {
		d[l] = a[l] << b[l]
	}
}

func shrU32(w *isa.Warp, in *isa.Inst) {
	m, d, a, b := w.Args(in)
	for l := range m.All {
		d[l] = a[l] >> b[l]
	}
}

func shrS32(w *isa.Warp, in *isa.Inst) {
	m, d, a, b := w.Args(in)
	for l := range m.All {
		d[l] = uint32(int32(a[l]) >> b[l])
	}
}

func shfLWrap(w *isa.Warp, in *isa.Inst) {
	m, d, a, b, c := w.Args3(in)
	for l := range m.All {
		d[l] = uint32((uint64(b[l])<<32 | uint64(a[l])) << (c[l] & 31) >> 32)
	}
}

func shfRWrap(w *isa.Warp, in *isa.Inst) {
	m, d, a, b, c := w.Args3(in)
	for l := range m.All {
		d[l] = uint32((uint64(b[l])<<32 | uint64(a[l])) >> (c[l] & 31))
	}
}

func shl64(w *isa.Warp, in *isa.Inst) {
	d, a, b := write[uint64](w, in.D), read[uint64](w, in.A), w.Row(in.B)
	for l := range w.Mask.All {
		d.set(l, a.at(l)<<b[l])
	}
}

func mov16(w *isa.Warp, in *isa.Inst) {
	m, d, a := w.Args1(in)
	for l := range m.All {
		d[l] = a[l] & 0xffff
	}
}

func mov32(w *isa.Warp, in *isa.Inst) {
	m, d, a := w.Args1(in)
	copyRow(m, d, a)
}

func mov64(w *isa.Warp, in *isa.Inst) {
	lo, hi := w.Wide(in.A)
	copyRow(w.Mask, &w.Regs[in.D], lo)
	copyRow(w.Mask, &w.Regs[in.D+1], hi)
}

func copyRow(m isa.Mask, d, a *isa.Lanes) {
	if m == isa.Full {
		*d = *a
		return
	}
	for l := range m.All {
		d[l] = a[l]
	}
}

func selp32(w *isa.Warp, in *isa.Inst) {
	_, d, a, b := w.Args(in)
	selectRow(w.Mask, w.Source(in), d, a, b)
}

func selp64(w *isa.Warp, in *isa.Inst) {
	aLo, aHi := w.Wide(in.A)
	bLo, bHi := w.Wide(in.B)
	p := w.Source(in)
	selectRow(w.Mask, p, &w.Regs[in.D], aLo, bLo)
	selectRow(w.Mask, p, &w.Regs[in.D+1], aHi, bHi)
}

// selectRow gives d the row a in the lanes of p, the row b in the others.
func selectRow(m, p isa.Mask, d, a, b *isa.Lanes) {
	for l := range m.All {
		v := b[l]
		if p.Has(l) {
			v = a[l]
		}
		d[l] = v
	}
}

func cvtU32U8(w *isa.Warp, in *isa.Inst) {
	m, d, a := w.Args1(in)
	for l := range m.All {
		d[l] = a[l] & 0xff
	}
}

func cvtS32S8(w *isa.Warp, in *isa.Inst) {
	m, d, a := w.Args1(in)
	for l := range m.All {
		d[l] = uint32(int32(int8(a[l])))
	}
}

func cvtS32S16(w *isa.Warp, in *isa.Inst) {
	m, d, a := w.Args1(in)
	for l := range m.All {
		d[l] = uint32(int32(int16(a[l])))
	}
}

func cvtU64U32(w *isa.Warp, in *isa.Inst) {
	d, a := write[uint64](w, in.D), w.Row(in.A)
	for l := range w.Mask.All {
		d.set(l, uint64(a[l]))
	}
}

func cvtS64S32(w *isa.Warp, in *isa.Inst) {
	d, a := write[uint64](w, in.D), w.Row(in.A)
	for l := range w.Mask.All {
		d.set(l, uint64(int64(int32(a[l]))))
	}
}

func ltU32(a, b *isa.Lanes) (p isa.Mask) {
	for l := range isa.WarpSize {
		var bit isa.Mask
		if a[l] < b[l] {
			bit = 1
		}
		p = p>>1 | bit<<31
	}
	return p
}

func ltS32(a, b *isa.Lanes) (p isa.Mask) {
	for l := range isa.WarpSize {
		var bit isa.Mask
		if int32(a[l]) < int32(b[l]) {
			bit = 1
		}
		p = p>>1 | bit<<31
	}
	return p
}

func eqB32(a, b *isa.Lanes) (p isa.Mask) {
	for l := range isa.WarpSize {
		var bit isa.Mask
		if a[l] == b[l] {
			bit = 1
		}
		p = p>>1 | bit<<31
	}
	return p
}
