package parse

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lockstep-sim/lockstep/ptx/ast"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestErrorsSayWhereWithACaret runs testdata/errors.txt: blocks of a title, a
// module, a line of four dashes, and the expected list of errors.
func TestErrorsSayWhereWithACaret(t *testing.T) {
	const file = "testdata/errors.txt"
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, block := range strings.Split("\n"+string(raw), "\n# ")[1:] {
		title, rest, _ := strings.Cut(block, "\n")
		text, want, _ := strings.Cut(rest, "----\n")
		_, err := Parse("t.ptx", text)
		if err == nil {
			t.Errorf("%s: no error", title)
			continue
		}
		got := err.Error() + "\n"
		if strings.TrimSpace(got) != strings.TrimSpace(want) && !*update {
			t.Errorf("%s:\n%s", title, cmp.Diff(want, got))
		}
		out = append(out, "# "+title+"\n"+text+"----\n"+got)
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(out, "\n")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestErrorListIsCutOff(t *testing.T) {
	_, err := Parse("t.ptx", ".version 7.0\n"+strings.Repeat(".nonsense;\n", 1000))
	if n := len(err.(ast.Errors)); n != MaxErrors {
		t.Errorf("%d errors, want %d", n, MaxErrors)
	}
}

func TestErrorsAreInSourceOrder(t *testing.T) {
	_, err := Parse("t.ptx", ".version 7.0\n.func f() { bad; }\n.global .u32 a = 08;\n.func g() { mov.u32 x, 1; bad }\n")
	last := ast.Pos(-1)
	for _, e := range err.(ast.Errors) {
		if e.Pos < last {
			t.Errorf("%v stands behind a later one", e)
		}
		last = e.Pos
	}
}

// samples returns the modules of testdata by name.
func samples(t testing.TB) map[string]string {
	files, err := filepath.Glob("testdata/*.ptx")
	if err != nil || len(files) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	m := map[string]string{}
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		m[f] = string(raw)
	}
	return m
}

// tree is a module with everything loaded, for comparison.
type tree struct {
	Module   *ast.Module
	Bodies   []*ast.Body
	Sections []*ast.Image
}

func load(t testing.TB, m *ast.Module) (x tree) {
	x.Module = m
	for _, f := range m.Funcs {
		if f.Load == nil {
			continue
		}
		b, err := f.Load()
		if err != nil {
			t.Fatal(err)
		}
		x.Bodies = append(x.Bodies, b)
	}
	for _, s := range m.Sections {
		img, err := s.Load()
		if err != nil {
			t.Fatal(err)
		}
		x.Sections = append(x.Sections, img)
	}
	return x
}

// sameTree compares trees without the functions in them; with positions dropped
// as well when the texts differ.
func sameTree(positions bool) cmp.Options {
	o := cmp.Options{
		cmpopts.IgnoreUnexported(ast.Module{}),
		cmpopts.IgnoreFields(ast.Func{}, "Load"),
		cmpopts.IgnoreFields(ast.Section{}, "Load"),
		cmpopts.EquateEmpty(),
	}
	if !positions {
		o = append(o,
			cmpopts.IgnoreTypes(ast.Pos(0)),
			cmpopts.IgnoreFields(ast.Module{}, "File", "Text"))
	}
	return o
}

func TestPrintedModuleParsesToTheSameTree(t *testing.T) {
	for name, text := range samples(t) {
		m, err := Parse(name, text)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		printed, err := m.Format()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		again, err := Parse(name+" printed", printed)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if d := cmp.Diff(load(t, m), load(t, again), sameTree(false)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if second, _ := again.Format(); second != printed {
			t.Errorf("%s: printing is not stable:\n%s", name, cmp.Diff(printed, second))
		}
	}
}

func TestLazyModuleLoadsTheSameTree(t *testing.T) {
	for name, text := range samples(t) {
		full, err := Parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		lazy, err := Lazy(name, text)
		if err != nil {
			t.Fatal(err)
		}
		for i := len(lazy.Funcs) - 1; i >= 0; i-- {
			if f := lazy.Funcs[i]; f.Load != nil {
				f.Load()
			}
		}
		if d := cmp.Diff(load(t, full), load(t, lazy), sameTree(true)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestBodiesLoadFromManyGoroutines(t *testing.T) {
	for name, text := range samples(t) {
		m, err := Lazy(name, text)
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		results := make([][]*ast.Body, 8)
		for g := range results {
			wg.Go(func() {
				for _, f := range m.Funcs {
					if f.Load != nil {
						b, _ := f.Load()
						results[g] = append(results[g], b)
					}
				}
			})
		}
		wg.Wait()
		for _, r := range results {
			for i := range r {
				if r[i] != results[0][i] {
					t.Errorf("%s: body %d was parsed twice", name, i)
				}
			}
		}
	}
}
