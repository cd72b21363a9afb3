package ops

import (
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// refused lists the spellings that fit a row's grammar and still have no
// handler.
func refused(r *row, mods []string) bool {
	f, _, _ := r.match(mods)
	switch r.op.Name {
	case "cvt": // saturation that cannot happen
		return f.Has("sat") && f.Type(0).Kind() != isa.Float && f.Type(1).Kind() != isa.Float
	case "set": // comparisons of other types
		return f.Type(0) == isa.F16 || f.Type(0) == isa.BF16
	}
	return false
}

var arithmetic = [][]isa.Op{integer, extended, float, approx, half, compare, logic, move, convert, convertTiny, video, videoSIMD}

func TestEverySpellingOfARowBindsOrIsRefusedOnPurpose(t *testing.T) {
	for _, table := range arithmetic {
		for i := range table {
			r := newRow(&table[i])
			spellings(r, func(mods []string) {
				form, why, _ := r.match(mods)
				if form == nil {
					t.Errorf("%s does not match its own row: %s", spelling(r.op.Name, mods), why)
					return
				}
				if r.op.Bind(form) == nil && !refused(r, mods) {
					t.Errorf("%s has no handler", spelling(r.op.Name, mods))
				}
			})
		}
	}
}

func TestRowsAreComplete(t *testing.T) {
	for _, table := range arithmetic {
		for i := range table {
			op := &table[i]
			r := newRow(op)
			if op.Name == "" || op.Doc == "" || op.Since == 0 || op.Bind == nil || len(r.args) == 0 {
				t.Errorf("row %d, %s %s %s, lacks a field", i, op.Name, op.Mods, op.Types)
			}
			for p, types := range r.types {
				for _, typ := range types {
					if typ == isa.NoType {
						t.Errorf("%s %s: unknown type at position %d of %q", op.Name, op.Mods, p, op.Types)
					}
				}
			}
		}
	}
}
