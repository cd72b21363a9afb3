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
	taps := &m.taps
	taps.n, taps.more = 0, 0
	f := m.footprint(p)
	level, part := f.lod>>fixedBits, f.lod&fixedMask
	if !m.Sampler.MipLinear {
		level, part = (f.lod+one/2)>>fixedBits, 0
	}
	s.filter(taps, &f, level, part)
	if taps.n == 1 && !m.Sampler.Linear && m.Sampler.Anisotropy < 2 {
		return m.values(taps.all[0].v)
	}
	return m.blend(taps)
}

// filter adds the elements of a footprint in a level and, with a part of the weight, in
// the one above.
func (s *sampling) filter(t *taps, f *footprint, level, part int32) {
	if f.ratio <= 0 {
		s.touch(t, int(level), one-part)
		if part != 0 {
			s.touch(t, int(level)+1, part)
		}
		return
	}
	var lower, upper [mostSamples]probe
	width := int32(64) // of an element of the level above, in ones of this one, is 128
	if part != 0 {
		width = inverses[one-part] / 2
	}
	samples, more := f.probes(&lower, f.ratio, width, one-part)
	var above []probe
	moreAbove := more
	if part != 0 {
		above, moreAbove = f.probes(&upper, f.ratio+part-one, 64, part)
	}
	t.more = max(more, moreAbove)
	s.up = t.more - more
	for _, s.probe = range samples {
		s.touch(t, int(level), s.probe.weight)
		s.square += squaresOfSample
	}
	s.up = t.more - moreAbove
	for _, s.probe = range above {
		s.touch(t, int(level)+1, s.probe.weight)
		s.square += squaresOfSample
	}
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
		if m.numbers == signs {
			m.taps.n, m.taps.more = 0, 0
			m.taps.add(one, 0, e)
			v[i] = m.blend(&m.taps)[channel]
			continue
		}
		if v[i] = m.values(e)[channel]; m.numbers == floats && v[i]&0x7fffffff > 0x7f800000 {
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

	probe  probe
	square int  // the number of its first square
	up     uint // how much finer the weights of the access count than those of the sample
}

// squaresOfSample is how many squares a sample may have: two in each level.
const squaresOfSample = 2 * isa.MaxLevels

// at begins an access.
func (m *Image) at(p *Place) sampling {
	s := sampling{Image: m, place: p, dims: p.Dims, layer: m.layer(p.Layer), at: p.At}
	for i, x := range s.at {
		s.at[i] = flushed(x)
	}
	if p.Cube {
		s.direction()
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

// tap is an element with its weight, and the number of the square of elements that
// it belongs to.
type tap struct {
	weight int32
	square int
	v      Texel
}

// taps are the elements of an access: of each of its samples at most eight in each of
// two levels. Weights count 2^-(8+more).
type taps struct {
	n    int
	more uint
	all  [mostSamples * 16]tap
}

func (t *taps) add(weight int32, square int, v Texel) {
	t.all[t.n] = tap{weight, square, v}
	t.n++
}

// touch adds the elements of a level, which together weigh as much as said.
func (s *sampling) touch(t *taps, level int, weight int32) {
	level = min(level, max(s.Levels, 1)-1)
	dims := s.dims
	if !s.Sampler.Linear {
		var cell [3]int64
		for i := range dims {
			cell[i] = s.cell(level, i) + int64(s.place.offset(i))
		}
		t.add(weight<<s.up, s.square+2*level, s.element(level, cell))
		return
	}
	var base [3]int64
	var part [3]int32
	inside := true       // no corner needs an address mode
	flat := max(dims, 2) // an image of one dimension has one row, at whose edge it is read
	for i := range flat {
		base[i], part[i] = s.between(level, i)
		if i < dims {
			base[i] += int64(s.place.offset(i))
		}
		if s.merges(level, i, base[i]) {
			part[i] = 0
		}
		inside = inside && base[i] >= 0 && base[i]+1 < int64(s.size(level)[i])
	}
	weights, missing, lost := cornersOf(flat, part, weight), int32(0), 0
	for corner, w := range weights[:1<<flat] {
		cell, reached := base, true
		for i := range flat {
			if corner>>i&1 != 0 {
				cell[i]++
				reached = reached && part[i] != 0
			}
		}
		if reached && inside {
			t.add(w<<s.up, s.square+2*level+corner/4, s.read(level, s.layer, [3]int32{int32(cell[0]), int32(cell[1]), int32(cell[2])}))
			continue
		}
		if reached && s.seamless() && s.beyond(level, &cell) {
			missing, lost = w, corner
			continue
		}
		if reached { // if only by a weight that is rounded to zero: what is no number counts
			t.add(w<<s.up, s.square+2*level+corner/4, s.element(level, cell))
		}
	}
	t.share(missing, lost)
}

// round is a product of two numbers with eight fraction bits, to the nearest.
func round(a, b int32) int32 { return (a*b + one/2) >> fixedBits }

// cornersOf are the weights of the corners of a square or cube, which together
// weigh as much as said. They are shared along the last axis first, the second one
// last; of what lies in the middle the corners behind and before both get more, and
// the slice before.
func cornersOf(dims int, part [3]int32, weight int32) (w [8]int32) {
	slices := [2]int32{weight, 0}
	if dims == 3 {
		slices[0] = round(weight, one-part[2])
		slices[1] = weight - slices[0]
	}
	for z, slice := range slices {
		x1 := round(slice, part[0])
		x0 := slice - x1
		corners := w[4*z:]
		corners[3] = round(x1, part[1])
		corners[1] = x1 - corners[3]
		corners[0] = round(x0, one-part[1])
		corners[2] = x0 - corners[0]
	}
	return w
}

// between is the element before coordinate i and the distance from its centre. The
// second one of an image of one dimension is zero.
func (s *sampling) between(level, i int) (base int64, part int32) {
	x := 0.0
	if i < s.dims {
		x = s.scaled(level, i)
	}
	return split(fixedBetween(x) + int64(s.probe.offset(i)))
}

// cell is the element that coordinate i falls on.
func (s *sampling) cell(level, i int) int64 {
	x, aside := s.scaled(level, i), s.probe.offset(i)
	if aside == 0 {
		return int64(math.Floor(x))
	}
	cell, _ := split(int64(math.Floor(x*one)) + int64(aside))
	return cell
}

// between is the element before a position, in elements, and the distance from its
// centre.
func between(x float64) (base int64, part int32) { return split(fixedBetween(x)) }

// fixedBetween is a position, less half an element, as a fixed-point number.
func fixedBetween(x float64) int64 { return int64(math.Floor((x-0.5)*one + 0.5)) }

// split is the whole and the rest of a fixed-point number.
func split(x int64) (whole int64, part int32) { return x >> fixedBits, int32(x & fixedMask) }

// Normalized coordinates are cut to so many fraction bits before they are
// multiplied by the size of an image, which costs one unless it is a power of two.
const coordinateBits = 22

// axis is how a coordinate becomes a place along one axis of a level.
type axis struct {
	n          int32 // elements
	normalized bool
	mode       isa.AddressMode
}

// axis is axis i of a level. Wrapping and mirroring are for normalized coordinates;
// others clamp, and so do cubes without seams.
func (m *Image) axis(level, i int, cube bool) axis {
	a := axis{m.size(level)[i], m.Normalized && !m.Sampler.InElements || cube, m.Sampler.Address[i]}
	if !a.normalized && a.mode != isa.Border || cube && m.Sampler.Seamless {
		a.mode = isa.Clamp
	}
	return a
}

// scaled is a coordinate in elements, within what fixed-point numbers hold.
func (a *axis) scaled(at float32) float64 {
	const most = 1 << 40
	x := float64(at)
	if a.normalized {
		switch a.mode {
		case isa.Wrap:
			x -= math.Floor(x)
		case isa.Mirror:
			x -= 2 * math.Floor(x/2)
		}
		fraction := float64(1 << coordinateBits)
		if a.n&(a.n-1) != 0 {
			fraction /= 2
		}
		x = math.Floor(x*fraction) / fraction * float64(a.n)
	}
	if x != x {
		return 0
	}
	return max(-most, min(most, x))
}

// scaled is coordinate i in elements of a level.
func (s *sampling) scaled(level, i int) float64 {
	a := s.axis(level, i, s.place.Cube)
	return a.scaled(s.at[i])
}

// mode is how coordinate i is addressed.
func (s *sampling) mode(i int) isa.AddressMode {
	switch {
	case s.place.Cube:
		a := s.axis(0, i, true)
		return a.mode
	case i == 1 && s.dims == 1 && s.place.Array:
		return isa.Clamp
	}
	return s.axes[i].mode
}

// element is the element at a cell that may lie outside, by the address modes.
func (s *sampling) element(level int, cell [3]int64) Texel {
	extent, layer := s.size(level), s.layer
	var at [3]int32
	if s.seamless() {
		layer = s.across(extent[0], &cell)
	}
	for i := range max(s.dims, 2) {
		x, inside := addressed(s.mode(i), cell[i], int64(extent[i]))
		if !inside {
			return s.border()
		}
		at[i] = int32(x)
	}
	return s.read(level, layer, at)
}

// addressed is where in an image of n elements coordinate x is; it may lie in the
// border instead.
func addressed(mode isa.AddressMode, x, n int64) (at int64, inside bool) {
	if uint64(x) < uint64(n) {
		return x, true
	}
	switch mode {
	case isa.Wrap:
		return (x%n + n) % n, true
	case isa.Mirror:
		if x = (x%(2*n) + 2*n) % (2 * n); x >= n {
			x = 2*n - 1 - x
		}
		return x, true
	case isa.Border:
		return x, false
	}
	return max(0, min(n-1, x)), true
}

// merges reports that a cell and the next one along an axis are one element by
// clamping. What mirroring makes one is weighed twice.
func (s *sampling) merges(level, i int, x int64) bool {
	if s.seamless() || s.mode(i) != isa.Clamp {
		return false
	}
	n := int64(s.size(level)[i])
	return x < 0 || x+1 >= n
}

// The least and the greatest bias of a level of detail.
const (
	leastBias = -16 * one
	mostBias  = 16*one - 1
)

// footprint is what an access reads.
func (m *Image) footprint(p *Place) (f footprint) {
	limit := int32(0)
	switch p.Detail {
	case Level:
		f.lod = fixed(flushed(p.Number))
	case Gradient:
		if p.Dims == 2 || p.Dims == 1 && !p.Array || p.Cube {
			limit = widest(m.Sampler.Anisotropy)
		}
		f = m.gradient(p, limit)
	default:
		return footprint{lod: m.lod}
	}
	f.lod = m.limited(f.lod + max(leastBias, min(mostBias, fixed(m.Sampler.Bias))))
	if !m.Sampler.Unsharpened {
		f.lod = sharpened(f.lod, widest(m.Sampler.Anisotropy), p.Detail == Level)
	}
	return f
}

// limited is the level of detail that the sampler and the image have nearest to
// one.
func (m *Image) limited(lod int32) int32 {
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

// finite reports a finite number.
func finite(x float32) bool { return x-x == 0 }

// number is x, or zero if it is none.
func number(x float32) float32 {
	if x != x {
		return 0
	}
	return x
}

// gradient is the footprint that follows from derivatives, those that are no
// numbers aside. Of volumes and cubes it follows from differences of coordinates.
func (m *Image) gradient(p *Place, limit int32) footprint {
	extent, slopes := m.size(0), p.Slope
	if p.Cube {
		axes, across := cubeSlopes(p.At, slopes, extent[0])
		if across {
			return acrossEdges(axes[0], axes[1])
		}
		return footprintOf(axes[0], axes[1], limit)
	}
	var axes [2]slope
	for a, d := range slopes {
		for i := range p.Dims {
			if p.Dims == 3 {
				d[i] = number(p.At[i]+d[i]) - number(p.At[i])
				if !finite(number(p.At[i]) * float32(extent[i])) {
					return footprint{lod: mostDetail}
				}
			} else {
				d[i] = number(d[i])
			}
			if !finite(d[i]) {
				return footprint{lod: mostDetail}
			}
			axes[a][i] = scaled(d[i], extent[i])
		}
	}
	return footprintOf(axes[0], axes[1], limit)
}

// mostDetail is above every level.
const mostDetail = isa.MaxLevels << fixedBits
