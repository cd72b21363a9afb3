package program

import (
	"slices"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// wide is an access that an assembler makes of several by neighbouring addresses. All but the last of
// them in the code execute before it, and take neither a place nor time.
type wide struct {
	members uint8
	bytes   uint8 // of a lane
	below   uint8 // from the lowest address to that of the last one
}

// join makes one node of accesses of a region that ptxas joins: loads or stores of whole words by a base
// and constants, aligned together as far as is known, with none of the other kind to the same space between them.
func (l *lister) join() {
	for i := range l.memory {
		if !l.joins(i, 16) {
			l.joins(i, 8)
		}
	}
}

// joins joins what lies in the same piece of memory of so many bytes as access i, if that is possible.
func (l *lister) joins(i int, bytes int64) bool {
	r := &l.memory[i]
	if r.alone || r.hi-r.lo >= bytes {
		return false
	}
	at := l.residue(r)
	if int64(1)<<at.known < bytes {
		return false
	}
	first := r.lo - int64(at.value)&(bytes-1)
	members, covered := l.piece(i, first, bytes)
	if !fills(covered, bytes, r.write) {
		return false
	}
	for a := range members {
		for b := range a {
			x, y := members[a].node, members[b].node
			if l.leads(x, y) || l.leads(y, x) {
				return false
			}
		}
	}
	l.merge(members, bytes)
	return true
}

// residue is what is known of the address at which an access begins.
func (l *lister) residue(r *reach) residue {
	base := constantResidue(0)
	if r.base >= 0 {
		base = l.residues[r.base]
	}
	if base == unseen {
		return anything
	}
	return base.plus(constantResidue(uint32(r.lo)))
}

// piece finds the accesses from i on that lie within bytes from first, and the bytes that they
// cover.
func (l *lister) piece(i int, first, bytes int64) (members []*reach, covered uint32) {
	r := &l.memory[i]
	for j := i; j < len(l.memory); j++ {
		o := &l.memory[j]
		if o.alone || o.write != r.write || o.space != r.space || o.base != r.base || o.version != r.version || o.run != r.run || o.lo < first || o.hi > first+bytes {
			continue
		}
		mask := uint32(1<<(o.hi-o.lo)-1) << (o.lo - first)
		if covered&mask != 0 {
			continue
		}
		members, covered = append(members, o), covered|mask
	}
	return members, covered
}

// fills reports that an access of so many bytes does for those that are covered: a load may read a word
// more.
func fills(covered uint32, bytes int64, write bool) bool {
	all := uint32(1<<bytes - 1)
	return covered == all || bytes == 16 && !write && covered == all>>4
}

// leads reports that node b must come after node a.
func (l *lister) leads(a, b int32) bool {
	seen, todo := newSet(len(l.nodes)), []int32{a}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range l.nodes[n].after {
			switch {
			case e.to == b:
				return true
			case !seen.has(resource(e.to)):
				seen.add(resource(e.to))
				todo = append(todo, e.to)
			}
		}
	}
	return false
}

// merge makes members, none of which waits for another, one node: the first one's.
func (l *lister) merge(members []*reach, bytes int64) {
	first := members[0].node
	n := &l.nodes[first]
	for _, m := range members[1:] {
		other := &l.nodes[m.node]
		n.reads, n.writes = append(n.reads, other.reads...), append(n.writes, other.writes...)
		n.after, n.waits = append(n.after, other.after...), n.waits+other.waits
		other.gone, other.waits, other.after, other.reads, other.writes = true, 0, nil, nil, nil
		for i := range l.nodes {
			for k := range l.nodes[i].after {
				if e := &l.nodes[i].after[k]; e.to == m.node {
					e.to = first
				}
			}
		}
	}
	slices.SortFunc(members, func(a, b *reach) int { return int(a.lo - b.lo) })
	last := members[len(members)-1]
	n.wide = wide{uint8(len(members)), uint8(bytes), uint8(last.lo - members[0].lo)}
	for _, m := range members {
		n.with = append(n.with, int32(l.nodes[m.node].pc))
		m.alone, m.node = true, first
	}
}

// wholeWords reports that elements of instruction pc are words, which alone are joined, and that it is made
// by all lanes alike.
func wholeWords(f *isa.Function, pc int) bool {
	in := &f.Code[pc]
	return in.Bytes >= 4 && in.Guard == isa.PT && !in.GuardNot
}

// joined lets the members of wide accesses be part of the last one, by whose place they are known.
func (x *fusion) joined(all map[int32]wide) {
	if len(all) == 0 {
		return
	}
	x.wide = make([]wide, len(x.free))
	for last, w := range all {
		x.wide[last] = w
		for pc := last - int32(w.members) + 1; pc < last; pc++ {
			x.free[pc] = true
		}
	}
}

// wideAt is the wide access whose last member is instruction pc; none has no members.
func (x *fusion) wideAt(pc int) (w wide) {
	if x.wide != nil {
		w = x.wide[pc]
	}
	return w
}
