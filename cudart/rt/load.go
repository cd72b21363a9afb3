package rt

import (
	"errors"

	"github.com/lockstep-sim/lockstep/gpu/exec"
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/link"
)

// linked is a link.Module as a Program.
type linked struct{ *link.Module }

// linkPTX makes a program of PTX texts.
func linkPTX(units []Unit) (Program, error) {
	var parsed []*link.Unit
	var problems []error
	for _, u := range units {
		p, err := link.Parse(u.Name, u.Text)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		parsed = append(parsed, p)
	}
	if err := errors.Join(problems...); err != nil {
		return nil, invalidPTX(err)
	}
	m, err := link.Link(exec.IsBuiltin, parsed...)
	if err != nil {
		return nil, invalidPTX(err)
	}
	return linked{m}, nil
}

// invalidPTX is the failure of PTX that cannot be used, unless it says itself
// that it is valid and not supported.
func invalidPTX(err error) error {
	var no *isa.Unsupported
	if errors.As(err, &no) {
		return err
	}
	return fail(ErrInvalidPTX, "%v", err)
}

// Variables implements Program.
func (l linked) Variables() []Variable {
	var all []Variable
	for _, v := range l.Module.Variables() {
		all = append(all, Variable{Name: v.Name, Size: v.Size, Align: v.Align, Constant: v.Space == isa.Const, Managed: v.Managed})
	}
	return all
}

// Place implements Program.
func (l linked) Place(n int, addr uint64) { l.Module.Variables()[n].Addr = addr }

// Image implements Program.
func (l linked) Image(n int) ([]byte, error) {
	return l.Module.Image(l.Module.Variables()[n])
}

// Kernel implements Program.
func (l linked) Kernel(name string) (*isa.Kernel, error) {
	if l.Entry(name) == nil {
		return nil, fail(ErrInvalidDeviceFunction, "kernel %s is not in the device code", name)
	}
	k, err := l.Module.Kernel(name)
	if err != nil {
		return nil, invalidPTX(err)
	}
	return k, nil
}
