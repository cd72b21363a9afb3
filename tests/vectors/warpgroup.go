package vectors

import (
	"fmt"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// groupForms are the kernels of wgmma: of the narrowest shape, one that stores
// its results and one that multiplies a million tiles; of the others, one that
// stores hashes of some.
func groupForms() []*Form {
	var all []*Form
	ops.Rows(func(op *isa.Op) {
		if op.Name != "wgmma" || op.Unit != isa.Tensor || op.Types == "" {
			return
		}
		ops.Spellings(op, plainSpace, func(form *isa.Form, args []ops.Arg) {
			g := groupOf(form, args)
			switch {
			case g.n == 8:
				all = append(all, g.full("1"), g.full("-1"))
				if g.shared {
					all = append(all, g.hashed(128, manyTiles))
				}
			case g.n == 64 && g.shared && g.laidOut():
				all = append(all, g.hashed(4, 4))
				all = append(all, g.layoutForms()...)
			case g.shared || g.n == 256:
				all = append(all, g.hashed(4, 4))
			}
		})
	})
	return all
}

// warpgroup is a wgmma form.
type warpgroup struct {
	name                string
	types               [3]isa.Type
	n                   int
	sparse              bool
	shared              bool // A lies in shared memory
	scales, transposes  int  // constants of each sort
	rowBytes, leftBytes int  // of B and of A, along K
}

func groupOf(form *isa.Form, args []ops.Arg) warpgroup {
	_, n, k := shapeOf(form)
	g := warpgroup{name: spelling(form), types: [3]isa.Type{form.Type(0), form.Type(1), form.Type(2)}, n: n, sparse: form.Has("sp"), shared: args[1].Role == "a"}
	constants := 0
	for _, a := range args {
		if a.Role == "k" {
			constants++
		}
	}
	g.rowBytes, g.leftBytes = k*g.types[1].Bits()/8, k*g.types[1].Bits()/8
	if g.types[1] == isa.TF32 {
		g.rowBytes, g.leftBytes = 4*k, 4*k
	}
	if g.sparse {
		g.leftBytes /= 2
		constants-- // the selector
	}
	g.scales = min(constants, 2)
	g.transposes = constants - g.scales
	return g
}

// sums is the number of registers of D.
func (g warpgroup) sums() int {
	if g.types[0] == isa.F16 {
		return g.n / 4
	}
	return g.n / 2
}

// core is the size in bytes of the matrices' blocks, 8 rows of 16 bytes.
const core = 128

// descriptor makes a descriptor in register d of the rows of some bytes that
// begin at an offset in sh: blocks lie side by side along K, then below one
// another.
func descriptor(b *strings.Builder, d string, offset, rowBytes int) {
	high := uint64(core)>>4<<16 | uint64(core*rowBytes/16)>>4<<32
	fmt.Fprintf(b, "mov.u32 %%r50, sh;\nadd.u32 %%r50, %%r50, %d;\nshr.u32 %%r50, %%r50, 4;\ncvt.u64.u32 %s, %%r50;\nor.b64 %s, %s, %d;\n", offset, d, d, d, high)
}

// body multiplies tile %r40, whose sum is in registers c.
func (g warpgroup) body(c []string, sign string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "mov.u32 %%r43, %%tid.x;\n")
	left := 0
	g.share(&b, 1, 0, g.n*g.rowBytes/4)
	if g.shared {
		left = g.n * g.rowBytes
		g.share(&b, 0, left, 64*g.leftBytes/4)
	}
	take := func(s int, names []string) {
		fmt.Fprintf(&b, "mul.lo.u32 %%r41, %%r40, %d;\nshr.u32 %%r42, %%r40, 12;\nmad.lo.u32 %%r41, %%r42, %d, %%r41;\nadd.u32 %%r41, %%r41, %%r43;\n", pools[s].step, pools[s].round)
		for r, name := range names {
			fmt.Fprintf(&b, "add.u32 %%r42, %%r41, %d;\nand.b32 %%r42, %%r42, %d;\nmad.wide.u32 %%u20, %%r42, 8, %%in;\nld.global.b32 %s, [%%u20+%d];\n", 128*r, poolWords-1, name, 8*poolWords*s)
		}
	}
	a := "%u31"
	if !g.shared {
		names := []string{"%r60", "%r61", "%r62", "%r63"}[:g.leftBytes/8]
		take(0, names)
		a = "{" + strings.Join(names, ", ") + "}"
	}
	take(2, c)
	operands := []string{"{" + strings.Join(c, ", ") + "}", a, "%u30"}
	if g.sparse {
		take(3, []string{"%r51"})
		operands = append(operands, "%r51", "0")
	}
	operands = append(operands, "%p2")
	for range g.scales {
		operands = append(operands, sign)
	}
	for range g.transposes {
		operands = append(operands, "0")
	}
	descriptor(&b, "%u30", 0, g.rowBytes)
	descriptor(&b, "%u31", left, g.leftBytes)
	b.WriteString("and.b32 %r52, %r40, 7;\nsetp.ne.u32 %p2, %r52, 0;\nfence.proxy.async.shared::cta;\nbar.sync 0;\nwgmma.fence.sync.aligned;\n")
	b.WriteString(g.name + " " + strings.Join(operands, ", ") + ";\n")
	b.WriteString("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\nbar.sync 0;\n")
	return b.String()
}

// share copies words of pool s to an offset in sh.
func (g warpgroup) share(b *strings.Builder, s, offset, words int) {
	label := fmt.Sprintf("SHARE%d", s)
	fmt.Fprintf(b, "mul.lo.u32 %%r41, %%r40, %d;\nshr.u32 %%r42, %%r40, 12;\nmad.lo.u32 %%r41, %%r42, %d, %%r41;\n", pools[s].step, pools[s].round)
	fmt.Fprintf(b, "mov.u32 %%r44, %%r43;\nmov.u32 %%r45, sh;\nmad.lo.u32 %%r45, %%r43, 4, %%r45;\n%s:\n", label)
	fmt.Fprintf(b, "add.u32 %%r42, %%r41, %%r44;\nand.b32 %%r42, %%r42, %d;\nmad.wide.u32 %%u20, %%r42, 8, %%in;\nld.global.b32 %%r46, [%%u20+%d];\n", poolWords-1, 8*poolWords*s)
	fmt.Fprintf(b, "setp.lt.u32 %%p1, %%r44, %d;\n@%%p1 st.shared.b32 [%%r45+%d], %%r46;\n", words, offset)
	fmt.Fprintf(b, "add.u32 %%r44, %%r44, %d;\nadd.u32 %%r45, %%r45, %d;\nsetp.lt.u32 %%p1, %%r44, %d;\n@%%p1 bra %s;\n", Block, 4*Block, words, label)
}

func (g warpgroup) form(ctas int) *Form {
	f := &Form{Name: g.name, Threads: ctas * Block, Pool: true, Shared: g.n*g.rowBytes + 64*g.leftBytes}
	f.Sources = []Kind{poolOf(g.types[1]), poolOf(g.types[2]), poolOf(g.types[0])}
	if g.sparse {
		f.Sources = append(f.Sources, metadataOf(g.types[1]).kind)
	}
	if g.shared {
		f.Name += " shared"
	}
	return f
}

const groupTile = "mov.u32 %r40, %ctaid.x;\n"

// full stores the results of some tiles.
func (g warpgroup) full(sign string) *Form {
	if sign != "1" && g.scales == 0 {
		return nil
	}
	f := g.form(8)
	if sign != "1" {
		f.Name += " negated"
	}
	var c []string
	for i := range g.sums() {
		f.Results = append(f.Results, 32)
		c = append(c, fmt.Sprintf("%%d%d", i))
	}
	f.Body = groupTile + "mad.lo.u32 %r40, %r40, 61, 0;\n" + g.body(c, sign)
	return f
}

// hashed stores hashes of the results of so many tiles a CTA.
func (g warpgroup) hashed(ctas, tiles int) *Form {
	f := g.form(ctas)
	f.Many = tiles == manyTiles
	f.Name += " hashed"
	if f.Many {
		f.Name += " many"
	}
	f.Results = []int{64}
	var c []string
	for i := range g.sums() {
		c = append(c, fmt.Sprintf("%%c%d", i))
	}
	f.Body = fmt.Sprintf(".reg .b32 %%c<%d>;\n", len(c)) + groupTile + "mov.u64 %d0, 0xcbf29ce484222325;\nmov.u32 %r1, 0;\nLOOP:\n" + g.body(c, "1") + hashOf(c, 32) +
		fmt.Sprintf("add.u32 %%r40, %%r40, %d;\nadd.u32 %%r1, %%r1, 1;\nsetp.lt.u32 %%p1, %%r1, %d;\n@%%p1 bra LOOP;", ctas, tiles)
	return f
}

// laidOut reports a type of which all layouts are tried; the other types of the
// same width have the same ones.
func (g warpgroup) laidOut() bool {
	return g.types == [3]isa.Type{isa.F32, isa.F16, isa.F16} || g.types[1] == isa.TF32 || g.types[1] == isa.S8 && g.types[2] == isa.S8
}

// layout is what a descriptor says beside the mode of swizzling; bytes.
type layout struct{ start, lead, stride, base int }

// layouts are ordinary ones, one whose matrix does not begin where the pattern of
// swizzling does, and one that says so.
var layouts = []layout{{0, 4096, 0, 0}, {288, 2064, 528, 0}, {640, 1040, 1536, 640}}

// widths are the lengths of swizzled rows in bytes, by the number of the mode.
var widths = []int{16, 128, 64, 32}

// layoutForms multiply whatever lies where the descriptors lead.
func (g warpgroup) layoutForms() (all []*Form) {
	turns := 1 << g.transposes
	for mode, width := range widths {
		for n, l := range layouts {
			if l.stride == 0 {
				l.stride = 8 * width
			}
			for turn := range turns {
				f := g.form(2)
				f.Name += fmt.Sprintf(" rows %d layout %d turned %d", width, n, turn)
				f.Shared, f.Results = 4*poolWords, []int{64}
				var c []string
				for i := range g.sums() {
					c = append(c, fmt.Sprintf("%%c%d", i))
				}
				f.Body = fmt.Sprintf(".reg .b32 %%c<%d>;\n", len(c)) + groupTile + "mov.u64 %d0, 0xcbf29ce484222325;\n" + g.laid(c, mode, l, turn) + hashOf(c, 32)
				all = append(all, f)
			}
		}
	}
	return all
}

// laid multiplies the matrices that lie in sh as l says.
func (g warpgroup) laid(c []string, mode int, l layout, turn int) string {
	var b strings.Builder
	b.WriteString("mov.u32 %r43, %tid.x;\n")
	g.share(&b, 1, 0, poolWords)
	for _, name := range c {
		fmt.Fprintf(&b, "mov.b32 %s, 0;\n", name)
	}
	high := uint64(l.lead)>>4<<16 | uint64(l.stride)>>4<<32 | uint64(l.base)>>7<<49 | uint64(mode)<<62
	fmt.Fprintf(&b, "mov.u32 %%r50, sh;\nadd.u32 %%r50, %%r50, %d;\nshr.u32 %%r50, %%r50, 4;\ncvt.u64.u32 %%u30, %%r50;\nor.b64 %%u30, %%u30, 0x%x;\n", l.start, high)
	operands := []string{"{" + strings.Join(c, ", ") + "}", "%u30", "%u30"}
	if g.sparse {
		b.WriteString("mov.b32 %r51, 0x4e9d84c9;\n")
		if g.types[1] == isa.TF32 {
			b.WriteString("mov.b32 %r51, 0x4ee4e44e;\n")
		}
		operands = append(operands, "%r51", "0")
	}
	operands = append(operands, "0")
	for range g.scales {
		operands = append(operands, "1")
	}
	for i := range g.transposes {
		operands = append(operands, fmt.Sprint(turn>>i&1))
	}
	b.WriteString("fence.proxy.async.shared::cta;\nbar.sync 0;\nwgmma.fence.sync.aligned;\n" + g.name + " " + strings.Join(operands, ", ") + ";\n" +
		"wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n")
	return b.String()
}
