package abi

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// bodies are beginnings of functions, each of which ends the process: no call may reach them.
var bodies = map[string]string{
	"short":  "ud2",
	"marked": "endbr64; ud2",               // the jump takes the endbr64
	"long":   "endbr64; .fill 24, 1, 0x0b", // the jump follows it
}

// embeddedRuntime makes an object file with the functions of a static runtime, hidden as they are there, and with its
// mark: a reference to dlvsym.
func embeddedRuntime(t *testing.T, major, body string) string {
	t.Helper()
	var text strings.Builder
	text.WriteString(".data\n.quad dlvsym\n.section .note.GNU-stack,\"\",@progbits\n.text\n")
	for _, name := range sorted(listed(t, major)) {
		fmt.Fprintf(&text, ".globl %[1]s\n.hidden %[1]s\n.type %[1]s,@function\n.p2align 4\n%[1]s: %[2]s\n.size %[1]s, .-%[1]s\n",
			name, bodies[body])
	}
	source := filepath.Join(t.TempDir(), "runtime.s")
	if err := os.WriteFile(source, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	object := strings.TrimSuffix(source, ".s") + ".o"
	gcc(t, "-c", "-o", object, source)
	return object
}

// inside compiles testdata/name.c with a runtime inside.
func inside(t *testing.T, object, name string, flags ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), name)
	arguments := append([]string{"-O1", "-Wall", "-o", out, filepath.Join("testdata", name+".c"), object}, flags...)
	gcc(t, append(arguments, "-lpthread", "-ldl")...)
	return out
}

// preloads are the ways to preload; any front serves any program.
func preloads() map[string][]string {
	file := func(name string) string { return filepath.Join(lib, name) }
	all := strings.Join([]string{file(fronts[1]), file(fronts[2]), file(fronts[0])}, ":")
	return map[string][]string{
		"core": {"LD_PRELOAD=" + file("libcudart.so"), "CORE_PRELOADED=1"}, "front 11": {"LD_PRELOAD=" + file(fronts[0])},
		"front 12": {"LD_PRELOAD=" + file(fronts[1])}, "front 13": {"LD_PRELOAD=" + file(fronts[2])}, "all": {"LD_PRELOAD=" + all},
	}
}

var selfChecking = []string{"calls", "idle", "children", "threads", "signals"}

// TestProgramsWithARuntimeInsidePass runs the programs that check themselves. Their registrations and calls would end
// them if they reached the functions that they were linked to.
func TestProgramsWithARuntimeInsidePass(t *testing.T) {
	object := embeddedRuntime(t, "12", "short")
	for _, name := range selfChecking {
		program := inside(t, object, name)
		for way, environment := range preloads() {
			t.Run(name+"/"+way, func(t *testing.T) { execute(t, environment, program).wantOK(t) })
		}
	}
}

func TestEveryFormOfProgramIsRedirected(t *testing.T) {
	environment := preloads()["front 13"]
	for body := range bodies {
		object := embeddedRuntime(t, "11", body)
		for _, flag := range []string{"-pie", "-no-pie"} {
			program := inside(t, object, "calls", flag)
			t.Run(body+flag, func(t *testing.T) { execute(t, environment, program).wantOK(t) })
			if out, err := exec.Command("objcopy", "--localize-hidden", program).CombinedOutput(); err != nil {
				t.Fatalf("objcopy: %v\n%s", err, out)
			}
			t.Run(body+flag+"/local", func(t *testing.T) { execute(t, environment, program).wantOK(t) })
		}
	}
}

func TestMajorOfTheRuntimeInsideIsThePrograms(t *testing.T) {
	for major := 11; major <= 13; major++ {
		program := inside(t, embeddedRuntime(t, strconv.Itoa(major), "short"), "major")
		for way, environment := range preloads() {
			if r := execute(t, environment, program); r.stdout != fmt.Sprintln(major) {
				t.Errorf("%d, %s: taken for %q\n%s", major, way, r.stdout, r.stderr)
			}
		}
	}
}

// TestLibrariesWithARuntimeInsidePass covers a library that comes with the process and one that dlopen loads: their
// constructors register device code, make the first call, and leave a thread behind that makes more.
func TestLibrariesWithARuntimeInsidePass(t *testing.T) {
	object := embeddedRuntime(t, "13", "short")
	library := func(name string) string {
		path := filepath.Join(t.TempDir(), name)
		gcc(t, "-O1", "-shared", "-fPIC", "-DEARLY", "-o", path, filepath.Join("testdata", "plugin.c"), object, "-ldl")
		return path
	}
	needed, opened := library("needed.so"), library("opened.so")
	programs := map[string]string{
		"needed": inside(t, object, "plugins", "-Wl,--no-as-needed", needed), "opened": inside(t, object, "plugins"),
	}
	for name, program := range programs {
		for way, environment := range preloads() {
			if name == "needed" && way == "core" {
				continue // the core cannot be initialised ahead of others: Go starts in its constructors
			}
			t.Run(name+"/"+way, func(t *testing.T) { execute(t, environment, program, opened).wantOK(t) })
		}
	}
}

// TestStrippedRuntimeIsNamedWhenItWantsTheDriver wants one sentence, and none from a program that does not ask.
func TestStrippedRuntimeIsNamedWhenItWantsTheDriver(t *testing.T) {
	object := embeddedRuntime(t, "12", "short")
	for _, c := range []struct {
		name, argument string
		sentences      int
		flags          []string
	}{
		{"stripped", "libcuda.so.1", 1, []string{"-s"}},
		{"stripped, another library", "libnone.so.1", 0, []string{"-s"}},
		{"with symbols", "libcuda.so.1", 0, nil},
		{"without device code", "libcuda.so.1", 0, []string{"-s", "-DNO_DEVICE_CODE"}},
	} {
		program := inside(t, object, "driver", c.flags...)
		for way, environment := range preloads() {
			r := execute(t, environment, program, c.argument)
			r.wantOK(t)
			if n := strings.Count(r.stderr, "contains NVIDIA's runtime but no symbol table"); n != c.sentences {
				t.Errorf("%s, %s: %d sentences\n%s", c.name, way, n, r.stderr)
			}
		}
	}
}

// TestDlopenSearchesWhereItsCallerSays loads by bare name what only the run path of the calling library leads to.
func TestDlopenSearchesWhereItsCallerSays(t *testing.T) {
	folder := t.TempDir()
	gcc(t, "-shared", "-o", filepath.Join(folder, "libbeside.so"), "-x", "c", "/dev/null")
	caller := filepath.Join(folder, "caller.so")
	gcc(t, "-O1", "-shared", "-fPIC", "-DCALLER", "-o", caller, filepath.Join("testdata", "driver.c"), "-Wl,--enable-new-dtags,-rpath,$ORIGIN")
	program := filepath.Join(t.TempDir(), "driver")
	gcc(t, "-O1", "-DCALLS", "-o", program, filepath.Join("testdata", "driver.c"), caller)
	for way, environment := range preloads() {
		t.Run(way, func(t *testing.T) {
			execute(t, append(environment, "LD_LIBRARY_PATH="+folder+"/none"), program).wantOK(t)
		})
	}
}

// TestLibrariesWithTheirNamesElsewhereAreLookedAt covers what tools that edit libraries leave: names far from the symbols,
// with nothing in between, and a hash table of either kind.
func TestLibrariesWithTheirNamesElsewhereAreLookedAt(t *testing.T) {
	source := filepath.Join(t.TempDir(), "far.c")
	if err := os.WriteFile(source, []byte("#include <stdio.h>\nint far(void) { return puts(\"ok\") < 0; }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "main.c")
	if err := os.WriteFile(program, []byte("int far(void);\nint main(void) { return far(); }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, style := range []string{"sysv", "gnu", "both"} {
		library, out := filepath.Join(t.TempDir(), "libfar.so"), filepath.Join(t.TempDir(), "main")
		gcc(t, "-shared", "-fPIC", "-Wl,--hash-style="+style, "-Wl,--section-start=.dynstr=0x4000000", "-o", library, source)
		gcc(t, "-o", out, program, library)
		for way, environment := range preloads() {
			t.Run(style+"/"+way, func(t *testing.T) { execute(t, environment, out).wantOK(t) })
		}
	}
}
