package fuzz

import (
	_ "embed" // the list of forms
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

//go:embed testdata/forms.txt
var formList string

// form is an instruction on registers: spelling and operands.
type form struct {
	spelling string
	chapter  string // of the manual: "9.7.1"
	args     []operand
	loose    bool // a product or sum of floats that ptxas may contract
}

// operand is one operand of a form: its role in the row (see package ops) and
// its type's name.
type operand struct {
	role, kind string
	bits       int  // of its register
	wider      bool // a register may be wider
}

// name is the mnemonic.
func (f *form) name() string {
	name, _, _ := strings.Cut(f.spelling, ".")
	return name
}

// family is the forms of one mnemonic in a chapter.
type family []*form

// catalog is the forms by chapter, each by mnemonic.
type catalog struct {
	chapters map[string][]family
}

// forms reads the list.
var forms = sync.OnceValue(func() *catalog {
	c := &catalog{chapters: map[string][]family{}}
	at := map[string]int{}
	for line := range strings.Lines(formList) {
		f := parseForm(strings.Fields(line))
		key := f.chapter + " " + f.name()
		i, ok := at[key]
		if !ok {
			i = len(c.chapters[f.chapter])
			at[key] = i
			c.chapters[f.chapter] = append(c.chapters[f.chapter], nil)
		}
		c.chapters[f.chapter][i] = append(c.chapters[f.chapter][i], f)
	}
	return c
})

func parseForm(fields []string) *form {
	f := &form{chapter: fields[0], spelling: fields[1]}
	for _, word := range fields[2:] {
		o := operand{}
		role, rest, _ := strings.Cut(word, ":")
		o.role, o.wider = strings.CutSuffix(role, "+")
		kind, bits, _ := strings.Cut(rest, "/")
		o.kind = kind
		fmt.Sscan(bits, &o.bits)
		f.args = append(f.args, o)
	}
	words := strings.Split(f.spelling, ".")
	switch words[0] {
	case "add", "sub", "mul":
		float := slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, "f16") || w == "f32" || w == "f64" })
		rounded := slices.ContainsFunc(words, func(w string) bool { return w == "rn" || w == "rz" || w == "rm" || w == "rp" })
		f.loose = float && !rounded
	}
	return f
}

// most is the number of forms that one row gives to the list.
const most = 40

// ListForms makes the list of forms of the rows that sm_90 and PTX 9.0 have, as
// testdata/forms.txt holds it.
func ListForms() string {
	var b strings.Builder
	r := random(1)
	ops.Rows(func(op *isa.Op) {
		if op.SM > 90 || op.Since > 90 || op.Flow != isa.Next || !listed(op) {
			return
		}
		var lines []string
		ops.Spellings(op, func(string) bool { return true }, func(f *isa.Form, args []ops.Arg) {
			if line := formLine(f, args); line != "" {
				lines = append(lines, line)
			}
		})
		for len(lines) > most {
			i := r.below(len(lines))
			lines = slices.Delete(lines, i, i+1)
		}
		for _, line := range lines {
			b.WriteString(line)
		}
	})
	return b.String()
}

// opaque lists instructions on registers whose results depend on the machine.
var opaque = map[string]bool{"isspacep": true, "cvta": true, "mapa": true, "getctarank": true, "createpolicy": true, "mbarrier": true, "vote": true, "activemask": true}

func listed(op *isa.Op) bool {
	switch op.Unit {
	case isa.LSU, isa.Tensor, isa.Branch, isa.Tex:
		return false
	}
	return !opaque[op.Name]
}

// formLine describes a form; "" for one with operands that the generator does
// not make.
func formLine(f *isa.Form, args []ops.Arg) string {
	words := append([]string{f.Op.Name}, f.Mods...)
	for _, t := range f.Types {
		words = append(words, t.String())
	}
	section := strings.Split(f.Op.Doc, ".")
	line := strings.Join(section[:3], ".") + " " + strings.Join(words, ".")
	for i, a := range args {
		t := a.Type(f)
		bits := t.Bits()
		switch a.Role {
		case "d", "d|p", "a", "b", "c", "m", "d.", "a.", "b.", "c.", "V":
		case "p", "p|q", "s", "t":
			t, bits = isa.Pred, 1
		case "i":
			t, bits = isa.B32, 32
		default:
			return ""
		}
		if bits == 8 && f.Op.Wider {
			bits = 32
		}
		if bits != 1 && bits != 16 && bits != 32 && bits != 64 {
			return ""
		}
		role := a.Role
		if role == "V" && i == 0 {
			role = "W" // a list of results
		}
		if role == "V" && bits < 32 || role == "W" && bits < 32 {
			return ""
		}
		if f.Op.Wider && bits > 1 && t.Kind() != isa.Float {
			role += "+"
		}
		line += fmt.Sprintf(" %s:%s/%d", role, t, bits)
	}
	return line + "\n"
}
