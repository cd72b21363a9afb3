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
}

// Create makes size bytes of physical memory, whole blocks of 2 MiB.
func (s *Space) Create(size uint64) (*Physical, error) {
	fd, err := unix.MemfdCreate("lockstep", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, outOfMemory("the host gives no more memory")
	}
	f := os.NewFile(uintptr(fd), "device memory")
	if err := f.Truncate(int64(size)); err != nil {
		return nil, joined(f.Close(), outOfMemory("the host gives no more memory"))
	}
	return s.Adopt(f)
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

// Size is the size in bytes.
func (p *Physical) Size() uint64 { return p.size }

// Descriptor is the file that holds the bytes, for other processes.
func (p *Physical) Descriptor() uintptr { return p.file.Fd() }

// Release lets go of the memory. Where it is still mapped, the bytes stay.
func (p *Physical) Release() error {
	if a := p.owner.dev.Load(); a != nil {
		a.mu.Lock()
		a.used.Store(a.used.Load() - p.size)
		a.mu.Unlock()
	}
	return p.file.Close()
}

// Reserve finds size bytes of addresses, whole blocks, at a multiple of align. Nothing is there yet.
func (s *Space) Reserve(size, align uint64) (uint64, error) {
	a, err := s.arena()
	if err != nil {
		return 0, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	at, ok := a.blocks.take(size, max(align, blockSize))
	if !ok {
		return 0, a.noRoom()
	}
	if err := a.win.openTo(at + size - a.base); err != nil {
		a.blocks.give(at, at+size)
		return 0, outOfMemory("the host gives no more memory")
	}
	a.mark(at, at+size, false)
	return at, nil
}

// Unreserve gives addresses back where nothing is mapped any more.
func (s *Space) Unreserve(addr, size uint64) {
	if a := s.dev.Load(); a != nil {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.blocks.give(addr, addr+size)
		a.win.discard(addr-a.base, addr+size-a.base)
	}
}

// Map puts all of p at a reserved address. It can be accessed after Grant.
func (s *Space) Map(addr uint64, p *Physical) error {
	a := s.dev.Load()
	if a == nil || !a.holds(addr) {
		return &Error{Op: "map", Addr: addr, Size: p.size, Err: ErrUnknown}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return mapFile(a.bytesOf(addr, addr+p.size), int(p.file.Fd()))
}

// Unmap takes what Map put at an address away.
func (s *Space) Unmap(addr, size uint64) error {
	a := s.dev.Load()
	if a == nil || !a.holds(addr) {
		return nil
	}
	s.Deny(addr, size)
	a.mu.Lock()
	defer a.mu.Unlock()
	return mapPrivate(a.bytesOf(addr, addr+size))
}

// Grant lets accesses reach mapped memory at an address; a copy or kernel finds it as it finds an
// allocation of that size.
func (s *Space) Grant(addr, size uint64) {
	if a := s.dev.Load(); a != nil {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.setRun(&run{lo: addr, hi: addr + size, size: size, kind: Device, device: s.cfg.Ordinal, mapped: true})
	}
}

// Deny ends what Grant allowed.
func (s *Space) Deny(addr, size uint64) {
	if a := s.dev.Load(); a != nil {
		a.mu.Lock()
		defer a.mu.Unlock()
		if r := a.runOf(addr); r != nil {
			a.fill(addr, addr+size, nil)
			a.gone(Block{Base: r.lo, Size: r.size, Kind: r.kind, Device: r.device})
		}
	}
}
