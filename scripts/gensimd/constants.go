package main

import (
	"fmt"
	"slices"
	"strings"
)

type constant struct {
	name  string
	bytes int
	value uint64
}

// constants that bodies read in every element: name, bytes of an element,
// value. With AVX-512 they are broadcast, with AVX2 a vector in memory.
var constants = []constant{
	{"nan32", 4, 0x7fffffff}, {"sign32", 4, 0x80000000}, {"magnitude32", 4, 0x7fffffff}, {"one32", 4, 1}, {"oneF32", 4, 0x3f800000},
	{"high16", 4, 0xffff0000}, {"below16", 4, 0x7fff}, {"scale24", 4, 0x4b800000}, {"scaledLeast", 4, 0x0c800000},
	{"low8", 4, 0xff}, {"low16", 4, 0xffff}, {"thirtyOne", 4, 31}, {"thirtyTwo", 4, 32}, {"twoTo31F32", 4, 0x4f000000}, {"maxS32", 4, 0x7fffffff},
	{"all32", 4, 0xffffffff}, {"low32", 8, 0xffffffff}, {"nan64", 8, 0xfff8000000000000}, {"quiet64", 8, 1 << 51},
	{"sign64", 8, 1 << 63}, {"magnitude64", 8, 1<<63 - 1}, {"twoTo31F64", 8, 0x41e0000000000000}, {"maxS32Q", 8, 0x7fffffff}, {"twoTo31Q", 8, 1 << 31},
	{"oneF64", 8, 0x3ff0000000000000}, {"all64", 8, 1<<64 - 1}, {"twoTo52", 8, 0x4330000000000000}, {"twoTo32F64", 8, 0x41f0000000000000},
}

// constantsAVX2 are those that AVX-512 does without.
var constantsAVX2 = []constant{
	{"zero", 8, 0}, {"exponent", 4, 0x7f800000}, {"greatest", 4, 0x7f7fffff}, {"exponentTwice", 4, 1 << 24}, {"exponent254", 4, 0x7f000000}, {"exponent254Twice", 4, 0xfe000000},
	{"n158", 4, 158}, {"outside", 4, ^uint64(0x1c) & 0xffffffff}, {"thirtyTwoQ", 8, 32}, {"low11", 8, 0x7ff}, {"above11", 8, 1<<64 - 1<<11}, {"twoTo16F32", 4, 0x47800000}, {"twoTo32F32", 4, 0x4f800000}, {"twoTo52Q", 8, 1 << 52},
	{"twoTo52And51", 8, 0x4338000000000000}, {"twoTo84", 8, 0x4530000000000000}, {"twoTo84And52", 8, 0x4530000000100000},
	{"twoTo84And31", 8, 0x4530000080000000}, {"twoTo84And63And52", 8, 0x4530000080100000},
}

// controls are values of the control register: all exceptions masked, with a
// rounding, and with subnormal operands and results flushed.
var controls = []constant{
	{"control", 4, 0x1f80}, {"controlRD", 4, 0x3f80}, {"controlRU", 4, 0x5f80}, {"controlRZ", 4, 0x7f80},
	{"controlFtz", 4, 0x9fc0}, {"controlRDFtz", 4, 0xbfc0}, {"controlRUFtz", 4, 0xdfc0}, {"controlRZFtz", 4, 0xffc0},
}

// table is words that bodies read as vectors.
type table struct {
	name string
	n    int
	word func(i int) int
}

// dropped is four bytes that a shuffle of bytes makes zero.
const dropped = 0x80808080

func (v level) tables() []table {
	lanes := table{"lanes", 32, func(i int) int { return i }}
	common := append([]table{lanes}, bitTables(v.width()/4)...)
	if v == avx2 {
		return append(common,
			table{"bits", 32, func(i int) int { return 31 - i }},
			table{"packBytes", 8, func(i int) int { return [4]int{0x0c080400, dropped, dropped, dropped}[i%4] }},
			table{"packWords", 8, func(i int) int { return [4]int{0x05040100, 0x0d0c0908, dropped, dropped}[i%4] }},
		)
	}
	return append(common,
		table{"even", 16, func(i int) int { return 2 * i }},
		table{"odd", 16, func(i int) int { return 2*i + 1 }},
		table{"zipLow", 16, func(i int) int { return i/2 + 16*(i%2) }},
		table{"zipHigh", 16, func(i int) int { return i/2 + 8 + 16*(i%2) }},
	)
}

func writeConstants(s *strings.Builder, v level) {
	for _, c := range slices.Concat(constants, approxConstants, bitConstants) {
		c.write(s, v)
	}
	if v == avx2 {
		for _, c := range constantsAVX2 {
			c.write(s, v)
		}
		for _, c := range controls {
			c.write(s, avx512) // a word
		}
	}
	writeCurves(s)
	for _, t := range v.tables() {
		for i := range t.n {
			fmt.Fprintf(s, "DATA %s<>+%d(SB)/4, $%d\n", t.name, 4*i, t.word(i))
		}
		fmt.Fprintf(s, "GLOBL %s<>(SB), RODATA|NOPTR, $%d\n", t.name, 4*t.n)
	}
	s.WriteString("\n")
}

func (c constant) write(s *strings.Builder, v level) {
	size := c.bytes
	if v == avx2 {
		size = v.width()
	}
	for at := 0; at < size; at += c.bytes {
		fmt.Fprintf(s, "DATA %s<>+%d(SB)/%d, $%#x\n", c.name, at, c.bytes, c.value)
	}
	fmt.Fprintf(s, "GLOBL %s<>(SB), RODATA|NOPTR, $%d\n", c.name, size)
}
