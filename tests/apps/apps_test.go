// Package apps holds CUDA programs built by three generations of nvcc, what they print on
// a real H200, and the tests that they print the same under lockstep.
package apps

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// toolkits are the nvcc versions the programs are built with, and the runtime library each asks for.
var toolkits = []struct{ version, soname string }{
	{"11.8", "libcudart.so.11.0"},
	{"12.4", "libcudart.so.12"},
	{"13.0", "libcudart.so.13"},
}

// timeout is what one program may take; alone the slowest takes a few seconds.
const timeout = 60 * time.Second

// run is a row of apps.txt.
type run struct {
	program string
	name    string // as in expected: program, or program-case
	since   string // first toolkit
	flags   []string
	args    []string
	status  int
}

// table reads apps.txt.
func table(t *testing.T) []run {
	t.Helper()
	text, err := os.ReadFile("apps.txt")
	if err != nil {
		t.Fatal(err)
	}
	var runs []run
	for i, line := range strings.Split(string(text), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		cell := strings.Split(line, "|")
		if len(cell) != 4 {
			t.Fatalf("apps.txt:%d: %d columns, not 4", i+1, len(cell))
		}
		name := strings.TrimSpace(cell[0])
		program, _, _ := strings.Cut(name, ":")
		status, err := strconv.Atoi(strings.TrimSpace(cell[3]))
		if err != nil {
			t.Fatalf("apps.txt:%d: exit status: %v", i+1, err)
		}
		r := run{program: program, name: strings.ReplaceAll(name, ":", "-"), args: strings.Fields(cell[2]), status: status}
		for _, flag := range strings.Fields(cell[1]) {
			if since, ok := strings.CutPrefix(flag, "since="); ok {
				r.since = since
				continue
			}
			r.flags = append(r.flags, flag)
		}
		runs = append(runs, r)
	}
	return runs
}

// expected gives what the card's run printed, and whether there is a record.
// suffix is empty for stdout, ".stderr" for stderr.
func expected(t *testing.T, name, suffix, toolkit string) ([]byte, bool) {
	t.Helper()
	for _, file := range []string{name + suffix + ".txt", name + suffix + "." + toolkit + ".txt"} {
		text, err := os.ReadFile(filepath.Join("expected", file))
		if err == nil {
			return text, true
		}
		if !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	return nil, false
}

// way is one of the ways to put lockstep under a program.
type way struct {
	name string
	// command gives the words to run and the environment to add.
	command func(program, soname string, args []string) (words, env []string)
}

func ways(root string) []way {
	lib := filepath.Join(root, "build", "lib")
	return []way{
		{"preload", func(program, soname string, args []string) ([]string, []string) {
			return append([]string{program}, args...), []string{"LD_PRELOAD=" + filepath.Join(lib, soname)}
		}},
		{"library path", func(program, _ string, args []string) ([]string, []string) {
			return append([]string{program}, args...), []string{"LD_LIBRARY_PATH=" + lib}
		}},
		{"lockstep run", func(program, _ string, args []string) ([]string, []string) {
			command := filepath.Join(root, "build", "bin", "lockstep")
			return append([]string{command, "run", "--", program}, args...), nil
		}},
	}
}

// environment is this process's without what would change how a program runs.
func environment() []string {
	var env []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		switch {
		case strings.HasPrefix(name, "LD_"), strings.HasPrefix(name, "LOCKSTEP_"),
			strings.HasPrefix(name, "PTX_SIM_"), strings.HasPrefix(name, "CUDA_"):
		default:
			env = append(env, v)
		}
	}
	return append(env, "PTX_SIM_MODE_FUNC=1")
}

// built returns the repository's root, and skips the test when the libraries and the command are not there.
func built(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"build/lib/libcudart.so", "build/bin/lockstep"} {
		if _, err := os.Stat(filepath.Join(root, file)); err != nil {
			t.Skipf("%s is not built: make build", file)
		}
	}
	return root
}

func TestProgramsPrintWhatTheCardPrinted(t *testing.T) {
	root := built(t)
	runs := table(t)
	slots := make(chan struct{}, 2)
	for _, w := range ways(root) {
		for _, tk := range toolkits {
			for _, r := range runs {
				if tk.version < r.since {
					continue
				}
				t.Run(fmt.Sprintf("%s/%s/%s", w.name, tk.version, r.name), func(t *testing.T) {
					t.Parallel()
					slots <- struct{}{}
					defer func() { <-slots }()
					program, err := filepath.Abs(filepath.Join("prebuilt", tk.version, r.program))
					if err != nil {
						t.Fatal(err)
					}
					words, env := w.command(program, tk.soname, r.args)
					check(t, r, tk.version, words, env)
				})
			}
		}
	}
}

// check runs words and compares output and exit status with the card's.
func check(t *testing.T, r run, toolkit string, words, env []string) {
	t.Helper()
	stdout, stderr, status := execute(t, words, env)
	if status != r.status {
		t.Errorf("exit status %d, not %d", status, r.status)
	}
	want, ok := expected(t, r.name, "", toolkit)
	if !ok {
		t.Fatalf("no recorded output of %s under %s", r.name, toolkit)
	}
	if !bytes.Equal(stdout, want) {
		t.Errorf("output differs from the card's:\n%s", difference(stdout, want))
	}
	// What the device itself writes to stderr is there too, among our own lines.
	want, _ = expected(t, r.name, ".stderr", toolkit)
	if !bytes.Contains(stderr, want) {
		t.Errorf("stderr lacks the card's line: %s", want)
	}
	if t.Failed() {
		t.Logf("stderr:\n%s", stderr)
	}
}

// execute runs words in an empty folder; status is -1 when a signal or the timeout ended them.
func execute(t *testing.T, words, env []string) (stdout, stderr []byte, status int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Env = append(environment(), env...)
	cmd.Dir = t.TempDir()
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("running %s: %v", words[0], err)
	}
	if ctx.Err() != nil {
		t.Errorf("still running after %v", timeout)
	} else if status = cmd.ProcessState.ExitCode(); status < 0 {
		t.Errorf("ended by %v", cmd.ProcessState)
	}
	return out.Bytes(), errs.Bytes(), cmd.ProcessState.ExitCode()
}

// difference shows the first line that is not as it should be.
func difference(got, want []byte) string {
	g, w := strings.SplitAfter(string(got), "\n"), strings.SplitAfter(string(want), "\n")
	for i := range max(len(g), len(w)) {
		have, need := "(end)", "(end)"
		if i < len(g) {
			have = g[i]
		}
		if i < len(w) {
			need = w[i]
		}
		if have != need {
			return fmt.Sprintf("line %d\n got %q\nwant %q", i+1, have, need)
		}
	}
	return "(none)"
}

func TestBoundsAreThoseOfTheAllocationOnRequest(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	lib := filepath.Join(root, "build", "lib")
	if _, err := os.Stat(filepath.Join(lib, "libcudart.so")); err != nil {
		t.Skip("the library is not built: make build")
	}
	program, err := filepath.Abs(filepath.Join("prebuilt", "12.4", "neighbours"))
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"LD_LIBRARY_PATH=" + lib, "LOCKSTEP_BOUNDS=allocation"}
	for argument, distance := range map[string]string{"before": "2048 bytes before its start", "past": "2045 bytes past its end"} {
		stdout, stderr, _ := execute(t, []string{program, argument}, env)
		if want := argument + ": cudaErrorIllegalAddress\n"; !strings.HasPrefix(string(stdout), want) {
			t.Errorf("%s: printed %q, want %q", argument, stdout, want)
		}
		if !strings.Contains(string(stderr), distance) {
			t.Errorf("%s: the report lacks %q:\n%s", argument, distance, stderr)
		}
	}
	for _, r := range table(t) { // other faults do not depend on the setting
		if r.program == "fault" && len(r.args) > 0 {
			check(t, r, "12.4", append([]string{filepath.Join(filepath.Dir(program), "fault")}, r.args...), env)
		}
	}
}

// A program may end without having waited for its last launches; their statistics are complete all the same, unless it ends at
// once.
func TestLaunchesThatNobodyWaitsForAreSimulatedWhenTheProgramEnds(t *testing.T) {
	root := built(t)
	program, err := filepath.Abs(filepath.Join("prebuilt", "13.0", "exit"))
	if err != nil {
		t.Fatal(err)
	}
	for argument, want := range map[string]struct {
		stdout string
		grids  int
	}{"": {"launched\nlate\n", 2}, "at_once": {"launched\n", 0}} {
		statistics := filepath.Join(t.TempDir(), "statistics.csv")
		env := []string{"LD_PRELOAD=" + filepath.Join(root, "build", "lib", "libcudart.so.13"), "PTX_SIM_MODE_FUNC=0",
			"LOCKSTEP_OUTPUT=csv", "LOCKSTEP_STATS=" + statistics}
		stdout, stderr, status := execute(t, strings.Fields(program+" "+argument), env)
		if status != 3 || string(stdout) != want.stdout {
			t.Errorf("%q: status %d, output %q\n%s", argument, status, stdout, stderr)
		}
		table, err := os.ReadFile(statistics)
		if grids := bytes.Count(table, []byte(",_Z3addPi,")); err != nil || grids != want.grids {
			t.Errorf("%q: statistics of %d grids, %v\n%s", argument, grids, err, stderr)
		}
	}
}

func TestEveryRunHasAProgramAndARecord(t *testing.T) {
	for _, r := range table(t) {
		for _, tk := range toolkits {
			if tk.version < r.since {
				continue
			}
			if _, err := os.Stat(filepath.Join("prebuilt", tk.version, r.program)); err != nil {
				t.Error(err)
			}
			if _, ok := expected(t, r.name, "", tk.version); !ok {
				t.Errorf("no recorded output of %s under %s", r.name, tk.version)
			}
		}
	}
}

func TestManifestHasTheDigestOfEveryPrebuiltFile(t *testing.T) {
	text, err := os.ReadFile("manifest.txt")
	if err != nil {
		t.Fatal(err)
	}
	digests := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if cell := strings.Split(strings.TrimSpace(line), " | "); line[0] != '#' && len(cell) == 4 {
			digests[cell[0]] = cell[3]
		}
	}
	files, err := filepath.Glob("prebuilt/*/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no prebuilt files: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(data)
		name := strings.TrimPrefix(filepath.ToSlash(file), "prebuilt/")
		if digests[name] != hex.EncodeToString(sum[:]) {
			t.Errorf("%s is not what manifest.txt says: make fixtures", name)
		}
	}
	if len(digests) != len(files) {
		t.Errorf("manifest.txt has %d files, prebuilt %d", len(digests), len(files))
	}
}
