package policy

import (
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/lockstep-sim/lockstep/"

// layers lists the packages from the bottom up. A package may import those of
// the groups below its own, the leaves, and what allowed adds.
var layers = [][]string{
	{"gpu/isa"},
	{"gpu/isa/alu", "gpu/isa/sample", "gpu/isa/simd", "gpu/isa/tensormap", "gpu/timing/kit", "gpu/timing/hash"},
	{"gpu/mem", "ptx/ast", "ptx/scan", "cuobjdump/fatbin", "cuobjdump/elf", "ptx/ops", "gpu/timing/sm",
		"gpu/timing/cache", "gpu/timing/noc", "gpu/timing/dram"},
	{"gpu/exec", "ptx/parse", "ptx/lower", "cuobjdump/host", "gpu/timing/tma", "gpu/timing/memory", "gpu/timing/program"},
	{"gpu/timing/lsu"},
	{"gpu/timing/chip"},
	{"gpu", "gpu/timing/report", "ptx/link", "cuobjdump/list"},
	{"stream", "cudart/rt/graph"},
	{"cudart/rt", "cudart/solo"},
	{"cudart", "cmd/lockstep"},
}

// leaves may be imported by all and import only one another.
var leaves = []string{"gpu/option", "gpu/stat", "gpu/models", "gpu/gpgpusim", "cudart/layout"}

// allowed lists the arrows inside a group.
var allowed = map[string][]string{
	"gpu/isa/alu":    {},
	"gpu/isa/sample": {"gpu/isa/alu"},
	"ptx/parse":      {"ptx/scan"},
	"ptx/ast":        {"ptx/scan"},
	"ptx/lower":      {"ptx/parse"},
	"gpu/models":     {"gpu/option"},
	"gpu/gpgpusim":   {"gpu/option"},
	"cuobjdump/host": {"cuobjdump/fatbin"},
}

// apart lists pairs that must not know each other although their layers would
// let them: data and time, text and device.
var apart = map[string][]string{
	"gpu/timing": {"gpu/mem", "gpu/exec"},
	"gpu/exec":   {"ptx", "cuobjdump"},
	"gpu":        {"ptx", "cuobjdump"},
	"stream":     {"ptx", "cuobjdump"},
	"ptx":        {"gpu/mem", "gpu/exec", "cuobjdump"},
	"cuobjdump":  {"gpu/mem", "gpu/exec", "ptx"},
}

func TestImportsPointDown(t *testing.T) {
	level := map[string]int{}
	for i, group := range layers {
		for _, p := range group {
			level[p] = i
		}
	}
	for _, s := range sources(t) {
		from := s.dir()
		if s.test() || strings.HasPrefix(from, "tests") || strings.HasPrefix(from, "scripts") {
			continue
		}
		for _, spec := range s.file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			to, own := strings.CutPrefix(path, module)
			if !own {
				continue
			}
			if why := forbidden(level, from, to); why != "" {
				t.Errorf("%s:%d: %s imports %s: %s", s.path, s.line(spec.Pos()), from, to, why)
			}
		}
	}
}

func forbidden(level map[string]int, from, to string) string {
	for package_, others := range apart {
		if within(from, package_) {
			for _, o := range others {
				if within(to, o) {
					return "they are kept apart"
				}
			}
		}
	}
	if contains(leaves, to) {
		return ""
	}
	if contains(leaves, from) {
		if contains(allowed[from], to) {
			return ""
		}
		return "a leaf imports nothing"
	}
	f, known := level[from]
	g, toKnown := level[to]
	switch {
	case !known:
		return "the first is in no layer; add it to layers"
	case !toKnown:
		return "the second is in no layer; add it to layers"
	case g < f || contains(allowed[from], to):
		return ""
	}
	return "it is not in a layer below"
}

func within(path, dir string) bool {
	return path == dir || dir != "gpu" && strings.HasPrefix(path, dir+"/")
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func TestCgoAndUnsafeStayInTheirPlaces(t *testing.T) {
	for _, s := range sources(t) {
		if s.test() {
			continue
		}
		for _, spec := range s.file.Imports {
			switch spec.Path.Value {
			case `"C"`:
				if s.dir() != "cudart" {
					t.Errorf("%s: only cudart uses cgo", s.path)
				}
			case `"unsafe"`:
				if s.dir() != "cudart" && !strings.HasSuffix(s.path, "_unsafe.go") {
					t.Errorf("%s: unsafe belongs in a file named *_unsafe.go", s.path)
				}
			}
		}
	}
}

// coreModules are the third-party modules that the preloaded core may contain.
var coreModules = []string{"github.com/ianlancetaylor/demangle", "github.com/klauspost/compress", "golang.org/x/sys"}

func TestTheCoreHasFewDependencies(t *testing.T) {
	for _, s := range sources(t) {
		from := s.dir()
		if s.test() || strings.HasPrefix(from, "tests") || strings.HasPrefix(from, "scripts") || strings.HasPrefix(from, "cmd") {
			continue
		}
		for _, spec := range s.file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if !strings.Contains(strings.SplitN(path, "/", 2)[0], ".") || strings.HasPrefix(path, module) {
				continue
			}
			ok := false
			for _, m := range coreModules {
				ok = ok || within(path, m)
			}
			if !ok {
				t.Errorf("%s imports %s, which the core must not contain", s.path, path)
			}
		}
	}
}
