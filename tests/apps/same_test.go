package apps

import (
	"bytes"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa/simd"
)

var repeat = flag.Int("runs", 0, "run every program so often on each instruction set, on one core and on all cores; 0 for two of these ways, once")

// setting is a way to execute a program's kernels.
type setting struct {
	level   simd.Level
	threads int // 0 for one a core
}

func (s setting) env() []string {
	return []string{"LOCKSTEP_ISA=" + s.level.String(), fmt.Sprintf("LOCKSTEP_THREADS=%d", s.threads), "LOCKSTEP_LOG=copies"}
}

// seen is what a program printed, its exit status, and the digests of its copies to the
// host in the order of their bytes: those of several streams have no other order.
type seen struct {
	stdout []byte
	status int
	copies []byte
}

func (s seen) equal(o seen) bool {
	return bytes.Equal(s.stdout, o.stdout) && s.status == o.status && bytes.Equal(s.copies, o.copies)
}

func TestResultsAreTheSameOnEveryInstructionSetAndOnAnyNumberOfCores(t *testing.T) {
	root := built(t)
	var settings []setting
	for _, v := range simd.Levels() {
		settings = append(settings, setting{v, 1}, setting{v, 0})
	}
	const toolkit = "13.0"
	slots := make(chan struct{}, 2)
	for i, r := range table(t) {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			slots <- struct{}{}
			defer func() { <-slots }()
			program, err := filepath.Abs(filepath.Join("prebuilt", toolkit, r.program))
			if err != nil {
				t.Fatal(err)
			}
			try := func(s setting) seen {
				env := append(s.env(), "LD_LIBRARY_PATH="+filepath.Join(root, "build", "lib"))
				stdout, stderr, status := execute(t, append([]string{program}, r.args...), env)
				return seen{stdout, status, copies(stderr)}
			}
			ways, times := settings, *repeat
			if times == 0 {
				ways, times = []setting{settings[i%len(settings)], settings[(i+3)%len(settings)]}, 1
			}
			want := try(setting{simd.Best, 1})
			for n := range times {
				for _, s := range ways {
					if got := try(s); !got.equal(want) {
						t.Errorf("run %d on %v with %d threads differs:\n%s", n, s.level, s.threads, difference(
							slices.Concat(got.stdout, got.copies), slices.Concat(want.stdout, want.copies)))
					}
				}
			}
		})
	}
}

// copies are the lines of stderr that tell of copies to the host, sorted.
func copies(stderr []byte) []byte {
	var lines [][]byte
	for line := range bytes.Lines(stderr) {
		if bytes.Contains(line, []byte("bytes to the host")) {
			lines = append(lines, line)
		}
	}
	slices.SortFunc(lines, bytes.Compare)
	return bytes.Join(lines, nil)
}
