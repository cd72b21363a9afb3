package alu_test

import (
	"math/big"
	"testing"

	. "github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

var intTypes = []Int{U8, S8, U16, S16, U32, S32, U64, S64}

func bounds(t Int) (lo, hi *big.Int) {
	one := big.NewInt(1)
	if t.Signed() {
		half := new(big.Int).Lsh(one, uint(t.Bits()-1))
		return new(big.Int).Neg(half), half.Sub(half, one)
	}
	full := new(big.Int).Lsh(one, uint(t.Bits()))
	return big.NewInt(0), full.Sub(full, one)
}

// lowBits is the two's complement of x in 64 bits.
func lowBits(x *big.Int) uint64 {
	m := new(big.Int).And(x, new(big.Int).SetUint64(1<<64-1))
	return m.Uint64()
}

// intValue reads the low bits of x as a number of type t.
func intValue(t Int, x uint64) *big.Int {
	v := new(big.Int).SetUint64(x)
	full := new(big.Int).Lsh(big.NewInt(1), uint(t.Bits()))
	v.Mod(v, full)
	if _, hi := bounds(t); v.Cmp(hi) > 0 {
		v.Sub(v, full)
	}
	return v
}

func clampBig(t Int, x *big.Int) uint64 {
	lo, hi := bounds(t)
	switch {
	case x.Cmp(lo) < 0:
		x = lo
	case x.Cmp(hi) > 0:
		x = hi
	}
	return lowBits(x)
}

func integralRat(r Round, x *big.Rat) *big.Int {
	q, m := new(big.Int).DivMod(x.Num(), x.Denom(), new(big.Int)) // floor
	half := new(big.Int).Lsh(m, 1).Cmp(x.Denom())
	up := false
	switch r {
	case RN:
		up = half > 0 || half == 0 && q.Bit(0) == 1
	case RZ:
		up = x.Sign() < 0 && m.Sign() != 0
	case RP:
		up = m.Sign() != 0
	}
	if up {
		q.Add(q, big.NewInt(1))
	}
	return q
}

func refFloatToInt(t Int, r Round, f refFormat, x uint64) uint64 {
	lo, hi := bounds(t)
	switch {
	case f.isNaN(x) && f.p < 53 && t.Bits() < 64:
		return 0
	case f.isNaN(x):
		return lowBits(intValue(t, 1<<(t.Bits()-1)))
	case f.isInf(x) && f.sign(x):
		return lowBits(lo)
	case f.isInf(x):
		return lowBits(hi)
	}
	return clampBig(t, integralRat(r, f.value(x)))
}

// nearInts are patterns of f next to integers, to halves, and to the ends of
// the integer types.
func nearInts(f refFormat) []uint64 {
	var list []uint64
	for _, v := range []*big.Rat{big.NewRat(1, 2), big.NewRat(3, 2), big.NewRat(5, 2), pow2(7), pow2(8), pow2(15), pow2(16), pow2(31), pow2(32), pow2(63), pow2(64), big.NewRat(255, 2), big.NewRat(511, 2)} {
		p := f.round(RN, v)
		for _, x := range []uint64{p - 1, p, p + 1} {
			list = append(list, f.signed(false, f.magnitude(x)), f.signed(true, f.magnitude(x)))
		}
	}
	return append(list, f.edges()...)
}

func TestFloatToIntClamps(t *testing.T) {
	from := []struct {
		f   refFormat
		got func(to Int, r Round, a uint64) uint64
	}{
		{refF16, func(to Int, r Round, a uint64) uint64 { return CvtIntF16(to, r, uint16(a)) }},
		{refBF16, func(to Int, r Round, a uint64) uint64 { return CvtIntBF16(to, r, uint16(a)) }},
		{refF32, func(to Int, r Round, a uint64) uint64 { return CvtIntF32(to, r, uint32(a)) }},
		{refF64, CvtIntF64},
	}
	for _, c := range from {
		values := nearInts(c.f)
		s := newSource(c.f)
		for range volume(t, 200) {
			values = append(values, s.next())
		}
		for _, to := range intTypes {
			for _, r := range directions {
				for _, a := range values {
					if got, want := c.got(to, r, a), refFloatToInt(to, r, c.f, a); got != want {
						t.Fatalf("type %d from %s, mode %d of %#x = %#x, want %#x", to, c.f.name, r, a, got, want)
					}
				}
			}
		}
	}
}

func TestFixedFloatToIntAgreesWithTheGeneral(t *testing.T) {
	s, d := newSource(refF32), newSource(refF64)
	singles, doubles := nearInts(refF32), nearInts(refF64)
	for range 2000 {
		singles, doubles = append(singles, s.next()), append(doubles, d.next())
	}
	for _, r := range directions {
		for _, x := range singles {
			a := uint32(x)
			got := [4]uint64{uint64(CvtS32F32(r, a)), uint64(CvtU32F32(r, a)), CvtS64F32(r, a), CvtU64F32(r, a)}
			want := [4]uint64{uint64(uint32(CvtIntF32(S32, r, a))), CvtIntF32(U32, r, a), CvtIntF32(S64, r, a), CvtIntF32(U64, r, a)}
			if got != want {
				t.Fatalf("mode %d of f32 %#x: %#x, want %#x", r, a, got, want)
			}
		}
		for _, a := range doubles {
			got := [4]uint64{uint64(CvtS32F64(r, a)), uint64(CvtU32F64(r, a)), CvtS64F64(r, a), CvtU64F64(r, a)}
			want := [4]uint64{uint64(uint32(CvtIntF64(S32, r, a))), CvtIntF64(U32, r, a), CvtIntF64(S64, r, a), CvtIntF64(U64, r, a)}
			if got != want {
				t.Fatalf("mode %d of f64 %#x: %#x, want %#x", r, a, got, want)
			}
		}
	}
}

var intEdges = []uint64{
	0, 1, 2, 0x7e, 0x7f, 0x80, 0x81, 0xfe, 0xff, 0x100, 0x7fff, 0x8000, 0x8001, 0xffff, 0x10000,
	0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x100000000, 0x1000001, 0x1000003,
	0x7fffff40, 0x7fffffc0, 0xffffff80, 0xffffff7f, 0x7ffffffffffffe00, 0x7ffffffffffffbff, 0x7fffffffffffffff,
	0x8000000000000000, 0x8000000000000001, 0x8000008000000000, 0x8000008000000001, 0x8000018000000000,
	0xfffffffffffffffe, 0xffffffffffffffff, 0xffffffffffff8000, 0xffffffffffffff7f, 0xffffffff80000000, 0xfffffffffffffbff,
}

func refIntToFloat(f refFormat, from Int, r Round, x uint64) uint64 {
	v := intValue(from, x)
	if v.Sign() == 0 {
		return 0
	}
	return f.round(r, new(big.Rat).SetInt(v))
}

func TestIntToFloatRoundsOnce(t *testing.T) {
	type conversion struct {
		f   refFormat
		got func(from Int, r Round, x uint64) uint64
	}
	fixed := func(from Int, r Round, x uint64) uint64 {
		switch from {
		case S32:
			return uint64(CvtF32S32(r, uint32(x)))
		case U32:
			return uint64(CvtF32U32(r, uint32(x)))
		case S64:
			return uint64(CvtF32S64(r, x))
		case U64:
			return uint64(CvtF32U64(r, x))
		}
		return uint64(CvtF32Int(from, r, x))
	}
	fixed64 := func(from Int, r Round, x uint64) uint64 {
		switch from {
		case S32:
			return CvtF64S32(uint32(x))
		case U32:
			return CvtF64U32(uint32(x))
		case S64:
			return CvtF64S64(r, x)
		case U64:
			return CvtF64U64(r, x)
		}
		return CvtF64Int(from, r, x)
	}
	conversions := []conversion{
		{refF16, func(from Int, r Round, x uint64) uint64 { return uint64(CvtF16Int(from, r, x)) }},
		{refBF16, func(from Int, r Round, x uint64) uint64 { return uint64(CvtBF16Int(from, r, x)) }},
		{refF32, func(from Int, r Round, x uint64) uint64 { return uint64(CvtF32Int(from, r, x)) }},
		{refF64, CvtF64Int}, {refF32, fixed}, {refF64, fixed64},
	}
	s := newSource(refF64)
	values := append([]uint64(nil), intEdges...)
	for range volume(t, 200) {
		values = append(values, s.Uint64()>>s.IntN(64), 1<<s.IntN(64)+1<<s.IntN(64)-uint64(s.IntN(3)))
	}
	for _, c := range conversions {
		for _, from := range intTypes {
			for _, r := range directions {
				for _, x := range values {
					if got, want := c.got(from, r, x), refIntToFloat(c.f, from, r, x); got != want {
						t.Fatalf("%s from type %d, mode %d of %#x = %#x, want %#x", c.f.name, from, r, x, got, want)
					}
				}
			}
		}
	}
}

func TestIntToIntClampsOrChops(t *testing.T) {
	for _, from := range intTypes {
		for _, to := range intTypes {
			for _, x := range intEdges {
				if got, want := CvtSatInt(to, from, x), clampBig(to, intValue(from, x)); got != want {
					t.Errorf("sat type %d from %d of %#x = %#x, want %#x", to, from, x, got, want)
				}
				if got, want := to.Extend(x), lowBits(intValue(to, x)); got != want {
					t.Errorf("type %d of %#x = %#x, want %#x", to, x, got, want)
				}
			}
		}
	}
}

func TestCvtPack(t *testing.T) {
	for _, c := range []struct {
		width   uint
		signed  bool
		a, b, c uint32
		want    uint32
	}{
		{8, false, 300, 0xffffffff, 0xaabbccdd, 0xccddff00},
		{8, true, 300, 0xfffffe00, 0xaabbccdd, 0xccdd7f80},
		{4, true, 7, 0xffffffff, 0x00000012, 0x0000127f},
		{2, false, 9, 1, 0, 0x0000000d},
		{16, true, 100000, 0xfffe0000, 0, 0x7fff8000},
		{16, false, 100000, 0xfffe0000, 0, 0xffff0000},
	} {
		if got := CvtPack(c.width, c.signed, c.a, c.b, c.c); got != c.want {
			t.Errorf("%+v: %#x", c, got)
		}
	}
}
