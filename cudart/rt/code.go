package rt

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/lockstep-sim/lockstep/cuobjdump/elf"
	"github.com/lockstep-sim/lockstep/cuobjdump/fatbin"
	"github.com/lockstep-sim/lockstep/cuobjdump/host"
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// Unit is the PTX of one translation unit.
type Unit struct {
	Name, Text string
	SM         int // architecture it was compiled for: 90 for compute_90; 0 where that is not known
}

// Program is linked device code whose variables wait for addresses.
type Program interface {
	// Variables lists the variables of the module in order.
	Variables() []Variable
	// Place says where a variable lies. All are placed before Image and Kernel
	// are called.
	Place(variable int, addr uint64)
	// Image is a variable's initial content.
	Image(variable int) ([]byte, error)
	// Kernel makes a kernel ready to launch. It may be called concurrently.
	Kernel(name string) (*isa.Kernel, error)
	// Kernels lists the names of the kernels in order.
	Kernels() []string
	// Check makes all kernels ready, wherever variables lie, and reports what is
	// wrong with them. The program is of no use after that.
	Check() error
}

// Variable is a variable of a module.
type Variable struct {
	Name        string
	Size, Align uint64 // bytes
	Constant    bool
	Static      bool // known in its unit only; others may have one of the same name
	Managed     bool
	Reference   bool // a texture, sampler or surface reference: its memory holds a handle
	Surface     bool // a surface reference
}

// code is the device code of an image, read at its first use.
type code struct {
	once  sync.Once
	units []Unit
	err   error

	cubins    []*fatbin.Entry // machine code that suits the device too
	described sync.Once
	resources map[string]elf.Function // what a kernel needs of the hardware, by its name
}

// units gives the image's PTX for the model's architecture.
func (i *Image) units() ([]Unit, error) {
	i.code.once.Do(func() {
		i.code.units, i.code.err = i.read()
		if err := i.code.err; err != nil {
			i.runtime.report("load device code", err)
		}
	})
	return i.code.units, i.code.err
}

// report tells the user about device code that cannot be used.
func (r *Runtime) report(what string, err error) {
	r.config.Stderr(fmt.Appendf(nil, "lockstep: cannot %s: %v\n", what, err))
}

func (i *Image) read() ([]Unit, error) {
	r := i.runtime
	if i.loaded != nil {
		i.code.cubins = i.loaded.cubins
		return i.loaded.units, nil
	}
	if file := r.config.PTXFile; file != "" && i.number == 1 {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		return []Unit{{Name: file, Text: string(text)}}, nil
	}
	containers, err := i.containers()
	if err != nil {
		return nil, err
	}
	var units []Unit
	var missing error
	for n, f := range containers {
		u, cubin, err := r.choose(f)
		if cubin != nil {
			i.code.cubins = append(i.code.cubins, cubin)
		}
		if err != nil {
			// Of the parts of relocatable code, libraries may bring no PTX.
			missing = errors.Join(missing, err)
			continue
		}
		if u.Name == "" {
			u.Name = fmt.Sprintf("module%d.%d.ptx", i.number, n+1)
		}
		units = append(units, u)
	}
	if len(units) == 0 {
		return nil, missing
	}
	return units, nil
}

// The wrapper around a fat binary in the program's data.
const (
	wrapperMagic  = 0x466243b1
	wrapperSize   = 24
	wrapperSingle = 1 // data is the fat binary
	wrapperLinked = 2 // data is machine code, extra a list of the parts it was linked from
	maxParts      = 1 << 16
)

// containers are the fat binaries of the image: one, or the parts of linked
// relocatable code.
func (i *Image) containers() ([]*fatbin.Fatbin, error) {
	if file := i.runtime.config.ImageFile; file != "" {
		return fromFile(file, i.number)
	}
	w := mem.Host(i.wrapper, wrapperSize)
	le := binary.LittleEndian
	if magic := le.Uint32(w); magic != wrapperMagic {
		return nil, fail(ErrInvalidKernelImage, "the wrapper of fat binary %d has magic number %#x, not %#x", i.number, magic, uint32(wrapperMagic))
	}
	version, data, extra := le.Uint32(w[4:]), le.Uint64(w[8:]), le.Uint64(w[16:])
	switch version {
	case wrapperSingle:
		f, err := container(data)
		return []*fatbin.Fatbin{f}, err
	case wrapperLinked:
		return parts(extra)
	}
	return nil, fail(ErrInvalidKernelImage, "the wrapper of fat binary %d has version %d", i.number, version)
}

// fromFile takes the n-th fat binary of a host file.
func fromFile(path string, n int) ([]*fatbin.Fatbin, error) {
	f, err := host.Open(path)
	if err != nil {
		return nil, err
	}
	var all []*fatbin.Fatbin
	for _, o := range f.Objects {
		for _, s := range o.Sections {
			all = append(all, s.Fatbins...)
		}
	}
	if n > len(all) {
		return nil, fail(ErrInvalidKernelImage, "%s has %d fat binaries, the program asks for number %d", path, len(all), n)
	}
	return all[n-1 : n], nil
}

// container reads the fat binary at an address of the program.
func container(addr uint64) (*fatbin.Fatbin, error) {
	if addr == 0 {
		return nil, fail(ErrInvalidKernelImage, "a fat binary has address 0")
	}
	size, err := fatbin.Size(mem.Host(addr, fatbin.HeaderSize))
	if err != nil {
		return nil, err
	}
	if !mem.Mapped(addr, uint64(size)) {
		return nil, fail(ErrInvalidKernelImage, "a fat binary says that it has %d bytes, which the program has not loaded", size)
	}
	return fatbin.Parse(mem.Host(addr, uint64(size)))
}

// parts reads the null-terminated list at an address of the program.
func parts(list uint64) ([]*fatbin.Fatbin, error) {
	if list == 0 {
		return nil, fail(ErrInvalidKernelImage, "a linked fat binary has no list of its parts")
	}
	var all []*fatbin.Fatbin
	for n := range uint64(maxParts) {
		addr := binary.LittleEndian.Uint64(mem.Host(list+8*n, 8))
		if addr == 0 {
			return all, nil
		}
		f, err := container(addr)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return nil, fail(ErrInvalidKernelImage, "a list of linked fat binaries has no end")
}

// choose takes from a fat binary what suits the device; a model may take newer PTX
// than its own where there is nothing else.
func (r *Runtime) choose(f *fatbin.Fatbin) (Unit, *fatbin.Entry, error) {
	own, newest := r.model.Architecture(), int(r.model.SM.NewestPTX)
	u, cubin, err := choose(f, own)
	if err == nil || newest <= own {
		return u, cubin, err
	}
	return choose(f, newest)
}

// choose takes from a fat binary what suits the architecture: the PTX to run, and
// the machine code that a driver would run instead, if there is any.
func choose(f *fatbin.Fatbin, architecture int) (Unit, *fatbin.Entry, error) {
	choice, err := fatbin.Select(f.Entries, architecture)
	if err != nil {
		return Unit{}, nil, err
	}
	entry, err := choice.NeedPTX()
	if err != nil {
		return Unit{}, choice.ELF, err
	}
	text, err := entry.Payload()
	if err != nil {
		return Unit{}, choice.ELF, err
	}
	return Unit{Name: entry.Name, Text: string(text), SM: entry.SM}, choice.ELF, nil
}

// compiledFor is the architecture that the code which runs was compiled for. Libraries choose launch configurations by
// it, so it is that of the PTX, whatever machine code stands beside it.
func (i *Image) compiledFor() int {
	if units, err := i.units(); err == nil && units[0].SM != 0 {
		return units[0].SM
	}
	return i.runtime.model.Architecture()
}

// hardware tells what ptxas gave a kernel, where the program brings machine code
// of it. Nothing is wrong if it does not, so errors do not matter.
func (i *Image) hardware(kernel string) (elf.Function, bool) {
	c := &i.code
	c.described.Do(func() {
		c.resources = map[string]elf.Function{}
		for _, entry := range c.cubins {
			data, err := entry.Payload()
			if err != nil {
				continue
			}
			cubin, err := elf.Parse(data)
			if err != nil {
				continue
			}
			for _, f := range cubin.Functions {
				c.resources[f.Name] = f
			}
		}
	})
	f, ok := c.resources[kernel]
	return f, ok
}
