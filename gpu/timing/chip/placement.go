package chip

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Placement chooses the SM of a CTA. SMs that can take it are offered one after
// another, from the one after the SM that got the last CTA on; Better reports that
// SM n is to be preferred to the best before it, and Any that the first will do.
type Placement interface {
	Better(v *Residents, n, best int) bool
	Any() bool
}

// Residents tells a Placement what SMs hold.
type Residents struct{ rooms []room }

// CTAs is the number of CTAs on SM n, as far as the distributor knows.
func (v *Residents) CTAs(n int) int { return v.rooms[n].CTAs() }

// placements are the registered policies, by name.
var placements = map[string]Placement{}

// RegisterPlacement adds a policy under a name. It is called from init functions.
func RegisterPlacement(name string, p Placement) { placements[name] = p }

// Placements lists the registered names.
func Placements() []string { return slices.Sorted(maps.Keys(placements)) }

// placement is the policy that a configuration names.
func (c *Config) placement() (Placement, error) {
	p := placements[c.Launch.Placement]
	if p == nil {
		return nil, fmt.Errorf("unknown placement of CTAs %q; there are %s", c.Launch.Placement, strings.Join(Placements(), ", "))
	}
	return p, nil
}
