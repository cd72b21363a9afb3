// Package abi runs C programs against the built libraries: what a program sees of the C boundary.
package abi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var (
	root     string // of the repository
	lib      string // folder with the core and the fronts
	foreign  string // folder with hollow libcudart.so.N, as a toolkit's libraries would lie there
	programs string // folder for compiled test programs
)

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

// run builds the libraries once. Without a C compiler there is nothing to test.
func run(m *testing.M) int {
	for _, tool := range []string{"gcc", "make", "nm"} {
		if _, err := exec.LookPath(tool); err != nil {
			println("skipped: the tests of the C boundary need", tool)
			return 0
		}
	}
	folder, err := os.MkdirTemp("", "abi")
	if err != nil {
		println(err.Error())
		return 1
	}
	defer os.RemoveAll(folder)
	root, _ = filepath.Abs("../..")
	noteSources()
	lib, programs, foreign = filepath.Join(folder, "lib"), filepath.Join(folder, "bin"), filepath.Join(folder, "foreign")
	if err := build(); err != nil {
		println(err.Error())
		return 1
	}
	return m.Run()
}

// noteSources looks at the folders that the libraries are built from. The go command sees what a test looks at, and runs
// it again when that has changed.
func noteSources() {
	for _, top := range []string{"build", "cudart", "cuobjdump", "gpu", "ptx", "stream"} {
		filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			if d != nil && d.IsDir() && (d.Name() == "bin" || d.Name() == "lib") {
				return fs.SkipDir
			}
			return nil // what cannot be read, the build reports
		})
	}
}

func build() error {
	if err := errors.Join(os.Mkdir(programs, 0o755), os.Mkdir(foreign, 0o755)); err != nil {
		return err
	}
	commands := [][]string{{"make", "-s", "-C", root, "LIB=" + lib, "core", "fronts"}}
	for _, name := range fronts {
		commands = append(commands, []string{"gcc", "-shared", "-nostdlib", "-o", filepath.Join(foreign, name), "-Wl,-soname," + name,
			"-Wl,--version-script=" + filepath.Join(root, "build", name+".map"), "-x", "c", "/dev/null"})
	}
	for _, c := range commands {
		if out, err := exec.Command(c[0], c[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", c[0], err, out)
		}
	}
	return nil
}

// fronts are the libraries by CUDA major, from 11 on.
var fronts = []string{"libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13"}

// delivery is a way for a program to meet the libraries.
type delivery struct {
	name   string
	front  string // what the program is linked to
	search bool   // the front is found by LD_LIBRARY_PATH, else preloaded
	core   bool   // the core is preloaded, and the front's name leads to a runtime that is not ours
}

var deliveries = []delivery{
	{"core preloaded", "libcudart.so.12", false, true},
	{"front 11 preloaded", "libcudart.so.11.0", false, false},
	{"front 12 preloaded", "libcudart.so.12", false, false},
	{"front 13 preloaded", "libcudart.so.13", false, false},
	{"front 11 found", "libcudart.so.11.0", true, false},
	{"front 12 found", "libcudart.so.12", true, false},
	{"front 13 found", "libcudart.so.13", true, false},
}

// library is the file that carries the delivery.
func (d delivery) library() string {
	if d.core {
		return filepath.Join(lib, "libcudart.so")
	}
	return filepath.Join(lib, d.front)
}

func (d delivery) environment() []string {
	switch {
	case d.core:
		return []string{"LD_PRELOAD=" + d.library(), "LD_LIBRARY_PATH=" + foreign, "CORE_PRELOADED=1"}
	case d.search:
		return []string{"LD_LIBRARY_PATH=" + lib}
	}
	return []string{"LD_PRELOAD=" + d.library()}
}

// compile builds testdata/name.c the way the delivery wants it linked and returns the program's path.
func compile(t *testing.T, d delivery, name string, flags ...string) string {
	t.Helper()
	out := filepath.Join(programs, name+"-"+strings.ReplaceAll(d.name, " ", "-"))
	arguments := append([]string{"-O1", "-Wall", "-o", out, filepath.Join("testdata", name+".c")}, flags...)
	gcc(t, append(arguments, "-L"+lib, "-l:"+d.front, "-lpthread", "-ldl")...)
	return out
}

func gcc(t *testing.T, arguments ...string) {
	t.Helper()
	if out, err := exec.Command("gcc", arguments...).CombinedOutput(); err != nil {
		t.Fatalf("gcc %v: %v\n%s", arguments, err, out)
	}
}

// result is how a program ended.
type result struct {
	stdout, stderr string
	code           int // exit status, -1 for a signal
}

// execute runs a program in a folder of its own, which must stay empty.
func execute(t *testing.T, environment []string, program string, arguments ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, program, arguments...)
	cmd.Env = append(append(os.Environ(), "PTX_SIM_MODE_FUNC=1"), environment...)
	cmd.Dir = t.TempDir()
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if ctx.Err() != nil {
		t.Fatalf("%s hangs\n%s%s", filepath.Base(program), &stdout, &stderr)
	}
	if _, ended := err.(*exec.ExitError); err != nil && !ended {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(cmd.Dir); len(left) > 0 {
		t.Errorf("%s left %s in its working directory", filepath.Base(program), left[0].Name())
	}
	return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// wantOK fails the test unless the program printed "ok" and ended well.
func (r result) wantOK(t *testing.T) {
	t.Helper()
	if r.code != 0 || r.stdout != "ok\n" {
		t.Errorf("status %d, output %q\n%s", r.code, r.stdout, r.stderr)
	}
}
