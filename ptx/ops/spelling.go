package ops

import (
	"slices"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// Spellings calls f with every form of a row that has a meaning: every choice
// of its types and modifiers that a handler honours, and the operands' pattern.
// Modifiers that admit refuses do not occur.
func Spellings(op *isa.Op, admit func(modifier string) bool, f func(form *isa.Form, args []Arg)) {
	r := newRow(op)
	for i := range r.groups {
		g := &r.groups[i]
		g.alternatives = slices.DeleteFunc(slices.Clone(g.alternatives), func(m string) bool { return !admit(m) })
	}
	spellings(r, func(mods []string) {
		form, _, _ := r.match(mods)
		if form == nil {
			return
		}
		form.DBits = form.Type(0).Bits()
		if op.Bind != nil && op.Bind(form) != nil || op.Control != nil {
			f(form, r.args)
		}
	})
}

// spellings calls f with every way to choose a row's types and modifiers.
func spellings(r *row, f func(mods []string)) {
	var choose func(i int, mods []string)
	choose = func(i int, mods []string) {
		switch {
		case i < len(r.groups):
			if r.groups[i].optional {
				choose(i+1, mods)
			}
			for _, m := range r.groups[i].alternatives {
				choose(i+1, append(mods[:len(mods):len(mods)], m))
			}
		case i < len(r.groups)+len(r.types):
			for _, t := range r.types[i-len(r.groups)] {
				choose(i+1, append(mods[:len(mods):len(mods)], t.String()))
			}
		default:
			f(mods)
		}
	}
	choose(0, nil)
}
