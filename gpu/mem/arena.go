package mem

import (
	"math/bits"
	"os"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/lockstep-sim/lockstep/gpu/isa"
)

// keepFree is how many bytes of freed blocks keep their pages for the next allocation; beyond it
// they go back to the host.
const keepFree = 64 << 20

// arena allocates the addresses of one window. Changes happen under the lock; lookups take none.
type arena struct {
	base, size uint64 // of the window
	place      uint64 // of the window in the simulated machine
	win        *window
	table      []atomic.Pointer[leaf]
	used       atomic.Uint64 // bytes of blocks in use

	// gone is called with each freed block when no lookup finds it any more and before its bytes can
	// be used again.
	gone func(Block)

	mu     sync.Mutex
	limit  uint64              // bytes of blocks that may be in use
	blocks *freeSet            // free runs of blocks
	small  *freeSet            // free granules inside slabs
	kept   []uint64            // bit per block: free, pages not given back
	keeps  uint64              // bytes of such blocks
	files  map[uint64]*os.File // behind blocks that are shared with other processes, by first address
}

// leaf is the part of an arena's table for 512 blocks. All blocks of a run point at it.
type leaf [512]atomic.Pointer[run]

// run is a run of blocks in one use: a large allocation, or a slab of small ones. Immutable except
// for the slab's content.
type run struct {
	lo, hi uint64 // addresses, whole blocks
	size   uint64 // bytes of the large allocation
	kind   Kind
	device int
	mapped bool // put there by Map, which Unmap ends
	access Access
	slab   *slab // nil for a large allocation
}

func newArena(w *window, limit, place uint64, gone func(Block)) *arena {
	n := uint64(len(w.bytes))
	count := n >> blockShift
	a := &arena{
		base: w.base, size: n, place: place, win: w, limit: limit, gone: gone,
		table:  make([]atomic.Pointer[leaf], (count+511)/512),
		kept:   make([]uint64, (count+63)/64),
		blocks: newFreeSet(0),
		small:  newFreeSet(blockSize),
	}
	a.blocks.insert(a.base, a.base+n)
	return a
}

func (a *arena) holds(addr uint64) bool { return addr-a.base < a.size }

// bytesOf gives the bytes of addresses [lo, hi).
func (a *arena) bytesOf(lo, hi uint64) []byte {
	return a.win.bytes[lo-a.base : hi-a.base : hi-a.base]
}

func (a *arena) runOf(addr uint64) *run {
	i := (addr - a.base) >> blockShift
	l := a.table[i/512].Load()
	if l == nil {
		return nil
	}
	return l[i%512].Load()
}

// find gives the allocation that holds addr, which lies in the window.
func (a *arena) find(addr uint64) (Block, bool) {
	r := a.runOf(addr)
	if r == nil {
		return Block{}, false
	}
	if r.slab == nil {
		b := Block{Base: r.lo, Size: r.size, Kind: r.kind, Device: r.device, Mapped: r.mapped}
		return b, addr < b.Base+roundUp(b.Size, granuleSize)
	}
	g, it, ok := r.slab.find((addr - r.lo) >> granuleShift)
	return r.block(g, it), ok
}

func (r *run) block(g uint64, it item) Block {
	return Block{Base: r.lo + g<<granuleShift, Size: it.size(), Kind: it.kind(), Device: it.device()}
}

// span gives the bytes around addr, which lies in the window, if the device may read them: its allocation,
// rounded up to granules, or its run of blocks.
func (a *arena) span(addr uint64, device int, bounds Bounds) (isa.Span, bool) {
	r := a.runOf(addr)
	if r == nil || !r.allows(device, false) {
		return isa.Span{}, false
	}
	lo, hi := r.lo, r.hi
	if bounds == Allocation {
		if r.slab == nil {
			hi = lo + roundUp(r.size, granuleSize)
		} else if g, it, ok := r.slab.find((addr - lo) >> granuleShift); ok {
			lo += g << granuleShift
			hi = lo + roundUp(it.size(), granuleSize)
		} else {
			return isa.Span{}, false
		}
		if addr >= hi {
			return isa.Span{}, false
		}
	}
	return isa.Span{Lo: lo, Hi: hi, Bytes: a.bytesOf(lo, hi), ReadOnly: !r.allows(device, true)}, true
}

// allows tells whether a device may read, or write, what is there. Only mapped memory
// can be forbidden.
func (r *run) allows(device int, write bool) bool {
	switch {
	case !r.mapped:
		return true
	case write:
		return r.access.Write>>device&1 != 0
	}
	return r.access.Read>>device&1 != 0
}

// alloc finds room for a block; align is a power of two of at least the granule.
func (a *arena) alloc(b Block, align uint64) (uint64, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if b.Size >= blockSize || align > blockSize {
		return a.allocLarge(b, align)
	}
	need := roundUp(b.Size, granuleSize)
	at, ok := a.small.take(need, align)
	if !ok {
		var err error
		if at, err = a.takeBlocks(blockSize, blockSize); err != nil {
			return 0, err
		}
		a.setRun(&run{lo: at, hi: at + blockSize, slab: new(slab)})
		a.small.insert(at+need, at+blockSize)
	}
	r := a.runOf(at)
	r.slab.add((at-r.lo)>>granuleShift, newItem(b.Size, b.Kind, b.Device))
	return at, nil
}

func (a *arena) allocLarge(b Block, align uint64) (uint64, error) {
	if b.Size > a.limit {
		return 0, ErrOutOfMemory
	}
	n := roundUp(b.Size, blockSize)
	at, err := a.takeBlocks(n, max(align, blockSize))
	if err != nil {
		return 0, err
	}
	a.setRun(&run{lo: at, hi: at + n, size: b.Size, kind: b.Kind, device: b.Device})
	return at, nil
}

// takeDriverBlock takes a block for a slab that no allocation will ever be in.
func (a *arena) takeDriverBlock() error {
	at, err := a.takeBlocks(blockSize, blockSize)
	if err == nil {
		a.setRun(&run{lo: at, hi: at + blockSize, slab: new(slab)})
	}
	return err
}

// takeBlocks takes n bytes of free blocks and makes them accessible.
func (a *arena) takeBlocks(n, align uint64) (uint64, error) {
	used := a.used.Load()
	if n > a.limit || used > a.limit-n {
		return 0, ErrOutOfMemory
	}
	at, ok := a.blocks.take(n, align)
	if !ok {
		return 0, a.noRoom()
	}
	if err := a.win.openTo(at + n - a.base); err != nil {
		a.blocks.give(at, at+n)
		return 0, outOfMemory("the host gives no more memory")
	}
	a.used.Store(used + n)
	a.mark(at, at+n, false)
	return at, nil
}

// noRoom explains why addresses run out before memory does.
func (a *arena) noRoom() error {
	if a.size >= a.limit {
		return outOfMemory("free addresses are too fragmented")
	}
	const mib = 1 << 20
	return outOfMemory("the host's limit on address space (see ulimit -v) leaves " +
		strconv.FormatUint(a.size/mib, 10) + " of " + strconv.FormatUint(a.limit/mib, 10) + " MiB")
}

// giveBlocks returns blocks that no allocation uses any more.
func (a *arena) giveBlocks(lo, hi uint64) {
	a.used.Store(a.used.Load() - (hi - lo))
	if a.unshare(lo, hi) != nil {
		return // these addresses are lost, and other processes keep their bytes
	}
	a.blocks.give(lo, hi)
	if a.keeps+hi-lo <= keepFree {
		a.mark(lo, hi, true)
	} else {
		a.win.discard(lo-a.base, hi-a.base)
	}
}

// mark notes whether the free blocks of [lo, hi) still have their pages.
func (a *arena) mark(lo, hi uint64, kept bool) {
	first, end := (lo-a.base)>>blockShift, (hi-a.base)>>blockShift
	for i := first; i < end; {
		n := min(64-i%64, end-i)
		bit := (^uint64(0) >> (64 - n)) << (i % 64)
		word := &a.kept[i/64]
		a.keeps -= uint64(bits.OnesCount64(*word&bit)) << blockShift
		*word &^= bit
		if kept {
			*word |= bit
			a.keeps += n << blockShift
		}
		i += n
	}
}

// setRun enters a run into the table.
func (a *arena) setRun(r *run) { a.fill(r.lo, r.hi, r) }

func (a *arena) fill(lo, hi uint64, r *run) {
	for i := (lo - a.base) >> blockShift; i < (hi-a.base)>>blockShift; i++ {
		l := a.table[i/512].Load()
		if l == nil {
			l = new(leaf)
			a.table[i/512].Store(l)
		}
		l[i%512].Store(r)
	}
}

// free ends the allocation that starts at addr, which must be of the kind. With an error comes the
// block that addr lies in, if any.
func (a *arena) free(addr uint64, kind Kind) (Block, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	b, ok := a.find(addr)
	switch {
	case !ok:
		return Block{}, ErrUnknown
	case b.Base != addr:
		return b, ErrInterior
	case b.Kind != kind:
		return b, ErrKind
	}
	r := a.runOf(addr)
	if r.mapped {
		return b, ErrKind
	}
	if r.slab == nil {
		a.fill(r.lo, r.hi, nil)
		a.gone(b)
		a.giveBlocks(r.lo, r.hi)
		return b, nil
	}
	r.slab.remove((addr - r.lo) >> granuleShift)
	a.gone(b)
	lo, hi := a.small.give(addr, addr+roundUp(b.Size, granuleSize))
	if hi-lo == blockSize {
		a.small.remove(lo)
		a.fill(lo, hi, nil)
		a.giveBlocks(lo, hi)
	}
	return b, nil
}

// walk yields the allocations in order of address.
func (a *arena) walk(yield func(Block) bool) bool {
	for i := range a.table {
		l := a.table[i].Load()
		if l == nil {
			continue
		}
		for j := range l {
			r := l[j].Load()
			if r == nil || r.lo != a.base+uint64(i*512+j)<<blockShift {
				continue
			}
			if !r.walk(yield) {
				return false
			}
		}
	}
	return true
}

func (r *run) walk(yield func(Block) bool) bool {
	if r.slab == nil {
		return yield(Block{Base: r.lo, Size: r.size, Kind: r.kind, Device: r.device})
	}
	return r.slab.walk(func(g uint64, it item) bool { return yield(r.block(g, it)) })
}
