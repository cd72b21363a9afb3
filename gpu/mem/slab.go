package mem

import (
	"math/bits"
	"sync/atomic"
)

// Sizes of the driver's allocator: sub-allocation in granules of 512 bytes inside blocks of 2 MiB.
const (
	granuleShift = 9
	granuleSize  = 1 << granuleShift
	blockShift   = 21
	blockSize    = 1 << blockShift
	granules     = blockSize / granuleSize
)

// slab records the small allocations of one block. A bit marks the granule that an allocation
// starts in, and a summary bit each group with such bits, so the allocation around an address is
// found by counting leading zeros twice. Writers hold the arena's lock; readers hold nothing.
type slab struct {
	summary atomic.Uint64
	groups  [granules / 64]atomic.Pointer[group]
}

// group records the allocations that start in 64 granules.
type group struct {
	starts atomic.Uint64
	items  [64]atomic.Uint32 // an item per start
}

// item is an allocation's size below 2 MiB, kind and device in one word, so that a reader never
// sees a mixture of two allocations. 0 is none.
type item uint32

func newItem(size uint64, kind Kind, device int) item {
	return item(uint32(size) | uint32(kind)<<blockShift | uint32(device)<<(blockShift+2))
}

func (i item) size() uint64 { return uint64(i & (blockSize - 1)) }
func (i item) kind() Kind   { return Kind(i >> blockShift & 3) }
func (i item) device() int  { return int(i >> (blockShift + 2)) }

func (s *slab) add(g uint64, it item) {
	p := s.groups[g/64].Load()
	if p == nil {
		p = new(group)
		s.groups[g/64].Store(p)
	}
	p.items[g%64].Store(uint32(it))
	p.starts.Or(1 << (g % 64))
	s.summary.Or(1 << (g / 64))
}

func (s *slab) remove(g uint64) {
	p := s.groups[g/64].Load()
	p.items[g%64].Store(0)
	p.starts.And(^(uint64(1) << (g % 64)))
	if p.starts.Load() == 0 {
		s.summary.And(^(uint64(1) << (g / 64)))
	}
}

// find gives the allocation that holds granule g and the granule it starts in.
func (s *slab) find(g uint64) (start uint64, it item, ok bool) {
	below := ^uint64(0) >> (63 - g%64)
	for left := s.summary.Load() & (^uint64(0) >> (63 - g/64)); left != 0; {
		i := uint64(bits.Len64(left) - 1)
		p := s.groups[i].Load()
		m := p.starts.Load()
		if i == g/64 {
			m &= below
		}
		if m == 0 {
			left &^= 1 << i
			continue
		}
		j := uint64(bits.Len64(m) - 1)
		start, it = i*64+j, item(p.items[j].Load())
		return start, it, g < start+(it.size()+granuleSize-1)>>granuleShift
	}
	return 0, 0, false
}

// walk yields the allocations and the granules they start in.
func (s *slab) walk(yield func(g uint64, it item) bool) bool {
	for i := range s.groups {
		p := s.groups[i].Load()
		if p == nil {
			continue
		}
		for m := p.starts.Load(); m != 0; m &= m - 1 {
			j := bits.TrailingZeros64(m)
			it := item(p.items[j].Load())
			if it != 0 && !yield(uint64(i*64+j), it) {
				return false
			}
		}
	}
	return true
}
