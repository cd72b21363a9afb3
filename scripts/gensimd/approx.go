package main

import (
	"fmt"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// approximation is a function of the multifunction unit, interpolated in the
// reference's tables. Lanes of which it is not sure that they are ordinary
// make it leave.
type approximation struct {
	name, curve string
	special     int    // classes of operands that are not ordinary
	refuse      string // finds more of them among {a} in {j}
	reduce      string // makes the piece {i} and t {t} of {a}; {e} is kept
	divides     bool   // b is the operand, and a divided by it the result
	cut         int    // bits of the result that are dropped
	encode      string // makes the result {d} of the 24 bits in {q}
}

// The reduction's registers: a the operand, i the piece, t the place in it, e
// the exponent, q the interpolated value, d the result, w free.
var approximations = []approximation{
	{
		name: "Rcp", curve: "rcp", special: 0xbf, cut: 16,
		refuse: "VPANDD.BCST magnitude32<>(SB), {a}, {w}\nVPCMPUD.BCST $5, exponent253<>(SB), {w}, {j}",
		reduce: "VPSLLD $9, {a}, {t}\nVPSRLD $25, {t}, {i}\nVPSLLD $16, {a}, {t}\nVPSRLD $15, {t}, {t}\nVPSLLD $1, {a}, {e}\nVPSRLD $24, {e}, {e}",
		encode: "VPBROADCASTD n252<>(SB), {w}\nVPSUBD {e}, {w}, {w}\nVPSLLD $23, {w}, {w}\nVPADDD {w}, {q}, {d}\n" +
			"VPTESTNMD.BCST fraction<>(SB), {a}, {k}\nVPBROADCASTD n254<>(SB), {w}\nVPSUBD {e}, {w}, {w}\nVPSLLD $23, {w}, {k}, {d}\n" +
			"VPANDD.BCST sign32<>(SB), {a}, {w}\nVPORD {w}, {d}, {d}",
	},
	{
		name: "Rsqrt", curve: "rsqrt", special: 0xff, cut: 16,
		reduce: rootReduction,
		encode: "VPSRAD $1, {e}, {e}\nVPBROADCASTD n125<>(SB), {w}\nVPSUBD {e}, {w}, {w}\nVPSLLD $23, {w}, {w}\nVPADDD {w}, {q}, {d}\n" +
			"VPANDD.BCST fraction24<>(SB), {a}, {w}\nVPCMPEQD.BCST even24<>(SB), {w}, {k}\n" +
			"VPBROADCASTD n127<>(SB), {w}\nVPSUBD {e}, {w}, {w}\nVPSLLD $23, {w}, {k}, {d}",
	},
	{
		name: "Sqrt", curve: "sqrt", special: 0xff, cut: 17,
		reduce: rootReduction,
		encode: "VPSRAD $1, {e}, {e}\nVPADDD.BCST n126<>(SB), {e}, {w}\nVPSLLD $23, {w}, {w}\nVPADDD {w}, {q}, {d}",
	},
	{
		name: "Ex2", curve: "ex2", special: 0x99, cut: 15,
		refuse: "VPANDD.BCST magnitude32<>(SB), {a}, {w}\nVPCMPUD.BCST $5, f126<>(SB), {w}, {j}",
		reduce: "VPSLLD $1, {a}, {e}\nVPSRLD $24, {e}, {e}\nVPSUBD.BCST n127<>(SB), {e}, {e}\n" +
			"VPANDD.BCST fraction<>(SB), {a}, {t}\nVPORD.BCST hidden<>(SB), {t}, {t}\n" +
			"VPSLLVD {e}, {t}, {i}\nVPSUBD {e}, Z29, {w}\nVPSRLVD {w}, {t}, {t}\nVPORD {i}, {t}, {t}\n" + // a negative count gives zero
			"VPTESTNMD.BCST fraction<>(SB), {t}, {k}\nVPSRAD $31, {a}, {w}\nVPXORD {w}, {t}, {t}\nVPSUBD {w}, {t}, {k}, {t}\nVPSRAD $23, {t}, {e}\n" +
			"VPSLLD $9, {t}, {i}\nVPSRLD $26, {i}, {i}\nVPANDD.BCST low17<>(SB), {t}, {t}",
		encode: "VPADDD.BCST n126<>(SB), {e}, {w}\nVPSLLD $23, {w}, {w}\nVPADDD {w}, {q}, {d}",
	},
}

const rootReduction = "VPSRLD $23, {a}, {e}\nVPSUBD.BCST n127<>(SB), {e}, {e}\nVPANDD Z30, {e}, {w}\nVPSLLD $6, {w}, {w}\n" +
	"VPSLLD $9, {a}, {i}\nVPSRLD $26, {i}, {i}\nVPORD {w}, {i}, {i}\nVPANDD.BCST low17<>(SB), {a}, {t}"

var approxConstants = []constant{
	{"fraction", 4, 0x7fffff}, {"fraction24", 4, 0xffffff}, {"even24", 4, 0x800000}, {"hidden", 4, 0x800000}, {"low17", 4, 0x1ffff},
	{"exponent253", 4, 253 << 23}, {"f126", 4, 0x42fc0000}, {"n125", 4, 125}, {"n126", 4, 126}, {"n127", 4, 127}, {"n252", 4, 252}, {"n254", 4, 254}, {"exponent932", 8, 932 << 52}, {"exponent933", 8, 933 << 52}, {"invTwoPi", 4, 0x3e22f983},
}

func approxRows() []kernel {
	var all []kernel
	for _, a := range approximations {
		all = append(all, kernel{name: a.name + "ApproxF32", shape: "rowShape", write: a.write})
	}
	lg2 := approximation{name: "Lg2", curve: "lg2", special: 0xff, reduce: "VPSRLD $23, {a}, {e}\nVPSUBD.BCST n127<>(SB), {e}, {e}\n" +
		"VPSLLD $9, {a}, {i}\nVPSRLD $26, {i}, {i}\nVPANDD.BCST low17<>(SB), {a}, {t}",
		refuse: "VPCMPEQD.BCST oneF32<>(SB), {a}, {j}"}
	all = append(all, kernel{name: "Lg2ApproxF32", shape: "rowShape", write: lg2.writeLogarithm})
	for _, x := range []struct{ name, sign, quarters string }{
		{"Sin", "VPXORD {a}, {w}, {e}", ""}, {"Cos", "VMOVDQA32 {w}, {e}", "VPADDD.BCST one32<>(SB), {w}, {w}\n"},
	} {
		a := approximation{name: x.name, curve: "sin", special: 0x99, reduce: strings.NewReplacer("SIGN", x.sign, "QUARTERS", x.quarters).Replace(turn)}
		all = append(all, kernel{name: x.name + "ApproxF32", shape: "rowShape", write: a.writeSine})
	}
	for _, ftz := range []bool{false, true} {
		a := approximations[0]
		a.divides = true
		name, lines := arithmeticF32[2].rounded("").lines("RN", ftz, false)
		all = append(all, kernel{name: strings.Replace(name, "MulF32RN", "DivApproxF32", 1), shape: "rowShape", write: func(e *emitter) { a.writeProduct(e, lines) }})
	}
	return all
}

// turn makes of {a} radians the steps of which a turn has 2^25, of these the
// quarter of the circle and the place in it, and {e}, the result's sign.
const turn = "VBROADCASTSS invTwoPi<>(SB), {w}\nVMULPS.RZ_SAE {w}, {a}, {a}\nVPSRLD $23, {a}, {e}\nVPANDD.BCST low8<>(SB), {e}, {e}\nVPSUBD.BCST n125<>(SB), {e}, {e}\n" +
	"VPANDD.BCST fraction<>(SB), {a}, {t}\nVPORD.BCST hidden<>(SB), {t}, {t}\n" +
	"VPSLLVD {e}, {t}, {i}\nVPSUBD {e}, Z29, {w}\nVPSRLVD {w}, {t}, {t}\nVPORD {i}, {t}, {t}\n" + // a negative count gives zero
	"VPSRLD $23, {t}, {w}\nQUARTERSVPANDD.BCST fraction<>(SB), {t}, {t}\nVPSLLD $31, {w}, {i}\nVPSRAD $31, {i}, {i}\nVPANDD.BCST fraction<>(SB), {i}, {i}\nVPXORD {i}, {t}, {t}\n" +
	"VPSLLD $30, {w}, {w}\nSIGN\nVPANDD.BCST sign32<>(SB), {e}, {e}\nVPSRLD $17, {t}, {i}\nVPANDD.BCST low17<>(SB), {t}, {t}"

// writeCurves writes the tables.
func writeCurves(s *strings.Builder) {
	for _, name := range []string{"rcp", "rsqrt", "sqrt", "ex2", "lg2", "sin"} {
		c := alu.Curves()[name]
		for j, words := range [3][]int32{c.C0, c.C1, c.C2} {
			for i, w := range words {
				fmt.Fprintf(s, "DATA %sCurve<>+%d(SB)/4, $%d\n", name, 4*(i+j*len(words)), w)
			}
		}
		fmt.Fprintf(s, "GLOBL %sCurve<>(SB), RODATA|NOPTR, $%d\n", name, 12*len(c.C0))
		fmt.Fprintf(s, "DATA %sBias<>(SB)/8, $%d\nGLOBL %sBias<>(SB), RODATA|NOPTR, $8\n", name, c.Bias, name)
	}
}

// approxNames are the registers: a i t e w q d as above, the square s, the
// coefficients f g h.
func approxNames() map[string]string {
	names := registers("a i t e w q d s f g h", 0)
	names["k"], names["j"] = "K3", "K4"
	return names
}

// begin leaves unless the operand is ordinary in all lanes.
func (a approximation) begin(e *emitter) {
	e.offset(map[bool]string{false: "a", true: "b"}[a.divides], "AX")
	if e.level == avx2 {
		e.ps("VPXORD Z10, Z10, Z10")
	}
	e.each(true, func(h int) {
		names := approxNames()
		e.load("AX", h, 0, names["a"])
		e.fill(fmt.Sprintf("VFPCLASSPSZ $%#x, {a}, {k}", a.special), names, "")
		if a.refuse != "" {
			e.fill(a.refuse, names, "")
		}
		e.suspect(h, a.refuse != "")
	})
	if e.level == avx2 {
		e.ps("VTESTPS Z10, Z10")
	} else {
		e.ps("KORTESTW K5, K6")
	}
	e.leaveIf("JNE")
	e.p("LEAQ %sCurve<>(SB), BX", a.curve)
	e.offset("d", "DX")
}

// suspect adds the executing lanes in K3, and in K4 if there are more, to K5
// and K6 or to the signs of Z10.
func (e *emitter) suspect(h int, more bool) {
	if e.level == avx512 {
		if more {
			e.ps("KORW K3, K4, K3")
		}
		e.p("KANDW K3, K%d, K%d", 1+h, 5+h)
		return
	}
	if more {
		e.ps("VPOR Y12, Y11, Y11")
	}
	if !e.full {
		e.executing(h, "Z13")
		e.ps("VPAND Y13, Y11, Y11")
	}
	e.ps("VPOR Y11, Y10, Y10")
}

// value puts the function of vector h of the operand into {d}.
func (a approximation) value(e *emitter, h int, names map[string]string) {
	e.load("AX", h, 0, names["a"])
	e.fill(a.reduce, names, "")
	a.interpolate(e, names)
	e.fill(fmt.Sprintf("VPSRLQ $%d, {q}, {q}\nVPSRLQ $%d, {d}, {d}", a.cut, a.cut), names, "")
	e.interleave("{d}", "{q}", "{q}", names)
	e.fill(a.encode, names, "")
}

func (a approximation) write(e *emitter) {
	a.begin(e)
	e.each(true, func(h int) {
		names := approxNames()
		a.value(e, h, names)
		e.put(names["d"], h, 0)
	})
	e.next()
}

// interleave puts the lower words of double words odd between those of even.
func (e *emitter) interleave(odd, even, to string, names map[string]string) {
	blend := "VMOVDQA32 {odd}, K7, {even}\nVMOVDQA32 {even}, {to}"
	if e.level == avx2 {
		blend = "VPBLENDD $0xaa, {odd}, {even}, {to}"
	} else {
		e.ps("MOVL $0xaaaa, R14", "KMOVW R14, K7")
	}
	code := strings.NewReplacer("{odd}", odd, "{even}", even, "{to}", to).Replace("VPSLLQ $32, {odd}, {odd}\n" + blend)
	e.fill(code, names, "")
}

// interpolate makes of the piece {i} and the place {t} the values of even
// lanes in {q} and of odd ones in {d}.
func (a approximation) interpolate(e *emitter, names map[string]string) {
	c := alu.Curves()[a.curve]
	e.fill("VPSRLD $9, {t}, {q}\nVPSLLD $23, {t}, {d}\nVPSRLD $23, {d}, {d}\nVPMULLD {q}, {q}, {s}\nVPSRLD $1, {s}, {s}", names, "")
	for k := 1; k <= 7; k++ {
		e.fill(fmt.Sprintf("VPSLLD $%d, {q}, {w}\nVPMOVD2M {w}, {k}\nVPSRLD $%d, {d}, {w}\nVPADDD {w}, {s}, {k}, {s}", 31-k, 9-k), names, "")
	}
	for i, to := range []string{"f", "g", "h"} {
		e.gatherAll(fmt.Sprintf("%d(BX)(%%s*4)", 4*len(c.C0)*i), names["i"], names[to])
	}
	e.fill(fmt.Sprintf("VPSLLQ $32, {f}, {q}\nVPSRAQ $%d, {q}, {q}\nVPSRAQ $32, {f}, {d}\nVPSLLQ $%d, {d}, {d}", 32-c.One, c.One), names, "")
	e.fill("VPBROADCASTQ "+a.curve+"Bias<>(SB), {f}\nVPADDQ {f}, {q}, {q}\nVPADDQ {f}, {d}, {d}\n"+
		"VPMULDQ {g}, {t}, {f}\nVPADDQ {f}, {q}, {q}\n"+
		"VPSRLQ $32, {g}, {g}\nVPSRLQ $32, {t}, {f}\nVPMULDQ {g}, {f}, {f}\nVPADDQ {f}, {d}, {d}", names, "")
	e.fill(fmt.Sprintf("VPMULDQ {h}, {s}, {f}\nVPSLLQ $%d, {f}, {f}\nVPADDQ {f}, {q}, {q}\n"+
		"VPSRLQ $32, {h}, {h}\nVPSRLQ $32, {s}, {s}\nVPMULDQ {h}, {s}, {f}\nVPSLLQ $%d, {f}, {f}\nVPADDQ {f}, {d}, {d}", c.Square, c.Square), names, "")
}

// gatherAll loads words of all lanes at an address that has a place for the
// vector of indices.
func (e *emitter) gatherAll(address, index, to string) {
	if e.level == avx512 {
		e.ps("KXNORW K7, K7, K7")
		e.p("VPGATHERDD "+address+", K7, %s", index, to)
		return
	}
	e.ps("VPCMPEQD Y13, Y13, Y13")
	e.p("VPGATHERDD Y13, "+address+", %s", "Y"+index[1:], to)
}

// cutF32 makes of a double word less than 2^52 an f32 that is cut off: of the bits
// as a double, with another exponent.
const cutF32 = "VPTESTMQ {v}, {v}, {k}\nVPBROADCASTQ twoTo52<>(SB), {w}\nVPORQ {w}, {v}, {v}\nVSUBPD {w}, {v}, {v}\n" +
	"VPBROADCASTQ UNIT<>(SB), {w}\nVPSUBQ {w}, {v}, {v}\nVPSRLQ.Z $29, {v}, {k}, {v}\n"

// writeLogarithm adds the exponent.
func (a approximation) writeLogarithm(e *emitter) {
	a.begin(e)
	e.each(true, func(h int) {
		names := approxNames()
		e.load("AX", h, 0, names["a"])
		e.fill(a.reduce, names, "")
		a.interpolate(e, names)
		e.fill("VPSLLQ $36, {e}, {f}\nVPSRAQ $2, {q}, {q}\nVPADDQ {f}, {q}, {q}\n"+
			"VPSRLQ $32, {e}, {e}\nVPSLLQ $36, {e}, {f}\nVPSRAQ $2, {d}, {d}\nVPADDQ {f}, {d}, {d}", names, "")
		for _, q := range []string{"{q}", "{d}"} {
			code := strings.ReplaceAll("VPSRAQ $63, {v}, {f}\nVPXORQ {f}, {v}, {v}\n"+cutF32+"VPSLLQ $31, {f}, {f}\nVPORQ {f}, {v}, {v}", "{v}", q)
			e.fill(strings.ReplaceAll(code, "UNIT", "exponent932"), names, "")
		}
		e.interleave("{d}", "{q}", "{q}", names)
		e.put(names["q"], h, 0)
	})
	e.next()
}

// writeSine gives the result the sign.
func (a approximation) writeSine(e *emitter) {
	a.begin(e)
	e.each(true, func(h int) {
		names := approxNames()
		e.load("AX", h, 0, names["a"])
		e.fill(a.reduce, names, "")
		a.interpolate(e, names)
		for _, q := range []string{"{q}", "{d}"} {
			e.fill(strings.TrimSpace(strings.NewReplacer("{v}", q, "UNIT", "exponent933").Replace(cutF32)), names, "")
		}
		e.interleave("{d}", "{q}", "{q}", names)
		e.fill("VPORD {e}, {q}, {q}", names, "")
		e.put(names["q"], h, 0)
	})
	e.next()
}

// writeProduct multiplies by a.
func (a approximation) writeProduct(e *emitter, lines []string) {
	a.begin(e)
	e.prepare(lines)
	e.offset("a", "CX")
	e.each(true, func(h int) {
		names := approxNames()
		a.value(e, h, names)
		product := map[string]string{"a": names["a"], "b": names["d"], "d": names["q"], "t": names["t"], "u": names["e"], "j": names["j"], "k": names["k"]}
		e.load("CX", h, 0, product["a"])
		e.expand(lines, product)
		e.put(product["d"], h, 0)
	})
	e.setControl("")
	e.next()
}
