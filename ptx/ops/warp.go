package ops

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/isa/alu"
)

// warp is the part of PTX ISA 9.7.9 and 9.7.13 through which the lanes of a
// warp and the warps of a CTA meet. The engine gathers the lanes of a
// warp-synchronous instruction before its handler runs; w.Mask is then all
// that came. The older forms without a member mask use the lanes that execute.
// An .aligned instruction promises convergence, which no result depends on.
var warp = []isa.Op{
	{Name: "shfl", Mods: "up|down|bfly|idx", Types: "b32", Args: "d|p, a, b, c", Unit: isa.LSU, Class: isa.Variable, Since: 30, SM: 30, Doc: "9.7.9.5", Bind: bindShfl},
	{Name: "shfl", Mods: "sync up|down|bfly|idx", Types: "b32", Args: "d|p, a, b, c, m:u32", Unit: isa.LSU, Class: isa.Variable, Flow: isa.WarpSync, Since: 60, SM: 30, Doc: "9.7.9.6", Bind: bindShfl},
	{Name: "vote", Mods: "all|any|uni", Types: "pred", Args: "p, s", Since: 12, SM: 12, Doc: "9.7.13.7", Bind: bindVote},
	{Name: "vote", Mods: "ballot", Types: "b32", Args: "d, s", Since: 20, SM: 20, Doc: "9.7.13.7", Bind: bindBallot},
	{Name: "vote", Mods: "sync all|any|uni", Types: "pred", Args: "p, s, m:u32", Flow: isa.WarpSync, Since: 60, SM: 30, Doc: "9.7.13.8", Bind: bindVote},
	{Name: "vote", Mods: "sync ballot", Types: "b32", Args: "d, s, m:u32", Flow: isa.WarpSync, Since: 60, SM: 30, Doc: "9.7.13.8", Bind: bindBallot},
	{Name: "match", Mods: "sync any", Types: "b32 b64", Args: "d:u32, a, m:u32", Class: isa.Variable, Flow: isa.WarpSync, Since: 60, SM: 70, Doc: "9.7.13.9", Bind: bindMatchAny},
	{Name: "match", Mods: "sync all", Types: "b32 b64", Args: "d|p:u32, a, m:u32", Class: isa.Variable, Flow: isa.WarpSync, Since: 60, SM: 70, Doc: "9.7.13.9", Bind: bindMatchAll},
	{Name: "activemask", Types: "b32", Args: "d", Since: 62, SM: 30, Doc: "9.7.13.10", Bind: bindActivemask},
	{Name: "redux", Mods: "sync add|min|max", Types: ints32, Args: "d, a, m", Class: isa.Variable, Flow: isa.WarpSync, Since: 70, SM: 80, Doc: "9.7.13.11", Bind: bindRedux},
	{Name: "redux", Mods: "sync min|max {abs} {NaN}", Types: "f32", Args: "d, a, m:b32", Class: isa.Variable, Flow: isa.WarpSync, Since: 86, SM: 100, Only: "100a 100f 103a", Doc: "9.7.13.11", Bind: bindRedux},
	{Name: "redux", Mods: "sync and|or|xor", Types: "b32", Args: "d:u32, a:u32, m:u32", Class: isa.Variable, Flow: isa.WarpSync, Since: 70, SM: 80, Doc: "9.7.13.11", Bind: bindRedux},
	{Name: "elect", Mods: "sync", Args: "d|p:u32, m:u32", Flow: isa.WarpSync, Since: 80, SM: 90, Doc: "9.7.13.14", Bind: bindElect},

	{Name: "bar", Mods: "warp sync", Args: "m:u32", Unit: isa.Branch, Flow: isa.WarpSync, Since: 60, SM: 30, Doc: "9.7.13.2", Bind: bindNothing},
	{Name: "bar", Mods: "{cta} sync", Args: "a:u32, b:u32?", Unit: isa.Branch, Flow: isa.Barrier, Since: 10, Doc: "9.7.13.1", Control: barSync},
	{Name: "bar", Mods: "{cta} arrive", Args: "a:u32, b:u32", Unit: isa.Branch, Flow: isa.Barrier, Since: 20, SM: 20, Doc: "9.7.13.1", Control: barArrive},
	{Name: "bar", Mods: "{cta} red popc", Types: "u32", Args: "d, a:u32, s", Unit: isa.Branch, Flow: isa.Barrier, Since: 20, SM: 20, Doc: "9.7.13.1", Control: barRed},
	{Name: "bar", Mods: "{cta} red popc", Types: "u32", Args: "d, a:u32, b:u32, s", Unit: isa.Branch, Flow: isa.Barrier, Since: 20, SM: 20, Doc: "9.7.13.1", Control: barRed},
	{Name: "bar", Mods: "{cta} red and|or", Types: "pred", Args: "p, a:u32, s", Unit: isa.Branch, Flow: isa.Barrier, Since: 20, SM: 20, Doc: "9.7.13.1", Control: barRed},
	{Name: "bar", Mods: "{cta} red and|or", Types: "pred", Args: "p, a:u32, b:u32, s", Unit: isa.Branch, Flow: isa.Barrier, Since: 20, SM: 20, Doc: "9.7.13.1", Control: barRed},
	{Name: "barrier", Mods: "{cta} sync {aligned}", Args: "a:u32, b:u32?", Unit: isa.Branch, Flow: isa.Barrier, Since: 60, SM: 30, Doc: "9.7.13.1", Control: barSync},
	{Name: "barrier", Mods: "{cta} arrive {aligned}", Args: "a:u32, b:u32", Unit: isa.Branch, Flow: isa.Barrier, Since: 60, SM: 30, Doc: "9.7.13.1", Control: barArrive},
	{Name: "barrier", Mods: "{cta} red popc {aligned}", Types: "u32", Args: "d, a:u32, s", Unit: isa.Branch, Flow: isa.Barrier, Since: 60, SM: 30, Doc: "9.7.13.1", Control: barRed},
	{Name: "barrier", Mods: "{cta} red popc {aligned}", Types: "u32", Args: "d, a:u32, b:u32, s", Unit: isa.Branch, Flow: isa.Barrier, Since: 60, SM: 30, Doc: "9.7.13.1", Control: barRed},
	{Name: "barrier", Mods: "{cta} red and|or {aligned}", Types: "pred", Args: "p, a:u32, s", Unit: isa.Branch, Flow: isa.Barrier, Since: 60, SM: 30, Doc: "9.7.13.1", Control: barRed},
	{Name: "barrier", Mods: "{cta} red and|or {aligned}", Types: "pred", Args: "p, a:u32, b:u32, s", Unit: isa.Branch, Flow: isa.Barrier, Since: 60, SM: 30, Doc: "9.7.13.1", Control: barRed},
	{Name: "barrier", Mods: "cluster arrive {release|relaxed} {aligned}", Unit: isa.Branch, Flow: isa.ClusterBar, Since: 78, SM: 90, Doc: "9.7.13.3", Control: barArrive},
	{Name: "barrier", Mods: "cluster wait {acquire} {aligned}", Unit: isa.Branch, Flow: isa.ClusterBar, Since: 78, SM: 90, Doc: "9.7.13.3", Control: barSync},
}

func barSync(_ *isa.Form, args int) *isa.Control {
	return &isa.Control{Bar: isa.BarSync, Count: args == 2}
}

func barArrive(_ *isa.Form, args int) *isa.Control {
	return &isa.Control{Bar: isa.BarArrive, Count: args == 2}
}

func barRed(f *isa.Form, args int) *isa.Control {
	c := &isa.Control{Bar: isa.BarRed, Reduce: isa.BarPopc, Count: args == 4}
	switch f.Any("and", "or") {
	case "and":
		c.Reduce = isa.BarAnd
	case "or":
		c.Reduce = isa.BarOr
	}
	return c
}

// party is a set of lanes that execute a warp-synchronous instruction with the
// same member mask; peers are those whose values count.
type party struct{ lanes, peers isa.Mask }

// nextParty is the party of the first of the lanes rest. Lanes of one path may
// name different member masks, as tiles of a converged warp do.
func nextParty(w *isa.Warp, in *isa.Inst, rest isa.Mask) party {
	if in.Flow != isa.WarpSync {
		return party{rest, rest}
	}
	members := w.Row(in.M)
	mask := members[rest.First()]
	if in.M < 0 {
		return party{rest, w.Mask & isa.Mask(mask)}
	}
	var g party
	for l := range rest.All {
		if members[l] == mask {
			g.lanes |= isa.Lane(l)
		}
	}
	g.peers = w.Mask & isa.Mask(mask)
	return g
}

// bindShfl moves values between lanes. A lane that does not execute gives 0, as
// an H200 has it; one that asks beyond its segment keeps its own.
func bindShfl(f *isa.Form) isa.Handler {
	switch f.Any("up", "down", "bfly", "idx") {
	case "up":
		return shflUp
	case "down":
		return shflDown
	case "bfly":
		return shflBfly
	}
	return shflIdx
}

// segment is the number bits of lane l that name its segment, and the bound of
// the lanes it may ask: the first for up, the last for the other modes.
func segment(l int, c uint32) (mask, bound int) {
	mask = int(c>>8) & 31
	return mask, l&mask | int(c)&31&^mask
}

// given is what each lane of a row gives those that ask it: nothing but 0 where it
// does not execute.
func given(row *isa.Lanes, m isa.Mask) isa.Lanes {
	values := *row
	for l := range (^m).All {
		values[l] = 0
	}
	return values
}

func shflUp(w *isa.Warp, in *isa.Inst) {
	m, d, a, b, c := w.Args3(in)
	values, inside := given(a, m), isa.Mask(0)
	for l := range m.All {
		_, least := segment(l, c[l])
		j := l - int(b[l]&31)
		if j < least {
			d[l] = values[l]
			continue
		}
		inside |= isa.Lane(l)
		d[l] = values[j&31]
	}
	w.SetPred(in.P, inside)
}

func shflDown(w *isa.Warp, in *isa.Inst) {
	m, d, a, b, c := w.Args3(in)
	values, inside := given(a, m), isa.Mask(0)
	for l := range m.All {
		_, most := segment(l, c[l])
		j := l + int(b[l]&31)
		if j > most {
			d[l] = values[l]
			continue
		}
		inside |= isa.Lane(l)
		d[l] = values[j&31]
	}
	w.SetPred(in.P, inside)
}

func shflBfly(w *isa.Warp, in *isa.Inst) {
	m, d, a, b, c := w.Args3(in)
	values, inside := given(a, m), isa.Mask(0)
	for l := range m.All {
		_, most := segment(l, c[l])
		j := l ^ int(b[l]&31)
		if j > most {
			d[l] = values[l]
			continue
		}
		inside |= isa.Lane(l)
		d[l] = values[j&31]
	}
	w.SetPred(in.P, inside)
}

func shflIdx(w *isa.Warp, in *isa.Inst) {
	m, d, a, b, c := w.Args3(in)
	values, inside := given(a, m), isa.Mask(0)
	for l := range m.All {
		mask, most := segment(l, c[l])
		j := l&mask | int(b[l]&31)&^mask
		if j > most {
			d[l] = values[l]
			continue
		}
		inside |= isa.Lane(l)
		d[l] = values[j&31]
	}
	w.SetPred(in.P, inside)
}

func bindVote(f *isa.Form) isa.Handler {
	kind := f.Any("all", "any", "uni")
	return func(w *isa.Warp, in *isa.Inst) {
		yes := w.Source(in)
		var result isa.Mask
		for rest := w.Mask; rest != 0; {
			g := nextParty(w, in, rest)
			rest &^= g.lanes
			all, none := yes&g.peers == g.peers, yes&g.peers == 0
			if kind == "all" && all || kind == "any" && !none || kind == "uni" && (all || none) {
				result |= g.lanes
			}
		}
		w.SetPred(in.P, result)
	}
}

func bindBallot(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		yes, d := w.Source(in), &w.Regs[in.D]
		for rest := w.Mask; rest != 0; {
			g := nextParty(w, in, rest)
			rest &^= g.lanes
			fillRow(g.lanes, d, uint32(yes&g.peers))
		}
	}
}

// alike is the set of lanes of m whose values equal lane l's; values have one
// row or two.
func alike(m isa.Mask, l int, rows ...*isa.Lanes) isa.Mask {
	for _, row := range rows {
		var same isa.Mask
		for k := range m.All {
			if row[k] == row[l] {
				same |= isa.Lane(k)
			}
		}
		m = same
	}
	return m
}

// valueRows is the rows of a source operand.
func valueRows(w *isa.Warp, r isa.Reg, t isa.Type) [2]*isa.Lanes {
	lo := w.Row(r)
	if t.Bits() == 64 {
		return [2]*isa.Lanes{lo, w.Row(isa.Above(r, 1))}
	}
	return [2]*isa.Lanes{lo, lo}
}

func bindMatchAny(f *isa.Form) isa.Handler {
	t := f.Type(0)
	return func(w *isa.Warp, in *isa.Inst) {
		rows := valueRows(w, in.A, t)
		var result isa.Lanes
		for rest := w.Mask; rest != 0; {
			g := nextParty(w, in, rest)
			rest &^= g.lanes
			for left := g.lanes; left != 0; {
				l := left.First()
				same := alike(g.lanes|g.peers, l, rows[:]...)
				fillRow(same&g.lanes, &result, uint32(same&g.peers))
				left &^= same
			}
		}
		copyRow(w.Mask, &w.Regs[in.D], &result)
	}
}

func bindMatchAll(f *isa.Form) isa.Handler {
	t := f.Type(0)
	return func(w *isa.Warp, in *isa.Inst) {
		rows := valueRows(w, in.A, t)
		var result isa.Lanes
		var equal isa.Mask
		for rest := w.Mask; rest != 0; {
			g := nextParty(w, in, rest)
			rest &^= g.lanes
			if g.peers != 0 && alike(g.peers, g.peers.First(), rows[:]...) == g.peers {
				fillRow(g.lanes, &result, uint32(g.peers))
				equal |= g.lanes
			}
		}
		copyRow(w.Mask, &w.Regs[in.D], &result)
		w.SetPred(in.P, equal)
	}
}

func bindActivemask(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) { fillRow(w.Mask, &w.Regs[in.D], uint32(w.Mask)) }
}

func bindRedux(f *isa.Form) isa.Handler {
	combine := reduction(f)
	return func(w *isa.Warp, in *isa.Inst) {
		values := *w.Row(in.A)
		for rest := w.Mask; rest != 0; {
			g := nextParty(w, in, rest)
			rest &^= g.lanes
			if g.peers == 0 {
				continue
			}
			sum := values[g.peers.First()]
			if f.Type(0) == isa.F32 { // a single NaN becomes the canonical one
				sum = combine(sum, sum)
			}
			for l := range (g.peers & (g.peers - 1)).All {
				sum = combine(sum, values[l])
			}
			fillRow(g.lanes, &w.Regs[in.D], sum)
		}
	}
}

// floatReduction is the operation of redux.f32.
func floatReduction(f *isa.Form) func(a, b uint32) uint32 {
	combine := alu.MaxF32
	switch {
	case f.Has("min") && f.Has("NaN"):
		combine = alu.MinNaNF32
	case f.Has("min"):
		combine = alu.MinF32
	case f.Has("NaN"):
		combine = alu.MaxNaNF32
	}
	if f.Has("abs") {
		return func(a, b uint32) uint32 { return combine(a&^(1<<31), b&^(1<<31)) }
	}
	return combine
}

// reduction is the operation of a 32-bit redux.
func reduction(f *isa.Form) func(a, b uint32) uint32 {
	if f.Type(0) == isa.F32 {
		return floatReduction(f)
	}
	signed := f.Type(0).IsSigned()
	switch op := f.Any("add", "min", "max", "and", "or", "xor"); {
	case op == "add":
		return func(a, b uint32) uint32 { return a + b }
	case op == "min" && signed:
		return func(a, b uint32) uint32 { return uint32(min(int32(a), int32(b))) }
	case op == "min":
		return func(a, b uint32) uint32 { return min(a, b) }
	case op == "max" && signed:
		return func(a, b uint32) uint32 { return uint32(max(int32(a), int32(b))) }
	case op == "max":
		return func(a, b uint32) uint32 { return max(a, b) }
	case op == "and":
		return func(a, b uint32) uint32 { return a & b }
	case op == "or":
		return func(a, b uint32) uint32 { return a | b }
	}
	return func(a, b uint32) uint32 { return a ^ b }
}

// bindElect elects the lowest lane.
func bindElect(*isa.Form) isa.Handler {
	return func(w *isa.Warp, in *isa.Inst) {
		var leaders isa.Mask
		for rest := w.Mask; rest != 0; {
			g := nextParty(w, in, rest)
			rest &^= g.lanes
			if g.peers != 0 {
				leaders |= isa.Lane(g.peers.First())
				fillRow(g.lanes, &w.Regs[in.D], uint32(g.peers.First()))
			}
		}
		w.SetPred(in.P, leaders)
	}
}
