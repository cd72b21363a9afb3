package kit_test

import (
	"slices"
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

func TestAgendaRunsPartsWhenTheyAskAndOnlyOnce(t *testing.T) {
	a := kit.NewAgenda(100)
	a.Wake(70, 5)
	a.Wake(3, 5)
	a.Wake(70, 9)   // later than what it has: ignored
	a.Wake(9, 2000) // beyond the wheel's buckets
	a.Wake(9, 7)    // earlier: the first wish is stale
	type ran struct {
		at kit.Cycle
		i  int
	}
	var got []ran
	for a.Next() != kit.Never {
		now := a.Next()
		a.Run(now, func(i int) kit.Cycle {
			got = append(got, ran{now, i})
			if i == 3 && now < 7 {
				return now + 1
			}
			return kit.Never
		})
	}
	want := []ran{{5, 3}, {5, 70}, {6, 3}, {7, 3}, {7, 9}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestRatioNeverGoesBackInTime(t *testing.T) {
	to, back := kit.NewRatio(1980000, 1600500), kit.NewRatio(1600500, 1980000)
	for c := range kit.Cycle(10000) {
		if b := to.Begun(c); back.Following(b) > c {
			t.Fatalf("cycle %d: begun %d begins at %d", c, b, back.Following(b))
		}
		if f := to.Following(c); back.Begun(f) < c {
			t.Fatalf("cycle %d: following %d begins before it", c, f)
		}
	}
}
