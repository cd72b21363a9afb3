package ops

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
	"github.com/lockstep-sim/lockstep/gpu/isa/tensormap"
)

const dims = "1d|2d|3d|4d|5d "

// tensors is the part of PTX ISA 9.7.9.25.5 that copies boxes of a tensor. As
// other bulk copies they are made at once.
var tensors = tensorRows()

// tensorRows makes the rows of every way through a tensor, with and without
// multicast and cache policy.
func tensorRows() []isa.Op {
	var rows []isa.Op
	row := func(mods, args string, since, sm int, doc string, bind func(*isa.Form) isa.Handler) {
		for _, hint := range []bool{false, true} {
			op := isa.Op{Name: "cp", Mods: mods, Args: args, Unit: isa.LSU, Class: isa.Variable, Since: since, SM: sm, Doc: doc, Bind: bind, Check: checkTensorBox}
			if hint {
				op.Mods, op.Args = mods+" L2::cache_hint", args+", x:u64"
			}
			op.Shares = words(mods)[0] == "reduce"
			rows = append(rows, op)
		}
	}
	for _, way := range []struct {
		dims, mode, list string
		since, sm        int
	}{
		{dims, "{tile} ", "", 80, 90},
		{"3d|4d|5d ", "im2col ", ", F:u16", 80, 90},
		{"3d|4d|5d ", "im2col::w|im2col::w::128 ", ", F:u16", 86, 100},
		{"2d ", "tile::gather4 ", "", 86, 100},
	} {
		rest := "global " + way.mode + byTx + "{cta_group::1|cta_group::2} "
		near, far := "async bulk tensor "+way.dims+"shared::cta "+rest, "async bulk tensor "+way.dims+"shared::cluster "+rest
		row(near, "[a], [u], [m]"+way.list, max(way.since, 86), way.sm, "9.7.9.25.5.2", bindTensorLoad)
		row(far, "[a], [u], [m]"+way.list, way.since, way.sm, "9.7.9.25.5.2", bindTensorLoad)
		row(far+"multicast::cluster", "[a], [u], [m]"+way.list+", v:u16", way.since, way.sm, "9.7.9.25.5.2", bindTensorLoad)
		row("async bulk ahead tensor "+way.dims+"L2 global "+way.mode, "[u]"+way.list, way.since, way.sm, "9.7.9.25.5.4", bindTensorAhead)
	}
	for _, way := range []struct {
		dims, mode string
		since, sm  int
	}{
		{dims, "{tile} ", 80, 90},
		{"3d|4d|5d ", "im2col_no_offs ", 80, 90},
		{"2d ", "tile::scatter4 ", 86, 100},
	} {
		row("async bulk tensor "+way.dims+"global shared::cta "+way.mode+"bulk_group", "[u], [m]", way.since, way.sm, "9.7.9.25.5.2", bindTensorStore)
		row("reduce async bulk tensor "+way.dims+"global shared::cta add|min|max|inc|dec|and|or|xor "+way.mode+"bulk_group", "[u], [m]", way.since, way.sm, "9.7.9.25.5.3", bindTensorReduce)
	}
	return rows
}

// tensorForm is what a spelling says about the box.
type tensorForm struct {
	rank   int
	shape  shape
	coords int // operands that are coordinates
	offset int // operands that are offsets, after them
}

func tensorFormOf(f *isa.Form) tensorForm {
	t := tensorForm{rank: int(f.Any(words("1d 2d 3d 4d 5d")...)[0] - '0')}
	t.coords = t.rank
	switch f.Any("im2col", "im2col_no_offs", "im2col::w", "im2col::w::128", "tile::gather4", "tile::scatter4") {
	case "im2col":
		t.shape, t.offset = columnShape, t.rank-2
	case "im2col_no_offs":
		t.shape = columnShape
	case "im2col::w", "im2col::w::128":
		t.shape, t.offset = wideShape, 2
	case "tile::gather4", "tile::scatter4":
		t.shape, t.coords = linesShape, 5
	}
	return t
}

// checkTensorBox counts coordinates and offsets.
func checkTensorBox(f *isa.Form, in *isa.Inst) string {
	t := tensorFormOf(f)
	n := t.coords + t.offset
	if f.Has("multicast::cluster") {
		n++
	}
	if len(in.Vec) != n {
		return "the coordinates or offsets are too few or too many for the tensor"
	}
	return ""
}

// box reads the box of lane l: the map behind operand B and the coordinates in
// the vector operand. ok is false after a trap.
func (t tensorForm) box(w *isa.Warp, in *isa.Inst, l int) (b box, ok bool) {
	object := w.Bytes(isa.Generic, l, w.Get64(in.B, l), tensormap.Size, tensormap.Align, false)
	if object == nil {
		return b, false
	}
	b.shape = t.shape
	b.m, ok = tensormap.Decode(object)
	b.units = unitsOf(&b.m)
	if !ok || b.m.Rank != t.rank || !b.valid() || len(in.Vec) < t.coords+t.offset {
		w.Raise(isa.Trap{Kind: isa.IllegalInstruction, Lane: l, Note: "the tensor map does not suit the copy"})
		return b, false
	}
	value := func(i int) int64 { return int64(int32(w.Row(in.Vec[i])[l])) }
	for i := range t.coords {
		if t.shape == linesShape && i > 0 {
			b.lines = append(b.lines, value(i))
			continue
		}
		b.at[i] = value(i)
	}
	for i := range t.offset {
		b.offset[i] = value(t.coords+i) & 0xffff
	}
	if t.shape == columnShape && (!b.started() || t.offset == 0 && !b.contained()) {
		w.Raise(isa.Trap{Kind: isa.IllegalInstruction, Lane: l, Note: "a column does not begin in its bounding box, or one that is written reaches beyond the tensor"})
		return b, false
	}
	if b.at[0]*int64(b.units.global)%(bulkUnit*b.units.elements) != 0 {
		w.Raise(isa.Trap{Kind: isa.IllegalInstruction, Lane: l, Note: "a row of a tensor copy does not begin at a multiple of 16 bytes"})
		return b, false
	}
	return b, true
}

func bindTensorLoad(f *isa.Form) isa.Handler {
	t, multicast := tensorFormOf(f), f.Has("multicast::cluster")
	return func(w *isa.Warp, in *isa.Inst) {
		target := pointer{in.A, in.Space, in.Imm}
		for l := range w.Mask.All {
			b, ok := t.box(w, in, l)
			if !ok {
				return
			}
			to := []landing{{uint32(target.address(w, l)), w.Row(in.M)[l]}}
			if multicast {
				to = several(w.Row(in.Vec[len(in.Vec)-1])[l], to[0])
			}
			n, ok := b.load(w, l, to)
			if !ok {
				return
			}
			for _, x := range to {
				if !completeTx(w, l, x.barrier, n) {
					return
				}
			}
		}
	}
}

// bindMapAhead only says which map is wanted.
func bindMapAhead(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		if w.Effect == nil {
			return
		}
		at := pointer{in.A, in.Space, in.Imm}
		for l := range w.Mask.All {
			a, space := at.address(w, l), in.Space
			if space == isa.Generic {
				space = isa.SpaceOf(a)
			}
			w.Effect.Accesses = append(w.Effect.Accesses, isa.Access{Lane: uint8(l), Space: space, Bytes: tensormap.Size, Addr: a})
		}
	}
}

// bindTensorAhead only says which rows L2 should hold.
func bindTensorAhead(f *isa.Form) isa.Handler {
	t := tensorFormOf(f)
	return func(w *isa.Warp, in *isa.Inst) {
		if w.Effect == nil {
			return
		}
		for l := range w.Mask.All {
			b, ok := t.box(w, in, l)
			if w.Trap = (isa.Trap{}); !ok {
				continue // a prefetch of nothing
			}
			b.each(func(at [tensormap.MaxRank]int64) bool {
				address, _, count := b.row(at)
				ahead(w, l, address, count*b.units.global)
				return true
			})
		}
	}
}

// load copies the box to each landing and returns the bytes that one received.
func (b *box) load(w *isa.Warp, l int, to []landing) (n int, ok bool) {
	var space [rowSpace]byte
	row, place := space[:b.rowBytes()], 0
	ok = true
	b.each(func(at [tensormap.MaxRank]int64) bool {
		address, first, count := b.row(at)
		if count < b.width() {
			b.fill(row)
		}
		if ok = b.fetch(w, l, row[first*b.units.shared:], address, count); !ok {
			return false
		}
		b.round(row[first*b.units.shared:][:count*b.units.shared])
		for _, x := range to {
			if ok = b.spread(w, l, row, x.data, place); !ok {
				return false
			}
		}
		n += len(row)
		place += b.pitch()
		return true
	})
	return n, ok
}

// round makes tf32 of the elements of a row, where the type says so (as an H200
// does: to nearest, away from zero).
func (b *box) round(row []byte) {
	if b.m.Elem != tensormap.TF32 && b.m.Elem != tensormap.TF32Ftz {
		return
	}
	for ; len(row) > 0; row = row[4:] {
		v := get[uint32](row)
		switch exponent := v >> 23 & 0xff; {
		case exponent != 0xff:
			v += 1 << 12
		case v<<9 != 0:
			v = 0x7fffffff
		}
		put(row, v&^(1<<13-1))
	}
}

// fetch reads count units from global memory.
func (b *box) fetch(w *isa.Warp, l int, to []byte, address uint64, count int) bool {
	if b.units.global == b.units.shared {
		return bytesOf(w, l, address, count*b.units.global, false, func(p []byte) { to = to[copy(to, p):] })
	}
	for range count {
		if !bytesOf(w, l, address, b.units.global, false, func(p []byte) { copy(to, p) }) {
			return false
		}
		address, to = address+uint64(b.units.global), to[b.units.shared:]
	}
	return true
}

// spread writes a row to shared memory, n bytes after the start of the box.
func (b *box) spread(w *isa.Warp, l int, row []byte, base uint32, n int) bool {
	return b.pieces(w, l, base+uint32(n), len(row), true, func(p []byte) { row = row[copy(p, row):] })
}

// gather reads a row from shared memory.
func (b *box) gather(w *isa.Warp, l int, row []byte, base uint32, n int) bool {
	return b.pieces(w, l, base+uint32(n), len(row), false, func(p []byte) { row = row[copy(row, p):] })
}

// pieces calls f with the parts of shared memory that hold a row, which begins at
// an address before it is swizzled.
func (b *box) pieces(w *isa.Warp, l int, at uint32, length int, write bool, f func(p []byte)) bool {
	if at%bulkUnit != 0 {
		w.Raise(isa.Trap{Kind: isa.Misaligned, Lane: l, Addr: uint64(at), Bytes: length, Space: isa.Shared, Write: write})
		return false
	}
	most, space := min(b.piece(), bulkChunk), isa.Shared
	if write {
		space = isa.SharedCluster
	}
	for done := 0; done < length; {
		k := min(most, length-done)
		p := w.Bytes(space, l, uint64(b.swizzled(at+uint32(done))), k, 1, write)
		if p == nil {
			return false
		}
		f(p)
		done += k
	}
	return true
}

func bindTensorStore(f *isa.Form) isa.Handler {
	t := tensorFormOf(f)
	return func(w *isa.Warp, in *isa.Inst) {
		for l := range w.Mask.All {
			b, ok := t.box(w, in, l)
			if !ok || !b.begins(w, l) || !b.store(w, l, w.Row(in.M)[l], func(to, from []byte) { copy(to, from) }) {
				return
			}
		}
	}
}

// begins refuses to write a box that begins before the tensor (an H200 answers it
// with an illegal instruction).
func (b *box) begins(w *isa.Warp, l int) bool {
	for _, at := range b.at[:b.m.Rank] {
		if at < 0 {
			w.Raise(isa.Trap{Kind: isa.IllegalInstruction, Lane: l, Note: "a box that is written begins before the tensor"})
			return false
		}
	}
	return true
}

// whole is count units rounded up to pieces of 16 bytes, which a store writes
// whole at the end of a tensor's row (measured on an H200).
func (b *box) whole(first, count int) int {
	if b.units.elements > 1 || b.units.global > bulkUnit {
		return count
	}
	per := bulkUnit / b.units.global
	return min((count+per-1)/per*per, b.width()-first)
}

// store moves the box from shared memory by means of move.
func (b *box) store(w *isa.Warp, l int, base uint32, move func(to, from []byte)) bool {
	var space [rowSpace]byte
	row := space[:b.rowBytes()]
	n, ok := 0, true
	b.each(func(at [tensormap.MaxRank]int64) bool {
		address, first, count := b.row(at)
		if count > 0 {
			if ok = b.gather(w, l, row, base, n); !ok {
				return false
			}
			from := row[first*b.units.shared:]
			count = b.whole(first, count)
			if ok = b.deliver(w, l, from, address, count, move); !ok {
				return false
			}
		}
		n += b.pitch()
		return true
	})
	return ok
}

// deliver moves count units to global memory.
func (b *box) deliver(w *isa.Warp, l int, from []byte, address uint64, count int, move func(to, from []byte)) bool {
	if b.units.global == b.units.shared {
		return bytesOf(w, l, address, count*b.units.global, true, func(p []byte) {
			move(p, from[:len(p)])
			from = from[len(p):]
		})
	}
	for range count {
		unit := from
		if b.m.Elem == tensormap.B6x16P32 {
			unit = packSix(from)
		}
		if !bytesOf(w, l, address, b.units.global, true, func(p []byte) { move(p, unit[:len(p)]) }) {
			return false
		}
		address, from = address+uint64(b.units.global), from[b.units.shared:]
	}
	return true
}

// packSix joins the lower six bits of 16 bytes, as a store of 6-bit elements takes
// them (b6p2x16).
func packSix(from []byte) []byte {
	packed := make([]byte, 12)
	for i, v := range from[:16] {
		bit := 6 * i
		wide := uint16(v&0x3f) << (bit % 8)
		packed[bit/8] |= byte(wide)
		if wide > 0xff {
			packed[bit/8+1] |= byte(wide >> 8)
		}
	}
	return packed
}

// reducible gives the type that elements are combined in.
var reducible = map[tensormap.Elem]isa.Type{
	tensormap.U32: isa.U32, tensormap.S32: isa.S32, tensormap.U64: isa.U64, tensormap.S64: isa.S64,
	tensormap.F16: isa.F16, tensormap.BF16: isa.BF16, tensormap.F32: isa.F32, tensormap.F32Ftz: isa.F32, tensormap.F64: isa.F64,
}

// bindTensorReduce combines what a box holds with shared memory. The type is the
// map's, so that what a map cannot do is found at run time.
func bindTensorReduce(f *isa.Form) isa.Handler {
	t := tensorFormOf(f)
	combiners := map[tensormap.Elem]func(to, from []byte, space isa.Space){}
	for e, typ := range reducible {
		op := f.Any("add", "min", "max", "inc", "dec", "and", "or", "xor")
		switch {
		case op == "add" && typ == isa.S64:
			typ = isa.NoType
		case op == "and" || op == "or" || op == "xor":
			typ = map[isa.Type]isa.Type{isa.U32: isa.B32, isa.S32: isa.B32, isa.U64: isa.B64}[typ]
		}
		if typ != isa.NoType {
			combiners[e] = combiner(&isa.Form{Op: f.Op, Types: []isa.Type{typ}, Mods: []string{op}})
		}
		if op == "add" && e == tensormap.F32Ftz {
			combiners[e] = combine(everywhere(alu.AtomAddF32))
		}
	}
	return func(w *isa.Warp, in *isa.Inst) {
		for l := range w.Mask.All {
			b, ok := t.box(w, in, l)
			if !ok {
				return
			}
			apply := combiners[b.m.Elem]
			if apply == nil {
				w.Raise(isa.Trap{Kind: isa.IllegalInstruction, Lane: l, Note: "elements of the tensor map's type cannot be combined so"})
				return
			}
			if !b.begins(w, l) || !b.store(w, l, w.Row(in.M)[l], func(to, from []byte) { apply(to, from, isa.Global) }) {
				return
			}
		}
	}
}
