package main

import (
	"strings"
)

// Operand kinds of a row operation: a word, a double word of two rows, or a
// word extended to a double word with zeros or its sign.
const (
	word  = 'd'
	quad  = 'q'
	zeros = 'z'
	signs = 's'
)

// row describes a row operation. form is the kind of the result, a colon and
// the kinds of the sources a, b and c. The code names vectors in braces: a b c
// the sources, p a fourth, d the result, t u v free; k and j are free masks. Lines that
// begin with a word in angle brackets are expanded, see expand.
func row(name, form string, code ...string) kernel {
	return kernel{name: name, shape: "rowShape", write: func(e *emitter) {
		result, sources := form[0], form[2:]
		e.prepare(code)
		if result == word && strings.Trim(sources, string(word)) == "" {
			e.narrow(sources, code, true)
		} else {
			e.wide(result, sources, code)
		}
		e.setControl("")
		e.next()
	}}
}

// prepare sets AVX2's control register as the code needs it first.
func (e *emitter) prepare(code []string) {
	if e.level != avx2 {
		return
	}
	text, mode := strings.Join(code, "\n"), ""
	e.flushes = strings.Contains(text, "<denormals>")
	if at := strings.Index(text, "_SAE"); at >= 0 {
		mode = text[at-2 : at]
	}
	e.round(mode)
}

// fields are the operand fields of a source: its row and the row above. A fourth
// source is a word, for which the third must be one.
var fields = [4][2]string{{"a", "ah"}, {"b", "bh"}, {"c", "ch"}, {"ch", ""}}

var bases = [4]string{"AX", "BX", "CX", "R13"}

// narrow works on words: one vector after the other.
func (e *emitter) narrow(sources string, code []string, store bool) {
	for i := range sources {
		e.offset(fields[i][0], bases[i])
	}
	if store {
		e.offset("d", "DX")
	}
	e.each(len(code) >= long, func(h int) {
		names := e.level.words(h)
		for i := range sources {
			e.load(bases[i], h, 0, names[string("abcp"[i])])
		}
		e.expand(code, names)
		if store {
			e.put(names["d"], h, 0)
		} else {
			e.collect(h, "DX")
		}
	})
}

// wide works on double words: each vector of a row is two of them, in the
// order in which unpacking leaves them and shuffling undoes it.
func (e *emitter) wide(result byte, sources string, code []string) {
	e.each(true, func(h int) {
		e.unpack(sources, h)
		for i := range 2 {
			e.expand(code, e.level.quads(i))
		}
		if h == 0 {
			e.offset("d", "DX")
		}
		low, high := e.level.lower(), e.level.upper()
		e.p("VSHUFPS $0x88, Z7, Z6, %s", low)
		e.put(low, h, 0)
		if result == quad {
			e.p("VSHUFPS $0xdd, Z7, Z6, %s", high)
			e.put(high, h, rowBytes)
		}
	})
}

// unpack loads the sources' vectors h as double words.
func (e *emitter) unpack(sources string, h int) {
	low, high := e.level.lower(), e.level.upper()
	for i := range sources {
		e.offset(fields[i][0], "AX")
		e.load("AX", h, 0, low)
		upper := high
		switch sources[i] {
		case quad:
			e.offset(fields[i][1], "BX")
			e.load("BX", h, 0, high)
		case zeros, word:
			upper = "Z29"
		case signs:
			e.p("VPSRAD $31, %s, %s", low, high)
		}
		e.p("VPUNPCKLDQ %s, %s, %s", upper, low, z(2*i))
		e.p("VPUNPCKHDQ %s, %s, %s", upper, low, z(2*i+1))
	}
}

// expand writes code with names for the words in braces.
func (e *emitter) expand(code []string, names map[string]string) {
	for _, line := range code {
		macro, rest, _ := strings.Cut(line, " ")
		switch macro {
		case "<flush>", "<denormals>":
			if macro == "<flush>" || !e.flushes {
				e.flush(strings.Fields(rest), names)
			}
		case "<least>":
			if !e.flushes {
				e.least(rest, names)
			}
		case "<odd>":
			if e.level == avx2 && rest == "F16" {
				e.fill(oddSum, names, "")
			} else {
				e.fill(odd, names, "")
			}
		case "<nan32>":
			e.fill("VCMPPS $3, {d}, {d}, {j}\nVMOVDQA32 Z31, {j}, {d}", names, "")
		case "<canonical>":
			e.fill("VCMPPS $3, {s}, {s}, {j}\nVMOVDQA32 Z31, {j}, {s}", names, "")
		case "<sat32>":
			e.fill("VMAXPS Z29, {d}, {d}\nVBROADCASTSS oneF32<>(SB), {t}\nVMINPS {t}, {d}, {d}", names, "")
		case "<nan64>":
			e.nan64(strings.Fields(rest), names)
		default:
			e.fill(line, names, "")
		}
	}
}

// flush makes zeros of subnormals. Of arithmetic (<denormals>) AVX2's control
// register does that.
func (e *emitter) flush(vectors []string, names map[string]string) {
	code := "VFPCLASSPSZ $0x20, {x}, {j}\nVPANDD.BCST sign32<>(SB), {x}, {j}, {x}"
	if e.level == avx2 {
		code = "VPAND exponent<>(SB), {x}, Z13\nVPCMPEQD zero<>(SB), Z13, Z13\nVPAND magnitude32<>(SB), Z13, Z13\nVPANDN {x}, Z13, {x}"
	}
	for _, x := range vectors {
		e.fill(code, names, x)
	}
}

// least makes zero of the smallest normal numbers in {d} where the scaled
// result is smaller than that.
func (e *emitter) least(scaled string, names map[string]string) {
	l := e.label()
	e.fill("VPANDD.BCST magnitude32<>(SB), {d}, {t}\nVPCMPEQD.BCST hidden<>(SB), {t}, {k}\nKORTESTW {k}, {k}", names, "")
	e.p("JEQ %s", l)
	e.fill(scaled+"\nVPANDD.BCST magnitude32<>(SB), {t}, {t}\nVPCMPUD.BCST $1, scaledLeast<>(SB), {t}, {k}, {k}\nVPANDD.BCST sign32<>(SB), {d}, {k}, {d}", names, "")
	e.at(l)
}

// fill writes lines with names for the words in braces, {x} being named by x.
func (e *emitter) fill(lines string, names map[string]string, x string) {
	for _, l := range strings.Split(lines, "\n") {
		l = strings.ReplaceAll(l, "{x}", "{"+x+"}")
		for name, reg := range names {
			l = strings.ReplaceAll(l, "{"+name+"}", reg)
		}
		e.ps(l)
	}
}

// nan64 gives NaN results of f64 the first NaN operand, made quiet.
func (e *emitter) nan64(operands []string, names map[string]string) {
	l := e.label()
	e.fill("VCMPPD $3, {d}, {d}, {k}\nKORTESTB {k}, {k}", names, "")
	e.p("JEQ %s", l)
	e.fill("VPBROADCASTQ nan64<>(SB), {k}, {d}", names, "")
	for i := len(operands) - 1; i >= 0; i-- {
		e.fill("VCMPPD $3, {x}, {x}, {k}, {j}\nVPORQ.BCST quiet64<>(SB), {x}, {j}, {d}", names, operands[i])
	}
	e.at(l)
}

// roundings are PTX's, with the suffix of the embedded rounding of AVX-512.
var roundings = []struct{ name, suffix string }{{"RN", ""}, {"RZ", ".RZ_SAE"}, {"RM", ".RD_SAE"}, {"RP", ".RU_SAE"}}

func rows() []kernel {
	all := integerRows()
	all = append(all, bitRows()...)
	all = append(all, smallRows()...)
	all = append(all, floatRows()...)
	all = append(all, doubleRows()...)
	all = append(all, halfRows()...)
	all = append(all, approxRows()...)
	return append(all, conversionRows()...)
}

func integerRows() []kernel {
	return []kernel{
		row("Mov32", "d:d", "VMOVDQA32 {a}, {d}"),
		row("Mov16", "d:d", "VPANDD.BCST low16<>(SB), {a}, {d}"),
		row("Mov8", "d:d", "VPANDD.BCST low8<>(SB), {a}, {d}"),
		row("SignExtend8", "d:d", "VPSLLD $24, {a}, {d}", "VPSRAD $24, {d}, {d}"),
		row("SignExtend16", "d:d", "VPSLLD $16, {a}, {d}", "VPSRAD $16, {d}, {d}"),
		{name: "Mov64", shape: "rowShape", write: mov64},
		{name: "Pack64", shape: "packShape", write: mov64},
		{name: "Unpack64", shape: "unpackShape", write: unpack64},
		{name: "Pack32", shape: "packShape", write: row("", "d:dd", "VPSLLD $16, {b}, {b}", "VPANDD.BCST low16<>(SB), {a}, {a}", "VPORD {a}, {b}, {d}").write},
		{name: "Unpack32", shape: "unpackShape", write: unpack32},
		{name: "Tid", shape: "rowShape", write: tid},
		{name: "Uniform", shape: "rowShape", write: uniformRegister},
		{name: "LaneID", shape: "rowShape", write: func(e *emitter) {
			e.offset("d", "DX")
			e.each(false, func(h int) {
				e.laneNumbers(h, z(h))
				e.put(z(h), h, 0)
			})
			e.next()
		}},
		row("Add32", "d:dd", "VPADDD {b}, {a}, {d}"),
		row("Sub32", "d:dd", "VPSUBD {b}, {a}, {d}"),
		row("Mul32", "d:dd", "VPMULLD {b}, {a}, {d}"),
		row("Mad32", "d:ddd", "VPMULLD {b}, {a}, {d}", "VPADDD {c}, {d}, {d}"),
		row("Add16", "d:dd", "VPADDD {b}, {a}, {d}", "VPANDD.BCST low16<>(SB), {d}, {d}"),
		row("Sub16", "d:dd", "VPSUBD {b}, {a}, {d}", "VPANDD.BCST low16<>(SB), {d}, {d}"),
		row("Mul16", "d:dd", "VPMULLD {b}, {a}, {d}", "VPANDD.BCST low16<>(SB), {d}, {d}"),
		row("MinU32", "d:dd", "VPMINUD {b}, {a}, {d}"),
		row("MaxU32", "d:dd", "VPMAXUD {b}, {a}, {d}"),
		row("MinS32", "d:dd", "VPMINSD {b}, {a}, {d}"),
		row("MaxS32", "d:dd", "VPMAXSD {b}, {a}, {d}"),
		row("AbsS32", "d:d", "VPABSD {a}, {d}"),
		row("NegS32", "d:d", "VPSUBD {a}, Z29, {d}"),
		row("And32", "d:dd", "VPANDD {b}, {a}, {d}"),
		row("Or32", "d:dd", "VPORD {b}, {a}, {d}"),
		row("Xor32", "d:dd", "VPXORD {b}, {a}, {d}"),
		row("Not32", "d:d", "VPXORD.BCST all32<>(SB), {a}, {d}"),
		row("Not16", "d:d", "VPXORD.BCST all32<>(SB), {a}, {d}", "VPANDD.BCST low16<>(SB), {d}, {d}"),
		row("Shl32", "d:dd", "VPSLLVD {b}, {a}, {d}"),
		row("ShrU32", "d:dd", "VPSRLVD {b}, {a}, {d}"),
		row("ShrS32", "d:dd", "VPSRAVD {b}, {a}, {d}"),
		row("ShfLWrap", "d:ddd", "VPANDD.BCST thirtyOne<>(SB), {c}, {c}", "VPSLLVD {c}, {b}, {t}",
			"VPBROADCASTD thirtyTwo<>(SB), {u}", "VPSUBD {c}, {u}, {u}", "VPSRLVD {u}, {a}, {u}", "VPORD {u}, {t}, {d}"),
		row("ShfRWrap", "d:ddd", "VPANDD.BCST thirtyOne<>(SB), {c}, {c}", "VPSRLVD {c}, {a}, {t}",
			"VPBROADCASTD thirtyTwo<>(SB), {u}", "VPSUBD {c}, {u}, {u}", "VPSLLVD {u}, {b}, {u}", "VPORD {u}, {t}, {d}"),
		row("Clz32", "d:d", "VPLZCNTD {a}, {d}"),
		{name: "Select32", shape: "selectShape", write: func(e *emitter) { e.choose(1) }},
		{name: "Select64", shape: "selectShape", write: func(e *emitter) { e.choose(2) }},
		row("DivU32", "d:zz", "VCVTUQQ2PD {a}, {t}", "VCVTUQQ2PD {b}, {u}", "VDIVPD {u}, {t}, {t}", "VCVTTPD2UQQ {t}, {d}"),
		row("RemU32", "d:zz", "VCVTUQQ2PD {a}, {t}", "VCVTUQQ2PD {b}, {u}", "VDIVPD {u}, {t}, {t}", "VCVTTPD2UQQ {t}, {d}",
			"VPMULUDQ {b}, {d}, {d}", "VPSUBQ {d}, {a}, {d}", "VPTESTNMQ {b}, {b}, {k}", "VPBROADCASTQ all64<>(SB), {k}, {d}"),
		row("DivS32", "d:ss", "VCVTQQ2PD {a}, {t}", "VCVTQQ2PD {b}, {u}", "VDIVPD {u}, {t}, {t}", "VCVTTPD2QQ {t}, {d}",
			"VPTESTNMQ {b}, {b}, {k}", "VPBROADCASTQ all64<>(SB), {k}, {d}"),
		row("RemS32", "d:ss", "VCVTQQ2PD {a}, {t}", "VCVTQQ2PD {b}, {u}", "VDIVPD {u}, {t}, {t}", "VCVTTPD2QQ {t}, {d}",
			"VPMULUDQ {b}, {d}, {d}", "VPSUBQ {d}, {a}, {d}", "VPTESTNMQ {b}, {b}, {k}", "VPBROADCASTQ all64<>(SB), {k}, {d}"),
		row("MulHiU32", "d:zz", "VPMULUDQ {b}, {a}, {d}", "VPSRLQ $32, {d}, {d}"),
		row("MulHiS32", "d:ss", "VPMULDQ {b}, {a}, {d}", "VPSRLQ $32, {d}, {d}"),
		row("MulWideU32", "q:zz", "VPMULUDQ {b}, {a}, {d}"),
		row("MulWideS32", "q:ss", "VPMULDQ {b}, {a}, {d}"),
		row("MadWideU32", "q:zzq", "VPMULUDQ {b}, {a}, {d}", "VPADDQ {c}, {d}, {d}"),
		row("MadWideS32", "q:ssq", "VPMULDQ {b}, {a}, {d}", "VPADDQ {c}, {d}, {d}"),
		{name: "Add64", shape: "rowShape", write: func(e *emitter) { e.carried("VPADDD", "VPCMPUD $1, Z0, Z2, K3", "VPADDD Z30, Z3, K3, Z3") }},
		{name: "Sub64", shape: "rowShape", write: func(e *emitter) { e.carried("VPSUBD", "VPCMPUD $1, Z1, Z0, K3", "VPSUBD Z30, Z3, K3, Z3") }},
		row("Mul64", "q:qq", "VPMULLQ {b}, {a}, {d}"),
		row("Mad64", "q:qqq", "VPMULLQ {b}, {a}, {d}", "VPADDQ {c}, {d}, {d}"),
		row("MinU64", "q:qq", "VPMINUQ {b}, {a}, {d}"),
		row("MaxU64", "q:qq", "VPMAXUQ {b}, {a}, {d}"),
		row("MinS64", "q:qq", "VPMINSQ {b}, {a}, {d}"),
		row("MaxS64", "q:qq", "VPMAXSQ {b}, {a}, {d}"),
		row("NegS64", "q:q", "VPSUBQ {a}, Z29, {d}"),
		row("AbsS64", "q:q", "VPABSQ {a}, {d}"),
		row("And64", "q:qq", "VPANDQ {b}, {a}, {d}"),
		row("Or64", "q:qq", "VPORQ {b}, {a}, {d}"),
		row("Xor64", "q:qq", "VPXORQ {b}, {a}, {d}"),
		row("Not64", "q:q", "VPXORQ.BCST all64<>(SB), {a}, {d}"),
		row("Shl64", "q:qz", "VPSLLVQ {b}, {a}, {d}"),
		row("ShrU64", "q:qz", "VPSRLVQ {b}, {a}, {d}"),
		row("ShrS64", "q:qz", "VPSRAVQ {b}, {a}, {d}"),
		row("ZeroExtend32", "q:z", "VMOVDQA64 {a}, {d}"),
		row("SignExtend32", "q:s", "VMOVDQA64 {a}, {d}"),
	}
}

// mov64 copies two rows.
func mov64(e *emitter) {
	e.offset("a", "AX")
	e.offset("ah", "BX")
	e.offset("d", "DX")
	e.each(false, func(h int) { // all is read before anything is written
		e.load("AX", h, 0, z(2*h))
		e.load("BX", h, 0, z(2*h+1))
	})
	e.each(false, func(h int) {
		e.put(z(2*h), h, 0)
		e.put(z(2*h+1), h, rowBytes)
	})
	e.next()
}

// unpack64 gives each row of a its own register.
func unpack64(e *emitter) {
	for _, x := range [2][2]string{{"a", "d"}, {"ah", "b"}} {
		e.offset(x[0], "AX")
		e.offset(x[1], "DX")
		e.copy()
	}
	e.next()
}

// unpack32 gives each half word of a its own register.
func unpack32(e *emitter) {
	e.offset("a", "AX")
	e.offset("d", "DX")
	e.offset("b", "BX")
	e.each(false, func(h int) {
		e.load("AX", h, 0, "Z4")
		e.p("VPSRLD $16, Z4, %s", z(h))
		e.ps("VPANDD.BCST low16<>(SB), Z4, Z4")
		e.put("Z4", h, 0)
	})
	e.p("MOVQ BX, DX")
	e.each(false, func(h int) { e.put(z(h), h, 0) })
	e.next()
}

// tid copies one of the rows of thread indices.
func tid(e *emitter) {
	e.ps("MOVQ State_tid(R11), AX", "ADDQ Op_imm(SI), AX", "SUBQ R8, AX")
	e.offset("d", "DX")
	e.copy()
	e.next()
}

// uniformRegister gives all lanes a special register of the CTA.
func uniformRegister(e *emitter) {
	e.ps("MOVQ Op_imm(SI), AX", "VPBROADCASTD State_special(R11)(AX*1), Z0")
	e.offset("d", "DX")
	e.putAll("Z0")
	e.next()
}

// copy copies the row in AX to that in DX.
func (e *emitter) copy() {
	e.each(false, func(h int) {
		e.load("AX", h, 0, z(h))
		e.put(z(h), h, 0)
	})
}

// carried is a sum or difference of double words in words: op on the lower
// rows a (Z0) and b (Z1) gives Z2, the comparison finds in K3 the lanes that
// carry, and fix takes that into the upper result, Z3.
func (e *emitter) carried(op, compare, fix string) {
	e.offset("a", "AX")
	e.offset("b", "BX")
	e.offset("ah", "CX")
	e.offset("bh", "R13")
	e.offset("d", "DX")
	e.each(false, func(h int) {
		e.load("AX", h, 0, "Z0")
		e.load("BX", h, 0, "Z1")
		e.p("%s Z1, Z0, Z2", op)
		e.ps(compare)
		e.load("CX", h, 0, "Z3")
		e.p("%s %d(R8)(R13*1), Z3, Z3", op, e.level.width()*h)
		e.ps(fix)
		e.put("Z2", h, 0)
		e.put("Z3", h, rowBytes)
	})
	e.next()
}

// choose gives a where the predicate is true, else b; it has n rows.
func (e *emitter) choose(n int) {
	e.offset("c", "CX")
	e.ps("MOVL (R9)(CX*1), CX", "XORL Op_slot(SI), CX")
	e.masks("CX")
	e.offset("d", "DX")
	for i := range n {
		e.offset(fields[0][i], "AX")
		e.offset(fields[1][i], "BX")
		e.each(false, func(h int) {
			mask := e.mask(h)
			e.load("BX", h, 0, z(h))
			e.p("VMOVDQU32 %d(R8)(AX*1), %s, %s", e.level.width()*h, mask, z(h))
			e.put(z(h), h, rowBytes*i)
		})
	}
	e.next()
}
