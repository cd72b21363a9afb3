package policy

import (
	"go/ast"
	"strings"
	"testing"
)

// The bounds of the house style. Tables (ops folders, error and symbol tables)
// and generated files are exempt from the file bound.
const (
	maxFileLines     = 800
	maxFunctionLines = 100
	maxParameters    = 6
	maxFields        = 25
	maxCases         = 20
)

// large lists what is larger for a reason. It may only shrink.
var large = map[string]string{
	"gpu/isa.Inst": "a decoded instruction: every operand role in one cache-friendly record",
}

func TestFilesAndFunctionsStaySmall(t *testing.T) {
	for _, s := range sources(t) {
		if s.generated() || s.test() {
			continue
		}
		if n := s.line(s.file.End()); n > maxFileLines && !strings.Contains(s.path, "/ops/") {
			t.Errorf("%s has %d lines; %d is the bound", s.path, n, maxFileLines)
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			checkSize(t, s, n)
			return true
		})
	}
}

func checkSize(t *testing.T, s *source, n ast.Node) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		if lines := s.line(n.End()) - s.line(n.Pos()) + 1; lines > maxFunctionLines {
			t.Errorf("%s:%d: %s has %d lines; %d is the bound", s.path, s.line(n.Pos()), n.Name.Name, lines, maxFunctionLines)
		}
		if p := n.Type.Params.NumFields(); p > maxParameters && !exported(n) {
			t.Errorf("%s:%d: %s has %d parameters; %d is the bound", s.path, s.line(n.Pos()), n.Name.Name, p, maxParameters)
		}
	case *ast.TypeSpec:
		st, ok := n.Type.(*ast.StructType)
		if _, excused := large[s.dir()+"."+n.Name.Name]; ok && st.Fields.NumFields() > maxFields && !excused {
			t.Errorf("%s:%d: %s has %d fields; %d is the bound", s.path, s.line(n.Pos()), n.Name.Name, st.Fields.NumFields(), maxFields)
		}
	case *ast.SwitchStmt:
		if len(n.Body.List) > maxCases && !strings.Contains(s.path, "/ops/") {
			t.Errorf("%s:%d: a switch has %d cases; %d is the bound: make it a table", s.path, s.line(n.Pos()), len(n.Body.List), maxCases)
		}
	}
}

// exported reports a function that C calls: its parameters are the interface's.
func exported(f *ast.FuncDecl) bool {
	if f.Doc == nil {
		return false
	}
	for _, c := range f.Doc.List {
		if strings.HasPrefix(c.Text, "//export ") {
			return true
		}
	}
	return false
}

// badNames are package names that say nothing.
var badNames = []string{"util", "utils", "common", "helper", "helpers", "core", "base", "misc"}

func TestPackagesHaveNamesThatSaySomething(t *testing.T) {
	for _, s := range sources(t) {
		if contains(badNames, s.file.Name.Name) {
			t.Errorf("%s: package %s", s.path, s.file.Name.Name)
		}
	}
}

func TestEnvironmentIsReadInFewPlaces(t *testing.T) {
	for _, s := range sources(t) {
		dir := s.dir()
		if s.test() || dir == "cudart" || dir == "gpu/option" || strings.HasPrefix(dir, "cmd") || strings.HasPrefix(dir, "scripts") || strings.HasPrefix(dir, "tests") {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == "os" && (sel.Sel.Name == "Getenv" || sel.Sel.Name == "LookupEnv" || sel.Sel.Name == "Environ") {
					t.Errorf("%s:%d: os.%s; settings come in through a Config", s.path, s.line(n.Pos()), sel.Sel.Name)
				}
			}
			return true
		})
	}
}
