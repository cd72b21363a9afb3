package rt

import (
	"github.com/lockstep-sim/lockstep/cudart/layout"
	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// TexRef is a texture or surface reference as the driver API keeps it: how it is
// read, and what it is bound to. One that cuModuleGetTexRef returned stands for a
// variable of a module; what it says when a kernel is launched counts.
type TexRef struct {
	Format      int32 // of elements in linear memory
	Channels    int
	Flags       uint32
	Address     [3]int32
	Filter      int32
	MipFilter   int32
	Anisotropy  uint32
	Bias        float32
	Clamp       [2]float32 // lowest and highest level
	Border      [4]float32
	Array       uint64 // handle, 0 for none
	Mipmap      uint64 // handle, 0 for none
	Base, Size  uint64 // linear memory
	Pitch       uint64 // of two-dimensional linear memory, 0 for one dimension
	Width, Rows uint64

	module    *LoadedModule // nil for one of cuTexRefCreate
	reference *Reference
}

// Flags of references.
const (
	texReadInteger = 1
	texNormalized  = 2
	texSRGB        = 0x10
	texFlagsMask   = 0x7f
)

func newTexRef() *TexRef {
	return &TexRef{Format: 0x20, Channels: 1, Address: [3]int32{1, 1, 1}}
}

// TexRefCreate is cuTexRefCreate.
func (t *Thread) TexRefCreate() (uint64, error) {
	if _, err := t.context(); err != nil {
		return 0, err
	}
	return t.runtime.texRefs.add(newTexRef()), nil
}

// TexRefDestroy is cuTexRefDestroy. References of modules go with them.
func (t *Thread) TexRefDestroy(handle uint64) error {
	if handle == 0 {
		return invalidHandle("texture reference", handle)
	}
	r, err := t.texRef(handle)
	if err == nil && r.module == nil {
		t.runtime.texRefs.take(handle)
	}
	return err
}

func (t *Thread) texRef(handle uint64) (*TexRef, error) {
	r, ok := t.runtime.texRefs.get(handle)
	if handle == 0 {
		return nil, invalidHandle("texture reference", handle)
	}
	if !ok {
		return nil, fail(ErrInvalidValue, "no texture reference has handle %#x", handle)
	}
	return r, nil
}

// CheckTexRef reports whether a reference exists.
func (t *Thread) CheckTexRef(handle uint64) error {
	_, err := t.texRef(handle)
	return err
}

// ModuleGetReference is cuModuleGetTexRef and cuModuleGetSurfRef.
func (t *Thread) ModuleGetReference(handle uint64, name string, surface bool) (uint64, error) {
	m, err := t.loadedModule(handle)
	if err != nil {
		return 0, err
	}
	if _, _, err := m.module.variable(name, func(v Variable) bool { return v.Reference && v.Surface == surface }); err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if h, ok := m.textures[name]; ok {
		return h, nil
	}
	r := newTexRef()
	r.module, r.reference = m, &Reference{image: m.image, name: name, surface: surface}
	m.context.mu.Lock()
	m.image.refs = append(m.image.refs, r.reference)
	m.context.mu.Unlock()
	if m.textures == nil {
		m.textures = map[string]uint64{}
	}
	m.textures[name] = t.runtime.texRefs.add(r)
	return m.textures[name], nil
}

// TexRefGet returns a copy of a reference.
func (t *Thread) TexRefGet(handle uint64) (TexRef, error) {
	r, err := t.texRef(handle)
	if err != nil {
		return TexRef{}, err
	}
	t.runtime.registry.mu.RLock()
	defer t.runtime.registry.mu.RUnlock()
	return *r, nil
}

// TexRefSet changes a reference and binds what it stands for anew.
func (t *Thread) TexRefSet(handle uint64, change func(r *TexRef) error) error {
	r, err := t.texRef(handle)
	if err != nil {
		return err
	}
	t.runtime.registry.mu.Lock()
	changed := *r
	if err = change(&changed); err == nil {
		*r = changed
	}
	t.runtime.registry.mu.Unlock()
	if err != nil || changed.module == nil {
		return err
	}
	return t.bindTexRef(&changed)
}

// bindTexRef gives the variable of a reference a texture of what is bound, if
// something is.
func (t *Thread) bindTexRef(r *TexRef) error {
	c := r.module.context
	resource, err := t.texRefResource(r)
	if resource == nil || err != nil {
		return err
	}
	d, err := t.resource(c, resource)
	if err != nil {
		return err
	}
	if !r.reference.surface {
		tex := r.sampling(d)
		if err := sample(d, &tex); err != nil {
			return err
		}
	}
	c.attach(r.module.module, r.reference, d, resource, 0)
	return nil
}

// TexObjectCreate is cuTexObjectCreate: unlike the runtime's it turns no elements
// into floats that cannot be.
func (t *Thread) TexObjectCreate(res *layout.ResourceDesc, tex *layout.TextureDesc, view *layout.ResourceViewDesc) (uint64, error) {
	c, err := t.context()
	if err != nil {
		return 0, err
	}
	d, err := t.resource(c, res)
	if err != nil {
		return 0, err
	}
	own := *tex
	if d.Kind == isa.Float || d.ChannelBits == 32 {
		own.ReadMode = 0
	}
	return t.CreateTextureObject(res, &own, view)
}

// sampling is how a reference reads elements. Integers become floats unless the
// reference says otherwise.
func (r *TexRef) sampling(d *isa.Texture) layout.TextureDesc {
	tex := layout.TextureDesc{
		FilterMode: known(r.Filter, filterLinear, 0), BorderColor: r.Border, MaxAnisotropy: r.Anisotropy,
		MipmapFilterMode: r.MipFilter, MipmapLevelBias: r.Bias, MinMipmapLevelClamp: r.Clamp[0], MaxMipmapLevelClamp: r.Clamp[1],
	}
	for i, m := range r.Address {
		tex.AddressMode[i] = known(m, int32(isa.Border), int32(isa.Clamp))
	}
	if r.Flags&texNormalized != 0 {
		tex.NormalizedCoords = 1
	}
	if r.Flags&texSRGB != 0 {
		tex.SRGB = 1
	}
	if r.Flags&texReadInteger == 0 && d.Kind != isa.Float && d.ChannelBits != 32 {
		tex.ReadMode = readNormalizedFloat
	}
	return tex
}

// texRefResource describes what a reference is bound to, nil for nothing.
func (t *Thread) texRefResource(r *TexRef) (*layout.ResourceDesc, error) {
	switch {
	case r.Mipmap != 0:
		return &layout.ResourceDesc{ResType: resourceMipmap, Handle: r.Mipmap}, nil
	case r.Array != 0:
		return &layout.ResourceDesc{ResType: resourceArray, Handle: r.Array}, nil
	case r.Base == 0:
		return nil, nil
	}
	desc, err := ChannelsOf(r.Format, r.Channels)
	if err != nil {
		return nil, err
	}
	d := &layout.ResourceDesc{ResType: resourceLinear, Handle: r.Base, Width: r.Size}
	if r.Pitch != 0 {
		d.ResType, d.Width, d.Height, d.Pitch = resourcePitched, r.Width, r.Rows, r.Pitch
	}
	copy(d.Desc[:], append(desc.Bits[:], desc.Kind))
	return d, nil
}

// TexRefSetArray is cuTexRefSetArray and cuSurfRefSetArray: the array says the
// format of elements.
func (t *Thread) TexRefSetArray(handle, array uint64) error {
	d, err := t.ArrayDescriptor(array)
	if err != nil {
		return err
	}
	if r, err := t.texRef(handle); err == nil && r.reference != nil && r.reference.surface && d.Flags&arraySurface == 0 {
		return fail(ErrInvalidValue, "the array was not made for surfaces")
	}
	return t.TexRefSet(handle, func(r *TexRef) error {
		r.Array, r.Mipmap, r.Base, r.Format, r.Channels = array, 0, 0, d.Format, d.Channels
		return nil
	})
}

// TexRefSetMipmap is cuTexRefSetMipmappedArray.
func (t *Thread) TexRefSetMipmap(handle, mipmap uint64) error {
	if _, err := t.mipmap(mipmap); err != nil {
		return err
	}
	return t.TexRefSet(handle, func(r *TexRef) error {
		r.Array, r.Mipmap, r.Base = 0, mipmap, 0
		return nil
	})
}

// TexRefSetAddress is cuTexRefSetAddress: size bytes of linear memory. The
// offset in bytes is what programs have to add to addresses; those who do not
// ask for it need an aligned address.
func (t *Thread) TexRefSetAddress(handle, addr, size uint64, wantOffset bool) (offset uint64, err error) {
	if addr != 0 {
		offset = addr % uint64(t.runtime.model.Texture.Alignment)
	}
	if offset != 0 && !wantOffset {
		return 0, fail(ErrInvalidValue, "a texture at %#x, which is no multiple of %d", addr, t.runtime.model.Texture.Alignment)
	}
	return offset, t.TexRefSet(handle, func(r *TexRef) error {
		r.Array, r.Mipmap, r.Base, r.Size, r.Pitch = 0, 0, addr-offset, size+offset, 0
		return nil
	})
}

// TexRefSetAddress2D is cuTexRefSetAddress2D.
func (t *Thread) TexRefSetAddress2D(handle uint64, a DriverArray, addr, pitch uint64) error {
	if _, err := ChannelsOf(a.Format, a.Channels); err != nil {
		return err
	}
	if addr == 0 || addr%uint64(t.runtime.model.Texture.Alignment) != 0 || pitch%uint64(t.runtime.model.Texture.PitchAlignment) != 0 {
		return fail(ErrInvalidValue, "a texture at %#x with a pitch of %d bytes", addr, pitch)
	}
	return t.TexRefSet(handle, func(r *TexRef) error {
		r.Array, r.Mipmap, r.Base, r.Pitch = 0, 0, addr, pitch
		r.Format, r.Channels, r.Width, r.Rows = a.Format, a.Channels, a.Extent.Width, a.Extent.Height
		return nil
	})
}

// SetFormat is cuTexRefSetFormat. Formats that there are none of count as soon as
// memory is bound.
func (r *TexRef) SetFormat(format int32, channels int) error {
	const anyFormat = 0x20
	if _, err := ChannelsOf(anyFormat, channels); err != nil {
		return err
	}
	r.Format, r.Channels = format, channels
	return nil
}

// SetFlags is cuTexRefSetFlags.
func (r *TexRef) SetFlags(flags uint32) error {
	if flags&^texFlagsMask != 0 {
		return fail(ErrInvalidValue, "flags %#x of a texture reference", flags)
	}
	r.Flags = flags
	return nil
}

// SetAddressMode is cuTexRefSetAddressMode for a dimension.
func (r *TexRef) SetAddressMode(dimension int, mode int32) error {
	if dimension < 0 || dimension >= len(r.Address) {
		return fail(ErrInvalidValue, "address mode %d in dimension %d", mode, dimension)
	}
	r.Address[dimension] = mode
	return nil
}

// SetMipFilter is cuTexRefSetMipmapFilterMode.
func (r *TexRef) SetMipFilter(mode int32) error {
	if mode < 0 || mode > filterLinear {
		return fail(ErrInvalidValue, "filter mode %d", mode)
	}
	r.MipFilter = mode
	return nil
}

// known is a mode, or the one that stands for those that there are none of.
func known(mode, most, otherwise int32) int32 {
	if mode < 0 || mode > most {
		return otherwise
	}
	return mode
}
