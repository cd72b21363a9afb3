package program

import (
	"slices"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// Limits of the register files of a thread.
const (
	maxRegisters  = 255 // one number is the zero register
	maxPredicates = 7
)

// assignment is where the rows and predicates of a function live.
type assignment struct {
	register  []uint8 // by row
	placed    []bool  // by row: it has one
	predicate []uint8 // by predicate
	used      int     // registers
	shared    int     // rows that share a register with another live one
}

// span is a group of rows that need adjacent registers.
type span struct {
	interval
	row, rows int
}

// assign gives the rows of a function physical registers below limit, and its
// predicates predicate registers. Where a move can be spared, both of its sides
// get the same.
func assign(f *isa.Function, x *fusion, limit int) *assignment {
	graph := blocks(f)
	flow(f, x, graph, f.NumRegs+f.NumPreds)
	live := intervals(f, x, graph)
	same := coalesce(f, x, graph)
	for row, root := range same {
		if int(root) != row && live[row].last >= live[row].first {
			live[root].first, live[root].last = min(live[root].first, live[row].first), max(live[root].last, live[row].last)
			live[row] = interval{1, 0}
		}
	}
	a := &assignment{register: make([]uint8, f.NumRegs), placed: make([]bool, f.NumRegs), predicate: make([]uint8, f.NumPreds)}
	rows := scan{free: make([]int32, limit)}
	with := company(f, x)
	for _, g := range spans(f, live) {
		bank := -1
		if g.rows == 1 {
			bank = a.bank(g.row, with)
		}
		r, fits := rows.take(g, bank)
		if !fits {
			a.shared += g.rows
		}
		for i := range g.rows {
			a.register[g.row+i], a.placed[g.row+i] = uint8(r+i), true
		}
		a.used = max(a.used, r+g.rows)
	}
	for row, root := range same {
		a.register[row] = a.register[root]
	}
	predicates := scan{free: make([]int32, maxPredicates)}
	var all []span
	for p := int(isa.PFree); p < f.NumPreds; p++ {
		if l := live[f.NumRegs+p]; l.last >= l.first {
			all = append(all, span{l, p, 1})
		}
	}
	byStart(all)
	for _, g := range all {
		r := predicates.oldest(g)
		a.predicate[g.row] = uint8(r)
	}
	return a
}

// joined tells for each row that it needs a register beside that of the row above.
func joined(f *isa.Function) []bool {
	all := make([]bool, f.NumRegs)
	for pc := range f.Code {
		for _, u := range f.Operands.Of(pc) {
			for r := 0; u.Reg >= 0 && r+1 < int(u.Rows) && int(u.Reg)+r+1 < f.NumRegs; r++ {
				all[int(u.Reg)+r] = true
			}
		}
	}
	return all
}

// spans are the groups of rows that are used together, by the start of their
// lives.
func spans(f *isa.Function, live []interval) []span {
	joined := joined(f)
	var all []span
	for row := 0; row < f.NumRegs; {
		g := span{live[row], row, 1}
		for joined[row+g.rows-1] && g.rows < widest {
			above := live[row+g.rows]
			g.first, g.last = min(g.first, above.first), max(g.last, above.last)
			g.rows++
		}
		row += g.rows
		if g.last >= g.first {
			all = append(all, g)
		}
	}
	byStart(all)
	return all
}

// widest is the number of registers of the widest operand.
const widest = 4

func byStart(all []span) {
	slices.SortFunc(all, func(a, b span) int {
		if a.first != b.first {
			return int(a.first - b.first)
		}
		return a.row - b.row
	})
}

// scan is a linear scan: when each register becomes free.
type scan struct {
	free []int32 // first instruction that may write it
}

// take gives g the lowest aligned registers that are free, of a bank if one is
// free there that is not much higher; if there are none, those that become free
// first.
func (s *scan) take(g span, bank int) (register int, fits bool) {
	align := 1
	for align < g.rows {
		align *= 2
	}
	best, when := 0, int32(1<<30)
	for r := 0; r+g.rows <= len(s.free); r += align {
		at := slices.Max(s.free[r : r+g.rows])
		if at <= g.first {
			best, when = r, at
			if next := r + 1; bank >= 0 && r%registerBanks != bank && next < len(s.free) && s.free[next] <= g.first {
				best, when = next, s.free[next]
			}
			break
		}
		if at < when {
			best, when = r, at
		}
	}
	for i := range g.rows {
		s.free[best+i] = max(s.free[best+i], g.last)
	}
	return best, when <= g.first
}

// oldest gives g, of one row, the register that has been free for longest: predicates are few and
// written often, and one that is written again soon must wait for its readers.
func (s *scan) oldest(g span) (register int) {
	for r := range s.free {
		if s.free[r] < s.free[register] {
			register = r
		}
	}
	s.free[register] = max(s.free[register], g.last)
	return register
}
