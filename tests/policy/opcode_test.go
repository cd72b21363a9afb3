package policy

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// Outside the tables nobody may ask which instruction this is: what an engine
// needs to know of one stands in its row.
func TestOpcodesAreNamedOnlyInTables(t *testing.T) {
	mnemonics := map[string]bool{}
	ops.Rows(func(op *isa.Op) { mnemonics[op.Name] = true })
	for _, s := range sources(t) {
		if s.test() || strings.Contains(s.path, "/ops/") || !strings.HasPrefix(s.path, "gpu/") && !strings.HasPrefix(s.path, "ptx/lower") && !strings.HasPrefix(s.path, "ptx/link") {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if n.Op == token.EQL || n.Op == token.NEQ {
					reportOpcode(t, s, n, mnemonics)
				}
			case *ast.SwitchStmt:
				if sel, ok := n.Tag.(*ast.SelectorExpr); ok && sel.Sel.Name == "Name" && opName(sel) {
					t.Errorf("%s:%d: a switch on an instruction's name", s.path, s.line(n.Pos()))
				}
			}
			return true
		})
	}
}

func reportOpcode(t *testing.T, s *source, e *ast.BinaryExpr, mnemonics map[string]bool) {
	for x, y := e.X, e.Y; ; x, y = y, x {
		if sel, ok := x.(*ast.SelectorExpr); ok && opName(sel) {
			if lit, ok := y.(*ast.BasicLit); ok && lit.Kind == token.STRING && mnemonics[strings.Trim(lit.Value, `"`)] {
				t.Errorf("%s:%d: an instruction is told apart by its name", s.path, s.line(e.Pos()))
			}
		}
		if x == e.Y {
			return
		}
	}
}

// opName reports an expression x.Op.Name.
func opName(sel *ast.SelectorExpr) bool {
	inner, ok := sel.X.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Name" && inner.Sel.Name == "Op"
}
