package parse

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/ptx/ast"
)

// body1 parses statements inside a kernel that has the usual registers.
func body1(t testing.TB, text string) *ast.Body {
	t.Helper()
	m, err := Parse("t.ptx", ".version 9.0\n.target sm_90\n.address_size 64\n.global .u32 g[4];\n.func f() { ret; }\n"+
		".visible .entry k(.param .u64 out)\n{\n.reg .pred %p<5>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"+
		".reg .f32 %f<9>; .reg .f64 %d<9>;\n"+text+"\n}\n")
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Func("k").Load()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// regName is the name and declaration place of the register that is the first
// operand of an instruction.
func firstReg(b *ast.Body, i int) (string, ast.Reg) {
	o := b.Args(&b.Insts[i])[0]
	return b.RegName(o.Index), b.Regs[o.Index]
}

func TestInnerRegisterHidesTheOuterOne(t *testing.T) {
	b := body1(t, ".reg .b32 t; mov.u32 t, 5; { .reg .b64 t; mov.u64 t, 9; } mov.u32 t, 1;")
	_, outer := firstReg(b, 0)
	_, inner := firstReg(b, 1)
	_, again := firstReg(b, 2)
	if outer.Type != ast.B32 || inner.Type != ast.B64 || outer != again {
		t.Errorf("outer %+v, inner %+v, outer again %+v", outer, inner, again)
	}
}

func TestInnermostOfPlainAndParameterisedNameWins(t *testing.T) {
	b := body1(t, ".reg .b32 a<3>; { .reg .b64 a1; mov.u64 a1, 1; mov.u32 a2, 1; { .reg .f32 a<2>; mov.f32 a1, 0f00000000; } }")
	for i, want := range []ast.Type{ast.B64, ast.B32, ast.F32} {
		if _, r := firstReg(b, i); r.Type != want {
			t.Errorf("instruction %d uses a .%s, want .%s", i, r.Type, want)
		}
	}
}

func TestLeadingZerosNameTheSameRegister(t *testing.T) {
	b := body1(t, "mov.u32 %r1, 1; mov.u32 %r01, 2;")
	if x, y := b.Args(&b.Insts[0])[0].Index, b.Args(&b.Insts[1])[0].Index; x != y {
		t.Errorf("registers %d and %d", x, y)
	}
}

func TestOnlyUsedRegistersAreNumbered(t *testing.T) {
	b := body1(t, ".reg .b32 big<1000000>; mov.u32 big999999, 1; mov.u32 %r8, big999999;")
	if len(b.Regs) != 2 || b.RegName(0) != "big999999" || b.RegName(1) != "%r8" {
		t.Errorf("registers %+v", b.Regs)
	}
}

// targets lists the instruction index each branch goes to.
func targets(b *ast.Body) (list []int32) {
	for i := range b.Insts {
		if in := &b.Insts[i]; b.Opcodes[in.Op].Name == "bra" {
			list = append(list, b.Labels[b.Args(in)[0].Index].Inst)
		}
	}
	return list
}

func TestLabelsBelongToTheirBlock(t *testing.T) {
	cases := []struct {
		text string
		want []int32
	}{
		{"L: bra L; ret;", []int32{0}},
		{"bra L; ret; L:", []int32{2}},
		{"{ L: bra L; } { ret; L: bra L; } bra L; L: ret;", []int32{0, 2, 4}},
		{"L: ret; { bra L; ret; L: ret; }", []int32{3}},
		{"L: ret; { bra L; } bra L;", []int32{0, 0}},
		{"{ { { bra L; } } } L:", []int32{1}},
		{"$L__BB0_1: ret; bra $L__BB0_1; _x: bra _x; add: bra add;", []int32{0, 2, 3}},
	}
	for _, c := range cases {
		if got := targets(body1(t, c.text)); !slices.Equal(got, c.want) {
			t.Errorf("%s: branches to %v, want %v", c.text, got, c.want)
		}
	}
}

func TestBranchTablesListLabels(t *testing.T) {
	b := body1(t, "tbl: .branchtargets L0, L<2>, E; brx.idx %r1, tbl; L0: ret; L1: ret; E: ret;")
	var got []int32
	for _, o := range b.Targets(&b.Tables[0]) {
		got = append(got, b.Labels[o.Index].Inst)
	}
	if !slices.Equal(got, []int32{1, 1, 2, 3}) {
		t.Errorf("targets %v", got)
	}
	if o := b.Args(&b.Insts[0])[1]; o.Kind != ast.TableName || o.Index != 0 {
		t.Errorf("operand of brx.idx: %+v", o)
	}
}

func TestModuleNamesAreListedOnce(t *testing.T) {
	b := body1(t, "mov.u64 %rd1, g; ld.global.u32 %r1, [g+4]; call f; mov.u64 %rd1, g+8; call f;")
	if !slices.Equal(b.Symbols, []string{"g", "f"}) {
		t.Errorf("symbols %v", b.Symbols)
	}
	if o := b.Args(&b.Insts[1])[1]; o.Kind != ast.Global || !o.Has(ast.Address) || o.Offset() != 4 {
		t.Errorf("[g+4]: %+v", o)
	}
}

func TestParametersComeFirstAmongVariables(t *testing.T) {
	m, err := Parse("t.ptx", ".version 9.0\n.func (.param .b32 r) f(.param .b64 a, .param .b64 b)\n{ .local .b8 x[4]; st.param.b32 [r], 1; ret; }")
	if err != nil {
		t.Fatal(err)
	}
	b, _ := m.Func("f").Load()
	var names []string
	for _, v := range b.Vars {
		names = append(names, v.Name)
	}
	if !slices.Equal(names, []string{"r", "a", "b", "x"}) {
		t.Errorf("variables %v", names)
	}
	if o := b.Args(&b.Insts[0])[0]; o.Kind != ast.Local || o.Index != 0 {
		t.Errorf("[r]: %+v", o)
	}
}

func TestRegisterParametersAreRegisters(t *testing.T) {
	m, err := Parse("t.ptx", ".version 2.0\n.reg .u32 global_reg;\n.func (.reg .u32 %rv) f(.reg .u32 %a)\n{ add.u32 %rv, %a, global_reg; ret; }")
	if err != nil {
		t.Fatal(err)
	}
	b, _ := m.Func("f").Load()
	args := b.Args(&b.Insts[0])
	if b.Vars[0].Reg != args[0].Index || b.Vars[1].Reg != args[1].Index || b.RegName(args[2].Index) != "global_reg" {
		t.Errorf("variables %+v, operands %+v", b.Vars, args)
	}
}

func TestModifiersKeepTheirOrder(t *testing.T) {
	b := body1(t, "ld.volatile.shared::cta.L2::128B.u32 %r1, [%r2]; ld .global\n.u32 %r1, [%rd1]; ret;")
	for i, want := range []string{"ld volatile shared::cta L2::128B u32", "ld global u32", "ret"} {
		o := b.Opcodes[b.Insts[i].Op]
		if got := strings.Join(append([]string{o.Name}, o.Mods...), " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if n := len(body1(t, strings.Repeat("ret;", 9)).Opcodes); n != 1 {
		t.Errorf("%d spellings of ret", n)
	}
}

func TestLinesComeFromTheLastLoc(t *testing.T) {
	b := body1(t, "ret;\n.loc 1 10 3\nL: ret;\n.loc 2 4 9, function_name $L__s+4, inlined_at 1 11 5\nret; ret;")
	var got []string
	for i := range b.Insts {
		if l := b.Insts[i].Loc; l < 0 {
			got = append(got, "-")
		} else {
			got = append(got, fmt.Sprint(b.Locs[l].File, ":", b.Locs[l].Line))
		}
	}
	if want := "- 1:10 2:4 2:4"; strings.Join(got, " ") != want {
		t.Errorf("lines %v, want %s", got, want)
	}
	if in := b.Locs[1].Inlined; in == nil || in.Function != "$L__s" || in.Offset != 4 || in.Line != 11 {
		t.Errorf("inlined %+v", in)
	}
}

func TestCountsAreBounded(t *testing.T) {
	for _, text := range []string{
		".global .u32 a<99999>;",
		".global .u32 a<-1>;",
		".global .u32 a<18446744073709551615>;",
		".func f() { .reg .b32 r<99999999>; }",
		".func f() { .reg .b32 r<9999999999999>; }",
		".func f() { t: .branchtargets L<9999999999>; }",
		".func f() { t: .branchtargets L<1000>, L<1000>; }",
		".global .u8 a[9999999999999];\n.global .u8 b[9999][9999999999];",
		".global .u8 a[][9999999999] = {{1}, {1}, {1}};",
	} {
		if _, err := Parse("t.ptx", ".version 9.0\n"+text); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
}

// The operand forms, as the printer spells the tree.
func TestOperandForms(t *testing.T) {
	cases := [][2]string{
		{"ld.global.u32 %r1, [%rd1+-4];", ""},
		{"ld.global.u32 %r1, [%rd1 + 4 * 2];", "ld.global.u32 %r1, [%rd1+8];"},
		{"ld.global.u32 %r1, g[2];", "ld.global.u32 %r1, [g+8];"},
		{"mov.u64 %rd1, g[2];", "mov.u64 %rd1, g+8;"},
		{"ld.local.u32 %r1, [0x10];", "ld.local.u32 %r1, [16];"},
		{"ld.global.u32 %r1, [%rd1].unified;", ""},
		{"@!%p1 setp.eq.and.u32 %p2|%p3, %r1, %r2, !%p4;", ""},
		{"mov.b64 {%r1, _}, %rd1;", ""},
		{"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}|%p1, [%rd1, %rd2, {%f1, %f2}], {%r1, %r2};", ""},
		{"vmad.s32.s32.u32 %r1, %r2.b0, -%r3.h1, %r4;", ""},
		{"vadd4.u32.u32.u32 %r1.b3210, %r2.b7654, %r3.b3210, %r4;", ""},
		{"mov.u32 %r1, %tid.r;", "mov.u32 %r1, %tid.x;"},
		{"call f;", ""},
		{"call (%r1), f, (%r2, 5, _);", ""},
		{"call (%r1), f, ();", ""},
		{"add.u32 %r1, %r2+1, %r3+-1;", ""},
		{"elect.sync _|%p1, -1;", ""},
		{"mov.u32 %r1, - 5;", "mov.u32 %r1, -5;"},
	}
	for _, c := range cases {
		want := c[1]
		if want == "" {
			want = c[0]
		}
		b := body1(t, c[0])
		if got := b.FormatInst(&b.Insts[0]); got != want {
			t.Errorf("%s: printed as %s, want %s", c[0], got, want)
		}
	}
}

func TestDeepNestingIsAnErrorNotACrash(t *testing.T) {
	const n = 1 << 20
	for _, text := range []string{
		".global .u32 a = " + strings.Repeat("(", n) + "1;",
		".global .u32 a = " + strings.Repeat("-", n) + "1;",
		".global .u32 a = " + strings.Repeat("1?", n) + "1;",
		".global .u32 a = 1" + strings.Repeat("+(1", n) + ";",
		".global .u32 a" + strings.Repeat("[1]", n) + " = " + strings.Repeat("{", n) + ";",
		".func f() {" + strings.Repeat("{", n) + strings.Repeat("}", n) + "}",
		".func f() {" + strings.Repeat("[", n) + "}",
		".func f() { call " + strings.Repeat("((", n) + "}",
		".func f() { mov " + strings.Repeat("{a,", n) + "}",
	} {
		if _, err := Parse("t.ptx", ".version 9.0\n"+text); err == nil {
			t.Errorf("%.40s...: no error", text)
		}
	}
}
