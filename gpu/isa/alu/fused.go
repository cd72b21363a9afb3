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

// Dots is FusedDot of a row and eight columns, for N terms from First on.
type Dots struct {
	Row       *Row
	Columns   *Columns
	First, N  int
	Fraction  int32 // bits kept below the largest exponent
	Start     Eight // what the products are added to
	Sum       [8]float64
	alignment [8]int32
}

// Fuse computes Sum.
func (d *Dots) Fuse() {
	d.fuse()
	for j, e := range d.alignment {
		switch {
		case e >= specialExponent/2:
			x := d.Start.Value[j]
			for k := d.First; k < d.First+d.N; k++ {
				x += d.Row.Value[k] * d.Columns.Value[k][j]
			}
			d.Sum[j] = x
		case e <= zeroExponent/2:
			d.Sum[j] = 0
		}
	}
}

// plain is fuse in Go.
func (d *Dots) plain() {
	d.alignment = d.Start.Exponent
	for k := d.First; k < d.First+d.N; k++ {
		for j, e := range d.Columns.Exponent[k] {
			d.alignment[j] = max(d.alignment[j], d.Row.Exponent[k]+e)
		}
	}
	for j, e := range d.alignment {
		scale := math.Float64frombits(uint64(1023+d.Fraction-e) << 52)
		x := int64(d.Start.Value[j] * scale)
		for k := d.First; k < d.First+d.N; k++ {
			x += int64(d.Row.Value[k] * d.Columns.Value[k][j] * scale)
		}
		d.Sum[j] = float64(x) * math.Float64frombits(uint64(1023-d.Fraction+e)<<52)
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
