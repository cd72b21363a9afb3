package abi

import (
	"flag"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var soak = flag.Duration("soak", 2*time.Second, "how long random calls are made")

// TestRandomCallsThroughTheLibrariesGiveTheCodesOfTheModel runs testdata/random: eight threads, the runtime and the driver,
// mistakes, kernels that fault, memory that runs out. What the program finds it says on stderr.
func TestRandomCallsThroughTheLibrariesGiveTheCodesOfTheModel(t *testing.T) {
	program := filepath.Join(programs, "random")
	sources, _ := filepath.Glob("testdata/random/*.c")
	arguments := append([]string{"-O1", "-g", "-Wall", "-Wextra", "-o", program}, sources...)
	gcc(t, append(arguments, "-L"+lib, "-l:libcudart.so.13", "-l:libcuda.so.1", "-lpthread")...)
	cmd := exec.CommandContext(t.Context(), program, fmt.Sprint(soak.Seconds()))
	cmd.Env = append(cmd.Environ(), "LD_LIBRARY_PATH="+lib, "PTX_SIM_MODE_FUNC=1", "LOCKSTEP_LOG=quiet")
	said, err := cmd.CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	for _, l := range lines {
		if strings.HasPrefix(l, "thread ") || strings.Contains(l, "grown") || strings.Contains(l, "are left") {
			t.Error(l)
		}
	}
	if err != nil || lines[len(lines)-1] != "ok" {
		t.Errorf("%v\n%s", err, lines[len(lines)-1])
	}
	t.Log(lines[max(len(lines)-2, 0)])
}
