package alu

import "math"

// Lo16 is the low half of x.
func Lo16(x uint32) uint16 { return uint16(x) }

// Hi16 is the high half of x.
func Hi16(x uint32) uint16 { return uint16(x >> 16) }

// Join16 makes a word of its halves.
func Join16(lo, hi uint16) uint32 { return uint32(hi)<<16 | uint32(lo) }

// Lo32 is the low half of x.
func Lo32(x uint64) uint32 { return uint32(x) }

// Hi32 is the high half of x.
func Hi32(x uint64) uint32 { return uint32(x >> 32) }

// Join32 makes a double word of its halves.
func Join32(lo, hi uint32) uint64 { return uint64(hi)<<32 | uint64(lo) }

// each16x1, each16x2 and each16x3 apply f to both halves of their operands.
func each16x1(f func(a uint16) uint16, a uint32) uint32 {
	return Join16(f(Lo16(a)), f(Hi16(a)))
}

func each16x2(f func(a, b uint16) uint16, a, b uint32) uint32 {
	return Join16(f(Lo16(a), Lo16(b)), f(Hi16(a), Hi16(b)))
}

func each16x3(f func(a, b, c uint16) uint16, a, b, c uint32) uint32 {
	return Join16(f(Lo16(a), Lo16(b), Lo16(c)), f(Hi16(a), Hi16(b), Hi16(c)))
}

// each8x2 applies f to the four bytes of its operands, given sign- or
// zero-extended by get.
func each8x2(f func(a, b int32) int32, get field, a, b uint32) uint32 {
	var d uint32
	for i := range 4 {
		d |= uint32(f(int32(get(a, i)), int32(get(b, i)))) & 0xff << (8 * i)
	}
	return d
}

// Add16x2 is add.u16x2 and add.s16x2.
func Add16x2(a, b uint32) uint32 {
	return a&0xffff0000 + b&0xffff0000 | (a+b)&0xffff
}

// Sub16x2 is sub.u16x2 and sub.s16x2.
func Sub16x2(a, b uint32) uint32 {
	return a&0xffff0000 - b&0xffff0000 | (a-b)&0xffff
}

// Neg16x2 is neg.s16x2.
func Neg16x2(a uint32) uint32 { return Sub16x2(0, a) }

// MinU16x2 is min.u16x2.
func MinU16x2(a, b uint32) uint32 { return each16x2(minU16, a, b) }

// MaxU16x2 is max.u16x2.
func MaxU16x2(a, b uint32) uint32 { return each16x2(maxU16, a, b) }

func minU16(a, b uint16) uint16 { return min(a, b) }
func maxU16(a, b uint16) uint16 { return max(a, b) }

// MinS16x2 is min.s16x2.
func MinS16x2(a, b uint32) uint32 { return each16x2(MinS16, a, b) }

// MaxS16x2 is max.s16x2.
func MaxS16x2(a, b uint32) uint32 { return each16x2(MaxS16, a, b) }

// ReluS16x2 replaces negative halves by zero: the .relu of min and max.
func ReluS16x2(a uint32) uint32 { return each16x1(ReluS16, a) }

// AddSatU32 is add.sat.u32.
func AddSatU32(a, b uint32) uint32 { return uint32(min(uint64(a)+uint64(b), math.MaxUint32)) }

// SubSatU32 is sub.sat.u32.
func SubSatU32(a, b uint32) uint32 { return a - min(a, b) }

// AddSatU16x2 is add.sat.u16x2.
func AddSatU16x2(a, b uint32) uint32 { return each16x2(addSatU16, a, b) }

// AddSatS16x2 is add.sat.s16x2.
func AddSatS16x2(a, b uint32) uint32 { return each16x2(addSatS16, a, b) }

// SubSatU16x2 is sub.sat.u16x2.
func SubSatU16x2(a, b uint32) uint32 { return each16x2(subSatU16, a, b) }

// SubSatS16x2 is sub.sat.s16x2.
func SubSatS16x2(a, b uint32) uint32 { return each16x2(subSatS16, a, b) }

func addSatU16(a, b uint16) uint16 { return uint16(min(uint32(a)+uint32(b), math.MaxUint16)) }
func subSatU16(a, b uint16) uint16 { return a - min(a, b) }
func addSatS16(a, b uint16) uint16 { return clampS16(int32(int16(a)) + int32(int16(b))) }
func subSatS16(a, b uint16) uint16 { return clampS16(int32(int16(a)) - int32(int16(b))) }
func clampS16(x int32) uint16      { return uint16(max(math.MinInt16, min(math.MaxInt16, x))) }

func add8(a, b int32) int32 { return a + b }
func sub8(a, b int32) int32 { return a - b }
func min8(a, b int32) int32 { return min(a, b) }
func max8(a, b int32) int32 { return max(a, b) }

func addSatU8(a, b int32) int32 { return min(a+b, math.MaxUint8) }
func subSatU8(a, b int32) int32 { return max(a-b, 0) }
func addSatS8(a, b int32) int32 { return max(math.MinInt8, min(math.MaxInt8, a+b)) }
func subSatS8(a, b int32) int32 { return max(math.MinInt8, min(math.MaxInt8, a-b)) }

// Add8x4 is add.u8x4 and add.s8x4.
func Add8x4(a, b uint32) uint32 { return each8x2(add8, byteU, a, b) }

// Sub8x4 is sub.u8x4 and sub.s8x4.
func Sub8x4(a, b uint32) uint32 { return each8x2(sub8, byteU, a, b) }

// Neg8x4 is neg.s8x4.
func Neg8x4(a uint32) uint32 { return Sub8x4(0, a) }

// MinU8x4 is min.u8x4.
func MinU8x4(a, b uint32) uint32 { return each8x2(min8, byteU, a, b) }

// MaxU8x4 is max.u8x4.
func MaxU8x4(a, b uint32) uint32 { return each8x2(max8, byteU, a, b) }

// MinS8x4 is min.s8x4.
func MinS8x4(a, b uint32) uint32 { return each8x2(min8, byteS, a, b) }

// MaxS8x4 is max.s8x4.
func MaxS8x4(a, b uint32) uint32 { return each8x2(max8, byteS, a, b) }

// AddSatU8x4 is add.sat.u8x4.
func AddSatU8x4(a, b uint32) uint32 { return each8x2(addSatU8, byteU, a, b) }

// AddSatS8x4 is add.sat.s8x4.
func AddSatS8x4(a, b uint32) uint32 { return each8x2(addSatS8, byteS, a, b) }

// SubSatU8x4 is sub.sat.u8x4.
func SubSatU8x4(a, b uint32) uint32 { return each8x2(subSatU8, byteU, a, b) }

// SubSatS8x4 is sub.sat.s8x4.
func SubSatS8x4(a, b uint32) uint32 { return each8x2(subSatS8, byteS, a, b) }
