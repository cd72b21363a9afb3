package sm

import (
	"github.com/lockstep-sim/lockstep/gpu/isa"
	"github.com/lockstep-sim/lockstep/gpu/timing/kit"
)

// IdealMemory is a Memory in which every access hits and nothing conflicts. It
// shows the core alone, and the latencies of table 2 of the MICRO 2025 paper.
type IdealMemory struct {
	sm   *SM
	done *kit.Wheel[int32]
}

// NewIdealMemory returns an idle memory; Attach tells it whom to answer.
func NewIdealMemory() *IdealMemory {
	return &IdealMemory{done: kit.NewWheel[int32]()}
}

// Attach makes the memory answer to m.
func (d *IdealMemory) Attach(m *SM) { d.sm = m }

// Latencies from leaving the sub-core to Done, of accesses with uniform
// addresses: six stages, then 13 cycles of L1 or 7 of shared memory (MICRO 2025
// artefact); a copy from global to shared memory 39 cycles after issue (table
// 2).
const (
	idealGlobal = 6 + 13
	idealShared = 6 + 7
	idealCopy   = 27
)

// Prepare implements Memory.
func (d *IdealMemory) Prepare(*Request, []isa.Access) {}

// Accept implements Memory.
func (d *IdealMemory) Accept(now kit.Cycle, r *Request) bool {
	d.done.At(now+latency(r.Inst), r.ID)
	return true
}

// latency follows table 2: lane addresses cost a cycle, and a return path of 64
// bytes a cycle (128 for shared memory) delays wide loads.
func latency(in *Inst) kit.Cycle {
	n, words := 0, max(int(in.Words), 1)
	switch in.Mem {
	case AsyncCopy:
		return idealCopy
	case LoadShared, StoreShared, AtomShared, Lanes:
		n = idealShared
		if words >= 4 {
			n += 2
		}
	default:
		n = idealGlobal + 2*(words-1)
	}
	if !in.Uniform {
		n++
	}
	return kit.Cycle(n)
}

// Tick implements Memory.
func (d *IdealMemory) Tick(now kit.Cycle) kit.Cycle {
	for id, ok := d.done.Pop(now); ok; id, ok = d.done.Pop(now) {
		d.sm.Done(id)
	}
	return d.done.Next()
}
