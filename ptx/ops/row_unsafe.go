package ops

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// rowBytes is a row as the bytes of consecutive words, in the order of the
// simulated memory, which that of the host must be.
func rowBytes(row *isa.Lanes) *[4 * isa.WarpSize]byte {
	return (*[4 * isa.WarpSize]byte)(unsafe.Pointer(row))
}

// rowPairs is a row as pairs of lanes, the even ones in the lower halves.
func rowPairs(row *isa.Lanes) *[isa.WarpSize / 2]uint64 {
	return (*[isa.WarpSize / 2]uint64)(unsafe.Pointer(row))
}
