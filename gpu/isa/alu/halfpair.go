package alu

// The packed forms apply the scalar form to both halves of the operands.

// FlushF16x2 is FlushF16 of both halves.
func FlushF16x2(a uint32) uint32 { return each16x1(FlushF16, a) }

// SatF16x2 is SatF16 of both halves.
func SatF16x2(a uint32) uint32 { return each16x1(SatF16, a) }

// ReluF16x2 is ReluF16 of both halves.
func ReluF16x2(a uint32) uint32 { return each16x1(ReluF16, a) }

// ReluBF16x2 is ReluBF16 of both halves.
func ReluBF16x2(a uint32) uint32 { return each16x1(ReluBF16, a) }

// AddF16x2 is add.rn.f16x2.
func AddF16x2(a, b uint32) uint32 { return each16x2(AddF16, a, b) }

// SubF16x2 is sub.rn.f16x2.
func SubF16x2(a, b uint32) uint32 { return each16x2(SubF16, a, b) }

// MulF16x2 is mul.rn.f16x2.
func MulF16x2(a, b uint32) uint32 { return each16x2(MulF16, a, b) }

// FmaF16x2 is fma.rn.f16x2.
func FmaF16x2(a, b, c uint32) uint32 { return each16x3(FmaF16, a, b, c) }

// FmaOobF16x2 is fma.rn.oob.f16x2.
func FmaOobF16x2(a, b, c uint32) uint32 { return each16x3(FmaOobF16, a, b, c) }

// NegF16x2 is neg.f16x2.
func NegF16x2(a uint32) uint32 { return each16x1(NegF16, a) }

// AbsF16x2 is abs.f16x2.
func AbsF16x2(a uint32) uint32 { return each16x1(AbsF16, a) }

// MinF16x2 is min.f16x2.
func MinF16x2(a, b uint32) uint32 { return each16x2(MinF16, a, b) }

// MaxF16x2 is max.f16x2.
func MaxF16x2(a, b uint32) uint32 { return each16x2(MaxF16, a, b) }

// MinNaNF16x2 is min.NaN.f16x2.
func MinNaNF16x2(a, b uint32) uint32 { return each16x2(MinNaNF16, a, b) }

// MaxNaNF16x2 is max.NaN.f16x2.
func MaxNaNF16x2(a, b uint32) uint32 { return each16x2(MaxNaNF16, a, b) }

// AddBF16x2 is add.rn.bf16x2.
func AddBF16x2(a, b uint32) uint32 { return each16x2(AddBF16, a, b) }

// SubBF16x2 is sub.rn.bf16x2.
func SubBF16x2(a, b uint32) uint32 { return each16x2(SubBF16, a, b) }

// MulBF16x2 is mul.rn.bf16x2.
func MulBF16x2(a, b uint32) uint32 { return each16x2(MulBF16, a, b) }

// FmaBF16x2 is fma.rn.bf16x2.
func FmaBF16x2(a, b, c uint32) uint32 { return each16x3(FmaBF16, a, b, c) }

// FmaOobBF16x2 is fma.rn.oob.bf16x2.
func FmaOobBF16x2(a, b, c uint32) uint32 { return each16x3(FmaOobBF16, a, b, c) }

// NegBF16x2 is neg.bf16x2.
func NegBF16x2(a uint32) uint32 { return each16x1(NegBF16, a) }

// AbsBF16x2 is abs.bf16x2.
func AbsBF16x2(a uint32) uint32 { return each16x1(AbsBF16, a) }

// MinBF16x2 is min.bf16x2.
func MinBF16x2(a, b uint32) uint32 { return each16x2(MinBF16, a, b) }

// MaxBF16x2 is max.bf16x2.
func MaxBF16x2(a, b uint32) uint32 { return each16x2(MaxBF16, a, b) }

// MinNaNBF16x2 is min.NaN.bf16x2.
func MinNaNBF16x2(a, b uint32) uint32 { return each16x2(MinNaNBF16, a, b) }

// MaxNaNBF16x2 is max.NaN.bf16x2.
func MaxNaNBF16x2(a, b uint32) uint32 { return each16x2(MaxNaNBF16, a, b) }

// Xorsign16x2 is Xorsign16 of both halves.
func Xorsign16x2(m, a, b uint32) uint32 { return each16x3(Xorsign16, m, a, b) }

// Ex2ApproxF16x2 is ex2.approx.f16x2.
func Ex2ApproxF16x2(a uint32) uint32 { return each16x1(Ex2ApproxF16, a) }

// Ex2ApproxFtzBF16x2 is ex2.approx.ftz.bf16x2.
func Ex2ApproxFtzBF16x2(a uint32) uint32 { return each16x1(Ex2ApproxFtzBF16, a) }

// TanhApproxF16x2 is tanh.approx.f16x2.
func TanhApproxF16x2(a uint32) uint32 { return each16x1(TanhApproxF16, a) }

// TanhApproxBF16x2 is tanh.approx.bf16x2.
func TanhApproxBF16x2(a uint32) uint32 { return each16x1(TanhApproxBF16, a) }
