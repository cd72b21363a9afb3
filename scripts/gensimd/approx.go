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
	refuse      string // leaves the not ordinary ones among {a} in {k}, of those in {m}
	reduce      string // makes the piece {i} and t {t} of {a}; {e} is kept
	cut         int    // bits of the result that are dropped
	encode      string // makes the result {d} of the 24 bits in {q}
}

// The reduction's registers: a the operand, i the piece, t the place in it, e
// the exponent, q the interpolated value, d the result, w free.
var approximations = []approximation{
	{
		name: "Rcp", curve: "rcp", special: 0xbf, cut: 16,
		refuse: "VPANDD.BCST magnitude32<>(SB), {a}, {w}\nVPCMPUD.BCST $5, exponent253<>(SB), {w}, {m}, {k}",
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
		refuse: "VPANDD.BCST magnitude32<>(SB), {a}, {w}\nVPCMPUD.BCST $5, f126<>(SB), {w}, {m}, {k}",
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
	{"exponent253", 4, 253 << 23}, {"f126", 4, 0x42fc0000}, {"n125", 4, 125}, {"n126", 4, 126}, {"n127", 4, 127}, {"n252", 4, 252}, {"n254", 4, 254}, {"n153", 8, 153},
}

func approxRows() []kernel {
	var all []kernel
	for _, a := range approximations {
		all = append(all, kernel{a.name + "ApproxF32", "rowShape", a.write})
	}
	lg2 := approximation{name: "Lg2", curve: "lg2", special: 0xff, reduce: "VPSRLD $23, {a}, {e}\nVPSUBD.BCST n127<>(SB), {e}, {e}\n" +
		"VPSLLD $9, {a}, {i}\nVPSRLD $26, {i}, {i}\nVPANDD.BCST low17<>(SB), {a}, {t}",
		refuse: "VPCMPEQD.BCST oneF32<>(SB), {a}, {m}, {k}"}
	return append(all, kernel{"Lg2ApproxF32", "rowShape", lg2.writeLogarithm})
}

// writeCurves writes the tables.
func writeCurves(s *strings.Builder) {
	for _, name := range []string{"rcp", "rsqrt", "sqrt", "ex2", "lg2"} {
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

// names are the registers of half h, whose operand is Z0 or Z8.
func (a approximation) names(h int) map[string]string {
	return map[string]string{"a": z(8 * h), "i": "Z1", "t": "Z2", "e": "Z3", "w": "Z4", "q": "Z5", "d": "Z6",
		"m": fmt.Sprintf("K%d", 1+h), "k": fmt.Sprintf("K%d", 3+h)}
}

// begin loads the operand and leaves unless it is ordinary in all lanes.
func (a approximation) begin(e *emitter) {
	e.offset("a", "AX")
	e.ps("VMOVDQU32 (R8)(AX*1), Z0", "VMOVDQU32 64(R8)(AX*1), Z8")
	e.p("VFPCLASSPSZ $%#x, Z0, K1, K3", a.special)
	e.p("VFPCLASSPSZ $%#x, Z8, K2, K4", a.special)
	e.ps("KORTESTW K3, K4")
	e.leaveIf("JNE")
	if a.refuse != "" {
		for h := range 2 {
			e.fill(a.refuse, a.names(h), "")
		}
		e.ps("KORTESTW K3, K4")
		e.leaveIf("JNE")
	}
	e.p("LEAQ %sCurve<>(SB), BX", a.curve)
	e.offset("d", "DX")
}

func (a approximation) write(e *emitter) {
	a.begin(e)
	e.ps("MOVL $0xaaaa, R14", "KMOVW R14, K6")
	for h := range 2 {
		names := a.names(h)
		e.fill(a.reduce, names, "")
		a.interpolate(e)
		e.p("VPSRLQ $%d, Z16, Z16", a.cut)
		e.p("VPSRLQ $%d, Z17, Z17", a.cut)
		e.ps("VPSLLQ $32, Z17, Z17", "VPBLENDMD Z17, Z16, K6, Z5")
		e.fill(a.encode, names, "")
		e.put("Z6", h, 0)
	}
	e.next()
}

// interpolate makes of the piece Z1 and the place Z2 the values of even lanes
// in Z16 and of odd ones in Z17.
func (a approximation) interpolate(e *emitter) {
	c := alu.Curves()[a.curve]
	n := 4 * len(c.C0)
	e.ps("VPSRLD $9, Z2, Z9", "VPSLLD $23, Z2, Z10", "VPSRLD $23, Z10, Z10", "VPMULLD Z9, Z9, Z11", "VPSRLD $1, Z11, Z11")
	for k := 1; k <= 7; k++ {
		e.p("VPSLLD $%d, Z9, Z12", 31-k)
		e.ps("VPMOVD2M Z12, K5")
		e.p("VPSRLD $%d, Z10, Z12", 9-k)
		e.ps("VPADDD Z12, Z11, K5, Z11")
	}
	for i := range 3 {
		e.ps("KXNORW K7, K7, K7")
		e.p("VPGATHERDD %d(BX)(Z1*4), K7, Z%d", n*i, 12+i)
	}
	e.ps("VPSLLQ $32, Z12, Z16")
	e.p("VPSRAQ $%d, Z16, Z16", 32-c.One)
	e.ps("VPSRAQ $32, Z12, Z17")
	e.p("VPSLLQ $%d, Z17, Z17", c.One)
	e.p("VPBROADCASTQ %sBias<>(SB), Z18", a.curve)
	e.ps("VPADDQ Z18, Z16, Z16", "VPADDQ Z18, Z17, Z17",
		"VPMULDQ Z13, Z2, Z18", "VPADDQ Z18, Z16, Z16",
		"VPSRLQ $32, Z13, Z13", "VPSRLQ $32, Z2, Z19", "VPMULDQ Z13, Z19, Z18", "VPADDQ Z18, Z17, Z17",
		"VPMULDQ Z14, Z11, Z18")
	e.p("VPSLLQ $%d, Z18, Z18", c.Square)
	e.ps("VPADDQ Z18, Z16, Z16", "VPSRLQ $32, Z14, Z14", "VPSRLQ $32, Z11, Z11", "VPMULDQ Z14, Z11, Z18")
	e.p("VPSLLQ $%d, Z18, Z18", c.Square)
	e.ps("VPADDQ Z18, Z17, Z17")
}

// writeLogarithm adds the exponent and brings the sum to 24 bits.
func (a approximation) writeLogarithm(e *emitter) {
	a.begin(e)
	e.ps("MOVL $0xaaaa, R14", "KMOVW R14, K6")
	for h := range 2 {
		e.fill(a.reduce, a.names(h), "")
		a.interpolate(e)
		e.ps("VPSLLQ $36, Z3, Z18", "VPSRAQ $2, Z16, Z16", "VPADDQ Z18, Z16, Z16",
			"VPSRLQ $32, Z3, Z3", "VPSLLQ $36, Z3, Z18", "VPSRAQ $2, Z17, Z17", "VPADDQ Z18, Z17, Z17")
		for _, q := range []string{"Z16", "Z17"} {
			names := map[string]string{"q": q, "s": "Z18", "z": "Z19", "w": "Z20"}
			e.fill("VPSRAQ $63, {q}, {s}\nVPXORQ {s}, {q}, {q}\nVPLZCNTQ {q}, {z}\nVPTESTMQ {q}, {q}, K5\nVPSLLVQ {z}, {q}, {q}\nVPSRLQ $40, {q}, {q}\n"+
				"VPBROADCASTQ n153<>(SB), {w}\nVPSUBQ {z}, {w}, {w}\nVPSLLQ $23, {w}, {w}\nVPADDQ.Z {w}, {q}, K5, {q}\n"+
				"VPSLLQ $31, {s}, {s}\nVPORQ {s}, {q}, {q}", names, "")
		}
		e.ps("VPSLLQ $32, Z17, Z17", "VPBLENDMD Z17, Z16, K6, Z6")
		e.put("Z6", h, 0)
	}
	e.next()
}
