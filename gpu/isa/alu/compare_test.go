package alu_test

import (
	"math"
	"testing"

	. "github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// What each operator answers for less, equal, greater, unordered.
var cmpTable = []struct {
	name string
	op   Cmp
	want [4]bool
}{
	{"eq", Eq, [4]bool{false, true, false, false}},
	{"ne", Ne, [4]bool{true, false, true, false}},
	{"lt", Lt, [4]bool{true, false, false, false}},
	{"le", Le, [4]bool{true, true, false, false}},
	{"gt", Gt, [4]bool{false, false, true, false}},
	{"ge", Ge, [4]bool{false, true, true, false}},
	{"lo", Lo, [4]bool{true, false, false, false}},
	{"ls", Ls, [4]bool{true, true, false, false}},
	{"hi", Hi, [4]bool{false, false, true, false}},
	{"hs", Hs, [4]bool{false, true, true, false}},
	{"equ", Equ, [4]bool{false, true, false, true}},
	{"neu", Neu, [4]bool{true, false, true, true}},
	{"ltu", Ltu, [4]bool{true, false, false, true}},
	{"leu", Leu, [4]bool{true, true, false, true}},
	{"gtu", Gtu, [4]bool{false, false, true, true}},
	{"geu", Geu, [4]bool{false, true, true, true}},
	{"num", Num, [4]bool{true, true, true, false}},
	{"nan", Nan, [4]bool{false, false, false, true}},
}

func (f refFormat) relation(a, b uint64) int {
	if f.anyNaN(a, b) {
		return 3
	}
	return f.compare(a, b) + 1
}

func TestComparisonsOfFloats(t *testing.T) {
	types := []struct {
		f   refFormat
		cmp func(op Cmp, a, b uint64) bool
	}{
		{refF16, func(op Cmp, a, b uint64) bool { return CmpF16(op, uint16(a), uint16(b)) }},
		{refBF16, func(op Cmp, a, b uint64) bool { return CmpBF16(op, uint16(a), uint16(b)) }},
		{refF32, func(op Cmp, a, b uint64) bool { return CmpF32(op, uint32(a), uint32(b)) }},
		{refF64, CmpF64},
	}
	for _, typ := range types {
		for _, a := range typ.f.edges() {
			for _, b := range typ.f.edges() {
				rel := typ.f.relation(a, b)
				for _, c := range cmpTable {
					if got := typ.cmp(c.op, a, b); got != c.want[rel] {
						t.Fatalf("%s.%s %#x, %#x = %v", c.name, typ.f.name, a, b, got)
					}
				}
			}
		}
	}
}

func TestFixedComparisonsAgreeWithCmp(t *testing.T) {
	f32 := map[Cmp]func(a, b uint32) bool{
		Eq: EqF32, Ne: NeF32, Lt: LtF32, Le: LeF32, Gt: GtF32, Ge: GeF32, Num: NumF32,
		Equ: EquF32, Neu: NeuF32, Ltu: LtuF32, Leu: LeuF32, Gtu: GtuF32, Geu: GeuF32, Nan: NanF32,
	}
	f64 := map[Cmp]func(a, b uint64) bool{
		Eq: EqF64, Ne: NeF64, Lt: LtF64, Le: LeF64, Gt: GtF64, Ge: GeF64, Num: NumF64,
		Equ: EquF64, Neu: NeuF64, Ltu: LtuF64, Leu: LeuF64, Gtu: GtuF64, Geu: GeuF64, Nan: NanF64,
	}
	for _, a := range refF32.edges() {
		for _, b := range refF32.edges() {
			for op, f := range f32 {
				if x, y := uint32(a), uint32(b); f(x, y) != CmpF32(op, x, y) {
					t.Errorf("f32 operator %#x of %#x, %#x differs from CmpF32", op, x, y)
				}
			}
		}
	}
	for _, a := range refF64.edges() {
		for _, b := range refF64.edges() {
			for op, f := range f64 {
				if f(a, b) != CmpF64(op, a, b) {
					t.Errorf("f64 operator %#x of %#x, %#x differs from CmpF64", op, a, b)
				}
			}
		}
	}
}

func TestComparisonsOfIntegersKnowTheSign(t *testing.T) {
	for _, c := range []struct {
		name string
		got  bool
		want bool
	}{
		{"u16", CmpU16(Lt, 0xffff, 1), false}, {"s16", CmpS16(Lt, 0xffff, 1), true},
		{"u32", CmpU32(Hi, 0xffffffff, 1), true}, {"s32", CmpS32(Gt, 0xffffffff, 1), false},
		{"u64", CmpU64(Hs, math.MaxUint64, 1), true}, {"s64", CmpS64(Ge, math.MaxUint64, 1), false},
		{"eq", CmpU32(Eq, 7, 7), true}, {"ne", CmpS64(Ne, 7, 7), false},
	} {
		if c.got != c.want {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
}

func TestTestp(t *testing.T) {
	for _, c := range []struct {
		f32  uint32
		f64  uint64
		want [6]bool // finite infinite number notanumber normal subnormal
	}{
		{0x80000000, 1 << 63, [6]bool{true, false, true, false, true, false}},
		{1, 1, [6]bool{true, false, true, false, false, true}},
		{0x807fffff, 0x800fffffffffffff, [6]bool{true, false, true, false, false, true}},
		{0x00800000, 0x0010000000000000, [6]bool{true, false, true, false, true, false}},
		{0x7f7fffff, 0x7fefffffffffffff, [6]bool{true, false, true, false, true, false}},
		{0xff800000, 0xfff0000000000000, [6]bool{false, true, true, false, false, false}},
		{0x7f800001, 0x7ff0000000000001, [6]bool{false, false, false, true, false, false}},
	} {
		for i, want := range c.want {
			if got := TestpF32(Test(i), c.f32); got != want {
				t.Errorf("testp %d of f32 %#x = %v", i, c.f32, got)
			}
			if got := TestpF64(Test(i), c.f64); got != want {
				t.Errorf("testp %d of f64 %#x = %v", i, c.f64, got)
			}
		}
	}
}

func TestFloatMinMax(t *testing.T) {
	for _, a := range refF32.edges() {
		for _, b := range refF32.edges() {
			x, y := uint32(a), uint32(b)
			got := [4]uint32{MinF32(x, y), MaxF32(x, y), MinNaNF32(x, y), MaxNaNF32(x, y)}
			for i := range got {
				if want := uint32(refF32.minimum(a, b, i >= 2, i%2 == 1)); got[i] != want {
					t.Fatalf("form %d of %#x, %#x = %#x, want %#x", i, a, b, got[i], want)
				}
			}
		}
	}
	for _, a := range refF64.edges() {
		for _, b := range refF64.edges() {
			got := [2]uint64{MinF64(a, b), MaxF64(a, b)}
			for i := range got {
				if want := refF64.minimum(a, b, false, i == 1); got[i] != want {
					t.Fatalf("f64 form %d of %#x, %#x = %#x, want %#x", i, a, b, got[i], want)
				}
			}
		}
	}
}

func TestFloatModifiers(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want uint64
	}{
		{"flush keeps the sign", uint64(FlushF32(0x807fffff)), 0x80000000},
		{"flush keeps normals", uint64(FlushF32(0x80800000)), 0x80800000},
		{"flush keeps NaN", uint64(FlushF32(0x7f800001)), 0x7f800001},
		{"flush f16", uint64(FlushF16(0x83ff)), 0x8000},
		{"sat of -0", uint64(SatF32(0x80000000)), 0},
		{"sat of NaN", uint64(SatF32(0x7fc00000)), 0},
		{"sat of -NaN", uint64(SatF32(0xffc00000)), 0},
		{"sat of inf", uint64(SatF32(0x7f800000)), 0x3f800000},
		{"sat of 0.5", uint64(SatF32(0x3f000000)), 0x3f000000},
		{"sat f64 of 2", SatF64(0x4000000000000000), 0x3ff0000000000000},
		{"sat f64 of -2", SatF64(0xc000000000000000), 0},
		{"sat f64 of NaN", SatF64(0x7ff8000000000000), 0},
		{"neg of NaN", uint64(NegF32(0x7fc00001)), 0x7fffffff},
		{"neg of 0", uint64(NegF32(0)), 0x80000000},
		{"abs of -1", uint64(AbsF32(0xbf800000)), 0x3f800000},
		{"abs of -NaN", uint64(AbsF32(0xffc00001)), 0x7fffffff},
		{"neg f64", NegF64(1), 1<<63 | 1},
		{"abs f64", AbsF64(1<<63 | 1), 1},
		{"copysign", uint64(CopysignF32(0x80000000, 0x3f800000)), 0xbf800000},
		{"copysign f64", CopysignF64(0, 0xbff0000000000000), 0x3ff0000000000000},
		{"relu of -0", uint64(ReluF32(0x80000000)), 0},
		{"relu of NaN", uint64(ReluF32(0xffc00000)), 0x7fffffff},
		{"atomic add flushes", uint64(AtomAddF32(1, 0x807fffff)), 0},
	} {
		if c.got != c.want {
			t.Errorf("%s: %#x, want %#x", c.name, c.got, c.want)
		}
	}
}
