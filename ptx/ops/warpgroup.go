package ops

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// groupShapes are the shapes m64nNk of wgmma: N is a multiple of 8, with
// integers one of 16 or 24 or 8.
func groupShapes(k int, integers bool) string {
	var shapes []string
	for n := 8; n <= 256; n += 8 {
		if !integers || n%16 == 0 || n <= 24 {
			shapes = append(shapes, "m64n"+strconv.Itoa(n)+"k"+strconv.Itoa(k))
		}
	}
	return strings.Join(shapes, "|")
}

const (
	groupMma    = "mma_async sync aligned "
	groupSparse = "mma_async sp sync aligned "
	fromShared  = "G:b32, a:b64, b:b64, "
	fromRegs    = "G:b32, F:b32, b:b64, "
	withMeta    = "c:b32, k, "
)

// warpgroup is PTX ISA 9.7.15, matrix instructions of four warps.
var warpgroup = []isa.Op{
	{Name: "wgmma", Mods: groupMma + groupShapes(16, false), Types: "f16 f32 / f16 / f16", Args: fromShared + "s, k, k, k, k", Unit: isa.Tensor, Class: isa.Variable, Since: 80, SM: 90, Only: "90a", Doc: "9.7.15.5.2", Bind: bindGroupFloat, Check: checkGroup},
	{Name: "wgmma", Mods: groupMma + groupShapes(16, false), Types: "f16 f32 / f16 / f16", Args: fromRegs + "s, k, k, k", Unit: isa.Tensor, Class: isa.Variable, Since: 80, SM: 90, Only: "90a", Doc: "9.7.15.5.2", Bind: bindGroupFloat, Check: checkGroup},
	{Name: "wgmma", Mods: groupMma + groupShapes(16, false), Types: "f32 / bf16 / bf16", Args: fromShared + "s, k, k, k, k", Unit: isa.Tensor, Class: isa.Variable, Since: 80, SM: 90, Only: "90a", Doc: "9.7.15.5.2", Bind: bindGroupFloat, Check: checkGroup},
	{Name: "wgmma", Mods: groupMma + groupShapes(16, false), Types: "f32 / bf16 / bf16", Args: fromRegs + "s, k, k, k", Unit: isa.Tensor, Class: isa.Variable, Since: 80, SM: 90, Only: "90a", Doc: "9.7.15.5.2", Bind: bindGroupFloat, Check: checkGroup},
	{Name: "wgmma", Mods: groupMma + groupShapes(8, false), Types: "f32 / tf32 / tf32", Args: fromShared + "s, k, k", Unit: isa.Tensor, Class: isa.Variable, Since: 80, SM: 90, Only: "90a", Doc: "9.7.15.5.2", Bind: bindGroupFloat, Check: checkGroup},
	{Name: "wgmma", Mods: groupMma + groupShapes(8, false), Types: "f32 / tf32 / tf32", Args: fromRegs + "s, k, k", Unit: isa.Tensor, Class: isa.Variable, Since: 80, SM: 90, Only: "90a", Doc: "9.7.15.5.2", Bind: bindGroupFloat, Check: checkGroup},
	{Name: "wgmma", Mods: groupMma + groupShapes(32, false), Types: "f16 f32 / e4m3 e5m2 / e4m3 e5m2", Args: fromShared + "s, k, k", Unit: isa.Tensor, Class: isa.Variable, Since: 80, SM: 90, Only: "90a", Doc: "9.7.15.5.2", Bind: bindGroupFloat, Check: checkGroup},
	{Name: "wgmma", Mods: groupMma + groupShapes(32, false), Types: "f16 f32 / e4m3 e5m2 / e4m3 e5m2", Args: fromRegs + "s, k, k", Unit: isa.Tensor, Class: isa.Variable, Since: 80, SM: 90, Only: "90a", Doc: "9.7.15.5.2", Bind: bindGroupFloat, Check: checkGroup},
	{Name: "wgmma", Mods: groupMma + groupShapes(32, true) + " {satfinite}", Types: "s32 / u8 s8 / u8 s8", Args: fromShared + "s", Unit: isa.Tensor, Class: isa.Variable, Since: 80, SM: 90, Only: "90a", Doc: "9.7.15.5.2", Bind: bindGroupInteger, Check: checkGroup},
	{Name: "wgmma", Mods: groupMma + groupShapes(32, true) + " {satfinite}", Types: "s32 / u8 s8 / u8 s8", Args: fromRegs + "s", Unit: isa.Tensor, Class: isa.Variable, Since: 80, SM: 90, Only: "90a", Doc: "9.7.15.5.2", Bind: bindGroupInteger, Check: checkGroup},
	{Name: "wgmma", Mods: groupMma + groupShapes(256, true) + " and popc", Types: "s32 / b1 / b1", Args: fromShared + "s", Unit: isa.Tensor, Class: isa.Variable, Since: 80, SM: 90, Only: "90a", Doc: "9.7.15.5.2", Bind: bindGroupInteger, Check: checkGroup},
	{Name: "wgmma", Mods: groupMma + groupShapes(256, true) + " and popc", Types: "s32 / b1 / b1", Args: fromRegs + "s", Unit: isa.Tensor, Class: isa.Variable, Since: 80, SM: 90, Only: "90a", Doc: "9.7.15.5.2", Bind: bindGroupInteger, Check: checkGroup},

	{Name: "wgmma", Mods: groupSparse + groupShapes(32, false), Types: "f16 f32 / f16 / f16", Args: fromShared + withMeta + "s, k, k, k, k", Unit: isa.Tensor, Class: isa.Variable, Since: 82, SM: 90, Only: "90a", Doc: "9.7.15.6.4", Bind: bindGroupFloat, Check: checkGroup},
	{Name: "wgmma", Mods: groupSparse + groupShapes(32, false), Types: "f16 f32 / f16 / f16", Args: fromRegs + withMeta + "s, k, k, k", Unit: isa.Tensor, Class: isa.Variable, Since: 82, SM: 90, Only: "90a", Doc: "9.7.15.6.4", Bind: bindGroupFloat, Check: checkGroup},
	{Name: "wgmma", Mods: groupSparse + groupShapes(32, false), Types: "f32 / bf16 / bf16", Args: fromShared + withMeta + "s, k, k, k, k", Unit: isa.Tensor, Class: isa.Variable, Since: 82, SM: 90, Only: "90a", Doc: "9.7.15.6.4", Bind: bindGroupFloat, Check: checkGroup},
	{Name: "wgmma", Mods: groupSparse + groupShapes(32, false), Types: "f32 / bf16 / bf16", Args: fromRegs + withMeta + "s, k, k, k", Unit: isa.Tensor, Class: isa.Variable, Since: 82, SM: 90, Only: "90a", Doc: "9.7.15.6.4", Bind: bindGroupFloat, Check: checkGroup},
	{Name: "wgmma", Mods: groupSparse + groupShapes(16, false), Types: "f32 / tf32 / tf32", Args: fromShared + withMeta + "s, k, k", Unit: isa.Tensor, Class: isa.Variable, Since: 82, SM: 90, Only: "90a", Doc: "9.7.15.6.4", Bind: bindGroupFloat, Check: checkGroup},
	{Name: "wgmma", Mods: groupSparse + groupShapes(16, false), Types: "f32 / tf32 / tf32", Args: fromRegs + withMeta + "s, k, k", Unit: isa.Tensor, Class: isa.Variable, Since: 82, SM: 90, Only: "90a", Doc: "9.7.15.6.4", Bind: bindGroupFloat, Check: checkGroup},
	{Name: "wgmma", Mods: groupSparse + groupShapes(64, false), Types: "f16 f32 / e4m3 e5m2 / e4m3 e5m2", Args: fromShared + withMeta + "s, k, k", Unit: isa.Tensor, Class: isa.Variable, Since: 82, SM: 90, Only: "90a", Doc: "9.7.15.6.4", Bind: bindGroupFloat, Check: checkGroup},
	{Name: "wgmma", Mods: groupSparse + groupShapes(64, false), Types: "f16 f32 / e4m3 e5m2 / e4m3 e5m2", Args: fromRegs + withMeta + "s, k, k", Unit: isa.Tensor, Class: isa.Variable, Since: 82, SM: 90, Only: "90a", Doc: "9.7.15.6.4", Bind: bindGroupFloat, Check: checkGroup},
	{Name: "wgmma", Mods: groupSparse + groupShapes(64, true) + " {satfinite}", Types: "s32 / u8 s8 / u8 s8", Args: fromShared + withMeta + "s", Unit: isa.Tensor, Class: isa.Variable, Since: 82, SM: 90, Only: "90a", Doc: "9.7.15.6.4", Bind: bindGroupInteger, Check: checkGroup},
	{Name: "wgmma", Mods: groupSparse + groupShapes(64, true) + " {satfinite}", Types: "s32 / u8 s8 / u8 s8", Args: fromRegs + withMeta + "s", Unit: isa.Tensor, Class: isa.Variable, Since: 82, SM: 90, Only: "90a", Doc: "9.7.15.6.4", Bind: bindGroupInteger, Check: checkGroup},

	{Name: "wgmma", Mods: "fence sync aligned", Unit: isa.Tensor, Since: 80, SM: 90, Only: "90a", Doc: "9.7.15.7.1", Bind: bindNothing},
	{Name: "wgmma", Mods: "commit_group sync aligned", Unit: isa.Tensor, Flow: isa.GroupCommit, Since: 80, SM: 90, Only: "90a", Doc: "9.7.15.7.2", Bind: bindNothing},
	{Name: "wgmma", Mods: "wait_group sync aligned", Args: "i", Unit: isa.Tensor, Flow: isa.GroupWait, Fence: isa.FenceCTA, Since: 80, SM: 90, Only: "90a", Doc: "9.7.15.7.3", Bind: bindNothing, Check: checkGroupWait},
}

// groupWarps is the number of warps of a warpgroup.
const groupWarps = 4

// groupShape is what a warp does of a wgmma: 16 rows of A times all of B.
type groupShape struct {
	structure
	a, b     tile // A as it is stored
	n        int  // columns
	sparse   bool
	fromRegs bool
	scaled   bool // the operands say which factors are negated
	turning  bool // the operands say which matrices are turned
	half     bool // D is f16
}

func groupShapeOf(f *isa.Form) groupShape {
	g := groupShape{sparse: f.Has("sp"), fromRegs: strings.Contains(f.Op.Args, "F:"), half: f.Type(0) == isa.F16}
	t, k := f.Type(1), 0
	for _, m := range f.Mods {
		if _, n, depth, ok := shapeOf(m); ok {
			g.n, k = n, depth
		}
	}
	g.scaled, g.turning = t.IsFloat(), t == isa.F16 || t == isa.BF16
	g.b = tile{m: 16, k: k, each: perRegister(t)}
	if t == isa.B1 {
		g.b.k, g.b.each = k/32, 1
	}
	g.a = g.b
	if g.sparse {
		g.structure = structureOf(t, k)
		g.a.k /= 2
	}
	return g
}

func (g *groupShape) dRegs() int { return g.n / 2 / perElement(g.half) }

// groupOptions are the constants of an instruction.
type groupOptions struct {
	selector         int
	negateA, negateB bool
	turnedA, turnedB bool
}

func (g *groupShape) options(imm int64) (o groupOptions) {
	take := func() int64 { v := imm & 15; imm >>= 4; return v }
	if g.turning {
		o.turnedB = take() == 1
		o.turnedA = !g.fromRegs && take() == 1
	}
	if g.scaled {
		o.negateB = take() != 1
		o.negateA = take() != 1
	}
	o.selector = int(imm)
	return o
}

func checkGroup(f *isa.Form, in *isa.Inst) string {
	g := groupShapeOf(f)
	want := g.dRegs()
	if g.fromRegs {
		want += g.a.aRegs()
	}
	if len(in.Vec) != want {
		return wrongRegisters
	}
	imm := in.Imm
	take := func() int64 { v := imm & 15; imm >>= 4; return v }
	if g.turning {
		for range 2 {
			if g.fromRegs && imm != in.Imm {
				break
			}
			if take() > 1 {
				return "a transpose operand must be 0 or 1"
			}
		}
	}
	if g.scaled {
		for range 2 {
			if v := take(); v != 1 && v != 15 {
				return "a scale operand must be 1 or -1"
			}
		}
	}
	if g.sparse && imm >= int64(g.selectors()) {
		return fmt.Sprintf("the sparsity selector is %d, but must be below %d", imm, g.selectors())
	}
	return ""
}

func checkGroupWait(_ *isa.Form, in *isa.Inst) string {
	if in.Imm < 0 {
		return fmt.Sprintf("the number of groups is %d, but must not be negative", in.Imm)
	}
	return ""
}

// groupProduct multiplies.
type groupProduct struct {
	groupShape
	multipliers *multipliers
}

func bindGroupFloat(f *isa.Form) isa.Handler {
	g := groupProduct{groupShape: groupShapeOf(f)}
	rule := fusing{fraction: hopperBits, step: g.a.k, out: sumFormatOf(f.Type(0), f.Type(0))}
	if f.Type(1).Bits() == 8 {
		rule.fraction = hopperEightBits
		if rule.out == toF32 {
			rule.out = toF32Short
		}
	}
	g.multipliers = floatMultipliers(f.Type(1), f.Type(2), g.half, rule)
	return g.handler
}

func bindGroupInteger(f *isa.Form) isa.Handler {
	g := groupProduct{groupShapeOf(f), integerMultipliers(f.Type(1), f.Type(2), countingOf(f))}
	return g.handler
}

// handler forms the warp's rows of the product. All is done at once, so that a
// group of products is complete when it is committed; waiting for one is left to
// the engine, which lets no warp pass before the others of its warpgroup.
func (g *groupProduct) handler(w *isa.Warp, in *isa.Inst) {
	o := g.options(in.Imm)
	x := g.multipliers.take()
	defer g.multipliers.give(x)
	if !g.rows(w, in, o, x) {
		return
	}
	var to selection
	if g.sparse {
		g.read(w.Row(in.C), o.selector, &to)
	}
	b := sharedMatrixOf(w.CTA, w.Get64(in.B, w.Mask.First()), o.turnedB)
	add := w.Source(in)&w.Mask != 0
	per := 4 / perElement(g.half)
	for n := 0; n < g.n; n += 8 {
		if !b.load(w, n, 8, g.b.k/g.b.each, g.b.each, x.column) {
			return
		}
		if o.negateB {
			x.negateColumns()
		}
		g.multiply(w, in.Vec[n/8*per:][:per], x, &to, add)
	}
}

// rows gives x the 16 rows of A that the warp multiplies.
func (g *groupProduct) rows(w *isa.Warp, in *isa.Inst, o groupOptions, x multiplier) bool {
	if g.fromRegs {
		g.a.loadA(w, in.Vec[g.dRegs():], x)
	} else {
		m := sharedMatrixOf(w.CTA, w.Get64(in.A, w.Mask.First()), o.turnedA)
		if !m.load(w, w.Index%groupWarps*16, 16, g.a.k/g.a.each, g.a.each, x.row) {
			return false
		}
	}
	if o.negateA {
		x.negateRows()
	}
	return true
}

// multiply forms eight columns of D.
func (g *groupProduct) multiply(w *isa.Warp, d []isa.Reg, x multiplier, to *selection, add bool) {
	var out results
	for i := range to {
		if g.sparse {
			x.gather(to[i][:g.a.k])
		}
		var c [8]uint32
		if add {
			c = g.a.rowOf(w, d, g.half, 0, i)
		}
		out.setRow(g.half, 0, i, x.sums(i, g.a.k, &c))
	}
	out.write(w, d)
}
