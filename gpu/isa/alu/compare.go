package alu

// Cmp is a comparison operator of set and setp. Its value is the set of
// relations for which it holds.
type Cmp uint8

const (
	less Cmp = 1 << iota
	equal
	greater
	unordered
)

// The comparison operators. Lo, Ls, Hi and Hs are Lt, Le, Gt and Ge of
// unsigned types; whether a comparison is signed is the function's business.
// The ordered operators, Ne included, are false when an operand is NaN, those
// that end in u are true.
const (
	Lt = less
	Eq = equal
	Gt = greater
	Le = less | equal
	Ge = greater | equal
	Ne = less | greater

	Lo = Lt
	Ls = Le
	Hi = Gt
	Hs = Ge

	Ltu = Lt | unordered
	Equ = Eq | unordered
	Gtu = Gt | unordered
	Leu = Le | unordered
	Geu = Ge | unordered
	Neu = Ne | unordered

	Num = less | equal | greater
	Nan = unordered
)

func relation[T int16 | uint16 | int32 | uint32 | int64 | uint64 | float32 | float64](a, b T) Cmp {
	switch {
	case a < b:
		return less
	case a == b:
		return equal
	case a > b:
		return greater
	}
	return unordered
}

// CmpU16 is setp.op.u16 (and .b16).
func CmpU16(op Cmp, a, b uint16) bool { return op&relation(a, b) != 0 }

// CmpS16 is setp.op.s16.
func CmpS16(op Cmp, a, b uint16) bool { return op&relation(int16(a), int16(b)) != 0 }

// CmpU32 is setp.op.u32 (and .b32).
func CmpU32(op Cmp, a, b uint32) bool { return op&relation(a, b) != 0 }

// CmpS32 is setp.op.s32.
func CmpS32(op Cmp, a, b uint32) bool { return op&relation(int32(a), int32(b)) != 0 }

// CmpU64 is setp.op.u64 (and .b64).
func CmpU64(op Cmp, a, b uint64) bool { return op&relation(a, b) != 0 }

// CmpS64 is setp.op.s64.
func CmpS64(op Cmp, a, b uint64) bool { return op&relation(int64(a), int64(b)) != 0 }

// CmpF32 is setp.op.f32.
func CmpF32(op Cmp, a, b uint32) bool { return op&relation(f32(a), f32(b)) != 0 }

// CmpF64 is setp.op.f64.
func CmpF64(op Cmp, a, b uint64) bool { return op&relation(f64(a), f64(b)) != 0 }

// CmpF16 is setp.op.f16.
func CmpF16(op Cmp, a, b uint16) bool { return op&relation(wideF16(a), wideF16(b)) != 0 }

// CmpBF16 is setp.op.bf16.
func CmpBF16(op Cmp, a, b uint16) bool {
	return op&relation(f32(CvtF32BF16(a)), f32(CvtF32BF16(b))) != 0
}

// LtF32 is setp.lt.f32.
func LtF32(a, b uint32) bool { return f32(a) < f32(b) }

// LeF32 is setp.le.f32.
func LeF32(a, b uint32) bool { return f32(a) <= f32(b) }

// GtF32 is setp.gt.f32.
func GtF32(a, b uint32) bool { return f32(a) > f32(b) }

// GeF32 is setp.ge.f32.
func GeF32(a, b uint32) bool { return f32(a) >= f32(b) }

// EqF32 is setp.eq.f32.
func EqF32(a, b uint32) bool { return f32(a) == f32(b) }

// NeF32 is setp.ne.f32: false when an operand is NaN.
func NeF32(a, b uint32) bool { return f32(a) < f32(b) || f32(a) > f32(b) }

// LtuF32 is setp.ltu.f32.
func LtuF32(a, b uint32) bool { return !GeF32(a, b) }

// LeuF32 is setp.leu.f32.
func LeuF32(a, b uint32) bool { return !GtF32(a, b) }

// GtuF32 is setp.gtu.f32.
func GtuF32(a, b uint32) bool { return !LeF32(a, b) }

// GeuF32 is setp.geu.f32.
func GeuF32(a, b uint32) bool { return !LtF32(a, b) }

// EquF32 is setp.equ.f32.
func EquF32(a, b uint32) bool { return !NeF32(a, b) }

// NeuF32 is setp.neu.f32.
func NeuF32(a, b uint32) bool { return !EqF32(a, b) }

// NumF32 is setp.num.f32.
func NumF32(a, b uint32) bool { return !NanF32(a, b) }

// NanF32 is setp.nan.f32.
func NanF32(a, b uint32) bool { return IsNaNF32(a) || IsNaNF32(b) }

// LtF64 is setp.lt.f64.
func LtF64(a, b uint64) bool { return f64(a) < f64(b) }

// LeF64 is setp.le.f64.
func LeF64(a, b uint64) bool { return f64(a) <= f64(b) }

// GtF64 is setp.gt.f64.
func GtF64(a, b uint64) bool { return f64(a) > f64(b) }

// GeF64 is setp.ge.f64.
func GeF64(a, b uint64) bool { return f64(a) >= f64(b) }

// EqF64 is setp.eq.f64.
func EqF64(a, b uint64) bool { return f64(a) == f64(b) }

// NeF64 is setp.ne.f64: false when an operand is NaN.
func NeF64(a, b uint64) bool { return f64(a) < f64(b) || f64(a) > f64(b) }

// LtuF64 is setp.ltu.f64.
func LtuF64(a, b uint64) bool { return !GeF64(a, b) }

// LeuF64 is setp.leu.f64.
func LeuF64(a, b uint64) bool { return !GtF64(a, b) }

// GtuF64 is setp.gtu.f64.
func GtuF64(a, b uint64) bool { return !LeF64(a, b) }

// GeuF64 is setp.geu.f64.
func GeuF64(a, b uint64) bool { return !LtF64(a, b) }

// EquF64 is setp.equ.f64.
func EquF64(a, b uint64) bool { return !NeF64(a, b) }

// NeuF64 is setp.neu.f64.
func NeuF64(a, b uint64) bool { return !EqF64(a, b) }

// NumF64 is setp.num.f64.
func NumF64(a, b uint64) bool { return !NanF64(a, b) }

// NanF64 is setp.nan.f64.
func NanF64(a, b uint64) bool { return IsNaNF64(a) || IsNaNF64(b) }

// Test is a property that testp asks about.
type Test uint8

// The properties of testp. Zero is normal to testp.
const (
	Finite Test = iota
	Infinite
	Number
	NotANumber
	Normal
	Subnormal
)

// holds decides for a magnitude pattern; inf is the format's
// infinity, least its smallest normal magnitude.
func (t Test) holds(magnitude, least, inf uint64) bool {
	switch t {
	case Finite:
		return magnitude < inf
	case Infinite:
		return magnitude == inf
	case Number:
		return magnitude <= inf
	case NotANumber:
		return magnitude > inf
	case Normal:
		return magnitude == 0 || magnitude >= least && magnitude < inf
	}
	return magnitude != 0 && magnitude < least
}

// TestpF32 is testp.op.f32.
func TestpF32(t Test, a uint32) bool {
	return t.holds(uint64(a&^signF32), 1<<23, uint64(infF32))
}

// TestpF64 is testp.op.f64.
func TestpF64(t Test, a uint64) bool { return t.holds(a&^signF64, 1<<52, infF64) }

// SlctS32 tells whether slct.dtype.s32 selects a: c >= 0.
func SlctS32(c uint32) bool { return int32(c) >= 0 }

// SlctF32 tells whether slct.dtype.f32 selects a: c >= 0, which minus zero is
// and NaN is not.
func SlctF32(c uint32) bool { return f32(c) >= 0 }
