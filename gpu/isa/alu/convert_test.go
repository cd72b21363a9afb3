package alu_test

import (
	"math"
	"math/big"
	"testing"

	. "github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

type narrowing struct {
	name     string
	to, from refFormat
	got      func(r Round, a uint64) uint64
}

var narrowings = []narrowing{
	{"f32.f64", refF32, refF64, func(r Round, a uint64) uint64 { return uint64(CvtF32F64(r, a)) }},
	{"f16.f64", refF16, refF64, func(r Round, a uint64) uint64 { return uint64(CvtF16F64(r, a)) }},
	{"bf16.f64", refBF16, refF64, func(r Round, a uint64) uint64 { return uint64(CvtBF16F64(r, a)) }},
	{"f16.f32", refF16, refF32, func(r Round, a uint64) uint64 { return uint64(CvtF16F32(r, uint32(a))) }},
	{"bf16.f32", refBF16, refF32, func(r Round, a uint64) uint64 { return uint64(CvtBF16F32(r, uint32(a))) }},
	{"f16.bf16", refF16, refBF16, func(r Round, a uint64) uint64 { return uint64(CvtF16BF16(r, uint16(a))) }},
	{"bf16.f16", refBF16, refF16, func(r Round, a uint64) uint64 { return uint64(CvtBF16F16(r, uint16(a))) }},
}

// around lists the patterns of format from at x, at the middle between x and
// its upper neighbour, and next to both; x is a pattern of format to.
func around(to, from refFormat, x uint64) []uint64 {
	var list []uint64
	if to.magnitude(x)+1 < to.inf() {
		v, next := to.value(x), to.value(x+1)
		middle := new(big.Rat).Mul(new(big.Rat).Add(v, next), big.NewRat(1, 2))
		for _, y := range []*big.Rat{v, middle} {
			if y.Sign() == 0 {
				continue
			}
			p := from.round(RZ, y)
			list = append(list, p, p-1, p+1)
		}
	}
	return list
}

func TestNarrowingRoundsOnce(t *testing.T) {
	for _, c := range narrowings {
		t.Run(c.name, func(t *testing.T) {
			check := func(a uint64) {
				for _, r := range directions {
					if got, want := c.got(r, a), c.to.convert(r, c.from, a); got != want {
						t.Fatalf("mode %d of %#x = %#x, want %#x", r, a, got, want)
					}
				}
			}
			s, wide := newSource(c.to), newSource(c.from)
			for _, x := range c.to.edges() {
				for _, a := range around(c.to, c.from, x) {
					check(a)
				}
			}
			for _, a := range c.from.edges() {
				check(a)
			}
			for range volume(t, 800) {
				check(wide.next())
				for _, a := range around(c.to, c.from, s.next()) {
					check(a)
				}
			}
		})
	}
}

func TestWideningOfEveryHalfIsExact(t *testing.T) {
	for x := range uint64(1 << 16) {
		if got, want := uint64(CvtF32F16(uint16(x))), refF32.convert(RN, refF16, x); got != want {
			t.Fatalf("f16 %#x = %#x, want %#x", x, got, want)
		}
		if refBF16.isNaN(x) {
			continue // a NaN keeps its bits
		}
		if got, want := uint64(CvtF32BF16(uint16(x))), refF32.convert(RN, refBF16, x); got != want {
			t.Fatalf("bf16 %#x = %#x, want %#x", x, got, want)
		}
	}
}

func TestEveryHalfSurvivesTheRoundTrip(t *testing.T) {
	for i := range 1 << 16 {
		x := uint16(i)
		for _, r := range directions {
			if !IsNaNF16(x) && (CvtF16F32(r, CvtF32F16(x)) != x || CvtF16F64(r, CvtF64F16(x)) != x) {
				t.Fatalf("f16 %#x does not survive mode %d", x, r)
			}
			if !IsNaNBF16(x) && (CvtBF16F32(r, CvtF32BF16(x)) != x || CvtBF16F64(r, CvtF64BF16(x)) != x) {
				t.Fatalf("bf16 %#x does not survive mode %d", x, r)
			}
		}
	}
}

func TestF32WidensExactly(t *testing.T) {
	s := newSource(refF32)
	for range 5000 {
		a := s.next()
		if refF32.isNaN(a) {
			continue
		}
		if got, want := CvtF64F32(uint32(a)), refF64.convert(RN, refF32, a); got != want {
			t.Fatalf("f64 of %#x = %#x, want %#x", a, got, want)
		}
	}
	if got := CvtF64F32(0xff800001); got != 0xfff8000020000000 {
		t.Errorf("f64 of a NaN = %#x", got)
	}
}

func TestTF32KeepsTenBits(t *testing.T) {
	s := newSource(refF32)
	for range 20000 {
		a := s.next()
		for _, r := range []Round{RN, RZ, RNA} {
			got := CvtTF32F32(r, uint32(a))
			var want uint32
			switch {
			case refF32.isNaN(a) && r == RNA:
				want = uint32(a) &^ 0x1fff
			case refF32.isNaN(a):
				want = 0x7fffe000
			default:
				want = uint32(refTF32.convert(r, refF32, a)) << 13
			}
			if got != want {
				t.Fatalf("mode %d of %#x = %#x, want %#x", r, a, got, want)
			}
		}
	}
	if got := SatfiniteTF32(0xff800000); got != 0xff7fe000 {
		t.Errorf("satfinite of -inf = %#x", got)
	}
}

var tinyRefs = map[Tiny]refFormat{
	E4M3: {name: "e4m3", p: 4, expBits: 4, nan: 0x7f, noInf: true, saturate: true},
	E5M2: {name: "e5m2", p: 3, expBits: 5, nan: 0x7f, saturate: true},
	E2M3: {name: "e2m3", p: 4, expBits: 2},
	E3M2: {name: "e3m2", p: 3, expBits: 3},
	E2M1: {name: "e2m1", p: 2, expBits: 2},
}

var tinyMax = map[Tiny]float32{E4M3: 448, E5M2: 57344, E2M3: 7.5, E3M2: 28, E2M1: 6}

// tinyValues lists the finite values of a format in ascending order, by its
// definition.
func tinyValues(f refFormat, limit float32) (values []float32) {
	for m := range uint64(1 << f.signBit()) {
		v, _ := f.value(m).Float32()
		if v > limit {
			break
		}
		values = append(values, v)
	}
	return values
}

func TestTinyFormatsRoundToTheNearestEvenAndSaturate(t *testing.T) {
	for tiny, f := range tinyRefs {
		t.Run(f.name, func(t *testing.T) {
			values := tinyValues(f, tinyMax[tiny])
			if last := values[len(values)-1]; last != tinyMax[tiny] {
				t.Fatalf("largest value %v, want %v", last, tinyMax[tiny])
			}
			check := func(x float32, want int) {
				for _, sign := range []uint32{0, 1} {
					got := CvtTinyF32(tiny, math.Float32bits(x)|sign<<31)
					if int(got) != want|int(sign)<<f.signBit() {
						t.Fatalf("%v, sign %d = %#x, want %#x", x, sign, got, want)
					}
				}
			}
			for i, v := range values {
				check(v, i)
				if got := CvtF32Tiny(tiny, uint8(i)|1<<f.signBit()); got != math.Float32bits(v)|1<<31 {
					t.Fatalf("value of %#x = %#x, want minus %v", i, got, v)
				}
				if i+1 == len(values) {
					break
				}
				middle := (v + values[i+1]) / 2
				check(middle, i+i&1)
				check(math.Nextafter32(middle, 0), i)
				check(math.Nextafter32(middle, math.MaxFloat32), i+1)
			}
			last := len(values) - 1
			for _, x := range []float32{2 * tinyMax[tiny], math.MaxFloat32, float32(math.Inf(1))} {
				check(x, last)
			}
			if got := CvtTinyF32(tiny, 0xffc00000); f.nan != 0 && got != 0x7f || f.nan == 0 && int(got) != last {
				t.Errorf("NaN = %#x", got)
			}
		})
	}
}

func TestTinyPacking(t *testing.T) {
	one, two := uint32(0x3f800000), uint32(0x40000000)
	if got := CvtTinyx2F32(E4M3, one, two); got != 0x3840 {
		t.Errorf("e4m3x2 of 1, 2 = %#x", got)
	}
	if got := CvtTinyx2F32(E2M1, one, two); got != 0x24 {
		t.Errorf("e2m1x2 of 1, 2 = %#x", got)
	}
	if got := CvtF16x2Tinyx2(E4M3, 0x3840); got != 0x3c004000 {
		t.Errorf("f16x2 of e4m3x2 = %#x", got)
	}
	if got := CvtTinyx2F16x2(E5M2, 0x3c00fc00); got != 0x3cfb {
		t.Errorf("e5m2x2 of f16x2 1, -inf = %#x", got)
	}
	if got := CvtF16x2Tinyx2(E5M2, 0x7cff); got != 0x7c007fff {
		t.Errorf("f16x2 of e5m2x2 inf, NaN = %#x", got)
	}
	if got := CvtTinyx4RsF32(E4M3, [4]uint32{one, two, one, two}, 0); got != 0x38403840 {
		t.Errorf("e4m3x4 = %#x", got)
	}
	if got := CvtF16x2F32(RN, one, two); got != 0x3c004000 {
		t.Errorf("f16x2 of 1, 2 = %#x", got)
	}
	if got := CvtBF16x2F32(RN, one, two); got != 0x3f804000 {
		t.Errorf("bf16x2 of 1, 2 = %#x", got)
	}
}

func TestUE8M0(t *testing.T) {
	for _, c := range []struct {
		a      uint32
		rz, rp uint8
	}{
		{0, 0, 0}, {1, 0, 0}, {0x00400000, 0, 0}, {0x00400001, 0, 1}, {0x00800000, 1, 1},
		{0x00800001, 1, 2}, {0x3f800000, 127, 127}, {0x3fc00000, 127, 128}, {0x7f7fffff, 254, 254},
		{0x7f800000, 254, 254}, {0x7fc00000, 255, 255},
	} {
		if rz, rp := CvtUE8M0F32(RZ, c.a), CvtUE8M0F32(RP, c.a); rz != c.rz || rp != c.rp {
			t.Errorf("%#x: %d, %d, want %d, %d", c.a, rz, rp, c.rz, c.rp)
		}
	}
	for x := range 255 {
		v := CvtF32BF16(CvtBF16UE8M0(uint8(x)))
		if want := float32(math.Ldexp(1, x-127)); math.Float32frombits(v) != want {
			t.Errorf("value of %d = %#x, want %v", x, v, want)
		}
	}
}

func TestStochasticRoundingCarriesByTheDiscardedBits(t *testing.T) {
	const x = 0x3f800000 | 0x1800 // 1 + 3/4 of an f16 unit
	for random, want := range map[uint32]uint32{0: 0x3c003c00, 0x07ff07ff: 0x3c003c00, 0x080007ff: 0x3c013c00, 0x1fff1fff: 0x3c013c01} {
		if got := CvtF16x2RsF32(x, x, random); got != want {
			t.Errorf("random %#x: %#x, want %#x", random, got, want)
		}
	}
	if got := CvtBF16x2RsF32(0x3f808000, 0xff800000, 0x80000000); got != 0x3f81ff80 {
		t.Errorf("bf16x2 = %#x", got)
	}
}

func TestRoundingToIntegral(t *testing.T) {
	for _, c := range []struct {
		x              float64
		rn, rz, rm, rp float64
	}{
		{0.5, 0, 0, 0, 1}, {1.5, 2, 1, 1, 2}, {2.5, 2, 2, 2, 3}, {-0.5, math.Copysign(0, -1), math.Copysign(0, -1), -1, math.Copysign(0, -1)},
		{-1.5, -2, -1, -2, -1}, {0.25, 0, 0, 0, 1}, {100, 100, 100, 100, 100}, {math.Inf(-1), math.Inf(-1), math.Inf(-1), math.Inf(-1), math.Inf(-1)},
	} {
		for r, want := range []float64{c.rn, c.rz, c.rm, c.rp} {
			f32 := RintF32(Round(r), math.Float32bits(float32(c.x)))
			f64 := RintF64(Round(r), math.Float64bits(c.x))
			f16 := RintF16(Round(r), CvtF16F64(RN, math.Float64bits(c.x)))
			bf16 := RintBF16(Round(r), CvtBF16F64(RN, math.Float64bits(c.x)))
			bits := math.Float64bits(want)
			if f64 != bits || CvtF64F32(f32) != bits || CvtF64F16(f16) != bits || CvtF64BF16(bf16) != bits {
				t.Errorf("%v in mode %d: %#x %#x %#x %#x, want %v", c.x, r, f64, f32, f16, bf16, want)
			}
		}
	}
	if got := RintF32(RN, 0xffc00000); got != NaNF32 {
		t.Errorf("NaN = %#x", got)
	}
}
