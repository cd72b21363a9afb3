package rt

import "math/bits"

// Mipmap is a mipmapped array: levels of detail, each half as large as the one
// before.
type Mipmap struct {
	context *Context
	levels  []*Array
	handles []uint64 // of the levels, as arrays
	addr    uint64   // of the memory of all
}

// MallocMipmappedArray is cudaMallocMipmappedArray. More levels than the extent
// has are as many as it has.
func (t *Thread) MallocMipmappedArray(desc ChannelDesc, extent Extent, levels uint32, flags uint32) (uint64, error) {
	c, f, err := t.arrayContext(desc, flags)
	if err == nil {
		err = t.unsafe()
	}
	if err != nil {
		return 0, err
	}
	if err := t.checkMipmap(extent, flags); err != nil {
		return 0, err
	}
	m := &Mipmap{context: c}
	for i := range min(max(levels, 1), mostLevels(extent, flags)) {
		m.levels = append(m.levels, newArray(c, desc, f, extent.level(i, flags), flags))
	}
	if flags&unbacked != 0 {
		unback(m.levels)
	} else if err := m.allocate(); err != nil {
		return 0, err
	}
	for _, a := range m.levels {
		a.parent = m
		m.handles = append(m.handles, t.runtime.arrays.add(a))
	}
	return t.runtime.mipmaps.add(m), nil
}

// allocate gives all levels their part of one allocation.
func (m *Mipmap) allocate() (err error) {
	total := uint64(0)
	for _, a := range m.levels {
		a.place.addr = total
		total += a.bytes()
	}
	if m.addr, err = m.context.memory.Alloc(total, 0); err != nil {
		return err
	}
	for _, a := range m.levels {
		a.place.addr += m.addr
	}
	return nil
}

// level is the extent of a level. Layers and faces stay.
func (e Extent) level(i uint32, flags uint32) Extent {
	half := func(n uint64) uint64 {
		if n == 0 {
			return 0
		}
		return max(n>>i, 1)
	}
	e.Width, e.Height = half(e.Width), half(e.Height)
	if flags&(arrayLayered|arrayCubemap) == 0 {
		e.Depth = half(e.Depth)
	}
	return e
}

// mostLevels is the number of levels down to a single element.
func mostLevels(e Extent, flags uint32) uint32 {
	n := max(e.Width, e.Height)
	if flags&(arrayLayered|arrayCubemap) == 0 {
		n = max(n, e.Depth)
	}
	return uint32(bits.Len64(n))
}

// checkMipmap compares the extent of level 0 with the model's limits.
func (t *Thread) checkMipmap(e Extent, flags uint32) error {
	m := &t.runtime.model.Texture
	if flags&(arrayLayered|arrayCubemap) == 0 && e.Depth == 0 {
		limit := Extent{Width: uint64(m.MipWidth1D)}
		if e.Height != 0 {
			limit = Extent{Width: uint64(m.MipWidth2D), Height: uint64(m.MipHeight2D)}
		}
		if e.Width > limit.Width || e.Height > limit.Height {
			return fail(ErrInvalidValue, "a mipmapped array of %v elements, %v are allowed", e, limit)
		}
	}
	return t.checkArray(e, flags)
}

// mipmap finds a mipmapped array of the program.
func (t *Thread) mipmap(handle uint64) (*Mipmap, error) {
	m, ok := t.runtime.mipmaps.get(handle)
	if !ok {
		return nil, fail(ErrInvalidResourceHandle, "no mipmapped array has handle %#x", handle)
	}
	return m, m.context.check()
}

// GetMipmappedArrayLevel is cudaGetMipmappedArrayLevel.
func (t *Thread) GetMipmappedArrayLevel(handle uint64, level uint32) (uint64, error) {
	m, err := t.mipmap(handle)
	if err != nil {
		return 0, err
	}
	if int(level) >= len(m.handles) {
		return 0, fail(ErrInvalidValue, "level %d of %d", level, len(m.handles))
	}
	return m.handles[level], nil
}

// FreeMipmappedArray is cudaFreeMipmappedArray. It waits for the device.
func (t *Thread) FreeMipmappedArray(handle uint64) error {
	if handle == 0 {
		return nil
	}
	m, ok := t.runtime.mipmaps.take(handle)
	if !ok {
		return fail(ErrInvalidResourceHandle, "no mipmapped array has handle %#x", handle)
	}
	for _, h := range m.handles {
		t.runtime.arrays.take(h)
	}
	if err := m.context.engine.Synchronize(); err != nil {
		return err
	}
	if m.addr == 0 {
		for _, a := range m.levels {
			a.mapped.clear(&t.runtime.mappings)
		}
		return nil
	}
	return m.context.memory.Free(m.addr)
}

// Requirements are what the memory of a deferred array has to be, in bytes.
type Requirements struct{ Size, Alignment uint64 }

func requirements(levels []*Array) (Requirements, error) {
	if levels[0].flags&arrayDeferred == 0 {
		return Requirements{}, fail(ErrInvalidValue, "the array is not deferred")
	}
	return Requirements{memoryOf(levels, uint64(levels[0].layers())), tileBytes}, nil
}

// ArrayGetMemoryRequirements is cudaArrayGetMemoryRequirements.
func (t *Thread) ArrayGetMemoryRequirements(handle uint64, device int) (Requirements, error) {
	if _, err := t.runtime.device(device); err != nil {
		return Requirements{}, fail(ErrInvalidValue, "%v", err)
	}
	a, err := t.array(handle)
	if err != nil {
		return Requirements{}, err
	}
	if a.parent != nil {
		return Requirements{}, fail(ErrInvalidValue, "a level of a mipmapped array")
	}
	return requirements([]*Array{a})
}

// MipmappedArrayGetMemoryRequirements is cudaMipmappedArrayGetMemoryRequirements.
func (t *Thread) MipmappedArrayGetMemoryRequirements(handle uint64, device int) (Requirements, error) {
	if _, err := t.runtime.device(device); err != nil {
		return Requirements{}, fail(ErrInvalidValue, "%v", err)
	}
	m, err := t.mipmap(handle)
	if err != nil {
		return Requirements{}, err
	}
	return requirements(m.levels)
}

// ArrayGetSparseProperties is cudaArrayGetSparseProperties.
func (t *Thread) ArrayGetSparseProperties(handle uint64) (Sparse, error) {
	a, err := t.array(handle)
	if err != nil {
		return Sparse{}, err
	}
	if a.flags&arraySparse == 0 || a.parent != nil {
		return Sparse{}, fail(ErrInvalidValue, "the array is not sparse, or a level of another")
	}
	s := sparseOf([]*Array{a})
	s.Level = 0 // the only one, which is a tail or has tiles
	return s, nil
}

// MipmappedArrayGetSparseProperties is cudaMipmappedArrayGetSparseProperties.
func (t *Thread) MipmappedArrayGetSparseProperties(handle uint64) (Sparse, error) {
	m, err := t.mipmap(handle)
	if err != nil {
		return Sparse{}, err
	}
	if m.levels[0].flags&arraySparse == 0 {
		return Sparse{}, fail(ErrInvalidValue, "the array is not sparse")
	}
	return sparseOf(m.levels), nil
}

// ArrayGetPlane is cudaArrayGetPlane: arrays here have one plane and no more, so
// there is none to ask for.
func (t *Thread) ArrayGetPlane(handle uint64, plane uint32) (uint64, error) {
	if _, err := t.array(handle); err != nil {
		return 0, err
	}
	return 0, fail(ErrInvalidValue, "plane %d of an array of one plane", plane)
}
