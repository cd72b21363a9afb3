package vectors

import (
	"fmt"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// selectorsOf is the number of values that the sparsity selector of mma.sp and
// wgmma.sp has: how often the metadata of a tile fit into a warp's registers.
func selectorsOf(t isa.Type, k int) int {
	rowBits := k // four for each four elements
	if t == isa.TF32 {
		rowBits *= 2
	} else if t.Bits() == 4 {
		rowBits /= 2
	}
	return max(1024/(16*rowBits), 1)
}

// metadataOf is the register of metadata for elements of a type.
func metadataOf(t isa.Type) fragment {
	if t == isa.TF32 {
		return fragment{kind: "matrix ones", regs: 1, bits: 32}
	}
	return fragment{kind: "matrix pairs", regs: 1, bits: 32}
}

// sparseForms are the kernels of a sparse product: for each selector one that
// stores the results of 32 tiles, and one that multiplies a million.
func sparseForms(form *isa.Form) []*Form {
	p := productOf(form)
	_, _, k := shapeOf(form)
	p.a.regs /= 2
	e := metadataOf(form.Type(1))
	at := 0
	var load strings.Builder
	var lists []string
	f := Form{Name: spelling(form), Threads: poolWords, Pool: true}
	for s, g := range []fragment{p.a, p.b, p.c, e} {
		names := g.registers(at)
		at += g.regs
		g.loadFragment(&load, s, names)
		f.Sources = append(f.Sources, g.kind)
		list := strings.Join(names, ", ")
		if s < 3 {
			list = "{" + list + "}"
		}
		lists = append(lists, list)
	}
	text := func(d []string, selector int) string {
		return f.Name + " {" + strings.Join(d, ", ") + "}, " + strings.Join(lists, ", ") + fmt.Sprintf(", %d;\n", selector)
	}
	var all []*Form
	var d []string
	n := selectorsOf(form.Type(1), k)
	for i := range p.d.regs {
		d = append(d, fmt.Sprintf("%%d%d", i))
	}
	for selector := range n {
		once := f
		once.Name += fmt.Sprintf(" selector %d", selector)
		for range d {
			once.Results = append(once.Results, 32)
		}
		once.Threads = 1024
		once.Body = prologue + "mul.lo.u32 %r40, %r40, 61;\n" + load.String() + text(d, selector)
		all = append(all, &once)
	}
	if form.Has("sp") && form.Type(1) != isa.TF32 { // indices in any order, and equal ones
		any := *all[0]
		any.Name += " any"
		any.Sources = append(any.Sources[:3:3], "matrix any")
		all = append(all, &any)
	}
	selector := 0
	if form.Has("sp::ordered_metadata") {
		selector = n - 1
	}
	many := f
	many.Name += " many"
	many.repeat(load.String(), text(p.d.registers(at), selector), p.d.registers(at), p.d.bits)
	return append(all, &many)
}

// repeat makes a form multiply a million tiles and store hashes of the results,
// which lie in registers d.
func (f *Form) repeat(load, text string, d []string, bits int) {
	f.Many, f.Results = true, []int{64}
	f.Body = prologue + "mov.u64 %d0, 0xcbf29ce484222325;\nmov.u32 %r1, 0;\nLOOP:\n" + load + text + hashOf(d, bits) +
		fmt.Sprintf("add.u32 %%r40, %%r40, 128;\nadd.u32 %%r1, %%r1, 1;\nsetp.lt.u32 %%p1, %%r1, %d;\n@%%p1 bra LOOP;", manyTiles)
}

// hashOf adds registers to the hash in %d0.
func hashOf(d []string, bits int) string {
	var hash strings.Builder
	for _, name := range d {
		word := name
		if bits == 32 {
			hash.WriteString("cvt.u64.u32 %u2, " + name + ";\n")
			word = "%u2"
		}
		hash.WriteString("xor.b64 %d0, %d0, " + word + ";\nmul.lo.u64 %d0, %d0, 0x100000001b3;\n")
	}
	return hash.String()
}
