package mem

import (
	"errors"
	"math"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const mib = 1 << 20

func newSpace(t testing.TB, cfg Config) *Space {
	t.Helper()
	if cfg.DeviceBytes == 0 {
		cfg.DeviceBytes = 64 * mib
	}
	s, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func alloc(t testing.TB, s *Space, size uint64) uint64 {
	t.Helper()
	addr, err := s.Alloc(size, 0)
	if err != nil {
		t.Fatal(err)
	}
	return addr
}

func allocHost(t testing.TB, s *Space, size uint64, kind Kind) uint64 {
	t.Helper()
	addr, err := s.AllocHost(size, kind)
	if err != nil {
		t.Fatal(err)
	}
	return addr
}

func free(t testing.TB, s *Space, addr uint64) {
	t.Helper()
	if err := s.Free(addr); err != nil {
		t.Fatal(err)
	}
}

// faults reports whether reading a byte at addr faults, and where.
func faults(addr uint64) (at uint64, yes bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if f, ok := recover().(interface{ Addr() uintptr }); ok {
			at, yes = uint64(f.Addr()), true
		}
	}()
	sink = Host(addr, 1)[0]
	return 0, false
}

var sink byte

func TestNothingIsReservedBeforeTheFirstAllocation(t *testing.T) {
	s := newSpace(t, Config{DeviceBytes: 141 << 30})
	if s.dev.Load() != nil || s.uva.host.Load() != nil {
		t.Error("a new space has windows")
	}
	if free, total := s.Info(); free != 141<<30 || total != free {
		t.Errorf("Info() = %d, %d", free, total)
	}
}

func TestHostAccessToDeviceAddressFaults(t *testing.T) {
	s := newSpace(t, Config{})
	addr := alloc(t, s, 1000)
	if err := s.Write(addr, []byte{42}); err != nil {
		t.Fatal(err)
	}
	if at, yes := faults(addr); !yes || at != addr {
		t.Errorf("fault %v at %#x, want one at %#x", yes, at, addr)
	}
	for _, kind := range []Kind{Pinned, Managed} {
		if at, yes := faults(allocHost(t, s, 1000, kind)); yes {
			t.Errorf("%v memory faults at %#x", kind, at)
		}
	}
}

func TestAllocationsAreAlignedAsTheDriverDoes(t *testing.T) {
	s := newSpace(t, Config{})
	for _, c := range []struct{ size, align, want uint64 }{
		{1, 0, 512}, {513, 0, 512}, {1, 4096, 4096}, {2*mib - 1, 0, 512},
		{2 * mib, 0, 2 * mib}, {3 * mib, 0, 2 * mib}, {100, 4 * mib, 4 * mib},
	} {
		addr, err := s.Alloc(c.size, c.align)
		if err != nil || addr%c.want != 0 {
			t.Errorf("Alloc(%d, %d) = %#x, %v; want a multiple of %d", c.size, c.align, addr, err, c.want)
		}
	}
	if addr := allocHost(t, s, 4096, Pinned); addr%4096 != 0 {
		t.Errorf("a page of host memory at %#x", addr)
	}
}

func TestSenselessRequestsAreRefused(t *testing.T) {
	s := newSpace(t, Config{})
	for _, c := range []struct{ size, align uint64 }{{0, 0}, {1, 3}, {1, 1 << 40}} {
		if _, err := s.Alloc(c.size, c.align); !errors.Is(err, ErrInvalid) {
			t.Errorf("Alloc(%d, %d): %v", c.size, c.align, err)
		}
	}
	if _, err := s.AllocHost(1, Device); !errors.Is(err, ErrKind) {
		t.Errorf("AllocHost of device memory: %v", err)
	}
	if _, err := New(Config{}); !errors.Is(err, ErrInvalid) {
		t.Errorf("New without a size: %v", err)
	}
}

func TestOutOfMemoryAtModelSize(t *testing.T) {
	s := newSpace(t, Config{DeviceBytes: 8 * mib})
	for _, size := range []uint64{9 * mib, 1 << 40, ^uint64(0), ^uint64(0) - 511} {
		if _, err := s.Alloc(size, 0); !errors.Is(err, ErrOutOfMemory) {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
	whole := alloc(t, s, 8*mib)
	if free, _ := s.Info(); free != 0 {
		t.Errorf("%d bytes free in full memory", free)
	}
	if _, err := s.Alloc(1, 0); !errors.Is(err, ErrOutOfMemory) {
		t.Errorf("a byte more: %v", err)
	}
	free(t, s, whole)
	var got int
	for ; ; got++ {
		if _, err := s.Alloc(512, 0); err != nil {
			break
		}
	}
	if want := 8 * mib / 512; got != want {
		t.Errorf("%d granules, want %d", got, want)
	}
}

func TestFragmentedMemoryIsStillFoundForLargeRequests(t *testing.T) {
	s := newSpace(t, Config{DeviceBytes: 64 * mib})
	var addrs []uint64
	for range 32 {
		addrs = append(addrs, alloc(t, s, 2*mib))
	}
	for i := 0; i < 32; i += 2 {
		free(t, s, addrs[i])
	}
	alloc(t, s, 32*mib)
}

func TestFreedNeighboursCoalesce(t *testing.T) {
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}} {
		for _, size := range []uint64{512, 4 * mib} {
			s := newSpace(t, Config{})
			var addrs []uint64
			for range 4 {
				addrs = append(addrs, alloc(t, s, size))
			}
			for _, i := range order {
				free(t, s, addrs[i])
			}
			if got := alloc(t, s, 3*size); got != addrs[0] {
				t.Errorf("order %v, size %d: %#x, want %#x", order, size, got, addrs[0])
			}
		}
	}
}

func TestAllMemoryReturnsWhenAllIsFreed(t *testing.T) {
	s := newSpace(t, Config{})
	var addrs []uint64
	for i := range uint64(300) {
		addrs = append(addrs, alloc(t, s, 1+i*700))
	}
	for i := range addrs {
		free(t, s, addrs[(i*7)%300])
	}
	if free, total := s.Info(); free != total {
		t.Errorf("%d of %d bytes free", free, total)
	}
	if n := len(slices.Collect(s.Blocks())); n != 0 {
		t.Errorf("%d blocks left", n)
	}
}

func TestWrongFreesAreRefused(t *testing.T) {
	s := newSpace(t, Config{})
	small, large := alloc(t, s, 1000), alloc(t, s, 5*mib)
	pinned, managed := allocHost(t, s, 1000, Pinned), allocHost(t, s, 1000, Managed)
	gone := alloc(t, s, 700)
	free(t, s, gone)
	var local [64]byte
	for _, c := range []struct {
		name string
		free func(uint64) error
		addr uint64
		want error
	}{
		{"interior", s.Free, small + 512, ErrInterior},
		{"interior of a large one", s.Free, large + 2*mib, ErrInterior},
		{"twice", s.Free, gone, ErrFreed},
		{"never allocated", s.Free, small + mib, ErrUnknown},
		{"host address", s.Free, addressOf(local[:]), ErrUnknown},
		{"nil", s.Free, 0, ErrUnknown},
		{"pinned by Free", s.Free, pinned, ErrKind},
		{"managed by FreeHost", s.FreeHost, managed, ErrKind},
		{"device by FreeHost", s.FreeHost, small, ErrUnknown},
	} {
		err := c.free(c.addr)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if c.addr != 0 && !strings.Contains(err.Error(), strconv.FormatUint(c.addr, 16)) {
			t.Errorf("%s: %q does not name the address", c.name, err)
		}
	}
	if err := errors.Join(s.Free(small), s.Free(large), s.Free(managed), s.FreeHost(pinned)); err != nil {
		t.Error(err)
	}
}

func TestSpanEndsAtTheAllocationOrTheBlock(t *testing.T) {
	for _, c := range []struct {
		name   string
		bounds Bounds
		size   uint64
		off    uint64
		want   uint64 // length, 0 for none
	}{
		{"inside", Allocation, 700, 3, 1024},
		{"in the padding", Allocation, 700, 1023, 1024},
		{"past the granule", Allocation, 700, 1024, 0},
		{"large", Allocation, 3*mib + 1, 3 * mib, 3*mib + 512},
		{"past a large one", Allocation, 3 * mib, 3 * mib, 0},
		{"page mode", Page, 700, 1 * mib, 2 * mib},
		{"page mode, large", Page, 3 * mib, 3 * mib, 4 * mib},
		{"page mode, next block", Page, 700, 2 * mib, 0},
	} {
		s := newSpace(t, Config{Bounds: c.bounds})
		base := alloc(t, s, c.size)
		sp, ok := s.Span(base + c.off)
		if ok != (c.want != 0) || sp.Hi-sp.Lo != c.want || uint64(len(sp.Bytes)) != c.want {
			t.Errorf("%s: [%#x, %#x) of %d bytes, %v; want %d bytes", c.name, sp.Lo, sp.Hi, len(sp.Bytes), ok, c.want)
		}
		if ok && sp.Lo != base {
			t.Errorf("%s: starts at %#x, want %#x", c.name, sp.Lo, base)
		}
	}
}

func TestDriverBlockLiesBeforeTheFirstAllocation(t *testing.T) {
	for bounds, reached := range map[Bounds]bool{Page: true, Allocation: false} {
		s := newSpace(t, Config{Bounds: bounds, DriverBlock: true})
		first := alloc(t, s, 4*mib)
		if sp, ok := s.Span(first - 2048); ok != reached || ok && sp.Hi != first {
			t.Errorf("bounds %d: [%#x, %#x), %v before %#x", bounds, sp.Lo, sp.Hi, ok, first)
		}
		if b, ok := s.Lookup(first - 2048); ok {
			t.Errorf("bounds %d: %v before the first", bounds, b)
		}
		if err := s.Free(first - 2*mib); !errors.Is(err, ErrUnknown) {
			t.Errorf("bounds %d: freeing the driver's block gives %v", bounds, err)
		}
		if n := len(slices.Collect(s.Blocks())); n != 1 {
			t.Errorf("bounds %d: %d allocations, want 1", bounds, n)
		}
		if free, total := s.Info(); total-free != 6*mib {
			t.Errorf("bounds %d: %d bytes in use", bounds, total-free)
		}
	}
}

func TestFreedAddressIsNotFound(t *testing.T) {
	s := newSpace(t, Config{})
	for _, size := range []uint64{100, 6 * mib} {
		addr := alloc(t, s, size)
		before := s.Generation()
		free(t, s, addr)
		if s.Generation() == before {
			t.Errorf("size %d: free left the generation", size)
		}
		if _, ok := s.Span(addr); ok {
			t.Errorf("size %d: span of a freed address", size)
		}
		if b, ok := s.Lookup(addr); ok {
			t.Errorf("size %d: %v is still found", size, b)
		}
		if err := s.Write(addr, []byte{1}); !errors.Is(err, ErrFreed) {
			t.Errorf("size %d: write gives %v", size, err)
		}
	}
}

func TestNearestTellsPastEndBeforeStartAndUseAfterFree(t *testing.T) {
	s := newSpace(t, Config{})
	a, b := alloc(t, s, 1000), alloc(t, s, 1000)
	gone := alloc(t, s, 3*mib)
	free(t, s, gone)
	for _, c := range []struct {
		name     string
		addr     uint64
		base     uint64
		distance int64
		freed    bool
	}{
		{"inside", a + 999, a, 0, false},
		{"first byte past the end", a + 1000, a, 1, false},
		{"before the next", b - 1, b, -1, false},
		{"before all", a - 300, a, -300, false},
		{"freed", gone + mib, gone, 0, true},
		{"wild", 1 << 48, b, 1<<48 - int64(b+999), false},
		{"very wild", ^uint64(0), a, math.MaxInt64, false},
	} {
		got, d, ok := s.Nearest(c.addr)
		if !ok || got.Base != c.base || d != c.distance || got.Freed != c.freed {
			t.Errorf("%s: %v at %d, %v; want %#x at %d", c.name, got, d, ok, c.base, c.distance)
		}
	}
	if _, _, ok := newSpace(t, Config{}).Nearest(a); ok {
		t.Error("an empty space has a nearest block")
	}
}

func TestHistoryForgetsAfter256Frees(t *testing.T) {
	s := newSpace(t, Config{})
	addr := alloc(t, s, mib)
	free(t, s, addr)
	alloc(t, s, 512)
	for range 255 {
		free(t, s, alloc(t, s, 512))
	}
	if b, _, _ := s.Nearest(addr + mib - 1); !b.Freed {
		t.Error("forgotten early")
	}
	free(t, s, alloc(t, s, 512))
	if b, _, _ := s.Nearest(addr + mib - 1); b.Freed {
		t.Error("not forgotten")
	}
}

func TestNewMemoryIsZeroOrFilled(t *testing.T) {
	got := make([]byte, 700)
	s := newSpace(t, Config{})
	if err := s.Read(alloc(t, s, 700), got); err != nil || !slices.Equal(got, make([]byte, 700)) {
		t.Errorf("fresh memory is not zero (%v)", err)
	}
	s = newSpace(t, Config{Fill: 0xdeadbeef})
	addr := alloc(t, s, 700)
	if err := s.Set(addr, 0, 1, 700); err != nil {
		t.Fatal(err)
	}
	free(t, s, addr)
	if err := s.Read(alloc(t, s, 700), got); err != nil || got[0] != 0xef || got[699] != 0xde {
		t.Errorf("filled memory is % x ... (%v)", got[:4], err)
	}
}

func TestClosedSpaceRefusesAllocation(t *testing.T) {
	s := newSpace(t, Config{})
	addr := alloc(t, s, 100)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Alloc(100, 0); !errors.Is(err, ErrClosed) {
		t.Errorf("Alloc: %v", err)
	}
	if _, err := s.AllocHost(100, Pinned); !errors.Is(err, ErrClosed) {
		t.Errorf("AllocHost: %v", err)
	}
	if _, ok := s.Span(addr); ok {
		t.Error("span after Close")
	}
}

func TestAddressesDoNotDependOnChance(t *testing.T) {
	layout := func() []uint64 {
		s, err := New(Config{DeviceBytes: 64 * mib})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		var out []uint64
		for i := range uint64(200) {
			out = append(out, alloc(t, s, 1+i*1000))
			if i%3 == 2 {
				free(t, s, out[i-1])
			}
		}
		return out
	}
	if a, b := layout(), layout(); !slices.Equal(a, b) {
		t.Error("two runs of the same calls differ")
	}
}

// TestLookupIsSafeWhileOthersAllocate holds allocations whose spans must be exact at all times,
// among others that come and go in the same blocks.
func TestLookupIsSafeWhileOthersAllocate(t *testing.T) {
	s := newSpace(t, Config{})
	var churn, look sync.WaitGroup
	stop := make(chan struct{})
	var steady []uint64
	for i := range uint64(64) {
		alloc(t, s, 512)
		steady = append(steady, alloc(t, s, 600+i*100))
	}
	for g := range uint64(2) {
		look.Add(1)
		go func() {
			defer look.Done()
			for i := g; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				j := i % 64
				sp, ok := s.Span(steady[j] + 599)
				if want := roundUp(600+j*100, 512); !ok || sp.Lo != steady[j] || sp.Hi-sp.Lo != want {
					t.Errorf("allocation %d: [%#x, %#x) %v", j, sp.Lo, sp.Hi, ok)
					return
				}
			}
		}()
	}
	for g := range uint64(3) {
		churn.Add(1)
		go func() {
			defer churn.Done()
			for i := range uint64(2000) {
				addr, err := s.Alloc(1+(i*(g+1)*977)%(300<<10), 0)
				if err == nil {
					err = s.Free(addr)
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		}()
	}
	churn.Wait()
	close(stop)
	look.Wait()
}
