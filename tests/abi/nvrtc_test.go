package abi

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestMachineCodeOfNVRTCIsPTX covers a program that finds our library before NVRTC, and one that finds NVRTC first, for
// which ours must be preloaded.
func TestMachineCodeOfNVRTCIsPTX(t *testing.T) {
	compiler := filepath.Join(t.TempDir(), "libcompiler.so")
	gcc(t, "-O1", "-Wall", "-shared", "-fPIC", "-DCOMPILER", "-o", compiler, filepath.Join("testdata", "nvrtc.c"))
	front := filepath.Join(lib, "libcuda.so.1")
	for _, c := range []struct {
		name, environment string
		libraries         []string
	}{
		{"ours first", "LD_LIBRARY_PATH=" + lib, []string{front, compiler}},
		{"NVRTC first", "LD_PRELOAD=" + front, []string{compiler, front}},
	} {
		t.Run(c.name, func(t *testing.T) {
			program := filepath.Join(t.TempDir(), "program")
			gcc(t, append([]string{"-O1", "-Wall", "-Wl,--no-as-needed", "-o", program, filepath.Join("testdata", "nvrtc.c")}, c.libraries...)...)
			execute(t, []string{c.environment}, program).wantOK(t)
		})
	}
}

// TestPrivateTablesAreMentionedWhereTheyMayMatter: a runtime of NVIDIA's wants them, if it was there before us. Others that
// ask, as NVRTC does, go on without.
func TestPrivateTablesAreMentionedWhereTheyMayMatter(t *testing.T) {
	linked := compile(t, delivery{name: "tables", front: "libcuda.so.1"}, "driver_contexts")
	opened := filepath.Join(t.TempDir(), "opened")
	gcc(t, "-O1", "-Wall", "-o", opened, filepath.Join("testdata", "tables.c"), "-ldl")
	for name, c := range map[string]struct {
		program, argument string
		mentions          int
	}{"linked": {linked, "tables", 0}, "opened": {opened, filepath.Join(lib, "libcuda.so.1"), 1}} {
		r := execute(t, []string{"LD_LIBRARY_PATH=" + lib}, c.program, c.argument)
		if n := strings.Count(r.stderr, "private table"); n != c.mentions || r.code != 0 {
			t.Errorf("%s: status %d, tables are mentioned %d times\n%s", name, r.code, n, r.stderr)
		}
	}
}
