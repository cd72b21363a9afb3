package main

import (
	"strconv"
	"strings"
)

// operationF32 is an operation on f32. Its code makes {d}, scaled the result of
// operands 2^24 times as large, in {t}; # stands for the rounding. Sums need no
// scaled form: they are never rounded up to the smallest normal number.
type operationF32 struct{ name, form, code, scaled string }

const scaleA = "VMULPS.BCST scale24<>(SB), {a}, {t}\n"

var arithmeticF32 = []operationF32{
	{"AddF32", "d:dd", "VADDPS# {b}, {a}, {d}", ""},
	{"SubF32", "d:dd", "VSUBPS# {b}, {a}, {d}", ""},
	{"MulF32", "d:dd", "VMULPS# {b}, {a}, {d}", scaleA + "VMULPS# {b}, {t}, {t}"},
	{"DivF32", "d:dd", "VDIVPS# {b}, {a}, {d}", scaleA + "VDIVPS# {b}, {t}, {t}"},
	{"SqrtF32", "d:d", "VSQRTPS# {a}, {d}", ""},
	{"RcpF32", "d:d", "VBROADCASTSS oneF32<>(SB), {d}\nVDIVPS# {a}, {d}, {d}", "VBROADCASTSS scale24<>(SB), {t}\nVDIVPS# {a}, {t}, {t}"},
	{"FmaF32", "d:ddd", "VMOVAPS {a}, {d}\nVFMADD213PS# {c}, {b}, {d}", scaleA + "VMULPS.BCST scale24<>(SB), {c}, {u}\nVFMADD213PS# {u}, {b}, {t}"},
}

// floatRows is arithmetic of f32: each form with and without flushing of
// subnormals, clamped to [0,1] where that is common, and in all roundings.
func floatRows() []kernel {
	var all []kernel
	for _, r := range roundings {
		for _, ftz := range []bool{false, true} {
			for _, x := range arithmeticF32 {
				x = x.rounded(r.suffix)
				k := x.kernel(r.name, ftz, false)
				k.either = r.name != "RN"
				all = append(all, k)
				if r.name == "RN" {
					all = append(all, x.kernel(r.name, ftz, true))
				}
			}
		}
	}
	for _, ftz := range []bool{false, true} {
		all = append(all,
			flushing("<flush>", "MinF32", "d:dd", ftz, extremeF32(4)...),
			flushing("<flush>", "MaxF32", "d:dd", ftz, extremeF32(5)...),
			flushing("<flush>", "AbsF32", "d:d", ftz, "VPANDD.BCST magnitude32<>(SB), {a}, {d}", "<nan32>"),
			flushing("<flush>", "NegF32", "d:d", ftz, "VPXORD.BCST sign32<>(SB), {a}, {d}", "<nan32>"),
		)
	}
	return all
}

// rounded puts a rounding into the code.
func (x operationF32) rounded(suffix string) operationF32 {
	x.code, x.scaled = strings.ReplaceAll(x.code, "#", suffix), strings.ReplaceAll(x.scaled, "#", suffix)
	return x
}

// lines makes the result canonical, flushes and clamps it. With ftz a result
// that is the smallest normal number only because subnormals have fewer bits
// is flushed too; the scaled operation tells.
func (x operationF32) kernel(rounding string, ftz, sat bool) kernel {
	name, lines := x.lines(rounding, ftz, sat)
	return row(name, x.form, lines...)
}

func (x operationF32) lines(rounding string, ftz, sat bool) (name string, lines []string) {
	name, lines = x.name+rounding, []string{x.code, "<nan32>"}
	if ftz && x.scaled != "" {
		lines = append(lines, "<least> "+x.scaled)
	}
	if ftz {
		lines = append(lines, "<denormals> d")
	}
	if sat {
		name, lines = name+"Sat", append(lines, "<sat32>")
	}
	if ftz {
		name, lines = name+"Ftz", append([]string{flushed("<denormals>", x.form)}, lines...)
	}
	return name, lines
}

// flushing flushes the sources first, by the macro named flush.
func flushing(flush, name, form string, ftz bool, code ...string) kernel {
	if !ftz {
		return row(name, form, code...)
	}
	return row(name+"Ftz", form, append([]string{flushed(flush, form)}, code...)...)
}

// flushed is the macro with a form's sources.
func flushed(flush, form string) string {
	for i := range form[2:] {
		flush += " " + string("abc"[i])
	}
	return flush
}

// extremeF32 is a minimum or maximum by VRANGE, which orders zeros by sign; of
// a NaN and a number it is the number.
func extremeF32(imm int) []string {
	op := "VRANGEPS $4, {b}, {a}, {d}"
	if imm == 5 {
		op = "VRANGEPS $5, {b}, {a}, {d}"
	}
	return []string{op, "VCMPPS $3, {a}, {a}, {j}", "VMOVDQA32 {b}, {j}, {d}", "VCMPPS $3, {b}, {b}, {j}", "VMOVDQA32 {a}, {j}, {d}", "<nan32>"}
}

// doubleRows is arithmetic of f64.
func doubleRows() []kernel {
	var all []kernel
	for _, r := range roundings {
		some := []kernel{
			row("AddF64"+r.name, "q:qq", "VADDPD"+r.suffix+" {b}, {a}, {d}", "<nan64> b a"),
			row("SubF64"+r.name, "q:qq", "VSUBPD"+r.suffix+" {b}, {a}, {d}", "<nan64> b a"),
			row("MulF64"+r.name, "q:qq", "VMULPD"+r.suffix+" {b}, {a}, {d}", "<nan64> b a"),
			row("DivF64"+r.name, "q:qq", "VDIVPD"+r.suffix+" {b}, {a}, {d}", "<nan64> a b"),
			row("SqrtF64"+r.name, "q:q", "VSQRTPD"+r.suffix+" {a}, {d}", "<nan64> a"),
			row("RcpF64"+r.name, "q:q", "VBROADCASTSD oneF64<>(SB), {d}", "VDIVPD"+r.suffix+" {a}, {d}, {d}", "<nan64> a"),
			row("FmaF64"+r.name, "q:qqq", "VMOVAPD {a}, {d}", "VFMADD213PD"+r.suffix+" {c}, {b}, {d}", "<nan64> a b c"),
		}
		for i := range some {
			some[i].either = r.name != "RN"
		}
		all = append(all, some...)
	}
	return append(all,
		row("MinF64", "q:qq", extremeF64("VRANGEPD $4, {b}, {a}, {d}")...),
		row("MaxF64", "q:qq", extremeF64("VRANGEPD $5, {b}, {a}, {d}")...),
		row("AbsF64", "q:q", "VPANDQ.BCST magnitude64<>(SB), {a}, {d}", keepNaN),
		row("NegF64", "q:q", "VPXORQ.BCST sign64<>(SB), {a}, {d}", keepNaN),
	)
}

// keepNaN makes a NaN result the operand's, made quiet.
const keepNaN = "VCMPPD $3, {a}, {a}, {k}\nVPORQ.BCST quiet64<>(SB), {a}, {k}, {d}"

func extremeF64(op string) []string {
	return []string{op, "VCMPPD $3, {a}, {a}, {k}", "VMOVDQA64 {b}, {k}, {d}", "VCMPPD $3, {b}, {b}, {j}", "VMOVDQA64 {a}, {j}, {d}",
		"KANDB {k}, {j}, {k}", "VPORQ.BCST quiet64<>(SB), {b}, {k}, {d}"}
}

// conversionRows is cvt between words, f32, f64 and f16. In a conversion of
// double words to words the results are brought back into every other word.
func conversionRows() []kernel {
	pack := "VPMOVZXDQ {y}, {d}"
	all := []kernel{
		row("CvtF32S32", "d:d", "VCVTDQ2PS {a}, {d}"),
		row("CvtF32U32", "d:d", "VCVTUDQ2PS {a}, {d}"),
		row("CvtF64S32", "q:s", "VCVTQQ2PD {a}, {d}"),
		row("CvtF64U32", "q:z", "VCVTQQ2PD {a}, {d}"),
		row("CvtF64S64", "q:q", "VCVTQQ2PD {a}, {d}"),
		row("CvtF64U64", "q:q", "VCVTUQQ2PD {a}, {d}"),
		row("CvtF64F32", "q:z", "VPMOVQD {a}, {y}", "VCVTPS2PD {y}, {d}"),
		row("CvtF32F64", "d:q", "VCVTPD2PS {a}, {y}", pack),
		row("CvtF32S64", "d:q", "VCVTQQ2PS {a}, {y}", pack),
		row("CvtF32U64", "d:q", "VCVTUQQ2PS {a}, {y}", pack),
	}
	for _, x := range []struct{ name, code string }{
		{"U16", "VPANDD.BCST low16<>(SB), {a}, {a}"}, {"S16", "VPSLLD $16, {a}, {a}\nVPSRAD $16, {a}, {a}"},
		{"U8", "VPANDD.BCST low8<>(SB), {a}, {a}"}, {"S8", "VPSLLD $24, {a}, {a}\nVPSRAD $24, {a}, {a}"},
	} {
		all = append(all, row("CvtF32"+x.name, "d:d", x.code, "VCVTDQ2PS {a}, {d}"))
	}
	for _, ftz := range []bool{false, true} {
		all = append(all, flushing("<flush>", "CvtSatF32", "d:d", ftz, "VMOVAPS {a}, {d}", "<sat32>"))
	}
	for i, r := range []string{"Rni", "Rmi", "Rpi", "Rzi"} {
		imm := strconv.Itoa(i)
		round := "VRNDSCALEPS $" + imm + ", {a}, {t}"
		all = append(all,
			row("RintF32"+r, "d:d", "VRNDSCALEPS $"+imm+", {a}, {d}", "<nan32>"),
			row("CvtS32F32"+r, "d:d", round, "VCMPPS $7, {a}, {a}, {j}", "VCVTTPS2DQ.Z {t}, {j}, {d}",
				"VBROADCASTSS twoTo31F32<>(SB), {u}", "VCMPPS $13, {u}, {t}, {j}", "VPBROADCASTD maxS32<>(SB), {j}, {d}"),
			row("CvtU32F32"+r, "d:d", round, "VMAXPS Z29, {t}, {t}", "VCVTTPS2UDQ {t}, {d}"),
			row("CvtU32F64"+r, "d:q", "VRNDSCALEPD $"+imm+", {a}, {t}", "VMAXPD Z29, {t}, {t}", "VBROADCASTSD twoTo52<>(SB), {u}", "VADDPD {u}, {t}, {d}",
				"VBROADCASTSD twoTo32F64<>(SB), {u}", "VCMPPD $13, {u}, {t}, {k}", "VPBROADCASTQ all64<>(SB), {k}, {d}",
				"VCMPPD $3, {a}, {a}, {k}", "VPBROADCASTQ twoTo31Q<>(SB), {k}, {d}"),
			row("RintF64"+r, "q:q", "VRNDSCALEPD $"+imm+", {a}, {d}", "<nan64> a"),
			row("CvtS32F64"+r, "d:q", "VRNDSCALEPD $"+imm+", {a}, {t}", "VBROADCASTSD twoTo31F64<>(SB), {u}", "VCMPPD $13, {u}, {t}, {j}",
				"VCVTTPD2DQ {t}, {y}", pack, "VPBROADCASTQ maxS32Q<>(SB), {j}, {d}"),
		)
	}
	return all
}
