package lsu

import "github.com/lockstep-sim/lockstep/gpu/timing/kit"

// Accept prepares and admits an instruction; one that is refused is forgotten.
func (u *Unit) Accept(now kit.Cycle, op *Op) bool {
	i := u.Prepare(op)
	if u.Admit(now, i) {
		return true
	}
	u.entries.Free(i)
	return false
}
