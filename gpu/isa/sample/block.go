package sample

import (
	"encoding/binary"
	"math"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// Decodes reports that elements of a format are known: those of BC6 and BC7 are
// not.
func Decodes(f isa.Format) bool { return f.Packing != isa.BC6 && f.Packing != isa.BC7 }

// block is element i, row by row, of a block of 4 by 4 elements, as floats.
func (m *Image) block(b []byte, i int) (v Texel) {
	signed := m.Kind == isa.Signed
	switch m.Packing {
	case isa.BC1:
		return colors(b, i, true)
	case isa.BC2:
		v = colors(b[8:], i, false)
		v[3] = ratio(float64(binary.LittleEndian.Uint64(b)>>(4*i)&15), 15)
	case isa.BC3:
		v = colors(b[8:], i, false)
		v[3] = ramp(b, i, false)
	case isa.BC4:
		v[0] = ramp(b, i, signed)
	case isa.BC5:
		v[0], v[1] = ramp(b, i, signed), ramp(b[8:], i, signed)
	}
	return v
}

func ratio(x, of float64) uint32 { return math.Float32bits(float32(x / of)) }

// colors is an element of two colors of five, six and five bits, and colors
// between them. Blocks whose first color is not the greater have a mean and a
// transparent black instead of two thirds, where that is allowed.
func colors(b []byte, i int, transparent bool) (v Texel) {
	c0, c1 := binary.LittleEndian.Uint16(b), binary.LittleEndian.Uint16(b[2:])
	code := binary.LittleEndian.Uint32(b[4:]) >> (2 * i) & 3
	v[3] = math.Float32bits(1)
	if code == 3 && transparent && c0 <= c1 {
		return Texel{}
	}
	for c, field := range [3]struct{ shift, bits uint }{{11, 5}, {5, 6}, {0, 5}} {
		top := float64(uint(1)<<field.bits - 1)
		x0, x1 := float64(c0>>field.shift&(1<<field.bits-1)), float64(c1>>field.shift&(1<<field.bits-1))
		switch {
		case code == 0:
			v[c] = ratio(x0, top)
		case code == 1:
			v[c] = ratio(x1, top)
		case transparent && c0 <= c1:
			v[c] = ratio(x0+x1, 2*top)
		case code == 2:
			v[c] = ratio(2*x0+x1, 3*top)
		default:
			v[c] = ratio(x0+2*x1, 3*top)
		}
	}
	return v
}

// ramp is an element of two values of eight bits and six or four between them.
func ramp(b []byte, i int, signed bool) uint32 {
	code := int(binary.LittleEndian.Uint64(b) >> (16 + 3*i) & 7)
	x0, x1, least, top := float64(b[0]), float64(b[1]), 0.0, 255.0
	if signed {
		x0, x1, least, top = max(-127, float64(int8(b[0]))), max(-127, float64(int8(b[1]))), -127, 127
	}
	greater := b[0] > b[1]
	if signed {
		greater = int8(b[0]) > int8(b[1])
	}
	switch {
	case code == 0:
		return ratio(x0, top)
	case code == 1:
		return ratio(x1, top)
	case greater:
		return ratio(float64(8-code)*x0+float64(code-1)*x1, 7*top)
	case code == 6:
		return ratio(least, top)
	case code == 7:
		return ratio(top, top)
	}
	return ratio(float64(6-code)*x0+float64(code-1)*x1, 5*top)
}
