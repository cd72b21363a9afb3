package main

import (
	"fmt"
	"strings"
)

// level is an instruction set that bodies are written in.
type level int

const (
	avx512 level = iota
	avx2
)

var levels = []level{avx512, avx2}

func (v level) String() string { return [...]string{"AVX512", "AVX2"}[v] }

// width is the size of a vector in bytes.
func (v level) width() int { return [...]int{64, 32}[v] }

// vectors is the number of vectors in a row.
func (v level) vectors() int { return rowBytes / v.width() }

// rowBytes is the size of a row.
const rowBytes = 4 * 32

// long is the number of lines from which on a body of AVX2 is a loop over the
// row's vectors.
const long = 3

// each writes code for each vector of a row. With AVX2 heavy code becomes a
// loop, in which R8 and the lanes in Y15 move along, and h is always 0; R14
// counts.
func (e *emitter) each(heavy bool, write func(h int)) {
	if e.level == avx512 || !heavy {
		for h := range e.level.vectors() {
			write(h)
		}
		return
	}
	l := e.label()
	e.looped = true
	e.p("MOVL $%d, R14", e.level.vectors())
	e.at(l)
	start := e.control
	write(0)
	e.setControl(start)
	e.ps("ADDQ $32, R8")
	if !e.full {
		e.ps("VPSRLD $8, Z15, Z15")
	}
	e.ps("DECL R14")
	e.p("JNE %s", l)
	e.p("SUBQ $%d, R8", rowBytes)
	if !e.full {
		e.lanes()
	}
	e.looped = false
}

// load reads vector h of the row at a distance of bytes from that in base.
func (e *emitter) load(base string, h, distance int, to string) {
	e.p("VMOVDQU32 %d(R8)(%s*1), %s", e.level.width()*h+distance, base, to)
}

// put writes vector h of the row at a distance of bytes from that in DX, in
// the lanes that execute.
func (e *emitter) put(reg string, h, distance int) {
	at := fmt.Sprintf("%d(R8)(DX*1)", e.level.width()*h+distance)
	switch {
	case e.full:
		e.p("VMOVDQU32 %s, %s", reg, at)
	case e.level == avx512:
		e.p("VMOVDQU32 %s, K%d, %s", reg, 1+h, at)
	default:
		e.executing(h, "Z13")
		e.p("VMOVDQU %s, Y14", at)
		e.p("VBLENDVPS Y13, %s, Y14, Y14", strings.Replace(reg, "Z", "Y", 1))
		e.p("VMOVDQU Y14, %s", at)
	}
}

// putAll writes the same vector to all lanes of the row in DX.
func (e *emitter) putAll(reg string) {
	for h := range e.level.vectors() {
		e.put(reg, h, 0)
	}
}

// lanes brings the lanes of R10 to where vectors are masked by them: with
// AVX-512 K1 and K2, with AVX2 every word of Y15.
func (e *emitter) lanes() {
	if e.level == avx512 {
		e.ps("KMOVD R10, K1", "KSHIFTRD $16, K1, K2")
		return
	}
	e.ps("VMOVD R10, X15", "VPBROADCASTD X15, Y15")
}

// executing makes the signs of a vector's words tell which lanes of vector h
// execute, with AVX2.
func (e *emitter) executing(h int, to string) {
	e.p("VPSLLVD bits<>+%d(SB), Z15, %s", 32*h, to)
}

// masks prepares lane masks from the bits of a register; mask then names that
// of vector h.
func (e *emitter) masks(reg string) {
	if e.level == avx512 {
		e.p("KMOVD %s, K5", reg)
		e.ps("KSHIFTRD $16, K5, K6")
		return
	}
	e.p("VMOVD %s, X10", reg)
	e.ps("VPBROADCASTD X10, Y10")
}

func (e *emitter) mask(h int) string {
	if e.level == avx512 {
		return fmt.Sprintf("K%d", 5+h)
	}
	e.p("VPSLLVD bits<>+%d(SB), Y10, Y11", 32*h)
	return "K3"
}

// result is the mask in which comparisons of vector h leave theirs.
func (v level) result(h int) string {
	if v == avx512 {
		return fmt.Sprintf("K%d", 5+h)
	}
	return "K3"
}

// collect takes the mask named by result(h) into R13, by way of a free
// register; collected ends that.
func (e *emitter) collect(h int, free string) {
	switch {
	case e.level == avx512:
	case e.looped:
		e.p("VMOVMSKPS Y11, %s", free)
		e.p("SHLL $24, %s", free)
		e.ps("SHRL $8, R13")
		e.p("ORL %s, R13", free)
	case h == 0:
		e.ps("VMOVMSKPS Y11, R13")
	default:
		e.p("VMOVMSKPS Y11, %s", free)
		e.p("SHLL $%d, %s", 8*h, free)
		e.p("ORL %s, R13", free)
	}
}

func (e *emitter) collected() {
	if e.level == avx512 {
		e.ps("KUNPCKWD K5, K6, K5", "KMOVD K5, R13")
	}
}

// words names the vectors of vector h of a row of words.
func (v level) words(h int) map[string]string {
	if v == avx2 {
		names := registers("a b c d t u v p q r s", 0)
		names["ty"], names["k"], names["j"] = "X4", "K3", "K4"
		return names
	}
	return map[string]string{
		"a": z(8 * h), "b": z(8*h + 1), "c": z(8*h + 2), "d": z(8*h + 3), "t": z(8*h + 4), "u": z(8*h + 5), "v": z(8*h + 6),
		"p": z(16 + 4*h), "q": z(17 + 4*h), "r": z(18 + 4*h), "s": z(19 + 4*h), "ty": fmt.Sprintf("Y%d", 8*h+4),
		"k": fmt.Sprintf("K%d", 5+h), "j": fmt.Sprintf("K%d", 3+h),
	}
}

// quads names the vectors of the i-th part of a vector of double words, and
// lower and upper the vectors of words from and into which they are made.
func (v level) quads(i int) map[string]string {
	names := map[string]string{"a": z(i), "b": z(2 + i), "c": z(4 + i), "p": z(6 + i), "d": z(6 + i)}
	if v == avx2 {
		names["t"], names["u"], names["v"], names["y"], names["k"], names["j"] = "Z8", "Z9", "Z10", "X8", "K3", "K4"
		return names
	}
	names["t"], names["u"], names["v"], names["y"] = z(8+i), z(10+i), z(14+i), fmt.Sprintf("Y%d", 8+i)
	names["k"], names["j"] = "K3", "K4"
	return names
}

func (v level) lower() string { return [...]string{"Z12", "Z11"}[v] }

func (v level) upper() string { return [...]string{"Z13", "Z12"}[v] }

// laneNumbers loads the numbers of vector h's lanes.
func (e *emitter) laneNumbers(h int, to string) {
	e.p("VMOVDQU32 lanes<>+%d(SB), %s", e.level.width()*h, to)
}

// registers names vectors from the n-th on.
func registers(names string, n int) map[string]string {
	m := map[string]string{}
	for i, name := range strings.Fields(names) {
		m[name] = z(n + i)
	}
	return m
}

func z(n int) string { return fmt.Sprintf("Z%d", n) }
