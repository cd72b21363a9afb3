package ops

import "github.com/lockstep-sim/lockstep/gpu/isa"

const (
	byTx      = "mbarrier::complete_tx::bytes "
	toShared  = "async bulk shared::cluster|shared::cta global " + byTx
	intoOther = "async bulk shared::cluster shared::cta " + byTx
	toGlobal  = "async bulk global shared::cta bulk_group "
	asyncRed  = "async {relaxed} {cluster} shared::cluster " + byTx
)

// bulk is the part of PTX ISA 9.7.9 and 9.7.13 about asynchronous operations
// that tell an mbarrier object how many bytes they have moved. All is done at
// once; groups of them are always complete. A cluster has one CTA, so that
// shared::cluster is that CTA's memory and multicast reaches it alone.
var bulk = []isa.Op{
	{Name: "st", Mods: "async {weak} {shared::cluster} " + byTx + "{v2|v4}", Types: "b32 b64 u32 u64 s32 s64 f32 f64", Args: "[a], B, [m]", Unit: isa.LSU, Class: isa.Variable, Since: 81, SM: 90, Doc: "9.7.9.12", Bind: bindStoreAsync},
	{Name: "red", Mods: asyncRed + "inc|dec", Types: "u32", Args: "[a], b, [m]", Unit: isa.LSU, Class: isa.Variable, Since: 81, SM: 90, Doc: "9.7.13.7", Bind: bindRedAsync},
	{Name: "red", Mods: asyncRed + "min|max", Types: "u32 s32", Args: "[a], b, [m]", Unit: isa.LSU, Class: isa.Variable, Since: 81, SM: 90, Doc: "9.7.13.7", Bind: bindRedAsync},
	{Name: "red", Mods: asyncRed + "and|or|xor", Types: "b32", Args: "[a], b, [m]", Unit: isa.LSU, Class: isa.Variable, Since: 81, SM: 90, Doc: "9.7.13.7", Bind: bindRedAsync},
	{Name: "red", Mods: asyncRed + "add", Types: "u32 s32 u64", Args: "[a], b, [m]", Unit: isa.LSU, Class: isa.Variable, Since: 81, SM: 90, Doc: "9.7.13.7", Bind: bindRedAsync},

	{Name: "cp", Mods: toShared, Args: "[a], [b], c:u32, [m]", Unit: isa.LSU, Class: isa.Variable, Since: 80, SM: 90, Doc: "9.7.9.25.4.1", Bind: bindBulkIn},
	{Name: "cp", Mods: toShared + "L2::cache_hint", Args: "[a], [b], c:u32, [m], x:b64", Unit: isa.LSU, Class: isa.Variable, Since: 80, SM: 90, Doc: "9.7.9.25.4.1", Bind: bindBulkIn},
	{Name: "cp", Mods: toShared + "multicast::cluster", Args: "[a], [b], c:u32, [m], x:b16", Unit: isa.LSU, Class: isa.Variable, Since: 80, SM: 90, Doc: "9.7.9.25.4.1", Bind: bindBulkIn},
	{Name: "cp", Mods: toShared + "multicast::cluster L2::cache_hint", Args: "[a], [b], c:u32, [m], x:b16, x:b64", Unit: isa.LSU, Class: isa.Variable, Since: 80, SM: 90, Doc: "9.7.9.25.4.1", Bind: bindBulkIn},
	{Name: "cp", Mods: intoOther, Args: "[a], [b], c:u32, [m]", Unit: isa.LSU, Class: isa.Variable, Since: 80, SM: 90, Doc: "9.7.9.25.4.1", Bind: bindBulkAcross},
	{Name: "cp", Mods: toGlobal, Args: "[a], [b], c:u32", Unit: isa.LSU, Class: isa.Variable, Since: 80, SM: 90, Doc: "9.7.9.25.4.1", Bind: bindBulkOut},
	{Name: "cp", Mods: toGlobal + "L2::cache_hint", Args: "[a], [b], c:u32, x:b64", Unit: isa.LSU, Class: isa.Variable, Since: 80, SM: 90, Doc: "9.7.9.25.4.1", Bind: bindBulkOut},
	{Name: "cp", Mods: "async bulk prefetch L2 global {L2::cache_hint}", Args: "[a], c:u32, x:b64?", Unit: isa.LSU, Since: 80, SM: 90, Doc: "9.7.9.25.4.3", Bind: bindNothing},
	{Name: "cp", Mods: "async bulk commit_group", Unit: isa.LSU, Since: 80, SM: 90, Doc: "9.7.9.25.6.1", Bind: bindNothing},
	{Name: "cp", Mods: "async bulk wait_group {read}", Args: "i", Unit: isa.LSU, Fence: isa.FenceCTA, Since: 80, SM: 90, Doc: "9.7.9.25.6.2", Bind: bindNothing},

	{Name: "cp", Mods: "reduce " + intoOther + "and|or|xor|add|inc|dec|min|max", Types: "b32 u32 s32 u64 s64", Args: "[a], [b], c:u32, [m]", Unit: isa.LSU, Class: isa.Variable, Since: 80, SM: 90, Doc: "9.7.9.25.4.2", Bind: bindBulkReduceAcross},
	{Name: "cp", Mods: "reduce " + toGlobal + "and|or|xor|add|inc|dec|min|max", Types: "b32 b64 u32 s32 u64 s64 f32 f64", Args: "[a], [b], c:u32", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 80, SM: 90, Doc: "9.7.9.25.4.2", Bind: bindBulkReduceOut},
	{Name: "cp", Mods: "reduce " + toGlobal + "and|or|xor|add|inc|dec|min|max L2::cache_hint", Types: "b32 b64 u32 s32 u64 s64 f32 f64", Args: "[a], [b], c:u32, x:b64", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 80, SM: 90, Doc: "9.7.9.25.4.2", Bind: bindBulkReduceOut},
	{Name: "cp", Mods: "reduce " + toGlobal + "add|min|max {noftz}", Types: "f16 bf16", Args: "[a], [b], c:u32", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 80, SM: 90, Doc: "9.7.9.25.4.2", Bind: bindBulkReduceOut},
	{Name: "cp", Mods: "reduce " + toGlobal + "add|min|max {noftz} L2::cache_hint", Types: "f16 bf16", Args: "[a], [b], c:u32, x:b64", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 80, SM: 90, Doc: "9.7.9.25.4.2", Bind: bindBulkReduceOut},
}

// moved tells the object that operand M names of n bytes in each of the lanes.
func moved(w *isa.Warp, in *isa.Inst, lanes isa.Mask, n func(l int) uint32) {
	var r reach
	for rest := lanes; rest != 0; rest &^= r.lanes {
		if !r.locate(w, pointer{base: in.M, space: isa.Shared}, rest, barrierLen, true) {
			return
		}
		for l := range r.lanes.All {
			p := r.bytes[r.at[l]:]
			b := mbarrier(get[uint64](p))
			put(p, uint64(b.expect(-n(l)).complete()))
		}
	}
}

func bindStoreAsync(f *isa.Form) isa.Handler {
	store := bindStore(f)
	if store == nil {
		return nil
	}
	size := uint32(f.Type(0).Bytes() * elements(f))
	return func(w *isa.Warp, in *isa.Inst) {
		if store(w, in); w.Trap.Kind == isa.NoTrap {
			moved(w, in, w.Mask, func(int) uint32 { return size })
		}
	}
}

func bindRedAsync(f *isa.Form) isa.Handler {
	reduce, size := bindAtom(f), uint32(f.Type(0).Bytes())
	return func(w *isa.Warp, in *isa.Inst) {
		if reduce(w, in); w.Trap.Kind == isa.NoTrap {
			moved(w, in, w.Mask, func(int) uint32 { return size })
		}
	}
}

// bulkUnit is what addresses and sizes of bulk copies are multiples of, and
// bulkChunk how much of one is moved at a time, in bytes.
const (
	bulkUnit  = 16
	bulkChunk = 128
)

// transfer moves C bytes in each lane from B, in the space from, to A, by means
// of move. It reports whether all went well.
func transfer(w *isa.Warp, in *isa.Inst, from isa.Space, move func(to, from []byte, space isa.Space)) bool {
	source := pointer{base: in.B, space: from}
	target := pointer{in.A, in.Space, in.Imm}
	for l := range w.Mask.All {
		size := w.Row(in.C)[l]
		if size%bulkUnit != 0 {
			w.Raise(isa.Trap{Kind: isa.IllegalInstruction, Lane: l, Note: "the size of a bulk copy is no multiple of 16"})
			return false
		}
		a, b := target.address(w, l), source.address(w, l)
		for done := uint32(0); done < size; done += bulkChunk {
			n := int(min(bulkChunk, size-done))
			src := w.Bytes(from, l, b+uint64(done), n, bulkUnit, false)
			if src == nil {
				return false
			}
			dst := w.Bytes(in.Space, l, a+uint64(done), n, bulkUnit, true)
			if dst == nil {
				return false
			}
			move(dst, src, in.Space)
		}
	}
	return true
}

func copyBytes(to, from []byte, _ isa.Space) { copy(to, from) }

// bindBulkIn copies from global memory and counts the bytes.
func bindBulkIn(*isa.Form) isa.Handler { return bulkCounted(isa.Global, copyBytes) }

// bindBulkAcross copies between the shared memories of a cluster.
func bindBulkAcross(*isa.Form) isa.Handler { return bulkCounted(isa.Shared, copyBytes) }

func bulkCounted(from isa.Space, move func(to, from []byte, space isa.Space)) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		if transfer(w, in, from, move) {
			size := w.Row(in.C)
			moved(w, in, w.Mask, func(l int) uint32 { return size[l] })
		}
	}
}

func bindBulkOut(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) { transfer(w, in, isa.Shared, copyBytes) }
}

func bindBulkReduceAcross(f *isa.Form) isa.Handler {
	if combine := combiner(f); combine != nil {
		return bulkCounted(isa.Shared, combine)
	}
	return nil
}

func bindBulkReduceOut(f *isa.Form) isa.Handler {
	combine := combiner(f)
	if combine == nil {
		return nil
	}
	return func(w *isa.Warp, in *isa.Inst) { transfer(w, in, isa.Shared, combine) }
}

// combiner applies a form's operation to each element, nil if the type does not
// have it.
func combiner(f *isa.Form) func(to, from []byte, space isa.Space) {
	if !reduces(f) {
		return nil
	}
	switch f.Type(0).Bits() {
	case 16:
		return combine(formula16(f))
	case 32:
		return combine(formula32(f))
	}
	return combine(formula64(f))
}

// reduces reports whether a form's type has its operation.
func reduces(f *isa.Form) bool {
	t := f.Type(0)
	switch f.Any("and", "or", "xor", "add", "inc", "dec", "min", "max") {
	case "and", "or", "xor":
		return t.Kind() == isa.Bits
	case "inc", "dec":
		return t == isa.U32
	case "min", "max":
		return t.Kind() != isa.Bits && t != isa.F32 && t != isa.F64
	}
	// Floats of 16 bits are added without flushing, which is to be said.
	return t.Kind() != isa.Bits && (t.Bits() > 16 || f.Has("noftz"))
}

func combine[T value](f formula[T]) func(to, from []byte, space isa.Space) {
	return func(to, from []byte, space isa.Space) {
		apply := f.in(space)
		for i := 0; i < len(to); i += size[T]() {
			put(to[i:], apply(get[T](to[i:]), get[T](from[i:])))
		}
	}
}
