package program

import (
	"math/bits"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// resource numbers what an instruction reads and writes: the rows of a frame,
// then its predicates.
type resource int32

// touch is what one instruction reads and writes.
type touch struct {
	reads, writes []resource
	kills         bool // what it writes it writes in all lanes of its path
}

// touches lists the rows and predicates that instruction pc of f uses.
func touches(f *isa.Function, pc int, t *touch) {
	t.reads, t.writes = t.reads[:0], t.writes[:0]
	in := &f.Code[pc]
	for _, u := range f.Operands.Of(pc) {
		for r := range int(u.Rows) {
			row := isa.Above(u.Reg, r)
			switch {
			case row < 0 || int(row) >= f.NumRegs:
			case u.Write:
				t.writes = append(t.writes, resource(row))
			default:
				t.reads = append(t.reads, resource(row))
			}
		}
	}
	reads, writes := in.Predicates()
	for _, p := range reads {
		if p >= isa.PFree {
			t.reads = append(t.reads, resource(f.NumRegs)+resource(p))
		}
	}
	for _, p := range writes {
		if p >= isa.PFree {
			t.writes = append(t.writes, resource(f.NumRegs)+resource(p))
		}
	}
	t.kills = in.Guard == isa.PT && !in.GuardNot
}

// before goes back over an instruction: from what lives behind it to what lives before.
func (t *touch) before(live set) {
	if t.kills {
		for _, w := range t.writes {
			live.remove(w)
		}
	}
	for _, r := range t.reads {
		live.add(r)
	}
}

// block is a run of instructions that is entered at its first and left after its
// last.
type block struct {
	first, end int // instructions
	next       []int
	in, out    set
	use, def   set
}

type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) add(r resource)      { s[r>>6] |= 1 << (r & 63) }
func (s set) remove(r resource)   { s[r>>6] &^= 1 << (r & 63) }
func (s set) has(r resource) bool { return s[r>>6]>>(r&63)&1 != 0 }

// all calls f for each member.
func (s set) all(f func(resource)) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			f(resource(i<<6 | bits.TrailingZeros64(w)))
		}
	}
}

// blocks divides a function.
func blocks(f *isa.Function) []block {
	n := len(f.Code)
	leader := make([]bool, n+1)
	leader[0], leader[n] = true, true
	for pc := range f.Code {
		for _, t := range targets(&f.Code[pc]) {
			leader[t] = true
		}
		if ends(&f.Code[pc]) {
			leader[pc+1] = true
		}
	}
	number := make([]int, n+1)
	var all []block
	for pc := range n {
		if leader[pc] {
			all = append(all, block{first: pc})
		}
		number[pc] = len(all) - 1
		all[len(all)-1].end = pc + 1
	}
	for i := range all {
		b := &all[i]
		last := &f.Code[b.end-1]
		for _, t := range targets(last) {
			b.next = append(b.next, number[t])
		}
		if falls(last) && b.end < n {
			b.next = append(b.next, number[b.end])
		}
	}
	return all
}

// targets are the places that an instruction may jump to.
func targets(in *isa.Inst) []int32 {
	switch in.Flow {
	case isa.Jump:
		return []int32{in.Target}
	case isa.JumpTable:
		return in.Control.Table
	}
	return nil
}

// ends reports that an instruction ends a block.
func ends(in *isa.Inst) bool {
	switch in.Flow {
	case isa.Jump, isa.JumpTable, isa.Return, isa.Exit:
		return true
	}
	return false
}

// falls reports that lanes may go on behind an instruction.
func falls(in *isa.Inst) bool {
	return !ends(in) || in.Guard != isa.PT || in.GuardNot
}

// interval is the part of the code in which a resource must keep its value.
type interval struct {
	first, last int32 // instructions; none if first > last
}

// intervals finds out where the resources of a function live, of whose blocks
// the liveness is known.
func intervals(f *isa.Function, x *fusion, all []block) []interval {
	live := make([]interval, f.NumRegs+f.NumPreds)
	for i := range live {
		live[i] = interval{int32(len(f.Code)), -1}
	}
	note := func(r resource, pc int) {
		live[r].first, live[r].last = min(live[r].first, int32(pc)), max(live[r].last, int32(pc))
	}
	var t touch
	for i := range all {
		b := &all[i]
		b.in.all(func(r resource) { note(r, b.first) })
		b.out.all(func(r resource) { note(r, b.end-1) })
		for pc := b.first; pc < b.end; pc++ {
			x.touches(f, pc, &t)
			for _, r := range t.reads {
				note(r, pc)
			}
			for _, r := range t.writes {
				note(r, pc)
			}
		}
	}
	return live
}

// flow solves the liveness of n resources at the borders of blocks.
func flow(f *isa.Function, x *fusion, all []block, n int) {
	var t touch
	for i := range all {
		b := &all[i]
		b.in, b.out, b.use, b.def = newSet(n), newSet(n), newSet(n), newSet(n)
		for pc := b.first; pc < b.end; pc++ {
			x.touches(f, pc, &t)
			for _, r := range t.reads {
				if !b.def.has(r) {
					b.use.add(r)
				}
			}
			for _, r := range t.writes {
				if t.kills {
					b.def.add(r)
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for i := len(all) - 1; i >= 0; i-- {
			changed = all[i].update(all) || changed
		}
	}
}

// update recomputes what lives at a block's borders; changed reports that it
// differs from before.
func (b *block) update(all []block) (changed bool) {
	for k := range b.out {
		out := b.out[k]
		for _, s := range b.next {
			out |= all[s].in[k]
		}
		in := b.use[k] | out&^b.def[k]
		changed = changed || in != b.in[k] || out != b.out[k]
		b.in[k], b.out[k] = in, out
	}
	return changed
}
