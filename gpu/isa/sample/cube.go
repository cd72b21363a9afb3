package sample

import "math"

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

// onFace is the derivative of the place on its face that a direction meets.
func onFace(at, d [3]float32) [3]float32 {
	x, y, z := float64(at[0]), float64(at[1]), float64(at[2])
	face, u, v := project(x, y, z)
	du, dv, along, major := 0.0, 0.0, 0.0, 0.0
	dx, dy, dz := float64(d[0]), float64(d[1]), float64(d[2])
	switch face {
	case 0:
		du, dv, along, major = -dz, -dy, dx, x
	case 1:
		du, dv, along, major = dz, -dy, -dx, -x
	case 2:
		du, dv, along, major = dx, dz, dy, y
	case 3:
		du, dv, along, major = dx, -dz, -dy, -y
	case 4:
		du, dv, along, major = dx, -dy, dz, z
	default:
		du, dv, along, major = -dx, -dy, -dz, -z
	}
	return [3]float32{float32((du - u*along) / (2 * major)), float32((dv - v*along) / (2 * major))}
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
