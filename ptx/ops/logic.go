package ops

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// logic is PTX ISA 9.7.8, logic and shift.
var logic = []isa.Op{
	{Name: "and", Types: "b16 b32 b64", Args: "d, a, b", Since: 10, Doc: "9.7.8.1", Bind: bindAnd},
	{Name: "and", Types: "pred", Args: "p, s, t", Since: 10, Doc: "9.7.8.1", Bind: bindPred2},
	{Name: "or", Types: "b16 b32 b64", Args: "d, a, b", Since: 10, Doc: "9.7.8.2", Bind: bindOr},
	{Name: "or", Types: "pred", Args: "p, s, t", Since: 10, Doc: "9.7.8.2", Bind: bindPred2},
	{Name: "xor", Types: "b16 b32 b64", Args: "d, a, b", Since: 10, Doc: "9.7.8.3", Bind: bindXor},
	{Name: "xor", Types: "pred", Args: "p, s, t", Since: 10, Doc: "9.7.8.3", Bind: bindPred2},
	{Name: "not", Types: "b16 b32 b64", Args: "d, a", Since: 10, Doc: "9.7.8.4", Bind: bindNot},
	{Name: "not", Types: "pred", Args: "p, s", Since: 10, Doc: "9.7.8.4", Bind: bindNotPred},
	{Name: "cnot", Types: "b16 b32 b64", Args: "d, a", Since: 10, Doc: "9.7.8.5", Bind: bindCnot},
	{Name: "lop3", Types: "b32", Args: "d, a, b, c, i", Since: 43, SM: 50, Doc: "9.7.8.6", Bind: bindLop3},
	{Name: "lop3", Mods: "or|and", Types: "b32", Args: "d|p, a, b, c, i, s", Since: 82, SM: 70, Doc: "9.7.8.6", Bind: bindLop3Pred},
	{Name: "shf", Mods: "l|r clamp|wrap", Types: "b32", Args: "d, a, b, c:u32", Since: 31, SM: 32, Doc: "9.7.8.7", Bind: bindShf},
	{Name: "shl", Types: "b16 b32 b64", Args: "d, a, b:u32", Since: 10, Doc: "9.7.8.8", Bind: bindShl},
	{Name: "shr", Types: "b16 u16 s16 b32 u32 s32 b64 u64 s64", Args: "d, a, b:u32", Since: 10, Doc: "9.7.8.9", Bind: bindShr},
}

func bindAnd(f *isa.Form) isa.Handler {
	if f.Type(0) == isa.B64 {
		return lift2(func(a, b uint64) uint64 { return a & b })
	}
	return and32
}

func bindOr(f *isa.Form) isa.Handler {
	if f.Type(0) == isa.B64 {
		return lift2(func(a, b uint64) uint64 { return a | b })
	}
	return or32
}

func bindXor(f *isa.Form) isa.Handler {
	if f.Type(0) == isa.B64 {
		return lift2(func(a, b uint64) uint64 { return a ^ b })
	}
	return xor32
}

func bindNot(f *isa.Form) isa.Handler {
	switch f.Type(0) {
	case isa.B16:
		return lift1(func(a uint16) uint16 { return ^a })
	case isa.B32:
		return not32
	}
	return lift1(func(a uint64) uint64 { return ^a })
}

func bindCnot(f *isa.Form) isa.Handler {
	return integers1{u16: alu.CnotB16, u32: alu.CnotB32, u64: alu.CnotB64}.of(f.Type(0))
}

func bindNotPred(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) { w.SetPred(in.P, ^w.Source(in)) }
}

func bindPred2(f *isa.Form) isa.Handler {
	combine := boolOp(f.Op.Name)
	return func(w *isa.Warp, in *isa.Inst) {
		b := w.Preds[in.Q]
		if in.QNot {
			b = ^b
		}
		w.SetPred(in.P, combine(w.Source(in), b))
	}
}

// boolOp is the Boolean operation of a name, nil if it is none.
func boolOp(name string) func(a, b isa.Mask) isa.Mask {
	switch name {
	case "and":
		return func(a, b isa.Mask) isa.Mask { return a & b }
	case "or":
		return func(a, b isa.Mask) isa.Mask { return a | b }
	case "xor":
		return func(a, b isa.Mask) isa.Mask { return a ^ b }
	}
	return nil
}

func bindLop3(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		m, d, a, b, c := w.Args3(in)
		for l := range m.All {
			d[l] = alu.Lop3(a[l], b[l], c[l], uint8(in.Imm))
		}
	}
}

func bindLop3Pred(f *isa.Form) isa.Handler {
	combine := boolOp(f.Any("and", "or"))
	return func(w *isa.Warp, in *isa.Inst) {
		m, d, a, b, c := w.Args3(in)
		var some isa.Mask
		for l := range m.All {
			d[l] = alu.Lop3(a[l], b[l], c[l], uint8(in.Imm))
			if d[l] != 0 {
				some |= isa.Lane(l)
			}
		}
		w.SetPred(in.P, combine(some, w.Source(in)))
	}
}

func bindShf(f *isa.Form) isa.Handler {
	switch wrap := f.Has("wrap"); {
	case f.Has("l") && wrap:
		return shfLWrap
	case f.Has("l"):
		return lift3(alu.ShfLClamp)
	case wrap:
		return shfRWrap
	}
	return lift3(alu.ShfRClamp)
}

func bindShl(f *isa.Form) isa.Handler {
	switch f.Type(0) {
	case isa.B16:
		return lift2(alu.ShlB16)
	case isa.B32:
		return shl32
	}
	return shl64
}

func bindShr(f *isa.Form) isa.Handler {
	switch f.Type(0) {
	case isa.B16, isa.U16:
		return lift2(alu.ShrU16)
	case isa.S16:
		return lift2(alu.ShrS16)
	case isa.B32, isa.U32:
		return shrU32
	case isa.S32:
		return shrS32
	case isa.S64:
		return lift2(alu.ShrS64)
	}
	return lift2(alu.ShrU64)
}
