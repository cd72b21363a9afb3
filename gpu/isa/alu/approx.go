package alu

import "math"

// The .approx and .full instructions. Their .ftz forms are one operation of
// the multifunction unit; the others scale its operand and result so that
// subnormals count. The sequences are those that NVIDIA's assembler generates
// for sm_75 to sm_100.

const (
	scale24  uint32 = 0x4b800000 // 2^24
	scaleM12 uint32 = 0x39800000 // 2^-12
	scale12  uint32 = 0x45800000 // 2^12
	half32   uint32 = 0x3f000000
	quarter  uint32 = 0x3e800000
	huge     uint32 = 0x7e800000 // 2^126
	invTwoPi uint32 = 0x3e22f983
)

func tiny(x uint32) bool { return x&^signF32 < least32 }

func tooLarge(x uint32) bool { return x&^signF32 > huge }

// RcpApproxF32 is rcp.approx.f32.
func RcpApproxF32(a uint32) uint32 {
	s := oneF32
	switch {
	case tiny(a):
		s = scale24
	case tooLarge(a):
		s = quarter
	}
	return MulF32RN(s, MufuRcp(MulF32RN(a, s)))
}

// RcpApproxFtzF32 is rcp.approx.ftz.f32.
func RcpApproxFtzF32(a uint32) uint32 { return MufuRcp(a) }

// SqrtApproxF32 is sqrt.approx.f32.
func SqrtApproxF32(a uint32) uint32 {
	if tiny(a) {
		return MulF32RN(MufuSqrt(MulF32RN(a, scale24)), scaleM12)
	}
	return MufuSqrt(a)
}

// SqrtApproxFtzF32 is sqrt.approx.ftz.f32.
func SqrtApproxFtzF32(a uint32) uint32 { return MufuSqrt(a) }

// RsqrtApproxF32 is rsqrt.approx.f32.
func RsqrtApproxF32(a uint32) uint32 {
	if tiny(a) {
		return MulF32RN(MufuRsq(MulF32RN(a, scale24)), scale12)
	}
	return MufuRsq(a)
}

// RsqrtApproxFtzF32 is rsqrt.approx.ftz.f32.
func RsqrtApproxFtzF32(a uint32) uint32 { return MufuRsq(a) }

// Ex2ApproxF32 is ex2.approx.f32.
func Ex2ApproxF32(a uint32) uint32 {
	const limit = 0xc2fc0000 // -126
	if LtF32(a, limit) {
		y := MufuEx2(MulF32RN(a, half32))
		return MulF32RN(y, y)
	}
	return MufuEx2(a)
}

// Ex2ApproxFtzF32 is ex2.approx.ftz.f32.
func Ex2ApproxFtzF32(a uint32) uint32 { return MufuEx2(a) }

// Lg2ApproxF32 is lg2.approx.f32.
func Lg2ApproxF32(a uint32) uint32 {
	const minus24 = 0xc1c00000
	if tiny(a) {
		return AddF32RN(MufuLg2(MulF32RN(a, scale24)), minus24)
	}
	return MufuLg2(a)
}

// Lg2ApproxFtzF32 is lg2.approx.ftz.f32.
func Lg2ApproxFtzF32(a uint32) uint32 { return MufuLg2(a) }

// SinApproxF32 is sin.approx.f32 and sin.approx.ftz.f32.
func SinApproxF32(a uint32) uint32 { return MufuSin(MulF32(RZ, a, invTwoPi)) }

// CosApproxF32 is cos.approx.f32 and cos.approx.ftz.f32.
func CosApproxF32(a uint32) uint32 { return MufuCos(MulF32(RZ, a, invTwoPi)) }

// TanhApproxF32 is tanh.approx.f32.
func TanhApproxF32(a uint32) uint32 { return MufuTanh(a) }

// DivApproxF32 is div.approx.f32.
func DivApproxF32(a, b uint32) uint32 {
	if tiny(b) {
		a, b = MulF32RN(a, scale24), MulF32RN(b, scale24)
	}
	return MulF32RN(MufuRcp(b), a)
}

// DivApproxFtzF32 is div.approx.ftz.f32.
func DivApproxFtzF32(a, b uint32) uint32 { return mulFtzF32(a, MufuRcp(b)) }

// DivFullF32 is div.full.f32.
func DivFullF32(a, b uint32) uint32 {
	switch {
	case tooLarge(b):
		a, b = MulF32RN(a, quarter), MulF32RN(b, quarter)
	case tiny(b):
		a, b = MulF32RN(a, scale24), MulF32RN(b, scale24)
	}
	return MulF32RN(MufuRcp(b), a)
}

// DivFullFtzF32 is div.full.ftz.f32.
func DivFullFtzF32(a, b uint32) uint32 {
	if tooLarge(b) {
		a, b = mulFtzF32(a, quarter), mulFtzF32(b, quarter)
	}
	return mulFtzF32(MufuRcp(b), a)
}

func mulFtzF32(a, b uint32) uint32 { return FlushF32(MulF32RN(FlushF32(a), FlushF32(b))) }

// RcpApproxFtzF64 is rcp.approx.ftz.f64: the low word of a is ignored, that of
// the result zero.
func RcpApproxFtzF64(a uint64) uint64 { return Join32(0, MufuRcp64h(Hi32(a))) }

// RsqrtApproxFtzF64 is rsqrt.approx.ftz.f64: the low word of a is ignored,
// that of the result zero.
func RsqrtApproxFtzF64(a uint64) uint64 { return Join32(0, MufuRsq64h(Hi32(a))) }

// RsqrtApproxF64 is rsqrt.approx.f64, here within one unit in the last place.
func RsqrtApproxF64(a uint64) uint64 {
	y := 1 / math.Sqrt(f64(a))
	if y != y {
		return nanF64(a)
	}
	return math.Float64bits(y)
}

// Ex2ApproxF16 is ex2.approx.f16.
func Ex2ApproxF16(a uint16) uint16 { return bitsF16(math.Exp2(wideF16(a))) }

// Ex2ApproxFtzBF16 is ex2.approx.ftz.bf16: subnormals are flushed.
func Ex2ApproxFtzBF16(a uint16) uint16 {
	return flushBF16(bitsBF16(math.Exp2(wideBF16(flushBF16(a)))))
}

func flushBF16(a uint16) uint16 {
	if a&infBF16 == 0 {
		return a & signF16
	}
	return a
}

// TanhApproxF16 is tanh.approx.f16.
func TanhApproxF16(a uint16) uint16 { return bitsF16(math.Tanh(wideF16(a))) }

// TanhApproxBF16 is tanh.approx.bf16.
func TanhApproxBF16(a uint16) uint16 { return bitsBF16(math.Tanh(wideBF16(a))) }
