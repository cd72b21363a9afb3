package vectors

import "strings"

// deviation says how far results may be from the card's: at most share of them
// further than near.
type deviation struct {
	part, why   string
	near, share float64
}

const (
	unsaid   = "neither the PTX ISA (9.7.10.3, tex.grad) nor the CUDA programming guide (texture fetching) says how a level of detail follows from derivatives"
	unplaced = "neither the PTX ISA nor the CUDA programming guide (anisotropic filtering) says which elements an anisotropic filter reads, and at which level: one sample is read here, at the level of the longer axis"
)

// inexact lists accesses, by parts of their names, whose results are near the card's
// and not always equal, because the manuals leave them to the implementation. The
// first that fits counts.
var inexact = []deviation{
	{"footprint oblique, linear false", unplaced, 0.94, 0.002},
	{"footprint", unplaced, 0.94, 0},
	{"number, anisotropy 16", unplaced, 4.26, 0},
	{"number, anisotropy 4", unplaced, 2.22, 0},
	{"number, anisotropy 2", unplaced, 1.17, 0},
	{"unit, anisotropy 16", unplaced, 0.8, 0},
	{"unit, anisotropy 4", unplaced, 0.81, 0},
	{"unit, anisotropy 2", unplaced, 0.61, 0},
	{"2048, anisotropy 16", unplaced, 4.26, 0},
	{"2048, anisotropy 8", unplaced, 3.26, 0},
	{"2048, anisotropy 5", unplaced, 2.22, 0},
	{"2048, anisotropy 4", unplaced, 2.22, 0},
	{"2048, anisotropy 3", unplaced, 1.17, 0},
	{"2048, anisotropy 2", unplaced, 1.17, 0},
	{"octave two by two", unsaid, 2.0 / 256, 0},
	{"octave of a cuboid", unsaid, 2.0 / 256, 0},
	{"octave of a layer", unsaid, 2.0 / 256, 0},
	{"octave of a cube along x", unsaid, 0, 0},
	{"octave of a cube anywhere", unsaid, 0.1, 0.3},
	{"octave of a cube", unsaid, 0.1, 0},
	{"tex.grad.cube", unsaid, 0.1, 0.3},
	{"tex.grad.2d number, anisotropy", unsaid, 1.0 / 256, 0},
	{"tex.grad.2d unit, anisotropy", unsaid, 0.004, 0},
}

// deviationOf is what an access may deviate, nil if it must not.
func deviationOf(name string) *deviation {
	for i := range inexact {
		if strings.Contains(name, inexact[i].part) {
			return &inexact[i]
		}
	}
	return nil
}
