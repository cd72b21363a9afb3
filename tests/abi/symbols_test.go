package abi

import (
	"debug/elf"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// interposed are the exports that are not CUDA's: functions of libc and NVRTC that the libraries stand in front of, and the
// variable that they share.
var interposed = []string{
	"_Exit", "_exit", "__sysv_signal", "bsd_signal", "dlopen", "lockstep_redirector", "nvrtcGetCUBIN", "nvrtcGetCUBINSize", "sigaction", "signal",
}

// listed returns the names and kinds of symbols.txt for a major; "" = all.
func listed(t *testing.T, major string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "cudart", "symbols.txt"))
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]string{}
	for _, line := range strings.Split(string(text), "\n") {
		f := strings.Fields(line)
		if len(f) == 3 && f[0] != "#" && (major == "" || slices.Contains(strings.Split(f[1], ","), major)) {
			kinds[f[0]] = f[2]
		}
	}
	return kinds
}

// listedElsewhere returns the names of the driver's or the management library's list.
func listedElsewhere(t *testing.T, list string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "cudart", list))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, line := range strings.Split(string(text), "\n") {
		if f := strings.Fields(line); len(f) > 0 && f[0] != "#" {
			names = append(names, f[0])
		}
	}
	return names
}

// exported returns the defined dynamic symbols of a library with their version nodes.
func exported(t *testing.T, path string) map[string]string {
	t.Helper()
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	nodes := map[string]string{}
	for _, s := range symbols {
		if s.Section != elf.SHN_UNDEF && s.Section != elf.SHN_ABS {
			nodes[s.Name] = s.Version
		}
	}
	return nodes
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func TestExportsAreTheListedSymbols(t *testing.T) {
	driver, management := listedElsewhere(t, "driver.txt"), listedElsewhere(t, "management.txt")
	for file, want := range map[string][]string{
		"libcudart.so":      slices.Concat(sorted(listed(t, "")), driver, management, []string{"lockstep_attach"}),
		"libcudart.so.11.0": sorted(listed(t, "11")), "libcudart.so.12": sorted(listed(t, "12")), "libcudart.so.13": sorted(listed(t, "13")),
		"libcuda.so.1": driver, "libnvidia-ml.so.1": management,
	} {
		want = append(want, interposed...)
		slices.Sort(want)
		got := sorted(exported(t, filepath.Join(lib, file)))
		for _, name := range got {
			if !slices.Contains(want, name) {
				t.Errorf("%s exports %s, which is not listed", file, name)
			}
		}
		for _, name := range want {
			if !slices.Contains(got, name) {
				t.Errorf("%s does not export %s", file, name)
			}
		}
	}
}

func TestFrontsGiveEverySymbolTheirNode(t *testing.T) {
	for front, major := range map[string]string{"libcudart.so.11.0": "11", "libcudart.so.12": "12", "libcudart.so.13": "13"} {
		nodes := exported(t, filepath.Join(lib, front))
		for name := range listed(t, major) {
			if nodes[name] != front {
				t.Errorf("%s: %s has version %q", front, name, nodes[name])
			}
		}
		for _, name := range interposed {
			if nodes[name] != "" {
				t.Errorf("%s: %s has version %q, and would not stand in front of libc's", front, name, nodes[name])
			}
		}
	}
}
