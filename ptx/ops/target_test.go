package ops

import "testing"

// sm_101 became sm_110.
func TestTheOldNameOfATargetHasItsFeatures(t *testing.T) {
	for _, c := range []struct {
		name, only string
		want       bool
	}{
		{"sm_101a", "100a 110a", true}, {"sm_101f", "110f", true}, {"sm_101a", "110f", true}, {"sm_101", "110a", false},
		{"sm_101a", "100a", false}, {"sm_101a", "100f", false}, {"sm_110a", "110a", true},
	} {
		target, ok := ParseTarget(c.name)
		if !ok {
			t.Fatalf("%s is no target", c.name)
		}
		if got := target.within(c.only); got != c.want {
			t.Errorf("%s is within %s: %t", c.name, c.only, got)
		}
	}
}
