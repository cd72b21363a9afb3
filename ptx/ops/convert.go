package ops

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

const cvtInts = "u8 u16 u32 u64 s8 s16 s32 s64"

// convert is PTX ISA 9.7.9.21 and 22, conversion. The source is chopped to its
// type, the result extended to the destination register.
//
// A conversion to an integer clamps with and without .sat. On conversions that
// no subnormal f32 can enter or leave .ftz has no effect, nor has it on
// conversions from f32 to f16, where the hardware does not flush; nor has a
// rounding on the exact conversions from bf16. Operands of a conversion to or
// from bf16 or tf32 have the width of their types.
var convert = []isa.Op{
	{Name: "cvt", Mods: "{sat}", Types: cvtInts + " / " + cvtInts, Args: "d, a:1", Wider: true, Since: 10, Doc: "9.7.9.21", Bind: bindCvtInt},
	{Name: "cvt", Mods: "irnd {ftz} {sat}", Types: cvtInts + " / f32", Args: "d, a:1", Wider: true, Unit: isa.XU, Class: isa.Variable, Since: 10, Doc: "9.7.9.21", Bind: bindCvtIntFloat},
	{Name: "cvt", Mods: "irnd {sat}", Types: cvtInts + " / f64", Args: "d, a:1", Wider: true, Unit: isa.XU, Class: isa.Variable, Since: 10, SM: 13, Doc: "9.7.9.21", Bind: bindCvtIntFloat},
	{Name: "cvt", Mods: "irnd {sat}", Types: cvtInts + " / f16", Args: "d, a:1", Wider: true, Unit: isa.XU, Class: isa.Variable, Since: 10, Doc: "9.7.9.21", Bind: bindCvtIntFloat},
	{Name: "cvt", Mods: "irnd", Types: cvtInts + " / bf16", Args: "d, a:1", Unit: isa.XU, Class: isa.Variable, Since: 78, SM: 90, Doc: "9.7.9.21", Bind: bindCvtIntFloat},
	{Name: "cvt", Mods: "rnd {ftz} {sat}", Types: "f32 / u32 s32", Args: "d, a:1", Wider: true, Since: 10, Doc: "9.7.9.21", Bind: bindCvtFloatInt},
	{Name: "cvt", Mods: "rnd {ftz} {sat}", Types: "f32 / u8 u16 u64 s8 s16 s64", Args: "d, a:1", Wider: true, Unit: isa.XU, Class: isa.Variable, Since: 10, Doc: "9.7.9.21", Bind: bindCvtFloatInt},
	{Name: "cvt", Mods: "rnd {sat}", Types: "f64 / " + cvtInts, Args: "d, a:1", Wider: true, Unit: isa.XU, Class: isa.Variable, Since: 10, SM: 13, Doc: "9.7.9.21", Bind: bindCvtFloatInt},
	{Name: "cvt", Mods: "rnd {sat}", Types: "f16 / " + cvtInts, Args: "d, a:1", Wider: true, Unit: isa.XU, Class: isa.Variable, Since: 10, Doc: "9.7.9.21", Bind: bindCvtFloatInt},
	{Name: "cvt", Mods: "rnd", Types: "bf16 / " + cvtInts, Args: "d, a:1", Unit: isa.XU, Class: isa.Variable, Since: 78, SM: 90, Doc: "9.7.9.21", Bind: bindCvtFloatInt},

	{Name: "cvt", Mods: "{irnd} {ftz} {sat}", Types: "f32 / f32", Args: "d, a:1", Wider: true, Since: 10, Doc: "9.7.9.21", Bind: bindCvtRint},
	{Name: "cvt", Mods: "{irnd} {sat}", Types: "f64 / f64", Args: "d, a:1", Wider: true, Unit: isa.FP64, Since: 10, SM: 13, Doc: "9.7.9.21", Bind: bindCvtRint},
	{Name: "cvt", Mods: "{irnd} {sat}", Types: "f16 / f16", Args: "d, a:1", Wider: true, Since: 10, Doc: "9.7.9.21", Bind: bindCvtRint},
	{Name: "cvt", Mods: "{irnd}", Types: "bf16 / bf16", Args: "d, a:1", Since: 78, SM: 90, Doc: "9.7.9.21", Bind: bindCvtRint},
	{Name: "cvt", Mods: "{ftz} {sat}", Types: "f64 / f32", Args: "d, a:1", Wider: true, Unit: isa.FP64, Since: 10, SM: 13, Doc: "9.7.9.21", Bind: bindCvtWiden},
	{Name: "cvt", Mods: "{ftz} {sat}", Types: "f32 / f16", Args: "d, a:1", Wider: true, Since: 10, Doc: "9.7.9.21", Bind: bindCvtWiden},
	{Name: "cvt", Mods: "{sat}", Types: "f64 / f16", Args: "d, a:1", Wider: true, Unit: isa.FP64, Since: 10, Doc: "9.7.9.21", Bind: bindCvtWiden},
	{Name: "cvt", Mods: "{rnd|ftz}", Types: "f32 / bf16", Args: "d, a:1", Since: 71, SM: 80, Doc: "9.7.9.21", Bind: bindCvtWiden},
	{Name: "cvt", Mods: "{rnd}", Types: "f64 / bf16", Args: "d, a:1", Unit: isa.FP64, Since: 78, SM: 90, Doc: "9.7.9.21", Bind: bindCvtWiden},
	{Name: "cvt", Mods: "rnd {ftz} {sat}", Types: "f32 / f64", Args: "d, a:1", Wider: true, Unit: isa.FP64, Since: 10, SM: 13, Doc: "9.7.9.21", Bind: bindCvtNarrow},
	{Name: "cvt", Mods: "rnd {ftz} {sat}", Types: "f16 / f32", Args: "d, a:1", Wider: true, Since: 10, Doc: "9.7.9.21", Bind: bindCvtNarrow},
	{Name: "cvt", Mods: "rn|rz {relu} {satfinite}", Types: "f16 / f32", Args: "d, a:1", Wider: true, Since: 10, Doc: "9.7.9.21", Bind: bindCvtNarrow},
	{Name: "cvt", Mods: "rn|rz {relu} {satfinite}", Types: "bf16 / f32", Args: "d, a:1", Since: 70, SM: 80, Doc: "9.7.9.21", Bind: bindCvtNarrow},
	{Name: "cvt", Mods: "rnd {sat}", Types: "f16 / f64", Args: "d, a:1", Wider: true, Unit: isa.FP64, Since: 10, Doc: "9.7.9.21", Bind: bindCvtNarrow},
	{Name: "cvt", Mods: "{rnd}", Types: "f16 / bf16", Args: "d, a:1", Since: 78, SM: 90, Doc: "9.7.9.21", Bind: bindCvtNarrow},
	{Name: "cvt", Mods: "rnd", Types: "bf16 / f32", Args: "d, a:1", Since: 70, SM: 80, Doc: "9.7.9.21", Bind: bindCvtNarrow},
	{Name: "cvt", Mods: "{rnd}", Types: "bf16 / f16", Args: "d, a:1", Since: 78, SM: 90, Doc: "9.7.9.21", Bind: bindCvtNarrow},
	{Name: "cvt", Mods: "rnd", Types: "bf16 / f64", Args: "d, a:1", Unit: isa.FP64, Since: 78, SM: 90, Doc: "9.7.9.21", Bind: bindCvtNarrow},

	{Name: "cvt", Mods: "rna {satfinite}", Types: "tf32 / f32", Args: "d:b32, a:1", Since: 70, SM: 80, Doc: "9.7.9.21", Bind: bindCvtTF32},
	{Name: "cvt", Mods: "rn|rz {relu}", Types: "tf32 / f32", Args: "d:b32, a:1", Since: 78, SM: 90, Doc: "9.7.9.21", Bind: bindCvtTF32},
	{Name: "cvt", Mods: "rn|rz satfinite {relu}", Types: "tf32 / f32", Args: "d:b32, a:1", Since: 86, SM: 100, Doc: "9.7.9.21", Bind: bindCvtTF32},
	{Name: "cvt", Mods: "rn|rz {relu} {satfinite}", Types: "f16x2 bf16x2 / f32", Args: "d, a:1, b:1", Since: 70, SM: 80, Doc: "9.7.9.21", Bind: bindCvtPair},
	{Name: "cvt", Mods: "rs {relu} {satfinite}", Types: "f16x2 bf16x2 / f32", Args: "d, a:1, b:1, c:b32", Since: 87, SM: 100, Only: "100a 103a", Doc: "9.7.9.21", Bind: bindCvtStochastic},

	{Name: "cvt", Mods: "pack sat", Types: "u16 s16 / s32", Args: "d:u32, a:1, b:1", Wider: true, Since: 65, SM: 72, Doc: "9.7.9.22", Bind: bindCvtPack},
	{Name: "cvt", Mods: "pack sat", Types: "u2 s2 u4 s4 u8 s8 / s32 / b32", Args: "d:u32, a:1, b:1, c:2", Wider: true, Since: 65, SM: 72, Doc: "9.7.9.22", Bind: bindCvtPack},
}

// conversion turns a source, zero-extended, into a result, extended to 64 bits
// as its type asks.
type conversion func(x uint64) uint64

// handler makes the handler of a conversion; nil when the destination register
// is narrower than the type.
func (c conversion) handler(f *isa.Form) isa.Handler {
	bits := f.DBits
	if bits == 0 {
		bits = f.Type(0).Bits()
	}
	if bits < f.Type(0).Bits() {
		return nil
	}
	switch f.Type(1).Bits() {
	case 8:
		return convertTo[uint8](bits, c)
	case 16:
		return convertTo[uint16](bits, c)
	case 32:
		return convertTo[uint32](bits, c)
	}
	return convertTo[uint64](bits, c)
}

func convertTo[A value](bits int, c conversion) isa.Handler {
	switch bits {
	case 8:
		return lift1(func(a A) uint8 { return uint8(c(uint64(a))) })
	case 16:
		return lift1(func(a A) uint16 { return uint16(c(uint64(a))) })
	case 32:
		return lift1(func(a A) uint32 { return uint32(c(uint64(a))) })
	}
	return lift1(func(a A) uint64 { return c(uint64(a)) })
}

// exact reports a destination register of the width of its type.
func exact(f *isa.Form) bool { return f.DBits == 0 || f.DBits == f.Type(0).Bits() }

// intOf is an integer type as package alu names it.
func intOf(t isa.Type) alu.Int {
	i := alu.Int(0)
	for alu.Int.Bits(i) < t.Bits() {
		i += 2
	}
	if t.IsSigned() {
		i++
	}
	return i
}

func bindCvtInt(f *isa.Form) isa.Handler {
	d, a := intOf(f.Type(0)), intOf(f.Type(1))
	if f.Has("sat") {
		// Refused where every source value fits.
		if d.Signed() == a.Signed() && d.Bits() >= a.Bits() || d.Signed() && d.Bits() > a.Bits() {
			return nil
		}
		return conversion(func(x uint64) uint64 { return alu.CvtSatInt(d, a, x) }).handler(f)
	}
	switch narrow := min(d.Bits(), a.Bits()); {
	case !exact(f):
	case d.Bits() == 64 && a == alu.S32:
		return cvtS64S32
	case d.Bits() == 64 && a == alu.U32:
		return cvtU64U32
	case d.Bits() == 32 && narrow == 32:
		return mov32
	case d.Bits() == 32 && a == alu.U8:
		return cvtU32U8
	case d.Bits() == 32 && a == alu.S8:
		return cvtS32S8
	case d.Bits() == 32 && a == alu.S16:
		return cvtS32S16
	case d.Bits() == 32 && a == alu.U16, d.Bits() == 16 && narrow == 16:
		return mov16
	}
	return conversion(func(x uint64) uint64 { return d.Extend(a.Extend(x)) }).handler(f)
}

func bindCvtIntFloat(f *isa.Form) isa.Handler {
	d, r := intOf(f.Type(0)), rounding(f)
	if f.Type(1) == isa.F32 && r == alu.RZ && exact(f) && !f.Has("ftz") {
		switch d {
		case alu.S32:
			return cvtS32F32
		case alu.U32:
			return cvtU32F32
		}
	}
	switch flush := f.Has("ftz"); f.Type(1) {
	case isa.F16:
		return conversion(func(x uint64) uint64 { return alu.CvtIntF16(d, r, uint16(x)) }).handler(f)
	case isa.BF16:
		return conversion(func(x uint64) uint64 { return alu.CvtIntBF16(d, r, uint16(x)) }).handler(f)
	case isa.F64:
		return conversion(func(x uint64) uint64 { return alu.CvtIntF64(d, r, x) }).handler(f)
	default:
		return conversion(func(x uint64) uint64 {
			if flush {
				x = uint64(alu.FlushF32(uint32(x)))
			}
			return alu.CvtIntF32(d, r, uint32(x))
		}).handler(f)
	}
}

func bindCvtFloatInt(f *isa.Form) isa.Handler {
	a, r := intOf(f.Type(1)), rounding(f)
	var c conversion
	switch f.Type(0) {
	case isa.F16:
		c = func(x uint64) uint64 { return uint64(alu.CvtF16Int(a, r, x)) }
	case isa.BF16:
		c = func(x uint64) uint64 { return uint64(alu.CvtBF16Int(a, r, x)) }
	case isa.F64:
		c = func(x uint64) uint64 { return alu.CvtF64Int(a, r, x) }
	default:
		if r == alu.RN && exact(f) && !f.Has("sat") {
			switch a {
			case alu.S32:
				return cvtF32S32
			case alu.U32:
				return cvtF32U32
			}
		}
		c = func(x uint64) uint64 { return uint64(alu.CvtF32Int(a, r, x)) }
	}
	return saturated(f, c).handler(f)
}

// saturated adds the .sat of a floating-point destination.
func saturated(f *isa.Form, c conversion) conversion {
	if !f.Has("sat") {
		return c
	}
	switch f.Type(0) {
	case isa.F16:
		return func(x uint64) uint64 { return uint64(alu.SatF16(uint16(c(x)))) }
	case isa.F64:
		return func(x uint64) uint64 { return alu.SatF64(c(x)) }
	}
	return func(x uint64) uint64 { return uint64(alu.SatF32(uint32(c(x)))) }
}

// flushed adds the .ftz of an f32 destination, or of an f32 source when input is
// set. Flushing makes a NaN canonical.
func flushed(f *isa.Form, input bool, c conversion) conversion {
	switch {
	case !f.Has("ftz"):
		return c
	case input:
		return func(x uint64) uint64 { return c(uint64(flushCanonical(uint32(x)))) }
	}
	return func(x uint64) uint64 { return uint64(flushCanonical(uint32(c(x)))) }
}

func flushCanonical(x uint32) uint32 {
	if alu.IsNaNF32(x) {
		return alu.NaNF32
	}
	return alu.FlushF32(x)
}

func bindCvtRint(f *isa.Form) isa.Handler {
	c := conversion(func(x uint64) uint64 { return x })
	switch f.Type(0) { // without a rounding they are sums with zero
	case isa.F16:
		c = func(x uint64) uint64 { return uint64(alu.NegF16(alu.NegF16(uint16(x)))) }
	case isa.BF16:
		c = func(x uint64) uint64 { return uint64(alu.NegBF16(alu.NegBF16(uint16(x)))) }
	}
	if r := rounding(f); f.Any(vocabulary["irnd"]...) != "" {
		switch f.Type(0) {
		case isa.F16:
			c = func(x uint64) uint64 { return uint64(alu.RintF16(r, uint16(x))) }
		case isa.BF16:
			c = func(x uint64) uint64 { return uint64(alu.RintBF16(r, uint16(x))) }
		case isa.F32:
			c = func(x uint64) uint64 { return uint64(alu.RintF32(r, uint32(x))) }
		default:
			c = func(x uint64) uint64 { return alu.RintF64(r, x) }
		}
	}
	return saturated(f, flushed(f, true, c)).handler(f)
}

func bindCvtWiden(f *isa.Form) isa.Handler {
	var c conversion
	switch double := f.Type(0) == isa.F64; f.Type(1) {
	case isa.F32:
		if exact(f) && len(f.Mods) == 0 {
			return cvtF64F32
		}
		c = flushed(f, true, func(x uint64) uint64 { return alu.CvtF64F32(uint32(x)) })
	case isa.F16:
		c = func(x uint64) uint64 { return uint64(alu.CvtF32F16(uint16(x))) }
		if double {
			c = func(x uint64) uint64 { return alu.CvtF64F16(uint16(x)) }
		}
	default:
		c = flushed(f, false, func(x uint64) uint64 { return uint64(alu.CvtF32BF16(uint16(x))) })
		if double {
			c = func(x uint64) uint64 { return alu.CvtF64BF16(uint16(x)) }
		}
	}
	return saturated(f, c).handler(f)
}

func bindCvtNarrow(f *isa.Form) isa.Handler {
	switch f.Type(0) {
	case isa.F16:
		return saturated(f, narrowF16(f)).handler(f)
	case isa.BF16:
		return narrowBF16(f).handler(f)
	}
	r := rounding(f)
	if plain(f) && exact(f) {
		return cvtF32F64
	}
	convert := ftzOf(f, alu.CvtF32F64, alu.CvtFtzF32F64)
	return saturated(f, func(x uint64) uint64 { return uint64(convert(r, x)) }).handler(f)
}

func narrowF16(f *isa.Form) conversion {
	r := rounding(f)
	switch f.Type(1) {
	case isa.F64:
		return func(x uint64) uint64 { return uint64(alu.CvtF16F64(r, x)) }
	case isa.BF16:
		return func(x uint64) uint64 { return uint64(alu.CvtF16BF16(r, uint16(x))) }
	}
	relu, finite := reluF32(f), f.Has("satfinite")
	return func(x uint64) uint64 {
		d := alu.CvtF16F32(r, relu(uint32(x)))
		if finite {
			d = alu.SatfiniteF16(d)
		}
		return uint64(d)
	}
}

func narrowBF16(f *isa.Form) conversion {
	r := rounding(f)
	switch f.Type(1) {
	case isa.F64:
		return func(x uint64) uint64 { return uint64(alu.CvtBF16F64(r, x)) }
	case isa.F16:
		return func(x uint64) uint64 { return uint64(alu.CvtBF16F16(r, uint16(x))) }
	}
	relu, finite := reluF32(f), f.Has("satfinite")
	return func(x uint64) uint64 {
		d := alu.CvtBF16F32(r, relu(uint32(x)))
		if finite {
			d = alu.SatfiniteBF16(d)
		}
		return uint64(d)
	}
}

// reluF32 is the .relu of a conversion from f32, which may be applied to its
// source; the identity if the form has none.
func reluF32(f *isa.Form) func(a uint32) uint32 {
	if f.Has("relu") {
		return alu.ReluF32
	}
	return func(a uint32) uint32 { return a }
}

func bindCvtTF32(f *isa.Form) isa.Handler {
	r, relu, finite := rounding(f), reluF32(f), f.Has("satfinite")
	return lift1(func(a uint32) uint32 {
		d := alu.CvtTF32F32(r, relu(a))
		if finite {
			d = alu.SatfiniteTF32(d)
		}
		return d
	})
}

// satfinitePair is the .satfinite of a packed half result.
func satfinitePair(f *isa.Form) func(d uint32) uint32 {
	switch {
	case !f.Has("satfinite"):
		return func(d uint32) uint32 { return d }
	case f.Type(0) == isa.F16x2:
		return alu.SatfiniteF16x2
	}
	return alu.SatfiniteBF16x2
}

func bindCvtPair(f *isa.Form) isa.Handler {
	r, relu, finite, pair := rounding(f), reluF32(f), satfinitePair(f), alu.CvtBF16x2F32
	if f.Type(0) == isa.F16x2 {
		pair = alu.CvtF16x2F32
	}
	return lift2(func(a, b uint32) uint32 { return finite(pair(r, relu(a), relu(b))) })
}

func bindCvtStochastic(f *isa.Form) isa.Handler {
	relu, finite, pair := reluF32(f), satfinitePair(f), alu.CvtBF16x2RsF32
	if f.Type(0) == isa.F16x2 {
		pair = alu.CvtF16x2RsF32
	}
	return lift3(func(a, b, random uint32) uint32 { return finite(pair(relu(a), relu(b), random)) })
}

func bindCvtPack(f *isa.Form) isa.Handler {
	width, signed := uint(f.Type(0).Bits()), f.Type(0).IsSigned()
	pair := func(a, b uint32) uint32 { return alu.CvtPack(width, signed, a, b, 0) }
	onto := func(a, b, c uint32) uint32 { return alu.CvtPack(width, signed, a, b, c) }
	switch double := f.DBits == 64; {
	case width == 16 && double:
		return lift2(func(a, b uint32) uint64 { return uint64(pair(a, b)) })
	case width == 16:
		return lift2(pair)
	case double:
		return lift3(func(a, b, c uint32) uint64 { return uint64(onto(a, b, c)) })
	}
	return lift3(onto)
}
