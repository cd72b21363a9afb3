package main

import "fmt"

// halfRows is arithmetic of f16 and bf16, alone or in pairs, by way of f32. A
// sum or product rounded to f32 and then to a half is rounded correctly; a
// fused multiply-add is if the first rounding is to odd.
func halfRows() []kernel {
	var all []kernel
	for _, format := range []string{"F16", "BF16"} {
		for _, pair := range []bool{false, true} {
			h := halfOp{format, pair}
			all = append(all,
				h.row("Add", "d:dd", "VADDPS {q}, {p}, {s}"),
				h.row("Sub", "d:dd", "VSUBPS {q}, {p}, {s}"),
				h.row("Mul", "d:dd", "VMULPS {q}, {p}, {s}"),
				h.row("Fma", "d:ddd", "<odd> "+format),
				h.row("Min", "d:dd", extremeHalf(4)),
				h.row("Max", "d:dd", extremeHalf(5)),
				h.row("Neg", "d:d", "VPXORD.BCST sign32<>(SB), {p}, {s}"),
				h.row("Abs", "d:d", "VPANDD.BCST magnitude32<>(SB), {p}, {s}"),
			)
		}
	}
	for i, r := range []string{"RN", "RM", "RP", "RZ"} {
		all = append(all, row("CvtF16F32"+r, "d:d", "VMOVDQA32 {a}, {s}", "<canonical>", fmt.Sprintf("VCVTPS2PH $%d, {s}, {ty}", i), "VPMOVZXWD {ty}, {d}"))
	}
	f16, bf16 := halfOp{"F16", false}, halfOp{"BF16", false}
	all = append(all, f16.conversions()...)
	return append(all,
		row("CvtF32F16", "d:d", append(f16.widen("a", "d", false), "<nan32>")...),
		row("CvtF32BF16", "d:d", "VPSLLD $16, {a}, {d}"),
		row("CvtBF16F32RN", "d:d", append([]string{"VMOVDQA32 {a}, {s}", "<canonical>"}, append(bf16.narrow(), "VMOVDQA32 {s}, {d}")...)...),
		f16.convertPair("CvtF16x2F32RN"),
		bf16.convertPair("CvtBF16x2F32RN"),
	)
}

// extremeHalf is a minimum (4) or maximum (5), of a NaN and a number the number.
func extremeHalf(imm int) string {
	return fmt.Sprintf("VRANGEPS $%d, {q}, {p}, {s}\nVCMPPS $3, {p}, {p}, {j}\nVMOVDQA32 {q}, {j}, {s}\nVCMPPS $3, {q}, {q}, {j}\nVMOVDQA32 {p}, {j}, {s}", imm)
}

// odd is a fused multiply-add of p, q and r rounded to odd, for s: with zero's
// rounding and one where other roundings differ.
const odd = "VMOVAPS {p}, {s}\nVFMADD213PS.RZ_SAE {r}, {q}, {s}\nVMOVAPS {p}, {t}\nVFMADD213PS.RD_SAE {r}, {q}, {t}\n" +
	"VFMADD213PS.RU_SAE {r}, {q}, {p}\nVCMPPS $4, {t}, {p}, {j}\nVPORD Z30, {s}, {j}, {s}"

// oddSum is the same of f16, whose product is exact, without changing the
// rounding: the error of the sum, in p, says to which side an even result goes.
const oddSum = "VMULPS {q}, {p}, {s}\nVADDPS {r}, {s}, {t}\nVSUBPS {s}, {t}, {u}\nVSUBPS {u}, {t}, {p}\nVSUBPS {p}, {s}, {p}\nVSUBPS {u}, {r}, {q}\nVADDPS {q}, {p}, {p}\n" +
	"VPXORD {t}, {p}, {q}\nVPSRAD $31, {q}, {q}\nVPORD Z30, {q}, {q}\nVPTESTNMD.BCST one32<>(SB), {t}, {k}\nVCMPPS $12, Z29, {p}, {k}, {j}\n" +
	"VMOVAPS {t}, {s}\nVPADDD {q}, {s}, {j}, {s}"

// conversions are cvt from and to integers, and to integral values.
func (h halfOp) conversions() []kernel {
	var all []kernel
	for _, x := range []struct{ name, code string }{
		{"S32", "VCVTDQ2PS {a}, {s}"}, {"U32", "VCVTUDQ2PS {a}, {s}"},
		{"S16", "VPSLLD $16, {a}, {a}\nVPSRAD $16, {a}, {a}\nVCVTDQ2PS {a}, {s}"}, {"U16", "VPANDD.BCST low16<>(SB), {a}, {a}\nVCVTDQ2PS {a}, {s}"},
	} {
		all = append(all, row("CvtF16"+x.name, "d:d", append(append([]string{x.code}, h.narrow()...), "VMOVDQA32 {s}, {d}")...))
	}
	for i, r := range []string{"Rni", "Rmi", "Rpi", "Rzi"} {
		round := fmt.Sprintf("VRNDSCALEPS $%d, {a}, {s}", i)
		lines := append(h.widen("a", "a", false), round, "<canonical>")
		all = append(all, row("RintF16"+r, "d:d", append(append(lines, h.narrow()...), "VMOVDQA32 {s}, {d}")...))
	}
	return all
}

// halfOp is an operation on a format or a pair of it.
type halfOp struct {
	format string
	pair   bool
}

func (h halfOp) row(name, form string, code ...string) kernel {
	name += h.format
	var lines []string
	part := func(upper bool) {
		for i := range form[2:] {
			lines = append(lines, h.widen(string("abc"[i]), string("pqr"[i]), upper)...)
		}
		lines = append(lines, code...)
		lines = append(lines, "<canonical>")
		lines = append(lines, h.narrow()...)
	}
	if h.pair {
		name += "x2"
		part(true)
		lines = append(lines, "VPSLLD $16, {s}, {v}")
	}
	part(false)
	if h.pair {
		return row(name, form, append(lines, "VPORD {v}, {s}, {d}")...)
	}
	return row(name, form, append(lines, "VMOVDQA32 {s}, {d}")...)
}

// widen makes an f32 of the lower or upper half of a word.
func (h halfOp) widen(from, to string, upper bool) []string {
	switch {
	case h.format == "BF16" && upper:
		return []string{"VPANDD.BCST high16<>(SB), {" + from + "}, {" + to + "}"}
	case h.format == "BF16":
		return []string{"VPSLLD $16, {" + from + "}, {" + to + "}"}
	case upper:
		return []string{"VPSRLD $16, {" + from + "}, {t}", "VPMOVDW {t}, {ty}", "VCVTPH2PS {ty}, {" + to + "}"}
	}
	return []string{"VPMOVDW {" + from + "}, {ty}", "VCVTPH2PS {ty}, {" + to + "}"}
}

// narrow rounds {s}, an f32 whose NaN is canonical, to the lower half.
func (h halfOp) narrow() []string {
	if h.format == "F16" {
		return []string{"VCVTPS2PH $0, {s}, {ty}", "VPMOVZXWD {ty}, {s}"}
	}
	return []string{"VCMPPS $3, {s}, {s}, {j}", "VPSRLD $16, {s}, {t}", "VPANDD Z30, {t}, {t}", "VPADDD.BCST below16<>(SB), {t}, {t}",
		"VPADDD {t}, {s}, {s}", "VPSRLD $16, {s}, {s}", "VPBROADCASTD below16<>(SB), {j}, {s}"}
}

// convertPair rounds a to the upper half and b to the lower.
func (h halfOp) convertPair(name string) kernel {
	lines := append([]string{"VMOVDQA32 {a}, {s}", "<canonical>"}, h.narrow()...)
	lines = append(lines, "VPSLLD $16, {s}, {v}", "VMOVDQA32 {b}, {s}", "<canonical>")
	lines = append(lines, h.narrow()...)
	return row(name, "d:dd", append(lines, "VPORD {v}, {s}, {d}")...)
}
