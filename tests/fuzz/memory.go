package fuzz

import (
	"fmt"
	"strings"
)

// area is memory that a thread may touch: registers or symbols with its address
// and the modifiers of a load and a store there.
type area struct {
	base  string
	bits  int // of the address register
	bytes int
	load  []string
	store []string // none for memory that is read only
}

func (g *generator) areas(s *scope) []area {
	global := area{"%slot", 64, slotBytes, []string{".global", ".global", ".global.cg", ".global.ca", ".global.volatile", ".global.relaxed.cta", "", ".relaxed.gpu.global", ".global.L1::no_allocate", ".weak.global"},
		[]string{".global", ".global.wb", ".global.cg", ".global.volatile", "", ".relaxed.gpu.global", ".global.L1::evict_last"}}
	all := []area{
		global, global,
		{"const_table", 0, tableBytes, []string{".const"}, nil},
		{"global_table", 0, tableBytes, []string{".global", ".global.nc", ".global.nc.L1::evict_last", ".global.ca"}, nil},
	}
	if !s.entry {
		return all
	}
	return append(all,
		area{"%shared", 32, 32, []string{".shared", ".shared", ".shared::cta", ".volatile.shared"}, []string{".shared", ".shared::cta"}},
		area{"%gshared", 64, 32, []string{"", ".volatile"}, []string{""}},
		area{"loc", 0, slotBytes, []string{".local"}, []string{".local"}},
		area{"%glocal", 64, slotBytes, []string{""}, []string{""}},
	)
}

// at writes what computes an address in an area for an access of some bytes,
// and returns the operand in brackets.
func (g *generator) at(a area, bytes int) string {
	n := a.bytes / bytes
	fixed := g.below(n)
	if g.in(3) {
		return fmt.Sprintf("[%s+%d]", a.base, fixed*bytes)
	}
	fixed = g.below(n/2 + 1)
	dynamic := 1
	for dynamic*2 <= n-fixed {
		dynamic *= 2
	}
	index := g.temp(32)
	g.line("and.b32 %s, %%r%d, %d;", index, g.below(words32), dynamic-1)
	if a.bits == 32 {
		to := g.temp(32)
		g.line("mad.lo.u32 %s, %s, %d, %s;", to, index, bytes, a.base)
		return fmt.Sprintf("[%s+%d]", to, fixed*bytes)
	}
	to, base := g.temp(64), a.base
	if a.bits == 0 {
		base = g.temp(64)
		g.line("mov.u64 %s, %s;", base, a.base)
	}
	switch g.below(3) {
	case 0:
		g.line("mad.wide.u32 %s, %s, %d, %s;", to, index, bytes, base)
	case 1:
		g.line("mul.wide.u32 %s, %s, %d;\n\tadd.s64 %s, %s, %s;", to, index, bytes, to, to, base)
	default:
		g.line("cvt.u64.u32 %s, %s;\n\tmul.lo.s64 %s, %s, %d;\n\tadd.s64 %s, %s, %s;", to, index, to, to, bytes, to, base, to)
	}
	return fmt.Sprintf("[%s+%d]", to, fixed*bytes)
}

// memory is a load or store of own or constant memory.
func (g *generator) memory(s *scope) {
	a := pick(g.random, g.areas(s))
	bits := pick(g.random, []int{8, 16, 32, 64})
	kinds := []string{"u", "s", "b"}
	if bits >= 32 {
		kinds = append(kinds, "f")
	}
	kind, n := pick(g.random, kinds), pick(g.random, []int{1, 1, 2, 4})
	for n*bits > 128 {
		n /= 2
	}
	address := g.at(a, n*bits/8)
	vec := ""
	if n > 1 {
		vec = fmt.Sprintf(".v%d", n)
	}
	wide := bits
	if kind != "f" {
		wide = max(bits, pick(g.random, []int{16, 32, 32, 64}))
	}
	guard := ""
	if g.in(6) {
		guard = "@" + g.predicate() + " "
	}
	if len(a.store) > 0 && g.in(2) {
		g.line("%sst%s%s.%s%d %s, %s;", guard, pick(g.random, a.store), vec, kind, bits, address, g.elements(n, wide, kind, false))
		return
	}
	g.line("%sld%s%s.%s%d %s, %s;", guard, pick(g.random, a.load), vec, kind, bits, g.elements(n, wide, kind, true), address)
}

// elements is the register operand of a load or store of n elements, results
// all different.
func (g *generator) elements(n, bits int, kind string, results bool) string {
	list := g.distinct(map[string]string{"f": map[int]string{32: "f32", 64: "f64"}[bits]}[kind], bits, n, results)
	if n == 1 {
		return strings.Trim(list, "{}")
	}
	return list
}

// shares are the operations that all threads do on one word: each word has its
// own, so that their order does not matter. The first half of the words has 32
// bits, the others 64.
var shares = [2][]string{
	{"add.u32", "min.u32", "max.u32", "min.s32", "max.s32", "and.b32", "or.b32", "xor.b32", "inc.u32", "dec.u32", "add.s32"},
	{"add.u64", "min.u64", "max.u64", "min.s64", "max.s64", "and.b64", "or.b64", "xor.b64"},
}

// atomic is an atomic operation: on a word of all threads, whose result is not
// used, or on an own one.
func (g *generator) atomic(s *scope) {
	global := g.in(2) || !s.entry
	guard := ""
	if g.in(6) {
		guard = "@" + g.predicate() + " "
	}
	if g.in(2) {
		g.shareAtomic(guard, global)
		return
	}
	g.ownAtomic(guard, global)
}

func (g *generator) shareAtomic(guard string, global bool) {
	if !global || g.order < len(g.funcs) {
		global = g.order < len(g.funcs)
	}
	wide := g.below(2)
	op := g.below(len(shares[wide]))
	bits := 32 << wide
	value := fmt.Sprintf("%%%s%d", map[int]string{32: "r", 64: "u"}[bits], g.below(8))
	if op == 8 || op == 9 {
		value = "1000" // one limit for all, or order would matter
	}
	offset := 4 * op
	if wide == 1 {
		offset = 64 + 8*op
	}
	space, address := ".shared", fmt.Sprintf("[at+%d]", offset)
	if global {
		space, address = ".global", fmt.Sprintf("[%%mem+%d]", offset)
	}
	scope := pick(g.random, []string{"", ".relaxed.gpu", ".relaxed.cta", ".gpu"})
	if g.in(2) {
		g.line("%sred%s%s.%s %s, %s;", guard, scope, space, shares[wide][op], address, value)
		return
	}
	g.line("%satom%s%s.%s %s, %s, %s;", guard, scope, space, shares[wide][op], g.temp(bits), address, value)
}

// own are the operations on a word that no other thread touches.
var own = []string{
	"add.u32", "add.s32", "add.u64", "add.f32", "add.noftz.f16", "add.noftz.f16x2", "add.noftz.bf16", "add.noftz.bf16x2",
	"min.u32", "min.s32", "max.u32", "max.s32", "min.u64", "min.s64", "max.u64", "max.s64", "and.b32", "or.b32", "xor.b32", "and.b64", "or.b64", "xor.b64",
	"inc.u32", "dec.u32", "exch.b32", "exch.b64", "cas.b16", "cas.b32", "cas.b64",
}

func (g *generator) ownAtomic(guard string, global bool) {
	op := pick(g.random, own)
	kind := op[strings.LastIndexByte(op, '.')+1:]
	bits := map[string]int{"u32": 32, "s32": 32, "f32": 32, "b32": 32, "f16x2": 32, "bf16x2": 32, "f16": 16, "bf16": 16, "b16": 16}[kind]
	if bits == 0 {
		bits = 64
	}
	a := area{base: "%slot", bits: 64, bytes: slotBytes}
	space := pick(g.random, []string{".global", ""})
	if !global {
		a, space = area{base: "%shared", bits: 32, bytes: 32}, ".shared"
	}
	address := g.at(a, bits/8)
	values := g.register(kind, bits)
	if strings.HasPrefix(op, "cas") {
		values += ", " + g.register(kind, bits)
	}
	g.line("%satom%s%s.%s %s, %s, %s;", guard, pick(g.random, []string{"", ".relaxed.gpu", ".acq_rel.gpu"}), space, op, g.write(g.register(kind, bits)), address, values)
}
