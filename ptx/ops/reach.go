package ops

import (
	"slices"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// reach says where the operands of a memory instruction lie: that of lane l
// begins at bytes[at[l]], for the lanes it covers. They all lie in one piece of
// memory (an allocation, the CTA's shared memory, the warp's local memory), so
// that the loop that moves data has nothing left to decide.
//
// Mostly all lanes execute and their addresses are evenly spaced: line is then
// set, and lane l's operand begins at bytes[first+l*stride]; at is filled only
// by spread.
type reach struct {
	bytes []byte
	at    [isa.WarpSize]uint64
	lanes isa.Mask
	space isa.Space

	line          bool
	first, stride uint64

	drops bool // nothing is read, so that it may be lost in a CTA that has ended
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
	case isa.Shared, isa.SharedCluster, isa.Local:
		return uint64(w.Row(p.base)[l] + uint32(p.offset))
	case isa.Frame:
		return uint64(w.Row(p.base)[l] + uint32(p.offset) + w.Base)
	}
	return w.Get64(p.base, l) + uint64(p.offset)
}

// find covers as many of the lanes rest as lie together with the first of them,
// for an access of n bytes that must be aligned to n. It raises a trap and
// returns false if the first lane's access is wrong.
func (r *reach) find(w *isa.Warp, in *isa.Inst, rest isa.Mask, n int, write bool) bool {
	return r.locate(w, pointer{in.A, in.Space, in.Imm}, rest, n, write)
}

// locate is find for any memory operand.
func (r *reach) locate(w *isa.Warp, p pointer, rest isa.Mask, n int, write bool) bool {
	if !r.seek(w, p, rest, n, write) {
		return false
	}
	r.spread()
	return true
}

// spread fills at where the lanes lie on a line.
func (r *reach) spread() {
	if !r.line {
		return
	}
	r.line = false
	a := r.first
	for l := range isa.WarpSize {
		r.at[l] = a
		a += r.stride
	}
}

// seek is locate for those who look at line.
func (r *reach) seek(w *isa.Warp, p pointer, rest isa.Mask, n int, write bool) bool {
	switch r.lanes, r.line, r.space = 0, false, p.space; p.space {
	case isa.Shared:
		r.window(w.CTA.Shared, w.Row(p.base), uint32(p.offset)-w.CTA.SharedBase(), rest, n)
	case isa.SharedCluster:
		r.space = isa.Shared
		r.shared(w, p, rest, n)
	case isa.Local:
		r.local(w, p, 0, rest, n)
	case isa.Frame:
		r.local(w, p, w.Base, rest, n)
	case isa.Param:
		r.window(w.CTA.Params, w.Row(p.base), uint32(p.offset), rest, n)
	default:
		r.generic(w, p, rest, n, write)
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

// spaced reports whether the words of a row are evenly spaced in ascending order
// or equal, and how far apart they are. Two lanes are compared at a time; where
// a word overflows into its neighbour the answer is no.
func spaced(row *isa.Lanes) (stride uint32, ok bool) {
	stride = row[1] - row[0]
	if row[isa.WarpSize-1]-row[0] != (isa.WarpSize-1)*stride {
		return 0, false
	}
	step := uint64(2*stride) | uint64(2*stride)<<32
	pairs := rowPairs(row)
	expected := pairs[0]
	var uneven uint64
	for i := 0; i < len(pairs); i += 2 {
		uneven |= (pairs[i] ^ expected) | (pairs[i+1] ^ (expected + step))
		expected += 2 * step
	}
	return stride, uneven == 0
}

// same reports whether the words of a row are equal.
func same(row *isa.Lanes) bool {
	pairs := rowPairs(row)
	differ := uint64(row[0] ^ row[1])
	for i := 0; i < len(pairs); i += 2 {
		differ |= (pairs[i] ^ pairs[0]) | (pairs[i+1] ^ pairs[0])
	}
	return differ == 0
}

// straight covers all lanes if their operands, the first at a distance of first
// and all spaced by stride, lie within size bytes and the stride is aligned.
func (r *reach) straight(first uint64, stride uint32, size uint64, n int) bool {
	step := uint64(int64(int32(stride)))
	last := first + step*(isa.WarpSize-1)
	limit := size - uint64(n)
	if size < uint64(n) || first > limit || last > limit || step&uint64(n-1) != 0 {
		return false
	}
	r.line, r.first, r.stride, r.lanes = true, first, step, isa.Full
	return true
}

// global covers the lanes whose operands lie in a span.
func (r *reach) global(w *isa.Warp, span isa.Span, p pointer, rest isa.Mask, n int) {
	if len(span.Bytes) < n {
		return
	}
	r.bytes, r.space = span.Bytes, isa.Global
	limit, align := uint64(len(span.Bytes)-n), uint64(n-1)
	lo, hi := w.Wide(p.base)
	offset := uint64(p.offset)
	if rest == isa.Full && same(hi) {
		if stride, ok := spaced(lo); ok {
			first := uint64(lo[0]) | uint64(hi[0])<<32
			first += offset
			if first&align == 0 && r.straight(first-span.Lo, stride, uint64(len(span.Bytes)), n) {
				return
			}
		}
	}
	for l := range rest.All {
		a := uint64(lo[l]) | uint64(hi[l])<<32
		a += offset
		r.at[l] = a - span.Lo
		if a-span.Lo <= limit && a&align == 0 {
			r.lanes |= isa.Lane(l)
		}
	}
}

// shared covers the lanes whose operands lie in the CTA's own shared memory; if
// none do, those that lie in the same memory of the cluster as the first one's.
func (r *reach) shared(w *isa.Warp, p pointer, rest isa.Mask, n int) {
	lo, offset := w.Row(p.base), uint32(p.offset)
	r.window(w.CTA.Shared, lo, offset-w.CTA.SharedBase(), rest, n)
	if r.lanes != 0 {
		return
	}
	if bytes, base := w.CTA.SharedAt(lo[rest.First()]+offset, r.drops); bytes != nil {
		r.window(bytes, lo, offset-base, rest, n)
	}
}

// window covers the lanes whose operands lie in a piece of memory that starts
// at address zero.
func (r *reach) window(bytes []byte, lo *isa.Lanes, offset uint32, rest isa.Mask, n int) {
	r.bytes = bytes
	limit, align, first := len(bytes)-n, uint32(n-1), lo[0]+offset
	if rest == isa.Full {
		if stride, ok := spaced(lo); ok && first&align == 0 && r.straight(uint64(first), stride, uint64(len(bytes)), n) {
			return
		}
	}
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
	lo, stride := w.Row(p.base), w.Local.Stride
	base += uint32(p.offset)
	limit, align := int(stride)-n, uint32(n-1)
	if a := lo[0] + base; rest == isa.Full && (p.base < 0 || same(lo)) && int(a) <= limit && a&align == 0 {
		r.line, r.first, r.stride, r.lanes = true, uint64(a), uint64(stride), isa.Full
		return
	}
	for l := range rest.All {
		a := lo[l] + base
		r.at[l] = uint64(l)*uint64(stride) + uint64(a)
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
		r.global(w, w.Cached(), p, rest, n)
		if r.lanes == 0 && a&uint64(n-1) == 0 {
			if span, ok := w.GlobalSpan(first, a, n, write); ok {
				r.global(w, span, p, rest, n)
			}
		}
		return
	}
	together := rest
	if hi := w.Row(isa.Above(p.base, 1)); !same(hi) || p.offset>>isa.WindowShift != 0 {
		together = 0
		for l := range rest.All {
			if (p.address(w, l)^a)>>isa.WindowShift == 0 {
				together |= isa.Lane(l)
			}
		}
	}
	r.space = space
	switch {
	case space == isa.Shared:
		r.shared(w, p, together, n)
	case space == isa.Local:
		r.local(w, p, 0, together, n)
	case !write:
		r.window(w.CTA.Params, w.Row(p.base), uint32(p.offset), together, n)
	}
}

// fault raises the trap that lane l's access deserves.
func fault(w *isa.Warp, p pointer, l, n int, write bool) {
	a, kind, space := p.address(w, l), isa.IllegalAddress, p.space
	if space == isa.Generic {
		space = isa.SpaceOf(a)
	}
	if space == isa.Shared || space == isa.SharedCluster {
		kind, space = w.CTA.SharedTrap(p.space, uint32(a)), isa.Shared
	}
	if a&uint64(n-1) != 0 {
		kind = isa.Misaligned
	}
	w.Raise(isa.Trap{Kind: kind, Lane: l, Addr: a, Bytes: n, Space: space, Write: write})
}

// note adds the accesses to the effect that someone asked for.
func (r *reach) note(w *isa.Warp, p pointer, n int, write bool) {
	x := isa.Access{Space: r.space, Write: write, Bytes: uint8(n)}
	if r.line && r.space != isa.Param {
		r.noteLine(w, p, x)
		return
	}
	for l := range r.lanes.All {
		x.Lane, x.Addr = uint8(l), p.address(w, l)
		if r.space == isa.Shared {
			x.Locate(w.CTA, x.Addr)
		}
		w.Effect.Accesses = append(w.Effect.Accesses, x)
	}
}

// noteLine is note for operands on a line, which lie in one piece of memory.
func (r *reach) noteLine(w *isa.Warp, p pointer, x isa.Access) {
	x.Addr = p.address(w, 0)
	stride := r.stride
	switch r.space {
	case isa.Shared:
		x.Locate(w.CTA, x.Addr)
	case isa.Local: // lanes lie apart in the host's memory only
		stride = 0
	}
	e := w.Effect
	from := len(e.Accesses)
	e.Accesses = slices.Grow(e.Accesses, isa.WarpSize)[:from+isa.WarpSize]
	for l := range e.Accesses[from:] {
		x.Lane = uint8(l)
		e.Accesses[from+l] = x
		x.Addr += stride
	}
}
