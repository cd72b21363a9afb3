package noc

import (
	"fmt"
	"maps"
	"slices"
)

// Arbiter matches free inputs with free outputs.
type Arbiter interface {
	// Match appends pairs to x.matched for one cycle. It may read x.wants, the
	// free inputs and the ready outputs, and must match only what is free.
	Match(x *Crossbar)
}

var arbiters = map[string]func(inputs, outputs int) Arbiter{}

// Register makes an arbiter known by its name.
func Register(name string, make func(inputs, outputs int) Arbiter) { arbiters[name] = make }

// Arbiters lists the names of the arbiters.
func Arbiters() []string { return slices.Sorted(maps.Keys(arbiters)) }

func newArbiter(name string, inputs, outputs int) (Arbiter, error) {
	a := arbiters[name]
	if a == nil {
		return nil, fmt.Errorf("unknown arbiter %q; there are %v", name, Arbiters())
	}
	return a(inputs, outputs), nil
}

// pair is an input and an output between which a packet moves.
type pair struct{ in, out int }
