package cache

import (
	"fmt"
	"maps"
	"slices"
)

// Policy chooses victims in the sets of one cache.
type Policy interface {
	// Touch notes a hit.
	Touch(set, way int)
	// Fill notes that a line was put into a way.
	Fill(set, way int)
	// Victim names the way to empty, -1 if all are held. Held ways await data.
	Victim(set int, held func(set, way int) bool) int
}

// policies are the replacement policies by name.
var policies = map[string]func(sets, ways int, seed uint64) Policy{}

// Register makes a replacement policy known by its name.
func Register(name string, make func(sets, ways int, seed uint64) Policy) { policies[name] = make }

// Policies lists the names of the replacement policies.
func Policies() []string { return slices.Sorted(maps.Keys(policies)) }

func newPolicy(name string, sets, ways int, seed uint64) (Policy, error) {
	p := policies[name]
	if p == nil {
		return nil, fmt.Errorf("unknown replacement policy %q; there are %v", name, Policies())
	}
	return p(sets, ways, seed), nil
}
