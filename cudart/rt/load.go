package rt

import (
	"errors"
	"fmt"

	"github.com/lockstep-sim/lockstep/gpu/exec"
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/link"
)

// linked is a link.Module as a Program.
type linked struct{ *link.Module }

// The PTX ISA versions that a driver of DriverVersion accepts, and whose
// instructions lockstep follows.
var (
	driverPTX   = ast.Version{Major: 9, Minor: 0}
	followedPTX = ast.Version{Major: 9, Minor: 5}
)

// checkVersion refuses PTX that is too new for a driver where that is wanted,
// and otherwise says that it is newer than lockstep.
func (r *Runtime) checkVersion(name string, v ast.Version) error {
	if r.config.StrictPTX && !driverPTX.AtLeast(v.Major, v.Minor) {
		return fail(ErrUnsupportedPTXVersion, "%s is PTX %d.%d, a driver of CUDA %d.%d accepts %d.%d", name, v.Major, v.Minor,
			DriverVersion/1000, DriverVersion%1000/10, driverPTX.Major, driverPTX.Minor)
	}
	if v.Major > followedPTX.Major {
		return fail(ErrUnsupportedPTXVersion, "%s is PTX %d.%d, the newest known here is %d.%d", name, v.Major, v.Minor,
			followedPTX.Major, followedPTX.Minor)
	}
	if !followedPTX.AtLeast(v.Major, v.Minor) {
		r.sayOnce(fmt.Sprintf("%s is PTX %d.%d; what is newer than %d.%d in it is not known here", name, v.Major, v.Minor,
			followedPTX.Major, followedPTX.Minor))
	}
	return nil
}

// linkPTX makes a program of PTX texts.
func (r *Runtime) linkPTX(units []Unit) (Program, error) {
	var parsed []*link.Unit
	var problems []error
	for _, u := range units {
		p, err := link.Parse(u.Name, u.Text)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		if err := r.checkVersion(u.Name, p.Tree().Version); err != nil {
			return nil, err
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
		all = append(all, Variable{
			Name: v.Name, Size: v.Size, Align: v.Align, Constant: v.Space == isa.Const,
			Static: v.Static(), Managed: v.Managed, Reference: v.Texture, Surface: v.Surface,
		})
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

// Check implements Program. What is valid and not supported fails when it is
// used.
func (l linked) Check() error {
	for _, name := range l.Kernels() {
		var no *isa.Unsupported
		if _, err := l.Module.Kernel(name); err != nil && !errors.As(err, &no) {
			return invalidPTX(err)
		}
	}
	return nil
}
