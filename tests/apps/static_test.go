package apps

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// withStaticRuntime are the programs that are also linked as nvcc links by default. They contain NVIDIA's code then, so
// they are built here and not kept.
var withStaticRuntime = []string{
	"vector_add", "streams", "per_thread", "assert", "two_units", "rdc", "managed", "launch_errors", "processes", "exit",
	"constructors",
}

// compiler is an nvcc that can link the static runtime.
type compiler struct {
	path    string
	toolkit string // the one of toolkits with its major
	target  string // PTX that a program carries unless its row says otherwise
}

var release = regexp.MustCompile(`release (\d+)\.`)

// compilers looks in build/toolchain, CUDA_INSTALL_PATH and PATH, and keeps one of each major.
func compilers(root string) []compiler {
	var paths []string
	for _, tk := range toolkits {
		paths = append(paths, filepath.Join(root, "build", "toolchain", tk.version, "bin", "nvcc"))
	}
	if folder := os.Getenv("CUDA_INSTALL_PATH"); folder != "" {
		paths = append(paths, filepath.Join(folder, "bin", "nvcc"))
	}
	if path, err := exec.LookPath("nvcc"); err == nil {
		paths = append(paths, path)
	}
	byToolkit := map[string]compiler{}
	for _, path := range paths {
		if c, ok := newCompiler(path); ok {
			if _, have := byToolkit[c.toolkit]; !have {
				byToolkit[c.toolkit] = c
			}
		}
	}
	var all []compiler
	for _, tk := range toolkits {
		if c, have := byToolkit[tk.version]; have {
			all = append(all, c)
		}
	}
	return all
}

func newCompiler(path string) (compiler, bool) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return compiler{}, false
	}
	library := filepath.Join(filepath.Dir(real), "..", "lib64", "libcudart_static.a")
	if _, err := os.Stat(library); err != nil {
		return compiler{}, false
	}
	out, _ := exec.Command(path, "--version").Output()
	m := release.FindSubmatch(out)
	if m == nil {
		return compiler{}, false
	}
	for _, tk := range toolkits {
		if strings.HasPrefix(tk.version, string(m[1])+".") {
			target := "75"
			if tk.version == "11.8" {
				target = "70"
			}
			return compiler{path, tk.version, target}, true
		}
	}
	return compiler{}, false
}

// build links a program with the static runtime, with the flags that its prebuilt twin has.
func (c compiler) build(t *testing.T, r run) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), r.program)
	arguments := append(c.flags(r.flags), "-std=c++17", "-O2", "-w", "-cudart", "static", "-o", out)
	sources, err := filepath.Glob(filepath.Join(r.program, "*.cu"))
	if err != nil || len(sources) == 0 {
		sources = []string{r.program + ".cu"}
	}
	if text, err := exec.Command(c.path, append(arguments, sources...)...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", c.path, err, text)
	}
	return out
}

// flags completes a row's flags: nvlink joins machine code only, so relocatable programs carry some.
func (c compiler) flags(row []string) []string {
	target, code := c.target, "compute_%[1]s"
	var rest []string
	for _, flag := range row {
		if other, ok := strings.CutPrefix(flag, "ptx="); ok {
			target = other
			continue
		}
		if flag == "-rdc=true" {
			code = "[sm_%[1]s,compute_%[1]s]"
		}
		rest = append(rest, flag)
	}
	return append([]string{"-gencode", fmt.Sprintf("arch=compute_%[1]s,code="+code, target)}, rest...)
}

func TestProgramsWithTheStaticRuntimePrintWhatTheCardPrinted(t *testing.T) {
	root := built(t)
	found := compilers(root)
	if len(found) == 0 {
		t.Skip("no nvcc with libcudart_static.a: make toolchain")
	}
	runs := map[string]run{}
	for _, r := range table(t) {
		if _, have := runs[r.program]; !have {
			runs[r.program] = r
		}
	}
	slots := make(chan struct{}, 2)
	for _, c := range found {
		for _, name := range withStaticRuntime {
			t.Run(c.toolkit+"/"+name, func(t *testing.T) {
				t.Parallel()
				slots <- struct{}{}
				defer func() { <-slots }()
				program := c.build(t, runs[name])
				for _, w := range ways(root) {
					if w.name == "library path" {
						continue // nothing is looked for there
					}
					// The front of another major serves the program just as well.
					words, env := w.command(program, toolkits[0].soname, runs[name].args)
					check(t, runs[name], c.toolkit, words, env)
				}
			})
		}
	}
}
