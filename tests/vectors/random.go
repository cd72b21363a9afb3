package vectors

// random is a generator of operands: splitmix64, whose values depend on the
// seed alone, for ever.
type random uint64

// newRandom seeds a generator by name.
func newRandom(name string) *random {
	r := random(0xcbf29ce484222325)
	for _, c := range []byte(name) {
		r = (r ^ random(c)) * 0x100000001b3
	}
	return &r
}

// mix is the finalizer of splitmix64.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	return mix(uint64(*r))
}

// below is a number in [0, n).
func (r *random) below(n int) int { return int(r.next() >> 33 % uint64(n)) }

func (r *random) pick(from []uint64) uint64 { return from[r.below(len(from))] }
