package ops

import (
	"strings"
	"testing"
)

func lookupText(text string) error {
	w := strings.Split(text, ".")
	_, _, err := Lookup(w[0], w[1:])
	return err
}

func TestModifiersMayStandInAnyOrder(t *testing.T) {
	for _, text := range []string{
		"setp.f32.lt", "setp.lt.f32", "setp.ftz.lt.and.f32", "setp.and.f32.lt.ftz", "set.u32.f32.lt",
		"cvt.f32.rn.f64", "cvt.rn.f32.f64", "fma.f32.rn", "min.NaN.ftz.f32", "min.ftz.NaN.f32",
		"add.f32.sat.ftz.rn", "prmt.b32.f4e", "lop3.b32.or", "shf.l.b32.clamp", "mad.lo.cc.u32", "mad.hi.sat.s32",
	} {
		if err := lookupText(text); err != nil {
			t.Error(err)
		}
	}
}

func TestSpellingsThatAssemblersRejectAreRejected(t *testing.T) {
	for text, why := range map[string]string{
		"and.u32":           "u32",
		"shf.clamp.l.b32":   ".l is part of the instruction's name",
		"mad.sat.hi.s32":    ".hi is part of the instruction's name",
		"not.u32":           "u32",
		"shl.u32":           "u32",
		"abs.u32":           "u32",
		"setp.lt.b32":       ".lt",
		"setp.lo.s32":       ".lo",
		"setp.equ.u32":      ".equ",
		"mul.wide.u64":      "u64",
		"mul.u32.lo":        ".lo must stand before the type",
		"mad.s32.wide":      ".wide must stand before the type",
		"mul.u32":           "required",
		"div.f32":           "",
		"mad.f32":           "",
		"fma.f32":           "required",
		"add.sat.u64":       "",
		"add.ftz.f64":       "",
		"setp.lt.ftz.f64":   "",
		"selp.pred":         "",
		"cvt.rzi.f32.f64":   "",
		"cvt.s32.f32":       "",
		"cvt.f32.f64":       "",
		"cvt.f32.s32":       "",
		"cvt.rn.f64.f32":    "",
		"add.rn.rz.f32":     "",
		"add.u32.u32":       "",
		"add":               "type is missing",
		"frobnicate.u32":    "unknown instruction",
		"min.xorsign.f32":   "required",
		"lop3.xor.b32":      ".xor",
		"popc.u32":          "u32",
		"cvt.pack.u8.s32":   "",
		"slct.u32.u32":      "",
		"testp.f32":         "required",
		"copysign.f16":      "",
		"sin.f32":           "required",
		"fma.rn.oob.f32":    "oob",
		"min.relu.u32":      "",
		"bfind.shift.u32":   ".shift",
		"mov.u8":            "u8",
		"add.cc.sat.s32":    "",
		"setp.lt.not.s32":   ".not",
		"cvt.rn.relu.f16x2": "",
	} {
		err := lookupText(text)
		if err == nil {
			t.Errorf("%s is accepted", text)
			continue
		}
		if !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %q does not say %q", text, err, why)
		}
	}
}

func TestShapesOfOperandsChooseTheRow(t *testing.T) {
	for _, c := range []struct {
		text   string
		shapes []Shape
		args   string
	}{
		{"mov.b64", []Shape{Plain, Plain}, "d, a"},
		{"mov.b64", []Shape{Plain, List}, "d, V"},
		{"mov.b64", []Shape{List, Plain}, "V, a"},
		{"min.f32", []Shape{Plain, Plain, Plain}, "d, a, b"},
		{"min.f32", []Shape{Plain, Plain, Plain, Plain}, "d, a, b, c"},
		{"setp.lt.s32", []Shape{Pair, Plain, Plain}, "p|q, a, b"},
		{"setp.lt.and.s32", []Shape{Plain, Plain, Plain, Plain}, "p|q, a, b, s"},
		{"lop3.or.b32", []Shape{Pair, Plain, Plain, Plain, Plain, Plain}, "d|p, a, b, c, i, s"},
	} {
		w := strings.Split(c.text, ".")
		form, _, err := Lookup(w[0], w[1:], c.shapes...)
		if err != nil {
			t.Error(err)
			continue
		}
		if form.Op.Args != c.args {
			t.Errorf("%s %v chooses %q, want %q", c.text, c.shapes, form.Op.Args, c.args)
		}
	}
	for _, c := range []struct {
		text   string
		shapes []Shape
		why    string
	}{
		{"add.u32", []Shape{Plain, Plain}, "2 operands"},
		{"add.u32", []Shape{Plain, Address, Plain}, "operand 2"},
		{"mov.b64", []Shape{List, List}, ""},
		{"setp.lt.s32", []Shape{Plain, Plain, Plain, Plain}, "4 operands"},
		{"setp.lt.and.s32", []Shape{Plain, Plain, Plain}, "3 operands"},
	} {
		w := strings.Split(c.text, ".")
		if _, _, err := Lookup(w[0], w[1:], c.shapes...); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s %v: error %v does not say %q", c.text, c.shapes, err, c.why)
		}
	}
}
