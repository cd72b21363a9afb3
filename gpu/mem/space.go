package mem

import (
	"errors"
	"iter"
	"slices"
	"sync/atomic"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// Bounds says how far beyond an allocation an access is still let through.
type Bounds uint8

const (
	// Allocation ends at the allocation, rounded up to the granule of 512 bytes.
	Allocation Bounds = iota
	// Page ends where hardware does: at the 2 MiB blocks in use (4 KiB for registered memory).
	Page
)

// maxDeviceBytes is the largest memory of a device, in bytes.
const maxDeviceBytes = 1 << 40

// maxDevices bounds the numbers of devices.
const maxDevices = 256

// Config describes the memory of one device.
type Config struct {
	DeviceBytes uint64 // size of the model's memory, at most 1 TiB
	Bounds      Bounds // precision of Span
	DriverBlock bool   // the first block is the driver's: in use, but never an allocation
	Ordinal     int    // number of the device, 0 to 255
	Fill        uint32 // word that new device memory holds, to find uninitialised reads; 0 leaves it as it is
	UVA         *UVA   // address space to join; nil makes one for this device alone
	// Low gives the memory addresses below 4 GiB, of which at most LowBytes are used.
	Low bool
}

// LowBytes is the most memory that a device has at addresses below 4 GiB.
const LowBytes = 1 << 30

// Space is the memory of one device, and its view of the process's unified address space. All
// methods but Close may be called from any goroutine.
type Space struct {
	cfg    Config
	uva    *UVA
	dev    atomic.Pointer[arena]    // nil before the first allocation and after Close
	more   atomic.Pointer[[]*arena] // windows for reservations beside it; replaced as a whole
	peers  atomic.Pointer[[]*Space] // devices whose memory this one may access
	closed atomic.Bool
}

var _ isa.Memory = (*Space)(nil)

// New makes the memory of a device. It reserves nothing yet.
func New(cfg Config) (*Space, error) {
	if cfg.DeviceBytes < blockSize || cfg.DeviceBytes > maxDeviceBytes || cfg.Ordinal < 0 || cfg.Ordinal >= maxDevices {
		return nil, &Error{Op: "create device memory", Size: cfg.DeviceBytes, Err: ErrInvalid}
	}
	if cfg.Low {
		cfg.DeviceBytes = min(cfg.DeviceBytes, LowBytes)
	}
	s := &Space{cfg: cfg, uva: cfg.UVA}
	if s.uva == nil {
		s.uva = new(UVA)
	}
	s.uva.add(s)
	return s, nil
}

// arena gives the device window, reserved at the first call. It is twice the model's memory, so
// that fragmented addresses do not run out before the memory does.
func (s *Space) arena() (*arena, error) {
	if a := s.dev.Load(); a != nil {
		return a, nil
	}
	s.uva.mu.Lock()
	defer s.uva.mu.Unlock()
	if a := s.dev.Load(); a != nil {
		return a, nil
	}
	if s.closed.Load() {
		return nil, ErrClosed
	}
	w, err := s.reserve()
	if err != nil {
		return nil, err
	}
	a := newArena(w, s.cfg.DeviceBytes, devicePlace+uint64(s.cfg.Ordinal)*deviceStep, s.uva.forget)
	if s.cfg.DriverBlock {
		if err := a.takeDriverBlock(); err != nil {
			return nil, errors.Join(err, w.close())
		}
	}
	s.dev.Store(a)
	return a, nil
}

func (s *Space) reserve() (*window, error) {
	if s.cfg.Low {
		return reserveLow(2 * s.cfg.DeviceBytes)
	}
	return reserve(2*s.cfg.DeviceBytes, true)
}

// Alloc finds size bytes of device memory at a multiple of align, a power of two; 0 stands for the
// granule of 512 bytes, the least there is. Size 0 is refused: what it means is the caller's to say.
func (s *Space) Alloc(size, align uint64) (uint64, error) {
	fail := func(err error) (uint64, error) {
		return 0, &Error{Op: "allocate", Size: size, Err: err}
	}
	if size == 0 || align&(align-1) != 0 || align > s.cfg.DeviceBytes {
		return fail(ErrInvalid)
	}
	a, err := s.arena()
	if err != nil {
		return fail(err)
	}
	addr, err := a.alloc(Block{Size: size, Kind: Device, Device: s.cfg.Ordinal}, max(align, granuleSize))
	if err != nil {
		return fail(err)
	}
	if s.cfg.Fill != 0 {
		fill(a.bytesOf(addr, addr+roundUp(size, granuleSize)), s.cfg.Fill, 4)
	}
	return addr, nil
}

// Free ends an allocation of device memory, of whichever device, or of managed memory.
func (s *Space) Free(addr uint64) error {
	if a := s.uva.host.Load(); a != nil && a.holds(addr) {
		return s.free("free", a, addr, Managed)
	}
	return s.free("free", s.uva.owner(addr), addr, Device)
}

// AllocHost finds size bytes of pinned or managed memory, which program and devices see at the same
// address. Requests of a host page or more start at a page.
func (s *Space) AllocHost(size uint64, kind Kind) (uint64, error) {
	fail := func(err error) (uint64, error) {
		return 0, &Error{Op: "allocate " + kind.String() + " memory of", Size: size, Err: err}
	}
	if size == 0 {
		return fail(ErrInvalid)
	}
	if kind != Pinned && kind != Managed {
		return fail(ErrKind)
	}
	a, err := s.uva.arena()
	if err != nil {
		return fail(err)
	}
	align := uint64(granuleSize)
	if size >= pageSize {
		align = pageSize
	}
	addr, err := a.alloc(Block{Size: size, Kind: kind, Device: s.cfg.Ordinal}, align)
	if err != nil {
		return fail(err)
	}
	return addr, nil
}

// FreeHost ends an allocation of pinned memory.
func (s *Space) FreeHost(addr uint64) error {
	a := s.uva.host.Load()
	if a != nil && !a.holds(addr) {
		a = nil
	}
	return s.free("free host memory", a, addr, Pinned)
}

func (s *Space) free(op string, a *arena, addr uint64, kind Kind) error {
	near, err := Block{}, ErrUnknown
	if a != nil {
		near, err = a.free(addr, kind)
	}
	if err == nil {
		return nil
	}
	if err == ErrUnknown {
		near, err = s.unknown(addr)
	}
	return &Error{Op: op, Addr: addr, Near: near, Err: err}
}

// unknown explains an address that no allocation holds.
func (s *Space) unknown(addr uint64) (Block, error) {
	if b, ok := s.uva.freed(addr); ok && b.Kind != Registered {
		return b, ErrFreed
	}
	return Block{}, ErrUnknown
}

// Register makes size bytes of the program's memory at ptr reachable by devices, in place.
func (s *Space) Register(ptr, size uint64) error {
	return s.uva.register(Block{Base: ptr, Size: size, Kind: Registered, Device: s.cfg.Ordinal})
}

// Unregister ends the registration of the range that starts at ptr.
func (s *Space) Unregister(ptr uint64) error { return s.uva.unregister(ptr) }

// EnablePeer lets this device access the memory of p, a device of the same address space.
func (s *Space) EnablePeer(p *Space) { s.setPeer(p, true) }

// DisablePeer ends the access to p's memory.
func (s *Space) DisablePeer(p *Space) { s.setPeer(p, false) }

func (s *Space) setPeer(p *Space, on bool) {
	s.uva.mu.Lock()
	defer s.uva.mu.Unlock()
	l := slices.DeleteFunc(slices.Clone(list(&s.peers)), func(x *Space) bool { return x == p })
	if on {
		l = append(l, p)
	}
	s.peers.Store(&l)
	s.uva.gen.Add(1)
}

// Span gives the bytes around addr that this device may access: those of the allocation or, with
// Bounds Page, of the blocks that hold it. A freed address gives false. A span may be cached while
// Generation stays what it was before the call.
func (s *Space) Span(addr uint64) (isa.Span, bool) {
	if a := s.dev.Load(); a != nil && a.holds(addr) {
		return a.span(addr, s.cfg.Ordinal, s.cfg.Bounds)
	}
	if a := s.uva.host.Load(); a != nil && a.holds(addr) {
		return a.span(addr, s.cfg.Ordinal, s.cfg.Bounds)
	}
	for _, a := range list(&s.more) {
		if a.holds(addr) {
			return a.span(addr, s.cfg.Ordinal, s.cfg.Bounds)
		}
	}
	for _, p := range list(&s.peers) {
		if a := p.window(addr); a != nil {
			return a.span(addr, s.cfg.Ordinal, s.cfg.Bounds)
		}
	}
	return s.uva.registeredSpan(addr, s.cfg.Bounds)
}

// Generation counts the events that make spans stale: frees and lost access.
func (s *Space) Generation() uint64 { return s.uva.gen.Load() }

// Lookup finds the block, of whatever kind and device, that has a byte at addr.
func (s *Space) Lookup(addr uint64) (Block, bool) { return s.uva.lookup(addr) }

// Owns reports whether an address lies in a window of this device's memory.
func (s *Space) Owns(addr uint64) bool { return s.window(addr) != nil }

// Nearest explains an address in a report: the block that holds it (distance 0), else a recently
// freed block that held it (distance 0, Freed), else the nearest block. There, a positive distance
// counts bytes from the block's last byte, a negative one bytes to its first. ok is false when no
// block exists. It looks at every block.
func (s *Space) Nearest(addr uint64) (b Block, distance int64, ok bool) {
	if b, ok := s.uva.lookup(addr); ok {
		return b, 0, true
	}
	if b, ok := s.uva.freed(addr); ok {
		return b, 0, true
	}
	for x := range s.uva.blocks() {
		if d := x.distance(addr); !ok || magnitude(d) < magnitude(distance) {
			b, distance, ok = x, d, true
		}
	}
	return b, distance, ok
}

func magnitude(d int64) uint64 { return uint64(max(d, -d)) }

// Info gives the free and the total bytes of the device's memory. Used memory counts in blocks of
// 2 MiB.
func (s *Space) Info() (free, total uint64) {
	total = s.cfg.DeviceBytes
	if a := s.dev.Load(); a != nil {
		return total - a.used.Load(), total
	}
	return total, total
}

// Blocks yields the device's allocations, then pinned and managed ones, then registered ranges,
// each in order of address.
func (s *Space) Blocks() iter.Seq[Block] {
	return func(yield func(Block) bool) {
		for a := range s.windows {
			if !a.walk(yield) {
				return
			}
		}
		s.uva.hostBlocks(yield)
	}
}

// Close gives the device's memory back to the host. None of its bytes may be in use. The address
// space it has for itself is closed as well; a shared one is not.
func (s *Space) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	s.uva.drop(s)
	var err error
	for a := range s.windows {
		err = joined(err, joined(a.win.close(), a.closeFiles()))
	}
	s.dev.Store(nil)
	s.more.Store(nil)
	if s.cfg.UVA == nil {
		if e := s.uva.Close(); err == nil {
			err = e
		}
	}
	return err
}
