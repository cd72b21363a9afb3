package alu

import (
	"math"
	"math/bits"
)

// Part is the part of a register that a selector of a scalar video
// instruction names.
type Part uint8

// The parts of a register.
const (
	Word Part = iota
	H0
	H1
	B0
	B1
	B2
	B3
)

func (p Part) shape() (shift, width uint) {
	switch p {
	case H0, H1:
		return uint(p-H0) * 16, 16
	case B0, B1, B2, B3:
		return uint(p-B0) * 8, 8
	}
	return 0, 32
}

// extract is the value of the part of x.
func (p Part) extract(x uint32, isSigned bool) int64 {
	shift, width := p.shape()
	return extend(x>>shift, width, isSigned)
}

// insert puts the low bits of v into the part of x.
func (p Part) insert(v int64, x uint32) uint32 {
	shift, width := p.shape()
	mask := uint32(1<<width-1) << shift
	return uint32(v)<<shift&mask | x&^mask
}

func extend(x uint32, width uint, isSigned bool) int64 {
	v := int64(x & (1<<width - 1))
	if isSigned && v>>(width-1) != 0 {
		v -= 1 << width
	}
	return v
}

func clampTo(v int64, width uint, isSigned bool) int64 {
	lo, hi := int64(0), int64(1)<<width-1
	if isSigned {
		lo, hi = -1<<(width-1), 1<<(width-1)-1
	}
	return max(lo, min(hi, v))
}

// VideoOp is the operation of a video instruction on extended elements.
type VideoOp func(a, b int64) int64

// VAdd is the operation of vadd, vadd2 and vadd4.
func VAdd(a, b int64) int64 { return a + b }

// VSub is the operation of vsub, vsub2 and vsub4.
func VSub(a, b int64) int64 { return a - b }

// VAbsDiff is the operation of vabsdiff, vabsdiff2 and vabsdiff4.
func VAbsDiff(a, b int64) int64 { return max(a, b) - min(a, b) }

// VMin is the operation of vmin, vmin2 and vmin4.
func VMin(a, b int64) int64 { return min(a, b) }

// VMax is the operation of vmax, vmax2 and vmax4.
func VMax(a, b int64) int64 { return max(a, b) }

// VAvrg is the operation of vavrg2 and vavrg4: halves go up, except that those
// of negative sums go down.
func VAvrg(a, b int64) int64 {
	if a+b >= 0 {
		return (a + b + 1) >> 1
	}
	return (a + b) >> 1
}

// VShlClamp is the operation of vshl.clamp.
func VShlClamp(a, b int64) int64 {
	// Beyond 32 bits only the sign matters, and that the low word is zero.
	if b >= 32 {
		return max(-1, min(1, a)) << 32
	}
	return a << b
}

// VShlWrap is the operation of vshl.wrap.
func VShlWrap(a, b int64) int64 { return a << (b & 31) }

// VShrClamp is the operation of vshr.clamp.
func VShrClamp(a, b int64) int64 { return a >> min(b, 32) }

// VShrWrap is the operation of vshr.wrap.
func VShrWrap(a, b int64) int64 { return a >> (b & 31) }

// VSet is the operation of vset, vset2 and vset4 with the given comparison.
func VSet(op Cmp) VideoOp {
	return func(a, b int64) int64 { return int64(oneIf(op&relation(a, b) != 0)) }
}

// Video is a scalar video instruction: vadd, vsub, vabsdiff, vmin, vmax, vshl,
// vshr and vset. Second, if not nil, is the secondary operation (VAdd, VMin or
// VMax), which excludes a destination part.
type Video struct {
	Op                        VideoOp
	Second                    VideoOp
	ASigned, BSigned, DSigned bool
	A, B, D                   Part
	Sat                       bool
}

// Eval gives the result for operands a, b and c.
func (v *Video) Eval(a, b, c uint32) uint32 {
	t := v.Op(v.A.extract(a, v.ASigned), v.B.extract(b, v.BSigned))
	if v.Sat {
		_, width := v.D.shape()
		t = clampTo(t, width, v.DSigned)
	}
	if v.Second != nil {
		return uint32(v.Second(t, extend(c, 32, v.DSigned)))
	}
	return v.D.insert(t, c)
}

// VideoPacked is a packed video instruction, those with a mnemonic that ends
// in 2 or 4. A and B select, for each element, lowest first, one of the
// elements of a (0 up) and then b. Mask tells which elements of the result are
// computed; Add adds them up with c instead of merging them into it.
type VideoPacked struct {
	Op                        VideoOp
	Elements                  int // 2 or 4
	ASigned, BSigned, DSigned bool
	A, B                      [4]uint8
	Mask                      uint8
	Sat, Add                  bool
}

// Eval gives the result for operands a, b and c.
func (v *VideoPacked) Eval(a, b, c uint32) uint32 {
	width := uint(32 / v.Elements)
	src := Join32(a, b)
	d := c
	for i := range v.Elements {
		if v.Mask>>i&1 == 0 {
			continue
		}
		x := extend(uint32(src>>(uint(v.A[i])*width)), width, v.ASigned)
		y := extend(uint32(src>>(uint(v.B[i])*width)), width, v.BSigned)
		t := v.Op(x, y)
		switch {
		case v.Add:
			d += uint32(t)
			continue
		case v.Sat:
			t = clampTo(t, width, v.DSigned)
		}
		shift := uint(i) * width
		mask := uint32(1<<width-1) << shift
		d = uint32(t)<<shift&mask | d&^mask
	}
	return d
}

// VideoMad is vmad: (a*b) + c, with one of the product and c negated or one
// more added, shifted right by Shift (0, 7 or 15).
type VideoMad struct {
	ASigned, BSigned          bool
	A, B                      Part
	NegProduct, NegC, PlusOne bool
	Shift                     uint
	Sat                       bool
}

// Eval gives the result for operands a, b and c.
func (v *VideoMad) Eval(a, b, c uint32) uint32 {
	// c is read as the product is: negating an unsigned c makes only the
	// result signed.
	product := v.ASigned || v.BSigned || v.NegProduct
	hi, lo := multiply(v.A.extract(a, v.ASigned), v.B.extract(b, v.BSigned))
	if v.NegProduct {
		hi, lo = negate(hi, lo)
	}
	addend := extend(c, 32, product)
	if v.NegC {
		addend = -addend
	}
	if v.PlusOne {
		addend++
	}
	lo, carry := bits.Add64(lo, uint64(addend), 0)
	hi += uint64(addend>>63) + carry
	if v.Shift != 0 {
		lo = lo>>v.Shift | hi<<(64-v.Shift)
		hi = uint64(int64(hi) >> v.Shift)
	}
	if v.Sat {
		return clamp128(hi, lo, product || v.NegC)
	}
	return uint32(lo)
}

// multiply is the product in 128 bits, two's complement.
func multiply(x, y int64) (hi, lo uint64) {
	hi, lo = bits.Mul64(uint64(x), uint64(y))
	return hi - uint64(x>>63)&uint64(y) - uint64(y>>63)&uint64(x), lo
}

func negate(hi, lo uint64) (uint64, uint64) {
	lo, borrow := bits.Sub64(0, lo, 0)
	hi, _ = bits.Sub64(0, hi, borrow)
	return hi, lo
}

// clamp128 clamps a 128-bit number to 32 bits.
func clamp128(hi, lo uint64, isSigned bool) uint32 {
	negative := int64(hi) < 0
	small := hi == 0 && int64(lo) >= 0 || negative && hi == math.MaxUint64 && int64(lo) < 0
	switch {
	case small:
		return uint32(clampTo(int64(lo), 32, isSigned))
	case negative && isSigned:
		return 1 << 31
	case negative:
		return 0
	case isSigned:
		return math.MaxInt32
	}
	return math.MaxUint32
}
