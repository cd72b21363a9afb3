package rt

import (
	"sync"

	"github.com/lockstep-sim/lockstep/cudart/layout"
	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// textures are the texture and surface objects of a context. Handles are small
// numbers, as on hardware.
type textures struct {
	mu    sync.RWMutex
	last  uint64
	items map[uint64]*object
}

// object is a texture or surface object with the descriptions it was made from.
type object struct {
	texture  *isa.Texture
	surface  bool
	resource layout.ResourceDesc
	sampling layout.TextureDesc
	view     *layout.ResourceViewDesc
}

// Texture implements isa.Textures.
func (x *textures) Texture(handle uint64) *isa.Texture { return x.find(handle, false) }

// Surface implements isa.Textures.
func (x *textures) Surface(handle uint64) *isa.Texture { return x.find(handle, true) }

func (x *textures) find(handle uint64, surface bool) *isa.Texture {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if o := x.items[handle]; o != nil && o.surface == surface {
		return o.texture
	}
	return nil
}

func (x *textures) add(o *object) uint64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.items == nil {
		x.items = map[uint64]*object{}
	}
	x.last++
	x.items[x.last] = o
	return x.last
}

func (x *textures) get(handle uint64, surface bool) (*object, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	o := x.items[handle]
	if o == nil || o.surface != surface {
		return nil, fail(ErrInvalidValue, "no such object has handle %#x", handle)
	}
	return o, nil
}

func (x *textures) remove(handle uint64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.items, handle)
}

// Kinds of resources.
const (
	resourceArray   = 0
	resourceMipmap  = 1
	resourceLinear  = 2
	resourcePitched = 3
)

// CreateTextureObject is cudaCreateTextureObject; view may be nil.
func (t *Thread) CreateTextureObject(res *layout.ResourceDesc, tex *layout.TextureDesc, view *layout.ResourceViewDesc) (uint64, error) {
	c, err := t.uncaptured()
	if err != nil {
		return 0, err
	}
	d, err := t.resource(c, res)
	if err != nil {
		return 0, err
	}
	if view != nil {
		if tex.NormalizedCoords == 0 && *view != (layout.ResourceViewDesc{}) {
			return 0, fail(ErrInvalidValue, "a view with coordinates that are not normalized") // measured
		}
		if err := look(d, view); err != nil {
			return 0, err
		}
	}
	if err := sample(d, tex); err != nil {
		return 0, err
	}
	return c.textures.add(&object{texture: d, resource: *res, sampling: *tex, view: view}), nil
}

// CreateSurfaceObject is cudaCreateSurfaceObject.
func (t *Thread) CreateSurfaceObject(res *layout.ResourceDesc) (uint64, error) {
	c, err := t.context()
	if err != nil {
		return 0, err
	}
	if res.ResType != resourceArray {
		return 0, fail(ErrInvalidChannelDescriptor, "a surface over a resource of type %d", res.ResType)
	}
	d, err := t.resource(c, res)
	if err != nil {
		return 0, err
	}
	return c.textures.add(&object{texture: d, surface: true, resource: *res}), nil
}

// DestroyTextureObject is cudaDestroyTextureObject; handle 0 is ignored.
func (t *Thread) DestroyTextureObject(handle uint64) error { return t.destroyObject(handle, false) }

// DestroySurfaceObject is cudaDestroySurfaceObject; handle 0 is ignored.
func (t *Thread) DestroySurfaceObject(handle uint64) error { return t.destroyObject(handle, true) }

func (t *Thread) destroyObject(handle uint64, surface bool) error {
	c, err := t.context()
	if err != nil || handle == 0 {
		return err
	}
	if _, err := c.textures.get(handle, surface); err != nil {
		return err
	}
	_ = c.engine.Synchronize() // grids on their way may still use it; what stopped the device, other calls say
	c.textures.remove(handle)
	return nil
}

// GetTextureObjectDescs is cudaGetTextureObjectResourceDesc, ...TextureDesc and
// ...ResourceViewDesc; view is nil if the object has none.
func (t *Thread) GetTextureObjectDescs(handle uint64) (*layout.ResourceDesc, *layout.TextureDesc, *layout.ResourceViewDesc, error) {
	c, err := t.context()
	if err != nil {
		return nil, nil, nil, err
	}
	o, err := c.textures.get(handle, false)
	if err != nil {
		return nil, nil, nil, err
	}
	return &o.resource, &o.sampling, o.view, nil
}

// GetSurfaceObjectDesc is cudaGetSurfaceObjectResourceDesc.
func (t *Thread) GetSurfaceObjectDesc(handle uint64) (*layout.ResourceDesc, error) {
	c, err := t.context()
	if err != nil {
		return nil, err
	}
	o, err := c.textures.get(handle, true)
	if err != nil {
		return nil, err
	}
	return &o.resource, nil
}

// resource describes where the elements lie.
func (t *Thread) resource(c *Context, r *layout.ResourceDesc) (*isa.Texture, error) {
	switch r.ResType {
	case resourceArray:
		a, err := t.array(r.Handle)
		if err != nil {
			return nil, err
		}
		return a.texture(), nil
	case resourceMipmap:
		m, err := t.mipmap(r.Handle)
		if err != nil {
			return nil, err
		}
		return m.texture(), nil
	case resourceLinear, resourcePitched:
		desc := ChannelDesc{Bits: [4]int32(r.Desc[:4]), Kind: r.Desc[4]}
		return t.linear(c, desc, r)
	}
	return nil, fail(ErrInvalidValue, "resource type %d", r.ResType)
}

// texture describes an array.
func (a *Array) texture() *isa.Texture {
	d := describe(a.format)
	d.Plane = a.plane()
	d.Width, d.Height, d.Depth = uint32(a.extent.Width), uint32(a.extent.Height), uint32(a.extent.Depth)
	d.Cube = a.flags&arrayCubemap != 0
	if a.flags&(arrayLayered|arrayCubemap) != 0 {
		d.Layers, d.Depth = d.Depth, 0
	}
	return d
}

// plane is where the array's elements lie.
func (a *Array) plane() isa.Plane {
	if a.mapped != nil {
		return isa.Plane{Tiles: a.mapped.tiles}
	}
	return isa.Plane{Base: a.place.addr, Pitch: a.place.pitch, SlicePitch: a.place.slice}
}

// texture describes a mipmapped array.
func (m *Mipmap) texture() *isa.Texture {
	d := m.levels[0].texture()
	d.Resource, d.Levels = isa.MipmapResource, len(m.levels)
	for i, a := range m.levels[1:] {
		d.Smaller[i] = a.plane()
	}
	return d
}

func describe(f format) *isa.Texture {
	return &isa.Texture{Format: f.Format, ReadNormalized: f.normalized, SRGB: f.srgb}
}

// linear describes linear or pitched memory.
func (t *Thread) linear(c *Context, desc ChannelDesc, r *layout.ResourceDesc) (*isa.Texture, error) {
	f, err := desc.format()
	if err != nil {
		return nil, err
	}
	m := &t.runtime.model.Texture
	if r.Handle == 0 || r.Handle%uint64(m.Alignment) != 0 {
		return nil, fail(ErrInvalidValue, "a texture at %#x, which is no multiple of %d", r.Handle, m.Alignment)
	}
	d := describe(f)
	d.Base, d.Resource = r.Handle, isa.Resource(r.ResType)
	if r.ResType == resourceLinear {
		n, most := r.Width/f.bytes(), linearWidth(f)
		if n > most {
			return nil, fail(ErrInvalidValue, "a linear texture of %d elements, %d are allowed", n, most)
		}
		// It may be longer than the allocation (measured).
		d.Width, d.Pitch = uint32(n), r.Width
		return d, nil
	}
	if r.Width == 0 || r.Height == 0 || r.Width > uint64(m.LinearWidth2D) || r.Height > uint64(m.LinearHeight2D) ||
		r.Pitch > uint64(m.LinearPitch2D) || r.Pitch%uint64(m.PitchAlignment) != 0 {
		return nil, fail(ErrInvalidValue, "a pitched texture of %d x %d elements at a pitch of %d bytes", r.Width, r.Height, r.Pitch)
	}
	d.Width, d.Height, d.Pitch = uint32(r.Width), uint32(r.Height), r.Pitch
	return d, c.checkBounds(region{addr: r.Handle, pitch: r.Pitch}, box{r.Width * f.bytes(), r.Height, 1}, false)
}

// Bounds of textures over linear memory (measured).
const (
	mostLinearElements = 1 << 30
	mostLinearBytes    = 1 << 32
)

func linearWidth(f format) uint64 { return min(mostLinearElements, mostLinearBytes/f.bytes()) }

// LinearWidth is cudaDeviceGetTexture1DLinearMaxWidth, in elements.
func (t *Thread) LinearWidth(desc ChannelDesc, device int) (uint64, error) {
	if _, err := t.runtime.device(device); err != nil {
		return 0, err
	}
	f, err := desc.format()
	if err != nil {
		return 0, err
	}
	return linearWidth(f), nil
}

// Modes of cudaTextureDesc.
const (
	filterLinear        = 1
	readNormalizedFloat = 1
)

// sample adds how the elements are read.
func sample(d *isa.Texture, s *layout.TextureDesc) error {
	for i, m := range s.AddressMode {
		if m < 0 || m > int32(isa.Border) {
			return fail(ErrInvalidValue, "address mode %d", m)
		}
		d.Address[i] = isa.AddressMode(m)
	}
	for _, mode := range []int32{s.FilterMode, s.MipmapFilterMode, s.ReadMode} {
		if mode != 0 && mode != 1 {
			return fail(ErrInvalidValue, "filter modes %d and %d, read mode %d", s.FilterMode, s.MipmapFilterMode, s.ReadMode)
		}
	}
	d.Linear, d.MipLinear = s.FilterMode == filterLinear, s.MipmapFilterMode == filterLinear
	d.Normalized, d.Seamless = s.NormalizedCoords != 0, s.SeamlessCubemap != 0
	d.SRGB = d.SRGB || s.SRGB != 0
	d.BorderColor, d.Anisotropy = s.BorderColor, int(min(s.MaxAnisotropy, mostAnisotropy))
	d.Unsharpened = s.DisableTrilinearOptimization != 0
	d.Bias, d.Least, d.Most = s.MipmapLevelBias, s.MinMipmapLevelClamp, s.MaxMipmapLevelClamp
	if s.ReadMode == readNormalizedFloat && (d.Kind == isa.Float || d.ChannelBits == 32) && d.Packing == isa.Plain {
		return fail(ErrInvalidNormSetting, "channels of %d bits read as normalized floats", d.ChannelBits)
	}
	if s.ReadMode == readNormalizedFloat && d.Kind != isa.Float && d.ChannelBits != 32 {
		d.ReadNormalized = true
	}
	if d.Linear && d.Kind != isa.Float && !d.ReadNormalized {
		return fail(ErrInvalidFilterSetting, "linear filtering of integers")
	}
	return nil
}

// mostAnisotropy is the largest ratio that is honoured (CUDA C++ Programming Guide).
const mostAnisotropy = 16
