package lower

import (
	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// newest is the version of PTX, times ten, that this package knows.
const newest = 95

// options are what .target may name besides architectures.
var options = map[string]bool{"texmode_unified": true, "texmode_independent": true, "debug": true, "map_f64_to_f32": true}

// Module reports what is wrong with a module's .version and .target: names that
// do not exist, an architecture that the version does not have and, if device is
// not zero, one whose code the device does not run.
func Module(m *ast.Module, device ops.Target) []error {
	var errs []error
	report := func(pos ast.Pos, format string, args ...any) { errs = append(errs, m.Errorf(pos, format, args...)) }
	version := 10*m.Version.Major + m.Version.Minor
	if version > newest || m.Version.Minor > 9 {
		report(m.VersionPos, "PTX %d.%d is not known, the newest is %d.%d", m.Version.Major, m.Version.Minor, newest/10, newest%10)
	}
	found := false
	for _, name := range m.Targets {
		t, ok := ops.ParseTarget(name)
		switch {
		case !ok && !options[name]:
			report(m.TargetPos, "no .target is named %s", name)
		case !ok:
		case t.Since() > version:
			report(m.TargetPos, "PTX %d.%d has no .target %s, it is of PTX %d.%d", m.Version.Major, m.Version.Minor, t, t.Since()/10, t.Since()%10)
		case device != (ops.Target{}) && !t.Runs(device.SM):
			report(m.TargetPos, "code for %s does not run on %s", t, device)
		}
		found = found || ok
	}
	if !found && len(errs) == 0 {
		report(m.TargetPos, ".target names no architecture")
	}
	return errs
}
