package mem

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Shared names the blocks of an allocation for other processes of this machine.
type Shared struct {
	Process    uint32 // id
	Descriptor uint32 // file of that process that holds the bytes
	Inode      uint64 // of that file
	Offset     uint64 // of the allocation in it, in bytes
	Size       uint64 // of the allocation, in bytes
	Reach      uint64 // of the file, in bytes
}

// Share makes the blocks around an allocation of this device memory that other
// processes can map, and names them. Nothing may use their bytes meanwhile.
func (s *Space) Share(addr uint64) (Shared, error) {
	a := s.dev.Load()
	if a == nil || !a.holds(addr) {
		return Shared{}, &Error{Op: "share", Addr: addr, Err: ErrUnknown}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	b, ok := a.find(addr)
	if !ok || !b.Contains(addr) {
		return Shared{}, &Error{Op: "share", Addr: addr, Err: ErrUnknown}
	}
	r := a.runOf(addr)
	f, err := a.share(r)
	if err != nil {
		return Shared{}, &Error{Op: "share", Addr: addr, Near: b, Err: err}
	}
	inode, size, err := identity(f)
	if err != nil {
		return Shared{}, &Error{Op: "share", Addr: addr, Near: b, Err: err}
	}
	return Shared{
		Process: uint32(os.Getpid()), Descriptor: uint32(f.Fd()), Inode: inode,
		Offset: b.Base - r.lo, Size: b.Size, Reach: size,
	}, nil
}

// share puts the bytes of a run into a file that is mapped in their place.
func (a *arena) share(r *run) (*os.File, error) {
	if f := a.files[r.lo]; f != nil {
		return f, nil
	}
	fd, err := unix.MemfdCreate("lockstep", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), "device memory")
	bytes := a.bytesOf(r.lo, r.hi)
	if _, err = f.Write(bytes); err == nil {
		err = mapFile(bytes, fd)
	}
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", err, f.Close())
	}
	a.keepFile(r.lo, f)
	return f, nil
}

func (a *arena) keepFile(lo uint64, f *os.File) {
	if a.files == nil {
		a.files = map[uint64]*os.File{}
	}
	a.files[lo] = f
}

// unshare puts memory of the process alone back in the place of a file.
func (a *arena) unshare(lo, hi uint64) error {
	f := a.files[lo]
	if f == nil {
		return nil
	}
	delete(a.files, lo)
	return joined(mapPrivate(a.bytesOf(lo, hi)), f.Close())
}

// closeFiles lets go of the files behind memory that is gone.
func (a *arena) closeFiles() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	var err error
	for _, f := range a.files {
		err = joined(err, f.Close())
	}
	a.files = nil
	return err
}

func joined(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// identity tells a file of shared memory apart from others.
func identity(f *os.File) (inode, size uint64, err error) {
	var st unix.Stat_t
	err = unix.Fstat(int(f.Fd()), &st)
	return st.Ino, uint64(st.Size), err
}

// Import maps what another process shares, and returns the address of the
// allocation here. It counts as memory in use; Free ends it.
func (s *Space) Import(x Shared) (uint64, error) {
	fail := func(err error) (uint64, error) {
		return 0, &Error{Op: "map shared memory of", Size: x.Size, Err: err}
	}
	if x.Reach == 0 || x.Reach%blockSize != 0 || x.Offset > x.Reach || x.Size > x.Reach-x.Offset {
		return fail(ErrInvalid)
	}
	f, err := os.OpenFile(fmt.Sprintf("/proc/%d/fd/%d", x.Process, x.Descriptor), os.O_RDWR, 0)
	if err != nil {
		return fail(ErrUnknown)
	}
	addr, err := s.mapShared(f, x)
	if err != nil {
		return fail(joined(err, f.Close()))
	}
	return addr, nil
}

func (s *Space) mapShared(f *os.File, x Shared) (uint64, error) {
	inode, size, err := identity(f)
	if err != nil || inode != x.Inode || size != x.Reach {
		return 0, ErrUnknown
	}
	a, err := s.arena()
	if err != nil {
		return 0, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	at, err := a.takeBlocks(x.Reach, blockSize)
	if err != nil {
		return 0, err
	}
	if err := mapFile(a.bytesOf(at, at+x.Reach), int(f.Fd())); err != nil {
		a.giveBlocks(at, at+x.Reach)
		return 0, err
	}
	a.keepFile(at, f)
	a.setRun(&run{lo: at, hi: at + x.Reach, size: x.Reach, kind: Device, device: s.cfg.Ordinal})
	return at + x.Offset, nil
}

// SharedFile names the whole of a file of shared memory that this process has open.
func SharedFile(f *os.File) (Shared, error) {
	inode, size, err := identity(f)
	if err != nil {
		return Shared{}, &Error{Op: "share a file", Err: err}
	}
	return Shared{Process: uint32(os.Getpid()), Descriptor: uint32(f.Fd()), Inode: inode, Size: size, Reach: size}, nil
}
