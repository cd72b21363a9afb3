package ops

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// half is PTX ISA 9.7.4, arithmetic of f16 and bf16, 9.7.5, mixed precision,
// and 9.7.7, their comparisons.
var half = []isa.Op{
	{Name: "add", Mods: "{rn} {ftz} {sat}", Types: "f16 f16x2", Args: "d, a, b", Unit: isa.FMA, Since: 42, SM: 53, Doc: "9.7.4.1", Bind: bindAddHalf},
	{Name: "add", Mods: "{rn}", Types: "bf16 bf16x2", Args: "d, a, b", Unit: isa.FMA, Since: 78, SM: 90, Doc: "9.7.4.1", Bind: bindAddHalf},
	{Name: "sub", Mods: "{rn} {ftz} {sat}", Types: "f16 f16x2", Args: "d, a, b", Unit: isa.FMA, Since: 42, SM: 53, Doc: "9.7.4.2", Bind: bindSubHalf},
	{Name: "sub", Mods: "{rn}", Types: "bf16 bf16x2", Args: "d, a, b", Unit: isa.FMA, Since: 78, SM: 90, Doc: "9.7.4.2", Bind: bindSubHalf},
	{Name: "mul", Mods: "{rn} {ftz} {sat}", Types: "f16 f16x2", Args: "d, a, b", Unit: isa.FMA, Since: 42, SM: 53, Doc: "9.7.4.3", Bind: bindMulHalf},
	{Name: "mul", Mods: "{rn}", Types: "bf16 bf16x2", Args: "d, a, b", Unit: isa.FMA, Since: 78, SM: 90, Doc: "9.7.4.3", Bind: bindMulHalf},
	{Name: "fma", Mods: "rn {ftz} {sat}", Types: "f16 f16x2", Args: "d, a, b, c", Unit: isa.FMA, Since: 42, SM: 53, Doc: "9.7.4.4", Bind: bindFmaHalf},
	{Name: "fma", Mods: "rn {ftz} relu", Types: "f16 f16x2", Args: "d, a, b, c", Unit: isa.FMA, Since: 70, SM: 80, Doc: "9.7.4.4", Bind: bindFmaHalf},
	{Name: "fma", Mods: "rn {relu}", Types: "bf16 bf16x2", Args: "d, a, b, c", Unit: isa.FMA, Since: 70, SM: 80, Doc: "9.7.4.4", Bind: bindFmaHalf},
	{Name: "fma", Mods: "rn oob {relu}", Types: "f16 f16x2 bf16 bf16x2", Args: "d, a, b, c", Unit: isa.FMA, Since: 81, SM: 90, Doc: "9.7.4.4", Bind: bindFmaHalf},
	{Name: "neg", Mods: "{ftz}", Types: "f16 f16x2", Args: "d, a", Since: 60, SM: 53, Doc: "9.7.4.5", Bind: bindNegHalf},
	{Name: "neg", Types: "bf16 bf16x2", Args: "d, a", Since: 70, SM: 80, Doc: "9.7.4.5", Bind: bindNegHalf},
	{Name: "abs", Mods: "{ftz}", Types: "f16 f16x2", Args: "d, a", Since: 65, SM: 53, Doc: "9.7.4.6", Bind: bindAbsHalf},
	{Name: "abs", Types: "bf16 bf16x2", Args: "d, a", Since: 70, SM: 80, Doc: "9.7.4.6", Bind: bindAbsHalf},
	{Name: "min", Mods: "{ftz} {NaN}", Types: "f16 f16x2", Args: "d, a, b", Since: 70, SM: 80, Doc: "9.7.4.7", Bind: bindMinHalf},
	{Name: "min", Mods: "{ftz} {NaN} xorsign abs", Types: "f16 f16x2", Args: "d, a, b", Since: 72, SM: 86, Doc: "9.7.4.7", Bind: bindMinHalf},
	{Name: "min", Mods: "{NaN}", Types: "bf16 bf16x2", Args: "d, a, b", Since: 70, SM: 80, Doc: "9.7.4.7", Bind: bindMinHalf},
	{Name: "min", Mods: "{NaN} xorsign abs", Types: "bf16 bf16x2", Args: "d, a, b", Since: 72, SM: 86, Doc: "9.7.4.7", Bind: bindMinHalf},
	{Name: "max", Mods: "{ftz} {NaN}", Types: "f16 f16x2", Args: "d, a, b", Since: 70, SM: 80, Doc: "9.7.4.8", Bind: bindMaxHalf},
	{Name: "max", Mods: "{ftz} {NaN} xorsign abs", Types: "f16 f16x2", Args: "d, a, b", Since: 72, SM: 86, Doc: "9.7.4.8", Bind: bindMaxHalf},
	{Name: "max", Mods: "{NaN}", Types: "bf16 bf16x2", Args: "d, a, b", Since: 70, SM: 80, Doc: "9.7.4.8", Bind: bindMaxHalf},
	{Name: "max", Mods: "{NaN} xorsign abs", Types: "bf16 bf16x2", Args: "d, a, b", Since: 72, SM: 86, Doc: "9.7.4.8", Bind: bindMaxHalf},
	{Name: "tanh", Mods: "approx", Types: "f16 f16x2", Args: "d, a", Unit: isa.XU, Class: isa.Variable, Since: 70, SM: 75, Doc: "9.7.4.9", Bind: bindTanhHalf},
	{Name: "tanh", Mods: "approx", Types: "bf16 bf16x2", Args: "d, a", Unit: isa.XU, Class: isa.Variable, Since: 78, SM: 90, Doc: "9.7.4.9", Bind: bindTanhHalf},
	{Name: "ex2", Mods: "approx", Types: "f16 f16x2", Args: "d, a", Unit: isa.XU, Class: isa.Variable, Since: 70, SM: 75, Doc: "9.7.4.10", Bind: bindEx2Half},
	{Name: "ex2", Mods: "approx ftz", Types: "bf16 bf16x2", Args: "d, a", Unit: isa.XU, Class: isa.Variable, Since: 78, SM: 90, Doc: "9.7.4.10", Bind: bindEx2Half},

	{Name: "add", Mods: "{rnd} {sat}", Types: "f32 / f16 bf16", Args: "d, a:1, b", Unit: isa.FMA, Since: 86, SM: 100, Doc: "9.7.5.1", Bind: bindAddMixed},
	{Name: "sub", Mods: "{rnd} {sat}", Types: "f32 / f16 bf16", Args: "d, a:1, b", Unit: isa.FMA, Since: 86, SM: 100, Doc: "9.7.5.2", Bind: bindSubMixed},
	{Name: "fma", Mods: "rnd {sat}", Types: "f32 / f16 bf16", Args: "d, a:1, b:1, c", Unit: isa.FMA, Since: 86, SM: 100, Doc: "9.7.5.3", Bind: bindFmaMixed},

	{Name: "set", Mods: "fcmp {ftz}", Types: "f16 / f16", Args: setArgs, Since: 42, SM: 53, Doc: "9.7.7.1", Bind: bindSetHalf},
	{Name: "set", Mods: "fcmp {ftz}", Types: "u16 s16 u32 s32 / f16", Args: setArgs, Since: 65, SM: 53, Doc: "9.7.7.1", Bind: bindSetHalf},
	{Name: "set", Mods: "fcmp bool {ftz}", Types: "f16 / f16", Args: setBoolArgs, Since: 42, SM: 53, Doc: "9.7.7.1", Bind: bindSetHalf},
	{Name: "set", Mods: "fcmp bool {ftz}", Types: "u16 s16 u32 s32 / f16", Args: setBoolArgs, Since: 65, SM: 53, Doc: "9.7.7.1", Bind: bindSetHalf},
	{Name: "set", Mods: "fcmp", Types: "bf16 u16 s16 u32 s32 / bf16", Args: setArgs, Since: 78, SM: 90, Doc: "9.7.7.1", Bind: bindSetHalf},
	{Name: "set", Mods: "fcmp bool", Types: "bf16 u16 s16 u32 s32 / bf16", Args: setBoolArgs, Since: 78, SM: 90, Doc: "9.7.7.1", Bind: bindSetHalf},
	{Name: "set", Mods: "cmp {ftz}", Types: "f16 / b16 u16 s16 b32 u32 s32 b64 u64 s64 f32 f64", Args: setArgs, Since: 42, SM: 53, Doc: "9.7.7.1", Bind: bindSetHalf},
	{Name: "set", Mods: "cmp bool {ftz}", Types: "f16 / b16 u16 s16 b32 u32 s32 b64 u64 s64 f32 f64", Args: setBoolArgs, Since: 42, SM: 53, Doc: "9.7.7.1", Bind: bindSetHalf},
	{Name: "set", Mods: "cmp", Types: "bf16 / b16 u16 s16 b32 u32 s32 b64 u64 s64 f16 f32 f64", Args: setArgs, Since: 78, SM: 90, Doc: "9.7.7.1", Bind: bindSetHalf},
	{Name: "set", Mods: "cmp bool", Types: "bf16 / b16 u16 s16 b32 u32 s32 b64 u64 s64 f16 f32 f64", Args: setBoolArgs, Since: 78, SM: 90, Doc: "9.7.7.1", Bind: bindSetHalf},
	{Name: "set", Mods: "fcmp {ftz}", Types: "f16x2 / f16x2", Args: setArgs, Since: 42, SM: 53, Doc: "9.7.7.1", Bind: bindSetHalf},
	{Name: "set", Mods: "fcmp {ftz}", Types: "u32 s32 / f16x2", Args: setArgs, Since: 65, SM: 53, Doc: "9.7.7.1", Bind: bindSetHalf},
	{Name: "set", Mods: "fcmp bool {ftz}", Types: "f16x2 / f16x2", Args: setBoolArgs, Since: 42, SM: 53, Doc: "9.7.7.1", Bind: bindSetHalf},
	{Name: "set", Mods: "fcmp bool {ftz}", Types: "u32 s32 / f16x2", Args: setBoolArgs, Since: 65, SM: 53, Doc: "9.7.7.1", Bind: bindSetHalf},
	{Name: "set", Mods: "fcmp", Types: "bf16x2 u32 s32 / bf16x2", Args: setArgs, Since: 78, SM: 90, Doc: "9.7.7.1", Bind: bindSetHalf},
	{Name: "set", Mods: "fcmp bool", Types: "bf16x2 u32 s32 / bf16x2", Args: setBoolArgs, Since: 78, SM: 90, Doc: "9.7.7.1", Bind: bindSetHalf},

	{Name: "setp", Mods: "fcmp {ftz}", Types: "f16", Args: "p, a, b", Since: 42, SM: 53, Doc: "9.7.7.2", Bind: bindSetpHalf},
	{Name: "setp", Mods: "fcmp bool {ftz}", Types: "f16", Args: "p, a, b, s", Since: 42, SM: 53, Doc: "9.7.7.2", Bind: bindSetpHalf},
	{Name: "setp", Mods: "fcmp {ftz}", Types: "f16x2", Args: "p|q, a, b", Since: 42, SM: 53, Doc: "9.7.7.2", Bind: bindSetpHalf},
	{Name: "setp", Mods: "fcmp bool {ftz}", Types: "f16x2", Args: "p|q, a, b, s", Since: 42, SM: 53, Doc: "9.7.7.2", Bind: bindSetpHalf},
	{Name: "setp", Mods: "fcmp", Types: "bf16", Args: "p, a, b", Since: 78, SM: 90, Doc: "9.7.7.2", Bind: bindSetpHalf},
	{Name: "setp", Mods: "fcmp bool", Types: "bf16", Args: "p, a, b, s", Since: 78, SM: 90, Doc: "9.7.7.2", Bind: bindSetpHalf},
	{Name: "setp", Mods: "fcmp", Types: "bf16x2", Args: "p|q, a, b", Since: 78, SM: 90, Doc: "9.7.7.2", Bind: bindSetpHalf},
	{Name: "setp", Mods: "fcmp bool", Types: "bf16x2", Args: "p|q, a, b, s", Since: 78, SM: 90, Doc: "9.7.7.2", Bind: bindSetpHalf},
}

// halves1, halves2 and halves3 hold a scalar function for each half type.
type halves1 struct {
	f16, bf16     func(a uint16) uint16
	f16x2, bf16x2 func(a uint32) uint32
}

type halves2 struct {
	f16, bf16     func(a, b uint16) uint16
	f16x2, bf16x2 func(a, b uint32) uint32
}

type halves3 struct {
	f16, bf16     func(a, b, c uint16) uint16
	f16x2, bf16x2 func(a, b, c uint32) uint32
}

// finish applies the modifiers of a form to a half or a pair of halves.
type finish[T value] struct{ flush, result func(T) T }

func keep[T value](a T) T { return a }

func finish16(f *isa.Form) finish[uint16] {
	c := finish[uint16]{keep[uint16], keep[uint16]}
	if f.Has("ftz") {
		c.flush = alu.FlushF16
	}
	switch {
	case f.Has("sat"):
		c.result = alu.SatF16
	case f.Has("relu") && f.Type(0) == isa.F16:
		c.result = alu.ReluF16
	case f.Has("relu"):
		c.result = alu.ReluBF16
	}
	return c
}

func finish32(f *isa.Form) finish[uint32] {
	c := finish[uint32]{keep[uint32], keep[uint32]}
	if f.Has("ftz") {
		c.flush = alu.FlushF16x2
	}
	switch {
	case f.Has("sat"):
		c.result = alu.SatF16x2
	case f.Has("relu") && f.Type(0) == isa.F16x2:
		c.result = alu.ReluF16x2
	case f.Has("relu"):
		c.result = alu.ReluBF16x2
	}
	return c
}

func (c finish[T]) lift1(f func(a T) T) isa.Handler {
	return lift1(func(a T) T { return c.result(c.flush(f(c.flush(a)))) })
}

func (c finish[T]) lift2(f func(a, b T) T) isa.Handler {
	return lift2(func(a, b T) T { return c.result(c.flush(f(c.flush(a), c.flush(b)))) })
}

func (c finish[T]) lift3(f func(a, b, x T) T) isa.Handler {
	return lift3(func(a, b, x T) T { return c.result(c.flush(f(c.flush(a), c.flush(b), c.flush(x)))) })
}

func (t halves1) bind(f *isa.Form) isa.Handler {
	switch f.Type(0) {
	case isa.F16:
		return finish16(f).lift1(t.f16)
	case isa.BF16:
		return finish16(f).lift1(t.bf16)
	case isa.F16x2:
		return finish32(f).lift1(t.f16x2)
	}
	return finish32(f).lift1(t.bf16x2)
}

func (t halves2) bind(f *isa.Form) isa.Handler {
	switch f.Type(0) {
	case isa.F16:
		return finish16(f).lift2(t.f16)
	case isa.BF16:
		return finish16(f).lift2(t.bf16)
	case isa.F16x2:
		return finish32(f).lift2(t.f16x2)
	}
	return finish32(f).lift2(t.bf16x2)
}

func (t halves3) bind(f *isa.Form) isa.Handler {
	switch f.Type(0) {
	case isa.F16:
		return finish16(f).lift3(t.f16)
	case isa.BF16:
		return finish16(f).lift3(t.bf16)
	case isa.F16x2:
		return finish32(f).lift3(t.f16x2)
	}
	return finish32(f).lift3(t.bf16x2)
}

func bindAddHalf(f *isa.Form) isa.Handler {
	return halves2{alu.AddF16, alu.AddBF16, alu.AddF16x2, alu.AddBF16x2}.bind(f)
}

func bindSubHalf(f *isa.Form) isa.Handler {
	return halves2{alu.SubF16, alu.SubBF16, alu.SubF16x2, alu.SubBF16x2}.bind(f)
}

func bindMulHalf(f *isa.Form) isa.Handler {
	return halves2{ftzOf(f, alu.MulF16, alu.MulFtzF16), alu.MulBF16, ftzOf(f, alu.MulF16x2, alu.MulFtzF16x2), alu.MulBF16x2}.bind(f)
}

func bindFmaHalf(f *isa.Form) isa.Handler {
	if f.Has("oob") {
		return halves3{alu.FmaOobF16, alu.FmaOobBF16, alu.FmaOobF16x2, alu.FmaOobBF16x2}.bind(f)
	}
	return halves3{ftzOf(f, alu.FmaF16, alu.FmaFtzF16), alu.FmaBF16, ftzOf(f, alu.FmaF16x2, alu.FmaFtzF16x2), alu.FmaBF16x2}.bind(f)
}

func bindNegHalf(f *isa.Form) isa.Handler {
	return halves1{alu.NegF16, alu.NegBF16, alu.NegF16x2, alu.NegBF16x2}.bind(f)
}

func bindAbsHalf(f *isa.Form) isa.Handler {
	return halves1{alu.AbsF16, alu.AbsBF16, alu.AbsF16x2, alu.AbsBF16x2}.bind(f)
}

func bindTanhHalf(f *isa.Form) isa.Handler {
	return halves1{alu.TanhApproxF16, alu.TanhApproxBF16, alu.TanhApproxF16x2, alu.TanhApproxBF16x2}.bind(f)
}

func bindEx2Half(f *isa.Form) isa.Handler {
	// The .ftz of bf16 is in the function.
	switch f.Type(0) {
	case isa.F16:
		return lift1(alu.Ex2ApproxF16)
	case isa.BF16:
		return lift1(alu.Ex2ApproxFtzBF16)
	case isa.F16x2:
		return lift1(alu.Ex2ApproxF16x2)
	}
	return lift1(alu.Ex2ApproxFtzBF16x2)
}

func bindMinHalf(f *isa.Form) isa.Handler {
	if f.Has("NaN") {
		return halves2{alu.MinNaNF16, alu.MinNaNBF16, alu.MinNaNF16x2, alu.MinNaNBF16x2}.xorsign(f)
	}
	return halves2{alu.MinF16, alu.MinBF16, alu.MinF16x2, alu.MinBF16x2}.xorsign(f)
}

func bindMaxHalf(f *isa.Form) isa.Handler {
	if f.Has("NaN") {
		return halves2{alu.MaxNaNF16, alu.MaxNaNBF16, alu.MaxNaNF16x2, alu.MaxNaNBF16x2}.xorsign(f)
	}
	return halves2{alu.MaxF16, alu.MaxBF16, alu.MaxF16x2, alu.MaxBF16x2}.xorsign(f)
}

// xorsign binds t with the form's .xorsign.abs.
func (t halves2) xorsign(f *isa.Form) isa.Handler {
	if !f.Has("xorsign") {
		return t.bind(f)
	}
	return halves2{
		f16:    signed(t.f16, alu.AbsF16, alu.Xorsign16),
		bf16:   signed(t.bf16, alu.AbsBF16, alu.Xorsign16),
		f16x2:  signed(t.f16x2, alu.AbsF16x2, alu.Xorsign16x2),
		bf16x2: signed(t.bf16x2, alu.AbsBF16x2, alu.Xorsign16x2),
	}.bind(f)
}

// signed is f of the absolute values with the sign of the product.
func signed[T value](f func(a, b T) T, abs func(T) T, sign func(m, a, b T) T) func(a, b T) T {
	return func(a, b T) T { return sign(f(abs(a), abs(b)), a, b) }
}

// widened is the exact conversion to f32 from the second type of a form.
func widened(f *isa.Form) func(a uint16) uint32 {
	if f.Type(1) == isa.BF16 {
		return alu.CvtF32BF16
	}
	return alu.CvtF32F16
}

// clampedF32 is the .sat of an f32 result.
func clampedF32(f *isa.Form) func(d uint32) uint32 {
	if f.Has("sat") {
		return alu.SatF32
	}
	return keep[uint32]
}

func bindAddMixed(f *isa.Form) isa.Handler {
	wide, add, sat := widened(f), round2(f, alu.AddF32), clampedF32(f)
	return lift2(func(a uint16, b uint32) uint32 { return sat(add(wide(a), b)) })
}

func bindSubMixed(f *isa.Form) isa.Handler {
	wide, sub, sat := widened(f), round2(f, alu.SubF32), clampedF32(f)
	return lift2(func(a uint16, b uint32) uint32 { return sat(sub(wide(a), b)) })
}

func bindFmaMixed(f *isa.Form) isa.Handler {
	wide, fma, sat := widened(f), round3(f, alu.FmaF32), clampedF32(f)
	return lift3(func(a, b uint16, c uint32) uint32 { return sat(fma(wide(a), wide(b), c)) })
}

// compareHalf is the comparison of f16 or bf16 that a form states.
func compareHalf(f *isa.Form, t isa.Type) func(op alu.Cmp, a, b uint16) bool {
	switch {
	case t == isa.BF16 || t == isa.BF16x2:
		return alu.CmpBF16
	case f.Has("ftz"):
		return func(op alu.Cmp, a, b uint16) bool {
			return alu.CmpF16(op, alu.FlushF16(a), alu.FlushF16(b))
		}
	}
	return alu.CmpF16
}

// comparedPair is the condition that a form states about the lower or the
// upper halves of operands A and B.
func comparedPair(f *isa.Form, t isa.Type, upper bool) condition {
	holds, shift := compareHalf(f, t), 0
	if upper {
		shift = 16
	}
	return where2(comparison(f), func(op alu.Cmp, a, b uint32) bool {
		return holds(op, uint16(a>>shift), uint16(b>>shift))
	})
}

func bindSetpHalf(f *isa.Form) isa.Handler {
	t := f.Type(0)
	if t.Bits() == 16 {
		return setPredicate(combined(f, compared(f, t)))
	}
	// P is about the lower halves, Q about the upper.
	lo, hi := combined(f, comparedPair(f, t, false)), combined(f, comparedPair(f, t, true))
	return func(w *isa.Warp, in *isa.Inst) {
		p, q := lo(w, in), hi(w, in)
		w.SetPred(in.P, p)
		w.SetPred(in.Q, q)
	}
}

// comparable reports whether the form's comparison and .ftz exist for a type.
func comparable(f *isa.Form, t isa.Type) bool {
	set := map[isa.Kind]string{isa.Bits: "bcmp", isa.Signed: "scmp", isa.Unsigned: "ucmp", isa.Float: "fcmp"}[t.Kind()]
	return f.Any(vocabulary[set]...) != "" && (!f.Has("ftz") || t.IsFloat() && t != isa.F64)
}

func bindSetHalf(f *isa.Form) isa.Handler {
	t, yes := f.Type(1), setYes(f.Type(0))
	if !comparable(f, t) {
		return nil
	}
	if t != isa.F16x2 && t != isa.BF16x2 {
		return setRegister(combined(f, compared(f, t)), yes)
	}
	lo, hi := combined(f, comparedPair(f, t, false)), combined(f, comparedPair(f, t, true))
	return func(w *isa.Warp, in *isa.Inst) {
		p, q, d := lo(w, in), hi(w, in), &w.Regs[in.D]
		for l := range w.Mask.All {
			d[l] = yes & (uint32(p>>l&1)*0xffff | uint32(q>>l&1)*0xffff0000)
		}
	}
}
