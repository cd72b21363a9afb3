package stream_test

import (
	"testing"

	"github.com/lockstep-sim/lockstep/stream"
	"pgregory.net/rapid"
)

// ordering is the model: which earlier commands must be complete before a
// command may run, written from the documentation and without a graph.
type ordering struct {
	modes   []stream.Mode
	streams []int         // of each command
	extra   map[int][]int // commands waited for by events, by stream, from then on
	gates   [][]int       // of each command, those known when it was submitted
}

func (o *ordering) submit(s int) int {
	o.streams = append(o.streams, s)
	o.gates = append(o.gates, append([]int(nil), o.extra[s]...))
	return len(o.streams) - 1
}

// mustFollow reports whether command b may only run after command a.
func (o *ordering) mustFollow(b, a int) bool {
	if a >= b {
		return false
	}
	sa, sb := o.streams[a], o.streams[b]
	direct := sa == sb ||
		sa == 0 && o.modes[sb] == stream.Blocking ||
		sb == 0 && o.modes[sa] == stream.Blocking
	for _, g := range o.gates[b] {
		direct = direct || g == a
	}
	return direct
}

func TestStreamOrderAgreesWithTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		y := stream.NewSystem(nil)
		e := y.NewEngine()
		modes := []stream.Mode{stream.Blocking}
		streams := []*stream.Stream{e.Legacy()}
		for _, m := range rapid.SliceOfN(rapid.SampledFrom([]stream.Mode{stream.Blocking, stream.NonBlocking}), 1, 4).Draw(t, "modes") {
			modes = append(modes, m)
			streams = append(streams, e.NewStream(m, rapid.IntRange(-5, 0).Draw(t, "priority")))
		}
		o := &ordering{modes: modes, extra: map[int][]int{}}
		events := make([]stream.Event, 3)
		recorded := map[int]int{}
		tr := make(chan [2]int, 4096)
		pick := rapid.IntRange(0, len(streams)-1)
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			s := pick.Draw(t, "stream")
			ev := rapid.IntRange(0, 2).Draw(t, "event")
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				recorded[ev] = o.submit(s)
				streams[s].Record(&events[ev])
			case 1:
				if r, ok := recorded[ev]; ok {
					o.extra[s] = append(o.extra[s], r)
					o.submit(s)
					streams[s].Wait(&events[ev])
				}
			case 2:
				id := o.submit(s)
				streams[s].Submit(stream.HostFunc(func() { tr <- [2]int{id, 0}; tr <- [2]int{id, 1} }))
			default:
				id := o.submit(s)
				turns := rapid.IntRange(1, 4).Draw(t, "turns")
				streams[s].Submit(stream.Kernel(func() (stream.Grid, error) {
					tr <- [2]int{id, 0}
					return &grid{turns: turns, end: func() error { tr <- [2]int{id, 1}; return nil }}, nil
				}))
			}
		}
		if err := e.Synchronize(); err != nil {
			t.Fatal(err)
		}
		close(tr)
		began, ended := map[int]int{}, map[int]int{}
		at := 0
		for step := range tr {
			at++
			if step[1] == 0 {
				began[step[0]] = at
			} else {
				ended[step[0]] = at
			}
		}
		for b := range began {
			for a := range ended {
				if o.mustFollow(b, a) && began[b] < ended[a] {
					t.Fatalf("command %d of stream %d began before command %d of stream %d had ended", b, o.streams[b], a, o.streams[a])
				}
			}
		}
	})
}
