package apps

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// closing is the closing line of a run on the timing model.
var closing = regexp.MustCompile(`lockstep: NVIDIA H200, .* in [1-9][0-9]* cycles .*\(timing model h200\)\n$`)

func TestProgramsPrintTheSameInSimulatedTime(t *testing.T) {
	root := built(t)
	slots := make(chan struct{}, 2)
	for _, r := range table(t) {
		if testing.Short() && !slices.Contains(quick, r.program) {
			continue
		}
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			slots <- struct{}{}
			defer func() { <-slots }()
			program, err := filepath.Abs(filepath.Join("prebuilt", "13.0", r.program))
			if err != nil {
				t.Fatal(err)
			}
			env := []string{"PTX_SIM_MODE_FUNC=0", "LD_PRELOAD=" + filepath.Join(root, "build", "lib", "libcudart.so.13")}
			check(t, r, "13.0", append([]string{program}, r.args...), env)
		})
	}
}

// quick are programs of each kind that take the least time.
var quick = []string{"vector_add", "gemm_naive", "reduce", "votes", "barriers", "constants", "fault", "spinlock", "streams", "printf"}

func TestTheSameProgramTakesTheSameCyclesAndSaysSo(t *testing.T) {
	root := built(t)
	command := filepath.Join(root, "build", "bin", "lockstep")
	program, err := filepath.Abs(filepath.Join("prebuilt", "13.0", "reduce"))
	if err != nil {
		t.Fatal(err)
	}
	var first string
	// The third run finds the usual place of device memory taken.
	for i, env := range [][]string{nil, nil, {"LD_PRELOAD=" + squatter(t)}} {
		_, stderr, status := execute(t, []string{command, "run", "--timing", "--output", "json", "--", program}, env)
		if status != 0 || !closing.Match(stderr) {
			t.Fatalf("exit status %d, stderr\n%s", status, stderr)
		}
		statistics := string(stderr[:strings.LastIndex(strings.TrimSpace(string(stderr)), "\n")])
		if i > 0 && statistics != first {
			t.Errorf("run %d differs:\n%s\n%s", i, statistics, first)
		}
		first = statistics
	}
}

// squatter builds a library that takes the first place that device memory has among addresses,
// as Go's heap does in one process of 128.
func squatter(t *testing.T) string {
	t.Helper()
	const source = `#include <sys/mman.h>
__attribute__((constructor)) static void squat(void)
{
	mmap((void *)0x200000000000, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
}
`
	folder := t.TempDir()
	file, library := filepath.Join(folder, "squat.c"), filepath.Join(folder, "squat.so")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cc", "-D_GNU_SOURCE", "-shared", "-fPIC", "-o", library, file).CombinedOutput(); err != nil {
		t.Fatalf("cc: %v\n%s", err, out)
	}
	return library
}
