package mem

import (
	"strconv"
	"testing"
)

func BenchmarkSpan(b *testing.B) {
	for _, c := range []struct {
		name   string
		size   uint64
		count  int
		bounds Bounds
	}{{"small", 1000, 10000, Allocation}, {"large", 3 * mib, 1000, Allocation}, {"page", 1000, 10000, Page}} {
		b.Run(c.name, func(b *testing.B) {
			s := newSpace(b, Config{DeviceBytes: 16 << 30, Bounds: c.bounds})
			var addrs []uint64
			for range c.count {
				addrs = append(addrs, alloc(b, s, c.size))
			}
			i := 0
			for b.Loop() {
				if _, ok := s.Span(addrs[i] + 500); !ok {
					b.Fatal("not found")
				}
				if i += 7; i >= len(addrs) {
					i -= len(addrs)
				}
			}
		})
	}
}

func BenchmarkSpanInParallel(b *testing.B) {
	s := newSpace(b, Config{})
	addr := alloc(b, s, 1000)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, ok := s.Span(addr + 500); !ok {
				b.Error("not found")
			}
		}
	})
}

// BenchmarkAllocFree replaces one of many live allocations.
func BenchmarkAllocFree(b *testing.B) {
	for _, size := range []uint64{1000, 3 * mib, 1 << 30} {
		for _, live := range []int{1, 1000, 30000} {
			if size*uint64(live) > 100<<30 {
				continue
			}
			b.Run(strconv.FormatUint(size, 10)+"/live="+strconv.Itoa(live), func(b *testing.B) {
				s := newSpace(b, Config{DeviceBytes: 141 << 30})
				var addrs []uint64
				for range live {
					addrs = append(addrs, alloc(b, s, size))
				}
				i := 0
				for b.Loop() {
					free(b, s, addrs[i])
					addrs[i] = alloc(b, s, size)
					i = (i + 7919) % live
				}
			})
		}
	}
}

func BenchmarkSet(b *testing.B) {
	s := newSpace(b, Config{})
	addr := alloc(b, s, 32*mib)
	b.SetBytes(32 * mib)
	for b.Loop() {
		if err := s.Set(addr, 0x01020304, 4, 8*mib); err != nil {
			b.Fatal(err)
		}
	}
}
