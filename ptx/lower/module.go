package lower

import (
	"slices"

	"github.com/lockstep-sim/lockstep/ptx/ast"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// newest is the version of PTX, times ten, that this package knows.
const newest = 95

// minors are the last minor versions of PTX by major version; of the newest one newest says it.
var minors = [10]int{1: 5, 2: 3, 3: 2, 4: 3, 5: 1, 6: 5, 7: 8, 8: 8, 9: newest % 10}

// headers are the directives of functions that a version of PTX, times ten, or a target brought.
var headers = map[string]struct{ since, sm int }{
	"reqnctapercluster": {78, 90}, "maxclusterrank": {78, 90}, "explicitcluster": {78, 90}, "blocksareclusters": {90, 90},
	"noreturn": {since: 64}, "abi_preserve": {90, 80}, "abi_preserve_control": {90, 80}, "minperctamemory": {since: 94},
}

// options are what .target may name besides architectures.
var options = map[string]bool{"texmode_unified": true, "texmode_independent": true, "debug": true, "map_f64_to_f32": true}

// Module reports what is wrong with a module's .version and .target: names that
// do not exist, an architecture that the version does not have and, if device is
// not zero, one whose code the device does not run; and directives of functions
// that the version or the target does not have.
func Module(m *ast.Module, device ops.Target) []error {
	var errs []error
	report := func(pos ast.Pos, format string, args ...any) { errs = append(errs, m.Errorf(pos, format, args...)) }
	level := levelOf(m)
	version := level.version
	if version > newest || m.Version.Minor > minors[m.Version.Major] {
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
		if name == "map_f64_to_f32" && level.target.SM >= 13 {
			report(m.TargetPos, "sm_13 and later have double precision and no map_f64_to_f32")
		}
	}
	if m.Independent() && slices.Contains(m.Targets, "texmode_unified") {
		report(m.TargetPos, "texmode_unified and texmode_independent exclude each other")
	}
	if m.AddressSize == 32 && m.AddressPos != 0 && level.long() {
		report(m.AddressPos, noShortAddresses)
	}
	if !found && len(errs) == 0 {
		report(m.TargetPos, ".target names no architecture")
	}
	for _, f := range m.Funcs {
		for i := range f.Directives {
			d := &f.Directives[i]
			switch need := headers[d.Name]; {
			case version < need.since:
				report(d.Pos, ".%s needs PTX %d.%d, the module has .version %d.%d", d.Name, need.since/10, need.since%10, m.Version.Major, m.Version.Minor)
			case level.target.SM < need.sm:
				report(d.Pos, ".%s needs .target sm_%d or higher, the module has %s", d.Name, need.sm, level.target)
			}
		}
	}
	return errs
}
