package mem

// freeSet holds disjoint free ranges of addresses and serves them address-ordered first fit. It is
// a treap keyed by address whose nodes know the largest range below them: every operation takes
// O(log n). Priorities are a hash of the address, so that layouts do not depend on chance.
type freeSet struct {
	root  *node
	spare *node // recycled nodes, linked by left
	fence uint64
}

type node struct {
	lo, hi      uint64
	largest     uint64 // size of the largest range in this subtree
	left, right *node
	prio        uint64
}

// newFreeSet makes an empty set. Ranges do not coalesce across multiples of fence; 0 is no fence.
func newFreeSet(fence uint64) *freeSet { return &freeSet{fence: fence} }

// take removes size bytes at a multiple of align and reports where. Both are multiples of the
// granule of the ranges; align is a power of two.
func (f *freeSet) take(size, align uint64) (uint64, bool) {
	n := f.root.first(size)
	if n != nil && roundUp(n.lo, align)+size > n.hi {
		n = f.root.first(size + align - 1)
	}
	if n == nil {
		return 0, false
	}
	lo, hi := n.lo, n.hi
	at := roundUp(lo, align)
	f.remove(lo)
	f.insert(lo, at)
	f.insert(at+size, hi)
	return at, true
}

// takeAt removes size bytes at an address and reports whether all of them were free.
func (f *freeSet) takeAt(lo, size uint64) bool {
	hi := lo + size
	n := f.root.before(lo + 1)
	if n == nil || hi < lo || n.hi < hi {
		return false
	}
	free := *n
	f.remove(free.lo)
	f.insert(free.lo, lo)
	f.insert(hi, free.hi)
	return true
}

// give adds a range, joined with its free neighbours, and returns the joined range.
func (f *freeSet) give(lo, hi uint64) (uint64, uint64) {
	if !f.fenced(lo) {
		if n := f.root.before(lo); n != nil && n.hi == lo {
			lo = n.lo
			f.remove(n.lo)
		}
	}
	if !f.fenced(hi) {
		if n := f.root.at(hi); n != nil {
			hi = n.hi
			f.remove(n.lo)
		}
	}
	f.insert(lo, hi)
	return lo, hi
}

func (f *freeSet) fenced(addr uint64) bool { return f.fence != 0 && addr%f.fence == 0 }

// insert adds a range as it is; an empty one is ignored.
func (f *freeSet) insert(lo, hi uint64) {
	if lo == hi {
		return
	}
	n := f.spare
	if n == nil {
		n = new(node)
	} else {
		f.spare = n.left
	}
	*n = node{lo: lo, hi: hi, prio: mix(lo)}
	n.update()
	f.root = f.root.insert(n)
}

// remove takes out the range that starts at lo.
func (f *freeSet) remove(lo uint64) {
	var gone *node
	f.root, gone = f.root.remove(lo)
	if gone != nil {
		*gone = node{left: f.spare}
		f.spare = gone
	}
}

func (n *node) size() uint64 {
	if n == nil {
		return 0
	}
	return n.largest
}

func (n *node) update() {
	n.largest = max(n.hi-n.lo, n.left.size(), n.right.size())
}

// first is the range of lowest address that holds size bytes.
func (n *node) first(size uint64) *node {
	if n.size() < size {
		return nil
	}
	for {
		switch {
		case n.left.size() >= size:
			n = n.left
		case n.hi-n.lo >= size:
			return n
		default:
			n = n.right
		}
	}
}

// before is the range with the highest start below addr.
func (n *node) before(addr uint64) *node {
	var best *node
	for n != nil {
		if n.lo < addr {
			best, n = n, n.right
		} else {
			n = n.left
		}
	}
	return best
}

// at is the range that starts at addr.
func (n *node) at(addr uint64) *node {
	for n != nil && n.lo != addr {
		if addr < n.lo {
			n = n.left
		} else {
			n = n.right
		}
	}
	return n
}

func (n *node) insert(x *node) *node {
	if n == nil {
		return x
	}
	if x.prio > n.prio {
		x.left, x.right = n.split(x.lo)
		x.update()
		return x
	}
	if x.lo < n.lo {
		n.left = n.left.insert(x)
	} else {
		n.right = n.right.insert(x)
	}
	n.update()
	return n
}

// split parts the subtree into ranges below addr and the others.
func (n *node) split(addr uint64) (below, above *node) {
	if n == nil {
		return nil, nil
	}
	if n.lo < addr {
		n.right, above = n.right.split(addr)
		n.update()
		return n, above
	}
	below, n.left = n.left.split(addr)
	n.update()
	return below, n
}

func (n *node) remove(lo uint64) (rest, gone *node) {
	switch {
	case n == nil:
		return nil, nil
	case lo == n.lo:
		return join(n.left, n.right), n
	case lo < n.lo:
		n.left, gone = n.left.remove(lo)
	default:
		n.right, gone = n.right.remove(lo)
	}
	n.update()
	return n, gone
}

// join merges two subtrees, all of a below all of b.
func join(a, b *node) *node {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.prio > b.prio:
		a.right = join(a.right, b)
		a.update()
		return a
	}
	b.left = join(a, b.left)
	b.update()
	return b
}

// mix is a bijective hash (the finaliser of splitmix64).
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

func roundUp(x, align uint64) uint64 { return (x + align - 1) &^ (align - 1) }
