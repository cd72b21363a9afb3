package alu

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// reference is the fused dot product in exact rational arithmetic.
func reference(a, b []Factor, c Factor, fraction int) float64 {
	value := func(f Factor) *big.Rat { return new(big.Rat).SetFloat64(f.Value) }
	terms := []*big.Rat{value(c)}
	top := -126
	if c.Value != 0 {
		top = max(top, int(c.Exponent))
	}
	for i := range a {
		terms = append(terms, new(big.Rat).Mul(value(a[i]), value(b[i])))
		if terms[i+1].Sign() != 0 {
			top = max(top, int(a[i].Exponent+b[i].Exponent))
		}
	}
	unit := new(big.Rat).SetFloat64(math.Ldexp(1, top-fraction))
	sum := new(big.Int)
	for _, t := range terms {
		q := new(big.Rat).Quo(t, unit)
		sum.Add(sum, new(big.Int).Quo(q.Num(), q.Denom())) // Quo truncates
	}
	exact, _ := new(big.Rat).Mul(new(big.Rat).SetInt(sum), unit).Float64()
	return exact
}

func TestFusedDotTruncatesAlignedTerms(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	kinds := map[string]func() Factor{
		"f16":  func() Factor { return FactorF16(uint16(r.Uint32()) &^ 0x4000) },
		"tiny": func() Factor { return FactorF16(uint16(r.Uint32()) & 0x83ff) },
		"bf16": func() Factor { return FactorBF16(uint16(r.Uint32())&0x83ff | 0x3c00) },
		"tf32": func() Factor { return FactorTF32(r.Uint32()&^(0xff<<23) | (100+r.Uint32()%56)<<23) },
		"zero": func() Factor { return FactorF16(uint16(r.Uint32()) & 0x8000) },
	}
	for name, factor := range kinds {
		for range 2000 {
			a, b := make([]Factor, 16), make([]Factor, 16)
			for i := range a {
				a[i], b[i] = factor(), factor()
			}
			c := FactorF32(r.Uint32()&^(0xff<<23) | (110+r.Uint32()%30)<<23)
			if r.Uint32()%4 == 0 {
				c = FactorF32(0)
			}
			if got, want := FusedDot(a, b, c, 25), reference(a, b, c, 25); got != want {
				t.Fatalf("%s: %v · %v + %v = %v, want %v", name, a, b, c, got, want)
			}
		}
	}
}

func TestFactorsKeepValues(t *testing.T) {
	for x := range 1 << 16 {
		f := FactorF16(uint16(x))
		if want := wideF16(uint16(x)); f.Value != want && (want == want || f.Value == f.Value) {
			t.Fatalf("f16 %#x is %v, want %v", x, f.Value, want)
		}
		if f.Value != 0 && !math.IsInf(f.Value, 0) && f.Value == f.Value {
			if m := math.Abs(f.Value) / math.Ldexp(1, int(f.Exponent)); m >= 2 || m < 1 && f.Exponent != -14 {
				t.Fatalf("f16 %#x is aligned by %d", x, f.Exponent)
			}
		}
		if g, want := FactorBF16(uint16(x)), wideBF16(uint16(x)); g.Value != want && (want == want || g.Value == g.Value) {
			t.Fatalf("bf16 %#x is %v, want %v", x, g.Value, want)
		}
	}
	if FactorTF32(0x3f801fff).Value != 1 {
		t.Error("the low bits of a tf32 count")
	}
}

func TestFusedDotOfSpecialValues(t *testing.T) {
	inf, one, zero, nan := FactorF16(0x7c00), FactorF16(0x3c00), FactorF16(0), FactorF16(0x7e00)
	minus := FactorF16(0xfc00)
	for _, c := range []struct {
		a, b, c Factor
		want    uint32
	}{
		{inf, one, zero, 0x7f800000}, {minus, one, zero, 0xff800000}, {inf, zero, one, 0x7fffffff}, {inf, one, minus, 0x7fffffff},
		{one, one, nan, 0x7fffffff}, {zero, zero, zero, 0}, {one, one, one, 0x40000000},
		{FactorF32(0x7f000000), FactorF32(0x40000000), zero, 0x7f800000},
	} {
		if got := RoundMMAF32(FusedDot([]Factor{c.a}, []Factor{c.b}, c.c, 25)); got != c.want {
			t.Errorf("%v·%v + %v = %#x, want %#x", c.a.Value, c.b.Value, c.c.Value, got, c.want)
		}
	}
	if got := RoundMMAF16(65520); got != 0x7c00 {
		t.Errorf("65520 as f16 is %#x, want infinity", got)
	}
}

// The bits below the kept ones are lost term by term, not after the sum.
func TestSmallTermsAreLostOneByOne(t *testing.T) {
	a, b := make([]Factor, 16), make([]Factor, 16)
	for i := range a {
		a[i], b[i] = FactorF16(0x0400), FactorF16(0x1000) // 2^-14 · 2^-11 = 2^-25
	}
	if got := RoundMMAF32(FusedDot(a, b, FactorF32(0x3f800000), 25)); got != 0x3f800004 {
		t.Errorf("1 + 16·2^-25 is %#x, want 0x3f800004", got)
	}
	if got := RoundMMAF32(FusedDot(a, b, FactorF32(0x3f800000), 24)); got != 0x3f800000 {
		t.Errorf("with 24 bits it is %#x, want 1", got)
	}
}

func BenchmarkFusedDot(b *testing.B) {
	x := make([]Factor, 16)
	for i := range x {
		x[i] = FactorF16(uint16(0x3c00 + 37*i))
	}
	for b.Loop() {
		FusedDot(x, x, x[0], 25)
	}
}

// Both are sums that the card formed among a million tiles of tf32.
func TestTinySumsKeepTheirBitsAndLoseTheirSign(t *testing.T) {
	for _, c := range []struct {
		a, b [4]uint32
		want uint32
	}{
		{[4]uint32{0x8ff2948d, 0xa8b00b59, 0x2388462e, 0x2c415fb8}, [4]uint32{0x01241b81, 0x0a9badbc, 0x8e3c11ca, 0x89fd0aaa}, 0x8000000c},
		{[4]uint32{0, 0, 0, 0x262b3173}, [4]uint32{0x9fcaf6a2, 0x7e9cb81d, 0xd5f14b72, 0x8d7f3944}, 0},
	} {
		var a, b [4]Factor
		for i := range a {
			a[i], b[i] = FactorTF32(c.a[i]), FactorTF32(c.b[i])
		}
		if got := RoundMMAF32(FusedDot(a[:], b[:], FactorF32(0), 25)); got != c.want {
			t.Errorf("%x * %x = %#x, want %#x", c.a, c.b, got, c.want)
		}
	}
}
