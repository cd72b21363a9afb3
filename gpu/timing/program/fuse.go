package program

import "github.com/lockstep-sim/lockstep/gpu/isa"

// fusion says which instructions of a function an assembler makes part of those that use their
// results: a product becomes part of a sum, an offset part of an address. They execute, and take
// neither a place in the code nor time.
type fusion struct {
	free  []bool             // by instruction
	full  []bool             // has taken one in
	parts []uint8            // machine instructions of one that has; 0 as its row says
	more  map[int][]resource // what such a one reads of those that it took in
	block []int32            // by instruction
	wide  []wide             // by instruction, the last of accesses that are one; nil if there is none
}

// rule says that an assembler makes one machine instruction of two.
type rule struct {
	part  func(s *shape) bool // the one whose result the other uses
	whole func(s *shape) bool
	only  bool  // if the result has one use; else if all its uses are of the whole
	full  bool  // even if the part has taken one in
	parts uint8 // of the whole then; 0 leaves them
}

// shape is what rules look at.
type shape struct {
	in      *isa.Inst
	t       isa.Type
	address bool // the result of the part is the address of an access
}

// plays reports an unguarded integer instruction of some bits in one of the roles.
func (s *shape) plays(bits int, roles isa.Role) bool {
	return s.in.Op.Role&roles != 0 && s.t.Bits() == bits && !s.t.IsFloat() && s.unguarded()
}

func (s *shape) unguarded() bool { return s.in.Guard == isa.PT && !s.in.GuardNot }

// constant reports that the last source of an instruction, or with either any, is one.
func (s *shape) constant(either bool) bool { return s.in.B < 0 || either && s.in.A < 0 }

// whole makes the condition of a rule: an integer instruction of some bits in one of the roles.
func whole(bits int, roles isa.Role) func(s *shape) bool {
	return func(s *shape) bool { return s.plays(bits, roles) }
}

// rules are what ptxas 13.0 was seen to do for sm_90.
var rules = []rule{
	// IMAD.WIDE
	{part: whole(32, isa.WideProduct), whole: whole(64, isa.Sum), parts: 1},
	// LEA
	{part: func(s *shape) bool { return s.plays(64, isa.Shift) && s.constant(false) }, whole: whole(64, isa.Sum), only: true},
	{part: func(s *shape) bool { return s.plays(32, isa.Shift) && s.constant(false) }, whole: whole(32, isa.Sum), only: true},
	// IMAD, IADD3
	{part: whole(32, isa.Product|isa.Sum|isa.Difference|isa.Sign), whole: whole(32, isa.Sum|isa.Difference), only: true},
	// LOP3
	{part: whole(32, isa.Logical), whole: whole(32, isa.Logical), only: true},
	// A sign costs nothing.
	{part: sign, whole: func(s *shape) bool { return s.in.Op.Unit == isa.FMA && s.t.IsFloat() || s.in.Op.Unit == isa.FP64 }},
	// A constant that is added to an address is part of the access.
	{part: func(s *shape) bool { return s.plays(64, isa.Sum) && s.constant(true) }, whole: func(s *shape) bool { return s.address }, full: true},
	// A comparison whose result meets another.
	{part: func(s *shape) bool { return s.in.Op.Role == isa.Compares && s.unguarded() && s.in.Q < isa.PFree }, whole: func(s *shape) bool {
		return s.in.Op.Role == isa.Junction && s.in.P >= isa.PFree && s.unguarded()
	}, only: true},
}

func sign(s *shape) bool {
	return s.in.Op.Role == isa.Sign && (s.t == isa.F32 || s.t == isa.F64) && s.unguarded()
}

// vanishes reports instructions that name another address space or length for the same bits.
func vanishes(s *shape, uses []isa.Use) bool {
	if s.t.Bits() != 64 || s.t.IsFloat() || !s.unguarded() {
		return false
	}
	if s.in.Op.Role == isa.Widens {
		for _, u := range uses {
			if !u.Write {
				return u.Rows == 1
			}
		}
	}
	return s.in.Op.Role == isa.SameBits
}

// usage is where a resource of a function is written and read.
type usage struct {
	writer int32 // the only one, -1 if there are several or none
	writes int
	reads  []int32
}

// fuse finds the instructions of f that become part of others.
func fuse(f *isa.Function) *fusion {
	n := len(f.Code)
	x := &fusion{free: make([]bool, n), full: make([]bool, n), parts: make([]uint8, n), more: map[int][]resource{}, block: make([]int32, n)}
	for i, b := range blocks(f) {
		for pc := b.first; pc < b.end; pc++ {
			x.block[pc] = int32(i)
		}
	}
	at := usages(f)
	var t touch
	for pc := range f.Code {
		s := shape{in: &f.Code[pc], t: f.Operands.Type(pc)}
		touches(f, pc, &t)
		if len(t.writes) == 0 {
			continue
		}
		if vanishes(&s, f.Operands.Of(pc)) && single(at, t.writes) {
			x.take(at, pc, t, rule{})
			continue
		}
		for i := range rules {
			if r := &rules[i]; r.part(&s) && single(at, t.writes) && x.takes(f, at, r, pc, &t) {
				x.take(at, pc, t, *r)
				break
			}
		}
	}
	return x
}

func usages(f *isa.Function) []usage {
	at := make([]usage, f.NumRegs+f.NumPreds)
	for i := range at {
		at[i].writer = -1
	}
	var t touch
	for pc := range f.Code {
		touches(f, pc, &t)
		for _, r := range t.writes {
			at[r].writes++
			if at[r].writer = int32(pc); at[r].writes > 1 {
				at[r].writer = -1
			}
		}
		for _, r := range t.reads {
			if n := len(at[r].reads); n == 0 || at[r].reads[n-1] != int32(pc) {
				at[r].reads = append(at[r].reads, int32(pc))
			}
		}
	}
	return at
}

// single reports that resources have one writer each.
func single(at []usage, rs []resource) bool {
	for _, r := range rs {
		if at[r].writer < 0 {
			return false
		}
	}
	return true
}

// takes reports that all users of the results of instruction at pc can take it in.
func (x *fusion) takes(f *isa.Function, at []usage, r *rule, part int, t *touch) bool {
	users := at[t.writes[0]].reads
	if len(users) == 0 || r.only && len(users) > 1 || x.full[part] && !r.full {
		return false
	}
	for _, pc := range users {
		whole := shape{in: &f.Code[pc], t: f.Operands.Type(int(pc)), address: addresses(f, int(pc), t.writes[0])}
		if !r.whole(&whole) || x.free[pc] || x.full[pc] || !x.holds(f, at, t.reads, part, int(pc)) {
			return false
		}
	}
	return true
}

// holds reports that registers which instruction from reads have the same values at instruction to.
func (x *fusion) holds(f *isa.Function, at []usage, reads []resource, from, to int) bool {
	if single(at, reads) {
		return true
	}
	if x.block[from] != x.block[to] || to < from {
		return false
	}
	var t touch
	for pc := from; pc < to; pc++ {
		touches(f, pc, &t)
		for _, w := range t.writes {
			for _, r := range reads {
				if r == w {
					return false
				}
			}
		}
	}
	return true
}

// addresses reports that a memory instruction uses a register as its address and for nothing else.
func addresses(f *isa.Function, pc int, r resource) bool {
	in := &f.Code[pc]
	if in.Op.Unit != isa.LSU || resource(in.A) != r {
		return false
	}
	n := 0
	for _, u := range f.Operands.Of(pc) {
		if !u.Write && int(u.Reg) <= int(r) && int(r) < int(u.Reg)+int(u.Rows) {
			n++
		}
	}
	return n == 1
}

// take makes instruction pc part of all that use its results.
func (x *fusion) take(at []usage, pc int, t touch, r rule) {
	x.free[pc] = true
	reads := append(append([]resource(nil), t.reads...), x.more[pc]...)
	for _, user := range at[t.writes[0]].reads {
		u := int(user)
		x.more[u] = append(x.more[u], reads...)
		x.full[u] = x.full[u] || r.part != nil
		if r.parts > 0 {
			x.parts[u] = r.parts
		}
	}
}

// touches lists what instruction pc uses, of those that it took in as well.
func (x *fusion) touches(f *isa.Function, pc int, t *touch) {
	touches(f, pc, t)
	if more := x.more[pc]; len(more) > 0 {
		t.reads = append(t.reads, more...)
	}
}
