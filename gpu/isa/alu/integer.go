package alu

import (
	"math"
	"math/bits"
)

// MulHiU16 is mul.hi.u16.
func MulHiU16(a, b uint16) uint16 { return uint16(uint32(a) * uint32(b) >> 16) }

// MulHiS16 is mul.hi.s16.
func MulHiS16(a, b uint16) uint16 { return uint16(int32(int16(a)) * int32(int16(b)) >> 16) }

// MulHiU32 is mul.hi.u32.
func MulHiU32(a, b uint32) uint32 { return uint32(uint64(a) * uint64(b) >> 32) }

// MulHiS32 is mul.hi.s32.
func MulHiS32(a, b uint32) uint32 { return uint32(int64(int32(a)) * int64(int32(b)) >> 32) }

// MulHiU64 is mul.hi.u64.
func MulHiU64(a, b uint64) uint64 {
	hi, _ := bits.Mul64(a, b)
	return hi
}

// MulHiS64 is mul.hi.s64.
func MulHiS64(a, b uint64) uint64 {
	hi, _ := bits.Mul64(a, b)
	return hi - b&uint64(int64(a)>>63) - a&uint64(int64(b)>>63)
}

// MulWideU16 is mul.wide.u16.
func MulWideU16(a, b uint16) uint32 { return uint32(a) * uint32(b) }

// MulWideS16 is mul.wide.s16.
func MulWideS16(a, b uint16) uint32 { return uint32(int32(int16(a)) * int32(int16(b))) }

// MulWideU32 is mul.wide.u32.
func MulWideU32(a, b uint32) uint64 { return uint64(a) * uint64(b) }

// MulWideS32 is mul.wide.s32.
func MulWideS32(a, b uint32) uint64 { return uint64(int64(int32(a)) * int64(int32(b))) }

// MadHiSatS32 is mad.hi.sat.s32: only the addition saturates.
func MadHiSatS32(a, b, c uint32) uint32 { return AddSatS32(MulHiS32(a, b), c) }

func low24U(x uint32) uint64 { return uint64(x & 0xffffff) }
func low24S(x uint32) uint64 { return uint64(int64(int32(x<<8) >> 8)) }

// Mul24LoU32 is mul24.lo.u32: bits 31..0 of the 48-bit product.
func Mul24LoU32(a, b uint32) uint32 { return uint32(low24U(a) * low24U(b)) }

// Mul24LoS32 is mul24.lo.s32.
func Mul24LoS32(a, b uint32) uint32 { return uint32(low24S(a) * low24S(b)) }

// Mul24HiU32 is mul24.hi.u32: bits 47..16 of the 48-bit product.
func Mul24HiU32(a, b uint32) uint32 { return uint32(low24U(a) * low24U(b) >> 16) }

// Mul24HiS32 is mul24.hi.s32.
func Mul24HiS32(a, b uint32) uint32 { return uint32(low24S(a) * low24S(b) >> 16) }

// Mad24HiSatS32 is mad24.hi.sat.s32: only the addition saturates.
func Mad24HiSatS32(a, b, c uint32) uint32 { return AddSatS32(Mul24HiS32(a, b), c) }

// AddSatS32 is add.sat.s32.
func AddSatS32(a, b uint32) uint32 { return clampS32(int64(int32(a)) + int64(int32(b))) }

// SubSatS32 is sub.sat.s32.
func SubSatS32(a, b uint32) uint32 { return clampS32(int64(int32(a)) - int64(int32(b))) }

func clampS32(x int64) uint32 { return uint32(max(math.MinInt32, min(math.MaxInt32, x))) }

// Division by zero gives all ones, quotient and remainder: the code that
// NVIDIA's assembler generates selects that value explicitly. The most
// negative number by minus one wraps to itself with remainder zero.

// DivU16 is div.u16.
func DivU16(a, b uint16) uint16 { return divU(a, b) }

// DivS16 is div.s16.
func DivS16(a, b uint16) uint16 { return uint16(divS(int16(a), int16(b))) }

// DivU32 is div.u32.
func DivU32(a, b uint32) uint32 { return divU(a, b) }

// DivS32 is div.s32.
func DivS32(a, b uint32) uint32 { return uint32(divS(int32(a), int32(b))) }

// DivU64 is div.u64.
func DivU64(a, b uint64) uint64 { return divU(a, b) }

// DivS64 is div.s64.
func DivS64(a, b uint64) uint64 { return uint64(divS(int64(a), int64(b))) }

// RemU16 is rem.u16.
func RemU16(a, b uint16) uint16 { return remU(a, b) }

// RemS16 is rem.s16: the sign is the dividend's.
func RemS16(a, b uint16) uint16 { return uint16(remS(int16(a), int16(b))) }

// RemU32 is rem.u32.
func RemU32(a, b uint32) uint32 { return remU(a, b) }

// RemS32 is rem.s32: the sign is the dividend's.
func RemS32(a, b uint32) uint32 { return uint32(remS(int32(a), int32(b))) }

// RemU64 is rem.u64.
func RemU64(a, b uint64) uint64 { return remU(a, b) }

// RemS64 is rem.s64: the sign is the dividend's.
func RemS64(a, b uint64) uint64 { return uint64(remS(int64(a), int64(b))) }

type unsigned interface{ uint16 | uint32 | uint64 }
type signed interface{ int16 | int32 | int64 }

func divU[T unsigned](a, b T) T {
	if b == 0 {
		return ^T(0)
	}
	return a / b
}

func divS[T signed](a, b T) T {
	if b == 0 {
		return -1
	}
	return a / b
}

func remU[T unsigned](a, b T) T {
	if b == 0 {
		return ^T(0)
	}
	return a % b
}

func remS[T signed](a, b T) T {
	if b == 0 {
		return -1
	}
	return a % b
}

// AbsS16 is abs.s16; the most negative number stays itself.
func AbsS16(a uint16) uint16 { return uint16(max(int16(a), -int16(a))) }

// AbsS32 is abs.s32; the most negative number stays itself.
func AbsS32(a uint32) uint32 { return uint32(max(int32(a), -int32(a))) }

// AbsS64 is abs.s64; the most negative number stays itself.
func AbsS64(a uint64) uint64 { return uint64(max(int64(a), -int64(a))) }

// MinS16 is min.s16.
func MinS16(a, b uint16) uint16 { return uint16(min(int16(a), int16(b))) }

// MaxS16 is max.s16.
func MaxS16(a, b uint16) uint16 { return uint16(max(int16(a), int16(b))) }

// MinS32 is min.s32.
func MinS32(a, b uint32) uint32 { return uint32(min(int32(a), int32(b))) }

// MaxS32 is max.s32.
func MaxS32(a, b uint32) uint32 { return uint32(max(int32(a), int32(b))) }

// MinS64 is min.s64.
func MinS64(a, b uint64) uint64 { return uint64(min(int64(a), int64(b))) }

// MaxS64 is max.s64.
func MaxS64(a, b uint64) uint64 { return uint64(max(int64(a), int64(b))) }

// ReluS16 replaces a negative number by zero: the .relu of min and max.
func ReluS16(a uint16) uint16 { return uint16(max(int16(a), 0)) }

// ReluS32 replaces a negative number by zero: the .relu of min and max.
func ReluS32(a uint32) uint32 { return uint32(max(int32(a), 0)) }

// SadU16 is sad.u16: c plus the absolute difference of a and b, wrapping.
func SadU16(a, b, c uint16) uint16 { return c + max(a, b) - min(a, b) }

// SadS16 is sad.s16.
func SadS16(a, b, c uint16) uint16 { return c + MaxS16(a, b) - MinS16(a, b) }

// SadU32 is sad.u32.
func SadU32(a, b, c uint32) uint32 { return c + max(a, b) - min(a, b) }

// SadS32 is sad.s32.
func SadS32(a, b, c uint32) uint32 { return c + MaxS32(a, b) - MinS32(a, b) }

// SadU64 is sad.u64.
func SadU64(a, b, c uint64) uint64 { return c + max(a, b) - min(a, b) }

// SadS64 is sad.s64.
func SadS64(a, b, c uint64) uint64 { return c + MaxS64(a, b) - MinS64(a, b) }

// Inc is the formula of atom.inc: the successor of old, or 0 from limit on.
func Inc(old, limit uint32) uint32 {
	if old >= limit {
		return 0
	}
	return old + 1
}

// Dec is the formula of atom.dec: the predecessor of old, or limit for 0 and
// for everything above limit.
func Dec(old, limit uint32) uint32 {
	if old == 0 || old > limit {
		return limit
	}
	return old - 1
}

// AtomAddF32 is the sum that atom.add.f32, red.add.f32 and tensor copies of the type
// FLOAT32_FTZ form in global memory: to nearest, subnormals flushed in and out. In
// shared memory and by other bulk copies the sum is AddF32RN.
func AtomAddF32(old, b uint32) uint32 {
	return FlushF32(AddF32RN(FlushF32(old), FlushF32(b)))
}

// AtomAddF64 is the sum that atom.add.f64 and red.add.f64 form in global
// memory: of NaN operands the second, as it is. In shared memory the sum is
// AddF64RN with the operands exchanged.
func AtomAddF64(old, b uint64) uint64 {
	switch {
	case IsNaNF64(b):
		return b
	case IsNaNF64(old):
		return old
	}
	return AddF64RN(old, b)
}
