package rt

import (
	"bytes"
	"errors"
	"os"
	"sync"

	"github.com/lockstep-sim/lockstep/cuobjdump/elf"
	"github.com/lockstep-sim/lockstep/cuobjdump/fatbin"
	"github.com/lockstep-sim/lockstep/cuobjdump/host"
	"github.com/lockstep-sim/lockstep/gpu/mem"
	"github.com/lockstep-sim/lockstep/ptx/link"
)

// linkState is a link under way (cuLink).
type linkState struct {
	jit   jit
	mu    sync.Mutex
	units []Unit
	image []byte // of the finished link, for the program
}

// Kinds of input of a link (CUjitInputType). Those below, cubin, PTX and fat
// binary, tell themselves what they are.
const (
	inputObject    = 3
	inputLibrary   = 4
	inputNVVM      = 5
	inputLastKnown = 5
)

// LinkCreate is cuLinkCreate.
func (t *Thread) LinkCreate(options []JITOption) (uint64, error) {
	if _, err := t.context(); err != nil {
		return 0, err
	}
	j, err := newJIT(options)
	if err != nil {
		return 0, err
	}
	return t.runtime.links.add(&linkState{jit: j}), nil
}

func (t *Thread) linkState(handle uint64) (*linkState, error) {
	l, ok := t.runtime.links.get(handle)
	if !ok {
		return nil, invalidHandle("link", handle)
	}
	return l, nil
}

// LinkAddData is cuLinkAddData: size bytes at an address.
func (t *Thread) LinkAddData(handle uint64, kind int, addr, size uint64, name string) error {
	l, err := t.linkState(handle)
	if err != nil {
		return err
	}
	if addr == 0 || size == 0 {
		return fail(ErrInvalidValue, "%d bytes of input at address %#x", size, addr)
	}
	if !mem.Mapped(addr, size) {
		return fail(ErrInvalidValue, "the program has no %d bytes at %#x", size, addr)
	}
	return t.addInput(l, kind, name, bytes.Clone(mem.Host(addr, size)))
}

// LinkAddFile is cuLinkAddFile.
func (t *Thread) LinkAddFile(handle uint64, kind int, path string) error {
	l, err := t.linkState(handle)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return fail(ErrFileNotFound, "%v", err)
	}
	return t.addInput(l, kind, path, data)
}

// addInput takes an input whose PTX is known to be good by itself: undefined
// names are looked for at the end.
func (t *Thread) addInput(l *linkState, kind int, name string, data []byte) error {
	if kind < 0 || kind > inputLastKnown {
		return fail(ErrInvalidValue, "link input of kind %d", kind)
	}
	if kind == inputNVVM {
		return unsupported("NVVM IR as input of a link")
	}
	units, err := t.inputUnits(kind, name, data)
	if err == nil {
		err = t.runtime.checkTarget(units)
	}
	if err == nil {
		err = aside(func() error { return parseUnits(units) })
	}
	if err != nil {
		l.jit.errors.write(err.Error())
		if l.jit.errors.addr == 0 {
			t.runtime.report("add to a link", err)
		}
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.units = append(l.units, units...)
	return nil
}

// LinkComplete is cuLinkComplete: the address and size of an image that
// cuModuleLoadData takes. It lives until LinkDestroy.
func (t *Thread) LinkComplete(handle uint64) (image []byte, err error) {
	l, err := t.linkState(handle)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.units) > 0 {
		if _, err := t.runtime.compile(l.units, l.jit); err != nil {
			return nil, fail(ErrInvalidSource, "%v", err)
		}
	}
	var texts []elf.PTX
	for _, u := range l.units {
		texts = append(texts, elf.PTX{Name: u.Name, Text: u.Text})
	}
	l.image = elf.Carry(t.runtime.model.Architecture(), texts...)
	return l.image, nil
}

// LinkDestroy is cuLinkDestroy.
func (t *Thread) LinkDestroy(handle uint64) error {
	if _, ok := t.runtime.links.take(handle); !ok {
		return invalidHandle("link", handle)
	}
	return nil
}

// inputUnits is the PTX of an input.
func (t *Thread) inputUnits(kind int, name string, data []byte) ([]Unit, error) {
	if kind == inputObject || kind == inputLibrary {
		return t.runtime.hostUnits(name, data)
	}
	s, err := t.runtime.sourceIn(name, data)
	return s.units, err
}

// hostUnits is the PTX in an object file or library. Members without any, as in
// the device runtime, bring nothing: what they have, devices here have.
func (r *Runtime) hostUnits(name string, data []byte) ([]Unit, error) {
	objects, err := host.Parse(data)
	if err != nil {
		return nil, fail(ErrInvalidKernelImage, "%s: %v", name, err)
	}
	var units []Unit
	for _, o := range objects {
		for _, s := range o.Sections {
			for _, f := range s.Fatbins {
				if got, err := r.sourceOf([]*fatbin.Fatbin{f}); err == nil {
					units = append(units, got.units...)
				}
			}
		}
	}
	return units, nil
}

// parseUnits reports what is wrong with units by themselves.
func parseUnits(units []Unit) error {
	var problems []error
	for _, u := range units {
		if _, err := link.Parse(u.Name, u.Text); err != nil {
			problems = append(problems, err)
		}
	}
	if err := errors.Join(problems...); err != nil {
		return invalidPTX(err)
	}
	return nil
}
