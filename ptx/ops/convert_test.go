package ops

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// within is n clamped to the range of an integer type.
func within(t isa.Type, n *big.Int) *big.Int {
	if t.IsSigned() {
		return clamp(t, n)
	}
	top := new(big.Int).Lsh(big.NewInt(1), uint(t.Bits()))
	return lesser(positive(n), top.Sub(top, big.NewInt(1)))
}

// asStored is what a destination register of some width holds after a result n
// of type t: the low bits, extended as t asks.
func asStored(t isa.Type, n *big.Int, bits int) uint64 {
	return lowBits(number(lowBits(n, t.Bits()), t), bits)
}

func TestCvtBetweenIntegersChopsAndExtends(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, to := range words(cvtInts) {
		for _, from := range words(cvtInts) {
			d, a := isa.ParseType(to), isa.ParseType(from)
			for _, dbits := range []int{d.Bits(), 16, 32, 64} {
				if dbits < max(d.Bits(), 16) {
					continue
				}
				var rows, saturating [][]uint64
				for range 31 {
					x := operand(r, a.Bits())
					n := number(x, a)
					rows = append(rows, try(x, asStored(d, n, dbits)))
					saturating = append(saturating, try(x, asStored(d, within(d, n), dbits)))
				}
				check(t, "cvt."+to+"."+from, dbits, rows...)
				if within(d, number(1<<(a.Bits()-1), a)).Cmp(number(1<<(a.Bits()-1), a)) != 0 {
					check(t, "cvt.sat."+to+"."+from, dbits, saturating...)
				}
			}
		}
	}
}

func TestCvtOfWiderSourceRegisterUsesItsLowBits(t *testing.T) {
	for _, c := range []struct {
		text string
		want uint64
	}{
		{"cvt.u32.u8", 0x78}, {"cvt.s32.s8", 0x78}, {"cvt.u32.u16", 0x5678}, {"cvt.s64.s16", 0x5678},
		{"cvt.rn.f32.u8", 0x42f00000}, {"cvt.u16.u16", 0x5678},
	} {
		b := newTrial(t, c.text, 2, 0)
		got := b.place(b.args[0], nil)[0]
		b.place(b.args[1], nil2)
		b.fill(b.in.A, 32, func(int) uint64 { return 0x12345678 })
		b.w.Mask = isa.Full
		b.exec(&b.w, &b.in)
		if got(3) != c.want {
			t.Errorf("%s of 0x12345678 is %#x, want %#x", c.text, got(3), c.want)
		}
	}
}

func nil2(int) uint64 { return 0 }

// roundings are the integer roundings from first principles.
var roundings = map[string]func(float64) float64{
	"rni": math.RoundToEven, "rzi": math.Trunc, "rmi": math.Floor, "rpi": math.Ceil,
}

// C09 and its like: conversions to integers round, then clamp.
func TestCvtOfFloatsToIntegersRoundsAndClamps(t *testing.T) {
	values := []float64{0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 127.5, -128.5, 300, -300, 65535, 40000.5, 1e9, 3e9, -3e9, 1e10, -1e10, 1e19, -1e19, 1e30, math.Inf(1), math.Inf(-1)}
	for name, round := range roundings {
		for _, to := range words(cvtInts) {
			d := isa.ParseType(to)
			var f32, f64 [][]uint64
			for _, x := range values {
				f32 = append(f32, try(uint64(math.Float32bits(float32(x))), asStored(d, clamped(d, round(float64(float32(x)))), d.Bits())))
				f64 = append(f64, try(math.Float64bits(x), asStored(d, clamped(d, round(x)), d.Bits())))
			}
			check(t, "cvt."+name+"."+to+".f32", 0, f32...)
			check(t, "cvt."+name+"."+to+".f64", 0, f64...)
		}
	}
}

func clamped(t isa.Type, x float64) *big.Int {
	if math.IsInf(x, 0) {
		x = math.Copysign(1e300, x)
	}
	n, _ := big.NewFloat(x).Int(nil)
	return within(t, n)
}

func TestCvtOfNaNToIntegers(t *testing.T) {
	check(t, "cvt.rzi.s32.f32", 0, try(0x7fc00000, 0))
	check(t, "cvt.rni.u8.f32", 0, try(0x7fc00000, 0))
	check(t, "cvt.rzi.s64.f32", 0, try(0x7fc00000, 1<<63))
	check(t, "cvt.rzi.s64.f64", 0, try(0x7ff8000000000000, 1<<63))
	check(t, "cvt.rzi.s32.f64", 0, try(0x7ff8000000000000, 1<<31))
	check(t, "cvt.rzi.s32.f16", 0, try(nan16, 0))
}

func TestCvtToIntegersFlushesAndWidens(t *testing.T) {
	check(t, "cvt.rpi.s32.f32", 0, try(1, 1))
	check(t, "cvt.rpi.ftz.s32.f32", 0, try(1, 0))
	check(t, "cvt.rzi.sat.u8.f32", 32, try(0x43960000, 255))
	check(t, "cvt.rzi.s8.f32", 32, try(0xc3960000, 0xffffff80))
	check(t, "cvt.rmi.s16.f16", 32, try(h1|neg16, 0xffffffff))
	check(t, "cvt.rni.s32.bf16", 0, try(b3, 3))
	check(t, "cvt.rzi.u64.f16", 0, try(0x7bff, 65504))
}

func TestCvtOfIntegersToFloats(t *testing.T) {
	check(t, "cvt.rn.f32.s32", 0, try(0xffffffff, fOne|signBit), try(0x01000001, 0x4b800000))
	check(t, "cvt.rp.f32.s32", 0, try(0x01000001, 0x4b800001))
	check(t, "cvt.rz.f32.u32", 0, try(0xffffffff, 0x4f7fffff))
	check(t, "cvt.rn.f32.u32", 0, try(0xffffffff, 0x4f800000))
	check(t, "cvt.rn.ftz.sat.f32.u32", 0, try(7, fOne))
	check(t, "cvt.rn.f32.u64", 0, try(^uint64(0), 0x5f800000), try(0x8000008000000001, 0x5f000001))
	check(t, "cvt.rm.f32.s64", 0, try(^uint64(0)-1<<24, 0xcb800001))
	check(t, "cvt.rn.f32.s8", 0, try(0x80, 0xc3000000))
	check(t, "cvt.rn.f32.u16", 0, try(0xffff, 0x477fff00))
	check(t, "cvt.rn.f64.s32", 0, try(0xffffffff, dOne|1<<63))
	check(t, "cvt.rn.f64.u32", 0, try(0xffffffff, 0x41efffffffe00000))
	check(t, "cvt.rn.f64.s64", 0, try(1<<53+1, 0x4340000000000000))
	check(t, "cvt.rp.f64.u64", 0, try(1<<53+1, 0x4340000000000001))
	check(t, "cvt.rn.f16.s32", 0, try(3, h3), try(0xffffffff, h1|neg16), try(70000, 0x7c00))
	check(t, "cvt.rz.f16.u32", 0, try(70000, 0x7bff))
	check(t, "cvt.rn.sat.f16.s64", 0, try(7, h1))
	check(t, "cvt.rn.bf16.u8", 0, try(7, b7), try(0xff, 0x437f))
}

func TestCvtBetweenFloats(t *testing.T) {
	const tie = dOne | 1<<28 // halfway between one and the next f32
	check(t, "cvt.rn.f32.f64", 0, try(tie, fOne), try(dOne|3<<28, fOne+2), try(0x7ff0000000000000, fInf))
	check(t, "cvt.rp.f32.f64", 0, try(tie, fOne+1))
	check(t, "cvt.rz.f32.f64", 0, try(dOne|3<<28, fOne+1))
	check(t, "cvt.rm.f32.f64", 0, try(tie|1<<63, (fOne+1)|signBit))
	check(t, "cvt.rn.ftz.f32.f64", 0, try(0x3800000000000000, 0))
	check(t, "cvt.rn.f32.f64", 0, try(0x3800000000000000, 0x00400000))
	check(t, "cvt.rn.sat.f32.f64", 0, try(dThree, fOne))
	check(t, "cvt.f64.f32", 0, try(fOne, dOne), try(1, 0x36a0000000000000))
	check(t, "cvt.ftz.f64.f32", 0, try(1, 0))
	check(t, "cvt.sat.f64.f32", 0, try(fThree, dOne))
	check(t, "cvt.f32.f16", 0, try(h1, fOne), try(1, 0x33800000), try(0xfc00, fInf|signBit))
	check(t, "cvt.ftz.f32.f16", 0, try(1, 0x33800000))
	check(t, "cvt.sat.f32.f16", 0, try(h3, fOne))
	check(t, "cvt.f64.f16", 0, try(h1, dOne))
	check(t, "cvt.f32.bf16", 0, try(b3, fThree))
	check(t, "cvt.f64.bf16", 0, try(b3, dThree))
	check(t, "cvt.rn.f16.f32", 0, try(fThree, h3), try(0x477ff000, 0x7c00), try(0x7fc00000, nan16))
	check(t, "cvt.rz.f16.f32", 0, try(0x477ff000, 0x7bff))
	check(t, "cvt.rp.f16.f32", 0, try(fOne+1, h1+1))
	check(t, "cvt.rn.ftz.f16.f32", 0, try(0x33800000, 1))
	check(t, "cvt.rn.sat.f16.f32", 0, try(fThree, h1))
	check(t, "cvt.rn.satfinite.f16.f32", 0, try(0x477ff000, 0x7bff), try(fInf|signBit, 0xfbff))
	check(t, "cvt.rn.relu.f16.f32", 0, try(fOne|signBit, 0), try(fOne, h1))
	check(t, "cvt.rm.f16.f64", 0, try(dThree, h3))
	check(t, "cvt.rn.f16.bf16", 0, try(b3, h3))
	check(t, "cvt.rn.bf16.f32", 0, try(0x3f808000, b1), try(0x3f818000, b1+2), try(0x7fc00000, nan16))
	check(t, "cvt.rz.bf16.f32", 0, try(0x3f81ffff, b1+1))
	check(t, "cvt.rp.bf16.f32", 0, try(0x3f800001, b1+1))
	check(t, "cvt.rn.relu.satfinite.bf16.f32", 0, try(fInf, 0x7f7f), try(fInf|signBit, 0))
	check(t, "cvt.rn.bf16.f16", 0, try(h3, b3))
	check(t, "cvt.rn.bf16.f64", 0, try(dThree, b3))
}

func TestCvtOfSameTypeRoundsToIntegers(t *testing.T) {
	check(t, "cvt.rni.f32.f32", 0, try(0x40200000, fTwo), try(0xbf000000, signBit))
	check(t, "cvt.rmi.f32.f32", 0, try(0xbf000000, fOne|signBit))
	check(t, "cvt.rpi.ftz.f32.f32", 0, try(1, 0))
	check(t, "cvt.rpi.f32.f32", 0, try(1, fOne))
	check(t, "cvt.f32.f32", 0, try(1, 1))
	check(t, "cvt.ftz.f32.f32", 0, try(1, 0))
	check(t, "cvt.sat.f32.f32", 0, try(fThree, fOne), try(fNaN, 0))
	check(t, "cvt.rzi.f64.f64", 0, try(0x3ff8000000000000, dOne))
	check(t, "cvt.sat.f64.f64", 0, try(dThree, dOne))
	check(t, "cvt.rpi.f16.f16", 0, try(1, h1))
	check(t, "cvt.sat.f16.f16", 0, try(h3, h1))
	check(t, "cvt.rni.bf16.bf16", 0, try(0x4020, b2))
	check(t, "cvt.f32.f32", 64, try(fThree, fThree))
}

func TestCvtToPackedAndTinyTypes(t *testing.T) {
	check(t, "cvt.rn.f16x2.f32", 0, try(fOne, fTwo, pair(h1, h2)))
	check(t, "cvt.rz.relu.f16x2.f32", 0, try(fOne|signBit, fTwo, pair(0, h2)))
	check(t, "cvt.rn.satfinite.f16x2.f32", 0, try(fInf, fTwo, pair(0x7bff, h2)))
	check(t, "cvt.rn.bf16x2.f32", 0, try(fThree, fTwo, pair(b3, b2)))
	check(t, "cvt.rn.satfinite.bf16x2.f32", 0, try(fInf, fTwo, pair(0x7f7f, b2)))
	check(t, "cvt.rs.f16x2.f32", 0, try(fOne, fOne+1, 0x1fff, pair(h1, h1+1)))
	check(t, "cvt.rna.tf32.f32", 0, try(0x3f801000, 0x3f802000))
	check(t, "cvt.rn.tf32.f32", 0, try(0x3f801000, fOne), try(0x3f803000, 0x3f804000))
	check(t, "cvt.rz.relu.tf32.f32", 0, try(0x3f803fff, 0x3f802000), try(fOne|signBit, 0))
	check(t, "cvt.rna.satfinite.tf32.f32", 0, try(fInf, 0x7f7fe000))
	check(t, "cvt.rn.satfinite.e4m3x2.f32", 0, try(fOne, 0x43e00000, 0x387e), try(0x447a0000, fNaN, 0x7e7f))
	check(t, "cvt.rn.satfinite.relu.e5m2x2.f32", 0, try(fOne, fOne|signBit, 0x3c00))
	check(t, "cvt.rn.satfinite.e4m3x2.f16x2", 0, try(pair(h1, 0x5f00), 0x387e))
	check(t, "cvt.rn.satfinite.relu.e5m2x2.f16x2", 0, try(pair(h1|neg16, h1), 0x003c))
	check(t, "cvt.rn.satfinite.e4m3x2.bf16x2", 0, try(pair(b1, b1), 0x3838))
	check(t, "cvt.rn.satfinite.e2m1x2.f32", 0, try(fOne, 0x40c00000, 0x27))
	check(t, "cvt.rn.satfinite.e2m3x2.f32", 0, try(fOne, fTwo, 0x0810))
	check(t, "cvt.rn.satfinite.relu.e3m2x2.f32", 0, try(fOne, fTwo|signBit, 0x0c00))
	check(t, "cvt.rn.satfinite.e2m1x2.bf16x2", 0, try(pair(b1, b2), 0x24))
	check(t, "cvt.rn.satfinite.e3m2x2.f16x2", 0, try(pair(h1, h2), 0x0c10))
	check(t, "cvt.rn.f16x2.e2m1x2", 0, try(0x24, pair(h1, h2)))
	check(t, "cvt.rn.relu.f16x2.e2m3x2", 0, try(0x2810, pair(0, h2)))
	check(t, "cvt.rz.ue8m0x2.f32", 0, try(fOne, fThree, 0x7f80))
	check(t, "cvt.rp.satfinite.ue8m0x2.bf16x2", 0, try(pair(b1, b3), 0x7f81))
	check(t, "cvt.rn.bf16x2.ue8m0x2", 0, try(0x7f80, pair(b1, b2)))
	check(t, "cvt.rn.f16x2.e4m3x2", 0, try(0x387e, pair(h1, 0x5f00)))
	check(t, "cvt.rn.relu.f16x2.e5m2x2", 0, try(0xbc3c, pair(0, h1)))
}

func TestCvtPackLaysFieldsSideBySide(t *testing.T) {
	check(t, "cvt.pack.sat.u16.s32", 0, try(0x12345, 0xffffffff, 0xffff0000))
	check(t, "cvt.pack.sat.s16.s32", 0, try(0x8000, 0xffff0000, 0x7fff8000))
	check(t, "cvt.pack.sat.u8.s32.b32", 0, try(300, 0xffffffff, 0xabcd1234, 0x1234ff00))
	check(t, "cvt.pack.sat.s8.s32.b32", 0, try(1, 0xffffff00, 0x00005678, 0x56780180))
	check(t, "cvt.pack.sat.u4.s32.b32", 0, try(20, 3, 0x00123456, 0x123456f3))
	check(t, "cvt.pack.sat.s4.s32.b32", 0, try(0xffffffff, 9, 0, 0xf7))
	check(t, "cvt.pack.sat.u2.s32.b32", 0, try(9, 1, 0x01234567, 0x1234567d))
	check(t, "cvt.pack.sat.s2.s32.b32", 0, try(0xfffffff0, 9, 0, 0b1001))
}

func TestCvtToNarrowerRegisterIsRefused(t *testing.T) {
	form, _, err := Lookup("cvt", words("u32 u8"))
	if err != nil {
		t.Fatal(err)
	}
	form.DBits = 16
	if form.Op.Bind(form) != nil {
		t.Error("cvt.u32.u8 binds to a 16-bit register")
	}
}

func TestCvtWithRandomBitsPacksFour(t *testing.T) {
	for _, c := range []struct {
		text string
		want uint32
	}{{"cvt.rs.satfinite.e4m3x4.f32", 0x38404438}, {"cvt.rs.satfinite.relu.e2m1x4.f32", 0x2452}} {
		form, _, err := Lookup("cvt", words(strings.ReplaceAll(c.text[4:], ".", " ")), Plain, List, Plain)
		if err != nil {
			t.Fatal(err)
		}
		w := &isa.Warp{Mask: 2, Regs: make([]isa.Lanes, 6)}
		for i, x := range []uint32{fOne, fTwo, fThree, fOne} {
			w.Regs[i+1][1] = x
		}
		form.Op.Bind(form)(w, &isa.Inst{Vec: []isa.Reg{1, 2, 3, 4}, B: 5})
		if got := w.Regs[0][1]; got != c.want || w.Regs[0][0] != 0 {
			t.Errorf("%s = %#x, want %#x", c.text, got, c.want)
		}
	}
}
