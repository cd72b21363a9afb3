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
		var c Eight
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
			c.Set(j, start[j])
		}
		first := 4 * r.IntN(4)
		n := []int{4, 8, 16}[r.IntN(3)]
		var sum, plain [8]float64
		var align [8]int32
		FusedDots(&row, &columns, first, n, &c, 25, &sum)
		fused8Go(&row, &columns, first, n, &c, 25, &plain, &align)
		for j := range sum {
			want := FusedDot(a[first:first+n], b[j][first:first+n], start[j], 25)
			if math.Float64bits(sum[j]) != math.Float64bits(want) && (sum[j] == sum[j] || want == want) {
				t.Fatalf("column %d is %v, alone %v", j, sum[j], want)
			}
			if e := align[j]; e < specialExponent/2 && e > zeroExponent/2 && plain[j] != want {
				t.Fatalf("column %d is %v in Go, alone %v", j, plain[j], want)
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
	var row Row
	var columns Columns
	var c Eight
	var sum [8]float64
	for b.Loop() {
		FusedDots(&row, &columns, 0, 16, &c, 25, &sum)
	}
}
