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

// Texture describes a texture or surface object.
type Texture struct {
	Width, Height, Depth uint32 // elements; height and depth 0 for lower dimensions
	Layers               uint32
	Channels             int // 1, 2 or 4
	ChannelBits          int // 8, 16 or 32
	Kind                 Kind
	Pitch                uint64 // bytes between rows
	SlicePitch           uint64 // bytes between slices or layers
	Base                 uint64 // device address of the first element
	Address              [3]AddressMode
	Linear               bool
	Normalized           bool // coordinates in [0,1)
	ReadNormalized       bool // integers read as floats in [0,1] or [-1,1]
	SRGB                 bool
	BorderColor          [4]float32
}
