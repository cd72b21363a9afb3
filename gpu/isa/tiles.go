package isa

import "sync/atomic"

// Tiles are where the elements of an image lie whose memory is mapped piece by
// piece: a grid of tiles, each with its elements row after row, at some place or at
// none. Places may change while the image is read.
type Tiles struct {
	Width, Rows, Slices uint64    // of a tile; the width in bytes
	Faults              bool      // an access of a tile without a place is illegal
	Grid                [3]uint64 // tiles in each direction
	places              []atomic.Uint64
}

// NewTiles makes tiles that cover an image of so many bytes in a row, rows and
// slices. No tile has a place.
func NewTiles(width, rows, slices uint64, image [3]uint64) *Tiles {
	t := &Tiles{Width: width, Rows: rows, Slices: slices}
	n := uint64(1)
	for i, size := range [3]uint64{width, rows, slices} {
		t.Grid[i] = (image[i] + size - 1) / size
		n *= t.Grid[i]
	}
	t.places = make([]atomic.Uint64, n)
	return t
}

// Bytes is the size of a tile.
func (t *Tiles) Bytes() uint64 { return t.Width * t.Rows * t.Slices }

// Index is the number of a tile of the grid.
func (t *Tiles) Index(x, y, z uint64) int { return int((z*t.Grid[1]+y)*t.Grid[0] + x) }

// Count is the number of tiles.
func (t *Tiles) Count() int { return len(t.places) }

// Put gives a tile the device address of its first element, or none with 0.
func (t *Tiles) Put(index int, address uint64) { t.places[index].Store(address) }

// Find is the device address of byte x of a row of a slice, and how many bytes of
// the row follow it in its tile; address 0 is that of a tile without a place.
func (t *Tiles) Find(x, row, slice uint64) (address, run uint64) {
	at := t.places[t.Index(x/t.Width, row/t.Rows, slice/t.Slices)].Load()
	inX := x % t.Width
	if at == 0 {
		return 0, t.Width - inX
	}
	return at + (slice%t.Slices*t.Rows+row%t.Rows)*t.Width + inX, t.Width - inX
}

// Unmapped raises IllegalAddress for an access of a plane where it has no place, if
// that is illegal.
func (w *Warp) Unmapped(p *Plane, lane, bytes int, write bool) {
	if p.Tiles.Faults {
		w.Raise(Trap{Kind: IllegalAddress, Lane: lane, Bytes: bytes, Space: Global, Write: write, Note: "the image has no memory yet"})
	}
}
