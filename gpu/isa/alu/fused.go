package alu

import "math"

// Row is the terms of a row of the left factor of a product, as of Factor.
type Row struct {
	Value    [32]float64
	Exponent [32]int32
}

// Set makes f term k.
func (r *Row) Set(k int, f Factor) { r.Value[k], r.Exponent[k] = f.Value, f.Exponent }

// Columns is the terms of eight columns of the right factor.
type Columns struct {
	Value    [64][8]float64
	Exponent [64][8]int32
}

// Set makes f term k of a column.
func (c *Columns) Set(k, column int, f Factor) {
	c.Value[k][column], c.Exponent[k][column] = f.Value, f.Exponent
}

// Eight is eight factors.
type Eight struct {
	Value    [8]float64
	Exponent [8]int32
}

// Set makes f number i.
func (e *Eight) Set(i int, f Factor) { e.Value[i], e.Exponent[i] = f.Value, f.Exponent }

// FusedDots is FusedDot of a row and eight columns, for terms first to first+n.
func FusedDots(a *Row, b *Columns, first, n int, c *Eight, fraction int32, sum *[8]float64) {
	var align [8]int32
	fused8(a, b, first, n, c, fraction, sum, &align)
	for j, e := range align {
		switch {
		case e >= specialExponent/2:
			x := c.Value[j]
			for k := first; k < first+n; k++ {
				x += a.Value[k] * b.Value[k][j]
			}
			sum[j] = x
		case e <= zeroExponent/2:
			sum[j] = 0
		}
	}
}

func fused8Go(a *Row, b *Columns, first, n int, c *Eight, fraction int32, sum *[8]float64, align *[8]int32) {
	*align = c.Exponent
	for k := first; k < first+n; k++ {
		for j, e := range b.Exponent[k] {
			align[j] = max(align[j], a.Exponent[k]+e)
		}
	}
	for j, e := range align {
		scale := math.Float64frombits(uint64(1023+fraction-e) << 52)
		x := int64(c.Value[j] * scale)
		for k := first; k < first+n; k++ {
			x += int64(a.Value[k] * b.Value[k][j] * scale)
		}
		sum[j] = float64(x) * math.Float64frombits(uint64(1023-fraction+e)<<52)
	}
}

func dot8Go(a []int32, b [][8]int32, sum *[8]int32) {
	*sum = [8]int32{}
	for k, x := range a {
		for j, y := range b[k] {
			sum[j] += x * y
		}
	}
}
