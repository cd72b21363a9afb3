package fuzz

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// Kernel is one generated kernel.
type Kernel struct {
	Seed        uint64
	Name        string
	Text        string    // its functions and itself
	Grid, Block [3]uint32 // CTAs, threads
	Shared      uint32    // bytes of dynamic shared memory
	Size        int       // bytes of the memory that it works on
	Statements  int       // that its seed makes
	// Loose kernels have products and sums of floats without rounding, which
	// ptxas may contract when it optimises.
	Loose bool

	layout layout
}

const target = ".target sm_90"

// Head begins a module of kernels.
func Head() string {
	var b strings.Builder
	b.WriteString(".version 9.0\n" + target + "\n.address_size 64\n")
	for _, space := range []string{"const", "global"} {
		fmt.Fprintf(&b, ".%s .align 16 .b8 %s_table[%d] = {", space, space, tableBytes)
		for i := range tableBytes {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprint(&b, byte(Mix(uint64(i))>>8))
		}
		b.WriteString("};\n")
	}
	return b.String()
}

const tableBytes = 256

// InputWords is the number of 64-bit operands that all kernels load from.
const InputWords = 4096

// Input is the operands, InputWords of them.
func Input() []uint64 {
	words := make([]uint64, InputWords)
	r := random(7)
	for i := range words {
		words[i] = operandWord(&r, i)
	}
	return words
}

// InputBytes is the operands as memory holds them.
func InputBytes() []byte { return little(Input()) }

// Sections of the operands, each InputWords/8 long: which one holds what.
const (
	wholes  = iota // integers, often special
	singles        // two f32
	doubles        // an f64
	halves         // four f16
	brains         // four bf16
	wild           // any bits
	sections
)

const sectionWords = InputWords / 8

var specialWords = []uint64{
	0, 1, 2, 3, 31, 32, 33, 63, 64, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff,
	0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff, 0xfffffffffffffffe, 0xffffffff80000000, 0x8000000080000000,
	0x0000000100000001, 0xffff8000ffff8000, 0x7fff7fff7fff7fff, 0x5555555555555555, 0xaaaaaaaaaaaaaaaa,
}

func operandWord(r *random, i int) uint64 {
	switch i / sectionWords {
	case wholes:
		switch r.below(3) {
		case 0:
			return pick(r, specialWords)
		case 1:
			return uint64(int64(r.next()) >> (r.below(60) + 3))
		}
		return r.next()
	case singles:
		return floatBits(r, 8, 23) | floatBits(r, 8, 23)<<32
	case doubles:
		return floatBits(r, 11, 52)
	case halves:
		return four(r, 5, 10)
	case brains:
		return four(r, 8, 7)
	}
	return r.next()
}

func four(r *random, exponent, fraction int) (w uint64) {
	for i := range 4 {
		w |= floatBits(r, exponent, fraction) << (16 * i)
	}
	return w
}

// floatBits draws a number of a format: mostly near one, now and then special.
func floatBits(r *random, exponent, fraction int) uint64 {
	v := r.next() >> (63 - exponent - fraction)
	bias := 1<<(exponent-1) - 1
	e := bias - 6 + r.below(13)
	switch r.below(16) {
	case 0:
		return v // any bits
	case 1:
		e = 0 // subnormal
	case 2:
		e = 1 + r.below(3)
	case 3:
		e = 2*bias + 1
		if r.in(2) { // infinite
			v &^= 1<<fraction - 1
		}
	case 4:
		e = 2*bias - r.below(3)
	case 5:
		v, e = v&(1<<(exponent+fraction)), 0 // zero
	}
	if r.in(3) {
		v &^= 1<<(fraction*2/3) - 1 // a short fraction, for ties and whole numbers
	}
	return v&^((1<<exponent-1)<<fraction) | uint64(e)<<fraction
}

// ParamWords are the words of the third parameter of every kernel, a struct.
var ParamWords = [3]uint64{0x0123456789abcdef, 0xfedcba9876543210, 0x3ff8000040490fdb}

// Differences describes where two results of the kernel differ, a line each, at
// most twenty.
func (k *Kernel) Differences(got, want []byte) string {
	var b strings.Builder
	n := 0
	for at := 0; at+8 <= len(want) && n < 20; at += 8 {
		g, w := binary.LittleEndian.Uint64(got[at:]), binary.LittleEndian.Uint64(want[at:])
		if g != w {
			n++
			fmt.Fprintf(&b, "// %s: engine %016x, card %016x\n", k.place(at), g, w)
		}
	}
	return b.String()
}

// place describes a word of the memory.
func (k *Kernel) place(at int) string {
	l := k.layout
	switch {
	case at >= l.shares:
		return fmt.Sprintf("shared word %d of CTA %d", (at-l.shares)%atomBytes, (at-l.shares)/atomBytes)
	case at >= l.notes:
		n := (at - l.notes) / 8
		return fmt.Sprintf("note %d of thread %d", n/l.threads, n%l.threads)
	case at >= l.records:
		thread, at := (at-l.records)/recordBytes, (at-l.records)%recordBytes
		return fmt.Sprintf("%s of thread %d", registersAt(at), thread)
	case at >= l.slots:
		return fmt.Sprintf("slot byte %d of thread %d", (at-l.slots)%slotBytes, (at-l.slots)/slotBytes)
	}
	return fmt.Sprintf("word of all threads at %d", at)
}

// layout says where the parts of a kernel's memory begin.
type layout struct{ slots, records, notes, shares, threads int }

// registersAt names the registers in a word of a thread's record.
func registersAt(at int) string {
	var names []string
	from := 0
	for _, k := range banks {
		for i := range k.n {
			if from >= at && from < at+8 {
				names = append(names, fmt.Sprintf("%%%s%d", k.name, i))
			}
			from += k.bits / 8
		}
	}
	if len(names) == 0 {
		return "predicates"
	}
	return strings.Join(names, " and above ")
}
