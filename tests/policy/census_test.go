package policy

import (
	"os"
	"strings"
	"testing"
)

// mostUnsupported bounds the functions of runtime and driver that are stubs.
const mostUnsupported = 40

// mostPartial bounds those of census.txt that are supported in part.
const mostPartial = 7

// TestFunctionsOfPublicProgramsAreSupported wants each of census.txt to be supported, some in part with what is missing, and
// few functions of the runtime and the driver to be stubs, each with its reason.
func TestFunctionsOfPublicProgramsAreSupported(t *testing.T) {
	table, err := os.ReadFile("../../SUPPORT.md")
	if err != nil {
		t.Fatal(err)
	}
	apis, _, _ := strings.Cut(string(table), "## Management library")
	level, reason, stubs := map[string]string{}, map[string]string{}, 0
	for line := range strings.Lines(apis) {
		f := strings.Split(line, "|")
		if len(f) != 7 || !strings.Contains(f[1], "`") {
			continue
		}
		name := strings.Trim(f[1], " `")
		level[name], reason[name] = strings.TrimSpace(f[4]), strings.TrimSpace(f[5])
		if level[name] != "full" && reason[name] == "" {
			t.Errorf("%s: %s, without a reason", name, level[name])
		}
		if level[name] == "no" {
			stubs++
		}
	}
	if stubs >= mostUnsupported {
		t.Errorf("%d functions are not supported, of which there have to be fewer than %d", stubs, mostUnsupported)
	}
	census, err := os.ReadFile("census.txt")
	if err != nil {
		t.Fatal(err)
	}
	partial := 0
	for line := range strings.Lines(string(census)) {
		name := strings.TrimSpace(line)
		switch level[name] {
		case "full", "without":
		case "partial":
			partial++
		default:
			if !strings.HasPrefix(name, "#") {
				t.Errorf("%s: support %q", name, level[name])
			}
		}
	}
	if partial > mostPartial {
		t.Errorf("%d functions of public programs are supported in part, of which there may be %d", partial, mostPartial)
	}
}
