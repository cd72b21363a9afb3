package ops

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// convertTiny is the part of PTX ISA 9.7.9.21 that concerns floats of eight
// bits and less, which come in packs of two and four, the first operand
// uppermost. Conversions to them saturate.
var convertTiny = []isa.Op{
	{Name: "cvt", Mods: "rn satfinite {relu}", Types: "e4m3x2 e5m2x2 / f32", Args: "d:b16, a:1, b:1", Since: 78, SM: 89, Doc: "9.7.9.21", Bind: bindCvtTinyF32},
	{Name: "cvt", Mods: "rn satfinite {relu}", Types: "e2m3x2 e3m2x2 / f32", Args: "d:b16, a:1, b:1", Since: 86, SM: 100, Only: "100a 110a 120a 100f 110f 120f", Doc: "9.7.9.21", Bind: bindCvtTinyF32},
	{Name: "cvt", Mods: "rn satfinite {relu}", Types: "e2m1x2 / f32", Args: "d:b8, a:1, b:1", Since: 86, SM: 100, Only: "100a 110a 120a 100f 110f 120f", Doc: "9.7.9.21", Bind: bindCvtTinyF32},
	{Name: "cvt", Mods: "rn satfinite {relu}", Types: "e4m3x2 e5m2x2 / f16x2", Args: "d:b16, a:1", Since: 78, SM: 89, Doc: "9.7.9.21", Bind: bindCvtTinyHalf},
	{Name: "cvt", Mods: "rn satfinite {relu}", Types: "e4m3x2 e5m2x2 / bf16x2", Args: "d:b16, a:1", Since: 91, SM: 100, Only: "100f 110f 120f", Doc: "9.7.9.21", Bind: bindCvtTinyHalf},
	{Name: "cvt", Mods: "rn satfinite {relu}", Types: "e2m3x2 e3m2x2 / f16x2 bf16x2", Args: "d:b16, a:1", Since: 91, SM: 100, Only: "100f 110f 120f", Doc: "9.7.9.21", Bind: bindCvtTinyHalf},
	{Name: "cvt", Mods: "rn satfinite {relu}", Types: "e2m1x2 / f16x2 bf16x2", Args: "d:b8, a:1", Since: 91, SM: 100, Only: "100f 110f 120f", Doc: "9.7.9.21", Bind: bindCvtTinyHalf},
	{Name: "cvt", Mods: "rn {relu}", Types: "f16x2 / e4m3x2 e5m2x2", Args: "d, a:b16", Since: 78, SM: 89, Doc: "9.7.9.21", Bind: bindCvtHalfTiny},
	{Name: "cvt", Mods: "rn {relu}", Types: "f16x2 / e2m3x2 e3m2x2", Args: "d, a:b16", Since: 86, SM: 100, Only: "100a 110a 120a 100f 110f 120f", Doc: "9.7.9.21", Bind: bindCvtHalfTiny},
	{Name: "cvt", Mods: "rn {relu}", Types: "f16x2 / e2m1x2", Args: "d, a:b8", Since: 86, SM: 100, Only: "100a 110a 120a 100f 110f 120f", Doc: "9.7.9.21", Bind: bindCvtHalfTiny},
	{Name: "cvt", Mods: "rs satfinite {relu}", Types: "e4m3x4 e5m2x4 e2m3x4 e3m2x4 / f32", Args: "d:b32, V:b128, b:b32", Since: 87, SM: 100, Only: "100a 103a", Doc: "9.7.9.21", Bind: bindCvtTinyx4},
	{Name: "cvt", Mods: "rs satfinite {relu}", Types: "e2m1x4 / f32", Args: "d:b16, V:b128, b:b32", Since: 87, SM: 100, Only: "100a 103a", Doc: "9.7.9.21", Bind: bindCvtTinyx4},
	{Name: "cvt", Mods: "rz|rp {satfinite}", Types: "ue8m0x2 / f32", Args: "d:b16, a:1, b:1", Since: 86, SM: 100, Only: "100a 110a 120a 100f 110f 120f", Doc: "9.7.9.21", Bind: bindCvtExponents},
	{Name: "cvt", Mods: "rz|rp {satfinite}", Types: "ue8m0x2 / bf16x2", Args: "d:b16, a:1", Since: 86, SM: 100, Only: "100a 110a 120a 100f 110f 120f", Doc: "9.7.9.21", Bind: bindCvtExponents},
	{Name: "cvt", Mods: "rn", Types: "bf16x2 / ue8m0x2", Args: "d, a:b16", Since: 86, SM: 100, Only: "100a 110a 120a 100f 110f 120f", Doc: "9.7.9.21", Bind: bindCvtFromExponents},
}

// tinyOf is the element type of a pack of tiny floats.
func tinyOf(t isa.Type) alu.Tiny {
	switch t {
	case isa.E5M2x2, isa.E5M2x4:
		return alu.E5M2
	case isa.E2M3x2, isa.E2M3x4:
		return alu.E2M3
	case isa.E3M2x2, isa.E3M2x4:
		return alu.E3M2
	case isa.E2M1x2, isa.E2M1x4:
		return alu.E2M1
	}
	return alu.E4M3
}

func bindCvtTinyF32(f *isa.Form) isa.Handler {
	t, relu := tinyOf(f.Type(0)), reluF32(f)
	return lift2(func(a, b uint32) uint16 { return alu.CvtTinyx2F32(t, relu(a), relu(b)) })
}

func bindCvtTinyHalf(f *isa.Form) isa.Handler {
	t, pack, relu := tinyOf(f.Type(0)), alu.CvtTinyx2BF16x2, alu.ReluBF16x2
	if f.Type(1) == isa.F16x2 {
		pack, relu = alu.CvtTinyx2F16x2, alu.ReluF16x2
	}
	if !f.Has("relu") {
		relu = keep[uint32]
	}
	return lift1(func(a uint32) uint16 { return pack(t, relu(a)) })
}

func bindCvtHalfTiny(f *isa.Form) isa.Handler {
	t, relu := tinyOf(f.Type(1)), keep[uint32]
	if f.Has("relu") {
		relu = alu.ReluF16x2
	}
	return lift1(func(a uint16) uint32 { return relu(alu.CvtF16x2Tinyx2(t, a)) })
}

// bindCvtTinyx4 rounds the four elements of Inst.Vec, the first uppermost,
// with the random bits of operand B.
func bindCvtTinyx4(f *isa.Form) isa.Handler {
	t, relu := tinyOf(f.Type(0)), reluF32(f)
	return func(w *isa.Warp, in *isa.Inst) {
		if len(in.Vec) != 4 {
			w.Raise(isa.Trap{Kind: isa.IllegalInstruction, Note: "cvt.rs needs four elements"})
			return
		}
		d, random := &w.Regs[in.D], w.Row(in.B)
		for l := range w.Mask.All {
			var x [4]uint32
			for i, r := range in.Vec {
				x[i] = relu(w.Row(r)[l])
			}
			d[l] = alu.CvtTinyx4RsF32(t, x, random[l])
		}
	}
}

func bindCvtExponents(f *isa.Form) isa.Handler {
	r := rounding(f)
	if f.Type(1) == isa.F32 {
		return lift2(func(a, b uint32) uint16 { return alu.CvtUE8M0x2F32(r, a, b) })
	}
	return lift1(func(a uint32) uint16 { return alu.CvtUE8M0x2BF16x2(r, a) })
}

func bindCvtFromExponents(*isa.Form) isa.Handler { return lift1(alu.CvtBF16x2UE8M0x2) }
