package rt

import (
	"math/bits"
	"sync"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// Arrays whose memory cuMemMapArrayAsync maps: sparse ones tile by tile, and in one
// piece the levels that are smaller than a tile, their tail; deferred ones as a
// whole. What is read from a sparse array where nothing is mapped is zero, and what is
// written there is lost; accesses of a deferred one that is not mapped are faults.
// Sizes and rules are those that an H200 shows.

// tileBytes is the size of a tile, and the unit of the memory of arrays.
const tileBytes = 64 << 10

// tiling is the memory of an array that is mapped piece by piece. The pieces are
// tiles, or all of the array, or all of a layer.
type tiling struct {
	tiles *isa.Tiles
	mu    sync.Mutex
	owner []*physical // of each piece's memory
}

// tile cuts an array into pieces of so many bytes in a row, rows and slices.
func (a *Array) tile(width, rows, slices uint64) {
	t := isa.NewTiles(width, rows, slices, [3]uint64{a.width(), a.rows(), a.slices()})
	a.mapped = &tiling{tiles: t, owner: make([]*physical, t.Count())}
}

// put gives a piece memory at a device address, or takes it away.
func (x *tiling) put(m *mappings, index int, p *physical, address uint64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.tiles.Put(index, address)
	before := x.owner[index]
	x.owner[index] = p
	m.mu.Lock()
	defer m.mu.Unlock()
	if p != nil {
		p.maps++
	}
	if before != nil {
		before.maps--
		_ = m.settle(before) // the bytes are gone with the mapping
	}
}

// clear takes the memory of all pieces away.
func (x *tiling) clear(m *mappings) {
	for i := range x.owner {
		x.put(m, i, nil, 0)
	}
}

// Memory of arrays on a card: groups of 64 bytes by 8 rows, in blocks of up to 16
// groups in height and 32 slices.
const (
	groupWidth = 64
	groupRows  = 8
	mostHigh   = 16
	mostDeep   = 32
)

// blockHeight is that of the array's blocks, in groups.
func (a *Array) blockHeight() uint64 {
	return ceilPower(roundUp(a.rows(), groupRows)/groupRows, mostHigh)
}

// ceilPower is the least power of two that is not below n, at most most.
func ceilPower(n, most uint64) uint64 { return min(uint64(1)<<bits.Len64(n-1), most) }

// layerBytes is the memory of a layer, or of all of a volume, on a card.
func (a *Array) layerBytes() uint64 {
	slices := uint64(1)
	if a.volume() {
		slices = roundUp(a.extent.Depth, ceilPower(a.extent.Depth, mostDeep))
	}
	return roundUp(a.width(), groupWidth) * roundUp(a.rows(), groupRows*a.blockHeight()) * slices
}

// memoryOf is the memory of some layers of an array's levels on a card, in bytes.
func memoryOf(levels []*Array, layers uint64) uint64 {
	layer := uint64(0)
	for _, a := range levels {
		layer += a.layerBytes()
	}
	block := groupWidth * groupRows * levels[0].blockHeight()
	return roundUp(layers*roundUp(layer, block), tileBytes)
}

// volume reports whether the array's depth is one of elements.
func (a *Array) volume() bool {
	return a.extent.Depth != 0 && a.flags&(arrayLayered|arrayCubemap) == 0
}

// checkUnbacked refuses sparse arrays that cannot be.
func checkUnbacked(e Extent, flags uint32) error {
	if flags&arraySparse == 0 {
		return nil
	}
	if e.Height == 0 || flags&(arrayDeferred|arrayCubemap|arraySurface) != 0 {
		return fail(ErrInvalidValue, "a sparse array of %v elements with flags %#x", e, flags)
	}
	return nil
}

// Sparse describes a sparse array: its tiles in elements, and the levels that have
// none, from one on.
type Sparse struct {
	Tile  [3]uint32
	Level uint32
	Tail  uint64 // bytes, of a layer
	Flags uint32
}

// sparseTailOnly is the flag of arrays that are a tail and nothing else.
const sparseTailOnly = 1

// tileSize is the extent of a tile of elements of a size: as square or cubic as
// powers of two can be, first wider, then higher.
func (a *Array) tileSize() [3]uint32 {
	axes := 2
	if a.volume() {
		axes = 3
	}
	tile, n := [3]uint32{1, 1, 1}, uint32(tileBytes/a.format.bytes())
	for i := 0; n > 1; i, n = (i+1)%axes, n/2 {
		tile[i] *= 2
	}
	return tile
}

// below reports whether an array is smaller than a tile in some direction.
func (a *Array) below(tile [3]uint32) bool {
	return a.extent.Width < uint64(tile[0]) || a.extent.Height < uint64(tile[1]) || a.volume() && a.extent.Depth < uint64(tile[2])
}

// sparseOf describes the levels of a sparse array.
func sparseOf(levels []*Array) Sparse {
	s := Sparse{Tile: levels[0].tileSize()}
	for int(s.Level) < len(levels) && !levels[s.Level].below(s.Tile) {
		s.Level++
	}
	if tail := levels[s.Level:]; len(tail) > 0 {
		s.Tail = memoryOf(tail, 1)
	}
	if s.Level == 0 {
		s.Flags = sparseTailOnly
	}
	return s
}

// unback cuts the levels of an array that has no memory of its own.
func unback(levels []*Array) {
	if levels[0].flags&arrayDeferred != 0 {
		for _, a := range levels {
			a.tile(a.width(), a.rows(), a.slices())
			a.mapped.tiles.Faults = true
		}
		return
	}
	s := sparseOf(levels)
	for i, a := range levels {
		switch deep := uint64(s.Tile[2]); {
		case i < int(s.Level):
			a.tile(uint64(s.Tile[0])*a.format.bytes(), uint64(s.Tile[1]), deep)
		case a.volume():
			a.tile(a.width(), a.rows(), a.slices())
		default:
			a.tile(a.width(), a.rows(), 1)
		}
	}
}

// ArrayMap is a request of cuMemMapArrayAsync.
type ArrayMap struct {
	Mipmapped     bool
	Resource      uint64 // handle of the array
	Tail          bool   // the tail of a layer, not a box of tiles
	Level, Layer  uint32
	Place, Extent [3]uint32 // of the box, in elements
	TailOffset    uint64    // in bytes
	TailSize      uint64
	Operation     int32
	HandleType    int32
	Handle        uint64
	Offset        uint64 // in the memory, in bytes
	Devices       uint32 // bits by number
	Flags         uint32
}

// Operations of requests.
const (
	operationMap   = 1
	operationUnmap = 2
)

// usageTiles is the use of memory that is mapped to arrays.
const usageTiles = 1

// arrayPiece is where a part of an array's memory comes from.
type arrayPiece struct {
	of     *tiling
	index  int
	offset uint64 // in the request's memory
}

// MapArrays is cuMemMapArrayAsync.
func (t *Thread) MapArrays(list []ArrayMap, h StreamHandle) error {
	c, s, err := t.uncapturable(h)
	if err != nil {
		return err
	}
	var work []func()
	for i := range list {
		f, err := t.mapArray(&list[i])
		if err != nil {
			return err
		}
		work = append(work, f)
	}
	return c.submit(s, false, transfer{move: func() error {
		for _, f := range work {
			f()
		}
		return nil
	}})
}

// mapArray checks a request, and returns what it does.
func (t *Thread) mapArray(r *ArrayMap) (func(), error) {
	levels, err := t.levels(r)
	if err != nil {
		return nil, err
	}
	if r.Operation != operationMap && r.Operation != operationUnmap || r.HandleType != 0 || r.Flags != 0 || r.Devices != 1<<levels[0].context.device.ordinal {
		return nil, fail(ErrInvalidValue, "operation %d with handle type %d, devices %#x, flags %#x", r.Operation, r.HandleType, r.Devices, r.Flags)
	}
	pieces, size, err := r.pieces(levels)
	if err != nil {
		return nil, err
	}
	m := &t.runtime.mappings
	if r.Operation == operationUnmap {
		return func() {
			for _, p := range pieces {
				p.of.put(m, p.index, nil, 0)
			}
		}, nil
	}
	memory, base, err := t.memoryFor(r, size)
	if err != nil {
		return nil, err
	}
	return func() {
		for _, p := range pieces {
			p.of.put(m, p.index, memory, base+p.offset)
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		memory.maps-- // which kept it until now
	}, nil
}

// levels finds the array of a request.
func (t *Thread) levels(r *ArrayMap) ([]*Array, error) {
	var levels []*Array
	if r.Mipmapped {
		m, err := t.mipmap(r.Resource)
		if err != nil {
			return nil, fail(ErrInvalidValue, "%v", err)
		}
		levels = m.levels
	} else {
		a, err := t.array(r.Resource)
		if err != nil {
			return nil, fail(ErrInvalidValue, "%v", err)
		}
		levels = []*Array{a}
	}
	if levels[0].mapped == nil {
		return nil, fail(ErrInvalidValue, "the array has memory of its own")
	}
	return levels, nil
}

// memoryFor finds the memory of a request for so many bytes, which stays until the
// request is done, and the device address of the request's offset in it.
func (t *Thread) memoryFor(r *ArrayMap, size uint64) (*physical, uint64, error) {
	m := &t.runtime.mappings
	m.mu.Lock()
	defer m.mu.Unlock()
	p, err := m.physical(r.Handle)
	if err != nil {
		return nil, 0, err
	}
	whole := p.memory.Size()
	if r.Offset%tileBytes != 0 || r.Offset > whole || size > whole-r.Offset || p.properties.Usage&usageTiles == 0 {
		return nil, 0, fail(ErrInvalidValue, "%d bytes at offset %d of memory of %d for use %#x", size, r.Offset, whole, p.properties.Usage)
	}
	base, err := p.at()
	if err == nil {
		p.maps++
	}
	return p, base + r.Offset, err
}

// at is an address of the memory for arrays, where no program looks. The lock is held.
func (p *physical) at() (uint64, error) {
	if p.place != 0 {
		return p.place, nil
	}
	s, size := p.memory.Owner(), p.memory.Size()
	addr, err := s.Reserve(size, 0, 0)
	if err != nil {
		return 0, err
	}
	if err := s.Map(addr, p.memory); err != nil {
		s.Unreserve(addr, size)
		return 0, err
	}
	const all = 1<<64 - 1
	s.Grant(addr, p.memory, mem.Access{Read: all, Write: all})
	p.place = addr
	return addr, nil
}

// pieces are the parts of an array that a request names, and the bytes of memory
// that they take.
func (r *ArrayMap) pieces(levels []*Array) ([]arrayPiece, uint64, error) {
	if levels[0].flags&arrayDeferred != 0 {
		return whole(levels)
	}
	s := sparseOf(levels)
	if r.Tail {
		return r.tail(levels, s)
	}
	return r.box(levels, s)
}

// whole are the levels of a deferred array, one after the other.
func whole(levels []*Array) ([]arrayPiece, uint64, error) {
	var all []arrayPiece
	offset := uint64(0)
	for _, a := range levels {
		all = append(all, arrayPiece{a.mapped, 0, offset})
		offset += a.mapped.tiles.Bytes()
	}
	return all, memoryOf(levels, uint64(levels[0].layers())), nil
}

// tail are the levels of a sparse array's tail, of one layer.
func (r *ArrayMap) tail(levels []*Array, s Sparse) ([]arrayPiece, uint64, error) {
	if s.Tail == 0 || r.TailOffset != 0 || r.TailSize != s.Tail || r.Layer >= levels[0].layers() {
		return nil, 0, fail(ErrInvalidValue, "%d bytes at %d of layer %d of a tail of %d bytes", r.TailSize, r.TailOffset, r.Layer, s.Tail)
	}
	var all []arrayPiece
	offset := uint64(0)
	for _, a := range levels[s.Level:] {
		all = append(all, arrayPiece{a.mapped, int(r.Layer), offset})
		offset += a.mapped.tiles.Bytes()
	}
	return all, s.Tail, nil
}

// layers is the number of layers, 1 without any.
func (a *Array) layers() uint32 {
	if a.volume() {
		return 1
	}
	return uint32(a.slices())
}

// box are the tiles of a level that a box consists of. It may be cut at the end of
// the level.
func (r *ArrayMap) box(levels []*Array, s Sparse) ([]arrayPiece, uint64, error) {
	wrong := func() error {
		return fail(ErrInvalidValue, "a box of %v elements at %v of layer %d of level %d, with tiles of %v", r.Extent, r.Place, r.Layer, r.Level, s.Tile)
	}
	if r.Level >= s.Level || r.Layer >= levels[0].layers() {
		return nil, 0, wrong()
	}
	a := levels[r.Level]
	size := [3]uint32{uint32(a.extent.Width), uint32(a.extent.Height), 1}
	if a.volume() {
		size[2] = uint32(a.extent.Depth)
	}
	var first, count [3]uint64
	for i, tile := range s.Tile {
		at, n := r.Place[i], r.Extent[i]
		if at%tile != 0 || n == 0 || at > size[i] || n > size[i]-at || n%tile != 0 && at+n != size[i] {
			return nil, 0, wrong()
		}
		first[i], count[i] = uint64(at/tile), uint64((n+tile-1)/tile)
	}
	if !a.volume() {
		first[2] = uint64(r.Layer)
	}
	var all []arrayPiece
	for z := range count[2] {
		for y := range count[1] {
			for x := range count[0] {
				index := a.mapped.tiles.Index(first[0]+x, first[1]+y, first[2]+z)
				all = append(all, arrayPiece{a.mapped, index, uint64(len(all)) * tileBytes})
			}
		}
	}
	return all, uint64(len(all)) * tileBytes, nil
}
