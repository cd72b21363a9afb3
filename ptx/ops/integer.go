package ops

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

const (
	allInts = "u16 s16 u32 s32 u64 s64"
	ints32  = "u32 s32"
	packed  = "u16x2 s16x2 u8x4 s8x4"
)

// integer is PTX ISA 9.7.1, integer arithmetic.
var integer = []isa.Op{
	{Name: "add", Types: allInts, Args: "d, a, b", Since: 10, Doc: "9.7.1.1", Bind: bindAdd},
	{Name: "add", Mods: "sat", Types: "s32", Args: "d, a, b", Since: 10, Doc: "9.7.1.1", Bind: bindAddSat},
	{Name: "add", Types: "u16x2 s16x2", Args: "d, a, b", Since: 80, SM: 90, Doc: "9.7.1.1", Bind: bindAdd},
	{Name: "add", Types: "u8x4 s8x4", Args: "d, a, b", Since: 92, SM: 120, Only: "120f", Doc: "9.7.1.1", Bind: bindAdd},
	{Name: "add", Mods: "sat", Types: packed + " u32", Args: "d, a, b", Since: 92, SM: 120, Only: "120f", Doc: "9.7.1.1", Bind: bindAddSat},
	{Name: "sub", Types: allInts, Args: "d, a, b", Since: 10, Doc: "9.7.1.2", Bind: bindSub},
	{Name: "sub", Mods: "sat", Types: "s32", Args: "d, a, b", Since: 10, Doc: "9.7.1.2", Bind: bindSubSat},
	{Name: "sub", Types: packed, Args: "d, a, b", Since: 92, SM: 120, Only: "120f", Doc: "9.7.1.2", Bind: bindSub},
	{Name: "sub", Mods: "sat", Types: packed + " u32", Args: "d, a, b", Since: 92, SM: 120, Only: "120f", Doc: "9.7.1.2", Bind: bindSubSat},
	{Name: "mul", Mods: "^lo|hi", Types: allInts, Args: "d, a, b", Unit: isa.FMA, Since: 10, Doc: "9.7.1.3", Bind: bindMul},
	{Name: "mul", Mods: "^wide", Types: "u16 s16 u32 s32", Args: "d:w, a, b", Unit: isa.FMA, Since: 10, Doc: "9.7.1.3", Bind: bindMulWide},
	{Name: "mad", Mods: "^lo|hi", Types: allInts, Args: "d, a, b, c", Unit: isa.FMA, Since: 10, Doc: "9.7.1.4", Bind: bindMad},
	{Name: "mad", Mods: "^wide", Types: "u16 s16 u32 s32", Args: "d:w, a, b, c:w", Unit: isa.FMA, Since: 10, Doc: "9.7.1.4", Bind: bindMadWide},
	{Name: "mad", Mods: "^hi sat", Types: "s32", Args: "d, a, b, c", Unit: isa.FMA, Since: 10, Doc: "9.7.1.4", Bind: bindMadSat},
	{Name: "mul24", Mods: "^lo|hi", Types: ints32, Args: "d, a, b", Unit: isa.FMA, Since: 10, Doc: "9.7.1.5", Bind: bindMul24},
	{Name: "mad24", Mods: "^lo|hi", Types: ints32, Args: "d, a, b, c", Unit: isa.FMA, Since: 10, Doc: "9.7.1.6", Bind: bindMad24},
	{Name: "mad24", Mods: "^hi sat", Types: "s32", Args: "d, a, b, c", Unit: isa.FMA, Since: 10, Doc: "9.7.1.6", Bind: bindMad24Sat},
	{Name: "sad", Types: allInts, Args: "d, a, b, c", Since: 10, Doc: "9.7.1.7", Bind: bindSad},
	{Name: "div", Types: allInts, Args: "d, a, b", Unit: isa.XU, Class: isa.Variable, Since: 10, Doc: "9.7.1.8", Bind: bindDiv},
	{Name: "rem", Types: allInts, Args: "d, a, b", Unit: isa.XU, Class: isa.Variable, Since: 10, Doc: "9.7.1.9", Bind: bindRem},
	{Name: "abs", Types: "s16 s32 s64", Args: "d, a", Since: 10, Doc: "9.7.1.10", Bind: bindAbs},
	{Name: "neg", Types: "s16 s32 s64", Args: "d, a", Since: 10, Doc: "9.7.1.11", Bind: bindNeg},
	{Name: "neg", Types: "s16x2 s8x4", Args: "d, a", Since: 92, SM: 120, Only: "120f", Doc: "9.7.1.11", Bind: bindNeg},
	{Name: "min", Types: allInts, Args: "d, a, b", Since: 10, Doc: "9.7.1.12", Bind: bindMin},
	{Name: "min", Types: "u16x2", Args: "d, a, b", Since: 80, SM: 90, Doc: "9.7.1.12", Bind: bindMin},
	{Name: "min", Mods: "{relu}", Types: "s16x2", Args: "d, a, b", Since: 80, SM: 90, Doc: "9.7.1.12", Bind: bindMin},
	{Name: "min", Mods: "relu", Types: "s32", Args: "d, a, b", Since: 80, SM: 90, Doc: "9.7.1.12", Bind: bindMin},
	{Name: "min", Types: "u8x4 s8x4", Args: "d, a, b", Since: 92, SM: 120, Only: "120f", Doc: "9.7.1.12", Bind: bindMin},
	{Name: "max", Types: allInts, Args: "d, a, b", Since: 10, Doc: "9.7.1.13", Bind: bindMax},
	{Name: "max", Types: "u16x2", Args: "d, a, b", Since: 80, SM: 90, Doc: "9.7.1.13", Bind: bindMax},
	{Name: "max", Mods: "{relu}", Types: "s16x2", Args: "d, a, b", Since: 80, SM: 90, Doc: "9.7.1.13", Bind: bindMax},
	{Name: "max", Mods: "relu", Types: "s32", Args: "d, a, b", Since: 80, SM: 90, Doc: "9.7.1.13", Bind: bindMax},
	{Name: "max", Types: "u8x4 s8x4", Args: "d, a, b", Since: 92, SM: 120, Only: "120f", Doc: "9.7.1.13", Bind: bindMax},
	{Name: "popc", Types: "b32 b64", Args: "d:u32, a", Unit: isa.XU, Class: isa.Variable, Since: 20, SM: 20, Doc: "9.7.1.14", Bind: bindPopc},
	{Name: "clz", Types: "b32 b64", Args: "d:u32, a", Unit: isa.XU, Class: isa.Variable, Since: 20, SM: 20, Doc: "9.7.1.15", Bind: bindClz},
	{Name: "bfind", Mods: "{shiftamt}", Types: "u32 s32 u64 s64", Args: "d:u32, a", Unit: isa.XU, Class: isa.Variable, Since: 20, SM: 20, Doc: "9.7.1.16", Bind: bindBfind},
	{Name: "fns", Types: "b32", Args: "d, a, b, c:b32", Since: 60, SM: 30, Doc: "9.7.1.17", Bind: bindFns},
	{Name: "brev", Types: "b32 b64", Args: "d, a", Unit: isa.XU, Class: isa.Variable, Since: 20, SM: 20, Doc: "9.7.1.18", Bind: bindBrev},
	{Name: "bfe", Types: "u32 s32 u64 s64", Args: "d, a, b:u32, c:u32", Since: 20, SM: 20, Doc: "9.7.1.19", Bind: bindBfe},
	{Name: "bfi", Types: "b32 b64", Args: "d, a, b, c:u32, m:u32", Since: 20, SM: 20, Doc: "9.7.1.20", Bind: bindBfi},
	{Name: "szext", Mods: "clamp|wrap", Types: ints32, Args: "d, a, b:u32", Since: 76, SM: 70, Doc: "9.7.1.21", Bind: bindSzext},
	{Name: "bmsk", Mods: "clamp|wrap", Types: "b32", Args: "d:u32, a:u32, b:u32", Since: 76, SM: 70, Doc: "9.7.1.22", Bind: bindBmsk},
	{Name: "dp4a", Types: "u32 s32 / u32 s32", Args: "d:u32, a:u32, b:u32, c:u32", Unit: isa.FMA, Since: 50, SM: 61, Doc: "9.7.1.23", Bind: bindDp4a},
	{Name: "dp2a", Mods: "lo|hi", Types: "u32 s32 / u32 s32", Args: "d:u32, a:u32, b:u32, c:u32", Unit: isa.FMA, Since: 50, SM: 61, Doc: "9.7.1.24", Bind: bindDp2a},
	{Name: "clmad", Mods: "lo|hi", Types: "u64", Args: "d, a, b, c", Class: isa.Variable, Since: 93, SM: 80, Doc: "9.7.1.25", Bind: bindClmad},
}

func bindAdd(f *isa.Form) isa.Handler {
	switch f.Type(0) {
	case isa.U16, isa.S16:
		return lift2(plus[uint16])
	case isa.U32, isa.S32:
		return add32
	case isa.U64, isa.S64:
		return add64
	case isa.U8x4, isa.S8x4:
		return lift2(alu.Add8x4)
	}
	return lift2(alu.Add16x2)
}

func bindSub(f *isa.Form) isa.Handler {
	switch f.Type(0) {
	case isa.U16, isa.S16:
		return lift2(minus[uint16])
	case isa.U32, isa.S32:
		return sub32
	case isa.U64, isa.S64:
		return sub64
	case isa.U8x4, isa.S8x4:
		return lift2(alu.Sub8x4)
	}
	return lift2(alu.Sub16x2)
}

func bindAddSat(f *isa.Form) isa.Handler {
	switch f.Type(0) {
	case isa.U32:
		return lift2(alu.AddSatU32)
	case isa.S32:
		return lift2(alu.AddSatS32)
	case isa.U16x2:
		return lift2(alu.AddSatU16x2)
	case isa.S16x2:
		return lift2(alu.AddSatS16x2)
	case isa.U8x4:
		return lift2(alu.AddSatU8x4)
	}
	return lift2(alu.AddSatS8x4)
}

func bindSubSat(f *isa.Form) isa.Handler {
	switch f.Type(0) {
	case isa.U32:
		return lift2(alu.SubSatU32)
	case isa.S32:
		return lift2(alu.SubSatS32)
	case isa.U16x2:
		return lift2(alu.SubSatU16x2)
	case isa.S16x2:
		return lift2(alu.SubSatS16x2)
	case isa.U8x4:
		return lift2(alu.SubSatU8x4)
	}
	return lift2(alu.SubSatS8x4)
}

func bindMul(f *isa.Form) isa.Handler {
	if f.Has("hi") {
		return integers2{
			u16: alu.MulHiU16, s16: alu.MulHiS16,
			u32: alu.MulHiU32, s32: alu.MulHiS32,
			u64: alu.MulHiU64, s64: alu.MulHiS64,
		}.of(f.Type(0))
	}
	switch f.Type(0).Bits() {
	case 16:
		return lift2(times[uint16])
	case 32:
		return mul32
	}
	return lift2(times[uint64])
}

func bindMulWide(f *isa.Form) isa.Handler {
	switch f.Type(0) {
	case isa.U16:
		return lift2(alu.MulWideU16)
	case isa.S16:
		return lift2(alu.MulWideS16)
	case isa.U32:
		return mulWideU32
	}
	return mulWideS32
}

func bindMad(f *isa.Form) isa.Handler {
	if f.Has("hi") {
		return integers3{
			u16: onto(alu.MulHiU16), s16: onto(alu.MulHiS16),
			u32: onto(alu.MulHiU32), s32: onto(alu.MulHiS32),
			u64: onto(alu.MulHiU64), s64: onto(alu.MulHiS64),
		}.of(f.Type(0))
	}
	switch f.Type(0).Bits() {
	case 16:
		return lift3(onto(times[uint16]))
	case 32:
		return mad32
	}
	return lift3(onto(times[uint64]))
}

func bindMadWide(f *isa.Form) isa.Handler {
	switch f.Type(0) {
	case isa.U16:
		return lift3(onto(alu.MulWideU16))
	case isa.S16:
		return lift3(onto(alu.MulWideS16))
	case isa.U32:
		return lift3(onto(alu.MulWideU32))
	}
	return lift3(onto(alu.MulWideS32))
}

func bindMadSat(*isa.Form) isa.Handler   { return lift3(alu.MadHiSatS32) }
func bindMad24Sat(*isa.Form) isa.Handler { return lift3(alu.Mad24HiSatS32) }

func mul24(f *isa.Form) func(a, b uint32) uint32 {
	switch signed := f.Type(0).IsSigned(); {
	case signed && f.Has("hi"):
		return alu.Mul24HiS32
	case signed:
		return alu.Mul24LoS32
	case f.Has("hi"):
		return alu.Mul24HiU32
	}
	return alu.Mul24LoU32
}

func bindMul24(f *isa.Form) isa.Handler { return lift2(mul24(f)) }
func bindMad24(f *isa.Form) isa.Handler { return lift3(onto(mul24(f))) }

func bindSad(f *isa.Form) isa.Handler {
	return integers3{
		u16: alu.SadU16, s16: alu.SadS16,
		u32: alu.SadU32, s32: alu.SadS32,
		u64: alu.SadU64, s64: alu.SadS64,
	}.of(f.Type(0))
}

func bindDiv(f *isa.Form) isa.Handler {
	return integers2{
		u16: alu.DivU16, s16: alu.DivS16,
		u32: alu.DivU32, s32: alu.DivS32,
		u64: alu.DivU64, s64: alu.DivS64,
	}.of(f.Type(0))
}

func bindRem(f *isa.Form) isa.Handler {
	return integers2{
		u16: alu.RemU16, s16: alu.RemS16,
		u32: alu.RemU32, s32: alu.RemS32,
		u64: alu.RemU64, s64: alu.RemS64,
	}.of(f.Type(0))
}

func bindAbs(f *isa.Form) isa.Handler {
	return integers1{s16: alu.AbsS16, s32: alu.AbsS32, s64: alu.AbsS64}.of(f.Type(0))
}

func bindNeg(f *isa.Form) isa.Handler {
	switch f.Type(0) {
	case isa.S16x2:
		return lift1(alu.Neg16x2)
	case isa.S8x4:
		return lift1(alu.Neg8x4)
	}
	return integers1{s16: negative[uint16], s32: negative[uint32], s64: negative[uint64]}.of(f.Type(0))
}

func bindMin(f *isa.Form) isa.Handler {
	switch f.Type(0) {
	case isa.U8x4:
		return lift2(alu.MinU8x4)
	case isa.S8x4:
		return lift2(alu.MinS8x4)
	case isa.U16x2:
		return lift2(alu.MinU16x2)
	case isa.S16x2:
		return reluIf(f, alu.MinS16x2, alu.ReluS16x2)
	case isa.U32:
		return minU32
	case isa.S32:
		if !f.Has("relu") {
			return minS32
		}
		return reluIf(f, alu.MinS32, alu.ReluS32)
	}
	return integers2{
		u16: least[uint16], s16: alu.MinS16,
		u64: least[uint64], s64: alu.MinS64,
	}.of(f.Type(0))
}

func bindMax(f *isa.Form) isa.Handler {
	switch f.Type(0) {
	case isa.U8x4:
		return lift2(alu.MaxU8x4)
	case isa.S8x4:
		return lift2(alu.MaxS8x4)
	case isa.U16x2:
		return lift2(alu.MaxU16x2)
	case isa.S16x2:
		return reluIf(f, alu.MaxS16x2, alu.ReluS16x2)
	case isa.U32:
		return maxU32
	case isa.S32:
		if !f.Has("relu") {
			return maxS32
		}
		return reluIf(f, alu.MaxS32, alu.ReluS32)
	}
	return integers2{
		u16: most[uint16], s16: alu.MaxS16,
		u64: most[uint64], s64: alu.MaxS64,
	}.of(f.Type(0))
}

// reluIf is d = f(a, b), through relu if the form says so.
func reluIf(form *isa.Form, f func(a, b uint32) uint32, relu func(uint32) uint32) isa.Handler {
	if !form.Has("relu") {
		return lift2(f)
	}
	return lift2(func(a, b uint32) uint32 { return relu(f(a, b)) })
}

func bindPopc(f *isa.Form) isa.Handler {
	if f.Type(0) == isa.B32 {
		return lift1(alu.PopcB32)
	}
	return lift1(alu.PopcB64)
}

func bindClz(f *isa.Form) isa.Handler {
	if f.Type(0) == isa.B32 {
		return lift1(alu.ClzB32)
	}
	return lift1(alu.ClzB64)
}

func bindBfind(f *isa.Form) isa.Handler {
	narrow := map[isa.Type][2]func(uint32) uint32{
		isa.U32: {alu.BfindU32, alu.BfindShiftU32},
		isa.S32: {alu.BfindS32, alu.BfindShiftS32},
	}
	double := map[isa.Type][2]func(uint64) uint32{
		isa.U64: {alu.BfindU64, alu.BfindShiftU64},
		isa.S64: {alu.BfindS64, alu.BfindShiftS64},
	}
	i := 0
	if f.Has("shiftamt") {
		i = 1
	}
	if fs, ok := narrow[f.Type(0)]; ok {
		return lift1(fs[i])
	}
	return lift1(double[f.Type(0)][i])
}

func bindFns(*isa.Form) isa.Handler { return lift3(alu.Fns) }

func bindBrev(f *isa.Form) isa.Handler {
	return integers1{u32: alu.BrevB32, u64: alu.BrevB64}.of(f.Type(0))
}

func bindBfe(f *isa.Form) isa.Handler {
	switch f.Type(0) {
	case isa.U32:
		return lift3(alu.BfeU32)
	case isa.S32:
		return lift3(alu.BfeS32)
	case isa.U64:
		return lift3(alu.BfeU64)
	}
	return lift3(alu.BfeS64)
}

func bindBfi(f *isa.Form) isa.Handler {
	if f.Type(0) == isa.B32 {
		return lift4(alu.BfiB32)
	}
	return lift4(alu.BfiB64)
}

func bindSzext(f *isa.Form) isa.Handler {
	switch signed := f.Type(0).IsSigned(); {
	case signed && f.Has("wrap"):
		return lift2(alu.SzextWrapS32)
	case signed:
		return lift2(alu.SzextClampS32)
	case f.Has("wrap"):
		return lift2(alu.SzextWrapU32)
	}
	return lift2(alu.SzextClampU32)
}

func bindBmsk(f *isa.Form) isa.Handler {
	if f.Has("wrap") {
		return lift2(alu.BmskWrap)
	}
	return lift2(alu.BmskClamp)
}

// signs indexes tables by the signedness of the two types of a form.
func signs(f *isa.Form) int {
	i := 0
	if f.Type(0).IsSigned() {
		i = 2
	}
	if f.Type(1).IsSigned() {
		i++
	}
	return i
}

func bindDp4a(f *isa.Form) isa.Handler {
	fs := [4]func(a, b, c uint32) uint32{alu.Dp4aUU, alu.Dp4aUS, alu.Dp4aSU, alu.Dp4aSS}
	return lift3(fs[signs(f)])
}

func bindDp2a(f *isa.Form) isa.Handler {
	fs := [4]func(a, b, c uint32) uint32{alu.Dp2aLoUU, alu.Dp2aLoUS, alu.Dp2aLoSU, alu.Dp2aLoSS}
	if f.Has("hi") {
		fs = [4]func(a, b, c uint32) uint32{alu.Dp2aHiUU, alu.Dp2aHiUS, alu.Dp2aHiSU, alu.Dp2aHiSS}
	}
	return lift3(fs[signs(f)])
}

func bindClmad(f *isa.Form) isa.Handler {
	if f.Has("hi") {
		return lift3(alu.ClmadHiU64)
	}
	return lift3(alu.ClmadLoU64)
}

func plus[T value](a, b T) T  { return a + b }
func minus[T value](a, b T) T { return a - b }
func times[T value](a, b T) T { return a * b }
func negative[T value](a T) T { return -a }
func least[T value](a, b T) T { return min(a, b) }
func most[T value](a, b T) T  { return max(a, b) }

// onto adds a third operand to f.
func onto[A, D value](f func(a, b A) D) func(a, b A, c D) D {
	return func(a, b A, c D) D { return f(a, b) + c }
}
