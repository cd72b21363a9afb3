package simd

import (
	"unsafe"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// The distances that micro-operations hold.
const (
	opBytes   = int64(unsafe.Sizeof(Op{}))
	spanBytes = int32(unsafe.Sizeof(Span{}))
)

// Rows makes n rows that begin at a cache line.
func Rows(n int) []isa.Lanes {
	const line = 64
	words := make([]uint32, n*isa.WarpSize+line/4)
	skip := -uintptr(unsafe.Pointer(&words[0])) % line / 4
	return unsafe.Slice((*isa.Lanes)(unsafe.Pointer(&words[skip])), n)
}
