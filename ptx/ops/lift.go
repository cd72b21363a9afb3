package ops

import "github.com/lockstep-sim/lockstep/gpu/isa"

// value is what a register holds, as scalar functions see it.
type value interface {
	uint8 | uint16 | uint32 | uint64
}

// wide reports a type of two rows. It is a constant in each instantiation.
func wide[T value]() bool { return uint64(^T(0)) > 0xffffffff }

// source is a source operand: its one or two rows.
type source[T value] struct{ lo, hi *isa.Lanes }

func read[T value](w *isa.Warp, r isa.Reg) source[T] {
	if wide[T]() {
		lo, hi := w.Wide(r)
		return source[T]{lo, hi}
	}
	return source[T]{lo: w.Row(r)}
}

// at is the operand in lane l, chopped to its type.
func (s source[T]) at(l int) T {
	if wide[T]() {
		return T(uint64(s.lo[l]) | uint64(s.hi[l])<<32)
	}
	return T(s.lo[l])
}

// target is a destination operand.
type target[T value] struct{ lo, hi *isa.Lanes }

func write[T value](w *isa.Warp, r isa.Reg) target[T] {
	if wide[T]() {
		return target[T]{&w.Regs[r], &w.Regs[r+1]}
	}
	return target[T]{lo: &w.Regs[r]}
}

func (t target[T]) set(l int, v T) {
	t.lo[l] = uint32(v)
	if wide[T]() {
		t.hi[l] = uint32(uint64(v) >> 32)
	}
}

// lift1 makes the handler of d = f(a); nil for a nil function, as do all
// lifters.
func lift1[D, A value](f func(a A) D) isa.Handler {
	if f == nil {
		return nil
	}
	return func(w *isa.Warp, in *isa.Inst) {
		d, a := write[D](w, in.D), read[A](w, in.A)
		for l := range w.Mask.All {
			d.set(l, f(a.at(l)))
		}
	}
}

// lift2 makes the handler of d = f(a, b).
func lift2[D, A, B value](f func(a A, b B) D) isa.Handler {
	if f == nil {
		return nil
	}
	return func(w *isa.Warp, in *isa.Inst) {
		d, a, b := write[D](w, in.D), read[A](w, in.A), read[B](w, in.B)
		for l := range w.Mask.All {
			d.set(l, f(a.at(l), b.at(l)))
		}
	}
}

// lift3 makes the handler of d = f(a, b, c).
func lift3[D, A, B, C value](f func(a A, b B, c C) D) isa.Handler {
	if f == nil {
		return nil
	}
	return func(w *isa.Warp, in *isa.Inst) {
		d, a, b, c := write[D](w, in.D), read[A](w, in.A), read[B](w, in.B), read[C](w, in.C)
		for l := range w.Mask.All {
			d.set(l, f(a.at(l), b.at(l), c.at(l)))
		}
	}
}

// lift4 makes the handler of d = f(a, b, c, m).
func lift4[D, A, B, C, M value](f func(a A, b B, c C, m M) D) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		d, a, b := write[D](w, in.D), read[A](w, in.A), read[B](w, in.B)
		c, m := read[C](w, in.C), read[M](w, in.M)
		for l := range w.Mask.All {
			d.set(l, f(a.at(l), b.at(l), c.at(l), m.at(l)))
		}
	}
}

// integers1, integers2 and integers3 hold a scalar function for each integer
// type that an instruction admits; bit types use the unsigned one.
type integers1 struct {
	u16, s16 func(a uint16) uint16
	u32, s32 func(a uint32) uint32
	u64, s64 func(a uint64) uint64
}

func (t integers1) of(x isa.Type) isa.Handler {
	switch x {
	case isa.U16, isa.B16:
		return lift1(t.u16)
	case isa.S16:
		return lift1(t.s16)
	case isa.U32, isa.B32:
		return lift1(t.u32)
	case isa.S32:
		return lift1(t.s32)
	case isa.U64, isa.B64:
		return lift1(t.u64)
	case isa.S64:
		return lift1(t.s64)
	}
	return nil
}

type integers2 struct {
	u16, s16 func(a, b uint16) uint16
	u32, s32 func(a, b uint32) uint32
	u64, s64 func(a, b uint64) uint64
}

func (t integers2) of(x isa.Type) isa.Handler {
	switch x {
	case isa.U16, isa.B16:
		return lift2(t.u16)
	case isa.S16:
		return lift2(t.s16)
	case isa.U32, isa.B32:
		return lift2(t.u32)
	case isa.S32:
		return lift2(t.s32)
	case isa.U64, isa.B64:
		return lift2(t.u64)
	case isa.S64:
		return lift2(t.s64)
	}
	return nil
}

type integers3 struct {
	u16, s16 func(a, b, c uint16) uint16
	u32, s32 func(a, b, c uint32) uint32
	u64, s64 func(a, b, c uint64) uint64
}

func (t integers3) of(x isa.Type) isa.Handler {
	switch x {
	case isa.U16, isa.B16:
		return lift3(t.u16)
	case isa.S16:
		return lift3(t.s16)
	case isa.U32, isa.B32:
		return lift3(t.u32)
	case isa.S32:
		return lift3(t.s32)
	case isa.U64, isa.B64:
		return lift3(t.u64)
	case isa.S64:
		return lift3(t.s64)
	}
	return nil
}
