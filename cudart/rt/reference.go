package rt

import (
	"encoding/binary"

	"github.com/lockstep-sim/lockstep/cudart/layout"
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// Reference is a texture or surface reference of CUDA 11 and before. The device
// code reads a handle from a variable of that name; what the reference is bound
// to when a kernel is launched counts for that kernel.
type Reference struct {
	image      *Image
	host       uint64 // address of the reference structure
	name       string
	surface    bool
	normalized bool // integers are read as floats
}

// binding is what a reference is bound to in a context.
type binding struct {
	handle uint64 // 0 when not bound
	offset uint64 // bytes that the program has to add
	past   []bind // objects made for the reference, used again when it is bound as before
}

// bind is an object made for a reference.
type bind struct {
	handle  uint64
	texture isa.Texture
}

// TextureReference is what a program's texture reference says (CUDA 11).
type TextureReference struct {
	Normalized, Filter int32
	Address            [3]int32
	Desc               ChannelDesc
	SRGB               int32
}

// referenceSize is the part of the reference structure that is read, in bytes.
const referenceSize = 44

// readReference reads the structure at an address of the program.
func readReference(host uint64) TextureReference {
	b := mem.Host(host, referenceSize)
	word := func(i int) int32 { return int32(binary.LittleEndian.Uint32(b[4*i:])) }
	return TextureReference{
		Normalized: word(0), Filter: word(1), Address: [3]int32{word(2), word(3), word(4)},
		Desc: ChannelDesc{Bits: [4]int32{word(5), word(6), word(7), word(8)}, Kind: word(9)}, SRGB: word(10),
	}
}

// boundReference finds a reference and what it is bound to in the thread's
// context.
func (t *Thread) boundReference(host uint64) (*Context, *Reference, *Module, error) {
	c, err := t.context()
	if err != nil {
		return nil, nil, nil, err
	}
	ref, ok := t.runtime.reference(host)
	if !ok {
		return nil, nil, nil, fail(ErrInvalidTexture, "no texture or surface reference is registered at %#x", host)
	}
	m, err := c.module(ref.image)
	return c, ref, m, err
}

// bind makes a texture or surface of what a reference shall be bound to.
func (t *Thread) bind(host uint64, d *isa.Texture, resource *layout.ResourceDesc, offset uint64) error {
	c, ref, m, err := t.boundReference(host)
	if err != nil {
		return err
	}
	if !ref.surface {
		s := readReference(host)
		tex := layout.TextureDesc{AddressMode: s.Address, FilterMode: s.Filter, SRGB: s.SRGB, NormalizedCoords: s.Normalized}
		if ref.normalized {
			tex.ReadMode = readNormalizedFloat
		}
		if err := sample(d, &tex); err != nil {
			return err
		}
	}
	c.attach(m, ref, d, resource, offset)
	return nil
}

// attach makes the texture or surface what a reference is bound to.
func (c *Context) attach(m *Module, ref *Reference, d *isa.Texture, resource *layout.ResourceDesc, offset uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := m.binding(ref)
	b.offset = offset
	for _, p := range b.past {
		if p.texture == *d {
			b.handle = p.handle
			return
		}
	}
	b.handle = c.textures.add(&object{texture: d, surface: ref.surface, resource: *resource})
	b.past = append(b.past, bind{b.handle, *d})
}

// binding is a reference's state. The lock of the context is held.
func (m *Module) binding(ref *Reference) *binding {
	if m.bindings == nil {
		m.bindings = map[*Reference]*binding{}
	}
	b := m.bindings[ref]
	if b == nil {
		b = new(binding)
		m.bindings[ref] = b
	}
	return b
}

// handles are the addresses of the module's reference variables with what they
// shall hold for a launch.
func (m *Module) handles() map[uint64]uint64 {
	if len(m.image.refs) == 0 {
		return nil
	}
	m.context.mu.Lock()
	defer m.context.mu.Unlock()
	handles := map[uint64]uint64{}
	for _, ref := range m.image.refs {
		if addr, ok := m.addresses[ref.name]; ok {
			handles[addr] = m.binding(ref).handle
		}
	}
	return handles
}

// hold writes handles into their variables.
func (c *Context) hold(handles map[uint64]uint64) error {
	for addr, handle := range handles {
		if err := c.memory.Write(addr, binary.LittleEndian.AppendUint64(nil, handle)); err != nil {
			return err
		}
	}
	return nil
}

// BindTexture is cudaBindTexture. It returns the bytes by which the address
// misses the alignment of textures, which fetches have to add.
func (t *Thread) BindTexture(host, addr uint64, desc ChannelDesc, size uint64) (offset uint64, err error) {
	c, err := t.context()
	if err != nil {
		return 0, err
	}
	if _, ok := c.memory.Lookup(addr); !ok {
		return 0, fail(ErrSymbolNotFound, "%#x is not device memory", addr) // measured
	}
	offset = addr % uint64(t.runtime.model.Texture.Alignment)
	base := addr - offset
	r := layout.ResourceDesc{ResType: resourceLinear, Handle: base, Width: t.boundBytes(c, addr, size) + offset}
	f, err := desc.format()
	if err != nil {
		return 0, err
	}
	r.Width = min(r.Width, uint64(t.runtime.model.Texture.LinearWidth1D)*f.bytes())
	d, err := t.linear(c, desc, &r)
	if err != nil {
		return 0, err
	}
	return offset, t.bind(host, d, &r, offset)
}

// boundBytes limits a size, which programs leave out, to the allocation.
func (t *Thread) boundBytes(c *Context, addr, size uint64) uint64 {
	b, ok := c.memory.Lookup(addr)
	if !ok {
		return size
	}
	return min(size, b.End()-addr)
}

// BindTexture2D is cudaBindTexture2D.
func (t *Thread) BindTexture2D(host, addr uint64, desc ChannelDesc, size Extent, pitch uint64) (offset uint64, err error) {
	c, err := t.context()
	if err != nil {
		return 0, err
	}
	offset = addr % uint64(t.runtime.model.Texture.Alignment)
	r := layout.ResourceDesc{ResType: resourcePitched, Handle: addr - offset, Width: size.Width, Height: size.Height, Pitch: pitch}
	d, err := t.linear(c, desc, &r)
	if err != nil {
		return 0, err
	}
	return offset, t.bind(host, d, &r, offset)
}

// BindArray is cudaBindTextureToArray and cudaBindSurfaceToArray.
func (t *Thread) BindArray(host, array uint64) error {
	a, err := t.array(array)
	if err != nil {
		return err
	}
	if ref, ok := t.runtime.reference(host); ok && ref.surface && a.flags&arraySurface == 0 {
		return fail(ErrInvalidValue, "a surface reference bound to an array that is not made for surfaces")
	}
	if err := t.checkReference(host, a.desc); err != nil {
		return err
	}
	r := layout.ResourceDesc{ResType: resourceArray, Handle: array}
	return t.bind(host, a.texture(), &r, 0)
}

// checkReference compares a texture reference's type with that of an array.
func (t *Thread) checkReference(host uint64, desc ChannelDesc) error {
	ref, ok := t.runtime.reference(host)
	if !ok || ref.surface || desc.Kind > channelFloat {
		return nil // what is not known is refused later
	}
	if own := readReference(host).Desc; own != desc {
		return fail(ErrInvalidValue, "a reference of type %v bound to an array of type %v", own, desc)
	}
	return nil
}

// BindMipmap is cudaBindTextureToMipmappedArray.
func (t *Thread) BindMipmap(host, mipmap uint64) error {
	m, err := t.mipmap(mipmap)
	if err != nil {
		return err
	}
	r := layout.ResourceDesc{ResType: resourceMipmap, Handle: mipmap}
	return t.bind(host, m.texture(), &r, 0)
}

// CheckReference is cudaGetTextureReference and cudaGetSurfaceReference: a
// reference is known by its own address.
func (t *Thread) CheckReference(host uint64, surface bool) error {
	if _, ok := t.runtime.reference(host); ok {
		return nil
	}
	if surface {
		return fail(ErrInvalidSurface, "no surface reference is registered at %#x", host)
	}
	return fail(ErrInvalidTexture, "no texture reference is registered at %#x", host)
}

// UnbindTexture is cudaUnbindTexture.
func (t *Thread) UnbindTexture(host uint64) error {
	c, ref, m, err := t.boundReference(host)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	m.binding(ref).handle = 0
	return nil
}

// GetTextureAlignmentOffset is cudaGetTextureAlignmentOffset.
func (t *Thread) GetTextureAlignmentOffset(host uint64) (uint64, error) {
	c, ref, m, err := t.boundReference(host)
	if err != nil {
		return 0, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	b := m.binding(ref)
	if b.handle == 0 {
		return 0, fail(ErrInvalidTextureBinding, "the reference is not bound")
	}
	return b.offset, nil
}
