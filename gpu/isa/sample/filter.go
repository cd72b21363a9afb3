package sample

import (
	"math"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// Sample reads at a place between elements.
func (m *Image) Sample(p *Place) Texel {
	s := sampling{m, p, p.Dims, m.layer(p.Layer), p.At}
	if p.Cube {
		s.face()
	}
	if m.Sampler.Linear {
		return s.linear(0)
	}
	return s.nearest(0)
}

// Gather reads one channel of the four elements that linear filtering would
// weigh, from the lower left one counter-clockwise.
func (m *Image) Gather(p *Place, channel int) (v Texel) {
	s := sampling{m, p, p.Dims, m.layer(p.Layer), p.At}
	if p.Cube {
		s.face()
	}
	x, _ := s.between(0, 0)
	y, _ := s.between(0, 1)
	for i, c := range [4][2]int32{{0, 1}, {1, 1}, {1, 0}, {0, 0}} {
		v[i] = s.cellOr(0, [3]int32{x + c[0], y + c[1]})[channel]
	}
	return v
}

// sampling is one access to an image.
type sampling struct {
	*Image
	place *Place
	dims  int
	layer uint32
	at    [3]float32
}

// face turns a direction into a layer, six for each cube, and a position on the
// face of the axis along which it is longest.
func (s *sampling) face() {
	x, y, z := s.at[0], s.at[1], s.at[2]
	abs := func(v float32) float32 { return float32(math.Abs(float64(v))) }
	var face uint32
	var u, v, major float32
	switch ax, ay, az := abs(x), abs(y), abs(z); {
	case ax >= ay && ax >= az:
		face, u, v, major = 0, -z, -y, ax
		if x < 0 {
			face, u = 1, z
		}
	case ay >= az:
		face, u, v, major = 2, x, z, ay
		if y < 0 {
			face, v = 3, -z
		}
	default:
		face, u, v, major = 4, x, -y, az
		if z < 0 {
			face, u = 5, -x
		}
	}
	s.layer = s.Image.layer(6*s.place.Layer + face)
	s.dims = 2
	s.at = [3]float32{(u/major + 1) / 2, (v/major + 1) / 2, 0}
}

// nearest reads the element that a position lies in.
func (s *sampling) nearest(level int) Texel {
	var cell [3]int32
	for i := range s.dims {
		cell[i] = int32(math.Floor(s.scaled(level, i))) + s.place.Offset[i]
	}
	return s.cellOr(level, cell)
}

// fixedBits are the fraction bits of a position between two elements.
const fixedBits = 8

// linear weighs the two, four or eight elements around a position.
func (s *sampling) linear(level int) Texel {
	var base, part [3]int32
	for i := range s.dims {
		base[i], part[i] = s.between(level, i)
		base[i] += s.place.Offset[i]
	}
	var sum [4]float64
	for corner := range 1 << s.dims {
		weight := 1.0
		cell := base
		for i := range s.dims {
			if corner>>i&1 != 0 {
				cell[i]++
				weight *= float64(part[i]) / (1 << fixedBits)
			} else {
				weight *= float64(1<<fixedBits-part[i]) / (1 << fixedBits)
			}
		}
		if weight == 0 {
			continue
		}
		for c, v := range s.cellOr(level, cell) {
			sum[c] += weight * float64(math.Float32frombits(v))
		}
	}
	var v Texel
	for c := range v {
		v[c] = math.Float32bits(float32(sum[c]))
	}
	return v
}

// between is the element before a position and the distance from its centre,
// with eight fraction bits (CUDA C++ Programming Guide, linear filtering).
func (s *sampling) between(level, i int) (base, part int32) {
	fixed := int32(math.Floor((s.scaled(level, i)-0.5)*(1<<fixedBits) + 0.5))
	return fixed >> fixedBits, fixed & (1<<fixedBits - 1)
}

// scaled is coordinate i in elements, brought into a range that an int32 with
// fixedBits fraction bits holds.
func (s *sampling) scaled(level, i int) float64 {
	const most = 1 << 22
	x := s.at[i]
	if s.Normalized && !s.Sampler.InElements {
		switch s.Sampler.Address[i] {
		case isa.Wrap:
			x -= float32(math.Floor(float64(x)))
		case isa.Mirror:
			x -= 2 * float32(math.Floor(float64(x)/2))
		}
		x *= float32(s.Extent(level)[i])
	}
	if x != x {
		return 0
	}
	return max(-most, min(most, float64(x)))
}

// cellOr is the element at a cell that may lie outside, by the address modes.
// Wrapping and mirroring are for normalized coordinates; others clamp.
func (s *sampling) cellOr(level int, cell [3]int32) Texel {
	extent := s.Extent(level)
	for i := range s.dims {
		n := extent[i]
		mode := s.Sampler.Address[i]
		if (!s.Normalized || s.Sampler.InElements) && mode != isa.Border {
			mode = isa.Clamp
		}
		switch x := cell[i]; {
		case n == 0:
			return Texel{}
		case mode == isa.Wrap:
			cell[i] = (x%n + n) % n
		case mode == isa.Mirror:
			if x = (x%(2*n) + 2*n) % (2 * n); x >= n {
				x = 2*n - 1 - x
			}
			cell[i] = x
		case mode == isa.Border && (x < 0 || x >= n):
			return s.border()
		default:
			cell[i] = max(0, min(n-1, x))
		}
	}
	return s.element(level, s.layer, cell)
}
