package exec

import (
	"encoding/binary"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// call sends p into the function that in names. Lanes of an indirect call that
// go to different functions part.
func (w *warp) call(p *path, in *isa.Inst) {
	fn := in.Control.Callee
	if fn == nil {
		var same isa.Mask
		if fn, same = w.target(p, in); fn == nil {
			w.cta.fault(w, p)
			return
		}
		if same != p.mask {
			w.detach(p, p.mask&^same)
		}
	}
	if fn.Builtin != "" {
		w.builtin(p, fn, in.Control)
		return
	}
	caller := p.frame
	base := caller.base + caller.fn.Local
	depth := caller.depth + 1
	if !w.cta.grid.stackFits(base+fn.Local, depth) {
		w.Raise(isa.Trap{Kind: isa.StackOverflow, Lane: p.mask.First(), Addr: uint64(base), Note: "call depth " + itoa(depth)})
		w.cta.fault(w, p)
		return
	}
	f := w.newFrame(fn)
	f.base, f.depth, f.lanes, f.caller, f.ret, f.call = base, depth, p.mask, caller, p.pc+1, in.Control
	w.Local.Grow(base + fn.Local)
	for i, arg := range in.Control.Args {
		if i < len(fn.Params) {
			w.copyLocal(p.mask, base+fn.Params[i].Offset, caller.base+arg.Offset, min(arg.Size, fn.Params[i].Size))
		}
	}
	p.join = w.newJoin(f.ret, caller, p)
	p.frame, p.pc = f, 0
}

// target is the function that the first lane of p calls, and the lanes that
// call the same one.
func (w *warp) target(p *path, in *isa.Inst) (*isa.Function, isa.Mask) {
	first := w.Get64(in.A, p.mask.First())
	lo, hi := w.Wide(in.A)
	var same isa.Mask
	for l := range p.mask.All {
		if lo[l] == uint32(first) && hi[l] == uint32(first>>32) {
			same |= isa.Lane(l)
		}
	}
	fn := w.cta.grid.launch.Kernel.Function(first)
	if fn == nil {
		w.Raise(isa.Trap{Kind: isa.InvalidPC, Lane: p.mask.First(), Addr: first, Note: "call of an address that holds no function"})
	}
	return fn, same
}

// detach leaves lanes m of p at p's instruction, to meet p after it.
func (w *warp) detach(p *path, m isa.Mask) {
	j := w.diverge(p, p.pc+1)
	p.mask &^= m
	p.join = j
	w.add(p.pc, m, p.frame, j)
}

// ret takes p back to its caller; from a kernel's own code it exits.
func (w *warp) ret(p *path) {
	f := p.frame
	if f.caller == nil {
		w.exit(p, p.mask)
		w.cta.settleBarriers()
		return
	}
	for i, r := range f.call.Rets {
		if i < len(f.fn.Rets) {
			w.copyLocal(p.mask, f.caller.base+r.Offset, f.base+f.fn.Rets[i].Offset, min(r.Size, f.fn.Rets[i].Size))
		}
	}
	p.join = w.leave(p, p.mask, f)
	p.frame, p.pc = f.caller, f.ret
	w.vacate(f, p.mask)
}

// copyLocal copies n bytes of local memory in each lane of m. Bounds are those
// of every lane.
func (w *warp) copyLocal(m isa.Mask, dst, src, n uint32) {
	stride := uint64(w.Local.Stride)
	if uint64(dst)+uint64(n) > stride || uint64(src)+uint64(n) > stride {
		return
	}
	b := w.Local.Bytes
	for ; m != 0; m &= m - 1 {
		at := uint64(m.First()) * stride
		if n == 4 {
			binary.LittleEndian.PutUint32(b[at+uint64(dst):], binary.LittleEndian.Uint32(b[at+uint64(src):]))
			continue
		}
		copy(b[at+uint64(dst):][:n], b[at+uint64(src):][:n])
	}
}
