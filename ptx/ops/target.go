package ops

import (
	"fmt"
	"strconv"
	"strings"
)

// Target is a GPU architecture as .target names it. A suffix opens features
// that plain targets lack: 'a' those of one architecture, 'f' those of a family.
type Target struct {
	SM     int
	Suffix byte // 0, 'a' or 'f'
}

// Newest is the target of a module that names none.
var Newest = Target{SM: 121, Suffix: 'a'}

// architectures are the targets of PTX ISA 9.4 (section 11.1.2) with the first
// version of PTX, times ten, that names each. An "a" or "f" behind a number is
// the version of that suffix.
var architectures = map[int]struct{ since, a, f int }{
	10: {since: 10}, 11: {since: 10}, 12: {since: 12}, 13: {since: 12}, 20: {since: 20}, 21: {since: 20}, 30: {since: 30}, 32: {since: 40}, 35: {since: 31}, 37: {since: 41},
	50: {since: 40}, 52: {since: 41}, 53: {since: 42}, 60: {since: 50}, 61: {since: 50}, 62: {since: 50}, 70: {since: 60}, 72: {since: 61}, 75: {since: 63},
	80: {since: 70}, 86: {since: 71}, 87: {since: 74}, 88: {since: 90}, 89: {since: 78}, 90: {since: 78, a: 80},
	100: {86, 86, 88}, 101: {86, 86, 88}, 103: {88, 88, 88}, 107: {94, 94, 94}, 110: {90, 90, 90}, 120: {87, 87, 88}, 121: {88, 88, 88},
}

// ParseTarget reads sm_90, sm_90a, compute_90 and the like.
func ParseTarget(name string) (Target, bool) {
	rest, ok := strings.CutPrefix(name, "sm_")
	if !ok {
		rest, ok = strings.CutPrefix(name, "compute_")
	}
	var t Target
	if n := len(rest) - 1; n > 0 && (rest[n] == 'a' || rest[n] == 'f') {
		t.Suffix, rest = rest[n], rest[:n]
	}
	sm, err := strconv.Atoi(rest)
	known, exists := architectures[sm]
	if !ok || err != nil || !exists || t.Suffix == 'a' && known.a == 0 || t.Suffix == 'f' && known.f == 0 {
		return Target{}, false
	}
	t.SM = sm
	return t, true
}

// Since is the version of PTX, times ten, that first names the target.
func (t Target) Since() int {
	switch known := architectures[t.SM]; t.Suffix {
	case 'a':
		return known.a
	case 'f':
		return known.f
	default:
		return known.since
	}
}

// String is the target's name.
func (t Target) String() string {
	if t.Suffix != 0 {
		return fmt.Sprintf("sm_%d%c", t.SM, t.Suffix)
	}
	return fmt.Sprintf("sm_%d", t.SM)
}

// family groups architectures that share the features of 'f' targets. sm_101
// is an older name of sm_110.
func family(sm int) int {
	if sm == 101 {
		return 11
	}
	return sm / 10
}

// Runs reports whether code for the target runs on a device.
func (t Target) Runs(device int) bool {
	switch t.Suffix {
	case 'a':
		return t.SM == device || t.SM == 101 && device == 110
	case 'f':
		return family(t.SM) == family(device) && t.SM <= device
	}
	return t.SM <= device
}

// within reports whether a module of this target may use what only the targets
// of a list have.
func (t Target) within(only string) bool {
	if t.SM == 101 {
		t.SM = 110
	}
	for _, name := range words(only) {
		n, _ := ParseTarget("sm_" + name)
		switch {
		case n.Suffix == 0 && t.SM >= n.SM:
			return true
		case n.Suffix == 'a' && t.Suffix == 'a' && t.SM == n.SM:
			return true
		case n.Suffix == 'f' && t.Suffix != 0 && family(t.SM) == family(n.SM) && t.SM >= n.SM:
			return true
		}
	}
	return false
}
