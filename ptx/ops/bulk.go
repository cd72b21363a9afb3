package ops

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

const (
	byTx      = "mbarrier::complete_tx::bytes "
	toCluster = "async bulk shared::cluster global " + byTx
	toShared  = "async bulk shared::cta global " + byTx
	intoOther = "async bulk shared::cluster shared::cta " + byTx
	toGlobal  = "async bulk global shared::cta bulk_group "
	asyncRed  = "async relaxed cluster {shared::cluster} " + byTx
)

// bulk is the part of PTX ISA 9.7.9 and 9.7.13 about asynchronous operations
// that tell an mbarrier object how many bytes they have moved. All is done at
// once; groups of them are always complete.
var bulk = []isa.Op{
	{Name: "st", Mods: "async {weak} {shared::cluster} " + byTx + "{v2|v4}", Types: "b32 b64 u32 u64 s32 s64 f32 f64", Args: "[a], B, [m]", Unit: isa.LSU, Class: isa.Variable, Since: 81, SM: 90, Doc: "9.7.9.12", Bind: bindStoreAsync},
	{Name: "st", Mods: "async {mmio} release gpu|sys {global}", Types: "b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64", Args: "[a], b", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 87, SM: 100, Doc: "9.7.9.12", Bind: bindStore},
	{Name: "st", Mods: "bulk {weak} {shared::cta}", Args: "[a], b:u64, c:u32", Unit: isa.LSU, Class: isa.Variable, Since: 86, SM: 100, Doc: "9.7.9.13", Bind: bindStoreBulk},
	{Name: "red", Mods: "async {mmio} release gpu|sys {global} add", Types: "u32 s32 u64 s64", Args: "[a], b", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 87, SM: 100, Doc: "9.7.13.7", Bind: bindAtom},
	{Name: "red", Mods: asyncRed + "inc|dec", Types: "u32", Args: "[a], b, [m]", Unit: isa.LSU, Class: isa.Variable, Since: 81, SM: 90, Doc: "9.7.13.7", Bind: bindRedAsync},
	{Name: "red", Mods: asyncRed + "min|max", Types: "u32 s32", Args: "[a], b, [m]", Unit: isa.LSU, Class: isa.Variable, Since: 81, SM: 90, Doc: "9.7.13.7", Bind: bindRedAsync},
	{Name: "red", Mods: asyncRed + "and|or|xor", Types: "b32", Args: "[a], b, [m]", Unit: isa.LSU, Class: isa.Variable, Since: 81, SM: 90, Doc: "9.7.13.7", Bind: bindRedAsync},
	{Name: "red", Mods: asyncRed + "add", Types: "u32 s32 u64", Args: "[a], b, [m]", Unit: isa.LSU, Class: isa.Variable, Since: 81, SM: 90, Doc: "9.7.13.7", Bind: bindRedAsync},

	{Name: "cp", Mods: toCluster, Args: "[a], [b], c:u32, [m]", Unit: isa.LSU, Class: isa.Variable, Since: 80, SM: 90, Doc: "9.7.9.25.4.1", Bind: bindBulkIn},
	{Name: "cp", Mods: toCluster + "L2::cache_hint", Args: "[a], [b], c:u32, [m], x:u64", Unit: isa.LSU, Class: isa.Variable, Since: 80, SM: 90, Doc: "9.7.9.25.4.1", Bind: bindBulkIn},
	{Name: "cp", Mods: toCluster + "multicast::cluster", Args: "[a], [b], c:u32, [m], v:b16", Unit: isa.LSU, Class: isa.Variable, Since: 80, SM: 90, Doc: "9.7.9.25.4.1", Bind: bindBulkIn},
	{Name: "cp", Mods: toCluster + "multicast::cluster L2::cache_hint", Args: "[a], [b], c:u32, [m], v:b16, x:u64", Unit: isa.LSU, Class: isa.Variable, Since: 80, SM: 90, Doc: "9.7.9.25.4.1", Bind: bindBulkIn},
	{Name: "cp", Mods: toShared, Args: "[a], [b], c:u32, [m]", Unit: isa.LSU, Class: isa.Variable, Since: 86, SM: 90, Doc: "9.7.9.25.4.1", Bind: bindBulkIn},
	{Name: "cp", Mods: toShared + "L2::cache_hint", Args: "[a], [b], c:u32, [m], x:u64", Unit: isa.LSU, Class: isa.Variable, Since: 86, SM: 90, Doc: "9.7.9.25.4.1", Bind: bindBulkIn},
	{Name: "cp", Mods: intoOther, Args: "[a], [b], c:u32, [m]", Unit: isa.LSU, Class: isa.Variable, Since: 80, SM: 90, Doc: "9.7.9.25.4.1", Bind: bindBulkAcross},
	{Name: "cp", Mods: toGlobal, Args: "[a], [b], c:u32", Unit: isa.LSU, Class: isa.Variable, Since: 80, SM: 90, Doc: "9.7.9.25.4.1", Bind: bindBulkOut},
	{Name: "cp", Mods: toGlobal + "L2::cache_hint", Args: "[a], [b], c:u32, x:u64", Unit: isa.LSU, Class: isa.Variable, Since: 80, SM: 90, Doc: "9.7.9.25.4.1", Bind: bindBulkOut},
	{Name: "cp", Mods: toGlobal + "cp_mask", Args: "[a], [b], c:u32, m:b16", Unit: isa.LSU, Class: isa.Variable, Since: 86, SM: 100, Doc: "9.7.9.25.4.1", Bind: bindBulkMasked},
	{Name: "cp", Mods: toGlobal + "cp_mask L2::cache_hint", Args: "[a], [b], c:u32, x:u64, m:b16", Unit: isa.LSU, Class: isa.Variable, Since: 86, SM: 100, Doc: "9.7.9.25.4.1", Bind: bindBulkMasked},
	{Name: "cp", Mods: "async bulk ahead L2 global {L2::cache_hint}", Args: "[a], c:u32, x:u64?", Unit: isa.LSU, Since: 80, SM: 90, Doc: "9.7.9.25.4.3", Bind: bindBulkAhead},
	{Name: "cp", Mods: "async bulk commit_group", Unit: isa.LSU, Since: 80, SM: 90, Doc: "9.7.9.25.6.1", Bind: bindNothing},
	{Name: "cp", Mods: "async bulk wait_group {read}", Args: "i", Unit: isa.LSU, Fence: isa.FenceCTA, Since: 80, SM: 90, Doc: "9.7.9.25.6.2", Bind: bindNothing},

	{Name: "cp", Mods: "reduce " + intoOther + "and|or|xor", Types: "b32", Args: "[a], [b], c:u32, [m]", Unit: isa.LSU, Class: isa.Variable, Since: 80, SM: 90, Doc: "9.7.9.25.4.2", Bind: bindBulkReduceAcross},
	{Name: "cp", Mods: "reduce " + intoOther + "add", Types: "u32 s32 u64", Args: "[a], [b], c:u32, [m]", Unit: isa.LSU, Class: isa.Variable, Since: 80, SM: 90, Doc: "9.7.9.25.4.2", Bind: bindBulkReduceAcross},
	{Name: "cp", Mods: "reduce " + intoOther + "inc|dec", Types: "u32", Args: "[a], [b], c:u32, [m]", Unit: isa.LSU, Class: isa.Variable, Since: 80, SM: 90, Doc: "9.7.9.25.4.2", Bind: bindBulkReduceAcross},
	{Name: "cp", Mods: "reduce " + intoOther + "min|max", Types: "u32 s32", Args: "[a], [b], c:u32, [m]", Unit: isa.LSU, Class: isa.Variable, Since: 80, SM: 90, Doc: "9.7.9.25.4.2", Bind: bindBulkReduceAcross},

	{Name: "cp", Mods: "reduce " + toGlobal + "and|or|xor", Types: "b32 b64", Args: "[a], [b], c:u32", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 80, SM: 90, Doc: "9.7.9.25.4.2", Bind: bindBulkReduceOut},
	{Name: "cp", Mods: "reduce " + toGlobal + "and|or|xor L2::cache_hint", Types: "b32 b64", Args: "[a], [b], c:u32, x:u64", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 80, SM: 90, Doc: "9.7.9.25.4.2", Bind: bindBulkReduceOut},
	{Name: "cp", Mods: "reduce " + toGlobal + "add", Types: "u32 s32 u64 f32 f64", Args: "[a], [b], c:u32", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 80, SM: 90, Doc: "9.7.9.25.4.2", Bind: bindBulkReduceOut},
	{Name: "cp", Mods: "reduce " + toGlobal + "add L2::cache_hint", Types: "u32 s32 u64 f32 f64", Args: "[a], [b], c:u32, x:u64", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 80, SM: 90, Doc: "9.7.9.25.4.2", Bind: bindBulkReduceOut},
	{Name: "cp", Mods: "reduce " + toGlobal + "add noftz", Types: "f16 bf16", Args: "[a], [b], c:u32", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 80, SM: 90, Doc: "9.7.9.25.4.2", Bind: bindBulkReduceOut},
	{Name: "cp", Mods: "reduce " + toGlobal + "add noftz L2::cache_hint", Types: "f16 bf16", Args: "[a], [b], c:u32, x:u64", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 80, SM: 90, Doc: "9.7.9.25.4.2", Bind: bindBulkReduceOut},
	{Name: "cp", Mods: "reduce " + toGlobal + "inc|dec", Types: "u32", Args: "[a], [b], c:u32", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 80, SM: 90, Doc: "9.7.9.25.4.2", Bind: bindBulkReduceOut},
	{Name: "cp", Mods: "reduce " + toGlobal + "inc|dec L2::cache_hint", Types: "u32", Args: "[a], [b], c:u32, x:u64", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 80, SM: 90, Doc: "9.7.9.25.4.2", Bind: bindBulkReduceOut},
	{Name: "cp", Mods: "reduce " + toGlobal + "min|max", Types: "u32 s32 u64 s64 f16 bf16", Args: "[a], [b], c:u32", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 80, SM: 90, Doc: "9.7.9.25.4.2", Bind: bindBulkReduceOut},
	{Name: "cp", Mods: "reduce " + toGlobal + "min|max L2::cache_hint", Types: "u32 s32 u64 s64 f16 bf16", Args: "[a], [b], c:u32, x:u64", Unit: isa.LSU, Class: isa.Variable, Shares: true, Since: 80, SM: 90, Doc: "9.7.9.25.4.2", Bind: bindBulkReduceOut},
}

// moved tells the objects that operand M names of n bytes in each lane.
func moved(w *isa.Warp, in *isa.Inst, n int) {
	for l := range w.Mask.All {
		if !completeTx(w, l, w.Row(in.M)[l], n) {
			return
		}
	}
}

func bindStoreAsync(f *isa.Form) isa.Handler {
	store := bindStore(f)
	if store == nil {
		return nil
	}
	size := f.Type(0).Bytes() * elements(f)
	return func(w *isa.Warp, in *isa.Inst) {
		if w.Mask == 0 || !clustered(w) {
			return
		}
		if store(w, in); w.Trap.Kind == isa.NoTrap {
			moved(w, in, size)
		}
	}
}

func bindRedAsync(f *isa.Form) isa.Handler {
	reduce, size := bindAtom(f), f.Type(0).Bytes()
	return func(w *isa.Warp, in *isa.Inst) {
		if w.Mask == 0 || !clustered(w) {
			return
		}
		if reduce(w, in); w.Trap.Kind == isa.NoTrap {
			moved(w, in, size)
		}
	}
}

// bulkUnit is what addresses and sizes of bulk copies are multiples of, and
// bulkChunk how much of one is moved at a time, in bytes.
const (
	bulkUnit  = 16
	bulkChunk = 128
)

// transfer moves C bytes of lane l from a source to each of the addresses to by
// means of move. It reports whether all went well.
func transfer(w *isa.Warp, in *isa.Inst, l int, source pointer, to []uint64, move func(to, from []byte, space isa.Space)) bool {
	size, from := w.Row(in.C)[l], source.address(w, l)
	if size%bulkUnit != 0 {
		w.Raise(isa.Trap{Kind: isa.IllegalInstruction, Lane: l, Note: "the size of a bulk copy is no multiple of 16"})
		return false
	}
	for done := uint32(0); done < size; done += bulkChunk {
		n := int(min(bulkChunk, size-done))
		src := w.Bytes(source.space, l, from+uint64(done), n, bulkUnit, false)
		if src == nil {
			return false
		}
		for _, a := range to {
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
func bindBulkIn(f *isa.Form) isa.Handler {
	return bulkCounted(isa.Global, f.Has("multicast::cluster"), copyBytes)
}

// bindBulkAcross copies between the shared memories of a cluster.
func bindBulkAcross(*isa.Form) isa.Handler { return bulkCounted(isa.Shared, false, copyBytes) }

// clustered refuses what is written asynchronously to the shared memory of a cluster,
// but for copies from global memory, in a grid that was launched without clusters (an
// H200 answers it with an illegal instruction, for the CTA's own memory too).
func clustered(w *isa.Warp) bool {
	if !w.CTA.Cluster.Explicit {
		w.Raise(isa.Trap{Kind: isa.IllegalInstruction, Lane: w.Mask.First(), Note: "asynchronous writes to the shared memory of a cluster need a launch with clusters"})
	}
	return w.CTA.Cluster.Explicit
}

func bulkCounted(from isa.Space, multicast bool, move func(to, from []byte, space isa.Space)) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		if from == isa.Shared && (w.Mask == 0 || !clustered(w)) {
			return
		}
		source, target := pointer{base: in.B, space: from}, pointer{in.A, in.Space, in.Imm}
		for l := range w.Mask.All {
			places := []landing{{uint32(target.address(w, l)), w.Row(in.M)[l]}}
			if multicast {
				places = several(w.Row(in.Vec[0])[l], places[0])
			}
			var to []uint64
			for _, x := range places {
				to = append(to, uint64(x.data))
			}
			if !transfer(w, in, l, source, to, move) {
				return
			}
			for _, x := range places {
				if !completeTx(w, l, x.barrier, int(w.Row(in.C)[l])) {
					return
				}
			}
		}
	}
}

// landing is where a copy goes in shared memory, and the mbarrier object that it
// tells.
type landing struct{ data, barrier uint32 }

// several are the same places in each CTA of a mask.
func several(mask uint32, x landing) []landing {
	var all []landing
	for rank := range uint32(16) {
		if mask>>rank&1 != 0 {
			all = append(all, landing{x.data&distance | rank<<isa.ClusterShift, x.barrier&distance | rank<<isa.ClusterShift})
		}
	}
	return all
}

// completeTx tells the mbarrier object at a shared address of n bytes.
func completeTx(w *isa.Warp, l int, address uint32, n int) bool {
	p := w.Bytes(isa.SharedCluster, l, uint64(address), barrierLen, barrierLen, true)
	if p == nil {
		return false
	}
	if e := w.Effect; e != nil && e.Defers {
		e.Late = append(e.Late, isa.Late{Lane: uint8(l), Rank: uint8(address >> isa.ClusterShift), Bytes: uint32(n), Tell: func() bool { return tell(p, n) }})
		return true
	}
	tell(p, n)
	return true
}

// tell completes n bytes of transactions of an object, and with them perhaps its
// phase.
func tell(object []byte, n int) (over bool) {
	b := mbarrier(get[uint64](object))
	next := b.expect(-uint32(n)).complete()
	put(object, uint64(next))
	return next.phase() != b.phase()
}

// bindBulkAhead only says what L2 should hold.
func bindBulkAhead(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		if w.Effect == nil {
			return
		}
		at := pointer{in.A, in.Space, in.Imm}
		for l := range w.Mask.All {
			ahead(w, l, at.address(w, l), int(w.Row(in.C)[l]))
		}
	}
}

// ahead notes n bytes of global memory that are wanted in L2.
func ahead(w *isa.Warp, l int, address uint64, n int) {
	for ; n > 0; n -= bulkChunk {
		w.Effect.Accesses = append(w.Effect.Accesses, isa.Access{Lane: uint8(l), Space: isa.Global, Bytes: uint8(min(n, bulkChunk)), Addr: address})
		address += bulkChunk
	}
}

func bindBulkOut(*isa.Form) isa.Handler { return bulkOut(copyBytes) }

// bulkOut moves bytes from shared memory to global memory.
func bulkOut(move func(to, from []byte, space isa.Space)) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		source, target := pointer{base: in.B, space: isa.Shared}, pointer{in.A, in.Space, in.Imm}
		for l := range w.Mask.All {
			if !transfer(w, in, l, source, []uint64{target.address(w, l)}, move) {
				return
			}
		}
	}
}

// bindBulkMasked copies the bytes of each 16 whose bit is set in operand M.
func bindBulkMasked(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		source, target := pointer{base: in.B, space: isa.Shared}, pointer{in.A, in.Space, in.Imm}
		for l := range w.Mask.All {
			mask := w.Row(in.M)[l]
			some := func(to, from []byte, _ isa.Space) {
				for i := range to {
					if mask>>(i%bulkUnit)&1 != 0 {
						to[i] = from[i]
					}
				}
			}
			if !transfer(w, in, l, source, []uint64{target.address(w, l)}, some) {
				return
			}
		}
	}
}

// bindStoreBulk clears B bytes, a multiple of eight.
func bindStoreBulk(*isa.Form) isa.Handler {
	const unit = 8
	return func(w *isa.Warp, in *isa.Inst) {
		target := pointer{in.A, in.Space, in.Imm}
		for l := range w.Mask.All {
			n := w.Get64(in.B, l)
			if n%unit != 0 || w.Row(in.C)[l] != 0 {
				w.Raise(isa.Trap{Kind: isa.IllegalInstruction, Lane: l, Note: "a bulk store writes zeros, a multiple of 8 bytes"})
				return
			}
			for a := target.address(w, l); n > 0; {
				k := min(n, bulkChunk)
				p := w.Bytes(in.Space, l, a, int(k), unit, true)
				if p == nil {
					return
				}
				clear(p)
				a, n = a+k, n-k
			}
		}
	}
}

func bindBulkReduceAcross(f *isa.Form) isa.Handler {
	if combine := combiner(f); combine != nil {
		return bulkCounted(isa.Shared, false, combine)
	}
	return nil
}

func bindBulkReduceOut(f *isa.Form) isa.Handler {
	if combine := combiner(f); combine != nil {
		return bulkOut(combine)
	}
	return nil
}

// combiner applies a form's operation to each element, nil if the type does not
// have it.
func combiner(f *isa.Form) func(to, from []byte, space isa.Space) {
	if !reduces(f) {
		return nil
	}
	switch t := f.Type(0); {
	case t == isa.F32:
		return combine(everywhere(alu.AddF32RN)) // no subnormal is flushed, other than by red
	case t.Bits() == 16:
		return combine(formula16(f))
	case t.Bits() == 32:
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
	return t.Kind() != isa.Bits
}

func combine[T value](f formula[T]) func(to, from []byte, space isa.Space) {
	return func(to, from []byte, space isa.Space) {
		apply := f.in(space)
		for i := 0; i < len(to); i += size[T]() {
			put(to[i:], apply(get[T](to[i:]), get[T](from[i:])))
		}
	}
}
