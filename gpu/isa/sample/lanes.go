package sample

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// Rows are the registers of an access of a whole warp.
type Rows struct {
	At  [3]*isa.Lanes
	Out [4]*isa.Lanes
}

// Lanes does for all lanes of a mask what Fetch, or Sample, does for one, if that
// is simple: to read one element of the first level, or to weigh those of a square.
// It reports whether it was, and ends at a trap.
func (m *Image) Lanes(p *Place, whole bool, r *Rows, mask isa.Mask) bool {
	served := whole == m.lacks(p) || p.Dims > 1
	first := p.Detail == Base || p.Detail == Level && m.Levels <= 1 && !whole
	if !served || !first || p.Array || p.Cube || p.Geometry.Sample || m.Layers > 0 || m.Packing != isa.Plain || m.lod != 0 || m.Tiles != nil {
		return false
	}
	switch linear := m.Sampler.Linear && !whole; {
	case !linear:
		m.elements(p, whole, r, mask)
	case p.Dims == 2:
		m.squares(p, r, mask)
	default:
		return false
	}
	return true
}

// elements are accesses to one element a lane.
func (m *Image) elements(p *Place, whole bool, r *Rows, mask isa.Mask) {
	strides := [3]uint64{uint64(m.bytes), m.Pitch, m.SlicePitch}
	var at [isa.WarpSize]uint64 // bytes behind the first element
	inside := mask
	for i := range p.Dims {
		inside &= m.axes[i].cells(r.At[i], whole, mask, strides[i], &at)
	}
	var border Texel
	if inside != mask && !whole {
		border = m.values(m.border())
	}
	bare := m.words && (m.numbers == floats || m.numbers == integers) // what is read is what the program sees
	for rest := mask; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros32(uint32(rest))
		v := border
		if inside&(1<<l) != 0 {
			b := m.element(l, m.Base+at[l])
			switch {
			case b == nil:
				return
			case bare && m.Channels == 1:
				v = Texel{binary.LittleEndian.Uint32(b)}
			default:
				v = m.values(m.decoded(b))
			}
		}
		for i, row := range r.Out {
			row[l] = v[i]
		}
	}
}

// element is the element that lane l reads at address a; nil after a trap.
func (m *Image) element(l int, a uint64) []byte {
	if m.Warp.Effect != nil {
		return m.Warp.Bytes(isa.Global, l, a, m.bytes, 1, false)
	}
	return m.Warp.GlobalBytes(l, a, m.bytes, false)
}

// squares are accesses of two dimensions to elements that are weighed.
func (m *Image) squares(p *Place, r *Rows, mask isa.Mask) {
	x, y, t := &m.axes[0], &m.axes[1], &m.taps
	for rest := mask; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros32(uint32(rest))
		p.At[0], p.At[1] = math.Float32frombits(r.At[0][l]), math.Float32frombits(r.At[1][l])
		left, fromLeft := between(x.scaled(flushed(p.At[0])))
		low, fromLow := between(y.scaled(flushed(p.At[1])))
		var v Texel
		if uint64(left) < uint64(x.n-1) && uint64(low) < uint64(y.n-1) {
			a := m.Base + uint64(low)*m.Pitch + uint64(left)*uint64(m.bytes)
			t.n, t.more = 0, 0
			weights := cornersOf(2, [3]int32{fromLeft, fromLow}, one)
			for corner, w := range weights[:4] {
				if corner&1 > 0 && fromLeft == 0 || corner&2 > 0 && fromLow == 0 {
					continue
				}
				b := m.Warp.Bytes(isa.Global, l, a+uint64(corner&1)*uint64(m.bytes)+uint64(corner>>1)*m.Pitch, m.bytes, 1, false)
				if b == nil {
					return
				}
				t.add(w, 0, m.decoded(b))
			}
			v = m.blend(t)
		} else {
			m.Lane = l
			if v = m.Sample(p); m.Warp.Trap.Kind != isa.NoTrap {
				return
			}
		}
		for i, row := range r.Out {
			row[l] = v[i]
		}
	}
}

// cells adds to at how many bytes along the axis the elements are that coordinates v fall on, and returns the lanes for which
// there is one.
func (a *axis) cells(v *isa.Lanes, whole bool, mask isa.Mask, stride uint64, at *[isa.WarpSize]uint64) (inside isa.Mask) {
	inside = mask
	for rest := mask; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros32(uint32(rest))
		x, in := a.cell(v[l], whole)
		at[l] += uint64(x) * stride
		if !in {
			inside &^= 1 << l
		}
	}
	return inside
}

// cell is the element that coordinate v falls on, and whether there is one.
func (a *axis) cell(v uint32, whole bool) (int64, bool) {
	if whole {
		return int64(int32(v)), v < uint32(a.n)
	}
	x := math.Float32frombits(v)
	if near := int32(x); !a.normalized && x >= 0 && x < float32(a.n) && near < a.n {
		return int64(near), true
	}
	return addressed(a.mode, int64(math.Floor(a.scaled(flushed(x)))), int64(a.n))
}
