package ops

import (
	"strings"
	"sync"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/simd"
)

// Fast is the micro-operation that does what a form's handler does, zero if
// there is none; variant is what it wants in Inst.Imm. DBits and Space must be
// set as for Bind.
func Fast(f *isa.Form) (code isa.Fast, variant int64) {
	if f.Op.Name[0] == '%' {
		return fastSpecial(f)
	}
	switch f.Op.Name {
	case "ld", "ldu":
		return fastLoad(f), 0
	case "st":
		return fastStore(f), 0
	case "setp":
		return fastSetp(f)
	case "cvta":
		return fastCvta(f), 0
	case "atom", "red":
		return fastAtomic(f), 0
	case "membar", "fence":
		return fastFence(f), 0
	case "mov":
		if code, ok := fastParts(f); ok {
			return code, 0
		}
	case "cvt":
		if !exact(f) {
			return 0, 0
		}
	}
	return fasts()[canonical(f, f.Mods)], 0
}

// canonical spells a form without the rounding that is the rule.
func canonical(f *isa.Form, mods []string) string {
	var b strings.Builder
	b.WriteString(f.Op.Name)
	for _, m := range mods {
		if m != "rn" {
			b.WriteString("." + m)
		}
	}
	for _, t := range f.Types {
		b.WriteString("." + t.String())
	}
	return b.String()
}

// fasts holds micro-operations by spelling.
var fasts = sync.OnceValue(func() map[string]isa.Fast {
	t := fastTable{}
	t.integers()
	t.doubleWords()
	t.bits()
	t.small()
	t.logic()
	t.floats()
	t.doubles()
	t.halves()
	t.moreHalves()
	t.approx()
	t.warp()
	t.conversions()
	t.moreConversions()
	t.comparisons()
	return t
})

type fastTable map[string]isa.Fast

// add names a code by spellings, divided by blanks.
func (t fastTable) add(code isa.Fast, spellings string) {
	for _, s := range strings.Fields(spellings) {
		t[s] = code
	}
}

func (t fastTable) integers() {
	t.add(simd.Add16, "add.u16 add.s16")
	t.add(simd.Sub16, "sub.u16 sub.s16")
	t.add(simd.Mul16, "mul.lo.u16 mul.lo.s16")
	t.add(simd.Add32, "add.u32 add.s32")
	t.add(simd.Sub32, "sub.u32 sub.s32")
	t.add(simd.Mul32, "mul.lo.u32 mul.lo.s32")
	t.add(simd.Mad32, "mad.lo.u32 mad.lo.s32")
	t.add(simd.MulHiU32, "mul.hi.u32")
	t.add(simd.MulHiS32, "mul.hi.s32")
	t.add(simd.MulWideU32, "mul.wide.u32")
	t.add(simd.MulWideS32, "mul.wide.s32")
	t.add(simd.MadWideU32, "mad.wide.u32")
	t.add(simd.MadWideS32, "mad.wide.s32")
	t.add(simd.DivU32, "div.u32")
	t.add(simd.DivS32, "div.s32")
	t.add(simd.RemU32, "rem.u32")
	t.add(simd.RemS32, "rem.s32")
	t.add(simd.MinU32, "min.u32")
	t.add(simd.MaxU32, "max.u32")
	t.add(simd.MinS32, "min.s32")
	t.add(simd.MaxS32, "max.s32")
	t.add(simd.AbsS32, "abs.s32")
	t.add(simd.NegS32, "neg.s32")
	t.add(simd.Clz32, "clz.b32")
}

func (t fastTable) doubleWords() {
	t.add(simd.Add64, "add.u64 add.s64")
	t.add(simd.Sub64, "sub.u64 sub.s64")
	t.add(simd.Mul64, "mul.lo.u64 mul.lo.s64")
	t.add(simd.Mad64, "mad.lo.u64 mad.lo.s64")
	t.add(simd.MinU64, "min.u64")
	t.add(simd.MaxU64, "max.u64")
	t.add(simd.MinS64, "min.s64")
	t.add(simd.MaxS64, "max.s64")
	t.add(simd.NegS64, "neg.s64")
	t.add(simd.AbsS64, "abs.s64")
	t.add(simd.And64, "and.b64")
	t.add(simd.Or64, "or.b64")
	t.add(simd.Xor64, "xor.b64")
	t.add(simd.Not64, "not.b64")
	t.add(simd.Shl64, "shl.b64")
	t.add(simd.ShrU64, "shr.u64 shr.b64")
	t.add(simd.ShrS64, "shr.s64")
}

func (t fastTable) logic() {
	t.add(simd.And32, "and.b32 and.b16")
	t.add(simd.Or32, "or.b32 or.b16")
	t.add(simd.Xor32, "xor.b32 xor.b16")
	t.add(simd.Not32, "not.b32")
	t.add(simd.Not16, "not.b16")
	t.add(simd.Shl32, "shl.b32")
	t.add(simd.ShrU32, "shr.u32 shr.b32")
	t.add(simd.ShrS32, "shr.s32")
	t.add(simd.ShfLWrap, "shf.l.wrap.b32")
	t.add(simd.ShfRWrap, "shf.r.wrap.b32")
	t.add(simd.PredAnd, "and.pred")
	t.add(simd.PredOr, "or.pred")
	t.add(simd.PredXor, "xor.pred")
	t.add(simd.PredNot, "not.pred")
	t.add(simd.PredMov, "mov.pred")
	t.add(simd.Mov16, "mov.b16 mov.u16 mov.s16")
	t.add(simd.Mov32, "mov.b32 mov.u32 mov.s32 mov.f32")
	t.add(simd.Mov64, "mov.b64 mov.u64 mov.s64 mov.f64")
	t.add(simd.Select32, "selp.b16 selp.u16 selp.s16 selp.b32 selp.u32 selp.s32 selp.f32")
	t.add(simd.Select64, "selp.b64 selp.u64 selp.s64 selp.f64")
}

// rounded4 names the micro-operations of an operation's roundings, in the
// order of the modifiers.
func (t fastTable) rounded4(name, mods, typ string, codes [4]isa.Fast) {
	for i, rounding := range [4]string{"", ".rz", ".rm", ".rp"} {
		t[name+rounding+mods+"."+typ] = codes[i]
	}
}

func (t fastTable) floats() {
	for name, codes := range map[string][2][4]isa.Fast{
		"add":  {{simd.AddF32RN, simd.AddF32RZ, simd.AddF32RM, simd.AddF32RP}, {simd.AddF32RNFtz, simd.AddF32RZFtz, simd.AddF32RMFtz, simd.AddF32RPFtz}},
		"sub":  {{simd.SubF32RN, simd.SubF32RZ, simd.SubF32RM, simd.SubF32RP}, {simd.SubF32RNFtz, simd.SubF32RZFtz, simd.SubF32RMFtz, simd.SubF32RPFtz}},
		"mul":  {{simd.MulF32RN, simd.MulF32RZ, simd.MulF32RM, simd.MulF32RP}, {simd.MulF32RNFtz, simd.MulF32RZFtz, simd.MulF32RMFtz, simd.MulF32RPFtz}},
		"fma":  {{simd.FmaF32RN, simd.FmaF32RZ, simd.FmaF32RM, simd.FmaF32RP}, {simd.FmaF32RNFtz, simd.FmaF32RZFtz, simd.FmaF32RMFtz, simd.FmaF32RPFtz}},
		"mad":  {{simd.FmaF32RN, simd.FmaF32RZ, simd.FmaF32RM, simd.FmaF32RP}, {simd.FmaF32RNFtz, simd.FmaF32RZFtz, simd.FmaF32RMFtz, simd.FmaF32RPFtz}},
		"div":  {{simd.DivF32RN, simd.DivF32RZ, simd.DivF32RM, simd.DivF32RP}, {simd.DivF32RNFtz, simd.DivF32RZFtz, simd.DivF32RMFtz, simd.DivF32RPFtz}},
		"rcp":  {{simd.RcpF32RN, simd.RcpF32RZ, simd.RcpF32RM, simd.RcpF32RP}, {simd.RcpF32RNFtz, simd.RcpF32RZFtz, simd.RcpF32RMFtz, simd.RcpF32RPFtz}},
		"sqrt": {{simd.SqrtF32RN, simd.SqrtF32RZ, simd.SqrtF32RM, simd.SqrtF32RP}, {simd.SqrtF32RNFtz, simd.SqrtF32RZFtz, simd.SqrtF32RMFtz, simd.SqrtF32RPFtz}},
	} {
		t.rounded4(name, "", "f32", codes[0])
		t.rounded4(name, ".ftz", "f32", codes[1])
	}
	t.add(simd.AddF32RNSat, "add.sat.f32")
	t.add(simd.AddF32RNSatFtz, "add.ftz.sat.f32")
	t.add(simd.SubF32RNSat, "sub.sat.f32")
	t.add(simd.SubF32RNSatFtz, "sub.ftz.sat.f32")
	t.add(simd.MulF32RNSat, "mul.sat.f32")
	t.add(simd.MulF32RNSatFtz, "mul.ftz.sat.f32")
	t.add(simd.FmaF32RNSat, "fma.sat.f32")
	t.add(simd.FmaF32RNSatFtz, "fma.ftz.sat.f32")
	t.add(simd.MinF32, "min.f32")
	t.add(simd.MinF32Ftz, "min.ftz.f32")
	t.add(simd.MaxF32, "max.f32")
	t.add(simd.MaxF32Ftz, "max.ftz.f32")
	t.add(simd.AbsF32, "abs.f32")
	t.add(simd.AbsF32Ftz, "abs.ftz.f32")
	t.add(simd.NegF32, "neg.f32")
	t.add(simd.NegF32Ftz, "neg.ftz.f32")
}

func (t fastTable) doubles() {
	for name, codes := range map[string][4]isa.Fast{
		"add":  {simd.AddF64RN, simd.AddF64RZ, simd.AddF64RM, simd.AddF64RP},
		"sub":  {simd.SubF64RN, simd.SubF64RZ, simd.SubF64RM, simd.SubF64RP},
		"mul":  {simd.MulF64RN, simd.MulF64RZ, simd.MulF64RM, simd.MulF64RP},
		"fma":  {simd.FmaF64RN, simd.FmaF64RZ, simd.FmaF64RM, simd.FmaF64RP},
		"mad":  {simd.FmaF64RN, simd.FmaF64RZ, simd.FmaF64RM, simd.FmaF64RP},
		"div":  {simd.DivF64RN, simd.DivF64RZ, simd.DivF64RM, simd.DivF64RP},
		"rcp":  {simd.RcpF64RN, simd.RcpF64RZ, simd.RcpF64RM, simd.RcpF64RP},
		"sqrt": {simd.SqrtF64RN, simd.SqrtF64RZ, simd.SqrtF64RM, simd.SqrtF64RP},
	} {
		t.rounded4(name, "", "f64", codes)
	}
	t.add(simd.MinF64, "min.f64")
	t.add(simd.MaxF64, "max.f64")
	t.add(simd.AbsF64, "abs.f64")
	t.add(simd.NegF64, "neg.f64")
}

func (t fastTable) halves() {
	for name, codes := range map[string][4]isa.Fast{
		"add": {simd.AddF16, simd.AddF16x2, simd.AddBF16, simd.AddBF16x2},
		"sub": {simd.SubF16, simd.SubF16x2, simd.SubBF16, simd.SubBF16x2},
		"mul": {simd.MulF16, simd.MulF16x2, simd.MulBF16, simd.MulBF16x2},
		"fma": {simd.FmaF16, simd.FmaF16x2, simd.FmaBF16, simd.FmaBF16x2},
	} {
		for i, typ := range [4]string{"f16", "f16x2", "bf16", "bf16x2"} {
			t[name+"."+typ] = codes[i]
		}
	}
	t.add(simd.CvtF32F16, "cvt.f32.f16")
	t.add(simd.CvtF32BF16, "cvt.f32.bf16")
	t.add(simd.CvtF16F32RN, "cvt.f16.f32")
	t.add(simd.CvtF16F32RM, "cvt.rm.f16.f32")
	t.add(simd.CvtF16F32RP, "cvt.rp.f16.f32")
	t.add(simd.CvtF16F32RZ, "cvt.rz.f16.f32")
	t.add(simd.CvtBF16F32RN, "cvt.bf16.f32")
	t.add(simd.CvtF16x2F32RN, "cvt.f16x2.f32")
	t.add(simd.CvtBF16x2F32RN, "cvt.bf16x2.f32")
}

// approx does not tell flushing forms from others: where they differ the
// micro-operations leave to the handler.
func (t fastTable) approx() {
	t.add(simd.RcpApproxF32, "rcp.approx.f32 rcp.approx.ftz.f32")
	t.add(simd.SqrtApproxF32, "sqrt.approx.f32 sqrt.approx.ftz.f32")
	t.add(simd.RsqrtApproxF32, "rsqrt.approx.f32 rsqrt.approx.ftz.f32")
	t.add(simd.Ex2ApproxF32, "ex2.approx.f32 ex2.approx.ftz.f32")
	t.add(simd.SinApproxF32, "sin.approx.f32 sin.approx.ftz.f32")
	t.add(simd.CosApproxF32, "cos.approx.f32 cos.approx.ftz.f32")
	t.add(simd.DivApproxF32, "div.approx.f32 div.full.f32")
	t.add(simd.DivApproxF32Ftz, "div.approx.ftz.f32 div.full.ftz.f32")
	t.add(simd.Lg2ApproxF32, "lg2.approx.f32 lg2.approx.ftz.f32")
}

func (t fastTable) warp() {
	t.add(simd.ShflUp, "shfl.up.b32 shfl.sync.up.b32")
	t.add(simd.ShflDown, "shfl.down.b32 shfl.sync.down.b32")
	t.add(simd.ShflBfly, "shfl.bfly.b32 shfl.sync.bfly.b32")
	t.add(simd.ShflIdx, "shfl.idx.b32 shfl.sync.idx.b32")
	t.add(simd.Ballot, "vote.ballot.b32 vote.sync.ballot.b32")
	t.add(simd.VoteAny, "vote.any.pred vote.sync.any.pred")
	t.add(simd.VoteAll, "vote.all.pred vote.sync.all.pred")
	t.add(simd.WarpSync, "bar.warp.sync")
}

func (t fastTable) conversions() {
	t.add(simd.Mov32, "cvt.u32.u32 cvt.s32.s32 cvt.u32.s32 cvt.s32.u32 cvt.u32.u64 cvt.s32.s64 cvt.u32.s64 cvt.s32.u64")
	t.add(simd.Mov16, "cvt.u16.u32 cvt.s16.s32 cvt.u16.s32 cvt.s16.u32 cvt.u16.u64 cvt.u16.s64 cvt.u32.u16 cvt.s32.u16 cvt.u16.u16 cvt.u16.s16 cvt.s16.u16 cvt.s16.s16")
	t.add(simd.Mov8, "cvt.u32.u8 cvt.s32.u8 cvt.u16.u8 cvt.s16.u8")
	t.add(simd.SignExtend8, "cvt.s32.s8 cvt.u32.s8")
	t.add(simd.SignExtend16, "cvt.s32.s16 cvt.u32.s16")
	t.add(simd.SignExtend32, "cvt.s64.s32 cvt.u64.s32")
	t.add(simd.ZeroExtend32, "cvt.u64.u32 cvt.s64.u32")
	t.add(simd.CvtF32S32, "cvt.f32.s32")
	t.add(simd.CvtF32U32, "cvt.f32.u32")
	t.add(simd.CvtF32S64, "cvt.f32.s64")
	t.add(simd.CvtF32U64, "cvt.f32.u64")
	t.add(simd.CvtF64S32, "cvt.f64.s32")
	t.add(simd.CvtF64U32, "cvt.f64.u32")
	t.add(simd.CvtF64S64, "cvt.f64.s64")
	t.add(simd.CvtF64U64, "cvt.f64.u64")
	t.add(simd.CvtF64F32, "cvt.f64.f32")
	t.add(simd.CvtF32F64, "cvt.f32.f64")
	for i, r := range [4]string{"rni", "rmi", "rpi", "rzi"} {
		t["cvt."+r+".f32.f32"] = [4]isa.Fast{simd.RintF32Rni, simd.RintF32Rmi, simd.RintF32Rpi, simd.RintF32Rzi}[i]
		t["cvt."+r+".f64.f64"] = [4]isa.Fast{simd.RintF64Rni, simd.RintF64Rmi, simd.RintF64Rpi, simd.RintF64Rzi}[i]
		t["cvt."+r+".s32.f32"] = [4]isa.Fast{simd.CvtS32F32Rni, simd.CvtS32F32Rmi, simd.CvtS32F32Rpi, simd.CvtS32F32Rzi}[i]
		t["cvt."+r+".u32.f32"] = [4]isa.Fast{simd.CvtU32F32Rni, simd.CvtU32F32Rmi, simd.CvtU32F32Rpi, simd.CvtU32F32Rzi}[i]
		t["cvt."+r+".s32.f64"] = [4]isa.Fast{simd.CvtS32F64Rni, simd.CvtS32F64Rmi, simd.CvtS32F64Rpi, simd.CvtS32F64Rzi}[i]
	}
}

// comparisons names comparisons as "setp", operator and type; codes of one
// operator lie together, those that combine follow those that do not.
func (t fastTable) comparisons() {
	types := [4]string{"u32", "s32", "u64", "s64"}
	for i, op := range [6]string{"eq", "ne", "lt", "le", "gt", "ge"} {
		for j, typ := range types {
			t["setp."+op+"."+typ] = simd.SetEqU32 + isa.Fast(8*i+2*j)
		}
	}
	for to, from := range map[string]string{"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"} {
		for _, typ := range [2]string{"u32", "u64"} {
			t["setp."+to+"."+typ] = t["setp."+from+"."+typ]
		}
	}
	for _, op := range [2]string{"eq", "ne"} {
		t["setp."+op+".b32"], t["setp."+op+".b64"] = t["setp."+op+".u32"], t["setp."+op+".u64"]
	}
	for i, op := range words("eq ne lt le gt ge equ neu ltu leu gtu geu num nan") {
		for j, typ := range [3]string{"f32", "ftz.f32", "f64"} {
			t["setp."+op+"."+typ] = simd.SetEqF32 + isa.Fast(6*i+2*j)
		}
	}
	// Half words are words with zeros above.
	for _, op := range words("eq ne lt le gt ge lo ls hi hs") {
		t["setp."+op+".u16"] = t["setp."+op+".u32"]
	}
	t["setp.eq.b16"], t["setp.ne.b16"] = t["setp.eq.u32"], t["setp.ne.u32"]
	t["setp.eq.s16"], t["setp.ne.s16"] = t["setp.eq.u32"], t["setp.ne.u32"]
}

// fastSpecial reads a special register of one row.
func fastSpecial(f *isa.Form) (isa.Fast, int64) {
	if f.DBits != 32 {
		return 0, 0
	}
	name, component, _ := strings.Cut(f.Op.Name, ".")
	i := strings.Index("xyz", component)
	switch {
	case name == "%laneid":
		return simd.LaneID, 0
	case i < 0 || component == "":
	case name == "%tid":
		return simd.Tid, simd.TidVariant(i)
	case name == "%ctaid":
		return simd.Uniform, simd.UniformVariant(simd.Ctaid, i)
	case name == "%nctaid":
		return simd.Uniform, simd.UniformVariant(simd.Nctaid, i)
	case name == "%ntid":
		return simd.Uniform, simd.UniformVariant(simd.Ntid, i)
	}
	return 0, 0
}

func fastSetp(f *isa.Form) (isa.Fast, int64) {
	mods, combine := make([]string, 0, len(f.Mods)), simd.Alone
	for _, m := range f.Mods {
		switch m {
		case "and":
			combine = simd.WithAnd
		case "or":
			combine = simd.WithOr
		case "xor":
			combine = simd.WithXor
		default:
			mods = append(mods, m)
		}
	}
	return fasts()[canonical(f, mods)], int64(combine)
}

// fastParts is the mov that makes a register of two elements or takes one
// apart; ok reports a mov with a brace list.
func fastParts(f *isa.Form) (code isa.Fast, ok bool) {
	pack, unpack := strings.HasSuffix(f.Op.Args, "V"), strings.HasPrefix(f.Op.Args, "V")
	switch bits := f.Type(0).Bits(); {
	case pack && bits == 64:
		return simd.Pack64, true
	case unpack && bits == 64:
		return simd.Unpack64, true
	case pack && bits == 32:
		return simd.Pack32, true
	case unpack && bits == 32:
		return simd.Unpack32, true
	}
	return 0, pack || unpack
}

func fastCvta(f *isa.Form) isa.Fast {
	switch spaceOf(f) {
	case "global", "const":
		if f.Type(0) == isa.U64 {
			return simd.Mov64
		}
	}
	return 0
}

// spaceFasts lists the loads and stores of a space: bytes, half words, then
// one, two and four words.
type spaceFasts struct{ loads, signed, stores map[int]isa.Fast }

var fastSpaces = map[isa.Space]spaceFasts{
	isa.Global: {
		loads:  map[int]isa.Fast{1: simd.LoadG1, 2: simd.LoadG2, 4: simd.LoadG4, 8: simd.LoadG8, 16: simd.LoadG16},
		signed: map[int]isa.Fast{1: simd.LoadG1S, 2: simd.LoadG2S},
		stores: map[int]isa.Fast{1: simd.StoreG1, 2: simd.StoreG2, 4: simd.StoreG4, 8: simd.StoreG8, 16: simd.StoreG16},
	},
	isa.Shared: {
		loads:  map[int]isa.Fast{1: simd.LoadS1, 2: simd.LoadS2, 4: simd.LoadS4, 8: simd.LoadS8, 16: simd.LoadS16},
		signed: map[int]isa.Fast{1: simd.LoadS1S, 2: simd.LoadS2S},
		stores: map[int]isa.Fast{1: simd.StoreS1, 2: simd.StoreS2, 4: simd.StoreS4, 8: simd.StoreS8, 16: simd.StoreS16},
	},
	isa.Local: {
		loads:  map[int]isa.Fast{1: simd.LoadL1, 2: simd.LoadL2, 4: simd.LoadL4, 8: simd.LoadL8, 16: simd.LoadL16},
		signed: map[int]isa.Fast{1: simd.LoadL1S, 2: simd.LoadL2S},
		stores: map[int]isa.Fast{1: simd.StoreL1, 2: simd.StoreL2, 4: simd.StoreL4, 8: simd.StoreL8, 16: simd.StoreL16},
	},
	isa.Frame: {
		loads:  map[int]isa.Fast{1: simd.LoadF1, 2: simd.LoadF2, 4: simd.LoadF4, 8: simd.LoadF8, 16: simd.LoadF16},
		signed: map[int]isa.Fast{1: simd.LoadF1S, 2: simd.LoadF2S},
		stores: map[int]isa.Fast{1: simd.StoreF1, 2: simd.StoreF2, 4: simd.StoreF4, 8: simd.StoreF8, 16: simd.StoreF16},
	},
	isa.Param: {
		loads:  map[int]isa.Fast{1: simd.LoadP1, 2: simd.LoadP2, 4: simd.LoadP4, 8: simd.LoadP8, 16: simd.LoadP16},
		signed: map[int]isa.Fast{1: simd.LoadP1S, 2: simd.LoadP2S},
	},
}

// widened is a load of at most a word into a double word.
func (c spaceFasts) widened(bytes int, signed bool) isa.Fast {
	code, mark := c.loads[bytes], simd.ZeroExtended
	if signed {
		mark = simd.SignExtended
		if bytes < 4 {
			code = c.signed[bytes]
		}
	}
	if code == 0 {
		return 0
	}
	return code | mark
}

func spaceFastsOf(s isa.Space) spaceFasts {
	if s == isa.Generic || s == isa.Const {
		s = isa.Global
	}
	return fastSpaces[s]
}

func fastLoad(f *isa.Form) isa.Fast {
	e, n := elementOf(f), elements(f)
	codes := spaceFastsOf(f.Space)
	switch {
	case e.bytes >= 4 && e.rows == e.bytes/4:
		return codes.loads[e.bytes*n]
	case e.bytes <= 4 && e.rows == 2 && n == 1:
		return codes.widened(e.bytes, e.signed)
	case n > 1 && e.bytes < 4 && e.rows == 1 && !(e.signed && e.half):
		return narrowVector(codes.loads, e.bytes, n, e.signed)
	case e.bytes >= 4 || n > 1 || e.rows > 1:
		return 0
	case !e.signed || e.half && e.bytes == 2:
		return codes.loads[e.bytes]
	case !e.half:
		return codes.signed[e.bytes]
	}
	return 0
}

func fastStore(f *isa.Form) isa.Fast {
	bytes, n := f.Type(0).Bytes(), elements(f)
	if bytes < 4 && n > 1 {
		return narrowVector(spaceFastsOf(f.Space).stores, bytes, n, false)
	}
	return spaceFastsOf(f.Space).stores[bytes*n]
}

// narrowVector is the access to n elements of one or two bytes that fill words.
func narrowVector(codes map[int]isa.Fast, bytes, n int, signed bool) isa.Fast {
	code, mark := codes[bytes*n], simd.Bytes
	if bytes == 2 {
		mark = simd.Halves
	}
	if code == 0 || bytes*n < 4 || bytes*n > 8 {
		return 0
	}
	if signed {
		mark |= simd.SignExtended
	}
	return code | mark
}

// atomicFasts are the atomic operations by name: with a result and without, of a
// word and of two. Those on global memory lie globalAtomics after those on shared.
var atomicFasts = map[string][4]isa.Fast{
	"add":  {simd.AtomSAdd32, simd.RedSAdd32, simd.AtomSAdd64, simd.RedSAdd64},
	"and":  {simd.AtomSAnd32, simd.RedSAnd32, simd.AtomSAnd64, simd.RedSAnd64},
	"or":   {simd.AtomSOr32, simd.RedSOr32, simd.AtomSOr64, simd.RedSOr64},
	"xor":  {simd.AtomSXor32, simd.RedSXor32, simd.AtomSXor64, simd.RedSXor64},
	"exch": {simd.AtomSExch32, 0, simd.AtomSExch64, 0},
	"cas":  {simd.AtomSCas32, 0, simd.AtomSCas64, 0},
	"minu": {simd.AtomSMinU32, simd.RedSMinU32, simd.AtomSMinU64, simd.RedSMinU64},
	"maxu": {simd.AtomSMaxU32, simd.RedSMaxU32, simd.AtomSMaxU64, simd.RedSMaxU64},
	"mins": {simd.AtomSMinS32, simd.RedSMinS32, simd.AtomSMinS64, simd.RedSMinS64},
	"maxs": {simd.AtomSMaxS32, simd.RedSMaxS32, simd.AtomSMaxS64, simd.RedSMaxS64},
	"addf": {simd.AtomSAddF32, simd.RedSAddF32, simd.AtomSAddF64, simd.RedSAddF64},
}

const globalAtomics = simd.AtomGAdd32 - simd.AtomSAdd32

// fastAtomic knows scalar operations within the device.
func fastAtomic(f *isa.Form) isa.Fast {
	t := f.Type(0)
	op := f.Any("add", "and", "or", "xor", "exch", "cas", "min", "max")
	switch {
	case elements(f) > 1 || ofSystem(f) || t.IsFloat() && t != isa.F32 && t != isa.F64:
		return 0
	case t.IsFloat():
		op += "f"
	case op == "min" || op == "max":
		op += map[bool]string{false: "u", true: "s"}[t.IsSigned()]
	}
	i := map[int]int{32: 0, 64: 2}[t.Bits()]
	if t.Bits() != 32 && t.Bits() != 64 {
		return 0
	}
	if f.Op.Name == "red" {
		i++
	}
	code := atomicFasts[op][i]
	switch f.Space {
	case isa.Shared:
		return code
	case isa.Global, isa.Generic:
		if code != 0 {
			return code + globalAtomics
		}
	}
	return 0
}

// fastFence knows the fences that order what is in order already.
func fastFence(f *isa.Form) isa.Fast {
	if f.Op.Shares {
		return simd.Fence
	}
	return simd.Nothing
}
