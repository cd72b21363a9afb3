package program

import (
	"slices"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/timing/sm"
)

// gather is what an assembler makes of an atomic operation on 32-bit integers: where the address is the
// same in all lanes, one of them does it for all with their sum, and tells them their shares.
type gather struct {
	result  bool // somebody reads it
	address bool // the same in all lanes
	value   bool // the same in all lanes
	counts  bool // an increment of shared memory, for which the hardware counts lanes
}

// gathers looks at the atomics of a function, by what ptxas 13.0 was seen to do for sm_90.
func gathers(f *isa.Function) map[int]gather {
	var all map[int]gather
	var same set
	var uses []usage
	for pc := range f.Code {
		in := &f.Code[pc]
		t := f.Operands.Type(pc)
		if in.Op.Role != isa.Gathers || t.Bits() != 32 || t.IsFloat() || in.Space != isa.Global && in.Space != isa.Shared {
			continue
		}
		if all == nil {
			all, same, uses = map[int]gather{}, uniform(f), usages(f)
		}
		is := func(r isa.Reg) bool { return r < 0 || same.has(resource(r)) }
		g := gather{result: !strings.HasPrefix(in.Op.Args, "[") && in.D >= 0 && len(uses[in.D].reads) > 0, address: is(in.A), value: is(in.B)}
		g.counts = !g.result && in.Space == isa.Shared && strings.Contains(in.Op.Mods, "add") && in.B < 0 && f.Consts[^in.B][0] == 1
		all[pc] = g
	}
	return all
}

// uniform finds the registers and predicates that have the same value in all lanes, but for loops that
// lanes leave one after another.
func uniform(f *isa.Function) set {
	n := resource(f.NumRegs + f.NumPreds)
	same := newSet(int(n))
	for r := range n {
		same.add(r)
	}
	var t touch
	for changed := true; changed; {
		changed = false
		for pc := range f.Code {
			touches(f, pc, &t)
			varies := separates(&f.Code[pc])
			for _, r := range t.reads {
				varies = varies || !same.has(r)
			}
			for _, w := range t.writes {
				if varies && same.has(w) {
					same.remove(w)
					changed = true
				}
			}
		}
	}
	return same
}

// separates reports an instruction that gives lanes different values even if its sources are the same in all.
func separates(in *isa.Inst) bool {
	switch name := in.Op.Name; {
	case strings.HasPrefix(name, "%"):
		return strings.HasPrefix(name, "%tid") || strings.HasPrefix(name, "%lane")
	case in.Op.Unit == isa.LSU:
		return kindOf(in.Op) != load || in.Space != isa.Global && in.Space != isa.Shared && in.Space != isa.Const && in.Space != isa.Param
	}
	return in.Flow != isa.Next && in.Flow != isa.Jump
}

// gather appends what comes before the atomic operation of instruction pc, whose machine instruction is
// last, and returns how many instructions that is. What spreads the result comes before it as well: an instruction
// executes at its last part.
func (t *translation) gather(pc int, last *sm.Inst) (n int) {
	g, ok := t.gathers[pc]
	if !ok {
		return 0
	}
	if !g.result {
		last.Dst, last.MoreDst = [2]sm.Operand{}, nil
	}
	if !g.address && !g.counts {
		return 0
	}
	if t.gathered == nil {
		t.gathered = make([]bool, len(t.function.Code))
	}
	t.gathered[pc] = true
	alu, special, lanes := t.config.Timing(isa.ALU, isa.Fixed, isa.B32), t.config.Timing(isa.XU, isa.Variable, isa.B32), t.config.Timing(isa.LSU, isa.Variable, isa.B32)
	chain := sm.Operand{}
	if in := &t.function.Code[pc]; in.B >= 0 {
		chain = sm.Regs(int(t.register[in.B]), 1)
	} else if g.result {
		chain = sm.Regs(int(t.register[in.D]), 1)
	}
	add := func(timings ...sm.Timing) {
		for _, x := range timings {
			part := sm.Inst{Timing: x, Src: [4]sm.Operand{chain}, Dst: [2]sm.Operand{chain}}
			if x == lanes {
				part.Mem, part.Words = sm.Lanes, 1
			}
			t.out = append(t.out, part)
			n++
		}
	}
	switch {
	case g.counts:
	case g.result && g.value: // VOTE, FLO, POPC, the place among lanes; SHFL, IMAD
		add(alu, special, special, alu, special, alu, lanes, alu)
	case g.result: // VOTE, a sum over lanes below; SHFL, SHFL, a sum
		add(alu, alu)
		for range 5 {
			add(lanes, alu)
		}
		add(lanes, lanes, alu)
	case g.value: // VOTE, FLO, POPC, a comparison
		add(alu, alu, special, alu)
	default: // VOTE, FLO, REDUX, a comparison
		add(alu, alu, special, alu, alu)
	}
	return n
}

// distinct drops accesses to addresses that a lane before has.
func distinct(accesses []isa.Access) []isa.Access {
	kept := accesses[:0]
	for _, a := range accesses {
		if !slices.ContainsFunc(kept, func(k isa.Access) bool { return k.Addr == a.Addr }) {
			kept = append(kept, a)
		}
	}
	return kept
}
