package exec

import "github.com/lockstep-sim/lockstep/gpu/isa"

// groupWarps is the number of warps of a warpgroup.
const groupWarps = 4

// warpgroup is the warps of w's warpgroup.
func (w *warp) warpgroup() []warp {
	first := w.Index &^ (groupWarps - 1)
	return w.cta.warps[first:min(first+groupWarps, len(w.cta.warps))]
}

// commitGroup ends a group of matrix products. They were formed when they were
// issued, but each warp forms its own rows only: a group is complete when every
// warp of the warpgroup has committed it.
func (w *warp) commitGroup(p *path) {
	p.pc++
	w.committed++
	w.settleGroup()
}

// waitGroup makes p wait until at most so many of the groups that the warp has
// committed are unfinished.
func (w *warp) waitGroup(p *path, in *isa.Inst) {
	p.state, p.groups, w.cta.grouped = atGroup, w.committed-int(in.Imm), true
	w.settleGroup()
}

// settleGroup lets the paths of the warpgroup go on whose groups are complete.
// Warps that have ended are not waited for.
func (w *warp) settleGroup() {
	group := w.warpgroup()
	complete := -1
	for i := range group {
		if g := &group[i]; g.Live != 0 && (complete < 0 || g.committed < complete) {
			complete = g.committed
		}
	}
	for i := range group {
		for _, p := range group[i].paths {
			if p.state == atGroup && p.groups <= complete {
				p.state = ready
				p.pc++
			}
		}
	}
}
