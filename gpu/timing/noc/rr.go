package noc

func init() { Register("rr", newRoundRobin) }

// roundRobin lets the outputs choose one after another, each the next input in
// turn. The output that begins changes every cycle.
type roundRobin struct {
	first int   // output
	turn  []int // next input, by output
}

func newRoundRobin(_, outputs int) Arbiter { return &roundRobin{turn: make([]int, outputs)} }

func (a *roundRobin) Match(x *Crossbar) {
	for out := range x.ready.all {
		if out >= a.first {
			a.choose(x, out)
		}
	}
	for out := range x.ready.all {
		if out < a.first {
			a.choose(x, out)
		}
	}
	a.first = (a.first + 1) % len(a.turn)
}

func (a *roundRobin) choose(x *Crossbar, out int) {
	if in := x.wants[out].nextIn(x.free, a.turn[out]); in >= 0 {
		x.match(in, out)
		a.turn[out] = (in + 1) % len(x.inputs)
	}
}
