package mem

import (
	"os"

	"golang.org/x/sys/unix"
)

// Physical is memory of a device without an address: Map gives it any number of them. It counts as
// memory in use until Release.
type Physical struct {
	owner *Space
	file  *os.File
	size  uint64
	kind  Kind // Device, or Pinned for memory of the host, which is no memory in use
}

// CreateHost is Create for memory of the host.
func (s *Space) CreateHost(size uint64) (*Physical, error) {
	f, err := bytesOfFile(size)
	if err != nil {
		return nil, err
	}
	if _, err := s.arena(); err != nil {
		return nil, joined(f.Close(), err)
	}
	return &Physical{owner: s, file: f, size: size, kind: Pinned}, nil
}

// Create makes size bytes of physical memory, whole blocks of 2 MiB.
func (s *Space) Create(size uint64) (*Physical, error) {
	f, err := bytesOfFile(size)
	if err != nil {
		return nil, err
	}
	return s.Adopt(f)
}

// bytesOfFile makes a file of memory.
func bytesOfFile(size uint64) (*os.File, error) {
	fd, err := unix.MemfdCreate("lockstep", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, outOfMemory("the host gives no more memory")
	}
	f := os.NewFile(uintptr(fd), "device memory")
	if err := f.Truncate(int64(size)); err != nil {
		return nil, joined(f.Close(), outOfMemory("the host gives no more memory"))
	}
	return f, nil
}

// Adopt makes physical memory of a file, as another process shares it. The file is closed with the
// memory, or at once with an error.
func (s *Space) Adopt(f *os.File) (*Physical, error) {
	fail := func(err error) (*Physical, error) { return nil, joined(f.Close(), err) }
	_, size, err := identity(f)
	if err != nil || size == 0 || size%blockSize != 0 {
		return fail(&Error{Op: "create", Size: size, Err: ErrInvalid})
	}
	a, err := s.arena()
	if err != nil {
		return fail(err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if used := a.used.Load(); size > a.limit || used > a.limit-size {
		return fail(ErrOutOfMemory)
	}
	a.used.Add(size)
	return &Physical{owner: s, file: f, size: size}, nil
}

// Owner is the memory that it belongs to.
func (p *Physical) Owner() *Space { return p.owner }

// Size is the size in bytes.
func (p *Physical) Size() uint64 { return p.size }

// Descriptor is the file that holds the bytes, for other processes.
func (p *Physical) Descriptor() uintptr { return p.file.Fd() }

// Release lets go of the memory. Where it is still mapped, the bytes stay.
func (p *Physical) Release() error {
	if a := p.owner.dev.Load(); a != nil && p.kind == Device {
		a.mu.Lock()
		a.used.Store(a.used.Load() - p.size)
		a.mu.Unlock()
	}
	return p.file.Close()
}

// Map puts all of p at a reserved address. It can be accessed after Grant.
func (s *Space) Map(addr uint64, p *Physical) error {
	a := s.window(addr)
	if a == nil {
		return &Error{Op: "map", Addr: addr, Size: p.size, Err: ErrUnknown}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return mapFile(a.bytesOf(addr, addr+p.size), int(p.file.Fd()))
}

// Unmap takes what Map put at an address away.
func (s *Space) Unmap(addr, size uint64) error {
	a := s.window(addr)
	if a == nil {
		return nil
	}
	s.Deny(addr, size)
	a.mu.Lock()
	defer a.mu.Unlock()
	return joined(mapPrivate(a.bytesOf(addr, addr+size)), mapNothing(Host(addr, size)))
}

// Access says which devices may read memory and which may write it too, a bit each by number.
type Access struct{ Read, Write uint64 }

// Grant lets some devices reach p where it is mapped, in place of those of before; a copy or kernel finds it as it
// finds an allocation of that size.
func (s *Space) Grant(addr uint64, p *Physical, access Access) {
	if a := s.window(addr); a != nil {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.setRun(&run{lo: addr, hi: addr + p.size, size: p.size, kind: p.kind, device: s.cfg.Ordinal, mapped: true, access: access})
		s.uva.gen.Add(1)
	}
}

// GrantHost lets the program itself reach memory of the host at the address where it is mapped for devices, to read or
// to write too; with neither it cannot any more.
func (s *Space) GrantHost(addr uint64, p *Physical, read, write bool) error {
	switch names := Host(addr, p.size); {
	case write:
		return mapFile(names, int(p.file.Fd()))
	case read:
		return mapReadOnly(names, int(p.file.Fd()))
	default:
		return mapNothing(names)
	}
}

// Deny ends what Grant allowed.
func (s *Space) Deny(addr, size uint64) {
	if a := s.window(addr); a != nil {
		a.mu.Lock()
		defer a.mu.Unlock()
		if r := a.runOf(addr); r != nil {
			a.fill(addr, addr+size, nil)
			a.gone(Block{Base: r.lo, Size: r.size, Kind: r.kind, Device: r.device})
		}
	}
}
