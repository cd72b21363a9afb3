package parse

// symbolKind tells what a name in a function stands for.
type symbolKind uint8

const (
	noSymbol     symbolKind = iota
	regSymbol               // index in Body.RegDecls
	familySymbol            // a parameterised register: name is without the number
	varSymbol               // index in Body.Vars
	labelSymbol             // index in Body.Labels
	tableSymbol             // index in Body.Tables
)

// symbol is one declared name.
type symbol struct {
	name  string
	hash  uint32
	next  int32 // the symbol it hides or collides with, -1 for none
	scope int32
	index int32
	kind  symbolKind
}

// symbols is a stack of the names in scope with a hash table over it. Names are
// added and, when a block closes, dropped in stack order.
type symbols struct {
	stack   []symbol
	buckets []int32 // index of the newest symbol, -1 for none; a power of two long
}

// hashSeed and hashPrime are those of 32-bit FNV-1a.
const (
	hashSeed  = 2166136261
	hashPrime = 16777619
	// familyHash separates %r<n> from a plain %r.
	familyHash = 0x9e3779b9
)

func hashOf(name string) uint32 {
	h := uint32(hashSeed)
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * hashPrime
	}
	return h
}

func (s *symbols) reset() {
	s.drop(0)
	if s.buckets == nil {
		s.grow(256)
	}
}

func (s *symbols) grow(n int) {
	s.buckets = make([]int32, n)
	for i := range s.buckets {
		s.buckets[i] = -1
	}
	for i := range s.stack {
		b := s.bucket(s.stack[i].hash)
		s.stack[i].next, *b = *b, int32(i)
	}
}

func (s *symbols) bucket(hash uint32) *int32 {
	return &s.buckets[(hash^hash>>15)&uint32(len(s.buckets)-1)]
}

// add declares a name. It hides others of the same name and kind of hash.
func (s *symbols) add(y symbol) {
	if len(s.stack) >= len(s.buckets) {
		s.grow(2 * len(s.buckets))
	}
	b := s.bucket(y.hash)
	y.next = *b
	*b = int32(len(s.stack))
	s.stack = append(s.stack, y)
}

// drop forgets all names but the first n.
func (s *symbols) drop(n int) {
	for i := len(s.stack) - 1; i >= n; i-- {
		*s.bucket(s.stack[i].hash) = s.stack[i].next
	}
	clear(s.stack[n:])
	s.stack = s.stack[:n]
}

// find returns the innermost symbol of that name, nil when there is none.
func (s *symbols) find(name string, hash uint32) *symbol {
	return s.from(*s.bucket(hash), name, hash)
}

// outer returns the symbol that y hides, nil when there is none.
func (s *symbols) outer(y *symbol) *symbol { return s.from(y.next, y.name, y.hash) }

func (s *symbols) from(i int32, name string, hash uint32) *symbol {
	for ; i >= 0; i = s.stack[i].next {
		if y := &s.stack[i]; y.hash == hash && y.name == name {
			return y
		}
	}
	return nil
}

// stem returns where the digits at the end of a name start: the length of the
// declared part of a parameterised name such as %r12. As in ptxas all digits
// belong to the number, leading zeros too.
func stem(name string) int {
	low := len(name)
	for low > 0 && name[low-1] >= '0' && name[low-1] <= '9' {
		low--
	}
	return low
}
