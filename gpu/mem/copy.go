package mem

import (
	"encoding/binary"
	"math/bits"
	"runtime/debug"
)

// hostTop is above every address that a host program can have (57-bit address space).
const hostTop = 1 << 56

// Plane is a rectangle's place in memory: rows Pitch bytes apart, the first at Addr.
type Plane struct{ Addr, Pitch uint64 }

// Bytes gives the n bytes at addr, which must lie in one allocation or registered range. They are
// valid until it is freed.
func (s *Space) Bytes(addr, n uint64) ([]byte, error) { return s.bytes("access", addr, n) }

// Writable is Bytes for those who write to them.
func (s *Space) Writable(addr, n uint64) ([]byte, error) { return s.bytes(opWrite, addr, n) }

// Operations that write.
const (
	opWrite  = "write"
	opCopyTo = "copy to"
	opSet    = "set"
)

func (s *Space) bytes(op string, addr, n uint64) ([]byte, error) {
	fail := func(near Block, err error) ([]byte, error) {
		return nil, &Error{Op: op, Addr: addr, Size: n, Near: near, Err: err}
	}
	a := s.uva.owner(addr)
	if a == nil {
		b, ok := s.uva.registered(addr)
		if !ok {
			return fail(s.unknown(addr))
		}
		if n > b.End()-addr {
			return fail(b, ErrBounds)
		}
		return Host(addr, n), nil
	}
	b, ok := a.find(addr)
	if !ok {
		return fail(s.unknown(addr))
	}
	if !a.runOf(addr).allows(s.cfg.Ordinal, op == opWrite || op == opCopyTo || op == opSet) {
		return fail(b, ErrForbidden)
	}
	if addr > b.End() || n > b.End()-addr {
		return fail(b, ErrBounds)
	}
	return a.bytesOf(addr, addr+n), nil
}

// region is a range of memory to read or write.
type region struct {
	bytes   []byte
	foreign bool // plain memory of the program, which may turn out not to be mapped
}

// reach finds n bytes at addr: in an allocation, or else in plain host memory.
func (s *Space) reach(op string, addr, n uint64) (region, error) {
	if s.uva.owner(addr) != nil {
		b, err := s.bytes(op, addr, n)
		return region{bytes: b}, err
	}
	if addr < pageSize || addr > hostTop || n > hostTop-addr {
		return region{}, &Error{Op: op, Addr: addr, Size: n, Err: ErrUnmapped}
	}
	return region{bytes: Host(addr, n), foreign: true}, nil
}

// Read copies len(p) bytes from addr to p. Like all copies it takes device, host-visible,
// registered and plain host memory; a range must not pass the end of its allocation.
func (s *Space) Read(addr uint64, p []byte) error {
	if len(p) == 0 {
		return nil
	}
	src, err := s.reach("read", addr, uint64(len(p)))
	if err != nil {
		return err
	}
	return move(region{bytes: p}, src, shape{uint64(len(p)), 1, 0, 0})
}

// Write copies p to addr.
func (s *Space) Write(addr uint64, p []byte) error {
	if len(p) == 0 {
		return nil
	}
	dst, err := s.reach(opWrite, addr, uint64(len(p)))
	if err != nil {
		return err
	}
	return move(dst, region{bytes: p}, shape{uint64(len(p)), 1, 0, 0})
}

// Copy copies n bytes; the ranges may overlap.
func (s *Space) Copy(dst, src, n uint64) error {
	return s.Copy2D(Plane{Addr: dst, Pitch: n}, Plane{Addr: src, Pitch: n}, n, 1)
}

// Copy2D copies height rows of width bytes. Of overlapping planes the rows are copied in order.
func (s *Space) Copy2D(dst, src Plane, width, height uint64) error {
	if width == 0 || height == 0 {
		return nil
	}
	from, err := s.plane("copy from", src, width, height)
	if err != nil {
		return err
	}
	to, err := s.plane(opCopyTo, dst, width, height)
	if err != nil {
		return err
	}
	if dst.Pitch == width && src.Pitch == width {
		width, height = width*height, 1
	}
	return move(to, from, shape{width, height, dst.Pitch, src.Pitch})
}

// plane finds the bytes of a rectangle, from its first to its last.
func (s *Space) plane(op string, p Plane, width, height uint64) (region, error) {
	n, ok := extent(p, width, height)
	if !ok {
		return region{}, &Error{Op: op, Addr: p.Addr, Size: width, Err: ErrInvalid}
	}
	return s.reach(op, p.Addr, n)
}

// extent is the number of bytes from the first to the last of a rectangle that is not empty; not ok
// if rows overlap or the number is absurd.
func extent(p Plane, width, height uint64) (uint64, bool) {
	if height == 1 {
		return width, width < hostTop
	}
	carry, n := bits.Mul64(p.Pitch, height-1)
	ok := p.Pitch >= width && carry == 0 && n < hostTop && width < hostTop
	return n + width, ok
}

// shape is what move copies: rows of width bytes.
type shape struct{ width, height, dstPitch, srcPitch uint64 }

// move copies rows. A fault in foreign memory becomes an error, as far as the program left the
// fault signal to the runtime.
func move(dst, src region, r shape) (err error) {
	if dst.foreign || src.foreign {
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
		defer func() {
			if p := recover(); p != nil {
				err = faultError(p)
			}
		}()
	}
	for i := range r.height {
		copy(dst.bytes[i*r.dstPitch:][:r.width], src.bytes[i*r.srcPitch:][:r.width])
	}
	return nil
}

// faultError makes an error of a recovered memory fault and passes any other panic on.
func faultError(p any) error {
	f, ok := p.(interface{ Addr() uintptr })
	if !ok {
		panic(p)
	}
	return &Error{Op: "copy", Addr: uint64(f.Addr()), Err: ErrUnmapped}
}

// Set stores n elements of width 1, 2 or 4 bytes from addr on, which is a multiple of width. The
// pattern's low bytes are the element. Plain host memory is refused.
func (s *Space) Set(addr uint64, pattern uint32, width int, n uint64) error {
	return s.Set2D(Plane{Addr: addr}, pattern, width, n, 1)
}

// Set2D stores height rows of n elements each, the pitch being in bytes.
func (s *Space) Set2D(dst Plane, pattern uint32, width int, n, height uint64) error {
	if n == 0 || height == 0 {
		return nil
	}
	w := uint64(width)
	bad := width != 1 && width != 2 && width != 4 || n >= hostTop
	if bad || dst.Addr%w != 0 || height > 1 && dst.Pitch%w != 0 {
		return &Error{Op: opSet, Addr: dst.Addr, Size: n, Err: ErrInvalid}
	}
	size, ok := extent(dst, n*w, height)
	if !ok {
		return &Error{Op: opSet, Addr: dst.Addr, Size: n * w, Err: ErrInvalid}
	}
	b, err := s.bytes(opSet, dst.Addr, size)
	if err != nil {
		return err
	}
	for i := range height {
		fill(b[i*dst.Pitch:][:n*w], pattern, width)
	}
	return nil
}

// fill stores elements of width bytes all over b.
func fill(b []byte, pattern uint32, width int) {
	switch width {
	case 1:
		pattern &= 0xff
		pattern *= 0x01010101
	case 2:
		pattern &= 0xffff
		pattern *= 0x00010001
	}
	if pattern == 0 {
		clear(b)
		return
	}
	var unit [4]byte
	binary.LittleEndian.PutUint32(unit[:], pattern)
	// A stretch that stays in the first-level cache is copied over the rest.
	for done := copy(b, unit[:]); done < len(b); {
		done += copy(b[done:], b[:min(done, 8192)])
	}
}
