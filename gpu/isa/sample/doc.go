// Package sample is how textures are read: coordinates become elements and
// weights, elements of every format become numbers, numbers are weighed. The
// fixed-point arithmetic is that of the H200, found from sweeps on the card that
// tests/vectors repeats.
//
//	place --level, address--> cells and weights --element--> texels --filter--> result
package sample
