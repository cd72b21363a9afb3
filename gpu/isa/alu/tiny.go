package alu

import "math"

// Tiny names a floating-point format of at most eight bits.
type Tiny uint8

// The tiny formats. E4M3 has NaN but no infinity; E5M2 has both; the six- and
// four-bit formats have neither.
const (
	E4M3 Tiny = iota
	E5M2
	E2M3
	E3M2
	E2M1
)

// Conversions saturate, so overflow ends at the largest number.
var tinyFormats = [...]struct {
	format
	nan uint64 // what NaN becomes
}{
	E4M3: {format{3, 7, 7, 0x7e, 0x7e}, 0x7f},
	E5M2: {format{2, 15, 7, 0x7b, 0x7b}, 0x7f},
	E2M3: {format{3, 1, 5, 0x1f, 0x1f}, 0x1f},
	E3M2: {format{2, 3, 5, 0x1f, 0x1f}, 0x1f},
	E2M1: {format{1, 1, 3, 0x07, 0x07}, 0x07},
}

// width is the distance of neighbours in a packed pair.
func (t Tiny) width() uint {
	if t == E2M1 {
		return 4
	}
	return 8
}

// CvtTinyF32 is cvt.rn.satfinite.t.f32 for one element.
func CvtTinyF32(t Tiny, a uint32) uint8 {
	f := &tinyFormats[t]
	return uint8(f.fromF64(RN, math.Float64bits(wide(a)), f.nan))
}

// CvtF32Tiny is the exact value of one element.
func CvtF32Tiny(t Tiny, x uint8) uint32 {
	f := &tinyFormats[t]
	magnitude := uint64(x) & (1<<f.sign - 1)
	sign := uint32(x) >> f.sign & 1 << 31
	switch {
	case t == E4M3 && magnitude == 0x7f, t == E5M2 && magnitude > 0x7c:
		return NaNF32
	case t == E5M2 && magnitude == 0x7c:
		return sign | infF32
	}
	// A subnormal has exponent one and no hidden bit.
	e, m := int(magnitude>>f.mant), magnitude&(1<<f.mant-1)
	if e == 0 {
		e = 1
	} else {
		m |= 1 << f.mant
	}
	return sign | math.Float32bits(float32(math.Ldexp(float64(m), e-f.bias-f.mant)))
}

// CvtTinyx2F32 is cvt.rn.satfinite.tx2.f32 d, a, b: a becomes the upper
// element.
func CvtTinyx2F32(t Tiny, a, b uint32) uint16 {
	return uint16(CvtTinyF32(t, a))<<t.width() | uint16(CvtTinyF32(t, b))
}

// CvtTinyx2F16x2 is cvt.rn.satfinite.tx2.f16x2.
func CvtTinyx2F16x2(t Tiny, a uint32) uint16 {
	return CvtTinyx2F32(t, CvtF32F16(Hi16(a)), CvtF32F16(Lo16(a)))
}

// CvtTinyx2BF16x2 is cvt.rn.satfinite.tx2.bf16x2.
func CvtTinyx2BF16x2(t Tiny, a uint32) uint16 {
	return CvtTinyx2F32(t, CvtF32BF16(Hi16(a)), CvtF32BF16(Lo16(a)))
}

// CvtF16x2Tinyx2 is cvt.rn.f16x2.tx2; it is exact.
func CvtF16x2Tinyx2(t Tiny, x uint16) uint32 {
	hi, lo := uint8(x>>t.width()), uint8(x&(1<<t.width()-1))
	return Join16(CvtF16F32(RN, CvtF32Tiny(t, lo)), CvtF16F32(RN, CvtF32Tiny(t, hi)))
}

// CvtTinyx4RsF32 is cvt.rs.satfinite.tx4.f32 d, {a, b, e, f}, random: a is the
// uppermost element. One element's random bits are a byte of random, for E2M1
// a nibble: the low half-word serves e (above) and f, the high one a and b.
func CvtTinyx4RsF32(t Tiny, src [4]uint32, random uint32) uint32 {
	f := &tinyFormats[t]
	w := t.width()
	half := [4]uint32{random >> 16, random >> 16, random, random}
	var d uint32
	for i, a := range src {
		r := half[i] & (1<<(2*w) - 1)
		if i%2 == 0 {
			r >>= w
		}
		d = d<<w | uint32(f.stochastic(a, f.nan, uint64(r)<<(64-w)))
	}
	return d
}

// CvtUE8M0F32 is cvt.rnd.satfinite.ue8m0x2.f32 for one element: the exponent
// of the power of two next to the magnitude of a, biased by 127, rounded
// toward zero (RZ) or up (RP). NaN becomes 0xff.
func CvtUE8M0F32(r Round, a uint32) uint8 {
	a &^= signF32
	if a > infF32 {
		return 0xff
	}
	// Exponent zero stands for 2^-127, half of the smallest normal f32.
	e, fraction := a>>23, a&0x7fffff
	switch {
	case e == 0 && r == RP && fraction > 1<<22, e != 0 && r == RP && fraction != 0:
		e++
	}
	return uint8(min(e, 0xfe))
}

// CvtUE8M0x2F32 is cvt.rnd.satfinite.ue8m0x2.f32 d, a, b: a becomes the upper
// element.
func CvtUE8M0x2F32(r Round, a, b uint32) uint16 {
	return uint16(CvtUE8M0F32(r, a))<<8 | uint16(CvtUE8M0F32(r, b))
}

// CvtUE8M0x2BF16x2 is cvt.rnd.satfinite.ue8m0x2.bf16x2.
func CvtUE8M0x2BF16x2(r Round, a uint32) uint16 {
	return CvtUE8M0x2F32(r, CvtF32BF16(Hi16(a)), CvtF32BF16(Lo16(a)))
}

// CvtBF16UE8M0 is cvt.rn.bf16x2.ue8m0x2 for one element; it is exact.
func CvtBF16UE8M0(x uint8) uint16 {
	switch x {
	case 0xff:
		return NaNBF16
	case 0:
		return 1 << 6 // 2^-127, a subnormal
	}
	return uint16(x) << 7
}

// CvtBF16x2UE8M0x2 is cvt.rn.bf16x2.ue8m0x2; it is exact.
func CvtBF16x2UE8M0x2(x uint16) uint32 {
	return Join16(CvtBF16UE8M0(uint8(x)), CvtBF16UE8M0(uint8(x>>8)))
}
