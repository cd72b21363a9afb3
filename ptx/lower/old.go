package lower

import (
	"slices"

	"github.com/lockstep-sim/lockstep/ptx/ast"
)

// complete is the modifiers of an instruction with those that it has without
// saying so at a level of long ago. Before PTX 1.4 approximation and rounding
// need no mention. On sm_1x all f32 arithmetic flushes, and mad is fused, as the
// driver makes it for newer devices (ISA 9.7.3.7). unsaid reports that the
// spelling is one of then, which what newer ones need does not concern.
func (v level) complete(o *ast.Opcode) (all []string, unsaid bool) {
	if v.version >= 14 && v.target.SM >= 20 {
		return o.Mods, false
	}
	mods := o.Mods
	single, double := slices.Contains(mods, "f32"), slices.Contains(mods, "f64")
	says := func(some ...string) bool {
		return slices.ContainsFunc(mods, func(m string) bool { return slices.Contains(some, m) })
	}
	rounded := says("rn", "rz", "rm", "rp", "approx", "full")
	var more []string
	switch o.Name {
	case "div", "sqrt", "rcp":
		switch {
		case rounded || v.version >= 14:
		case single:
			more = append(more, "approx")
		case double && o.Name != "rcp":
			more = append(more, "rn")
		}
	case "rsqrt", "sin", "cos", "lg2", "ex2":
		if !rounded && v.version < 14 {
			more = append(more, "approx")
		}
	case "mad":
		if !rounded && (double && v.version < 14 || single && v.target.SM < 20) {
			more = append(more, "rn")
		}
	}
	unsaid = more != nil
	if v.target.SM < 20 && single && flushes(o) && !says("ftz") {
		more = append(more, "ftz")
	}
	if more == nil {
		return mods, false
	}
	return append(more, mods...), unsaid
}

// flushes reports f32 instructions that an sm_1x flushes the subnormals of.
func flushes(o *ast.Opcode) bool {
	switch o.Name {
	case "add", "sub", "mul", "mad", "fma", "div", "rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2", "abs", "neg", "min", "max", "set", "setp", "slct":
		return true
	case "cvt":
		return !slices.Contains(o.Mods, "f16") && !slices.Contains(o.Mods, "f64")
	}
	return false
}
