package alu

import "math/bits"

// Extended-precision arithmetic. The carry flag CC.CF travels as an argument
// and a result, 0 or 1; for subtractions it is the borrow. Forms without .cc
// drop the returned flag, forms without c pass 0.

// AddCarry32 is add.cc and addc.cc of 32 bits.
func AddCarry32(a, b, carry uint32) (sum, out uint32) { return bits.Add32(a, b, carry) }

// SubBorrow32 is sub.cc and subc.cc of 32 bits.
func SubBorrow32(a, b, borrow uint32) (diff, out uint32) { return bits.Sub32(a, b, borrow) }

// AddCarry64 is add.cc and addc.cc of 64 bits.
func AddCarry64(a, b uint64, carry uint32) (sum uint64, out uint32) {
	s, c := bits.Add64(a, b, uint64(carry))
	return s, uint32(c)
}

// SubBorrow64 is sub.cc and subc.cc of 64 bits.
func SubBorrow64(a, b uint64, borrow uint32) (diff uint64, out uint32) {
	d, c := bits.Sub64(a, b, uint64(borrow))
	return d, uint32(c)
}

// MadLoCarry32 is mad.lo.cc and madc.lo.cc of 32 bits. The low half of a
// product is the same for signed and unsigned operands.
func MadLoCarry32(a, b, c, carry uint32) (sum, out uint32) { return bits.Add32(a*b, c, carry) }

// MadHiCarryU32 is mad.hi.cc.u32 and madc.hi.cc.u32.
func MadHiCarryU32(a, b, c, carry uint32) (sum, out uint32) {
	return bits.Add32(MulHiU32(a, b), c, carry)
}

// MadHiCarryS32 is mad.hi.cc.s32 and madc.hi.cc.s32.
func MadHiCarryS32(a, b, c, carry uint32) (sum, out uint32) {
	return bits.Add32(MulHiS32(a, b), c, carry)
}

// MadLoCarry64 is mad.lo.cc and madc.lo.cc of 64 bits.
func MadLoCarry64(a, b, c uint64, carry uint32) (sum uint64, out uint32) {
	return AddCarry64(a*b, c, carry)
}

// MadHiCarryU64 is mad.hi.cc.u64 and madc.hi.cc.u64.
func MadHiCarryU64(a, b, c uint64, carry uint32) (sum uint64, out uint32) {
	return AddCarry64(MulHiU64(a, b), c, carry)
}

// MadHiCarryS64 is mad.hi.cc.s64 and madc.hi.cc.s64.
func MadHiCarryS64(a, b, c uint64, carry uint32) (sum uint64, out uint32) {
	return AddCarry64(MulHiS64(a, b), c, carry)
}
