package dram

import (
	"fmt"
	"maps"
	"slices"

	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

// Scheduler chooses the request of each bank that is served next.
type Scheduler interface {
	// Pick returns the index of a request of the bank, in the direction that
	// the channel serves, or -1 if the bank must wait.
	Pick(c *Channel, bank int, now kit.Cycle) int32
}

var schedulers = map[string]func(*Config) Scheduler{}

// Register makes a scheduler known by its name.
func Register(name string, make func(*Config) Scheduler) { schedulers[name] = make }

// Schedulers lists the names of the schedulers.
func Schedulers() []string { return slices.Sorted(maps.Keys(schedulers)) }

func newScheduler(c *Config) (Scheduler, error) {
	s := schedulers[c.Scheduler]
	if s == nil {
		return nil, fmt.Errorf("unknown scheduler %q; there are %v", c.Scheduler, Schedulers())
	}
	return s(c), nil
}
