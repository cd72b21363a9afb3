package ops

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

const carryInts = "u32 s32 u64 s64"

// extended is PTX ISA 9.7.2, extended-precision arithmetic. Forms with .cc
// write the carry flag, addc, subc and madc read it; a subtraction's flag is
// its borrow.
var extended = []isa.Op{
	{Name: "add", Mods: "cc", Types: carryInts, Args: "d, a, b", Since: 12, Doc: "9.7.2.1", Bind: bindCarry2},
	{Name: "addc", Mods: "{cc}", Types: carryInts, Args: "d, a, b", Since: 12, Doc: "9.7.2.2", Bind: bindCarry2},
	{Name: "sub", Mods: "cc", Types: carryInts, Args: "d, a, b", Since: 12, Doc: "9.7.2.3", Bind: bindCarry2},
	{Name: "subc", Mods: "{cc}", Types: carryInts, Args: "d, a, b", Since: 12, Doc: "9.7.2.4", Bind: bindCarry2},
	{Name: "mad", Mods: "^lo|hi cc", Types: carryInts, Args: "d, a, b, c", Unit: isa.FMA, Since: 30, SM: 20, Doc: "9.7.2.5", Bind: bindCarry3},
	{Name: "madc", Mods: "^lo|hi {cc}", Types: carryInts, Args: "d, a, b, c", Unit: isa.FMA, Since: 30, SM: 20, Doc: "9.7.2.6", Bind: bindCarry3},
}

// carryUse tells whether a form reads and writes the carry flag.
func carryUse(f *isa.Form) (reads, writes bool) {
	name := f.Op.Name
	return name == "addc" || name == "subc" || name == "madc", f.Has("cc")
}

func bindCarry2(f *isa.Form) isa.Handler {
	reads, writes := carryUse(f)
	subtract := f.Op.Name == "sub" || f.Op.Name == "subc"
	if f.Type(0).Rows() == 2 {
		op := alu.AddCarry64
		if subtract {
			op = alu.SubBorrow64
		}
		return carrying(reads, writes, subtract, func(a, b, _ uint64, c uint32) (uint64, uint32) { return op(a, b, c) })
	}
	op := alu.AddCarry32
	if subtract {
		op = alu.SubBorrow32
	}
	return carrying(reads, writes, subtract, func(a, b, _, c uint32) (uint32, uint32) { return op(a, b, c) })
}

func bindCarry3(f *isa.Form) isa.Handler {
	reads, writes := carryUse(f)
	switch t := f.Type(0); {
	case t.Rows() == 2 && f.Has("lo"):
		return carrying(reads, writes, false, alu.MadLoCarry64)
	case t == isa.U64:
		return carrying(reads, writes, false, alu.MadHiCarryU64)
	case t == isa.S64:
		return carrying(reads, writes, false, alu.MadHiCarryS64)
	case f.Has("lo"):
		return carrying(reads, writes, false, alu.MadLoCarry32)
	case t == isa.U32:
		return carrying(reads, writes, false, alu.MadHiCarryU32)
	}
	return carrying(reads, writes, false, alu.MadHiCarryS32)
}

// carrying makes the handler of d, flag = f(a, b, c, flag). Operand C of an
// instruction that has none is register 0, whose value f ignores. The hardware
// subtracts by adding the complement: its flag is the complement of a borrow,
// which programs see that mix sums and differences.
func carrying[T value](reads, writes, subtract bool, f func(a, b, c T, carry uint32) (T, uint32)) isa.Handler {
	var complement uint32
	if subtract {
		complement = 1
	}
	return func(w *isa.Warp, in *isa.Inst) {
		d, a, b, c := write[T](w, in.D), read[T](w, in.A), read[T](w, in.B), read[T](w, in.C)
		for l := range w.Mask.All {
			var carry uint32
			if reads {
				carry = uint32(w.Carry>>uint(l&31))&1 ^ complement
			}
			v, out := f(a.at(l), b.at(l), c.at(l), carry)
			d.set(l, v)
			if !writes {
				continue
			}
			w.Carry &^= isa.Lane(l)
			w.Carry |= isa.Mask(out^complement) << uint(l&31)
		}
	}
}
