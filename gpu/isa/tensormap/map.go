package tensormap

import "encoding/binary"

const (
	// Size is the length of a tensor map in bytes.
	Size = 128
	// Align is the alignment that CUDA asks of one.
	Align = 64
	// MaxRank is the largest number of dimensions.
	MaxRank = 5
	// MaxBox is the largest extent of a box, and number of channels, in elements.
	MaxBox = 256
)

// Mode is how a map's bounding box is laid over the tensor.
type Mode uint8

// The modes. Im2col and its wide forms are those of the encoding functions of
// these names.
const (
	Tiled Mode = iota
	Im2col
	Im2colWide
	Im2colWide128
)

// Elem is an element type, numbered as tensormap.replace numbers it (PTX ISA
// 9.7.9.27).
type Elem uint8

// The element types. The last three are packed: 16 values of 4 or 6 bits.
const (
	U8 Elem = iota
	U16
	U32
	S32
	U64
	S64
	F16
	F32
	F32Ftz
	F64
	BF16
	TF32
	TF32Ftz
	B4x16
	B4x16P64
	B6x16P32
	elems
)

var elemBytes = [elems]int{1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2, 4, 4, 0, 0, 0}

// Bytes is the size of an element, 0 for packed types.
func (e Elem) Bytes() int {
	if e >= elems {
		return 0
	}
	return elemBytes[e]
}

// Packed reports a type whose 16 elements make a unit.
func (e Elem) Packed() bool { return e >= B4x16 && e < elems }

// Float reports a type that may be filled with NaN.
func (e Elem) Float() bool { return e >= F16 && e <= TF32Ftz }

// Swizzle is a pattern by which 16-byte pieces of shared memory change places,
// numbered as tensormap.replace numbers it.
type Swizzle uint8

// The patterns; the number is the span in bytes.
const (
	NoSwizzle Swizzle = iota
	Swizzle32
	Swizzle64
	Swizzle128
	Swizzle96
	swizzles
)

// Atom is what a pattern of 128 bytes moves as one, numbered as
// tensormap.replace numbers it.
type Atom uint8

// The atoms, in bytes. Atom32Flip8 also swaps 8-byte halves in every other row.
const (
	Atom16 Atom = iota
	Atom32
	Atom32Flip8
	Atom64
	atoms
)

// Interleave is a layout in which channels stand in slices of 16 or 32 bytes.
type Interleave uint8

// The layouts.
const (
	NoInterleave Interleave = iota
	Interleave16
	Interleave32
	interleaves
)

// Map is a decoded tensor map. Dimension 0 is the innermost.
type Map struct {
	Mode       Mode
	Elem       Elem
	Rank       int
	Interleave Interleave
	Swizzle    Swizzle
	Atom       Atom
	FillNaN    bool  // elements out of bounds are NaN, not zero
	Promotion  uint8 // of L2 fetches; changes no result
	Address    uint64
	Dim        [MaxRank]uint64     // elements
	Stride     [MaxRank - 1]uint64 // bytes, of dimensions 1 and up
	Box        [MaxRank]uint32     // elements, tiled
	Step       [MaxRank]uint32     // distance of the elements that are copied
	// Lower and Upper are the corners of the bounding box of im2col, relative
	// to those of the tensor, of the dimensions W, H, D.
	Lower, Upper     [MaxRank - 2]int32
	Channels, Pixels uint32 // of an im2col column
}

// The places of the fields in an object. The address comes first, as on hardware:
// CUTLASS clears bit 21 of the second word, bit 5 of the element type's byte here,
// in maps of small tensors (a fault of drivers up to CUDA 13.1 it works around).
const (
	atAddress    = 0
	atMode       = 8
	atRank       = 9 // less one
	atElem       = 10
	atInterleave = 11
	atSwizzle    = 12
	atAtom       = 13
	atFill       = 14
	atPromotion  = 15
	atDim        = 16 // 4 bytes each, 0 for 2^32
	atBox        = 36 // 2 bytes each
	atStep       = 46 // a byte each
	atStride     = 56 // 8 bytes each
	atLower      = 88 // 2 bytes each
	atUpper      = 94
	atChannels   = 100
	atPixels     = 102
)

// Encode writes the map as an object.
func (m *Map) Encode() (b [Size]byte) {
	le := binary.LittleEndian
	b[atMode], b[atRank], b[atElem] = byte(m.Mode), byte(m.Rank-1), byte(m.Elem)
	b[atInterleave], b[atSwizzle], b[atAtom] = byte(m.Interleave), byte(m.Swizzle), byte(m.Atom)
	b[atPromotion] = m.Promotion
	if m.FillNaN {
		b[atFill] = 1
	}
	le.PutUint64(b[atAddress:], m.Address)
	for i := range MaxRank {
		le.PutUint32(b[atDim+4*i:], uint32(m.Dim[i]))
		le.PutUint16(b[atBox+2*i:], uint16(m.Box[i]))
		b[atStep+i] = byte(m.Step[i])
	}
	for i, s := range m.Stride {
		le.PutUint64(b[atStride+8*i:], s)
	}
	for i := range m.Lower {
		le.PutUint16(b[atLower+2*i:], uint16(m.Lower[i]))
		le.PutUint16(b[atUpper+2*i:], uint16(m.Upper[i]))
	}
	le.PutUint16(b[atChannels:], uint16(m.Channels))
	le.PutUint16(b[atPixels:], uint16(m.Pixels))
	return b
}

// Decode reads an object of Size bytes. ok is false if it holds values that no
// encoding writes; the object is not a tensor map then.
func Decode(b []byte) (m Map, ok bool) {
	le := binary.LittleEndian
	m = Map{
		Mode: Mode(b[atMode]), Rank: int(b[atRank]) + 1, Elem: Elem(b[atElem]), Interleave: Interleave(b[atInterleave]),
		Swizzle: Swizzle(b[atSwizzle]), Atom: Atom(b[atAtom]), FillNaN: b[atFill] != 0, Promotion: b[atPromotion],
		Address:  le.Uint64(b[atAddress:]),
		Channels: uint32(le.Uint16(b[atChannels:])), Pixels: uint32(le.Uint16(b[atPixels:])),
	}
	if m.Mode > Im2colWide128 || m.Rank > MaxRank || m.Elem >= elems || m.Interleave >= interleaves ||
		m.Swizzle >= swizzles || m.Atom >= atoms || b[atFill] > 1 {
		return m, false
	}
	for i := range MaxRank {
		m.Dim[i] = uint64(le.Uint32(b[atDim+4*i:])-1) + 1 // 0 stands for 2^32
		m.Box[i] = uint32(le.Uint16(b[atBox+2*i:]))
		m.Step[i] = uint32(b[atStep+i])
	}
	for i := range m.Stride {
		m.Stride[i] = le.Uint64(b[atStride+8*i:])
	}
	for i := range m.Lower {
		m.Lower[i] = int32(int16(le.Uint16(b[atLower+2*i:])))
		m.Upper[i] = int32(int16(le.Uint16(b[atUpper+2*i:])))
	}
	return m, true
}
