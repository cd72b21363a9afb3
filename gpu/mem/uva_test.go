package mem

import (
	"errors"
	"testing"
)

func TestRegisteredMemoryIsReachedInPlace(t *testing.T) {
	s := newSpace(t, Config{})
	buf := make([]byte, 10000)
	ptr := addressOf(buf)
	if _, ok := s.Span(ptr); ok {
		t.Error("plain host memory is reachable")
	}
	if err := s.Register(ptr, 10000); err != nil {
		t.Fatal(err)
	}
	sp, ok := s.Span(ptr + 5000)
	if !ok || sp.Lo != ptr || sp.Hi != ptr+10000 || &sp.Bytes[0] != &buf[0] {
		t.Errorf("span [%#x, %#x), %v", sp.Lo, sp.Hi, ok)
	}
	if b, ok := s.Lookup(ptr + 9999); !ok || b.Kind != Registered || b.Size != 10000 {
		t.Errorf("Lookup gives %v, %v", b, ok)
	}
	device, pinned := alloc(t, s, 512), allocHost(t, s, 512, Pinned)
	for _, c := range []struct {
		name      string
		ptr, size uint64
		want      error
	}{
		{"same", ptr, 10000, ErrRegistered},
		{"overlap", ptr + 9999, 100, ErrRegistered},
		{"device", device, 512, ErrKind},
		{"pinned", pinned, 512, ErrRegistered},
		{"empty", ptr, 0, ErrInvalid},
		{"wild", 0x10000, 4096, ErrUnmapped},
		{"absurd", ptr, ^uint64(0), ErrInvalid},
	} {
		if err := s.Register(c.ptr, c.size); !errors.Is(err, c.want) {
			t.Errorf("register %s: %v, want %v", c.name, err, c.want)
		}
	}
	if err := s.Unregister(ptr + 1); !errors.Is(err, ErrNotRegistered) {
		t.Errorf("unregister inside: %v", err)
	}
	before := s.Generation()
	if err := s.Unregister(ptr); err != nil || s.Generation() == before {
		t.Errorf("unregister: %v, generation %d", err, s.Generation())
	}
	if err := s.Unregister(ptr); !errors.Is(err, ErrNotRegistered) {
		t.Errorf("unregister twice: %v", err)
	}
	if _, ok := s.Span(ptr); ok {
		t.Error("unregistered memory is reachable")
	}
}

func TestPageModeReachesWholePagesOfRegisteredMemory(t *testing.T) {
	s := newSpace(t, Config{Bounds: Page})
	buf := make([]byte, 4*pageSize)
	ptr := roundUp(addressOf(buf), pageSize) + 100
	if err := s.Register(ptr, 200); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		addr uint64
		want bool
	}{{ptr, true}, {ptr - 100, true}, {ptr + 3000, true}, {ptr - 101, false}, {ptr + pageSize, false}} {
		if sp, ok := s.Span(c.addr); ok != c.want || ok && sp.Hi-sp.Lo != pageSize {
			t.Errorf("%d bytes from the start: [%#x, %#x) %v", int64(c.addr-ptr), sp.Lo, sp.Hi, ok)
		}
	}
}

func TestDevicesShareHostMemoryAndReachPeersWhenEnabled(t *testing.T) {
	u := new(UVA)
	t.Cleanup(func() {
		if err := u.Close(); err != nil {
			t.Error(err)
		}
	})
	a, b := newSpace(t, Config{UVA: u}), newSpace(t, Config{UVA: u, Ordinal: 1})
	onA, onB := alloc(t, a, 100), alloc(t, b, 100)
	managed := allocHost(t, a, 100, Managed)
	if _, ok := b.Span(managed); !ok {
		t.Error("managed memory is not shared")
	}
	if _, ok := a.Span(onB); ok {
		t.Error("peer memory is reachable without access")
	}
	if blk, ok := a.Lookup(onB); !ok || blk.Device != 1 {
		t.Errorf("Lookup gives %v, %v", blk, ok)
	}
	a.EnablePeer(b)
	if _, ok := a.Span(onB); !ok {
		t.Error("peer memory is not reachable with access")
	}
	if _, ok := b.Span(onA); ok {
		t.Error("access goes both ways")
	}
	before := a.Generation()
	a.DisablePeer(b)
	if _, ok := a.Span(onB); ok || a.Generation() == before {
		t.Error("access remains after its end")
	}
	if err := b.Write(onB, []byte("peer")); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 4)
	if err := errors.Join(a.Copy(onA, onB, 4), a.Read(onA, got)); err != nil || string(got) != "peer" {
		t.Errorf("copy between devices: %q, %v", got, err)
	}
	free(t, a, onB)
}
