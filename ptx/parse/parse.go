package parse

import (
	"math"
	"sort"
	"strings"
	"sync"

	"github.com/lockstep-sim/lockstep/ptx/ast"
)

// MaxErrors is the length at which a list of errors is cut off.
const MaxErrors = 100

// Parse parses a whole module. file names the text in messages. The error, when
// there is one, is an [ast.Errors]; the module is then incomplete.
func Parse(file, text string) (*ast.Module, error) {
	m, err := Lazy(file, text)
	var all ast.Errors
	if err != nil {
		all = err.(ast.Errors)
	}
	for _, f := range m.Funcs {
		if f.Load != nil && len(all) < MaxErrors {
			_, err = f.Load()
			all = merge(all, err)
		}
	}
	for _, s := range m.Sections {
		_, err = s.Load()
		all = merge(all, err)
	}
	if all == nil {
		return m, nil
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Pos < all[j].Pos })
	return m, all[:min(len(all), MaxErrors)]
}

func merge(all ast.Errors, err error) ast.Errors {
	if err == nil {
		return all
	}
	return append(all, err.(ast.Errors)...)
}

// Lazy parses the module-level items of a module. The error, when there is one,
// is an [ast.Errors] that covers those only; that of a body or section comes
// from its Load.
func Lazy(file, text string) (*ast.Module, error) {
	m := &ast.Module{File: file, AddressSize: 32}
	if len(text) > math.MaxInt32 {
		return m, ast.Errors{m.Errorf(0, "module of %d bytes: at most 2 GiB can be parsed", len(text))}
	}
	m.Text = strings.TrimRight(text, "\x00")
	p := &module{parser: parser{m: m}, files: map[int]bool{}}
	p.s.Src = m.Text
	p.parse()
	return m, p.result()
}

// bodies keeps the scratch space of body parsers between functions.
var bodies = sync.Pool{New: func() any { return new(body) }}

// loader returns the Load of a function.
func loader(m *ast.Module, f *ast.Func) func() (*ast.Body, error) {
	return sync.OnceValues(func() (*ast.Body, error) {
		b := bodies.Get().(*body)
		defer bodies.Put(b)
		return b.parse(m, f)
	})
}
