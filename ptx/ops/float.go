package ops

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// float is PTX ISA 9.7.3, floating-point arithmetic of f32 and f64.
//
// A sum or product without a rounding is rounded to nearest; it is never
// contracted with its neighbour, which the language leaves open.
var float = []isa.Op{
	{Name: "testp", Mods: "test", Types: "f32 f64", Args: "p, a", Since: 20, SM: 20, Doc: "9.7.3.1", Bind: bindTestp},
	{Name: "copysign", Types: "f32 f64", Args: "d, a, b", Since: 20, SM: 20, Doc: "9.7.3.2", Bind: bindCopysign},
	{Name: "add", Mods: "{rnd} {ftz} {sat}", Types: "f32", Args: "d, a, b", Unit: isa.FMA, Since: 10, Doc: "9.7.3.3", Bind: bindAddF32},
	{Name: "add", Mods: "{rnd}", Types: "f64", Args: "d, a, b", Unit: isa.FP64, Since: 10, SM: 13, Doc: "9.7.3.3", Bind: bindAddF64},
	{Name: "add", Mods: "{rnd} {ftz}", Types: "f32x2", Args: "d, a, b", Unit: isa.FMA, Since: 86, SM: 100, Doc: "9.7.3.3", Bind: bindAddF32x2},
	{Name: "sub", Mods: "{rnd} {ftz} {sat}", Types: "f32", Args: "d, a, b", Unit: isa.FMA, Since: 10, Doc: "9.7.3.4", Bind: bindSubF32},
	{Name: "sub", Mods: "{rnd}", Types: "f64", Args: "d, a, b", Unit: isa.FP64, Since: 10, SM: 13, Doc: "9.7.3.4", Bind: bindSubF64},
	{Name: "sub", Mods: "{rnd} {ftz}", Types: "f32x2", Args: "d, a, b", Unit: isa.FMA, Since: 86, SM: 100, Doc: "9.7.3.4", Bind: bindSubF32x2},
	{Name: "mul", Mods: "{rnd} {ftz} {sat}", Types: "f32", Args: "d, a, b", Unit: isa.FMA, Since: 10, Doc: "9.7.3.5", Bind: bindMulF32},
	{Name: "mul", Mods: "{rnd}", Types: "f64", Args: "d, a, b", Unit: isa.FP64, Since: 10, SM: 13, Doc: "9.7.3.5", Bind: bindMulF64},
	{Name: "mul", Mods: "{rnd} {ftz}", Types: "f32x2", Args: "d, a, b", Unit: isa.FMA, Since: 86, SM: 100, Doc: "9.7.3.5", Bind: bindMulF32x2},
	{Name: "fma", Mods: "rnd {ftz} {sat}", Types: "f32", Args: "d, a, b, c", Unit: isa.FMA, Since: 20, SM: 20, Doc: "9.7.3.6", Bind: bindFmaF32},
	{Name: "fma", Mods: "rnd", Types: "f64", Args: "d, a, b, c", Unit: isa.FP64, Since: 14, SM: 13, Doc: "9.7.3.6", Bind: bindFmaF64},
	{Name: "fma", Mods: "rnd {ftz}", Types: "f32x2", Args: "d, a, b, c", Unit: isa.FMA, Since: 86, SM: 100, Doc: "9.7.3.6", Bind: bindFmaF32x2},
	{Name: "mad", Mods: "rnd {ftz} {sat}", Types: "f32", Args: "d, a, b, c", Unit: isa.FMA, Since: 20, SM: 20, Doc: "9.7.3.7", Bind: bindFmaF32},
	{Name: "mad", Mods: "rnd", Types: "f64", Args: "d, a, b, c", Unit: isa.FP64, Since: 14, SM: 13, Doc: "9.7.3.7", Bind: bindFmaF64},
	{Name: "div", Mods: "rnd {ftz}", Types: "f32", Args: "d, a, b", Unit: isa.XU, Class: isa.Variable, Since: 14, SM: 20, Doc: "9.7.3.8", Bind: bindDivF32},
	{Name: "div", Mods: "rnd", Types: "f64", Args: "d, a, b", Unit: isa.FP64, Class: isa.Variable, Since: 14, SM: 13, Doc: "9.7.3.8", Bind: bindDivF64},
	{Name: "abs", Mods: "{ftz}", Types: "f32", Args: "d, a", Unit: isa.FMA, Since: 10, Doc: "9.7.3.9", Bind: bindAbsF},
	{Name: "abs", Types: "f64", Args: "d, a", Unit: isa.FP64, Since: 10, SM: 13, Doc: "9.7.3.9", Bind: bindAbsF},
	{Name: "neg", Mods: "{ftz}", Types: "f32", Args: "d, a", Unit: isa.FMA, Since: 10, Doc: "9.7.3.10", Bind: bindNegF},
	{Name: "neg", Types: "f64", Args: "d, a", Unit: isa.FP64, Since: 10, SM: 13, Doc: "9.7.3.10", Bind: bindNegF},
	{Name: "min", Mods: "{ftz} {NaN}", Types: "f32", Args: "d, a, b", Since: 10, Doc: "9.7.3.11", Bind: bindMinF},
	{Name: "min", Mods: "{ftz} {NaN} xorsign abs", Types: "f32", Args: "d, a, b", Since: 72, SM: 86, Doc: "9.7.3.11", Bind: bindMinF},
	{Name: "min", Mods: "{ftz} {NaN} {abs}", Types: "f32", Args: "d, a, b, c", Since: 88, SM: 100, Doc: "9.7.3.11", Bind: bindMinF3},
	{Name: "min", Types: "f64", Args: "d, a, b", Unit: isa.FP64, Since: 10, SM: 13, Doc: "9.7.3.11", Bind: bindMinF},
	{Name: "max", Mods: "{ftz} {NaN}", Types: "f32", Args: "d, a, b", Since: 10, Doc: "9.7.3.12", Bind: bindMaxF},
	{Name: "max", Mods: "{ftz} {NaN} xorsign abs", Types: "f32", Args: "d, a, b", Since: 72, SM: 86, Doc: "9.7.3.12", Bind: bindMaxF},
	{Name: "max", Mods: "{ftz} {NaN} {abs}", Types: "f32", Args: "d, a, b, c", Since: 88, SM: 100, Doc: "9.7.3.12", Bind: bindMaxF3},
	{Name: "max", Types: "f64", Args: "d, a, b", Unit: isa.FP64, Since: 10, SM: 13, Doc: "9.7.3.12", Bind: bindMaxF},
	{Name: "rcp", Mods: "rnd {ftz}", Types: "f32", Args: "d, a", Unit: isa.XU, Class: isa.Variable, Since: 14, SM: 20, Doc: "9.7.3.13", Bind: bindRcpF32},
	{Name: "rcp", Mods: "rnd", Types: "f64", Args: "d, a", Unit: isa.FP64, Class: isa.Variable, Since: 14, SM: 13, Doc: "9.7.3.13", Bind: bindRcpF64},
	{Name: "sqrt", Mods: "rnd {ftz}", Types: "f32", Args: "d, a", Unit: isa.XU, Class: isa.Variable, Since: 14, SM: 20, Doc: "9.7.3.15", Bind: bindSqrtF32},
	{Name: "sqrt", Mods: "rnd", Types: "f64", Args: "d, a", Unit: isa.FP64, Class: isa.Variable, Since: 14, SM: 13, Doc: "9.7.3.15", Bind: bindSqrtF64},
}

// rounding is the rounding that the form names, to nearest if none.
func rounding(f *isa.Form) alu.Round {
	switch f.Any("rz", "rm", "rp", "rzi", "rmi", "rpi", "rna") {
	case "rz", "rzi":
		return alu.RZ
	case "rm", "rmi":
		return alu.RM
	case "rp", "rpi":
		return alu.RP
	case "rna":
		return alu.RNA
	}
	return alu.RN
}

// plain reports a form that rounds to nearest and neither flushes nor clamps.
func plain(f *isa.Form) bool {
	return rounding(f) == alu.RN && f.Any("ftz", "sat") == ""
}

// plainFtz reports a form that rounds to nearest and only flushes.
func plainFtz(f *isa.Form) bool {
	return rounding(f) == alu.RN && f.Has("ftz") && !f.Has("sat")
}

// ftzOf chooses the function of a form: with .ftz one of its own, which knows
// results that round up to the smallest normal number.
func ftzOf[F any](form *isa.Form, f, ftz F) F {
	if form.Has("ftz") {
		return ftz
	}
	return f
}

// lift1F32, lift2F32 and lift3F32 lift scalar functions of f32, adding the
// form's .ftz and .sat.
func lift1F32(form *isa.Form, f func(a uint32) uint32) isa.Handler {
	g := f
	if form.Has("ftz") {
		g = func(a uint32) uint32 { return alu.FlushF32(f(alu.FlushF32(a))) }
	}
	if form.Has("sat") {
		return lift1(func(a uint32) uint32 { return alu.SatF32(g(a)) })
	}
	return lift1(g)
}

func lift2F32(form *isa.Form, f func(a, b uint32) uint32) isa.Handler {
	g := f
	if form.Has("ftz") {
		g = flushing2(f)
	}
	if form.Has("sat") {
		return lift2(func(a, b uint32) uint32 { return alu.SatF32(g(a, b)) })
	}
	return lift2(g)
}

func lift3F32(form *isa.Form, f func(a, b, c uint32) uint32) isa.Handler {
	g := f
	if form.Has("ftz") {
		g = flushing3(f)
	}
	if form.Has("sat") {
		return lift3(func(a, b, c uint32) uint32 { return alu.SatF32(g(a, b, c)) })
	}
	return lift3(g)
}

func flushing2(f func(a, b uint32) uint32) func(a, b uint32) uint32 {
	return func(a, b uint32) uint32 { return alu.FlushF32(f(alu.FlushF32(a), alu.FlushF32(b))) }
}

func flushing3(f func(a, b, c uint32) uint32) func(a, b, c uint32) uint32 {
	return func(a, b, c uint32) uint32 {
		return alu.FlushF32(f(alu.FlushF32(a), alu.FlushF32(b), alu.FlushF32(c)))
	}
}

// round1, round2 and round3 fix the rounding of a scalar function.
func round1[T value](form *isa.Form, f func(r alu.Round, a T) T) func(a T) T {
	r := rounding(form)
	return func(a T) T { return f(r, a) }
}

func round2[T value](form *isa.Form, f func(r alu.Round, a, b T) T) func(a, b T) T {
	r := rounding(form)
	return func(a, b T) T { return f(r, a, b) }
}

func round3[T value](form *isa.Form, f func(r alu.Round, a, b, c T) T) func(a, b, c T) T {
	r := rounding(form)
	return func(a, b, c T) T { return f(r, a, b, c) }
}

func bindAddF32(f *isa.Form) isa.Handler {
	switch {
	case plain(f):
		return addF32
	case plainFtz(f):
		return addFtzF32
	}
	return lift2F32(f, round2(f, alu.AddF32))
}

func bindSubF32(f *isa.Form) isa.Handler {
	switch {
	case plain(f):
		return subF32
	case plainFtz(f):
		return subFtzF32
	}
	return lift2F32(f, round2(f, alu.SubF32))
}

func bindMulF32(f *isa.Form) isa.Handler {
	switch {
	case plain(f):
		return mulF32
	case plainFtz(f):
		return mulFtzF32
	}
	return lift2F32(f, round2(f, ftzOf(f, alu.MulF32, alu.MulFtzF32)))
}

func bindFmaF32(f *isa.Form) isa.Handler {
	switch {
	case plain(f):
		return fmaF32
	case plainFtz(f):
		return fmaFtzF32
	}
	return lift3F32(f, round3(f, ftzOf(f, alu.FmaF32, alu.FmaFtzF32)))
}

func bindAddF64(f *isa.Form) isa.Handler {
	if plain(f) {
		return addF64
	}
	return lift2(round2(f, alu.AddF64))
}

func bindSubF64(f *isa.Form) isa.Handler {
	if plain(f) {
		return subF64
	}
	return lift2(round2(f, alu.SubF64))
}

func bindMulF64(f *isa.Form) isa.Handler {
	if plain(f) {
		return mulF64
	}
	return lift2(round2(f, alu.MulF64))
}

func bindFmaF64(f *isa.Form) isa.Handler {
	if plain(f) {
		return fmaF64
	}
	return lift3(round3(f, alu.FmaF64))
}

// pairF32 lifts a function of f32 to the two halves of f32x2.
func pairF32(form *isa.Form, f func(a, b, c uint32) uint32) func(a, b, c uint64) uint64 {
	if form.Has("ftz") {
		f = flushing3(f)
	}
	return func(a, b, c uint64) uint64 {
		return alu.Join32(
			f(alu.Lo32(a), alu.Lo32(b), alu.Lo32(c)),
			f(alu.Hi32(a), alu.Hi32(b), alu.Hi32(c)))
	}
}

// pairF32Binary is pairF32 for two operands.
func pairF32Binary(form *isa.Form, f func(a, b uint32) uint32) isa.Handler {
	g := pairF32(form, func(a, b, _ uint32) uint32 { return f(a, b) })
	return lift2(func(a, b uint64) uint64 { return g(a, b, 0) })
}

func bindAddF32x2(f *isa.Form) isa.Handler { return pairF32Binary(f, round2(f, alu.AddF32)) }
func bindSubF32x2(f *isa.Form) isa.Handler { return pairF32Binary(f, round2(f, alu.SubF32)) }
func bindMulF32x2(f *isa.Form) isa.Handler {
	return pairF32Binary(f, round2(f, ftzOf(f, alu.MulF32, alu.MulFtzF32)))
}

func bindFmaF32x2(f *isa.Form) isa.Handler {
	return lift3(pairF32(f, round3(f, ftzOf(f, alu.FmaF32, alu.FmaFtzF32))))
}

func bindDivF32(f *isa.Form) isa.Handler {
	return lift2F32(f, round2(f, ftzOf(f, alu.DivF32, alu.DivFtzF32)))
}
func bindDivF64(f *isa.Form) isa.Handler { return lift2(round2(f, alu.DivF64)) }
func bindRcpF32(f *isa.Form) isa.Handler {
	return lift1F32(f, round1(f, ftzOf(f, alu.RcpF32, alu.RcpFtzF32)))
}
func bindRcpF64(f *isa.Form) isa.Handler  { return lift1(round1(f, alu.RcpF64)) }
func bindSqrtF32(f *isa.Form) isa.Handler { return lift1F32(f, round1(f, alu.SqrtF32)) }
func bindSqrtF64(f *isa.Form) isa.Handler { return lift1(round1(f, alu.SqrtF64)) }

func bindAbsF(f *isa.Form) isa.Handler {
	if f.Type(0) == isa.F64 {
		return lift1(alu.AbsF64)
	}
	return lift1F32(f, alu.AbsF32)
}

func bindNegF(f *isa.Form) isa.Handler {
	if f.Type(0) == isa.F64 {
		return lift1(alu.NegF64)
	}
	return lift1F32(f, alu.NegF32)
}

func bindCopysign(f *isa.Form) isa.Handler {
	if f.Type(0) == isa.F64 {
		return lift2(alu.CopysignF64)
	}
	return lift2(alu.CopysignF32)
}

// extremeF32 adds .NaN and .xorsign.abs to a minimum or maximum.
func extremeF32(form *isa.Form, f, strict func(a, b uint32) uint32) func(a, b uint32) uint32 {
	if form.Has("NaN") {
		f = strict
	}
	if !form.Has("xorsign") {
		return f
	}
	return func(a, b uint32) uint32 { return alu.XorsignF32(f(alu.AbsF32(a), alu.AbsF32(b)), a, b) }
}

func bindMinF(f *isa.Form) isa.Handler {
	if f.Type(0) == isa.F64 {
		return lift2(alu.MinF64)
	}
	return lift2F32(f, extremeF32(f, alu.MinF32, alu.MinNaNF32))
}

func bindMaxF(f *isa.Form) isa.Handler {
	if f.Type(0) == isa.F64 {
		return lift2(alu.MaxF64)
	}
	return lift2F32(f, extremeF32(f, alu.MaxF32, alu.MaxNaNF32))
}

// bindExtreme3 is the minimum or maximum of three; .abs takes absolute values
// first.
func bindExtreme3(form *isa.Form, f func(a, b uint32) uint32) isa.Handler {
	if form.Has("abs") {
		g := f
		f = func(a, b uint32) uint32 { return g(alu.AbsF32(a), alu.AbsF32(b)) }
	}
	return lift3F32(form, func(a, b, c uint32) uint32 { return f(f(a, b), c) })
}

func bindMinF3(f *isa.Form) isa.Handler {
	return bindExtreme3(f, extremeF32(f, alu.MinF32, alu.MinNaNF32))
}

func bindMaxF3(f *isa.Form) isa.Handler {
	return bindExtreme3(f, extremeF32(f, alu.MaxF32, alu.MaxNaNF32))
}

func bindTestp(f *isa.Form) isa.Handler {
	var test alu.Test
	for i, name := range vocabulary["test"] {
		if f.Has(name) {
			test = alu.Test(i)
		}
	}
	if f.Type(0) == isa.F64 {
		return setPredicate(where1(func(a uint64) bool { return alu.TestpF64(test, a) }))
	}
	return setPredicate(where1(func(a uint32) bool { return alu.TestpF32(test, a) }))
}
