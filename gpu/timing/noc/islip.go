package noc

func init() { Register("islip", newISLIP) }

// islip is iterative round-robin matching with slip: each output grants one
// input, each input accepts one output, and turns move on only when a grant of
// the first round is accepted.
type islip struct {
	grant   []int // next input, by output
	accept  []int // next output, by input
	grants  []set // outputs that granted, by input
	granted set   // inputs with a grant
}

func newISLIP(inputs, outputs int) Arbiter {
	a := &islip{grant: make([]int, outputs), accept: make([]int, inputs), granted: newSet(inputs)}
	for range inputs {
		a.grants = append(a.grants, newSet(outputs))
	}
	return a
}

func (a *islip) Match(x *Crossbar) {
	for round := range x.config.Iterations {
		for out := range x.ready.all {
			if in := x.wants[out].nextIn(x.free, a.grant[out]); in >= 0 {
				a.grants[in].add(out)
				a.granted.add(in)
			}
		}
		for in := range a.granted.all {
			out := a.grants[in].nextIn(a.grants[in], a.accept[in])
			x.match(in, out)
			if round == 0 {
				a.grant[out] = (in + 1) % len(a.accept)
				a.accept[in] = (out + 1) % len(a.grant)
			}
			clear(a.grants[in])
			a.granted.remove(in)
		}
	}
}
