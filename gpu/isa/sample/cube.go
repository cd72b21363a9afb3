package sample

import (
	"math"

	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// direction makes a layer, one of the six of a cube, and a position on its face of
// the coordinates. Of axes along which they are equally long the last counts.
func (s *sampling) direction() {
	face, u, v := project(float64(s.at[0]), float64(s.at[1]), float64(s.at[2]))
	s.layer += face
	s.dims = 2
	s.at = [3]float32{float32((u + 1) / 2), float32((v + 1) / 2), 0}
}

// project is the face of a cube that a direction meets, and where: in [-1,1].
func project(x, y, z float64) (face uint32, u, v float64) {
	var major float64
	switch ax, ay, az := math.Abs(x), math.Abs(y), math.Abs(z); {
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
	if major == 0 {
		return face, 0, 0
	}
	return face, u / major, v / major
}

// cubeSlopes are the derivatives of the place on its face that a direction meets, in
// elements of n by n: differences to directions that lie a derivative from it. Those
// that meet another face, which across tells, are as far as the way over the edge.
func cubeSlopes(at [3]float32, slopes [2][3]float32, n int32) (axes [2]slope, across bool) {
	for i := range at {
		at[i] = number(at[i])
	}
	face, _, _ := project(float64(at[0]), float64(at[1]), float64(at[2]))
	here := onFace(face, at)
	for i, d := range slopes {
		to := [3]float32{number(at[0] + d[0]), number(at[1] + d[1]), number(at[2] + d[2])}
		other, _, _ := project(float64(to[0]), float64(to[1]), float64(to[2]))
		if other == face {
			there := onFace(face, to)
			for k := range 2 {
				axes[i][k] = scaled(number(there[k]-here[k])/2, n)
			}
			continue
		}
		across = true
		u, v, out := axesOf(face, to)
		k, size := 0, u // the axis of this face that the other one lies on
		if abs(v) > abs(u) {
			k, size = 1, v
		}
		side, rest := abs(size), [2]float32{u, v}[1-k]
		edge := here[k]
		if size < 0 {
			edge = -edge
		}
		axes[i][k] = scaled((1-edge)/2, n).plus(scaled((1-quotient(out, side))/2, n))
		axes[i][1-k] = scaled((quotient(rest, side)-here[1-k])/2, n)
	}
	return axes, across
}

func abs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// axesOf are the components of a direction along the axes of a face and out of it.
func axesOf(face uint32, d [3]float32) (u, v, out float32) {
	switch face {
	case 0:
		return -d[2], -d[1], d[0]
	case 1:
		return d[2], -d[1], -d[0]
	case 2:
		return d[0], d[2], d[1]
	case 3:
		return d[0], -d[2], -d[1]
	case 4:
		return d[0], -d[1], d[2]
	}
	return -d[0], -d[1], -d[2]
}

// onFace is where on a face a direction meets it.
func onFace(face uint32, d [3]float32) [2]float32 {
	u, v, out := axesOf(face, d)
	return [2]float32{quotient(u, out), quotient(v, out)}
}

// quotient is that of two numbers by the reciprocal of the second, zero if there is none.
func quotient(x, y float32) float32 {
	return number(x * math.Float32frombits(alu.RcpApproxFtzF32(math.Float32bits(y))))
}

// unproject is the direction of a place on, or in the plane of, a face.
func unproject(face uint32, u, v float64) (x, y, z float64) {
	switch face {
	case 0:
		return 1, -v, -u
	case 1:
		return -1, -v, u
	case 2:
		return u, 1, v
	case 3:
		return u, -1, -v
	case 4:
		return u, -v, 1
	}
	return -u, -v, -1
}

// seamless reports an access whose filter reaches over the edges of faces.
func (s *sampling) seamless() bool { return s.place.Cube && s.Sampler.Seamless && s.Sampler.Linear }

// beyond reports a cell beyond a corner of a face, where three faces meet and
// none has an element.
func (s *sampling) beyond(level int, cell *[3]int64) bool {
	n := int64(s.Extent(level)[0])
	return (cell[0] < 0 || cell[0] >= n) && (cell[1] < 0 || cell[1] >= n)
}

// across moves a cell beyond an edge of a face of n by n elements to the face that
// lies there, and returns its layer.
func (s *sampling) across(n int32, cell *[3]int64) uint32 {
	if edge := int64(n); cell[0] >= 0 && cell[0] < edge && cell[1] >= 0 && cell[1] < edge {
		return s.layer
	}
	first := s.layer / 6 * 6
	width := float64(n)
	center := func(c int64) float64 { return (2*float64(c)+1)/width - 1 }
	face, u, v := project(unproject(s.layer-first, center(cell[0]), center(cell[1])))
	cell[0], cell[1] = int64(math.Floor((u+1)/2*width)), int64(math.Floor((v+1)/2*width))
	return first + face
}

// share gives the weight of a corner of a square, beyond that of a face, to the
// others, which are the last taps: a third to its neighbours, the rest to the one
// opposite.
func (t *taps) share(weight int32, lost int) {
	if weight == 0 {
		return
	}
	third, at := (weight+1)/3, t.n-3
	for corner := range 4 {
		switch corner {
		case lost:
			continue
		case 3 - lost:
			t.all[at].weight += weight - 2*third
		default:
			t.all[at].weight += third
		}
		at++
	}
}
