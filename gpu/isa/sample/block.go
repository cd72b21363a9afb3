package sample

import (
	"encoding/binary"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// block is element i, row by row, of a block of 4 by 4 elements, its channels as
// numbers says. What lies between two colors or values is what an H200 makes of
// them, which tests/vectors has for all pairs; formats and codes are those of the
// Khronos Data Format Specification, chapters 18 to 20.
func (m *Image) block(b []byte, i int) (v Texel) {
	signed := m.Kind == isa.Signed
	switch m.Packing {
	case isa.BC1:
		v = colors(b, i, true)
	case isa.BC2:
		v = colors(b[8:], i, false)
		v[3] = uint32(binary.LittleEndian.Uint64(b)>>(4*i)&15) * 17
	case isa.BC3:
		v = colors(b[8:], i, false)
		v[3] = alphas(b, i)
	case isa.BC4:
		v[0] = values(b, i, signed)
	case isa.BC5:
		v[0], v[1] = values(b, i, signed), values(b[8:], i, signed)
	case isa.BC6:
		v = deepColors(b, i, signed)
	case isa.BC7:
		v = sharpColors(b, i)
	}
	if m.Opaque {
		v[3] = m.opaque()
	}
	if m.numbers == curved {
		for c := range 3 {
			v[c] = intensity(v[c])
		}
	}
	return v
}

// opaque is one, as a fourth channel.
func (m *Image) opaque() uint32 {
	if m.Packing == isa.BC6 {
		return 0x3c00
	}
	return uint32(m.top(3))
}

// colors is an element of two colors of five, six and five bits, and colors
// between them. Blocks whose first color is not the greater have a mean and a
// transparent black instead of two thirds, where that is allowed.
func colors(b []byte, i int, transparent bool) (v Texel) {
	c0, c1 := uint32(binary.LittleEndian.Uint16(b)), uint32(binary.LittleEndian.Uint16(b[2:]))
	code := binary.LittleEndian.Uint32(b[4:]) >> (2 * i) & 3
	half := transparent && c0 <= c1
	if code&1 != 0 { // 3 lies as far from the second color as 2 from the first
		c0, c1 = c1, c0
	}
	between := code >= 2
	v = Texel{five(c0>>11, c1>>11, between, half), six(c0>>5&63, c1>>5&63, between, half), five(c0&31, c1&31, between, half), 255}
	if code == 3 && half {
		return Texel{}
	}
	return v
}

// five is a channel of five bits, or a third or half of the way to another one.
func five(x, y uint32, between, half bool) uint32 {
	switch {
	case !between:
		return x<<3 | x>>2
	case half:
		return (x + y) * 33 >> 3
	}
	return (2*x + y) * 22 >> 3
}

// six is the same for six bits.
func six(x, y uint32, between, half bool) uint32 {
	a, b := int32(x<<2|x>>4), int32(y<<2|y>>4)
	step := b - a
	switch {
	case !between:
		return uint32(a)
	case half:
		return uint32(a + (128*step+step/4+128)>>8)
	}
	return uint32(a + (80*step+step/4+128)>>8)
}

// rampCode is the code of element i in a block of two bytes and codes of three bits.
func rampCode(b []byte, i int) int { return int(binary.LittleEndian.Uint64(b) >> (16 + 3*i) & 7) }

// The shares of the first of two bytes in the values that codes 2 and up stand for,
// of 2048 for alpha and of 257 for other values: six values between the two, or four.
var (
	alphaShares = [2][8]uint32{{2048, 0, 1663, 1278, 770, 385}, {2048, 0, 1759, 1470, 1156, 892, 578, 289}}
	valueShares = [2][8]int32{{257, 0, 209, 161, 96, 48}, {257, 0, 221, 185, 144, 113, 72, 36}}
)

// alphas is an element of two alphas of eight bits and six or four between them; in
// the latter case, the least and the greatest there is besides.
func alphas(b []byte, i int) uint32 {
	x, y := uint32(b[0]), uint32(b[1])
	code, six := rampCode(b, i), x > y // values between the two, else four
	switch {
	case code == 6 && !six:
		return 0
	case code == 7 && !six:
		return 255
	}
	share := alphaShares[indexOf(six)][code]
	return (x*share + y*(2048-share) + 1024) >> 11
}

// values is the same of numbers that are weighed to 16 bits, with or without a sign.
func values(b []byte, i int, signed bool) uint32 {
	x, y, least, most := int32(b[0]), int32(b[1]), int32(0), int32(mostFraction)
	if signed {
		x, y, least, most = max(-127, int32(int8(b[0]))), max(-127, int32(int8(b[1]))), -mostSigned, mostSigned
	}
	code, six := rampCode(b, i), x > y // values between the two, else four
	switch {
	case code == 6 && !six:
		return uint32(least)
	case code == 7 && !six:
		return uint32(most)
	}
	share := valueShares[indexOf(six)][code]
	if !signed {
		return uint32(x*share + y*(257-share))
	}
	// One of them counts once more, and once more with its highest bit.
	near := x
	if share < 100 || share == 144 {
		near = y
	}
	return uint32(x*share + y*(257-share) + near + near/64)
}

func indexOf(b bool) int {
	if b {
		return 1
	}
	return 0
}
