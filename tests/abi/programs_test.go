package abi

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestProgramsPass runs the programs that check themselves, by every delivery.
func TestProgramsPass(t *testing.T) {
	for _, name := range []string{"calls", "idle", "children", "threads", "signals", "graphs"} {
		for _, d := range deliveries {
			t.Run(name+"/"+d.name, func(t *testing.T) {
				execute(t, d.environment(), compile(t, d, name)).wantOK(t)
			})
		}
	}
}

func TestRefusedCallNamesItselfOnce(t *testing.T) {
	d := deliveries[2]
	r := execute(t, d.environment(), compile(t, d, "calls"))
	if n := strings.Count(r.stderr, "cudaEventCreateFromEGLSync returns cudaErrorNotSupported"); n != 1 {
		t.Errorf("named %d times\n%s", n, r.stderr)
	}
}

func TestUnsupportedFunctionSaysSoOnce(t *testing.T) {
	d := deliveries[3]
	r := execute(t, d.environment(), compile(t, d, "stub"))
	r.wantOK(t)
	const line = "lockstep: cudaSubgridCreate is not supported; it returns cudaErrorNotSupported\n"
	if strings.Count(r.stderr, line) != 1 {
		t.Errorf("%q on stderr", r.stderr)
	}
}

func TestIdleProcessIsSilent(t *testing.T) {
	for _, d := range deliveries {
		if r := execute(t, d.environment(), compile(t, d, "idle")); r.stderr != "" {
			t.Errorf("%s: %q on stderr", d.name, r.stderr)
		}
	}
}

// TestLibrariesWithDeviceCodeComeAndGo covers a constructor of a library that does not depend on ours, run before ours
// was initialised (preloaded ahead of it) and at any later time.
func TestLibrariesWithDeviceCodeComeAndGo(t *testing.T) {
	for _, d := range deliveries {
		t.Run(d.name, func(t *testing.T) {
			program := compile(t, d, "plugins")
			plugin := filepath.Join(programs, "plugin.so")
			gcc(t, "-O1", "-shared", "-fPIC", "-o", plugin, filepath.Join("testdata", "plugin.c"))
			execute(t, d.environment(), program, plugin).wantOK(t)

			ahead := filepath.Join(t.TempDir(), "ahead.so")
			gcc(t, "-O1", "-shared", "-fPIC", "-o", ahead, filepath.Join("testdata", "plugin.c"))
			environment := append(d.environment(), "LD_PRELOAD="+d.library()+":"+ahead)
			execute(t, environment, program, plugin).wantOK(t)
			environment = append(d.environment(), "LD_PRELOAD="+ahead+":"+d.library())
			execute(t, environment, program, plugin).wantOK(t)
		})
	}
}

func TestFirstCallMayComeFromAConstructor(t *testing.T) {
	early := filepath.Join(programs, "early.so")
	gcc(t, "-O1", "-shared", "-fPIC", "-DEARLY", "-o", early, filepath.Join("testdata", "plugin.c"))
	for _, d := range deliveries {
		t.Run(d.name, func(t *testing.T) {
			execute(t, d.environment(), compile(t, d, "plugins"), early).wantOK(t)
		})
	}
}

func TestRunEndsOnceOnEveryWayOut(t *testing.T) {
	const line = "lockstep: end of run\n"
	for _, d := range deliveries[:3] {
		program := compile(t, d, "leave")
		environment := append(d.environment(), "LOCKSTEP_LOG=debug")
		for _, way := range []string{"return", "exit", "thread", "_exit", "_Exit", "quick_exit"} {
			t.Run(d.name+"/"+way, func(t *testing.T) {
				r := execute(t, environment, program, way)
				if r.code != 7 || strings.Count(r.stderr, line) != 1 {
					t.Errorf("status %d, %q", r.code, r.stderr)
				}
				r = execute(t, environment, program, way, "idle")
				if r.code != 7 || r.stderr != "" {
					t.Errorf("idle: status %d, %q", r.code, r.stderr)
				}
			})
		}
	}
}

func TestForkedChildDoesNotEndTheRun(t *testing.T) {
	for _, d := range deliveries[:3] {
		r := execute(t, append(d.environment(), "LOCKSTEP_LOG=debug"), compile(t, d, "children"))
		r.wantOK(t)
		// Five children are forked before the first call and make a run each.
		if n := strings.Count(r.stderr, "end of run"); n != 6 {
			t.Errorf("%s: %d runs ended, want 6", d.name, n)
		}
	}
}

func TestProgramsAreTakenForTheirMajor(t *testing.T) {
	for i, front := range fronts {
		want := fmt.Sprintln(11 + i)
		for _, d := range []delivery{
			{"preloaded", front, false, false}, {"found", front, true, false}, {"core preloaded", front, false, true},
		} {
			d.name += " " + front
			if r := execute(t, d.environment(), compile(t, d, "major")); r.stdout != want {
				t.Errorf("%s: taken for %q", d.name, r.stdout)
			}
		}
	}
}

// A wheel's copy of the runtime has a name of its own; the version node stays.
func TestMajorIsKnownByTheNodeOfARenamedRuntime(t *testing.T) {
	const name = "libcudart-d0da41ae.so.11.0"
	folder := t.TempDir()
	source := filepath.Join(folder, "renamed.c")
	if err := os.WriteFile(source, []byte("const char *cudaGetErrorName(int e) { return 0; }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	gcc(t, "-shared", "-fPIC", "-o", filepath.Join(folder, name), "-Wl,-soname,"+name,
		"-Wl,--version-script="+filepath.Join(root, "build", "libcudart.so.11.0.map"), source)
	program := filepath.Join(programs, "renamed")
	gcc(t, "-O1", "-o", program, filepath.Join("testdata", "major.c"), "-L"+folder, "-l:"+name)
	core := filepath.Join(lib, "libcudart.so")
	if r := execute(t, []string{"LD_PRELOAD=" + core, "LD_LIBRARY_PATH=" + folder}, program); r.stdout != "11\n" {
		t.Errorf("taken for %q\n%s", r.stdout, r.stderr)
	}
}

func TestLookupByVersionFindsTheNode(t *testing.T) {
	program := filepath.Join(programs, "versions")
	gcc(t, "-O1", "-o", program, filepath.Join("testdata", "versions.c"), "-ldl")
	for _, d := range deliveries[1:4] {
		execute(t, nil, program, d.library(), d.front).wantOK(t)
	}
}

// TestFirstCallKeepsItsArguments reaches the front through a procedure linkage table that the loader fills at once, and
// through one that it fills at each first call.
func TestFirstCallKeepsItsArguments(t *testing.T) {
	d := deliveries[2]
	folder := t.TempDir()
	if err := os.Link(d.library(), filepath.Join(folder, d.front)); err != nil {
		t.Fatal(err)
	}
	gcc(t, "-O1", "-shared", "-fPIC", "-o", filepath.Join(folder, "libcudart.so"), filepath.Join("testdata", "fakecore.c"))
	for _, binding := range []string{"now", "lazy"} {
		program := compile(t, d, "registers", "-Wl,-z,"+binding)
		execute(t, []string{"LD_LIBRARY_PATH=" + folder}, program).wantOK(t)
	}
}

func TestFrontWithoutCoreRefusesCalls(t *testing.T) {
	d := deliveries[2]
	folder := t.TempDir()
	if err := os.Link(d.library(), filepath.Join(folder, d.front)); err != nil {
		t.Fatal(err)
	}
	r := execute(t, []string{"LD_LIBRARY_PATH=" + folder}, compile(t, d, "alone"))
	r.wantOK(t)
	if strings.Count(r.stderr, "\n") != 1 || !strings.Contains(r.stderr, "cannot load the core") {
		t.Errorf("stderr: %q", r.stderr)
	}
}
