package mem

import (
	"runtime"
	"testing"
)

// layout gives where a program's memory of each kind lies, in a process of its own making.
func layout(t *testing.T) []uint64 {
	t.Helper()
	u := new(UVA)
	t.Cleanup(func() { _ = u.Close() })
	var places []uint64
	note := func(s *Space, addr uint64, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		f, ok := s.Frame(addr)
		if !ok || !f.Contains(addr) {
			t.Fatalf("no frame holds %#x", addr)
		}
		places = append(places, f.Of(addr))
	}
	for ordinal := range 2 {
		s, err := New(Config{DeviceBytes: 64 * mib, Ordinal: ordinal, UVA: u})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		for range 2 {
			addr, err := s.Alloc(3*mib, 0)
			note(s, addr, err)
			addr, err = s.AllocHost(3*mib, Pinned)
			note(s, addr, err)
			own := make([]byte, 3*pageSize)
			t.Cleanup(func() { runtime.KeepAlive(own) }) // freed, its addresses could be registered again
			base := roundUp(addressOf(own), pageSize)
			note(s, base+100, s.Register(base+100, pageSize))
		}
	}
	return places
}

func TestMemoryLiesAtTheSamePlacesWhereverTheHostPutsIt(t *testing.T) {
	first := layout(t) // its windows stay, so that the second's are elsewhere
	second := layout(t)
	seen := map[uint64]bool{}
	for i, p := range first {
		if second[i] != p {
			t.Errorf("block %d lies at %#x, then at %#x", i, p, second[i])
		}
		if seen[p] {
			t.Errorf("two blocks lie at %#x", p)
		}
		seen[p] = true
	}
}

func TestAnAddressThatIsNoMemoryHasNoFrame(t *testing.T) {
	s, err := New(Config{DeviceBytes: 64 * mib})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if f, ok := s.Frame(1 << 20); ok {
		t.Errorf("address 1 MiB lies in %+v", f)
	}
}
