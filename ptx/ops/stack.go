package ops

import "github.com/lockstep-sim/lockstep/gpu/isa"

// stack is PTX ISA 9.7.16, stack manipulation. Memory of alloca lies in local
// memory above all frames.
var stack = []isa.Op{
	{Name: "stacksave", Types: "u32 u64", Args: "d", Since: 73, SM: 52, Doc: "9.7.16.1", Bind: bindStackSave},
	{Name: "stackrestore", Types: "u32 u64", Args: "a", Since: 73, SM: 52, Doc: "9.7.16.2", Bind: bindStackRestore},
	{Name: "alloca", Types: "u32 u64", Args: "d, a, i?", Since: 73, SM: 52, Doc: "9.7.16.3", Bind: bindAlloca},
}

// mostLocal is the local memory that a thread may have, in bytes.
const mostLocal = 512 << 10

func bindStackSave(f *isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		for l := range w.Mask.All {
			setAddress(w, f, in.D, l, w.Local.Floor+w.Local.Top[l])
		}
	}
}

func bindStackRestore(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		a := w.Row(in.A)
		for l := range w.Mask.All {
			if top := a[l] - w.Local.Floor; top <= w.Local.Top[l] {
				w.Local.Top[l] = top
			} else {
				w.Raise(isa.Trap{Kind: isa.IllegalAddress, Lane: l, Addr: uint64(a[l]), Space: isa.Local, Note: "the stack was never there"})
			}
		}
	}
}

// bindAlloca gives lanes memory that is aligned to eight bytes, or as Imm says.
func bindAlloca(f *isa.Form) isa.Handler {
	wide := f.Type(0) == isa.U64
	return func(w *isa.Warp, in *isa.Inst) {
		align := uint64(max(in.Imm, 8))
		most := uint64(0)
		for l := range w.Mask.All {
			size := uint64(w.Row(in.A)[l])
			if wide {
				size = w.Get64(in.A, l)
			}
			at := (uint64(w.Local.Floor+w.Local.Top[l]) + align - 1) &^ (align - 1)
			if size > mostLocal || at+size > mostLocal {
				w.Raise(isa.Trap{Kind: isa.StackOverflow, Lane: l, Addr: at, Note: "alloca"})
				return
			}
			setAddress(w, f, in.D, l, uint32(at))
			w.Local.Top[l] = uint32(at+size) - w.Local.Floor
			most = max(most, at+size)
		}
		w.Local.Grow(uint32(most))
	}
}

// setAddress writes an address of local memory.
func setAddress(w *isa.Warp, f *isa.Form, d isa.Reg, l int, a uint32) {
	w.Regs[d][l] = a
	if f.Type(0) == isa.U64 {
		w.Regs[d+1][l] = 0
	}
}
