package fuzz

import (
	"fmt"
	"strings"
)

// The memory that a kernel works on, from its second parameter on: words that
// all threads update atomically, slots that belong to a thread, the record that
// a thread leaves, what it noted on its way, the words of shared memory that all
// threads of a CTA updated.
const (
	atomBytes   = 256
	slotBytes   = 64
	recordBytes = 232 // all banks, widest first, and at the end the predicates
)

// The integer registers of each width, and predicates. They always have a value.
const (
	words64, words32, words16, predicates = 8, 12, 8, 6
)

// bank is a set of registers that hold values of one sort. Values go from bank
// to bank by mov alone: ptxas converts what it takes for a number where a
// register of a floating-point value serves as an integer of another width.
type bank struct {
	name, declared string
	bits, n        int
	section        int // of the operands that it begins with
}

var banks = []bank{
	{"u", "b64", 64, words64, wholes}, {"d", "f64", 64, 4, doubles},
	{"r", "b32", 32, words32, wholes}, {"f", "f32", 32, 8, singles}, {"x", "b32", 32, 3, halves}, {"y", "b32", 32, 2, brains},
	{"h", "b16", 16, words16, wholes}, {"e", "b16", 16, 3, halves}, {"g", "b16", 16, 2, brains},
}

// bankOf is the bank of the values of a type.
func bankOf(kind string, bits int) *bank {
	name := map[string]string{"f64": "d", "f32": "f", "f16x2": "x", "bf16x2": "y", "f16": "e", "bf16": "g"}[kind]
	if name == "" {
		name = map[int]string{64: "u", 32: "r", 16: "h"}[bits]
	}
	for i := range banks {
		if banks[i].name == name {
			return &banks[i]
		}
	}
	return nil
}

func (b *bank) register(r *random) string { return fmt.Sprintf("%%%s%d", b.name, r.below(b.n)) }

// generator writes one kernel.
type generator struct {
	*random
	name                              string
	text                              []byte // of the body under way
	indent                            int
	fresh                             int // number of the next temporary
	loose                             bool
	threads                           int // of a CTA
	ctas                              int
	written                           []string     // registers that the statement has written
	notes                             int          // words that a thread has noted
	noting                            *random      // chooses what is noted; nil if nothing is
	count                             int          // statements so far
	without                           map[int]bool // statements that are left out
	funcs                             []*function
	exited                            bool // threads may have
	wide, joint, clustered, recursive bool
	order                             int // functions defined so far; a body calls those before it
}

// scope is what the statements under way may do.
type scope struct {
	mask    string // register or literal with the lanes that arrive here; "" if unknown
	uniform bool   // all threads of the CTA that have not exited arrive
	entry   bool   // in the kernel itself
	depth   int
	loops   int
}

// Generate makes the kernel of a seed.
func Generate(seed uint64) *Kernel { return Without(seed, nil) }

// Without makes the kernel of a seed without some of its statements, which are
// numbered from zero. What remains is as defined as the whole.
func Without(seed uint64, without map[int]bool) *Kernel {
	r := random(Mix(seed + 1))
	g := &generator{random: &r, name: fmt.Sprintf("k%d", seed), without: without}
	g.wide, g.joint = seed >= Wide, seed >= Joint
	g.loose = g.in(4)
	if !g.in(4) {
		r := random(g.next())
		g.noting = &r
	}
	k := &Kernel{Seed: seed, Name: g.name, Loose: g.loose}
	k.Block = pick(g.random, [][3]uint32{{32, 1, 1}, {64, 1, 1}, {128, 1, 1}, {16, 4, 1}, {8, 4, 4}, {96, 1, 1}, {32, 2, 1}})
	k.Grid = pick(g.random, [][3]uint32{{1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {2, 1, 2}, {1, 1, 1}})
	g.clustered = g.wide && k.Grid[0] == 2 && g.in(2)
	g.threads = int(k.Block[0] * k.Block[1] * k.Block[2])
	g.ctas = int(k.Grid[0] * k.Grid[1] * k.Grid[2])
	k.Shared = uint32(16 * g.threads)
	var text strings.Builder
	for range g.below(4) {
		text.WriteString(g.function())
	}
	text.WriteString(g.entry())
	k.Text = text.String()
	if g.recursive {
		k.Text = g.self() + k.Text
	}
	k.Statements = g.count
	k.layout = layout{g.slotAt(), g.recordAt(), g.noteAt(), g.shareAt(), g.all()}
	k.Size = g.shareAt() + g.ctas*atomBytes
	return k
}

// Module is the text of a module of kernels.
func Module(kernels []*Kernel) string {
	var b strings.Builder
	b.WriteString(Head())
	for _, k := range kernels {
		b.WriteString(k.Text)
	}
	return b.String()
}

func (g *generator) all() int      { return g.threads * g.ctas }
func (g *generator) slotAt() int   { return atomBytes }
func (g *generator) recordAt() int { return g.slotAt() + g.all()*slotBytes }
func (g *generator) noteAt() int   { return g.recordAt() + g.all()*recordBytes }
func (g *generator) shareAt() int  { return g.noteAt() + g.all()*8*g.notes }

// line writes one line of the body.
func (g *generator) line(format string, args ...any) {
	g.text = append(g.text, "\t\t\t\t\t\t"[:min(1+g.indent, 6)]...)
	g.text = fmt.Appendf(g.text, format, args...)
	g.text = append(g.text, '\n')
}

func (g *generator) label() string {
	g.fresh++
	return fmt.Sprintf("L%d", g.fresh)
}

// temp is a new register: of 16, 32, 64 bits, an f64 for -64, a predicate for 1.
func (g *generator) temp(bits int) string {
	g.fresh++
	return fmt.Sprintf("%%%s%d", map[int]string{1: "tp", 16: "th", 32: "tr", 64: "tu", -64: "td"}[bits], g.fresh)
}

// declare is the declarations of a body's registers.
func (g *generator) declare() string {
	var b strings.Builder
	for _, k := range banks {
		fmt.Fprintf(&b, "\t.reg .%s %%%s<%d>;\n", k.declared, k.name, k.n)
	}
	n := g.fresh + 1
	fmt.Fprintf(&b, "\t.reg .b64 %%tu<%d>;\n\t.reg .b32 %%tr<%d>;\n\t.reg .b16 %%th<%d>;\n\t.reg .f64 %%td<%d>;\n\t.reg .pred %%p<%d>, %%tp<%d>;\n", n, n, n, n, predicates, n)
	return b.String()
}

// entry writes the kernel.
func (g *generator) entry() string {
	g.text = g.text[:0]
	g.fresh, g.order = 0, len(g.funcs)
	g.begin()
	s := scope{mask: "0xffffffff", uniform: true, entry: true}
	for range 8 + g.below(24) {
		g.written = g.written[:0]
		g.statement(&s)
		if g.noting != nil {
			g.note()
		}
	}
	g.finish()
	var b strings.Builder
	fmt.Fprintf(&b, ".visible .entry %s(.param .u64 %s_in, .param .u64 %s_mem, .param .align 8 .b8 %s_struct[24])", g.name, g.name, g.name, g.name)
	if g.clustered {
		b.WriteString("\n.reqnctapercluster 2, 1, 1")
	}
	b.WriteString("\n{\n")
	b.WriteString(g.declare())
	b.WriteString("\t.reg .b64 %in, %mem, %slot, %gslot, %record, %gshared, %glocal, %ublock;\n\t.reg .b32 %i, %t, %shared, %block;\n")
	align := 16
	if g.joint {
		align = 128 // for matrices
	}
	fmt.Fprintf(&b, "\t.local .align 16 .b8 loc[%d];\n\t.shared .align %d .b8 sh[%d];\n\t.shared .align 16 .b8 at[%d];\n", slotBytes, align, 32*g.threads, atomBytes)
	if g.wide {
		fmt.Fprintf(&b, "\t.shared .align 8 .b8 mb[%d];\n", 8*g.threads)
	}
	b.Write(g.text)
	b.WriteString("}\n")
	return b.String()
}

// begin gives every register and all memory of a thread values.
func (g *generator) begin() {
	g.line("ld.param.u64 %%in, [%s_in];", g.name)
	g.line("ld.param.u64 %%mem, [%s_mem];", g.name)
	for _, x := range []string{
		"mov.u32 %t, %tid.z;", "mov.u32 %tr0, %ntid.y;", "mov.u32 %r0, %tid.y;", "mad.lo.u32 %t, %t, %tr0, %r0;",
		"mov.u32 %tr0, %ntid.x;", "mov.u32 %r0, %tid.x;", "mad.lo.u32 %t, %t, %tr0, %r0;",
		"mov.u32 %i, %ctaid.z;", "mov.u32 %tr0, %nctaid.y;", "mov.u32 %r0, %ctaid.y;", "mad.lo.u32 %i, %i, %tr0, %r0;",
		"mov.u32 %tr0, %nctaid.x;", "mov.u32 %r0, %ctaid.x;", "mad.lo.u32 %block, %i, %tr0, %r0;",
	} {
		g.line("%s", x)
	}
	g.line("mad.lo.u32 %%i, %%block, %d, %%t;", g.threads)
	g.line("cvt.u64.u32 %%ublock, %%block;")
	g.line("mad.wide.u32 %%slot, %%i, %d, %%mem;\n\tadd.u64 %%slot, %%slot, %d;", slotBytes, g.slotAt())
	g.line("mad.wide.u32 %%record, %%i, %d, %%mem;\n\tadd.u64 %%record, %%record, %d;", recordBytes, g.recordAt())
	g.line("mov.u32 %%shared, sh;\n\tmad.lo.u32 %%shared, %%t, 32, %%shared;")
	g.line("cvt.u64.u32 %%gshared, %%shared;\n\tcvta.shared.u64 %%gshared, %%gshared;")
	g.line("mov.u64 %%glocal, loc;\n\tcvta.local.u64 %%glocal, %%glocal;")
	g.line("setp.lt.u32 %%p0, %%t, 32;\n\tmov.u32 %%r0, at;\n\tmad.lo.u32 %%r0, %%t, 8, %%r0;\n\tmov.u64 %%u0, 0x5555555555555555;")
	g.line("@%%p0 st.shared.u64 [%%r0], %%u0;")
	for i := range 4 {
		g.line("st.shared.u64 [%%shared+%d], %d;", 8*i, g.below(1<<30))
	}
	for i := range 8 {
		g.line("st.local.u64 [loc+%d], %d;", 8*i, g.below(1<<30))
	}
	g.line("bar.sync 0;")
	for _, k := range banks {
		for i := range k.n {
			section := k.section
			if section == wholes && g.in(3) {
				section = wild
			}
			g.operand(k.name, k.bits, i, section)
		}
	}
	for i := range predicates {
		g.line("setp.lt.s32 %%p%d, %%r%d, %%r%d;", i, g.below(words32/2), g.below(words32/2))
	}
}

// operand loads a register from a section of the operands, another word for
// every thread.
func (g *generator) operand(bank string, bits, i, section int) {
	index, at := g.temp(32), g.temp(64)
	g.line("mad.lo.u32 %s, %%i, %d, %d;", index, 1+2*g.below(200), g.below(sectionWords))
	g.line("and.b32 %s, %s, %d;", index, index, sectionWords-1)
	g.line("mad.wide.u32 %s, %s, 8, %%in;", at, index)
	g.line("ld.global.b%d %%%s%d, [%s+%d];", bits, bank, i, at, 8*section*sectionWords+g.below(64/bits)*bits/8)
}

// note stores up to two of the registers that the last statement wrote.
func (g *generator) note() {
	for range min(2, len(g.written)) {
		reg, value := pick(g.noting, g.written), g.temp(64)
		g.line("%s", widened(reg, value, g.temp(32), g.temp(16)))
		at := g.temp(64)
		g.line("mad.wide.u32 %s, %%i, 8, %%mem;", at)
		g.line("st.global.u64 [%s+%d], %s; // note %d: %s", at, g.noteAt()+8*g.notes*g.all(), value, g.notes, reg)
		g.notes++
	}
}

// widened is the text that gives a 64-bit register the bits of another register.
func widened(reg, value, word, half string) string {
	switch reg[1] {
	case 'u', 'd':
		return fmt.Sprintf("mov.b64 %s, %s;", value, reg)
	case 'r', 'f', 'x', 'y':
		return fmt.Sprintf("mov.b32 %s, %s;\n\tcvt.u64.u32 %s, %s;", word, reg, value, word)
	case 'h', 'e', 'g':
		return fmt.Sprintf("mov.b16 %s, %s;\n\tcvt.u64.u16 %s, %s;", half, reg, value, half)
	}
	return fmt.Sprintf("selp.u64 %s, 1, 0, %s;", value, reg)
}

// finish stores all registers and what the CTA shared.
func (g *generator) finish() {
	at := 0
	for _, k := range banks {
		for i := range k.n {
			g.line("st.global.b%d [%%record+%d], %%%s%d;", k.bits, at, k.name, i)
			at += k.bits / 8
		}
	}
	at = recordBytes - 8
	bit := g.temp(32)
	g.line("mov.u32 %s, 0;", bit)
	for i := range predicates {
		one := g.temp(32)
		g.line("selp.u32 %s, %d, 0, %%p%d;\n\tor.b32 %s, %s, %s;", one, 1<<i, i, bit, bit, one)
	}
	g.line("st.global.u32 [%%record+%d], %s;", at, bit)
	g.line("bar.sync 0;")
	last, from, to := g.temp(32), g.temp(32), g.temp(64)
	g.line("mov.u32 %s, at;\n\tmad.lo.u32 %s, %%t, 8, %s;", from, from, from)
	g.line("mad.wide.u32 %s, %%block, %d, %%mem;\n\tmad.wide.u32 %s, %%t, 8, %s;", to, atomBytes, to, to)
	word, some := g.temp(64), g.temp(1)
	g.line("mov.u32 %s, %%t;\n\tsetp.ge.u32 %s, %s, %d;\n\t@%s ret;", last, some, last, atomBytes/8, some)
	g.line("ld.shared.u64 %s, [%s];\n\tst.global.u64 [%s+%d], %s;", word, from, to, g.shareAt(), word)
	g.line("ret;")
}
