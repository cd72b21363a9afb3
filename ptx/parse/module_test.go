package parse

import (
	"bytes"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lockstep-sim/lockstep/ptx/ast"
)

func parseOK(t testing.TB, text string) *ast.Module {
	t.Helper()
	m, err := Parse("t.ptx", ".version 9.0\n.target sm_90\n.address_size 64\n"+text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestInitialisersBecomeBytesAndRelocations(t *testing.T) {
	whole := uint64(math.MaxUint64)
	cases := []struct {
		text   string
		size   int64
		data   []byte
		relocs []ast.Reloc
	}{
		{".u32 v = 0x01020304", 4, []byte{4, 3, 2, 1}, nil},
		{".u32 v[3] = {1, 2}", 12, []byte{1, 0, 0, 0, 2, 0, 0, 0}, nil},
		{".b8 v[] = {1, 2, -1}", 3, []byte{1, 2, 255}, nil},
		{".u8 v[2][3] = {{1}, {2, 3, 4}}", 6, []byte{1, 0, 0, 2, 3, 4}, nil},
		{".u8 v[][2] = {{1}, {2}, {3}}", 6, []byte{1, 0, 2, 0, 3}, nil},
		{".v2 .u16 v[2] = {{1, 2}, {3, 4}}", 8, []byte{1, 0, 2, 0, 3, 0, 4, 0}, nil},
		{".v4 .f32 v = {1.0, 0f40000000}", 16, []byte{0, 0, 0x80, 0x3f, 0, 0, 0, 0x40}, nil},
		{".u32 v[2] = {}", 8, nil, nil},
		{".u64 v = a", 8, make([]byte, 8), []ast.Reloc{{Width: 8, Mask: whole, Name: "a"}}},
		{".u64 v[2] = {0, generic(a)+4}", 16, make([]byte, 16), []ast.Reloc{{Offset: 8, Width: 8, Mask: whole, Name: "a", Generic: true, Addend: 4}}},
		{".u32 v = a+2*2", 4, make([]byte, 4), []ast.Reloc{{Width: 4, Mask: whole, Name: "a", Addend: 4}}},
		{".u64 v = a+-8", 8, make([]byte, 8), []ast.Reloc{{Width: 8, Mask: whole, Name: "a", Addend: -8}}},
		{".u8 v[2] = {0xFF(a), 0xFF00(generic(a)+4)}", 2, make([]byte, 2), []ast.Reloc{
			{Width: 1, Mask: 0xff, Name: "a"}, {Offset: 1, Width: 1, Mask: 0xff00, Name: "a", Generic: true, Addend: 4}}},
		{".u8 v[2] = {7, mask(0xFF00)(a)}", 2, []byte{7, 0}, []ast.Reloc{{Offset: 1, Width: 1, Mask: 0xff00, Name: "a"}}},
		{".u64 v = f", 8, make([]byte, 8), []ast.Reloc{{Width: 8, Mask: whole, Name: "f"}}},
	}
	for _, c := range cases {
		m := parseOK(t, ".global .u32 a; .func f() { ret; }\n.global "+c.text+";")
		v := m.Var("v")
		if v.Size() != c.size || !bytes.Equal(v.Init.Data, c.data) {
			t.Errorf("%s: %d bytes, %v", c.text, v.Size(), v.Init.Data)
		}
		if d := cmp.Diff(c.relocs, v.Init.Relocs, cmpopts.IgnoreTypes(ast.Pos(0))); d != "" {
			t.Errorf("%s: %s", c.text, d)
		}
	}
}

func TestSectionsKeepLabelsAndDifferences(t *testing.T) {
	m := parseOK(t, ".section .debug_x\n{\nA: .b8 1, 2\n.b16 -1\nB:\n.b32 B-A\n.b64 .debug_y\n.b64 A+4\n}")
	img, err := m.Sections[0].Load()
	if err != nil {
		t.Fatal(err)
	}
	whole := uint64(math.MaxUint64)
	want := &ast.Image{
		Data:   append([]byte{1, 2, 255, 255}, make([]byte, 20)...),
		Labels: []ast.ImageLabel{{Name: "A"}, {Name: "B", Offset: 4}},
		Relocs: []ast.Reloc{
			{Offset: 4, Width: 4, Mask: whole, Name: "B", Minus: "A"},
			{Offset: 8, Width: 8, Mask: whole, Name: ".debug_y"},
			{Offset: 16, Width: 8, Mask: whole, Name: "A", Addend: 4},
		},
	}
	if d := cmp.Diff(want, img, cmpopts.IgnoreTypes(ast.Pos(0))); d != "" {
		t.Error(d)
	}
}

func TestParameterAttributes(t *testing.T) {
	m := parseOK(t, ".entry k(.param .u64 .ptr .align 1 a, .param .u64 .ptr .global .align 4 b, .param .align 8 .b8 c[12], .param .u32 d) { ret; }")
	p := m.Func("k").Params
	if *p[0].Ptr != (ast.Ptr{Align: 1}) || *p[1].Ptr != (ast.Ptr{Space: ast.GlobalSpace, Align: 4}) {
		t.Errorf("pointers %+v %+v", p[0].Ptr, p[1].Ptr)
	}
	if p[2].Size() != 12 || p[2].Alignment() != 8 || p[3].Size() != 4 || p[3].Alignment() != 4 {
		t.Errorf("sizes and alignments of %+v and %+v", p[2], p[3])
	}
}

func TestDirectivesOfAKernel(t *testing.T) {
	m := parseOK(t, ".entry k() .reqntid 4, 1, 1 .minnctapersm 1 .maxnreg 32 { ret; }")
	f := m.Func("k")
	if d := f.Directive("reqntid"); d == nil || len(d.Values) != 3 || d.Values[0] != 4 {
		t.Errorf("reqntid %+v", d)
	}
	if f.Directive("maxntid") != nil {
		t.Error("a directive that is not there was found")
	}
}

func TestDefinitionWinsOverDeclaration(t *testing.T) {
	m := parseOK(t, ".extern .global .u32 a;\n.func f();\n.visible .global .u32 a = 3;\n.func f() { ret; }\n.extern .global .u32 a;\n"+
		".visible .func g() { ret; } .visible .func h(); .alias h, g;")
	if m.Var("a").Init == nil || m.Func("f").Load == nil {
		t.Errorf("found %+v and %+v", m.Var("a"), m.Func("f"))
	}
	if s, ok := m.Lookup("h"); !ok || s.Alias != 0 {
		t.Errorf("h is %+v", s)
	}
}

func TestModuleNewerThanWeKnowParses(t *testing.T) {
	m, err := Parse("t.ptx", ".version 9.9\n.target sm_777a, debug\n.address_size 64\n.visible .entry k() { ret; }\x00\x00")
	if err != nil {
		t.Fatal(err)
	}
	if !m.Version.AtLeast(9, 9) || m.Targets[0] != "sm_777a" || m.Targets[1] != "debug" {
		t.Errorf("version %v, targets %v", m.Version, m.Targets)
	}
}

func TestOldTextParses(t *testing.T) {
	m, err := Parse("t.ptx", `	.version 1.4
	.target sm_10, map_f64_to_f32
	@@DWARF .section .debug_info, "", @progbits {
	.const .s32 constants[4] = {1,2,3,4};
	.tex .texref picture;
	.shared .f32 s[16];
	.entry _Z1kPf (
		.param .u32 __cudaparm_p)
	{
	.reg .u16 %rh<4>;
	.reg .u32 %r<9>;
	.reg .f32 %f<4>;
	.reg .pred %p<3>;
	.loc	4	1	0
$LBB1__Z1kPf:
	mov.u16 	%rh1, %ctaid.x;
	mul.wide.u16 	%r1, %rh1, 4;
	cvt.u32.u16 %r2, %tid.x;
	ld.param.u32 	%r3, [__cudaparm_p];
	@!%p1 bra 	$Lt_0_1026;
	mad24.lo.s32 %r4, %r1, %r2, %r3;
	st.global.f32 	[%r4+0], %f1;
$Lt_0_1026:
	exit;
$LDWend__Z1kPf:
	} // _Z1kPf
`)
	if err != nil {
		t.Fatal(err)
	}
	if m.AddressSize != 32 || m.Targets[1] != "map_f64_to_f32" {
		t.Errorf("address size %d, targets %v", m.AddressSize, m.Targets)
	}
}

func TestPlacesAreLinesAndColumns(t *testing.T) {
	m := parseOK(t, "\t.func f()\n{\n\tret;\n}")
	b, _ := m.Func("f").Load()
	if line, col := m.Place(b.Insts[0].Pos); line != 6 || col != 2 {
		t.Errorf("ret is at %d:%d", line, col)
	}
}

func TestDeclarationsOfFunctionsNeedNoSemicolon(t *testing.T) {
	m := parseOK(t, ".extern .func f (.param .u32 a)\n.visible .func g (.param .u32 a) .noreturn\n.file 1 \"x\"\n.func h\n.global .u32 v;\n.func i (.param .u32 a);\n.entry k () { ret; }")
	if len(m.Funcs) != 5 || m.Var("v") == nil || len(m.Files) != 1 {
		t.Errorf("%d functions, %d files", len(m.Funcs), len(m.Files))
	}
	if _, err := Parse("t.ptx", ".version 9.0\n.target sm_90\n.entry f (.param .u32 a)\n.global .u32 v;"); err == nil {
		t.Error("a kernel that is declared ends without a semicolon")
	}
}
