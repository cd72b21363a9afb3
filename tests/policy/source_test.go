package policy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// root is the repository as seen from this package.
const root = "../.."

// source is a parsed Go file.
type source struct {
	path string // relative to the repository, with slashes
	fset *token.FileSet
	file *ast.File
}

func (s *source) generated() bool {
	return ast.IsGenerated(s.file) || strings.HasPrefix(filepath.Base(s.path), "z")
}

func (s *source) test() bool { return strings.HasSuffix(s.path, "_test.go") }

func (s *source) line(p token.Pos) int { return s.fset.Position(p).Line }

// dir is the package's folder.
func (s *source) dir() string { return filepath.ToSlash(filepath.Dir(s.path)) }

// sources parses every Go file of the repository.
func sources(t *testing.T) []*source {
	t.Helper()
	var all []*source
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "build") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		all = append(all, &source{path: filepath.ToSlash(rel), fset: fset, file: file})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
