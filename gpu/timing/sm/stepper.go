package sm

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

// State tells whether a warp has a next instruction.
type State uint8

// The states.
const (
	Ready   State = iota
	Blocked       // waits for other warps: at a barrier
	Ended         // all lanes have exited
)

// Stepper executes. Warps are named by numbers of its own, see CTA.First.
type Stepper interface {
	// Next tells where a warp stands: which instruction of its Code it will
	// execute next, and whether it can.
	Next(warp int32) (pc int32, s State)
	// Step executes that instruction. clock is the value that a read of the
	// cycle counter gives. The effect is valid until the next call. It is not
	// nil even after a fault; who drives the SM then stops ticking it.
	Step(warp int32, clock kit.Cycle) *isa.Effect
	// Expire has the wait that the warp stands at, in vain, end the next time.
	Expire(warp int32)
}

// Request is a memory instruction on its way through the SM. It belongs to the
// SM and is valid until it is done.
type Request struct {
	ID       int32 // what Done is called with
	Slot     uint8 // warp slot within the SM
	Sub      uint8 // sub-core
	Inst     *Inst
	Warp     int32 // the Stepper's number
	PC       int32
	Mask     isa.Mask
	Accesses []isa.Access // by lane, of constant loads; a Memory may keep others
	Entry    int32        // the Memory's number for it
	Late     []isa.Late   // operations of it that mbarrier objects have yet to be told of
	Group    uint32       // of bulk copies

	arrived kit.Cycle // at the address calculation
	lines   int       // constant lines awaited
	left    int       // of sources and results, those to come
}

// Memory is the shared part of the memory pipeline: coalescing, L1, shared
// memory and what lies below. The SM's Tick ticks it.
type Memory interface {
	// Prepare learns what an instruction accesses, by lane, when it executes, and
	// sets its Entry. The accesses are valid during the call.
	Prepare(r *Request, accesses []isa.Access)
	// Accept takes an instruction from a sub-core; false if there is no room,
	// and then it is offered again in the next cycle. Every accepted request,
	// stores included, must be answered by SM.Done in a later Tick, and each lane's copy of
	// a bulk instruction by SM.Copied.
	Accept(now kit.Cycle, r *Request) bool
	// Tick does the work of cycle now and returns the next cycle with work,
	// kit.Never if only an answer from below can bring some (see SM.Wake).
	Tick(now kit.Cycle) kit.Cycle
}

// Backing is what lies below the L1 instruction and constant cache. The answer
// is a call of SM.LineArrived.
type Backing interface {
	Request(now kit.Cycle, line uint64)
}

// Observer is told of every issue, and of registers that the scoreboard holds back
// and lets go. slot is the warp's place in the SM, of sub-core slot modulo their
// number; warp and pc are the Stepper's.
type Observer interface {
	Issued(now kit.Cycle, slot int, warp, pc int32)
	Reserved(now kit.Cycle, slot int, registers *RegSet)
	Released(now kit.Cycle, slot int, registers *RegSet)
}

// CTA describes a thread block that asks for a place.
type CTA struct {
	ID        int32 // what Ended reports
	First     int32 // the Stepper's number of its first warp; the others follow
	Warps     int
	Registers int       // of a thread
	Shared    int       // bytes, static and dynamic
	Sub       int       // sub-core of its first warp, from 1; 0 for the one with the fewest warps
	Cluster   bool      // others, which may be on other SMs, wait for it; see Crossed
	Rank      int       // in its cluster
	Late      kit.Cycle // its warps fetch so much later
	Code      *Code
}
