package ops

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/simd"
)

func (t fastTable) bits() {
	t.add(simd.Popc32, "popc.b32")
	t.add(simd.Popc64, "popc.b64")
	t.add(simd.Clz64, "clz.b64")
	t.add(simd.Brev32, "brev.b32")
	t.add(simd.Brev64, "brev.b64")
	t.add(simd.BfindU32, "bfind.u32")
	t.add(simd.BfindS32, "bfind.s32")
	t.add(simd.BfindShiftU32, "bfind.shiftamt.u32")
	t.add(simd.BfindShiftS32, "bfind.shiftamt.s32")
	t.add(simd.BfeU32, "bfe.u32")
	t.add(simd.BfeS32, "bfe.s32")
	t.add(simd.BfeU64, "bfe.u64")
	t.add(simd.BfeS64, "bfe.s64")
	t.add(simd.Bfi32, "bfi.b32")
	t.add(simd.Bfi64, "bfi.b64")
	t.add(simd.ShfLClamp, "shf.l.clamp.b32")
	t.add(simd.ShfRClamp, "shf.r.clamp.b32")
	t.add(simd.Cnot32, "cnot.b32")
	t.add(simd.Lop3, "lop3.b32")
	t.add(simd.Prmt, "prmt.b32")
}

func (t fastTable) small() {
	t.add(simd.MulWideU16, "mul.wide.u16")
	t.add(simd.MulWideS16, "mul.wide.s16")
	t.add(simd.MadWideU16, "mad.wide.u16")
	t.add(simd.MadWideS16, "mad.wide.s16")
	t.add(simd.MulHiU16, "mul.hi.u16")
	t.add(simd.MulHiS16, "mul.hi.s16")
	t.add(simd.Mad16, "mad.lo.u16 mad.lo.s16")
	t.add(simd.MinU32, "min.u16")
	t.add(simd.MaxU32, "max.u16")
	t.add(simd.MinS16, "min.s16")
	t.add(simd.MaxS16, "max.s16")
	t.add(simd.NegS16, "neg.s16")
	t.add(simd.AbsS16, "abs.s16")
	t.add(simd.Shl16, "shl.b16")
	t.add(simd.ShrU32, "shr.u16 shr.b16")
	t.add(simd.ShrS16, "shr.s16")
	t.add(simd.DivU16, "div.u16")
	t.add(simd.RemU16, "rem.u16")
	t.add(simd.Mul24U, "mul24.lo.u32")
	t.add(simd.Mul24S, "mul24.lo.s32")
	t.add(simd.Mad24U, "mad24.lo.u32")
	t.add(simd.Mad24S, "mad24.lo.s32")
	t.add(simd.SadU32, "sad.u32")
	t.add(simd.SadS32, "sad.s32")
	t.add(simd.MadHiU32, "mad.hi.u32")
	t.add(simd.MadHiS32, "mad.hi.s32")
	t.add(simd.MulHiU64, "mul.hi.u64")
	t.add(simd.MulHiS64, "mul.hi.s64")
	t.add(simd.CopysignF32, "copysign.f32")
	t.add(simd.CopysignF64, "copysign.f64")
	t.add(simd.Dp4aUU, "dp4a.u32.u32")
	t.add(simd.Dp4aUS, "dp4a.u32.s32")
	t.add(simd.Dp4aSU, "dp4a.s32.u32")
	t.add(simd.Dp4aSS, "dp4a.s32.s32")
	for i, op := range [4]string{"lt", "le", "gt", "ge"} {
		t["setp."+op+".s16"] = simd.SetLtS16 + isa.Fast(2*i)
	}
}

// moreHalves is what halves have besides arithmetic.
func (t fastTable) moreHalves() {
	for name, codes := range map[string][4]isa.Fast{
		"min": {simd.MinF16, simd.MinF16x2, simd.MinBF16, simd.MinBF16x2},
		"max": {simd.MaxF16, simd.MaxF16x2, simd.MaxBF16, simd.MaxBF16x2},
		"neg": {simd.NegF16, simd.NegF16x2, simd.NegBF16, simd.NegBF16x2},
		"abs": {simd.AbsF16, simd.AbsF16x2, simd.AbsBF16, simd.AbsBF16x2},
	} {
		for i, typ := range [4]string{"f16", "f16x2", "bf16", "bf16x2"} {
			t[name+"."+typ] = codes[i]
		}
	}
	for i, op := range words("eq ne lt le gt ge equ neu ltu leu gtu geu num nan") {
		for j, typ := range [2]string{"f16", "bf16"} {
			t["setp."+op+"."+typ] = simd.SetEqF16 + isa.Fast(4*i+2*j)
		}
	}
	t.add(simd.CvtF16S32, "cvt.f16.s32")
	t.add(simd.CvtF16U32, "cvt.f16.u32")
	t.add(simd.CvtF16S16, "cvt.f16.s16")
	t.add(simd.CvtF16U16, "cvt.f16.u16")
	for i, r := range [4]string{"rni", "rmi", "rpi", "rzi"} {
		t["cvt."+r+".f16.f16"] = simd.RintF16Rni + isa.Fast(i)
	}
}

// moreConversions is of integers of less than a word, and what saturates.
func (t fastTable) moreConversions() {
	t.add(simd.CvtF32U16, "cvt.f32.u16")
	t.add(simd.CvtF32S16, "cvt.f32.s16")
	t.add(simd.CvtF32U8, "cvt.f32.u8")
	t.add(simd.CvtF32S8, "cvt.f32.s8")
	t.add(simd.CvtSatF32, "cvt.sat.f32.f32")
	t.add(simd.CvtSatF32Ftz, "cvt.ftz.sat.f32.f32 cvt.sat.ftz.f32.f32")
	for i, r := range [4]string{"rni", "rmi", "rpi", "rzi"} {
		t["cvt."+r+".u32.f64"] = [4]isa.Fast{simd.CvtU32F64Rni, simd.CvtU32F64Rmi, simd.CvtU32F64Rpi, simd.CvtU32F64Rzi}[i]
	}
}
