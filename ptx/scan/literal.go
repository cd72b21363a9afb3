package scan

import (
	"math"
	"strconv"
)

// number reads an integer or floating-point literal that starts at i with a
// digit or a dot.
func (s *Scanner) number(i int) Token {
	src := s.Src
	if src[i] == '0' && i+1 < len(src) {
		switch src[i+1] {
		case 'x', 'X':
			return s.digits(i, 2, isHex, "hexadecimal")
		case 'b', 'B':
			return s.digits(i, 2, isBinary, "binary")
		case 'f', 'F':
			return s.pattern(i, 8)
		case 'd', 'D':
			return s.pattern(i, 16)
		}
	}
	j := decimals(src, i)
	fraction := j < len(src) && (src[j] == '.' || src[j] == 'e' || src[j] == 'E')
	if fraction {
		return s.decimal(i, j)
	}
	if src[i] == '0' {
		return s.digits(i, 1, isOctal, "octal")
	}
	return s.digits(i, 0, isDecimal, "decimal")
}

func isHex(c byte) bool     { return isDecimal(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
func isBinary(c byte) bool  { return c == '0' || c == '1' }
func isOctal(c byte) bool   { return c >= '0' && c <= '7' }
func isDecimal(c byte) bool { return c >= '0' && c <= '9' }

func decimals(src string, j int) int {
	for j < len(src) && isDecimal(src[j]) {
		j++
	}
	return j
}

// digits reads an integer after a prefix of some length.
func (s *Scanner) digits(i, prefix int, ok func(byte) bool, base string) Token {
	src, j := s.Src, i+prefix
	for j < len(src) && ok(src[j]) {
		j++
	}
	empty := j == i+prefix && prefix != 1
	if j < len(src) && src[j] == 'U' {
		j++
	}
	return s.endNumber(Token{Number, int32(i), int32(j)}, empty, base)
}

// pattern reads 0f or 0d and that many hexadecimal digits.
func (s *Scanner) pattern(i, n int) Token {
	src, j := s.Src, i+2
	for j < len(src) && isHex(src[j]) {
		j++
	}
	t := s.endNumber(Token{Float, int32(i), int32(j)}, false, "hexadecimal")
	if t.Kind == Float && j-i-2 != n {
		return s.illegal(t, "a bit pattern "+src[i:i+2]+" needs "+strconv.Itoa(n)+" hexadecimal digits")
	}
	return t
}

// decimal reads the fraction and exponent of a decimal number whose integer
// part ends at j.
func (s *Scanner) decimal(i, j int) Token {
	src := s.Src
	if j < len(src) && src[j] == '.' {
		j = decimals(src, j+1)
	}
	empty := false
	if j < len(src) && src[j]|0x20 == 'e' {
		j++
		if j < len(src) && (src[j] == '+' || src[j] == '-') {
			j++
		}
		k := decimals(src, j)
		empty, j = k == j, k
	}
	return s.endNumber(Token{Float, int32(i), int32(j)}, empty, "decimal")
}

// endNumber checks that the literal has digits and no letter sticks to it.
func (s *Scanner) endNumber(t Token, empty bool, base string) Token {
	j := int(t.End)
	for j < len(s.Src) && class[s.Src[j]]&word != 0 {
		j++
	}
	s.Pos = int32(j)
	if empty || j != int(t.End) {
		t.End = int32(j)
		return s.illegal(t, "bad "+base+" number")
	}
	return t
}

// Integer converts the text of a Number. unsigned is set for a U suffix and for
// values above the signed range. Bits above 64 are dropped, as ptxas does.
func Integer(text string) (v uint64, unsigned bool) {
	if n := len(text) - 1; text[n] == 'U' {
		text, unsigned = text[:n], true
	}
	base, shift := uint64(10), 0
	switch {
	case len(text) > 1 && text[0] == '0' && text[1]|0x20 == 'x':
		base, shift = 16, 2
	case len(text) > 1 && text[0] == '0' && text[1]|0x20 == 'b':
		base, shift = 2, 2
	case len(text) > 1 && text[0] == '0':
		base, shift = 8, 1
	}
	for _, c := range []byte(text[shift:]) {
		d := uint64(c&0xf) + uint64(c>>6)*9
		v = v*base + d
	}
	return v, unsigned || v > math.MaxInt64
}

// FloatBits converts the text of a Float: to 32 bits for 0f patterns, else to the
// 64 bits of a double. ok is false when a decimal is out of range.
func FloatBits(text string) (bits uint64, single, ok bool) {
	if len(text) > 2 && text[0] == '0' {
		switch text[1] | 0x20 {
		case 'f':
			bits, _ = strconv.ParseUint(text[2:], 16, 32)
			return bits, true, true
		case 'd':
			bits, _ = strconv.ParseUint(text[2:], 16, 64)
			return bits, false, true
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	return math.Float64bits(f), false, err == nil
}
