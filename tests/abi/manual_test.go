package abi

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// toolkits are those that the chapters of tests/abi/manual were built with, and the fronts that they are linked to.
var toolkits = map[string]string{"11.8": "libcudart.so.11.0", "12.4": "libcudart.so.12", "13.0": "libcudart.so.13"}

// chapter is what a card logged for a chapter.
type chapter struct {
	name  string
	begun bool // NVIDIA's runtime crashed in it: the log is its beginning
	lines []string
}

// recordedChapters reads the recording of a toolkit.
func recordedChapters(t *testing.T, toolkit string) []chapter {
	t.Helper()
	f, err := os.Open(filepath.Join("manual", "recorded", toolkit+".txt.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var all []chapter
	for s := bufio.NewScanner(z); s.Scan(); {
		if head, ok := strings.CutPrefix(s.Text(), "== "); ok {
			name, begun := strings.CutSuffix(head, " begun")
			all = append(all, chapter{name: name, begun: begun})
			continue
		}
		last := &all[len(all)-1]
		last.lines = append(last.lines, s.Text())
	}
	return all
}

// stated are the lines of the card in which lockstep differs, by chapter and text.
func stated(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("manual", "differences.txt"))
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if f := strings.SplitN(strings.TrimSpace(line), " | ", 3); len(f) == 3 {
			lines[f[0]+"|"+strings.TrimSpace(f[1])] = true
		}
	}
	return lines
}

// comparable drops what differs from run to run: the text of the error log.
func comparable(lines []string) []string {
	var kept []string
	inside := false
	for _, l := range lines {
		switch {
		case strings.HasPrefix(l, "--- text"):
			inside = true
		case l == "---":
			inside = false
		case !inside:
			kept = append(kept, l)
		}
	}
	return kept
}

// TestCallsAnswerAsOnACard compares the log of every chapter of the manual, line by line, with that of an H200.
func TestCallsAnswerAsOnACard(t *testing.T) {
	different := stated(t)
	for toolkit, front := range toolkits {
		program := filepath.Join("manual", "prebuilt", toolkit)
		program, _ = filepath.Abs(program)
		d := delivery{"found", front, true, false}
		for _, c := range recordedChapters(t, toolkit) {
			t.Run(toolkit+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				r := execute(t, append(d.environment(), "LOCKSTEP_LOG=quiet"), program, c.name)
				if r.code != 0 {
					t.Errorf("status %d\n%s", r.code, r.stderr)
				}
				want, got := comparable(c.lines), comparable(strings.Split(strings.TrimSuffix(r.stdout, "\n"), "\n"))
				if c.begun && len(got) > len(want) {
					got = got[:len(want)]
				}
				if diff := compare(c.name, want, got, different); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

// compare lists the lines that differ and are not stated.
func compare(name string, want, got []string, different map[string]bool) string {
	var b strings.Builder
	for i := range max(len(want), len(got)) {
		w, g := "(nothing)", "(nothing)"
		if i < len(want) {
			w = want[i]
		}
		if i < len(got) {
			g = got[i]
		}
		if w != g && !different[name+"|"+strings.TrimSpace(w)] {
			fmt.Fprintf(&b, "line %d: the card: %s\n\tlockstep: %s\n", i+1, w, g)
		}
	}
	return b.String()
}
