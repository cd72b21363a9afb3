package alu_test

import (
	"cmp"
	"testing"

	. "github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

type halfOps struct {
	f                              refFormat
	add, sub, mul                  func(a, b uint16) uint16
	min, max, minNaN, maxNaN       func(a, b uint16) uint16
	fma, oob                       func(a, b, c uint16) uint16
	neg, abs, relu, sat, satfinite func(a uint16) uint16
	rint                           func(r Round, a uint16) uint16
	toF32                          func(a uint16) uint32
	cmp                            func(op Cmp, a, b uint16) bool
}

// satBF16 stands in for a form that PTX lacks.
func satBF16(a uint16) uint16 { return CvtBF16F32(RN, SatF32(CvtF32BF16(a))) }

var halves = []halfOps{
	{refF16, AddF16, SubF16, MulF16, MinF16, MaxF16, MinNaNF16, MaxNaNF16, FmaF16, FmaOobF16,
		NegF16, AbsF16, ReluF16, SatF16, SatfiniteF16, RintF16, CvtF32F16, CmpF16},
	{refBF16, AddBF16, SubBF16, MulBF16, MinBF16, MaxBF16, MinNaNBF16, MaxNaNBF16, FmaBF16, FmaOobBF16,
		NegBF16, AbsBF16, ReluBF16, satBF16, SatfiniteBF16, RintBF16, CvtF32BF16, CmpBF16},
}

func TestHalfArithmeticRoundsOnce(t *testing.T) {
	for _, h := range halves {
		t.Run(h.f.name, func(t *testing.T) {
			ops := []struct {
				name string
				got  func(a, b uint16) uint16
				want func(r Round, a, b uint64) uint64
			}{{"add", h.add, h.f.add}, {"sub", h.sub, h.f.sub}, {"mul", h.mul, h.f.mul}}
			check := func(a, b uint16) {
				for _, op := range ops {
					if got, want := op.got(a, b), uint16(op.want(RN, uint64(a), uint64(b))); got != want {
						t.Fatalf("%s of %#x, %#x = %#x, want %#x", op.name, a, b, got, want)
					}
				}
			}
			for _, a := range h.f.edges() {
				for _, b := range h.f.edges() {
					check(uint16(a), uint16(b))
				}
			}
			s := newSource(h.f)
			for range volume(t, 15000) {
				check(uint16(s.next()), uint16(s.next()))
			}
		})
	}
}

func TestHalfFmaRoundsOnce(t *testing.T) {
	for _, h := range halves {
		t.Run(h.f.name, func(t *testing.T) {
			check := func(a, b, c uint64) {
				got, want := h.fma(uint16(a), uint16(b), uint16(c)), uint16(h.f.fma(RN, a, b, c))
				if got != want {
					t.Fatalf("fma of %#x, %#x, %#x = %#x, want %#x", a, b, c, got, want)
				}
			}
			s := newSource(h.f)
			for range volume(t, 12000) {
				a, b := s.next(), s.next()
				check(a, b, s.next())
				check(a, b, h.f.mul(RN, a, b)^1<<15)
				// A product half a unit of c and a little more or less.
				c := s.next()
				half := h.f.magnitude(c)&h.f.inf() - uint64(h.f.p)<<(h.f.p-1)
				check(half, uint64(h.f.bias())<<(h.f.p-1)+s.Uint64N(5)-2, c)
			}
			for _, a := range h.f.edges() {
				for _, outside := range []uint16{OobNaN, OobNaN | 0x8000} {
					if got := h.oob(outside, uint16(a), 0x3c01) | h.oob(uint16(a), outside, 0x3c01); got != 0 {
						t.Errorf("oob fma of %#x and %#x = %#x, want 0", outside, a, got)
					}
				}
				if got, want := h.oob(uint16(a), 0x3c01, 0x4100), h.fma(uint16(a), 0x3c01, 0x4100); got != want {
					t.Errorf("oob fma of %#x = %#x, want %#x", a, got, want)
				}
			}
		})
	}
}

func TestHalfUnaryOverAllPatterns(t *testing.T) {
	for _, h := range halves {
		t.Run(h.f.name, func(t *testing.T) {
			one := uint16(h.f.bias() << (h.f.p - 1))
			for i := range 1 << 16 {
				a := uint16(i)
				x := uint64(a)
				negative := a >= 0x8000
				want := struct{ neg, abs, relu, sat, satfinite uint16 }{a ^ 0x8000, a & 0x7fff, a, a, a}
				switch {
				case h.f.isNaN(x):
					want = struct{ neg, abs, relu, sat, satfinite uint16 }{0x7fff, 0x7fff, 0x7fff, 0, a}
				case negative:
					want.relu, want.sat = 0, 0
				case a > one:
					want.sat = one
				}
				if h.f.isInf(x) {
					want.satfinite = a - 1
				}
				got := struct{ neg, abs, relu, sat, satfinite uint16 }{h.neg(a), h.abs(a), h.relu(a), h.sat(a), h.satfinite(a)}
				if got != want {
					t.Fatalf("%#x: %#x, want %#x", a, got, want)
				}
			}
		})
	}
}

// Order of the values, minus zero below plus zero, NaN apart.
func refLess(f refFormat, a, b uint64) bool {
	if c := f.compare(a, b); c != 0 {
		return c < 0
	}
	return f.sign(a) && !f.sign(b)
}

func (f refFormat) compare(a, b uint64) int {
	if f.isInf(a) || f.isInf(b) {
		weight := func(x uint64) int {
			switch {
			case !f.isInf(x):
				return 0
			case f.sign(x):
				return -1
			}
			return 1
		}
		return cmp.Compare(weight(a), weight(b))
	}
	return f.value(a).Cmp(f.value(b))
}

func (f refFormat) minimum(a, b uint64, strict bool, larger bool) uint64 {
	switch {
	case f.isNaN(a) && f.isNaN(b), strict && f.anyNaN(a, b):
		return f.nanOf(b, a)
	case f.isNaN(a):
		return b
	case f.isNaN(b), refLess(f, a, b) != larger:
		return a
	}
	return b
}

func TestHalfMinMax(t *testing.T) {
	for _, h := range halves {
		t.Run(h.f.name, func(t *testing.T) {
			for _, a := range h.f.edges() {
				for _, b := range h.f.edges() {
					x, y := uint16(a), uint16(b)
					got := [4]uint16{h.min(x, y), h.max(x, y), h.minNaN(x, y), h.maxNaN(x, y)}
					var want [4]uint16
					for i := range want {
						want[i] = uint16(h.f.minimum(a, b, i >= 2, i%2 == 1))
					}
					if got != want {
						t.Fatalf("min, max, strict min, max of %#x, %#x = %#x, want %#x", a, b, got, want)
					}
				}
			}
		})
	}
}

func TestXorsignTakesTheSignOfTheProduct(t *testing.T) {
	for _, c := range []struct{ a, b, want uint32 }{
		{0xbf800000, 0x40000000, 0xbf800000}, {0xbf800000, 0xc0000000, 0x3f800000},
		{0x7fc00000, 0xc0000000, 0xc0000000}, {0x7fc00000, 0xffc00000, 0x7fffffff},
	} {
		got := XorsignF32(MinF32(c.a&0x7fffffff, c.b&0x7fffffff), c.a, c.b)
		if got != c.want {
			t.Errorf("min.xorsign.abs of %#x, %#x = %#x, want %#x", c.a, c.b, got, c.want)
		}
	}
	if got := Xorsign16(NaNF16, 0x8000, 0); got != NaNF16 {
		t.Errorf("xorsign of NaN = %#x", got)
	}
}

func TestPackedHalvesAreIndependent(t *testing.T) {
	s := newSource(refF16)
	for range 2000 {
		a, b, c := s.Uint32(), s.Uint32(), s.Uint32()
		want := Join16(FmaF16(Lo16(a), Lo16(b), Lo16(c)), FmaF16(Hi16(a), Hi16(b), Hi16(c)))
		if got := FmaF16x2(a, b, c); got != want {
			t.Fatalf("FmaF16x2(%#x, %#x, %#x) = %#x, want %#x", a, b, c, got, want)
		}
		if got, want := MinBF16x2(a, b), Join16(MinBF16(Lo16(a), Lo16(b)), MinBF16(Hi16(a), Hi16(b))); got != want {
			t.Fatalf("MinBF16x2(%#x, %#x) = %#x, want %#x", a, b, got, want)
		}
		if got, want := NegF16x2(a), Join16(NegF16(Lo16(a)), NegF16(Hi16(a))); got != want {
			t.Fatalf("NegF16x2(%#x) = %#x, want %#x", a, got, want)
		}
	}
}
