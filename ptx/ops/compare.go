package ops

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

const (
	setArgs     = "d, a:1, b:1"
	setBoolArgs = "d, a:1, b:1, s"
	setTypes    = "u32 s32 f32 / "
)

// compare is PTX ISA 9.7.6, comparison and selection. Rows with a Boolean
// operation take the extra operand s.
var compare = []isa.Op{
	{Name: "set", Mods: "bcmp", Types: setTypes + "b16 b32 b64", Args: setArgs, Since: 10, Doc: "9.7.6.1", Bind: bindSet},
	{Name: "set", Mods: "scmp", Types: setTypes + "s16 s32 s64", Args: setArgs, Since: 10, Doc: "9.7.6.1", Bind: bindSet},
	{Name: "set", Mods: "ucmp", Types: setTypes + "u16 u32 u64", Args: setArgs, Since: 10, Doc: "9.7.6.1", Bind: bindSet},
	{Name: "set", Mods: "fcmp {ftz}", Types: setTypes + "f32", Args: setArgs, Since: 10, Doc: "9.7.6.1", Bind: bindSet},
	{Name: "set", Mods: "fcmp", Types: setTypes + "f64", Args: setArgs, Unit: isa.FP64, Since: 10, SM: 13, Doc: "9.7.6.1", Bind: bindSet},
	{Name: "set", Mods: "bcmp bool", Types: setTypes + "b16 b32 b64", Args: setBoolArgs, Since: 10, Doc: "9.7.6.1", Bind: bindSet},
	{Name: "set", Mods: "scmp bool", Types: setTypes + "s16 s32 s64", Args: setBoolArgs, Since: 10, Doc: "9.7.6.1", Bind: bindSet},
	{Name: "set", Mods: "ucmp bool", Types: setTypes + "u16 u32 u64", Args: setBoolArgs, Since: 10, Doc: "9.7.6.1", Bind: bindSet},
	{Name: "set", Mods: "fcmp bool {ftz}", Types: setTypes + "f32", Args: setBoolArgs, Since: 10, Doc: "9.7.6.1", Bind: bindSet},
	{Name: "set", Mods: "fcmp bool", Types: setTypes + "f64", Args: setBoolArgs, Unit: isa.FP64, Since: 10, SM: 13, Doc: "9.7.6.1", Bind: bindSet},

	{Name: "setp", Mods: "bcmp", Types: "b16 b32 b64", Args: "p|q, a, b", Since: 10, Doc: "9.7.6.2", Bind: bindSetp},
	{Name: "setp", Mods: "scmp", Types: "s16 s32 s64", Args: "p|q, a, b", Since: 10, Doc: "9.7.6.2", Bind: bindSetp},
	{Name: "setp", Mods: "ucmp", Types: "u16 u32 u64", Args: "p|q, a, b", Since: 10, Doc: "9.7.6.2", Bind: bindSetp},
	{Name: "setp", Mods: "fcmp {ftz}", Types: "f32", Args: "p|q, a, b", Since: 10, Doc: "9.7.6.2", Bind: bindSetp},
	{Name: "setp", Mods: "fcmp", Types: "f64", Args: "p|q, a, b", Unit: isa.FP64, Since: 10, SM: 13, Doc: "9.7.6.2", Bind: bindSetp},
	{Name: "setp", Mods: "bcmp bool", Types: "b16 b32 b64", Args: "p|q, a, b, s", Since: 10, Doc: "9.7.6.2", Bind: bindSetp},
	{Name: "setp", Mods: "scmp bool", Types: "s16 s32 s64", Args: "p|q, a, b, s", Since: 10, Doc: "9.7.6.2", Bind: bindSetp},
	{Name: "setp", Mods: "ucmp bool", Types: "u16 u32 u64", Args: "p|q, a, b, s", Since: 10, Doc: "9.7.6.2", Bind: bindSetp},
	{Name: "setp", Mods: "fcmp bool {ftz}", Types: "f32", Args: "p|q, a, b, s", Since: 10, Doc: "9.7.6.2", Bind: bindSetp},
	{Name: "setp", Mods: "fcmp bool", Types: "f64", Args: "p|q, a, b, s", Unit: isa.FP64, Since: 10, SM: 13, Doc: "9.7.6.2", Bind: bindSetp},

	{Name: "selp", Types: "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64", Args: "d, a, b, s", Since: 10, Doc: "9.7.6.3", Bind: bindSelp},
	{Name: "slct", Types: "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64 / s32", Args: "d, a, b, c:1", Since: 10, Doc: "9.7.6.4", Bind: bindSlct},
	{Name: "slct", Mods: "{ftz}", Types: "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64 / f32", Args: "d, a, b, c:1", Since: 10, Doc: "9.7.6.4", Bind: bindSlct},
}

// condition tells in which lanes something holds. Bits of lanes that do not
// execute are arbitrary.
type condition func(w *isa.Warp, in *isa.Inst) isa.Mask

// relation is a condition on two rows.
type relation func(a, b *isa.Lanes) isa.Mask

func (r relation) condition() condition {
	return func(w *isa.Warp, in *isa.Inst) isa.Mask { return r(w.Row(in.A), w.Row(in.B)) }
}

func (r relation) swapped() relation {
	return func(a, b *isa.Lanes) isa.Mask { return r(b, a) }
}

func (r relation) negated() relation {
	return func(a, b *isa.Lanes) isa.Mask { return ^r(a, b) }
}

// where1 is the condition that f holds for operand A.
func where1[A value](f func(a A) bool) condition {
	return func(w *isa.Warp, in *isa.Inst) isa.Mask {
		var p isa.Mask
		a := read[A](w, in.A)
		for l := range w.Mask.All {
			if f(a.at(l)) {
				p |= isa.Lane(l)
			}
		}
		return p
	}
}

// where2 is the condition that the comparison f with op holds for operands A and B.
func where2[A value](op alu.Cmp, f func(op alu.Cmp, a, b A) bool) condition {
	return func(w *isa.Warp, in *isa.Inst) isa.Mask {
		var p isa.Mask
		a, b := read[A](w, in.A), read[A](w, in.B)
		for l := range w.Mask.All {
			if f(op, a.at(l), b.at(l)) {
				p |= isa.Lane(l)
			}
		}
		return p
	}
}

// comparison is the operator that a form names.
func comparison(f *isa.Form) alu.Cmp {
	for _, m := range f.Mods {
		switch m {
		case "eq":
			return alu.Eq
		case "ne":
			return alu.Ne
		case "lt", "lo":
			return alu.Lt
		case "le", "ls":
			return alu.Le
		case "gt", "hi":
			return alu.Gt
		case "ge", "hs":
			return alu.Ge
		case "equ":
			return alu.Equ
		case "neu":
			return alu.Neu
		case "ltu":
			return alu.Ltu
		case "leu":
			return alu.Leu
		case "gtu":
			return alu.Gtu
		case "geu":
			return alu.Geu
		case "num":
			return alu.Num
		case "nan":
			return alu.Nan
		}
	}
	return 0
}

// compared is the condition that a form states about operands A and B of type t.
func compared(f *isa.Form, t isa.Type) condition {
	op := comparison(f)
	switch t {
	case isa.B16, isa.U16:
		return where2(op, alu.CmpU16)
	case isa.S16:
		return where2(op, alu.CmpS16)
	case isa.B32, isa.U32:
		return orderOf(op, ltU32).condition()
	case isa.S32:
		return orderOf(op, ltS32).condition()
	case isa.B64, isa.U64:
		return where2(op, alu.CmpU64)
	case isa.S64:
		return where2(op, alu.CmpS64)
	case isa.F64:
		return where2(op, alu.CmpF64)
	case isa.F16, isa.BF16:
		return where2(op, compareHalf(f, t))
	}
	if f.Has("ftz") {
		return where2(op, func(op alu.Cmp, a, b uint32) bool {
			return alu.CmpF32(op, alu.FlushF32(a), alu.FlushF32(b))
		})
	}
	if r := orderOfF32(op); r != nil {
		return r.condition()
	}
	return where2(op, alu.CmpF32)
}

// orderOf derives an integer comparison from equality and less.
func orderOf(op alu.Cmp, lt relation) relation {
	switch op {
	case alu.Eq:
		return eqB32
	case alu.Ne:
		return relation(eqB32).negated()
	case alu.Lt:
		return lt
	case alu.Ge:
		return lt.negated()
	case alu.Gt:
		return lt.swapped()
	}
	return lt.swapped().negated()
}

// orderOfF32 derives the common comparisons of f32, nil for the others.
func orderOfF32(op alu.Cmp) relation {
	lt, le, eq := relation(ltF32), relation(leF32), relation(eqF32)
	switch op {
	case alu.Lt:
		return lt
	case alu.Gt:
		return lt.swapped()
	case alu.Le:
		return le
	case alu.Ge:
		return le.swapped()
	case alu.Eq:
		return eq
	case alu.Geu:
		return lt.negated()
	case alu.Leu:
		return lt.swapped().negated()
	case alu.Gtu:
		return le.negated()
	case alu.Ltu:
		return le.swapped().negated()
	case alu.Neu:
		return eq.negated()
	}
	return nil
}

// combined applies the form's Boolean operation, if any, to a comparison and
// the predicate source.
func combined(f *isa.Form, c condition) condition {
	combine := boolOp(f.Any("and", "or", "xor"))
	if combine == nil {
		return c
	}
	return func(w *isa.Warp, in *isa.Inst) isa.Mask { return combine(c(w, in), w.Source(in)) }
}

// setPredicate writes a condition to P.
func setPredicate(c condition) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) { w.SetPred(in.P, c(w, in)) }
}

// setPredicates writes a comparison to P and its complement to Q, each
// combined with the predicate source if the form has a Boolean operation.
func setPredicates(f *isa.Form, c condition) isa.Handler {
	combine := boolOp(f.Any("and", "or", "xor"))
	if combine == nil {
		return func(w *isa.Warp, in *isa.Inst) {
			v := c(w, in)
			w.SetPred(in.P, v)
			if in.Q != isa.PSink {
				w.SetPred(in.Q, ^v)
			}
		}
	}
	return func(w *isa.Warp, in *isa.Inst) {
		v, s := c(w, in), w.Source(in)
		w.SetPred(in.P, combine(v, s))
		w.SetPred(in.Q, combine(^v, s))
	}
}

func bindSetp(f *isa.Form) isa.Handler { return setPredicates(f, compared(f, f.Type(0))) }

func bindSet(f *isa.Form) isa.Handler {
	return setRegister(combined(f, compared(f, f.Type(1))), setYes(f.Type(0)))
}

// setYes is what set writes for true in a type.
func setYes(t isa.Type) uint32 {
	switch t {
	case isa.F32:
		return 0x3f800000
	case isa.F16:
		return 0x3c00
	case isa.BF16:
		return 0x3f80
	case isa.F16x2:
		return 0x3c003c00
	case isa.BF16x2:
		return 0x3f803f80
	case isa.U16, isa.S16:
		return 0xffff
	}
	return 0xffffffff
}

// setRegister writes yes where the condition holds, else zero.
func setRegister(c condition, yes uint32) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		v, d := c(w, in), &w.Regs[in.D]
		for l := range w.Mask.All {
			d[l] = 0
			if v.Has(l) {
				d[l] = yes
			}
		}
	}
}

func bindSelp(f *isa.Form) isa.Handler {
	if f.Type(0).Rows() == 2 {
		return selp64
	}
	return selp32
}

func bindSlct(f *isa.Form) isa.Handler {
	chooses := alu.SlctS32
	switch {
	case f.Has("ftz"):
		chooses = func(c uint32) bool { return alu.SlctF32(alu.FlushF32(c)) }
	case f.Type(1) == isa.F32:
		chooses = alu.SlctF32
	}
	rows := f.Type(0).Rows()
	return func(w *isa.Warp, in *isa.Inst) {
		var p isa.Mask
		c := w.Row(in.C)
		for l := range w.Mask.All {
			if chooses(c[l]) {
				p |= isa.Lane(l)
			}
		}
		for i := range rows {
			a, b := w.Row(isa.Above(in.A, i)), w.Row(isa.Above(in.B, i))
			selectRow(w.Mask, p, &w.Regs[int(in.D)+i], a, b)
		}
	}
}
