package rt

import "github.com/lockstep-sim/lockstep/gpu/isa"

// ChannelDesc is cudaChannelFormatDesc: bits of each component, and what they are.
type ChannelDesc struct {
	Bits [4]int32
	Kind int32
}

// Kinds of channels. From channelNormalized on the kind says the whole format.
const (
	channelSigned     = 0
	channelUnsigned   = 1
	channelFloat      = 2
	channelNone       = 3
	channelNV12       = 4
	channelNormalized = 5
)

// format is a channel description in the terms of the engine.
type format struct {
	isa.Format
	normalized bool // integers are read as floats, whatever the program asks for
	srgb       bool
}

// bytes is the size of an element or of a block of elements.
func (f format) bytes() uint64 { return uint64(f.Bytes()) }

// units is the number of elements, or of blocks, in a row or column of n elements.
func (f format) units(n uint64) uint64 {
	w := uint64(f.BlockWidth())
	return (n + w - 1) / w
}

// namedFormats are the formats of the kinds from channelNormalized on, with the
// bits that describe them (driver_types.h of CUDA 13).
var namedFormats = []format{
	normalizedFormat(1, 8, isa.Unsigned, isa.Plain), normalizedFormat(2, 8, isa.Unsigned, isa.Plain), normalizedFormat(4, 8, isa.Unsigned, isa.Plain),
	normalizedFormat(1, 16, isa.Unsigned, isa.Plain), normalizedFormat(2, 16, isa.Unsigned, isa.Plain), normalizedFormat(4, 16, isa.Unsigned, isa.Plain),
	normalizedFormat(1, 8, isa.Signed, isa.Plain), normalizedFormat(2, 8, isa.Signed, isa.Plain), normalizedFormat(4, 8, isa.Signed, isa.Plain),
	normalizedFormat(1, 16, isa.Signed, isa.Plain), normalizedFormat(2, 16, isa.Signed, isa.Plain), normalizedFormat(4, 16, isa.Signed, isa.Plain),
	normalizedFormat(4, 8, isa.Unsigned, isa.BC1), srgb(normalizedFormat(4, 8, isa.Unsigned, isa.BC1)),
	normalizedFormat(4, 8, isa.Unsigned, isa.BC2), srgb(normalizedFormat(4, 8, isa.Unsigned, isa.BC2)),
	normalizedFormat(4, 8, isa.Unsigned, isa.BC3), srgb(normalizedFormat(4, 8, isa.Unsigned, isa.BC3)),
	opaque(1, 8, isa.Unsigned, isa.BC4), opaque(1, 8, isa.Signed, isa.BC4),
	opaque(2, 8, isa.Unsigned, isa.BC5), opaque(2, 8, isa.Signed, isa.BC5),
	opaque(3, 16, isa.Unsigned, isa.BC6), opaque(3, 16, isa.Signed, isa.BC6),
	normalizedFormat(4, 8, isa.Unsigned, isa.BC7), srgb(normalizedFormat(4, 8, isa.Unsigned, isa.BC7)),
	normalizedFormat(4, 10, isa.Unsigned, isa.RGB10A2),
}

func normalizedFormat(channels, bits int, kind isa.Kind, packing isa.Packing) format {
	return format{Format: isa.Format{Channels: channels, ChannelBits: bits, Kind: kind, Packing: packing}, normalized: true}
}

// opaque is a format of blocks without a fourth channel, in whose place there is one.
func opaque(channels, bits int, kind isa.Kind, packing isa.Packing) format {
	f := normalizedFormat(channels, bits, kind, packing)
	f.Opaque = true
	return f
}

func srgb(f format) format {
	f.srgb = true
	return f
}

// described are the bits that describe a named format (measured).
func (f format) described() (bits [4]int32) {
	if f.Packing == isa.RGB10A2 {
		return [4]int32{10, 10, 10, 2}
	}
	for i := range f.Channels {
		bits[i] = int32(f.ChannelBits)
	}
	return bits
}

// format checks a description: one, two or four components of the same 8, 16 or
// 32 bits, or a named format with its bits.
func (d ChannelDesc) format() (format, error) {
	wrong := fail(ErrInvalidChannelDescriptor, "components of %v bits of kind %d", d.Bits, d.Kind)
	if n := int(d.Kind) - channelNormalized; n >= 0 {
		if n >= len(namedFormats) {
			return format{}, wrong
		}
		f := namedFormats[n]
		if d.Bits != f.described() {
			return format{}, wrong
		}
		return f, nil
	}
	if d.Kind == channelNV12 && d.Bits == [4]int32{8, 8, 8, 0} {
		return format{}, fail(ErrInvalidValue, "arrays of two planes (NV12) are not supported")
	}
	f := format{Format: isa.Format{ChannelBits: int(d.Bits[0])}}
	for f.Channels < 4 && d.Bits[f.Channels] != 0 {
		f.Channels++
	}
	ok := f.Channels == 1 || f.Channels == 2 || f.Channels == 4
	for i, b := range d.Bits {
		ok = ok && (i >= f.Channels && b == 0 || i < f.Channels && b == d.Bits[0])
	}
	ok = ok && (f.ChannelBits == 8 || f.ChannelBits == 16 || f.ChannelBits == 32)
	switch d.Kind {
	case channelSigned:
		f.Kind = isa.Signed
	case channelUnsigned:
		f.Kind = isa.Unsigned
	case channelFloat:
		f.Kind = isa.Float
		ok = ok && f.ChannelBits != 8
	default:
		ok = false
	}
	if !ok {
		return f, wrong
	}
	return f, nil
}
