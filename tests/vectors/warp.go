package vectors

import (
	"fmt"
	"regexp"
	"strings"
)

// group is a set of lanes that take part in a warp instruction, and code that
// makes the others jump over it.
type group struct {
	name string
	mask uint32
}

var groups = []group{{"", 0xffffffff}, {"low half", 0xffff}, {"odd", 0xaaaaaaaa}, {"some", 0x00f0f30e}}

// among wraps an instruction so that only the lanes of a group execute it; MASK
// in its text is their mask.
func (g group) among(text string) string {
	text = strings.ReplaceAll(text, "MASK", fmt.Sprintf("%#x", g.mask))
	if g.mask == 0xffffffff {
		return text
	}
	return fmt.Sprintf("mov.u32 %%r1, %%laneid;\nshr.u32 %%r1, %#x, %%r1;\nand.b32 %%r1, %%r1, 1;\nsetp.eq.u32 %%p1, %%r1, 0;\n@%%p1 bra SKIP;\n%s\nSKIP:", g.mask, text)
}

const preset32, presetP = "mov.u32 %d0, 0x5a5a5a5a;\n", "setp.ne.u32 %d1, 0, 0;\n"

// warpForms are the kernels of instructions that look at other lanes.
func warpForms() []*Form {
	var all []*Form
	add := func(name, body string, results []int, sources ...Kind) {
		for _, g := range groups {
			f := &Form{Name: name, Sources: sources, Results: results, Threads: 2048, Body: g.among(body)}
			before := ""
			for d, bits := range results {
				if bits == 1 {
					before += fmt.Sprintf("setp.ne.u32 %%d%d, 0, 0;\n", d)
				} else {
					before += fmt.Sprintf("mov.u%d %%d%d, 0x5a5a5a5a;\n", bits, d)
				}
			}
			f.Body = before + f.Body
			if g.name != "" {
				f.Name += " " + g.name
			}
			all = append(all, f)
		}
	}
	for _, mode := range []string{"all", "any", "uni"} {
		add("vote.sync."+mode+".pred", "vote.sync."+mode+".pred %d0, %p2, MASK;", []int{1}, Members)
		all = presetVote(all)
		add("vote.sync."+mode+".pred negated", "vote.sync."+mode+".pred %d0, !%p2, MASK;", []int{1}, Members)
		all = presetVote(all)
	}
	add("vote.sync.ballot.b32", "vote.sync.ballot.b32 %d0, %s0, MASK;", []int{32}, Flag)
	for _, bits := range []int{32, 64} {
		kind := Few
		word := "mov.b64 %u1, {%s0, %s0};\n"
		body := word + fmt.Sprintf("match.sync.any.b%d %%d0, %s, MASK;", bits, wordOf(bits))
		add(fmt.Sprintf("match.sync.any.b%d", bits), body, []int{32}, kind)
		body = word + fmt.Sprintf("match.sync.all.b%d %%d0|%%d1, %s, MASK;", bits, wordOf(bits))
		add(fmt.Sprintf("match.sync.all.b%d", bits), body, []int{32, 1}, Members)
	}
	for _, form := range []string{"add.u32", "add.s32", "min.u32", "min.s32", "max.u32", "max.s32", "and.b32", "or.b32", "xor.b32"} {
		add("redux.sync."+form, "redux.sync."+form+" %d0, %s0, MASK;", []int{32}, "i32")
	}
	add("activemask.b32", "activemask.b32 %d0;", []int{32}, "i32")
	add("elect.sync", "elect.sync %d0|%d1, MASK;", []int{32, 1}, "i32")
	all = append(all, shuffleForms()...)
	return append(append(all, oldForms(all)...), registerForms()...)
}

// oldForms are votes and shuffles of the lanes that are there, from those that name
// them.
func oldForms(named []*Form) []*Form {
	var all []*Form
	for _, f := range named {
		if !strings.HasPrefix(f.Name, "vote.sync.") && !strings.HasPrefix(f.Name, "shfl.sync.") {
			continue
		}
		old := *f
		old.Old, old.Name = true, strings.Replace(f.Name, ".sync", "", 1)
		old.Body = namedLanes.ReplaceAllString(f.Body, "$1$2;")
		all = append(all, &old)
	}
	return all
}

// namedLanes are a vote or shuffle, its modifier and its mask.
var namedLanes = regexp.MustCompile(`(vote|shfl)\.sync(\.[^;]*), 0x[0-9a-f]+;`)

// registerForms give registers to other warps and take some again, over which the others
// keep their values.
func registerForms() []*Form {
	var all []*Form
	for _, n := range []int{24, 40, 112} {
		give, take := fmt.Sprintf("setmaxnreg.dec.sync.aligned.u32 %d", n), fmt.Sprintf("setmaxnreg.inc.sync.aligned.u32 %d", n+16)
		for _, name := range []string{give, take} {
			body := "not.b32 %r1, %s0;\n" + give + ";\nnot.b64 %u1, %s1;\n"
			if name == take {
				body += take + ";\n"
			}
			all = append(all, &Form{
				Name: name, Sources: []Kind{"i32", "i64"}, Results: []int{32, 64}, Threads: 1024,
				Entry: fmt.Sprintf(".maxnreg 128 .reqntid %d", Block), Body: body + "mov.b32 %d0, %r1;\nmov.b64 %d1, %u1;",
			})
		}
	}
	return all
}

// wordOf is the source of a match. Its kernels have one source of 32 bits; the
// 64-bit word repeats it.
func wordOf(bits int) string {
	if bits == 64 {
		return "%u1"
	}
	return "%s0"
}

// presetVote gives the last kernels the predicate that they vote on.
func presetVote(all []*Form) []*Form {
	for _, f := range all[len(all)-len(groups):] {
		f.Body = "setp.ne.u32 %p2, %s0, 0;\n" + f.Body
	}
	return all
}

// shuffleForms are the kernels of shfl. Lanes outside the group must not be
// read, so those with less than all lanes stay within segments.
func shuffleForms() []*Form {
	var all []*Form
	for _, mode := range []string{"up", "down", "bfly", "idx"} {
		all = append(all, &Form{
			Name:    "shfl.sync." + mode + ".b32",
			Sources: []Kind{"i32", Lane, Segment}, Results: []int{32, 1}, Threads: 4096,
			Body: "shfl.sync." + mode + ".b32 %d0|%d1, %s0, %s1, %s2, 0xffffffff;",
		}, &Form{
			Name:    "shfl.sync." + mode + ".b32 low half",
			Sources: []Kind{"i32", Lane}, Results: []int{32, 1}, Threads: 2048,
			Body: preset32 + presetP + groups[1].among("shfl.sync."+mode+".b32 %d0|%d1, %s0, %s1, "+map[string]string{"up": "0x1000"}[mode]+map[bool]string{true: "", false: "0x101f"}[mode == "up"]+", MASK;"),
		})
	}
	return all
}

// blockForms are the kernels of instructions that a whole CTA executes:
// reductions at a barrier, and atomic operations of all threads on one place,
// of which each thread stores what they leave.
func blockForms() []*Form {
	var all []*Form
	for _, name := range []string{"bar.red", "barrier.cta.red"} {
		all = append(all,
			&Form{Name: name + ".popc.u32", Sources: []Kind{Flag}, Results: []int{32}, Threads: 1024, Body: name + ".popc.u32 %d0, 1, %s0;"},
			&Form{Name: name + ".popc.u32 negated", Sources: []Kind{Flag}, Results: []int{32}, Threads: 1024, Body: name + ".popc.u32 %d0, 1, !%s0;"},
			&Form{Name: name + ".and.pred", Sources: []Kind{Members}, Results: []int{1}, Threads: 1024, Body: "setp.ne.u32 %p2, %s0, 7;\n" + name + ".and.pred %d0, 2, %p2;"},
			&Form{Name: name + ".or.pred", Sources: []Kind{Members}, Results: []int{1}, Threads: 1024, Body: "setp.eq.u32 %p2, %s0, 7;\n" + name + ".or.pred %d0, 3, %p2;"})
	}
	for _, space := range []string{"shared", "global"} {
		for _, op := range []string{"add.u32", "add.s32", "add.u64", "min.u32", "max.u32", "min.s32", "max.s32", "min.u64", "max.u64", "min.s64", "max.s64",
			"and.b32", "or.b32", "xor.b32", "and.b64", "or.b64", "xor.b64", "inc.u32", "dec.u32"} {
			all = append(all, contended(space, op))
		}
	}
	return all
}

func contended(space, op string) *Form {
	bits, kind, limit := 32, Kind("i32"), "%s0"
	switch {
	case strings.HasSuffix(op, "64"):
		bits, kind, limit = 64, "i64", "%s0"
	case strings.HasPrefix(op, "inc"), strings.HasPrefix(op, "dec"):
		limit = "50" // one for all, so that their order does not matter
	}
	place := "mov.u64 %u0, sh;"
	if space == "global" {
		place = "mov.u32 %r1, %ctaid.x;\nmov.u64 %u0, gl;\nmad.wide.u32 %u0, %r1, 64, %u0;"
	}
	return &Form{
		Name: "red." + space + "." + op + " by all", Sources: []Kind{kind}, Results: []int{bits}, Threads: 2048,
		Body: fmt.Sprintf("%s\nmov.u%d %%d0, 0x5a5a5a;\nst.%s.b%d [%%u0], %%d0;\nbar.sync 0;\nred.%s.%s [%%u0], %s;\nbar.sync 0;\nld.%s.b%d %%d0, [%%u0];",
			place, bits, space, bits, space, op, limit, space, bits),
	}
}

// tableForms are kernels that run through all tables of an instruction and
// store a hash of the results.
func tableForms() []*Form {
	var body strings.Builder
	body.WriteString("mov.u32 %d0, 0;\n")
	for table := range 256 {
		fmt.Fprintf(&body, "lop3.b32 %%r1, %%s0, %%s1, %%s2, %d;\nmul.lo.u32 %%d0, %%d0, 0x01000193;\nxor.b32 %%d0, %%d0, %%r1;\n", table)
	}
	all := []*Form{{Name: "lop3.b32 all tables", Sources: []Kind{"i32", "i32", "i32"}, Results: []int{32}, Threads: 1024, Body: body.String()}}
	for _, mode := range []string{"", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"} {
		text := "mov.u32 %d0, 0;\nmov.u32 %r2, 0;\nLOOP:\n" +
			"prmt.b32" + mode + " %r1, %s0, %s1, %r2;\nmul.lo.u32 %d0, %d0, 0x01000193;\nxor.b32 %d0, %d0, %r1;\n" +
			"add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, " + map[bool]string{true: "65536", false: "8"}[mode == ""] + ";\n@%p1 bra LOOP;"
		all = append(all, &Form{Name: "prmt.b32" + mode + " all selectors", Sources: []Kind{"i32", "i32"}, Results: []int{32}, Threads: Block, Body: text})
	}
	return all
}
