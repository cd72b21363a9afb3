package simd

import "github.com/lockstep-sim/lockstep/gpu/isa"

// Op is a micro-operation. Its fields are what bodies read: operands are byte
// offsets from row zero, or from predicate zero.
type Op struct {
	full, part uintptr // addresses of the bodies
	d, a, b, c int32
	imm        int64
	ah, bh, ch int32 // rows above a, b and c
	rest       int32 // instructions from here to the end of the run
	pc         int32
	slot       int32 // offset of a span, or a mask that complements a predicate
}

// Span is memory that was accessed lately: size bytes from address lo.
type Span struct {
	lo   uint64
	size uint64
	base *byte
}

// spans is the number of memory instructions that have a span of their own; more
// share them in turn. known is the number of different spans that are remembered:
// an instruction whose span does not hold its operand takes the one that does.
const (
	spans = 64
	known = 16
)

// State is what bodies work on.
type State struct {
	rows    *isa.Lanes // row zero of the frame
	preds   *isa.Mask
	left    int64
	threads int64
	shares  int64
	mask    isa.Mask
	stop    int32
	pc      int32
	stride  uint32 // of local memory
	base    uint32 // of the frame in local memory

	tid     *isa.Lanes // three rows
	special [9]uint32  // by UniformVariant

	shared     *byte
	sharedSize uint64
	sharedBase uint32 // its address
	params     *byte
	paramsSize uint64
	local      *byte
	spans      [spans]Span
	known      [known]Span
	oldest     int // of known

	level Level
}

// Path says what runs: the lanes, where they are, where they stop (-1 for
// nowhere) and how many instructions they may execute.
type Path struct {
	Mask     isa.Mask
	PC, Stop int32
	Left     int
	Threads  int // executed by lanes
	Shares   int // instructions executed that have isa.Op.Shares
}

// Use makes runs those of a level.
func (s *State) Use(v Level) { s.level = v.resolve() }

// EnterCTA takes a CTA's shared memory and parameters.
func (s *State) EnterCTA(c *isa.CTA) {
	s.shared, s.sharedSize, s.sharedBase = first(c.Shared), uint64(len(c.Shared)), c.SharedBase()
	s.params, s.paramsSize = first(c.Params), uint64(len(c.Params))
	for i := range 3 {
		s.special[i], s.special[3+i], s.special[6+i] = c.Ctaid[i], c.Nctaid[i], c.Ntid[i]
	}
}

// Forget drops the cached spans, which is due when memory has been freed.
func (s *State) Forget() { s.spans, s.known = [spans]Span{}, [known]Span{} }

// EnterFrame takes the warp's current frame.
func (s *State) EnterFrame(w *isa.Warp) {
	s.rows, s.preds = nil, &w.Preds[0]
	if cap(w.Regs) > 0 {
		s.rows = &w.Regs[:1][0]
	}
	s.tid = &w.Tid[0]
	s.local, s.stride, s.base = first(w.Local.Bytes), w.Local.Stride, w.Base
}

func first(b []byte) *byte {
	if len(b) == 0 {
		return nil
	}
	return &b[0]
}

// The registers of a CTA, for Uniform; x, y and z follow one another.
const (
	Ctaid  = 0
	Nctaid = 3
	Ntid   = 6
)

// UniformVariant is what Uniform wants in isa.Inst.Imm for a component of a
// register; TidVariant what Tid does.
func UniformVariant(register, component int) int64 { return int64(4 * (register + component)) }

// TidVariant is the variant of a component of the thread index.
func TidVariant(component int) int64 { return int64(component) * rowBytes }

// Run executes instructions of p from x.PC on, and moves x along. It returns
// at once if it can execute nothing. The level must be above Go.
func (s *State) Run(p *Program, x *Path) {
	c := p.at(s.level)
	i := c.entry[x.PC]
	if i < 0 {
		return
	}
	s.mask, s.stop, s.left, s.threads, s.shares = x.Mask, x.Stop, int64(x.Left), 0, 0
	c.level.run(s, &c.ops[i])
	x.PC, x.Left = s.pc, int(s.left)
	x.Threads += int(s.threads)
	x.Shares += int(s.shares)
}

// Note keeps the memory that the instruction at pc has just accessed.
func (s *State) Note(p *Program, pc int32, span isa.Span) {
	at := p.at(s.level).slots[pc]
	if at == 0 || len(span.Bytes) == 0 {
		return
	}
	x := Span{lo: span.Lo, size: uint64(len(span.Bytes)), base: &span.Bytes[0]}
	s.spans[at-1] = x
	for i := range s.known {
		if s.known[i].lo == x.lo {
			s.known[i] = x
			return
		}
	}
	s.known[s.oldest] = x
	s.oldest = (s.oldest + 1) % known
}
