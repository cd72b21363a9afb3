package ops

import (
	"math"

	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// scaler is a multiplier whose rows and columns have scales. They are given
// after the terms; number n is that of the n-th part of the terms.
type scaler interface {
	scaleRow(i, n int, s uint8)
	scaleColumn(j, n int, s uint8)
}

// power is the factor two to s-127, a scale of the format ue8m0.
func power(s uint8) (value float64, exponent int32) {
	if s == 0xff {
		return math.NaN(), 1 << 24
	}
	return math.Ldexp(1, int(s)-127), int32(s) - 127
}

// scaleRow multiplies all terms of a row.
func (t *floatTile) scaleRow(i, _ int, s uint8) {
	value, exponent := power(s)
	row := &t.rows[i]
	for k := range row.Value {
		row.Value[k] *= value
		row.Exponent[k] += exponent
	}
}

// scaleColumn multiplies all terms of a column.
func (t *floatTile) scaleColumn(j, _ int, s uint8) {
	value, exponent := power(s)
	for k := range t.columns.Value {
		t.columns.Value[k][j] *= value
		t.columns.Exponent[k][j] += exponent
	}
}

func divideHalf(x uint32, by int) uint32 {
	v := math.Ldexp(float64(math.Float32frombits(alu.CvtF32F16(uint16(x)))), -by)
	return uint32(alu.CvtF16F64(alu.RN, math.Float64bits(v)))
}

// blockBits is the number of bits that are kept below the largest exponent of a
// sum of scaled blocks.
const blockBits = 35

// blockTile multiplies numbers of the format e2m1 that have scales: 16 terms are
// added up exactly, then scaled. (MMA-Sim's model of Blackwell.)
type blockTile struct {
	rows       [16][64]int32 // twice the terms
	columns    [128][8]int32
	met        [64][8]int32
	gathered   bool
	counts     int  // scales of a row
	byExponent bool // they are ue8m0, else ue4m3
	rowScale   [16][4]uint8
	colScale   [8][4]uint8
}

// fours is twice the numbers of e2m1.
var fours = [16]int32{0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12}

func (t *blockTile) row(i, k int, x uint32) {
	for j := range 8 {
		t.rows[i][k+j] = fours[x>>(4*uint(j))&15]
	}
}

func (t *blockTile) column(j, k int, x uint32) {
	t.gathered = false
	for i := range 8 {
		t.columns[k+i][j] = fours[x>>(4*uint(i))&15]
	}
}

func (t *blockTile) negateRows() {
	for i := range t.rows {
		for k := range t.rows[i] {
			t.rows[i][k] = -t.rows[i][k]
		}
	}
}

func (t *blockTile) negateColumns() {
	for k := range t.columns {
		for j := range t.columns[k] {
			t.columns[k][j] = -t.columns[k][j]
		}
	}
}

func (t *blockTile) gather(to []uint8) {
	t.gathered = true
	for k, from := range to {
		t.met[k] = t.columns[from]
	}
}

func (t *blockTile) scaleRow(i, n int, s uint8)    { t.rowScale[i][n] = s }
func (t *blockTile) scaleColumn(j, n int, s uint8) { t.colScale[j][n] = s }

// fraction and exponent of a number, whose least exponent is given; of zero, the
// exponent is that of zero in the model.
func parts(x float64, least int) (fraction float64, exponent int) {
	if x == 0 {
		return 0, -126
	}
	f, e := math.Frexp(x)
	f, e = 2*f, e-1
	if e < least {
		f, e = math.Ldexp(f, e-least), least
	}
	return f, e
}

func (t *blockTile) scaleParts(s uint8) (fraction float64, exponent int) {
	if t.byExponent {
		v, _ := power(s)
		if v != v {
			return v, 0
		}
		return 1, int(s) - 127
	}
	return parts(float64(math.Float32frombits(alu.CvtF32Tiny(alu.E4M3, s&0x7f))), -6)
}

func (t *blockTile) sums(i, k int, c *[8]uint32) (d [8]uint32) {
	columns := t.columns[:]
	if t.gathered {
		columns = t.met[:]
	}
	for j := range d {
		d[j] = t.sum(i, j, k/16, columns, c[j])
	}
	return d
}

func (t *blockTile) sum(i, j, blocks int, columns [][8]int32, c uint32) uint32 {
	start := float64(math.Float32frombits(c))
	if math.IsInf(start, 0) {
		return c
	}
	var fraction [5]float64
	var exponent [5]int
	fraction[4], exponent[4] = parts(start, -126)
	largest := exponent[4]
	for b := range blocks {
		sum := int32(0)
		for k := 16 * b; k < 16*b+16; k++ {
			sum += t.rows[i][k] * columns[k][j]
		}
		n := b * t.counts / blocks
		fa, ea := t.scaleParts(t.rowScale[i][n])
		fb, eb := t.scaleParts(t.colScale[j][n])
		fraction[b], exponent[b] = float64(sum)/4*fa*fb, ea+eb
		largest = max(largest, exponent[b])
	}
	total := 0.0
	for n, f := range fraction {
		if f != f {
			return alu.NaNF32
		}
		total += math.Trunc(math.Ldexp(f, blockBits+exponent[n]-largest))
	}
	return alu.RoundMMAF32(math.Ldexp(total, largest-blockBits))
}
