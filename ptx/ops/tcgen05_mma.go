package ops

import (
	"math"
	"strings"
	"sync"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// tensorMma is a form of tcgen05.mma.
type tensorMma struct {
	form                            isa.Form
	pair, sparse, weights, inTensor bool // of two CTAs; .sp; .ws; A lies in tensor memory
	scaled, masked                  bool // block_scale; some lanes of D are not written
	shifted                         bool // ashift
	kind                            string
	scales                          int      // of a row
	multipliers                     sync.Map // by the bits of the instruction descriptor that decide
}

func bindTensorMma(f *isa.Form) isa.Handler {
	t := &tensorMma{
		form: *f, pair: f.Has("cta_group::2"), sparse: f.Has("sp"), weights: f.Has("ws"), scaled: f.Has("block_scale"), shifted: f.Has("ashift"),
		inTensor: strings.HasPrefix(f.Op.Args, fromTensor), masked: strings.Contains(f.Op.Args, "F:"),
		kind: f.Any("kind::f16", "kind::tf32", "kind::f8f6f4", "kind::i8", "kind::mxf8f6f4", "kind::mxf4", "kind::mxf4nvf4"),
	}
	if t.scaled {
		t.scales = scaleCount(f)
	}
	if t.scaled && t.scales == 0 || t.shifted && f.Any(collectors...) != "" {
		return nil
	}
	return func(w *isa.Warp, in *isa.Inst) {
		for l := range w.Mask.All {
			t.execute(w, in, l)
		}
	}
}

// collectors are those that ashift cannot be combined with.
var collectors = []string{"collector::a::fill", "collector::a::use"}

// scaleCount is the number of scales along K of a row, 0 if the kind does not
// have what the modifiers ask for.
func scaleCount(f *isa.Form) int {
	vector := f.Any("scale_vec::1X", "scale_vec::2X", "scale_vec::4X", "block16", "block32")
	switch f.Any("kind::mxf8f6f4", "kind::mxf4", "kind::mxf4nvf4") {
	case "kind::mxf8f6f4":
		return map[string]int{"": 1, "scale_vec::1X": 1, "block32": 1}[vector]
	case "kind::mxf4":
		return map[string]int{"": 2, "scale_vec::2X": 2, "block32": 2}[vector]
	}
	return map[string]int{"scale_vec::2X": 2, "block32": 2, "scale_vec::4X": 4, "block16": 4}[vector]
}

// tensorOperands are the operands of a tcgen05.mma in the thread that issues it.
type tensorOperands struct {
	d, aTensor, meta, scaleA, scaleB uint32 // addresses in tensor memory
	aShared, bShared                 uint64 // descriptors
	shape                            uint32 // instruction descriptor
	skip                             []uint32
	add                              bool
	shrink                           int // D is divided by that power of two first
	zeros                            columnMask
}

func (t *tensorMma) operands(w *isa.Warp, in *isa.Inst, l int) (o tensorOperands) {
	v := in.Vec
	next := func() (r isa.Reg) { r, v = v[0], v[1:]; return r }
	o.d = w.Row(next())[l]
	if t.inTensor {
		o.aTensor = w.Row(next())[l]
	} else {
		o.aShared = w.Get64(next(), l)
	}
	o.bShared = w.Get64(next(), l)
	if t.sparse {
		o.meta = w.Row(next())[l]
	}
	o.shape = w.Row(next())[l]
	if t.scaled {
		o.scaleA, o.scaleB = w.Row(next())[l], w.Row(next())[l]
	}
	for t.masked && len(v) > 0 {
		o.skip = append(o.skip, w.Row(next())[l])
	}
	if t.weights && len(v) > 0 {
		o.zeros = columnMask(w.Get64(next(), l))
	}
	o.add, o.shrink = w.Source(in).Has(l), int(in.Imm)
	return o
}

// checkLaneMask counts the registers that say which lanes are not written: one for 32 lanes.
func checkLaneMask(f *isa.Form, in *isa.Inst) string {
	n := 4 + 4
	if f.Has("sp") {
		n++
	}
	if f.Has("cta_group::2") {
		n += 4
	}
	if len(in.Vec) != n {
		return "the mask of lanes has four registers, with .cta_group::2 eight"
	}
	return ""
}

// tensorSize is the shape in an instruction descriptor.
type tensorSize struct {
	m, n  int
	terms int // of a row of A as it is stored
	each  int // in a word
}

func (t *tensorMma) size(shape uint32) tensorSize {
	s := tensorSize{m: int(shape >> 24 & 31 << 4), n: int(shape >> 17 & 63 << 3), each: 4}
	switch t.kind {
	case "kind::f16":
		s.each = 2
	case "kind::tf32":
		s.each = 1
	case "kind::mxf4", "kind::mxf4nvf4":
		s.each = 8
	}
	s.terms = 8 * s.each
	return s
}

// wrong says why an instruction descriptor does not suit the form.
func (t *tensorMma) wrong(o *tensorOperands, s tensorSize) string {
	least, most, step := 64, 128, 8
	switch {
	case t.weights:
		least = 32
	case t.pair:
		least, most = 128, 256
	case t.scaled:
		least = 128
	}
	if s.m >= 128 && !t.weights {
		step = 16
	}
	switch {
	case s.m < least || s.m > most || s.m&(s.m-1) != 0:
		return "the instruction descriptor has a number of rows that tcgen05.mma does not have"
	case s.n == 0 || s.n > 256 || s.n%step != 0:
		return "the instruction descriptor has a number of columns that tcgen05.mma does not have"
	case o.shape>>2&1 != 0 != t.sparse:
		return "the instruction descriptor and the instruction differ about sparsity"
	case t.scaled && o.shape>>31 != 0:
		return "tcgen05.mma with K = 96 is not supported: only sm_103 has it, and none has shown how 96 terms are added and where their scales lie"
	case o.bShared>>52&1 != 0 || o.aShared>>52&1 != 0:
		return "absolute addresses in matrix descriptors are not supported: only sm_103a has them, for K = 96"
	case o.zeros.shift() > 32 || s.m == 32 && o.zeros.shift() > 16:
		return "the zero-column mask shifts by more columns than tcgen05.mma does"
	case t.masked && len(o.skip) != 4*(1+b2i(t.pair)):
		return wrongRegisters
	}
	return ""
}

// columnMask is a zero-column mask descriptor (PTX ISA 9.7.16.4.3): it takes 0 for
// some columns of B, and B from a later column on.
type columnMask uint64

func (c columnMask) shift() int { return int(c >> 56 & 63) }

// at reports a column of D for which 0 is taken. The columns have a part for each 32 rows
// that M is short of 128; in a part runs of used and of skipped ones take turns. The
// manual's examples make the runs as long as the spans are named, its table the other way about.
func (c columnMask) at(s tensorSize, column int) bool {
	if c>>39&1 == 0 {
		return false
	}
	part := column / (s.n * s.m / 128)
	column = column%(s.n*s.m/128) + int(c>>(8*part)&0xff)
	skip, use := int(c>>40&0xff)+1, int(c>>48&0xff)+1
	first, zero := use, c>>(32+part)&1 != 0
	if zero {
		first = skip
	}
	return zero == (column%(skip+use) < first)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (t *tensorMma) execute(w *isa.Warp, in *isa.Inst, l int) {
	ctas := ctasOf(w, &t.form)
	if ctas == nil {
		return
	}
	o := t.operands(w, in, l)
	s := t.size(o.shape)
	all := t.choose(o.shape)
	if note := t.wrong(&o, s); note != "" || all == nil {
		if note == "" {
			note = "the instruction descriptor has types that the kind does not have"
		}
		refuse(w, l, note)
		return
	}
	x := all.take()
	defer all.give(x)
	r := tensorRun{tensorMma: t, w: w, l: l, o: o, size: s, ctas: ctas, x: x}
	rows := s.m / len(ctas)
	for side := range ctas {
		for first := 0; first < rows; first += 16 {
			if !r.rows(side, first) || !r.columns(side, first) {
				return
			}
		}
	}
}

// choose is what multiplies the types that an instruction descriptor names, nil
// if there are no such types.
func (t *tensorMma) choose(shape uint32) *multipliers {
	const decide = 1<<23 | 63<<7 | 7<<3 // the formats of scales, factors and sums, saturation
	key := shape & decide
	if m, ok := t.multipliers.Load(key); ok {
		return m.(*multipliers)
	}
	a, b := t.element(shape>>7&7), t.element(shape>>10&7)
	d := [4]isa.Type{isa.F16, isa.F32, isa.S32}[shape>>4&3]
	if t.scaled {
		d = isa.F32
	}
	if a == isa.NoType || b == isa.NoType || (t.kind == "kind::i8") != (d == isa.S32) || d == isa.NoType {
		return nil
	}
	var m *multipliers
	switch t.kind {
	case "kind::i8":
		m = integerMultipliers(a, b, counting{saturate: shape>>3&1 != 0})
	case "kind::mxf4", "kind::mxf4nvf4":
		m = newMultipliers(func() multiplier { return &blockTile{counts: t.scales, byExponent: shape>>23&1 != 0} })
	default:
		m = floatMultipliers(a, b, d == isa.F16, fusing{fraction: hopperBits, step: 8 * t.size(shape).each, out: sumFormatOf(d, d)})
	}
	known, _ := t.multipliers.LoadOrStore(key, m)
	return known.(*multipliers)
}

// element is the type with a number in an instruction descriptor.
func (t *tensorMma) element(n uint32) isa.Type {
	var types []isa.Type
	switch t.kind {
	case "kind::f16":
		types = []isa.Type{isa.F16, isa.BF16}
	case "kind::tf32":
		types = []isa.Type{2: isa.TF32}
	case "kind::i8":
		types = []isa.Type{isa.U8, isa.S8}
	case "kind::mxf4", "kind::mxf4nvf4":
		types = []isa.Type{1: isa.E2M1}
	default:
		types = []isa.Type{isa.E4M3, isa.E5M2, 3: isa.E2M3, 4: isa.E3M2, 5: isa.E2M1}
	}
	if int(n) < len(types) {
		return types[n]
	}
	return isa.NoType
}

// tensorRun is one execution of a tcgen05.mma.
type tensorRun struct {
	*tensorMma
	w    *isa.Warp
	l    int
	o    tensorOperands
	size tensorSize
	ctas []*isa.CTA
	x    multiplier
}

// lane is where row i of a CTA's part of D and of A lies, in its first columns.
func (r *tensorRun) lane(i int) uint32 {
	if r.size.m == 64 && !r.weights {
		return uint32(i&15 + i>>4<<5)
	}
	return uint32(i)
}

// place is the cell of an element of a CTA's part of D, beside the address.
func (r *tensorRun) place(i, j int) (lane, column uint32) {
	parts := 1 // of the columns, below one another
	switch {
	case r.weights:
		parts = 128 / r.size.m
	case r.pair && r.size.m == 128:
		parts = 2
	}
	across := r.size.n / parts
	return r.lane(i) + uint32(j/across*(isa.TensorLanes/parts)), uint32(j % across)
}

func (r *tensorRun) cell(side int, addr, lane, column uint32) *uint32 {
	return tensorCell(r.w, r.ctas[side], r.l, addr>>16+lane, addr&0xffff+column)
}

// rows gives the multiplier 16 rows of A, those of a CTA from first on.
func (r *tensorRun) rows(side, first int) bool {
	if r.inTensor {
		for i := range 16 {
			row := first + i
			if r.shifted && row > 0 {
				row--
			}
			for k := range uint32(8) {
				c := r.cell(side, r.o.aTensor, r.lane(row), k)
				if c == nil {
					return false
				}
				r.x.row(i, int(k)*r.size.each, *c)
			}
		}
	} else {
		m := r.matrix(side, r.o.aShared, r.o.shape>>15&1 != 0, r.element(r.o.shape>>7&7))
		if !m.load(r.w, first, 16, 8, r.size.each, r.x.row) {
			return false
		}
	}
	if r.o.shape>>13&1 != 0 && r.kind != "kind::i8" {
		r.x.negateRows()
	}
	for i := range 16 {
		if r.scaled && !r.scaleRow(side, first+i, i) {
			return false
		}
	}
	return true
}

// matrix is a matrix in a CTA's shared memory.
func (r *tensorRun) matrix(side int, d uint64, turned bool, t isa.Type) sharedMatrix {
	m := sharedMatrixOf(r.ctas[side], d, turned)
	m.coarse = d>>61&7 == 1
	if m.coarse {
		m.width = 128
	}
	m.size = 4 / min(r.size.each, 4)
	if r.size.each == 4 {
		switch t {
		case isa.E2M1:
			m.unpack = unpackFours
		case isa.E2M3, isa.E3M2:
			m.unpack = unpackSixes
		}
	}
	return m
}

// handScales hands on the scales in a cell, from one of its bytes on.
func (r *tensorRun) handScales(c *uint32, first uint32, to func(n int, s uint8)) bool {
	if c == nil {
		return false
	}
	for n := range r.scales {
		to(n, uint8(*c>>(8*(first+uint32(n)))))
	}
	return true
}

// columns multiplies 16 rows, those of a CTA from first on, by all columns.
func (r *tensorRun) columns(side, first int) bool {
	var to selection
	s := r.structure()
	if r.sparse && !r.metadata(side, first, s, &to) {
		return false
	}
	words := 8
	if r.sparse {
		words = 16
	}
	per := r.size.n / len(r.ctas)
	for n := 0; n < r.size.n; n += 8 {
		from := n / per
		m := r.matrix(from, r.o.bShared, r.o.shape>>16&1 != 0, r.element(r.o.shape>>10&7))
		put := func(j, k int, x uint32) {
			if r.o.zeros.at(r.size, n+j) {
				x = 0
			}
			r.x.column(j, k, x)
		}
		if !m.load(r.w, n%per+r.o.zeros.shift(), 8, words, r.size.each, put) {
			return false
		}
		if r.o.shape>>14&1 != 0 && r.kind != "kind::i8" {
			r.x.negateColumns()
		}
		for j := range 8 {
			if r.scaled && !r.scaleColumn(side, n+j, j) {
				return false
			}
		}
		for i := range 16 {
			if r.sparse {
				r.x.gather(to[i][:r.size.terms])
			}
			if !r.store(side, first+i, n, i) {
				return false
			}
		}
	}
	return true
}

// scaleColumn hands on the scales of column n, which is number j of eight. Where
// D has its columns in two parts, so have they.
func (r *tensorRun) scaleColumn(side, n, j int) bool {
	lane, column := uint32(n&31), uint32(n>>5)
	if r.pair && r.size.m == 128 {
		half := r.size.n / 2
		lane, column = uint32(n%half&31+n/half*64), uint32(n%half>>5)
	}
	return r.handScales(r.cell(side, r.o.scaleB, lane, column), r.o.shape>>4&3, func(k int, s uint8) { r.x.(scaler).scaleColumn(j, k, s) })
}

// scaleRow hands on the scales of a CTA's row, which is number i of 16.
func (r *tensorRun) scaleRow(side, row, i int) bool {
	c := r.cell(side, r.o.scaleA, uint32(row)&31, uint32(row)>>5)
	return r.handScales(c, r.o.shape>>29&3, func(k int, s uint8) { r.x.(scaler).scaleRow(i, k, s) })
}

// structure is the one of the form's sparse matrices.
func (r *tensorRun) structure() structure {
	switch r.size.each {
	case 1:
		return structure{chunks: 8, stored: 1}
	case 2:
		return structure{chunks: 8, stored: 2}
	case 8:
		return structure{chunks: 16, stored: 4}
	}
	return structure{chunks: 16, stored: 2}
}

// metadata reads which terms 16 rows of A have, those of a CTA from first on.
func (r *tensorRun) metadata(side, first int, s structure, to *selection) bool {
	for i := range to {
		row, at := uint32(first+i), 0
		for chunk := range s.chunks {
			c := uint32(chunk)
			lane, column, bit := row, c/8, 4*(c&7)
			if s.chunks == 8 {
				lane, column, bit = row&7+c>>2<<3+row>>4<<4, 0, row>>3&1<<4+4*(c&3)
			}
			cell := r.cell(side, r.o.meta, lane, column+r.o.shape&3)
			if cell == nil {
				return false
			}
			for j := range s.stored {
				to[i][at] = uint8(s.element(chunk, j, *cell>>bit))
				at++
			}
		}
	}
	return true
}

// store forms eight elements of a row of D, of columns from n on; i is the row's
// number in the multiplier.
func (r *tensorRun) store(side, row, n, i int) bool {
	var cells [8]*uint32
	var c [8]uint32
	half := !r.scaled && r.kind != "kind::i8" && r.o.shape>>4&3 == 0
	for j := range cells {
		lane, column := r.place(row, n+j)
		if cells[j] = r.cell(side, r.o.d, lane, column); cells[j] == nil {
			return false
		}
		if r.o.add {
			c[j] = r.shrink(*cells[j], half)
		}
	}
	for j, v := range r.x.sums(i, r.size.terms, &c) {
		lane, _ := r.place(row, n+j)
		if lane += r.o.d >> 16; r.skips(side, lane) {
			continue
		}
		*cells[j] = v
	}
	return true
}

// skips reports a lane of D that is not to be written.
func (r *tensorRun) skips(side int, lane uint32) bool {
	return r.masked && r.o.skip[4*side+int(lane/32)]>>(lane&31)&1 != 0
}

// shrink divides an element of D as the operand scale-input-d says.
func (r *tensorRun) shrink(x uint32, half bool) uint32 {
	if half {
		x &= 0xffff
	}
	if r.o.shrink == 0 {
		return x
	}
	if half {
		return divideHalf(x, r.o.shrink)
	}
	return math.Float32bits(float32(math.Ldexp(float64(math.Float32frombits(x)), -r.o.shrink)))
}
