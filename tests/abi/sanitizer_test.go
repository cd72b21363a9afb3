package abi

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestFrontsAreCleanUnderSanitizers runs the programs that check themselves with a front that AddressSanitizer and
// UndefinedBehaviorSanitizer watch. Leaks are not looked for: what the front keeps, it keeps for the process.
func TestFrontsAreCleanUnderSanitizers(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a front once more")
	}
	watched := t.TempDir()
	front := filepath.Join(watched, "libcudart.so.13")
	if out, err := exec.Command("make", "-s", "-C", root, "LIB="+watched, "SANITIZE=1", front).CombinedOutput(); err != nil {
		if strings.Contains(string(out), "asan") {
			t.Skip("the compiler has no sanitizers")
		}
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.Symlink(filepath.Join(lib, "libcudart.so"), filepath.Join(watched, "libcudart.so")); err != nil {
		t.Fatal(err)
	}
	environment := []string{"LD_LIBRARY_PATH=" + watched, "ASAN_OPTIONS=detect_leaks=0:handle_segv=0:allow_user_segv_handler=1:use_sigaltstack=0"}
	for _, name := range []string{"calls", "idle", "children", "threads", "signals", "graphs"} {
		t.Run(name, func(t *testing.T) {
			program := filepath.Join(programs, "watched-"+name)
			gcc(t, "-O1", "-g", "-Wall", "-fsanitize=address,undefined", "-o", program, filepath.Join("testdata", name+".c"),
				"-L"+watched, "-l:libcudart.so.13", "-lpthread", "-ldl")
			r := execute(t, environment, program)
			r.wantOK(t)
			if strings.Contains(r.stderr, "Sanitizer") || strings.Contains(r.stderr, "runtime error") {
				t.Error(r.stderr)
			}
		})
	}
}
