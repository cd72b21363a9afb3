package ops

import (
	"encoding/binary"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// blockRow is the number of bytes that lie together in a matrix in shared
// memory: a row of a block of 8 rows.
const blockRow = 16

// sharedMatrix is a matrix in shared memory as a descriptor of wgmma gives it
// (PTX ISA 9.7.15.5.1.2). Its rows go along K, or, if it is turned, across.
type sharedMatrix struct {
	start, lead, stride uint32 // bytes
	base                uint32 // where the pattern of swizzling begins
	width               uint32 // of the swizzled rows in bytes, 16 without swizzling
	turned              bool
}

// sharedWindow is the size in bytes of the part of shared memory that
// descriptors reach.
const sharedWindow = 1 << 18

func sharedMatrixOf(d uint64, turned bool) sharedMatrix {
	field := func(bit uint) uint32 { return uint32(d>>bit) & 0x3fff << 4 }
	width := [4]uint32{blockRow, 128, 64, 32}[d>>62]
	return sharedMatrix{start: field(0), lead: field(16), stride: field(32), base: uint32(d>>49&7) << 7, width: width, turned: turned}
}

// at is the address of piece number piece of row i, 16 bytes long: of rows along
// K a piece is some elements of one row; of a turned matrix, eight elements of
// column i, each of another row.
func (m *sharedMatrix) at(i, piece int) uint32 {
	in, out := uint32(i&7), uint32(i>>3)
	p, across := uint32(piece), m.width/blockRow
	a := m.start + in*m.width + p%across*blockRow
	switch {
	case m.turned && across == 1:
		a += out*m.lead + p*m.stride
	default:
		a += out*m.stride + p/across*m.lead
	}
	a %= sharedWindow
	return a ^ (a-m.base)>>3&(m.width-blockRow)
}

// words reads piece number piece of row i. It raises a trap and returns false
// if it lies outside the CTA's memory.
func (m *sharedMatrix) words(w *isa.Warp, i, piece int, to *[4]uint32) bool {
	a := m.at(i, piece)
	if uint64(a)+blockRow > uint64(len(w.CTA.Shared)) {
		w.Raise(isa.Trap{Kind: isa.IllegalAddress, Lane: w.Mask.First(), Addr: uint64(a), Bytes: blockRow, Space: isa.Shared, Note: "a matrix descriptor reaches beyond shared memory"})
		return false
	}
	if w.Effect != nil {
		w.Effect.Accesses = append(w.Effect.Accesses, isa.Access{Lane: uint8(i) % isa.WarpSize, Space: isa.Shared, Bytes: blockRow, Addr: uint64(a)})
	}
	b := w.CTA.Shared[a:][:blockRow]
	for j := range to {
		to[j] = binary.LittleEndian.Uint32(b[4*j:])
	}
	return true
}

// load gives put rows of the matrix, n from number first on, word by word.
func (m *sharedMatrix) load(w *isa.Warp, first, n int, t tile, put func(i, k int, x uint32)) bool {
	if m.turned {
		return m.loadTurned(w, first, n, t, put)
	}
	var words [4]uint32
	for i := range n {
		for p := range t.k / (4 * t.each) {
			if !m.words(w, first+i, p, &words) {
				return false
			}
			for j, x := range words {
				put(i, (4*p+j)*t.each, x)
			}
		}
	}
	return true
}

// loadTurned does so for 16-bit elements that lie in columns: it joins those of
// two columns.
func (m *sharedMatrix) loadTurned(w *isa.Warp, first, n int, t tile, put func(i, k int, x uint32)) bool {
	var even, odd [4]uint32
	for p := range n / 8 {
		for k := 0; k < t.k; k += 2 {
			if !m.words(w, k, first/8+p, &even) || !m.words(w, k+1, first/8+p, &odd) {
				return false
			}
			for j := range even {
				put(8*p+2*j, k, even[j]&0xffff|odd[j]<<16)
				put(8*p+2*j+1, k, even[j]>>16|odd[j]&^0xffff)
			}
		}
	}
	return true
}
