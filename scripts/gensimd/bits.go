package main

import (
	"fmt"
	"strings"
)

// bitConstants are those of the operations on bits.
var bitConstants = []constant{
	{"ones55", 4, 0x55555555}, {"ones33", 4, 0x33333333}, {"ones0f", 4, 0x0f0f0f0f}, {"ones01", 4, 0x01010101},
	{"ones80", 4, 0x80808080}, {"ones08", 4, 0x08080808}, {"ones07", 4, 0x07070707}, {"lowBytes", 4, 0x00ff00ff},
	{"low24", 4, 0xffffff}, {"low16Q", 8, 0xffff}, {"oneQ", 8, 1}, {"sixtyFour", 8, 64},
}

// bitTables are what operations on bits shuffle by.
func bitTables(words int) []table {
	low := [4]int{0x0c040800, 0x0e060a02, 0x0d050901, 0x0f070b03} // nibbles reversed
	return []table{
		{"reverseLow", words, func(i int) int { return low[i%4] }},
		{"reverseHigh", words, func(i int) int { return low[i%4] << 4 }},
		{"reverseWords", words, func(i int) int { return 0x00010203 + 0x04040404*(i%4) }},
		{"reverseQuads", words, func(i int) int { return 0x00010203 + 0x04040404*(i%4^1) }},
		{"eights", words, func(i int) int { return [4]int{0, 0, 0x08080808, 0x08080808}[i%4] }},
	}
}

// bytePopulation makes of {a} the number of ones in each of its bytes.
const bytePopulation = "VPSRLD $1, {a}, {t}\nVPANDD.BCST ones55<>(SB), {t}, {t}\nVPSUBD {t}, {a}, {a}\n" +
	"VPSRLD $2, {a}, {t}\nVPANDD.BCST ones33<>(SB), {t}, {t}\nVPANDD.BCST ones33<>(SB), {a}, {a}\nVPADDD {t}, {a}, {a}\n" +
	"VPSRLD $4, {a}, {t}\nVPADDD {t}, {a}, {a}\nVPANDD.BCST ones0f<>(SB), {a}, {a}"

// byteReversal makes {t} of {a}, the bits of each byte reversed.
const byteReversal = "VPANDD.BCST ones0f<>(SB), {a}, {t}\nVPSRLD $4, {a}, {u}\nVPANDD.BCST ones0f<>(SB), {u}, {u}\n" +
	"VMOVDQU32 reverseHigh<>(SB), {v}\nVPSHUFB {t}, {v}, {t}\nVMOVDQU32 reverseLow<>(SB), {v}\nVPSHUFB {u}, {v}, {u}\nVPORD {u}, {t}, {t}"

// bitRows is what works on bits and fields of bits. The position and length of
// a field are the low bytes of their operands, or all of them in double words.
func bitRows() []kernel {
	const (
		magnitude  = "VPSRAD $31, {a}, {t}\nVPXORD {t}, {a}, {a}"
		highest    = "VPLZCNTD {a}, {t}\nVPBROADCASTD thirtyOne<>(SB), {u}\nVPSUBD {t}, {u}, {d}"
		shift      = "VPLZCNTD {a}, {d}\nVPTESTNMD {a}, {a}, {k}\nVPBROADCASTD all32<>(SB), {k}, {d}"
		field      = "VPANDD.BCST low8<>(SB), {b}, {b}\nVPANDD.BCST low8<>(SB), {c}, {c}"
		insertion  = "VPXORD {b}, {a}, {a}\nVPANDD {t}, {a}, {a}\nVPXORD {b}, {a}, {d}"
		clamped    = "VPBROADCASTD thirtyTwo<>(SB), {u}\nVPMINUD {u}, {c}, {c}\nVPSUBD {c}, {u}, {u}"
		complement = "VPXORQ {v}, {v}, {v}\nVPMAXSQ {v}, {u}, {u}"
	)
	return []kernel{
		row("Popc32", "d:d", bytePopulation, "VPBROADCASTD ones01<>(SB), {t}", "VPMULLD {t}, {a}, {a}", "VPSRLD $24, {a}, {d}"),
		row("Popc64", "d:q", bytePopulation, "VPSADBW Z29, {a}, {d}"),
		row("Clz64", "d:q", "VPLZCNTQ {a}, {d}"),
		row("Brev32", "d:d", byteReversal, "VPSHUFB reverseWords<>(SB), {t}, {d}"),
		row("Brev64", "q:q", byteReversal, "VPSHUFB reverseQuads<>(SB), {t}, {d}"),
		row("BfindU32", "d:d", highest),
		row("BfindS32", "d:d", magnitude, highest),
		row("BfindShiftU32", "d:d", shift),
		row("BfindShiftS32", "d:d", magnitude, shift),
		row("BfeU32", "d:ddd", field, "VPSRLVD {b}, {a}, {t}", "VPBROADCASTD one32<>(SB), {u}", "VPSLLVD {c}, {u}, {u}", "VPSUBD Z30, {u}, {u}", "VPANDD {u}, {t}, {d}"),
		row("BfeS32", "d:ddd", field, "VPSRAVD {b}, {a}, {t}", "VPBROADCASTD thirtyTwo<>(SB), {u}", "VPSUBD {c}, {u}, {u}", "VPMAXSD Z29, {u}, {u}",
			"VPSLLVD {u}, {t}, {t}", "VPSRAVD {u}, {t}, {d}"),
		row("BfeU64", "q:qzz", "VPSRLVQ {b}, {a}, {t}", "VPBROADCASTQ oneQ<>(SB), {u}", "VPSLLVQ {c}, {u}, {u}", "VPSUBQ.BCST oneQ<>(SB), {u}, {u}", "VPANDQ {u}, {t}, {d}"),
		row("BfeS64", "q:qzz", "VPSRAVQ {b}, {a}, {t}", "VPBROADCASTQ sixtyFour<>(SB), {u}", "VPSUBQ {c}, {u}, {u}", complement,
			"VPSLLVQ {u}, {t}, {t}", "VPSRAVQ {u}, {t}, {d}"),
		fourth(row("Bfi32", "d:dddd", "VPANDD.BCST low8<>(SB), {c}, {c}", "VPANDD.BCST low8<>(SB), {p}, {p}", "VPBROADCASTD one32<>(SB), {t}", "VPSLLVD {p}, {t}, {t}",
			"VPSUBD Z30, {t}, {t}", "VPSLLVD {c}, {t}, {t}", "VPSLLVD {c}, {a}, {a}", insertion)),
		fourth(row("Bfi64", "q:qqzz", "VPBROADCASTQ oneQ<>(SB), {t}", "VPSLLVQ {p}, {t}, {t}",
			"VPSUBQ.BCST oneQ<>(SB), {t}, {t}", "VPSLLVQ {c}, {t}, {t}", "VPSLLVQ {c}, {a}, {a}", insertion)),
		row("ShfLClamp", "d:ddd", clamped, "VPSLLVD {c}, {b}, {t}", "VPSRLVD {u}, {a}, {u}", "VPORD {u}, {t}, {d}"),
		row("ShfRClamp", "d:ddd", clamped, "VPSRLVD {c}, {a}, {t}", "VPSLLVD {u}, {b}, {u}", "VPORD {u}, {t}, {d}"),
		row("Cnot32", "d:d", "VPTESTNMD {a}, {a}, {k}", "VPXORD {d}, {d}, {d}", "VPBROADCASTD one32<>(SB), {k}, {d}"),
		row("Lop3", "d:ddd", lookup3()...),
		permute(),
		// Elements of a word, whose place is the immediate operand; that of a signed one
		// counts from the other end.
		row("TakeByte", "d:d", "VPBROADCASTD Op_imm(SI), {t}", "VPSRLVD {t}, {a}, {d}", "VPANDD.BCST low8<>(SB), {d}, {d}"),
		row("TakeHalf", "d:d", "VPBROADCASTD Op_imm(SI), {t}", "VPSRLVD {t}, {a}, {d}", "VPANDD.BCST low16<>(SB), {d}, {d}"),
		row("TakeByteS", "d:d", "VPBROADCASTD Op_imm(SI), {t}", "VPSLLVD {t}, {a}, {d}", "VPSRAD $24, {d}, {d}"),
		row("TakeHalfS", "d:d", "VPBROADCASTD Op_imm(SI), {t}", "VPSLLVD {t}, {a}, {d}", "VPSRAD $16, {d}, {d}"),
		row("PutByte", "d:dd", "VPANDD.BCST low8<>(SB), {a}, {a}", "VPBROADCASTD Op_imm(SI), {t}", "VPSLLVD {t}, {a}, {a}", "VPORD {b}, {a}, {d}"),
		row("PutHalf", "d:dd", "VPANDD.BCST low16<>(SB), {a}, {a}", "VPBROADCASTD Op_imm(SI), {t}", "VPSLLVD {t}, {a}, {a}", "VPORD {b}, {a}, {d}"),
	}
}

// fourth gives a row operation the fourth source, p.
func fourth(k kernel) kernel {
	k.shape = "fourShape"
	return k
}

// lookup3 selects by a, b and c among the bits of the immediate operand.
func lookup3() []string {
	lines := []string{"VPBROADCASTD Op_imm(SI), {p}"}
	bit := func(k int, to string) {
		lines = append(lines, fmt.Sprintf("VPSLLD $%d, {p}, %s\nVPSRAD $31, %s, %s", 31-k, to, to, to))
	}
	choose := func(by, low, high string) { // leaves it in high
		lines = append(lines, strings.NewReplacer("BY", by, "LOW", low, "HIGH", high).Replace("VPXORD LOW, HIGH, HIGH\nVPANDD BY, HIGH, HIGH\nVPXORD LOW, HIGH, HIGH"))
	}
	for i, to := range []string{"{t}", "{u}", "{v}", "{r}"} {
		bit(7-2*i, to)
		bit(6-2*i, "{q}")
		choose("{c}", "{q}", to)
	}
	choose("{b}", "{u}", "{t}")
	choose("{b}", "{r}", "{v}")
	choose("{a}", "{v}", "{t}")
	return append(lines, "VMOVDQA32 {t}, {d}")
}

// permute picks four of the eight bytes of two words, a, by the nibbles of b; the
// highest bit of a nibble spreads the sign of its byte.
func permute() kernel {
	k := row("Prmt", "d:qz",
		"VPANDQ.BCST low16Q<>(SB), {b}, {b}", "VPSLLQ $8, {b}, {t}", "VPORQ {t}, {b}, {b}", "VPANDD.BCST lowBytes<>(SB), {b}, {b}",
		"VPSLLQ $4, {b}, {t}", "VPORQ {t}, {b}, {b}", "VPANDD.BCST ones0f<>(SB), {b}, {b}",
		"VPANDD.BCST ones07<>(SB), {b}, {t}", "VMOVDQU32 eights<>(SB), {u}", "VPORQ {u}, {t}, {t}", "VPSHUFB {t}, {a}, {d}",
		"VPANDD.BCST ones80<>(SB), {d}, {t}", "VPSLLD $1, {t}, {u}", "VPSRLD $7, {t}, {t}", "VPSUBD {t}, {u}, {t}", // the signs
		"VPANDD.BCST ones08<>(SB), {b}, {b}", "VPSLLD $5, {b}, {u}", "VPSRLD $3, {b}, {b}", "VPSUBD {b}, {u}, {u}", // where they are asked for
		"VPXORD {d}, {t}, {t}", "VPANDD {u}, {t}, {t}", "VPXORD {t}, {d}, {d}")
	k.shape = "permuteShape"
	return k
}

// smallRows is arithmetic of integers that needs a few instructions: of half
// words, of 24 bits, of upper halves, of sums of four products.
func smallRows() []kernel {
	const (
		signed16 = "VPSLLD $16, {a}, {a}\nVPSRAD $16, {a}, {a}\nVPSLLD $16, {b}, {b}\nVPSRAD $16, {b}, {b}"
		raised16 = "VPSLLD $16, {a}, {a}\nVPSLLD $16, {b}, {b}"
		unsigned = "VPANDD.BCST low24<>(SB), {a}, {a}\nVPANDD.BCST low24<>(SB), {b}, {b}"
		signed24 = "VPSLLD $8, {a}, {a}\nVPSRAD $8, {a}, {a}\nVPSLLD $8, {b}, {b}\nVPSRAD $8, {b}, {b}"
		low      = "VPANDD.BCST low16<>(SB), {d}, {d}"
		quotient = "VCVTUQQ2PD {a}, {t}\nVCVTUQQ2PD {b}, {u}\nVDIVPD {u}, {t}, {t}\nVCVTTPD2UQQ {t}, {d}"
		high     = "VPMULUDQ {b}, {a}, {t}\nVPSRLQ $32, {t}, {t}\nVPSRLQ $32, {a}, {u}\nVPSRLQ $32, {b}, {v}\nVPMULUDQ {b}, {u}, {c}\nVPADDQ {t}, {c}, {c}\n" +
			"VPANDQ.BCST low32<>(SB), {c}, {t}\nVPSRLQ $32, {c}, {c}\nVPMULUDQ {v}, {a}, {d}\nVPADDQ {t}, {d}, {d}\nVPSRLQ $32, {d}, {d}\nVPADDQ {c}, {d}, {d}\n" +
			"VPMULUDQ {v}, {u}, {t}\nVPADDQ {t}, {d}, {d}"
	)
	all := []kernel{
		row("MulWideU16", "d:dd", "VPANDD.BCST low16<>(SB), {a}, {a}", "VPANDD.BCST low16<>(SB), {b}, {b}", "VPMULLD {b}, {a}, {d}"),
		row("MulWideS16", "d:dd", signed16, "VPMULLD {b}, {a}, {d}"),
		row("MadWideU16", "d:ddd", "VPANDD.BCST low16<>(SB), {a}, {a}", "VPANDD.BCST low16<>(SB), {b}, {b}", "VPMULLD {b}, {a}, {d}", "VPADDD {c}, {d}, {d}"),
		row("MadWideS16", "d:ddd", signed16, "VPMULLD {b}, {a}, {d}", "VPADDD {c}, {d}, {d}"),
		row("MulHiU16", "d:dd", "VPMULLD {b}, {a}, {d}", "VPSRLD $16, {d}, {d}"),
		row("MulHiS16", "d:dd", signed16, "VPMULLD {b}, {a}, {d}", "VPSRLD $16, {d}, {d}"),
		row("Mad16", "d:ddd", "VPMULLD {b}, {a}, {d}", "VPADDD {c}, {d}, {d}", low),
		row("MinS16", "d:dd", raised16, "VPMINSD {b}, {a}, {d}", "VPSRLD $16, {d}, {d}"),
		row("MaxS16", "d:dd", raised16, "VPMAXSD {b}, {a}, {d}", "VPSRLD $16, {d}, {d}"),
		row("NegS16", "d:d", "VPSUBD {a}, Z29, {d}", low),
		row("AbsS16", "d:d", "VPSLLD $16, {a}, {a}", "VPABSD {a}, {d}", "VPSRLD $16, {d}, {d}"),
		row("Shl16", "d:dd", "VPSLLVD {b}, {a}, {d}", low),
		row("ShrS16", "d:dd", "VPSLLD $16, {a}, {a}", "VPSRAD $16, {a}, {a}", "VPSRAVD {b}, {a}, {d}", low),
		row("DivU16", "d:zz", quotient, "VPANDQ.BCST low16Q<>(SB), {d}, {d}"),
		row("RemU16", "d:zz", quotient, "VPMULUDQ {b}, {d}, {d}", "VPSUBQ {d}, {a}, {d}", "VPTESTNMQ {b}, {b}, {k}", "VPBROADCASTQ low16Q<>(SB), {k}, {d}"),
		row("Mul24U", "d:dd", unsigned, "VPMULLD {b}, {a}, {d}"),
		row("Mul24S", "d:dd", signed24, "VPMULLD {b}, {a}, {d}"),
		row("Mad24U", "d:ddd", unsigned, "VPMULLD {b}, {a}, {d}", "VPADDD {c}, {d}, {d}"),
		row("Mad24S", "d:ddd", signed24, "VPMULLD {b}, {a}, {d}", "VPADDD {c}, {d}, {d}"),
		row("SadU32", "d:ddd", "VPMAXUD {b}, {a}, {t}", "VPMINUD {b}, {a}, {u}", "VPSUBD {u}, {t}, {t}", "VPADDD {c}, {t}, {d}"),
		row("SadS32", "d:ddd", "VPMAXSD {b}, {a}, {t}", "VPMINSD {b}, {a}, {u}", "VPSUBD {u}, {t}, {t}", "VPADDD {c}, {t}, {d}"),
		row("MadHiU32", "d:zzz", "VPMULUDQ {b}, {a}, {d}", "VPSRLQ $32, {d}, {d}", "VPADDQ {c}, {d}, {d}"),
		row("MadHiS32", "d:ssz", "VPMULDQ {b}, {a}, {d}", "VPSRLQ $32, {d}, {d}", "VPADDQ {c}, {d}, {d}"),
		row("MulHiU64", "q:qq", high),
		row("MulHiS64", "q:qq", high, "VPSRAQ $63, {a}, {t}", "VPANDQ {b}, {t}, {t}", "VPSUBQ {t}, {d}, {d}", "VPSRAQ $63, {b}, {t}", "VPANDQ {a}, {t}, {t}", "VPSUBQ {t}, {d}, {d}"),
		row("CopysignF32", "d:dd", "VPANDD.BCST sign32<>(SB), {a}, {t}", "VPANDD.BCST magnitude32<>(SB), {b}, {d}", "VPORD {t}, {d}, {d}"),
		row("CopysignF64", "q:qq", "VPANDQ.BCST sign64<>(SB), {a}, {t}", "VPANDQ.BCST magnitude64<>(SB), {b}, {d}", "VPORQ {t}, {d}, {d}"),
	}
	for _, a := range "US" {
		for _, b := range "US" {
			all = append(all, row("Dp4a"+string(a)+string(b), "d:ddd", evenBytes(a, "{a}", "{t}"), oddBytes(a, "{a}", "{u}"), evenBytes(b, "{b}", "{v}"), oddBytes(b, "{b}", "{p}"),
				"VPMADDWD {v}, {t}, {t}", "VPMADDWD {p}, {u}, {u}", "VPADDD {u}, {t}, {t}", "VPADDD {c}, {t}, {d}"))
		}
	}
	return all
}

// evenBytes and oddBytes make half words of every other byte.
func evenBytes(sign rune, from, to string) string {
	if sign == 'S' {
		return fmt.Sprintf("VPSLLW $8, %s, %s\nVPSRAW $8, %s, %s", from, to, to, to)
	}
	return fmt.Sprintf("VPANDD.BCST lowBytes<>(SB), %s, %s", from, to)
}

func oddBytes(sign rune, from, to string) string {
	if sign == 'S' {
		return fmt.Sprintf("VPSRAW $8, %s, %s", from, to)
	}
	return fmt.Sprintf("VPSRLW $8, %s, %s", from, to)
}
