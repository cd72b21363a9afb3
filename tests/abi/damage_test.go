package abi

import (
	"debug/elf"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// damages are ways to spoil the device code in a program's file.
var damages = []func(r *rand.Rand, section []byte) string{
	func(r *rand.Rand, s []byte) string {
		at, bit := r.IntN(len(s)), r.IntN(8)
		s[at] ^= 1 << bit
		return fmt.Sprintf("bit %d of byte %#x flipped", bit, at)
	},
	func(r *rand.Rand, s []byte) string { // where headers are
		at, value := r.IntN(min(len(s), 200)), byte(r.Uint32())
		s[at] = value
		return fmt.Sprintf("byte %#x set to %#x", at, value)
	},
	func(r *rand.Rand, s []byte) string {
		at := r.IntN(len(s))
		clear(s[at:])
		return fmt.Sprintf("cut off at %#x", at)
	},
	func(r *rand.Rand, s []byte) string {
		at, n := r.IntN(len(s)), 1+r.IntN(64)
		clear(s[at:min(at+n, len(s))])
		return fmt.Sprintf("%d bytes at %#x cleared", n, at)
	},
	func(r *rand.Rand, s []byte) string {
		from, to, n := r.IntN(len(s)), r.IntN(len(s)), 1+r.IntN(256)
		copy(s[to:], slices.Clone(s[from:min(from+n, len(s))]))
		return fmt.Sprintf("%d bytes copied from %#x to %#x", n, from, to)
	},
}

// TestProgramsWithDamagedDeviceCodeEndByThemselves spoils programs of each toolkit: without compression, with LZ4 and with
// zstd. What is executed may have become another valid program, hence the limit and the wrong answers.
func TestProgramsWithDamagedDeviceCodeEndByThemselves(t *testing.T) {
	count := 20
	if testing.Short() {
		count = 3
	}
	for i, toolkit := range []string{"11.8", "12.4", "13.0"} {
		for _, name := range []string{"scan", "vector_add", "constants", "rdc", "managed"} {
			t.Run(toolkit+"/"+name, func(t *testing.T) {
				r := rand.New(rand.NewPCG(uint64(i), uint64(len(name))))
				for range count {
					runDamaged(t, r, filepath.Join("..", "apps", "prebuilt", toolkit, name), fronts[i])
				}
			})
		}
	}
}

func runDamaged(t *testing.T, r *rand.Rand, program, front string) {
	t.Helper()
	image, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	what := damages[r.IntN(len(damages))](r, deviceCode(t, program, image))
	damaged := filepath.Join(t.TempDir(), "damaged")
	if err := os.WriteFile(damaged, image, 0o755); err != nil {
		t.Fatal(err)
	}
	d := delivery{front: front}
	result := execute(t, append(quiet(d), "LOCKSTEP_MAX_INSTRUCTIONS=3000000", "LOCKSTEP_TIMEOUT=20"), damaged)
	const passed, failed, refused = 0, 1, 2 // as tests/apps/check.h ends
	switch {
	case result.code < passed || result.code > refused:
		t.Errorf("%s: status %d", what, result.code)
	case result.code == refused && !strings.HasPrefix(result.stderr, "lockstep: "):
		t.Errorf("%s: refused without a reason", what)
	case strings.Contains(result.stderr, "goroutine") || strings.Contains(result.stderr, "bug"):
		t.Errorf("%s: trouble", what)
	default:
		return
	}
	t.Logf("%s%s", result.stdout, result.stderr)
}

// deviceCode is the section of fat binaries within a program's file.
func deviceCode(t *testing.T, program string, image []byte) []byte {
	t.Helper()
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, name := range []string{".nv_fatbin", "__nv_relfatbin"} {
		if s := f.Section(name); s != nil && s.Size > 0 {
			return image[s.Offset:][:s.Size]
		}
	}
	t.Fatal("no device code")
	return nil
}
