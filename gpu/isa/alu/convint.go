package alu

import "math"

// Int names an integer type.
type Int uint8

// The integer types. The low bit tells signed types, the others the width.
const (
	U8 Int = iota
	S8
	U16
	S16
	U32
	S32
	U64
	S64
)

// Signed reports whether t is signed.
func (t Int) Signed() bool { return t&1 != 0 }

// Bits is the width of t.
func (t Int) Bits() int { return 8 << (t >> 1) }

// Extend is the value of the low bits of x that t has room for, zero- or
// sign-extended to 64 bits: the chop and extend of cvt between integer types.
func (t Int) Extend(x uint64) uint64 {
	up := 64 - t.Bits()
	if t.Signed() {
		return uint64(int64(x<<up) >> up)
	}
	return x << up >> up
}

func (t Int) min() int64 { return math.MinInt64 >> (64 - t.Bits()) }
func (t Int) max() uint64 {
	if t.Signed() {
		return math.MaxInt64 >> (64 - t.Bits())
	}
	return math.MaxUint64 >> (64 - t.Bits())
}

// CvtSatInt is cvt.sat.to.from: x, of type from, clamped to the range of to.
// The result is extended to 64 bits as its type asks.
func CvtSatInt(to, from Int, x uint64) uint64 {
	x = from.Extend(x)
	if from.Signed() && int64(x) < 0 {
		if !to.Signed() {
			return 0
		}
		return uint64(max(int64(x), to.min()))
	}
	return min(x, to.max())
}

// CvtPack is cvt.pack.sat.to.s32 for a type of the given width: a and b are
// clamped and laid side by side, b lowest, below the low bits of c. A width of
// 16 leaves no room for c.
func CvtPack(width uint, isSigned bool, a, b, c uint32) uint32 {
	lo, hi := int32(0), int32(1)<<width-1
	if isSigned {
		lo, hi = -1<<(width-1), 1<<(width-1)-1
	}
	field := func(x uint32) uint32 { return uint32(max(lo, min(hi, int32(x)))) & (1<<width - 1) }
	return c<<(2*width) | field(a)<<width | field(b)
}

// CvtIntF64 is cvt.rXi.to.f64. Values beyond the range are clamped, with or
// without .sat. The result is extended to 64 bits as its type asks.
func CvtIntF64(to Int, r Round, a uint64) uint64 {
	if IsNaNF64(a) {
		return to.nan()
	}
	return to.clamp(integral(r, f64(a)))
}

// CvtIntF32 is cvt.rXi.to.f32.
func CvtIntF32(to Int, r Round, a uint32) uint64 {
	if IsNaNF32(a) {
		return to.narrowNaN()
	}
	return to.clamp(integral(r, wide(a)))
}

// CvtIntF16 is cvt.rXi.to.f16.
func CvtIntF16(to Int, r Round, a uint16) uint64 { return CvtIntF32(to, r, CvtF32F16(a)) }

// CvtIntBF16 is cvt.rXi.to.bf16.
func CvtIntBF16(to Int, r Round, a uint16) uint64 { return CvtIntF32(to, r, CvtF32BF16(a)) }

// nan is what NaN converts to from f64, or into 64 bits: the top bit alone.
func (t Int) nan() uint64 { return t.Extend(1 << (t.Bits() - 1)) }

// narrowNaN is what NaN converts to from the narrower formats: zero, unless
// the integer has 64 bits.
func (t Int) narrowNaN() uint64 {
	if t.Bits() == 64 {
		return t.nan()
	}
	return 0
}

// clamp converts the integral number x, clamping to the range of t.
func (t Int) clamp(x float64) uint64 {
	end := math.Ldexp(1, t.Bits()) // one beyond the largest number
	if t.Signed() {
		end /= 2
	}
	switch {
	case x >= end:
		return t.max()
	case t.Signed() && x < -end:
		return uint64(t.min())
	case t.Signed():
		return uint64(int64(x))
	case x <= 0:
		return 0
	}
	return uint64(x)
}

// CvtS32F32 is cvt.rXi.s32.f32.
func CvtS32F32(r Round, a uint32) uint32 {
	if x := f32(a); r == RZ && x > -0x1p31 && x < 0x1p31 {
		return uint32(int32(x))
	}
	return uint32(CvtIntF32(S32, r, a))
}

// CvtU32F32 is cvt.rXi.u32.f32.
func CvtU32F32(r Round, a uint32) uint32 {
	if x := f32(a); r == RZ && x >= 0 && x < 0x1p32 {
		return uint32(int64(x))
	}
	return uint32(CvtIntF32(U32, r, a))
}

// CvtS64F32 is cvt.rXi.s64.f32.
func CvtS64F32(r Round, a uint32) uint64 { return CvtIntF32(S64, r, a) }

// CvtU64F32 is cvt.rXi.u64.f32.
func CvtU64F32(r Round, a uint32) uint64 { return CvtIntF32(U64, r, a) }

// CvtS32F64 is cvt.rXi.s32.f64.
func CvtS32F64(r Round, a uint64) uint32 {
	if x := f64(a); r == RZ && x > -0x1p31 && x < 0x1p31 {
		return uint32(int32(x))
	}
	return uint32(CvtIntF64(S32, r, a))
}

// CvtU32F64 is cvt.rXi.u32.f64.
func CvtU32F64(r Round, a uint64) uint32 { return uint32(CvtIntF64(U32, r, a)) }

// CvtS64F64 is cvt.rXi.s64.f64.
func CvtS64F64(r Round, a uint64) uint64 { return CvtIntF64(S64, r, a) }

// CvtU64F64 is cvt.rXi.u64.f64.
func CvtU64F64(r Round, a uint64) uint64 { return CvtIntF64(U64, r, a) }

// magnitude splits x, of type t, into sign and absolute value.
func (t Int) magnitude(x uint64) (neg bool, m uint64) {
	x = t.Extend(x)
	if t.Signed() && int64(x) < 0 {
		return true, -x
	}
	return false, x
}

func (f *format) cvtInt(from Int, r Round, x uint64) uint64 {
	neg, m := from.magnitude(x)
	return f.fromInt(r, neg, m)
}

// CvtF64Int is cvt.rnd.f64.from.
func CvtF64Int(from Int, r Round, x uint64) uint64 { return fmtF64.cvtInt(from, r, x) }

// CvtF32Int is cvt.rnd.f32.from.
func CvtF32Int(from Int, r Round, x uint64) uint32 { return uint32(fmtF32.cvtInt(from, r, x)) }

// CvtF16Int is cvt.rnd.f16.from.
func CvtF16Int(from Int, r Round, x uint64) uint16 { return uint16(fmtF16.cvtInt(from, r, x)) }

// CvtBF16Int is cvt.rnd.bf16.from.
func CvtBF16Int(from Int, r Round, x uint64) uint16 { return uint16(fmtBF16.cvtInt(from, r, x)) }

// CvtF32S32 is cvt.rnd.f32.s32.
func CvtF32S32(r Round, x uint32) uint32 {
	if r == RN {
		return math.Float32bits(float32(int32(x)))
	}
	return CvtF32Int(S32, r, uint64(x))
}

// CvtF32U32 is cvt.rnd.f32.u32.
func CvtF32U32(r Round, x uint32) uint32 {
	if r == RN {
		return math.Float32bits(float32(int64(x)))
	}
	return CvtF32Int(U32, r, uint64(x))
}

// CvtF32S64 is cvt.rnd.f32.s64.
func CvtF32S64(r Round, x uint64) uint32 {
	if r == RN {
		return math.Float32bits(float32(int64(x)))
	}
	return CvtF32Int(S64, r, x)
}

// CvtF32U64 is cvt.rnd.f32.u64.
func CvtF32U64(r Round, x uint64) uint32 { return CvtF32Int(U64, r, x) }

// CvtF64S32 is cvt.rnd.f64.s32; it is exact.
func CvtF64S32(x uint32) uint64 { return math.Float64bits(float64(int32(x))) }

// CvtF64U32 is cvt.rnd.f64.u32; it is exact.
func CvtF64U32(x uint32) uint64 { return math.Float64bits(float64(int64(x))) }

// CvtF64S64 is cvt.rnd.f64.s64.
func CvtF64S64(r Round, x uint64) uint64 {
	if r == RN {
		return math.Float64bits(float64(int64(x)))
	}
	return CvtF64Int(S64, r, x)
}

// CvtF64U64 is cvt.rnd.f64.u64.
func CvtF64U64(r Round, x uint64) uint64 { return CvtF64Int(U64, r, x) }
