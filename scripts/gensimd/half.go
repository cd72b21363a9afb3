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
				h.row("Fma", "d:ddd", "VMOVAPS {p}, {s}", "VFMADD213PS.RZ_SAE {r}, {q}, {s}", "VMOVAPS {p}, {t}",
					"VFMADD213PS.RD_SAE {r}, {q}, {t}", "VFMADD213PS.RU_SAE {r}, {q}, {p}", "VCMPPS $4, {t}, {p}, {j}", "VPORD Z30, {s}, {j}, {s}"),
			)
		}
	}
	for i, r := range []string{"RN", "RM", "RP", "RZ"} {
		all = append(all, row("CvtF16F32"+r, "d:d", "VMOVDQA32 {a}, {s}", "<canonical>", fmt.Sprintf("VCVTPS2PH $%d, {s}, {ty}", i), "VPMOVZXWD {ty}, {d}"))
	}
	f16, bf16 := halfOp{"F16", false}, halfOp{"BF16", false}
	return append(all,
		row("CvtF32F16", "d:d", append(f16.widen("a", "d", false), "<nan32>")...),
		row("CvtF32BF16", "d:d", "VPSLLD $16, {a}, {d}"),
		row("CvtBF16F32RN", "d:d", append([]string{"VMOVDQA32 {a}, {s}", "<canonical>"}, append(bf16.narrow(), "VMOVDQA32 {s}, {d}")...)...),
		f16.convertPair("CvtF16x2F32RN"),
		bf16.convertPair("CvtBF16x2F32RN"),
	)
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
