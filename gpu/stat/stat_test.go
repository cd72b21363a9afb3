package stat_test

import (
	"testing"

	"github.com/lockstep-sim/lockstep/gpu/stat"
)

type cache struct {
	Hits  uint64    `stat:"hits" unit:"requests" doc:"Found."`
	Kinds [2]uint64 `stat:"kinds" of:"reads,writes" unit:"requests" doc:"By kind."`
	size  int
}

type total struct {
	L1   cache  `prefix:"l1."`
	L2   cache  `prefix:"l2."`
	Busy uint64 `stat:"busy" unit:"cycles" doc:"Busy."`
}

func TestCountersAreNamedByTheirTagsAndPointIntoTheStruct(t *testing.T) {
	v := total{L2: cache{Kinds: [2]uint64{3, 4}, size: 1}}
	want := []string{"l1.hits", "l1.kinds.reads", "l1.kinds.writes", "l2.hits", "l2.kinds.reads", "l2.kinds.writes", "busy"}
	counters := stat.List(&v)
	if len(counters) != len(want) {
		t.Fatalf("got %d counters, want %d", len(counters), len(want))
	}
	for i, c := range counters {
		if c.Name != want[i] || c.Unit == "" || c.Doc == "" {
			t.Errorf("counter %d is %+v, want the name %s", i, c, want[i])
		}
	}
	var sum total
	stat.Add(stat.List(&sum), counters)
	stat.Add(stat.List(&sum), counters)
	if sum.L2.Kinds != [2]uint64{6, 8} {
		t.Errorf("the sum is %+v", sum)
	}
	if got := stat.Values(counters, nil); got[4] != 3 || got[5] != 4 {
		t.Errorf("the values are %v", got)
	}
}
