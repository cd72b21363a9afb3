package ops

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
)

const (
	inShared  = "{shared|shared::cta} "
	inCluster = "{shared|shared::cta|shared::cluster} "
	arrival   = "{release|relaxed} {cta|cluster} " + inCluster
	await     = "{acquire|relaxed} {cta|cluster} " + inShared
	copyMods  = "async ca|cg shared|shared::cta global {prefetch} "
)

// async is the part of PTX ISA 9.7.9 and 9.7.13 about asynchronous copies and
// the barriers in shared memory that wait for them. Copies are made at once,
// which the manual allows, so that their groups are always complete.
var async = []isa.Op{
	{Name: "cp", Mods: copyMods, Args: "[a], [b], c:u32", Unit: isa.LSU, Class: isa.Variable, Since: 70, SM: 80, Doc: "9.7.9.25.3.1", Bind: bindCopy},
	{Name: "cp", Mods: copyMods, Args: "[a], [b], c:u32, m:u32", Unit: isa.LSU, Class: isa.Variable, Since: 70, SM: 80, Doc: "9.7.9.25.3.1", Bind: bindCopySome},
	{Name: "cp", Mods: copyMods, Args: "[a], [b], c:u32, s", Unit: isa.LSU, Class: isa.Variable, Since: 75, SM: 80, Doc: "9.7.9.25.3.1", Bind: bindCopyUnless},
	{Name: "cp", Mods: copyMods + "L2::cache_hint", Args: "[a], [b], c:u32, x:u64", Unit: isa.LSU, Class: isa.Variable, Since: 74, SM: 80, Doc: "9.7.9.25.3.1", Bind: bindCopy},
	{Name: "cp", Mods: copyMods + "L2::cache_hint", Args: "[a], [b], c:u32, m:u32, x:u64", Unit: isa.LSU, Class: isa.Variable, Since: 74, SM: 80, Doc: "9.7.9.25.3.1", Bind: bindCopySome},
	{Name: "cp", Mods: copyMods + "L2::cache_hint", Args: "[a], [b], c:u32, s, x:u64", Unit: isa.LSU, Class: isa.Variable, Since: 75, SM: 80, Doc: "9.7.9.25.3.1", Bind: bindCopyUnless},
	{Name: "cp", Mods: "async commit_group", Unit: isa.LSU, Since: 70, SM: 80, Doc: "9.7.9.25.3.2", Bind: bindNothing},
	{Name: "cp", Mods: "async wait_group", Args: "i", Unit: isa.LSU, Fence: isa.FenceCTA, Since: 70, SM: 80, Doc: "9.7.9.25.3.3", Bind: bindNothing},
	{Name: "cp", Mods: "async wait_all", Unit: isa.LSU, Fence: isa.FenceCTA, Since: 70, SM: 80, Doc: "9.7.9.25.3.3", Bind: bindNothing},

	{Name: "mbarrier", Mods: "init " + inShared, Types: "b64", Args: "[a], b:u32", Unit: isa.LSU, Class: isa.Variable, Since: 70, SM: 80, Doc: "9.7.13.15.9", Bind: bindBarrierInit},
	{Name: "mbarrier", Mods: "inval " + inShared, Types: "b64", Args: "[a]", Unit: isa.LSU, Class: isa.Variable, Since: 70, SM: 80, Doc: "9.7.13.15.10", Bind: bindBarrierInval},
	{Name: "mbarrier", Mods: "expect_tx|complete_tx {relaxed} {cta|cluster} " + inCluster, Types: "b64", Args: "[a], b:u32", Unit: isa.LSU, Class: isa.Variable, Since: 80, SM: 90, Doc: "9.7.13.15.11", Bind: bindBarrierTx},
	{Name: "mbarrier", Mods: "arrive|arrive_drop " + arrival, Types: "b64", Args: "d:u64, [a]", Unit: isa.LSU, Class: isa.Variable, Since: 70, SM: 80, Doc: "9.7.13.15.13", Bind: bindArriveOne},
	{Name: "mbarrier", Mods: "arrive|arrive_drop noComplete {release} {cta} " + inShared, Types: "b64", Args: "d:u64, [a], b:u32", Unit: isa.LSU, Class: isa.Variable, Since: 70, SM: 80, Doc: "9.7.13.15.13", Bind: bindArriveSome},
	{Name: "mbarrier", Mods: "arrive|arrive_drop " + arrival, Types: "b64", Args: "d:u64, [a], b:u32", Unit: isa.LSU, Class: isa.Variable, Since: 78, SM: 80, Doc: "9.7.13.15.13", Bind: bindArriveSome},
	{Name: "mbarrier", Mods: "arrive|arrive_drop expect_tx " + arrival, Types: "b64", Args: "d:u64, [a], b:u32", Unit: isa.LSU, Class: isa.Variable, Since: 80, SM: 90, Doc: "9.7.13.15.13", Bind: bindArriveExpect},
	{Name: "cp", Mods: "async mbarrier arrive {noinc} " + inShared, Types: "b64", Args: "[a]", Unit: isa.LSU, Class: isa.Variable, Since: 70, SM: 80, Doc: "9.7.13.15.15", Bind: bindArriveCopies},
	{Name: "mbarrier", Mods: "test_wait " + await, Types: "b64", Args: "p, [a], b:u64", Unit: isa.LSU, Class: isa.Variable, Since: 70, SM: 80, Shares: true, Doc: "9.7.13.15.16", Bind: bindAwait},
	{Name: "mbarrier", Mods: "try_wait " + await, Types: "b64", Args: "p, [a], b:u64, c:u32?", Unit: isa.LSU, Class: isa.Variable, Since: 70, SM: 80, Shares: true, Doc: "9.7.13.15.16", Bind: bindAwait},
	{Name: "mbarrier", Mods: "test_wait parity " + await, Types: "b64", Args: "p, [a], b:u32", Unit: isa.LSU, Class: isa.Variable, Since: 71, SM: 80, Shares: true, Doc: "9.7.13.15.16", Bind: bindAwait},
	{Name: "mbarrier", Mods: "try_wait parity " + await, Types: "b64", Args: "p, [a], b:u32, c:u32?", Unit: isa.LSU, Class: isa.Variable, Since: 71, SM: 80, Shares: true, Doc: "9.7.13.15.16", Bind: bindAwait},
	{Name: "mbarrier", Mods: "pending_count", Types: "b64", Args: "d:u32, a:u64", Since: 70, SM: 80, Doc: "9.7.13.15.17", Bind: bindPendingCount},
}

func bindCopy(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		if n, ok := copySize(w, in); ok {
			copyLanes(w, in, w.Mask, n)
		}
	}
}

// bindCopySome copies a first part of the source, whose length is operand M,
// and clears the rest of the destination.
func bindCopySome(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		n, ok := copySize(w, in)
		if !ok {
			return
		}
		var all, none isa.Mask
		length := w.Row(in.M)
		for l := range w.Mask.All {
			switch {
			case length[l] >= uint32(n):
				all |= isa.Lane(l)
			case length[l] == 0:
				none |= isa.Lane(l)
			}
		}
		copyLanes(w, in, all, n)
		clearLanes(w, in, none, n)
		for l := range (w.Mask &^ all &^ none).All {
			copyPart(w, in, l, int(length[l]), n)
		}
	}
}

// bindCopyUnless clears the destination where the predicate is true.
func bindCopyUnless(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		if n, ok := copySize(w, in); ok {
			ignore := w.Source(in)
			copyLanes(w, in, w.Mask&^ignore, n)
			clearLanes(w, in, w.Mask&ignore, n)
		}
	}
}

// copySize is the size of a copy in bytes, which programs give as a constant.
func copySize(w *isa.Warp, in *isa.Inst) (n int, ok bool) {
	switch first := w.Mask.First(); w.Row(in.C)[first] {
	case 4:
		return 4, true
	case 8:
		return 8, true
	case 16:
		return 16, true
	default:
		w.Raise(isa.Trap{Kind: isa.IllegalInstruction, Lane: first, Note: "asynchronous copy of another size than 4, 8 and 16"})
		return 0, false
	}
}

// copyLanes copies n bytes in each of the lanes.
func copyLanes(w *isa.Warp, in *isa.Inst, lanes isa.Mask, n int) {
	var to, from reach
	for lanes != 0 {
		if !from.locate(w, pointer{base: in.B, space: isa.Global}, lanes, n, false) || !to.find(w, in, from.lanes, n, true) {
			return
		}
		for l := range to.lanes.All {
			copy(to.bytes[to.at[l]:][:n], from.bytes[from.at[l]:])
		}
		lanes &^= to.lanes
	}
}

func clearLanes(w *isa.Warp, in *isa.Inst, lanes isa.Mask, n int) {
	var to reach
	for ; lanes != 0; lanes &^= to.lanes {
		if !to.find(w, in, lanes, n, true) {
			return
		}
		for l := range to.lanes.All {
			clear(to.bytes[to.at[l]:][:n])
		}
	}
}

// copyPart copies k of n bytes in lane l and clears the others.
func copyPart(w *isa.Warp, in *isa.Inst, l, k, n int) {
	from := w.Bytes(isa.Global, l, w.Get64(in.B, l), k, n, false)
	if from == nil {
		return
	}
	var to reach
	if to.find(w, in, isa.Lane(l), n, true) {
		b := to.bytes[to.at[l]:][:n]
		clear(b[copy(b, from):])
	}
}
