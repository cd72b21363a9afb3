package main

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// program is what a look into a program's file tells about running it.
type program struct {
	path    string
	foreign string   // why the file cannot be preloaded, or empty
	needed  []string // shared libraries
	device  bool     // has device code
	runtime bool     // contains NVIDIA's runtime, and a symbol table that leads to it
}

// inspect reads the file's headers. What is not ELF, a script for example, has nothing to tell.
func inspect(path string) (*program, error) {
	p := &program{path: path}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	f, err := elf.NewFile(file)
	var format *elf.FormatError
	if errors.As(err, &format) || errors.Is(err, io.EOF) {
		return p, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	if f.Machine != elf.EM_X86_64 {
		p.foreign = "not a program for x86-64"
		return p, nil
	}
	if !slices.ContainsFunc(f.Progs, func(s *elf.Prog) bool { return s.Type == elf.PT_INTERP }) {
		p.foreign = "statically linked"
		return p, nil
	}
	p.needed, _ = f.ImportedLibraries()
	p.runtime = containsRuntime(f)
	for _, section := range f.Sections {
		p.device = p.device || section.Name == ".nv_fatbin" || section.Name == "__nv_relfatbin"
	}
	return p, nil
}

// containsRuntime reports whether the functions of a static runtime stand in the symbol table, where the libraries find
// them.
func containsRuntime(f *elf.File) bool {
	symbols, _ := f.Symbols()
	return slices.ContainsFunc(symbols, func(s elf.Symbol) bool {
		return s.Name == "__cudaRegisterFatBinary" && s.Section != elf.SHN_UNDEF && elf.ST_TYPE(s.Info) == elf.STT_FUNC
	})
}

// front names the runtime library that the program was linked to; without one, the first of all fronts: any serves a
// program that contains its runtime.
func (p *program) front() string {
	for _, f := range fronts {
		if slices.Contains(p.needed, f) {
			return f
		}
	}
	return fronts[0]
}

// refusal says why running the program would not reach the simulator.
func (p *program) refusal() error {
	runtime := func(name string) bool {
		return strings.HasPrefix(name, "libcudart.") || strings.HasPrefix(name, "libcudart-")
	}
	switch {
	case p.foreign != "":
		return fmt.Errorf("%s is %s; lockstep cannot be loaded into it", p.path, p.foreign)
	case p.device && !p.runtime && !slices.ContainsFunc(p.needed, runtime):
		return fmt.Errorf("%s contains NVIDIA's runtime but no symbol table, so its calls cannot be led to lockstep; "+
			"link it again without -s, or with \"nvcc -cudart shared\"", p.path)
	}
	return nil
}
