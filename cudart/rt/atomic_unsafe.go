package rt

import (
	"sync/atomic"
	"unsafe"
)

// atomicWord is the word at a multiple of eight bytes of a page that processes
// share.
func atomicWord(page []byte, at int) *atomic.Uint64 {
	return (*atomic.Uint64)(unsafe.Pointer(&page[at : at+8 : at+8][0]))
}
