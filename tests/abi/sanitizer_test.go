package abi

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestFrontsAreCleanUnderSanitizers runs the programs that check themselves, and those whose codes are a card's, with fronts
// that AddressSanitizer and UndefinedBehaviorSanitizer watch. Leaks are not looked for: what a front keeps, it keeps for the
// process.
func TestFrontsAreCleanUnderSanitizers(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the fronts once more")
	}
	watched := t.TempDir()
	const runtime, driver = "libcudart.so.13", "libcuda.so.1"
	if out, err := exec.Command("make", "-s", "-C", root, "LIB="+watched, "SANITIZE=1",
		filepath.Join(watched, runtime), filepath.Join(watched, driver)).CombinedOutput(); err != nil {
		if strings.Contains(string(out), "asan") {
			t.Skip("the compiler has no sanitizers")
		}
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.Symlink(filepath.Join(lib, "libcudart.so"), filepath.Join(watched, "libcudart.so")); err != nil {
		t.Fatal(err)
	}
	build := func(t *testing.T, name, front string) string {
		program := filepath.Join(programs, "watched-"+name)
		gcc(t, "-O1", "-g", "-Wall", "-fsanitize=address,undefined", "-o", program, filepath.Join("testdata", name+".c"),
			"-L"+watched, "-l:"+front, "-lpthread", "-ldl")
		return program
	}
	environment := []string{"LD_LIBRARY_PATH=" + watched, "LOCKSTEP_LOG=quiet", "NAMES=" + filepath.Join(root, "cudart", "driver.txt"),
		"ASAN_OPTIONS=detect_leaks=0:handle_segv=0:allow_user_segv_handler=1:use_sigaltstack=0"}
	for _, name := range []string{"calls", "idle", "children", "threads", "signals", "graphs", "major"} {
		t.Run(name, func(t *testing.T) {
			r := execute(t, environment, build(t, name, runtime))
			r.wantClean(t)
			if name != "major" { // it prints a number
				r.wantOK(t)
			}
		})
	}
	t.Run("manual", func(t *testing.T) {
		program, err := filepath.Abs(filepath.Join("manual", "prebuilt", "13.0"))
		if err != nil {
			t.Fatal(err)
		}
		sanitizer, err := exec.Command("gcc", "-print-file-name=libasan.so").Output() // the program was built without
		if err != nil {
			t.Fatal(err)
		}
		with := append([]string{"LD_PRELOAD=" + strings.TrimSpace(string(sanitizer))}, environment...)
		for _, c := range recordedChapters(t, "13.0") {
			execute(t, with, program, c.name).wantClean(t)
		}
	})
	recorded, err := filepath.Glob("testdata/driver/*")
	if err != nil || len(recorded) == 0 {
		t.Fatal("no recorded logs", err)
	}
	for _, folder := range recorded {
		name := "driver_" + filepath.Base(folder)
		t.Run(name, func(t *testing.T) {
			program := build(t, name, driver)
			chapters, err := filepath.Glob(filepath.Join(folder, "*.log"))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range chapters {
				execute(t, environment, program, strings.TrimSuffix(filepath.Base(file), ".log")).wantClean(t)
			}
		})
	}
}

// wantClean fails the test if the program ended badly or a sanitizer spoke.
func (r result) wantClean(t *testing.T) {
	t.Helper()
	if r.code != 0 || strings.Contains(r.stderr, "Sanitizer") || strings.Contains(r.stderr, "runtime error") {
		t.Errorf("status %d\n%s", r.code, r.stderr)
	}
}
