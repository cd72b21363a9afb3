package ops

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// move is the register part of PTX ISA 9.7.9, data movement.
var move = []isa.Op{
	{Name: "mov", Types: "b16 u16 s16 b32 u32 s32 f32 b64 u64 s64 f64 b128", Args: "d, a", Since: 10, Doc: "9.7.9.3", Bind: bindMov},
	{Name: "mov", Types: "pred", Args: "p, s", Since: 10, Doc: "9.7.9.3", Bind: bindMovPred},
	{Name: "mov", Types: "b16 b32 b64 b128", Args: "d, V", Since: 10, Doc: "9.7.9.4", Bind: bindPack},
	{Name: "mov", Types: "b16 b32 b64 b128", Args: "V, a", Since: 10, Doc: "9.7.9.4", Bind: bindUnpack},
	{Name: "prmt", Mods: "{f4e|b4e|rc8|ecl|ecr|rc16}", Types: "b32", Args: "d, a, b, c", Since: 20, SM: 20, Doc: "9.7.9.7", Bind: bindPrmt},
}

// IsMove reports a row of mov.
func IsMove(op *isa.Op) bool { return op.Name == "mov" }

func bindMov(f *isa.Form) isa.Handler {
	switch f.Type(0).Bits() {
	case 16:
		return mov16
	case 32:
		return mov32
	case 64:
		return mov64
	}
	return func(w *isa.Warp, in *isa.Inst) {
		for i := range 4 {
			copyRow(w.Mask, &w.Regs[int(in.D)+i], w.Row(isa.Above(in.A, i)))
		}
	}
}

func bindMovPred(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) { w.SetPred(in.P, w.Source(in)) }
}

// bindPack makes a register of the elements of Inst.Vec, which lie upwards
// from bit zero and have equal parts of the type's width.
func bindPack(f *isa.Form) isa.Handler {
	bits := f.Type(0).Bits()
	return func(w *isa.Warp, in *isa.Inst) {
		width := bits / len(in.Vec)
		for l := range w.Mask.All {
			var d [4]uint32
			for i, r := range in.Vec {
				insert(w, &d, i*width, width, r, l)
			}
			for i := range (bits + 31) / 32 {
				w.Regs[int(in.D)+i][l] = d[i]
			}
		}
	}
}

// insert puts the element in register r at a bit position of d.
func insert(w *isa.Warp, d *[4]uint32, at, width int, r isa.Reg, l int) {
	if width >= 32 {
		for i := range width / 32 {
			d[at/32+i] = w.Row(isa.Above(r, i))[l]
		}
		return
	}
	d[at/32] |= w.Row(r)[l] & (1<<width - 1) << (at % 32)
}

// bindUnpack takes a register apart into the elements of Inst.Vec.
func bindUnpack(f *isa.Form) isa.Handler {
	bits := f.Type(0).Bits()
	return func(w *isa.Warp, in *isa.Inst) {
		width := bits / len(in.Vec)
		for l := range w.Mask.All {
			var a [4]uint32
			for i := range (bits + 31) / 32 {
				a[i] = w.Row(isa.Above(in.A, i))[l]
			}
			for i, r := range in.Vec {
				extract(w, &a, i*width, width, r, l)
			}
		}
	}
}

// extract gives register r the element at a bit position of a.
func extract(w *isa.Warp, a *[4]uint32, at, width int, r isa.Reg, l int) {
	if width >= 32 {
		for i := range width / 32 {
			w.Regs[int(r)+i][l] = a[at/32+i]
		}
		return
	}
	w.Regs[r][l] = a[at/32] >> (at % 32) & (1<<width - 1)
}

func bindPrmt(f *isa.Form) isa.Handler {
	switch f.Any(f.Mods...) {
	case "f4e":
		return lift3(alu.PrmtF4e)
	case "b4e":
		return lift3(alu.PrmtB4e)
	case "rc8":
		return lift3(alu.PrmtRc8)
	case "ecl":
		return lift3(alu.PrmtEcl)
	case "ecr":
		return lift3(alu.PrmtEcr)
	case "rc16":
		return lift3(alu.PrmtRc16)
	}
	return lift3(alu.Prmt)
}
