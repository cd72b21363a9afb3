package alu_test

import (
	"math"
	"testing"

	. "github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

const (
	inf  = uint32(0x7f800000)
	ninf = uint32(0xff800000)
	nan  = uint32(0x7fffffff)
)

type approxOp struct {
	name string
	got  func(a uint32) uint32
	want func(x float64) float64
	rel  float64 // bound relative to the result
	abs  float64 // bound, alternative to rel
	lo   float64 // range of the test
	hi   float64
}

// The bounds are those of the PTX manual, widened a little where the card
// exceeds them: cos, tanh.bf16.
var approxOps = []approxOp{
	{"rcp", RcpApproxF32, func(x float64) float64 { return 1 / x }, 0x1p-23, 0, 0x1p-126, 0x1p126},
	{"rcp.ftz", RcpApproxFtzF32, func(x float64) float64 { return 1 / x }, 0x1p-23, 0, 0x1p-126, 0x1p125},
	{"rcp of subnormals", RcpApproxF32, func(x float64) float64 { return 1 / x }, 0x1p-23, 0, 0x1p-127, 0x1p-126},
	{"rcp to subnormals", RcpApproxF32, func(x float64) float64 { return 1 / x }, 0, 0x1p-149, 0x1p126, 0x1p127},
	{"sqrt", SqrtApproxF32, math.Sqrt, 0x1p-23, 0, 0x1p-148, 0x1p127},
	{"sqrt.ftz", SqrtApproxFtzF32, math.Sqrt, 0x1p-23, 0, 0x1p-126, 0x1p127},
	{"rsqrt", RsqrtApproxF32, func(x float64) float64 { return 1 / math.Sqrt(x) }, 0x1p-22, 0, 0x1p-148, 0x1p127},
	{"ex2", Ex2ApproxF32, math.Exp2, 0x1p-22, 0, -125, 127},
	{"ex2 to subnormals", Ex2ApproxF32, math.Exp2, 0, 0x1p-147, -150, -126},
	{"ex2.ftz", Ex2ApproxFtzF32, math.Exp2, 0x1p-22, 0, -125, 127},
	{"lg2 near 1", Lg2ApproxF32, math.Log2, 0, 0x1p-22, 0.5, 2},
	{"lg2", Lg2ApproxF32, math.Log2, 0x1p-22, 0, 2, 0x1p127},
	{"lg2 of subnormals", Lg2ApproxF32, math.Log2, 0x1p-22, 0, 0x1p-148, 0x1p-126},
	{"sin", SinApproxF32, math.Sin, 0, math.Exp2(-20.5), -2 * math.Pi, 2 * math.Pi},
	{"cos", CosApproxF32, math.Cos, 0, math.Exp2(-20.4), -2 * math.Pi, 2 * math.Pi},
	{"sin far", SinApproxF32, math.Sin, 0, math.Exp2(-14.7), -100 * math.Pi, 100 * math.Pi},
	{"cos far", CosApproxF32, math.Cos, 0, math.Exp2(-14.7), -100 * math.Pi, 100 * math.Pi},
	{"tanh", TanhApproxF32, math.Tanh, 0x1p-11, 0, -20, 20},
	{"tanh of subnormals", TanhApproxF32, math.Tanh, 0x1p-11, 0x1p-149, 0x1p-149, 0x1p-126},
}

func TestApproximationsStayWithinTheirBounds(t *testing.T) {
	const steps = 20000
	for _, op := range approxOps {
		for i := range steps {
			part := float64(i) / steps
			x := op.lo + (op.hi-op.lo)*part
			if op.lo > 0 && op.hi/op.lo > 4 {
				x = op.lo * math.Pow(op.hi/op.lo, part)
			}
			a := math.Float32bits(float32(x))
			want := op.want(float64(float32(x)))
			got := float64(math.Float32frombits(op.got(a)))
			if e := math.Abs(got - want); e > max(op.rel*math.Abs(want), op.abs) {
				t.Errorf("%s of %v = %v, want %v", op.name, float32(x), got, want)
				break
			}
		}
	}
}

func TestSpecialValuesOfApproximations(t *testing.T) {
	for _, c := range []struct {
		name          string
		f             func(uint32) uint32
		operand, want uint32
	}{
		{"rcp", RcpApproxF32, 0, inf}, {"rcp", RcpApproxF32, 0x80000000, ninf},
		{"rcp", RcpApproxF32, inf, 0}, {"rcp", RcpApproxF32, ninf, 0x80000000}, {"rcp", RcpApproxF32, 0x7f800001, nan},
		{"rcp.ftz", RcpApproxFtzF32, 0x80000001, ninf}, {"rcp.ftz", RcpApproxFtzF32, 0xff000000, 0x80000000},
		{"sqrt", SqrtApproxF32, 0x80000000, 0x80000000}, {"sqrt", SqrtApproxF32, 0xbf800000, nan}, {"sqrt", SqrtApproxF32, inf, inf},
		{"sqrt", SqrtApproxF32, 0x80000001, nan}, {"sqrt.ftz", SqrtApproxFtzF32, 0x80000001, 0x80000000},
		{"rsqrt", RsqrtApproxF32, 0, inf}, {"rsqrt", RsqrtApproxF32, 0x80000000, ninf}, {"rsqrt", RsqrtApproxF32, inf, 0},
		{"rsqrt", RsqrtApproxF32, 0xbf800000, nan}, {"rsqrt.ftz", RsqrtApproxFtzF32, 1, inf},
		{"ex2", Ex2ApproxF32, ninf, 0}, {"ex2", Ex2ApproxF32, inf, inf}, {"ex2", Ex2ApproxF32, 0x80000000, 0x3f800000},
		{"ex2", Ex2ApproxF32, nan, nan}, {"ex2", Ex2ApproxF32, 0x43000000, inf}, {"ex2.ftz", Ex2ApproxFtzF32, 0xc3000000, 0},
		{"ex2", Ex2ApproxF32, 0xc3140000, 2}, // 2^-148
		{"lg2", Lg2ApproxF32, 0, ninf}, {"lg2", Lg2ApproxF32, 0x80000000, ninf}, {"lg2", Lg2ApproxF32, 0xbf800000, nan},
		{"lg2", Lg2ApproxF32, inf, inf}, {"lg2", Lg2ApproxF32, 0x3f800000, 0}, {"lg2", Lg2ApproxF32, 1, 0xc3150000}, {"lg2.ftz", Lg2ApproxFtzF32, 1, ninf},
		{"sin", SinApproxF32, inf, nan}, {"sin", SinApproxF32, 0x80000000, 0x80000000}, {"sin", SinApproxF32, 0, 0},
		{"cos", CosApproxF32, ninf, nan}, {"cos", CosApproxF32, 0, 0x3f800000}, {"cos", CosApproxF32, 0x80000001, 0x3f800000},
		{"tanh", TanhApproxF32, inf, 0x3f800000}, {"tanh", TanhApproxF32, ninf, 0xbf800000}, {"tanh", TanhApproxF32, 0x80000001, 0x80000001},
	} {
		if got := c.f(c.operand); got != c.want {
			t.Errorf("%s of %#x = %#x, want %#x", c.name, c.operand, got, c.want)
		}
	}
}

// The values are the card's: tests/vectors has them all, as hashes.
func TestCoresGiveTheCardsBits(t *testing.T) {
	for _, c := range []struct {
		name    string
		f       func(uint32) uint32
		x, want uint32
	}{
		{"lg2", MufuLg2, 0x3f800001, 0x3495f600}, {"lg2", MufuLg2, 0x3f800002, 0x34f24a00}, {"lg2", MufuLg2, 0x3f7fffff, 0xb24b4000},
		{"lg2", MufuLg2, 0x3f000000, 0xbf7ffffe}, {"rcp", MufuRcp, 0x42ff0000, 0x3c008080}, {"rsqrt", MufuRsq, 0x40000000, 0x3f3504f2},
		{"ex2", MufuEx2, 0xbf800001, 0x3efffffe}, {"ex2", MufuEx2, 0x3f000001, 0x3fb504f3}, {"sin", MufuSin, 0x3d800000, 0x3ec3ef15},
		{"sin", MufuSin, 0x3effffff, 0}, {"cos", MufuCos, 0x3e800001, 0xb4491200}, {"tanh", MufuTanh, 0x3f800000, 0x3f42f848},
		{"tanh", MufuTanh, 0x3b800000, 0x3b800000}, {"tanh", MufuTanh, 0x3b7fffff, 0x3b7fffff}, {"tanh", MufuTanh, 0x41000000, 0x3f800000},
		{"sqrt", MufuSqrt, 0x40000000, 0x3fb504f3},
	} {
		if got := c.f(c.x); got != c.want {
			t.Errorf("%s of %#x = %#x, want %#x", c.name, c.x, got, c.want)
		}
	}
}

func TestFlushingLooksAtTheResultWithUnboundedExponent(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want uint32
	}{
		{"mul", MulFtzF32(RN, 0x00800000, 0x3f7fffff), 0}, {"mul without", MulF32(RN, 0x00800000, 0x3f7fffff), 0x00800000},
		{"mul away from zero", MulFtzF32(RM, 0xbe6ad2b6, 0x018b8b18), 0x80000000},
		{"mul of just less", MulFtzF32(RN, 0x00800001, 0x3f7ffffe), 0x00800000},
		{"fma", FmaFtzF32(RN, 0xbd24a19a, 0x02c709eb, 0), 0x80000000}, {"div", DivFtzF32(RM, 0x81b57887, 0x40b57888), 0x80000000},
		{"mul.f16", uint32(MulFtzF16(0x2c00, 0x13ff)), 0}, {"fma.f16", uint32(FmaFtzF16(0x8900, 0x35a7, 0x0788)), 0},
	} {
		if c.got != c.want {
			t.Errorf("%s = %#x, want %#x", c.name, c.got, c.want)
		}
	}
}

func TestTheTrigonometricCoreCountsInTurns(t *testing.T) {
	for _, c := range []struct{ turns, sin, cos float32 }{
		{0.25, 1, 0}, {0.5, 0, -1}, {0.75, -1, 0}, {1, 0, 1}, {-0.25, -1, 0}, {1000.25, 1, 0},
	} {
		x := math.Float32bits(c.turns)
		sin, cos := math.Float32frombits(MufuSin(x)), math.Float32frombits(MufuCos(x))
		if sin != c.sin || cos != c.cos {
			t.Errorf("%v turns: sin %v, cos %v", c.turns, sin, cos)
		}
	}
}

func TestApproximateDivision(t *testing.T) {
	s := newSource(refF32)
	inBound := func(f func(a, b uint32) uint32, a, b uint32) {
		t.Helper()
		got, want := f(a, b), DivF32(RN, a, b)
		if d := int32(got - want); d > 2 || d < -2 {
			t.Fatalf("%#x / %#x = %#x, want %#x within 2", a, b, got, want)
		}
	}
	for range 20000 {
		a, b := uint32(s.next()), uint32(s.next())
		if IsNaNF32(DivF32(RN, a, b)) {
			continue
		}
		if e := b >> 23 & 0xff; e >= 1 && e <= 252 {
			inBound(DivApproxF32, a, b)
		}
		inBound(DivFullF32, a, b)
	}
	for _, c := range []struct {
		name      string
		got, want uint32
	}{
		{"approx by 2^127", DivApproxF32(0xbf800000, 0x7f000000), 0x80000000},
		{"approx inf by 2^127", DivApproxF32(inf, 0x7f000000), nan},
		{"full by 2^127", DivFullF32(0x7f000000, 0x7f000000), 0x3f800000},
		{"approx 0/0", DivApproxF32(0, 0), nan},
		{"approx ftz", DivApproxFtzF32(1, 0x3f800000), 0},
		{"full ftz by 2^127", DivFullFtzF32(0x7f000000, 0x7f000000), 0x3f800000},
		{"full ftz", DivFullFtzF32(0x40000000, 0xc0800000), 0xbf000000},
	} {
		if c.got != c.want {
			t.Errorf("%s = %#x, want %#x", c.name, c.got, c.want)
		}
	}
}

func TestDoubleApproximations(t *testing.T) {
	const nan64 = 0x7fffffff00000000
	for _, c := range []struct {
		name      string
		got, want uint64
	}{
		{"rcp of 2", RcpApproxFtzF64(0x4000000012345678), 0x3fe0000000000000},
		{"rcp of 3", RcpApproxFtzF64(0x4008000000000000), 0x3fd5555500000000},
		{"rcp of subnormal", RcpApproxFtzF64(0x8000000100000000), 0xfff0000000000000},
		{"rcp to subnormal", RcpApproxFtzF64(0x7fe0000000000000), 0},
		{"rcp of NaN", RcpApproxFtzF64(0x7ff8000000000000), nan64},
		{"rsqrt of 4", RsqrtApproxFtzF64(0x4010000000000000), 0x3fe0000000000000},
		{"rsqrt of -1", RsqrtApproxFtzF64(0xbff0000000000000), nan64},
		{"rsqrt of -0", RsqrtApproxFtzF64(1 << 63), 0xfff0000000000000},
		{"rsqrt full of 4", RsqrtApproxF64(0x4010000000000000), 0x3fe0000000000000},
		{"rsqrt full of subnormal", RsqrtApproxF64(4), 0x6170000000000000},
		{"rsqrt full of -1", RsqrtApproxF64(0xbff0000000000000), NaNF64},
	} {
		if c.got != c.want {
			t.Errorf("%s = %#x, want %#x", c.name, c.got, c.want)
		}
	}
}

func TestHalfApproximationsOverAllPatterns(t *testing.T) {
	value := func(x uint32) float64 { return float64(math.Float32frombits(x)) }
	within := func(name string, a uint16, got uint32, want, rel, abs float64) {
		t.Helper()
		g := value(got)
		if math.IsNaN(want) != math.IsNaN(g) || !math.IsNaN(want) && g != want && math.Abs(g-want) > max(rel*math.Abs(want), abs) {
			t.Fatalf("%s of %#x = %v, want %v", name, a, g, want)
		}
	}
	for i := range 1 << 16 {
		a := uint16(i)
		x, y := value(CvtF32F16(a)), value(CvtF32BF16(a))
		within("tanh.f16", a, CvtF32F16(TanhApproxF16(a)), math.Tanh(x), 0, math.Exp2(-10.987))
		within("tanh.bf16", a, CvtF32BF16(TanhApproxBF16(a)), math.Tanh(y), 0, 0x1.01p-8)
		if e := math.Exp2(x); e < 65504 {
			within("ex2.f16", a, CvtF32F16(Ex2ApproxF16(a)), e, math.Exp2(-9.9), 0x1p-24)
		}
		if e := math.Exp2(y); e < 0x1.fep127 {
			within("ex2.bf16", a, CvtF32BF16(Ex2ApproxFtzBF16(a)), e, 0x1p-7, 0x1p-126)
		}
	}
	if Ex2ApproxF16(0x4c00) != 0x7c00 || Ex2ApproxF16(0xfc00) != 0 || Ex2ApproxFtzBF16(0xc300) != 0 {
		t.Error("ex2 of halves beyond the range")
	}
}
