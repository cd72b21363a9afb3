package tensormap

import "fmt"

// Request holds the arguments of the encoding functions of the driver API, the
// enumerations numbered as there. Slices have a length of Rank, Strides one
// less, the corners two less.
type Request struct {
	Type    uint32 // CUtensorMapDataType
	Rank    uint32
	Address uint64
	Dims    []uint64 // elements
	Strides []uint64 // bytes
	Steps   []uint32 // elementStrides

	Box              []uint32 // tiled
	Lower, Upper     []int32  // im2col: pixelBoxLowerCorner, -UpperCorner; wide: of W alone
	Channels, Pixels uint32   // im2col
	Wide             uint32   // wide: CUtensorMapIm2ColWideMode

	Interleave, Swizzle, Promotion, Fill uint32

	// Newer says that the device has compute capability 10.0 or higher: packed
	// types, swizzles of larger atoms, im2col wide.
	Newer bool
}

// elemOf gives the element type of each CUtensorMapDataType.
var elemOf = [elems]Elem{U8, U16, U32, S32, U64, S64, F16, F32, F64, BF16, F32Ftz, TF32, TF32Ftz, B4x16, B4x16P64, B6x16P32}

// swizzleOf gives the pattern and the atom of each CUtensorMapSwizzle.
var swizzleOf = [...]struct {
	swizzle Swizzle
	atom    Atom
}{
	{NoSwizzle, Atom16}, {Swizzle32, Atom16}, {Swizzle64, Atom16}, {Swizzle128, Atom16},
	{Swizzle128, Atom32}, {Swizzle128, Atom32Flip8}, {Swizzle128, Atom64},
}

// span is the width in bytes that a pattern allows a box.
func (s Swizzle) span() uint64 { return [swizzles]uint64{0, 32, 64, 128, 96}[s] }

const (
	maxStep      = 8
	maxPixels    = 1024
	maxPromotion = 3
	packedBox    = 128 // elements of a row of the types that are expanded
)

// EncodeTiled does what cuTensorMapEncodeTiled does. The caller checks that the
// destination is aligned to Align. Every error is CUDA_ERROR_INVALID_VALUE.
func EncodeTiled(r Request) ([Size]byte, error) {
	m, err := r.common(1)
	if err == nil {
		err = r.box(&m)
	}
	return m.encodeUnless(err)
}

// EncodeIm2col does what cuTensorMapEncodeIm2col does, on the terms of
// EncodeTiled.
func EncodeIm2col(r Request) ([Size]byte, error) {
	m, err := r.common(3)
	if err == nil {
		m.Mode = Im2col
		err = r.column(&m, m.Rank-2)
	}
	return m.encodeUnless(err)
}

// EncodeIm2colWide does what cuTensorMapEncodeIm2colWide does, on the terms of
// EncodeTiled.
func EncodeIm2colWide(r Request) ([Size]byte, error) {
	m, err := r.common(3)
	switch {
	case err != nil:
	case !r.Newer:
		err = fmt.Errorf("the device does not have im2col wide")
	case r.Wide > 1:
		err = fmt.Errorf("im2col wide mode %d does not exist", r.Wide)
	case m.Swizzle < Swizzle64 || m.Atom > Atom32:
		err = fmt.Errorf("swizzle %d is not one of im2col wide", r.Swizzle)
	default:
		m.Mode = Im2colWide + Mode(r.Wide)
		err = r.column(&m, 1)
	}
	return m.encodeUnless(err)
}

// ReplaceAddress does what cuTensorMapReplaceAddress does to the object b.
func ReplaceAddress(b []byte, address uint64) error {
	m, ok := Decode(b)
	if !ok {
		return fmt.Errorf("the object is not a tensor map")
	}
	if a := m.alignment(); address%a != 0 {
		return fmt.Errorf("global address %#x is not aligned to %d bytes", address, a)
	}
	m.Address = address
	n := m.Encode()
	copy(b, n[:])
	return nil
}

func (m *Map) encodeUnless(err error) ([Size]byte, error) {
	if err != nil {
		return [Size]byte{}, fmt.Errorf("encode tensor map: %w", err)
	}
	return m.Encode(), nil
}

// alignment is what the address and strides of a map are multiples of.
func (m *Map) alignment() uint64 {
	if m.Interleave == Interleave32 || m.Elem == B4x16P64 || m.Elem == B6x16P32 {
		return 32
	}
	return 16
}

// common checks and takes what all maps have.
func (r *Request) common(least uint32) (m Map, err error) {
	switch {
	case r.Type >= uint32(elems):
		return m, fmt.Errorf("data type %d does not exist", r.Type)
	case r.Interleave >= uint32(interleaves):
		return m, fmt.Errorf("interleave %d does not exist", r.Interleave)
	case r.Swizzle >= uint32(len(swizzleOf)):
		return m, fmt.Errorf("swizzle %d does not exist", r.Swizzle)
	case !r.Newer && (elemOf[r.Type].Packed() || swizzleOf[r.Swizzle].atom != Atom16):
		return m, fmt.Errorf("the device does not have data type %d with swizzle %d", r.Type, r.Swizzle)
	case r.Promotion > maxPromotion:
		return m, fmt.Errorf("L2 promotion %d does not exist", r.Promotion)
	case r.Fill > 1:
		return m, fmt.Errorf("out-of-bound fill %d does not exist", r.Fill)
	}
	if r.Interleave != 0 {
		least = max(least, 3)
	}
	if r.Rank < least || r.Rank > MaxRank {
		return m, fmt.Errorf("rank %d is not between %d and %d", r.Rank, least, MaxRank)
	}
	s := swizzleOf[r.Swizzle]
	m = Map{
		Elem: elemOf[r.Type], Rank: int(r.Rank), Interleave: Interleave(r.Interleave), Swizzle: s.swizzle, Atom: s.atom,
		FillNaN: r.Fill == 1, Promotion: uint8(r.Promotion), Address: r.Address,
	}
	if err := m.modes(); err != nil {
		return m, err
	}
	return m, r.extent(&m)
}

// modes checks what the kinds of a map admit together.
func (m *Map) modes() error {
	switch {
	case m.FillNaN && !m.Elem.Float():
		return fmt.Errorf("only elements of floating point can be filled with NaN")
	case m.Elem == B6x16P32 && m.Interleave != NoInterleave:
		return fmt.Errorf("elements of 6 bits cannot be interleaved")
	case m.Elem == B6x16P32 && (m.Swizzle != NoSwizzle && m.Swizzle != Swizzle128 || m.Atom == Atom32Flip8),
		m.Elem == B4x16P64 && (m.Swizzle != NoSwizzle && m.Swizzle != Swizzle128 || m.Atom > Atom32):
		return fmt.Errorf("expanded elements do not have this swizzle")
	}
	return nil
}

// extent checks and takes the tensor's place, size and steps.
func (r *Request) extent(m *Map) error {
	align := m.alignment()
	if r.Address%align != 0 {
		return fmt.Errorf("global address %#x is not aligned to %d bytes", r.Address, align)
	}
	unit := uint64(1)
	switch m.Elem {
	case B4x16:
		unit = 2
	case B4x16P64, B6x16P32:
		unit = packedBox
	}
	for i := range m.Rank {
		if d := r.Dims[i]; d == 0 || d > 1<<32 || i == 0 && d%unit != 0 {
			return fmt.Errorf("dimension %d cannot have a size of %d", i, d)
		}
		if s := r.Steps[i]; s == 0 || s > maxStep {
			return fmt.Errorf("element stride %d of dimension %d is not between 1 and %d", s, i, maxStep)
		}
		m.Dim[i], m.Step[i] = r.Dims[i], r.Steps[i]
	}
	for i := range m.Rank - 1 {
		if s := r.Strides[i]; s%align != 0 || s >= 1<<40 {
			return fmt.Errorf("stride %d of dimension %d is not a multiple of %d below 2^40", s, i+1, align)
		}
		m.Stride[i] = r.Strides[i]
	}
	return nil
}

// box checks and takes the box of a tiled map.
func (r *Request) box(m *Map) error {
	for i := range m.Rank {
		if n := r.Box[i]; n == 0 || n > MaxBox {
			return fmt.Errorf("box of %d elements in dimension %d is not between 1 and %d", n, i, MaxBox)
		}
		m.Box[i] = r.Box[i]
	}
	bytes := uint64(max(m.Elem.Bytes(), 1))
	for _, n := range r.Box[:m.Rank] {
		bytes *= uint64(n)
	}
	if bytes > 1<<18 {
		return fmt.Errorf("a box of %d bytes is larger than shared memory", bytes)
	}
	return m.row(r.Box[0])
}

// row checks the innermost dimension of what is copied, n elements.
func (m *Map) row(n uint32) error {
	bytes := uint64(n) * uint64(m.Elem.Bytes())
	switch m.Elem {
	case B4x16:
		bytes = uint64(n) / 2
	case B4x16P64, B6x16P32:
		if n != packedBox {
			return fmt.Errorf("a row of expanded elements has %d, not %d", packedBox, n)
		}
		bytes = packedBox
	}
	if m.Interleave != NoInterleave {
		return nil
	}
	if bytes%16 != 0 {
		return fmt.Errorf("a row of %d bytes is no multiple of 16", bytes)
	}
	if span := m.Swizzle.span(); span != 0 && bytes > span {
		return fmt.Errorf("a row of %d bytes is wider than the swizzle, %d", bytes, span)
	}
	return nil
}

// column checks and takes what an im2col map copies: n corners are given.
func (r *Request) column(m *Map, n int) error {
	bits := [...]uint{16, 8, 5}[m.Rank-3]
	if m.Mode != Im2col {
		bits = 16
	}
	low, high := int32(-1)<<(bits-1), int32(1)<<(bits-1)-1
	for i := range n {
		l, u := r.Lower[i], r.Upper[i]
		if l < low || l > high || u < low || u > high {
			return fmt.Errorf("corners %d and %d are not between %d and %d", l, u, low, high)
		}
		if int64(m.Dim[1+i])+int64(u)-int64(l) <= 0 {
			return fmt.Errorf("corners %d and %d leave nothing of %d", l, u, m.Dim[1+i])
		}
		m.Lower[i], m.Upper[i] = l, u
	}
	if r.Channels == 0 || r.Channels > MaxBox {
		return fmt.Errorf("%d channels are not between 1 and %d", r.Channels, MaxBox)
	}
	if m.Mode != Im2colWide128 && (r.Pixels == 0 || r.Pixels > maxPixels) {
		return fmt.Errorf("%d pixels are not between 1 and %d", r.Pixels, maxPixels)
	}
	m.Channels, m.Pixels = r.Channels, r.Pixels
	return m.row(r.Channels)
}
