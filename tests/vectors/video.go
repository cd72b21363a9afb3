package vectors

import (
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/ptx/ops"
)

// selectors are the ways in which video instructions select bytes and halves:
// of the destination, of a and of b.
var selectors = map[string][][3]string{
	"": { // scalar
		{"", "", ""}, {".b1", ".b2", ".h1"}, {".h1", ".h0", ".b3"}, {".b3", ".b0", ".b1"}, {".h0", ".h1", ".h0"},
	},
	"2": {{"", "", ""}, {".h0", ".h20", ".h31"}, {".h1", ".h13", ".h02"}, {".h10", ".h32", ".h10"}},
	"4": {{"", "", ""}, {".b0", ".b7654", ".b3210"}, {".b31", ".b0246", ".b7531"}, {".b210", ".b1111", ".b6070"}},
}

// videoForms are the kernels of a video instruction: without selectors, and
// with one choice of them that differs from form to form; of vmad also with
// negated operands.
func videoForms(form *isa.Form, args []ops.Arg) []*Form {
	width := strings.TrimLeft(form.Op.Name, "abcdefghijklmnopqrstuvwxyz")
	choices := selectors[width]
	turn := int(*newRandom(spelling(form))>>40)%(len(choices)-1) + 1
	all := []*Form{videoForm(form, args, choices[0], "", ""), videoForm(form, args, choices[turn], "selected", "")}
	if form.Op.Name == "vmad" && !form.Has("po") {
		all = append(all, videoForm(form, args, choices[0], "negated a", "a"), videoForm(form, args, choices[0], "negated c", "c"))
	}
	return all
}

func videoForm(form *isa.Form, args []ops.Arg, choice [3]string, name, negated string) *Form {
	b := newBuilder(form)
	for _, a := range args {
		sign := ""
		if negated != "" && strings.HasPrefix(a.Role, negated) {
			sign = "-"
		}
		switch a.Role {
		case "d":
			b.add(b.result(32))
		case "d.":
			dest := choice[0]
			if dest == "" && !strings.ContainsAny(form.Op.Name, "24") {
				dest = ".b0" // a merge names a part
			}
			b.add(b.result(32) + dest)
		case "a.":
			b.add(sign + b.source("i32") + choice[1])
		case "b.":
			b.add(sign + b.source("i32") + choice[2])
		default:
			b.add(sign + b.source("i32"))
		}
	}
	if args[0].Role == "d." && !strings.ContainsAny(form.Op.Name, "24") {
		name = strings.TrimSpace("merge " + name)
	}
	return b.finish(name, b.instruction())
}
