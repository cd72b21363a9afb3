package isa

// Textures finds texture and surface objects by handle.
type Textures interface {
	Texture(handle uint64) *Texture
	Surface(handle uint64) *Texture
}

// AddressMode says what a coordinate outside the texture means.
type AddressMode uint8

// The address modes, numbered as CUDA's.
const (
	Wrap AddressMode = iota
	Clamp
	Mirror
	Border
)

// MaxLevels is the number of levels of detail that a mipmapped image may have:
// the widest is 2^17 elements wide.
const MaxLevels = 18

// Texture describes a texture or surface object: an image, how its elements are
// read, and how it is sampled.
type Texture struct {
	Width, Height, Depth uint32 // elements of level 0; height and depth 0 for lower dimensions
	Layers               uint32 // 0 if there are none; a cubemap counts six, one a face
	Cube                 bool
	Resource             Resource
	Format
	Plane                        // level 0
	Levels  int                  // of detail; 0 is 1
	Smaller [MaxLevels - 1]Plane // levels 1 and up
	Samples uint32               // of an element; 0 is 1

	Normalized     bool // coordinates in [0,1)
	ReadNormalized bool // integers read as floats in [0,1] or [-1,1]
	SRGB           bool // 8-bit channels but the fourth hold intensities on the sRGB curve
	Sampler
}

// Plane is where the elements of a level lie.
type Plane struct {
	Base       uint64 // device address of the first element
	Pitch      uint64 // bytes between rows, of blocks if the format has blocks
	SlicePitch uint64 // bytes between slices or layers
	Tiles      *Tiles // in place of all these, or nil
	FirstSlice uint64 // of the tiles' slices
}

// At is the device address of byte x of a row of a slice; ok is false if it has
// none.
func (p *Plane) At(x, row, slice uint64) (address uint64, ok bool) {
	if p.Tiles == nil {
		return p.Base + slice*p.SlicePitch + row*p.Pitch + x, true
	}
	address, _ = p.Tiles.Find(x, row, p.FirstSlice+slice)
	return address, address != 0
}

// Skip makes a later slice the first.
func (p *Plane) Skip(slices uint64) {
	p.Base += slices * p.SlicePitch
	p.FirstSlice += slices
}

// Level is the plane of level i.
func (t *Texture) Level(i int) *Plane {
	if i == 0 {
		return &t.Plane
	}
	return &t.Smaller[i-1]
}

// Extent is the size of level i in elements, 1 in absent dimensions.
func (t *Texture) Extent(i int) [3]int32 {
	half := func(n uint32) int32 { return int32(max(n>>i, 1)) }
	return [3]int32{half(t.Width), half(t.Height), half(t.Depth)}
}

// Resource is what an object was made of.
type Resource uint8

// The resources, numbered as CUDA's.
const (
	ArrayResource Resource = iota
	MipmapResource
	LinearResource
	PitchedResource
)

// Format is the format of the elements in memory.
type Format struct {
	Channels    int // 1, 2 or 4; of a block 1 to 4
	ChannelBits int // 8, 16 or 32
	Kind        Kind
	Packing     Packing
	Opaque      bool // the fourth channel of blocks that have none is one
}

// Bytes is the size of an element, or of a block.
func (f Format) Bytes() int {
	switch f.Packing {
	case BC1, BC4:
		return 8
	case BC2, BC3, BC5, BC6, BC7:
		return 16
	case RGB10A2:
		return 4
	}
	return f.Channels * f.ChannelBits / 8
}

// BlockWidth is the width and height in elements of what Bytes counts.
func (f Format) BlockWidth() int32 {
	if f.Packing >= BC1 {
		return 4
	}
	return 1
}

// Packing says how channels lie in an element, or elements in a block. The
// values of packed formats are normalized integers, or halves (BC6).
type Packing uint8

// The packings. Plain has one channel after the other.
const (
	Plain   Packing = iota
	RGB10A2         // ten bits each, the fourth channel two
	BC1             // blocks of 4 by 4 elements
	BC2
	BC3
	BC4
	BC5
	BC6
	BC7
)

// Sampler is how an image is sampled.
type Sampler struct {
	Address     [3]AddressMode
	Linear      bool // elements are weighed
	InElements  bool // coordinates count elements, whatever the texture says
	MipLinear   bool // levels are weighed
	Seamless    bool // filters reach over the edges of a cubemap's faces
	BorderColor [4]float32
	Bias        float32 // added to the level of detail
	Least, Most float32 // level of detail
	Anisotropy  int     // most samples along the longer axis of a footprint; 0 is 1
	Unsharpened bool    // anisotropic filters weigh levels as others do
}

// Query is what a setting of the sampler is worth, numbered as the modes here.
func (s *Sampler) Query(setting string) uint32 {
	number := func(b bool) uint32 {
		if b {
			return 1
		}
		return 0
	}
	switch setting {
	case "filter_mode":
		return number(s.Linear)
	case "force_unnormalized_coords":
		return number(s.InElements)
	case "addr_mode_0":
		return uint32(s.Address[0])
	case "addr_mode_1":
		return uint32(s.Address[1])
	default:
		return uint32(s.Address[2])
	}
}
