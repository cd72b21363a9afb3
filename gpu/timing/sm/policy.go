package sm

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// Policy chooses which warp of a sub-core issues. Warps are numbered by their
// place in the sub-core; a set of them is a mask, bit i for warp i.
type Policy interface {
	// Pick chooses one of set, which is not empty, or -1 for none. If the one
	// chosen turns out not to be ready, Pick is asked again without it.
	Pick(v *View, set uint32) int
	// Issued tells that warp i has issued.
	Issued(v *View, i int)
}

// View is what a policy may know.
type View struct {
	Age    [32]uint32 // by warp: larger for those that came later
	Last   int        // issued last
	Memory uint32     // warps that wait for memory
	Parked uint32     // warps that wait for other warps
	Live   uint32     // warps that have not ended
}

// Youngest is the warp of set that came last.
func (v *View) Youngest(set uint32) int {
	best := bits.TrailingZeros32(set)
	for set &= set - 1; set != 0; set &= set - 1 {
		if i := bits.TrailingZeros32(set); v.Age[i] > v.Age[best] {
			best = i
		}
	}
	return best
}

// Oldest is the warp of set that came first.
func (v *View) Oldest(set uint32) int {
	best := bits.TrailingZeros32(set)
	for set &= set - 1; set != 0; set &= set - 1 {
		if i := bits.TrailingZeros32(set); v.Age[i] < v.Age[best] {
			best = i
		}
	}
	return best
}

// policies are the registered makers of policies, by name.
var policies = map[string]func(c *Config) Policy{}

// Register adds a policy under a name. It is called from init functions.
func Register(name string, create func(c *Config) Policy) { policies[name] = create }

// Policies lists the registered names.
func Policies() []string {
	names := make([]string, 0, len(policies))
	for n := range policies {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// newPolicy makes the policy that a configuration names.
func newPolicy(c *Config) (Policy, error) {
	create := policies[c.Issue.Policy]
	if create == nil {
		return nil, fmt.Errorf("unknown issue policy %q; there are %s", c.Issue.Policy, strings.Join(Policies(), ", "))
	}
	return create(c), nil
}
