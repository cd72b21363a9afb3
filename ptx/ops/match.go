package ops

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// row is an isa.Op with its grammar parsed.
type row struct {
	op     *isa.Op
	groups []group
	types  [][]isa.Type // admissible types of each position
	args   []Arg
}

// index holds the rows by mnemonic. It is built on first use.
var index = sync.OnceValue(func() map[string][]*row {
	rows, expands := make(map[string][]*row, 256), expansionsByName()
	for _, table := range tables() {
		for i := range table {
			r := newRow(&table[i])
			r.op.Expand, r.op.Role = expand(r.op, expands[r.op.Name]), role(r.op)
			rows[r.op.Name] = append(rows[r.op.Name], r)
		}
	}
	return rows
})

// nameWords are the modifiers that belong to the name of an instruction: they stand before all others, in the row's order.
var nameWords = func() map[string]bool {
	words := make(map[string]bool)
	for names, modifiers := range map[string]string{
		"bar barrier":              "cta cluster warp arrive red wait",
		"cp":                       "reduce async bulk prefetch tensor mbarrier arrive commit_group wait_group wait_all",
		"createpolicy":             "fractional range cvt",
		"cvt":                      "pack",
		"cvta":                     "to",
		"div":                      "full",
		"dp2a":                     "lo hi",
		"fence membar":             "proxy",
		"mad mad24 madc mul mul24": "lo hi wide",
		"mbarrier":                 "init inval arrive arrive_drop expect_tx complete_tx test_wait try_wait parity pending_count",
		"multimem":                 "ld_reduce st red cp reduce async bulk",
		"red st":                   "async bulk",
		"shf":                      "l r",
		"tcgen05":                  "alloc dealloc relinquish_alloc_permit commit cp ld red st wait shift mma ws sp",
		"tensormap":                "replace cp_fenceproxy",
		"wgmma":                    "fence commit_group wait_group mma_async",
		"wmma":                     "load store mma",
	} {
		for name := range strings.FieldsSeq(names) {
			for m := range strings.FieldsSeq(modifiers) {
				words[name+"."+m] = true
			}
		}
	}
	return words
}()

// Rows calls f for each row of the table, in the table's order.
func Rows(f func(op *isa.Op)) {
	for _, table := range tables() {
		for i := range table {
			f(&table[i])
		}
	}
}

func newRow(op *isa.Op) *row {
	r := &row{op: op, groups: parseGroups(op.Mods), args: parseArgs(op.Args)}
	if op.Types == "" {
		return r
	}
	for _, position := range strings.Split(op.Types, "/") {
		var ts []isa.Type
		for _, name := range words(position) {
			ts = append(ts, isa.ParseType(name))
		}
		r.types = append(r.types, ts)
	}
	return r
}

// Lookup finds the row that honours a spelling: a mnemonic and its modifiers
// without dots. The shapes of the operands, when given, must suit the row too;
// some spellings (mov.b64, the conversions to packed types) need them to tell
// rows apart. The error says what is not honoured; it has no place, which the
// caller knows.
func Lookup(name string, mods []string, operands ...Shape) (*isa.Form, []Arg, error) {
	candidates := index()[name]
	if len(candidates) == 0 {
		return nil, nil, fmt.Errorf("unknown instruction %q", name)
	}
	reason, depth := "", -1
	for _, r := range candidates {
		form, why, d := r.match(mods)
		if form != nil && operands != nil && r.op.Flow != isa.Call { // calls have no pattern
			if why = r.suits(operands); why != "" {
				form, d = nil, len(mods)+1
			}
		}
		if form != nil {
			return form, r.args, nil
		}
		if d > depth {
			reason, depth = why, d
		}
	}
	return nil, nil, fmt.Errorf("%s: %s", spelling(name, mods), reason)
}

func spelling(name string, mods []string) string {
	return strings.Join(append([]string{name}, mods...), ".")
}

// match tries one row. When it fails it says why and how many modifiers fitted.
func (r *row) match(mods []string) (form *isa.Form, why string, depth int) {
	form = &isa.Form{Op: r.op}
	var used uint64
	named, last := 0, -1 // words of the instruction's name, the group of the last one
	place := -1          // the group of the last space
	for i, m := range mods {
		if t := isa.ParseType(m); t != isa.NoType && r.takesType(len(form.Types), t) {
			form.Types = append(form.Types, t)
			continue
		}
		g := r.groupOf(m, used)
		if g < 0 {
			return nil, fmt.Sprintf(".%s does not apply here", m), i
		}
		if r.groups[g].leading && len(form.Types) > 0 {
			return nil, fmt.Sprintf(".%s must stand before the type", m), i + 1
		}
		if nameWords[r.op.Name+"."+m] {
			if i != named || g < last {
				return nil, fmt.Sprintf(".%s is part of the instruction's name", m), i + 1
			}
			named, last = named+1, g
		}
		if slices.Contains(vocabulary["space"], m) {
			if g < place {
				return nil, fmt.Sprintf(".%s stands before the other space", m), i + 1
			}
			place = g
		}
		used |= 1 << g
		form.Mods = append(form.Mods, m)
	}
	for i, g := range r.groups {
		if !g.optional && used>>i&1 == 0 {
			return nil, fmt.Sprintf("one of .%s is required", strings.Join(g.alternatives, ", .")), len(mods)
		}
	}
	if len(form.Types) != len(r.types) {
		return nil, "a type is missing", len(mods)
	}
	return form, "", len(mods)
}

// suits says why operands of these shapes do not fit the row; "" if they do.
func (r *row) suits(operands []Shape) string {
	least := 0
	for i, a := range r.args {
		if !a.Optional {
			least = i + 1
		}
	}
	if n := len(operands); n < least || n > len(r.args) {
		return fmt.Sprintf("%d operands do not fit here", n)
	}
	for i, s := range operands {
		if !r.args[i].admits(s) {
			return fmt.Sprintf("operand %d has the wrong form", i+1)
		}
	}
	return ""
}

func (r *row) takesType(position int, t isa.Type) bool {
	if position >= len(r.types) {
		return false
	}
	for _, admissible := range r.types[position] {
		if admissible == t {
			return true
		}
	}
	return false
}

func (r *row) groupOf(m string, used uint64) int {
	for i, g := range r.groups {
		if used>>i&1 == 0 && g.has(m) {
			return i
		}
	}
	return -1
}
