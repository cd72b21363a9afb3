package program

import (
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/timing/sm"
)

// translation makes machine instructions of a function's.
type translation struct {
	*assignment
	*fusion
	function *isa.Function
	config   *sm.Config
	out      []sm.Inst
	gathers  map[int]gather    // atomics by instruction
	gathered []bool            // see Body
	halves   int               // instructions of packed halves
	moved    map[isa.Reg]int32 // one more than the last block in which a constant has come into registers
}

// instruction appends the parts of instruction pc and returns how many they are.
func (t *translation) instruction(pc int) uint8 {
	if t.free[pc] || t.spared(pc) {
		return 0
	}
	in := &t.function.Code[pc]
	last := t.machine(pc)
	parts := t.function.Operands.Parts(pc)
	if n := t.parts[pc]; n > 0 {
		parts = int(n)
	}
	first := len(t.out)
	for range 2 * t.doubles(pc) {
		t.out = append(t.out, sm.Inst{Timing: t.config.Timing(isa.ALU, isa.Fixed, isa.B32)})
		parts++
	}
	parts += t.gather(pc, &last)
	if t.function.Operands.Releases(pc) {
		t.out = append(t.out, sm.Inst{Timing: instant, Fence: sm.FenceGPU})
		parts++
	}
	for len(t.out) < first+parts-1 {
		t.out = append(t.out, earlier(last, in.Op.Unit, t.config))
	}
	t.out = append(t.out, last)
	return uint8(parts)
}

// doubles is the number of constants of instruction pc that two moves must bring into registers, which
// hold them until the end of the block: an instruction can name the upper word only.
func (t *translation) doubles(pc int) (n int) {
	f := t.function
	in := &f.Code[pc]
	if f.Operands.Type(pc) != isa.F64 || in.Op.Unit == isa.LSU {
		return 0
	}
	for _, r := range [...]isa.Reg{in.A, in.B, in.C} {
		if r < 0 && f.Consts[^r][0] != 0 && t.moved[r] != t.block[pc]+1 {
			t.moved[r] = t.block[pc] + 1
			n++
		}
	}
	return n
}

// spared reports a move between rows that share a register.
func (t *translation) spared(pc int) bool {
	m, ok := moveAt(t.function, pc)
	if !ok {
		return false
	}
	for r := range m.rows {
		if t.register[m.to+r] != t.register[m.from+r] {
			return false
		}
	}
	return true
}

// prologue is what a kernel does before its first instruction: it loads the stack pointer and the
// descriptor of global memory.
func (t *translation) prologue() uint8 {
	const parts = 2
	for range parts {
		load := sm.Inst{Timing: t.config.Timing(isa.ALU, isa.Fixed, isa.B32), Constant: true}
		t.out = append([]sm.Inst{load}, t.out...)
	}
	return parts
}

// earlier is a part before the last: arithmetic on the same registers, so that
// the parts follow one another as their results ask for.
func earlier(last sm.Inst, u isa.Unit, c *sm.Config) sm.Inst {
	switch u {
	case isa.FP64, isa.FMA, isa.ALU:
	default:
		u = isa.ALU
	}
	part := sm.Inst{Timing: c.Timing(u, isa.Fixed, isa.B32), Src: last.Src, Dst: last.Dst}
	if u == isa.FP64 {
		part.Timing = last.Timing
	}
	if last.Mem != sm.NoMem {
		part.Dst = [2]sm.Operand{}
	}
	return part
}

// machine is the machine instruction that does what instruction pc does.
func (t *translation) machine(pc int) sm.Inst {
	in, typ := &t.function.Code[pc], t.function.Operands.Type(pc)
	m := sm.Inst{Timing: t.config.Timing(in.Op.Unit, in.Op.Class, typ)}
	if m.Pipe == sm.PipeHalf && t.config.Units.HalfOther > 0 {
		if t.halves++; t.halves%2 == 0 {
			m.Timing = t.config.Other()
		}
	}
	if x, ok := t.function.Operands.Matrix(pc); ok {
		m.Timing = t.config.Product(x)
		if x.Group {
			m.Group = sm.GroupProduct
		}
	}
	switch in.Flow {
	case isa.Next, isa.Yield, isa.GroupCommit, isa.GroupWait:
	case isa.WarpSync:
		m.Branch = in.Op.Unit == isa.Branch
	case isa.Barrier, isa.ClusterBar:
		m.Arrive = in.Control != nil && in.Control.Bar == isa.BarArrive
	default:
		m.Branch = true
	}
	t.operands(pc, &m)
	switch {
	case m.Group == sm.GroupProduct: // who reads its results waits for its group
		m.Dst, m.MoreDst = [2]sm.Operand{}, nil
	case in.Flow == isa.GroupCommit:
		m.Group = sm.GroupCommit
	case in.Flow == isa.GroupWait:
		m.Group, m.Groups = sm.GroupWait, uint8(in.Imm)
	}
	if in.Op.Unit == isa.LSU || in.Op.Unit == isa.Tex {
		t.memory(pc, typ, &m)
	}
	return m
}

// memory classes an instruction of the memory pipeline.
func (t *translation) memory(pc int, typ isa.Type, m *sm.Inst) {
	in := &t.function.Code[pc]
	k := kindOf(in.Op)
	m.Mem = k.class(in.Space)
	m.Words = uint8(min(max(typ.Rows(), 1)*max(len(in.Vec), 1), 255))
	if w := t.wideAt(pc); w.members > 0 {
		m.Words = w.bytes / 4
	}
	m.Uniform = in.A < 0
	m.Bypass = t.function.Operands.PassesL1(pc)
	m.Window = in.Space == isa.SharedCluster
	if b := bulkOf(in.Op); b != sm.NoBulk {
		m.Bulk, m.Map = b, tensorOf(in.Op)
		m.Mem, m.Groups = sm.Copies, uint8(max(in.Imm, 0))
		if b == sm.BulkCommit || b == sm.BulkWait {
			m.Timing, m.Mem = instant, sm.NoMem
		}
		return
	}
	switch {
	case k == fence:
		m.Fence = fences[in.Op.Fence]
		m.Timing, m.Mem = instant, sm.NoMem
	case k == nothing:
		m.Timing, m.Mem = instant, sm.NoMem
	case k == load && in.Space == isa.Param && in.A < 0:
		m.Timing, m.Mem = t.config.Timing(isa.ALU, isa.Fixed, typ), sm.NoMem
		m.Constant, m.Offset = true, uint32(in.Imm)
	}
}

// instant is the timing of what does nothing but wait.
var instant = sm.Timing{Pipe: sm.PipeNone, Interval: 1, Latency: 1, Fixed: true}

// fences is what a row's fence is to an SM.
var fences = [...]sm.Fence{isa.NoFence: sm.NoFence, isa.FenceCTA: sm.FenceCTA, isa.FenceGPU: sm.FenceGPU, isa.FenceSys: sm.FenceSys}

// kind is what an instruction of the memory pipeline does.
type kind uint8

const (
	lanes   kind = iota // moves data between lanes
	nothing             // has no effect on memory
	fence
	load
	store
	atomic // with a result or without
	copies // between spaces
	texture
)

// kindOf reads the kind off a row: its operand pattern says which operands are
// addresses and where the results are.
func kindOf(op *isa.Op) kind {
	first, second := strings.Index(op.Args, "["), strings.LastIndex(op.Args, "[")
	switch {
	case op.Fence != isa.NoFence:
		return fence
	case op.Unit == isa.Tex:
		return texture
	case first < 0 && op.Args != "" && op.Args != "i":
		return lanes
	case first < 0 || op.Class == isa.Fixed:
		return nothing
	case first == 0 && second == 5:
		return copies
	case op.Name == "mbarrier": // its lanes work on the one word together
		return load
	case op.Shares:
		return atomic
	case first == 0:
		return store
	}
	return load
}

// bulkOf is a row's part in bulk and tensor copies.
func bulkOf(op *isa.Op) sm.Bulk {
	has := func(word string) bool { return strings.Contains(" "+op.Mods+" ", " "+word+" ") }
	switch {
	case op.Name == "prefetch" && has("tensormap"):
		return sm.BulkAhead
	case op.Name != "cp" || !has("bulk"):
		return sm.NoBulk
	case has("commit_group"):
		return sm.BulkCommit
	case has("wait_group"):
		return sm.BulkWait
	case has("ahead"):
		return sm.BulkAhead
	case has("bulk_group") && has("reduce"):
		return sm.BulkReduce
	case has("bulk_group"):
		return sm.BulkStore
	case has("global"):
		return sm.BulkLoad
	}
	return sm.BulkAcross
}

// tensorOf reports that a row of bulk copies reads a descriptor.
func tensorOf(op *isa.Op) bool { return strings.Contains(op.Mods, "tensor") }

// class is the path through the pipeline of a kind in a state space.
func (k kind) class(s isa.Space) sm.Mem {
	shared := s == isa.Shared
	switch {
	case k == lanes:
		return sm.Lanes
	case k == copies:
		return sm.AsyncCopy
	case k == texture:
		return sm.Fetch
	case k == load && (s == isa.Const || s == isa.Param):
		return sm.LoadConst
	case k == load && shared:
		return sm.LoadShared
	case k == load:
		return sm.LoadGlobal
	case k == store && shared:
		return sm.StoreShared
	case k == store:
		return sm.StoreGlobal
	case shared:
		return sm.AtomShared
	}
	return sm.AtomGlobal
}

// operands fills in the registers and predicates that instruction pc uses.
func (t *translation) operands(pc int, m *sm.Inst) {
	var src, dst []sm.Operand
	f := t.function
	for first := pc - max(int(t.wideAt(pc).members), 1) + 1; first <= pc; first++ {
		for _, u := range f.Operands.Of(first) {
			switch {
			case u.Reg < 0 || int(u.Reg) >= f.NumRegs:
			case u.Write:
				dst = t.append(dst, u)
			case first == pc || u.Reg != f.Code[first].A: // the address is one
				src = t.append(src, u)
			}
		}
	}
	for _, r := range t.more[pc] {
		if int(r) < f.NumRegs {
			src = t.append(src, isa.Use{Reg: isa.Reg(r), Rows: 1})
		} else {
			src = append(src, t.pred(isa.PredReg(int(r)-f.NumRegs)))
		}
	}
	reads, writes := f.Code[pc].Predicates()
	for i, p := range reads {
		if p >= isa.PFree {
			o := t.pred(p)
			if i == 0 {
				o.Reg += sm.Guards
			}
			src = append(src, o)
		}
	}
	for _, p := range writes {
		if p >= isa.PFree {
			dst = append(dst, t.pred(p))
		}
	}
	m.MoreSrc = src[copy(m.Src[:], src):]
	m.MoreDst = dst[copy(m.Dst[:], dst):]
}

// append adds the registers of a use, as one operand where they are adjacent.
func (t *translation) append(to []sm.Operand, u isa.Use) []sm.Operand {
	for r := range int(u.Rows) {
		row := int(u.Reg) + r
		if row >= len(t.register) {
			break
		}
		reg := t.register[row]
		if r > 0 {
			if o := &to[len(to)-1]; o.Reg+o.N == reg && o.N < widest {
				o.N++
				continue
			}
		}
		to = append(to, sm.Regs(int(reg), 1))
	}
	return to
}

func (t *translation) pred(p isa.PredReg) sm.Operand {
	return sm.Operand{File: sm.Predicate, N: 1, Reg: t.predicate[p]}
}
