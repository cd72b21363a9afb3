package abi

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// differs lists the lines in which we differ from the card's driver, by chapter, and why.
var differs = map[string][]string{
	// Device functions are no kernels here, so none is found.
	"links": {`cuModuleGetFunction(&f, m, "twice")`},
	// Asking for a pool makes the primary context here.
	"devices": {"cuDevicePrimaryCtxGetState(0, &u, &n)"},
	// A copy within an array is refused there, and not in the form with sizes of 64 bits.
	"legacy_old": {`cuMemcpyAtoA(a, 0, a, 256, 256)`},
}

// driverWays are the ways in which a program meets the driver's front.
var driverWays = map[string]func() []string{
	"found":     func() []string { return []string{"LD_LIBRARY_PATH=" + lib} },
	"preloaded": func() []string { return []string{"LD_PRELOAD=" + filepath.Join(lib, "libcuda.so.1")} },
}

// testdata/driver/NAME holds what testdata/driver_NAME.c printed on an H200 with driver 580.159, chapter by chapter.
func TestDriverReturnsTheCodesOfTheCard(t *testing.T) {
	recorded, err := filepath.Glob("testdata/driver/*/*.log")
	if err != nil || len(recorded) == 0 {
		t.Fatal("no recorded logs", err)
	}
	compiled := map[string]string{}
	for way, environment := range driverWays {
		for _, file := range recorded {
			chapter := strings.TrimSuffix(filepath.Base(file), ".log")
			name := filepath.Base(filepath.Dir(file))
			if compiled[name] == "" {
				compiled[name] = compile(t, delivery{name: "driver", front: "libcuda.so.1"}, "driver_"+name)
			}
			program := compiled[name]
			t.Run(way+"/"+chapter, func(t *testing.T) {
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				names := "NAMES=" + filepath.Join(root, "cudart", "driver.txt")
				r := execute(t, append(environment(), names, "LOCKSTEP_LOG=quiet", "PTX_SIM_MODE_FUNC=1"), program, chapter)
				if r.code != 0 {
					t.Errorf("status %d\n%s", r.code, r.stderr)
				}
				compareLines(t, strings.Split(string(want), "\n"), strings.Split(r.stdout, "\n"), differs[chapter])
			})
		}
	}
}

// TestKernelsAreToldThatTheyLaunchNoGraphs covers the device runtime's answer, which the program prints.
func TestKernelsAreToldThatTheyLaunchNoGraphs(t *testing.T) {
	program := compile(t, delivery{name: "driver", front: "libcuda.so.1"}, "device_graph")
	if r := execute(t, driverWays["found"](), program); r.stdout != "801 801\n" {
		t.Errorf("%q\n%s", r.stdout, r.stderr)
	}
}

// compareLines reports lines that differ, except those of the given calls.
func compareLines(t *testing.T, want, got, except []string) {
	t.Helper()
	if len(want) != len(got) {
		t.Errorf("%d lines, the card has %d", len(got), len(want))
	}
	for i := range min(len(want), len(got)) {
		call, _, _ := strings.Cut(want[i], " -> ")
		if want[i] != got[i] && !slices.Contains(except, call) {
			t.Errorf("line %d: %s\nthe card: %s", i+1, got[i], want[i])
		}
	}
}
