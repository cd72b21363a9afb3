package rt

import (
	"os"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/lockstep-sim/lockstep/gpu/mem"
)

// What other drivers export, by the numbers of cudaExternalMemoryHandleType and
// cudaExternalSemaphoreHandleType: a file descriptor, what only other systems
// have, and the rest, whose handles are wrong as they are.
const (
	externalDescriptor = 1
	externalWindows    = 2 // and the two after it
	externalDirectX    = 5 // and the two after it
	externalNvSci      = 8 // as memory; an object of Direct3D as a semaphore
	externalTimeline   = 10
)

// external is memory that was imported by a file descriptor: memory of
// cuMemCreate, since no other driver shares any with the simulated device.
type external struct {
	file *os.File // of the bytes
	size uint64
}

// externals is what was imported, and where it is mapped.
type externals struct {
	memory table[*external]
	views  views
}

// views are where parts of imported memory are mapped that do not begin with it: the
// mapping's first address, by the part's.
type views struct {
	mu    sync.Mutex
	bases map[uint64]uint64
}

func (v *views) set(addr, base uint64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.bases == nil {
		v.bases = map[uint64]uint64{}
	}
	v.bases[addr] = base
}

// take returns the first address of the mapping of a part, which ends.
func (v *views) take(addr uint64) uint64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	base, ok := v.bases[addr]
	if !ok {
		return addr
	}
	delete(v.bases, addr)
	return base
}

// checkExternal refuses kinds of handles that cannot be, with the codes of a card.
func checkExternal(kind int32, semaphore bool) error {
	switch {
	case kind == externalDescriptor:
		return nil
	case kind >= externalWindows && kind < externalDirectX, kind == externalNvSci,
		semaphore && (kind >= externalDirectX && kind < externalNvSci || kind == externalTimeline):
		return fail(ErrNotSupported, "handles of type %d do not exist on this system", kind)
	}
	return fail(ErrInvalidValue, "a handle of type %d of nothing", kind)
}

// ImportSemaphore is cudaImportExternalSemaphore. No other driver shares semaphores
// with the simulated device, and the code says so as it does for a descriptor of
// none (measured).
func (t *Thread) ImportSemaphore(kind int32) error {
	if _, err := t.context(); err != nil {
		return err
	}
	if err := checkExternal(kind, true); err != nil {
		return err
	}
	return fail(ErrUnknown, "no other driver shares semaphores with the simulated device")
}

// ImportMemory is cudaImportExternalMemory. The descriptor is the runtime's from then
// on.
func (t *Thread) ImportMemory(kind int32, fd int, size uint64) (uint64, error) {
	if _, err := t.context(); err != nil {
		return 0, err
	}
	if err := checkExternal(kind, false); err != nil {
		return 0, err
	}
	if size == 0 {
		return 0, fail(ErrInvalidValue, "imported memory of no bytes")
	}
	f, err := descriptorOfMemory(fd)
	if err != nil {
		return 0, err
	}
	return t.runtime.externals.memory.add(&external{f, size}), nil
}

// descriptorOfMemory takes over a descriptor that cuMemExportToShareableHandle gave.
func descriptorOfMemory(fd int) (*os.File, error) {
	path := "/proc/self/fd/" + strconv.Itoa(fd)
	name, err := os.Readlink(path)
	if err != nil || !strings.HasPrefix(name, "/memfd:lockstep") {
		return nil, fail(ErrUnknown, "descriptor %d is not of memory of a simulated device", fd)
	}
	own, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, fail(ErrUnknown, "descriptor %d: %v", fd, err)
	}
	_ = unix.Close(fd) // it is no longer the program's
	return os.NewFile(uintptr(own), "device memory"), nil
}

func (t *Thread) external(handle uint64) (*external, error) {
	if _, err := t.context(); err != nil {
		return nil, err
	}
	x, ok := t.runtime.externals.memory.get(handle)
	if !ok {
		return nil, fail(ErrInvalidValue, "no imported memory has handle %#x", handle)
	}
	return x, nil
}

// MapExternal is cudaExternalMemoryGetMappedBuffer. Free ends the mapping.
func (t *Thread) MapExternal(handle, offset, size uint64, flags uint32) (uint64, error) {
	x, err := t.external(handle)
	if err != nil {
		return 0, err
	}
	if flags != 0 || size == 0 || offset > x.size || size > x.size-offset {
		return 0, fail(ErrInvalidValue, "%d bytes at offset %d of %d that were imported, flags %#x", size, offset, x.size, flags)
	}
	c, err := t.context()
	if err != nil {
		return 0, err
	}
	shared, err := mem.SharedFile(x.file)
	if err != nil {
		return 0, err
	}
	base, err := c.memory.Import(shared)
	if err != nil {
		return 0, err
	}
	if offset != 0 {
		t.runtime.externals.views.set(base+offset, base)
	}
	return base + offset, nil
}

// DestroyExternalMemory is cudaDestroyExternalMemory. Mappings stay.
func (t *Thread) DestroyExternalMemory(handle uint64) error {
	x, err := t.external(handle)
	if err != nil {
		return err
	}
	t.runtime.externals.memory.take(handle)
	return x.file.Close()
}

// rangeDescriptor is the one kind of handle of a range of addresses
// (CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD).
const rangeDescriptor = 1

// RangeHandle is cuMemGetHandleForAddressRange: a descriptor of the file behind the
// allocation, which begins with the block that the range lies in.
func (t *Thread) RangeHandle(addr, size uint64, kind int32, flags uint64) (int, error) {
	const page = 4096
	c, err := t.context()
	if err != nil {
		return 0, err
	}
	b, ok := c.memory.Lookup(addr)
	if kind != rangeDescriptor || flags != 0 || size == 0 || addr%page != 0 || size%page != 0 ||
		!ok || b.Kind != mem.Device || size > b.End()-addr {
		return 0, fail(ErrInvalidValue, "a handle of type %d of %d bytes at %#x", kind, size, addr)
	}
	owner, err := t.owner(addr)
	if err != nil {
		return 0, err
	}
	if err := owner.engine.Synchronize(); err != nil { // its bytes move into a file
		return 0, err
	}
	s, err := owner.memory.Share(addr)
	if err != nil {
		return 0, err
	}
	return unix.FcntlInt(uintptr(s.Descriptor), unix.F_DUPFD_CLOEXEC, 0)
}
