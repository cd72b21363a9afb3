package hash

// polynomials are irreducible polynomials over GF(2) by degree, bit i standing
// for x^i.
var polynomials = [...]uint32{1: 0x3, 2: 0x7, 3: 0xb, 4: 0x13, 5: 0x25, 6: 0x43, 7: 0x83, 8: 0x11d, 9: 0x211, 10: 0x409}

// MaxDegree is the largest degree of a Poly.
const MaxDegree = len(polynomials) - 1

// Poly computes remainders by one polynomial.
type Poly struct {
	table [8][256]uint16 // remainder of each value of each byte
}

// NewPoly returns the hash to degree bits, from 1 to MaxDegree.
func NewPoly(degree int) *Poly {
	p := &Poly{}
	var power [64]uint32 // x^i mod the polynomial
	for i, r := 0, uint32(1); i < 64; i++ {
		if r>>degree&1 != 0 {
			r ^= polynomials[degree]
		}
		power[i] = r
		r <<= 1
	}
	for b := range p.table {
		for v := range p.table[b] {
			for i := range 8 {
				if v>>i&1 != 0 {
					p.table[b][v] ^= uint16(power[8*b+i])
				}
			}
		}
	}
	return p
}

// Of is the remainder of x.
func (p *Poly) Of(x uint64) uint32 {
	var r uint16
	for b := 0; x != 0; x >>= 8 {
		r ^= p.table[b][x&0xff]
		b++
	}
	return uint32(r)
}
