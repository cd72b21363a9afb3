package parse

import (
	"testing"

	"github.com/lockstep-sim/lockstep/ptx/ast"
)

// FuzzParse checks that any text ends in a tree or in errors with places, that
// a lazy parse finds no module-level error of its own, and that what parses
// survives printing.
func FuzzParse(f *testing.F) {
	for _, text := range samples(f) {
		f.Add(text)
	}
	f.Add(".version 7.0\n.global .u32 a[2] = {1, (.u64)-2 ? 0x3 : 4.5};\n")
	f.Add(".version 7.0\n.func f() { { L: @p bra L; } }\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse("f.ptx", text)
		if err != nil {
			for _, e := range err.(ast.Errors) {
				if e.Line < 1 || e.Column < 1 || int(e.Pos) > len(text) {
					t.Fatalf("bad place: %v", e)
				}
				_ = e.Error()
			}
			return
		}
		if _, err := Lazy("f.ptx", text); err != nil {
			t.Fatalf("lazy: %v", err)
		}
		printed, err := m.Format()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse("p.ptx", printed)
		if err != nil {
			t.Fatalf("%s\n%v", printed, err)
		}
		if second, _ := again.Format(); second != printed {
			t.Fatalf("printing is not stable:\n%s\n%s", printed, second)
		}
	})
}
