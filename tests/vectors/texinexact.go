package vectors

import "strings"

// deviation says how far results may be from the card's: at most share of them
// further than near.
type deviation struct {
	part, why   string
	near, share float64
}

const (
	infinite = "the PTX ISA (9.7.10.3, tex.grad) gives derivatives no meaning that are not finite: some of these are"
	unsummed = infinite + "; nor does it, or the CUDA programming guide (texture fetching), say in which order an anisotropic filter adds its samples, and with which precision"
)

// inexact lists accesses, by parts of their names, of which some results are not the
// card's, because the manuals leave them to the implementation. The first that fits
// counts.
var inexact = []deviation{
	{"anisotropic tex.grad.2d, f", unsummed, 0, 0.078},
	{"anisotropic tex.grad.2d, sRGB", unsummed, 0, 0.047},
	{"anisotropic tex.grad.2d, ratio", infinite, 0, 0.012},
	{"anisotropic tex.grad.2d", infinite, 0, 0.052},
	{"anisotropic tex.grad.cube", infinite, 0, 0.0005},
	{"anisotropic tex.grad.acube", infinite, 0, 0.003},
	{"anisotropic tex.grad", infinite, 0, 0.0089},
	{"tex.grad.cube number", infinite, 0, 0.0067},
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
