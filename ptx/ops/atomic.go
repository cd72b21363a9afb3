package ops

import (
	endian "encoding/binary"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

const (
	order     = "{relaxed|acquire|release|acq_rel} {scope} {global|shared|shared::cta|shared::cluster} "
	orderVec  = "{relaxed|acquire|release|acq_rel} {scope} {global} "
	wordTypes = "u32 s32 u64 s64"
)

// atomics is the part of PTX ISA 9.7.13 that reads and writes memory at once.
// Lanes follow one another in ascending order. Warps do not run at once where
// an engine runs the CTAs of a grid in a fixed order (isa.Op.Shares), so that
// plain loads and stores serve but for system scope (ofSystem).
var atomics = []isa.Op{
	{Name: "atom", Mods: order + "and|or|xor {hint}", Types: "b32 b64", Args: "d, [a], b, x:u64?", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 11, Doc: "9.7.13.5", Bind: bindAtom},
	{Name: "atom", Mods: order + "exch {hint}", Types: "b32 b64 b128", Args: "d, [a], b, x:u64?", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 11, Doc: "9.7.13.5", Bind: bindAtom},
	{Name: "atom", Mods: order + "cas", Types: "b16 b32 b64 b128", Args: "d, [a], b, c", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 11, Doc: "9.7.13.5", Bind: bindCas},
	{Name: "atom", Mods: order + "add {hint}", Types: "u32 s32 u64 f32 f64", Args: "d, [a], b, x:u64?", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 11, Doc: "9.7.13.5", Bind: bindAtom},
	{Name: "atom", Mods: order + "inc|dec {hint}", Types: "u32", Args: "d, [a], b, x:u64?", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 11, Doc: "9.7.13.5", Bind: bindAtom},
	{Name: "atom", Mods: order + "min|max {hint}", Types: wordTypes, Args: "d, [a], b, x:u64?", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 11, Doc: "9.7.13.5", Bind: bindAtom},
	{Name: "atom", Mods: order + "add noftz {hint}", Types: "f16 f16x2 bf16 bf16x2", Args: "d, [a], b, x:u64?", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 62, SM: 60, Doc: "9.7.13.5", Bind: bindAtom},
	{Name: "atom", Mods: orderVec + "add v2|v4 {hint}", Types: "f32", Args: "D, [a], V, x:u64?", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 81, SM: 90, Doc: "9.7.13.5", Bind: bindAtomVec},
	{Name: "atom", Mods: orderVec + "add|min|max noftz v2|v4|v8 {hint}", Types: "f16 bf16", Args: "D, [a], V, x:u64?", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 81, SM: 90, Doc: "9.7.13.5", Bind: bindAtomVec},
	{Name: "atom", Mods: orderVec + "add|min|max noftz v2|v4 {hint}", Types: "f16x2 bf16x2", Args: "D, [a], V, x:u64?", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 81, SM: 90, Doc: "9.7.13.5", Bind: bindAtomVec},

	{Name: "red", Mods: order + "and|or|xor {hint}", Types: "b32 b64", Args: "[a], b, x:u64?", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 12, Doc: "9.7.13.6", Bind: bindAtom},
	{Name: "red", Mods: order + "add {hint}", Types: "u32 s32 u64 f32 f64", Args: "[a], b, x:u64?", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 12, Doc: "9.7.13.6", Bind: bindAtom},
	{Name: "red", Mods: order + "inc|dec {hint}", Types: "u32", Args: "[a], b, x:u64?", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 12, Doc: "9.7.13.6", Bind: bindAtom},
	{Name: "red", Mods: order + "min|max {hint}", Types: wordTypes, Args: "[a], b, x:u64?", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 12, Doc: "9.7.13.6", Bind: bindAtom},
	{Name: "red", Mods: order + "add noftz {hint}", Types: "f16 f16x2 bf16 bf16x2", Args: "[a], b, x:u64?", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 62, SM: 60, Doc: "9.7.13.6", Bind: bindAtom},
	{Name: "red", Mods: orderVec + "add v2|v4 {hint}", Types: "f32", Args: "[a], V, x:u64?", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 81, SM: 90, Doc: "9.7.13.6", Bind: bindAtomVec},
	{Name: "red", Mods: orderVec + "add|min|max noftz v2|v4|v8 {hint}", Types: "f16 bf16", Args: "[a], V, x:u64?", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 81, SM: 90, Doc: "9.7.13.6", Bind: bindAtomVec},
	{Name: "red", Mods: orderVec + "add|min|max noftz v2|v4 {hint}", Types: "f16x2 bf16x2", Args: "[a], V, x:u64?", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 81, SM: 90, Doc: "9.7.13.6", Bind: bindAtomVec},
}

// size is the width of a value in bytes.
func size[T value]() int {
	switch uint64(^T(0)) {
	case 0xff:
		return 1
	case 0xffff:
		return 2
	case 0xffffffff:
		return 4
	}
	return 8
}

func get[T value](b []byte) T {
	switch size[T]() {
	case 1:
		return T(b[0])
	case 2:
		return T(endian.LittleEndian.Uint16(b))
	case 4:
		return T(endian.LittleEndian.Uint32(b))
	}
	return T(endian.LittleEndian.Uint64(b))
}

func put[T value](b []byte, v T) {
	switch size[T]() {
	case 1:
		b[0] = byte(v)
	case 2:
		endian.LittleEndian.PutUint16(b, uint16(v))
	case 4:
		endian.LittleEndian.PutUint32(b, uint32(v))
	default:
		endian.LittleEndian.PutUint64(b, uint64(v))
	}
}

// findAtomic is find for an atomic access, which local memory and parameters
// do not have.
func (r *reach) findAtomic(w *isa.Warp, in *isa.Inst, rest isa.Mask, n int) bool {
	if !r.find(w, in, rest, n, true) {
		return false
	}
	if r.space != isa.Global && r.space != isa.Shared {
		l := r.lanes.First()
		a := pointer{in.A, in.Space, in.Imm}.address(w, l)
		w.Raise(isa.Trap{Kind: isa.InvalidSpace, Lane: l, Addr: a, Bytes: n, Space: r.space, Write: true})
		return false
	}
	return true
}

// formula is what an atomic operation makes of the old value and its operand,
// in global memory and in shared.
type formula[T value] struct{ global, shared func(old, b T) T }

func everywhere[T value](f func(old, b T) T) formula[T] { return formula[T]{f, f} }

func (f formula[T]) in(s isa.Space) func(old, b T) T {
	if s == isa.Shared || s == isa.SharedCluster {
		return f.shared
	}
	return f.global
}

func bindAtom(f *isa.Form) isa.Handler {
	red := f.Op.Name == "red"
	switch t := f.Type(0); t.Bits() {
	case 16:
		return atom(formula16(f), red)
	case 32:
		switch {
		case ofSystem(f):
			return atomSystem(formula32(f), red)
		case f.Has("add") && !t.IsFloat():
			return atomAdd32(red)
		}
		return atom(formula32(f), red)
	case 64:
		if ofSystem(f) {
			return atomSystem(formula64(f), red)
		}
		return atom(formula64(f), red)
	}
	return exch128
}

// atomAdd32 is the commonest operation, in a loop of its own.
func atomAdd32(red bool) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		var r reach
		for rest := w.Mask; rest != 0; rest &^= r.lanes {
			if !r.findAtomic(w, in, rest, 4) {
				return
			}
			var old isa.Lanes
			b, bytes := w.Row(in.B), r.bytes
			for m := r.lanes; m != 0; m &= m - 1 {
				l := m.First() & (isa.WarpSize - 1)
				p := bytes[r.at[l]:]
				old[l] = endian.LittleEndian.Uint32(p)
				endian.LittleEndian.PutUint32(p, old[l]+b[l])
			}
			if !red {
				copyRow(r.lanes, &w.Regs[in.D], &old)
			}
		}
	}
}

func formula16(f *isa.Form) formula[uint16] {
	half, op := f.Type(0) == isa.F16, f.Any("min", "max")
	switch {
	case op == "min" && half:
		return everywhere(alu.MinF16)
	case op == "min":
		return everywhere(alu.MinBF16)
	case op == "max" && half:
		return everywhere(alu.MaxF16)
	case op == "max":
		return everywhere(alu.MaxBF16)
	case half:
		return everywhere(alu.AddF16)
	}
	return everywhere(alu.AddBF16)
}

func formula32(f *isa.Form) formula[uint32] {
	switch f.Type(0) {
	case isa.F32:
		return formula[uint32]{global: alu.AtomAddF32, shared: alu.AddF32RN}
	case isa.F16x2:
		return everywhere(pick(f, alu.AddF16x2, alu.MinF16x2, alu.MaxF16x2))
	case isa.BF16x2:
		return everywhere(pick(f, alu.AddBF16x2, alu.MinBF16x2, alu.MaxBF16x2))
	case isa.S32:
		return everywhere(pick(f, plus[uint32], alu.MinS32, alu.MaxS32))
	}
	switch f.Any("inc", "dec") {
	case "inc":
		return everywhere(alu.Inc)
	case "dec":
		return everywhere(alu.Dec)
	}
	return everywhere(bitwise[uint32](f))
}

func formula64(f *isa.Form) formula[uint64] {
	switch f.Type(0) {
	case isa.F64:
		return formula[uint64]{global: alu.AtomAddF64, shared: func(old, b uint64) uint64 { return alu.AddF64RN(b, old) }}
	case isa.S64:
		return everywhere(pick(f, plus[uint64], alu.MinS64, alu.MaxS64))
	}
	return everywhere(bitwise[uint64](f))
}

// pick is the function of a form's operation among three.
func pick[T value](f *isa.Form, add, least, most func(a, b T) T) func(a, b T) T {
	switch f.Any("min", "max") {
	case "min":
		return least
	case "max":
		return most
	}
	return add
}

// bitwise is a form's operation on unsigned values.
func bitwise[T value](f *isa.Form) func(a, b T) T {
	switch f.Any("and", "or", "xor", "exch") {
	case "and":
		return func(a, b T) T { return a & b }
	case "or":
		return func(a, b T) T { return a | b }
	case "xor":
		return func(a, b T) T { return a ^ b }
	case "exch":
		return func(_, b T) T { return b }
	}
	return pick(f, plus[T], func(a, b T) T { return min(a, b) }, func(a, b T) T { return max(a, b) })
}

// atom makes the handler of a scalar operation; red gives no result.
func atom[T value](f formula[T], red bool) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		var r reach
		for rest := w.Mask; rest != 0; rest &^= r.lanes {
			if !r.findAtomic(w, in, rest, size[T]()) {
				return
			}
			apply, b := f.in(r.space), read[T](w, in.B)
			if red {
				for l := range r.lanes.All {
					p := r.bytes[r.at[l]:]
					put(p, apply(get[T](p), b.at(l)))
				}
				continue
			}
			d := write[T](w, in.D)
			for l := range r.lanes.All {
				p := r.bytes[r.at[l]:]
				old := get[T](p)
				put(p, apply(old, b.at(l)))
				d.set(l, old)
			}
		}
	}
}

func bindAtomVec(f *isa.Form) isa.Handler {
	red, n := f.Op.Name == "red", elements(f)
	if f.Type(0).Bits() == 16 {
		return atomVec(formula16(f), n, red)
	}
	return atomVec(formula32(f), n, red)
}

// atomVec makes the handler of a vector operation, atomic for each element. The
// vector operand holds the results, if any, and then the sources.
func atomVec[T value](f formula[T], n int, red bool) isa.Handler {
	results := n
	if red {
		results = 0
	}
	return func(w *isa.Warp, in *isa.Inst) {
		if len(in.Vec) != results+n {
			w.Raise(isa.Trap{Kind: isa.IllegalInstruction, Lane: w.Mask.First(), Note: "vector operand of the wrong length"})
			return
		}
		var r reach
		for rest := w.Mask; rest != 0; rest &^= r.lanes {
			if !r.findAtomic(w, in, rest, n*size[T]()) {
				return
			}
			for l := range r.lanes.All {
				atomLane(w, in.Vec[:results], in.Vec[results:], l, r.bytes[r.at[l]:], f.in(r.space))
			}
		}
	}
}

// atomLane does a vector operation in one lane. Results may lie in the
// registers of the sources.
func atomLane[T value](w *isa.Warp, d, b []isa.Reg, l int, p []byte, apply func(old, b T) T) {
	var old [8]T
	for i, reg := range b {
		at := p[i*size[T]():]
		old[i] = get[T](at)
		put(at, apply(old[i], T(w.Row(reg)[l])))
	}
	for i, reg := range d {
		w.Regs[reg][l] = uint32(old[i])
	}
}

func bindCas(f *isa.Form) isa.Handler {
	switch f.Type(0) {
	case isa.B16:
		return cas[uint16]
	case isa.B32:
		if ofSystem(f) {
			return casSystem[uint32]
		}
		return cas[uint32]
	case isa.B64:
		if ofSystem(f) {
			return casSystem[uint64]
		}
		return cas[uint64]
	}
	return cas128
}

func cas[T value](w *isa.Warp, in *isa.Inst) {
	var r reach
	for rest := w.Mask; rest != 0; rest &^= r.lanes {
		if !r.findAtomic(w, in, rest, size[T]()) {
			return
		}
		d, b, c := write[T](w, in.D), read[T](w, in.B), read[T](w, in.C)
		for l := range r.lanes.All {
			p := r.bytes[r.at[l]:]
			old := get[T](p)
			if old == b.at(l) {
				put(p, c.at(l))
			}
			d.set(l, old)
		}
	}
}

// quad is a 128-bit value.
type quad [4]uint32

func quadAt(w *isa.Warp, r isa.Reg, l int) (q quad) {
	for i := range q {
		q[i] = w.Row(isa.Above(r, i))[l]
	}
	return q
}

func quadIn(b []byte) (q quad) {
	for i := range q {
		q[i] = get[uint32](b[4*i:])
	}
	return q
}

func (q quad) store(b []byte) {
	for i, v := range q {
		put(b[4*i:], v)
	}
}

func (q quad) set(w *isa.Warp, r isa.Reg, l int) {
	for i, v := range q {
		w.Regs[r+isa.Reg(i)][l] = v
	}
}

func exch128(w *isa.Warp, in *isa.Inst) { swap128(w, in, false) }

func cas128(w *isa.Warp, in *isa.Inst) { swap128(w, in, true) }

// swap128 stores B, or C where the old value equals B.
func swap128(w *isa.Warp, in *isa.Inst, compare bool) {
	var r reach
	for rest := w.Mask; rest != 0; rest &^= r.lanes {
		if !r.findAtomic(w, in, rest, 16) {
			return
		}
		for l := range r.lanes.All {
			p := r.bytes[r.at[l]:]
			old, b := quadIn(p), quadAt(w, in.B, l)
			switch {
			case !compare:
				b.store(p)
			case old == b:
				quadAt(w, in.C, l).store(p)
			}
			old.set(w, in.D, l)
		}
	}
}
