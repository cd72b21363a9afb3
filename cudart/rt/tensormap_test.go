package rt_test

import (
	"testing"

	"github.com/lockstep-sim/lockstep/cudart/rt"
)

func TestTensorMapsAreThoseOfTheModel(t *testing.T) {
	for _, c := range []struct {
		model      string
		has, newer bool
	}{{"a100", false, false}, {"h200", true, false}, {"rtx5070ti", true, true}} {
		r, err := rt.New(rt.Config{Functional: true, Model: c.model, Devices: 1})
		if err != nil {
			t.Fatal(err)
		}
		newer, err := r.NewThread().TensorMaps()
		if (err == nil) != c.has || newer != c.newer {
			t.Errorf("%s: newer %v, %v; want maps %v, newer %v", c.model, newer, err, c.has, c.newer)
		}
	}
}
