// Package hash spreads addresses over memory partitions, sets and banks.
//
//	address --Spread--> (destination, address within it) --Join--> address
//
// A Poly is the remainder of an address, taken as a polynomial over GF(2), by
// an irreducible polynomial: strides that are powers of two do not collide. A
// Spread is bijective for any number of destinations.
package hash
