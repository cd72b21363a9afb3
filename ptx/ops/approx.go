package ops

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// approx is the part of PTX ISA 9.7.3 that the multifunction unit computes.
// Sine and cosine flush subnormals with and without .ftz.
var approx = []isa.Op{
	{Name: "div", Mods: "approx|full {ftz}", Types: "f32", Args: "d, a, b", Unit: isa.XU, Class: isa.Variable, Since: 14, Doc: "9.7.3.8", Bind: bindDivApprox},
	{Name: "rcp", Mods: "approx {ftz}", Types: "f32", Args: "d, a", Unit: isa.XU, Class: isa.Variable, Since: 14, Doc: "9.7.3.13", Bind: bindApprox(alu.RcpApproxF32, alu.RcpApproxFtzF32)},
	{Name: "rcp", Mods: "approx ftz", Types: "f64", Args: "d, a", Unit: isa.XU, Class: isa.Variable, Since: 21, SM: 20, Doc: "9.7.3.14", Bind: bindRcpApproxF64},
	{Name: "sqrt", Mods: "approx {ftz}", Types: "f32", Args: "d, a", Unit: isa.XU, Class: isa.Variable, Since: 14, Doc: "9.7.3.15", Bind: bindApprox(alu.SqrtApproxF32, alu.SqrtApproxFtzF32)},
	{Name: "rsqrt", Mods: "approx {ftz}", Types: "f32", Args: "d, a", Unit: isa.XU, Class: isa.Variable, Since: 14, Doc: "9.7.3.16", Bind: bindApprox(alu.RsqrtApproxF32, alu.RsqrtApproxFtzF32)},
	{Name: "rsqrt", Mods: "approx", Types: "f64", Args: "d, a", Unit: isa.XU, Class: isa.Variable, Since: 14, SM: 13, Doc: "9.7.3.16", Bind: bindRsqrtApproxF64},
	{Name: "rsqrt", Mods: "approx ftz", Types: "f64", Args: "d, a", Unit: isa.XU, Class: isa.Variable, Since: 40, SM: 20, Doc: "9.7.3.17", Bind: bindRsqrtApproxF64},
	{Name: "sin", Mods: "approx {ftz}", Types: "f32", Args: "d, a", Unit: isa.XU, Class: isa.Variable, Since: 14, Doc: "9.7.3.18", Bind: bindApprox(alu.SinApproxF32, alu.SinApproxF32)},
	{Name: "cos", Mods: "approx {ftz}", Types: "f32", Args: "d, a", Unit: isa.XU, Class: isa.Variable, Since: 14, Doc: "9.7.3.19", Bind: bindApprox(alu.CosApproxF32, alu.CosApproxF32)},
	{Name: "sin", Mods: "approx ftz 2pi", Types: "f32", Args: "d, a", Unit: isa.XU, Class: isa.Variable, Since: 95, Doc: "9.7.3.18", Bind: bindApprox(nil, alu.MufuSin)},
	{Name: "cos", Mods: "approx ftz 2pi", Types: "f32", Args: "d, a", Unit: isa.XU, Class: isa.Variable, Since: 95, Doc: "9.7.3.19", Bind: bindApprox(nil, alu.MufuCos)},
	{Name: "lg2", Mods: "approx {ftz}", Types: "f32", Args: "d, a", Unit: isa.XU, Class: isa.Variable, Since: 14, Doc: "9.7.3.20", Bind: bindApprox(alu.Lg2ApproxF32, alu.Lg2ApproxFtzF32)},
	{Name: "ex2", Mods: "approx {ftz}", Types: "f32", Args: "d, a", Unit: isa.XU, Class: isa.Variable, Since: 14, Doc: "9.7.3.21", Bind: bindApprox(alu.Ex2ApproxF32, alu.Ex2ApproxFtzF32)},
	{Name: "tanh", Mods: "approx", Types: "f32", Args: "d, a", Unit: isa.XU, Class: isa.Variable, Since: 70, SM: 75, Doc: "9.7.3.22", Bind: bindApprox(alu.TanhApproxF32, nil)},
}

// bindApprox chooses between a function and its .ftz variant, which is not a
// composition: the hardware's operation flushes, the other forms work round it.
func bindApprox(f, ftz func(a uint32) uint32) func(*isa.Form) isa.Handler {
	return func(form *isa.Form) isa.Handler {
		if form.Has("ftz") {
			return lift1(ftz)
		}
		return lift1(f)
	}
}

func bindDivApprox(f *isa.Form) isa.Handler {
	switch ftz := f.Has("ftz"); {
	case f.Has("full") && ftz:
		return lift2(alu.DivFullFtzF32)
	case f.Has("full"):
		return lift2(alu.DivFullF32)
	case ftz:
		return lift2(alu.DivApproxFtzF32)
	}
	return lift2(alu.DivApproxF32)
}

func bindRcpApproxF64(*isa.Form) isa.Handler { return lift1(alu.RcpApproxFtzF64) }

func bindRsqrtApproxF64(f *isa.Form) isa.Handler {
	if f.Has("ftz") {
		return lift1(alu.RsqrtApproxFtzF64)
	}
	return lift1(alu.RsqrtApproxF64)
}
