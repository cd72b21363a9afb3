package sample

import (
	"math"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// Sample reads at a place between elements.
func (m *Image) Sample(p *Place) Texel {
	s := m.at(p)
	if m.lacks(p) {
		return Texel{}
	}
	var taps taps
	lod := m.detail(p)
	if level, part := lod>>fixedBits, lod&fixedMask; m.Sampler.MipLinear && part != 0 {
		s.touch(&taps, int(level), one-part)
		s.touch(&taps, int(level)+1, part)
	} else if m.Sampler.MipLinear {
		s.touch(&taps, int(level), one)
	} else {
		s.touch(&taps, int((lod+one/2)>>fixedBits), one)
	}
	if taps.n == 1 && !m.Sampler.Linear {
		return m.values(m.numbers(), taps.all[0].v)
	}
	return m.blend(&taps, m.numbers())
}

// Gather reads one channel of the four elements that linear filtering would
// weigh, from the lower left one counter-clockwise.
func (m *Image) Gather(p *Place, channel int) (v Texel) {
	s := m.at(p)
	x, _ := s.between(0, 0)
	y, _ := s.between(0, 1)
	x, y = x+int64(p.offset(0)), y+int64(p.offset(1))
	for i, c := range [4][2]int64{{0, 1}, {1, 1}, {1, 0}, {0, 0}} {
		e := s.element(0, [3]int64{x + c[0], y + c[1]})
		if v[i] = m.values(m.numbers(), e)[channel]; m.numbers() == floats && v[i]&0x7fffffff > 0x7f800000 {
			v[i] = alu.NaNF32
		}
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

// at begins an access.
func (m *Image) at(p *Place) *sampling {
	s := &sampling{m, p, p.Dims, m.layer(p.Layer), p.At}
	for i, x := range s.at {
		s.at[i] = flushed(x)
	}
	if p.Cube {
		s.face()
	}
	return s
}

// flushed is x, or zero if it is subnormal.
func flushed(x float32) float32 {
	if math.Float32bits(x)&0x7f800000 == 0 {
		return 0
	}
	return x
}

// Positions have eight fraction bits between elements, weights and levels of
// detail too.
const (
	fixedBits = 8
	one       = 1 << fixedBits
	fixedMask = one - 1
)

// tap is an element with its weight.
type tap struct {
	weight int32
	v      Texel
}

// taps are the elements of an access: at most eight in each of two levels.
type taps struct {
	n   int
	all [16]tap
}

func (t *taps) add(weight int32, v Texel) {
	t.all[t.n] = tap{weight, v}
	t.n++
}

// touch adds the elements of a level, which together weigh as much as said.
func (s *sampling) touch(t *taps, level int, weight int32) {
	level = min(level, max(s.Levels, 1)-1)
	dims := s.dims
	if !s.Sampler.Linear {
		var cell [3]int64
		for i := range dims {
			cell[i] = int64(math.Floor(s.scaled(level, i))) + int64(s.place.offset(i))
		}
		t.add(weight, s.element(level, cell))
		return
	}
	var base [3]int64
	var part [3]int32
	flat := max(dims, 2) // an image of one dimension has one row, at whose edge it is read
	for i := range flat {
		base[i], part[i] = s.between(level, i)
		if i < dims {
			base[i] += int64(s.place.offset(i))
		}
	}
	weights := cornersOf(flat, part, weight)
	for corner, w := range weights[:1<<flat] {
		cell, reached := base, true
		for i := range flat {
			if corner>>i&1 != 0 {
				cell[i]++
				reached = reached && part[i] != 0
			}
		}
		if reached { // if only by a weight that is rounded to zero: what is no number counts
			t.add(w, s.element(level, cell))
		}
	}
}

// round is a product of two numbers with eight fraction bits, to the nearest.
func round(a, b int32) int32 { return (a*b + one/2) >> fixedBits }

// cornersOf are the weights of the corners of a square or cube.
func cornersOf(dims int, part [3]int32, weight int32) (w [8]int32) {
	x, y, z := part[0], part[1], part[2]
	xy := round(x, y)
	w = [8]int32{one - x - y + xy, x - xy, y - xy, xy}
	if dims == 3 {
		for i, flat := range w[:4] {
			w[4+i] = round(flat, z)
			w[i] -= w[4+i]
		}
	}
	if weight != one {
		for i := range w {
			w[i] = round(w[i], weight)
		}
	}
	return w
}

// between is the element before a position and the distance from its centre. The
// second coordinate of an image of one dimension is zero.
func (s *sampling) between(level, i int) (base int64, part int32) {
	x := 0.0
	if i < s.dims {
		x = s.scaled(level, i)
	}
	fixed := int64(math.Floor((x-0.5)*one + 0.5))
	return fixed >> fixedBits, int32(fixed & fixedMask)
}

// Normalized coordinates are cut to so many fraction bits before they are
// multiplied by the size of an image, which costs one unless it is a power of two.
const coordinateBits = 22

// scaled is coordinate i in elements, within what fixed-point numbers hold.
func (s *sampling) scaled(level, i int) float64 {
	const most = 1 << 40
	x := float64(s.at[i])
	if s.normalized() {
		switch s.Sampler.Address[i] {
		case isa.Wrap:
			x -= math.Floor(x)
		case isa.Mirror:
			x -= 2 * math.Floor(x/2)
		}
		n, fraction := s.Extent(level)[i], float64(1<<coordinateBits)
		if n&(n-1) != 0 {
			fraction /= 2
		}
		x = math.Floor(x*fraction) / fraction * float64(n)
	}
	if x != x {
		return 0
	}
	return max(-most, min(most, x))
}

func (s *sampling) normalized() bool { return s.Normalized && !s.Sampler.InElements || s.place.Cube }

// element is the element at a cell that may lie outside, by the address modes.
// Wrapping and mirroring are for normalized coordinates; others clamp.
func (s *sampling) element(level int, cell [3]int64) Texel {
	extent := s.Extent(level)
	var at [3]int32
	for i := range max(s.dims, 2) {
		n := int64(extent[i])
		mode := s.Sampler.Address[i]
		if !s.normalized() && mode != isa.Border {
			mode = isa.Clamp
		}
		x := cell[i]
		switch {
		case mode == isa.Wrap:
			x = (x%n + n) % n
		case mode == isa.Mirror:
			if x = (x%(2*n) + 2*n) % (2 * n); x >= n {
				x = 2*n - 1 - x
			}
		case mode == isa.Border && (x < 0 || x >= n):
			return s.border()
		default:
			x = max(0, min(n-1, x))
		}
		at[i] = int32(x)
	}
	return s.read(level, s.layer, at)
}

// The least and the greatest bias of a level of detail.
const (
	leastBias = -16 * one
	mostBias  = 16*one - 1
)

// detail is the level of detail of an access, a fixed-point number.
func (m *Image) detail(p *Place) int32 {
	x := float32(0)
	switch p.Detail {
	case Level:
		x = flushed(p.Number)
	case Gradient:
		x = float32(m.gradient(p))
	}
	lod := fixed(x)
	if p.Detail != Base {
		lod += max(leastBias, min(mostBias, fixed(m.Sampler.Bias)))
	}
	lod = max(fixed(m.Sampler.Least), min(fixed(m.Sampler.Most), lod))
	return max(0, min(lod, int32(max(m.Levels, 1)-1)<<fixedBits))
}

// fixed cuts a number to a fixed-point number.
func fixed(x float32) int32 {
	const most = 1 << 20
	if x != x {
		return 0
	}
	return int32(max(-most, min(most, float64(x))) * one)
}

// gradient is the level of detail at which elements are as far apart as the
// places of neighbouring threads.
func (m *Image) gradient(p *Place) float64 {
	extent := m.Extent(0)
	most := 0.0
	for _, d := range p.Slope {
		sum := 0.0
		for i := range p.Dims {
			x := float64(d[i]) * float64(extent[i])
			sum += x * x
		}
		most = max(most, math.Sqrt(sum))
	}
	return math.Log2(most)
}

// face turns a direction into a layer, six for each cube, and a position on the
// face of the axis along which it is longest.
func (s *sampling) face() {
	x, y, z := s.at[0], s.at[1], s.at[2]
	abs := func(v float32) float32 { return float32(math.Abs(float64(v))) }
	var face uint32
	var u, v, major float32
	switch ax, ay, az := abs(x), abs(y), abs(z); {
	case az >= ax && az >= ay:
		face, u, v, major = 4, x, -y, az
		if z < 0 {
			face, u = 5, -x
		}
	case ay >= ax:
		face, u, v, major = 2, x, z, ay
		if y < 0 {
			face, v = 3, -z
		}
	default:
		face, u, v, major = 0, -z, -y, ax
		if x < 0 {
			face, u = 1, z
		}
	}
	s.layer += face
	s.dims = 2
	s.at = [3]float32{(u/major + 1) / 2, (v/major + 1) / 2, 0}
}
