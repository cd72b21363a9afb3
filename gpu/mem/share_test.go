package mem

import (
	"bytes"
	"errors"
	"testing"
)

func spaces(t *testing.T) (a, b *Space) {
	t.Helper()
	for _, s := range []**Space{&a, &b} {
		var err error
		if *s, err = New(Config{DeviceBytes: 64 << 20}); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { (*s).Close() })
	}
	return a, b
}

func TestSharedMemoryKeepsItsBytesAndHasTwoAddresses(t *testing.T) {
	a, b := spaces(t)
	for _, size := range []uint64{1000, 5 << 20} {
		first, _ := a.Alloc(600, 0)
		addr, err := a.Alloc(size, 0)
		if err != nil {
			t.Fatal(err)
		}
		want := bytes.Repeat([]byte{7, 9}, int(size/2))
		if err := a.Write(addr, want); err != nil {
			t.Fatal(err)
		}
		x, err := a.Share(addr)
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := a.Share(addr); again != x {
			t.Errorf("shared as %v and as %v", x, again)
		}
		there, err := b.Import(x)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, size)
		if err := b.Read(there, got); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes: other bytes there, %v", size, err)
		}
		if err := b.Write(there, []byte{1, 2, 3}); err != nil {
			t.Fatal(err)
		}
		if err := a.Read(addr, got); err != nil || !bytes.Equal(got[:4], []byte{1, 2, 3, 9}) {
			t.Errorf("%d bytes: a write did not come back: %v, %v", size, got[:4], err)
		}
		a.Free(addr)
		a.Free(first)
		if err := b.Read(there, got[:3]); err != nil || got[1] != 2 {
			t.Errorf("%d bytes: gone with the allocation that was shared: %v, %v", size, got[:3], err)
		}
		if err := b.Free(there &^ (blockSize - 1)); err != nil {
			t.Error(err)
		}
	}
	for _, s := range []*Space{a, b} {
		if free, total := s.Info(); free != total {
			t.Errorf("%d bytes are still in use", total-free)
		}
	}
}

func TestSharedMemoryIsPrivateAgainAfterFree(t *testing.T) {
	a, b := spaces(t)
	addr, _ := a.Alloc(4<<20, 0)
	x, err := a.Share(addr)
	if err != nil {
		t.Fatal(err)
	}
	there, err := b.Import(x)
	if err != nil {
		t.Fatal(err)
	}
	a.Free(addr)
	next, _ := a.Alloc(4<<20, 0)
	if next != addr {
		t.Skip("the address was not used again")
	}
	a.Write(next, []byte{5})
	got := []byte{9}
	if b.Read(there, got); got[0] != 0 {
		t.Error("a new allocation is seen by the other process")
	}
}

func TestNamesOfNothingAreRefused(t *testing.T) {
	a, b := spaces(t)
	addr, _ := a.Alloc(1000, 0)
	x, err := a.Share(addr)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Shared){
		"other file":  func(x *Shared) { x.Inode++ },
		"no file":     func(x *Shared) { x.Descriptor = 1 << 20 },
		"no process":  func(x *Shared) { x.Process = 1 << 30 },
		"too long":    func(x *Shared) { x.Size = x.Reach + 1 },
		"other reach": func(x *Shared) { x.Reach += blockSize },
		"outside":     func(x *Shared) { x.Offset = 1 << 60 },
	} {
		y := x
		change(&y)
		var e *Error
		if _, err := b.Import(y); !errors.As(err, &e) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := a.Share(addr + 4096); err == nil {
		t.Error("memory that is not allocated was shared")
	}
}
