package ops

import "github.com/lockstep-sim/lockstep/gpu/isa"

// reach says where the operands of a memory instruction lie: that of lane l
// begins at bytes[at[l]], for the lanes it covers. They all lie in one piece of
// memory (an allocation, the CTA's shared memory, the warp's local memory), so
// that the loop that moves data has nothing left to decide.
type reach struct {
	bytes []byte
	at    [isa.WarpSize]uint64
	lanes isa.Mask
	space isa.Space
}

// find covers as many of the lanes rest as lie together with the first of them,
// for an access of n bytes that must be aligned to n. It raises a trap and
// returns false if the first lane's access is wrong.
func (r *reach) find(w *isa.Warp, in *isa.Inst, rest isa.Mask, n int, write bool) bool {
	return r.locate(w, pointer{in.A, in.Space, in.Imm}, rest, n, write)
}

// pointer is a memory operand: a base register in a space and an offset.
type pointer struct {
	base   isa.Reg
	space  isa.Space
	offset int64
}

// address is the operand's address in lane l, as its space counts.
func (p pointer) address(w *isa.Warp, l int) uint64 {
	switch p.space {
	case isa.Shared, isa.Local:
		return uint64(w.Row(p.base)[l] + uint32(p.offset))
	case isa.Frame:
		return uint64(w.Row(p.base)[l] + uint32(p.offset) + w.Base)
	}
	return w.Get64(p.base, l) + uint64(p.offset)
}

func (r *reach) locate(w *isa.Warp, p pointer, rest isa.Mask, n int, write bool) bool {
	switch r.lanes, r.space = 0, p.space; p.space {
	case isa.Shared:
		r.shared(w, p, rest, n)
	case isa.Local:
		r.local(w, p, 0, rest, n)
	case isa.Frame:
		r.local(w, p, w.Base, rest, n)
	case isa.Param:
		r.param(w, p, rest, n)
	default:
		if r.global(w, p, rest, n); r.lanes == 0 {
			r.generic(w, p, rest, n, write)
		}
	}
	if w.Trap.Kind != isa.NoTrap {
		return false
	}
	if r.lanes == 0 {
		fault(w, p, rest.First(), n, write)
		return false
	}
	if w.Effect != nil {
		r.note(w, p, n, write)
	}
	return true
}

// global covers the lanes whose operands lie in the warp's cached span.
func (r *reach) global(w *isa.Warp, p pointer, rest isa.Mask, n int) {
	span := w.Cached()
	if len(span.Bytes) < n {
		return
	}
	r.bytes, r.space = span.Bytes, isa.Global
	limit, align := uint64(len(span.Bytes)-n), uint64(n-1)
	lo, hi := w.Wide(p.base)
	offset := uint64(p.offset)
	for l := range rest.All {
		a := uint64(lo[l]) | uint64(hi[l])<<32
		a += offset
		r.at[l] = a - span.Lo
		if a-span.Lo <= limit && a&align == 0 {
			r.lanes |= isa.Lane(l)
		}
	}
}

// shared covers the lanes whose operands lie in the CTA's shared memory.
func (r *reach) shared(w *isa.Warp, p pointer, rest isa.Mask, n int) {
	r.bytes, r.space = w.CTA.Shared, isa.Shared
	lo, offset := w.Row(p.base), uint32(p.offset)
	limit, align := len(r.bytes)-n, uint32(n-1)
	for l := range rest.All {
		a := lo[l] + offset
		r.at[l] = uint64(a)
		if int(a) <= limit && a&align == 0 {
			r.lanes |= isa.Lane(l)
		}
	}
}

// local covers the lanes whose operands lie in their local memory; base is
// added to addresses.
func (r *reach) local(w *isa.Warp, p pointer, base uint32, rest isa.Mask, n int) {
	r.bytes, r.space = w.Local.Bytes, isa.Local
	lo, stride := w.Row(p.base), uint64(w.Local.Stride)
	base += uint32(p.offset)
	limit, align := int(stride)-n, uint32(n-1)
	for l := range rest.All {
		a := lo[l] + base
		r.at[l] = uint64(l)*stride + uint64(a)
		if int(a) <= limit && a&align == 0 {
			r.lanes |= isa.Lane(l)
		}
	}
}

// param covers the lanes whose operands lie in the kernel parameter block.
func (r *reach) param(w *isa.Warp, p pointer, rest isa.Mask, n int) {
	r.bytes, r.space = w.CTA.Params, isa.Param
	lo, offset := w.Row(p.base), uint32(p.offset)
	limit, align := len(r.bytes)-n, uint32(n-1)
	for l := range rest.All {
		a := lo[l] + offset
		r.at[l] = uint64(a)
		if int(a) <= limit && a&align == 0 {
			r.lanes |= isa.Lane(l)
		}
	}
}

// generic looks where the first lane points and covers the lanes that point
// into the same memory.
func (r *reach) generic(w *isa.Warp, p pointer, rest isa.Mask, n int, write bool) {
	first := rest.First()
	a := p.address(w, first)
	space := isa.Global
	if p.space == isa.Generic {
		space = isa.SpaceOf(a)
	}
	if space == isa.Global {
		if a&uint64(n-1) == 0 && w.GlobalBytes(first, a, n, write) != nil {
			r.global(w, p, rest, n)
		}
		return
	}
	same := isa.Mask(0)
	for l := range rest.All {
		if (p.address(w, l)^a)>>isa.WindowShift == 0 {
			same |= isa.Lane(l)
		}
	}
	switch {
	case space == isa.Shared:
		r.shared(w, p, same, n)
	case space == isa.Local:
		r.local(w, p, 0, same, n)
	case !write:
		r.param(w, p, same, n)
	}
}

// fault raises the trap that lane l's access deserves.
func fault(w *isa.Warp, p pointer, l, n int, write bool) {
	a, kind, space := p.address(w, l), isa.IllegalAddress, p.space
	if a&uint64(n-1) != 0 {
		kind = isa.Misaligned
	}
	if space == isa.Generic {
		space = isa.SpaceOf(a)
	}
	w.Raise(isa.Trap{Kind: kind, Lane: l, Addr: a, Bytes: n, Space: space, Write: write})
}

// note adds the accesses to the effect that someone asked for.
func (r *reach) note(w *isa.Warp, p pointer, n int, write bool) {
	for l := range r.lanes.All {
		w.Effect.Accesses = append(w.Effect.Accesses, isa.Access{
			Lane: uint8(l), Space: r.space, Write: write, Bytes: uint8(n), Addr: p.address(w, l),
		})
	}
}
