package ops

import (
	"fmt"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// gate says what forms need beyond their row's Since and SM: those with one of
// the mnemonics and, for every group of tokens, one of its alternatives as
// modifier or type, or none if the group begins with an exclamation mark.
type gate struct {
	names, tokens string
	need
	until int // if not 0, the version of PTX, times ten, that lifts it
}

// need is a version of PTX, times ten, and a target.
type need struct {
	since, sm int
	only      string // if not empty, the targets with a suffix that have it
}

// gates is measured: TestGatesAgreeWithPtxas compares it with what ptxas says of
// every form of the table.
var gates = []gate{
	{"add addc sub subc mad madc", "cc u64|s64", need{since: 43, sm: 20}, 0},
	{"min max", "NaN", need{since: 70, sm: 80}, 0},
	{"min max", "xorsign", need{since: 72, sm: 86}, 0},
	{"min max", "relu s32", need{since: 80, sm: 90}, 0},

	{"atom red", "and|or|xor b64", need{since: 31, sm: 32}, 0},
	{"atom red", "min|max u64|s64", need{since: 31, sm: 32}, 0},
	{"atom red", "add f64", need{since: 50, sm: 60}, 0},
	{"atom red", "add f32", need{since: 20, sm: 20}, 0},
	{"atom red", "cta|gpu|sys|cluster", need{since: 50, sm: 60}, 0},
	{"atom", "cas b16", need{since: 63, sm: 70}, 0},
	{"atom", "b128", need{since: 83, sm: 90}, 0},
	{"atom red", "noftz f16", need{since: 63, sm: 70}, 0},
	{"atom red", "noftz bf16|bf16x2", need{since: 78, sm: 90}, 0},

	{"bar barrier", "cta", need{since: 78}, 0},
	{"barrier", "cluster acquire|release|relaxed", need{since: 80, sm: 90}, 0},
	{"fence", "cluster", need{since: 78, sm: 90}, 0},
	{"fence", "sync_restrict::shared::cta|sync_restrict::shared::cluster", need{since: 86, sm: 90}, 0},
	{"fence", "proxy async", need{since: 80, sm: 90}, 0},

	{"cvt", "satfinite f16|f16x2|bf16|bf16x2 f32", need{since: 81, sm: 70}, 0},
	{"cvt", "e4m3x2|e5m2x2", need{since: 78, sm: 90}, 81},
	{"cvt", "satfinite tf32", need{since: 81}, 0},
	{"cvt", "pack u2|s2|u4|s4", need{sm: 75}, 0},
	{"cvt", "satfinite relu f16|f16x2|bf16|bf16x2 f32", need{since: 81, sm: 80}, 0},
	{"cvt", "ftz f32 bf16", need{since: 78, sm: 90}, 0},
	{"cvt", "relu f16 f32", need{since: 70, sm: 80}, 0},

	{"cvta isspacep", "const", need{since: 31, sm: 20}, 0},
	{"cvta isspacep", "param", need{since: 77, sm: 70}, 0},
	{"ld st atom red cvta isspacep", "shared::cta", need{since: 78}, 0},
	{"ld st atom red cvta isspacep", "shared::cluster", need{since: 78, sm: 90}, 0},
	{"cp", "cta_group::1|cta_group::2|im2col::w::128|tile::scatter4", need{86, 100, tensorTargets}, 0},
	{"cp", "im2col::w|tile::gather4 shared::cluster|L2", need{86, 100, tensorTargets}, 0},
	{"cp", "async mbarrier shared::cta", need{since: 78, sm: 80}, 0},
	{"cvta isspacep", "param::entry", need{since: 83}, 0},
	{"ld", "param::entry|param::func", need{since: 83}, 0},
	{"st", "param::func", need{since: 83}, 0},
	{"ld st atom red", "relaxed|acquire|release|acq_rel|weak", need{since: 60, sm: 70}, 0},
	{"ld st atom red", "cluster", need{since: 78, sm: 90}, 0},
	{"ld st", "mmio", need{since: 82, sm: 70}, 0},
	{"ld st", "L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate", need{since: 74, sm: 70}, 0},
	{"ld", "L2::64B|L2::128B", need{since: 74, sm: 75}, 0},
	{"ld", "L2::256B", need{since: 74, sm: 80}, 0},
	{"ld st atom red", "L2::cache_hint", need{since: 74, sm: 80}, 0},
	{"ld st", "L2::evict_normal|L2::evict_first|L2::evict_last", need{since: 88, sm: 100}, 0},
	{"ld st", "b128", need{since: 83, sm: 70}, 0},
	{"ld st", "v8 b32|u32|s32|f32", need{since: 88, sm: 100}, 0},
	{"ld st", "v4 b64|u64|s64|f64", need{since: 88, sm: 100}, 0},
	{"ld", "nc", need{since: 31, sm: 32}, 0},
	{"ld st", "volatile", need{since: 11}, 0},
	{"tensormap", "replace", need{83, 90, replacingTargets}, 0},
	{"tensormap", "replace swizzle_atomicity", need{86, 100, matrixTargets}, 0},
	{"multimem", "acc::f32", need{since: 82, sm: 90}, 0},
	{"mov", "b128", need{since: 83, sm: 70}, 0},

	{"mbarrier", "shared::cta", need{since: 78}, 0},
	{"mbarrier", "acquire|release cta|cluster", need{since: 80}, 0},
	{"mbarrier", "cluster", need{since: 80, sm: 90}, 0},
	{"mbarrier", "shared::cluster", need{since: 80, sm: 90}, 0},
	{"mbarrier", "arrive|arrive_drop|test_wait|try_wait relaxed", need{since: 86, sm: 90}, 0},
	{"mbarrier", "try_wait", need{since: 78, sm: 90}, 0},

	{"mma", "m16n8k16|m16n8k32|m16n8k64|m16n8k128|m16n8k256", need{since: 70, sm: 80}, 0},
	{"mma", "m16n8k4|m16n8k8|m16n8k16 f64", need{since: 78, sm: 90}, 0},
	{"mma", "sp::ordered_metadata", need{since: 85}, 0},
	{"mma wmma", "and b1", need{since: 71, sm: 80}, 0},
	{"wmma", "aligned", need{since: 63}, 0},
	{"wmma", "m8n32k16|m32n8k16", need{since: 61}, 0},
	{"wgmma", "u8 s8", need{since: 84}, 0},

	{"pmevent", "mask", need{since: 30, sm: 20}, 0},
	{"prefetch", "L2::evict_last|L2::evict_normal", need{since: 74, sm: 80}, 0},
	{"prefetch", "tensormap", need{since: 80, sm: 90}, 0},

	{"tex", "f16|f16x2", need{since: 42, sm: 53}, 0},
	{"tex", "a1d|a2d", need{since: 23, sm: 20}, 0},
	{"tex", "cube|acube", need{since: 30, sm: 20}, 0},
	{"tex", "2dms|a2dms", need{since: 32, sm: 30}, 0},
	{"tld4", "a2d|cube|acube", need{since: 43, sm: 30}, 0},
}

// Needs is the version of PTX, times ten, and the target that a form needs in a
// module of a version; only, if not empty, lists the targets with a suffix that
// have it.
func Needs(form *isa.Form, version int) (since, sm int, only string) {
	since, sm, only = form.Op.Since, form.Op.SM, form.Op.Only
	for i := range gates {
		g := &gates[i]
		if g.until != 0 && version >= g.until || !g.applies(form) {
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
	if !contains(g.names, form.Op.Name, ' ') {
		return false
	}
	for group := range strings.FieldsSeq(g.tokens) {
		group, none := strings.CutPrefix(group, "!")
		found := false
		for _, m := range form.Mods {
			found = found || contains(group, m, '|')
		}
		for _, t := range form.Types {
			found = found || contains(group, t.String(), '|')
		}
		if found == none {
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
	since, sm, only := Needs(form, version)
	if what := (need{since, sm, only}).missing(version, target); what != "" {
		return what
	}
	switch {
	case version >= 64 && target.SM >= 70 && (form.Op.Name == "shfl" || form.Op.Name == "vote") && !form.Has("sync"):
		return "without .sync it is not part of PTX 6.4 for sm_70 and later"
	case version >= 63 && form.Op.Name == "wmma" && !form.Has("aligned"):
		return "without .aligned it is not part of PTX 6.3 and later"
	case version >= 65 && form.Op.Name == "wmma" && form.Has("satfinite") && form.Type(0).IsFloat():
		return ".satfinite of floating-point types is not part of PTX 6.5 and later"
	}
	return ""
}

// missing says what a module of a version, times ten, and a target lacks; "" if nothing.
func (n need) missing(version int, target Target) string {
	switch {
	case version < n.since:
		return fmt.Sprintf("it needs PTX %d.%d, the module has .version %d.%d", n.since/10, n.since%10, version/10, version%10)
	case n.only != "" && !target.within(n.only):
		return fmt.Sprintf("it needs .target sm_%s, the module has %s", strings.Join(words(n.only), ", sm_"), target)
	case target.SM < n.sm:
		return fmt.Sprintf("it needs .target sm_%d or higher, the module has %s", n.sm, target)
	}
	return ""
}
