package rt

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/lockstep-sim/lockstep/cuobjdump/elf"
	"github.com/lockstep-sim/lockstep/cuobjdump/fatbin"
	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// source is device code that a program hands over: PTX to link, and machine code
// that stands beside it.
type source struct {
	units  []Unit
	cubins []*fatbin.Entry
}

// wrapperBytes begin the structure that nvcc puts around a fat binary.
var wrapperBytes = []byte{0xb1, 0x43, 0x62, 0x46}

// sourceAt reads device code at an address of the program, which says itself how
// long it is: a fat binary or its wrapper, a cubin, or PTX that ends in a zero.
func (r *Runtime) sourceAt(addr uint64) (source, error) {
	if addr == 0 {
		return source{}, fail(ErrInvalidValue, "device code at address 0")
	}
	const magic = 4
	if !mem.Mapped(addr, magic) {
		return source{}, fail(ErrInvalidValue, "the program has no memory at %#x", addr)
	}
	start := mem.Host(addr, magic)
	switch {
	case bytes.Equal(start, wrapperBytes):
		i := &Image{runtime: r, wrapper: addr}
		all, err := i.containers()
		if err != nil {
			return source{}, err
		}
		return r.sourceOf(all)
	case fatbin.IsFatbin(start):
		f, err := container(addr)
		if err != nil {
			return source{}, err
		}
		return r.sourceOf([]*fatbin.Fatbin{f})
	case elf.IsELF(start):
		size, err := elf.Size(func(n int) []byte {
			if !mem.Mapped(addr, uint64(n)) {
				return nil
			}
			return mem.Host(addr, uint64(n))
		})
		if err != nil || !mem.Mapped(addr, uint64(size)) {
			return source{}, fail(ErrInvalidKernelImage, "a cubin at %#x is damaged: %v", addr, err)
		}
		return r.sourceIn("", mem.Host(addr, uint64(size)))
	}
	text, err := textAt(addr)
	if err != nil {
		return source{}, err
	}
	return r.sourceIn("", text)
}

// textAt reads up to the zero that ends a text of the program.
func textAt(addr uint64) ([]byte, error) {
	const page = 4096
	for end := addr; ; {
		next := end&^(page-1) + page
		if !mem.Mapped(end, next-end) {
			return nil, fail(ErrInvalidValue, "a text at %#x has no end", addr)
		}
		if i := bytes.IndexByte(mem.Host(end, next-end), 0); i >= 0 {
			return bytes.Clone(mem.Host(addr, end+uint64(i)-addr)), nil
		}
		end = next
	}
}

// sourceFile reads device code from a file.
func (r *Runtime) sourceFile(path string) (source, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return source{}, fail(ErrFileNotFound, "%v", err)
	}
	return r.sourceIn(path, data)
}

// sourceIn reads device code of known length; name stands for it in messages.
func (r *Runtime) sourceIn(name string, data []byte) (source, error) {
	switch {
	case fatbin.IsFatbin(data):
		all, err := fatbin.ParseAll(data)
		if err != nil {
			return source{}, err
		}
		return r.sourceOf(all)
	case elf.IsELF(data):
		return r.sourceCubin(name, data)
	}
	text := string(bytes.TrimRight(data, "\x00"))
	if !strings.Contains(text, ".version") {
		return source{}, fail(ErrInvalidKernelImage, "%s is neither PTX nor a fat binary nor a cubin", r.nameUnit(name))
	}
	return source{units: []Unit{{Name: r.nameUnit(name), Text: text, SM: targetOf(text)}}}, nil
}

// nameUnit is the name of a text in messages.
func (r *Runtime) nameUnit(name string) string {
	if name != "" {
		return name
	}
	return fmt.Sprintf("loaded%d.ptx", r.loads.Add(1))
}

// sourceOf chooses from fat binaries what suits the device.
func (r *Runtime) sourceOf(all []*fatbin.Fatbin) (source, error) {
	var s source
	for _, f := range all {
		u, cubin, err := r.choose(f)
		if cubin != nil {
			s.cubins = append(s.cubins, cubin)
		}
		if err == nil {
			u.Name = r.nameUnit(u.Name)
			s.units = append(s.units, u)
			continue
		}
		carried, ok := carriedIn(cubin)
		if !ok {
			return s, err
		}
		s.units = append(s.units, carried...)
	}
	return s, nil
}

// carriedIn is the PTX that a cubin of ours holds.
func carriedIn(cubin *fatbin.Entry) ([]Unit, bool) {
	if cubin == nil {
		return nil, false
	}
	data, err := cubin.Payload()
	if err != nil {
		return nil, false
	}
	f, err := elf.Open(data)
	if err != nil {
		return nil, false
	}
	units := unitsOf(f)
	return units, len(units) > 0
}

func unitsOf(f *elf.File) []Unit {
	var units []Unit
	for _, p := range f.Carried() {
		units = append(units, Unit{Name: p.Name, Text: p.Text, SM: targetOf(p.Text)})
	}
	return units
}

// sourceCubin takes the PTX out of an ELF file that carries it. Others hold
// machine code alone.
func (r *Runtime) sourceCubin(name string, data []byte) (source, error) {
	f, err := elf.Open(data)
	if err != nil {
		return source{}, fail(ErrInvalidKernelImage, "%v", err)
	}
	if units := unitsOf(f); len(units) > 0 {
		return source{units: units}, nil
	}
	if f.Machine != elf.MachineCUDA {
		return source{}, fail(ErrInvalidKernelImage, "an ELF file for machine %d is not device code", f.Machine)
	}
	if name == "" {
		name = "a cubin"
	}
	return source{}, fail(ErrNoKernelImage, "%s holds machine code alone, and PTX is what is executed here", name)
}

// targetOf is the SM number of a PTX text, 0 where it has none.
func targetOf(text string) int {
	_, rest, _ := strings.Cut(text, ".target")
	_, rest, found := strings.Cut(rest, "sm_")
	n := 0
	for i := 0; found && i < len(rest) && rest[i] >= '0' && rest[i] <= '9'; i++ {
		n = n*10 + int(rest[i]-'0')
	}
	return n
}

// checkTarget refuses PTX for devices that are newer than the model.
func (r *Runtime) checkTarget(units []Unit) error {
	for _, u := range units {
		if device := max(r.model.Architecture(), int(r.model.SM.NewestPTX)); u.SM > device {
			return fail(ErrInvalidPTX, "%s is PTX for sm_%d, the device is sm_%d", u.Name, u.SM, device)
		}
	}
	return nil
}
