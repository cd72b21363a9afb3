package ops

import (
	"math"
	"math/bits"
	"sync"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// multiplier forms the elements of a product: of 16 rows of A and eight columns
// of B, which are given word by word.
type multiplier interface {
	row(i, k int, x uint32)                // the elements of x are the terms from k on of row i
	column(j, k int, x uint32)             // the same for column j
	negateRows()                           // of all terms
	negateColumns()                        //
	gather(to []uint8)                     // the columns consist of these of their terms
	sums(i, k int, c *[8]uint32) [8]uint32 // c + row i times the columns, which have k terms
}

// multipliers hands out multipliers of one kind.
type multipliers struct{ pool sync.Pool }

func newMultipliers(make func() multiplier) *multipliers {
	return &multipliers{sync.Pool{New: func() any { return make() }}}
}

func (m *multipliers) take() multiplier  { return m.pool.Get().(multiplier) }
func (m *multipliers) give(x multiplier) { m.pool.Put(x) }

// floatMultipliers are those of floating-point factors.
func floatMultipliers(left, right isa.Type, cHalf bool, rule fusing) *multipliers {
	a, b := decoderOf(left, rule.halves), decoderOf(right, rule.halves)
	return newMultipliers(func() multiplier { return &floatTile{left: a, right: b, cHalf: cHalf, rule: rule} })
}

// floatTile multiplies floating-point factors.
type floatTile struct {
	rows        [16]alu.Row
	columns     alu.Columns
	met         alu.Columns // those of the columns that a row of a sparse matrix meets
	gathered    bool
	word        [4]alu.Factor
	left, right decoder
	cHalf       bool
	rule        fusing
}

// decoder makes factors of the elements of a word and says how many there are.
type decoder func(x uint32, f *[4]alu.Factor) int

func decoderOf(t isa.Type, byHalf bool) decoder {
	switch t {
	case isa.F16:
		return func(x uint32, f *[4]alu.Factor) int {
			f[0], f[1] = alu.FactorF16(uint16(x)), alu.FactorF16(uint16(x>>16))
			return 2
		}
	case isa.BF16:
		return func(x uint32, f *[4]alu.Factor) int {
			f[0], f[1] = alu.FactorF32(x<<16), alu.FactorF32(x>>16<<16)
			return 2
		}
	case isa.TF32:
		return func(x uint32, f *[4]alu.Factor) int {
			f[0] = alu.FactorTF32(x)
			return 1
		}
	}
	table := tinyFactors(t, byHalf)
	return func(x uint32, f *[4]alu.Factor) int {
		f[0], f[1], f[2], f[3] = table[x&255], table[x>>8&255], table[x>>16&255], table[x>>24]
		return 4
	}
}

func (t *floatTile) row(i, k int, x uint32) {
	to := &t.rows[i]
	for j := range t.left(x, &t.word) {
		to.Set(t.rule.place(k+j), t.word[j])
	}
}

func (t *floatTile) column(j, k int, x uint32) {
	t.gathered = false
	for i := range t.right(x, &t.word) {
		t.columns.Set(t.rule.place(k+i), j, t.word[i])
	}
}

func (t *floatTile) negateRows() {
	for i := range t.rows {
		for k := range t.rows[i].Value {
			t.rows[i].Value[k] = -t.rows[i].Value[k]
		}
	}
}

func (t *floatTile) negateColumns() {
	for k := range t.columns.Value {
		for j := range t.columns.Value[k] {
			t.columns.Value[k][j] = -t.columns.Value[k][j]
		}
	}
}

func (t *floatTile) gather(to []uint8) {
	t.gathered = true
	for k, from := range to {
		i, at := t.rule.place(k), t.rule.place(int(from))
		t.met.Value[i], t.met.Exponent[i] = t.columns.Value[at], t.columns.Exponent[at]
	}
}

func (t *floatTile) sums(i, k int, c *[8]uint32) (d [8]uint32) {
	x := alu.Dots{Row: &t.rows[i], Columns: &t.columns, N: t.rule.step, Fraction: t.rule.fraction}
	if t.gathered {
		x.Columns = &t.met
	}
	if t.rule.halves {
		return t.halves(&x, c)
	}
	for j, v := range c {
		t.start(&x, j, v)
	}
	for {
		x.Fuse()
		if x.First += x.N; x.First == k {
			break
		}
		for j, v := range x.Sum {
			x.Start.Set(j, alu.FactorF32(alu.RoundMMAF32(v)))
		}
	}
	for j, v := range x.Sum {
		d[j] = t.rule.out.round(v)
	}
	return d
}

// start makes an element of C what the products of column j are added to.
func (t *floatTile) start(x *alu.Dots, j int, c uint32) {
	if t.cHalf {
		x.Start.Set(j, alu.FactorF16(uint16(c)))
		return
	}
	x.Start.Set(j, alu.FactorF32(c))
}

// halves forms elements of a product of eight-bit numbers as mma does: of two
// products of f16, the first of the lower halves of the registers; their sum is
// added to C.
func (t *floatTile) halves(x *alu.Dots, c *[8]uint32) (d [8]uint32) {
	out := toF32
	if t.cHalf {
		out = toF16
	}
	x.N /= 2
	for j := range c {
		t.start(x, j, 0)
	}
	x.Fuse()
	for j, v := range x.Sum {
		t.start(x, j, out.round(v))
	}
	x.First = x.N
	x.Fuse()
	for j, v := range x.Sum {
		if high := out.round(v); t.cHalf {
			d[j] = uint32(alu.AddF16(uint16(c[j]), uint16(high)))
		} else {
			d[j] = alu.AddF32RN(c[j], high)
		}
	}
	return d
}

// integerMultipliers are those of integers, or of words of bits.
func integerMultipliers(left, right isa.Type, rule counting) *multipliers {
	return newMultipliers(func() multiplier {
		return &integerTile{left: digitsOf(left), right: digitsOf(right), rule: rule}
	})
}

// integerTile multiplies integers.
type integerTile struct {
	rows        [16][64]int32
	columns     [128][8]int32
	met         [64][8]int32
	gathered    bool
	left, right digits
	rule        counting
}

// digits makes integers of the elements of a word and says how many there are.
type digits func(x uint32) ([8]int32, int)

func digitsOf(t isa.Type) digits {
	bits := t.Bits()
	if bits == 1 {
		return func(x uint32) ([8]int32, int) { return [8]int32{int32(x)}, 1 }
	}
	signed := t.IsSigned()
	return func(x uint32) (d [8]int32, n int) {
		n = 32 / bits
		for j := range n {
			d[j] = int32(x << uint(32-bits*(j+1)))
			if signed {
				d[j] >>= uint(32 - bits)
			} else {
				d[j] = int32(uint32(d[j]) >> uint(32-bits))
			}
		}
		return d, n
	}
}

func (t *integerTile) row(i, k int, x uint32) {
	d, n := t.left(x)
	copy(t.rows[i][k:], d[:n])
}

func (t *integerTile) column(j, k int, x uint32) {
	t.gathered = false
	d, n := t.right(x)
	for i := range n {
		t.columns[k+i][j] = d[i]
	}
}

func (t *integerTile) negateRows()    {}
func (t *integerTile) negateColumns() {}

func (t *integerTile) gather(to []uint8) {
	t.gathered = true
	for k, from := range to {
		t.met[k] = t.columns[from]
	}
}

func (t *integerTile) sums(i, k int, c *[8]uint32) (d [8]uint32) {
	columns := t.columns[:]
	if t.gathered {
		columns = t.met[:]
	}
	var sum [8]int32
	if t.rule.bits {
		t.count(t.rows[i][:k], columns, &sum)
	} else {
		alu.Dot8(t.rows[i][:k], columns, &sum)
	}
	for j, x := range sum {
		v := int64(int32(c[j])) + int64(x)
		if t.rule.saturate {
			v = max(math.MinInt32, min(math.MaxInt32, v))
		}
		d[j] = uint32(v)
	}
	return d
}

// count counts bits that two words have in common, or in which they differ.
func (t *integerTile) count(row []int32, columns [][8]int32, sum *[8]int32) {
	for k, x := range row {
		for j, y := range columns[k] {
			if t.rule.xor {
				sum[j] += int32(bits.OnesCount32(uint32(x ^ y)))
			} else {
				sum[j] += int32(bits.OnesCount32(uint32(x & y)))
			}
		}
	}
}
