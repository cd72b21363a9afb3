package lower

import (
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/parse"
)

// contracted gives the arithmetic of a body after contraction.
func contracted(t *testing.T, target, code string) string {
	t.Helper()
	text := ".version 7.8\n.target " + target + "\n.address_size 64\n.const .f32 bank;\n.visible .entry k(.param .u64 p) {\n" +
		".reg .f32 %f<40>; .reg .f64 %d<40>; .reg .b16 %h<40>; .reg .b32 %r<4>; .reg .b64 %q<4>; .reg .pred %p<4>;\n" + code + "\nret;\n}\n"
	m, err := parse.Parse("test.ptx", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	body, err := m.Funcs[0].Load()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	after := contract(m, m.Funcs[0], body)
	var list []string
	for i := range after.Insts {
		x := &after.Insts[i]
		switch o := after.Opcodes[x.Op]; o.Name {
		case "mul", "add", "sub":
			list = append(list, o.Name)
		case "fma":
			text := strings.TrimPrefix(o.Text, "fma.rn.")
			for n, a := range after.Args(x) {
				if a.Has(negated) {
					text += []string{"", " -a", "", " -c"}[n]
				}
			}
			list = append(list, text)
		}
	}
	return strings.Join(list, ", ")
}

// TestProductsAreFusedWhereThePTXAssemblerFusesThem has what ptxas 11.8, 12.4 and 13.0 make of each line for sm_90.
func TestProductsAreFusedWhereThePTXAssemblerFusesThem(t *testing.T) {
	const product = "mul.f32 %f10, %f0, %f1; "
	const products = product + "mul.f32 %f12, %f3, %f4; "
	const nine = "mul.f32 %f10, %f0, 0f41100000; "
	store := func(list ...string) string {
		var s strings.Builder
		for _, r := range list {
			s.WriteString("st.global.f32 [%q1], " + r + "; ")
		}
		return s.String()
	}
	for _, c := range []struct{ code, want string }{
		{product + "add.f32 %f11, %f10, %f2;", "f32"},
		{product + "add.f32 %f11, %f2, %f10;", "f32"},
		{product + "sub.f32 %f11, %f2, %f10;", "f32 -a"},
		{product + "sub.f32 %f11, %f10, %f2;", "f32 -c"},
		{products + "add.f32 %f11, %f12, %f10;", "mul, f32"},
		{products + "sub.f32 %f11, %f10, %f12;", "mul, f32 -c"},
		{product + "add.f32 %f11, %f10, %f2; add.f32 %f13, %f10, %f3;", "f32, f32"},
		{product + "add.f32 %f11, %f10, %f2;" + store("%f10"), "mul, add"},
		{product + "add.f32 %f11, %f10, %f2; mul.f32 %f13, %f10, %f5;", "mul, add, mul"},
		{product + "add.f32 %f11, %f10, %f10;", "mul, add"},
		{products + "add.f32 %f11, %f10, %f12; add.f32 %f13, %f10, %f5;", "mul, f32, add"},
		{products + "add.f32 %f11, %f10, %f12; add.f32 %f13, %f12, %f5;", "mul, f32, add"},
		{products + "add.f32 %f11, %f10, %f12; add.f32 %f13, %f10, %f5; add.f32 %f14, %f12, %f6;", "mul, f32, f32, add"},
		{products + "add.f32 %f11, %f10, %f12; sub.f32 %f13, %f10, %f12;", "mul, f32, f32 -c"},
		{products + "add.f32 %f11, %f10, %f12;" + store("%f10"), "mul, f32"},
		{products + "add.f32 %f11, %f10, %f12; mul.f32 %f14, %f5, %f5; add.f32 %f15, %f14, %f11;", "mul, f32, f32"},
		{product + "mul.f32 %f13, %f10, %f3; add.f32 %f11, %f13, %f2;", "mul, f32"},
		{product + "@%p1 add.f32 %f11, %f10, %f2;", "f32"},
		{"@%p1 " + product + "add.f32 %f11, %f10, %f2;", "mul, add"},
		{product + "@%p1 mul.f32 %f10, %f5, %f6; add.f32 %f11, %f10, %f2;", "mul, mul, add"},
		{product + "bar.sync 0; add.f32 %f11, %f10, %f2;", "f32"},
		{product + "@%p1 trap; add.f32 %f11, %f10, %f2;", "mul, add"},
		{product + "div.rn.f32 %f20, %f3, %f4; add.f32 %f11, %f10, %f2;", "mul, add"},
		{product + "div.approx.f32 %f20, %f3, %f4; add.f32 %f11, %f10, %f2;", "f32"},
		{product + "sqrt.rn.ftz.f32 %f20, %f3; add.f32 %f11, %f10, %f2;", "mul, add"},
		{product + "rsqrt.approx.f64 %d20, %d3; add.f32 %f11, %f10, %f2;", "mul, add"},
		{product + "div.u32 %r1, %r2, %r3; add.f32 %f11, %f10, %f2;", "f32"},
		{product + "div.s32 %r1, %r2, 7; add.f32 %f11, %f10, %f2;", "mul, add"},
		{product + "rem.u64 %q1, %q2, %q3; add.f32 %f11, %f10, %f2;", "mul, add"},
		{product + "membar.gl; add.f32 %f11, %f10, %f2;", "mul, add"},
		{product + "st.volatile.global.f32 [%q1], %f3; add.f32 %f11, %f10, %f2;", "f32"},
		{product + "@%p1 st.global.f32 [%q1], %f3; add.f32 %f11, %f10, %f2;", "mul, add"},
		{product + "@%p1 mov.f32 %f20, %f3; add.f32 %f11, %f10, %f2;", "f32"},
		{product + "@%p1 bra L; add.f32 %f11, %f10, %f2; L:", "mul, add"},
		{product + "L: add.f32 %f11, %f10, %f2; @%p1 bra L;", "mul, add"},
		{"L: " + product + "add.f32 %f30, %f30, %f10; @%p1 bra L;", "f32"},
		{nine + "@%p1 bra L; add.f32 %f11, %f10, %f2; L:", "f32"},
		{nine + "@%p1 bra L; sub.f32 %f11, %f10, %f2; ret; L: add.f32 %f11, %f10, %f3;", "f32 -c, f32"},
		{nine + "@%p1 bra L; add.f32 %f11, %f10, %f2; ret; L: " + store("%f10"), "mul, add"},
		{nine + "L: add.f32 %f30, %f30, %f10; @%p1 bra L;", "f32"},
		{nine + "div.rn.f32 %f20, %f3, %f4; add.f32 %f11, %f10, %f2;", "f32"},
		{"mov.f32 %f1, 0f41100000; " + product + "@%p1 bra L; add.f32 %f11, %f10, %f2; L:", "f32"},
		{"ld.param.f32 %f1, [p]; " + product + "@%p1 bra L; add.f32 %f11, %f10, %f2; L:", "f32"},
		{"ld.param.f32 %f2, [p]; " + product + "@%p1 bra L; add.f32 %f11, %f10, %f2; L:", "mul, add"},
		{"ld.const.f32 %f1, [bank]; " + product + "@%p1 bra L; add.f32 %f11, %f10, %f2; L:", "f32"},
		{"ld.const.f32 %f1, [%q1]; " + product + "@%p1 bra L; add.f32 %f11, %f10, %f2; L:", "mul, add"},
		{nine + "@%p1 bra L; mul.f32 %f12, %f3, %f4; add.f32 %f11, %f10, %f12; L:", "mul, f32"},
		{"mul.rn.f32 %f10, %f0, %f1; add.f32 %f11, %f10, %f2;", "mul, add"},
		{product + "add.rn.f32 %f11, %f10, %f2;", "mul, add"},
		{product + "add.ftz.f32 %f11, %f10, %f2;", "mul, add"},
		{"mul.ftz.f32 %f10, %f0, %f1; add.ftz.f32 %f11, %f10, %f2;", "ftz.f32"},
		{product + "add.sat.f32 %f11, %f10, %f2;", "f32.sat"},
		{"mul.sat.f32 %f10, %f0, %f1; add.f32 %f11, %f10, %f2;", "mul, add"},
		{"mul.f64 %d10, %d0, %d1; sub.f64 %d11, %d2, %d10;", "f64 -a"},
		{"mul.f16 %h10, %h0, %h1; sub.f16 %h11, %h10, %h2;", "f16 -c"},
		{"mul.bf16 %h10, %h0, %h1; add.bf16 %h11, %h10, %h2;", "bf16"},
		// Registers that change on the way.
		{product + "mov.f32 %f0, %f5; add.f32 %f11, %f10, %f2;", "f32"},
		{product + "ld.global.v2.f32 {%f1, %f6}, [%q1]; add.f32 %f11, %f10, %f2;", "f32"},
		{product + "add.f32 %f11, %f10, %f2; " + product + "add.f32 %f11, %f10, %f5;", "f32, f32"},
		{product + "add.f32 %f10, %f10, %f2;", "f32"},
		{"mov.f32 %f0, %f5; mul.f32 %f0, %f0, %f1; add.f32 %f11, %f0, %f2;", "f32"},
		{product + "add.f32 %f11, %f10, %f2; mul.f32 %f10, %f2, %f3;" + store("%f10"), "f32, mul"},
		{product + "@%p1 mul.f32 %f10, %f2, %f3; add.f32 %f11, %f10, %f4;", "mul, mul, add"},
		{product + "@%p1 add.f32 %f10, %f10, %f2;" + store("%f10"), "mul, add"},
		{product + "@%p1 bra L; add.f32 %f10, %f10, %f2; L:" + store("%f10"), "mul, add"},
		{"@%p1 bra L; " + product + "bra M; L: mul.f32 %f10, %f2, %f3; M: add.f32 %f11, %f10, %f4;", "mul, mul, add"},
		{product + "L: add.f32 %f20, %f20, %f10; mul.f32 %f10, %f20, %f3; @%p1 bra L;", "mul, add, mul"},
		{"L: " + product + "add.f32 %f0, %f10, %f3; @%p1 bra L;", "f32"},
		// Moves and signs on the way.
		{product + "mov.f32 %f11, %f10; add.f32 %f12, %f11, %f2;", "f32"},
		{product + "mov.b32 %r1, %f10; mov.b32 %f11, %r1; add.f32 %f12, %f11, %f2;", "f32"},
		{product + "mov.b32 %r1, %f10; st.global.b32 [%q1], %r1; add.f32 %f12, %f10, %f2;", "mul, add"},
		{product + "mov.f32 %f11, %f10; add.f32 %f12, %f11, %f2; mov.f32 %f11, %f3; add.f32 %f13, %f11, %f4;", "f32, add"},
		{product + "@%p1 mov.f32 %f10, %f3; add.f32 %f12, %f10, %f2;", "mul, add"},
		{product + "neg.f32 %f11, %f10; add.f32 %f12, %f11, %f2;", "f32 -a"},
		{product + "neg.f32 %f11, %f10; mov.f32 %f13, %f11; sub.f32 %f12, %f2, %f13;", "f32"},
		{product + "neg.f32 %f11, %f10; add.f32 %f12, %f11, %f2; add.f32 %f13, %f10, %f3;", "f32 -a, f32"},
		{product + "neg.ftz.f32 %f11, %f10; add.f32 %f12, %f11, %f2;", "mul, add"},
		{"mul.ftz.f32 %f10, %f0, %f1; neg.f32 %f11, %f10; add.ftz.f32 %f12, %f11, %f2;", "ftz.f32 -a"},
		{product + "abs.f32 %f11, %f10; add.f32 %f12, %f11, %f2;", "mul, add"},
		{"mul.f64 %d10, %d0, %d1; neg.f64 %d11, %d10; add.f64 %d12, %d11, %d2;", "f64 -a"},
		{"mul.f16 %h10, %h0, %h1; mov.b16 %h11, %h10; add.f16 %h12, %h11, %h2;", "f16"},
		{"mul.f16x2 %r1, %r0, %r2; neg.f16x2 %r3, %r1; add.f16x2 %r1, %r3, %r2;", "f16x2 -a"},
		// A product twice is one, and so are two of the same factors.
		{product + "mul.f32 %f11, %f1, %f0; add.f32 %f12, %f10, %f11;", "mul, mul, add"},
		{product + "mul.f32 %f11, %f0, %f1; sub.f32 %f12, %f10, %f11;", "mul, f32 -c"},
		{product + "mul.f32 %f11, %f0, %f1; add.f32 %f12, %f10, %f2; add.f32 %f13, %f11, %f3;", "f32, f32"},
		{product + "neg.f32 %f11, %f10; add.f32 %f12, %f10, %f11;", "mul, add"},
		{product + "mov.f32 %f11, %f10; add.f32 %f12, %f10, %f11;", "mul, add"},
		{"mul.f32 %f10, 0f40400000, 0f3DCCCCCD; add.f32 %f11, %f10, %f2;", "mul, add"},
		{"mov.f32 %f9, 0f40400000; mul.f32 %f10, %f9, 0f3DCCCCCD; add.f32 %f11, %f10, %f2;", "mul, add"},
		// Quotients.
		{"div.approx.ftz.f32 %f10, %f0, %f1; add.ftz.f32 %f11, %f10, %f2;", "ftz.f32"},
		{"div.approx.ftz.f32 %f10, %f0, %f1; sub.ftz.f32 %f11, %f2, %f10;", "ftz.f32 -a"},
		{"div.approx.ftz.f32 %f10, %f0, %f1; add.f32 %f11, %f10, %f2;", "add"},
		{"div.approx.ftz.f32 %f10, %f0, %f1; add.rn.ftz.f32 %f11, %f10, %f2;", "add"},
		{"div.approx.ftz.f32 %f10, %f0, %f1; add.ftz.sat.f32 %f11, %f10, %f2;", "ftz.f32.sat"},
		{"div.approx.ftz.f32 %f10, %f0, %f1; add.ftz.f32 %f11, %f10, %f2;" + store("%f10"), "add"},
		{"div.approx.ftz.f32 %f10, %f0, %f1; mul.ftz.f32 %f12, %f3, %f4; add.ftz.f32 %f11, %f10, %f12;", "mul, ftz.f32"},
		{"mul.ftz.f32 %f12, %f3, %f4; div.approx.ftz.f32 %f10, %f0, %f1; add.ftz.f32 %f11, %f12, %f10;", "ftz.f32"},
		{"div.approx.ftz.f32 %f10, %f0, %f1; @%p1 bra L; add.ftz.f32 %f11, %f10, %f2; L:", "add"},
		{"div.approx.ftz.f32 %f10, 0f40400000, %f0; @%p1 bra L; add.ftz.f32 %f11, %f10, %f2; L:", "ftz.f32"},
		{"@%p1 div.approx.ftz.f32 %f10, %f0, %f1; add.ftz.f32 %f11, %f10, %f2;", "add"},
		{"div.approx.ftz.f32 %f10, %f0, %f1; @%p1 add.ftz.f32 %f11, %f10, %f2;", "ftz.f32"},
		{"div.approx.f32 %f10, %f0, %f1; add.f32 %f11, %f10, %f2;", "mul, mul, f32"},
		{"div.full.f32 %f10, %f0, %f1; add.f32 %f11, %f10, %f2;", "mul, mul, f32"},
		{"div.full.ftz.f32 %f10, %f0, %f1; add.ftz.f32 %f11, %f10, %f2;", "mul, mul, ftz.f32"},
		{"div.full.f32 %f10, 0f40400000, %f0; @%p1 bra L; add.f32 %f11, %f10, %f2; L:", "add"},
		{"rcp.approx.f32 %f10, %f0; add.f32 %f11, %f10, %f2;", "mul, mul, f32"},
		{"rcp.approx.ftz.f32 %f10, %f0; add.ftz.f32 %f11, %f10, %f2;", "add"},
		// Division by a constant is multiplication.
		{"div.full.f32 %f10, %f0, %f1;", ""},
		{"div.full.f32 %f10, %f0, 0f40400000;", "mul"},
		{"mov.b32 %r1, 0x40400000; mov.b32 %f1, %r1; div.approx.f32 %f10, %f0, %f1;", "mul"},
		{"@%p1 div.approx.ftz.f32 %f10, %f0, 0f40400000;", "mul"},
		{"div.full.f32 %f10, %f0, 0f7F000000;", "mul, mul"},
		{"div.full.f32 %f10, %f0, 0f40400000; @%p1 bra L; add.f32 %f11, %f10, %f2; L:", "f32"},
		{"div.approx.ftz.f32 %f10, %f0, 0f7FC00000;", ""},
	} {
		if got := contracted(t, "sm_90", c.code); got != c.want {
			t.Errorf("%s\n  is %s\nwant %s", c.code, got, c.want)
		}
	}
	if got := contracted(t, "sm_90, debug", product+"add.f32 %f11, %f10, %f2;"); got != "mul, add" {
		t.Errorf("code for a debugger is %s", got)
	}
}

func TestContractionLeavesTheTreeAsItIs(t *testing.T) {
	text := ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k() {\n.reg .f32 %f<4>;\n" +
		"mul.f32 %f1, %f0, %f0;\nadd.f32 %f2, %f1, %f0;\nret;\n}\n"
	m, err := parse.Parse("test.ptx", text)
	if err != nil {
		t.Fatal(err)
	}
	body, err := m.Funcs[0].Load()
	if err != nil {
		t.Fatal(err)
	}
	names := func(b *ast.Body) (s string) {
		for i := range b.Insts {
			s += b.Opcodes[b.Insts[i].Op].Name + " "
		}
		return s
	}
	if got := names(contract(m, m.Funcs[0], body)); got != "fma ret " {
		t.Errorf("contracted to %q", got)
	}
	if got := names(body); got != "mul add ret " {
		t.Errorf("the tree has become %q", got)
	}
}
