package rt

// Extent is a size in elements or bytes; 0 in height or depth for fewer
// dimensions.
type Extent struct{ Width, Height, Depth uint64 }

// Array is a CUDA array. Its elements lie in rows, as the engine fetches them.
type Array struct {
	context *Context
	desc    ChannelDesc
	format  format
	extent  Extent // elements
	flags   uint32
	place   region
	parent  *Mipmap // that the array is a level of, or nil
	mapped  *tiling // where its memory is, if it is mapped; else nil
}

// Flags of arrays.
const (
	arrayLayered  = 1
	arraySurface  = 2
	arrayCubemap  = 4
	arrayGather   = 8
	arrayColor    = 0x20
	arraySparse   = 0x40
	arrayDeferred = 0x80
)

// width is that of a row in bytes. Rows are rows of blocks where the format has
// blocks.
func (a *Array) width() uint64  { return a.format.units(a.extent.Width) * a.format.bytes() }
func (a *Array) rows() uint64   { return a.format.units(max(a.extent.Height, 1)) }
func (a *Array) slices() uint64 { return max(a.extent.Depth, 1) }

// bytes is the size of the array in memory, with rows at its pitch.
func (a *Array) bytes() uint64 { return a.place.slice * a.slices() }

// newArray lays an array out. It has no memory yet.
func newArray(c *Context, desc ChannelDesc, f format, extent Extent, flags uint32) *Array {
	a := &Array{context: c, desc: desc, format: f, extent: extent, flags: flags}
	pitch, _ := pitchOf(a.width())
	a.place = region{pitch: pitch, slice: pitch * a.rows()}
	return a
}

// unbacked are the flags of arrays without memory of their own.
const unbacked = arrayDeferred | arraySparse

// MallocArray is cudaMallocArray and cudaMalloc3DArray.
func (t *Thread) MallocArray(desc ChannelDesc, extent Extent, flags uint32) (uint64, error) {
	c, f, err := t.arrayContext(desc, flags)
	if err == nil {
		err = t.unsafe()
	}
	if err != nil {
		return 0, err
	}
	if err := t.checkArray(extent, flags); err != nil {
		return 0, err
	}
	a := newArray(c, desc, f, extent, flags)
	if flags&unbacked != 0 {
		unback([]*Array{a})
	} else if a.place.addr, err = c.memory.Alloc(a.bytes(), 0); err != nil {
		return 0, err
	}
	return t.runtime.arrays.add(a), nil
}

// arrayContext checks what all arrays have in common. Unknown flags are ignored
// (measured).
func (t *Thread) arrayContext(desc ChannelDesc, flags uint32) (*Context, format, error) {
	c, err := t.context()
	if err != nil {
		return nil, format{}, err
	}
	f, err := desc.format()
	if err != nil {
		return nil, f, err
	}
	return c, f, nil
}

// checkArray compares an array's extent with the model's limits.
func (t *Thread) checkArray(e Extent, flags uint32) error {
	m := t.runtime.model
	limit := Extent{uint64(m.Texture.Width1D), 0, 0}
	if err := checkArrayShape(e, flags); err != nil {
		return err
	}
	if err := checkUnbacked(e, flags); err != nil {
		return err
	}
	switch {
	case flags&arrayGather != 0:
		limit = Extent{uint64(m.Texture.GatherWidth2D), uint64(m.Texture.GatherHeight2D), 0}
	case flags&arrayCubemap != 0:
		limit = Extent{uint64(m.Volume.CubeWidth), uint64(m.Volume.CubeWidth), 6}
		if flags&arrayLayered != 0 {
			limit.Depth = uint64(m.Volume.CubeLayers)
		}
		if e.Width != e.Height || e.Depth == 0 || e.Depth%6 != 0 {
			return fail(ErrInvalidValue, "a cubemap of %v elements", e)
		}
	case flags&arrayLayered != 0 && e.Height == 0:
		limit = Extent{uint64(m.Texture.LayeredWidth1D), 0, uint64(m.Texture.Layers1D)}
	case flags&arrayLayered != 0:
		limit = Extent{uint64(m.Texture.LayeredWidth2D), uint64(m.Texture.LayeredHeight2D), uint64(m.Texture.Layers2D)}
	case e.Depth != 0:
		limit = Extent{uint64(m.Volume.Width), uint64(m.Volume.Height), uint64(m.Volume.Depth)}
	case e.Height != 0:
		limit = Extent{uint64(m.Texture.Width2D), uint64(m.Texture.Height2D), 0}
	}
	if flags&arraySurface != 0 && flags&(arrayLayered|arrayCubemap) == 0 && e.Height == 0 {
		limit.Width = min(limit.Width, uint64(m.Surface.Width1D))
	}
	if e.Width == 0 || e.Width > limit.Width || e.Height > limit.Height || e.Depth > limit.Depth {
		return fail(ErrInvalidValue, "an array of %v elements, %v are allowed", e, limit)
	}
	return nil
}

// checkArrayShape refuses dimensions that do not go with the flags.
func checkArrayShape(e Extent, flags uint32) error {
	layered, cube := flags&arrayLayered != 0, flags&arrayCubemap != 0
	if layered && e.Depth == 0 || e.Depth != 0 && e.Height == 0 && !layered ||
		flags&arrayGather != 0 && (layered || cube || e.Height == 0 || e.Depth != 0) {
		return fail(ErrInvalidValue, "an array of %v elements with flags %#x", e, flags)
	}
	return nil
}

// array finds an array of the program.
func (t *Thread) array(handle uint64) (*Array, error) {
	a, ok := t.runtime.arrays.get(handle)
	if !ok {
		return nil, fail(ErrInvalidResourceHandle, "no array has handle %#x", handle)
	}
	return a, a.context.check()
}

// FreeArray is cudaFreeArray. It waits for the device.
func (t *Thread) FreeArray(handle uint64) error {
	if handle == 0 {
		return nil
	}
	if err := t.unsafe(); err != nil {
		return err
	}
	a, ok := t.runtime.arrays.get(handle)
	if !ok {
		return fail(ErrInvalidResourceHandle, "no array has handle %#x", handle)
	}
	if a.parent != nil {
		return nil // it goes with its mipmapped array
	}
	if _, ok = t.runtime.arrays.take(handle); !ok {
		return nil
	}
	if err := a.context.engine.Synchronize(); err != nil {
		return err
	}
	if a.mapped != nil {
		a.mapped.clear(&t.runtime.mappings)
		return nil
	}
	return a.context.memory.Free(a.place.addr)
}

// ArrayGetInfo is cudaArrayGetInfo.
func (t *Thread) ArrayGetInfo(handle uint64) (ChannelDesc, Extent, uint32, error) {
	a, err := t.array(handle)
	if err != nil {
		return ChannelDesc{}, Extent{}, 0, err
	}
	return a.desc, a.extent, a.flags, nil
}

// at is the place of an element; x is in bytes.
func (a *Array) at(x, y, z uint64) region {
	if a.mapped != nil {
		return region{tiles: a.mapped.tiles, x: x, y: y, z: z}
	}
	r := a.place
	r.addr += z*r.slice + y*r.pitch + x
	return r
}

// holds checks that a box at a place, x in bytes, lies in the array.
func (a *Array) holds(x, y, z uint64, b box) error {
	width := a.width()
	if a.format.BlockWidth() > 1 && (x%a.format.bytes() != 0 || b.width%a.format.bytes() != 0) {
		return fail(ErrInvalidValue, "a copy cuts blocks of %d bytes", a.format.bytes())
	}
	inside := func(at, n, limit uint64) bool { return at <= limit && n <= limit-at }
	if !inside(x, b.width, width) || !inside(y, b.height, a.rows()) || !inside(z, b.depth, a.slices()) {
		return fail(ErrInvalidValue, "a copy leaves an array of %v elements", a.extent)
	}
	return nil
}

// Spot is a place in an array; X in bytes.
type Spot struct {
	Array   uint64 // handle
	X, Y, Z uint64
}

func checkToArray(kind int) error {
	if kind != hostToDevice && kind != deviceToDevice && kind != anyDirection {
		return fail(ErrInvalidMemcpyDirection, "copy to an array of kind %d", kind)
	}
	return nil
}

func checkFromArray(kind int) error {
	if kind != deviceToHost && kind != deviceToDevice && kind != anyDirection {
		return fail(ErrInvalidMemcpyDirection, "copy from an array of kind %d", kind)
	}
	return nil
}

// Memcpy2DToArray is cudaMemcpy2DToArray; width is in bytes.
func (t *Thread) Memcpy2DToArray(dst Spot, src Pitched, width, height uint64, kind int, o Order) error {
	a, err := t.array(dst.Array)
	if err != nil {
		return err
	}
	if err := checkToArray(kind); err != nil {
		return err
	}
	b := box{width, height, 1}
	if err := a.holds(dst.X, dst.Y, 0, b); err != nil {
		return err
	}
	if err := t.checkPitch(width, height, src.Pitch); err != nil && height > 1 {
		return err
	}
	return t.copyBox(a.at(dst.X, dst.Y, 0), region{addr: src.Addr, pitch: src.Pitch}, b, kind, o)
}

// Memcpy2DFromArray is cudaMemcpy2DFromArray; width is in bytes.
func (t *Thread) Memcpy2DFromArray(dst Pitched, src Spot, width, height uint64, kind int, o Order) error {
	a, err := t.array(src.Array)
	if err != nil {
		return err
	}
	if err := checkFromArray(kind); err != nil {
		return err
	}
	b := box{width, height, 1}
	if err := a.holds(src.X, src.Y, 0, b); err != nil {
		return err
	}
	if err := t.checkPitch(width, height, dst.Pitch); err != nil && height > 1 {
		return err
	}
	return t.copyBox(region{addr: dst.Addr, pitch: dst.Pitch}, a.at(src.X, src.Y, 0), b, kind, o)
}

// Memcpy2DArrayToArray is cudaMemcpy2DArrayToArray; width is in bytes.
func (t *Thread) Memcpy2DArrayToArray(dst, src Spot, width, height uint64, kind int, o Order) error {
	to, err := t.array(dst.Array)
	if err != nil {
		return err
	}
	from, err := t.array(src.Array)
	if err != nil {
		return err
	}
	if kind != deviceToDevice && kind != anyDirection {
		return fail(ErrInvalidMemcpyDirection, "copy between arrays of kind %d", kind)
	}
	b := box{width, height, 1}
	if err := to.holds(dst.X, dst.Y, 0, b); err != nil {
		return err
	}
	if err := from.holds(src.X, src.Y, 0, b); err != nil {
		return err
	}
	return t.copyBox(to.at(dst.X, dst.Y, 0), from.at(src.X, src.Y, 0), b, kind, o)
}

// piece is a part of an array that lies in whole rows or within one, and where
// its bytes lie in a sequence.
type piece struct {
	x, y uint64 // in bytes, rows
	box  box
	at   uint64 // bytes before it in the sequence
}

// pieces cuts n bytes, which fill an array row by row from a place on, into
// rectangles: the rest of a row, full rows, the start of a row.
func (a *Array) pieces(x, y, n uint64) ([]piece, error) {
	width := a.width()
	if x > width || y > a.rows() || n > width*(a.rows()-y)-min(x, width*(a.rows()-y)) {
		return nil, fail(ErrInvalidValue, "%d bytes leave an array of %v elements", n, a.extent)
	}
	var all []piece
	for done := uint64(0); done < n; {
		p := piece{x: x, y: y, at: done, box: box{min(width-x, n-done), 1, 1}}
		if x == 0 && n-done >= width {
			p.box.height = (n - done) / width
		}
		if p.box.width > 0 {
			all = append(all, p)
		}
		done += p.box.width * p.box.height
		x, y = 0, y+p.box.height
	}
	return all, nil
}

// MemcpyToArray is cudaMemcpyToArray: n bytes fill the array row by row.
func (t *Thread) MemcpyToArray(dst Spot, src, n uint64, kind int, o Order) error {
	a, err := t.array(dst.Array)
	if err != nil {
		return err
	}
	pieces, err := a.pieces(dst.X, dst.Y, n)
	if err != nil {
		return err
	}
	for _, p := range pieces {
		from := region{addr: src + p.at, pitch: p.box.width}
		if err := t.copyBox(a.at(p.x, p.y, 0), from, p.box, kind, o); err != nil {
			return err
		}
	}
	return nil
}

// MemcpyFromArray is cudaMemcpyFromArray.
func (t *Thread) MemcpyFromArray(dst uint64, src Spot, n uint64, kind int, o Order) error {
	a, err := t.array(src.Array)
	if err != nil {
		return err
	}
	pieces, err := a.pieces(src.X, src.Y, n)
	if err != nil {
		return err
	}
	for _, p := range pieces {
		to := region{addr: dst + p.at, pitch: p.box.width}
		if err := t.copyBox(to, a.at(p.x, p.y, 0), p.box, kind, o); err != nil {
			return err
		}
	}
	return nil
}

// MemcpyArrayToArray is cudaMemcpyArrayToArray: n bytes are taken and put row by
// row, whose lengths may differ.
func (t *Thread) MemcpyArrayToArray(dst, src Spot, n uint64, kind int, o Order) error {
	if kind != deviceToDevice && kind != anyDirection {
		return fail(ErrInvalidMemcpyDirection, "copy between arrays of kind %d", kind)
	}
	to, err := t.array(dst.Array)
	if err != nil {
		return err
	}
	from, err := t.array(src.Array)
	if err != nil {
		return err
	}
	if _, err := to.pieces(dst.X, dst.Y, n); err != nil {
		return err
	}
	if _, err := from.pieces(src.X, src.Y, n); err != nil {
		return err
	}
	for done := uint64(0); done < n; {
		run := min(n-done, to.width()-dst.X, from.width()-src.X)
		if err := t.copyBox(to.at(dst.X, dst.Y, 0), from.at(src.X, src.Y, 0), box{run, 1, 1}, anyDirection, o); err != nil {
			return err
		}
		done += run
		dst.advance(run, to.width())
		src.advance(run, from.width())
	}
	return nil
}

// advance moves a place by n bytes that lie in its row.
func (s *Spot) advance(n, width uint64) {
	if s.X += n; s.X == width {
		s.X, s.Y = 0, s.Y+1
	}
}

// End is one end of a three-dimensional copy: an array or memory, and the place
// in it, X in elements of an array or in bytes.
type End struct {
	Array   uint64 // handle, 0 for memory
	Memory  Volume
	X, Y, Z uint64
}

// Memcpy3D is cudaMemcpy3D. The extent's width is in elements if an array takes
// part, in bytes otherwise.
func (t *Thread) Memcpy3D(dst, src End, e Extent, kind int, o Order) error {
	if kind < hostToHost || kind > anyDirection {
		return fail(ErrInvalidMemcpyDirection, "copy kind %d", kind)
	}
	if (box{e.Width, e.Height, e.Depth}).empty() {
		return nil
	}
	unit, err := t.elementOf(dst, src)
	if err != nil {
		return err
	}
	b := box{e.Width * unit, e.Height, e.Depth}
	to, err := t.end(dst, b)
	if err != nil {
		return err
	}
	from, err := t.end(src, b)
	if err != nil {
		return err
	}
	return t.copyBox(to, from, b, kind, o)
}

// Memcpy3DPeer is cudaMemcpy3DPeer. Addresses and arrays say themselves which
// device they belong to.
func (t *Thread) Memcpy3DPeer(dst End, dstDevice int, src End, srcDevice int, e Extent, o Order) error {
	if _, err := t.peers(dstDevice, srcDevice); err != nil {
		return err
	}
	if _, _, err := t.uncapturable(o.Stream); err != nil {
		return err
	}
	return t.Memcpy3D(dst, src, e, anyDirection, o)
}

// elementOf is the size of the elements that a copy counts in.
func (t *Thread) elementOf(dst, src End) (uint64, error) {
	unit := uint64(1)
	for _, e := range []End{dst, src} {
		if (e.Array == 0) == (e.Memory.Addr == 0) {
			return 0, fail(ErrInvalidValue, "a copy needs either an array or memory at each end")
		}
		if e.Array == 0 {
			continue
		}
		a, err := t.array(e.Array)
		if err != nil {
			return 0, err
		}
		if unit != 1 && unit != a.format.bytes() {
			return 0, fail(ErrInvalidValue, "arrays with elements of %d and %d bytes", unit, a.format.bytes())
		}
		unit = a.format.bytes()
	}
	return unit, nil
}

// end is where a copy begins in an array or in memory.
func (t *Thread) end(e End, b box) (region, error) {
	if e.Array != 0 {
		a, err := t.array(e.Array)
		if err != nil {
			return region{}, err
		}
		x := e.X * a.format.bytes()
		return a.at(x, e.Y, e.Z), a.holds(x, e.Y, e.Z, b)
	}
	r := e.Memory.region()
	if b.height > 1 && b.width+e.X > r.pitch {
		return r, fail(ErrInvalidPitchValue, "a pitch of %d bytes for rows of %d", r.pitch, b.width+e.X)
	}
	r.addr += e.Z*r.slice + e.Y*r.pitch + e.X
	return r, nil
}
