package isa

// Lanes is one register row: the value of one 32-bit register in each lane.
type Lanes [WarpSize]uint32

// Warp is the architectural state that handlers read and write. What every instruction
// needs stands first and together, in few lines of the host's caches.
type Warp struct {
	Mask   Mask    // lanes that execute the current instruction
	Live   Mask    // lanes that exist and have not exited
	Carry  Mask    // condition-code carry flag of each lane
	Base   uint32  // where the current frame's local memory begins
	Waits  bool    // an instruction found that what it waits for has not come
	Regs   []Lanes // rows of the current frame
	Consts []Lanes // constant rows of the current function
	Preds  []Mask  // predicates of the current frame
	CTA    *CTA
	Effect *Effect

	cache Span
	gen   uint64

	Trap  Trap // set by Raise
	Index int  // warp number within the CTA
	Local LocalMemory
	Tid   [3]Lanes
}

// CTA is the architectural state that the warps of a CTA share.
type CTA struct {
	Ctaid, Nctaid, Ntid [3]uint32
	GridID              uint64
	GraphExec           uint64 // handle of the graph that the grid belongs to, 0 for none
	Shared              []byte // the reserved part included
	Cluster             *Cluster
	Rank                uint32 // within the cluster
	Ended               bool   // its threads have exited; others of the cluster may not have
	DynamicShared       uint32 // bytes asked for at launch
	Params              []byte // kernel parameters
	Workspace           uint64 // cooperative grid workspace, 0 when not cooperative
	SM                  uint32
	NumSM               uint32
	Memory              Memory
	Clock               Clock
	Timer               func() uint64 // nanoseconds; nil where the clock stands for them
	Textures            Textures
	Tensor              *TensorMemory // nil until something is allocated
	// Cancel takes the place of a cluster of the grid that has not started, if
	// one is left: the index of its first CTA.
	Cancel    func() (first [3]uint32, ok bool)
	Constants []Range // of global memory, that hold constants
	Samplers  map[uint64]*Sampler
}

// Sampler is the sampler with a handle, nil if there is none.
func (c *CTA) Sampler(handle uint64) *Sampler { return c.Samplers[handle] }

// Constant reports a generic address in constant memory.
func (c *CTA) Constant(addr uint64) bool {
	for _, r := range c.Constants {
		if addr >= r.Lo && addr < r.Hi {
			return true
		}
	}
	return false
}

// Cluster is a thread-block cluster: CTAs that run at once and reach one
// another's shared memory. Without clusters each CTA is one of its own.
type Cluster struct {
	Dim, ID, Count [3]uint32 // CTAs of it; its place among the clusters of the grid; their number
	Explicit       bool      // the program asked for clusters
	CTAs           []*CTA    // by rank
}

// ClusterShift is where a shared address holds the rank of the CTA whose memory
// it names, above the distance in it (as sm_90 has them).
const ClusterShift = 24

// SharedBase is the address of the CTA's shared memory within its cluster's.
func (c *CTA) SharedBase() uint32 { return c.Rank << ClusterShift }

// SharedAt is the shared memory that an address of the cluster lies in, and the
// address that it begins at; nil if no CTA has it. A CTA that has ended has none
// for those who read; what is written there is lost.
func (c *CTA) SharedAt(a uint32, write bool) (bytes []byte, base uint32) {
	rank := a >> ClusterShift
	if rank == c.Rank {
		return c.Shared, c.SharedBase()
	}
	if c.Cluster == nil || int(rank) >= len(c.Cluster.CTAs) {
		return nil, 0
	}
	other := c.Cluster.CTAs[rank]
	if other == nil || other.Ended && !write {
		return nil, 0
	}
	return other.Shared, rank << ClusterShift
}

// sharedSM is the largest shared memory of an SM in bytes (programming guide,
// technical specifications, 9.0); no address of a cluster lies above it.
const sharedSM = 228 << 10

// SharedTrap is the kind of trap for an access to shared memory at an address
// that is not the CTA's: space says whether the instruction reaches others
// (measured on an H200).
func (c *CTA) SharedTrap(space Space, a uint32) TrapKind {
	switch {
	case a>>ClusterShift == c.Rank, a&(1<<ClusterShift-1) >= sharedSM:
		return IllegalAddress
	case space == Shared:
		return IllegalInstruction
	}
	return ClusterMemory
}

// Row is the row of a register or constant operand.
func (w *Warp) Row(r Reg) *Lanes {
	if r >= 0 {
		return &w.Regs[r]
	}
	return &w.Consts[^r]
}

// Args1 returns the mask and the rows of D and A.
func (w *Warp) Args1(in *Inst) (m Mask, d, a *Lanes) {
	return w.Mask, &w.Regs[in.D], w.Row(in.A)
}

// Args returns the mask and the rows of D, A and B.
func (w *Warp) Args(in *Inst) (m Mask, d, a, b *Lanes) {
	return w.Mask, &w.Regs[in.D], w.Row(in.A), w.Row(in.B)
}

// Args3 returns the mask and the rows of D, A, B and C.
func (w *Warp) Args3(in *Inst) (m Mask, d, a, b, c *Lanes) {
	return w.Mask, &w.Regs[in.D], w.Row(in.A), w.Row(in.B), w.Row(in.C)
}

// Get64 reads a 64-bit register in lane l.
func (w *Warp) Get64(r Reg, l int) uint64 {
	return uint64(w.Row(r)[l]) | uint64(w.Row(next(r))[l])<<32
}

// Set64 writes a 64-bit register in lane l.
func (w *Warp) Set64(r Reg, l int, v uint64) {
	w.Regs[r][l] = uint32(v)
	w.Regs[r+1][l] = uint32(v >> 32)
}

// Wide returns the two rows of a 64-bit operand.
func (w *Warp) Wide(r Reg) (lo, hi *Lanes) { return w.Row(r), w.Row(next(r)) }

// next is the row above r: constant rows count downwards.
func next(r Reg) Reg {
	if r >= 0 {
		return r + 1
	}
	return r - 1
}

// Clock reads a counter that advances with execution. waits says that the reader does nothing but wait for it.
type Clock func(waits bool) uint64

// Above is the row that holds the next 32 bits of a value that starts at r.
func Above(r Reg, n int) Reg {
	if r >= 0 {
		return r + Reg(n)
	}
	return r - Reg(n)
}

// Source is the predicate source of in as a mask.
func (w *Warp) Source(in *Inst) Mask {
	p := w.Preds[in.S]
	if in.SNot {
		return ^p
	}
	return p
}

// SetPred writes predicate p for the executing lanes.
func (w *Warp) SetPred(p PredReg, v Mask) {
	w.Preds[p] = w.Preds[p]&^w.Mask | v&w.Mask
}

// Raise records that the current instruction failed; the first one wins.
func (w *Warp) Raise(t Trap) {
	if w.Trap.Kind == NoTrap {
		w.Trap = t
	}
}
