package ops

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// The number of bits that a Hopper tensor core keeps below the largest exponent
// of a sum; of products of eight-bit factors, wgmma keeps fewer.
const (
	hopperBits      = 25
	hopperEightBits = 13
)

// fusing is how a tensor core forms an element of a floating-point product.
type fusing struct {
	fraction int32 // bits kept, see alu.FusedDot
	step     int   // terms of one fused sum
	halves   bool  // of eight-bit mma, see floatTile.halves
	out      sumFormat
}

// sumFormat says what the result of a sum is.
type sumFormat uint8

const (
	toF32      sumFormat = iota
	toF32Short           // with 13 bits of fraction
	toF16
	toF16ByF32 // formed as an f32, then converted
)

func (r sumFormat) half() bool { return r >= toF16 }

// sumFormatOf is the format for the types of D and C.
func sumFormatOf(d, c isa.Type) sumFormat {
	switch {
	case d != isa.F16:
		return toF32
	case c != isa.F16:
		return toF16ByF32
	}
	return toF16
}

// fusingOf is the rule of an mma form that multiplies k terms.
func fusingOf(f *isa.Form, k int) fusing {
	return fusing{fraction: hopperBits, step: k, halves: f.Type(1).Bits() == 8, out: sumFormatOf(f.Type(0), f.Type(3))}
}

// place is where term k is kept.
func (r *fusing) place(k int) int {
	if r.halves {
		return k/r.step*r.step + k%r.step>>2<<1 + k&1 + k>>1&1*r.step/2
	}
	return k
}

func (r sumFormat) round(sum float64) uint32 {
	switch r {
	case toF16:
		return uint32(alu.RoundMMAF16(sum))
	case toF16ByF32:
		return uint32(alu.CvtF16F32(alu.RN, alu.RoundMMAF32(sum)))
	case toF32Short:
		return alu.RoundMMAShort(sum)
	}
	return alu.RoundMMAF32(sum)
}

// tinyTable is the factors of all numbers of a format of at most eight bits.
type tinyTable [256]alu.Factor

// tinyFactors are those of a type; byHalf says that they are made f16 first,
// which normalises what is subnormal.
func tinyFactors(t isa.Type, byHalf bool) *tinyTable {
	format, shift := alu.E4M3, 0
	switch t {
	case isa.E5M2:
		format = alu.E5M2
	case isa.E2M3:
		format = alu.E2M3
	case isa.E3M2:
		format = alu.E3M2
	case isa.E2M1:
		format, shift = alu.E2M1, 2 // it lies in the middle of the byte
	}
	var all tinyTable
	for x := range all {
		all[x] = alu.FactorTiny(format, uint8(x>>shift))
		if byHalf {
			all[x] = alu.FactorF16(alu.CvtF16F32(alu.RN, alu.CvtF32Tiny(format, uint8(x>>shift))))
		}
	}
	return &all
}

// counting is how a tensor core forms an element of an integer product.
type counting struct {
	bits     bool // the factors are words of bits
	xor      bool // of bits: count differing ones instead of common ones
	saturate bool
}

func countingOf(f *isa.Form) counting {
	return counting{bits: f.Type(1) == isa.B1, xor: f.Has("xor"), saturate: f.Has("satfinite")}
}
