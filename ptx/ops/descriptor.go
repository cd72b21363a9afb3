package ops

import (
	"encoding/binary"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// blockRow is the number of bytes that lie together in a matrix in shared
// memory: a row of a block of 8 rows.
const blockRow = 16

// sharedMatrix is a matrix in shared memory as a descriptor gives it (PTX ISA
// 9.7.15.5.1.2, and 9.7.16.4 for tcgen05). Its rows go along K, or, if it is
// turned, across.
type sharedMatrix struct {
	cta                 *isa.CTA
	start, lead, stride uint32 // bytes
	base                uint32 // where the pattern of swizzling begins
	width               uint32 // of the swizzled rows in bytes, 16 without swizzling
	coarse              bool   // pieces of 32 bytes are swizzled, not of 16
	turned              bool
	size                int              // bytes of an element, of a turned matrix
	unpack              func(*[4]uint32) // a piece of padded elements, nil if they are not padded
}

// sharedWindow is the size in bytes of the part of shared memory that
// descriptors reach.
const sharedWindow = 1 << 18

// sharedMatrixOf decodes a descriptor.
func sharedMatrixOf(cta *isa.CTA, d uint64, turned bool) sharedMatrix {
	field := func(bit uint) uint32 { return uint32(d>>bit) & 0x3fff << 4 }
	width := [4]uint32{blockRow, 128, 64, 32}[d>>62]
	return sharedMatrix{cta: cta, start: field(0), lead: field(16), stride: field(32), base: uint32(d>>49&7) << 7, width: width, turned: turned, size: 2}
}

// at is the address of piece number piece of row i, 16 bytes long: of rows along
// K a piece is some elements of one row; of a turned matrix, some of column i,
// each of another row.
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
	if m.coarse {
		return a ^ (a-m.base)>>2&0x60
	}
	return a ^ (a-m.base)>>3&(m.width-blockRow)
}

// words reads piece number piece of row i. It raises a trap and returns false
// if it lies outside the CTA's memory.
func (m *sharedMatrix) words(w *isa.Warp, i, piece int, to *[4]uint32) bool {
	a := m.at(i, piece)
	if uint64(a)+blockRow > uint64(len(m.cta.Shared)) {
		w.Raise(isa.Trap{Kind: isa.IllegalAddress, Lane: w.Mask.First(), Addr: uint64(a), Bytes: blockRow, Space: isa.Shared, Note: "a matrix descriptor reaches beyond shared memory"})
		return false
	}
	if w.Effect != nil && m.cta == w.CTA {
		w.Effect.Accesses = append(w.Effect.Accesses, isa.Access{Lane: uint8(i) % isa.WarpSize, Space: isa.Shared, Bytes: blockRow, Addr: uint64(a)})
	}
	b := m.cta.Shared[a:][:blockRow]
	for j := range to {
		to[j] = binary.LittleEndian.Uint32(b[4*j:])
	}
	if m.unpack != nil {
		m.unpack(to)
	}
	return true
}

// load gives put rows of the matrix, n from number first on, word by word: each
// row has so many words, each word so many elements.
func (m *sharedMatrix) load(w *isa.Warp, first, n, words, each int, put func(i, k int, x uint32)) bool {
	switch {
	case m.turned && m.size == 2 && first%8 == 0 && n%8 == 0:
		return m.loadHalves(w, first, n, words, put)
	case m.turned:
		return m.loadTurned(w, first, n, words, put)
	}
	var piece [4]uint32
	for i := range n {
		for p := range words / 4 {
			if !m.words(w, first+i, p, &piece) {
				return false
			}
			for j, x := range piece {
				put(i, (4*p+j)*each, x)
			}
		}
	}
	return true
}

// loadHalves does so for 16-bit elements that lie in columns: it joins those of
// two columns.
func (m *sharedMatrix) loadHalves(w *isa.Warp, first, n, words int, put func(i, k int, x uint32)) bool {
	var even, odd [4]uint32
	for p := range n / 8 {
		for k := 0; k < 2*words; k += 2 {
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

// loadTurned does so for elements of any size that lie in columns.
func (m *sharedMatrix) loadTurned(w *isa.Warp, first, n, words int, put func(i, k int, x uint32)) bool {
	var piece [4]uint32
	each := 4 / m.size
	for i := range n {
		at := (first + i) * m.size
		for k := 0; k < words*each; k += each {
			x := uint32(0)
			for j := range each {
				if !m.words(w, k+j, at/blockRow, &piece) {
					return false
				}
				v := piece[at%blockRow/4] >> (8 * uint(at%4))
				x |= v & (1<<(8*uint(m.size)) - 1) << (8 * uint(m.size*j))
			}
			put(i, k, x)
		}
	}
	return true
}
