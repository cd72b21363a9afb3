package scan

import (
	"strings"
	"testing"
)

// spell writes the tokens of a text as kind:text, blanks between.
func spell(text string) string {
	s := Scanner{Src: text}
	var out []string
	for {
		t := s.Next()
		if t.Kind == EOF {
			return strings.Join(out, " ")
		}
		if t.Kind == Illegal {
			return strings.Join(append(out, "illegal: "+s.Msg), " ")
		}
		word := text[t.Start:t.End]
		if k := t.Kind.String(); k != word {
			word = k + ":" + word
		}
		out = append(out, word)
	}
}

func TestTokens(t *testing.T) {
	cases := [][2]string{
		{"", ""},
		{"a _b $c %d a$1 _1", "name:a name:_b name:$c name:%d name:a$1 name:_1"},
		{"_ %", "_ %"},
		{"5 % 2", "number:5 % number:2"},
		{"a%b", "name:a name:%b"},
		{"$", "illegal: $ alone is not a name"},
		{".reg .5 5. 1e5 1.5E-3", "directive:.reg floating-point number:.5 floating-point number:5. floating-point number:1e5 floating-point number:1.5E-3"},
		{"0 017 0x1F 0X1fU 0b101 5U", "number:0 number:017 number:0x1F number:0X1fU number:0b101 number:5U"},
		{"0f3F800000 0D3ff0000000000000", "floating-point number:0f3F800000 floating-point number:0D3ff0000000000000"},
		{"08", "illegal: bad octal number"},
		{"0x", "illegal: bad hexadecimal number"},
		{"0b2", "illegal: bad binary number"},
		{"12ab", "illegal: bad decimal number"},
		{"1e", "illegal: bad decimal number"},
		{"0f12", "illegal: a bit pattern 0f needs 8 hexadecimal digits"},
		{"0d12345678", "illegal: a bit pattern 0d needs 16 hexadecimal digits"},
		{"< << <= > >> >= = == ! != & && | || @ @!p", "< << <= > >> >= = == ! != & && | || @ @ ! name:p"},
		{"a /* x\n */ b // c\n d", "name:a name:b name:d"},
		{"a /*/ b", "name:a illegal: comment is not closed"},
		{"a / b", "name:a / name:b"},
		{`"a\" "b`, `string:"a\" illegal: string is not closed`},
		{"\"a\nb\"", "string:\"a\nb\""},
		{"# 1 \"x{\"\na\n  #line 5\nb", "name:a name:b"},
		{"a # 1\n", "name:a illegal: only line markers may start with #"},
		{"#define a", "illegal: only line markers may start with #"},
		{"a\n@@DWARF .byte {\nb", "name:a name:b"},
		{". a", "illegal: a dot needs a word after it"},
		{"ü", "illegal: character does not belong to the language"},
		{"// ü\r\n\ta", "name:a"},
	}
	for _, c := range cases {
		if got := spell(c[0]); got != c[1] {
			t.Errorf("%q:\n got %s\nwant %s", c[0], got, c[1])
		}
	}
}

func TestDottedTakesTheWholeOpcode(t *testing.T) {
	for text, want := range map[string]string{
		"ld.shared::cta.u32 %r1":       "ld.shared::cta.u32",
		"cp.async.bulk.L2::128B [x]":   "cp.async.bulk.L2::128B",
		"a::b::c:":                     "a::b::c",
		"tex.1d.v4.f32.f32{%f1}":       "tex.1d.v4.f32.f32",
		"ret;":                         "ret",
		"wmma.mma.m16n16k16.f32%r1":    "wmma.mma.m16n16k16.f32",
		"tcgen05.ld.16x64b.x128.b32 a": "tcgen05.ld.16x64b.x128.b32",
	} {
		s := Scanner{Src: text}
		if tok := s.Dotted(s.Next()); text[tok.Start:tok.End] != want {
			t.Errorf("%q: %q, want %q", text, text[tok.Start:tok.End], want)
		}
	}
}

func TestBlockEndsAtItsBrace(t *testing.T) {
	for _, c := range []struct {
		text string
		want string
		ok   bool
	}{
		{"{a{b}c}d}", "{a{b}c}", true},
		{"{\"}\" // }\n /* } */ }}", "{\"}\" // }\n /* } */ }", true},
		{"{\n# 1 \"}\"\n@@DWARF }\n}", "{\n# 1 \"}\"\n@@DWARF }\n}", true},
		{"{ @p / 2 }", "{ @p / 2 }", true},
		{"{ { }", "{ { }", false},
		{"{ /* }", "{ /* }", false},
		{"{ \" }", "{ \" }", false},
	} {
		end, ok := Block(c.text, 0)
		if c.text[:end] != c.want || ok != c.ok {
			t.Errorf("%q: %q %v", c.text, c.text[:end], ok)
		}
	}
}

func TestScannerAllocatesNothing(t *testing.T) {
	text := strings.Repeat("@%p1 ld.global.v4.f32 {%f1, _, %f2, 0f3F800000}, [%rd1+-16]; // c\n", 10)
	n := testing.AllocsPerRun(10, func() {
		for s := (Scanner{Src: text}); s.Next().Kind != EOF; {
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestIntegersWrapAt64Bits(t *testing.T) {
	for text, want := range map[string]uint64{
		"0": 0, "10": 10, "010": 8, "0x10": 16, "0b10": 2, "10U": 10, "0xfU": 15, "0XAB": 171,
		"18446744073709551615": 1<<64 - 1, "18446744073709551617": 1,
	} {
		if v, _ := Integer(text); v != want {
			t.Errorf("%s = %d, want %d", text, v, want)
		}
	}
	if _, u := Integer("9223372036854775807"); u {
		t.Error("the largest signed number is taken for unsigned")
	}
	if _, u := Integer("9223372036854775808"); !u {
		t.Error("a number above the signed range is taken for signed")
	}
}
