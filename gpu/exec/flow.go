package exec

import "github.com/lockstep-sim/lockstep/gpu/isa"

// flow executes an instruction that moves program counters, for lanes m of p.
// It reports whether the warp must choose a path anew; otherwise p goes on at
// p.pc.
func (w *warp) flow(p *path, in *isa.Inst, m isa.Mask) bool {
	if m == 0 && in.Flow != isa.Jump {
		p.pc++
		return false
	}
	switch in.Flow {
	case isa.Jump:
		return w.jump(p, in, m)
	case isa.JumpTable:
		return w.jumpTable(p, in, m)
	case isa.Exit:
		p.pc++
		w.exit(p, m)
		w.cta.settleBarriers()
		return true
	case isa.Yield:
		p.pc++
		w.age += patience / 4
		return false
	}
	p = w.split(p, m)
	switch in.Flow {
	case isa.GroupCommit:
		w.commitGroup(p)
	case isa.GroupWait:
		w.waitGroup(p, in)
	case isa.Call:
		w.call(p, in)
	case isa.Return:
		w.ret(p)
	case isa.WarpSync:
		w.sync(p, in)
	case isa.Barrier:
		w.barrier(p, in)
	case isa.ClusterBar:
		w.clusterBarrier(p, in)
	}
	return true
}

// jump moves lanes m of p to the target and leaves the others behind.
func (w *warp) jump(p *path, in *isa.Inst, m isa.Mask) bool {
	switch m {
	case p.mask:
		p.pc = in.Target
		return false
	case 0:
		p.pc++
		return false
	}
	w.part(p, in.Join, m, in.Target, p.pc+1)
	return true
}

// part splits p: lanes m go on at a, the others at b, to meet at pc join.
func (w *warp) part(p *path, join int32, m isa.Mask, a, b int32) {
	j := p.join
	if join != isa.NoJoin {
		j = w.diverge(p, join)
	}
	rest := p.mask &^ m
	w.remove(p)
	w.place(a, m, p.frame, j, join)
	w.place(b, rest, p.frame, j, join)
}

// place puts lanes at pc, or at their join if that is where they go.
func (w *warp) place(pc int32, m isa.Mask, f *frame, j *join, join int32) {
	if pc == join {
		w.arrive(j, m)
		return
	}
	w.add(pc, m, f, j)
}

// split makes lanes m of p a path of their own at p's instruction, to meet the
// others again at the next one.
func (w *warp) split(p *path, m isa.Mask) *path {
	if m == p.mask {
		return p
	}
	f, pc, rest := p.frame, p.pc, p.mask&^m
	j := w.diverge(p, pc+1)
	w.remove(p)
	w.arrive(j, rest)
	return w.add(pc, m, f, j)
}

// jumpTable sends each lane to the target that its index names.
func (w *warp) jumpTable(p *path, in *isa.Inst, m isa.Mask) bool {
	p = w.split(p, m)
	index, table := w.Row(in.A), in.Control.Table
	j := p.join
	if in.Join != isa.NoJoin {
		j = w.diverge(p, in.Join)
	}
	for l := range m.All {
		if uint64(index[l]) >= uint64(len(table)) {
			w.Raise(isa.Trap{Kind: isa.InvalidPC, Lane: l, Note: "branch table index out of range"})
			w.cta.fault(w, p)
			return true
		}
	}
	w.remove(p)
	for left := m; left != 0; {
		target := table[index[left.First()]]
		var same isa.Mask
		for l := range left.All {
			if table[index[l]] == target {
				same |= isa.Lane(l)
			}
		}
		left &^= same
		w.place(target, same, p.frame, j, in.Join)
	}
	return true
}

// sync executes a warp-synchronous instruction once all lanes that its member
// mask names stand at it.
func (w *warp) sync(p *path, in *isa.Inst) {
	p.need = isa.Mask(w.Row(in.M)[p.mask.First()]) & w.Live
	p.state = atSync
	here := w.at(p)
	var present isa.Mask
	for _, q := range here {
		present |= q.mask
	}
	if present&p.need != p.need && !p.force {
		return
	}
	w.Mask = present
	if p.force {
		w.Mask = p.mask
	}
	in.Exec(&w.Warp, in)
	if w.Trap.Kind != isa.NoTrap {
		w.cta.fault(w, p)
		return
	}
	for _, q := range here {
		if q.mask&w.Mask != 0 {
			q.state, q.force = ready, false
			q.pc++
		}
	}
	w.unite(p)
}

// at lists the paths that wait at the same warp-synchronous instruction in the
// same frame as p, p included.
func (w *warp) at(p *path) []*path {
	here := w.cta.scratch[:0]
	for _, q := range w.paths {
		if q == p || q.state == atSync && q.pc == p.pc && q.frame == p.frame {
			here = append(here, q)
		}
	}
	w.cta.scratch = here
	return here
}

// unite merges into p the paths that stand exactly where it does.
func (w *warp) unite(p *path) {
	for i := 0; i < len(w.paths); {
		q := w.paths[i]
		if q != p && q.state == ready && q.pc == p.pc && q.frame == p.frame && q.join == p.join {
			p.mask |= q.mask
			w.remove(q)
			continue
		}
		i++
	}
}

// forceSync lets one path that waits in vain for other lanes go on alone.
func (w *warp) forceSync() bool {
	for _, p := range w.paths {
		if p.state == atSync {
			p.force = true
			return true
		}
	}
	return false
}
