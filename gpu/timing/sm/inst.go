package sm

import (
	"strconv"
	"strings"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// Inst is what the core must know of a machine instruction before it executes.
type Inst struct {
	Timing
	Src       [4]Operand // by position; the reuse cache tells positions apart
	Dst       [2]Operand
	Constant  bool           // has an operand in constant memory, or is a constant load by immediate
	Offset    uint32         // of that operand in the Code's constants, bytes
	Scheduled bool           // Bits hold and the scoreboard does not apply
	Bits      isa.Scheduling // control bits
	Depbar    *Depbar        // of DEPBAR
	Mem       Mem            // what a memory instruction does
	Words     uint8          // registers that a memory instruction moves for each lane
	Uniform   bool           // the address is uniform, or an immediate
	Bypass    bool           // L1 is not read
	Window    bool           // addresses shared memory of the cluster
	Fence     Fence          // waits for the warp's outstanding accesses
	Branch    bool           // may move the program counter
	Arrive    bool           // arrives at a barrier and does not wait
	Wide      bool           // reads operands of four registers
	Async

	// Operands beyond those that have a position: elements of vectors and
	// fragments whose registers do not lie together.
	MoreSrc, MoreDst []Operand

	reads, writes RegSet
	result        bool         // takes an entry of the result queue
	need          [banks]uint8 // reads of general registers by bank
	into          uint8        // banks written, bit b for bank b
}

// Async is what an instruction has to do with asynchronous work.
type Async struct {
	Group  Group // its part in the asynchronous products of a warpgroup
	Groups uint8 // of a wait: those that need not be complete
	Bulk   Bulk  // its part in bulk copies
	Map    bool  // the first access of each lane is to the descriptor of a tensor
}

// Group is an instruction's part in the asynchronous products of a warpgroup.
type Group uint8

// The parts.
const (
	NoGroup      Group = iota
	GroupProduct       // begins a product
	GroupCommit        // ends a group of products
	GroupWait          // waits for groups
)

// File is a register file.
type File uint8

// The register files. None marks an operand that is absent, zero or immediate.
const (
	None File = iota
	General
	Predicate
	UniformReg
)

// Guards is added to the number of a predicate that guards an instruction: a guard is wanted earlier
// than a source, so that its latency is another.
const Guards = 32

// Operand is a range of registers of one file.
type Operand struct {
	File File
	N    uint8 // registers, at least 1
	Reg  uint8
}

// Regs is the operand of n general registers from r on.
func Regs(r, n int) Operand { return Operand{General, uint8(n), uint8(r)} }

// Depbar is the condition of a DEPBAR.LE: counter SB at most N and those of
// Zero, bit i for counter i, at zero.
type Depbar struct {
	SB, N, Zero uint8
}

// Mem classes memory instructions by their path through the pipeline.
type Mem uint8

// The classes. NoMem marks all other instructions.
const (
	NoMem       Mem = iota
	LoadGlobal      // global, local and generic loads
	StoreGlobal     // global, local and generic stores
	AtomGlobal      // global atomics and reductions
	LoadShared      // shared loads, LDSM
	StoreShared     // shared stores, STSM
	AtomShared      // shared atomics
	AsyncCopy       // global to shared: LDGSTS
	LoadConst       // LDC
	Lanes           // no memory: shuffles, S2R, match
	Fetch           // texture and surface reads
	Copies          // bulk and tensor copies: see Bulk
)

// store reports that registers are read as data.
func (m Mem) store() bool {
	return m == StoreGlobal || m == StoreShared || m == AtomGlobal || m == AtomShared
}

// shared reports that addresses are calculated in the shared part.
func (m Mem) shared() bool {
	return m == LoadShared || m == StoreShared || m == AtomShared || m == Lanes
}

// Fence is the scope of a memory fence.
type Fence uint8

// The scopes.
const (
	NoFence Fence = iota
	FenceCTA
	FenceGPU
	FenceSys
)

// RegSet is a set of registers of all files.
type RegSet [6]uint64

// Places of the files within a RegSet.
const (
	predicateBase = 256
	uniformBase   = 320
	setSize       = 384
)

// String names the registers of a set.
func (s *RegSet) String() string {
	var names []string
	for i := range setSize {
		switch {
		case s[i>>6]>>(i&63)&1 == 0:
		case i < predicateBase:
			names = append(names, "R"+strconv.Itoa(i))
		case i < predicateBase+Guards:
			names = append(names, "P"+strconv.Itoa(i-predicateBase))
		case i >= uniformBase:
			names = append(names, "UR"+strconv.Itoa(i-uniformBase))
		}
	}
	return strings.Join(names, " ")
}

func (o Operand) first() int {
	switch o.File {
	case Predicate:
		return predicateBase + int(o.Reg)&63
	case UniformReg:
		return uniformBase + int(o.Reg)&63
	}
	return int(o.Reg)
}

// end is one past the operand's last register.
func (o Operand) end() int {
	limit := predicateBase
	switch o.File {
	case None:
		return o.first()
	case Predicate:
		limit = uniformBase
	case UniformReg:
		limit = setSize
	}
	return min(o.first()+int(o.N), limit)
}

// Add puts an operand's registers in the set.
func (s *RegSet) Add(o Operand) {
	for r := o.first(); r < o.end(); r++ {
		s[r>>6] |= 1 << (r & 63)
	}
}

// Union adds the registers of t.
func (s *RegSet) Union(t *RegSet) {
	for i := range s {
		s[i] |= t[i]
	}
}

// Remove takes the registers of t out.
func (s *RegSet) Remove(t *RegSet) {
	for i := range s {
		s[i] &^= t[i]
	}
}

// Meets reports that s and t have a register in common.
func (s *RegSet) Meets(t *RegSet) bool {
	return s[0]&t[0]|s[1]&t[1]|s[2]&t[2]|s[3]&t[3]|s[4]&t[4]|s[5]&t[5] != 0
}

// Code is the machine code of a kernel, callees included. Its index is the
// program counter.
type Code struct {
	Insts  []Inst
	Base   uint64 // address of the first instruction, a multiple of the cache line
	Consts uint64 // address of the kernel's constants
	Params int    // bytes of its parameters, which stand there
}

// NewCode prepares instructions for the core.
func NewCode(base, consts uint64, insts []Inst) *Code {
	c := &Code{Base: base, Consts: consts}
	c.Append(insts)
	return c
}

// Append adds instructions at the end, where those that run do not notice.
func (c *Code) Append(insts []Inst) {
	for i := range insts {
		insts[i].prepare()
	}
	c.Insts = append(c.Insts, insts...)
}

// prepare derives what the core wants to know quickly.
func (in *Inst) prepare() {
	in.reads, in.writes, in.need, in.into = RegSet{}, RegSet{}, [banks]uint8{}, 0
	for _, o := range in.Src {
		in.source(o)
	}
	for _, o := range in.MoreSrc {
		in.source(o)
	}
	for _, o := range in.Dst {
		in.destination(o)
	}
	for _, o := range in.MoreDst {
		in.destination(o)
	}
	in.result = in.Fixed && in.writes != RegSet{}
}

func (in *Inst) source(o Operand) {
	in.reads.Add(o)
	if o.File != General {
		return
	}
	in.Wide = in.Wide || o.N >= 4 && in.Mem == NoMem
	for r := o.first(); r < o.end(); r++ {
		in.need[r%banks]++
	}
}

func (in *Inst) destination(o Operand) {
	in.writes.Add(o)
	if o.File == Predicate {
		in.writes[predicateBase>>6] |= in.writes[predicateBase>>6] << Guards
	}
	if o.File == General {
		for r := o.first(); r < o.end(); r++ {
			in.into |= 1 << (r % banks)
		}
	}
}
