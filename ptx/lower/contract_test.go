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

// TestProductsAreFusedWhereThePTXAssemblerFusesThem has what ptxas 13.0 makes of each line for sm_90.
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
		// ptxas, which renames registers, fuses these too.
		{product + "mov.f32 %f0, %f5; add.f32 %f11, %f10, %f2;", "mul, add"},
		{product + "ld.global.v2.f32 {%f1, %f6}, [%q1]; add.f32 %f11, %f10, %f2;", "mul, add"},
		{product + "add.f32 %f11, %f10, %f2; " + product + "add.f32 %f11, %f10, %f5;", "mul, add, mul, add"},
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
	if got := names(contract(m, m.Funcs[0], body)); got != " fma ret " {
		t.Errorf("contracted to %q", got)
	}
	if got := names(body); got != "mul add ret " {
		t.Errorf("the tree has become %q", got)
	}
}
