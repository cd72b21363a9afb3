package vectors

import (
	"math"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// Kind is what a source word holds.
type Kind string

// The kinds that are not types of operands.
const (
	Flag    Kind = "flag"    // 0 or 1
	Count   Kind = "count"   // a shift amount, position or length
	Lane    Kind = "lane"    // a lane number, now and then too large
	Segment Kind = "segment" // operand c of shfl
	Few     Kind = "few"     // one of few values, equal in many lanes
	Members Kind = "members" // mostly one value for all lanes of a warp
)

// kindOf is the kind of operands of a type.
func kindOf(t isa.Type) Kind {
	switch t {
	case isa.Pred:
		return Flag
	case isa.TF32:
		return "f32"
	case isa.B8, isa.U8, isa.S8:
		return "i8"
	case isa.F16, isa.BF16, isa.F32, isa.F64, isa.F16x2, isa.BF16x2, isa.E4M3x2, isa.E5M2x2, isa.U16x2, isa.S16x2:
		return Kind(t.String())
	}
	return Kind(map[int]string{16: "i16", 32: "i32", 64: "i64"}[t.Bits()])
}

// bits is the width of the register that holds a source of the kind.
func (k Kind) bits() int {
	switch k {
	case Flag:
		return 1
	case "i8":
		return 8
	case "i16", "f16", "bf16", "e4m3x2", "e5m2x2":
		return 16
	case "i64", "f64":
		return 64
	}
	return 32
}

// format is a floating-point format: widths of exponent and fraction.
type format struct{ exponent, fraction uint }

var formats = map[Kind]format{
	"f16": {5, 10}, "bf16": {8, 7}, "f32": {8, 23}, "f64": {11, 52},
}

// halves are the kinds of packed operands.
var halves = map[Kind]Kind{"f16x2": "f16", "bf16x2": "bf16", "u16x2": "i16", "s16x2": "i16"}

// specials are operands that instructions treat apart, the most telling first.
func (k Kind) specials() []uint64 {
	if h, ok := halves[k]; ok {
		return paired(h.specials())
	}
	if f, ok := formats[k]; ok {
		return f.specials(k)
	}
	switch k {
	case Flag:
		return []uint64{0, 1}
	case Count:
		return counts()
	case Lane:
		return []uint64{0, 1, 2, 3, 5, 8, 16, 31, 32, 33}
	case Segment:
		return []uint64{0x1f, 0, 0x181f, 0x1800, 0x1c1f, 0x1e00, 0x101f, 0x1f1f, 0x0f, 0x1007}
	case Few:
		return []uint64{0, 1, 2, 0x80000000, 0x1_00000001, 0x80000000_00000000}
	case Members:
		return []uint64{0, 0xffffffff, 7}
	case "i8", "i16":
		return integers16
	case "i64":
		return append(append([]uint64{}, integers64...), integers32...)
	}
	return integers32
}

var integers16 = []uint64{
	0, 1, 0xffff, 0x8000, 0x7fff, 2, 0xfffe, 0x7f, 0x80, 0xff, 0x100, 0x8001, 3, 4, 7, 8, 15, 16, 17, 31, 32, 0xff80,
	0xff7f, 0x5555, 0xaaaa, 0x4000, 0xc000, 10, 100, 1000, 0x1234,
}

var integers32 = []uint64{
	0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 2, 3, 0xfffffffe, 0x80000001, 31, 32, 33, 8, 16, 24, 0xffff, 0x10000,
	0x7fff, 0x8000, 0xffff8000, 0xffff7fff, 0x7f, 0x80, 0xff, 0x100, 0xffffff80, 0xffffff7f, 0xffffff, 0x1000000,
	0x800000, 0xff800000, 0x55555555, 0xaaaaaaaa, 0x40000000, 0xc0000000, 0x12345678, 4, 5, 7, 15, 17, 63, 64, 65, 127,
	255, 0x7ffffffe, 0xfeffffff, 0xff000000, 0x00ff00ff, 0x1ffffff, 0x1000001, 10, 1000000007,
}

var integers64 = []uint64{
	0xffffffffffffffff, 0x8000000000000000, 0x7fffffffffffffff, 0xfffffffffffffffe, 0x8000000000000001,
	0x100000000, 0xffffffff00000000, 0x1ffffffff, 0xffffffff80000000, 0xffffffff7fffffff, 0x8000000080000000,
	0x20000000000000, 0x20000000000001, 0x3fffffffffffff, 0x1000001000000, 0x5555555555555555, 0xfffffffffffffc00,
	0xfffffffffffffbff, 0x7ffffffffffffe00, 0x123456789abcdef0,
}

func counts() []uint64 {
	var n []uint64
	for i := range uint64(67) {
		n = append(n, i)
	}
	return append(n, 127, 128, 255, 256, 257, 0x80000000, 0xffffffff, 0xffffffe0)
}

// paired makes packed operands: every special in both halves, beside others.
func paired(s []uint64) []uint64 {
	var p []uint64
	for i, v := range s {
		p = append(p, v|s[(i*7+3)%len(s)]<<16)
	}
	return p
}

// specials of a format: each also negated.
func (f format) specials(k Kind) []uint64 {
	inf := (uint64(1)<<f.exponent - 1) << f.fraction
	one := (uint64(1)<<(f.exponent-1) - 1) << f.fraction
	step := uint64(1) << f.fraction
	sign := inf + step
	list := []uint64{
		0, one, inf, inf | step>>1, inf | 1, inf - 1, step, step - 1, 1, one + 1, one - 1, one + step, one - step, inf | (step - 1),
		one + step>>1, one + uint64(f.fraction)*step, one + uint64(f.fraction+1)*step, inf | step>>2, step >> 1, step + 1,
		one + 12*step, 2*step - 1, one - 12*step, one + step + step>>2, one + uint64(f.fraction)*step - step>>1, one + step*2/5,
	}
	var all []uint64
	for _, v := range list {
		all = append(all, v, v|sign)
	}
	return append(all, f.landmarks(k)...)
}

// landmarks are values at which conversions between formats turn: limits of
// other types, and the points half way beyond them, each with its neighbours.
func (f format) landmarks(k Kind) []uint64 {
	var values []float64
	for _, e := range []int{-150, -149, -148, -134, -133, -127, -126, -25, -24, -17, -16, -15, -14, -10, -9, -7, -6, -2, 2, 3, 7, 8, 15, 16, 23, 24, 31, 32, 52, 53, 63, 64, 127, 128} {
		values = append(values, math.Ldexp(1, e), math.Ldexp(1.5, e))
	}
	values = append(values, 0.5, 1.5, 2.5, 3.5, 4.5, 6, 6.25, 7.5, 28, 240, 248, 448, 464, 465, 480, 57344, 61440, 65504, 65519, 65520, 65535.5,
		127.5, 128.5, 255.5, 256.5, 32767.5, 32768.5, 2147483647.5, 2147483648.5, 4294967295.5, math.MaxFloat32, 0x1.ffffffp127, 0x1.fefffep127, 0x1.ffp127,
		3.14159265, 2.71828183, 0.1, 1e10, 1e-10, 1e30, 1e-30)
	for _, least := range []float64{0x1p-126, 0x1p-14} { // just below the smallest normal number
		for i := range 12 {
			values = append(values, least*(1-float64(i)*0x1p-26), least*(1-float64(i)*0x1p-13))
		}
	}
	var list []uint64
	for _, v := range values {
		for _, x := range []float64{v, -v} {
			switch k {
			case "f32":
				b := uint64(math.Float32bits(float32(x)))
				list = append(list, b, (b-1)&0xffffffff, (b+1)&0xffffffff)
			case "f64":
				b := math.Float64bits(x)
				list = append(list, b, b-1, b+1)
			}
		}
	}
	return list
}

// random draws an operand. Operands of one tuple drawn with the same centre lie
// close enough to one another for sums to round and cancel.
func (k Kind) random(r *random, centre int) uint64 {
	if h, ok := halves[k]; ok {
		return h.random(r, centre) | h.random(r, centre)<<16
	}
	if f, ok := formats[k]; ok {
		return f.random(r, centre)
	}
	switch k {
	case Flag:
		return r.next() & 1
	case Count:
		return r.next() % 70
	case Lane:
		return r.next() & 31
	case Segment:
		return (0x1f00 << (r.below(6)) & 0x1f00) | r.next()&31
	case Few, Members:
		return r.pick(k.specials())
	}
	v := r.next() >> r.below(64) // of any length
	if r.below(2) == 0 {
		v = -v
	}
	return v & (1<<k.bits() - 1)
}

func (f format) random(r *random, centre int) uint64 {
	width := 1 + f.exponent + f.fraction
	v := r.next() >> (64 - width)
	if centre == wild {
		return v
	}
	span := min(int(f.fraction)+4, 1<<(f.exponent-1)-2)
	bias := 1<<(f.exponent-1) - 1
	e := min(max(bias+centre+r.below(2*span+1)-span, 0), 2*bias)
	v = v&^((uint64(1)<<f.exponent-1)<<f.fraction) | uint64(e)<<f.fraction
	if r.below(4) == 0 { // a short fraction, for ties
		v &^= uint64(1)<<(f.fraction*3/4) - 1
	}
	return v
}

// wild as a centre stands for any bits.
const wild = 1 << 20
