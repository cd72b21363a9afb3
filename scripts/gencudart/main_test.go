package main

import (
	"go/ast"
	"strings"
	"testing"
)

func TestSymbolLinesAreChecked(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"cudaMalloc 11,12,13 error", ""},
		{"cudaMalloc 11,12", "want"},
		{"cudaMalloc 11,14 error", "unknown major"},
		{"cudaMalloc 11 stub", "unknown kind"},
	} {
		_, err := groups[0].symbol(c.line)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.line, err)
		}
	}
}

func TestSymbolsMustBeSorted(t *testing.T) {
	a, b := symbol{name: "__cudaB"}, symbol{name: "cudaA"}
	if err := checkOrder([]symbol{a, b}); err != nil {
		t.Error(err)
	}
	if err := checkOrder([]symbol{b, a}); err == nil {
		t.Error("accepted in the wrong order")
	}
}

func TestTwinsShareTheirBase(t *testing.T) {
	for name, base := range map[string]string{
		"cudaMemcpy_ptds": "cudaMemcpy", "cudaStreamGetCaptureInfo_v2_ptsz": "cudaStreamGetCaptureInfo_v2", "cudaFree": "cudaFree",
	} {
		if s := (symbol{name: name}); s.base() != base || s.twin() != (name != base) {
			t.Errorf("%s: base %s", name, s.base())
		}
	}
}

func TestSupportComesFromTheExport(t *testing.T) {
	exports := map[string]string{}
	addExport(exports, []*ast.Comment{{Text: "// text"}, {Text: `//cuda:support partial "no arrays"`}, {Text: "//export ls_cudaMemcpy"}})
	table := string(groups[0].support([]symbol{
		{name: "cudaFree", majors: []string{"11"}}, {name: "cudaMemcpy", majors: []string{"12", "11"}}, {name: "cudaMemcpy_ptds"},
		{name: "cudaGetErrorName", kind: kindC},
	}, exports))
	for _, row := range []string{
		"| `cudaFree` |  | 11 | no |  |", "| `cudaMemcpy` | _ptds | 11 12 | partial | no arrays |", "1 full, 0 without what they need, 1 partial, 1 not supported",
	} {
		if !strings.Contains(table, row) {
			t.Errorf("no %q in\n%s", row, table)
		}
	}
}
