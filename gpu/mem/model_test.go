package mem

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// naive is the allocator's contract in its plainest form.
type naive struct {
	live  []Block
	limit uint64
}

// blocks is the number of 2 MiB blocks that hold allocations.
func (n *naive) blocks() uint64 {
	used := map[uint64]bool{}
	for _, b := range n.live {
		for at := b.Base >> blockShift; at <= (b.End()-1)>>blockShift; at++ {
			used[at] = true
		}
	}
	return uint64(len(used))
}

// overlaps reports whether a new block shares granules with a live one.
func (n *naive) overlaps(b Block) bool {
	return slices.ContainsFunc(n.live, func(x Block) bool {
		return b.Base < roundUp(x.End(), granuleSize) && x.Base < roundUp(b.End(), granuleSize)
	})
}

func TestAllocatorBehavesAsTheNaiveModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const limit = 24 * mib
		s, err := New(Config{DeviceBytes: limit})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		m := &naive{limit: limit}
		sizes := rapid.OneOf(rapid.Uint64Range(1, 4096), rapid.Uint64Range(1, 3*mib), rapid.Uint64Range(mib, 10*mib))
		t.Repeat(map[string]func(*rapid.T){
			"alloc": func(t *rapid.T) {
				m.alloc(t, s, sizes.Draw(t, "size"), 1<<rapid.IntRange(8, 22).Draw(t, "align"))
			},
			"free": func(t *rapid.T) {
				if len(m.live) == 0 {
					t.Skip()
				}
				i := rapid.IntRange(0, len(m.live)-1).Draw(t, "which")
				if err := s.Free(m.live[i].Base); err != nil {
					t.Fatal(err)
				}
				m.live = slices.Delete(m.live, i, i+1)
			},
			"lookup": func(t *rapid.T) {
				if s.dev.Load() == nil {
					t.Skip()
				}
				m.lookup(t, s, s.dev.Load().base+rapid.Uint64Range(0, 2*limit-1).Draw(t, "offset"))
			},
			"": func(t *rapid.T) { m.check(t, s) },
		})
	})
}

func (n *naive) alloc(t *rapid.T, s *Space, size, align uint64) {
	addr, err := s.Alloc(size, align)
	if err != nil {
		// A request may fail only when its blocks are not there: a small one needs at most one.
		need := roundUp(size, blockSize)
		if n.blocks()*blockSize+need <= n.limit && align <= blockSize {
			t.Fatalf("%d bytes: %v, with %d of %d blocks used", size, err, n.blocks(), n.limit/blockSize)
		}
		return
	}
	b := Block{Base: addr, Size: size}
	if addr%max(align, granuleSize) != 0 || n.overlaps(b) {
		t.Fatalf("%v: align %d, or overlap", b, align)
	}
	if size < blockSize && addr>>blockShift != (b.End()-1)>>blockShift {
		t.Fatalf("%v crosses a block", b)
	}
	n.live = append(n.live, b)
}

func (n *naive) lookup(t *rapid.T, s *Space, addr uint64) {
	i := slices.IndexFunc(n.live, func(b Block) bool { return b.Contains(addr) })
	b, ok := s.Lookup(addr)
	if ok != (i >= 0) || ok && b != n.live[i] {
		t.Fatalf("Lookup(%#x) = %v, %v", addr, b, ok)
	}
	padded := slices.IndexFunc(n.live, func(b Block) bool { return addr-b.Base < roundUp(b.Size, granuleSize) })
	sp, ok := s.Span(addr)
	if ok != (padded >= 0) || ok && (sp.Lo != n.live[padded].Base || sp.Hi != roundUp(n.live[padded].End(), granuleSize)) {
		t.Fatalf("Span(%#x) = [%#x, %#x), %v", addr, sp.Lo, sp.Hi, ok)
	}
}

func (n *naive) check(t *rapid.T, s *Space) {
	want := slices.SortedFunc(slices.Values(n.live), func(a, b Block) int {
		if a.Base < b.Base {
			return -1
		}
		return 1
	})
	if got := slices.Collect(s.Blocks()); !slices.Equal(got, want) {
		t.Fatalf("blocks %v, want %v", got, want)
	}
	if free, total := s.Info(); total-free != n.blocks()*blockSize {
		t.Fatalf("%d bytes used, want %d blocks", total-free, n.blocks())
	}
}
