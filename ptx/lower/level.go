package lower

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// level is what a module may use: a version of PTX, times ten, and a target.
type level struct {
	version int
	target  ops.Target
}

// levelOf is the level of a module. One that names no target may use everything.
func levelOf(m *ast.Module) level {
	v := level{version: 10*m.Version.Major + m.Version.Minor, target: ops.Newest}
	for _, name := range m.Targets {
		if t, ok := ops.ParseTarget(name); ok {
			v.target = t
		}
	}
	return v
}

// noShortAddresses says that addresses have 64 bits.
const noShortAddresses = "addresses of 32 bits are of PTX before 7.9 and targets before sm_90"

// long reports that addresses have 64 bits.
func (v level) long() bool { return v.version >= 79 || v.target.SM >= 90 }

// open reports an instruction that the module's version or target does not have,
// once for each spelling and place.
func (l *lowering) open(x *ast.Inst, form *isa.Form) {
	if l.opened[x.Op] {
		return
	}
	if what := ops.Missing(form, l.level.version, l.level.target); what != "" {
		l.errorf(x.Pos, "%s: %s", l.body.Opcodes[x.Op].Text, what)
		return
	}
	l.opened[x.Op] = true
}
