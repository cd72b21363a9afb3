package mem

import (
	"bytes"
	"errors"
	"testing"
)

func sequence(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 + i>>8)
	}
	return b
}

func TestCopyWorksBetweenAllKindsOfMemory(t *testing.T) {
	s := newSpace(t, Config{})
	const n = 5000
	registered := make([]byte, n)
	if err := s.Register(addressOf(registered), n); err != nil {
		t.Fatal(err)
	}
	places := map[string]uint64{
		"device": alloc(t, s, n), "large": alloc(t, s, 4*mib),
		"pinned": allocHost(t, s, n, Pinned), "managed": allocHost(t, s, n, Managed),
		"registered": addressOf(registered), "plain": addressOf(make([]byte, n)),
	}
	want, got := sequence(n), make([]byte, n)
	for from, src := range places {
		for to, dst := range places {
			if from == to {
				continue
			}
			clear(got)
			err := errors.Join(s.Write(src, want), s.Copy(dst, src, n), s.Read(dst, got), s.Write(dst, make([]byte, n)))
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s to %s: %v", from, to, err)
			}
		}
	}
}

func TestOverlappingCopyMovesTheOldBytes(t *testing.T) {
	s := newSpace(t, Config{})
	addr := alloc(t, s, 1000)
	got := make([]byte, 900)
	err := errors.Join(s.Write(addr, sequence(900)), s.Copy(addr+100, addr, 900), s.Read(addr+100, got))
	if err != nil || !bytes.Equal(got, sequence(900)) {
		t.Error("bytes differ", err)
	}
}

func TestRangesPastTheirAllocationAreRefused(t *testing.T) {
	s := newSpace(t, Config{})
	dev, ok, pinned := alloc(t, s, 1000), alloc(t, s, 5000), allocHost(t, s, 1000, Pinned)
	buf := make([]byte, 1001)
	plain := addressOf(buf)
	for _, c := range []struct {
		name string
		err  error
		want error
	}{
		{"read", s.Read(dev, buf), ErrBounds},
		{"write", s.Write(dev+1, buf[:1000]), ErrBounds},
		{"copy from", s.Copy(ok, dev, 1001), ErrBounds},
		{"copy to", s.Copy(dev, ok, 1001), ErrBounds},
		{"copy to pinned", s.Copy(pinned, plain, 1001), ErrBounds},
		{"start in the padding", s.Copy(ok, dev+1010, 1), ErrBounds},
		{"set", s.Set(dev, 0, 4, 251), ErrBounds},
		{"set of plain memory", s.Set(plain, 0, 1, 8), ErrUnknown},
		{"unallocated", s.Copy(ok, dev+mib, 8), ErrUnknown},
		{"nil", s.Copy(ok, 0, 8), ErrUnmapped},
		{"unmapped", s.Copy(ok, 0x10000, 8), ErrUnmapped},
		{"not canonical", s.Copy(ok, 0xdead_0000_0000_0000, 8), ErrUnmapped},
		{"absurd size", s.Copy(ok, plain, ^uint64(0)), ErrInvalid},
		{"large size", s.Copy(ok, dev, 1<<50), ErrBounds},
		{"large size in plain memory", s.Copy(ok, plain, hostTop-1), ErrUnmapped},
		{"odd address", s.Set(dev+1, 0, 2, 1), ErrInvalid},
		{"odd width", s.Set(dev, 0, 3, 1), ErrInvalid},
		{"zero width", s.Set(dev, 0, 0, 1), ErrInvalid},
		{"absurd count", s.Set(dev, 0, 4, 1<<62), ErrInvalid},
		{"pitch below width", s.Copy2D(Plane{ok, 10}, Plane{dev, 100}, 11, 2), ErrInvalid},
		{"absurd pitch", s.Copy2D(Plane{ok, 1 << 63}, Plane{dev, 100}, 11, 9), ErrInvalid},
		{"last row", s.Copy2D(Plane{ok, 400}, Plane{dev, 400}, 201, 3), ErrBounds},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, c.err, c.want)
		}
	}
	last := s.Copy2D(Plane{ok, 400}, Plane{dev, 400}, 200, 3)
	if err := errors.Join(last, s.Copy(ok, dev, 1000), s.Copy(0, 0, 0), s.Set(0, 0, 4, 0)); err != nil {
		t.Error(err)
	}
}

func TestErrorNamesAddressAndAllocation(t *testing.T) {
	e := &Error{Op: "read", Addr: 0x2000, Size: 16, Near: Block{Base: 0x1ff8, Size: 12, Kind: Pinned}, Err: ErrBounds}
	const want = "read 16 bytes at 0x2000: range passes the end of the allocation (pinned allocation of 12 bytes at 0x1ff8)"
	if e.Error() != want {
		t.Errorf("%q", e)
	}
}

func TestCopy2DMovesTheRectangleOnly(t *testing.T) {
	s := newSpace(t, Config{})
	src, dst := alloc(t, s, 100*10), alloc(t, s, 64*10)
	got, want := make([]byte, 640), bytes.Repeat([]byte{0xee}, 640)
	pattern := sequence(1000)
	for r := range 10 {
		copy(want[r*64:r*64+30], pattern[r*100:])
	}
	err := errors.Join(s.Write(src, pattern), s.Set(dst, 0xee, 1, 640),
		s.Copy2D(Plane{dst, 64}, Plane{src, 100}, 30, 10), s.Read(dst, got))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("rectangle differs, %v", err)
	}
}

func TestSetStoresElementsOfEachWidth(t *testing.T) {
	s := newSpace(t, Config{})
	addr := alloc(t, s, 40000)
	for _, c := range []struct {
		width int
		n     uint64
		unit  []byte
	}{
		{1, 39990, []byte{0x78}}, {2, 19990, []byte{0x78, 0x56}}, {4, 9990, []byte{0x78, 0x56, 0x34, 0x12}},
		{1, 1, []byte{0x78}}, {2, 1, []byte{0x78, 0x56}},
	} {
		got := make([]byte, 40000)
		err := errors.Join(s.Set(addr, 0, 1, 40000), s.Set(addr, 0x12345678, c.width, c.n), s.Read(addr, got))
		want := append(bytes.Repeat(c.unit, int(c.n)), make([]byte, 40000-int(c.n)*c.width)...)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("width %d, %d elements: differs, %v", c.width, c.n, err)
		}
	}
	got := make([]byte, 14)
	err := errors.Join(s.Set(addr, 0, 1, 14), s.Set2D(Plane{addr, 8}, 0x0102, 2, 3, 2), s.Read(addr, got))
	if want := []byte{2, 1, 2, 1, 2, 1, 0, 0, 2, 1, 2, 1, 2, 1}; err != nil || !bytes.Equal(got, want) {
		t.Errorf("rectangle: % x, %v", got, err)
	}
}
