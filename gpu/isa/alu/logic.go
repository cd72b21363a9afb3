package alu

import "math/bits"

// Lop3 is lop3.b32: for each bit position, bit a<<2|b<<1|c of the table lut.
func Lop3(a, b, c uint32, lut uint8) uint32 {
	return choose(a,
		choose(b, choose(c, spread(lut, 0), spread(lut, 1)), choose(c, spread(lut, 2), spread(lut, 3))),
		choose(b, choose(c, spread(lut, 4), spread(lut, 5)), choose(c, spread(lut, 6), spread(lut, 7))))
}

// choose takes, for each bit position, the bit of one where sel is 1, else
// that of zero.
func choose(sel, zero, one uint32) uint32 { return zero ^ sel&(zero^one) }

// spread is bit i of lut in every position.
func spread(lut uint8, i int) uint32 { return -(uint32(lut) >> i & 1) }

// CnotB16 is cnot.b16: 1 for zero, else 0.
func CnotB16(a uint16) uint16 { return uint16(oneIf(a == 0)) }

// CnotB32 is cnot.b32: 1 for zero, else 0.
func CnotB32(a uint32) uint32 { return oneIf(a == 0) }

// CnotB64 is cnot.b64: 1 for zero, else 0.
func CnotB64(a uint64) uint64 { return uint64(oneIf(a == 0)) }

func oneIf(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// ShlB16 is shl.b16: amounts of 16 and more give zero.
func ShlB16(a uint16, n uint32) uint16 { return a << n }

// ShlB32 is shl.b32: amounts of 32 and more give zero.
func ShlB32(a, n uint32) uint32 { return a << n }

// ShlB64 is shl.b64: amounts of 64 and more give zero.
func ShlB64(a uint64, n uint32) uint64 { return a << n }

// ShrU16 is shr.u16 and shr.b16: amounts of 16 and more give zero.
func ShrU16(a uint16, n uint32) uint16 { return a >> n }

// ShrU32 is shr.u32 and shr.b32: amounts of 32 and more give zero.
func ShrU32(a, n uint32) uint32 { return a >> n }

// ShrU64 is shr.u64 and shr.b64: amounts of 64 and more give zero.
func ShrU64(a uint64, n uint32) uint64 { return a >> n }

// ShrS16 is shr.s16: amounts of 16 and more give the sign in every bit.
func ShrS16(a uint16, n uint32) uint16 { return uint16(int16(a) >> n) }

// ShrS32 is shr.s32: amounts of 32 and more give the sign in every bit.
func ShrS32(a, n uint32) uint32 { return uint32(int32(a) >> n) }

// ShrS64 is shr.s64: amounts of 64 and more give the sign in every bit.
func ShrS64(a uint64, n uint32) uint64 { return uint64(int64(a) >> n) }

// ShfLClamp is shf.l.clamp.b32: the high word of (b,a) shifted left by
// min(n, 32).
func ShfLClamp(a, b, n uint32) uint32 { return uint32(Join32(a, b) << min(n, 32) >> 32) }

// ShfLWrap is shf.l.wrap.b32: as ShfLClamp with n modulo 32.
func ShfLWrap(a, b, n uint32) uint32 { return uint32(Join32(a, b) << (n & 31) >> 32) }

// ShfRClamp is shf.r.clamp.b32: the low word of (b,a) shifted right by
// min(n, 32).
func ShfRClamp(a, b, n uint32) uint32 { return uint32(Join32(a, b) >> min(n, 32)) }

// ShfRWrap is shf.r.wrap.b32: as ShfRClamp with n modulo 32.
func ShfRWrap(a, b, n uint32) uint32 { return uint32(Join32(a, b) >> (n & 31)) }

// PopcB32 is popc.b32.
func PopcB32(a uint32) uint32 { return uint32(bits.OnesCount32(a)) }

// PopcB64 is popc.b64; the count has 32 bits.
func PopcB64(a uint64) uint32 { return uint32(bits.OnesCount64(a)) }

// ClzB32 is clz.b32: 32 for zero.
func ClzB32(a uint32) uint32 { return uint32(bits.LeadingZeros32(a)) }

// ClzB64 is clz.b64: 64 for zero; the count has 32 bits.
func ClzB64(a uint64) uint32 { return uint32(bits.LeadingZeros64(a)) }

// BrevB32 is brev.b32.
func BrevB32(a uint32) uint32 { return bits.Reverse32(a) }

// BrevB64 is brev.b64.
func BrevB64(a uint64) uint64 { return bits.Reverse64(a) }

// BfindU32 is bfind.u32: the position of the highest one, all ones if none.
func BfindU32(a uint32) uint32 { return uint32(bits.Len32(a) - 1) }

// BfindS32 is bfind.s32: the position of the highest bit that differs from
// the sign, all ones if none.
func BfindS32(a uint32) uint32 { return BfindU32(a ^ uint32(int32(a)>>31)) }

// BfindU64 is bfind.u64; the position has 32 bits.
func BfindU64(a uint64) uint32 { return uint32(bits.Len64(a) - 1) }

// BfindS64 is bfind.s64; the position has 32 bits.
func BfindS64(a uint64) uint32 { return BfindU64(a ^ uint64(int64(a)>>63)) }

// BfindShiftU32 is bfind.shiftamt.u32: the left shift that brings the bit to
// the top, all ones if there is none.
func BfindShiftU32(a uint32) uint32 {
	if a == 0 {
		return ^uint32(0)
	}
	return ClzB32(a)
}

// BfindShiftS32 is bfind.shiftamt.s32.
func BfindShiftS32(a uint32) uint32 { return BfindShiftU32(a ^ uint32(int32(a)>>31)) }

// BfindShiftU64 is bfind.shiftamt.u64.
func BfindShiftU64(a uint64) uint32 {
	if a == 0 {
		return ^uint32(0)
	}
	return ClzB64(a)
}

// BfindShiftS64 is bfind.shiftamt.s64.
func BfindShiftS64(a uint64) uint32 { return BfindShiftU64(a ^ uint64(int64(a)>>63)) }

// Fns is fns.b32: the position of the n-th one of mask, n = |offset|, going
// up from base (offset > 0) or down (offset < 0), base included; for offset 0
// base itself if its bit is one. All ones if there is none; a base above 31,
// which PTX leaves undefined, has none.
func Fns(mask, base, offset uint32) uint32 {
	none := ^uint32(0)
	n, step := int32(offset), uint32(1)
	switch {
	case n == -1<<31: // what the hardware makes of it
		return 0
	case n == 0:
		n = 1
		mask &= 1 << base
	case n < 0:
		n, step = -n, none
	}
	for ; base < 32; base += step {
		if mask>>base&1 == 0 {
			continue
		}
		if n--; n == 0 {
			return base
		}
	}
	return none
}

// BfeU32 is bfe.u32: c bits of a from position b, zero-extended. Position and
// length are taken modulo 256; bits beyond the top are zero.
func BfeU32(a, b, c uint32) uint32 { return a >> (b & 0xff) & (1<<(c&0xff) - 1) }

// BfeU64 is bfe.u64. The hardware, which has no such instruction, takes position
// and length as they are.
func BfeU64(a uint64, b, c uint32) uint64 { return a >> b & (1<<c - 1) }

// BfeS32 is bfe.s32: sign-extended from the field's top bit, or from bit 31
// if the field reaches beyond it.
func BfeS32(a, b, c uint32) uint32 {
	pos, n := b&0xff, c&0xff
	if n == 0 {
		return 0
	}
	up := 31 - min(pos+n-1, 31)
	return uint32(int32(a<<up) >> (pos + up))
}

// BfeS64 is bfe.s64.
func BfeS64(a uint64, b, c uint32) uint64 {
	pos, n := min(b, 0xff), min(c, 0xff)
	if n == 0 {
		return 0
	}
	up := 63 - min(pos+n-1, 63)
	return uint64(int64(a<<up) >> (pos + up))
}

// BfiB32 is bfi.b32: the low d bits of a placed into b at position c.
// Position and length are taken modulo 256; bits beyond the top are dropped.
func BfiB32(a, b, c, d uint32) uint32 {
	pos := c & 0xff
	mask := uint32(1<<(d&0xff)-1) << pos
	return a<<pos&mask | b&^mask
}

// BfiB64 is bfi.b64. The hardware, which has no such instruction, takes position
// and length as they are.
func BfiB64(a, b uint64, c, d uint32) uint64 {
	mask := uint64(1<<d-1) << c
	return a<<c&mask | b&^mask
}

// SzextClampU32 is szext.clamp.u32: the low n bits of a, all of them from 32
// on.
func SzextClampU32(a, n uint32) uint32 { return a & (1<<n - 1) }

// SzextWrapU32 is szext.wrap.u32: as SzextClampU32 with n modulo 32.
func SzextWrapU32(a, n uint32) uint32 { return SzextClampU32(a, n&31) }

// SzextClampS32 is szext.clamp.s32: the low n bits of a, sign-extended; zero
// for no bits.
func SzextClampS32(a, n uint32) uint32 {
	if n == 0 {
		return 0
	}
	up := 32 - min(n, 32)
	return uint32(int32(a<<up) >> up)
}

// SzextWrapS32 is szext.wrap.s32: as SzextClampS32 with n modulo 32.
func SzextWrapS32(a, n uint32) uint32 { return SzextClampS32(a, n&31) }

// BmskClamp is bmsk.clamp.b32: b ones from position a up, without bound for
// positions and lengths.
func BmskClamp(a, b uint32) uint32 { return uint32(1<<b-1) << a }

// BmskWrap is bmsk.wrap.b32: position and length modulo 32.
func BmskWrap(a, b uint32) uint32 { return BmskClamp(a&31, b&31) }

// Prmt is prmt.b32 in its default mode: each nibble of c picks a byte of
// (b,a) and, with its top bit set, spreads that byte's sign over the result
// byte.
func Prmt(a, b, c uint32) uint32 {
	src := Join32(a, b)
	return prmtByte(src, c) | prmtByte(src, c>>4)<<8 | prmtByte(src, c>>8)<<16 | prmtByte(src, c>>12)<<24
}

func prmtByte(src uint64, sel uint32) uint32 {
	x := int32(int8(src >> (sel & 7 * 8)))
	return uint32(x>>(sel&8)) & 0xff
}

// The other modes of prmt use only the two low bits of c. Their tables give
// the equivalent selector of the default mode.
var (
	prmtF4e  = [4]uint32{0x3210, 0x4321, 0x5432, 0x6543}
	prmtB4e  = [4]uint32{0x5670, 0x6701, 0x7012, 0x0123}
	prmtRc8  = [4]uint32{0x0000, 0x1111, 0x2222, 0x3333}
	prmtEcl  = [4]uint32{0x3210, 0x3211, 0x3222, 0x3333}
	prmtEcr  = [4]uint32{0x0000, 0x1110, 0x2210, 0x3210}
	prmtRc16 = [4]uint32{0x1010, 0x3232, 0x1010, 0x3232}
)

// PrmtF4e is prmt.b32.f4e: four bytes upward from byte c.
func PrmtF4e(a, b, c uint32) uint32 { return Prmt(a, b, prmtF4e[c&3]) }

// PrmtB4e is prmt.b32.b4e: four bytes downward from byte c, round the end.
func PrmtB4e(a, b, c uint32) uint32 { return Prmt(a, b, prmtB4e[c&3]) }

// PrmtRc8 is prmt.b32.rc8: byte c four times.
func PrmtRc8(a, b, c uint32) uint32 { return Prmt(a, b, prmtRc8[c&3]) }

// PrmtEcl is prmt.b32.ecl: byte i becomes byte max(i, c).
func PrmtEcl(a, b, c uint32) uint32 { return Prmt(a, b, prmtEcl[c&3]) }

// PrmtEcr is prmt.b32.ecr: byte i becomes byte min(i, c).
func PrmtEcr(a, b, c uint32) uint32 { return Prmt(a, b, prmtEcr[c&3]) }

// PrmtRc16 is prmt.b32.rc16: half-word c twice.
func PrmtRc16(a, b, c uint32) uint32 { return Prmt(a, b, prmtRc16[c&3]) }

// ClmadLoU64 is clmad.lo.u64: the low half of the carry-less product of a and
// b, exclusive-or c.
func ClmadLoU64(a, b, c uint64) uint64 {
	_, lo := carryless(a, b)
	return lo ^ c
}

// ClmadHiU64 is clmad.hi.u64: the high half of the carry-less product of a
// and b, exclusive-or c.
func ClmadHiU64(a, b, c uint64) uint64 {
	hi, _ := carryless(a, b)
	return hi ^ c
}

func carryless(a, b uint64) (hi, lo uint64) {
	for i := range 64 {
		if b>>i&1 != 0 {
			lo ^= a << i
			hi ^= a >> 1 >> (63 - i)
		}
	}
	return hi, lo
}
