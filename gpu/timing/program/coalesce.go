package program

import "github.com/lockstep-sim/lockstep/gpu/isa"

// move is a copy between registers that is spared if both can be the same.
type move struct {
	pc, to, from, rows int
}

// moveAt is the copy that instruction pc of f makes, if it makes one.
func moveAt(f *isa.Function, pc int) (m move, ok bool) {
	in := &f.Code[pc]
	if in.Op.Role != isa.Copies || in.Guard != isa.PT || in.GuardNot {
		return move{}, false
	}
	uses := f.Operands.Of(pc)
	if len(uses) != 2 || uses[0].Write == uses[1].Write || uses[0].Rows != uses[1].Rows {
		return move{}, false
	}
	d, s := uses[0], uses[1]
	if !d.Write {
		d, s = s, d
	}
	last := f.NumRegs - int(d.Rows)
	return move{pc, int(d.Reg), int(s.Reg), int(d.Rows)}, d.Reg >= 0 && s.Reg >= 0 && int(d.Reg) <= last && int(s.Reg) <= last
}

// moves are the copies of a function.
func moves(f *isa.Function) (all []move) {
	for pc := range f.Code {
		if m, ok := moveAt(f, pc); ok {
			all = append(all, m)
		}
	}
	return all
}

// coalesce gives for each row the one whose register it shares, which may be itself: rows that moves
// join and that never hold different values at a time.
func coalesce(f *isa.Function, x *fusion, graph []block) []int32 {
	same := make([]int32, f.NumRegs)
	for r := range same {
		same[r] = int32(r)
	}
	all := moves(f)
	if len(all) == 0 {
		return same
	}
	c := &coalescer{same: same, index: map[int]int{}, joined: joined(f)}
	for _, m := range all {
		for i := range m.rows {
			c.add(m.to + i)
			c.add(m.from + i)
		}
	}
	c.interfere(f, x, graph, all)
	for i := range all {
		c.join(&all[i])
	}
	return same
}

type coalescer struct {
	same   []int32
	joined []bool      // with the row above
	index  map[int]int // of the rows that moves name
	rows   []int       // by index
	meets  []set       // by index: those that hold another value at the same time
	group  [][]int     // by index of a root: all that share it
}

func (c *coalescer) add(row int) {
	if _, ok := c.index[row]; !ok {
		c.index[row] = len(c.rows)
		c.rows = append(c.rows, row)
	}
}

// interfere finds out which rows hold different values at a time.
func (c *coalescer) interfere(f *isa.Function, x *fusion, graph []block, all []move) {
	n := len(c.rows)
	c.meets, c.group = make([]set, n), make([][]int, n)
	for i := range c.meets {
		c.meets[i], c.group[i] = newSet(n), []int{i}
	}
	copies := map[int]*move{}
	for i := range all {
		copies[all[i].pc] = &all[i]
	}
	var t touch
	for i := range graph {
		b, live := &graph[i], newSet(n)
		for k, row := range c.rows {
			if b.out.has(resource(row)) {
				live.add(resource(k))
			}
		}
		for pc := b.end - 1; pc >= b.first; pc-- {
			x.touches(f, pc, &t)
			c.step(live, &t, copies[pc])
		}
	}
}

// step goes back over an instruction, a move perhaps, from what is live behind it to what is before.
func (c *coalescer) step(live set, t *touch, m *move) {
	for _, w := range t.writes {
		k, ok := c.index[int(w)]
		if !ok {
			continue
		}
		source := -1
		if m != nil {
			source = c.index[m.from+int(w)-m.to]
		}
		live.all(func(r resource) {
			if int(r) != k && int(r) != source {
				c.meets[k].add(r)
				c.meets[r].add(resource(k))
			}
		})
	}
	if t.kills {
		for _, w := range t.writes {
			if k, ok := c.index[int(w)]; ok {
				live.remove(resource(k))
			}
		}
	}
	for _, r := range t.reads {
		if k, ok := c.index[int(r)]; ok {
			live.add(resource(k))
		}
	}
}

// join lets the sides of a move share registers, if they can.
func (c *coalescer) join(m *move) {
	to, from := int(c.same[m.to]), int(c.same[m.from])
	if to == from {
		return
	}
	if !c.alone(to, m.rows) { // a part of a vector stays one, so the other side must follow
		to, from = from, to
		if !c.alone(to, m.rows) {
			return
		}
	}
	for i := range m.rows {
		if c.same[m.to+i] != c.same[m.to]+int32(i) || c.same[m.from+i] != c.same[m.from]+int32(i) || c.conflict(to+i, from+i) {
			return
		}
	}
	for i := range m.rows {
		a, b := c.index[to+i], c.index[from+i]
		for _, k := range c.group[a] {
			c.same[c.rows[k]] = int32(from + i)
		}
		c.group[b] = append(c.group[b], c.group[a]...)
	}
}

// alone reports that rows [r, r+n) have registers that no wider operand asks to lie beside others.
func (c *coalescer) alone(r, n int) bool {
	if r > 0 && c.joined[r-1] || c.joined[r+n-1] {
		return false
	}
	for i := range n - 1 {
		if !c.joined[r+i] {
			return false
		}
	}
	return true
}

// conflict reports that two roots share rows that hold different values at a time.
func (c *coalescer) conflict(x, y int) bool {
	for _, i := range c.group[c.index[x]] {
		for _, j := range c.group[c.index[y]] {
			if c.meets[i].has(resource(j)) {
				return true
			}
		}
	}
	return false
}
