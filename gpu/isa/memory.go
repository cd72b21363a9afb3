package isa

// Span is a contiguous range of device addresses [Lo, Hi) and the host bytes
// behind it: address a is Bytes[a-Lo].
type Span struct {
	Lo, Hi   uint64
	Bytes    []byte
	ReadOnly bool
}

// Memory finds the bytes behind a global address. ok is false when no
// allocation holds it. A Span stays valid until Generation changes.
type Memory interface {
	Span(addr uint64) (s Span, ok bool)
	Generation() uint64
}

// Space is a state space as the hardware sees it.
type Space uint8

// The spaces. Generic is resolved by address when the access is made.
const (
	Generic Space = iota
	Global
	Shared
	Local
	Const
	Param // of the kernel
	Frame // local memory, addressed from the current frame's base
	// SharedCluster is the shared memory of any CTA of the cluster. What reaches
	// it reports it as Shared.
	SharedCluster
)

func (s Space) String() string {
	return [...]string{"generic", "global", "shared", "local", "const", "param", "local", "shared::cluster"}[s]
}

// The windows of the generic address space that are not global memory. They
// lie above any address that a 47-bit host hands out.
const (
	WindowShift         = 32
	SharedWindow uint64 = 0x0001_0000 << WindowShift
	LocalWindow  uint64 = 0x0001_0001 << WindowShift
	ParamWindow  uint64 = 0x0001_0002 << WindowShift
	CodeWindow   uint64 = 0x0001_0003 << WindowShift
)

// SharedReserved is the size in bytes of the system's own part at the start of
// a CTA's shared memory; the first variable follows it (as on sm_90, where
// %reserved_smem_offset_end is 1024).
const SharedReserved = 1024

// CodeStep is the distance in bytes between the code addresses of functions.
const CodeStep = 16

// SpaceOf tells which space a generic address belongs to.
func SpaceOf(addr uint64) Space {
	switch addr >> WindowShift << WindowShift {
	case SharedWindow:
		return Shared
	case LocalWindow:
		return Local
	case ParamWindow:
		return Param
	}
	return Global
}

// Access is one lane's part of a memory instruction.
type Access struct {
	Lane   uint8
	Space  Space
	Write  bool
	Bytes  uint8
	Rank   uint8 // of the CTA in the cluster whose shared memory it is
	Remote bool  // it is not the warp's own CTA
	Addr   uint64
}

// Locate says where an access to shared memory at address a of the cluster is:
// Addr becomes the distance in the memory of CTA Rank.
func (x *Access) Locate(c *CTA, a uint64) {
	x.Rank, x.Addr = uint8(uint32(a)>>ClusterShift), a&(1<<ClusterShift-1)
	x.Remote = uint32(x.Rank) != c.Rank
}

// Effect is what one warp instruction did: all that a timing model may see.
// It holds no values.
type Effect struct {
	Inst     *Inst
	PC       int32
	Mask     Mask // lanes that executed
	Accesses []Access
	Barrier  bool // arrived at a CTA barrier
	Cluster  bool // arrived at the barrier of a cluster, or passed it
	Exited   Mask // lanes that ended
	Waits    bool // asked whether a phase is over in vain, and is to ask again later

	// What follows is for who executes one instruction at a time and says, by Defers,
	// that it tells mbarrier objects itself of asynchronous operations that have ended.
	Defers bool
	Late   []Late // operations that have yet to be told of, in the order of lanes
	Phases uint16 // ranks of the CTAs of whose mbarrier objects a phase has ended
	Holds  bool   // Waits, and the warp stands at the same instruction until a phase has ended
}

// Late is an asynchronous operation that an mbarrier object has not been told of.
type Late struct {
	Lane, Rank uint8 // lane that began it; CTA of the cluster whose object it is
	Bytes      uint32
	Tell       func() (over bool) // tells it, and whether a phase has ended with that
}
