package fuzz

// random is splitmix64, whose values depend on the seed alone, for ever.
type random uint64

// Mix is the finalizer of splitmix64. Memory that kernels work on begins as
// words Mix(0), Mix(1), ...
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	return Mix(uint64(*r))
}

// below is a number in [0, n).
func (r *random) below(n int) int { return int(r.next() >> 33 % uint64(n)) }

// in reports true once in n times.
func (r *random) in(n int) bool { return r.below(n) == 0 }

func pick[T any](r *random, from []T) T { return from[r.below(len(from))] }
