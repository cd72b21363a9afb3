package mem

import (
	"iter"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// hostWindow is the address space reserved for pinned and managed memory, in bytes. It is far above
// what a host has, since freed addresses may be fragmented.
const hostWindow = 1 << 40

// pageSize is the host's page; blocks of a page or more start at one.
const pageSize = 4096

// UVA is the unified virtual address space of one process: what its devices share. It holds the
// host-visible window, the registered ranges and the record of recent frees, and knows all devices.
// Its zero value is ready to use.
type UVA struct {
	host   atomic.Pointer[arena]
	ranges atomic.Pointer[[]Block]  // registered, by address; replaced as a whole
	spaces atomic.Pointer[[]*Space] // by time of creation; replaced as a whole
	gen    atomic.Uint64

	mu       sync.Mutex // guards replacements of the above
	closed   bool
	frontier uint64 // bytes of all pages ever registered
	reserved uint64 // bytes of all windows for reservations

	pastMu sync.Mutex
	past   history
}

// list reads a list that writers replace as a whole.
func list[T any](p *atomic.Pointer[[]T]) []T {
	if l := p.Load(); l != nil {
		return *l
	}
	return nil
}

// forget records a freed block and invalidates cached spans.
func (u *UVA) forget(b Block) {
	u.gen.Add(1)
	u.pastMu.Lock()
	u.past.add(b)
	u.pastMu.Unlock()
}

// freed gives the most recently freed block that held addr, if it is among the last 256.
func (u *UVA) freed(addr uint64) (Block, bool) {
	u.pastMu.Lock()
	defer u.pastMu.Unlock()
	return u.past.find(addr)
}

// arena gives the host-visible window, reserved at the first call.
func (u *UVA) arena() (*arena, error) {
	if a := u.host.Load(); a != nil {
		return a, nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if a := u.host.Load(); a != nil {
		return a, nil
	}
	if u.closed {
		return nil, ErrClosed
	}
	w, err := reserve(hostWindow, false)
	if err != nil {
		return nil, err
	}
	a := newArena(w, uint64(len(w.bytes)), hostPlace, u.forget)
	u.host.Store(a)
	return a, nil
}

// owner gives the arena whose window addr lies in, or nil.
func (u *UVA) owner(addr uint64) *arena {
	if a := u.host.Load(); a != nil && a.holds(addr) {
		return a
	}
	for _, s := range list(&u.spaces) {
		if a := s.window(addr); a != nil {
			return a
		}
	}
	return nil
}

// lookup finds the block with a byte at addr.
func (u *UVA) lookup(addr uint64) (Block, bool) {
	if a := u.owner(addr); a != nil {
		b, ok := a.find(addr)
		return b, ok && b.Contains(addr)
	}
	return u.registered(addr)
}

// registered finds the registered range with a byte at addr.
func (u *UVA) registered(addr uint64) (Block, bool) {
	l := list(&u.ranges)
	i := sort.Search(len(l), func(i int) bool { return l[i].End() > addr })
	if i == len(l) || !l[i].Contains(addr) {
		return Block{}, false
	}
	return l[i], true
}

func (u *UVA) registeredSpan(addr uint64, bounds Bounds) (isa.Span, bool) {
	b, ok := u.registered(addr)
	if ok && bounds == Allocation {
		return isa.Span{Lo: b.Base, Hi: b.End(), Bytes: Host(b.Base, b.Size)}, true
	}
	if !ok && bounds == Page {
		// Registration pins whole pages, so those around the range are reached as well.
		b, ok = u.touches(addr&^(pageSize-1), pageSize)
	}
	if !ok {
		return isa.Span{}, false
	}
	lo, hi := b.Base&^(pageSize-1), roundUp(b.End(), pageSize)
	return isa.Span{Lo: lo, Hi: hi, Bytes: Host(lo, hi-lo)}, true
}

// touches gives a registered range that shares bytes with [addr, addr+n).
func (u *UVA) touches(addr, n uint64) (Block, bool) {
	l := list(&u.ranges)
	i := sort.Search(len(l), func(i int) bool { return l[i].End() > addr })
	if i == len(l) || l[i].Base >= addr+n {
		return Block{}, false
	}
	return l[i], true
}

// register adds a range of the program's memory.
func (u *UVA) register(b Block) error {
	fail := func(err error, near Block) error {
		return &Error{Op: "register", Addr: b.Base, Size: b.Size, Near: near, Err: err}
	}
	if b.Size == 0 || b.Base > hostTop || b.Size > hostTop-b.Base {
		return fail(ErrInvalid, Block{})
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.closed {
		return fail(ErrClosed, Block{})
	}
	for _, addr := range []uint64{b.Base, b.End() - 1} {
		if a := u.owner(addr); a != nil {
			near, _ := a.find(addr)
			if near.Size != 0 && near.Kind != Device {
				return fail(ErrRegistered, near)
			}
			return fail(ErrKind, near)
		}
	}
	if near, ok := u.touches(b.Base, b.Size); ok {
		return fail(ErrRegistered, near)
	}
	if !Mapped(b.Base, b.Size) {
		return fail(ErrUnmapped, Block{})
	}
	b.place = u.frontier
	u.frontier += roundUp(b.End(), pageSize) - b.Base&^(pageSize-1)
	l := slices.Clone(list(&u.ranges))
	i := sort.Search(len(l), func(i int) bool { return l[i].Base > b.Base })
	l = slices.Insert(l, i, b)
	u.ranges.Store(&l)
	return nil
}

// Mapped reports whether the process has all pages of the n bytes at addr. A write-back request that the
// kernel need not act on is the cheapest question with that answer.
func Mapped(addr, n uint64) bool {
	if addr > hostTop || n > hostTop-addr {
		return false
	}
	lo, hi := addr&^(pageSize-1), roundUp(addr+n, pageSize)
	return unix.Msync(Host(lo, hi-lo), unix.MS_ASYNC) == nil
}

// unregister removes the registered range that starts at addr.
func (u *UVA) unregister(addr uint64) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	b, ok := u.registered(addr)
	if !ok || b.Base != addr {
		return &Error{Op: "unregister", Addr: addr, Near: b, Err: ErrNotRegistered}
	}
	l := slices.DeleteFunc(slices.Clone(list(&u.ranges)), func(x Block) bool { return x == b })
	u.ranges.Store(&l)
	u.forget(b)
	return nil
}

// blocks yields everything: device memory by device, then host-visible memory, then registered
// ranges; each in order of address.
func (u *UVA) blocks() iter.Seq[Block] {
	return func(yield func(Block) bool) {
		for _, s := range list(&u.spaces) {
			for a := range s.windows {
				if !a.walk(yield) {
					return
				}
			}
		}
		u.hostBlocks(yield)
	}
}

func (u *UVA) hostBlocks(yield func(Block) bool) {
	if a := u.host.Load(); a != nil && !a.walk(yield) {
		return
	}
	for _, b := range list(&u.ranges) {
		if !yield(b) {
			return
		}
	}
}

// add makes a device known.
func (u *UVA) add(s *Space) {
	u.mu.Lock()
	defer u.mu.Unlock()
	l := append(slices.Clone(list(&u.spaces)), s)
	u.spaces.Store(&l)
}

// drop forgets a device.
func (u *UVA) drop(s *Space) {
	u.mu.Lock()
	defer u.mu.Unlock()
	l := slices.DeleteFunc(slices.Clone(list(&u.spaces)), func(x *Space) bool { return x == s })
	u.spaces.Store(&l)
	u.gen.Add(1)
}

// Close gives the host-visible window back to the host. Close the devices first; no bytes of either
// may be in use.
func (u *UVA) Close() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.closed = true
	u.gen.Add(1)
	u.ranges.Store(nil)
	if a := u.host.Swap(nil); a != nil {
		return a.win.close()
	}
	return nil
}
