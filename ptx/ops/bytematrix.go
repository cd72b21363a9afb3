package ops

import "github.com/lockstep-sim/lockstep/gpu/isa"

// byteMatrix is a matrix of bytes in rows of 16, which ldmatrix and stmatrix
// move since sm_100. (Where its elements lie in registers is what CUTLASS says.)
type byteMatrix [16][16]uint8

// byteMatrixRows is the number of rows of the matrices that a form names.
func byteMatrixRows(f *isa.Form) int {
	if f.Has("m8n16") || f.Has("m16n8") {
		return 8
	}
	return 16
}

// bindLdmatrixBytes loads matrices of bytes, or of elements that become bytes.
// Lane l has four elements of row l/4; of a transposed one, register r has those
// of two rows, 4(l mod 4) + 2r and the next, in columns l/4 and l/4 + 8.
func bindLdmatrixBytes(f *isa.Form) isa.Handler {
	n, rows, trans := matrices(f), byteMatrixRows(f), f.Has("trans")
	unpack := byteUnpacker(f)
	regs := n * rows / 8
	return func(w *isa.Warp, in *isa.Inst) {
		if lacking(w, in, regs) {
			return
		}
		var s [4]byteMatrix
		var r reach
		for rest := w.Mask & (isa.Full >> (isa.WarpSize - rows*n)); rest != 0; rest &^= r.lanes {
			if !r.find(w, in, rest, smallRow, false) {
				return
			}
			for l := range r.lanes.All {
				row := &s[l/rows][l%rows]
				copy(row[:], r.bytes[r.at[l]:][:smallRow])
				if unpack != nil {
					unpack(row)
				}
			}
		}
		for i, d := range in.Vec {
			m := &s[i*8/rows]
			for l := range w.Mask.All {
				w.Regs[d][l] = m.word(l, i%(rows/8), trans)
			}
		}
	}
}

// word is register r of lane l.
func (m *byteMatrix) word(l, r int, trans bool) (x uint32) {
	for j := range 4 {
		v := m[l>>2][4*(l&3)+j]
		if trans {
			v = m[4*(l&3)+2*r+j&1][l>>2+j>>1<<3]
		}
		x |= uint32(v) << (8 * uint(j))
	}
	return x
}

// byteUnpacker makes bytes of padded elements, as ldmatrix does: with the bits at
// the lower end. It is nil if there are none.
func byteUnpacker(f *isa.Form) func(row *[16]uint8) {
	switch f.Any("b4x16_p64", "b6x16_p32") {
	case "b4x16_p64":
		return func(row *[16]uint8) { unpackBits(row, 4) }
	case "b6x16_p32":
		return func(row *[16]uint8) { unpackBits(row, 6) }
	}
	return nil
}

func unpackBits(row *[16]uint8, width int) {
	from := *row
	for i := range row {
		at := width * i
		v := uint16(from[at/8])
		if at/8 < 15 {
			v |= uint16(from[at/8+1]) << 8
		}
		row[i] = uint8(v>>uint(at%8)) & (1<<uint(width) - 1)
	}
}

// bindStmatrixBytes stores transposed matrices of 16 rows of eight bytes: they
// lie in memory in eight rows of 16.
func bindStmatrixBytes(f *isa.Form) isa.Handler {
	n := matrices(f)
	return func(w *isa.Warp, in *isa.Inst) {
		if lacking(w, in, n) {
			return
		}
		var s [4]byteMatrix
		for i, a := range in.Vec {
			row := w.Row(a)
			for l := range isa.WarpSize {
				for j := range 4 {
					s[i][2*(l&3)+j&1][l>>2+j>>1<<3] = uint8(row[l] >> (8 * uint(j)))
				}
			}
		}
		var r reach
		for rest := rowLanes(w, n); rest != 0; rest &^= r.lanes {
			if !r.find(w, in, rest, smallRow, true) {
				return
			}
			for l := range r.lanes.All {
				copy(r.bytes[r.at[l]:][:smallRow], s[l>>3][l&7][:])
			}
		}
	}
}
