package mem

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Host views n bytes of the process at ptr, which must stay mapped while the view is used. Whether
// they are mapped at all shows at the access only.
func Host(ptr, n uint64) []byte {
	// The address comes from outside Go, so the compiler is not asked to judge the conversion.
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&ptr)), n)
}

// addressOf is the address of the first byte of b.
func addressOf(b []byte) uint64 { return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) }

// mapRange reserves n bytes of address space without access, at the hinted address or fails; hint
// 0 leaves the place to the kernel.
func mapRange(hint, n uint64) ([]byte, error) {
	flags := nothing
	if hint != 0 {
		flags |= unix.MAP_FIXED_NOREPLACE
	}
	at := *(*unsafe.Pointer)(unsafe.Pointer(&hint))
	p, err := unix.MmapPtr(-1, 0, at, uintptr(n), unix.PROT_NONE, flags)
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*byte)(p), n), nil
}

// unmapRange gives back what mapRange reserved.
func unmapRange(b []byte) error {
	return unix.MunmapPtr(unsafe.Pointer(unsafe.SliceData(b)), uintptr(len(b)))
}

const readWrite = unix.PROT_READ | unix.PROT_WRITE

// mapFile puts the bytes of a file in the place of those of b.
func mapFile(b []byte, fd int) error { return mapOver(b, fd, readWrite, unix.MAP_SHARED) }

// mapReadOnly is mapFile for bytes that are only read.
func mapReadOnly(b []byte, fd int) error { return mapOver(b, fd, unix.PROT_READ, unix.MAP_SHARED) }

// mapPrivate puts fresh bytes of the process alone in the place of those of b.
func mapPrivate(b []byte) error { return mapOver(b, -1, readWrite, nothing) }

// mapNothing leaves addresses reserved, without access.
func mapNothing(b []byte) error { return mapOver(b, -1, unix.PROT_NONE, nothing) }

// nothing are the flags of memory that no file is behind.
const nothing = unix.MAP_PRIVATE | unix.MAP_ANONYMOUS | unix.MAP_NORESERVE

func mapOver(b []byte, fd, access, flags int) error {
	_, err := unix.MmapPtr(fd, 0, unsafe.Pointer(unsafe.SliceData(b)), uintptr(len(b)), access, flags|unix.MAP_FIXED)
	return err
}
