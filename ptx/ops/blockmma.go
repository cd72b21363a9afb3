package ops

import "github.com/lockstep-sim/lockstep/gpu/isa"

const (
	rtxTargets  = "120a 120f 121a 121f"
	tinyTypes   = "e4m3 e5m2 e2m3 e3m2 e2m1"
	scaledArgs  = "E:b32, F:b32, F:b32, F:b32, v:b32, F:b16, v:b32, F:b16"
	scaledArgsS = "E:b32, F:b32, F:b32, F:b32, v:b32, k, v:b32, F:b16, v:b32, F:b16"
	ordered     = "sp::ordered_metadata sync aligned "
)

// blockMma is the part of PTX ISA 9.7.14 that sm_120 brought: factors of six and
// four bits, and of scaled blocks. Sums are formed as MMA-Sim's models say; no
// card was asked.
var blockMma = []isa.Op{
	{Name: "mma", Mods: "sync aligned kind::f8f6f4 m16n8k32 row col", Types: "f32 f16 / " + tinyTypes + " / " + tinyTypes + " / f32 f16", Args: "E:b32, F:b32, F:b32, F:b32", Unit: isa.Tensor, Class: isa.Variable, Since: 87, SM: 120, Only: rtxTargets, Doc: "9.7.14.5.14", Bind: bindTinyMma, Check: checkTinyMma},
	{Name: "mma", Mods: ordered + "kind::f8f6f4 m16n8k64 row col", Types: "f32 f16 / " + tinyTypes + " / " + tinyTypes + " / f32 f16", Args: "E:b32, F:b32, F:b32, F:b32, F:b32, k", Unit: isa.Tensor, Class: isa.Variable, Since: 87, SM: 120, Only: rtxTargets, Doc: "9.7.14.6.3", Bind: bindTinyMma, Check: checkTinyMma},

	{Name: "mma", Mods: "sync aligned kind::mxf8f6f4 block_scale {scale_vec::1X} m16n8k32 row col ue8m0", Types: "f32 / " + tinyTypes + " / " + tinyTypes + " / f32", Args: scaledArgs, Unit: isa.Tensor, Class: isa.Variable, Since: 87, SM: 120, Only: rtxTargets, Doc: "9.7.14.5.14", Bind: bindScaledMma, Check: checkScaledMma},
	{Name: "mma", Mods: "sync aligned kind::mxf4 block_scale {scale_vec::2X} m16n8k64 row col ue8m0", Types: "f32 / e2m1 / e2m1 / f32", Args: scaledArgs, Unit: isa.Tensor, Class: isa.Variable, Since: 87, SM: 120, Only: rtxTargets, Doc: "9.7.14.5.14", Bind: bindScaledMma, Check: checkScaledMma},
	{Name: "mma", Mods: "sync aligned kind::mxf4nvf4 block_scale scale_vec::4X m16n8k64 row col ue4m3", Types: "f32 / e2m1 / e2m1 / f32", Args: scaledArgs, Unit: isa.Tensor, Class: isa.Variable, Since: 87, SM: 120, Only: rtxTargets, Doc: "9.7.14.5.14", Bind: bindScaledMma, Check: checkScaledMma},
	{Name: "mma", Mods: "sync aligned kind::mxf4nvf4 block_scale scale_vec::2X m16n8k64 row col ue8m0", Types: "f32 / e2m1 / e2m1 / f32", Args: scaledArgs, Unit: isa.Tensor, Class: isa.Variable, Since: 87, SM: 120, Only: rtxTargets, Doc: "9.7.14.5.14", Bind: bindScaledMma, Check: checkScaledMma},
	{Name: "mma", Mods: ordered + "kind::mxf8f6f4 block_scale {scale_vec::1X} m16n8k64 row col ue8m0", Types: "f32 / " + tinyTypes + " / " + tinyTypes + " / f32", Args: scaledArgsS, Unit: isa.Tensor, Class: isa.Variable, Since: 87, SM: 120, Only: rtxTargets, Doc: "9.7.14.6.3", Bind: bindScaledMma, Check: checkScaledMma},
	{Name: "mma", Mods: ordered + "kind::mxf4 block_scale {scale_vec::2X} m16n8k128 row col ue8m0", Types: "f32 / e2m1 / e2m1 / f32", Args: scaledArgsS, Unit: isa.Tensor, Class: isa.Variable, Since: 87, SM: 120, Only: rtxTargets, Doc: "9.7.14.6.3", Bind: bindScaledMma, Check: checkScaledMma},
	{Name: "mma", Mods: ordered + "kind::mxf4nvf4 block_scale scale_vec::4X m16n8k128 row col ue4m3", Types: "f32 / e2m1 / e2m1 / f32", Args: scaledArgsS, Unit: isa.Tensor, Class: isa.Variable, Since: 87, SM: 120, Only: rtxTargets, Doc: "9.7.14.6.3", Bind: bindScaledMma, Check: checkScaledMma},
	{Name: "mma", Mods: ordered + "kind::mxf4nvf4 block_scale scale_vec::2X m16n8k128 row col ue8m0", Types: "f32 / e2m1 / e2m1 / f32", Args: scaledArgsS, Unit: isa.Tensor, Class: isa.Variable, Since: 87, SM: 120, Only: rtxTargets, Doc: "9.7.14.6.3", Bind: bindScaledMma, Check: checkScaledMma},
}

// blockProduct is the shape of such an mma.
type blockProduct struct {
	sparseProduct // of a dense one, without structure
	half          bool
	scales        int // of a row, 0 if it is not scaled
}

func blockProductOf(f *isa.Form) blockProduct {
	p, _ := productOf(f, f.Type(1))
	if !f.Has("kind::mxf4") && !f.Has("kind::mxf4nvf4") {
		p.each = 4 // narrower elements lie in bytes
	}
	x := blockProduct{sparseProduct: sparseProduct{a: p.tile, b: p.tile}, half: f.Type(3) == isa.F16}
	if f.Has("sp::ordered_metadata") {
		x.a.k /= 2
		x.structure = structure{chunks: 16, stored: p.k / 32, narrow: true}
	}
	if f.Has("block_scale") {
		x.scales = scaleCount(f)
	}
	return x
}

// registers are those of D, A, B and C.
func (x *blockProduct) registers() counts { return x.counts(perElement(x.half)) }

func checkTinyMma(f *isa.Form, in *isa.Inst) string { return checkBlockMma(f, in, 0) }

// scaleOperands is the number of registers that say where a row's and a column's
// scales are.
const scaleOperands = 6

func checkScaledMma(f *isa.Form, in *isa.Inst) string { return checkBlockMma(f, in, scaleOperands) }

func checkBlockMma(f *isa.Form, in *isa.Inst, more int) string {
	x := blockProductOf(f)
	n := x.registers()
	want := n.d + n.a + n.b + n.c + more
	if x.chunks > 0 {
		want++
	}
	switch {
	case len(in.Vec) != want:
		return wrongRegisters
	case x.chunks > 0 && in.Imm != 0:
		return "the sparsity selector must be 0"
	}
	return ""
}

func bindTinyMma(f *isa.Form) isa.Handler {
	if f.Type(0) != f.Type(3) {
		return nil
	}
	x := blockProductOf(f)
	rule := fusing{fraction: hopperBits, step: x.a.k, out: sumFormatOf(f.Type(0), f.Type(3))}
	return x.handler(floatMultipliers(f.Type(1), f.Type(2), x.half, rule))
}

func bindScaledMma(f *isa.Form) isa.Handler {
	x := blockProductOf(f)
	if f.Has("kind::mxf8f6f4") {
		return x.handler(floatMultipliers(f.Type(1), f.Type(2), false, fusing{fraction: hopperBits, step: x.a.k}))
	}
	byExponent := f.Has("ue8m0")
	return x.handler(newMultipliers(func() multiplier { return &blockTile{counts: x.scales, byExponent: byExponent} }))
}

func (x blockProduct) handler(all *multipliers) isa.Handler {
	n := x.registers()
	return func(w *isa.Warp, in *isa.Inst) {
		v := in.Vec[n.d+n.a+n.b+n.c:]
		o := operandsOf{d: in.Vec[:n.d], a: in.Vec[n.d:][:n.a], b: in.Vec[n.d+n.a:][:n.b], c: in.Vec[n.d+n.a+n.b:][:n.c]}
		t := all.take()
		defer all.give(t)
		x.a.loadA(w, o.a, t)
		x.b.loadB(w, o.b, t)
		var to selection
		if x.chunks > 0 {
			x.read(w.Row(v[0]), 0, &to)
			v = v[1:]
		}
		if x.scales > 0 && !x.scale(w, v, t.(scaler)) {
			return
		}
		var out results
		for i := range to {
			if x.chunks > 0 {
				t.gather(to[i][:x.a.k])
			}
			c := x.a.rowOf(w, o.c, x.half, 0, i)
			out.setRow(x.half, 0, i, t.sums(i, x.a.k, &c))
		}
		out.write(w, o.d)
	}
}

// scale hands on the scales: of each factor a register, the first byte of it
// that counts, and the lanes of each four that have it.
func (x *blockProduct) scale(w *isa.Warp, v []isa.Reg, t scaler) bool {
	first := w.Mask.First()
	number := func(r isa.Reg) int { return int(w.Row(r)[first] & 0xffff) }
	byteA, pair, byteB, lane := number(v[1]), number(v[2]), number(v[4]), number(v[5])
	if byteA+x.scales > 4 || byteB+x.scales > 4 || byteA%x.scales != 0 || byteB%x.scales != 0 || pair > 1 || lane > 3 {
		refuse(w, first, "mma names scales that a register does not have")
		return false
	}
	rows, columns := w.Row(v[0]), w.Row(v[3])
	for s := range x.scales {
		for i := range 16 {
			t.scaleRow(i, s, uint8(rows[i&7<<2+2*pair+i>>3]>>(8*uint(byteA+s))))
		}
		for j := range 8 {
			t.scaleColumn(j, s, uint8(columns[4*j+lane]>>(8*uint(byteB+s))))
		}
	}
	return true
}
