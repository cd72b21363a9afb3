package ops

import "strings"

// vocabulary names sets of alternative modifiers, so that rows read as the
// manual's syntax lines do.
var vocabulary = map[string][]string{
	"rnd":      words("rn rz rm rp"),
	"irnd":     words("rni rzi rmi rpi"),
	"cmp":      words("eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan"),
	"bcmp":     words("eq ne"),
	"scmp":     words("eq ne lt le gt ge"),
	"ucmp":     words("eq ne lt le gt ge lo ls hi hs"),
	"fcmp":     words("eq ne lt le gt ge equ neu ltu leu gtu geu num nan"),
	"test":     words("finite infinite number notanumber normal subnormal"),
	"bool":     words("and or xor"),
	"space":    words("global shared local const param shared::cta shared::cluster param::entry param::func"),
	"scope":    words("cta cluster gpu sys gl"),
	"sem":      words("weak volatile relaxed acquire release acq_rel sc mmio"),
	"cop":      words("ca cg cs lu cv wb wt"),
	"evict1":   words("L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate"),
	"evict2":   words("L2::evict_normal L2::evict_first L2::evict_last"),
	"prefetch": words("L2::64B L2::128B L2::256B"),
	"ahead":    words("prefetch"),
	"hint":     words("L2::cache_hint"),
	"vec":      words("v2 v4 v8"),
}

func words(s string) []string { return strings.Fields(s) }

// group is one modifier group of a row.
type group struct {
	alternatives []string
	optional     bool
	leading      bool // stands before the types
}

func (g group) has(m string) bool {
	for _, a := range g.alternatives {
		if a == m {
			return true
		}
	}
	return false
}

// parseGroups reads the Mods field of a row.
func parseGroups(mods string) []group {
	var groups []group
	for _, word := range words(mods) {
		g := group{}
		word, g.leading = strings.CutPrefix(word, "^")
		if strings.HasPrefix(word, "{") {
			g.optional = true
			word = strings.Trim(word, "{}")
		}
		for _, alternative := range strings.Split(word, "|") {
			if set, ok := vocabulary[alternative]; ok {
				g.alternatives = append(g.alternatives, set...)
			} else {
				g.alternatives = append(g.alternatives, alternative)
			}
		}
		groups = append(groups, g)
	}
	return groups
}
