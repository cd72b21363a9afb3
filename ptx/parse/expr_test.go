package parse

import (
	"math"
	"testing"

	"github.com/lockstep-sim/lockstep/ptx/ast"
)

// Expected bits are those that ptxas 13 puts into a variable of the type.
func TestConstantsFoldAsPtxasFoldsThem(t *testing.T) {
	f64, f32 := math.Float64bits, func(f float32) uint64 { return uint64(math.Float32bits(f)) }
	cases := []struct {
		typ, expr string
		want      uint64
	}{
		{"s64", "5", 5}, {"s64", "0x5U", 5}, {"s64", "0b101", 5}, {"s64", "017", 15}, {"s64", "0X1f", 31},
		{"s64", "- - 5", 5}, {"s64", "+5", 5}, {"s64", "((((5))))", 5}, {"s64", "~5", ^uint64(5)},
		{"s64", "-7 % 3", 0}, {"s64", "(-7) / 2", ^uint64(2)}, {"s64", "-7 >> 1", ^uint64(3)},
		{"s64", "-1 < 1U", 0}, {"s64", "-5 >= 4U", 1}, {"s64", "-9 - 4U < 0", 0},
		{"s64", "-9 * 2U / 3", 0x555555555555554f}, {"s64", "(5 > 4U) - 2 < 0", 1},
		{"s64", "~0 < 0", 0}, {"s64", "(-7 % 3) < 0", 0}, {"s64", "(-1 & -1) < 0", 1},
		{"s64", "(-1 | -1) < 0", 1}, {"s64", "(-1 ^ 0) < 0", 1}, {"s64", "(-1 << 1) < 0", 1},
		{"s64", "(1U << 1) - 3 < 0", 0}, {"s64", "(1 << 1U) - 3 < 0", 1}, {"s64", "(-1U >> 1) < 0", 0},
		{"s64", "!5U - 1 < 0", 1}, {"s64", "9223372036854775808 < 0", 0},
		{"s64", "-9223372036854775808 < 0", 0}, {"s64", "0x7fffffffffffffff + 1 < 0", 1},
		{"s64", "(1 ? -1 : 2U) < 0", 1}, {"s64", "1 ? 2 : 3 ? 4 : 5", 2}, {"s64", "1 < 2 == 1", 1},
		{"s64", "1 << 64", 1}, {"s64", "1 << 65", 2}, {"s64", "-1 >> 65", ^uint64(0)}, {"s64", "1 << -1", 1 << 63},
		{"s64", "(.u64)5 - 6", ^uint64(0)}, {"s64", "(-5 && 0) + (0 || 7)", 1}, {"s64", "!5", 0},
		{"s64", "1.5 < 2.5", 1}, {"s64", "1.5 == 1.5", 1}, {"s64", "WARP_SZ * 2", 64},
		{"u64", "18446744073709551616", 0}, {"u64", "0x123456789abcdef012345", 0x6789abcdef012345},
		{"u32", "-5", 0xfffffffb}, {"u8", "256", 0},
		{"f64", "1.5 + 2.5 * 2.0", f64(6.5)}, {"f64", "2.5 - 1.5 - 0.5", f64(0.5)}, {"f64", "-1.5", f64(-1.5)},
		{"f64", "1e1", f64(10)}, {"f64", ".5", f64(0.5)}, {"f64", "5.", f64(5)},
		{"f64", "-0d3ff0000000000000", f64(-1)}, {"f64", "0f3F800000", 0x3f800000},
		{"f32", "2.5", f32(2.5)}, {"f32", "1e40", f32(float32(math.Inf(1)))}, {"f32", "0f3F801234", 0x3f801234},
		{"f32", "0d3ff0000000000123", f32(1)}, {"b32", "1.5", f32(1.5)}, {"b32", "0d3ff0000000000123", f32(1)},
		{"b64", "1.5", f64(1.5)}, {"b64", "0f3F800000", 0x3f800000}, {"b16", "1.5", 0}, {"b16", "0f3F801234", 0x1234},
	}
	for _, c := range cases {
		m, err := Parse("t.ptx", ".version 9.0\n.global ."+c.typ+" a = "+c.expr+";\n")
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		got := uint64(0)
		for i, b := range m.Vars[0].Init.Data {
			got |= uint64(b) << (8 * i)
		}
		if got != c.want {
			t.Errorf(".%s %s = %#x, want %#x", c.typ, c.expr, got, c.want)
		}
	}
}

func TestConstantsThatPtxasRefusesAreRefused(t *testing.T) {
	for _, c := range [][2]string{
		{"f64", "1.5 > 0.5 ? 2.5 : 3.5 ? 1.0 : 2.0"}, {"s64", "!1.5"}, {"s64", "1.5 && 2.5"}, {"f64", "1 ? 2.5 : 3.5"},
		{"f64", "0f3F800000 + 1.0"}, {"f64", "1.5 / 0.0"}, {"f32", "-0f3F800000"}, {"s64", "1 / 0"}, {"s64", "7 % 0"},
		{"f64", "~1.5"}, {"f64", "5.0 % 2.0"}, {"f64", "1e400"}, {"f64", "1e"}, {"f64", "(.f64)3"}, {"s64", "(.s64)2.9"},
		{"f64", "3 + 1.5"}, {"f64", "5"}, {"s64", "1u"}, {"s64", "7%2"}, {"f16", "1.5"}, {"f16x2", "1"}, {"s64", "08"},
	} {
		if _, err := Parse("t.ptx", ".version 9.0\n.global ."+c[0]+" a = "+c[1]+";\n"); err == nil {
			t.Errorf(".%s %s: no error", c[0], c[1])
		}
	}
}

func TestImmediatesKeepTheirKind(t *testing.T) {
	b := body1(t, "mov.u32 %r1, 0x1FU; mov.u32 %r1, (1<<4)|3; mov.f32 %f1, 0f3FC00000; mov.f64 %d1, 1e1; mov.u32 %r1, -1;")
	want := []ast.Operand{
		{Kind: ast.Int, Value: 31, Flags: ast.Unsigned}, {Kind: ast.Int, Value: 19},
		{Kind: ast.Float32, Value: 0x3fc00000}, {Kind: ast.Float64, Value: math.Float64bits(10)},
		{Kind: ast.Int, Value: math.MaxUint64},
	}
	for i, w := range want {
		got := b.Args(&b.Insts[i])[1]
		if got.Pos = 0; got != w {
			t.Errorf("%s: %+v, want %+v", b.FormatInst(&b.Insts[i]), got, w)
		}
	}
}
