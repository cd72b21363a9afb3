package sample

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// Texel is what an access gives: integers as they are read, floats as their
// patterns. Channels that the format lacks are zero.
type Texel [4]uint32

// Image is a texture as the lanes of a warp read it. Of makes one.
type Image struct {
	*isa.Texture
	Sampler *isa.Sampler
	Warp    *isa.Warp
	Lane    int // which reads

	numbers  numbers
	bytes    int  // of an element
	words    bool // channels are 32 bits that need no conversion
	channels int  // that can be other than zero
	extent   [3]int32
	axes     [3]axis // of level 0, were it no cube's
	lod      int32   // of an access that chooses none
	taps     taps
}

// size is the size of a level in elements.
func (m *Image) size(level int) *[3]int32 {
	if level == 0 {
		return &m.extent
	}
	x := m.Extent(level)
	return &x
}

// Of makes m the image of a texture and a sampler.
func (m *Image) Of(t *isa.Texture, s *isa.Sampler, w *isa.Warp) {
	m.Texture, m.Sampler, m.Warp = t, s, w
	m.numbers, m.bytes, m.channels = numbersOf(t), t.Format.Bytes(), len(Texel{})
	plain := t.Packing == isa.Plain
	m.words, m.extent = plain && t.ChannelBits == 32, t.Extent(0)
	m.lod = m.limited(0)
	for i := range m.axes {
		m.axes[i] = m.axis(0, i, false)
	}
	if plain {
		m.channels = t.Channels
	}
}

// read is the element at a cell inside a level, its channels as numbers says.
func (m *Image) read(level int, layer uint32, c [3]int32) (v Texel) {
	plane, x, y := m.Level(level), c[0], c[1]
	slice := uint64(c[2])
	if m.Layers > 0 {
		slice = uint64(layer)
	}
	if m.Packing >= isa.BC1 {
		width := m.BlockWidth()
		x, y = x/width, y/width
	}
	a, ok := plane.At(uint64(x)*uint64(m.bytes), uint64(y), slice)
	if !ok {
		m.Warp.Unmapped(plane, m.Lane, m.bytes, false)
		return v
	}
	b := m.Warp.Bytes(isa.Global, m.Lane, a, m.bytes, 1, false)
	if b == nil {
		return v
	}
	switch {
	case m.Packing >= isa.BC1:
		return m.block(b, int(c[1]%4*4+c[0]%4))
	case m.Packing == isa.RGB10A2:
		return packed(binary.LittleEndian.Uint32(b))
	}
	return m.decoded(b)
}

// decoded is an element whose channels lie one after the other, as numbers says.
func (m *Image) decoded(b []byte) (v Texel) {
	if m.words {
		for i := range m.Channels {
			v[i] = binary.LittleEndian.Uint32(b[4*i:])
		}
		return v
	}
	bytes := m.ChannelBits / 8
	for i := range m.Channels {
		v[i] = m.channel(i, b[i*bytes:])
	}
	return v
}

// channel is a channel of an element, as numbers says.
func (m *Image) channel(c int, b []byte) uint32 {
	var v uint32
	switch m.ChannelBits {
	case 8:
		v = uint32(b[0])
	case 16:
		v = uint32(binary.LittleEndian.Uint16(b))
	default:
		v = binary.LittleEndian.Uint32(b)
	}
	switch m.numbers {
	case signs, integers:
		if m.Kind == isa.Signed {
			v = extended(v, m.ChannelBits)
		}
	case curved:
		if c < 3 {
			return intensity(v)
		}
	}
	return v
}

// extended is an integer of some bits with its sign.
func extended(v uint32, bits int) uint32 {
	shift := 32 - uint(bits)
	return uint32(int32(v<<shift) >> shift)
}

// intensity is the linear intensity of a value of the sRGB curve in units of 2^-14,
// and above its 16 bits the exponent that it is weighed with, as of a half: the
// greatest of the eight values that only the lowest three bits tell apart.
func intensity(v uint32) uint32 {
	return uint32(bits.Len16(intensityTable[v|7]))<<16 | uint32(intensityTable[v])
}

// packed is an element of three channels of ten bits and one of two.
func packed(v uint32) (t Texel) {
	return Texel{v & 1023, v >> 10 & 1023, v >> 20 & 1023, v >> 30}
}

// border is the border color, as numbers says. Integers are the lowest bits of
// the color's pattern.
func (m *Image) border() (v Texel) {
	for c := range m.Channels {
		x := m.Sampler.BorderColor[c]
		raw := math.Float32bits(x)
		switch n := m.numbers.of(c); {
		case n == intensities:
			v[c] = intensity(nearBelow(float32(curve(max(0, min(1, float64(x))))), 255))
		case n == halves:
			v[c] = uint32(alu.CvtF16F32(alu.RZ, raw))
		case n == fractions:
			v[c] = nearBelow(max(0, min(1, x)), m.top(c))
		case n == signs:
			v[c] = nearBelow(max(-1, min(1, x)), m.top(c))
		case n == integers && m.ChannelBits < 32:
			if v[c] = raw & (1<<m.ChannelBits - 1); m.Kind == isa.Signed {
				v[c] = extended(raw, m.ChannelBits)
			}
		default:
			v[c] = raw
		}
	}
	return v
}

// nearBelow is x of top units as an integer, the nearest to the float, the lower in the
// middle.
func nearBelow(x float32, top int64) uint32 {
	return uint32(int32(math.Ceil(float64(x*float32(top)) - 0.5)))
}

// Store writes values to an element, converted to its format: integers and
// floats are limited to what it holds.
func Store(f isa.Format, b []byte, v Texel) {
	for c := range f.Channels {
		switch {
		case f.ChannelBits == 32:
			binary.LittleEndian.PutUint32(b[4*c:], v[c])
		case f.ChannelBits == 16 && f.Kind == isa.Float:
			binary.LittleEndian.PutUint16(b[2*c:], halfCut(v[c]))
		case f.ChannelBits == 16:
			binary.LittleEndian.PutUint16(b[2*c:], uint16(limited(v[c], f)))
		default:
			b[c] = byte(limited(v[c], f))
		}
	}
}

// halfCut is a float cut to a half; what is no number keeps its upper bits and is
// none.
func halfCut(x uint32) uint16 {
	if x&0x7fffffff > 0x7f800000 {
		return uint16(x>>31<<15 | 0x7c00 | max(x>>13&0x3ff, 1))
	}
	return alu.CvtF16F32(alu.RZ, x)
}

// limited is the integer of a format's channel next to v.
func limited(v uint32, f isa.Format) uint32 {
	if f.Kind == isa.Signed {
		most := int32(1)<<(f.ChannelBits-1) - 1
		return uint32(max(-most-1, min(most, int32(v))))
	}
	return min(v, 1<<f.ChannelBits-1)
}
