package policy

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// documents are the texts at the root that speak of files.
var documents = []string{"README.md", "ARCHITECTURE.md", "RATIONALE.md", "CONTRIBUTING.md"}

// inBackquotes matches a path in code type: at least one slash or a known ending.
var inBackquotes = regexp.MustCompile("`([A-Za-z0-9_./*<>-]+)`")

func TestDocumentsNameOnlyFilesThatExist(t *testing.T) {
	for _, doc := range documents {
		text, err := os.ReadFile(filepath.Join(root, doc))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, m := range inBackquotes.FindAllStringSubmatch(string(text), -1) {
			if path := m[1]; isPath(path) && !exists(path) {
				t.Errorf("%s names %s, which does not exist", doc, path)
			}
		}
	}
}

// isPath tells paths of the repository from other words in code type.
func isPath(s string) bool {
	if strings.HasPrefix(s, "build/lib") || strings.HasPrefix(s, "build/bin") || strings.HasPrefix(s, "/") || strings.HasPrefix(s, "./") || strings.Contains(s, "<") {
		return false // made by a build, or not ours
	}
	first, _, slash := strings.Cut(s, "/")
	if slash {
		_, err := os.Stat(filepath.Join(root, first))
		return err == nil
	}
	for _, ending := range []string{".go", ".md", ".cfg", ".txt", ".sh", ".mod"} {
		if strings.HasSuffix(s, ending) {
			return true
		}
	}
	return false
}

func exists(path string) bool {
	matches, err := filepath.Glob(filepath.Join(root, path))
	return err == nil && len(matches) > 0
}
