package alu

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

// SinApproxF32 is sin.approx.f32 and, since the core flushes, sin.approx.ftz.f32.
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

func mulFtzF32(a, b uint32) uint32 { return MulFtzF32(RN, a, b) }

// RcpApproxFtzF64 is rcp.approx.ftz.f64: the low word of a is ignored, that of
// the result zero.
func RcpApproxFtzF64(a uint64) uint64 { return Join32(0, MufuRcp64h(Hi32(a))) }

// RsqrtApproxFtzF64 is rsqrt.approx.ftz.f64: the low word of a is ignored,
// that of the result zero.
func RsqrtApproxFtzF64(a uint64) uint64 { return Join32(0, MufuRsq64h(Hi32(a))) }

// RsqrtApproxF64 is rsqrt.approx.f64: one step of an iteration of the third
// order on the unit's value.
func RsqrtApproxF64(a uint64) uint64 {
	const scale, unscale = 0x4350000000000000, 0x41a0000000000000 // 2^54, 2^27
	switch {
	case a<<1 == 0:
		return a&signF64 | infF64
	case IsNaNF64(a):
		return a | quietF64
	case a&signF64 != 0:
		return NaNF64
	case a == infF64:
		return 0
	case a < 1<<52:
		return MulF64RN(rsqrtStep(MulF64RN(a, scale)), unscale)
	}
	return rsqrtStep(a)
}

func rsqrtStep(a uint64) uint64 {
	const half, threeEighths = 0x3fe0000000000000, 0x3fd8000000000000
	y := Join32(0, MufuRsq64h(Hi32(a)))
	e := FmaF64RN(a, MulF64RN(y, y)^signF64, oneF64)
	return FmaF64RN(FmaF64RN(e, threeEighths, half), MulF64RN(y, e), y)
}

// Ex2ApproxF16 is ex2.approx.f16: the unit's value for an f32, cut off.
func Ex2ApproxF16(a uint16) uint16 { return cutF16(MufuEx2(CvtF32F16(a))) }

// Ex2ApproxFtzBF16 is ex2.approx.ftz.bf16; subnormals are flushed.
func Ex2ApproxFtzBF16(a uint16) uint16 { return CvtBF16F32(RZ, MufuEx2(CvtF32BF16(a))) }

// TanhApproxF16 is tanh.approx.f16.
func TanhApproxF16(a uint16) uint16 { return cutF16(MufuTanh(CvtF32F16(a))) }

// TanhApproxBF16 is tanh.approx.bf16.
func TanhApproxBF16(a uint16) uint16 { return CvtBF16F32(RZ, MufuTanh(CvtF32BF16(a))) }

// cutF16 cuts an f32 off; what is too large for an f16 becomes infinite.
func cutF16(x uint32) uint16 {
	const tooLarge = 0x47800000 // 2^16
	if x&^signF32 >= tooLarge && !IsNaNF32(x) {
		return uint16(x>>16)&signF16 | infF16
	}
	return CvtF16F32(RZ, x)
}
