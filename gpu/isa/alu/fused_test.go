package alu

import (
	"math"
	"math/rand/v2"
	"testing"
)

// edgeFactor draws a factor: mostly a number, sometimes one that is special.
func edgeFactor(r *rand.Rand) Factor {
	switch r.IntN(40) {
	case 0:
		return FactorF16(uint16(r.Uint32()))
	case 1:
		return FactorF32(0)
	case 2:
		return FactorF32(r.Uint32())
	}
	return FactorF16(uint16(r.Uint32())&0x83ff | uint16(8+r.IntN(14))<<10)
}

func TestEightFusedDotsAreEightTimesOne(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		var row Row
		var columns Columns
		d := Dots{Row: &row, Columns: &columns, Fraction: 25}
		var a [32]Factor
		var b [8][32]Factor
		var start [8]Factor
		for k := range a {
			a[k] = edgeFactor(r)
			row.Set(k, a[k])
			for j := range b {
				b[j][k] = edgeFactor(r)
				columns.Set(k, j, b[j][k])
			}
		}
		for j := range start {
			start[j] = edgeFactor(r)
			d.Start.Set(j, start[j])
		}
		d.First, d.N = 4*r.IntN(4), []int{4, 8, 16}[r.IntN(3)]
		plain := d
		d.Fuse()
		plain.plain()
		for j, sum := range d.Sum {
			want := FusedDot(a[d.First:][:d.N], b[j][d.First:][:d.N], start[j], 25)
			if math.Float64bits(sum) != math.Float64bits(want) && (sum == sum || want == want) {
				t.Fatalf("column %d is %v, alone %v", j, sum, want)
			}
			if e := plain.alignment[j]; e < specialExponent/2 && e > zeroExponent/2 && plain.Sum[j] != want {
				t.Fatalf("column %d is %v in Go, alone %v", j, plain.Sum[j], want)
			}
		}
	}
}

func TestEightIntegerDotsAreTheSumsOfProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		n := 2 + 2*r.IntN(40)
		a, b := make([]int32, n), make([][8]int32, n)
		for k := range a {
			a[k] = int32(r.IntN(511) - 255)
			for j := range b[k] {
				b[k][j] = int32(r.IntN(511) - 255)
			}
		}
		var sum, plain [8]int32
		Dot8(a, b, &sum)
		dot8Go(a, b, &plain)
		if sum != plain {
			t.Fatalf("%d terms: %v, in Go %v", n, sum, plain)
		}
	}
}

func BenchmarkFusedDots(b *testing.B) {
	d := Dots{Row: new(Row), Columns: new(Columns), N: 16, Fraction: 25}
	for b.Loop() {
		d.Fuse()
	}
}
