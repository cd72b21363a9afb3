package main

import (
	"log"
	"slices"
	"strconv"
	"strings"
)

// Bodies are described in instructions of AVX-512. This file writes each of
// them in instructions of AVX2: vectors have half the size, masks are vectors
// whose words are all ones or zero, constants are vectors in memory, and
// rounding is set in the control register. Y13 and Y14 are free for it.

// operation is an instruction of a description.
type operation struct {
	name     string
	operands []string // in Go's order, the destination last
}

func (o operation) source(i int) string { return o.operands[i] }

func (o operation) to() string { return o.operands[len(o.operands)-1] }

// renamed instructions have no width in the name of their AVX2 form, or one
// that AVX-512 has not.
var renamed = map[string]string{
	"VMOVDQU32": "VMOVDQU", "VMOVDQA32": "VMOVDQU", "VMOVDQA64": "VMOVDQU", "VMOVAPS": "VMOVDQU", "VMOVAPD": "VMOVDQU",
	"VPANDD": "VPAND", "VPANDQ": "VPAND", "VPORD": "VPOR", "VPORQ": "VPOR", "VPXORD": "VPXOR", "VPXORQ": "VPXOR", "VPANDND": "VPANDN",
	"VCVTPD2PS": "VCVTPD2PSY", "VCVTTPD2DQ": "VCVTTPD2DQY", "VRNDSCALEPS": "VROUNDPS", "VRNDSCALEPD": "VROUNDPD",
	"KANDB": "VPAND", "VPMOVM2Q": "VMOVDQU", "VPTESTNMQ": "VPCMPEQQ",
}

// same instructions are AVX2's too.
var same = strings.Fields(`VPADDD VPADDQ VPSUBD VPSUBQ VPMULLD VPMULUDQ VPMULDQ VPABSD VPMINUD VPMAXUD VPMINSD VPMAXSD
	VPSLLD VPSRLD VPSRAD VPSLLQ VPSRLQ VPSLLVD VPSRLVD VPSRAVD VPSLLVQ VPSRLVQ VSHUFPS VPUNPCKLDQ VPUNPCKHDQ VPERMD VPERMQ
	VADDPS VSUBPS VMULPS VDIVPS VSQRTPS VMINPS VMAXPS VADDPD VSUBPD VMULPD VDIVPD VSQRTPD VFMADD213PS VFMADD213PD
	VCVTDQ2PS VCVTTPS2DQ VCVTPS2PD VCVTPH2PS VCVTPS2PH VPMOVZXDQ VPMOVZXWD VBROADCASTSS VBROADCASTSD
	VMOVDQU VPAND VPANDN VPOR VPXOR VPCMPEQD VPCMPEQQ VPCMPGTD VPCMPGTQ VCMPPS VCMPPD VBLENDVPS VMOVD VMOVMSKPS VTESTPS VPTEST
	VPBROADCASTD VPBROADCASTQ VZEROUPPER VROUNDPS VROUNDPD VCVTPD2PSY VCVTTPD2DQY VEXTRACTI128 VINSERTI128 VPERM2I128 VPBLENDD VPGATHERDD VPMASKMOVD VPSHUFB
	VPSADBW VPMADDWD VPSLLW VPSRLW VPSRAW VMAXPD VPMOVZXBD VPMOVSXBD VPMOVSXWD VMOVQ VPSHUFD VPUNPCKLQDQ VPUNPCKHQDQ
	VADDSS VADDSD VUCOMISS VUCOMISD`)

// emulated instructions take several of AVX2. Sources of the code are {0} and
// {1} in Go's order, {d} is the destination, which is no source of one that
// is read later, {s} and {t} are free.
var emulated = map[string]string{
	"VPMULLQ": "VPSRLQ $32, {1}, {s}\nVPMULUDQ {0}, {s}, {s}\nVPSRLQ $32, {0}, {t}\nVPMULUDQ {1}, {t}, {t}\nVPADDQ {t}, {s}, {s}\n" +
		"VPSLLQ $32, {s}, {s}\nVPMULUDQ {0}, {1}, {d}\nVPADDQ {s}, {d}, {d}",
	"VPMINSQ":   "VPCMPGTQ {0}, {1}, {s}\nVBLENDVPS {s}, {0}, {1}, {d}",
	"VPMAXSQ":   "VPCMPGTQ {0}, {1}, {s}\nVBLENDVPS {s}, {1}, {0}, {d}",
	"VPMINUQ":   unsignedQ + "VBLENDVPS {s}, {0}, {1}, {d}",
	"VPMAXUQ":   unsignedQ + "VBLENDVPS {s}, {1}, {0}, {d}",
	"VPABSQ":    signsQ + "VPXOR {s}, {0}, {d}\nVPSUBQ {s}, {d}, {d}",
	"VPSRAVQ":   "VPXOR {s}, {s}, {s}\nVPCMPGTQ {1}, {s}, {s}\nVPXOR {s}, {1}, {d}\nVPSRLVQ {0}, {d}, {d}\nVPXOR {s}, {d}, {d}",
	"VPMOVD2M":  "VPSRAD $31, {0}, {d}",
	"VPTESTMQ":  "VPAND {0}, {1}, {d}\nVPCMPEQQ zero<>(SB), {d}, {d}\nVPXOR all32<>(SB), {d}, {d}",
	"VPTESTNMD": "VPAND {0}, {1}, {d}\nVPCMPEQD zero<>(SB), {d}, {d}",
	"VPLZCNTD":  leadingZeros + "VMOVDQU {s}, {d}",
	"VPLZCNTQ":  leadingZeros + "VPSRLQ $32, {s}, {t}\nVPCMPEQQ thirtyTwoQ<>(SB), {t}, {d}\nVPAND {s}, {d}, {d}\nVPAND low32<>(SB), {d}, {d}\nVPADDQ {t}, {d}, {d}",
	"VPMOVDW":   "VPAND low16<>(SB), {0}, {s}\nVEXTRACTI128 $1, {s}, X14\nVPACKUSDW X14, X13, {d}",
	"VPMOVQD":   "VEXTRACTI128 $1, {0}, X14\nVMOVDQU {0}, {s}\nVSHUFPS $0x88, X14, X13, {d}",
	// Halves of an integer are made the fractions of 2^52 and 2^84, whose sum is rounded once.
	"VCVTUQQ2PD": "VPSRLQ $32, {0}, {s}\nVPOR twoTo84<>(SB), {s}, {s}\nVSUBPD twoTo84And52<>(SB), {s}, {s}\n" +
		"VPBLENDD $0xaa, twoTo52<>(SB), {0}, {t}\nVADDPD {t}, {s}, {d}",
	"VCVTQQ2PD": "VPSRLQ $32, {0}, {s}\nVPXOR twoTo84And31<>(SB), {s}, {s}\nVSUBPD twoTo84And63And52<>(SB), {s}, {s}\n" +
		"VPBLENDD $0xaa, twoTo52<>(SB), {0}, {t}\nVADDPD {t}, {s}, {d}",
	// Integers of more than 53 bits lose 11 bits but for a bit that says whether those were zero.
	"VCVTUQQ2PS": "VPSRLQ $53, {0}, {s}\n" + sticky + "VPSRLQ $32, {t}, {s}\nVPOR twoTo84<>(SB), {s}, {s}\nVSUBPD twoTo84And52<>(SB), {s}, {s}\n" +
		"VPBLENDD $0xaa, twoTo52<>(SB), {t}, {t}\nVADDPD {t}, {s}, {s}\nVCVTPD2PSY {s}, {d}",
	"VCVTQQ2PS": "VPADDQ twoTo52Q<>(SB), {0}, {s}\nVPSRLQ $53, {s}, {s}\n" + sticky + "VPSRLQ $32, {t}, {s}\nVPXOR twoTo84And31<>(SB), {s}, {s}\n" +
		"VSUBPD twoTo84And63And52<>(SB), {s}, {s}\nVPBLENDD $0xaa, twoTo52<>(SB), {t}, {t}\nVADDPD {t}, {s}, {s}\nVCVTPD2PSY {s}, {d}",
	// Only lower words are right: of what is less than 2^51, or of an overflow.
	"VCVTTPD2UQQ": "VROUNDPD $3, {0}, {s}\nVADDPD twoTo52And51<>(SB), {s}, {d}\nVCMPPD $0x15, twoTo52<>(SB), {s}, {s}\nVPOR {s}, {d}, {d}",
	"VCVTTPD2QQ":  "VROUNDPD $3, {0}, {s}\nVADDPD twoTo52And51<>(SB), {s}, {d}",
	"VCVTUDQ2PS":  "VPSRLD $16, {0}, {s}\nVCVTDQ2PS {s}, {s}\nVPAND low16<>(SB), {0}, {t}\nVCVTDQ2PS {t}, {d}\nVFMADD231PS twoTo16F32<>(SB), {s}, {d}",
	"VCVTTPS2UDQ": "VSUBPS twoTo31F32<>(SB), {0}, {s}\nVCVTTPS2DQ {s}, {s}\nVCVTTPS2DQ {0}, {t}\nVPSRAD $31, {t}, {d}\nVPAND {d}, {s}, {s}\n" +
		"VPOR {t}, {s}, {s}\nVMOVDQU {0}, {t}\nVCMPPS $13, twoTo32F32<>(SB), {t}, {t}\nVPOR {t}, {s}, {d}",
}

const (
	// The number of leading zeros is in the exponent of a float that is not rounded up.
	leadingZeros = "VPSRLD $8, {0}, {s}\nVPANDN {0}, {s}, {s}\nVCVTDQ2PS {s}, {s}\nVPSRLD $23, {s}, {s}\n" +
		"VMOVDQU n158<>(SB), {t}\nVPSUBUSW {s}, {t}, {s}\nVPMINUD thirtyTwo<>(SB), {s}, {s}\n"
	signsQ    = "VPXOR {s}, {s}, {s}\nVPCMPGTQ {0}, {s}, {s}\n"
	unsignedQ = "VPXOR sign64<>(SB), {0}, {s}\nVPXOR sign64<>(SB), {1}, {t}\nVPCMPGTQ {s}, {t}, {s}\n"
	// sticky makes {t} of {0}; {s} is zero where that needs no change.
	sticky = "VPCMPEQQ zero<>(SB), {s}, {s}\nVPAND low11<>(SB), {0}, {t}\nVPADDQ low11<>(SB), {t}, {t}\nVPOR {0}, {t}, {t}\n" +
		"VPAND above11<>(SB), {t}, {t}\nVBLENDVPS {s}, {0}, {t}, {t}\n"
)

// special instructions depend on their immediate operand, which is {0}.
var special = map[string]func(imm int) string{
	"VPCMPD": func(imm int) string { return comparison(imm, "D", "") },
	"VPCMPQ": func(imm int) string { return comparison(imm, "Q", "") },
	"VPCMPUD": func(imm int) string {
		switch imm {
		case 5:
			return "VPMAXUD {1}, {2}, {d}\nVPCMPEQD {2}, {d}, {d}"
		case 2:
			return "VPMINUD {1}, {2}, {d}\nVPCMPEQD {2}, {d}, {d}"
		case 1:
			return "VPMAXUD {1}, {2}, {d}\nVPCMPEQD {2}, {d}, {d}\nVPXOR all32<>(SB), {d}, {d}"
		case 6:
			return "VPMINUD {1}, {2}, {d}\nVPCMPEQD {2}, {d}, {d}\nVPXOR all32<>(SB), {d}, {d}"
		}
		return comparison(imm, "D", "")
	},
	"VPCMPUQ": func(imm int) string { return comparison(imm, "Q", "sign64") },
	"VPSRAQ": func(imm int) string {
		n := strconv.Itoa(imm)
		return "VPXOR {s}, {s}, {s}\nVPCMPGTQ {1}, {s}, {s}\nVPSLLQ $" + strconv.Itoa(64-imm) + ", {s}, {s}\nVPSRLQ $" + n + ", {1}, {d}\nVPOR {s}, {d}, {d}"
	},
	"VRANGEPS": func(imm int) string { return extreme(imm, "PS") },
	"VRANGEPD": func(imm int) string { return extreme(imm, "PD") },
	"VFPCLASSPSZ": func(imm int) string {
		switch imm {
		case 0x99: // infinities and NaN
			return "VPAND magnitude32<>(SB), {1}, {d}\nVPCMPGTD greatest<>(SB), {d}, {d}"
		case 0xbf: // all but normal numbers
			return "VPADDD {1}, {1}, {d}\nVPSUBD exponentTwice<>(SB), {d}, {d}\nVPMAXUD exponent254Twice<>(SB), {d}, {s}\nVPCMPEQD {s}, {d}, {d}"
		case 0xff: // all but positive normal numbers
			return "VPSUBD hidden<>(SB), {1}, {d}\nVPMAXUD exponent254<>(SB), {d}, {s}\nVPCMPEQD {s}, {d}, {d}"
		}
		return ""
	},
}

// comparison of signed integers {2} and {1}, or unsigned ones with what flips
// their signs.
func comparison(imm int, letter, sign string) string {
	a, b, code := "{2}", "{1}", ""
	if sign != "" && imm != 0 && imm != 4 {
		code = "VPXOR " + sign + "<>(SB), {2}, {s}\nVPXOR " + sign + "<>(SB), {1}, {t}\n"
		a, b = "{s}", "{t}"
	}
	not := "\nVPXOR all32<>(SB), {d}, {d}"
	switch imm {
	case 0:
		return "VPCMPEQ" + letter + " {1}, {2}, {d}"
	case 4:
		return "VPCMPEQ" + letter + " {1}, {2}, {d}" + not
	case 1:
		return code + "VPCMPGT" + letter + " " + a + ", " + b + ", {d}"
	case 5:
		return code + "VPCMPGT" + letter + " " + a + ", " + b + ", {d}" + not
	case 6:
		return code + "VPCMPGT" + letter + " " + b + ", " + a + ", {d}"
	case 2:
		return code + "VPCMPGT" + letter + " " + b + ", " + a + ", {d}" + not
	}
	return ""
}

// extreme is a minimum (4) or maximum (5) that orders zeros by sign: of equal
// operands VMIN and VMAX return the second.
func extreme(imm int, kind string) string {
	name, join := "VMIN", "VPOR"
	if imm == 5 {
		name, join = "VMAX", "VPAND"
	}
	return name + kind + " {1}, {2}, {s}\n" + name + kind + " {2}, {1}, {d}\n" + join + " {s}, {d}, {d}"
}

// places of registers of descriptions that AVX2 has not.
var places = map[string]string{"Z29": "zero<>(SB)", "Z30": "one32<>(SB)", "Z31": "nan32<>(SB)", "K3": "Y11", "K4": "Y12"}

// writeAVX2 writes a line of a description.
func (e *emitter) writeAVX2(line string) {
	mnemonic, rest, _ := strings.Cut(line, " ")
	if mnemonic[0] != 'V' && mnemonic[0] != 'K' {
		e.out.WriteString("\t" + line + "\n")
		return
	}
	parts := strings.Split(mnemonic, ".")
	o := operation{parts[0], strings.Split(rest, ", ")}
	zeroing := false
	for _, s := range parts[1:] {
		if mode, ok := strings.CutSuffix(s, "_SAE"); ok {
			e.round(mode)
		}
		zeroing = zeroing || s == "Z"
	}
	mask := ""
	for i, r := range o.operands {
		if place, ok := places[r]; ok {
			o.operands[i] = place
		} else if r[0] == 'Z' {
			o.operands[i] = "Y" + r[1:]
		}
		if r[0] == 'K' && i > 0 && i == len(o.operands)-2 && mnemonic[0] == 'V' {
			mask = o.operands[i]
		}
	}
	if mask == "" {
		e.unmasked(o)
		return
	}
	o.operands = slices.Delete(o.operands, len(o.operands)-2, len(o.operands)-1)
	e.masked(o, mask, zeroing)
}

// masked writes an instruction that changes the lanes of a mask.
func (e *emitter) masked(o operation, mask string, zeroing bool) {
	d := o.to()
	switch {
	case strings.HasPrefix(o.name, "VCMP") || strings.HasPrefix(o.name, "VPCMP"):
		e.unmasked(o)
		e.p("VPAND %s, %s, %s", mask, d, d)
	case strings.HasPrefix(o.name, "VMOV") || strings.HasPrefix(o.name, "VPBROADCAST"):
		e.p("VBLENDVPS %s, %s, %s, %s", mask, o.source(0), d, d)
	case o.name == "VPADDD" && o.source(0) == "one32<>(SB)" && o.source(1) == d:
		e.p("VPSUBD %s, %s, %s", mask, d, d) // a mask is minus one
	case zeroing:
		e.unmasked(o)
		e.p("VPAND %s, %s, %s", mask, d, d)
	default:
		if emulated[o.name] != "" {
			log.Fatalf("%s: AVX2 has no masked %s", e.name, o.name)
		}
		o.operands[len(o.operands)-1] = "Y13"
		e.unmasked(o)
		e.p("VBLENDVPS %s, Y13, %s, %s", mask, d, d)
	}
}

func (e *emitter) unmasked(o operation) {
	name := o.name
	if r, ok := renamed[name]; ok {
		name = r
	}
	switch {
	case strings.HasPrefix(o.name, "KORTEST"):
		if o.source(0) != o.source(1) {
			e.p("VPOR %s, %s, Y13", o.source(0), o.source(1))
			o.operands = []string{"Y13", "Y13"}
		}
		e.p("VPTEST %s, %s", o.source(0), o.source(1))
	case name == "VPCMPEQQ" && o.name == "VPTESTNMQ":
		e.p("VPCMPEQQ zero<>(SB), %s, %s", o.source(0), o.to())
	case strings.HasPrefix(o.name, "VPBROADCAST") && o.source(0)[0] != 'X' && !strings.ContainsAny(o.source(0), "(Y"):
		e.p("VMOVD %s, X13", o.source(0))
		e.p("%s X13, %s", name, o.to())
	case emulated[name] != "" || special[name] != nil:
		e.emulate(name, o)
	case slices.Contains(same, name):
		e.direct(name, o.operands)
	default:
		log.Fatalf("%s: AVX2 has no %s: teach scripts/gensimd/avx2.go", e.name, o.name)
	}
}

// direct writes an instruction of AVX2; only its first vector can be memory.
func (e *emitter) direct(name string, operands []string) {
	first := 0
	for first < len(operands) && operands[first][0] == '$' {
		first++
	}
	for i := first + 1; i < len(operands)-1; i++ {
		if strings.HasSuffix(operands[i], "(SB)") {
			e.p("VMOVDQU %s, Y13", operands[i])
			operands[i] = "Y13"
		}
	}
	e.out.WriteString("\t" + name + " " + strings.Join(operands, ", ") + "\n")
}

func (e *emitter) emulate(name string, o operation) {
	code := emulated[name]
	if make := special[name]; make != nil {
		imm, err := strconv.ParseInt(o.source(0)[1:], 0, 32)
		if code = make(int(imm)); err != nil || code == "" {
			log.Fatalf("%s: AVX2 has no %s %s: teach scripts/gensimd/avx2.go", e.name, name, o.source(0))
		}
	}
	names := map[string]string{"d": o.to(), "s": "Y13", "t": "Y14"}
	for i, s := range o.operands[:len(o.operands)-1] {
		names[strconv.Itoa(i)] = s
	}
	for _, line := range strings.Split(code, "\n") {
		for key, value := range names {
			line = strings.ReplaceAll(line, "{"+key+"}", value)
		}
		e.out.WriteString("\t" + line + "\n")
	}
}

// round makes AVX2 round to nearest (nothing), RZ, RD or RU, and flush
// subnormals in bodies that do.
func (e *emitter) round(mode string) {
	if e.flushes {
		mode += "Ftz"
	}
	e.setControl(mode)
}

// setControl sets AVX2's control register; nothing is what Go expects.
func (e *emitter) setControl(mode string) {
	if mode != e.control {
		e.p("LDMXCSR control%s<>(SB)", mode)
		e.control = mode
	}
}
