package alu

// Dot products. The two letters name the signedness of the fields of a and b.
// Sums wrap, so the signedness of c does not matter.

func byteU(x uint32, i int) uint32 { return x >> (8 * i) & 0xff }
func byteS(x uint32, i int) uint32 { return uint32(int32(int8(x >> (8 * i)))) }
func halfU(x uint32, i int) uint32 { return x >> (16 * i) & 0xffff }
func halfS(x uint32, i int) uint32 { return uint32(int32(int16(x >> (16 * i)))) }

type field func(x uint32, i int) uint32

func dot4(a, b, c uint32, fa, fb field) uint32 {
	return c + fa(a, 0)*fb(b, 0) + fa(a, 1)*fb(b, 1) + fa(a, 2)*fb(b, 2) + fa(a, 3)*fb(b, 3)
}

func dot2(a, b, c uint32, fa, fb field) uint32 { return c + fa(a, 0)*fb(b, 0) + fa(a, 1)*fb(b, 1) }

// Dp4aUU is dp4a.u32.u32: four products of bytes and c.
func Dp4aUU(a, b, c uint32) uint32 { return dot4(a, b, c, byteU, byteU) }

// Dp4aUS is dp4a.u32.s32.
func Dp4aUS(a, b, c uint32) uint32 { return dot4(a, b, c, byteU, byteS) }

// Dp4aSU is dp4a.s32.u32.
func Dp4aSU(a, b, c uint32) uint32 { return dot4(a, b, c, byteS, byteU) }

// Dp4aSS is dp4a.s32.s32.
func Dp4aSS(a, b, c uint32) uint32 { return dot4(a, b, c, byteS, byteS) }

// Dp2aLoUU is dp2a.lo.u32.u32: the half-words of a by bytes 0 and 1 of b.
func Dp2aLoUU(a, b, c uint32) uint32 { return dot2(a, b, c, halfU, byteU) }

// Dp2aLoUS is dp2a.lo.u32.s32.
func Dp2aLoUS(a, b, c uint32) uint32 { return dot2(a, b, c, halfU, byteS) }

// Dp2aLoSU is dp2a.lo.s32.u32.
func Dp2aLoSU(a, b, c uint32) uint32 { return dot2(a, b, c, halfS, byteU) }

// Dp2aLoSS is dp2a.lo.s32.s32.
func Dp2aLoSS(a, b, c uint32) uint32 { return dot2(a, b, c, halfS, byteS) }

// Dp2aHiUU is dp2a.hi.u32.u32: the half-words of a by bytes 2 and 3 of b.
func Dp2aHiUU(a, b, c uint32) uint32 { return dot2(a, b>>16, c, halfU, byteU) }

// Dp2aHiUS is dp2a.hi.u32.s32.
func Dp2aHiUS(a, b, c uint32) uint32 { return dot2(a, b>>16, c, halfU, byteS) }

// Dp2aHiSU is dp2a.hi.s32.u32.
func Dp2aHiSU(a, b, c uint32) uint32 { return dot2(a, b>>16, c, halfS, byteU) }

// Dp2aHiSS is dp2a.hi.s32.s32.
func Dp2aHiSS(a, b, c uint32) uint32 { return dot2(a, b>>16, c, halfS, byteS) }
