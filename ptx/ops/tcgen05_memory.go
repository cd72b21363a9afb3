package ops

import "github.com/lockstep-sim/lockstep/gpu/isa"

// refuse raises the trap of an instruction whose operands mean nothing.
func refuse(w *isa.Warp, l int, note string) {
	w.Raise(isa.Trap{Kind: isa.IllegalInstruction, Lane: l, Note: note})
}

// tensorCell is a cell of a CTA's tensor memory; where nothing is allocated a
// trap is raised.
func tensorCell(w *isa.Warp, cta *isa.CTA, l int, lane, column uint32) *uint32 {
	if cta.Tensor != nil {
		if c := cta.Tensor.Cell(lane, column); c != nil {
			return c
		}
	}
	w.Raise(isa.Trap{Kind: isa.IllegalAddress, Lane: l, Addr: uint64(lane)<<16 | uint64(column), Bytes: 4, Note: "tensor memory that is not allocated"})
	return nil
}

func bindTensorAlloc(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		l := w.Mask.First()
		n := w.Row(in.B)[l]
		if n < isa.TensorUnit || n > isa.TensorColumns || n&(n-1) != 0 {
			refuse(w, l, "the number of columns of tensor memory is no power of two from 32 to 512")
			return
		}
		if w.CTA.Tensor == nil {
			w.CTA.Tensor = new(isa.TensorMemory)
		}
		if w.CTA.Tensor.Sold {
			refuse(w, l, "tensor memory is allocated after relinquish_alloc_permit")
			return
		}
		first, ok := w.CTA.Tensor.Allocate(n)
		if !ok {
			refuse(w, l, "tensor memory is exhausted, and nobody else can free any")
			return
		}
		p := pointer{in.A, in.Space, in.Imm}
		space := p.space
		if space == isa.Frame {
			space = isa.Local
		}
		if b := w.Bytes(space, l, p.address(w, l), 4, 4, true); b != nil {
			put(b, first)
		}
	}
}

func bindTensorFree(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		l := w.Mask.First()
		if w.CTA.Tensor == nil || !w.CTA.Tensor.Free(w.Row(in.A)[l], w.Row(in.B)[l]) {
			refuse(w, l, "dealloc of tensor memory that alloc did not give")
		}
	}
}

func bindTensorRelinquish(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		if w.CTA.Tensor == nil {
			w.CTA.Tensor = new(isa.TensorMemory)
		}
		w.CTA.Tensor.Sold = true
	}
}

// ctasOf are the CTAs that an instruction works on: its own, or those of the
// pair, the even one first.
func ctasOf(w *isa.Warp, f *isa.Form) []*isa.CTA {
	if !f.Has("cta_group::2") {
		return []*isa.CTA{w.CTA}
	}
	x := w.CTA.Cluster
	first := w.CTA.Rank &^ 1
	if x == nil || int(first)+1 >= len(x.CTAs) || x.CTAs[first] == nil || x.CTAs[first+1] == nil {
		refuse(w, w.Mask.First(), "cta_group::2 needs a cluster with the other CTA of the pair")
		return nil
	}
	return x.CTAs[first : first+2]
}

// bindTensorCopy copies rows of shared memory into lanes.
func bindTensorCopy(f *isa.Form) isa.Handler {
	form, unpack := *f, unpackerOf(f)
	if f.Has("b8x16") != (unpack != nil) {
		return nil
	}
	rows, words := 128, 4
	switch f.Any("128x256b", "4x256b", "64x128b", "32x128b") {
	case "128x256b":
		words = 8
	case "4x256b":
		rows, words = 4, 8
	case "64x128b":
		rows = 64
	case "32x128b":
		rows = 32
	}
	lanes := copyLanesOf(f, rows)
	return func(w *isa.Warp, in *isa.Inst) {
		for l := range w.Mask.All {
			for _, cta := range ctasOf(w, &form) {
				addr := w.Row(in.Vec[0])[l]
				m := sharedMatrixOf(cta, w.Get64(in.Vec[1], l), false)
				m.unpack = unpack
				m.load(w, 0, rows, words, 1, func(i, k int, x uint32) {
					for _, lane := range lanes(i) {
						if c := tensorCell(w, cta, l, addr>>16+uint32(lane), addr&0xffff+uint32(k)); c != nil {
							*c = x
						}
					}
				})
			}
		}
	}
}

// copyLanesOf says which lanes a row of tcgen05.cp goes to.
func copyLanesOf(f *isa.Form, rows int) func(i int) []int {
	switch {
	case rows == 4:
		return func(i int) []int { return []int{32 * i} }
	case rows == 32:
		return func(i int) []int { return []int{i, i + 32, i + 64, i + 96} }
	case f.Has("warpx2::02_13"):
		return func(i int) []int { return []int{i, i + 64} }
	case f.Has("warpx2::01_23"):
		return func(i int) []int { return []int{i + i&^31, i + i&^31 + 32} }
	}
	return func(i int) []int { return []int{i} }
}

// unpackerOf turns a piece of 16 padded elements into bytes, nil if there are none.
func unpackerOf(f *isa.Form) func(*[4]uint32) {
	switch f.Any("b4x16_p64", "b6x16_p32") {
	case "b4x16_p64":
		return unpackFours
	case "b6x16_p32":
		return unpackSixes
	}
	return nil
}

// unpackFours makes bytes of 16 elements of four bits, which lie in the middle
// of the byte; eight bytes of padding follow them in memory.
func unpackFours(x *[4]uint32) {
	bits := uint64(x[0]) | uint64(x[1])<<32
	*x = [4]uint32{}
	for i := range 16 {
		x[i/4] |= uint32(bits>>(4*uint(i))&15) << (8*uint(i&3) + 2)
	}
}

// unpackSixes makes bytes of 16 elements of six bits; four bytes of padding
// follow them in memory.
func unpackSixes(x *[4]uint32) {
	from := *x
	*x = [4]uint32{}
	for i := range uint(16) {
		at := 6 * i
		v := uint64(from[at/32])
		if at/32 < 2 {
			v |= uint64(from[at/32+1]) << 32
		}
		x[i/4] |= uint32(v>>(at%32)&63) << (8 * (i & 3))
	}
}

// bindTensorShift moves eight columns down by a lane.
func bindTensorShift(f *isa.Form) isa.Handler {
	form := *f
	return func(w *isa.Warp, in *isa.Inst) {
		for l := range w.Mask.All {
			addr := w.Row(in.Vec[0])[l]
			for _, cta := range ctasOf(w, &form) {
				for k := range uint32(8) {
					for lane := uint32(isa.TensorLanes - 1); lane > addr>>16; lane-- {
						to, from := tensorCell(w, cta, l, lane, addr&0xffff+k), tensorCell(w, cta, l, lane-1, addr&0xffff+k)
						if to == nil || from == nil {
							return
						}
						*to = *from
					}
				}
			}
		}
	}
}

func bindTensorCommit(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		eachBarrier(w, in, func(_ int, b mbarrier) mbarrier { return b.arrive(1, false) })
	}
}

// bindTensorCommitMany arrives at the barrier of the same place in the CTAs that
// a mask names.
func bindTensorCommitMany(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		for l := range w.Mask.All {
			at := pointer{in.A, in.Space, in.Imm}.address(w, l) & (1<<isa.ClusterShift - 1)
			for rank, cta := range w.CTA.Cluster.CTAs {
				if w.Row(in.B)[l]>>uint(rank)&1 == 0 {
					continue
				}
				if cta == nil || at&7 != 0 || at+barrierLen > uint64(len(cta.Shared)) {
					w.Raise(isa.Trap{Kind: isa.IllegalAddress, Lane: l, Addr: at, Bytes: barrierLen, Space: isa.Shared, Write: true})
					return
				}
				p := cta.Shared[at:]
				put(p, uint64(mbarrier(get[uint64](p)).arrive(1, false)))
			}
		}
	}
}
