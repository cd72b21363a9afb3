package mem

import (
	"fmt"
	"math"
)

// Kind tells what an allocation is.
type Kind uint8

// The kinds of memory.
const (
	Device     Kind = iota // reached by devices only
	Pinned                 // page-locked host memory, at the same address everywhere
	Managed                // unified memory, at the same address everywhere
	Registered             // memory of the program, registered in place
)

// String names the kind.
func (k Kind) String() string {
	switch k {
	case Device:
		return "device"
	case Pinned:
		return "pinned"
	case Managed:
		return "managed"
	case Registered:
		return "registered"
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Block is one allocation, or one registered range.
type Block struct {
	Base   uint64 // first address
	Size   uint64 // bytes as requested
	Kind   Kind
	Device int  // ordinal of the device, or of the one that was current
	Freed  bool // a block of the past, found in the record of recent frees
	Mapped bool // memory that Map put there

	place uint64 // of a registered range: see Frame
}

// End is the address after the last byte.
func (b Block) End() uint64 { return b.Base + b.Size }

// Contains reports whether addr is one of the block's bytes.
func (b Block) Contains(addr uint64) bool { return addr-b.Base < b.Size }

// String describes the block for reports.
func (b Block) String() string {
	state := ""
	if b.Freed {
		state = "freed "
	}
	return fmt.Sprintf("%s%v allocation of %d bytes at %#x", state, b.Kind, b.Size, b.Base)
}

// distance is 0 inside the block, negative bytes up to its start when addr lies before it, and
// otherwise the bytes from its last byte on: 1 is the first byte past the end. It saturates.
func (b Block) distance(addr uint64) int64 {
	switch {
	case addr < b.Base:
		return -int64(min(b.Base-addr, math.MaxInt64))
	case addr < b.End():
		return 0
	}
	return int64(min(addr-b.End()+1, math.MaxInt64))
}

// history keeps the last frees, so that a report can tell a freed address from a wild one.
type history struct {
	ring [256]Block
	next int
}

func (h *history) add(b Block) {
	b.Freed = true
	h.ring[h.next%len(h.ring)] = b
	h.next++
}

// find gives the most recently freed block that held addr.
func (h *history) find(addr uint64) (Block, bool) {
	for i := h.next - 1; i >= 0 && i >= h.next-len(h.ring); i-- {
		if b := h.ring[i%len(h.ring)]; b.Contains(addr) {
			return b, true
		}
	}
	return Block{}, false
}
