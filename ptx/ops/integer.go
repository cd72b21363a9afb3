package ops

import "github.com/lockstep-sim/lockstep/gpu/isa"

// integer is PTX ISA 9.7.1, integer arithmetic.
var integer = []isa.Op{
	{Name: "add", Types: "u16 s16 u32 s32 u64 s64", Args: "d, a, b", Unit: isa.ALU, Since: 10, Doc: "9.7.1.1", Bind: bindAdd},
}

func bindAdd(f *isa.Form) isa.Handler {
	switch f.Type(0).Bits() {
	case 16:
		return add16
	case 32:
		return add32
	}
	return add64
}

func add16(w *isa.Warp, in *isa.Inst) {
	m, d, a, b := w.Args(in)
	for l := range m.All {
		d[l] = (a[l] + b[l]) & 0xffff
	}
}

func add32(w *isa.Warp, in *isa.Inst) {
	m, d, a, b := w.Args(in)
	for l := range m.All {
		d[l] = a[l] + b[l]
	}
}

func add64(w *isa.Warp, in *isa.Inst) {
	for l := range w.Mask.All {
		w.Set64(in.D, l, w.Get64(in.A, l)+w.Get64(in.B, l))
	}
}
