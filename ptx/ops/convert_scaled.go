package ops

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

const byScale = "scaled::n2::ue8m0"

// convertScaled is the part of PTX ISA 9.7.9.21 that concerns pairs of numbers
// with scales, powers of two, and the fixed-point numbers s2f6. A scale divides
// what becomes narrow and multiplies what becomes wide.
var convertScaled = []isa.Op{
	{Name: "cvt", Mods: "rn satfinite {relu}", Types: "s2f6x2 / f32", Args: "d:b16, a:1, b:1", Since: 91, SM: 100, Only: "100a 103a 110a 120a 121a", Doc: "9.7.9.21", Bind: bindCvtFixed},
	{Name: "cvt", Mods: "rn satfinite {relu} " + byScale, Types: "s2f6x2 / f32", Args: "d:b16, a:1, b:1, c:b16", Since: 91, SM: 100, Only: "100a 103a 110a 120a 121a", Doc: "9.7.9.21", Bind: bindCvtFixed},
	{Name: "cvt", Mods: "rn satfinite {relu}", Types: "s2f6x2 / bf16x2", Args: "d:b16, a:1", Since: 91, SM: 100, Only: "100a 103a 110a 120a 121a", Doc: "9.7.9.21", Bind: bindCvtFixedHalf},
	{Name: "cvt", Mods: "rn satfinite {relu} " + byScale, Types: "s2f6x2 / bf16x2", Args: "d:b16, a:1, b:b16", Since: 91, SM: 100, Only: "100a 103a 110a 120a 121a", Doc: "9.7.9.21", Bind: bindCvtFixedHalf},
	{Name: "cvt", Mods: "rn {satfinite} {relu}", Types: "bf16x2 / s2f6x2", Args: "d, a:b16", Since: 91, SM: 100, Only: "100a 103a 110a 120a 121a", Doc: "9.7.9.21", Bind: bindCvtHalfScaled},
	{Name: "cvt", Mods: "rn {satfinite} {relu} " + byScale, Types: "bf16x2 / s2f6x2", Args: "d, a:b16, b:b16", Since: 91, SM: 100, Only: "100a 103a 110a 120a 121a", Doc: "9.7.9.21", Bind: bindCvtHalfScaled},
	{Name: "cvt", Mods: "rn {satfinite} {relu}", Types: "bf16x2 / e4m3x2 e5m2x2 e2m3x2 e3m2x2", Args: "d, a:b16", Since: 92, SM: 100, Only: "100f 110f 120f", Doc: "9.7.9.21", Bind: bindCvtHalfScaled},
	{Name: "cvt", Mods: "rn {satfinite} {relu} " + byScale, Types: "bf16x2 / e4m3x2 e5m2x2 e2m3x2 e3m2x2", Args: "d, a:b16, b:b16", Since: 92, SM: 100, Only: "100f 110f 120f", Doc: "9.7.9.21", Bind: bindCvtHalfScaled},
	{Name: "cvt", Mods: "rn {satfinite} {relu}", Types: "bf16x2 / e2m1x2", Args: "d, a:b8", Since: 92, SM: 100, Only: "100f 110f 120f", Doc: "9.7.9.21", Bind: bindCvtHalfScaled},
	{Name: "cvt", Mods: "rn {satfinite} {relu} " + byScale, Types: "bf16x2 / e2m1x2", Args: "d, a:b8, b:b16", Since: 92, SM: 100, Only: "100f 110f 120f", Doc: "9.7.9.21", Bind: bindCvtHalfScaled},
}

// scales gives the pair of scales of each lane: operand r, or none.
func scales(f *isa.Form, w *isa.Warp, r isa.Reg) func(l int) uint32 {
	if !f.Has(byScale) {
		return func(int) uint32 { return alu.Unscaled }
	}
	row := w.Row(r)
	return func(l int) uint32 { return row[l] }
}

func bindCvtFixed(f *isa.Form) isa.Handler {
	relu := reluF32(f)
	return func(w *isa.Warp, in *isa.Inst) {
		m, d, a, b := w.Args(in)
		scale := scales(f, w, in.C)
		for l := range m.All {
			s := scale(l)
			d[l] = uint32(alu.CvtS2F6F32(relu(a[l]), uint8(s>>8)))<<8 | uint32(alu.CvtS2F6F32(relu(b[l]), uint8(s)))
		}
	}
}

func bindCvtFixedHalf(f *isa.Form) isa.Handler {
	relu := reluF32(f)
	return func(w *isa.Warp, in *isa.Inst) {
		m, d, a := w.Args1(in)
		scale := scales(f, w, in.B)
		for l := range m.All {
			s, hi, lo := scale(l), alu.CvtF32BF16(alu.Hi16(a[l])), alu.CvtF32BF16(alu.Lo16(a[l]))
			d[l] = uint32(alu.CvtS2F6F32(relu(hi), uint8(s>>8)))<<8 | uint32(alu.CvtS2F6F32(relu(lo), uint8(s)))
		}
	}
}

// bindCvtHalfScaled widens a pair of narrow numbers.
func bindCvtHalfScaled(f *isa.Form) isa.Handler {
	width, widen := 8, alu.CvtBF16S2F6
	if f.Type(1) != isa.S2F6x2 {
		t := tinyOf(f.Type(1))
		widen = func(x, scale uint8) uint16 { return alu.CvtBF16Tiny(t, x, scale) }
		if t == alu.E2M1 {
			width = 4
		}
	}
	relu := keep[uint32]
	if f.Has("relu") {
		relu = alu.ReluBF16x2
	}
	finite := f.Has("satfinite")
	return func(w *isa.Warp, in *isa.Inst) {
		m, d, a := w.Args1(in)
		scale := scales(f, w, in.B)
		for l := range m.All {
			s := scale(l)
			lo := widen(uint8(a[l])&uint8(1<<width-1), uint8(s))
			hi := widen(uint8(a[l]>>width)&uint8(1<<width-1), uint8(s>>8))
			if finite {
				lo, hi = alu.FiniteBF16(lo), alu.FiniteBF16(hi)
			}
			d[l] = relu(alu.Join16(lo, hi))
		}
	}
}
