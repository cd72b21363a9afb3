package hash

import (
	"fmt"
	"math/bits"
)

// Spread deals blocks of addresses out to a number of destinations, so that each
// gets one of every count consecutive blocks. The order in which they get them
// is turned by a hash of the blocks' common quotient.
type Spread struct {
	count uint64
	shift uint
	poly  *Poly
	xor   bool
}

// NewSpread returns a Spread of blocks of block bytes, a power of two, over
// count destinations. kind is the hash: none, xor (of the quotient's lowest
// bits) or ipoly.
func NewSpread(count, block int, kind string) (*Spread, error) {
	degree := bits.Len(uint(count - 1))
	if count < 1 || degree > MaxDegree || block < 1 || block&(block-1) != 0 {
		return nil, fmt.Errorf("cannot spread blocks of %d bytes over %d destinations", block, count)
	}
	s := &Spread{count: uint64(count), shift: uint(bits.TrailingZeros(uint(block)))}
	switch kind {
	case "none":
	case "xor":
		s.xor = true
	case "ipoly":
		s.poly = NewPoly(max(degree, 1))
	default:
		return nil, fmt.Errorf("unknown hash %q; there are none, xor, ipoly", kind)
	}
	return s, nil
}

// turn is by how much the destinations of quotient q are turned.
func (s *Spread) turn(q uint64) uint64 {
	switch {
	case s.poly != nil:
		return uint64(s.poly.Of(q)) % s.count
	case s.xor:
		return (q ^ q>>7) % s.count
	}
	return 0
}

// Of returns the destination of addr and the address within it. Those of one
// destination are dense.
func (s *Spread) Of(addr uint64) (dest int, local uint64) {
	block := addr >> s.shift
	q := block / s.count
	d := block - q*s.count + s.turn(q)
	if d >= s.count {
		d -= s.count
	}
	return int(d), q<<s.shift | addr&(1<<s.shift-1)
}

// Join is the inverse of Of.
func (s *Spread) Join(dest int, local uint64) uint64 {
	q := local >> s.shift
	r := (uint64(dest) + s.count - s.turn(q)) % s.count
	return (q*s.count+r)<<s.shift | local&(1<<s.shift-1)
}
