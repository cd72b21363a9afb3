package vectors

import (
	"fmt"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

const (
	poolWords = 4096 // of each source of a matrix form; one thread each
	manyTiles = 8000 // that each of the 128 warps of a repeating form multiplies
)

// shapeOf is the shape that a form names.
func shapeOf(form *isa.Form) (m, n, k int) {
	for _, mod := range form.Mods {
		if c, _ := fmt.Sscanf(mod, "m%dn%dk%d", &m, &n, &k); c == 3 {
			return m, n, k
		}
	}
	return 0, 0, 0
}

// fragment is a list of registers that hold a matrix.
type fragment struct {
	kind Kind // of the pool
	regs int
	bits int // of a register
}

// poolOf is the kind of pool for matrix elements of a type.
func poolOf(t isa.Type) Kind { return Kind("matrix " + t.String()) }

// fragmentOf is a matrix of some number of elements of a type.
func fragmentOf(t isa.Type, elements int) fragment {
	f := fragment{kind: poolOf(t), bits: 32, regs: elements * max(t.Bits(), 1) / 1024}
	if t == isa.F64 {
		f.bits, f.regs = 64, elements/32
	}
	return f
}

// product is an mma or wmma form's matrices.
type product struct{ d, a, b, c fragment }

func productOf(form *isa.Form) product {
	m, n, k := shapeOf(form)
	t := [4]isa.Type{form.Type(0), form.Type(1), form.Type(2), form.Type(3)}
	half := len(form.Types) == 2 // wmma of f16 names D and C only
	if half {
		t = [4]isa.Type{form.Type(0), isa.F16, isa.F16, form.Type(1)}
	}
	p := product{fragmentOf(t[0], m*n), fragmentOf(t[1], m*k), fragmentOf(t[2], n*k), fragmentOf(t[3], m*n)}
	switch {
	case half:
		p.a.regs, p.b.regs = 8, 8
	case k == 4 && t[1] == isa.F16: // four products
		p.a.regs, p.b.regs = 2, 2
		p.c.regs, p.d.regs = 4*p.c.regs, 4*p.d.regs
	}
	return p
}

// pools are the strides at which tiles lie in the pools of A, B and C: a step
// for each tile and one for each full round of the pool, so that no two tiles
// of a form have the same operands.
var pools = []struct{ step, round int }{{33, 0}, {97, 1031}, {161, 517}, {225, 263}}

// loadFragment loads the registers of source s for tile %r40 from its pool.
func (g fragment) loadFragment(b *strings.Builder, s int, names []string) {
	fmt.Fprintf(b, "mul.lo.u32 %%r41, %%r40, %d;\nshr.u32 %%r42, %%r40, 12;\nmad.lo.u32 %%r41, %%r42, %d, %%r41;\nadd.u32 %%r41, %%r41, %%r43;\n", pools[s].step, pools[s].round)
	for r, name := range names {
		fmt.Fprintf(b, "add.u32 %%r42, %%r41, %d;\nand.b32 %%r42, %%r42, %d;\nmad.wide.u32 %%u20, %%r42, 8, %%in;\nld.global.b%d %s, [%%u20+%d];\n", 32*r, poolWords-1, g.bits, name, 8*poolWords*s)
	}
}

// registers names a list of registers from a numbered one on.
func (g fragment) registers(first int) (names []string) {
	for r := range g.regs {
		if g.bits == 64 {
			names = append(names, fmt.Sprintf("%%u%d", 22+first+r))
		} else {
			names = append(names, fmt.Sprintf("%%r%d", 2+first+r))
		}
	}
	return names
}

// prologue puts the tile's number into %r40 and the lane's into %r43.
const prologue = "shr.u32 %r40, %i, 5;\nand.b32 %r43, %i, 31;\n"

// productForms are the kernels of a matrix product: one that stores the results
// of 128 tiles, one that multiplies a million and stores hashes.
func productForms(form *isa.Form) []*Form {
	p := productOf(form)
	a, b, c := p.a.registers(0), p.b.registers(p.a.regs), p.c.registers(p.a.regs+p.b.regs)
	var load strings.Builder
	p.a.loadFragment(&load, 0, a)
	p.b.loadFragment(&load, 1, b)
	p.c.loadFragment(&load, 2, c)
	f := Form{Name: spelling(form), Sources: []Kind{p.a.kind, p.b.kind, p.c.kind}, Threads: poolWords, Pool: true}
	list := func(s []string) string { return "{" + strings.Join(s, ", ") + "}" }
	text := func(d []string) string {
		return f.Name + " " + list(d) + ", " + list(a) + ", " + list(b) + ", " + list(c) + ";\n"
	}
	var d []string
	once := f
	for i := range p.d.regs {
		once.Results = append(once.Results, p.d.bits)
		d = append(d, fmt.Sprintf("%%d%d", i))
	}
	once.Body = prologue + load.String() + text(d)
	all := []*Form{&once}
	if form.Op.Name == "wmma" && !strings.Contains(f.Name, ".row.col.") {
		return all
	}
	many := f
	many.Name += " many"
	d = p.d.registers(p.a.regs + p.b.regs + p.c.regs)
	if p.d.bits == 64 {
		d = p.d.registers(p.a.regs + p.b.regs) // over C, which is read before
	}
	many.repeat(load.String(), text(d), d, p.d.bits)
	return append(all, &many)
}

// matrixForms are the kernels of all matrix instructions.
func matrixForms() []*Form {
	var all []*Form
	ops.Rows(func(op *isa.Op) {
		if op.SM > Target || op.Since > Version || !strings.HasPrefix(op.Doc, "9.7.14.") || op.Name == "wgmma" {
			return
		}
		ops.Spellings(op, plainSpace, func(form *isa.Form, args []ops.Arg) {
			switch {
			case ops.Missing(form, Version, ops.Target{SM: Target, Suffix: 'a'}) != "":
			case op.Unit == isa.Tensor && (op.Name == "mma" || op.Name == "wmma") && form.Any("sp", "sp::ordered_metadata") != "":
				all = append(all, sparseForms(form)...)
			case op.Unit == isa.Tensor && (op.Name == "mma" || op.Name == "wmma"):
				all = append(all, productForms(form)...)
			case form.Has("load"):
				all = append(all, wmmaLoadForm(form, len(args) == 2))
			case form.Has("store"):
				all = append(all, wmmaStoreForm(form, len(args) == 2))
			case op.Name == "ldmatrix" && form.Type(0) == isa.B16:
				all = append(all, ldmatrixForm(form))
			case op.Name == "stmatrix" && form.Type(0) == isa.B16:
				all = append(all, stmatrixForm(form))
			case op.Name == "movmatrix":
				all = append(all, &Form{Name: spelling(form), Sources: []Kind{"i32"}, Results: []int{32}, Threads: 2048, Body: spelling(form) + " %d0, %s0;"})
			}
		})
	})
	return all
}

// plainSpace admits one way to name the memory of matrix instructions.
func plainSpace(m string) bool {
	return m != "global" && m != "shared::cta" && m != "shared::cluster"
}

// stored is a matrix in memory: what wmma.load and wmma.store move.
func stored(form *isa.Form) (g fragment, stride int, ok bool) {
	m, n, k := shapeOf(form)
	t := form.Type(0)
	rows, cols := m, n
	switch form.Any("a", "b", "c") {
	case "a":
		rows, cols = m, k
	case "b":
		rows, cols = k, n
	}
	small := t.Bits() < 8
	if small && form.Has("a") != form.Has("row") {
		return g, 0, false
	}
	if form.Has("shared") || !accumulates(form, k) {
		return g, 0, false
	}
	g = fragmentOf(t, rows*cols)
	if t == isa.F16 && (form.Has("a") || form.Has("b")) {
		g.regs = 8
	}
	stride = cols
	if form.Has("col") {
		stride = rows
	}
	return g, stride + 128/t.Bits(), true
}

// accumulates reports whether the shape has sums of the form's type.
func accumulates(form *isa.Form, k int) bool {
	if form.Has("a") || form.Has("b") {
		return true
	}
	switch form.Type(0) {
	case isa.F16:
		return k == 16
	case isa.F32:
		return k == 16 || k == 8
	case isa.S32:
		return k >= 16
	}
	return true
}

// strided is the name of a form and its last operand: a stride, or none for a
// dense matrix.
func strided(form *isa.Form, stride int, dense bool) (name, operand string) {
	if dense {
		return spelling(form) + " dense", ""
	}
	return spelling(form), fmt.Sprintf(", %d", stride)
}

func wmmaLoadForm(form *isa.Form, dense bool) *Form {
	g, stride, ok := stored(form)
	if !ok {
		return nil
	}
	f := &Form{Sources: []Kind{"i64"}, Threads: poolWords, Pool: true}
	operand := ""
	f.Name, operand = strided(form, stride, dense)
	var d []string
	for r := range g.regs {
		f.Results = append(f.Results, g.bits)
		d = append(d, fmt.Sprintf("%%d%d", r))
	}
	f.Body = prologue + fmt.Sprintf("mad.wide.u32 %%u1, %%r40, 128, %%in;\n%s {%s}, [%%u1]%s;", spelling(form), strings.Join(d, ", "), operand)
	return f
}

// ownLine zeroes the 64 bytes of gl that belong to the thread; %u0 is where
// they are, %u3 where those of its warp begin.
const ownLine = "mov.u64 %u3, gl;\nmad.wide.u32 %u0, %i, 64, %u3;\nshr.u32 %r40, %i, 5;\nmad.wide.u32 %u3, %r40, 2048, %u3;\nmov.u64 %u2, 0;\n" +
	"st.global.v2.u64 [%u0], {%u2, %u2};\nst.global.v2.u64 [%u0+16], {%u2, %u2};\nst.global.v2.u64 [%u0+32], {%u2, %u2};\nst.global.v2.u64 [%u0+48], {%u2, %u2};\nbar.warp.sync 0xffffffff;\n"

func wmmaStoreForm(form *isa.Form, dense bool) *Form {
	g, stride, ok := stored(form)
	if !ok {
		return nil
	}
	f := &Form{Threads: 1024}
	operand := ""
	f.Name, operand = strided(form, stride, dense)
	var list []string
	for r := range g.regs {
		f.Sources = append(f.Sources, Kind(fmt.Sprintf("i%d", g.bits)))
		list = append(list, fmt.Sprintf("%%s%d", r))
	}
	f.Body = ownLine + fmt.Sprintf("%s [%%u3], {%s}%s;\nbar.warp.sync 0xffffffff;\n", spelling(form), strings.Join(list, ", "), operand)
	for i := range 8 {
		f.Results = append(f.Results, 64)
		f.Body += fmt.Sprintf("ld.global.u64 %%d%d, [%%u0+%d];\n", i, 8*i)
	}
	return f
}

// rowAddress puts into %r12 the address of one of the warp's 32 rows of shared
// memory, in another order than that of the lanes, and into %r13 that of the
// lane's own row.
const rowAddress = "mov.u32 %r10, sh;\nmov.u32 %r11, %tid.x;\nmad.lo.u32 %r13, %r11, 16, %r10;\nshr.u32 %r12, %r11, 5;\nmad.lo.u32 %r10, %r12, 512, %r10;\n" +
	"mul.lo.u32 %r12, %r11, 5;\nadd.u32 %r12, %r12, 3;\nand.b32 %r12, %r12, 31;\nmad.lo.u32 %r12, %r12, 16, %r10;\n"

func matrixList(form *isa.Form, format string) (list []string) {
	for r := range map[string]int{"x1": 1, "x2": 2, "x4": 4}[form.Any("x1", "x2", "x4")] {
		list = append(list, fmt.Sprintf(format, r))
	}
	return list
}

func ldmatrixForm(form *isa.Form) *Form {
	if !form.Has("shared") {
		return nil
	}
	f := &Form{Name: spelling(form), Sources: []Kind{"i64", "i64"}, Threads: 1024}
	d := matrixList(form, "%%d%d")
	for range d {
		f.Results = append(f.Results, 32)
	}
	f.Body = rowAddress + "st.shared.v2.b64 [%r13], {%s0, %s1};\nbar.warp.sync 0xffffffff;\n" + f.Name + " {" + strings.Join(d, ", ") + "}, [%r12];"
	return f
}

func stmatrixForm(form *isa.Form) *Form {
	if !form.Has("shared") {
		return nil
	}
	f := &Form{Name: spelling(form), Results: []int{64, 64}, Threads: 1024}
	s := matrixList(form, "%%s%d")
	for range s {
		f.Sources = append(f.Sources, "i32")
	}
	f.Body = rowAddress + "mov.u64 %u2, 0;\nst.shared.v2.b64 [%r13], {%u2, %u2};\nbar.warp.sync 0xffffffff;\n" + f.Name + " [%r12], {" + strings.Join(s, ", ") + "};\n" +
		"bar.warp.sync 0xffffffff;\nld.shared.v2.b64 {%d0, %d1}, [%r13];"
	return f
}
