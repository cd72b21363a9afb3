package sample

import (
	"encoding/binary"
	"math"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// Texel is what an access gives: integers as they are read, floats as their
// patterns. Channels that the format lacks are zero.
type Texel [4]uint32

// Reader gives n bytes of device memory, nil where there are none. It has
// reported that by then.
type Reader func(addr uint64, n int) []byte

// Image is a texture as one lane reads it.
type Image struct {
	*isa.Texture
	Sampler *isa.Sampler
	Read    Reader
}

// floats reports that elements are read as floats.
func (m *Image) floats() bool {
	return m.Kind == isa.Float || m.ReadNormalized || m.Packing != isa.Plain
}

// element is the element at a cell inside a level.
func (m *Image) element(level int, layer uint32, c [3]int32) (v Texel) {
	plane, width := m.Level(level), m.BlockWidth()
	slice := uint64(c[2])
	if m.Layers > 0 {
		slice = uint64(layer)
	}
	n := m.Format.Bytes()
	a := plane.Base + slice*plane.SlicePitch + uint64(c[1]/width)*plane.Pitch + uint64(c[0]/width)*uint64(n)
	b := m.Read(a, n)
	if b == nil {
		return v
	}
	switch {
	case m.Packing >= isa.BC1:
		v = block(m.Format, b, int(c[1]%4*4+c[0]%4))
	case m.Packing == isa.RGB10A2:
		v = packed(binary.LittleEndian.Uint32(b))
	default:
		bytes := m.ChannelBits / 8
		for i := range m.Channels {
			v[i] = m.channel(i, b[i*bytes:])
		}
		return v
	}
	if m.SRGB {
		for i := range 3 {
			v[i] = math.Float32bits(float32(fromSRGB(float64(math.Float32frombits(v[i])))))
		}
	}
	return v
}

// channel is a channel's value as the texture is read.
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
	switch {
	case m.Kind == isa.Float && m.ChannelBits == 16:
		return alu.CvtF32F16(uint16(v))
	case m.Kind != isa.Float && m.ReadNormalized:
		x := normalized(v, m.ChannelBits, m.Kind == isa.Signed)
		if m.SRGB && m.ChannelBits == 8 && c < 3 {
			x = fromSRGB(x)
		}
		return math.Float32bits(float32(x))
	case m.Kind == isa.Signed:
		shift := 32 - uint(m.ChannelBits)
		return uint32(int32(v<<shift) >> shift)
	}
	return v
}

// normalized maps an integer of some bits onto [0, 1], or [-1, 1] if it has a
// sign.
func normalized(v uint32, bits int, signed bool) float64 {
	top := uint32(1)<<bits - 1
	if !signed {
		return float64(v) / float64(top)
	}
	shift := 32 - uint(bits)
	return max(-1, float64(int32(v<<shift)>>shift)/float64(top>>1))
}

// fromSRGB is the linear intensity of a value of the sRGB curve (IEC 61966-2-1).
func fromSRGB(x float64) float64 {
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}

// packed is an element of three channels of ten bits and one of two.
func packed(v uint32) (t Texel) {
	for i := range 3 {
		t[i] = math.Float32bits(float32(normalized(v>>(10*i)&1023, 10, false)))
	}
	t[3] = math.Float32bits(float32(normalized(v>>30, 2, false)))
	return t
}

// border is the border color as the texture is read.
func (m *Image) border() (v Texel) {
	for c := range m.Channels {
		x := m.Sampler.BorderColor[c]
		v[c] = math.Float32bits(x)
		if !m.floats() {
			v[c] = uint32(int32(x))
		}
	}
	return v
}

// Store writes values to an element, converted to its format: integers and
// floats are limited to what it holds.
func Store(f isa.Format, b []byte, v Texel) {
	for c := range f.Channels {
		switch {
		case f.ChannelBits == 32:
			binary.LittleEndian.PutUint32(b[4*c:], v[c])
		case f.ChannelBits == 16 && f.Kind == isa.Float:
			binary.LittleEndian.PutUint16(b[2*c:], alu.CvtF16F32(alu.RN, v[c]))
		case f.ChannelBits == 16:
			binary.LittleEndian.PutUint16(b[2*c:], uint16(limited(v[c], f)))
		default:
			b[c] = byte(limited(v[c], f))
		}
	}
}

// limited is the integer of a format's channel next to v.
func limited(v uint32, f isa.Format) uint32 {
	if f.Kind == isa.Signed {
		most := int32(1)<<(f.ChannelBits-1) - 1
		return uint32(max(-most-1, min(most, int32(v))))
	}
	return min(v, 1<<f.ChannelBits-1)
}
