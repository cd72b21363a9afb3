package mem

import (
	"encoding/binary"
	"errors"
	"testing"
)

func TestMappedMemoryIsReachedByGrantAndHasSeveralAddresses(t *testing.T) {
	s, _ := spaces(t)
	free := func() uint64 { n, _ := s.Info(); return n }
	before := free()
	p, err := s.Create(2 * blockSize)
	if err != nil {
		t.Fatal(err)
	}
	if got := before - free(); got != 2*blockSize {
		t.Errorf("it counts as %d bytes in use", got)
	}
	first, err := s.Reserve(4*blockSize, 0, 0)
	second, err2 := s.Reserve(2*blockSize, 4*blockSize, 0)
	if err != nil || err2 != nil || second%(4*blockSize) != 0 {
		t.Fatal(first, second, err, err2)
	}
	for _, at := range []uint64{first, second} {
		if err := s.Map(at, p); err != nil {
			t.Fatal(err)
		}
		if err := s.Write(at, []byte{1}); err == nil {
			t.Error("written before access was granted")
		}
		s.Grant(at, p, Access{Read: 1, Write: 1})
	}
	if err := s.Write(first+100, []byte{7}); err != nil {
		t.Fatal(err)
	}
	var got [1]byte
	if err := s.Read(second+100, got[:]); err != nil || got[0] != 7 {
		t.Errorf("the other address reads %d, %v", got[0], err)
	}
	if err := s.Free(first); !errors.Is(err, ErrKind) {
		t.Errorf("freed as an allocation: %v", err)
	}
	if err := s.Write(first+2*blockSize, []byte{1}); err == nil {
		t.Error("written beside the mapping")
	}
	if err := p.Release(); err != nil || free() != before {
		t.Errorf("%d bytes free after the release, %v", free(), err)
	}
	if err := s.Read(second+100, got[:]); err != nil || got[0] != 7 {
		t.Errorf("after the release the mapping reads %d, %v", got[0], err)
	}
	for _, at := range []uint64{first, second} {
		if err := s.Unmap(at, 2*blockSize); err != nil {
			t.Fatal(err)
		}
		if err := s.Read(at, got[:]); err == nil {
			t.Error("read where nothing is mapped")
		}
	}
	s.Unreserve(first, 4*blockSize)
	again, err := s.Alloc(4*blockSize, 0)
	if err != nil || again != first {
		t.Errorf("the addresses are not free again: %#x, %v", again, err)
	}
	var word [8]byte
	if err := s.Read(again+96, word[:]); err != nil || binary.LittleEndian.Uint64(word[:]) != 0 {
		t.Errorf("fresh memory holds %x, %v", word, err)
	}
}

func TestMoreMemoryThanTheDeviceHasIsNotCreated(t *testing.T) {
	s, _ := spaces(t)
	if _, err := s.Create(1 << 40); !errors.Is(err, ErrOutOfMemory) {
		t.Error(err)
	}
	if _, err := s.Create(1000); !errors.Is(err, ErrInvalid) {
		t.Error(err)
	}
}

func TestReservationsReachBeyondTwiceTheMemory(t *testing.T) {
	s, _ := spaces(t)
	own, err := s.Alloc(blockSize, 0)
	if err != nil {
		t.Fatal(err)
	}
	const size = 1 << 40
	places := map[uint64]bool{}
	for range 4 {
		base, err := s.Reserve(size, blockSize, 0)
		if err != nil {
			t.Fatal(err)
		}
		p, err := s.Create(blockSize)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []uint64{base, base + size - blockSize} {
			if err := s.Map(at, p); err != nil {
				t.Fatal(err)
			}
			s.Grant(at, p, Access{Read: 1, Write: 1})
			if err := s.Write(at+8, []byte{5}); err != nil || !s.Owns(at) {
				t.Error(err)
			}
			if b, ok := s.Lookup(at + 8); !ok || b.Base != at || !b.Mapped {
				t.Errorf("%+v %v at %#x", b, ok, at)
			}
			f, ok := s.Frame(at)
			if o, _ := s.Frame(own); !ok || places[f.Of(at)] || f.Of(at) == o.Of(own) {
				t.Errorf("%#x lies at %#x, where something else is", at, f.Of(at))
			}
			places[f.Of(at)] = true
			if err := s.Unmap(at, blockSize); err != nil {
				t.Error(err)
			}
		}
		if err := p.Release(); err != nil {
			t.Error(err)
		}
	}
	base, err := s.Reserve(size, 1<<39, 0)
	if err != nil || base%(1<<39) != 0 {
		t.Errorf("%#x, %v", base, err)
	}
	s.Unreserve(base, size)
	if again, err := s.Reserve(size, 1<<39, 0); err != nil || again != base {
		t.Errorf("the addresses that were given back are %#x, not %#x, %v", again, base, err)
	}
	for range 3 { // each needs the addresses of the one before
		base, err := s.Reserve(1<<44, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		s.Unreserve(base, 1<<44)
	}
	if _, err := s.Reserve(1<<50, 0, 0); !errors.Is(err, ErrOutOfMemory) {
		t.Errorf("more than there are: %v", err)
	}
}
