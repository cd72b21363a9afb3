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
		if form := r.meant(mods); form != nil {
			f(form, r.args)
		}
	})
}

// Spelling is one of those forms, chosen by pick, which returns a number below n; nil if the choice has no meaning.
func Spelling(op *isa.Op, pick func(n int) int) (*isa.Form, []Arg) {
	r := newRow(op)
	var mods []string
	for _, g := range r.groups {
		if !g.optional || pick(2) == 1 {
			mods = append(mods, g.alternatives[pick(len(g.alternatives))])
		}
	}
	for _, types := range r.types {
		mods = append(mods, types[pick(len(types))].String())
	}
	return r.meant(mods), r.args
}

// meant is the form of a spelling that a handler honours, or nil.
func (r *row) meant(mods []string) *isa.Form {
	form, _, _ := r.match(mods)
	if form == nil {
		return nil
	}
	form.DBits = form.Type(0).Bits()
	if r.op.Bind != nil && r.op.Bind(form) != nil || r.op.Control != nil {
		return form
	}
	return nil
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
