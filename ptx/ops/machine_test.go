package ops

import (
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

func TestInstructionsStandForWhatTheAssemblerMakesOfThem(t *testing.T) {
	for _, c := range []struct {
		name string
		mods []string
		typ  isa.Type
		want int
	}{
		{"add", nil, isa.U32, 1}, {"add", nil, isa.U64, 2}, {"add", nil, isa.F32, 1}, {"add", []string{"rn"}, isa.F64, 1},
		{"mul", []string{"lo"}, isa.S64, 4}, {"mul", []string{"wide"}, isa.U32, 1}, {"mad", []string{"wide"}, isa.U32, 3},
		{"div", nil, isa.S64, 88}, {"div", []string{"rn"}, isa.F32, 8}, {"div", []string{"approx"}, isa.F32, 5},
		{"sqrt", []string{"rn"}, isa.F64, 16}, {"shl", nil, isa.B64, 2},
	} {
		found := false
		for _, table := range tables() {
			for i := range table {
				op := &table[i]
				if op.Name != c.name || len(c.mods) > 0 && !lists(op.Mods, c.mods[0]) && !(c.mods[0] == "rn" && lists(op.Mods, "rnd")) || len(c.mods) == 0 && op.Mods != "" || !lists(op.Types, c.typ.String()) {
					continue
				}
				found = true
				if e := expand(op, expansionsByName()[op.Name]); e == nil && c.want != 1 || e != nil && e(c.typ, false) != c.want {
					t.Errorf("%s%v.%v (%s) does not stand for %d instructions", c.name, c.mods, c.typ, op.Mods, c.want)
				}
			}
		}
		if !found && len(c.mods) > 0 {
			t.Errorf("%s%v.%v has no row", c.name, c.mods, c.typ)
		}
	}
}

func TestEveryExpansionBelongsToARow(t *testing.T) {
	for _, e := range expansions {
		found := false
		for _, table := range tables() {
			for i := range table {
				op := &table[i]
				found = found || op.Name == e.name && (e.mod == "" || lists(op.Mods, e.mod))
			}
		}
		if !found {
			t.Errorf("%s with %q has no row", e.name, e.mod)
		}
	}
}
