package ops

import (
	"sync/atomic"
	"unsafe"
)

// exchange puts c in the place of b if the value at p is b, at once for all processors of the host, and gives the value
// that was there. T has 32 or 64 bits; p is aligned.
func exchange[T value](p []byte, b, c T) (old T) {
	at := unsafe.Pointer(unsafe.SliceData(p))
	for {
		var swapped bool
		if size[T]() == 4 {
			old = T(atomic.LoadUint32((*uint32)(at)))
			swapped = old == b && atomic.CompareAndSwapUint32((*uint32)(at), uint32(b), uint32(c))
		} else {
			old = T(atomic.LoadUint64((*uint64)(at)))
			swapped = old == b && atomic.CompareAndSwapUint64((*uint64)(at), uint64(b), uint64(c))
		}
		if swapped || old != b {
			return old
		}
	}
}
