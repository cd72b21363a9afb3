package program

import (
	"slices"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// longest is the number of instructions that are ordered together.
const longest = 512

// lister is a list scheduler: of the instructions whose operands will be there soonest it takes the
// one that the end of the region waits for longest; where registers run out, one that frees some.
type lister struct {
	scheduler *Scheduler
	f         *isa.Function
	fusion    *fusion
	registers int // to keep to
	residues  []residue
	order     []int32        // instructions in their new order
	joined    map[int32]wide // by place in order: of the last of accesses that are one

	// Of the region at work, by number in it.
	nodes  []node
	memory []reach
	writer []int32   // by resource: the last that writes it, -1
	reader [][]int32 // by resource: those that read it since
	used   []resource

	left []int32 // by resource: readers that are not placed
	out  set     // resources that live behind the region
	live int     // general registers that hold a value
}

// node is an instruction of a region.
type node struct {
	touch
	pc      int
	wide            // of several that are one, which are
	with    []int32 // these, in the order of their addresses; else nil
	gone    bool    // has joined another
	latency int32
	after   []edge // those that must come later
	waits   int    // those that must come earlier and have not
	height  int32  // cycles from here to the end of the region
	ready   int32  // the cycle at which its operands are there
}

type edge struct {
	to     int32
	cycles int32
}

// reach is the memory that a node of a region reads or writes.
type reach struct {
	node    int32
	write   bool
	passes  bool // nobody writes what it reads
	space   isa.Space
	base    isa.Reg
	version int32 // the write that gave the base its value
	lo, hi  int64
	run     int  // number of changes between reading and writing its space before it
	alone   bool // does not join others
}

// meets reports that two accesses may touch the same bytes, one of them writing.
func (r *reach) meets(o *reach) bool {
	switch {
	case !r.write && !o.write, r.passes, o.passes:
		return false
	case r.space != o.space && known(r.space) && known(o.space):
		return false
	case r.space == o.space && r.base == o.base && r.version == o.version:
		return r.lo < o.hi && o.lo < r.hi
	}
	return true
}

// known reports that an access in a space touches no other. Generic addresses may lie anywhere, and
// frames in local memory.
func known(s isa.Space) bool { return s == isa.Global || s == isa.Shared }

func newLister(s *Scheduler, f *isa.Function, x *fusion, registers int) *lister {
	n := f.NumRegs + f.NumPreds
	l := &lister{scheduler: s, f: f, fusion: x, registers: registers, residues: residues(f), joined: map[int32]wide{}, writer: make([]int32, n), reader: make([][]int32, n), left: make([]int32, n)}
	for r := range l.writer {
		l.writer[r] = -1
	}
	return l
}

// region is a run of instructions [first, end) of a block, and what lives around it: of those that may
// change places, or one that keeps its own.
type region struct {
	first, end int
	pinned     bool
	in, out    set
}

// block orders the regions of a block.
func (l *lister) block(b *block) {
	all := l.divide(b)
	for i := range all {
		if r := &all[i]; r.pinned {
			l.order = append(l.order, int32(r.first))
		} else {
			l.region(r)
		}
	}
}

// divide finds the regions of a block.
func (l *lister) divide(b *block) (all []region) {
	add := func(first, end int, pinned bool) {
		if first < end {
			all = append(all, region{first: first, end: end, pinned: pinned})
		}
	}
	first := b.first
	for pc := b.first; pc < b.end; pc++ {
		if stop := pinned(l.f, pc); stop || pc-first == longest {
			add(first, pc, false)
			if first = pc; stop {
				add(pc, pc+1, true)
				first = pc + 1
			}
		}
	}
	add(first, b.end, false)
	live := slices.Clone(b.out)
	var t touch
	for i := len(all) - 1; i >= 0; i-- {
		r := &all[i]
		if !r.pinned {
			r.out = slices.Clone(live)
		}
		for pc := r.end - 1; pc >= r.first; pc-- {
			touches(l.f, pc, &t)
			t.before(live)
		}
		if !r.pinned {
			r.in = slices.Clone(live)
		}
	}
	return all
}

// region orders a region.
func (l *lister) region(r *region) {
	if r.end-r.first < 3 {
		for pc := r.first; pc < r.end; pc++ {
			l.order = append(l.order, int32(pc))
		}
		return
	}
	l.read(r.first, r.end)
	if l.scheduler.config.Join {
		l.join()
	}
	l.heights()
	l.out, l.live = r.out, 0
	r.in.all(func(r resource) {
		if int(r) < l.f.NumRegs {
			l.live++
		}
	})
	l.place()
	for _, r := range l.used {
		l.writer[r], l.reader[r], l.left[r] = -1, l.reader[r][:0], 0
	}
	l.used = l.used[:0]
}

// read makes the nodes of a region and their edges.
func (l *lister) read(first, end int) {
	l.nodes, l.memory = l.nodes[:0], l.memory[:0]
	for pc := first; pc < end; pc++ {
		i := int32(len(l.nodes))
		l.nodes = append(l.nodes, node{pc: pc, latency: l.scheduler.latency(l.f, l.fusion, pc)})
		n := &l.nodes[i]
		touches(l.f, pc, &n.touch)
		if !n.kills {
			n.reads = append(n.reads, n.writes...) // lanes that it leaves alone keep their values
		}
		l.access(i)
		for _, r := range n.reads {
			l.used = append(l.used, r)
			if w := l.writer[r]; w >= 0 {
				l.edge(w, i, l.nodes[w].latency)
			}
			l.reader[r] = append(l.reader[r], i)
			l.left[r]++
		}
		for _, r := range n.writes {
			l.used = append(l.used, r)
			if w := l.writer[r]; w >= 0 {
				l.edge(w, i, 1)
			}
			for _, q := range l.reader[r] {
				if q != i {
					l.edge(q, i, 1)
				}
			}
			l.writer[r], l.reader[r] = i, l.reader[r][:0]
		}
	}
}

// access adds the edges that node i has because of memory.
func (l *lister) access(i int32) {
	in := &l.f.Code[l.nodes[i].pc]
	k := kindOf(in.Op)
	if in.Op.Unit != isa.LSU || k != load && k != store || in.Space == isa.Const || in.Space == isa.Param {
		return
	}
	r := reach{node: i, write: k == store, passes: l.f.Operands.Moves(l.nodes[i].pc) == isa.PastStores, space: in.Space, base: in.A, version: -1, lo: in.Imm}
	if a := int(in.A); a >= 0 && a < l.f.NumRegs {
		r.version = l.writer[a]
	}
	if in.A < 0 && in.Space == isa.Shared {
		r.base, r.lo = -1, r.lo+int64(l.f.Consts[^in.A][0])
	}
	r.hi = r.lo + int64(in.Bytes)*int64(max(len(in.Vec), 1))
	r.alone = !wholeWords(l.f, l.nodes[i].pc) || in.A < 0 && in.Space != isa.Shared
	r.run = l.runs(&r)
	for j := range l.memory {
		if r.meets(&l.memory[j]) {
			l.edge(l.memory[j].node, i, 1)
		}
	}
	l.memory = append(l.memory, r)
}

// runs is the run of an access: it is another where the accesses before it to what may be the same
// space have changed between loads and stores.
func (l *lister) runs(r *reach) int {
	for j := len(l.memory) - 1; j >= 0; j-- {
		o := &l.memory[j]
		switch {
		case o.space != r.space && known(o.space) && known(r.space):
		case o.write != r.write || o.space != r.space:
			return o.run + 1
		default:
			return o.run
		}
	}
	return 0
}

func (l *lister) edge(from, to, cycles int32) {
	l.nodes[from].after = append(l.nodes[from].after, edge{to, cycles})
	l.nodes[to].waits++
}

// heights computes how long the end of the region waits for each node.
func (l *lister) heights() {
	for changed := true; changed; { // once, but for joined nodes, behind which earlier ones may come
		changed = false
		for i := len(l.nodes) - 1; i >= 0; i-- {
			n := &l.nodes[i]
			height := n.latency
			for _, e := range n.after {
				height = max(height, e.cycles+l.nodes[e.to].height)
			}
			changed = changed || height != n.height
			n.height = height
		}
	}
}

// place puts the nodes in order.
func (l *lister) place() {
	var ready []int32
	for i := range l.nodes {
		if l.nodes[i].waits == 0 && !l.nodes[i].gone {
			ready = append(ready, int32(i))
		}
	}
	for now := int32(0); len(ready) > 0; now++ {
		k := l.choose(ready, now)
		i := ready[k]
		ready[k] = ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		n := &l.nodes[i]
		now = max(now, n.ready)
		l.live += l.change(n)
		for _, r := range n.reads {
			l.left[r]--
		}
		l.put(n)
		for _, e := range n.after {
			m := &l.nodes[e.to]
			m.ready = max(m.ready, now+e.cycles)
			if m.waits--; m.waits == 0 {
				ready = append(ready, e.to)
			}
		}
	}
}

// put appends the instructions of a node to the order.
func (l *lister) put(n *node) {
	if n.with == nil {
		l.order = append(l.order, int32(n.pc))
		return
	}
	l.order = append(l.order, n.with...)
	l.joined[int32(len(l.order)-1)] = n.wide
}

// choose gives the place in ready of the node to be next.
func (l *lister) choose(ready []int32, now int32) int {
	tight := l.live+4 > l.registers
	best := 0
	for k := 1; k < len(ready); k++ {
		if l.better(&l.nodes[ready[k]], &l.nodes[ready[best]], now, tight) {
			best = k
		}
	}
	return best
}

// better reports that a should come before b. The text decides where nothing else does.
func (l *lister) better(a, b *node, now int32, tight bool) bool {
	if tight {
		if x, y := l.change(a), l.change(b); x != y {
			return x < y
		}
		return a.pc < b.pc
	}
	if x, y := max(a.ready, now), max(b.ready, now); x != y {
		return x < y
	}
	if a.height != b.height {
		return a.height > b.height
	}
	return a.pc < b.pc
}

// change is how many more registers hold a value once n is placed.
func (l *lister) change(n *node) (more int) {
	for i, r := range n.reads {
		if int(r) < l.f.NumRegs && l.left[r] == count(n.reads[:i+1], r) && !l.out.has(r) {
			more--
		}
	}
	if n.kills {
		for _, r := range n.writes {
			if int(r) < l.f.NumRegs && (l.left[r] > 0 || l.out.has(r)) {
				more++
			}
		}
	}
	return more
}

func count(in []resource, r resource) (n int32) {
	for _, x := range in {
		if x == r {
			n++
		}
	}
	return n
}
