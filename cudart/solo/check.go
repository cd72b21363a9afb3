package solo

import (
	"errors"

	"github.com/lockstep-sim/lockstep/gpu/exec"
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/lower"
	"github.com/lockstep-sim/lockstep/ptx/ops"
	"github.com/lockstep-sim/lockstep/ptx/parse"
)

// Check reports everything that is wrong with a PTX text: what does not parse
// and, function by function, what does not lower. Names declared .extern count
// as defined. If device is not zero, the text has to run on that architecture.
func Check(name, text string, device ops.Target) error {
	m, err := parse.Parse(name, text)
	if err != nil {
		return err
	}
	errs := lower.Module(m, device)
	for _, f := range m.Funcs {
		if f.Load == nil {
			continue
		}
		if _, err := lower.Function(m, f, anywhere{m}, new(isa.Function)); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// anywhere is a lower.Env for texts that are checked and never run: whatever is
// declared has an address.
type anywhere struct{ module *ast.Module }

func (a anywhere) Variable(name string) (addr uint64, space isa.Space, ok bool) {
	v := a.module.Var(name)
	if v == nil {
		return 0, 0, false
	}
	switch v.Space {
	case ast.SharedSpace:
		space = isa.Shared
	case ast.ConstSpace:
		space = isa.Const
	default:
		space = isa.Global
	}
	return isa.SharedReserved, space, true
}

func (anywhere) Shared(*ast.Func, int) uint64         { return isa.SharedReserved }
func (anywhere) Static(*ast.Func, int) (uint64, bool) { return isa.SharedReserved, true }
func (anywhere) DebugString(string, int64) string     { return "" }

func (a anywhere) Function(name string) (fn *isa.Function, addr uint64) {
	if s, ok := a.module.Lookup(name); (!ok || s.Func < 0 && s.Alias < 0) && !exec.IsBuiltin(name) {
		return nil, 0
	}
	return &isa.Function{Name: name}, isa.CodeWindow
}
