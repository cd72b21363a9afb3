package ops

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
	"github.com/lockstep-sim/lockstep/gpu/isa/tensormap"
)

// box is a part of a tensor that a bulk copy moves, and where it lies in shared
// memory: rows of elements that follow one another, in the order of PTX ISA
// 5.5. A row is what dimension 0 has of it.
type box struct {
	m      tensormap.Map
	at     [tensormap.MaxRank]int64     // coordinates
	offset [tensormap.MaxRank - 2]int64 // im2col: of W, H, D; wide: halo and offset of W
	lines  []int64                      // of four separate rows: their coordinates
	units  units
	shape  shape
}

// units says how elements are stored: so many together take bytes of global and
// of shared memory.
type units struct {
	elements       int64
	global, shared int
}

var packedUnits = map[tensormap.Elem]units{
	tensormap.B4x16:    {2, 1, 1},
	tensormap.B4x16P64: {16, 8, 16},
	tensormap.B6x16P32: {16, 12, 16},
}

// unitsOf are those of a map. Of a map with slices, each is an element of dimension 0,
// which counts places of W then; the last dimension but one counts slices (measured on
// an H200).
func unitsOf(m *tensormap.Map) units {
	if m.Interleave != tensormap.NoInterleave {
		n := 16 * int(m.Interleave)
		return units{1, n, n}
	}
	if u, ok := packedUnits[m.Elem]; ok {
		return u
	}
	return units{1, m.Elem.Bytes(), m.Elem.Bytes()}
}

// extent is the size of the box along dimension i, not the first: a box has one slice.
func (b *box) extent(i int) int64 {
	if b.m.Interleave != tensormap.NoInterleave && i == b.m.Rank-2 {
		return 1
	}
	return int64(b.m.Box[i])
}

// spatial is dimension W of pixels, which H and D follow.
func (b *box) spatial() int {
	if b.m.Interleave != tensormap.NoInterleave {
		return 0
	}
	return 1
}

// shape is the way that rows take through a tensor.
type shape uint8

// The shapes: a box, a column of pixels, pixels of W alone, four rows.
const (
	tileShape shape = iota
	columnShape
	wideShape
	linesShape
)

// width is the number of units in a row.
func (b *box) width() int {
	n := b.m.Box[0]
	switch {
	case b.m.Mode == tensormap.Tiled:
	case b.m.Interleave != tensormap.NoInterleave:
		n = 1
	default:
		n = b.m.Channels
	}
	return int(int64(n) / b.units.elements)
}

// rowBytes is the length of a row in shared memory.
func (b *box) rowBytes() int { return b.width() * b.units.shared }

// started reports whether a column begins in the bounding box, as it must.
func (b *box) started() bool {
	for i := range b.m.Rank - 2 {
		w := b.spatial() + i
		if at := b.at[w]; at < int64(b.m.Lower[i]) || at >= int64(b.m.Dim[w])+int64(b.m.Upper[i]) {
			return false
		}
	}
	return true
}

// contained reports whether the bounding box of a column lies in the tensor, as it
// must when it is written.
func (b *box) contained() bool {
	for i := range b.m.Rank - 2 {
		if b.m.Lower[i] < 0 || b.m.Upper[i] > 0 {
			return false
		}
	}
	return true
}

// pitch is the distance of rows in shared memory: where they are swizzled, the
// span of the pattern (measured on an H200).
func (b *box) pitch() int {
	span := [...]int{tensormap.Swizzle32: 32, tensormap.Swizzle64: 64, tensormap.Swizzle128: 128, tensormap.Swizzle96: 96}[b.m.Swizzle]
	return max(span, b.rowBytes())
}

// each calls f with the coordinates of each row. It ends early when f returns
// false.
func (b *box) each(f func(at [tensormap.MaxRank]int64) bool) {
	switch b.shape {
	case tileShape:
		b.tile(f)
	case columnShape:
		b.column(f)
	case wideShape:
		b.wide(f)
	case linesShape:
		at := b.at
		for _, line := range b.lines {
			if at[1] = line; !f(at) {
				return
			}
		}
	}
}

// tile counts through a box, dimension 1 first.
func (b *box) tile(f func(at [tensormap.MaxRank]int64) bool) {
	at, rank := b.at, b.m.Rank
	var left [tensormap.MaxRank]int64 // elements until the end of the box
	for i := 1; i < rank; i++ {
		left[i] = b.extent(i)
	}
	for {
		if !f(at) {
			return
		}
		i := 1
		for ; i < rank; i++ {
			step := int64(max(b.m.Step[i], 1))
			if left[i] -= step; left[i] > 0 {
				at[i] += step
				break
			}
			at[i], left[i] = b.at[i], b.extent(i)
		}
		if i >= rank {
			return
		}
	}
}

// column counts pixels through the bounding box, from image to image, and gives
// each its offset.
func (b *box) column(f func(at [tensormap.MaxRank]int64) bool) {
	at, spatial, w := b.at, b.m.Rank-2, b.spatial()
	step := func(i int) int64 { return int64(max(b.m.Step[i], 1)) }
	for range b.m.Pixels {
		pixel := at
		for i := range spatial {
			pixel[w+i] += b.offset[i]
		}
		if !f(pixel) {
			return
		}
		i := 0
		for ; i < spatial; i++ {
			at[w+i] += step(w + i)
			if at[w+i] < int64(b.m.Dim[w+i])+int64(b.m.Upper[i]) {
				break
			}
			at[w+i] = int64(b.m.Lower[i])
		}
		if i == spatial {
			at[1+spatial] += step(1 + spatial)
		}
	}
}

// The length of a column of im2col::w::128, and of the parts of it that a halo
// follows.
const (
	widePixels = 128
	wideGroup  = 32
)

// wide counts pixels along W and then from image to image; H and D stay. The halo
// goes on along W after the last pixel, of im2col::w::128 after each group.
func (b *box) wide(f func(at [tensormap.MaxRank]int64) bool) {
	n, group := int64(b.m.Pixels), int64(b.m.Pixels)
	if b.m.Mode == tensormap.Im2colWide128 {
		n, group = widePixels, wideGroup
	}
	halo, shift, last := b.offset[0], b.offset[1], b.m.Rank-1
	low, high := int64(b.m.Lower[0])+shift, int64(b.m.Dim[1])+int64(b.m.Upper[0])+shift
	at, step := b.at, int64(max(b.m.Step[1], 1))
	at[1] += shift
	for i := range n {
		if !f(at) {
			return
		}
		if (i+1)%group == 0 && !along(at, step, halo, f) {
			return
		}
		if at[1] += step; at[1] >= high {
			at[1] = low
			at[last]++
		}
	}
}

// along calls f with the n pixels that follow one along W.
func along(at [tensormap.MaxRank]int64, step, n int64, f func(at [tensormap.MaxRank]int64) bool) bool {
	for range n {
		if at[1] += step; !f(at) {
			return false
		}
	}
	return true
}

// row is the part of a row that lies in the tensor: units [first, first+n) of it
// and the address of the first of them.
func (b *box) row(at [tensormap.MaxRank]int64) (address uint64, first, n int) {
	address = b.m.Address
	inside := true
	for i := 1; i < b.m.Rank; i++ {
		inside = inside && at[i] >= 0 && uint64(at[i]) < b.m.Dim[i]
		address += uint64(at[i]) * b.m.Stride[i-1]
	}
	if !inside {
		return 0, 0, 0
	}
	start := floorDiv(at[0], b.units.elements)
	low, high := max(start, 0), min(start+int64(b.width()), int64(b.m.Dim[0])/b.units.elements)
	if low >= high {
		return 0, 0, 0
	}
	return address + uint64(low)*uint64(b.units.global), int(low - start), int(high - low)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// swizzled is where a byte of shared memory goes whose place is a.
func (b *box) swizzled(a uint32) uint32 {
	switch b.m.Swizzle {
	case tensormap.Swizzle32, tensormap.Swizzle96:
		return a ^ a>>3&0x10
	case tensormap.Swizzle64:
		return a ^ a>>3&0x30
	case tensormap.Swizzle128:
		switch b.m.Atom {
		case tensormap.Atom32:
			return a ^ a>>2&0x60
		case tensormap.Atom32Flip8:
			return a ^ a>>2&0x60 ^ a>>4&0x08
		case tensormap.Atom64:
			return a ^ a>>1&0x40
		}
		return a ^ a>>3&0x70
	}
	return a
}

// piece is the most that stays together in shared memory, in bytes.
func (b *box) piece() int {
	switch {
	case b.m.Swizzle == tensormap.NoSwizzle:
		return b.rowBytes()
	case b.m.Atom == tensormap.Atom32Flip8:
		return 8
	}
	return 16
}

// valid reports whether a copy can be made by the map.
func (b *box) valid() bool {
	wide := b.m.Mode == tensormap.Im2colWide || b.m.Mode == tensormap.Im2colWide128
	switch b.shape {
	case tileShape, linesShape:
		if b.m.Mode != tensormap.Tiled {
			return false
		}
	case columnShape:
		if b.m.Mode != tensormap.Im2col {
			return false
		}
	case wideShape:
		if !wide {
			return false
		}
	}
	bytes := b.rowBytes()
	for i := range b.m.Rank { // kernels write what they like into a map
		if n := b.m.Box[i]; b.m.Mode == tensormap.Tiled && (n == 0 || n > tensormap.MaxBox) {
			return false
		}
		if i > 0 && b.shape == tileShape {
			step := max(b.m.Step[i], 1)
			bytes *= int((b.extent(i) + int64(step) - 1) / int64(step))
		}
	}
	return b.width() > 0 && b.rowBytes() <= rowSpace && bytes <= largestBox
}

// largestBox is more than a box can have in bytes: it lies in shared memory.
const largestBox = 1 << 18

// fill makes a row of elements outside the tensor; every two bytes of a NaN are
// alu.OobNaN (measured on an H200).
func (b *box) fill(row []byte) {
	if !b.m.FillNaN {
		clear(row)
		return
	}
	for i := range len(row) / 2 {
		put(row[2*i:], alu.OobNaN)
	}
}

// rowSpace is the longest row in shared memory: 256 elements of 8 bytes.
const rowSpace = 2048

// bytesOf calls f with the pieces of global memory that hold n bytes at an
// address, as long as it returns true.
func bytesOf(w *isa.Warp, l int, address uint64, n int, write bool, f func(b []byte)) bool {
	for n > 0 {
		k := min(n, bulkChunk)
		b := w.Bytes(isa.Global, l, address, k, 1, write)
		if b == nil {
			return false
		}
		f(b)
		address, n = address+uint64(k), n-k
	}
	return true
}
