package ops

import (
	"fmt"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// gate says what forms need beyond their row's Since and SM: those with one of
// the mnemonics (any, if none is named), and, for every group of tokens, one of
// its alternatives as modifier or type.
type gate struct {
	names, tokens string
	need
}

// need is a version of PTX, times ten, and a target.
type need struct {
	since, sm int
	only      string // if not empty, the targets with a suffix that have it
}

// gates is measured: TestGatesAgreeWithPtxas compares it with what ptxas says of
// every form of the table.
var gates = []gate{
	{"add addc sub subc mad madc", "cc u64|s64", need{since: 43, sm: 20}},
	{"addc subc madc", "u64|s64", need{since: 43, sm: 20}},
	{"min max", "NaN", need{since: 70, sm: 80}},
	{"min max", "xorsign", need{since: 72, sm: 86}},
	{"min max", "relu s32", need{since: 80, sm: 90}},

	{"atom red", "and|or|xor|exch|cas b64", need{since: 31, sm: 32}},
	{"atom red", "min|max u64|s64", need{since: 31, sm: 32}},
	{"atom red", "add f64", need{since: 50, sm: 60}},
	{"atom red", "add f32", need{since: 20, sm: 20}},
	{"atom red", "cta|gpu|sys|cluster", need{since: 50, sm: 60}},
	{"atom", "cas b16", need{since: 63, sm: 70}},
	{"atom", "b128", need{since: 83, sm: 90}},
	{"atom red", "noftz f16", need{since: 63, sm: 70}},
	{"atom red", "noftz bf16|bf16x2", need{since: 78, sm: 90}},

	{"bar barrier", "cta", need{since: 78}},
	{"barrier", "cluster acquire|release|relaxed", need{since: 80, sm: 90}},
	{"fence", "cluster", need{since: 78, sm: 90}},
	{"fence membar", "proxy async", need{since: 80, sm: 90}},
	{"fence", "acquire|release", need{since: 86, sm: 90}},

	{"cvt", "satfinite f16|f16x2|bf16|bf16x2 f32", need{since: 81}},
	{"cvt", "satfinite relu f16|f16x2|bf16|bf16x2 f32", need{since: 81, sm: 80}},
	{"cvt", "relu f16 f32", need{since: 70, sm: 80}},
	{"set", "f16|f16x2 u16|s16|u32|s32", need{since: 65, sm: 53}},

	{"cvta isspacep", "const", need{since: 31, sm: 20}},
	{"cvta isspacep", "param", need{since: 77, sm: 70}},
	{"ld st atom red cvta isspacep", "shared::cta", need{since: 78}},
	{"ld st atom red cvta isspacep", "shared::cluster", need{since: 78, sm: 90}},
	{"cp", "async mbarrier shared::cta", need{since: 78, sm: 80}},
	{"ld", "param::entry|param::func", need{since: 83}},
	{"st", "param::func", need{since: 83}},
	{"ld st atom red", "relaxed|acquire|release|acq_rel|weak", need{since: 60, sm: 70}},
	{"ld st atom red", "cluster", need{since: 78, sm: 90}},
	{"ld st", "mmio", need{since: 82, sm: 70}},
	{"ld st", "L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate", need{since: 74, sm: 70}},
	{"ld", "L2::64B|L2::128B", need{since: 74, sm: 75}},
	{"ld", "L2::256B", need{since: 74, sm: 80}},
	{"ld st atom red", "L2::cache_hint", need{since: 74, sm: 80}},
	{"ld st", "L2::evict_normal|L2::evict_first|L2::evict_last", need{since: 88, sm: 100}},
	{"ld st", "b128", need{since: 83, sm: 70}},
	{"ld st", "v8", need{since: 88, sm: 100}},
	{"ld st", "v4 b64|u64|s64|f64", need{since: 88, sm: 100}},
	{"ld", "nc", need{since: 31, sm: 32}},
	{"ld st", "volatile", need{since: 11}},
	{"mov", "b128", need{since: 83, sm: 70}},

	{"mbarrier", "shared::cta", need{since: 78}},
	{"mbarrier", "acquire|release cta|cluster", need{since: 80}},
	{"mbarrier", "cluster", need{since: 80, sm: 90}},
	{"mbarrier", "shared::cluster", need{since: 80, sm: 90}},
	{"mbarrier", "relaxed", need{since: 86, sm: 90}},
	{"mbarrier", "try_wait", need{since: 78, sm: 90}},

	{"pmevent", "mask", need{since: 30, sm: 20}},
	{"prefetch", "L2::evict_last|L2::evict_normal", need{since: 74, sm: 80}},
	{"prefetch", "tensormap", need{since: 80, sm: 90}},

	{"tex", "f16|f16x2", need{since: 42, sm: 53}},
	{"tex", "a1d|a2d", need{since: 23, sm: 20}},
	{"tex", "cube|acube", need{since: 30, sm: 20}},
	{"tex", "2dms|a2dms", need{since: 32, sm: 30}},
	{"tld4", "a2d|cube|acube", need{since: 43, sm: 30}},
}

// Needs is the version of PTX, times ten, and the target that a form needs; only,
// if not empty, lists the targets with a suffix that have it.
func Needs(form *isa.Form) (since, sm int, only string) {
	since, sm, only = form.Op.Since, form.Op.SM, form.Op.Only
	for i := range gates {
		g := &gates[i]
		if !g.applies(form) {
			continue
		}
		since, sm = max(since, g.since), max(sm, g.sm)
		if g.only != "" {
			only = g.only
		}
	}
	return since, sm, only
}

func (g *gate) applies(form *isa.Form) bool {
	if g.names != "" && !contains(g.names, form.Op.Name, ' ') {
		return false
	}
	for group := range strings.FieldsSeq(g.tokens) {
		found := false
		for _, m := range form.Mods {
			found = found || contains(group, m, '|')
		}
		for _, t := range form.Types {
			found = found || contains(group, t.String(), '|')
		}
		if !found {
			return false
		}
	}
	return true
}

// contains reports whether word is one of a list.
func contains(list, word string, separator byte) bool {
	for list != "" {
		item := list
		if i := strings.IndexByte(list, separator); i >= 0 {
			item, list = list[:i], list[i+1:]
		} else {
			list = ""
		}
		if item == word {
			return true
		}
	}
	return false
}

// Missing says what a module of a version, times ten, and a target lacks for a
// form; "" if nothing.
func Missing(form *isa.Form, version int, target Target) string {
	since, sm, only := Needs(form)
	switch {
	case version < since:
		return fmt.Sprintf("it needs PTX %d.%d, the module has .version %d.%d", since/10, since%10, version/10, version%10)
	case only != "" && !target.within(only):
		return fmt.Sprintf("it needs .target sm_%s, the module has %s", strings.Join(words(only), ", sm_"), target)
	case target.SM < sm:
		return fmt.Sprintf("it needs .target sm_%d or higher, the module has %s", sm, target)
	case version >= 64 && target.SM >= 70 && (form.Op.Name == "shfl" || form.Op.Name == "vote") && !form.Has("sync"):
		return "without .sync it is not part of PTX 6.4 for sm_70 and later"
	}
	return ""
}
